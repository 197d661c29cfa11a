/* SPDX-License-Identifier: Apache-2.0 OR MIT */
// This library is loaded by LD_PRELOAD before sumac. It counts a program's calls of sumac_msm(), and prints their
// number at the end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sumac/sumac.h>

static atomic_size_t calls;

sumac_status sumac_msm(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
                       const sumac_msm_config *config, void *results)
{
    __typeof__(&sumac_msm) msm = (__typeof__(&sumac_msm))dlsym(RTLD_NEXT, "sumac_msm");
    atomic_fetch_add(&calls, 1);
    return msm(context, bases, scalars, n, config, results);
}

__attribute__((destructor)) static void print_count(void)
{
    fprintf(stderr, "calls of sumac_msm: %zu\n", atomic_load(&calls));
}
