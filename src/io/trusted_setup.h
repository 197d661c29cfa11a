/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reading Ethereum's trusted_setup.txt, codec/trusted_setup.h: one section of it as bases, or all at once. */
#ifndef SUMAC_IO_TRUSTED_SETUP_H
#define SUMAC_IO_TRUSTED_SETUP_H

#include "codec/trusted_setup.h"
#include "io/input.h"

/* Read the section that the format names as bases; of the others the shape is checked. The caller destroys what is read, also
 * after a failure. */
sumac_status trusted_setup_read_bases(input_file *file, const point_format *format, const sumac_curve *curve,
                                      const sumac_bases_config *config, sumac_bases **bases);

/* A section's compressed points, one after another, in memory of the caller's. */
typedef struct trusted_setup_section {
    uint8_t *records;
    uint64_t first_line; /* set by reading: point i is at line first_line + i */
} trusted_setup_section;

/* Read the records of a file with so many points of G1, twice, and of G2. Whether they are points is not checked.
 * SUMAC_BAD_FILE where there are others, or the file is no such file. */
sumac_status trusted_setup_read(input_file *file, size_t g1_count, size_t g2_count,
                                trusted_setup_section sections[SETUP_SECTIONS]);

#endif
