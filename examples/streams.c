/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program has a prover's steps on a CUDA stream of the caller. All calls are queued, and the host waits only
 * once, for the commitments. Without CUDA (no -DUSE_CUDA) there is no stream, and each call is complete when it
 * returns.
 *
 *     cc -DUSE_CUDA streams.c $(pkg-config --cflags --libs sumac) -lcudart
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef USE_CUDA
#include <cuda_runtime_api.h>
#endif
#include <sumac/experimental.h>
#include <sumac/vector.h>

enum { N = 1024, POLYNOMIALS = 3, SEED = 1 };

static void check(const sumac_context *context, sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

int main(void)
{
    static unsigned char logarithms[N * 32], values[N * 32], coefficients[N * 32];
    static const unsigned char shift[32] = {7};
    const sumac_group *group;
    sumac_context *context;
    sumac_bases *bases;
    sumac_vector *polynomials[POLYNOMIALS], *commitments;
    unsigned char results[POLYNOMIALS][64], expected[64];
    int right = 0;
    sumac_context_config config = {.size = sizeof config};
    sumac_transform_config inverse = {.size = sizeof inverse}, coset = inverse;
#ifdef USE_CUDA
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    config.backend = "cuda";
#endif
    check(NULL, sumac_group_find("bn254", "g1", &group));
    check(NULL, sumac_context_create(&config, &context, NULL));
#ifdef USE_CUDA
    check(context, sumac_context_set_stream(context, stream));
#endif
    check(context, sumac_known_bases_create(context, group, N, SEED, NULL, &bases));
    check(context, sumac_known_logarithms(context, group, N, SEED, logarithms, N * 32));
    check(context, sumac_known_logarithms(context, group, N, SEED + 1, values, N * 32));
    check(context, sumac_vector_create(context, group, SUMAC_VECTOR_POINTS, POLYNOMIALS, &commitments));
    for (int i = 0; i < POLYNOMIALS; i++) {
        check(context, sumac_vector_create(context, group, SUMAC_VECTOR_SCALARS, N, &polynomials[i]));
        check(context, sumac_vector_set(context, polynomials[i], values, sizeof values, 0, N, NULL));
    }

    /* Transform values to coefficients, to values on a coset, and back. A prover would multiply between the
     * transforms. */
    inverse.inverse = 1;
    coset.shift = shift;
    coset.shift_bytes = sizeof shift;
    check(context, sumac_vectors_ntt(context, polynomials, POLYNOMIALS, &inverse));
    check(context, sumac_vectors_ntt(context, polynomials, POLYNOMIALS, &coset));
    coset.inverse = 1;
    check(context, sumac_vectors_ntt(context, polynomials, POLYNOMIALS, &coset));
    for (size_t i = 0; i < POLYNOMIALS; i++) {
        check(context, sumac_msm_vectors(context, bases, polynomials[i], 0, N, NULL, commitments, i));
    }
    check(context, sumac_vector_get(context, commitments, 0, POLYNOMIALS, NULL, results, sizeof results));

    check(context, sumac_vector_get(context, polynomials[0], 0, N, NULL, coefficients, sizeof coefficients));
    check(context, sumac_known_answer(context, group, coefficients, N * 32, logarithms, N * 32, N, expected,
                                      sizeof expected));
    for (int i = 0; i < POLYNOMIALS; i++) {
        right += memcmp(results[i], expected, sizeof expected) == 0;
        sumac_vector_destroy(polynomials[i]);
    }
    printf("%d of %d commitments are right\n", right, POLYNOMIALS);

    sumac_vector_destroy(commitments);
    sumac_bases_destroy(bases);
    sumac_context_destroy(context);
#ifdef USE_CUDA
    cudaStreamDestroy(stream);
#endif
    return right != POLYNOMIALS;
}
