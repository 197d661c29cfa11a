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

/* Of a key whose publics are known, and alpha, that comes without its verifying key: the caller's, of the same circuit by all
 * that can be compared, or one that does not verify. */
sumac_status key_take_verifying(const input_file *file, const groups *of,
                                const sumac_groth16_key_config *config, const uint8_t *alpha1,
                                sumac_groth16_key *key);

/* The multiples that are kept of each base of such a key: as many as are asked for; of 0 as many, and 4 at most, as take no
 * more than a quarter of a device's free memory, on a device and where they are worth it. */
uint32_t key_multiples(const input_file *file, const groups *of, const sumac_groth16_key *key,
                       uint32_t asked);

/* Whether each of several devices has all of such a key's bases, where the context has no bound of its own for that: if they
 * take no more than half of the least memory that one of the devices has free. Batches then go a proof a device; one
 * proof's sums are divided either way. */
int key_is_replicated(const input_file *file, const groups *of, const sumac_groth16_key *key);

extern const key_format gnark_key_format;
/* Of a prepared key the part that verifies. */
sumac_status prepared_read_verifying(input_file *file, sumac_groth16_verifying_key **verifying);

extern const key_format prepared_key_format;
extern const key_format zkey_key_format;

#endif
