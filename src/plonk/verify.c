/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file verifies proofs (eprint 2019/953, section 8.4). With the factors f_i of the linearisation (transcript.h), the
 * commitments P_i of key and proof, the generator G, the second group's generator H and tau H, a proof holds if
 *
 *   e(-(Wxi + u Wxiw), tau H) e(xi Wxi + u xi w Wxiw + u Z + sum_i f_i P_i - e G, H) = 1
 *   e = v a + v^2 b + v^3 c + v^4 s1 + v^5 s2 + u zw - r0
 *   r0 = PI(xi) - L_1(xi) alpha^2 - alpha (a + beta s1 + gamma)(b + beta s2 + gamma)(c + gamma) zw
 *
 * If a proof has the value of the linearisation, it must be -r0.
 *
 * Several proofs are verified together: all equations but the first one are multiplied by random numbers of 128 bits, and added
 * up. If some proof does not hold, the sum holds for at most one value of the last such proof's number, or never if that is the
 * first proof, because all points were checked to lie in their subgroups, whose order is prime.
 */
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/msm.h"
#include "base/integers.h"
#include "base/try.h"
#include "io/importer.h"
#include "io/memory.h"
#include "io/random.h"
#include "plonk/verify.h"
#include "vector/calls.h"

/* ---- Claims ---- */

/* Return the number of points: those of all proofs, of the key, and the generator. */
static size_t terms_of(const claims *all)
{
    return all->count * plonk_proof_points(all->key) + plonk_key_points(all->key) + 1;
}

claim claim_begin(const claims *all, size_t i)
{
    const sumac_group *g = all->key->groups.g1;
    return (claim){.all = all,
                   .i = i,
                   .rho = i == 0 ? host_integer(g, 1) : host_from_raw(g, all->rho + i * g->scalar_bytes),
                   .transcript = {.key = all->key,
                                  .publics = all->publics == NULL
                                                 ? NULL
                                                 : all->publics + i * plonk_publics_bytes(all->key),
                                  .proof = all->proofs + i * plonk_proof_bytes(all->key)}};
}

void claim_add(const claim *c, size_t sum, plonk_item item, host_scalar factor)
{
    const claims *all = c->all;
    const plonk_flavour *flavour = all->key->flavour;
    const sumac_group *g = all->key->groups.g1;
    const size_t each = plonk_proof_points(all->key), keys = all->count * each;
    const size_t point = item == NO_ITEM ? keys + plonk_key_points(all->key)
                         : item < PROOF_A
                             ? keys + plonk_key_position(all->key, item)
                             : c->i * each + list_position(&flavour->proof_points, PROOF_COMMITMENT, item);
    host_scalar *total = &all->sums[point][sum];
    *total = host_add(g, *total, host_multiply(g, c->rho, factor));
}

/* ---- The polynomial of the public inputs ---- */

/* L_j(xi) is w^j (xi^n - 1) / (n (xi - w^j)). Compute the sum of x_j L_j(xi) over the public inputs x_j. */
static sumac_status add_publics(const claim *c, host_scalar scale, host_scalar *value)
{
    const sumac_plonk_verifying_key *key = c->all->key;
    const transcript *t = &c->transcript;
    const sumac_group *g = key->groups.g1;
    executor *self = context_executor(c->all->context);
    uint8_t raw[MOST_SCALAR_BYTES];
    if (key->publics == 0) {
        return SUMAC_OK;
    }
    LOCAL_SCALARS(roots, self, g, key->publics);
    LOCAL_SCALARS(terms, self, g, key->publics);
    LOCAL_SCALARS(sum, self, g, 1);
    host_to_raw(g, key->root, raw);
    TRY(vector_fill_integer(self, roots, 1));
    TRY(vector_scale_powers(self, roots, key->publics, NULL, raw));
    host_to_raw(g, transcript_get(t, XI), raw);
    TRY(vector_fill(self, terms, raw));
    TRY(vector_subtract(self, terms, terms, roots, 1));
    TRY(vector_invert(self, terms));
    TRY(vector_multiply(self, terms, terms, roots, 1));
    TRY(vector_set(self, roots, 0, key->publics, t->publics, NULL));
    TRY(vector_multiply(self, terms, terms, roots, 1));
    TRY(vector_sum(self, sum, terms, key->publics));
    TRY(vector_get(self, sum, 0, 1, raw, NULL));
    *value = host_multiply(g, host_from_raw(g, raw), scale);
    return SUMAC_OK;
}

