/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes quotients: step 6 of prove_steps.c and the two of fflonk_prove.c. The quotient T is a sum of some of the
 * following terms, divided by X^n - 1:
 *
 *   qM A B + qL A + qR B + qO C + sum_j qcp_j P_j + (qC + PI)                                              (the gates)
 *   + alpha ((A + beta X + gamma)(B + beta k1 X + gamma)(C + beta k2 X + gamma) Z(X)
 *            - (A + beta sigma1 + gamma)(B + beta sigma2 + gamma)(C + beta sigma3 + gamma) Z(w X))         (the permutation)
 *   + alpha^2 (Z - 1) L_1                                                                                  (Z's first value)
 *
 * If T has at most m n coefficients, its values on m cosets of the domain determine it: 2 for the gates alone, and 3 for the permutation
 * alone, if A, B and C have no more than n coefficients. All terms together give T 3n + 6 coefficients, T_0 + X^n T_1 + X^2n T_2
 * + X^3n T_3. Coefficient i of T_3 is coefficient 4n + i of the numerator, to which only the two products of four polynomials contribute,
 * by the last six coefficients of each. So T_3 is computed first, and m = 3 cosets determine the rest.
 *
 * One coset after another is computed, with vectors of n elements, so that no vector of m n elements is needed. On coset j every x has
 * x^n = c_j, where c_j is w_8^(2j + 1). So X^n - 1 is the number c_j - 1 there, and a polynomial with more than n coefficients has the
 * values of one with n, in which coefficient n + i is multiplied by c_j and added to coefficient i. The inverse transform of T's values
 * gives U_j = T mod (X^n - c_j). With T = T_0 + X^n T_1 + .. it is
 *
 *   U_j - c_j^m T_m = sum_k c_j^k T_k over k < m,  and so  T_k = sum_j l_jk (U_j - c_j^m T_m)
 *
 * where l_jk is coefficient k of the polynomial product_i (X - c_i)/(c_j - c_i), i not j, which is 1 at c_j and 0 at all other c_i.
 */
#include "plonk/prove_steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/try.h"

/* These are the numbers of factors of vectors. */
enum {
    F_BETA, /* times 1, k1 and k2 */
    F_GAMMA = F_BETA + GATE_WIRES,
    F_ALPHA,
    F_ONE,
    F_LAGRANGE, /* alpha^2 (c_j - 1)/n, of the coset */
    F_FOLD,     /* c_j */
    F_TAIL,     /* -c_j^m (c_j - 1), by which T_m is multiplied */
    F_PARTS,    /* l_jk / (c_j - 1) for each k */
    F_ALL = F_PARTS + COSETS
};

/* This is a coset on which the quotient is evaluated. All vectors but `columns` have n elements. */
typedef struct coset {
    const proving *p;
    const quotient_shape *shape;
    size_t j;
    const uint8_t *shift;
    sumac_vector *columns; /* values of A, B, C and Z */
    sumac_vector *sum;     /* the values of the numerator, as far as they are computed */
    sumac_vector *first, *second, *scratch, *fixed;
    sumac_vector *tail; /* the coefficients of T_m; null if it is 0 */
} coset;

static void free_coset(coset *c)
{
    sumac_vector **const all[] = {&c->columns, &c->sum,   &c->first, &c->second,
                                  &c->scratch, &c->fixed, &c->tail};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free_vector(all[i]);
    }
}

static sumac_vector column(const coset *c, size_t k)
{
    return vector_part(c->columns, k * c->p->n, c->p->n);
}

static sumac_status transform(const coset *c, sumac_vector *vector, int inverse)
{
    const sumac_transform_config config = key_transform(c->p->key, c->shift, inverse);
    return vector_ntt(c->p->self, vector, &config);
}

/* ---- Factors ---- */

static sumac_status set_fixed_factors(const proving *p, const quotient_shape *shape)
{
    const sumac_plonk_verifying_key *verifying = p->key->verifying;
    const host_scalar beta = transcript_get(&p->transcript, BETA);
    const host_scalar factors[F_LAGRANGE] = {[F_BETA] = beta,
                                             [F_BETA + 1] = host_multiply(p->group, beta, verifying->k1),
                                             [F_BETA + 2] = host_multiply(p->group, beta, verifying->k2),
                                             [F_GAMMA] = transcript_get(&p->transcript, GAMMA),
                                             [F_ALPHA] = shape->alpha,
                                             [F_ONE] = host_integer(p->group, 1)};
    return plonk_set_factors(p, 0, factors, F_LAGRANGE);
}

