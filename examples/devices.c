/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program uses one context of several devices, which share each call. `devices cuda` uses all GPUs. Without an
 * argument the CPU is listed twice. This gives the same result and shows that the division works, but is no faster.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sumac/experimental.h>
#include <sumac/sumac.h>

enum { N = 5000, SEED = 1 };

static void check(const sumac_context *context, sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

int main(int argc, char **argv)
{
    static unsigned char scalars[N * 32], logarithms[N * 32];
    static const int32_t twice[] = {0, 0};
    static const uint32_t weights[] = {1, 3}; /* the second device gets three quarters of the work */
    unsigned char result[96], expected[96];
    const sumac_group *group;
    sumac_context *context;
    sumac_bases *bases;
    sumac_context_config config = {.size = sizeof config};
    config.backend = argc > 1 ? argv[1] : "cpu";
    if (argc > 1) {
        config.device_count = SUMAC_ALL_DEVICES; /* use every GPU, with equal weights */
    } else {
        config.devices = twice;
        config.device_count = 2;
        config.device_weights = weights;
    }
    config.replica_limit = 1; /* divide the bases; otherwise each device would keep all of these few bases */
    check(NULL, sumac_group_find("bls12-381", "g1", &group));
    check(NULL, sumac_context_create(&config, &context, NULL));
    check(context, sumac_known_bases_create(context, group, N, SEED, NULL, &bases));
    check(context, sumac_known_logarithms(context, group, N, SEED, logarithms, N * 32));
    check(context, sumac_known_logarithms(context, group, N, SEED + 1, scalars, N * 32));

    check(context, sumac_msm(context, bases, scalars, sizeof scalars, N, NULL, result, sizeof result));
    check(context, sumac_known_answer(context, group, scalars, N * 32, logarithms, N * 32, N, expected,
                                      sizeof expected));
    sumac_context_info info = {.size = sizeof info};
    check(context, sumac_context_describe(context, &info));
    printf("devices: %zu, and the sum is %s\n", info.device_count,
           memcmp(result, expected, sizeof expected) == 0 ? "right" : "wrong");
    sumac_bases_destroy(bases);
    sumac_context_destroy(context);
    return memcmp(result, expected, sizeof expected) != 0;
}
