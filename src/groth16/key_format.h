/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Formats of proving keys, and functions that their readers share. A format has one source file, a declaration at the
 * end of this header and an entry in key.c. */
#ifndef SUMAC_GROTH16_KEY_FORMAT_H
#define SUMAC_GROTH16_KEY_FORMAT_H

#include "groth16/key.h"
#include "io/input.h"

/* A format is recognized by this many first bytes of a file, or by all bytes of a shorter file. */
enum { KEY_BEGINS_BYTES = 16 };

typedef struct key_format {
    int (*fits)(const uint8_t *begins, size_t count);
    /* Read all of a file of known size into an empty key. The caller destroys the key, also after a failure. */
    sumac_status (*read)(input_file *file, const sumac_groth16_key_config *config, sumac_groth16_key *key);
} key_format;

/* Find the root of unity of order 2*domain; fail unless the domain is a power of two. */
sumac_status key_find_shift(const input_file *file, const groups *of, uint32_t domain,
                            uint8_t shift[MOST_SCALAR_BYTES]);

/* Set the verifying key of a proving key that comes without one, and whose publics and alpha1 are known. Use the
 * caller's if it fits the circuit as far as can be compared; if the caller has none, use one that does not verify. */
sumac_status key_take_verifying(const input_file *file, const groups *of,
                                const sumac_groth16_key_config *config, const uint8_t *alpha1,
                                sumac_groth16_key *key);

/* Return 1 if each of several devices is to have all of a key's bases: the context's caller has set no limit for that,
 * and they take at most half of the least free memory of any device. Then the proofs of a batch are divided among
 * devices; the sums of a single proof are divided either way. */
int key_is_replicated(const input_file *file, const groups *of, const sumac_groth16_key *key);

/* Part of a sum's bases: a raw point of the caller, or a run of points of the file; if both are null, one infinity. */
typedef struct base_part {
    const uint8_t *point;
    const void *run;
    uint64_t count; /* points of the run */
} base_part;

/* The bases of a sum, listed part by part. */
typedef struct base_plan {
    const sumac_group *group;
    base_part parts[EXTRA_WIRES + 1];
    size_t part_count;
    /* Read a run of the plan into raw points. */
    sumac_status (*read)(void *reader, const struct base_plan *plan, size_t part, uint8_t *points);
    void *reader;
} base_plan;

/* Return the configuration that a key's config asks for, except for form and check. */
sumac_bases_config key_bases_config(const input_file *file, const groups *of, const sumac_groth16_key *key,
                                    const sumac_groth16_key_config *given);

/* Make the bases of a plan. If rows is null, infinities stay. If *rows is null, infinities are left out if they are
 * many, and the rows of the other bases are stored in *rows. */
sumac_status key_make_bases(const input_file *file, const base_plan *plan, const sumac_bases_config *config,
                            sumac_bases **bases, uint64_t **rows);

/* Read the verifying key that is part of a proving key's file. */
sumac_status zkey_read_verifying_key(input_file *file, sumac_groth16_verifying_key **verifying);
sumac_status prepared_read_verifying(input_file *file, sumac_groth16_verifying_key **verifying);
/* Read a verifying key of gnark. *found is 0 if the file is none. */
sumac_status gnark_read_verifying_key(input_file *file, int *found, sumac_groth16_verifying_key **verifying);

extern const key_format gnark_key_format;
extern const key_format prepared_key_format;
extern const key_format zkey_key_format;

#endif
