/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests sort on digits that scalars would not give. All are equal, in one bucket, in neighbouring buckets, or
 * zero. There are few entries in many buckets and many in few, and sizes near those of blocks and tiles. The test
 * counts the digits: each bucket must begin at the offset that follows from the counts, and every digit except 0 must
 * be in its bucket exactly once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/handles.h"
#include "pipeline/plan.h"
#include "support/harness.h"

typedef enum pattern {
    RANDOM,    /* all digits are equally likely */
    NONE,      /* all digits are 0 */
    EQUAL,     /* all digits are equal */
    LAST,      /* all are in the last bucket */
    LOW,       /* all are below 40 */
    TWO,       /* they alternate between the first and the last bucket */
    HALF,      /* every second digit is 0 */
    RARE,      /* one of 100 is random, the others are 0 or 1 */
    ASCENDING, /* each is in the bucket after that of the previous digit */
    HEAVY,     /* every eighth digit is below 2000, as in a top window of few bits */
    LONE,      /* only the last digit of the pass is not 0 */
    PATTERNS
} pattern;

static const char *const pattern_names[] = {"random", "none", "equal",     "last",  "low", "two",
                                            "half",   "rare", "ascending", "heavy", "lone"};

typedef struct shape {
    uint32_t n;
    uint32_t c;
    uint32_t factor;
    uint32_t modules; /* modules of an MSM */
    uint32_t batch;
    uint32_t sets; /* sets of bases, which the MSMs use in turn */
} shape;

typedef struct sort_run {
    const shape *shape;
    pattern pattern;
    const char *kind;
    sumac_context *context;
    msm_plan plan;
    msm_job job;
    msm_pass pass;
    uint64_t codes;
    uint64_t buckets;
    uint32_t *digits; /* in the host's memory */
    uint32_t *starts;
    uint32_t *entries;
} sort_run;

#define SORT_ASSERT(run, condition, ...)                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            char where[160];                                                                                 \
            snprintf(where, sizeof where, __VA_ARGS__);                                                      \
            test_abort("n %u, c %u, f %u, modules %u, batch %u, sets %u, %s digits, kind %s: %s",            \
                       (run)->shape->n, (run)->shape->c, (run)->shape->factor, (run)->shape->modules,        \
                       (run)->shape->batch, (run)->shape->sets, pattern_names[(run)->pattern], (run)->kind,  \
                       where);                                                                               \
        }                                                                                                    \
    } while (0)

