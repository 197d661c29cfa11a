/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Every call of the public headers must use at most 64 KiB of the thread's stack, as sumac.h promises. A call
 * runs on a thread whose stack was filled with a pattern, and all bytes that it overwrites count, including those that
 * the C library overwrites. Contexts have one thread, so that the calling thread does all the work. test_threads checks
 * the library's threads. The sizes are chosen so that the code for one element and for lanes runs, and also the code
 * for one block and for several.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "api/kzg_calls.h"
#include "groth16/groth16_calls.h"
#include "plonk/plonk_calls.h"
#include "support/calls.h"
#include "support/files.h"
#include "sumac/experimental.h"

enum {
    LIMIT = 64 << 10,
    STACK = 1 << 20,
    PAINT = 0xc3,
    COUNT = 512,
    MOST = 300, /* bases and scalars; more than a block of points */
    VECTOR = 2048,
    BATCH = 20 /* MSMs; more than there are lanes */
};

/* This is the state of a measurement, and the call with the deepest stack so far. */
typedef struct scene {
    call_scene calls;
    const char *format;
    char scalars_path[96];
    uint8_t *encoded, *raw;
    size_t deepest;
    char deepest_name[80];
} scene;

/* This is a call with its argument. */
typedef struct measured_call {
    sumac_status (*run)(void *argument, int kind);
    void *argument;
    int kind;
    sumac_status status;
} measured_call;

static unsigned char *stack; /* STACK bytes, painted between calls */

/* ---- measuring ---- */

static void *run_measured(void *argument)
{
    measured_call *call = argument;
    call->status = call->run(call->argument, call->kind);
    return NULL;
}

/* Run a call on a painted stack, and return its status. */
static sumac_status measure(scene *s, const char *name, size_t size, measured_call call)
{
    pthread_attr_t attributes;
    pthread_t thread;
    size_t untouched = 0;
    if (stack == NULL) {
        stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(stack != MAP_FAILED);
        memset(stack, PAINT, STACK);
    }
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_measured, &call), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
    while (untouched < STACK && stack[untouched] == PAINT) {
        untouched++;
    }
    const size_t used = STACK - untouched;
    memset(stack + untouched, PAINT, used);
    if (used > s->deepest) {
        s->deepest = used;
        snprintf(s->deepest_name, sizeof s->deepest_name, "%s of %zu", name, size);
    }
    if (used > LIMIT) {
        print_error("%s of %zu takes %zu bytes of stack\n", name, size, used);
    }
    return call.status;
}

static void end_measuring(const scene *s)
{
    print_message("deepest: %zu bytes, %s\n", s->deepest, s->deepest_name);
    assert_true(s->deepest > 0);
    assert_true(s->deepest <= LIMIT);
}

/* ---- Calls of support/calls.c, and others ---- */

typedef sumac_status (*scene_call)(scene *s);

static sumac_status run_row(void *argument, int row)
{
    return test_calls[row].run(argument, test_calls[row].kind);
}

/* Measure the rows of support/calls.c that the group supports, for size number `turn`. Groups that are alike take a third of the
 * rows for each size, and so every row once. */
static void measure_rows(scene *s, const test_group *t, size_t size, size_t turn)
{
    call_scene_resize(&s->calls, size);
    for (size_t i = 0; i < test_call_count; i++) {
        if (!test_has_case(t, i + turn)) {
            continue;
        }
        const sumac_status status =
            measure(s, test_calls[i].name, size, (measured_call){run_row, &s->calls, (int)i, SUMAC_INTERNAL});
        if (status != SUMAC_NOT_SUPPORTED) {
            test_status(s->calls.context, status, SUMAC_OK, test_calls[i].name);
        }
        (void)unlink(s->calls.path);
    }
}

static scene_call other_call;

static sumac_status run_other(void *argument, int kind)
{
    (void)kind;
    return other_call(argument);
}

