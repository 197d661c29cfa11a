/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files in iden3's container, read section by section. */
#ifndef SUMAC_IO_BINFILE_INPUT_H
#define SUMAC_IO_BINFILE_INPUT_H

#include "codec/binfile.h"
#include "io/input.h"

typedef struct binfile_input {
    input_file *file;
    binfile sections;
} binfile_input;

/* Find the sections of a file that is open, and stays the caller's to close. Anything but a regular file is read into memory. */
sumac_status binfile_input_begin(binfile_input *input, input_file *file, const char *magic, const char *kind,
                                 uint32_t version);

/* Find the section of a type, called `name` in sentences; or one that must have so many bytes. */
sumac_status binfile_input_find(binfile_input *input, uint32_t type, const char *name,
                                const binfile_section **section);
sumac_status binfile_input_expect(binfile_input *input, uint32_t type, const char *name, uint64_t size,
                                  const binfile_section **section);

/* Read bytes [first, first + count) of a section. */
sumac_status binfile_input_read(binfile_input *input, const binfile_section *section, uint64_t first,
                                void *bytes, size_t count);

/* Read all of a header, a section of at most `most` bytes. */
sumac_status binfile_input_header(binfile_input *input, uint32_t type, uint8_t *bytes, size_t most,
                                  const binfile_section **section);

/* Read all of a section into memory that the caller frees. */
sumac_status binfile_input_take(binfile_input *input, const binfile_section *section, uint8_t **bytes);

#endif
