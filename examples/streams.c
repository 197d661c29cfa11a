/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Prepared calls on a CUDA stream of the caller: a run queues its work and returns, and sumac_context_wait() says
 * how it ended. Without CUDA (no -DUSE_CUDA) there is no stream, and each run is complete when it returns.
 *
 *     cc -DUSE_CUDA streams.c $(pkg-config --cflags --libs sumac) -lcudart
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef USE_CUDA
#include <cuda_runtime_api.h>
#endif
#include <sumac/sumac.h>

enum { N = 1000, RUNS = 3, SEED = 1 };

static void check(const sumac_context *context, sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

int main(void)
{
    static unsigned char logarithms[N * 32];
    const sumac_group *curve;
    sumac_context *context;
    sumac_bases *bases;
    sumac_call *call;
    void *stream = NULL, *scalars;
    unsigned char result[64], expected[64];
    int right = 0;
    sumac_context_config config = {.size = sizeof config};
#ifdef USE_CUDA
    config.backend = "cuda";
#endif
    check(NULL, sumac_group_find("bn254", "g1", &curve));
    check(NULL, sumac_context_create(&config, &context, NULL));
#ifdef USE_CUDA
    cudaStreamCreate((cudaStream_t *)&stream);
#endif
    check(context, sumac_known_bases_create(context, curve, N, SEED, NULL, &bases));
    check(context, sumac_known_logarithms(context, curve, N, SEED, logarithms));
    check(context,
          sumac_pinned_allocate(context, N * 32, &scalars)); /* page-locked, so that copies do not wait */

    sumac_msm_config msm = {.size = sizeof msm};
    msm.stream = stream;
    check(context, sumac_msm_prepare(context, bases, N, &msm, &call)); /* plans and allocates, once */
    for (int run = 0; run < RUNS; run++) {
        check(context, sumac_known_logarithms(context, curve, N, SEED + 1 + (uint64_t)run, scalars));
        check(context, sumac_call_run(call, scalars, N * 32, result, sizeof result));
        /* The host can do other work here, but must not touch scalars and result until the call has ended. */
        check(context, sumac_context_wait(context));
        check(context, sumac_known_answer(context, curve, scalars, logarithms, N, expected));
        right += memcmp(result, expected, sizeof expected) == 0;
    }
    printf("%d of %d runs are right\n", right, RUNS);

    sumac_call_destroy(call);
    sumac_pinned_free(scalars);
    sumac_bases_destroy(bases);
    sumac_context_destroy(context);
#ifdef USE_CUDA
    cudaStreamDestroy((cudaStream_t)stream);
#endif
    return right != RUNS;
}
