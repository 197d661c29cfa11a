/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A flavour of PLONK is data: which polynomials a key has, how many random numbers hide each one, what a proof has, what each
 * challenge is hashed from, and at which points polynomials are opened. The paper (Gabizon, Williamson and Ciobotaru, eprint
 * 2019/953) leaves these choices to an implementation. FFLONK (Gabizon and Williamson, eprint 2021/1167) has the same gates and the
 * same permutation, and combines the polynomials before it commits to them, so that it has other steps, and another equation.
 * prove_steps.c and fflonk_prove.c have the steps that use the data, and verify.c and fflonk_verify.c the equations.
 */
#ifndef SUMAC_PLONK_FLAVOUR_H
#define SUMAC_PLONK_FLAVOUR_H

#include <stddef.h>
#include <stdint.h>

#include "codec/zkey_plonk.h"
#include "vector/host_scalars.h"

/* A circuit of gnark may commit to some of its wires, at most this often. */
enum { MOST_COMMITMENTS = 16 };

/* Everything that is hashed, committed to or opened has a number. A key or a proof of a flavour has some of them. For commitment j of a
 * circuit the number of its polynomial is KEY_QCP + j, and so on. */
typedef enum plonk_item {
    /* the key's polynomials, and PLONK's commitments to them */
    KEY_QM,
    KEY_QL,
    KEY_QR,
    KEY_QO,
    KEY_QC,
    KEY_S1,
    KEY_S2,
    KEY_S3,
    /* FFLONK's commitment to all of them */
    KEY_C0,
    KEY_QCP, /* 1 for each gate with a wire that the circuit commits to, and otherwise 0 */
    /* polynomials of a proof, and PLONK's commitments to them */
    PROOF_A = KEY_QCP + MOST_COMMITMENTS,
    PROOF_B,
    PROOF_C,
    PROOF_Z,
    PROOF_T1,
    PROOF_T2,
    PROOF_T3,
    PROOF_WXI,
    PROOF_WXIW,
    /* FFLONK's commitments, and a polynomial that it does not commit to by itself */
    PROOF_C1,
    PROOF_C2,
    PROOF_W1,
    PROOF_W2,
    PROOF_T0,
    PROOF_COMMITMENT, /* to the wires of a commitment of the circuit */
    /* scalars of proofs */
    EVAL_A = PROOF_COMMITMENT + MOST_COMMITMENTS,
    EVAL_B,
    EVAL_C,
    EVAL_S1,
    EVAL_S2,
    EVAL_ZW,
    EVAL_QM,
    EVAL_QL,
    EVAL_QR,
    EVAL_QO,
    EVAL_QC,
    EVAL_S3,
    EVAL_Z,
    EVAL_T1W,
    EVAL_T2W,
    EVAL_INVERSE,
    EVAL_LINEAR, /* the value of the linearisation */
    EVAL_QCP,
    /* challenges */
    BETA = EVAL_QCP + MOST_COMMITMENTS,
    GAMMA,
    ALPHA,
    XI,
    V,
    U,
    XI_SEED,
    Y,
    /* all public inputs; all of the circuit's commitments; the commitment to the linearisation, which the proof does not have;
     * and the end of a list */
    PUBLICS,
    ALL_QCP,
    ALL_COMMITMENTS,
    ALL_EVAL_QCP,
    LINEAR_POINT,
    NO_ITEM
} plonk_item;

enum {
    KEY_POLYNOMIALS = KEY_C0, /* without those of the circuit's commitments */
    CHALLENGES = PUBLICS - BETA,
    MOST_ITEMS = 16, /* of a list */
    MOST_HASHED = 18,
    MOST_KEY_POINTS = KEY_POLYNOMIALS + MOST_COMMITMENTS,
    MOST_PROOF_POINTS = PROOF_WXIW + 1 - PROOF_A + MOST_COMMITMENTS,
    MOST_ROOTS = ZKEY_PLONK_MOST_ROOTS,
    GATE_WIRES = 3,     /* a, b and c */
    QUOTIENT_PARTS = 3, /* T1, T2 and T3 */
    QUOTIENT_TAIL = 6,  /* the quotient has 3n + 6 coefficients */
    BLINDED = 4,        /* A, B, C and Z */
    MOST_BLINDING = 3   /* random numbers of one polynomial */
};

