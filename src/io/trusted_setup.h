/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions read Ethereum's trusted_setup.txt (codec/trusted_setup.h): one section as bases, or all sections as
 * records. */
#ifndef SUMAC_IO_TRUSTED_SETUP_H
#define SUMAC_IO_TRUSTED_SETUP_H

#include "codec/trusted_setup.h"
#include "io/input.h"

/* The format names a section. Read that section as bases, and check the shape of the other sections. The caller
 * destroys *bases, also after a failure. */
sumac_status trusted_setup_read_bases(input_file *file, const point_format *format, const sumac_group *group,
                                      const sumac_bases_config *config, sumac_bases **bases);

/* These are a section's compressed points, one after another, in the caller's memory. */
typedef struct trusted_setup_section {
    uint8_t *records;
    uint64_t first_line; /* set by trusted_setup_read(): point i is at line first_line + i */
} trusted_setup_section;

/* Read the records of a file that must have g1_count points of G1 in each of the two forms, and g2_count points of G2.
 * The records are not checked to be points. If the counts differ, or the file is not a trusted setup, return
 * SUMAC_BAD_FILE. */
sumac_status trusted_setup_read(input_file *file, size_t g1_count, size_t g2_count,
                                trusted_setup_section sections[SETUP_SECTIONS]);

#endif