/* Compute PI(xi): the values of the public inputs, or minus these, and of the circuit's commitments, each times L_j(xi). */
sumac_status claim_publics(const claim *c, host_scalar zh, host_scalar *value)
{
    const sumac_plonk_verifying_key *key = c->all->key;
    const transcript *t = &c->transcript;
    const sumac_group *g = key->groups.g1;
    const host_scalar n = host_integer(g, UINT64_C(1) << key->power);
    const host_scalar scale = host_multiply(g, zh, host_invert(g, n));
    *value = host_integer(g, 0);
    TRY(add_publics(c, scale, value));
    for (uint32_t i = 0; i < key->commitments; i++) {
        const host_scalar root = host_power(g, key->root, key->commitment_gates[i]);
        const host_scalar below = host_invert(g, host_subtract(g, transcript_get(t, XI), root));
        const host_scalar factor = host_multiply(g, scale, host_multiply(g, root, below));
        *value = host_add(g, *value, host_multiply(g, factor, transcript_committed(t, i)));
    }
    *value = key->flavour->adds_publics ? *value : host_negate(g, *value);
    return SUMAC_OK;
}

/* ---- The claim of PLONK ---- */

/* Return -r0 of the head of this file, which is the value of the linearisation at xi. */
static host_scalar evaluate_linear(const transcript *t, const linearization *l, host_scalar publics)
{
    const sumac_group *g = t->key->groups.g1;
    const host_scalar alpha = transcript_get(t, ALPHA);
    const host_scalar first = host_multiply(g, host_multiply(g, alpha, alpha), l->at.lagrange);
    const host_scalar last = host_add(g, transcript_value(t, EVAL_C), transcript_get(t, GAMMA));
    return host_add(g, host_subtract(g, first, publics), host_multiply(g, l->permuted, last));
}

/* Return e, where `linear` is -r0. */
static host_scalar evaluate_constant(const transcript *t, host_scalar linear)
{
    const sumac_group *g = t->key->groups.g1;
    host_scalar e = linear, power = transcript_get(t, V);
    for (uint32_t i = 0; i < t->key->flavour->openings_count; i++) {
        const opening_row *opening = &t->key->flavour->openings[i];
        const host_scalar value = transcript_value(t, opening->value);
        e = host_add(g, e, host_multiply(g, value, opening->is_shifted ? transcript_get(t, U) : power));
        power = opening->is_shifted ? power : host_multiply(g, power, transcript_get(t, V));
    }
    for (uint32_t i = 0; i < t->key->commitments; i++) {
        e = host_add(g, e, host_multiply(g, transcript_value(t, (plonk_item)(EVAL_QCP + i)), power));
        power = host_multiply(g, power, transcript_get(t, V));
    }
    return e;
}

sumac_status plonk_claim(const claims *all, size_t i, int *ok)
{
    const sumac_group *g = all->key->groups.g1;
    const size_t points = plonk_key_points(all->key) + plonk_proof_points(all->key);
    claim c = claim_begin(all, i);
    transcript *t = &c.transcript;
    linearization l;
    host_scalar publics;
    transcript_challenge(t, XI);
    linearize(t, &l);
    TRY(claim_publics(&c, l.at.zh, &publics));
    TRY(linearize_commit(all->context, t, &l));
    transcript_challenge(t, U);
    linearize_openings(t, &l);
    const host_scalar linear = evaluate_linear(t, &l, publics);
    if (flavour_opens_linear(all->key->flavour) &&
        !host_is_zero(g, host_subtract(g, transcript_value(t, EVAL_LINEAR), linear))) {
        *ok = 0;
    }
    for (size_t k = 0; k < points; k++) {
        const plonk_item item = plonk_point_item(all->key, k);
        claim_add(&c, 1, item, l.factors[item]);
    }
    const host_scalar u = transcript_get(t, U), xi = transcript_get(t, XI);
    claim_add(&c, 1, PROOF_Z, u);
    claim_add(&c, 1, PROOF_WXI, xi);
    claim_add(&c, 1, PROOF_WXIW, host_multiply(g, u, host_multiply(g, xi, all->key->root)));
    claim_add(&c, 1, NO_ITEM, host_negate(g, evaluate_constant(t, linear)));
    claim_add(&c, 0, PROOF_WXI, host_negate(g, host_integer(g, 1)));
    claim_add(&c, 0, PROOF_WXIW, host_negate(g, u));
    return SUMAC_OK;
}

/* ---- The equation ---- */

