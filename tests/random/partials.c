/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random/cases.h"
#include "support/abort.h"
#include "support/cleanup.h"
#include "support/container.h"

enum { HEADER = HEADER_ENTRIES + ENTRY_BYTES, MOST_BATCH = 3, MOST_PARTIALS = 4 };

/* Make a partial result of no bases. Replace its points by known ones, and add these to the expected sums. */
static void make_partial(world *w, draws *d, const known_group *known, sumac_context *context, uint32_t batch,
                         known_sum *sums, uint8_t *partial)
{
    const size_t point_bytes = known->oracle.info->point_bytes;
    CLEANUP(destroy_bases) sumac_bases *none = NULL;
    sumac_msm_config config = {.size = sizeof config};
    mpz_t one;
    mpz_init_set_ui(one, 1);
    config.batch = batch;
    world_check(w, context, exact_create(context, known->oracle.group, "", 0, NULL, &none),
                WORLD_MAY(SUMAC_OK), "sumac_bases_create");
    world_check(w, context, exact_partial(context, none, NULL, 0, &config, partial), WORLD_MAY(SUMAC_OK),
                "sumac_msm_partial");
    for (uint32_t j = 0; j < batch; j++) {
        const known_use use = {(uint8_t)draw_below(d, known->point_count), (uint8_t)draw_below(d, 2)};
        if (draw_chance(d, 80)) {
            memcpy(partial + HEADER + j * point_bytes,
                   known->points[use.point].raw[SUMAC_FORM_CANONICAL][use.negated], point_bytes);
            known_sum_add(&sums[j], known, use, one);
        }
    }
    file_correct(partial, sumac_partial_bytes(known->oracle.group, batch));
    mpz_clear(one);
}

/* Return 1 if the point with byte `at` lies on the curve in spite of the change, as (0, 2) does if b is 4. */
static int is_on_curve(const known_group *known, const uint8_t *partial, size_t at)
{
    const size_t point_bytes = known->oracle.info->point_bytes;
    ORACLE_POINT(point);
    oracle_point_from_raw(&known->oracle, &point,
                          partial + HEADER + (at - HEADER) / point_bytes * point_bytes);
    const int found = oracle_point_on_curve(&known->oracle, &point);
    return found;
}

/* Change a byte of a partial result, and return the statuses that combining may end with. *answer becomes 0 if
 * the expected result is no longer known. */
static uint32_t change(draws *d, const known_group *known, uint8_t *partial, size_t bytes, int *answer)
{
    const size_t at = (size_t)draw_below(d, bytes);
    const file_section points = file_section_at(partial, 0);
    const int corrected = draw_chance(d, 70), is_point = at >= HEADER && at < points.offset + points.size;
    partial[at] ^= (uint8_t)(1 + draw_below(d, 255));
    if (corrected) {
        file_correct(partial, bytes);
    }
    if (at < HEADER_CHECKSUM || (at >= HEADER_ENTRIES && at < HEADER)) {
        return WORLD_MAY(SUMAC_BAD_FILE) | WORLD_MAY(SUMAC_MISMATCH) | WORLD_MAY(SUMAC_BAD_CHECKSUM);
    }
    if (corrected &&
        (at < HEADER || (at >= points.offset + points.size && at < points.offset + points.size + 8))) {
        return WORLD_MAY(SUMAC_OK); /* only a checksum was changed, and then corrected */
    }
    if (!corrected || !is_point) {
        return WORLD_MAY(SUMAC_BAD_CHECKSUM);
    }
    *answer = 0;
    return WORLD_MAY(SUMAC_BAD_ENCODING) |
           WORLD_MAY(is_on_curve(known, partial, at) ? SUMAC_OK : SUMAC_NOT_ON_CURVE);
}

void case_partials(world *w, draws *d)
{
    const known_group *known = world_known(w, d);
    const size_t point_bytes = known->oracle.info->point_bytes;
    const world_lease lease = world_lease_context(w, d);
    const uint32_t batch = 1 + (uint32_t)draw_below(d, MOST_BATCH);
    const size_t count = (size_t)draw_below(d, MOST_PARTIALS + 1),
                 bytes = sumac_partial_bytes(known->oracle.group, batch);
    uint8_t *partials[MOST_PARTIALS], *results = world_alloc(batch * point_bytes),
                                      *expected = world_alloc(point_bytes);
    AUTO_FREE uint8_t *untouched = world_alloc(batch * point_bytes);
    known_sum sums[MOST_BATCH];
    for (uint32_t j = 0; j < batch; j++) {
        known_sum_begin(&sums[j]);
    }
    for (size_t i = 0; i < count; i++) {
        partials[i] = world_alloc(bytes);
        make_partial(w, d, known, lease.context, batch, sums, partials[i]);
    }
    uint32_t may = WORLD_MAY(SUMAC_OK);
    size_t changed = count;
    int answer = 1;
    if (count > 0 && draw_chance(d, 60)) {
        changed = (size_t)draw_below(d, count);
        may = change(d, known, partials[changed], bytes, &answer);
    }
    snprintf(w->description, sizeof w->description,
             "curve %s/%s\n%zu partial results of %u, number %zu is changed\n", known->oracle.info->curve,
             known->oracle.info->name, count, batch, changed);
    memset(results, 0xa5, batch * point_bytes);
    memset(untouched, 0xa5, batch * point_bytes);
    sumac_status status;
    do {
        world_arm(w, d);
        status = exact_combine(lease.context, known->oracle.group, (const void *const *)partials, count,
                               batch, results);
    } while (world_call_again(w, lease.context, status, "sumac_partial_combine"));
    world_check(w, lease.context, status, may, "sumac_partial_combine");
    if (status != SUMAC_OK && memcmp(results, untouched, batch * point_bytes) != 0) {
        test_abort("sumac_partial_combine fails and writes results");
    }
    for (uint32_t j = 0; j < batch; j++) {
        known_sum_end(&sums[j], known, SUMAC_FORM_CANONICAL, expected);
        if (status == SUMAC_OK && answer && memcmp(results + j * point_bytes, expected, point_bytes) != 0) {
            test_abort("WRONG RESULT: sumac_partial_combine, MSM %u of %u", j, batch);
        }
        w->results += status == SUMAC_OK;
    }
    for (size_t i = 0; i < count; i++) {
        free(partials[i]);
    }
    free(results);
    free(expected);
    world_return(&lease);
}
