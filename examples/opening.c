/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program uses KZG over any curve with a pairing: it commits to f = 1 + 2x + 3x^2, opens f at 5, and verifies
 * the opening with a pairing. It makes an SRS from a secret that it knows. A real SRS comes from a ceremony's file,
 * which sumac_bases_open() reads.
 */
#include <stdio.h>
#include <stdlib.h>

#include <sumac/srs.h>

enum { N = 3, SCALAR = 32 };
static sumac_context *context;
static const sumac_group *g1, *g2;

static void check(sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

static sumac_vector *vector(sumac_vector_kind kind, size_t n, const void *elements)
{
    sumac_vector *created;
    check(sumac_vector_create(context, g1, kind, n, &created));
    check(elements == NULL ? SUMAC_OK : sumac_vector_set(context, created, elements, n * SCALAR, 0, n, NULL));
    return created;
}

static void multiply(const sumac_group *group, const void *point, const void *scalar, void *result)
{
    sumac_bases *bases;
    check(sumac_bases_create(context, group, point, group->point_bytes, 1, NULL, &bases));
    check(sumac_msm(context, bases, scalar, group->scalar_bytes, 1, NULL, result, group->point_bytes));
    sumac_bases_destroy(bases);
}

int main(void)
{
    static const unsigned char secret[32] = {42}, coefficients[N][32] = {{1}, {2}, {3}}, point[32] = {5};
    static const unsigned char powers[N][32] = {{1}, {42}, {0xe4, 6}}; /* 42^2 = 0x6e4 */
    unsigned char srs_points[N][96], generator[96], g2_points[2][192], value[32];
    sumac_bases *srs;
    int holds;
    check(sumac_group_find("bls12-381", "g1", &g1));
    check(sumac_group_find("bls12-381", "g2", &g2));
    check(sumac_context_create(NULL, &context, NULL));
    check(sumac_group_generator(g1, generator, g1->point_bytes));
    check(sumac_group_generator(g2, g2_points[0], g2->point_bytes));
    for (int i = 0; i < N; i++) {
        multiply(g1, generator, powers[i], srs_points[i]);
    }
    multiply(g2, g2_points[0], secret, g2_points[1]);
    check(sumac_bases_create(context, g1, srs_points, sizeof srs_points, N, NULL, &srs));

    sumac_vector *f = vector(SUMAC_VECTOR_SCALARS, N, coefficients),
                 *z = vector(SUMAC_VECTOR_SCALARS, 1, point), *y = vector(SUMAC_VECTOR_SCALARS, 1, NULL);
    sumac_vector *c = vector(SUMAC_VECTOR_POINTS, 1, NULL), *proof = vector(SUMAC_VECTOR_POINTS, 1, NULL);
    check(sumac_srs_commit(context, srs, f, N, c));
    check(sumac_srs_open(context, srs, f, N, z, y, proof));
    check(sumac_srs_verify(context, g1, srs_points[0], sizeof srs_points[0], g2_points, sizeof g2_points, c,
                           z, y, proof, &holds));
    check(sumac_vector_get(context, y, 0, 1, NULL, value, sizeof value));
    printf("f(5) = %d, and the proof %s\n", value[0], holds ? "holds" : "does not hold");

    sumac_vector_destroy(f);
    sumac_vector_destroy(z);
    sumac_vector_destroy(y);
    sumac_vector_destroy(c);
    sumac_vector_destroy(proof);
    sumac_bases_destroy(srs);
    sumac_context_destroy(context);
    return !holds;
}
