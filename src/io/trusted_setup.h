/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* All sections of Ethereum's trusted_setup.txt at once. */
#ifndef SUMAC_IO_TRUSTED_SETUP_H
#define SUMAC_IO_TRUSTED_SETUP_H

#include "io/input.h"

/* A section's compressed points, one after another, in memory of the caller's. */
typedef struct trusted_setup_section {
    uint8_t *records;
    uint64_t first_line; /* set by reading: point i is at line first_line + i */
} trusted_setup_section;

typedef struct trusted_setup_records {
    trusted_setup_section g1_lagrange, g2_monomial, g1_monomial;
} trusted_setup_records;

/* No file with so many points is longer: every line as long as a line may be, and some empty ones at the end.
 */
uint64_t trusted_setup_most_bytes(size_t g1_count, size_t g2_count);

/* The records of a file with so many points of G1, twice, and of G2; that they are points is not checked.
 * SUMAC_BAD_FILE where there are others, or the file is no such file. */
sumac_status trusted_setup_read(input_file *file, size_t g1_count, size_t g2_count,
                                trusted_setup_records *records);

#endif