/* The order of these items is that of a key or a proof. Those of the circuit's commitments follow them. */
typedef struct item_list {
    uint32_t count;
    plonk_item items[MOST_ITEMS];
} item_list;

/* A challenge is the hash of its name, of the digest of another challenge, and of a list of items. */
typedef struct challenge_row {
    plonk_item challenge;
    plonk_item hashed[MOST_HASHED + 1];
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

struct proving;
struct claims;
struct sumac_plonk_key;

/* While a proof is computed, its vectors take at most so many scalars, and its largest sums are a batch of so many of so many terms. */
typedef struct proof_needs {
    uint64_t scalars;
    uint32_t batch;
    size_t terms;
} proof_needs;

/* A step computes something of a proof, and takes this fraction of its time. */
typedef struct proof_step {
    sumac_status (*run)(struct proving *p);
    double share;
} proof_step;

typedef struct plonk_flavour {
    const char *name;                /* of the format of its proofs */
    const char *protocol;            /* its name in texts */
    const char *curve;               /* the only curve that it has; null: all curves */
    const zkey_plonk_layout *layout; /* of its keys in files of snarkjs, or null */
    transcript_hash hash;
    uint32_t
        more_powers; /* a row of coefficients has this many beyond the domain; gnark's keys have as many powers of tau */
    uint32_t part_more;    /* T1 and T2 have this many coefficients more than the domain */
    uint32_t first_public; /* the number of the first public input in a witness */
    int adds_publics; /* the public inputs' polynomial has their values; otherwise it has minus their values */
    int negates_alpha;  /* alpha is minus what is hashed */
    int marks_infinity; /* infinity is hashed as gnark encodes it */
    item_list key_points, proof_points, proof_scalars;
    uint32_t openings_count; /* the first scalars of a proof are so many openings */
    opening_row openings[MOST_ITEMS];
    challenge_row challenges[CHALLENGES]; /* in the order in which they are computed */
    uint32_t blinding;                    /* random numbers of a proof, b_1 .. */
    uint32_t t_numbers[2];                /* those that hide the parts of the quotient */
    blinding_row blinded[BLINDED];
    /* Values of the key's polynomials on so many cosets are kept: not of qC, to which the public inputs are added. Those of the
     * circuit's commitments are kept on all. */
    uint32_t kept_cosets[KEY_POLYNOMIALS];
    /* A constraint's terms with the factor 0 do not count when its gates are made. */
    int drops_zero_terms;
    /* A text has its points and its scalars as members of these members, or, if they are null, of the text itself. */
    const char *points_member, *scalars_member;
    const char *names[BETA]; /* of items, in texts */
    /* Keys have these roots of unity, which follow from w, the root of order 2^power. */
    uint32_t roots_count;
    const char *root_names[MOST_ROOTS];
    void (*find_roots)(const sumac_group *group, host_scalar w, uint32_t power, host_scalar *roots);
    const proof_step *steps;
    uint32_t steps_count;
    proof_needs (*needs)(const struct sumac_plonk_key *key);
    /* Add what proof i claims to the sums of verify.h. If the proof can't hold, set *ok to 0. */
    sumac_status (*claim)(const struct claims *claims, size_t i, int *ok);
} plonk_flavour;

extern const plonk_flavour snarkjs_plonk, snarkjs_fflonk, gnark_plonk;

/* Return snarkjs' flavour of a protocol, or null. The first function takes a name, and the second one a number of section 1. */
const plonk_flavour *plonk_flavour_named(const char *protocol);
const plonk_flavour *plonk_flavour_numbered(uint32_t protocol);

/* Return the position of an item in a list, or the list's count. */
static inline uint32_t item_position(const item_list *list, plonk_item item)
{
    uint32_t i = 0;
    while (i < list->count && list->items[i] != item) {
        i++;
    }
    return i;
}

/* Return 1 if proofs have the value of the linearisation. */
static inline int flavour_opens_linear(const plonk_flavour *flavour)
{
    return item_position(&flavour->proof_scalars, EVAL_LINEAR) < flavour->proof_scalars.count;
}

#endif
