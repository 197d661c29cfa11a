/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file verifies proofs. A single proof is verified by its equation,
 *
 *   e(A, B) = e(alpha, beta) e(L, gamma) e(C, delta)            with L = IC_0 + x_1 IC_1 + ...
 *
 * Several proofs are verified together: the equation of proof i is raised to the power rho_i, a random number of 128
 * bits, and all equations are multiplied:
 *
 *   prod e(rho_i A_i, B_i) = e(sum rho_i alpha, beta) e(sum rho_i L_i, gamma) e(sum rho_i C_i, delta)
 *
 * If proof i does not hold, the product holds for at most one value of rho_i, because all points were checked to lie in
 * their subgroups, whose order is prime.
 *
 * With gnark's commitments D_k and their values v_k (commitments.h), L also has the terms v_k IC_(n+1+k) and D_k, and a
 * second equation must hold, which is combined alike:
 *
 *   prod_k e(sum_i rho_i c_i^k D_ik, -sigma_k G) e(sum_i rho_i P_i, G) = 1
 */
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/msm.h"
#include "base/integers.h"
#include "base/try.h"
#include "groth16/verifying_key.h"
#include "io/memory.h"
#include "io/random.h"
#include "vector/calls.h"

/* Proofs that are verified together, with their public inputs. */
typedef struct claims {
    sumac_context *context;
    const sumac_groth16_verifying_key *key;
    const uint8_t *publics, *proofs;
    size_t count;
    uint8_t *values; /* the values of each proof's commitments, raw; null if there are no commitments */
} claims;

static const uint8_t *proof_of(const claims *c, size_t i)
{
    return c->proofs + i * verifying_proof_bytes(c->key);
}

/* Null if there are no public inputs. */
static const uint8_t *publics_of(const claims *c, size_t i)
{
    return c->publics == NULL ? NULL : c->publics + i * verifying_publics_bytes(c->key);
}

/* Return a proof's commitments, after which P follows. */
static const uint8_t *commitments_of(const claims *c, size_t i)
{
    return proof_of(c, i) + c->key->groups.proof_bytes;
}

/* ---- Sums of public inputs ---- */

/* Add all commitments of each proof to its sum. */
static sumac_status add_commitments(const claims *c, uint8_t *sums)
{
    const sumac_group *g1 = c->key->groups.g1;
    const size_t commitments = c->key->commitments.count, terms = commitments + 1;
    const size_t bytes = g1->point_bytes, scalars_bytes = c->count * terms * g1->scalar_bytes;
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    sumac_bases_config unchecked = {.size = sizeof unchecked};
    sumac_msm_config config = {.size = sizeof config};
    unchecked.check = SUMAC_CHECK_NONE; /* check_knowledge() has checked them */
    config.batch = config.base_sets = (uint32_t)c->count;
    config.scalar_bits = 1;
    TAKE_ZEROS(uint8_t, ones, c->context, "commitments", scalars_bytes);
    TAKE_MEMORY(uint8_t, points, c->context, "commitments", c->count * terms * bytes);
    for (size_t i = 0; i < c->count; i++) {
        memcpy(points + i * terms * bytes, sums + i * bytes, bytes);
        memcpy(points + (i * terms + 1) * bytes, commitments_of(c, i), commitments * bytes);
    }
    for (size_t i = 0; i < c->count * terms; i++) {
        ones[i * g1->scalar_bytes] = 1;
    }
    TRY(sumac_bases_create(c->context, g1, points, c->count * terms * bytes, c->count * terms, &unchecked,
                           &bases));
    return msm_within(c->context, bases, ones, terms, &config, 0, sums);
}

