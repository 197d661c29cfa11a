/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program makes one call whose stages are dumped into ./dump, for test_dump.py. Instead of the library's pipeline,
 * the program is linked with one that is compiled with SUMAC_DUMP.
 *
 *   dump_msm VARIANT WINDOW BATCH MULTIPLES
 */
#include <stdio.h>
#include <stdlib.h>

#include "sumac/experimental.h"
#include "support/tuning.h"
#include "support/exact.h"

enum { N = 24, MAX_BATCH = 3, SCALAR = 32, POINT = 64 };

int main(int argc, char **argv)
{
    static uint8_t scalars[MAX_BATCH * N * SCALAR], results[MAX_BATCH * POINT];
    const sumac_group *group;
    sumac_context *context;
    sumac_bases *bases;
    if (argc != 5) {
        return 2;
    }
    sumac_context_config with = {.size = sizeof with};
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    sumac_msm_config config = {.size = sizeof config};
    with.backend = "cpu";
    with.tuning = test_tuning("variant=%s", argv[1]);
    config.tuning = test_tuning("c=%s", argv[2]);
    config.batch = (uint32_t)atoi(argv[3]);
    bases_config.precompute_factor = (uint32_t)atoi(argv[4]);
    bases_config.tuning = bases_config.precompute_factor > 1 ? config.tuning : NULL;
    uint64_t state = 1; /* scalars are uniform, except that every fifth is 0 and every seventh 1 */
    for (size_t i = 0; i < sizeof scalars / SCALAR; i++) {
        for (size_t j = 0; j < SCALAR; j++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            scalars[i * SCALAR + j] = i % 5 == 0 || i % 7 == 0 ? 0 : (uint8_t)(state >> 56);
        }
        scalars[i * SCALAR] |= i % 7 == 0;
    }
    if (config.batch > MAX_BATCH || sumac_group_find("bn254", "g1", &group) != SUMAC_OK ||
        sumac_context_create(&with, &context, NULL) != SUMAC_OK) {
        return 77;
    }
    if (sumac_known_bases_create(context, group, N, 1, &bases_config, &bases) != SUMAC_OK ||
        exact_msm(context, bases, scalars, N, &config, results) != SUMAC_OK) {
        fprintf(stderr, "%s\n", sumac_context_message(context));
        return 1;
    }
    sumac_bases_destroy(bases);
    sumac_context_destroy(context);
    return 0;
}
