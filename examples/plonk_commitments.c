/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program makes the commitments of a PLONK prover. The SRS is resident. The wires' columns lie where the context
 * computes, which is a GPU's memory if there is one. Their values at roots of unity become coefficients. All columns
 * are committed to at once. They are opened together at a challenge z, folded by powers of a challenge v. At the end
 * the program verifies the opening.
 *
 * The program knows the secret, because it makes its own SRS. The challenges do not come from a transcript. A real
 * SRS comes from a ceremony: sumac_bases_open() reads .ptau and ParamsKZG.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sumac/pairing.h>
#include <sumac/srs.h>

enum { ROWS = 1024, COLUMNS = 3, SCALAR = 32, G1 = 64, G2 = 128 };
static const unsigned char one[SCALAR] = {1}, secret[SCALAR] = {42}, z[SCALAR] = {9}, v[SCALAR] = {7};
static sumac_context *context;
static const sumac_group *g1, *g2;

static void check(sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

static sumac_vector *vector(sumac_vector_kind kind, size_t n)
{
    sumac_vector *made;
    check(sumac_vector_create(context, g1, kind, n, &made));
    return made;
}

/* Return the vector 1, x, x^2, ... */
static sumac_vector *powers(const unsigned char *x, size_t n)
{
    sumac_vector *made = vector(SUMAC_VECTOR_SCALARS, n);
    check(sumac_vector_fill(context, made, one, sizeof one));
    check(sumac_vector_scale_powers(context, made, NULL, 0, x, SCALAR, n));
    return made;
}

static void sum(const sumac_group *group, const void *points, const void *scalars, size_t n, void *result)
{
    sumac_bases *bases;
    check(sumac_bases_create(context, group, points, n * group->point_bytes, n, NULL, &bases));
    check(sumac_msm(context, bases, scalars, n * group->scalar_bytes, n, NULL, result, group->point_bytes));
    sumac_bases_destroy(bases);
}

/* Make G, s*G, s^2*G, ... by a batch of MSMs of one base. */
static sumac_bases *make_srs(void)
{
    unsigned char generator[G1];
    sumac_bases *base, *srs;
    sumac_vector *scalars = powers(secret, ROWS), *points = vector(SUMAC_VECTOR_POINTS, ROWS);
    sumac_msm_config config = {.size = sizeof config};
    config.batch = ROWS;
    check(sumac_group_generator(g1, generator, g1->point_bytes));
    check(sumac_bases_create(context, g1, generator, sizeof generator, 1, NULL, &base));
    check(sumac_msm_vectors(context, base, scalars, 0, 1, &config, points, 0));
    check(sumac_bases_create_from_vector(context, points, 0, ROWS, NULL, &srs));
    sumac_bases_destroy(base);
    sumac_vector_destroy(scalars);
    sumac_vector_destroy(points);
    return srs;
}

/* Return column k of the columns as a view, without a copy. */
static sumac_vector *column(sumac_vector *columns, size_t k)
{
    sumac_vector *view;
    check(sumac_vector_view(context, columns, k * ROWS, ROWS, &view));
    return view;
}

/* Make columns a, b and c = a*b of values, for rows 0, 1, ... The product is computed where the columns lie. */
static sumac_vector *make_witness(void)
{
    static unsigned char values[2 * ROWS][SCALAR];
    for (int i = 0; i < ROWS; i++) {
        values[i][0] = values[ROWS + i][1] = (unsigned char)i;
        values[i][1] = (unsigned char)(i >> 8);
    }
    sumac_vector *columns = vector(SUMAC_VECTOR_SCALARS, COLUMNS * ROWS);
    check(sumac_vector_set(context, columns, values, sizeof values, 0, 2 * ROWS, NULL));
    sumac_vector *a = column(columns, 0), *b = column(columns, 1), *c = column(columns, 2);
    check(sumac_vector_multiply(context, a, b, 1, c));
    sumac_vector_destroy(a);
    sumac_vector_destroy(b);
    sumac_vector_destroy(c);
    return columns;
}

/* Add the columns times 1, v, v^2, ... by Horner's rule. */
static sumac_vector *fold(sumac_vector *columns)
{
    sumac_vector *folded = vector(SUMAC_VECTOR_SCALARS, ROWS), *factor = vector(SUMAC_VECTOR_SCALARS, 1);
    check(sumac_vector_fill(context, factor, v, sizeof v));
    for (size_t k = COLUMNS; k-- > 0;) {
        sumac_vector *addend = column(columns, k);
        check(sumac_vector_multiply_add(context, folded, factor, 1, addend, folded));
        sumac_vector_destroy(addend);
    }
    sumac_vector_destroy(factor);
    return folded;
}

/* Compute r - n, which is -n in the scalar field, little-endian. */
static void minus(uint64_t n, unsigned char scalar[SCALAR])
{
    const uint64_t *r = g1->order;
    for (int i = 0; i < SCALAR; i++) {
        scalar[i] = (unsigned char)((i < 8 ? r[0] - n : r[i / 8]) >> (8 * (i % 8)));
    }
}

/* Verify e(-F + y*G - z*proof, H) * e(proof, s*H) = 1, where F is the folded commitment. */
static int verify(const unsigned char commitments[COLUMNS][G1], const unsigned char *y,
                  const unsigned char *proof)
{
    unsigned char factors[COLUMNS][SCALAR], points[3][G1], coefficients[3][SCALAR], pairs[2][G1],
        others[2][G2];
    sumac_vector *scalars = powers(v, COLUMNS);
    int holds;
    check(sumac_vector_get(context, scalars, 0, COLUMNS, NULL, factors, sizeof factors));
    sum(g1, commitments, factors, COLUMNS, points[0]);
    check(sumac_group_generator(g1, points[1], g1->point_bytes));
    memcpy(points[2], proof, G1);
    minus(1, coefficients[0]);
    memcpy(coefficients[1], y, SCALAR);
    minus(z[0], coefficients[2]);
    sum(g1, points, coefficients, 3, pairs[0]);
    memcpy(pairs[1], proof, G1);
    check(sumac_group_generator(g2, others[0], g2->point_bytes));
    sum(g2, others[0], secret, 1, others[1]);
    check(sumac_pairing_check(context, g1, pairs, sizeof pairs, others, sizeof others, 2,
                              SUMAC_CHECK_SUBGROUP, &holds));
    sumac_vector_destroy(scalars);
    return holds;
}

int main(void)
{
    unsigned char commitments[COLUMNS][G1], y[SCALAR], proof[G1];
    check(sumac_group_find("bn254", "g1", &g1));
    check(sumac_group_find("bn254", "g2", &g2));
    check(sumac_context_create(NULL, &context, NULL));
    sumac_bases *srs = make_srs();
    sumac_vector *columns = make_witness(), *z_vector = vector(SUMAC_VECTOR_SCALARS, 1);
    sumac_vector *committed = vector(SUMAC_VECTOR_POINTS, COLUMNS), *opened = vector(SUMAC_VECTOR_POINTS, 1);

    sumac_transform_config to_coefficients = {.size = sizeof to_coefficients};
    to_coefficients.inverse = 1;
    to_coefficients.length = ROWS;
    check(sumac_vector_ntt(context, columns, &to_coefficients));
    check(sumac_srs_commit(context, srs, columns, ROWS, committed));
    check(sumac_vector_get(context, committed, 0, COLUMNS, NULL, commitments, sizeof commitments));

    sumac_vector *folded = fold(columns);
    check(sumac_vector_fill(context, z_vector, z, sizeof z));
    check(sumac_srs_open(context, srs, folded, ROWS, z_vector, z_vector, opened)); /* the value replaces z */
    check(sumac_vector_get(context, z_vector, 0, 1, NULL, y, sizeof y));
    check(sumac_vector_get(context, opened, 0, 1, NULL, proof, sizeof proof));

    const int holds = verify((const unsigned char(*)[G1])commitments, y, proof);
    y[0] ^= 1;
    const int other_holds = verify((const unsigned char(*)[G1])commitments, y, proof);
    printf("%d columns of %d rows: the opening %s, another value %s\n", COLUMNS, ROWS,
           holds ? "holds" : "does not hold", other_holds ? "holds" : "does not hold");

    sumac_vector_destroy(columns);
    sumac_vector_destroy(folded);
    sumac_vector_destroy(z_vector);
    sumac_vector_destroy(committed);
    sumac_vector_destroy(opened);
    sumac_bases_destroy(srs);
    sumac_context_destroy(context);
    return !holds || other_holds;
}
