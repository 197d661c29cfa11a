/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What opening and saving a prepared key have in common, beside the file's header (codec/prepared_key.h). */
#ifndef SUMAC_GROTH16_PREPARED_KEY_H
#define SUMAC_GROTH16_PREPARED_KEY_H

#include "codec/prepared_key.h"
#include "groth16/key.h"

_Static_assert((int)PREPARED_EXTRA_BASES == (int)EXTRA_WIRES, "a set lies in the file as it is resident");
_Static_assert((int)PREPARED_LEAST_VALUES == (int)SPARSE_OTHERS, "and a matrix's values");
_Static_assert((int)PREPARED_VERIFYING_G2 == (int)VERIFYING_G2, "and the verifying key's points");

/* Of a matrix or of rows, that are in the host's memory at a time. */
#define BLOCK_WORDS ((uint64_t)1 << 16)

/* Numbers of a matrix: as they lie in a file, and in memory. */
typedef union matrix_word {
    uint8_t bytes[PREPARED_WORD_BYTES];
    uint64_t start;
    sparse_term term;
} matrix_word;

#endif
