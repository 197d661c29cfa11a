/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions read and write files in the container of codec/container.h, one section after another. */
#ifndef SUMAC_IO_CONTAINER_H
#define SUMAC_IO_CONTAINER_H

#include "codec/checksum.h"
#include "codec/container.h"
#include "io/input.h"
#include "io/output.h"

/* ---- Writing ---- */

/* Write the header of a file. All sections must have been added to `layout`. */
sumac_status container_create(output_file *file, const container *layout);

/* This is a section that is being written. Call section_begin(), then section_write() for all its bytes, then
 * section_end(). */
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
 * Read the header at the beginning of a file. If the file's size is known, it must agree with the header. If it is
 * unknown and the context has a device, the whole file is read into memory first. The reason is that the header of a
 * pipe may promise more bytes than follow. Memory of a device is allocated at once, while pages of host memory cost
 * nothing until they are written.
 */
sumac_status container_open(input_file *file, container_kind kind, container *layout);

/* Return SUMAC_BAD_FILE unless the file has `count` sections. */
sumac_status container_expect_count(const input_file *file, const container *layout, uint32_t count);

/* Find the group of a section's points. If *group is not null, it must be that group. The function may return
 * SUMAC_UNKNOWN_CURVE or SUMAC_MISMATCH. */
sumac_status container_find_group(const input_file *file, const container *layout,
                                  const container_section *section, const sumac_group **group);

/* This is a section that is being read. Call section_open(), then section_read() for all its bytes, then
 * section_close(). */
typedef struct section_input {
    input_file *file;
    const container *layout;
    const container_section *section;
    const char *name; /* the name of the section in messages, such as "the points" */
    checksum sum;
} section_input;

/* Move to a section. If the file is a pipe, its sections must be read in order. */
sumac_status section_open(section_input *input, input_file *file, const container *layout,
                          const container_section *section, const char *name);
sumac_status section_read(section_input *input, void *bytes, size_t count);

/* Compare the checksum, and return SUMAC_BAD_CHECKSUM if it is wrong. If this was the last section and the file does
 * not end after it, return SUMAC_BAD_FILE. */
sumac_status section_close(section_input *input);

/* Read a whole section into memory. */
sumac_status section_load(input_file *file, const container *layout, const container_section *section,
                          const char *name, void *bytes);

#endif
