/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/try.h"
#include "random/bases.h"
#include "random/cases.h"
#include "random/device.h"
#include "random/scalars.h"
#include "support/abort.h"
#include "support/api.h"
#include "support/plan.h"
#include "support/tuning.h"

enum { CANARY = 0xa5, CANARY_BYTES = 16, MOST_PARTS = 5, MOST_TOGETHER = 4 };

typedef struct call {
    world *w;
    draws *d;
    const known_group *known;
    const case_bases *bases;
    world_lease lease; /* the context of the MSM, which may not be that of the bases */
    size_t n;
    uint32_t batch;
    sumac_msm_config config;
    tuning_values choices; /* what config.tuning says */
    char text[192];        /* config.tuning */
    uint64_t *offsets;     /* config.offsets; null if all MSMs have one length */
    case_scalars scalars;
    uint8_t *expected; /* in the result's form; meaningless unless `may` includes SUMAC_OK */
    uint32_t may;
} call;

/* ---- the calls ---- */

static int has_tables(const call *c)
{
    return info_of(c->bases->handle).precompute_factor > 1 ||
           info_of(c->bases->handle).tables == SUMAC_TABLES_WINDOWS;
}

/* Return the number of sets of bases, which the MSMs use in turn. */
static size_t sets_of(const call *c)
{
    const size_t sets = c->config.base_sets;
    return sets == 0 ? 1 : sets > c->batch ? c->batch : sets;
}

static void choose_sizes(call *c)
{
    draws *d = c->d;
    const size_t count = c->bases->count;
    c->config = (sumac_msm_config){.size = sizeof(sumac_msm_config)};
    c->config.batch = (uint32_t)draw_below(d, draw_chance(d, 70) ? 2 : draw_chance(d, 95) ? 6 : 300);
    c->batch = c->config.batch = c->config.batch == 0 ? 1 : c->config.batch;
    c->config.base_sets = draw_chance(d, 25) ? c->batch : 0;
    c->config.first = draw_chance(d, 60) ? 0 : (size_t)draw_below(d, count + 1);
    if (c->config.base_sets != 0 && draw_chance(d, 50)) {
        c->config.base_sets = 1 + (uint32_t)draw_below(d, 2 * (uint64_t)c->batch);
    }
    c->n = (count - c->config.first) / sets_of(c);
    if (draw_chance(d, 30)) {
        c->n = (size_t)draw_below(d, c->n + 1);
    }
    if (c->batch > 6 && c->n > 8) {
        c->n = (size_t)draw_below(d, 9);
    }
}

/* Give MSMs different lengths from 0 to n, with some runs of one length. */
static void choose_lengths(call *c)
{
    draws *d = c->d;
    const int promises = c->config.scalar_bits != 0 && !c->config.cut_scalars;
    uint64_t left = c->bases->count - c->config.first; /* bases that are left for MSMs with separate bases */
    if ((c->config.base_sets != 0 && c->config.base_sets != c->batch) || draw_chance(d, 75)) {
        return;
    }
    c->offsets = world_alloc((c->batch + 1) * sizeof *c->offsets);
    /* Scalars before offsets[0] belong to no MSM. There are none if a scalar may be too large, so that it is not one of them. */
    c->offsets[0] = promises || draw_chance(d, 70) ? 0 : draw_below(d, (left < 5 ? left : 5) + 1);
    left -= c->offsets[0];
    for (uint32_t j = 0; j < c->batch; j++) {
        const uint64_t most = c->config.base_sets != 0 && left < c->n ? left : c->n;
        const uint64_t before = j == 0 ? 0 : c->offsets[j] - c->offsets[j - 1];
        const unsigned kind = (unsigned)draw_below(d, 5);
        uint64_t length = draw_below(d, most + 1);
        if (kind == 0) {
            length = 0;
        } else if (kind == 1) {
            length = most;
        } else if (kind == 2) {
            length = before < most ? before : most;
        }
        c->offsets[j + 1] = c->offsets[j] + length;
        left -= c->config.base_sets != 0 ? length : 0;
    }
    c->config.offsets = c->offsets;
    c->config.offset_count = (size_t)c->batch + 1;
}

