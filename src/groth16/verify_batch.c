/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Whether all of some proofs hold. Their equations, each to the power of a random rho_i of 128 bits, in one:
 *
 *   prod e(rho_i A_i, B_i) = e(sum rho_i alpha, beta) e(sum rho_i L_i, gamma) e(sum rho_i C_i, delta)
 *
 * with L_i = IC_0 + x_i1 IC_1 + ... Where a proof does not hold, no more than one value of its rho_i makes this true. All
 * points are checked to lie in their subgroups, of prime order.
 */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "groth16/random.h"
#include "groth16/verifying_key.h"
#include "io/memory.h"

/* Proofs of one equation: more gain nothing, and this bounds memory. */
enum { MOST_TOGETHER = 1024, RHO_BYTES = 16, RHO_SUM_BITS = 8 * RHO_BYTES + 10 };

typedef struct equation {
    sumac_context *context;
    const sumac_groth16_verifying_key *key;
    const uint8_t *proofs;
    size_t count;
    uint8_t *rho;    /* count, raw; the same again; and their sum */
    uint8_t *terms;  /* 2*count points of the first group, to be multiplied and added up, or count + 1 */
    uint8_t *first;  /* of the first group, for beta, gamma, delta and each proof */
    uint8_t *second; /* B of each proof */
} equation;

static sumac_status draw(const equation *e)
{
    const size_t each = e->key->groups.info1->scalar_bytes;
    uint8_t *again = e->rho + e->count * each, *sum = again + e->count * each;
    const sumac_status status = random_scalars(e->context, e->key->groups.g1, e->rho, e->count);
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
    return status;
}

/* `sets` sums of n terms, each set its own. */
static sumac_status add_up(const equation *e, size_t sets, size_t n, const uint8_t *scalars, uint8_t *sums)
{
    sumac_bases *bases = NULL;
    sumac_bases_config points = sumac_bases_config_default();
    sumac_msm_config config = sumac_msm_config_default();
    points.check = SUMAC_CHECK_SUBGROUP;
    config.batch = (uint32_t)sets;
    config.separate_bases = 1;
    config.scalar_bits = RHO_SUM_BITS;
    sumac_status status =
        sumac_bases_create(e->context, e->key->groups.g1, e->terms, sets * n, &points, &bases);
    if (status == SUMAC_OK) {
        status = sumac_msm(e->context, bases, scalars, n, &config, sums);
    }
    sumac_bases_destroy(bases);
    return status;
}

/* rho_i A_i, and behind them (sum rho_i) alpha, which goes to its place. */
static sumac_status multiply_a(const equation *e)
{
    const groups *of = &e->key->groups;
    const size_t g1 = of->info1->point_bytes;
    uint8_t *products = e->first + 3 * g1;
    for (size_t i = 0; i < e->count; i++) {
        memcpy(e->terms + i * g1, e->proofs + i * of->proof_bytes, g1);
    }
    memcpy(e->terms + e->count * g1, e->key->alpha1, g1);
    const sumac_status status =
        add_up(e, e->count + 1, 1, e->rho + e->count * of->info1->scalar_bytes, products);
    memcpy(e->first, products + e->count * g1, g1);
    return status;
}

/* sum rho_i L_i, and sum rho_i C_i. */
static sumac_status combine(const equation *e, const uint8_t *publics)
{
    const groups *of = &e->key->groups;
    const size_t g1 = of->info1->point_bytes, g2 = of->info2->point_bytes;
    const sumac_status status = verifying_add_up_publics(e->context, e->key, publics, e->count, e->terms);
    for (size_t i = 0; i < e->count; i++) {
        memcpy(e->terms + (e->count + i) * g1, e->proofs + i * of->proof_bytes + g1 + g2, g1);
    }
    return status == SUMAC_OK ? add_up(e, 2, e->count, e->rho, e->first + g1) : status;
}

static sumac_status check(const equation *e, const uint8_t *publics, int *hold)
{
    const groups *of = &e->key->groups;
    const size_t g1 = of->info1->point_bytes, g2 = of->info2->point_bytes;
    for (size_t i = 0; i < e->count; i++) {
        memcpy(e->second + i * g2, e->proofs + i * of->proof_bytes + g1, g2);
    }
    sumac_status status = draw(e);
    status = status == SUMAC_OK ? multiply_a(e) : status;
    status = status == SUMAC_OK ? combine(e, publics) : status;
    return status == SUMAC_OK
               ? sumac_pairing_check_prepared(e->context, e->key->minus_points, e->first, e->second,
                                              e->count + 3, SUMAC_CHECK_SUBGROUP, hold)
               : status;
}

/* The proofs of one equation, of which there are two or more. */
static sumac_status verify_together(sumac_context *context, const sumac_groth16_verifying_key *key,
                                    const uint8_t *publics, const uint8_t *proofs, size_t count, int *hold)
{
    const groups *of = &key->groups;
    const size_t g1 = of->info1->point_bytes, g2 = of->info2->point_bytes;
    const size_t scalars = (2 * count + 1) * of->info1->scalar_bytes, terms = 2 * count * g1;
    const size_t first = (count + 4) * g1;
    sumac_status status;
    uint8_t *memory =
        memory_allocate(context, "a batch of proofs", scalars + terms + first + count * g2, &status);
    if (status != SUMAC_OK) {
        return status;
    }
    const equation e = {.context = context,
                        .key = key,
                        .proofs = proofs,
                        .count = count,
                        .rho = memory,
                        .terms = memory + scalars,
                        .first = memory + scalars + terms,
                        .second = memory + scalars + terms + first};
    status = check(&e, publics, hold);
    free(memory);
    return status;
}

sumac_status sumac_groth16_verify_batch(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                        const void *publics, const void *proofs, size_t count, int *hold)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (verifying == NULL || hold == NULL || (proofs == NULL && count > 0) ||
        (publics == NULL && count > 0 && verifying->publics > 0)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "verifying, publics, proofs and hold must not be null");
    }
    const size_t publics_bytes = (size_t)verifying->publics * verifying->groups.info1->scalar_bytes;
    sumac_status status = verifying_check_usable(context, verifying);
    int all = 1;
    for (size_t first = 0; first < count && all && status == SUMAC_OK; first += MOST_TOGETHER) {
        const size_t n = count - first < MOST_TOGETHER ? count - first : MOST_TOGETHER;
        const uint8_t *inputs = (const uint8_t *)publics + first * publics_bytes;
        const uint8_t *some = (const uint8_t *)proofs + first * verifying->groups.proof_bytes;
        status = n == 1 ? sumac_groth16_verify(context, verifying, inputs, some, &all)
                        : verify_together(context, verifying, inputs, some, n, &all);
    }
    if (status == SUMAC_OK) {
        *hold = all;
    }
    return status;
}
