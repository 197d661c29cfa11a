/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions read and write what gnark's files of Groth16 and of PLONK have in common. */
#ifndef SUMAC_IO_GNARK_FILES_H
#define SUMAC_IO_GNARK_FILES_H

#include "codec/gnark_key.h"
#include "io/groups.h"
#include "io/input.h"

/* Read points and convert them to raw ones. Messages have the points' name and the offset of their first byte. */
sumac_status gnark_read_points(input_file *file, const sumac_group *group, const gnark_points *points,
                               sumac_check check, uint8_t *raw);

/* Find the groups of the curve to which a domain belongs; return 0 if this build has no such curve. */
int gnark_find_groups(const uint8_t *domain, groups *found);

/* Public inputs are written as a witness: the number of public elements, the number of secret ones, and a vector. The caller of
 * the first function frees the bytes with free(). */
sumac_status gnark_encode_publics(sumac_context *context, const sumac_group *g1, uint64_t publics_count,
                                  const uint8_t *publics, void **bytes, size_t *count);
sumac_status gnark_decode_publics(sumac_context *context, const sumac_group *g1, uint64_t publics_count,
                                  const uint8_t *bytes, size_t count, const char *name, uint8_t *publics);

#endif