/* Return c_j. */
static host_scalar constant_of(const coset *c, size_t j)
{
    const sumac_plonk_key *key = c->p->key;
    return host_square(c->p->group, host_from_raw(c->p->group, key->shifts[j]), key->verifying->power);
}

/* Compute l_jk for each k, by multiplying the polynomial by one X - c_i after another. */
static void interpolate(const coset *c, host_scalar *l)
{
    const sumac_group *g = c->p->group;
    const host_scalar own = constant_of(c, c->j);
    size_t degree = 0;
    l[0] = host_integer(g, 1);
    for (size_t i = 0; i < c->shape->cosets; i++) {
        if (i != c->j) {
            const host_scalar other = constant_of(c, i);
            const host_scalar scale = host_invert(g, host_subtract(g, own, other));
            host_scalar above = host_integer(g, 0);
            degree++;
            l[degree] = host_integer(g, 0);
            for (size_t k = 0; k <= degree; k++) {
                const host_scalar present = l[k];
                l[k] = host_multiply(g, host_subtract(g, above, host_multiply(g, other, present)), scale);
                above = present;
            }
        }
    }
}

static sumac_status set_factors(const coset *c)
{
    const sumac_group *g = c->p->group;
    const host_scalar alpha = c->shape->alpha, folded = constant_of(c, c->j);
    const host_scalar divisor = host_subtract(g, folded, host_integer(g, 1));
    const host_scalar inverse = host_invert(g, divisor);
    host_scalar factors[F_ALL - F_LAGRANGE];
    factors[0] = host_multiply(g, host_multiply(g, alpha, alpha),
                               host_multiply(g, divisor, host_invert(g, host_integer(g, c->p->n))));
    factors[F_FOLD - F_LAGRANGE] = folded;
    factors[F_TAIL - F_LAGRANGE] =
        host_negate(g, host_multiply(g, host_power(g, folded, c->shape->cosets), divisor));
    interpolate(c, &factors[F_PARTS - F_LAGRANGE]);
    for (size_t k = 0; k < c->shape->cosets; k++) {
        host_scalar *part = &factors[F_PARTS - F_LAGRANGE + k];
        *part = host_multiply(g, *part, inverse);
    }
    return plonk_set_factors(c->p, F_LAGRANGE, factors, F_PARTS - F_LAGRANGE + c->shape->cosets);
}

/* ---- Values ---- */

/* Compute the values of a row of coefficients, of which those beyond n are folded. */
static sumac_status evaluate_row(const coset *c, const sumac_vector *rows, size_t k, sumac_vector *values)
{
    const proving *p = c->p;
    const sumac_vector above = vector_part(rows, k * p->row + p->n, p->more),
                       fold = proving_factor(p, F_FOLD);
    sumac_vector begin = vector_part(values, 0, p->more);
    TRY(vector_copy_range(p->self, values, 0, rows, k * p->row, p->n));
    TRY(vector_multiply_add(p->self, &begin, &above, &fold, 1, &begin));
    return transform(c, values, 0);
}

static sumac_status evaluate_columns(const coset *c)
{
    for (size_t k = 0; k < (c->shape->has_product ? BLINDED : GATE_WIRES); k++) {
        sumac_vector values = column(c, k);
        TRY(k < GATE_WIRES ? evaluate_row(c, c->p->wires, k, &values)
                           : evaluate_row(c, c->p->product, 0, &values));
    }
    return SUMAC_OK;
}

/* Return the values of a polynomial of the key: those that are kept, or else c->fixed, after it has been computed. */
static sumac_status evaluate_fixed(const coset *c, plonk_item which, sumac_vector *values)
{
    const proving *p = c->p;
    if (p->key->kept != NULL) {
        *values = vector_part(p->key->kept, key_kept_row(p->key, key_number(which), c->j) * p->n, p->n);
        return SUMAC_OK;
    }
    *values = *c->fixed;
    TRY(vector_copy_range(p->self, c->fixed, 0, p->key->polynomials, key_number(which) * p->n, p->n));
    return transform(c, c->fixed, 0);
}

/* ---- The terms of the numerator ---- */

