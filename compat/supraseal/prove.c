/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes Groth16 proofs (Groth 2016, section 3.2) of bellperson's circuits. It does each step for all circuits of
 * a batch. Each vector has a row for each circuit:
 *
 *   1  w = inputs and auxiliary variables
 *   2  A' = <w_A, A_i>,  B1' = <w_B, B_i in G1>,  B2' = <w_B, B_i in G2>, where w_A and w_B are gathered by the density maps
 *   3  L' = <auxiliary variables, L_i>
 *   4  a, b, c on the odd powers of the root of order 2n, where X^n - 1 is everywhere -2
 *   5  -2h = a o b - c, as coefficients, and H' = <-2h, H_i>
 *   6  A = alpha + r delta + A',  B = beta + s delta + B2',  C = L' - H'/2 + s A + r B1' + r beta
 *
 * The term r s delta of C is in s A.
 */
#include "prove.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sumac/vector.h"

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "a density map's words have 64 bits, as Rust's usize");

enum { SCALAR_BYTES = SUPRASEAL_SCALAR_BYTES, PROOF_BYTES = SUPRASEAL_PROOF_BYTES };

/* The sums of step 2, 3 and 5 in the first group. */
enum { SUM_A, SUM_B1, SUM_L, SUM_H, SUMS };

/* The numbers of w's elements that are gathered for the sums over A and B, for `circuits` rows. */
typedef struct density_rows {
    uint64_t *a, *b; /* null: not made yet */
    size_t circuits;
} density_rows;

/* The circuits of a call that are proved together. */
typedef struct batch {
    supraseal_call *call;
    const supraseal_parameters *parameters;
    const supraseal_assignment *assignments;
    const uint8_t *r, *s;
    size_t count;
    size_t first; /* number of the first circuit, for messages */
    /* Rows that the batches of a call share, because all its circuits have the same density maps; null: they differ. */
    density_rows *shared;
} batch;

/* What is computed for a batch. */
typedef struct proving {
    const batch *of;
    density_rows own; /* if batch.shared is null */
    sumac_vector *w, *selected, *a, *b, *c, *rows, *g1_sums, *g2_sums, *random;
    uint8_t *memory;
} proving;

static batch batch_of(const batch *all, size_t first, size_t count)
{
    batch some = *all;
    some.assignments += first;
    some.r += first * SCALAR_BYTES;
    some.s += first * SCALAR_BYTES;
    some.count = count;
    some.first += first;
    return some;
}

static sumac_status no_memory(const batch *of, uint64_t bytes)
{
    return sumac_supraseal_refuse(of->call, SUMAC_OUT_OF_MEMORY, "there is no memory of %" PRIu64 " bytes",
                                  bytes);
}

/* ---- Checks ---- */

static size_t count_set(const uint64_t *map, size_t bits)
{
    size_t count = 0;
    for (size_t word = 0; word < bits / 64; word++) {
        count += (size_t)__builtin_popcountll(map[word]);
    }
    const uint64_t rest = ((uint64_t)1 << bits % 64) - 1;
    return bits % 64 == 0 ? count : count + (size_t)__builtin_popcountll(map[bits / 64] & rest);
}

/* A number that a circuit states, and what it must be. */
typedef struct expectation {
    const char *what;
    size_t stated, expected;
} expectation;

static int has_pointers(const supraseal_assignment *of)
{
    const size_t aux = of->aux_assignment_size;
    return of->inp_assignment_data != NULL && of->b_inp_density != NULL &&
           (aux == 0 ||
            (of->aux_assignment_data != NULL && of->a_aux_density != NULL && of->b_aux_density != NULL)) &&
           (of->abc_size == 0 || (of->a != NULL && of->b != NULL && of->c != NULL));
}

