/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A flavour of PLONK is data: which polynomials a key has, how many random numbers hide each one, what each challenge is
 * hashed from, and at which points polynomials are opened. The paper (Gabizon, Williamson and Ciobotaru, eprint 2019/953) leaves
 * these choices to an implementation. The steps that use the data are prove_steps.c's, and the equation verify.c's.
 */
#ifndef SUMAC_PLONK_FLAVOUR_H
#define SUMAC_PLONK_FLAVOUR_H

#include <stddef.h>
#include <stdint.h>

/* Everything that is hashed, committed to or opened has a number. */
typedef enum plonk_item {
    /* the key's commitments */
    KEY_QM,
    KEY_QL,
    KEY_QR,
    KEY_QO,
    KEY_QC,
    KEY_S1,
    KEY_S2,
    KEY_S3,
    /* the proof's commitments */
    PROOF_A,
    PROOF_B,
    PROOF_C,
    PROOF_Z,
    PROOF_T1,
    PROOF_T2,
    PROOF_T3,
    PROOF_WXI,
    PROOF_WXIW,
    /* the proof's scalars */
    EVAL_A,
    EVAL_B,
    EVAL_C,
    EVAL_S1,
    EVAL_S2,
    EVAL_ZW,
    /* challenges */
    BETA,
    GAMMA,
    ALPHA,
    XI,
    V,
    U,
    /* all public inputs, and the end of a list */
    PUBLICS,
    NO_ITEM
} plonk_item;

enum {
    KEY_POINTS = PROOF_A,
    PROOF_POINTS = EVAL_A - PROOF_A,
    PROOF_SCALARS = BETA - EVAL_A,
    CHALLENGES = PUBLICS - BETA,
    GATE_WIRES = 3,   /* a, b and c */
    MORE_POWERS = 6,  /* T3 has as many coefficients beyond the domain */
    BLINDED = 4,      /* A, B, C and Z */
    MOST_BLINDING = 3 /* random numbers of one polynomial */
};

/* A challenge is the hash of a list of items. */
typedef struct challenge_row {
    plonk_item challenge;
    plonk_item hashed[KEY_POINTS + 5];
} challenge_row;

/* A polynomial p becomes p + (b_i + b_j X + ..) (X^n - 1). */
typedef struct blinding_row {
    plonk_item polynomial;
    uint32_t count;
    uint32_t numbers[MOST_BLINDING]; /* i, j, ..: the number of the coefficient of 1, of X, .. */
} blinding_row;

/* A scalar of the proof is the value of a polynomial at xi or, if `is_shifted` is set, at xi times the root. */
typedef struct opening_row {
    plonk_item value, polynomial;
    int is_shifted;
} opening_row;

typedef struct plonk_flavour {
    const char *name;
    uint32_t blinding;     /* random numbers of a proof, b_1 .. */
    uint32_t t_numbers[2]; /* those that hide the parts of the quotient */
    blinding_row blinded[BLINDED];
    challenge_row challenges[CHALLENGES];
    opening_row openings[PROOF_SCALARS];
    const char *names[PROOF_SCALARS + PROOF_POINTS + KEY_POINTS]; /* of items, in its files */
} plonk_flavour;

extern const plonk_flavour snarkjs_plonk;

#endif