/* Measure a call of this file, which some groups or formats do not support. */
static int supports(scene *s, const char *name, scene_call call)
{
    other_call = call;
    const sumac_status status =
        measure(s, name, s->calls.size, (measured_call){run_other, s, 0, SUMAC_INTERNAL});
    if (status != SUMAC_NOT_SUPPORTED && (status != SUMAC_BAD_ARGUMENT || s->format == NULL)) {
        test_status(s->calls.context, status, SUMAC_OK, name);
    }
    return status == SUMAC_OK;
}

static void take(scene *s, const char *name, scene_call call)
{
    assert_true(supports(s, name, call));
}

static sumac_status call_queries(scene *s)
{
    const sumac_group *group;
    sumac_context_info info = {.size = sizeof info};
    uint8_t generator[SUMAC_MESSAGE_BYTES];
    assert_true(s->calls.info->point_bytes <= sizeof generator);
    assert_int_equal(sumac_group_generator(s->calls.group, generator, s->calls.group->point_bytes), SUMAC_OK);
    TRY(sumac_context_describe(s->calls.context, &info));
    TRY(sumac_context_check(s->calls.context));
    const sumac_status status = sumac_group_find(s->calls.info->curve, s->calls.info->name, &group);
    return status == SUMAC_UNKNOWN_CURVE ? SUMAC_OK : status; /* test curves can't be found by name */
}

static sumac_status call_failure(scene *s)
{
    const sumac_bases *none = NULL;
    const sumac_status status = exact_msm(s->calls.context, none, s->calls.scalars, 1, NULL, s->calls.out);
    return status == SUMAC_BAD_ARGUMENT ? sumac_context_check(s->calls.context) : SUMAC_INTERNAL;
}

static sumac_status call_weights(scene *s)
{
    uint32_t weights[2];
    return sumac_context_measure_weights(s->calls.context, s->calls.group, s->calls.size, weights, 2);
}

/* These vectors have more scalars than those of support/calls.c. */
static sumac_status call_long_vector(scene *s)
{
    CLEANUP(destroy_vector) sumac_vector *vector = NULL, *turned = NULL;
    const call_scene *c = &s->calls;
    TRY(sumac_vector_create(c->context, c->group, SUMAC_VECTOR_SCALARS, VECTOR, &vector));
    TRY(sumac_vector_create(c->context, c->group, SUMAC_VECTOR_SCALARS, VECTOR, &turned));
    TRY(test_vector_set(c->context, vector, c->scalars, 0, COUNT, NULL));
    TRY(sumac_vector_transpose(c->context, vector, 64, VECTOR / 64, turned));
    TRY(sumac_vector_bit_reverse(c->context, turned, VECTOR));
    TRY(sumac_vector_invert(c->context, turned));
    return sumac_vector_ntt(c->context, turned, NULL);
}

/* Compute a batch of MSMs with the scene's tuning. */
static sumac_status call_batch(scene *s)
{
    call_scene *c = &s->calls;
    return exact_msm(c->context, c->bases[PLAIN], c->scalars, c->size, &c->msm, s->raw);
}

static void measure_msms(scene *s)
{
    call_scene *c = &s->calls;
    c->size = MOST / BATCH;
    c->msm.batch = BATCH;
    for (int reduction = REDUCTION_AUTO; reduction <= REDUCTION_HALVING; reduction++) {
        c->msm.tuning = test_tuning("reduction=%s", test_reductions[reduction]);
        take(s, "batch", call_batch);
    }
    c->size = MOST;
    c->msm.batch = 1;
    const char *plan;
    for (size_t i = 0; (plan = test_plan_name(c->context, i)) != NULL; i++) {
        c->msm.tuning = test_tuning("plan=%s", plan);
        (void)supports(s, plan, call_batch);
    }
    c->msm.tuning = NULL;
}

/* ---- formats and files ---- */

static sumac_status call_write(scene *s)
{
    (void)unlink(s->calls.path);
    return sumac_bases_save(s->calls.context, s->calls.bases[PLAIN], s->calls.path, s->format);
}