/* Compute the sum IC_0 + x_1*IC_1 + ... of each proof, raw, with its commitments. */
static sumac_status add_up_publics(const claims *c, uint8_t *sums)
{
    const sumac_groth16_verifying_key *key = c->key;
    const size_t commitments = key->commitments.count, bytes = key->groups.g1->scalar_bytes;
    const size_t terms = (size_t)key->publics + 1 + commitments;
    TAKE_ZEROS(uint8_t, scalars, c->context, "public inputs", c->count * terms * bytes);
    for (size_t i = 0; i < c->count; i++) {
        uint8_t *at = scalars + i * terms * bytes;
        at[0] = 1;
        if (key->publics > 0) {
            memcpy(at + bytes, publics_of(c, i), verifying_publics_bytes(key));
        }
        if (commitments > 0) {
            memcpy(at + (1 + key->publics) * bytes, c->values + i * commitments * bytes, commitments * bytes);
        }
    }
    sumac_msm_config config = {.size = sizeof config};
    config.batch = (uint32_t)c->count;
    TRY(msm_within(c->context, key->ic, scalars, terms, &config, 0, sums));
    return commitments > 0 ? add_commitments(c, sums) : SUMAC_OK;
}

static sumac_status check_publics(const claims *c)
{
    const size_t each = (size_t)c->key->publics, count = c->count * each;
    const size_t wrong = scalars_first_too_large(c->key->groups.g1, c->publics, count);
    return wrong == count
               ? SUMAC_OK
               : fail(c->context, SUMAC_BAD_ENCODING, "public input %zu is not less than r", wrong % each);
}

/* ---- Knowledge of commitments ---- */

/* Compute the values of all commitments, and the scalars of the second equation: for each commitment those of all proofs,
 * rho_i c_i^k, then for P rho_i. One proof needs no random number. */
static sumac_status compute_factors(const claims *c, uint8_t *factors)
{
    const sumac_group *g1 = c->key->groups.g1;
    const size_t commitments = c->key->commitments.count, row = c->count * g1->scalar_bytes;
    executor *self = context_executor(c->context);
    TAKE_ZEROS(uint8_t, scalars, c->context, "challenges", row);
    LOCAL_SCALARS(challenges, self, g1, c->count);
    LOCAL_SCALARS(powers, self, g1, c->count);
    for (size_t i = 0; i < c->count; i++) {
        uint8_t *values = c->values + i * commitments * g1->scalar_bytes;
        TRY(verifying_commitment_values(c->context, c->key, publics_of(c, i), commitments_of(c, i), values));
        commitments_challenge(g1, values, commitments, scalars + i * g1->scalar_bytes);
    }
    TRY(vector_set(self, challenges, 0, c->count, scalars, NULL));
    TRY(c->count == 1 ? vector_fill_integer(self, powers, 1)
                      : random_factors(c->context, g1, scalars, c->count));
    TRY(c->count == 1 ? SUMAC_OK : vector_set(self, powers, 0, c->count, scalars, NULL));
    TRY(vector_get(self, powers, 0, c->count, factors + commitments * row, NULL));
    for (size_t k = 0; k < commitments; k++) {
        TRY(vector_get(self, powers, 0, c->count, factors + k * row, NULL));
        TRY(vector_multiply(self, powers, powers, challenges, 1));
    }
    return SUMAC_OK;
}

/* Compute the values of all commitments, and verify the second equation. All commitments are checked to lie in the
 * subgroup. */
static sumac_status check_knowledge(const claims *c, int *ok)
{
    const sumac_group *g1 = c->key->groups.g1;
    const size_t sets = (size_t)c->key->commitments.count + 1, terms = sets * c->count;
    const size_t bytes = g1->point_bytes;
    uint8_t sums[(MOST_COMMITMENTS + 1) * MOST_POINT_BYTES];
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    sumac_bases_config checked = {.size = sizeof checked};
    sumac_msm_config config = {.size = sizeof config};
    checked.check = SUMAC_CHECK_SUBGROUP;
    config.batch = config.base_sets = (uint32_t)sets;
    TAKE_MEMORY(uint8_t, points, c->context, "commitments", terms * bytes);
    TAKE_MEMORY(uint8_t, factors, c->context, "commitments", terms * g1->scalar_bytes);
    for (size_t k = 0; k < sets; k++) {
        for (size_t i = 0; i < c->count; i++) {
            memcpy(points + (k * c->count + i) * bytes, commitments_of(c, i) + k * bytes, bytes);
        }
    }
    TRY(sumac_bases_create(c->context, g1, points, terms * bytes, terms, &checked, &bases));
    TRY(compute_factors(c, factors));
    TRY(msm_within(c->context, bases, factors, c->count, &config, 0, sums));
    return sumac_pairing_check_prepared(c->context, c->key->knowledge_points, sums, sets * bytes, NULL, 0,
                                        sets, SUMAC_CHECK_NONE, ok);
}