static uint64_t first_scalar(const call *c, uint32_t j)
{
    return c->offsets == NULL ? (uint64_t)j * c->n : c->offsets[j];
}

static uint64_t length_of(const call *c, uint32_t j)
{
    return c->offsets == NULL ? c->n : c->offsets[j + 1] - c->offsets[j];
}

/* Return the index of MSM j's first base, counted from config.first. */
static uint64_t first_base(const call *c, uint32_t j)
{
    return c->offsets == NULL ? j % sets_of(c) * c->n : c->config.base_sets != 0 ? c->offsets[j] : 0;
}

/* Count all scalars, also those before the first MSM's. */
static size_t count_scalars(const call *c)
{
    return (size_t)first_scalar(c, c->batch);
}

/* Choose a window. If the window is large, so that it needs much memory, the context must have a memory limit. */
static uint32_t choose_window(const call *c)
{
    draws *d = c->d;
    if (draw_chance(d, has_tables(c) ? 90 : 60)) { /* tables fix the window */
        return 0;
    }
    const uint64_t most = c->w->options.small          ? 9
                          : draw_chance(d, 92)         ? 12
                          : c->lease.memory_limit != 0 ? 24
                                                       : 15;
    return 1 + (uint32_t)draw_below(d, most);
}

static void write_tuning(call *c)
{
    const tuning_values *choices = &c->choices;
    snprintf(c->text, sizeof c->text, "c=%u,chunks=%u,copy_slices=%u,large_bucket_factor=%u,reduction=%s%s%s",
             choices->c, choices->chunks, choices->copy_slices, choices->large_bucket_factor,
             choices->reduction <= REDUCTION_HALVING ? test_reductions[choices->reduction] : "none",
             choices->plan[0] == '\0' ? "" : ",plan=", choices->plan);
    c->config.tuning = c->text;
}

static void choose_config(call *c)
{
    draws *d = c->d;
    sumac_msm_config *config = &c->config;
    tuning_values *choices = &c->choices;
    const int has_radix = test_has_plan(c->lease.context, "radix");
    memset(choices, 0, sizeof *choices);
    choices->c = choose_window(c);
    if (draw_chance(d, 25)) {
        config->scalar_bits = 1 + (uint32_t)draw_below(d, 8 * c->known->oracle.info->scalar_bytes);
    }
    config->cut_scalars = (uint32_t)draw_chance(d, 30);
    choices->large_bucket_factor = draw_chance(d, 60)   ? 0
                                   : draw_chance(d, 80) ? (uint32_t)draw_below(d, 20)
                                                        : UINT32_MAX - (uint32_t)draw_below(d, 2);
    config->scalar_form = draw_chance(d, 25) ? SUMAC_FORM_MONTGOMERY : SUMAC_FORM_CANONICAL;
    config->result_form = draw_chance(d, 25) ? SUMAC_FORM_MONTGOMERY : SUMAC_FORM_CANONICAL;
    choices->reduction = (uint32_t)draw_below(d, 3);
    if (draw_chance(d, 30)) {
        choices->chunks = draw_chance(d, 80)   ? (uint32_t)draw_below(d, 9)
                          : draw_chance(d, 50) ? UINT32_MAX
                                               : (uint32_t)draw_below(d, c->n + 2);
    }
    choices->copy_slices =
        draw_chance(d, 30) ? (uint32_t)draw_below(d, c->lease.device == WORLD_HOST ? 2 : 5) : 0;
    if (draw_chance(d, 8)) {
        strcpy(choices->plan, has_radix && draw_chance(d, 50) ? "radix" : "auto");
    }
    write_tuning(c);
}

/* Return the statuses that the call may have without spoil_call(). */
static uint32_t may_end_with(const call *c)
{
    uint32_t may = WORLD_MAY(SUMAC_OK);
    if (c->scalars.too_large < c->scalars.count) {
        may = WORLD_MAY(SUMAC_SCALAR_TOO_LARGE) | (world_computes(&c->lease) ? 0 : WORLD_MAY(SUMAC_OK));
    }
    if (c->lease.memory_limit != 0) {
        may |= WORLD_MAY(SUMAC_MEMORY_LIMIT);
    }
    if (strcmp(c->choices.plan, "radix") == 0 && c->bases->config.tables != SUMAC_TABLES_MULTIPLES) {
        may |= WORLD_MAY(SUMAC_UNKNOWN_PLAN); /* window tables are not sorted */
    }
    if (has_tables(c) && (c->choices.c != 0 || c->bases->config.scalar_bits != 0)) {
        may |= WORLD_MAY(SUMAC_BAD_ARGUMENT); /* tables are for other windows, or shorter scalars */
    }
    return may;
}

