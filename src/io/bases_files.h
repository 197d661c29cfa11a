/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files of bases, by the name of their format. */
#ifndef SUMAC_IO_BASES_FILES_H
#define SUMAC_IO_BASES_FILES_H

#include "codec/format.h"
#include "io/input.h"

/* Find the format of this name, which has to hold points of the curve. Without a name it is a table or raw, by how the
 * file begins; before any other read. */
sumac_status format_choose(input_file *file, const char *name, const sumac_curve *curve,
                           const point_format **format);

#endif