/* ---- One proof ---- */

static sumac_status verify_one(const claims *c, int *ok)
{
    const size_t g1 = c->key->groups.g1->point_bytes, g2 = c->key->groups.g2->point_bytes;
    uint8_t points[4 * MOST_POINT_BYTES];
    memcpy(points, c->key->alpha1, g1);               /* paired with -beta */
    TRY(add_up_publics(c, points + g1));              /* paired with -gamma */
    memcpy(points + 2 * g1, c->proofs + g1 + g2, g1); /* C, paired with -delta */
    memcpy(points + 3 * g1, c->proofs, g1);           /* A, paired with B */
    return sumac_pairing_check_prepared(c->context, c->key->minus_points, points, 4 * g1, c->proofs + g1, g2,
                                        4, SUMAC_CHECK_SUBGROUP, ok);
}

/* ---- Several proofs together ---- */

/* At most MOST_TOGETHER proofs share one equation: more gain nothing, and this bounds memory. */
enum { MOST_TOGETHER = 1024, RHO_SUM_BITS = RANDOM_FACTOR_BITS + 10 };

typedef struct equation {
    const claims *claims;
    uint8_t *rho;    /* count, raw; a copy of them; then their sum */
    uint8_t *terms;  /* points of G1 for add_up(): at most 2*count */
    uint8_t *first;  /* points of G1: those paired with beta, gamma, delta and each B */
    uint8_t *second; /* B of each proof */
} equation;

static sumac_status draw_rho(const equation *e)
{
    const claims *c = e->claims;
    const size_t each = c->key->groups.g1->scalar_bytes;
    uint8_t *again = e->rho + c->count * each, *sum = again + c->count * each;
    TRY(random_factors(c->context, c->key->groups.g1, e->rho, c->count));
    memset(sum, 0, each);
    for (size_t i = 0; i < c->count; i++) {
        const uint8_t *rho = e->rho + i * each;
        uint32_t carry = 0;
        for (size_t j = 0; j < each; j++) {
            carry += (uint32_t)sum[j] + rho[j];
            sum[j] = (uint8_t)carry;
            carry >>= 8;
        }
    }
    memcpy(again, e->rho, c->count * each);
    return SUMAC_OK;
}

/* Compute `sets` sums of n terms each. The points of the sums lie in e->terms, sum after sum. */
static sumac_status add_up(const equation *e, size_t sets, size_t n, const uint8_t *scalars, uint8_t *sums)
{
    const sumac_group *g1 = e->claims->key->groups.g1;
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    sumac_bases_config points = {.size = sizeof points};
    sumac_msm_config config = {.size = sizeof config};
    points.check = SUMAC_CHECK_SUBGROUP;
    config.batch = (uint32_t)sets;
    config.base_sets = config.batch;
    config.scalar_bits = RHO_SUM_BITS;
    TRY(sumac_bases_create(e->claims->context, g1, e->terms, sets * n * g1->point_bytes, sets * n, &points,
                           &bases));
    return msm_within(e->claims->context, bases, scalars, n, &config, 0, sums);
}