/* Add one fault, for which the call must be refused. */
static void spoil_call(call *c)
{
    draws *d = c->d;
    sumac_status fault = SUMAC_BAD_ARGUMENT;
    switch (draw_below(d, c->offsets == NULL ? 10 : 8)) {
    case 0:
        c->choices.c = 25 + (uint32_t)draw_below(d, UINT32_MAX - 25);
        break;
    case 1:
        c->config.scalar_bits =
            8 * c->known->oracle.info->scalar_bytes + 1 + (uint32_t)draw_below(d, 1u << 31);
        break;
    case 2:
        c->config.scalar_form = (sumac_form)(2 + draw_below(d, 100));
        break;
    case 3:
        c->config.result_form = (sumac_form)(2 + draw_below(d, 100));
        break;
    case 4:
        c->choices.reduction = REDUCTION_HALVING + 1;
        break;
    case 5:
        c->choices.copy_slices = 5 + (uint32_t)draw_below(d, UINT32_MAX - 5);
        break;
    case 6:
        c->config.scalars_location = (sumac_location)(2 + draw_below(d, 100));
        break;
    case 7:
        strcpy(c->choices.plan, "no such plan");
        fault = SUMAC_UNKNOWN_PLAN;
        break;
    case 8: /* n is too large; it is refused before a scalar is read */
        c->n = (c->bases->count - c->config.first) / sets_of(c) + 1 +
               (size_t)draw_below(d, draw_chance(d, 50) ? 2 : SIZE_MAX / 2);
        fault = SUMAC_BAD_LENGTH;
        break;
    default:
        c->config.first = c->bases->count + 1 + (size_t)draw_below(d, SIZE_MAX - c->bases->count - 1);
        fault = SUMAC_BAD_LENGTH;
        break;
    }
    write_tuning(c);
    if (c->offsets != NULL && draw_chance(d, 30)) {
        const uint32_t j = (uint32_t)draw_below(d, c->batch);
        const int falls = c->offsets[j] > 0 && draw_chance(d, 50);
        c->offsets[j + 1] =
            falls ? draw_below(d, c->offsets[j]) : c->offsets[j] + c->n + 1 + draw_below(d, 3);
        c->may = WORLD_MAY(SUMAC_BAD_ARGUMENT) | WORLD_MAY(SUMAC_BAD_LENGTH) | WORLD_MAY(fault);
        return;
    }
    c->may = WORLD_MAY(fault);
}

static void describe(const call *c)
{
    char *text = c->w->description;
    const size_t used = strlen(text);
    const sumac_msm_config *m = &c->config;
    snprintf(text + used, sizeof c->w->description - used,
             "msm: %s %s device %d, threads %u, limit %llu; n %zu, batch %u, sets %u, first "
             "%zu, "
             "bits %u%s, forms "
             "%d %d, places %d %d, tuning %s, may 0x%x\n",
             test_describe(c->lease.context).backend, test_describe(c->lease.context).variant,
             c->lease.device, test_describe(c->lease.context).threads,
             (unsigned long long)c->lease.memory_limit, c->n, c->batch, m->base_sets, m->first,
             m->scalar_bits, m->cut_scalars ? " cut" : "", (int)m->scalar_form, (int)m->result_form,
             (int)m->scalars_location, (int)m->result_location, m->tuning, (unsigned)c->may);
    for (uint32_t j = 0; c->offsets != NULL && j <= c->batch && j < 16; j++) {
        const size_t length = strlen(text);
        snprintf(text + length, sizeof c->w->description - length, "%s%llu%s", j == 0 ? "offsets " : " ",
                 (unsigned long long)c->offsets[j], j == c->batch || j == 15 ? "\n" : "");
    }
}

/* ---- answers ---- */