/* Check the numbers of a circuit. The density maps are read only if they are as long as the parameters say. */
static sumac_status check_assignment(const batch *all, size_t circuit)
{
    const supraseal_parameters *p = all->parameters;
    const supraseal_assignment *of = &all->assignments[circuit];
    const size_t aux = p->counts[SET_L];
    const expectation lengths[] = {
        {"inputs", of->inp_assignment_size, p->inputs},
        {"auxiliary variables", of->aux_assignment_size, aux},
        {"bits of A's density", of->a_aux_bit_len, aux},
        {"bits of B's density of inputs", of->b_inp_bit_len, p->inputs},
        {"bits of B's density", of->b_aux_bit_len, aux},
        {"inputs and bits set for A", p->inputs + of->a_aux_popcount, p->counts[SET_A]},
        {"bits set for B", of->b_inp_popcount + of->b_aux_popcount, p->counts[SET_B_G1]}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        if (lengths[i].stated != lengths[i].expected) {
            return sumac_supraseal_refuse(all->call, SUMAC_MISMATCH,
                                          "circuit %zu has %zu %s, but the parameters are for %zu", circuit,
                                          lengths[i].stated, lengths[i].what, lengths[i].expected);
        }
    }
    if (of->abc_size > p->domain) {
        return sumac_supraseal_refuse(
            all->call, SUMAC_MISMATCH,
            "circuit %zu has %zu constraints, but the parameters are for at most %zu", circuit, of->abc_size,
            p->domain);
    }
    if (!has_pointers(of)) {
        return sumac_supraseal_refuse(all->call, SUMAC_BAD_ARGUMENT, "circuit %zu has a null pointer",
                                      circuit);
    }
    if (count_set(of->a_aux_density, aux) != of->a_aux_popcount ||
        count_set(of->b_inp_density, p->inputs) != of->b_inp_popcount ||
        count_set(of->b_aux_density, aux) != of->b_aux_popcount) {
        return sumac_supraseal_refuse(all->call, SUMAC_MISMATCH,
                                      "circuit %zu: a density map has not as many bits set as its count says",
                                      circuit);
    }
    return SUMAC_OK;
}

static int maps_are_equal(const uint64_t *one, const uint64_t *other, size_t bits)
{
    return one == other || (memcmp(one, other, bits / 64 * sizeof *one) == 0 &&
                            (bits % 64 == 0 || (one[bits / 64] ^ other[bits / 64]) << (64 - bits % 64) == 0));
}

/* Return 1 if all circuits of a call have the same density maps. */
static int densities_are_equal(const batch *all)
{
    const size_t inputs = all->parameters->inputs, aux = all->parameters->counts[SET_L];
    const supraseal_assignment *one = &all->assignments[0];
    for (size_t i = 1; i < all->count; i++) {
        const supraseal_assignment *other = &all->assignments[i];
        if (!maps_are_equal(one->a_aux_density, other->a_aux_density, aux) ||
            !maps_are_equal(one->b_inp_density, other->b_inp_density, inputs) ||
            !maps_are_equal(one->b_aux_density, other->b_aux_density, aux)) {
            return 0;
        }
    }
    return 1;
}

/* ---- 1 ---- */

static sumac_status scalars_create(const batch *of, size_t count, sumac_vector **vector)
{
    return sumac_vector_create(of->call->context, of->parameters->g1, SUMAC_VECTOR_SCALARS, count, vector);
}

/* Set elements from the caller's memory. */
static sumac_status set_scalars(const batch *of, sumac_vector *vector, size_t first, const void *scalars,
                                size_t count)
{
    const sumac_element_layout layout = {.size = sizeof layout, .form = SUMAC_FORM_MONTGOMERY};
    return sumac_vector_set(of->call->context, vector, scalars, count * SCALAR_BYTES, first, count, &layout);
}

static size_t row_of(const supraseal_parameters *p)
{
    return p->inputs + p->counts[SET_L];
}

