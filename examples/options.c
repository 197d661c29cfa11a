/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This program keeps all bases on each of two devices, and makes calls of several sums. They use sets of bases in
 * turns, have different lengths, or have results in Montgomery form. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sumac/experimental.h>
#include <sumac/sumac.h>

enum { N = 64, SETS = 2, BATCH = 4, POINT = 64, SCALAR = 32, SEED = 1 };

static unsigned char logarithms[N * SCALAR], scalars[BATCH * N * SCALAR];
static const sumac_group *group;
static sumac_context *context;
static int wrong;

static void check(sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

/* Compare a sum of n scalars and n bases, from the given indices, with the sum that follows from their logarithms. */
static void expect(size_t scalar, size_t base, size_t n, const unsigned char *result)
{
    unsigned char expected[POINT];
    check(sumac_known_answer(context, group, scalars + scalar * SCALAR, n * SCALAR,
                             logarithms + base * SCALAR, n * SCALAR, n, expected, group->point_bytes));
    wrong += memcmp(result, expected, POINT) != 0;
}

int main(void)
{
    static const int32_t twice[] = {0, 0}; /* halves of the CPU's threads; GPUs have two numbers */
    unsigned char results[BATCH * POINT], point[POINT];
    sumac_bases *bases, *sums;
    sumac_context_config two = {.size = sizeof two};
    two.devices = twice;
    two.device_count = 2;
    check(sumac_group_find("bn254", "g1", &group));
    check(sumac_context_create(&two, &context, NULL));

    sumac_bases_config kept = {.size = sizeof kept};
    kept.replicated = 1;  /* the devices divide a batch, and need no bases of each other */
    kept.page_locked = 1; /* if a GPU lacks memory for the bases, it can copy them fast */
    check(sumac_known_bases_create(context, group, N, SEED, &kept, &bases));
    check(sumac_known_logarithms(context, group, N, SEED, logarithms, N * SCALAR));
    check(sumac_known_logarithms(context, group, BATCH * N, SEED + 1, scalars, BATCH * N * SCALAR));
    sumac_bases_info info = {.size = sizeof info};
    check(sumac_bases_describe(bases, &info));

    /* Sums 0 and 2 use the first half of the bases. Sums 1 and 3 use the second half. */
    sumac_msm_config in_turns = {.size = sizeof in_turns};
    in_turns.batch = BATCH;
    in_turns.base_sets = SETS;
    check(sumac_msm(context, bases, scalars, sizeof scalars, N / SETS, &in_turns, results, sizeof results));
    for (size_t j = 0; j < BATCH; j++) {
        expect(j * N / SETS, j % SETS * N / SETS, N / SETS, results + j * POINT);
    }

    /* These are three sums of 10, 0 and 54 scalars, which all begin at the first base. */
    static const uint64_t offsets[] = {0, 10, 10, 64};
    sumac_msm_config lengths = {.size = sizeof lengths};
    lengths.offsets = offsets;
    lengths.offset_count = 4;
    check(sumac_msm(context, bases, scalars, sizeof scalars, N, &lengths, results, sizeof results));
    for (size_t j = 0; j < 3; j++) {
        expect(offsets[j], 0, offsets[j + 1] - offsets[j], results + j * POINT);
    }

    /* A program that itself computes in Montgomery form can get its results in this form. Here they become bases. */
    sumac_msm_config montgomery = {.size = sizeof montgomery};
    montgomery.result_form = SUMAC_FORM_MONTGOMERY;
    check(sumac_msm(context, bases, scalars, sizeof scalars, N, &montgomery, results, sizeof results));
    sumac_bases_config of_sums = {.size = sizeof of_sums};
    of_sums.form = SUMAC_FORM_MONTGOMERY;
    check(sumac_bases_create(context, group, results, POINT, 1, &of_sums, &sums));
    check(sumac_bases_get(context, sums, 0, 1, point, sizeof point));
    expect(0, 0, N, point);

    printf("%zu bases of %llu bytes on two devices: %s\n", info.count, (unsigned long long)info.bytes,
           wrong == 0 ? "all sums are right" : "a sum is wrong");
    sumac_bases_destroy(sums);
    sumac_bases_destroy(bases);
    sumac_context_destroy(context);
    return wrong;
}
