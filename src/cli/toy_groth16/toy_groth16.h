/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions make circuits of any size with a witness, and INSECURE proving keys, for tests and benchmarks:
 * whoever creates such a key can keep its secret numbers, and can then prove anything. The code uses only the library's
 * public calls. The program and the tests are compiled with these files.
 */
#ifndef SUMAC_TOY_GROTH16_H
#define SUMAC_TOY_GROTH16_H

#include <stdio.h>

#include "sumac/sumac.h"

/*
 * Write a circuit (.r1cs) of `constraints` constraints with two to five wires each, and a witness of it (.wtns). The
 * files are open for writing, and stay open. The caller checks by ferror() whether everything was written.
 *   bits_percent  0 to 100: the percentage of wires that hold a bit, 0 or 1, as most wires of a hash function do; the other
 *                 values look random. The share is exact within one wire if there are fewer than 4096 constraints or a
 *                 multiple of 4096
 *   seed          different seeds give different values of the witness
 * Return SUMAC_OK, or a failure with its message in *why.
 */
sumac_status toy_circuit(sumac_context *context, const sumac_group *group, uint64_t constraints,
                         uint32_t bits_percent, uint64_t seed, FILE *r1cs, FILE *wtns, sumac_message *why);

/* Write an insecure proving key (.zkey) for a circuit. The circuit is in a regular file, which is read from its
 * beginning. If the seed is 0, the secrets of the key are the system's random numbers; any other seed makes the key
 * reproducible. */
sumac_status toy_setup(sumac_context *context, FILE *r1cs, uint64_t seed, FILE *zkey, sumac_message *why);

/* Write insecure powers of tau (.ptau) of which so many of the first group, and two of the second, are points; all others are zeros. A
 * setup with a domain of n reads n + 6 for PLONK, and 9n + 18 for FFLONK. A key that is made from them proves nothing. */
sumac_status toy_powers(sumac_context *context, const sumac_group *g1, size_t points, uint64_t seed,
                        FILE *ptau, sumac_message *why);

#endif