static sumac_status load_variables(proving *p)
{
    const batch *of = p->of;
    const size_t inputs = of->parameters->inputs, aux = of->parameters->counts[SET_L],
                 row = row_of(of->parameters);
    TRY(scalars_create(of, of->count * row, &p->w));
    for (size_t i = 0; i < of->count; i++) {
        const supraseal_assignment *from = &of->assignments[i];
        TRY(set_scalars(of, p->w, i * row, from->inp_assignment_data, inputs));
        TRY(set_scalars(of, p->w, i * row + inputs, from->aux_assignment_data, aux));
    }
    return SUMAC_OK;
}

/* Copy the public inputs, canonical and without the 1 before them, for the verifier. */
static sumac_status copy_publics(const proving *p, uint8_t *publics)
{
    static const uint8_t one[SCALAR_BYTES] = {1};
    const batch *of = p->of;
    const size_t bytes = of->parameters->inputs * SCALAR_BYTES;
    uint8_t *inputs = malloc(bytes);
    sumac_status status = inputs != NULL ? SUMAC_OK : no_memory(of, bytes);
    for (size_t i = 0; i < of->count && status == SUMAC_OK; i++) {
        status = sumac_vector_get(of->call->context, p->w, i * row_of(of->parameters), of->parameters->inputs,
                                  NULL, inputs, bytes);
        if (status == SUMAC_OK && memcmp(inputs, one, SCALAR_BYTES) != 0) {
            status = sumac_supraseal_refuse(of->call, SUMAC_BAD_ARGUMENT,
                                            "circuit %zu: the first input is not 1", of->first + i);
        }
        if (status == SUMAC_OK) {
            memcpy(publics + i * (bytes - SCALAR_BYTES), inputs + SCALAR_BYTES, bytes - SCALAR_BYTES);
        }
    }
    free(inputs);
    return status;
}

/* ---- 2 ---- */

/* Append the numbers of the set bits, plus `base`. */
static uint64_t *append_rows(uint64_t *rows, const uint64_t *map, size_t bits, uint64_t base)
{
    for (size_t word = 0; word < (bits + 63) / 64; word++) {
        uint64_t left = map[word];
        if (bits - word * 64 < 64) {
            left &= ((uint64_t)1 << bits % 64) - 1;
        }
        for (; left != 0; left &= left - 1) {
            *rows++ = base + word * 64 + (uint64_t)__builtin_ctzll(left);
        }
    }
    return rows;
}

/* Make the rows of a batch's circuits. */
static sumac_status rows_create(const batch *of, density_rows *rows)
{
    const supraseal_parameters *parameters = of->parameters;
    const size_t inputs = parameters->inputs, aux = parameters->counts[SET_L];
    const size_t a = of->count * parameters->counts[SET_A], b = of->count * parameters->counts[SET_B_G1];
    free(rows->a);
    rows->circuits = of->count;
    rows->a = malloc((a + b) * sizeof *rows->a);
    if (rows->a == NULL) {
        return no_memory(of, (a + b) * sizeof *rows->a);
    }
    rows->b = rows->a + a;
    uint64_t *next_a = rows->a, *next_b = rows->b;
    for (size_t i = 0; i < of->count; i++) {
        const supraseal_assignment *from = &of->assignments[i];
        const uint64_t base = i * (inputs + aux);
        for (size_t input = 0; input < inputs; input++) {
            *next_a++ = base + input;
        }
        next_a = append_rows(next_a, from->a_aux_density, aux, base + inputs);
        next_b = append_rows(next_b, from->b_inp_density, inputs, base);
        next_b = append_rows(next_b, from->b_aux_density, aux, base + inputs);
    }
    return SUMAC_OK;
}

/* Sum up rows of n scalars, with a set of bases. */
static sumac_status sum_rows(const batch *of, int set, const sumac_vector *scalars, size_t first, size_t n,
                             sumac_vector *sums, int sum)
{
    const sumac_msm_config config = {.size = sizeof config, .batch = (uint32_t)of->count};
    return sumac_msm_vectors(of->call->context, of->parameters->sets[set], scalars, first, n, &config, sums,
                             (size_t)sum * of->count);
}

