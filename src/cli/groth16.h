/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The commands `groth16 ...` share these functions with `bench --groth16`. */
#ifndef SUMAC_CLI_GROTH16_H
#define SUMAC_CLI_GROTH16_H

#include "session.h"
#include "sumac/groth16.h"
#include "toy_groth16/toy_groth16.h"

/* These are the kinds of witnesses, in the order of the words of --kind. */
typedef enum witness_kind {
    WITNESS_UNIFORM,
    WITNESS_SPARSE /* 90% zeros and ones */
} witness_kind;

/* Return the percentage of wires that are bits, for toy_circuit(). */
static inline uint32_t bits_percent_of(witness_kind kind)
{
    return kind == WITNESS_SPARSE ? 90 : 0;
}

/* Report a failure of toy_setup() or toy_circuit(), and return an exit status. The message begins with the circuit's
 * path or "". If writing failed, that is reported later, when the files are finished. */
int toy_check(const char *path, sumac_status status, const sumac_message *why);

#endif
