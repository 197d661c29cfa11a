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

/* A circuit of gnark may commit to some of its wires, at most this often. */
enum { MOST_COMMITMENTS = 16 };

/* Everything that is hashed, committed to or opened has a number. For commitment j of a circuit the number of its polynomial is
 * KEY_QCP + j, and so on. */
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
    KEY_QCP, /* 1 for each gate with a wire that the circuit commits to, and otherwise 0 */
    /* the proof's commitments */
    PROOF_A = KEY_QCP + MOST_COMMITMENTS,
    PROOF_B,
    PROOF_C,
    PROOF_Z,
    PROOF_T1,
    PROOF_T2,
    PROOF_T3,
    PROOF_WXI,
    PROOF_WXIW,
    PROOF_COMMITMENT, /* to the wires of a commitment of the circuit */
    /* the proof's scalars */
    EVAL_A = PROOF_COMMITMENT + MOST_COMMITMENTS,
    EVAL_B,
    EVAL_C,
    EVAL_S1,
    EVAL_S2,
    EVAL_ZW,
    EVAL_LINEAR, /* the value of the linearisation */
    EVAL_QCP,
    /* challenges */
    BETA = EVAL_QCP + MOST_COMMITMENTS,
    GAMMA,
    ALPHA,
    XI,
    V,
    U,
    /* all public inputs; all of the circuit's commitments; the commitment to the linearisation, which the proof does not have;
     * and the end of a list */
    PUBLICS,
    ALL_QCP,
    ALL_COMMITMENTS,
    ALL_EVAL_QCP,
    LINEAR_POINT,
    NO_ITEM
} plonk_item;

/* These are the numbers of things that circuits without commitments have. */
enum {
    KEY_POINTS = KEY_QCP,
    PROOF_POINTS = PROOF_COMMITMENT - PROOF_A,
    OPENINGS = EVAL_LINEAR - EVAL_A,
    CHALLENGES = PUBLICS - BETA,
    GATE_WIRES = 3,     /* a, b and c */
    QUOTIENT_PARTS = 3, /* T1, T2 and T3 */
    QUOTIENT_TAIL = 6,  /* the quotient has 3n + 6 coefficients */
    BLINDED = 4,        /* A, B, C and Z */
    MOST_BLINDING = 3   /* random numbers of one polynomial */
};

/* A challenge is the hash of its name, of the digest of another challenge, and of a list of items. */
typedef struct challenge_row {
    plonk_item challenge;
    plonk_item hashed[KEY_POINTS + 10];
    const char *name;     /* null if none is hashed */
    plonk_item following; /* a challenge, or 0 if no digest is hashed */
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

typedef enum transcript_hash { HASH_KECCAK256, HASH_SHA256 } transcript_hash;

typedef struct plonk_flavour {
    const char *name;
    transcript_hash hash;
    uint32_t more_powers;  /* a key has this many powers of tau beyond the domain */
    uint32_t part_more;    /* T1 and T2 have this many coefficients more than the domain */
    uint32_t first_public; /* the number of the first public input in a witness */
    int adds_publics; /* the public inputs' polynomial has their values; otherwise it has minus their values */
    int negates_alpha;     /* alpha is minus what is hashed */
    int marks_infinity;    /* infinity is hashed as gnark encodes it */
    uint32_t scalars;      /* of a proof, without those of the circuit's commitments */
    uint32_t blinding;     /* random numbers of a proof, b_1 .. */
    uint32_t t_numbers[2]; /* those that hide the parts of the quotient, or 0 */
    blinding_row blinded[BLINDED];
    challenge_row challenges[CHALLENGES]; /* in the order in which they are computed */
    opening_row openings[OPENINGS];
    const char *names[BETA]; /* of items, in its files */
} plonk_flavour;

extern const plonk_flavour snarkjs_plonk, gnark_plonk;

/* Return 1 if proofs have the value of the linearisation. */
static inline int flavour_opens_linear(const plonk_flavour *flavour)
{
    return flavour->scalars > OPENINGS;
}

#endif