/* Compute the expected result of MSM j, in the given form. */
static void expect(const call *c, uint32_t j, sumac_form form, uint8_t *raw)
{
    const size_t bytes = c->known->oracle.info->scalar_bytes;
    const size_t base = c->config.first + (size_t)first_base(c, j), scalar = (size_t)first_scalar(c, j);
    known_sum sum;
    TEST_NUMBERS(k);
    known_sum_begin(&sum);
    for (size_t i = 0; i < length_of(c, j); i++) {
        oracle_scalar_from_raw(&c->known->oracle, k, c->scalars.residues + (scalar + i) * bytes);
        known_sum_add(&sum, c->known, c->bases->uses[base + i], k);
    }
    known_sum_end(&sum, c->known, form, raw);
}

static void compare(const call *c, const uint8_t *results, const char *what)
{
    const size_t point_bytes = c->known->oracle.info->point_bytes;
    for (uint32_t j = 0; j < c->batch && world_computes(&c->lease); j++) {
        if (memcmp(results + j * point_bytes, c->expected + j * point_bytes, point_bytes) != 0) {
            test_abort("WRONG RESULT: %s, MSM %u of %u", what, j, c->batch);
        }
        c->w->results++;
    }
}

/* ---- one call ---- */

/* This is a buffer of results between canaries. */
typedef struct result_block {
    uint8_t *memory, *results;
    size_t bytes;
} result_block;

static result_block take_results(draws *d, size_t bytes)
{
    result_block block = {.bytes = bytes};
    const size_t offset = CANARY_BYTES + (size_t)draw_below(d, 9);
    block.memory = world_alloc(offset + bytes + CANARY_BYTES);
    memset(block.memory, CANARY, offset + bytes + CANARY_BYTES);
    block.results = block.memory + offset;
    return block;
}

static int all_canary(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != CANARY) {
            return 0;
        }
    }
    return 1;
}

static void check_results(const call *c, sumac_status status, const result_block *block, const char *what)
{
    if (!all_canary(block->results - CANARY_BYTES, CANARY_BYTES) ||
        !all_canary(block->results + block->bytes, CANARY_BYTES)) {
        test_abort("%s writes beside its results", what);
    }
    if (status == SUMAC_OK) {
        compare(c, block->results, what);
    } else if (!all_canary(block->results, block->bytes)) {
        test_abort("%s fails with status %d and writes results", what, (int)status);
    }
}

static void set_stream(const call *c, void *stream)
{
    if (sumac_context_set_stream(c->lease.context, stream) != SUMAC_OK) {
        test_abort("the stream can't be set: \"%s\"", sumac_context_message(c->lease.context));
    }
}

/* Make the call with its scalars or results in a GPU's memory. */
static sumac_status call_on_device(call *c, uint8_t *results, size_t result_bytes)
{
    const int device = c->lease.device;
    const size_t scalar_bytes = c->scalars.count * c->known->oracle.info->scalar_bytes;
    sumac_msm_config config = c->config;
    void *scalars = c->scalars.written.bytes, *answer = results;
    if (draw_chance(c->d, 50)) {
        config.scalars_location = SUMAC_LOCATION_DEVICE;
        scalars = device_take(device, scalars, scalar_bytes);
    }
    if (draw_chance(c->d, 50)) {
        config.result_location = SUMAC_LOCATION_DEVICE;
        answer = device_take(device, results, result_bytes);
    }
    world_arm(c->w, c->d);
    sumac_status status = exact_msm(c->lease.context, c->bases->handle, scalars, c->n, &config, answer);
    if (status == SUMAC_OK) {
        status = sumac_context_wait(c->lease.context);
    }
    world_disarm(c->w);
    if (scalars != c->scalars.written.bytes) {
        device_give(device, scalars, NULL, scalar_bytes);
    }
    if (answer != results) {
        device_give(device, answer, results, result_bytes);
    }
    return status;
}

/* Check that the message names this scalar. */
static void check_names(const sumac_context *context, size_t index)
{
    char number[32];
    snprintf(number, sizeof number, "scalar %zu ", index);
    if (strstr(sumac_context_message(context), number) == NULL) {
        test_abort("scalar %zu is the first that is too large, but the message is \"%s\"", index,
                   sumac_context_message(context));
    }
}

