/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a format of proving keys is, and all there are: one file each, with a line at the end of this header and a row in
 * key.c. */
#ifndef SUMAC_GROTH16_KEY_FORMAT_H
#define SUMAC_GROTH16_KEY_FORMAT_H

#include "groth16/key.h"
#include "io/input.h"

/* Of a file, its first bytes; as many as there are. */
enum { KEY_BEGINS_BYTES = 16 };

typedef struct key_format {
    int (*fits)(const uint8_t *begins, size_t count);
    /* All of a file of known size to an empty key, which the caller destroys after a failure, too. */
    sumac_status (*read)(input_file *file, const sumac_groth16_key_config *config, sumac_groth16_key *key);
} key_format;

/* The root of unity of order 2*domain, a power of two. */
sumac_status key_find_shift(const input_file *file, const groups *of, uint32_t domain,
                            uint8_t shift[MOST_SCALAR_BYTES]);

extern const key_format gnark_key_format;
extern const key_format zkey_key_format;

#endif