/* Open a part of a file and a whole file. In one format it is checked that the points are in the subgroup. */
static sumac_status call_read(scene *s)
{
    CLEANUP(destroy_bases) sumac_bases *part = NULL, *all = NULL;
    const call_scene *c = &s->calls;
    sumac_bases_config config = {.size = sizeof config};
    size_t n;
    TRY(sumac_bases_file_count(c->context, c->group, c->path, s->format, &n));
    config.check = strcmp(s->format, "raw") == 0 ? SUMAC_CHECK_SUBGROUP : SUMAC_CHECK_CURVE;
    TRY(sumac_bases_open(c->context, c->group, c->path, s->format, 1, n - 1, &config, &part));
    config.check = SUMAC_CHECK_CURVE;
    return sumac_bases_open(c->context, c->group, c->path, s->format, 0, SUMAC_ALL, &config, &all);
}

static sumac_status call_encode(scene *s)
{
    return test_points_encode(s->calls.context, s->calls.group, s->calls.points, s->calls.size, s->format,
                              s->encoded);
}

/* In only one format the subgroup is checked, because that takes longest for many points and is the same for every
 * format. */
static sumac_status call_decode(scene *s)
{
    return test_points_decode(s->calls.context, s->calls.group, s->encoded, s->calls.size, s->format,
                              s->calls.size < MOST ? SUMAC_CHECK_SUBGROUP : SUMAC_CHECK_CURVE, s->raw);
}

static sumac_status call_read_scalars(scene *s)
{
    CLEANUP(free_memory) void *scalars = NULL;
    size_t n;
    return sumac_scalars_read(s->calls.context, s->calls.group, s->scalars_path, &scalars, &n);
}

static sumac_status call_files(scene *s)
{
    sumac_files_config config = {.size = sizeof config};
    sumac_files_report report = {.size = sizeof report};
    config.check = SUMAC_CHECK_SUBGROUP;
    config.chunk = 130;
    config.checkpoint = s->calls.path;
    config.checkpoint_milliseconds = 1;
    return sumac_msm_files(s->calls.context, s->calls.group, s->calls.raw_path, s->scalars_path, &config,
                           NULL, s->raw, s->calls.group->point_bytes, &report);
}

static void measure_files(scene *s)
{
    static const size_t sizes[] = {1, 2, 17, MOST};
    for (size_t i = 0; i < sumac_format_count(); i++) {
        const sumac_format_info *format = sumac_format_at(i);
        s->format = format->name;
        s->calls.size = 1;
        if (format->can_write && supports(s, "sumac_bases_save", call_write)) {
            take(s, "sumac_bases_open", call_read);
            for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
                s->calls.size = sizes[j];
                if (supports(s, "sumac_points_encode", call_encode)) {
                    take(s, "sumac_points_decode", call_decode);
                }
            }
        }
    }
    s->format = NULL;
    test_write_file(s->scalars_path, s->calls.scalars, COUNT * s->calls.info->scalar_bytes);
    take(s, "sumac_scalars_read", call_read_scalars);
    (void)unlink(s->calls.path);
    take(s, "sumac_msm_files", call_files);
    (void)unlink(s->scalars_path);
}

/* ---- a group ---- */

static void scene_begin(scene *s, const test_group *t, const sumac_context_config *config)
{
    const size_t point = t->info->point_bytes;
    call_scene_open(&s->calls, t->group, config, COUNT, MOST);
    s->encoded = test_alloc(COUNT * 2 * point);
    s->raw = test_alloc(COUNT * point);
    snprintf(s->scalars_path, sizeof s->scalars_path, "%s/scalars", s->calls.directory);
}

static void scene_end(scene *s)
{
    call_scene_close(&s->calls);
    free(s->encoded);
    free(s->raw);
}

static void test_every_call(void **state)
{
    static const size_t sizes[] = {1, 17, MOST};
    const sumac_context_config config = test_context_config(1);
    CLEANUP(scene_end) scene s = {.format = NULL};
    scene_begin(&s, *state, &config);
    take(&s, "queries", call_queries);
    take(&s, "a failure", call_failure);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        measure_rows(&s, *state, sizes[i], i);
    }
    measure_msms(&s);
    (void)supports(&s, "a long vector", call_long_vector);
    measure_files(&s);
    end_measuring(&s);
}

