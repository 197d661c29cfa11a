/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file is PLONK's prover (eprint 2019/953, section 8.4). n is the domain, w the root of order n, and x o y the products of
 * the elements of two vectors:
 *
 *   1  z = (0, witness, additions)      level after level, because an addition may need others
 *   2  a, b, c = maps z                 values on the powers of w; their coefficients, hidden by random numbers, are A, B, C
 *   3  [A], [B], [C]                    sums with the powers of tau
 *   4  Z                                beta, gamma; the running products of (a + beta w^i + gamma)(b + ..)(c + ..) divided by
 *                                       (a + beta sigma1 + gamma)(b + ..)(c + ..), and their coefficients, hidden
 *   5  [Z]
 *   6  T = T1 + X^n T2 + X^2n T3        alpha; the quotient, on three cosets of the domain: prove_quotient.c
 *   7  [T1], [T2], [T3]
 *   8  a, b, c, s1, s2, zw              xi; values of A, B, C, sigma1, sigma2 at xi and of Z at xi w: sums of products with powers
 *   9  Wxi, Wxiw                        v; (sum_i f_i P_i) / (X - xi) with the factors of transcript.h, and Z / (X - xi w),
 *                                       without their remainders
 *   10 [Wxi], [Wxiw]
 *
 * A polynomial sum_i p_i X^i is divided by X - y by a running sum: coefficient i of the quotient is y^(-i - 1) times the sum of
 * p_j y^j over j > i, which is p(y) minus the sum over j <= i.
 */
#include "plonk/prove_steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/try.h"
#include "codec/bytes.h"

static void free_vectors(proving *p)
{
    sumac_vector **const all[] = {&p->factors,   &p->all_wires, &p->values,   &p->wires,    &p->product,
                                  &p->constants, &p->quotient,  &p->openings, &p->committed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free_vector(all[i]);
    }
}

/* ---- Functions that several steps use ---- */

sumac_status plonk_commit(proving *p, const sumac_vector *rows, size_t count, size_t length, plonk_item item)
{
    sumac_msm_config config = {.size = sizeof config};
    config.batch = (uint32_t)count;
    LOCAL_POINTS(results, p->self, p->group, count);
    TRY(vector_msm(p->self, context_executors(p->context), p->key->powers, 0, rows, 0, length, &config,
                   results, 0));
    return vector_get(p->self, results, 0, count, p->proof + plonk_item_at(p->key->verifying, item), NULL);
}

/* Return one of the proof's random numbers, b_1 .. */
static host_scalar blinding(const proving *p, uint32_t number)
{
    return host_from_raw(p->group, p->request->blinding + (number - 1) * (size_t)p->group->scalar_bytes);
}

/* Turn the n values at the beginning of a row into coefficients, and hide the polynomial. The row's end is set, too. */
static sumac_status interpolate(proving *p, sumac_vector *row, plonk_item polynomial)
{
    const blinding_row *hidden = p->key->verifying->flavour->blinded;
    const sumac_transform_config config = key_transform(p->key, NULL, 1);
    sumac_vector values = vector_part(row, 0, p->n), end = vector_part(row, p->n, p->more);
    host_scalar numbers[MOST_BLINDING];
    while (hidden->polynomial != polynomial) {
        hidden++;
    }
    for (uint32_t i = 0; i < hidden->count; i++) {
        numbers[i] = blinding(p, hidden->numbers[i]);
    }
    TRY(vector_ntt(p->self, &values, &config));
    TRY(vector_fill_integer(p->self, &end, 0));
    if (hidden->count == 0) {
        return SUMAC_OK;
    }
    TRY(plonk_set_factors(p, 0, numbers, hidden->count));
    sumac_vector begin = vector_part(row, 0, hidden->count),
                 factors = vector_part(p->factors, 0, hidden->count);
    TRY(vector_copy_range(p->self, row, p->n, p->factors, 0, hidden->count));
    return vector_subtract(p->self, &begin, &begin, &factors, 1);
}

