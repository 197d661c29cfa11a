/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files of bases, by the name of their format. */
#ifndef SUMAC_IO_BASES_FILES_H
#define SUMAC_IO_BASES_FILES_H

#include "codec/format.h"
#include "io/input.h"

/* The format by its name, which has to hold points of the curve, or for null by how the file begins: a table
 * or raw. Before any other read. */
sumac_status format_choose(input_file *file, const char *name, const sumac_curve *curve,
                           const point_format **format);

#endif
