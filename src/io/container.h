/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files in the container of codec/container.h: written, and read, section after section. */
#ifndef SUMAC_IO_CONTAINER_H
#define SUMAC_IO_CONTAINER_H

#include "codec/checksum.h"
#include "codec/container.h"
#include "io/input.h"
#include "io/output.h"

/* ---- Writing ---- */

/* Write the header of a file to which all sections were added. */
sumac_status container_create(output_file *file, const container *layout);

/* A section that is being written: section_begin(), section_write() of all its bytes, section_end(). */
typedef struct section_output {
    output_file *file;
    const container_section *section;
    checksum sum;
} section_output;

section_output section_begin(output_file *file, const container_section *section);
sumac_status section_write(section_output *output, const void *bytes, size_t count);
sumac_status section_end(section_output *output);

/* Write a section whose bytes are in memory. */
sumac_status section_save(output_file *file, const container_section *section, const void *bytes);

/* ---- Reading ---- */

/*
 * Read the header of a file from its beginning. If the size of the file is known it must be what the header says. A context
 * with a device reads a file of unknown size into memory first: the header of a pipe may promise more than follows, and while
 * pages of the host's memory that nothing is written to cost nothing, a device's are taken at once.
 */
sumac_status container_open(input_file *file, container_kind kind, container *layout);

/* Check that there are so many sections. SUMAC_BAD_FILE. */
sumac_status container_expect_count(const input_file *file, const container *layout, uint32_t count);

/* Find the curve of a section's points. If *curve is not null it must be that one. SUMAC_UNKNOWN_CURVE, SUMAC_MISMATCH. */
sumac_status container_find_curve(const input_file *file, const container *layout,
                                  const container_section *section, const sumac_curve **curve);

/* A section that is being read: section_open(), section_read() of all its bytes, section_close(). */
typedef struct section_input {
    input_file *file;
    const container *layout;
    const container_section *section;
    const char *name; /* in sentences: "the points" */
    checksum sum;
} section_input;

/* Go to a section. The sections of a pipe are read in their order. */
sumac_status section_open(section_input *input, input_file *file, const container *layout,
                          const container_section *section, const char *name);
sumac_status section_read(section_input *input, void *bytes, size_t count);

/* Compare the checksum, and look for the end of the file behind the last section. SUMAC_BAD_CHECKSUM, SUMAC_BAD_FILE. */
sumac_status section_close(section_input *input);

/* Read all of a section to memory. */
sumac_status section_load(input_file *file, const container *layout, const container_section *section,
                          const char *name, void *bytes);

#endif
