/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These are the flavours of snarkjs 0.7: PLONK of eprint 2019/953, section 8.4, and FFLONK of eprint 2021/1167. Both hash with
 * Keccak-256 of big-endian numbers. */
#include <string.h>

#include "plonk/fflonk.h"
#include "plonk/prove_steps.h"
#include "plonk/verify.h"

const plonk_flavour snarkjs_plonk = {
    .name = "snarkjs",
    .protocol = "plonk",
    .layout = &zkey_layout_plonk,
    .hash = HASH_KECCAK256,
    .more_powers = 6,
    .first_public = 1,
    .key_points = {8, {KEY_QM, KEY_QL, KEY_QR, KEY_QO, KEY_QC, KEY_S1, KEY_S2, KEY_S3}},
    .proof_points = {9,
                     {PROOF_A, PROOF_B, PROOF_C, PROOF_Z, PROOF_T1, PROOF_T2, PROOF_T3, PROOF_WXI,
                      PROOF_WXIW}},
    .proof_scalars = {6, {EVAL_A, EVAL_B, EVAL_C, EVAL_S1, EVAL_S2, EVAL_ZW}},
    .openings_count = 6,
    .openings = {{EVAL_A, PROOF_A, 0},
                 {EVAL_B, PROOF_B, 0},
                 {EVAL_C, PROOF_C, 0},
                 {EVAL_S1, KEY_S1, 0},
                 {EVAL_S2, KEY_S2, 0},
                 {EVAL_ZW, PROOF_Z, 1}},
    .challenges =
        {
            {BETA,
             {KEY_QM, KEY_QL, KEY_QR, KEY_QO, KEY_QC, KEY_S1, KEY_S2, KEY_S3, PUBLICS, PROOF_A, PROOF_B,
              PROOF_C, NO_ITEM},
             NULL,
             0},
            {GAMMA, {BETA, NO_ITEM}, NULL, 0},
            {ALPHA, {BETA, GAMMA, PROOF_Z, NO_ITEM}, NULL, 0},
            {XI, {ALPHA, PROOF_T1, PROOF_T2, PROOF_T3, NO_ITEM}, NULL, 0},
            {V, {XI, EVAL_A, EVAL_B, EVAL_C, EVAL_S1, EVAL_S2, EVAL_ZW, NO_ITEM}, NULL, 0},
            {U, {PROOF_WXI, PROOF_WXIW, NO_ITEM}, NULL, 0},
        },
    .blinding = 11,
    .t_numbers = {10, 11},
    .blinded = {{PROOF_A, 2, {2, 1}}, {PROOF_B, 2, {4, 3}}, {PROOF_C, 2, {6, 5}}, {PROOF_Z, 3, {9, 8, 7}}},
    .kept_cosets =
        {[KEY_QM] = 3, [KEY_QL] = 3, [KEY_QR] = 3, [KEY_QO] = 3, [KEY_S1] = 3, [KEY_S2] = 3, [KEY_S3] = 3},
    .names = {[KEY_QM] = "Qm",       [KEY_QL] = "Ql",       [KEY_QR] = "Qr",      [KEY_QO] = "Qo",
              [KEY_QC] = "Qc",       [KEY_S1] = "S1",       [KEY_S2] = "S2",      [KEY_S3] = "S3",
              [PROOF_A] = "A",       [PROOF_B] = "B",       [PROOF_C] = "C",      [PROOF_Z] = "Z",
              [PROOF_T1] = "T1",     [PROOF_T2] = "T2",     [PROOF_T3] = "T3",    [PROOF_WXI] = "Wxi",
              [PROOF_WXIW] = "Wxiw", [EVAL_A] = "eval_a",   [EVAL_B] = "eval_b",  [EVAL_C] = "eval_c",
              [EVAL_S1] = "eval_s1", [EVAL_S2] = "eval_s2", [EVAL_ZW] = "eval_zw"},
    .steps = plonk_steps,
    .steps_count = PLONK_STEPS,
    .needs = plonk_needs,
    .claim = plonk_claim,
};