/* Compute the coefficients of the committed polynomials, as rows after those of the wires. */
static sumac_status interpolate_committed(proving *p)
{
    const vector_slice from = {0, p->commitments, p->n, p->n},
                       to = {GATE_WIRES * p->row, p->commitments, p->n, p->row};
    const sumac_transform_config config = key_transform(p->key, NULL, 1);
    TRY(vector_copy(p->self, p->wires, &to, p->committed, &from));
    for (size_t k = GATE_WIRES; k < GATE_WIRES + p->commitments; k++) {
        sumac_vector row = vector_part(p->wires, k * p->row, p->n),
                     end = vector_part(p->wires, k * p->row + p->n, p->more);
        TRY(vector_ntt(p->self, &row, &config));
        TRY(vector_fill_integer(p->self, &end, 0));
    }
    free_vector(&p->committed);
    return SUMAC_OK;
}

sumac_status plonk_interpolate_wires(proving *p)
{
    const vector_slice from = {0, GATE_WIRES, p->n, p->n}, to = {0, GATE_WIRES, p->n, p->row};
    TRY(proving_scalars(p, (GATE_WIRES + p->commitments) * p->row, &p->wires));
    TRY(vector_copy(p->self, p->wires, &to, p->values, &from));
    if (p->commitments > 0) {
        TRY(interpolate_committed(p));
    }
    for (size_t k = 0; k < GATE_WIRES; k++) {
        sumac_vector row = vector_part(p->wires, k * p->row, p->row);
        TRY(interpolate(p, &row, (plonk_item)(PROOF_A + k)));
    }
    return SUMAC_OK;
}

/* ---- 3 ---- */

static sumac_status commit_wires(proving *p)
{
    const sumac_vector committed = vector_part(p->wires, GATE_WIRES * p->row, p->commitments * p->row);
    TRY(plonk_commit(p, p->wires, GATE_WIRES, p->row, PROOF_A));
    return p->commitments > 0 ? plonk_commit(p, &committed, p->commitments, p->row, PROOF_COMMITMENT)
                              : SUMAC_OK;
}

/* ---- 4 and 5 ---- */

/* Compute the values of sigma_k, k < GATE_WIRES, on the domain. */
static sumac_status evaluate_sigma(const proving *p, size_t k, sumac_vector *values)
{
    const sumac_transform_config config = key_transform(p->key, NULL, 0);
    TRY(vector_copy_range(p->self, values, 0, p->key->polynomials, (KEY_S1 + k) * p->n, p->n));
    return vector_ntt(p->self, values, &config);
}

sumac_status plonk_multiply_up(proving *p)
{
    enum { BETA_K = 0, GAMMA_AT = GATE_WIRES, FACTORS };
    const sumac_plonk_verifying_key *verifying = p->key->verifying;
    const vector_scan scan = {.multiplies = 1, .exclusive = 1};
    transcript_challenge(&p->transcript, BETA);
    transcript_challenge(&p->transcript, GAMMA);
    const host_scalar beta = transcript_get(&p->transcript, BETA);
    const host_scalar factors[FACTORS] = {beta, host_multiply(p->group, beta, verifying->k1),
                                          host_multiply(p->group, beta, verifying->k2),
                                          transcript_get(&p->transcript, GAMMA)};
    LOCAL_SCALARS(positions, p->self, p->group, p->n);
    LOCAL_SCALARS(below, p->self, p->group, p->n);
    LOCAL_SCALARS(scratch, p->self, p->group, p->n);
    TRY(proving_scalars(p, p->row, &p->product));
    sumac_vector above = vector_part(p->product, 0, p->n);
    TRY(plonk_set_factors(p, 0, factors, FACTORS));
    TRY(vector_fill_integer(p->self, positions, 1));
    TRY(vector_scale_powers(p->self, positions, p->n, NULL, p->key->root));
    for (size_t k = 0; k < GATE_WIRES; k++) {
        const sumac_vector wire = vector_part(p->values, k * p->n, p->n);
        TRY(plonk_permute(p, &above, k == 0, &wire, positions, BETA_K + k, GAMMA_AT, scratch));
    }
    for (size_t k = 0; k < GATE_WIRES; k++) {
        const sumac_vector wire = vector_part(p->values, k * p->n, p->n);
        TRY(evaluate_sigma(p, k, positions));
        TRY(plonk_permute(p, below, k == 0, &wire, positions, BETA_K, GAMMA_AT, scratch));
    }
    free_vector(&p->values);
    TRY(vector_invert(p->self, below));
    TRY(vector_multiply(p->self, &above, &above, below, 1));
    TRY(vector_scan_rows(p->self, &above, p->n, &scan));
    return interpolate(p, p->product, PROOF_Z);
}

