/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions read files in iden3's container, section by section. */
#ifndef SUMAC_IO_BINFILE_INPUT_H
#define SUMAC_IO_BINFILE_INPUT_H

#include "codec/binfile.h"
#include "io/input.h"

typedef struct binfile_input {
    input_file *file;
    binfile sections;
} binfile_input;

/* Find the sections of an open file, which the caller closes. If the file is not regular, it is read into memory. */
sumac_status binfile_input_begin(binfile_input *input, input_file *file, const char *magic, const char *kind,
                                 uint32_t version);

/* Find the section of a type. Messages call it `name`. The second function also requires that it has this size. */
sumac_status binfile_input_find(binfile_input *input, uint32_t type, const char *name,
                                const binfile_section **section);
sumac_status binfile_input_expect(binfile_input *input, uint32_t type, const char *name, uint64_t size,
                                  const binfile_section **section);

/* Read bytes [first, first + count) of a section. */
sumac_status binfile_input_read(binfile_input *input, const binfile_section *section, uint64_t first,
                                void *bytes, size_t count);

/* Read the whole header. It is a section, which must have at most `most` bytes. */
sumac_status binfile_input_header(binfile_input *input, uint32_t type, uint8_t *bytes, size_t most,
                                  const binfile_section **section);

/* Read a whole section into memory that the caller frees. */
sumac_status binfile_input_take(binfile_input *input, const binfile_section *section, uint8_t **bytes);

#endif
