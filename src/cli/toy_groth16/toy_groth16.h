/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Circuits of any size with a witness, and INSECURE proving keys, for tests and benchmarks: whoever makes such a key could
 * keep the numbers that it is made of and prove anything. The library has no part in this beyond its public calls; the
 * program and the tests are compiled with these files.
 */
#ifndef SUMAC_TOY_GROTH16_H
#define SUMAC_TOY_GROTH16_H

#include <stdio.h>

#include "sumac/sumac.h"

/*
 * Write a circuit (.r1cs) of so many constraints, with two to five wires in each, and a witness of it (.wtns). The files
 * are open for writing and stay so; whether everything was written is seen by ferror().
 *   bits_percent  0 to 100: so many of a hundred wires hold a bit, 0 or 1, as most of a hash function's do; the values of the
 *                 others look random. The share is met within one wire where there are less than 4096 constraints or a
 *                 multiple of that many
 *   seed          another seed gives other values of the witness
 * Returns SUMAC_OK, or a failure with its sentence in *why.
 */
sumac_status toy_circuit(sumac_context *context, const sumac_curve *curve, uint64_t constraints,
                         uint32_t bits_percent, uint64_t seed, FILE *r1cs, FILE *wtns, sumac_message *why);

/* Write an insecure proving key (.zkey) of the circuit in a regular file, which is read from its beginning. With a seed of
 * 0 its numbers are the system's random ones; with another seed anyone can repeat them. */
sumac_status toy_setup(sumac_context *context, FILE *r1cs, uint64_t seed, FILE *zkey, sumac_message *why);

#endif
