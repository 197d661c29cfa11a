/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Table files: bases with their precomputed multiples. docs/formats.md has the bytes. */
#ifndef SUMAC_IO_TABLE_H
#define SUMAC_IO_TABLE_H

#include "io/input.h"

/* Whether a file begins as a table does; the bytes stay to be read. */
sumac_status input_is_table(input_file *file, int *is_table);

#endif