/* Gather the variables of a set for all circuits. If all variables belong to the set, they are used as they are. */
static sumac_status select_variables(proving *p, int set, const uint64_t *rows, const sumac_vector **selected)
{
    const batch *of = p->of;
    const size_t n = of->parameters->counts[set];
    sumac_vector_destroy(p->selected);
    p->selected = NULL;
    *selected = p->w;
    if (n == row_of(of->parameters)) {
        return SUMAC_OK;
    }
    TRY(scalars_create(of, of->count * n, &p->selected));
    *selected = p->selected;
    return sumac_vector_gather(of->call->context, p->w, 1, rows, of->count * n, p->selected);
}

static sumac_status sum_over_variables(proving *p)
{
    const batch *of = p->of;
    const size_t a = of->parameters->counts[SET_A], b = of->parameters->counts[SET_B_G1];
    const sumac_vector *selected;
    density_rows *rows = of->shared != NULL ? of->shared : &p->own;
    if (rows->a == NULL || rows->circuits < of->count) {
        TRY(rows_create(of, rows));
    }
    TRY(select_variables(p, SET_A, rows->a, &selected));
    TRY(sum_rows(of, SET_A, selected, 0, a, p->g1_sums, SUM_A));
    TRY(select_variables(p, SET_B_G1, rows->b, &selected));
    TRY(sum_rows(of, SET_B_G1, selected, 0, b, p->g1_sums, SUM_B1));
    return sum_rows(of, SET_B_G2, selected, 0, b, p->g2_sums, 0);
}

/* ---- 3 and 5 ---- */

/* Sum up n scalars from `first` on of each row. A sum of several rows needs them one after another. */
static sumac_status sum_within_rows(proving *p, int set, const sumac_vector *scalars, size_t row,
                                    size_t first, int sum)
{
    const batch *of = p->of;
    const size_t n = of->parameters->counts[set];
    if (of->count == 1) {
        return sum_rows(of, set, scalars, first, n, p->g1_sums, sum);
    }
    const sumac_slice from = {sizeof from, first, of->count, n, row};
    const sumac_slice to = {sizeof to, 0, of->count, n, n};
    TRY(scalars_create(of, of->count * n, &p->rows));
    TRY(sumac_vector_copy(of->call->context, scalars, &from, p->rows, &to));
    TRY(sum_rows(of, set, p->rows, 0, n, p->g1_sums, sum));
    sumac_vector_destroy(p->rows);
    p->rows = NULL;
    return SUMAC_OK;
}

static sumac_status sum_over_aux(proving *p)
{
    const supraseal_parameters *of = p->of->parameters;
    TRY(sum_within_rows(p, SET_L, p->w, row_of(of), of->inputs, SUM_L));
    sumac_vector_destroy(p->w);
    sumac_vector_destroy(p->selected);
    p->w = p->selected = NULL;
    return SUMAC_OK;
}

/* ---- 4 and 5 ---- */

static sumac_status load_values(proving *p)
{
    const batch *of = p->of;
    const size_t n = of->parameters->domain;
    TRY(scalars_create(of, of->count * n, &p->a));
    TRY(scalars_create(of, of->count * n, &p->b));
    TRY(scalars_create(of, of->count * n, &p->c));
    for (size_t i = 0; i < of->count; i++) {
        const supraseal_assignment *from = &of->assignments[i];
        TRY(set_scalars(of, p->a, i * n, from->a, from->abc_size));
        TRY(set_scalars(of, p->b, i * n, from->b, from->abc_size));
        TRY(set_scalars(of, p->c, i * n, from->c, from->abc_size));
    }
    return SUMAC_OK;
}