/* The finalizer of splitmix64 gives the same numbers in every run. */
static uint64_t mix(uint64_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint32_t digit_of(pattern p, uint64_t i, uint64_t codes, uint32_t buckets)
{
    const uint32_t random = (uint32_t)(mix(i) % buckets) + 1;
    switch (p) {
    case RANDOM:
        return random;
    case EQUAL:
        return buckets / 3 + 1;
    case LAST:
        return buckets;
    case LOW:
        return random % 40 % buckets + 1;
    case TWO:
        return i % 2 == 0 ? 1 : buckets;
    case HALF:
        return i % 2 == 0 ? 0 : random;
    case RARE:
        return i % 100 == 0 ? random : random % 2;
    case ASCENDING:
        return (uint32_t)(i % buckets) + 1;
    case HEAVY:
        return i % 8 == 0 ? random % 2000 % buckets + 1 : random;
    case LONE:
        return i + 1 == codes ? random : 0;
    default:
        return 0;
    }
}

static int looks_up(const sort_run *run)
{
    return run->plan.kinds[STAGE_SORT]->leaves == LOOKED_UP_LISTS;
}

static void make_digits(sort_run *run)
{
    const uint32_t most = (uint32_t)1 << (run->shape->c - 1);
    for (uint64_t i = 0; i < run->codes; i++) {
        const uint32_t digit = digit_of(run->pattern, i, run->codes, most);
        run->digits[i] = digit == 0 ? 0 : digit << 1 | (uint32_t)(i % 3 == 0);
    }
}

static void make_job(test_group *t, sort_run *run)
{
    const shape *s = run->shape;
    const msm_plan plan = {
        .name = "by hand",
        .glv_terms = 1,
        .n = s->n,
        .batch = s->batch,
        .c = s->c,
        .windows = s->modules * s->factor,
        .precompute_factor = s->factor,
        .modules = s->modules,
        .buckets = (uint64_t)1 << (s->c - 1),
        .table_digits = 1,
        .module_parts = s->c,
        .sub_batch = s->batch,
        .modules_per_pass = s->modules * s->batch,
        .passes = 1,
        .in_flight_passes = 1,
        .chunks = 1,
        .copy_slices = 1,
        .copy_slice_growth = 1,
        .threads = 3,
        .task_entries = 4096,
    };
    const backend *b = run->context->executors.at->backend;
    run->plan = plan;
    run->job.group = t->group;
    run->job.code = context_code(run->context, t->group);
    run->job.plan = &run->plan;
    run->job.bases.count = (uint64_t)s->n * s->sets + 7;
    run->job.bases.factor = s->factor;
    run->job.first_base = 5;
    run->job.base_sets = s->sets;
    run->job.first_set = 3 % s->sets;
    run->job.threads = run->plan.threads;
    run->job.pool = run->context->pool;
    run->job.engine = run->context->executors.at->engine;
    run->pass.modules = run->plan.modules_per_pass;
    run->pass.chunk_n = run->pass.n = s->n;
    run->plan.kinds[STAGE_SORT] = test_find_kind(b, run->job.code, STAGE_SORT, run->kind);
    assert_non_null(run->plan.kinds[STAGE_SORT]);
    if (looks_up(run)) {
        run->plan.table_digits = run->plan.buckets;
        run->plan.buckets = 1;
        run->job.bases.all_digits = 1;
    }
    run->codes = run->pass.modules * s->factor * s->n;
    run->buckets = run->pass.modules * run->plan.buckets;
    if (run->job.engine != NULL) { /* feed chooses the stream of a pass, although it copies nothing here */
        const feed_memory nothing = {0};
        run->job.scalars_location = SUMAC_LOCATION_DEVICE;
        assert_int_equal(b->feed->await(&run->job, &nothing, &run->pass), SUMAC_OK);
    }
    run->pass.inputs.first_base = run->job.first_base;
    run->pass.inputs.set_bases = s->n;
}

/* copy_to() and copy_from() copy bytes to and from the memory in which the stage works. */
static void copy_to(const sort_run *run, void *to, const void *from, size_t bytes)
{
    const device_ops *device = run->context->executors.at->backend->device;
    if (device == NULL) {
        memcpy(to, from, bytes);
    } else {
        assert_int_equal(device->upload(run->context->executors.at->engine, to, from, bytes), SUMAC_OK);
    }
}

static void copy_from(const sort_run *run, void *to, const void *from, size_t bytes)
{
    const device_ops *device = run->context->executors.at->backend->device;
    if (device == NULL) {
        memcpy(to, from, bytes);
    } else {
        assert_int_equal(device->download(run->context->executors.at->engine, to, from, bytes), SUMAC_OK);
    }
}

static void *take(const sort_run *run, uint64_t bytes)
{
    void *memory = run->context->executors.at->backend->allocate(run->context->executors.at->engine, bytes);
    assert_non_null(memory);
    return memory;
}

static void sort_digits(sort_run *run)
{
    const backend *b = run->context->executors.at->backend;
    const stage_kind *kind = run->plan.kinds[STAGE_SORT];
    const size_t start_bytes = (run->buckets + 1) * sizeof(uint32_t), bytes = run->codes * sizeof(uint32_t);
    digit_table digits = {take(run, bytes)};
    bucket_lists lists = {take(run, bytes), take(run, start_bytes)};
    void *scratch = take(run, kind->scratch_bytes(run->job.code, &run->plan));
    memset(run->starts, 0x5a, start_bytes);
    memset(run->entries, 0x5a, bytes);
    copy_to(run, lists.starts, run->starts, start_bytes);
    copy_to(run, lists.entries, run->entries, bytes);
    copy_to(run, digits.codes, run->digits, bytes);
    assert_int_equal(kind->run.sort(&run->job, &run->pass, &digits, &lists, scratch), SUMAC_OK);
    copy_from(run, run->starts, lists.starts, start_bytes);
    copy_from(run, run->entries, lists.entries, bytes);
    b->release(digits.codes);
    b->release(lists.entries);
    b->release(lists.starts);
    b->release(scratch);
}

static void check_starts(const sort_run *run)
{
    const uint64_t module_codes = (uint64_t)run->shape->factor * run->shape->n;
    AUTO_FREE uint32_t *counts = calloc(run->buckets, sizeof *counts);
    assert_non_null(counts);
    for (uint64_t i = 0; i < run->codes; i++) {
        if (run->digits[i] != 0) {
            counts[i / module_codes * run->plan.buckets + (run->digits[i] >> 1) - 1]++;
        }
    }
    uint32_t start = 0;
    for (uint64_t b = 0; b < run->buckets; b++) {
        SORT_ASSERT(run, run->starts[b] == start, "bucket %u begins at %u, not at %u", (unsigned)b,
                    run->starts[b], start);
        start += counts[b];
    }
    SORT_ASSERT(run, run->starts[run->buckets] == start, "%u entries, not %u", run->starts[run->buckets],
                start);
}

static void check_entries(const sort_run *run)
{
    const shape *s = run->shape;
    AUTO_FREE uint8_t *seen = calloc(run->codes, 1);
    assert_non_null(seen);
    for (uint64_t b = 0; b < run->buckets; b++) {
        const uint64_t module = b / run->plan.buckets, msm = module / s->modules;
        const uint64_t first = run->job.first_base + (run->job.first_set + msm) % s->sets * s->n;
        for (uint32_t e = run->starts[b]; e < run->starts[b + 1]; e++) {
            const uint64_t index = run->entries[e] >> 1;
            const uint64_t multiple = index / run->job.bases.count, base = index % run->job.bases.count;
            SORT_ASSERT(run, multiple < s->factor && base >= first && base < first + s->n,
                        "entry %u is no base of the pass", e);
            const uint64_t i = (module * s->factor + multiple) * s->n + base - first;
            SORT_ASSERT(run,
                        run->digits[i] >> 1 == b % run->plan.buckets + 1 &&
                            (run->digits[i] & 1) == (run->entries[e] & 1),
                        "entry %u is in the wrong bucket", e);
            SORT_ASSERT(run, seen[i] == 0, "entry %u is there twice", e);
            SORT_ASSERT(run,
                        run->job.engine != NULL || e == run->starts[b] || index > run->entries[e - 1] >> 1,
                        "entry %u is not in the order of the bases", e); /* the CPU's sorts keep the order */
            seen[i] = 1;
        }
    }
}

/* With window tables, a module's digits stay in order, and each becomes the index of its point. */
static void check_lookups(const sort_run *run)
{
    const shape *s = run->shape;
    uint32_t e = 0;
    for (uint64_t i = 0; i < run->codes; i++) {
        const uint64_t row = i / s->n, module = row / s->factor, msm = module / s->modules;
        const uint64_t base =
            run->job.first_base + (run->job.first_set + msm) % s->sets * s->n + i - row * s->n;
        if (i % ((uint64_t)s->factor * s->n) == 0) {
            SORT_ASSERT(run, run->starts[module] == e, "module %u begins at %u, not at %u", (unsigned)module,
                        run->starts[module], e);
        }
        if (run->digits[i] != 0) {
            const uint64_t multiple = row % s->factor * run->plan.table_digits + (run->digits[i] >> 1) - 1;
            const uint64_t entry = 2 * (multiple * run->job.bases.count + base) + (run->digits[i] & 1);
            SORT_ASSERT(run, run->entries[e] == entry, "entry %u is %u, not %u", e, run->entries[e],
                        (unsigned)entry);
            e++;
        }
    }
    SORT_ASSERT(run, run->starts[run->pass.modules] == e, "%u entries, not %u",
                run->starts[run->pass.modules], e);
}

static void run_sort(test_group *t, sumac_context *context, const shape *s, pattern p, const char *kind)
{
    sort_run run = {.shape = s, .pattern = p, .kind = kind, .context = context};
    make_job(t, &run);
    run.digits = test_alloc(run.codes * sizeof(uint32_t));
    run.starts = test_alloc((run.buckets + 1) * sizeof(uint32_t));
    run.entries = test_alloc(run.codes * sizeof(uint32_t));
    make_digits(&run);
    sort_digits(&run);
    if (looks_up(&run)) {
        check_lookups(&run);
    } else {
        check_starts(&run);
        check_entries(&run);
    }
    free(run.digits);
    free(run.starts);
    free(run.entries);
}

static void run_patterns(test_group *t, const shape *s)
{
    CLEANUP(destroy_context) sumac_context *context = test_context(3, 0);
    const int has_named_plans = test_plan_name(context, 1) != NULL;
    const int is_device = context->executors.at->engine != NULL;
    const uint64_t points = (((uint64_t)s->n * s->sets + 7) * s->factor) << (s->c - 1);
    for (pattern p = RANDOM; p < PATTERNS; p++) {
        run_sort(t, context, s, p, "counting");
        if (is_device) {
            run_sort(t, context, s, p, "ranks");
        }
        if (points <= (uint64_t)1 << 31) { /* entries of window tables have 31 bits for a point's index */
            run_sort(t, context, s, p, "lookup");
        }
        if (p % 3 == 0 && has_named_plans) { /* the kind belongs to a named plan */
            run_sort(t, context, s, p, "radix");
        }
    }
}

/* clang-format off */
static const shape shapes[] = {
    /* The columns are n c f modules batch sets. */
    {    1,  1, 1,  1,  1, 1},
    {    5,  3, 2,  3,  2, 2},
    { 1000,  8, 1, 32,  1, 1},
    { 8191,  9, 1,  1,  1, 1}, /* about one tile of the device's partition */
    { 8193,  9, 1,  1,  1, 1},
    {  257,  5, 7,  2, 40, 40},
    { 4099, 13, 20, 1,  1, 1},
    {20000, 12, 3,  7,  1, 1},
    {   33,  6, 2,  1, 50, 7},
    {   64, 17, 1, 15,  1, 1}, /* many more buckets than entries */
    {   64, 10, 26, 1, 300, 8}, /* more tiles of the device's lookup than modules */
};
static const shape large_shapes[] = {
    {     64,  8, 32, 1, 3000, 128}, /* more than one tile for each block of the device's lookup */
    {1000003,  4, 3, 1, 1, 1}, /* bins with too many entries for shared memory */
    { 470000, 18, 9, 1, 1, 1}, /* two steps of the partition */
    {  65536, 16, 1, 16, 1, 1},
    {  30001, 20, 1, 18, 1, 1}, /* bins of more than 2^11 buckets */
};
/* clang-format on */

static void test_small(void **state)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        run_patterns(*state, &shapes[i]);
    }
}

static void test_large(void **state)
{
    for (size_t i = 0; i < (options.quick ? 0 : sizeof large_shapes / sizeof *large_shapes); i++) {
        run_patterns(*state, &large_shapes[i]);
    }
}

static const test_entry entries[] = {
    {"few digits", test_small, TEST_TINY},
    {"many digits", test_large, TEST_TINY},
};
TEST_MAIN("sort", entries)
