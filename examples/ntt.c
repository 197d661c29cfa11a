/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program has a prover's steps: it multiplies two polynomials by number-theoretic transforms, and commits to the
 * product. All data stay in vectors, which lie where the context computes: on a GPU, if there is one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sumac/experimental.h>
#include <sumac/vector.h>

enum { N = 4, SEED = 1 }; /* N is a power of two above the product's degree, which is 2 */

static void check(const sumac_context *context, sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

/* Compute the values of the polynomial with these coefficients at the roots of unity. */
static sumac_vector *values_of(sumac_context *context, const sumac_group *group,
                               const unsigned char coefficients[N][32])
{
    sumac_vector *vector;
    check(context, sumac_vector_create(context, group, SUMAC_VECTOR_SCALARS, N, &vector));
    check(context, sumac_vector_set(context, vector, coefficients, N * sizeof *coefficients, 0, N, NULL));
    check(context, sumac_vector_ntt(context, vector, NULL));
    return vector;
}

int main(void)
{
    static const unsigned char first[N][32] = {{1}, {2}}, second[N][32] = {{3}, {4}}; /* 1 + 2x, 3 + 4x */
    unsigned char product[N][32], commitment[64], expected[64];
    const sumac_group *group;
    sumac_context *context;
    sumac_bases *bases;
    check(NULL, sumac_group_find("bn254", "g1", &group));
    check(NULL, sumac_context_create(NULL, &context, NULL));

    sumac_vector *a = values_of(context, group, first), *b = values_of(context, group, second), *point;
    check(context, sumac_vector_multiply(context, a, b, 1, a));
    sumac_transform_config back = {.size = sizeof back};
    back.inverse = 1;
    check(context, sumac_vector_ntt(context, a, &back));
    check(context, sumac_vector_get(context, a, 0, N, NULL, product, sizeof product));

    /* A real prover loads its bases from a file. The result of the MSM is a vector of one point. */
    check(context, sumac_known_bases_create(context, group, N, SEED, NULL, &bases));
    check(context, sumac_vector_create(context, group, SUMAC_VECTOR_POINTS, 1, &point));
    check(context, sumac_msm_vectors(context, bases, a, 0, N, NULL, point, 0));
    check(context, sumac_vector_get(context, point, 0, 1, NULL, commitment, sizeof commitment));
    check(context, sumac_msm(context, bases, product, sizeof product, N, NULL, expected, sizeof expected));
    printf("(1 + 2x)(3 + 4x) = %d + %dx + %dx^2, and its commitment is %s\n", product[0][0], product[1][0],
           product[2][0], memcmp(commitment, expected, sizeof expected) == 0 ? "right" : "wrong");

    sumac_vector_destroy(a);
    sumac_vector_destroy(b);
    sumac_vector_destroy(point);
    sumac_bases_destroy(bases);
    sumac_context_destroy(context);
    return 0;
}