static sumac_status commit_product(proving *p)
{
    return plonk_commit(p, p->product, 1, p->row, PROOF_Z);
}

/* ---- 6: prove_quotient.c ---- */

/* ---- 7 ---- */

/* Hide the parts of the quotient: T1 + b X^s, T2 - b + b' X^s, T3 - b', whose sum T1 + X^s T2 + X^2s T3 does not change. */
static sumac_status hide_quotient(proving *p)
{
    const plonk_flavour *flavour = p->key->verifying->flavour;
    const size_t step = p->n + flavour->part_more;
    const host_scalar hidden[] = {blinding(p, flavour->t_numbers[0]), blinding(p, flavour->t_numbers[1])};
    TRY(plonk_set_factors(p, 0, hidden, 2));
    for (size_t part = 0; part < 2; part++) {
        const sumac_vector factor = proving_factor(p, part);
        sumac_vector begin = vector_part(p->quotient, (part + 1) * p->row, 1);
        TRY(vector_copy_range(p->self, p->quotient, part * p->row + step, p->factors, part, 1));
        TRY(vector_subtract(p->self, &begin, &begin, &factor, 1));
    }
    return SUMAC_OK;
}

static sumac_status commit_quotient(proving *p)
{
    TRY(hide_quotient(p));
    return plonk_commit(p, p->quotient, QUOTIENT_PARTS, p->row, PROOF_T1);
}

/* ---- 8 ---- */

/* Return the coefficients of a polynomial of the key or of the proof. */
static sumac_vector polynomial(const proving *p, plonk_item which)
{
    return which < PROOF_A    ? key_polynomial(p->key, which)
           : which < PROOF_Z  ? vector_part(p->wires, (uint64_t)(which - PROOF_A) * p->row, p->row)
           : which == PROOF_Z ? vector_part(p->product, 0, p->row)
           : which < PROOF_WXI
               ? vector_part(p->quotient, (uint64_t)(which - PROOF_T1) * p->row, p->row)
               : vector_part(p->wires, (uint64_t)(which - PROOF_COMMITMENT + GATE_WIRES) * p->row, p->n);
}

/* Write the point at which step 8 evaluates, xi or xi w, raw. */
static host_scalar opening_point(const proving *p, int is_shifted)
{
    const host_scalar xi = transcript_get(&p->transcript, XI);
    return is_shifted ? host_multiply(p->group, xi, p->key->verifying->root) : xi;
}

/* Powers of a point, with which polynomials are evaluated there. */
typedef struct point_powers {
    sumac_vector *powers, *terms;
    int is_shifted; /* of which point, or -1 at first */
} point_powers;

static void free_powers(point_powers *at)
{
    free_vector(&at->powers);
    free_vector(&at->terms);
}

/* Begin with powers for polynomials of at most `longest` coefficients. */
static sumac_status begin_powers(proving *p, size_t longest, point_powers *at)
{
    at->is_shifted = -1;
    TRY(proving_scalars(p, longest, &at->powers));
    return proving_scalars(p, longest, &at->terms);
}