static void call_msm(call *c)
{
    const size_t bytes = c->batch * (size_t)c->known->oracle.info->point_bytes;
    const size_t scalar_bytes = c->scalars.count * c->known->oracle.info->scalar_bytes;
    const result_block block = take_results(c->d, bytes);
    AUTO_FREE uint8_t *before = world_alloc(scalar_bytes);
    const int on_device = c->lease.device >= 0 && !c->w->memory_is_short &&
                          (c->may & WORLD_MAY(SUMAC_BAD_ARGUMENT)) == 0 && draw_chance(c->d, 40);
    void *stream = on_device && test_describe(c->lease.context).device_count == 1 && draw_chance(c->d, 50)
                       ? device_stream_make(c->lease.device)
                       : NULL;
    sumac_status status;
    memcpy(before, c->scalars.written.bytes, scalar_bytes);
    if (stream != NULL) {
        set_stream(c, stream);
    }
    do {
        if (on_device) {
            status = call_on_device(c, block.results, bytes);
        } else {
            world_arm(c->w, c->d);
            status = exact_msm(c->lease.context, c->bases->handle, c->scalars.written.bytes, c->n, &c->config,
                               block.results);
        }
    } while (world_call_again(c->w, c->lease.context, status, "sumac_msm"));
    world_check(c->w, c->lease.context, status, c->may, "sumac_msm");
    check_results(c, status, &block, "sumac_msm");
    if (status == SUMAC_SCALAR_TOO_LARGE && !on_device) {
        check_names(c->lease.context, c->scalars.too_large);
    }
    if (memcmp(before, c->scalars.written.bytes, scalar_bytes) != 0) {
        test_abort("sumac_msm changes the scalars");
    }
    if (stream != NULL) {
        set_stream(c, NULL);
        device_stream_free(c->lease.device, stream);
    }
    free(block.memory);
}

/* Check that there is a plan exactly if the call can be made, and that the plan keeps to the memory limit. */
static void call_plan(call *c)
{
    test_plan plan = {0};
    const sumac_status status = test_msm_plan(c->lease.context, c->bases->handle, c->n, &c->config, &plan);
    uint32_t may = c->may;
    if ((may & WORLD_MAY(SUMAC_SCALAR_TOO_LARGE)) != 0) {
        may |= WORLD_MAY(SUMAC_OK);
    }
    if (c->n == 0) {
        may |= WORLD_MAY(SUMAC_OK);
    }
    world_check(c->w, c->lease.context, status, may & ~WORLD_MAY(SUMAC_SCALAR_TOO_LARGE), "sumac_msm_plan");
    if (status == SUMAC_OK && c->lease.memory_limit != 0 &&
        test_plan_bytes(&plan, "workspace") > c->lease.memory_limit) {
        test_abort("sumac_msm_plan: %llu bytes of workspace",
                   (unsigned long long)test_plan_bytes(&plan, "workspace"));
    }
    if (status == SUMAC_OK && !(plan.milliseconds >= 0)) {
        test_abort("sumac_msm_plan: it predicts %f ms", plan.milliseconds);
    }
}

/* ---- in parts ---- */

/* Compute the part [begin, end) of every MSM as a partial result. */
static sumac_status call_part(call *c, const world_lease *lease, size_t begin, size_t end, void *partial)
{
    const size_t bytes = c->known->oracle.info->scalar_bytes, n = end - begin;
    const size_t count =
        c->offsets == NULL ? c->batch * n : count_scalars(c); /* with offsets all scalars are one part */
    const world_block scalars = world_take(c->d, count * bytes);
    sumac_msm_config config = c->config;
    sumac_status status;
    if (c->offsets != NULL) {
        memcpy(scalars.bytes, c->scalars.written.bytes, count * bytes);
    }
    for (uint32_t j = 0; c->offsets == NULL && j < c->batch; j++) {
        memcpy(scalars.bytes + j * n * bytes, c->scalars.written.bytes + (j * c->n + begin) * bytes,
               n * bytes);
    }
    config.first += begin;
    do {
        world_arm(c->w, c->d);
        status = exact_partial(lease->context, c->bases->handle, scalars.bytes, n, &config, partial);
    } while (world_call_again(c->w, lease->context, status, "sumac_msm_partial"));
    free(scalars.memory);
    return status;
}

