/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These are the circuits of tests/data/gnark.tar.xz, with keys and proofs by gnark. */
#ifndef SUMAC_TESTS_GROTH16_GNARK_H
#define SUMAC_TESTS_GROTH16_GNARK_H

#include "support/harness.h"
#include "sumac/groth16.h"

enum {
    GNARK_CURVES = 4,     /* there is a file of one circuit for so many curves */
    GNARK_FULL = 4,       /* a circuit whose A and B have a point for every wire */
    GNARK_COMMITTING = 5, /* from here on with commitments */
    GNARK_SEVERAL = 10,   /* and from here on with three of them */
    GNARK_CIRCUITS = 12
};

typedef struct gnark_circuit {
    const char *name, *curve;
    uint64_t wires, publics, domain, commitments;
    const char *hash; /* of commitments; null: the default */
} gnark_circuit;

extern const gnark_circuit gnark_circuits[GNARK_CIRCUITS];

enum { GNARK_KEY_ENCODINGS = 3 };
extern const char *const gnark_key_encodings[GNARK_KEY_ENCODINGS];

/* Run a check for the circuits [first, end) whose curves are built. */
void gnark_for_each(int first, int end, void (*check)(int i));

/* Read a circuit's file to memory that the caller frees; a zero follows the bytes. */
uint8_t *gnark_read(const char *name, const char *file, const char *encoding, size_t *size);

/* These are a circuit's verifying key, proof and public inputs. */
typedef struct claim {
    const char *name;
    sumac_context *context;
    const sumac_group *g1, *g2;
    size_t scalar, point1, point2; /* bytes of a scalar, and of points of G1 and G2 */
    sumac_groth16_verifying_key *verifying;
    sumac_groth16_info info;
    uint8_t *proof, *publics;
} claim;

void claim_open(claim *c, int i, const char *encoding);
void claim_close(claim *c);

/* These are a circuit's proving key, and its solved witness with r and s of gnark's proof. */
typedef struct prover {
    claim c;
    sumac_groth16_key *key;
    uint8_t *witness, *randomness, *commitment_wires;
    size_t commitment_wires_bytes;
} prover;

void prover_open(prover *p, int i, const char *encoding);
void prover_close(prover *p);

/* Prove `count` times with the witness, r and s. */
sumac_status prover_prove(const prover *p, size_t count, int verified, uint8_t *proofs);

#endif
