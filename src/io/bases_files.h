/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Find the format of a file of bases. */
#ifndef SUMAC_IO_BASES_FILES_H
#define SUMAC_IO_BASES_FILES_H

#include "codec/format.h"
#include "io/input.h"

/* Find the format of this name, which must hold points of the group. Without a name it is a table or raw, depending on
 * the file's first bytes. Call this before any other read. */
sumac_status format_choose(input_file *file, const char *name, const sumac_group *group,
                           const point_format **format);

#endif