/* Split each MSM into random parts, some of which are empty, and compute them in the call's context. Combine them in
 * random order in another context that may use these bases. */
static void call_in_parts(call *c)
{
    const size_t bytes = sumac_partial_bytes(c->known->oracle.group, c->config.batch);
    const size_t parts = c->offsets != NULL || (c->config.base_sets != 0 && c->batch > 1)
                             ? 1
                             : 1 + (size_t)draw_below(c->d, MOST_PARTS);
    const result_block block = take_results(c->d, c->batch * (size_t)c->known->oracle.info->point_bytes);
    uint8_t *partials[MOST_PARTS];
    const void *order[MOST_PARTS];
    sumac_status status = SUMAC_OK;
    size_t begin = 0, computed = 0;
    for (; computed < parts && status == SUMAC_OK; computed++) {
        const size_t left = c->n - begin;
        const size_t end = computed + 1 == parts ? c->n : begin + (size_t)draw_below(c->d, left + 1);
        partials[computed] = world_alloc(bytes);
        status = call_part(c, &c->lease, begin, end, partials[computed]);
        world_check(c->w, c->lease.context, status, c->may | WORLD_MAY(SUMAC_OK), "sumac_msm_partial");
        begin = end;
    }
    for (size_t i = 0; i < computed; i++) {
        const size_t other = (size_t)draw_below(c->d, i + 1);
        order[i] = order[other];
        order[other] = partials[i];
    }
    if (status == SUMAC_OK) {
        const world_lease another = world_lease_another(c->w, c->d, &c->lease);
        do {
            world_arm(c->w, c->d);
            status = exact_combine(another.context, c->known->oracle.group, order, parts, c->config.batch,
                                   block.results);
        } while (world_call_again(c->w, another.context, status, "sumac_partial_combine"));
        const uint32_t no_points =
            world_computes(&c->lease) ? 0 : WORLD_MAY(SUMAC_NOT_ON_CURVE) | WORLD_MAY(SUMAC_BAD_ENCODING);
        world_check(c->w, another.context, status, WORLD_MAY(SUMAC_OK) | no_points, "sumac_partial_combine");
        if ((c->may & (WORLD_MAY(SUMAC_OK) | WORLD_MAY(SUMAC_MEMORY_LIMIT))) == 0) {
            test_abort("all parts of a call that had to be refused were done");
        }
        if (c->config.result_form == SUMAC_FORM_CANONICAL) {
            check_results(c, status, &block, "sumac_partial_combine");
        }
    }
    for (size_t i = 0; i < computed; i++) {
        free(partials[i]);
    }
    free(block.memory);
}

/* ---- several contexts at once ---- */

typedef struct together {
    pthread_t thread;
    const call *c;
    sumac_context *context;
    sumac_msm_config config;
    char text[200];
    uint8_t *results;
    sumac_status status;
    sumac_message message; /* the message of this thread */
} together;

static void *run_together(void *argument)
{
    together *one = argument;
    one->status = exact_msm(one->context, one->c->bases->handle, one->c->scalars.written.bytes, one->c->n,
                            &one->config, one->results);
    snprintf(one->message.text, sizeof one->message.text, "%s", sumac_context_message(one->context));
    return NULL;
}

/* Make the call in several threads with the same bases and scalars. Each thread has its own context. */
static void call_together(call *c)
{
    together all[MOST_TOGETHER];
    size_t count = 0;
    const size_t bytes = c->batch * (size_t)c->known->oracle.info->point_bytes;
    for (size_t i = 0; i < c->w->context_count && count < MOST_TOGETHER; i++) {
        const world_context *existing = &c->w->contexts[i];
        if (existing->device != c->lease.device || draw_chance(c->d, 40)) {
            continue;
        }
        together *one = &all[count];
        *one = (together){.c = c, .context = existing->context, .config = c->config};
        if (!has_tables(c)) {
            snprintf(one->text, sizeof one->text, "%s,c=%u", c->text, 1 + (uint32_t)draw_below(c->d, 12));
            one->config.tuning = one->text;
        }
        one->results = world_alloc(bytes);
        memset(one->results, CANARY, bytes);
        if (pthread_create(&one->thread, NULL, run_together, one) != 0) {
            test_abort("the test itself gets no thread");
        }
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        pthread_join(all[i].thread, NULL);
    }
    for (size_t i = 0; i < count; i++) {
        const result_block block = {NULL, all[i].results, bytes};
        world_check_message(c->w, all[i].message.text, all[i].status, c->may,
                            "sumac_msm from several threads");
        if (all[i].status == SUMAC_OK) {
            compare(c, all[i].results, "sumac_msm from several threads");
        } else if (!all_canary(block.results, bytes)) {
            test_abort("sumac_msm from several threads fails and writes results");
        }
        free(all[i].results);
    }
}

