/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Points in files of gnark. */
#ifndef SUMAC_GROTH16_GNARK_INPUT_H
#define SUMAC_GROTH16_GNARK_INPUT_H

#include "codec/gnark_key.h"
#include "groth16/verifying_key.h"
#include "io/input.h"

/* All of them, raw; a sentence names them and their first byte. */
sumac_status gnark_points_read(input_file *file, const sumac_curve *curve, const gnark_points *points,
                               sumac_check check, uint8_t *raw);

#endif