/* The values of the wires in the domain's last two rows are b_1 .. b_6, so that A, B and C need no further numbers. */
const plonk_flavour snarkjs_fflonk = {
    .name = "snarkjs",
    .protocol = "fflonk",
    .curve = "bn254",
    .layout = &zkey_layout_fflonk,
    .hash = HASH_KECCAK256,
    .more_powers = 6,
    .first_public = 1,
    .key_points = {1, {KEY_C0}},
    .proof_points = {4, {PROOF_C1, PROOF_C2, PROOF_W1, PROOF_W2}},
    .proof_scalars = {16,
                      {EVAL_QL, EVAL_QR, EVAL_QM, EVAL_QO, EVAL_QC, EVAL_S1, EVAL_S2, EVAL_S3, EVAL_A, EVAL_B,
                       EVAL_C, EVAL_Z, EVAL_ZW, EVAL_T1W, EVAL_T2W, EVAL_INVERSE}},
    .openings_count = 15,
    .openings = {{EVAL_QL, KEY_QL, 0},
                 {EVAL_QR, KEY_QR, 0},
                 {EVAL_QM, KEY_QM, 0},
                 {EVAL_QO, KEY_QO, 0},
                 {EVAL_QC, KEY_QC, 0},
                 {EVAL_S1, KEY_S1, 0},
                 {EVAL_S2, KEY_S2, 0},
                 {EVAL_S3, KEY_S3, 0},
                 {EVAL_A, PROOF_A, 0},
                 {EVAL_B, PROOF_B, 0},
                 {EVAL_C, PROOF_C, 0},
                 {EVAL_Z, PROOF_Z, 0},
                 {EVAL_ZW, PROOF_Z, 1},
                 {EVAL_T1W, PROOF_T1, 1},
                 {EVAL_T2W, PROOF_T2, 1}},
    .challenges =
        {
            {BETA, {KEY_C0, PUBLICS, PROOF_C1, NO_ITEM}, NULL, 0},
            {GAMMA, {BETA, NO_ITEM}, NULL, 0},
            {XI_SEED, {GAMMA, PROOF_C2, NO_ITEM}, NULL, 0},
            {ALPHA,
             {XI_SEED, EVAL_QL, EVAL_QR, EVAL_QM, EVAL_QO, EVAL_QC, EVAL_S1, EVAL_S2, EVAL_S3, EVAL_A, EVAL_B,
              EVAL_C, EVAL_Z, EVAL_ZW, EVAL_T1W, EVAL_T2W, NO_ITEM},
             NULL,
             0},
            {Y, {ALPHA, PROOF_W1, NO_ITEM}, NULL, 0},
        },
    .blinding = 9,
    .blinded = {{PROOF_A, 0, {0}}, {PROOF_B, 0, {0}}, {PROOF_C, 0, {0}}, {PROOF_Z, 3, {9, 8, 7}}},
    .kept_cosets =
        {[KEY_QM] = 2, [KEY_QL] = 2, [KEY_QR] = 2, [KEY_QO] = 2, [KEY_S1] = 3, [KEY_S2] = 3, [KEY_S3] = 3},
    .drops_zero_terms = 1,
    .points_member = "polynomials",
    .scalars_member = "evaluations",
    .names =
        {[KEY_C0] = "C0",       [PROOF_C1] = "C1", [PROOF_C2] = "C2", [PROOF_W1] = "W1",  [PROOF_W2] = "W2",
         [EVAL_QL] = "ql",      [EVAL_QR] = "qr",  [EVAL_QM] = "qm",  [EVAL_QO] = "qo",   [EVAL_QC] = "qc",
         [EVAL_S1] = "s1",      [EVAL_S2] = "s2",  [EVAL_S3] = "s3",  [EVAL_A] = "a",     [EVAL_B] = "b",
         [EVAL_C] = "c",        [EVAL_Z] = "z",    [EVAL_ZW] = "zw",  [EVAL_T1W] = "t1w", [EVAL_T2W] = "t2w",
         [EVAL_INVERSE] = "inv"},
    .roots_count = 4,
    .root_names = {"w3", "w4", "w8", "wr"},
    .find_roots = fflonk_find_roots,
    .steps = fflonk_steps,
    .steps_count = FFLONK_STEPS,
    .needs = fflonk_needs,
    .claim = fflonk_claim,
};

static const plonk_flavour *const flavours[] = {&snarkjs_plonk, &snarkjs_fflonk};

enum { FLAVOURS = sizeof flavours / sizeof *flavours };

const plonk_flavour *plonk_flavour_named(const char *protocol)
{
    size_t i = 0;
    while (i < FLAVOURS && strcmp(flavours[i]->protocol, protocol) != 0) {
        i++;
    }
    return i < FLAVOURS ? flavours[i] : NULL;
}

const plonk_flavour *plonk_flavour_numbered(uint32_t protocol)
{
    size_t i = 0;
    while (i < FLAVOURS && flavours[i]->layout->protocol != protocol) {
        i++;
    }
    return i < FLAVOURS ? flavours[i] : NULL;
}