static sumac_status add_gates(const coset *c)
{
    const proving *p = c->p;
    const sumac_vector a = column(c, 0), b = column(c, 1);
    sumac_vector values;
    TRY(vector_copy_range(p->self, c->sum, 0, p->constants, 0, p->n));
    TRY(transform(c, c->sum, 0));
    TRY(evaluate_fixed(c, KEY_QM, &values));
    TRY(vector_multiply(p->self, c->scratch, &a, &b, 1));
    TRY(vector_multiply_add(p->self, c->sum, &values, c->scratch, 1, c->sum));
    for (size_t k = 0; k < GATE_WIRES; k++) {
        const sumac_vector wire = column(c, k);
        TRY(evaluate_fixed(c, (plonk_item)(KEY_QL + k), &values));
        TRY(vector_multiply_add(p->self, c->sum, &values, &wire, 1, c->sum));
    }
    for (uint32_t i = 0; i < p->commitments; i++) {
        TRY(evaluate_row(c, p->wires, GATE_WIRES + i, c->first));
        TRY(evaluate_fixed(c, (plonk_item)(KEY_QCP + i), &values));
        TRY(vector_multiply_add(p->self, c->sum, &values, c->first, 1, c->sum));
    }
    return SUMAC_OK;
}

/* Set a vector to the coset's points. */
static sumac_status fill_points(const coset *c, sumac_vector *points)
{
    TRY(vector_fill_integer(c->p->self, points, 1));
    return vector_scale_powers(c->p->self, points, c->p->n, c->shift, c->p->key->root);
}

static sumac_status add_permutation(const coset *c)
{
    const proving *p = c->p;
    const sumac_vector z = column(c, GATE_WIRES), alpha = proving_factor(p, F_ALPHA);
    sumac_vector values;
    TRY(fill_points(c, c->second));
    for (size_t k = 0; k < GATE_WIRES; k++) {
        const sumac_vector wire = column(c, k);
        TRY(plonk_permute(p, c->first, k == 0, &wire, c->second, F_BETA + k, F_GAMMA, c->scratch));
    }
    TRY(vector_multiply(p->self, c->first, c->first, &z, 1));
    for (size_t k = 0; k < GATE_WIRES; k++) {
        const sumac_vector wire = column(c, k);
        TRY(evaluate_fixed(c, (plonk_item)(KEY_S1 + k), &values));
        TRY(plonk_permute(p, c->second, k == 0, &wire, &values, F_BETA, F_GAMMA, c->scratch));
    }
    /* Z(w X) at a point is Z at the next one. */
    TRY(vector_copy_range(p->self, c->scratch, 0, &z, 1, p->n - 1));
    TRY(vector_copy_range(p->self, c->scratch, p->n - 1, &z, 0, 1));
    TRY(vector_multiply(p->self, c->second, c->second, c->scratch, 1));
    TRY(vector_subtract(p->self, c->first, c->first, c->second, 1));
    return vector_multiply_add(p->self, c->sum, c->first, &alpha, 1, c->sum);
}

/* L_1 is (X^n - 1)/(n (X - 1)). */
static sumac_status add_first_value(const coset *c)
{
    const proving *p = c->p;
    const sumac_vector z = column(c, GATE_WIRES), one = proving_factor(p, F_ONE),
                       lagrange = proving_factor(p, F_LAGRANGE);
    TRY(fill_points(c, c->first));
    TRY(vector_subtract(p->self, c->first, c->first, &one, 1));
    TRY(vector_invert(p->self, c->first));
    TRY(vector_subtract(p->self, c->second, &z, &one, 1));
    TRY(vector_multiply(p->self, c->first, c->first, c->second, 1));
    return vector_multiply_add(p->self, c->sum, c->first, &lagrange, 1, c->sum);
}

/* Add a factor times u to the quotient's coefficients from `at` on. */
static sumac_status add_run(const coset *c, size_t at, const sumac_vector *u, const sumac_vector *factor)
{
    const proving *p = c->p;
    const quotient_shape *shape = c->shape;
    for (size_t done = 0, some; done < u->count; done += some) {
        const size_t k = smaller((at + done) / shape->step, shape->parts - 1),
                     begin = at + done - k * shape->step;
        some = k < shape->parts - 1 ? smaller(u->count - done, shape->step - begin) : u->count - done;
        const sumac_vector from = vector_part(u, done, some);
        sumac_vector to = vector_part(p->quotient, shape->first + k * p->row + begin, some);
        TRY(vector_multiply_add(p->self, &to, &from, factor, 1, &to));
    }
    return SUMAC_OK;
}

