/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * KZG over any curve with a pairing: commit to f = 1 + 2x + 3x^2, open it at 5, verify with a pairing. The secret
 * is known here, as this program makes its own SRS; a real one comes from a ceremony, by sumac_bases_open().
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sumac/pairing.h>
#include <sumac/srs.h>

enum { N = 3 };
static sumac_context *context;
static const sumac_curve *g1, *g2;

static void check(sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

static sumac_vector *vector(sumac_vector_kind kind, size_t n, const void *elements)
{
    sumac_vector *made;
    check(sumac_vector_create(context, g1, kind, n, &made));
    check(elements == NULL ? SUMAC_OK : sumac_vector_set(context, made, elements, 0, n, NULL));
    return made;
}

static void sum(const sumac_curve *curve, const void *points, const void *scalars, size_t n, void *result)
{
    sumac_bases *bases;
    check(sumac_bases_create(context, curve, points, n, NULL, &bases));
    check(sumac_msm(context, bases, scalars, n, NULL, result));
    sumac_bases_destroy(bases);
}

/* r - n, little-endian: -n in the scalar field. */
static void minus(uint64_t n, unsigned char scalar[32])
{
    const uint64_t *r = sumac_curve_describe(g1)->order;
    for (int i = 0; i < 32; i++) {
        scalar[i] = (unsigned char)((i < 8 ? r[0] - n : r[i / 8]) >> (8 * (i % 8)));
    }
}

int main(void)
{
    static const unsigned char secret[32] = {42}, coefficients[N][32] = {{1}, {2}, {3}}, place[32] = {5};
    static const unsigned char powers[N][32] = {{1}, {42}, {0xe4, 6}}; /* 42^2 = 0x6e4 */
    unsigned char srs_points[N][96], points[3][96], factors[3][32] = {{0}}, pairs[2][96], others[2][192];
    sumac_bases *srs;
    int holds;
    check(sumac_curve_find("bls12-381", "g1", &g1));
    check(sumac_curve_find("bls12-381", "g2", &g2));
    check(sumac_context_create(NULL, &context, NULL));
    sumac_curve_generator(g1, points[1]);
    sumac_curve_generator(g2, others[0]);
    for (int i = 0; i < N; i++) {
        sum(g1, points[1], powers[i], 1, srs_points[i]);
    }
    check(sumac_bases_create(context, g1, srs_points, N, NULL, &srs));

    sumac_vector *f = vector(SUMAC_VECTOR_SCALARS, N, coefficients),
                 *z = vector(SUMAC_VECTOR_SCALARS, 1, place);
    sumac_vector *c = vector(SUMAC_VECTOR_POINTS, 1, NULL), *proof = vector(SUMAC_VECTOR_POINTS, 1, NULL);
    check(sumac_srs_commit(context, srs, f, N, c));
    check(sumac_srs_open(context, srs, f, N, z, z, proof)); /* the value takes the place of z */
    check(sumac_vector_get(context, c, 0, 1, NULL, points[0]));
    check(sumac_vector_get(context, z, 0, 1, NULL, factors[1]));
    check(sumac_vector_get(context, proof, 0, 1, NULL, points[2]));

    /* e(-C + y*G - z*proof, H) * e(proof, s*H) = 1 */
    minus(1, factors[0]);
    minus(place[0], factors[2]);
    sum(g1, points, factors, 3, pairs[0]);
    memcpy(pairs[1], points[2], sizeof points[2]);
    sum(g2, others[0], secret, 1, others[1]);
    check(sumac_pairing_check(context, g1, pairs, others, 2, SUMAC_CHECK_SUBGROUP, &holds));
    printf("f(5) = %d, and the proof %s\n", factors[1][0], holds ? "holds" : "does not hold");

    sumac_vector_destroy(f);
    sumac_vector_destroy(z);
    sumac_vector_destroy(c);
    sumac_vector_destroy(proof);
    sumac_bases_destroy(srs);
    sumac_context_destroy(context);
    return !holds;
}