/* Evaluate a polynomial at xi or xi w, and write its value to factor `to`. */
static sumac_status evaluate_at(proving *p, point_powers *at, const sumac_vector *opened, int is_shifted,
                                size_t to)
{
    sumac_vector used = vector_part(at->terms, 0, opened->count);
    sumac_vector some = vector_part(at->powers, 0, opened->count);
    sumac_vector sum = vector_part(p->factors, to, 1);
    if (at->is_shifted != is_shifted) {
        uint8_t raw[MOST_SCALAR_BYTES];
        host_to_raw(p->group, opening_point(p, is_shifted), raw);
        TRY(vector_fill_integer(p->self, at->powers, 1));
        TRY(vector_scale_powers(p->self, at->powers, at->powers->count, NULL, raw));
        at->is_shifted = is_shifted;
    }
    TRY(vector_multiply(p->self, &used, opened, &some, 1));
    return vector_sum(p->self, &sum, &used, opened->count);
}

/* Copy values from the factors to the proof. */
static sumac_status put_values(proving *p, size_t first, size_t count, plonk_item item)
{
    return vector_get(p->self, p->factors, first, count, p->proof + plonk_item_at(p->key->verifying, item),
                      NULL);
}

sumac_status plonk_evaluate(proving *p, size_t longest,
                            sumac_vector (*find)(const proving *p, plonk_item which))
{
    const plonk_flavour *flavour = p->key->verifying->flavour;
    const opening_row *rows = flavour->openings;
    const size_t openings = flavour->openings_count;
    CLEANUP(free_powers) point_powers at = {.powers = NULL};
    TRY(begin_powers(p, longest, &at));
    for (uint32_t i = 0; i < p->commitments; i++) {
        const sumac_vector opened = key_polynomial(p->key, (plonk_item)(KEY_QCP + i));
        TRY(evaluate_at(p, &at, &opened, 0, openings + i));
    }
    for (size_t i = 0; i < openings; i++) {
        const sumac_vector opened = find(p, rows[i].polynomial);
        TRY(evaluate_at(p, &at, &opened, rows[i].is_shifted, i));
    }
    TRY(put_values(p, 0, openings, rows[0].value));
    return p->commitments > 0 ? put_values(p, openings, p->commitments, EVAL_QCP) : SUMAC_OK;
}

static sumac_status evaluate(proving *p)
{
    transcript_challenge(&p->transcript, XI);
    return plonk_evaluate(p, p->row, polynomial);
}

/* ---- 9 and 10 ---- */

sumac_status plonk_divide(const proving *p, sumac_vector *row, host_scalar point)
{
    const vector_scan scan = {.multiplies = 0, .exclusive = 0};
    const host_scalar inverse = host_invert(p->group, point);
    uint8_t ratio[MOST_SCALAR_BYTES], back[MOST_SCALAR_BYTES], factor[MOST_SCALAR_BYTES];
    host_to_raw(p->group, point, ratio);
    host_to_raw(p->group, inverse, back);
    host_to_raw(p->group, host_negate(p->group, inverse), factor);
    const sumac_vector total = proving_factor(p, 0);
    TRY(vector_scale_powers(p->self, row, row->count, NULL, ratio));
    TRY(vector_scan_rows(p->self, row, row->count, &scan));
    TRY(vector_copy_range(p->self, p->factors, 0, row, row->count - 1, 1));
    TRY(vector_subtract(p->self, row, row, &total, 1));
    return vector_scale_powers(p->self, row, row->count, factor, back);
}

/* Add each polynomial whose factor is not 0, times the factor, to a row. */
static sumac_status add_polynomials(proving *p, const host_scalar *factors, sumac_vector *row)
{
    const sumac_plonk_verifying_key *verifying = p->key->verifying;
    const size_t all = plonk_key_points(verifying) + plonk_proof_points(verifying);
    TRY(plonk_set_factors(p, 0, factors, EVAL_A));
    for (size_t i = 0; i < all; i++) {
        const plonk_item which = plonk_point_item(verifying, i);
        if (!host_is_zero(p->group, factors[which])) {
            const sumac_vector term = polynomial(p, which), factor = proving_factor(p, which);
            sumac_vector sum = vector_part(row, 0, term.count);
            TRY(vector_multiply_add(p->self, &sum, &term, &factor, 1, &sum));
        }
    }
    return SUMAC_OK;
}

