/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Verifying keys of gnark. */
#ifndef SUMAC_GROTH16_GNARK_VERIFYING_H
#define SUMAC_GROTH16_GNARK_VERIFYING_H

#include "groth16/gnark_input.h"

/* Which curve's key the file is, of known size, and how it is encoded; null: it is no such key. */
sumac_status gnark_verifying_find(input_file *file, groups *found, const point_format **encoding);

/* SUMAC_BAD_FILE, with what is wrong with it, where the file is as long as such a key of a curve says that it is, but of none
 * by its points; else SUMAC_OK. */
sumac_status gnark_verifying_refuse(input_file *file);

sumac_status gnark_verifying_read(input_file *file, const groups *of, const point_format *encoding,
                                  sumac_groth16_verifying_key **verifying);

#endif
