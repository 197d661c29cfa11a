/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files in iden3's container (codec/binfile.h), written section by section. */
#ifndef SUMAC_IO_BINFILE_OUTPUT_H
#define SUMAC_IO_BINFILE_OUTPUT_H

#include "io/output.h"

/* Write the head of a file of so many sections; `magic` is four letters. */
sumac_status binfile_write_head(output_file *file, const char *magic, uint32_t version, uint32_t sections);

/* Write a section of `size` bytes; of null only its head: the caller writes the bytes. */
sumac_status binfile_write_section(output_file *file, uint32_t type, uint64_t size, const void *bytes);

#endif