/* Leave -2h in a. */
static sumac_status compute_quotient(proving *p)
{
    const batch *of = p->of;
    sumac_context *context = of->call->context;
    sumac_vector *const values[] = {p->a, p->b, p->c};
    uint8_t shift[SCALAR_BYTES];
    sumac_transform_config config = {.size = sizeof config, .length = of->parameters->domain};
    TRY(sumac_root_of_unity(of->parameters->g1, (uint32_t)__builtin_ctzll(config.length) + 1, shift,
                            sizeof shift));
    config.inverse = 1;
    TRY(sumac_vectors_ntt(context, values, 3, &config));
    config.inverse = 0;
    config.value_order = SUMAC_ORDER_BIT_REVERSED; /* avoids a permutation */
    config.shift = shift;
    config.shift_bytes = sizeof shift;
    TRY(sumac_vectors_ntt(context, values, 3, &config));
    TRY(sumac_vector_multiply(context, p->a, p->b, 1, p->a));
    TRY(sumac_vector_subtract(context, p->a, p->c, 1, p->a));
    config.inverse = 1;
    return sumac_vector_ntt(context, p->a, &config);
}

static sumac_status sum_over_quotient(proving *p)
{
    TRY(load_values(p));
    TRY(compute_quotient(p));
    sumac_vector_destroy(p->b);
    sumac_vector_destroy(p->c);
    p->b = p->c = NULL;
    return sum_within_rows(p, SET_H, p->a, p->of->parameters->domain, 0, SUM_H);
}

/* ---- 6 ---- */

/* A term of a sum: a point and a scalar of each circuit, `stride` bytes apart. The same one for all has a stride of 0. */
typedef struct term {
    const uint8_t *points, *scalars;
    size_t points_stride, scalars_stride;
} term;

enum { MOST_TERMS = 5 };

/* Compute a sum of few terms for each circuit, as raw points. The points are sums of points that were checked. */
static sumac_status add_terms(const batch *of, const sumac_group *group, const term *terms, size_t count,
                              uint8_t *sums)
{
    const size_t each = group->point_bytes, all = of->count * count;
    const sumac_bases_config unchecked = {.size = sizeof unchecked, .check = SUMAC_CHECK_NONE};
    const sumac_msm_config config = {
        .size = sizeof config, .batch = (uint32_t)of->count, .base_sets = (uint32_t)of->count};
    sumac_bases *bases = NULL;
    uint8_t *points = malloc(all * (each + SCALAR_BYTES));
    if (points == NULL) {
        return no_memory(of, all * (each + SCALAR_BYTES));
    }
    uint8_t *scalars = points + all * each;
    for (size_t i = 0; i < of->count; i++) {
        for (size_t k = 0; k < count; k++) {
            memcpy(points + (i * count + k) * each, terms[k].points + i * terms[k].points_stride, each);
            memcpy(scalars + (i * count + k) * SCALAR_BYTES, terms[k].scalars + i * terms[k].scalars_stride,
                   SCALAR_BYTES);
        }
    }
    sumac_status status =
        sumac_bases_create(of->call->context, group, points, all * each, all, &unchecked, &bases);
    if (status == SUMAC_OK) {
        status = sumac_msm(of->call->context, bases, scalars, all * SCALAR_BYTES, count, &config, sums,
                           of->count * each);
    }
    sumac_bases_destroy(bases);
    free(points);
    return status;
}

/* The raw sums of a batch, and its random numbers, canonical. */
typedef struct summands {
    uint8_t *g1[SUMS], *g2, *r, *s, *a, *b, *c; /* a, b and c are the proofs' points */
} summands;