/* Make bases of the points of all proofs, which are checked, and of the key. */
static sumac_status make_bases(const claims *c, uint8_t *points, sumac_bases **bases)
{
    const sumac_group *g1 = c->key->groups.g1;
    const size_t own = plonk_proof_points(c->key) * g1->point_bytes,
                 keys = terms_of(c) - c->count * plonk_proof_points(c->key);
    sumac_bases_config checked = {.size = sizeof checked};
    checked.check = SUMAC_CHECK_SUBGROUP;
    for (size_t i = 0; i < c->count; i++) {
        memcpy(points + i * own, c->proofs + i * plonk_proof_bytes(c->key), own);
    }
    memcpy(points + c->count * own, c->key->points, keys * g1->point_bytes);
    return sumac_bases_create(c->context, g1, points, c->count * own + keys * g1->point_bytes, terms_of(c),
                              &checked, bases);
}

/* If a claim can't hold, *ok becomes 0. Otherwise it becomes 1 if the sums are 1 together. */
static sumac_status check_equation(const claims *c, int *ok)
{
    const sumac_group *g1 = c->key->groups.g1;
    const size_t terms = terms_of(c), each = g1->scalar_bytes;
    uint8_t pair[2 * MOST_POINT_BYTES];
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    sumac_msm_config config = {.size = sizeof config};
    config.batch = 2;
    TAKE_MEMORY(uint8_t, points, c->context, "proofs", terms * g1->point_bytes);
    TAKE_MEMORY(uint8_t, scalars, c->context, "proofs", 2 * terms * each);
    TRY(make_bases(c, points, &bases));
    *ok = 1;
    for (size_t i = 0; i < c->count; i++) {
        TRY(c->key->flavour->claim(c, i, ok));
    }
    if (!*ok) {
        return SUMAC_OK;
    }
    for (size_t i = 0; i < 2 * terms; i++) {
        host_to_raw(g1, c->sums[i % terms][i / terms], scalars + i * each);
    }
    TRY(msm_within(c->context, bases, scalars, terms, &config, 0, pair));
    return sumac_pairing_check_prepared(c->context, c->key->pair, pair, 2 * (size_t)g1->point_bytes, NULL, 0,
                                        2, SUMAC_CHECK_NONE, ok);
}

/* ---- The public function ---- */

/* At most MOST_TOGETHER proofs share one equation: more gain nothing, and this bounds memory. */
enum { MOST_TOGETHER = 256 };

static sumac_status check_scalars(const claims *c)
{
    const sumac_group *g1 = c->key->groups.g1;
    const size_t publics = c->key->publics;
    const size_t wrong = scalars_first_too_large(g1, c->publics, c->count * publics);
    if (wrong < c->count * publics) {
        return fail(c->context, SUMAC_BAD_ENCODING, "public input %zu is not less than r", wrong % publics);
    }
    for (size_t i = 0; i < c->count; i++) {
        const uint8_t *proof = c->proofs + i * plonk_proof_bytes(c->key);
        const size_t count = plonk_proof_scalars(c->key);
        const size_t bad =
            scalars_first_too_large(g1, proof + plonk_item_at(c->key, plonk_scalar_item(c->key, 0)), count);
        if (bad < count) {
            return fail(c->context, SUMAC_BAD_ENCODING, "proof %zu: %s is not less than r", i,
                        c->key->flavour->names[smaller(plonk_scalar_item(c->key, bad), EVAL_QCP)]);
        }
    }
    return SUMAC_OK;
}

static sumac_status verify_claims(claims *c, int *ok)
{
    const sumac_group *g1 = c->key->groups.g1;
    TRY(check_scalars(c));
    TAKE_ZEROS(host_scalar, sums, c->context, "proofs", 2 * terms_of(c) * sizeof *sums);
    TAKE_MEMORY(uint8_t, rho, c->context, "proofs", c->count * g1->scalar_bytes);
    if (c->count > 1) {
        TRY(random_factors(c->context, g1, rho, c->count));
    }
    c->sums = (host_scalar(*)[2])sums;
    c->rho = rho;
    return check_equation(c, ok);
}

sumac_status sumac_plonk_verify(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                const void *publics, size_t publics_bytes, const void *proofs,
                                size_t proofs_bytes, size_t count, int *ok)
{
    int all = 1;
    BEGIN_CALL(context);
    TRY(require(context,
                verifying != NULL && ok != NULL &&
                    (count == 0 || (proofs != NULL && plonk_publics_are_set(verifying, publics))),
                "verifying, publics, proofs and ok"));
    const size_t publics_each = plonk_publics_bytes(verifying), each = plonk_proof_bytes(verifying);
    TRY(bytes_require(context, "publics", publics_bytes, count, publics_each));
    TRY(bytes_require(context, "proofs", proofs_bytes, count, each));
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
