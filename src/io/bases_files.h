/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This function finds the format of a file of bases. */
#ifndef SUMAC_IO_BASES_FILES_H
#define SUMAC_IO_BASES_FILES_H

#include "codec/format.h"
#include "io/input.h"

/* Find the format of this name, which must have points of the group. If there is no name, the first bytes of the file
 * decide whether it is a table or raw points. Call this before anything else reads the file. */
sumac_status format_choose(input_file *file, const char *name, const sumac_group *group,
                           const point_format **format);

#endif
