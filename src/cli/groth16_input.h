/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the commands for Groth16 read, and make for benchmarks. */
#ifndef SUMAC_CLI_GROTH16_INPUT_H
#define SUMAC_CLI_GROTH16_INPUT_H

#include "session.h"
#include "sumac/groth16.h"

/* In the order of the words that --kind takes. */
typedef enum witness_kind {
    WITNESS_UNIFORM,
    WITNESS_SPARSE /* 90% zeros and ones */
} witness_kind;

/* What sumac_groth16_generate() is told of it. */
static inline uint32_t bits_percent_of(witness_kind kind)
{
    return kind == WITNESS_SPARSE ? 90 : 0;
}

/* Open a proving key, as the options want it, and describe it. Reports and returns an exit status. */
int open_groth16_key(const session *opened, const options *given, const char *path, sumac_groth16_key **key,
                     sumac_groth16_info *info);

#endif