static sumac_status fetch_summands(proving *p, summands *to)
{
    const batch *of = p->of;
    sumac_context *context = of->call->context;
    const size_t g1 = of->count * G1_BYTES, g2 = of->count * G2_BYTES, scalars = of->count * SCALAR_BYTES;
    const size_t bytes = (SUMS + 2) * g1 + 2 * g2 + 2 * scalars;
    if ((p->memory = malloc(bytes)) == NULL) {
        return no_memory(of, bytes);
    }
    for (int sum = 0; sum < SUMS; sum++) {
        to->g1[sum] = p->memory + (size_t)sum * g1;
    }
    to->a = p->memory + SUMS * g1;
    to->c = to->a + g1;
    to->g2 = to->c + g1;
    to->b = to->g2 + g2;
    to->r = to->b + g2;
    to->s = to->r + scalars;
    TRY(scalars_create(of, 2 * of->count, &p->random));
    TRY(set_scalars(of, p->random, 0, of->r, of->count));
    TRY(set_scalars(of, p->random, of->count, of->s, of->count));
    TRY(sumac_vector_get(context, p->random, 0, 2 * of->count, NULL, to->r, 2 * scalars));
    TRY(sumac_vector_get(context, p->g1_sums, 0, SUMS * of->count, NULL, to->g1[0], SUMS * g1));
    return sumac_vector_get(context, p->g2_sums, 0, of->count, NULL, to->g2, g2);
}

/* Compute (r - 1)/2 = -1/2, an integer because r, the order, is odd. */
static void minus_half(const sumac_group *group, uint8_t scalar[SCALAR_BYTES])
{
    for (size_t i = 0; i < SCALAR_BYTES; i++) {
        const uint64_t *order = group->order;
        const uint64_t word = order[i / 8] >> 1 | (i / 8 + 1 < SCALAR_BYTES / 8 ? order[i / 8 + 1] << 63 : 0);
        scalar[i] = (uint8_t)(word >> 8 * (i % 8));
    }
}

static sumac_status finish(proving *p, uint8_t *proofs)
{
    static const uint8_t one[SCALAR_BYTES] = {1};
    const batch *of = p->of;
    const supraseal_parameters *key = of->parameters;
    uint8_t minus[SCALAR_BYTES];
    summands from = {.r = NULL};
    minus_half(key->g1, minus);
    TRY(fetch_summands(p, &from));
    const term a[] = {{key->g1_points[ALPHA], one, 0, 0},
                      {key->g1_points[DELTA], from.r, 0, SCALAR_BYTES},
                      {from.g1[SUM_A], one, G1_BYTES, 0}};
    const term b[] = {{key->g2_points[BETA_OF_G2], one, 0, 0},
                      {key->g2_points[DELTA_OF_G2], from.s, 0, SCALAR_BYTES},
                      {from.g2, one, G2_BYTES, 0}};
    const term c[MOST_TERMS] = {{from.g1[SUM_L], one, G1_BYTES, 0},
                                {from.g1[SUM_H], minus, G1_BYTES, 0},
                                {from.a, from.s, G1_BYTES, SCALAR_BYTES},
                                {from.g1[SUM_B1], from.r, G1_BYTES, SCALAR_BYTES},
                                {key->g1_points[BETA], from.r, 0, SCALAR_BYTES}};
    TRY(add_terms(of, key->g1, a, sizeof a / sizeof *a, from.a));
    TRY(add_terms(of, key->g2, b, sizeof b / sizeof *b, from.b));
    TRY(add_terms(of, key->g1, c, sizeof c / sizeof *c, from.c));
    for (size_t i = 0; i < of->count; i++) {
        uint8_t *proof = proofs + i * PROOF_BYTES;
        memcpy(proof, from.a + i * G1_BYTES, G1_BYTES);
        memcpy(proof + G1_BYTES, from.b + i * G2_BYTES, G2_BYTES);
        memcpy(proof + G1_BYTES + G2_BYTES, from.c + i * G1_BYTES, G1_BYTES);
    }
    return SUMAC_OK;
}

/* ---- All steps ---- */