static sumac_status check_equation(const equation *e, int *ok)
{
    const claims *c = e->claims;
    const groups *of = &c->key->groups;
    const size_t g1 = of->g1->point_bytes, g2 = of->g2->point_bytes;
    uint8_t *products = e->first + 3 * g1;
    TRY(draw_rho(e));
    /* Multiply each A_i by rho_i, and alpha by the sum of all rho_i, which is then moved to the front. */
    for (size_t i = 0; i < c->count; i++) {
        memcpy(e->terms + i * g1, proof_of(c, i), g1);
        memcpy(e->second + i * g2, proof_of(c, i) + g1, g2);
    }
    memcpy(e->terms + c->count * g1, c->key->alpha1, g1);
    TRY(add_up(e, c->count + 1, 1, e->rho + c->count * of->g1->scalar_bytes, products));
    memcpy(e->first, products + c->count * g1, g1);
    /* Compute sum rho_i L_i and sum rho_i C_i. */
    TRY(add_up_publics(c, e->terms));
    for (size_t i = 0; i < c->count; i++) {
        memcpy(e->terms + (c->count + i) * g1, proof_of(c, i) + g1 + g2, g1);
    }
    TRY(add_up(e, 2, c->count, e->rho, e->first + g1));
    return sumac_pairing_check_prepared(c->context, c->key->minus_points, e->first, (c->count + 3) * g1,
                                        e->second, c->count * g2, c->count + 3, SUMAC_CHECK_SUBGROUP, ok);
}

/* Verify two proofs or more by one equation. */
static sumac_status verify_together(const claims *c, int *ok)
{
    const groups *of = &c->key->groups;
    const size_t g1 = of->g1->point_bytes, g2 = of->g2->point_bytes;
    const size_t scalars = (2 * c->count + 1) * of->g1->scalar_bytes, terms = 2 * c->count * g1;
    const size_t first = (c->count + 4) * g1;
    TAKE_MEMORY(uint8_t, memory, c->context, "a batch of proofs", scalars + terms + first + c->count * g2);
    const equation e = {.claims = c,
                        .rho = memory,
                        .terms = memory + scalars,
                        .first = memory + scalars + terms,
                        .second = memory + scalars + terms + first};
    return check_equation(&e, ok);
}

/* ---- The public function ---- */

static sumac_status verify_claims(claims *c, int *ok)
{
    const size_t values = c->count * c->key->commitments.count * c->key->groups.g1->scalar_bytes;
    TRY(check_publics(c));
    TAKE_MEMORY(uint8_t, memory, c->context, "commitments", values);
    if (values > 0) {
        c->values = memory;
        TRY(check_knowledge(c, ok));
    }
    return !*ok ? SUMAC_OK : c->count == 1 ? verify_one(c, ok) : verify_together(c, ok);
}

sumac_status sumac_groth16_verify(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                  const void *publics, size_t publics_bytes, const void *proofs,
                                  size_t proofs_bytes, size_t count, int *ok)
{
    int all = 1;
    BEGIN_CALL(context);
    TRY(require(context,
                verifying != NULL && ok != NULL &&
                    (count == 0 || (proofs != NULL && publics_are_set(verifying, publics))),
                "verifying, publics, proofs and ok"));
    const size_t publics_each = verifying_publics_bytes(verifying), each = verifying_proof_bytes(verifying);
    TRY(bytes_require(context, "publics", publics_bytes, count, publics_each));
    TRY(bytes_require(context, "proofs", proofs_bytes, count, each));
    TRY(verifying_check_usable(context, verifying));
    for (size_t first = 0; first < count && all; first += MOST_TOGETHER) {
        claims some = {.context = context,
                       .key = verifying,
                       .publics = publics_each == 0 ? NULL : (const uint8_t *)publics + first * publics_each,
                       .proofs = (const uint8_t *)proofs + first * each,
                       .count = smaller(count - first, MOST_TOGETHER)};
        TRY(verify_claims(&some, &all));
    }
    *ok = all;
    return SUMAC_OK;
}
