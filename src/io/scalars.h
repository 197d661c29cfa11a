/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files of raw scalars. */
#ifndef SUMAC_IO_SCALARS_H
#define SUMAC_IO_SCALARS_H

#include "io/input.h"

/* Refuse, with SUMAC_BAD_LENGTH, a file of known size that is not a whole number of the curve's raw scalars. */
sumac_status scalars_check_size(const input_file *file, const sumac_curve *curve);

#endif