static void free_proving(proving *p)
{
    sumac_vector *const vectors[] = {p->w,    p->selected, p->a,       p->b,     p->c,
                                     p->rows, p->g1_sums,  p->g2_sums, p->random};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        sumac_vector_destroy(vectors[i]);
    }
    free(p->own.a);
    free(p->memory);
}

static sumac_status run_steps(proving *p, uint8_t *proofs, uint8_t *publics)
{
    const batch *of = p->of;
    TRY(sumac_vector_create(of->call->context, of->parameters->g1, SUMAC_VECTOR_POINTS, SUMS * of->count,
                            &p->g1_sums));
    TRY(sumac_vector_create(of->call->context, of->parameters->g2, SUMAC_VECTOR_POINTS, of->count,
                            &p->g2_sums));
    TRY(load_variables(p));
    TRY(copy_publics(p, publics));
    TRY(sum_over_variables(p));
    TRY(sum_over_aux(p));
    TRY(sum_over_quotient(p));
    return finish(p, proofs);
}

/* Compute proofs, raw and canonical, and copy the public inputs. */
static sumac_status compute(const batch *of, uint8_t *proofs, uint8_t *publics)
{
    proving p = {.of = of};
    const sumac_status status = run_steps(&p, proofs, publics);
    free_proving(&p);
    return status;
}

/* ---- Verifying ---- */

static size_t publics_bytes(const batch *of)
{
    return (of->parameters->inputs - 1) * SCALAR_BYTES;
}

/* A faulty machine may compute bad points. If the verifier refuses points, the proofs count as ones that do not hold. */
static sumac_status verify(const batch *of, const uint8_t *proofs, const uint8_t *publics, int *hold)
{
    const sumac_status status =
        sumac_groth16_verify(of->call->context, of->parameters->verifying, publics,
                             of->count * publics_bytes(of), proofs, of->count * PROOF_BYTES, of->count, hold);
    if (status != SUMAC_NOT_ON_CURVE && status != SUMAC_NOT_IN_SUBGROUP) {
        return status;
    }
    *hold = 0;
    return SUMAC_OK;
}

/* Compute a proof a second time, because it did not hold. */
static sumac_status repeat(const batch *one, uint8_t *proof, uint8_t *publics)
{
    uint8_t again[PROOF_BYTES];
    int holds = 0;
    TRY(compute(one, again, publics));
    TRY(verify(one, again, publics, &holds));
    if (holds) {
        memcpy(proof, again, PROOF_BYTES);
        return SUMAC_OK;
    }
    return memcmp(proof, again, PROOF_BYTES) == 0
               ? sumac_supraseal_refuse(one->call, SUMAC_NOT_SATISFIED,
                                        "circuit %zu: its proof does not hold, computed twice with the same "
                                        "result: the values do not satisfy the constraints, or the "
                                        "parameters or the density maps are another circuit's",
                                        one->first)
               : sumac_supraseal_refuse(one->call, SUMAC_DEVICE_FAILED,
                                        "circuit %zu: its proof does not hold, computed twice with different "
                                        "results: the machine computes wrongly",
                                        one->first);
}

/* Compute a batch, and verify its proofs together. If that fails, verify each proof separately. */
static sumac_status prove_batch(const batch *of, uint8_t *proofs, uint8_t *publics)
{
    int hold = 0;
    TRY(compute(of, proofs, publics));
    TRY(verify(of, proofs, publics, &hold));
    for (size_t i = 0; i < of->count && !hold; i++) {
        const batch one = batch_of(of, i, 1);
        uint8_t *proof = proofs + i * PROOF_BYTES, *of_one = publics + i * publics_bytes(of);
        int holds = 0;
        TRY(verify(&one, proof, of_one, &holds));
        if (!holds) {
            TRY(repeat(&one, proof, of_one));
        }
    }
    return SUMAC_OK;
}

/* ---- A call ---- */