/* Return 1 if bases of this call belong to another GPU or backend than the context, which must refuse them. A context
 * of several GPUs includes GPU 0, so it accepts bases that were made on GPU 0 alone. */
static int is_foreign(const call *c, const world_lease *home)
{
    return c->lease.device != home->device && !(home->device == 0 && c->lease.device == WORLD_SEVERAL);
}

/* Return 1 if the bases may stay on the host, where every GPU reads them. They do so if a GPU has no memory for
 * them. */
static int may_stay_on_host(const call *c, const world_lease *home)
{
    return c->w->options.failures && home->device != WORLD_HOST && c->lease.device != WORLD_HOST;
}

static void run_call(call *c)
{
    const int spoilt = draw_chance(c->d, 5);
    if (spoilt) {
        spoil_call(c);
    }
    describe(c);
    if (c->offsets == NULL && draw_chance(c->d, 20)) {
        call_plan(c);
    }
    const unsigned how = (unsigned)draw_below(c->d, 100);
    if (how < 12 && !spoilt) {
        call_in_parts(c);
    } else if (how < 17 && !spoilt && c->lease.memory_limit == 0) {
        call_together(c);
    } else {
        call_msm(c);
    }
}

static void one_call(world *w, draws *d, const known_group *known, const world_lease *home,
                     const case_bases *bases)
{
    const size_t point_bytes = known->oracle.info->point_bytes;
    call c = {.w = w, .d = d, .known = known, .bases = bases, .lease = *home};
    c.lease = world_lease_another(w, d, home);
    choose_sizes(&c);
    choose_config(&c);
    choose_lengths(&c);
    const int cut = c.config.cut_scalars && c.config.scalar_bits != 0;
    c.scalars =
        case_scalars_make(d, known, count_scalars(&c), cut ? 0 : c.config.scalar_bits, c.config.scalar_form);
    if (cut) {
        case_scalars_cut(&c.scalars, c.config.scalar_bits, c.config.scalar_form);
    }
    c.may = may_end_with(&c);
    if (is_foreign(&c, home)) {
        c.may = WORLD_MAY(SUMAC_BAD_ARGUMENT) | (may_stay_on_host(&c, home) ? c.may : 0);
    }
    c.expected = world_alloc(c.batch * point_bytes);
    for (uint32_t j = 0; j < c.batch; j++) {
        expect(&c, j, c.config.result_form, c.expected + j * point_bytes);
    }
    if (is_foreign(&c, home)) {
        describe(&c);
        call_msm(&c);
    } else {
        run_call(&c);
    }
    free(c.expected);
    free(c.offsets);
    case_scalars_free(&c.scalars);
}

void case_calls(world *w, draws *d)
{
    const known_group *known = world_known(w, d);
    const sumac_group *info = known->oracle.info;
    snprintf(w->description, sizeof w->description, "curve %s/%s\n", info->curve, info->name);
    world_choose_memory(w, d);
    const world_lease home = world_lease_context(w, d);
    const size_t most = w->options.most_bases;
    const size_t count = (size_t)draw_below(d, draw_chance(d, 10)   ? 4
                                               : draw_chance(d, 88) ? most
                                                                    : 10 * most);
    case_bases bases = case_bases_make(w, d, known, &home, count);
    if (bases.handle != NULL) {
        for (uint64_t calls = 1 + draw_below(d, 3); calls > 0; calls--) {
            one_call(w, d, known, &home, &bases);
        }
    }
    case_bases_free(&bases);
    world_return(&home);
    world_end_shortage(w);
}
