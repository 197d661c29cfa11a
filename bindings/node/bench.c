/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* bench.js's other side: the microseconds of each of so many calls. */
#include <stdio.h>
#include <stdlib.h>
#include <sumac/sumac.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

int main(int count, char **arguments)
{
    enum { N = 1 << 10 };
    const int calls = count > 1 ? atoi(arguments[1]) : 1;
    const sumac_curve *curve;
    sumac_context *context;
    sumac_bases *bases;
    static unsigned char scalars[N * 32], result[64];
    sumac_context_config config = sumac_context_config_default();
    config.backend = "cpu";
    config.threads = 1;
    if (sumac_curve_find("bn254", "g1", &curve) || sumac_context_create(&config, &context, NULL) ||
        sumac_known_bases_create(context, curve, N, 1, NULL, &bases) ||
        sumac_known_logarithms(context, curve, N, 2, scalars)) {
        return 1;
    }
    for (int i = -3; i < calls; i++) {
        const double start = now();
        if (sumac_msm(context, bases, scalars, N, NULL, result)) {
            return 1;
        }
        if (i >= 0) {
            printf("%.3f\n", now() - start);
        }
    }
    return 0;
}
