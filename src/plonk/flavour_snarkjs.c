/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This is the flavour of snarkjs 0.7: eprint 2019/953, section 8.4, with Keccak-256 of big-endian numbers. */
#include "plonk/flavour.h"

const plonk_flavour snarkjs_plonk = {
    .name = "snarkjs",
    .hash = HASH_KECCAK256,
    .more_powers = 6,
    .first_public = 1,
    .scalars = OPENINGS,
    .blinding = 11,
    .t_numbers = {10, 11},
    .blinded = {{PROOF_A, 2, {2, 1}}, {PROOF_B, 2, {4, 3}}, {PROOF_C, 2, {6, 5}}, {PROOF_Z, 3, {9, 8, 7}}},
    .challenges =
        {
            {BETA,
             {KEY_QM, KEY_QL, KEY_QR, KEY_QO, KEY_QC, KEY_S1, KEY_S2, KEY_S3, PUBLICS, PROOF_A, PROOF_B,
              PROOF_C, NO_ITEM}},
            {GAMMA, {BETA, NO_ITEM}},
            {ALPHA, {BETA, GAMMA, PROOF_Z, NO_ITEM}},
            {XI, {ALPHA, PROOF_T1, PROOF_T2, PROOF_T3, NO_ITEM}},
            {V, {XI, EVAL_A, EVAL_B, EVAL_C, EVAL_S1, EVAL_S2, EVAL_ZW, NO_ITEM}},
            {U, {PROOF_WXI, PROOF_WXIW, NO_ITEM}},
        },
    .openings = {{EVAL_A, PROOF_A, 0},
                 {EVAL_B, PROOF_B, 0},
                 {EVAL_C, PROOF_C, 0},
                 {EVAL_S1, KEY_S1, 0},
                 {EVAL_S2, KEY_S2, 0},
                 {EVAL_ZW, PROOF_Z, 1}},
    .names = {[KEY_QM] = "Qm",       [KEY_QL] = "Ql",       [KEY_QR] = "Qr",      [KEY_QO] = "Qo",
              [KEY_QC] = "Qc",       [KEY_S1] = "S1",       [KEY_S2] = "S2",      [KEY_S3] = "S3",
              [PROOF_A] = "A",       [PROOF_B] = "B",       [PROOF_C] = "C",      [PROOF_Z] = "Z",
              [PROOF_T1] = "T1",     [PROOF_T2] = "T2",     [PROOF_T3] = "T3",    [PROOF_WXI] = "Wxi",
              [PROOF_WXIW] = "Wxiw", [EVAL_A] = "eval_a",   [EVAL_B] = "eval_b",  [EVAL_C] = "eval_c",
              [EVAL_S1] = "eval_s1", [EVAL_S2] = "eval_s2", [EVAL_ZW] = "eval_zw"},
};
