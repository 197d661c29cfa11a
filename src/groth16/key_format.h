/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The formats of proving keys, and what their readers share. A format is one file, a line at the end of this header and a
 * row in key.c. */
#ifndef SUMAC_GROTH16_KEY_FORMAT_H
#define SUMAC_GROTH16_KEY_FORMAT_H

#include "groth16/key.h"
#include "io/input.h"

/* So many first bytes of a file, or all of a shorter one, tell its format. */
enum { KEY_BEGINS_BYTES = 16 };

typedef struct key_format {
    int (*fits)(const uint8_t *begins, size_t count);
    /* Read all of a file of known size into an empty key, which the caller destroys after a failure, too. */
    sumac_status (*read)(input_file *file, const sumac_groth16_key_config *config, sumac_groth16_key *key);
} key_format;

/* Find the root of unity of order 2*domain, where the domain is a power of two. */
sumac_status key_find_shift(const input_file *file, const groups *of, uint32_t domain,
                            uint8_t shift[MOST_SCALAR_BYTES]);

/* Give a key that comes without its verifying key, and whose publics and alpha are known, the caller's, if that is of the
 * same circuit as far as can be compared; or, without one, a key that does not verify. */
sumac_status key_take_verifying(const input_file *file, const groups *of,
                                const sumac_groth16_key_config *config, const uint8_t *alpha1,
                                sumac_groth16_key *key);

/* Decide if each of several devices is to have all of a key's bases, where the context's caller has set no bound for that:
 * they take no more than half of the least memory that one of the devices has free. Then a batch's proofs are shared out;
 * the sums of a single proof are divided either way. */
int key_is_replicated(const input_file *file, const groups *of, const sumac_groth16_key *key);

/* Part of a sum's bases: a raw point of the caller's, or a run of points of the file; with neither a single infinity. */
typedef struct base_part {
    const uint8_t *point;
    const void *run;
    uint64_t count; /* of a run */
} base_part;

/* The bases of a sum, part after part. */
typedef struct base_plan {
    const sumac_curve *curve;
    base_part parts[EXTRA_WIRES + 1];
    size_t part_count;
    /* Read a run of the plan to the raw points that bases are made of. */
    sumac_status (*read)(void *reader, const struct base_plan *plan, size_t part, uint8_t *points);
    void *reader;
} base_plan;

/* Bases as a key's config asks for them, but for their form and check. */
sumac_bases_config key_bases_config(const input_file *file, const groups *of, const sumac_groth16_key *key,
                                    const sumac_groth16_key_config *given);

/* Make the bases of a plan. rows: null, where infinities are to stay; else, where it points to null, they are left out if
 * they are many, and the others' rows are stored. */
sumac_status key_make_bases(const input_file *file, const base_plan *plan, const sumac_bases_config *config,
                            sumac_bases **bases, uint64_t **rows);

/* Read the part of a file that verifies. */
sumac_status zkey_read_verifying_key(input_file *file, sumac_groth16_verifying_key **verifying);
sumac_status prepared_read_verifying(input_file *file, sumac_groth16_verifying_key **verifying);
/* Read a verifying key of gnark. *found is 0 where the file is no such key. */
sumac_status gnark_read_verifying_key(input_file *file, int *found, sumac_groth16_verifying_key **verifying);

extern const key_format gnark_key_format;
extern const key_format prepared_key_format;
extern const key_format zkey_key_format;

#endif