/* Put the value of the linearisation into the proof, and commit to it, if v is hashed from them. */
static sumac_status open_linear(proving *p, const linearization *l, const sumac_vector *linear)
{
    CLEANUP(free_powers) point_powers at = {.powers = NULL};
    if (!flavour_opens_linear(p->key->verifying->flavour)) {
        return SUMAC_OK;
    }
    TRY(begin_powers(p, p->row, &at));
    TRY(evaluate_at(p, &at, linear, 0, 0));
    TRY(put_values(p, 0, 1, EVAL_LINEAR));
    return linearize_commit(p->context, &p->transcript, l);
}

static sumac_status open_polynomials(proving *p)
{
    linearization linear, opened = {.permuted = host_integer(p->group, 0)};
    linearize(&p->transcript, &linear);
    TRY(proving_scalars(p, 2 * p->row, &p->openings));
    sumac_vector first = vector_part(p->openings, 0, p->row);
    sumac_vector second = vector_part(p->openings, p->row, p->row);
    TRY(vector_fill_integer(p->self, &first, 0));
    TRY(add_polynomials(p, linear.factors, &first));
    TRY(open_linear(p, &linear, &first));
    transcript_challenge(&p->transcript, V);
    linearize_openings(&p->transcript, &opened);
    TRY(add_polynomials(p, opened.factors, &first));
    free_vector(&p->quotient);
    free_vector(&p->wires);
    TRY(vector_copy_range(p->self, p->openings, p->row, p->product, 0, p->row));
    TRY(plonk_divide(p, &first, opening_point(p, 0)));
    return plonk_divide(p, &second, opening_point(p, 1));
}

static sumac_status commit_openings(proving *p)
{
    return plonk_commit(p, p->openings, 2, p->row, PROOF_WXI);
}

/* ---- Running all steps ---- */

const proof_step plonk_steps[PLONK_STEPS] = {{plonk_load, 0.01},       {plonk_interpolate_wires, 0.02},
                                             {commit_wires, 0.24},     {plonk_multiply_up, 0.03},
                                             {commit_product, 0.08},   {plonk_quotient, 0.18},
                                             {commit_quotient, 0.24},  {evaluate, 0.01},
                                             {open_polynomials, 0.03}, {commit_openings, 0.16}};

/* Most vectors are there in step 6: rows of A, B, C, Z, three parts and the committed polynomials, vectors of constants, of four columns
 * and of four sums, one vector for fixed polynomials if their values are not kept, and half a vector of roots. But a circuit may have
 * more wires than that, which step 2 needs together with the values of a, b and c, or many commitments, whose values it needs together
 * with their coefficients. */
proof_needs plonk_needs(const sumac_plonk_key *key)
{
    const uint64_t n = key->domain, wires = (uint64_t)key->wires + key->additions, row = key_row(key);
    const uint64_t commitments = key->verifying->commitments;
    const uint64_t quotient = (7 + commitments) * row + (key->kept == NULL ? 10 : 9) * n + n / 2;
    const uint64_t load = wires + (key->maps == NULL ? 0 : GATE_WIRES * n);
    const uint64_t committed = wires + commitments * n + (GATE_WIRES + commitments) * row + n / 2;
    return (proof_needs){.scalars = larger(larger(quotient, load), commitments == 0 ? 0 : committed),
                         .batch = (uint32_t)larger(GATE_WIRES, commitments),
                         .terms = row};
}

/* Begin a proof. The caller calls free_vectors(), also after a failure. */
static proving begin(sumac_context *context, const proof_request *request, uint8_t *proof)
{
    const sumac_plonk_key *key = request->key;
    const sumac_group *g1 = key->verifying->groups.g1;
    return (proving){
        .context = context,
        .self = context_executor(context),
        .request = request,
        .key = key,
        .group = g1,
        .n = key->domain,
        .row = key_row(key),
        .more = key->verifying->flavour->more_powers,
        .commitments = key->verifying->commitments,
        .proof = proof,
        .transcript = {.key = key->verifying, .publics = key_publics(key, request->witness), .proof = proof}};
}

