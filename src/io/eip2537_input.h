/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The input of Ethereum's MSM precompiles (EIP-2537), over BLS12-381. */
#ifndef SUMAC_IO_EIP2537_INPUT_H
#define SUMAC_IO_EIP2537_INPUT_H

#include "sumac/sumac.h"

/* Bytes of one pair of a point, a record of the format eip2537, and a scalar: 160 in G1, 288 in G2. */
size_t eip2537_pair_bytes(const sumac_curve_info *info);

/*
 * Decode an input of BLS12_G1MSM or BLS12_G2MSM: pairs of a point and a 32-byte big-endian scalar. As the EIP
 * says, an empty input is an error (SUMAC_BAD_LENGTH) and points are checked to be in the subgroup; a scalar
 * may be any integer. Messages name the byte. bases: to be destroyed; *scalars: *n raw scalars, to be freed
 * with sumac_free(). Both null on failure.
 */
sumac_status eip2537_decode_msm(sumac_context *context, const sumac_curve *curve, const uint8_t *input,
                                size_t length, sumac_bases **bases, void **scalars, size_t *n);

#endif
