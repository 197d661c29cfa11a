/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random/cases.h"
#include "support/abort.h"
#include "support/cleanup.h"
#include "support/known.h"
#include "support/plan.h"
#include "support/tuning.h"

/* Make plans, and check them. Sizes and options may be huge, because a plan allocates nothing of that size. */
static void query(world *w, draws *d, const known_group *known, const world_lease *lease)
{
    sumac_bases_config bases = {.size = sizeof bases};
    sumac_msm_config msm = {.size = sizeof msm};
    test_plan plan = {0};
    const size_t n = (size_t)draw_below(d, UINT64_C(1) << draw_below(d, 33));
    bases.precompute_factor = draw_chance(d, 50) ? (uint32_t)draw_below(d, 300) : 0;
    bases.tuning = test_tuning("c=%u", (uint32_t)draw_below(d, 26));
    bases.outside_subgroup = (uint32_t)draw_below(d, 2);
    msm.batch = (uint32_t)draw_below(d, UINT64_C(1) << draw_below(d, draw_chance(d, 90) ? 12 : 33));
    msm.base_sets = draw_chance(d, 50) ? msm.batch : 0;
    msm.first = (size_t)draw_below(d, UINT64_C(1) << draw_below(d, 34));
    const uint32_t c = draw_chance(d, 50) ? 0 : (uint32_t)draw_below(d, 26);
    const uint32_t chunks =
        draw_chance(d, 50) ? 0 : (uint32_t)draw_below(d, UINT64_C(1) << draw_below(d, 33));
    msm.tuning = test_tuning("c=%u,chunks=%u,reduction=%s", c, chunks, test_reductions[draw_below(d, 3)]);
    snprintf(w->description, sizeof w->description,
             "curve %s/%s\nplan: n %zu, f %u, table's %s, outside %d; batch %u, sets %u, first %zu, "
             "%s, limit %llu\n",
             known->oracle.info->curve, known->oracle.info->name, n, bases.precompute_factor, bases.tuning,
             bases.outside_subgroup, msm.batch, msm.base_sets, msm.first, msm.tuning,
             (unsigned long long)lease->memory_limit);
    const sumac_status status = test_plan_create(lease->context, known->oracle.group, n, &bases, &msm, &plan);
    world_check(w, lease->context, status,
                WORLD_MAY(SUMAC_OK) | WORLD_MAY(SUMAC_BAD_ARGUMENT) | WORLD_MAY(SUMAC_NOT_SUPPORTED) |
                    WORLD_MAY(SUMAC_MEMORY_LIMIT) | WORLD_MAY(SUMAC_BAD_LENGTH),
                "sumac_plan_create");
    if (status == SUMAC_OK &&
        (!(plan.milliseconds >= 0) || (lease->device != WORLD_SEVERAL && plan.n != n) ||
         test_plan_bytes(&plan, "total") < test_plan_bytes(&plan, "workspace") ||
         (lease->memory_limit != 0 && test_plan_bytes(&plan, "workspace") > lease->memory_limit))) {
        test_abort("sumac_plan_create: n %llu, %f ms, %llu of %llu bytes", (unsigned long long)plan.n,
                   plan.milliseconds, (unsigned long long)test_plan_bytes(&plan, "workspace"),
                   (unsigned long long)test_plan_bytes(&plan, "total"));
    }
}

/* Check that the library's known bases and answers are the multiples of G that it says they are. */
static void known_answers(world *w, draws *d, const known_group *known, const world_lease *lease)
{
    const sumac_group *info = known->oracle.info;
    const size_t n = 1 + (size_t)draw_below(d, w->options.most_bases);
    const uint64_t seed = draw_below(d, UINT64_MAX);
    const known_use generator = {0, 0};
    AUTO_FREE uint8_t *logarithms = world_alloc(n * info->scalar_bytes),
                      *scalars = world_alloc(n * info->scalar_bytes);
    AUTO_FREE uint8_t *expected = world_alloc(info->point_bytes), *result = world_alloc(info->point_bytes);
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    sumac_status status;
    snprintf(w->description, sizeof w->description, "curve %s/%s\nknown bases: %zu, seed %llu\n", info->curve,
             info->name, n, (unsigned long long)seed);
    do {
        world_arm(w, d);
        status = sumac_known_bases_create(lease->context, known->oracle.group, n, seed, NULL, &bases);
    } while (world_call_again(w, lease->context, status, "sumac_known_bases_create"));
    world_check(w, lease->context, status, WORLD_MAY(SUMAC_OK), "sumac_known_bases_create");
    status = test_known_logarithms(lease->context, known->oracle.group, n, seed, logarithms);
    world_check(w, lease->context, status, WORLD_MAY(SUMAC_OK), "sumac_known_logarithms");
    draw_bytes(d, scalars, n * info->scalar_bytes);
    known_sum sum;
    mpz_t k, logarithm;
    mpz_inits(k, logarithm, NULL);
    known_sum_begin(&sum);
    for (size_t i = 0; i < n; i++) {
        oracle_scalar_from_raw(&known->oracle, k, scalars + i * info->scalar_bytes);
        oracle_scalar_from_raw(&known->oracle, logarithm, logarithms + i * info->scalar_bytes);
        if (mpz_cmp(logarithm, known->oracle.r) >= 0) {
            test_abort("sumac_known_logarithms: number %zu is not less than r", i);
        }
        mpz_mul(k, k, logarithm);
        known_sum_add(&sum, known, generator, k);
    }
    known_sum_end(&sum, known, SUMAC_FORM_CANONICAL, expected);
    mpz_clears(k, logarithm, NULL);
    do {
        world_arm(w, d);
        status = test_known_answer(lease->context, known->oracle.group, scalars, logarithms, n, result);
    } while (world_call_again(w, lease->context, status, "sumac_known_answer"));
    world_check(w, lease->context, status, WORLD_MAY(SUMAC_OK), "sumac_known_answer");
    if (memcmp(result, expected, info->point_bytes) != 0) {
        test_abort("WRONG RESULT: sumac_known_answer");
    }
    status = exact_msm(lease->context, bases, scalars, n, NULL, result);
    world_check(w, lease->context, status,
                WORLD_MAY(SUMAC_OK) | (lease->memory_limit != 0 ? WORLD_MAY(SUMAC_MEMORY_LIMIT) : 0),
                "sumac_msm");
    if (status == SUMAC_OK && world_computes(lease) && memcmp(result, expected, info->point_bytes) != 0) {
        test_abort("WRONG RESULT: sumac_msm with known bases");
    }
    w->results += status == SUMAC_OK ? 2 : 1;
}

void case_plans(world *w, draws *d)
{
    const known_group *known = world_known(w, d);
    const world_lease lease = world_lease_context(w, d);
    if (draw_chance(d, 50)) {
        query(w, d, known, &lease);
    } else {
        known_answers(w, d, known, &lease);
    }
    world_return(&lease);
}

void case_any(world *w, draws *d)
{
    const uint64_t kind = draw_below(d, 100);
    if (kind < 72) {
        case_calls(w, d);
    } else if (kind < 86) {
        case_table(w, d);
    } else if (kind < 94) {
        case_partials(w, d);
    } else {
        case_plans(w, d);
    }
}