sumac_status plonk_compute(sumac_context *context, const proof_request *request, uint8_t *proof)
{
    sumac_status status = SUMAC_OK;
    double start = 0;
    CLEANUP(free_vectors) proving p = begin(context, request, proof);
    const plonk_flavour *flavour = request->key->verifying->flavour;
    for (uint32_t i = 0; i < flavour->steps_count && status == SUMAC_OK; i++) {
        context_progress_part(context, start, flavour->steps[i].share);
        status = flavour->steps[i].run(&p);
        start += flavour->steps[i].share;
    }
    context_progress_part(context, 0, 1);
    return status;
}

/* ---- Which gate does not hold ---- */

/* Add a polynomial of the key, times a vector, to sums of values on the domain. */
static sumac_status add_product(const proving *p, plonk_item which, const sumac_vector *times,
                                sumac_vector *terms, sumac_vector *sums)
{
    const sumac_transform_config config = key_transform(p->key, NULL, 0);
    TRY(vector_copy_range(p->self, terms, 0, p->key->polynomials, key_number(which) * p->n, p->n));
    TRY(vector_ntt(p->self, terms, &config));
    return vector_multiply_add(p->self, sums, terms, times, 1, sums);
}

/* Compute qM a b + qL a + qR b + qO c + qC on the domain, with the committed wires, but without the public inputs. */
static sumac_status evaluate_gates(const proving *p, sumac_vector *sums)
{
    const sumac_transform_config config = key_transform(p->key, NULL, 0);
    const sumac_vector a = vector_part(p->values, 0, p->n), b = vector_part(p->values, p->n, p->n),
                       c = vector_part(p->values, 2 * p->n, p->n);
    LOCAL_SCALARS(terms, p->self, p->group, p->n);
    LOCAL_SCALARS(product, p->self, p->group, p->n);
    TRY(vector_copy_range(p->self, sums, 0, p->key->polynomials, KEY_QC * p->n, p->n));
    TRY(vector_ntt(p->self, sums, &config));
    TRY(vector_multiply(p->self, product, &a, &b, 1));
    TRY(add_product(p, KEY_QM, product, terms, sums));
    TRY(add_product(p, KEY_QL, &a, terms, sums));
    TRY(add_product(p, KEY_QR, &b, terms, sums));
    TRY(add_product(p, KEY_QO, &c, terms, sums));
    for (uint32_t i = 0; i < p->commitments; i++) {
        const sumac_vector committed = vector_part(p->committed, i * p->n, p->n);
        TRY(add_product(p, (plonk_item)(KEY_QCP + i), &committed, terms, sums));
    }
    return SUMAC_OK;
}

sumac_status plonk_find_bad_gate(sumac_context *context, const proof_request *request, uint8_t *proof,
                                 size_t *gate)
{
    CLEANUP(free_vectors) proving p = begin(context, request, proof);
    const size_t publics = p.key->verifying->publics, each = p.group->scalar_bytes;
    LOCAL_SCALARS(sums, p.self, p.group, p.n);
    LOCAL_SCALARS(inputs, p.self, p.group, p.n);
    TRY(plonk_load(&p));
    TRY(evaluate_gates(&p, sums));
    TRY(vector_fill_integer(p.self, inputs, 0));
    if (publics > 0) {
        TRY(vector_set(p.self, inputs, 0, publics, p.transcript.publics, NULL));
    }
    TRY(plonk_add_commitments(&p, inputs));
    TRY(p.key->verifying->flavour->adds_publics ? vector_add(p.self, sums, sums, inputs, 1)
                                                : vector_subtract(p.self, sums, sums, inputs, 1));
    LOCAL_MEMORY(uint8_t, raw, p.self, p.n * each);
    TRY(vector_get(p.self, sums, 0, p.n, raw, NULL));
    for (*gate = 0; *gate < p.n && all_zero(raw + *gate * each, each); ++*gate) {
    }
    return SUMAC_OK;
}