/* Add the coset's multiples of U_j - c_j^m T_m to the parts of the quotient. */
static sumac_status add_to_parts(const coset *c)
{
    const proving *p = c->p;
    TRY(transform(c, c->sum, 1));
    if (c->tail != NULL) {
        const sumac_vector above = proving_factor(p, F_TAIL);
        sumac_vector begin = vector_part(c->sum, 0, QUOTIENT_TAIL);
        TRY(vector_multiply_add(p->self, &begin, c->tail, &above, 1, &begin));
    }
    for (size_t k = 0; k < c->shape->cosets; k++) {
        const sumac_vector factor = proving_factor(p, F_PARTS + k);
        TRY(add_run(c, k * p->n, c->sum, &factor));
    }
    return SUMAC_OK;
}

/* ---- The last coefficients ---- */

/* The last coefficients of a polynomial, in ascending order. */
typedef struct ending {
    host_scalar last[QUOTIENT_TAIL];
} ending;

static ending multiply_endings(const sumac_group *g, const ending *a, const ending *b)
{
    ending product;
    for (size_t i = 0; i < QUOTIENT_TAIL; i++) {
        product.last[i] = host_integer(g, 0);
        for (size_t j = i; j < QUOTIENT_TAIL; j++) {
            product.last[i] = host_add(g, product.last[i],
                                       host_multiply(g, a->last[j], b->last[QUOTIENT_TAIL - 1 - (j - i)]));
        }
    }
    return product;
}

/* Get the endings of A, B, C and Z, and those of sigma1, sigma2 and sigma3 as if these had the degrees of A, B and C. */
static sumac_status get_endings(const proving *p, ending *endings)
{
    const blinding_row *blinded = p->key->verifying->flavour->blinded;
    const size_t all = BLINDED + GATE_WIRES, each = p->group->scalar_bytes;
    uint8_t raw[(BLINDED + GATE_WIRES) * QUOTIENT_TAIL * MOST_SCALAR_BYTES];
    CLEANUP(free_vector) sumac_vector *some = NULL;
    TRY(vector_create_zeros(p->self, p->group, SUMAC_VECTOR_SCALARS, all * QUOTIENT_TAIL, &some));
    for (size_t k = 0; k < all; k++) {
        const size_t first = p->n + blinded[k % BLINDED].count - QUOTIENT_TAIL;
        const size_t count = k < BLINDED ? QUOTIENT_TAIL : p->n - first;
        const sumac_vector *from = k < GATE_WIRES ? p->wires : k < BLINDED ? p->product : p->key->polynomials;
        const size_t at = k < GATE_WIRES ? k * p->row : k < BLINDED ? 0 : (KEY_S1 + k - BLINDED) * p->n;
        TRY(vector_copy_range(p->self, some, k * QUOTIENT_TAIL, from, at + first, count));
    }
    TRY(vector_get(p->self, some, 0, some->count, raw, NULL));
    for (size_t i = 0; i < all * QUOTIENT_TAIL; i++) {
        endings[i / QUOTIENT_TAIL].last[i % QUOTIENT_TAIL] = host_from_raw(p->group, raw + i * each);
    }
    return SUMAC_OK;
}

