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
 */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/msm.h"
#include "base/try.h"
#include "groth16/random.h"
#include "groth16/verifying_key.h"
#include "io/memory.h"

/* For each of `count` proofs compute the sum IC_0 + x_1*IC_1 + ... as a raw point. */
static sumac_status add_up_publics(sumac_context *context, const sumac_groth16_verifying_key *key,
                                   const uint8_t *publics, size_t count, uint8_t *sums)
{
    const sumac_group *info = key->groups.info1;
    const size_t terms = (size_t)key->publics + 1, bytes = info->scalar_bytes;
    TAKE_ZEROS(uint8_t, scalars, context, "public inputs", count * terms * bytes);
    uint8_t *at = scalars;
    for (size_t i = 0; i < count; i++) {
        at[0] = 1;
        at += bytes;
        for (uint64_t j = 0; j < key->publics; j++, at += bytes, publics += bytes) {
            if (!integer_is_less(publics, (const uint8_t *)info->order, bytes)) {
                return fail(context, SUMAC_BAD_ENCODING, "public input %llu is not less than r",
                            (unsigned long long)j);
            }
            memcpy(at, publics, bytes);
        }
    }
    sumac_msm_config config = {.size = sizeof config};
    config.batch = (uint32_t)count;
    return msm_within(context, key->ic, scalars, terms, &config, 0, sums);
}

/* ---- One proof ---- */

static sumac_status verify_one(sumac_context *context, const sumac_groth16_verifying_key *key,
                               const uint8_t *publics, const uint8_t *proof, int *ok)
{
    const size_t g1 = key->groups.info1->point_bytes, g2 = key->groups.info2->point_bytes;
    uint8_t points[4 * MOST_POINT_BYTES];
    memcpy(points, key->alpha1, g1);                            /* paired with -beta */
    TRY(add_up_publics(context, key, publics, 1, points + g1)); /* paired with -gamma */
    memcpy(points + 2 * g1, proof + g1 + g2, g1);               /* C, paired with -delta */
    memcpy(points + 3 * g1, proof, g1);                         /* A, paired with B */
    return sumac_pairing_check_prepared(context, key->minus_points, points, 4 * g1, proof + g1, g2, 4,
                                        SUMAC_CHECK_SUBGROUP, ok);
}

/* ---- Several proofs together ---- */

/* At most MOST_TOGETHER proofs share one equation, because that bounds the memory, and more proofs would gain
 * nothing. */
enum { MOST_TOGETHER = 1024, RHO_BYTES = 16, RHO_SUM_BITS = 8 * RHO_BYTES + 10 };

typedef struct equation {
    sumac_context *context;
    const sumac_groth16_verifying_key *key;
    const uint8_t *proofs;
    size_t count;
    uint8_t *rho;    /* `count` raw numbers, a copy of them, and the sum of all */
    uint8_t *terms;  /* points of G1 for add_up(): at most 2*count */
    uint8_t *first;  /* points of G1: those paired with beta, gamma, delta and each B */
    uint8_t *second; /* B of each proof */
} equation;

static sumac_status draw_rho(const equation *e)
{
    const size_t each = e->key->groups.info1->scalar_bytes;
    uint8_t *again = e->rho + e->count * each, *sum = again + e->count * each;
    TRY(random_scalars(e->context, e->key->groups.g1, e->rho, e->count));
    memset(sum, 0, each);
    for (size_t i = 0; i < e->count; i++) {
        uint8_t *rho = e->rho + i * each;
        uint32_t carry = 0;
        memset(rho + RHO_BYTES, 0, each - RHO_BYTES);
        for (size_t j = 0; j < each; j++) {
            carry += (uint32_t)sum[j] + rho[j];
            sum[j] = (uint8_t)carry;
            carry >>= 8;
        }
    }
    memcpy(again, e->rho, e->count * each);
    return SUMAC_OK;
}

