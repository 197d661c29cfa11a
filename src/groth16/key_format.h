/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file declares the formats of proving keys, and functions that the readers of all formats share. Each format has
 * one source file, a declaration at the end of this header, and an entry in key.c. */
#ifndef SUMAC_GROTH16_KEY_FORMAT_H
#define SUMAC_GROTH16_KEY_FORMAT_H

#include "groth16/key.h"
#include "io/input.h"

/* A format is recognized by this many first bytes of a file. If the file is shorter, all its bytes are used. */
enum { KEY_BEGINS_BYTES = 16 };

typedef struct key_format {
    int (*fits)(const uint8_t *begins, size_t count);
    /* Read all of a file of known size into an empty key. The caller destroys the key, also after a failure. */
    sumac_status (*read)(input_file *file, const sumac_groth16_key_config *config, sumac_groth16_key *key);
} key_format;

/* Find the root of unity of order 2*domain. The function fails if the domain is not a power of two. */
sumac_status key_find_shift(const input_file *file, const groups *of, uint32_t domain,
                            uint8_t shift[MOST_SCALAR_BYTES]);

/* Set the verifying key of a proving key that comes without one. The proving key's `publics` and alpha1 must be known.
 * If the caller gave a verifying key, use that; it is compared with the proving key as far as possible, and refused if
 * it differs. If the caller gave none, use a key that can't verify. */
sumac_status key_take_verifying(const input_file *file, const groups *of,
                                const sumac_groth16_key_config *config, const uint8_t *alpha1,
                                sumac_groth16_key *key);

/* Set the wires of a key's commitments, whose counts are known, and the private wires. `wires` has for each commitment the
 * wire of its value, and then the committed wires. Messages call them `what`. */
sumac_status key_take_committed(const input_file *file, const char *what, const uint32_t *wires,
                                sumac_groth16_key *key);

/* Return 1 if each of several devices shall have all bases of a key. This is so if the caller has set no memory limit,
 * and the bases take at most half of the free memory of every device. Then each device computes some proofs of a batch.
 * The sums of a single proof are divided among the devices in any case. */
int key_is_replicated(const input_file *file, const groups *of, const sumac_groth16_key *key);

/* This is a part of a sum's bases: a raw point of the caller, or a run of points of the file. If both pointers are
 * null, the part is one point at infinity. */
typedef struct base_part {
    const uint8_t *point;
    const void *run;
    uint64_t count; /* the number of points of the run */
} base_part;

/* A plan lists the bases of a sum part by part. */
typedef struct base_plan {
    const sumac_group *group;
    base_part parts[EXTRA_WIRES + 1];
    size_t part_count;
    /* Read a run of the plan into raw points. */
    sumac_status (*read)(void *reader, const struct base_plan *plan, size_t part, uint8_t *points);
    void *reader;
} base_plan;

/* Return the configuration of bases that the configuration of a key asks for; the caller sets its form and check. */
sumac_bases_config key_bases_config(const input_file *file, const groups *of, const sumac_groth16_key *key,
                                    const sumac_groth16_key_config *given);

/* Make the bases of a plan. If `rows` is null, points at infinity stay. If `rows` is given and *rows is null, points at
 * infinity are left out if there are many, and then the rows of the remaining bases are stored in *rows. */
sumac_status key_make_bases(const input_file *file, const base_plan *plan, const sumac_bases_config *config,
                            sumac_bases **bases, uint64_t **rows);

/* Read the verifying key that is part of a proving key's file. */
sumac_status zkey_read_verifying_key(input_file *file, sumac_groth16_verifying_key **verifying);
sumac_status prepared_read_verifying(input_file *file, sumac_groth16_verifying_key **verifying);
/* Read a verifying key of gnark, whose commitments have this hash (null: the default). If the file is not a verifying key
 * of gnark, *found becomes 0. */
sumac_status gnark_read_verifying_key(input_file *file, const commitment_hash *hash, int *found,
                                      sumac_groth16_verifying_key **verifying);

extern const key_format gnark_key_format;
extern const key_format prepared_key_format;
extern const key_format zkey_key_format;

#endif