/* Compute T_m, and add it to the quotient. Beside A, B and C, terms of degree 0 and 1 do not matter. In Z(w X), coefficient d is multiplied by w^d. */
static sumac_status compute_tail(coset *c)
{
    const proving *p = c->p;
    const sumac_group *g = p->group;
    const sumac_plonk_verifying_key *verifying = p->key->verifying;
    const host_scalar alpha = c->shape->alpha, beta = transcript_get(&p->transcript, BETA);
    ending endings[BLINDED + GATE_WIRES], *z = &endings[GATE_WIRES];
    TRY(get_endings(p, endings));
    host_scalar power =
        host_power(g, verifying->root, p->n + verifying->flavour->blinded[GATE_WIRES].count - QUOTIENT_TAIL);
    ending first = *z;
    for (size_t i = 0; i < QUOTIENT_TAIL; i++) {
        z->last[i] = host_multiply(g, z->last[i], power);
        power = host_multiply(g, power, verifying->root);
    }
    for (size_t k = 0; k < GATE_WIRES; k++) {
        first = multiply_endings(g, &first, &endings[k]);
        for (size_t i = 0; i < QUOTIENT_TAIL; i++) {
            endings[k].last[i] =
                host_add(g, endings[k].last[i], host_multiply(g, beta, endings[BLINDED + k].last[i]));
        }
        *z = multiply_endings(g, z, &endings[k]);
    }
    for (size_t i = 0; i < QUOTIENT_TAIL; i++) {
        first.last[i] = host_multiply(g, alpha, host_subtract(g, first.last[i], z->last[i]));
    }
    TRY(proving_scalars(p, QUOTIENT_TAIL, &c->tail));
    TRY(plonk_set_factors(p, F_ALL, first.last, QUOTIENT_TAIL));
    TRY(vector_copy_range(p->self, c->tail, 0, p->factors, F_ALL, QUOTIENT_TAIL));
    const sumac_vector one = proving_factor(p, F_ONE);
    return add_run(c, c->shape->cosets * p->n, c->tail, &one);
}

/* ---- All cosets ---- */

/* Compute the coefficients of qC + PI. PI has the values -x_j, or for gnark x_j, at the first powers of w, the values of the circuit's
 * commitments at their gates, and 0 at the others. */
static sumac_status add_publics(proving *p)
{
    const sumac_transform_config config = key_transform(p->key, NULL, 1);
    const sumac_vector qc = key_polynomial(p->key, KEY_QC);
    const size_t publics = p->key->verifying->publics;
    TRY(vector_create_zeros(p->self, p->group, SUMAC_VECTOR_SCALARS, p->n, &p->constants));
    if (publics > 0) {
        TRY(vector_set(p->self, p->constants, 0, publics, p->transcript.publics, NULL));
    }
    TRY(plonk_add_commitments(p, p->constants));
    if (publics + p->commitments > 0) {
        TRY(vector_ntt(p->self, p->constants, &config));
    }
    return p->key->verifying->flavour->adds_publics
               ? vector_add(p->self, p->constants, &qc, p->constants, 1)
               : vector_subtract(p->self, p->constants, &qc, p->constants, 1);
}

static sumac_status compute_coset(const coset *c)
{
    TRY(set_factors(c));
    TRY(evaluate_columns(c));
    TRY(c->shape->has_gates ? add_gates(c) : vector_fill_integer(c->p->self, c->sum, 0));
    if (c->shape->has_product) {
        TRY(add_permutation(c));
    }
    if (c->shape->has_first_value) {
        TRY(add_first_value(c));
    }
    return add_to_parts(c);
}

sumac_status plonk_divide_by_vanishing(proving *p, const quotient_shape *shape)
{
    CLEANUP(free_coset) coset c = {.p = p, .shape = shape};
    if (shape->has_gates) {
        TRY(add_publics(p));
    }
    TRY(set_fixed_factors(p, shape));
    TRY(proving_scalars(p, BLINDED * p->n, &c.columns));
    TRY(proving_scalars(p, p->n, &c.sum));
    TRY(proving_scalars(p, p->n, &c.first));
    TRY(proving_scalars(p, p->n, &c.second));
    TRY(proving_scalars(p, p->n, &c.scratch));
    if (p->key->kept == NULL) {
        TRY(proving_scalars(p, p->n, &c.fixed));
    }
    if (shape->has_tail) {
        TRY(compute_tail(&c));
    }
    for (c.j = 0; c.j < shape->cosets; c.j++) {
        c.shift = p->key->shifts[c.j];
        TRY(compute_coset(&c));
    }
    free_vector(&p->constants);
    return SUMAC_OK;
}

sumac_status plonk_quotient(proving *p)
{
    transcript_challenge(&p->transcript, ALPHA);
    const quotient_shape shape = {.cosets = COSETS,
                                  .has_gates = 1,
                                  .has_product = 1,
                                  .has_first_value = 1,
                                  .alpha = transcript_get(&p->transcript, ALPHA),
                                  .parts = QUOTIENT_PARTS,
                                  .step = p->n + p->key->verifying->flavour->part_more,
                                  .has_tail = 1};
    TRY(vector_create_zeros(p->self, p->group, SUMAC_VECTOR_SCALARS, QUOTIENT_PARTS * p->row, &p->quotient));
    return plonk_divide_by_vanishing(p, &shape);
}