/* Return how many circuits are proved together. */
static size_t count_together(const batch *all)
{
    static const size_t most_rows[] = {
        [SUMAC_LOCATION_HOST] = (size_t)1 << 14,   /* more rows at once are not faster */
        [SUMAC_LOCATION_DEVICE] = (size_t)1 << 20, /* enough rows to keep a GPU busy */
    };
    const supraseal_parameters *p = all->parameters;
    sumac_context_info info = {.size = sizeof info};
    const size_t rows = p->domain > row_of(p) / 2 ? p->domain : row_of(p) / 2;
    if (sumac_context_describe(all->call->context, &info) != SUMAC_OK ||
        most_rows[info.location] < 2 * rows) {
        return 1;
    }
    const size_t together = most_rows[info.location] / rows;
    return together < all->count ? together : all->count;
}

/* Store the points of proofs in Montgomery form. A proof has, in this order, points of the first group, the second and the
 * first. */
static sumac_status to_montgomery(const batch *all, uint8_t *proofs)
{
    static const size_t offsets[] = {0, G1_BYTES, G1_BYTES + G2_BYTES};
    const sumac_group *const groups[] = {all->parameters->g1, all->parameters->g2, all->parameters->g1};
    const sumac_element_layout unchecked = {.size = sizeof unchecked, .check = SUMAC_CHECK_NONE};
    const sumac_element_layout montgomery = {.size = sizeof montgomery, .form = SUMAC_FORM_MONTGOMERY};
    sumac_context *context = all->call->context;
    sumac_status status = SUMAC_OK;
    for (int k = 0; k < 3 && status == SUMAC_OK; k++) {
        const size_t bytes = groups[k]->point_bytes;
        sumac_vector *points = NULL;
        status = sumac_vector_create(context, groups[k], SUMAC_VECTOR_POINTS, 1, &points);
        for (size_t i = 0; i < all->count && status == SUMAC_OK; i++) {
            uint8_t *point = proofs + i * PROOF_BYTES + offsets[k];
            status = sumac_vector_set(context, points, point, bytes, 0, 1, &unchecked);
            if (status == SUMAC_OK) {
                status = sumac_vector_get(context, points, 0, 1, &montgomery, point, bytes);
            }
        }
        sumac_vector_destroy(points);
    }
    return status;
}

/* `memory` has the call's proofs, and then its public inputs. */
static sumac_status prove_all(const batch *all, uint8_t *memory)
{
    uint8_t *publics = memory + all->count * PROOF_BYTES;
    const size_t together = count_together(all);
    for (size_t first = 0; first < all->count; first += together) {
        const size_t left = all->count - first;
        const batch of = batch_of(all, first, left < together ? left : together);
        TRY(prove_batch(&of, memory + first * PROOF_BYTES, publics + first * publics_bytes(all)));
    }
    return to_montgomery(all, memory);
}

sumac_status sumac_supraseal_prove(supraseal_call *call, const supraseal_parameters *parameters,
                                   const supraseal_assignment *assignments, size_t count, const uint8_t *r,
                                   const uint8_t *s, uint8_t *proofs)
{
    density_rows rows = {NULL, NULL, 0};
    batch all = {call, parameters, assignments, r, s, count, 0, NULL};
    uint64_t bytes;
    for (size_t circuit = 0; circuit < count; circuit++) {
        TRY(check_assignment(&all, circuit));
    }
    if (__builtin_mul_overflow((uint64_t)count, PROOF_BYTES + publics_bytes(&all), &bytes)) {
        bytes = UINT64_MAX;
    }
    uint8_t *memory = malloc(bytes);
    if (memory == NULL) {
        return no_memory(&all, bytes);
    }
    all.shared = densities_are_equal(&all) ? &rows : NULL;
    const sumac_status status = prove_all(&all, memory);
    if (status == SUMAC_OK) {
        memcpy(proofs, memory, count * PROOF_BYTES);
    }
    free(rows.a);
    free(memory);
    return status;
}
