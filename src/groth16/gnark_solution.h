/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Solved witnesses of gnark, its R1CSSolution: vectors W, the wires, and A, B, C, the matrices times W, each a count of 4
 * bytes and canonical elements, all big-endian.
 */
#ifndef SUMAC_GROTH16_GNARK_SOLUTION_H
#define SUMAC_GROTH16_GNARK_SOLUTION_H

#include "groth16/key.h"
#include "io/input.h"

/* What a key of gnark takes for a witness: W, and A and B as long as the domain. The caller frees it after a failure, too. */
sumac_status gnark_solution_read(input_file *file, const sumac_groth16_key *key, uint8_t **witness);

#endif