/* Measure calls of a context with two devices, which share the work. */
static void test_devices(void **state)
{
    static const int32_t devices[] = {0, 0};
    sumac_context_config config = test_context_config(1);
    if (options.quick) {
        skip();
    }
    config.devices = devices;
    config.device_count = 2;
    config.replica_limit = 1; /* bases are cut into shards */
    CLEANUP(scene_end) scene s = {.format = NULL};
    scene_begin(&s, *state, &config);
    measure_rows(&s, *state, MOST, 0);
    take(&s, "sumac_context_measure_weights", call_weights);
    end_measuring(&s);
}

/* ---- Ethereum's setup ---- */

static sumac_status run_kzg(void *argument, int row)
{
    return kzg_calls[row].run(argument);
}

static void test_kzg(void)
{
    scene s = {.format = NULL};
    CLEANUP(kzg_scene_close) kzg_scene *kzg = kzg_scene_open();
    if (kzg == NULL) {
        skip();
    }
    for (size_t i = 0; i < kzg_call_count; i++) {
        const kzg_call *call = &kzg_calls[i];
        for (kzg->size = 1; kzg->size <= call->most; kzg->size += call->most > 1 ? call->most - 1 : 1) {
            kzg->ok = 1;
            test_status(
                kzg->context,
                measure(&s, call->name, kzg->size, (measured_call){run_kzg, kzg, (int)i, SUMAC_INTERNAL}),
                SUMAC_OK, call->name);
            assert_true(kzg->ok);
        }
    }
    end_measuring(&s);
}

/* ---- Groth16 ---- */

static sumac_status run_groth16(void *argument, int row)
{
    return groth16_calls[row].run(argument);
}

static void measure_groth16(int which)
{
    scene s = {.format = NULL};
    CLEANUP(groth16_scene_close) groth16_scene groth16 = {.out = NULL};
    groth16_scene_open(&groth16, which, test_context(1, 0));
    for (size_t i = 0; i < groth16_call_count; i++) {
        const char *name = groth16_calls[i].name;
        test_status(
            groth16.c.context,
            measure(&s, name, GROTH16_PROOFS, (measured_call){run_groth16, &groth16, (int)i, SUMAC_INTERNAL}),
            SUMAC_OK, name);
    }
    end_measuring(&s);
}

static void test_groth16(void)
{
    (void)circuit_first(); /* without a built curve the test is skipped */
    circuit_for_each(2, measure_groth16);
}

/* ---- PLONK ---- */

static sumac_status run_plonk(void *argument, int row)
{
    return plonk_calls[row].run(argument);
}

static void measure_plonk(int which)
{
    scene s = {.format = NULL};
    CLEANUP(plonk_scene_close) plonk_scene plonk = {.out = NULL};
    plonk_scene_open(&plonk, which, test_context(1, 0));
    for (size_t i = 0; i < plonk_call_count; i++) {
        const char *name = plonk_calls[i].name;
        if (plonk_scene_has(&plonk, &plonk_calls[i])) {
            test_status(
                plonk.c.context,
                measure(&s, name, PLONK_PROOFS, (measured_call){run_plonk, &plonk, (int)i, SUMAC_INTERNAL}),
                SUMAC_OK, name);
        }
    }
    end_measuring(&s);
}

static void test_plonk(void)
{
    plonk_for_scenes(measure_plonk);
}

static const test_entry entries[] = {
    {"calls", test_every_call, TEST_EVERY_AND_TINY},
    {"devices", test_devices, TEST_SOME_AND_TINY},
    {"kzg", TEST_ONCE(test_kzg)},
    {"groth16", TEST_ONCE(test_groth16)},
    {"plonk", TEST_ONCE(test_plonk)},
};
TEST_MAIN("stack", entries)
