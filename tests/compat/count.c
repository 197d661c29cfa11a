/* SPDX-License-Identifier: Apache-2.0 OR MIT */
// This library is loaded by LD_PRELOAD before sumac. It counts a program's calls for sums and transforms, and prints their numbers
// at the end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sumac/vector.h>

static atomic_size_t sums, transforms;

sumac_status sumac_msm(sumac_context *context, const sumac_bases *bases, const void *scalars,
                       size_t scalars_bytes, size_t n, const sumac_msm_config *config, void *results,
                       size_t results_bytes)
{
    __typeof__(&sumac_msm) msm = (__typeof__(&sumac_msm))dlsym(RTLD_NEXT, "sumac_msm");
    atomic_fetch_add(&sums, 1);
    return msm(context, bases, scalars, scalars_bytes, n, config, results, results_bytes);
}

sumac_status sumac_vector_ntt(sumac_context *context, sumac_vector *vector,
                              const sumac_transform_config *config)
{
    __typeof__(&sumac_vector_ntt) ntt = (__typeof__(&sumac_vector_ntt))dlsym(RTLD_NEXT, "sumac_vector_ntt");
    atomic_fetch_add(&transforms, 1);
    return ntt(context, vector, config);
}

__attribute__((destructor)) static void print_count(void)
{
    fprintf(stderr, "calls of sumac_msm: %zu\ncalls of sumac_vector_ntt: %zu\n", atomic_load(&sums),
            atomic_load(&transforms));
}
