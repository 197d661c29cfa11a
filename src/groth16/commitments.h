/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Commitments in gnark's Groth16 (Bsb22: Belling, Soleimanian, Begassat 2022). Some private wires of a circuit are
 * committed to: D = <w, basis> has the values of one commitment's wires, and another wire has its value, which is a hash
 * of D and of values that the verifier knows. A proof has all D, and P, the proof that its maker knows the wires:
 *
 *   value_k = hash(D_k, hashed values)       c = hash(value_0, value_1, ...)
 *   P = sum c^k <w, sigma_k basis_k>         e(P, G) prod e(c^k D_k, -sigma_k G) = 1
 *
 * The verifier takes all value_k as public inputs, and adds all D_k to the sum of the public inputs' points.
 */
#ifndef SUMAC_GROTH16_COMMITMENTS_H
#define SUMAC_GROTH16_COMMITMENTS_H

#include "io/commitment_hash.h"
#include "codec/gnark_key.h"
#include "io/groups.h"

enum { MOST_COMMITMENTS = GNARK_MOST_COMMITMENTS };

/* Find a hash by its name (null: gnark's default), or fail with a message. */
sumac_status commitment_hash_find(sumac_context *context, const char *name, const commitment_hash **hash);

/* Compute a commitment's value from its raw point and its `count` hashed values, raw. */
sumac_status commitment_value(sumac_context *context, const sumac_group *g1, const commitment_hash *hash,
                              const uint8_t *point, const uint8_t *hashed, size_t count, uint8_t *value);

/* Compute c from the values of all of a proof's commitments, raw. */
void commitments_challenge(const sumac_group *g1, const uint8_t *values, size_t count, uint8_t *challenge);

#endif