/* Compute `sets` sums of n terms each. The points of the sums lie in e->terms, sum after sum. */
static sumac_status add_up(const equation *e, size_t sets, size_t n, const uint8_t *scalars, uint8_t *sums)
{
    sumac_bases *bases = NULL;
    sumac_bases_config points = {.size = sizeof points};
    sumac_msm_config config = {.size = sizeof config};
    points.check = SUMAC_CHECK_SUBGROUP;
    config.batch = (uint32_t)sets;
    config.base_sets = config.batch;
    config.scalar_bits = RHO_SUM_BITS;
    TRY(sumac_bases_create(e->context, e->key->groups.g1, e->terms, sets * n * e->key->groups.g1->point_bytes,
                           sets * n, &points, &bases));
    const sumac_status status = msm_within(e->context, bases, scalars, n, &config, 0, sums);
    sumac_bases_destroy(bases);
    return status;
}

static sumac_status check_equation(const equation *e, const uint8_t *publics, int *ok)
{
    const groups *of = &e->key->groups;
    const size_t g1 = of->info1->point_bytes, g2 = of->info2->point_bytes;
    uint8_t *products = e->first + 3 * g1;
    TRY(draw_rho(e));
    /* Multiply each A_i by rho_i, and alpha by the sum of all rho_i. Then move the product with alpha to the front. */
    for (size_t i = 0; i < e->count; i++) {
        const uint8_t *proof = e->proofs + i * of->proof_bytes;
        memcpy(e->terms + i * g1, proof, g1);
        memcpy(e->second + i * g2, proof + g1, g2);
    }
    memcpy(e->terms + e->count * g1, e->key->alpha1, g1);
    TRY(add_up(e, e->count + 1, 1, e->rho + e->count * of->info1->scalar_bytes, products));
    memcpy(e->first, products + e->count * g1, g1);
    /* Compute sum rho_i L_i and sum rho_i C_i. */
    TRY(add_up_publics(e->context, e->key, publics, e->count, e->terms));
    for (size_t i = 0; i < e->count; i++) {
        memcpy(e->terms + (e->count + i) * g1, e->proofs + i * of->proof_bytes + g1 + g2, g1);
    }
    TRY(add_up(e, 2, e->count, e->rho, e->first + g1));
    return sumac_pairing_check_prepared(e->context, e->key->minus_points, e->first, (e->count + 3) * g1,
                                        e->second, e->count * g2, e->count + 3, SUMAC_CHECK_SUBGROUP, ok);
}

/* Verify at least two proofs by one equation. */
static sumac_status verify_together(sumac_context *context, const sumac_groth16_verifying_key *key,
                                    const uint8_t *publics, const uint8_t *proofs, size_t count, int *ok)
{
    const groups *of = &key->groups;
    const size_t g1 = of->info1->point_bytes, g2 = of->info2->point_bytes;
    const size_t scalars = (2 * count + 1) * of->info1->scalar_bytes, terms = 2 * count * g1;
    const size_t first = (count + 4) * g1;
    TAKE_MEMORY(uint8_t, memory, context, "a batch of proofs", scalars + terms + first + count * g2);
    const equation e = {.context = context,
                        .key = key,
                        .proofs = proofs,
                        .count = count,
                        .rho = memory,
                        .terms = memory + scalars,
                        .first = memory + scalars + terms,
                        .second = memory + scalars + terms + first};
    return check_equation(&e, publics, ok);
}

/* ---- The public function ---- */

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
    const groups *of = &verifying->groups;
    const size_t each = verifying_publics_bytes(verifying);
    TRY(bytes_require(context, "publics", publics_bytes, count, each));
    TRY(bytes_require(context, "proofs", proofs_bytes, count, of->proof_bytes));
    TRY(verifying_check_usable(context, verifying));
    for (size_t first = 0; first < count && all; first += MOST_TOGETHER) {
        const size_t n = count - first < MOST_TOGETHER ? count - first : MOST_TOGETHER;
        const uint8_t *inputs = each == 0 ? NULL : (const uint8_t *)publics + first * each;
        const uint8_t *some = (const uint8_t *)proofs + first * of->proof_bytes;
        TRY(n == 1 ? verify_one(context, verifying, inputs, some, &all)
                   : verify_together(context, verifying, inputs, some, n, &all));
    }
    *ok = all;
    return SUMAC_OK;
}
