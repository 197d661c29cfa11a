/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Calls on a GPU whose kernels do nothing (fake/fake.h): the engine's host code is the real one, copies are made, and results mean
 * nothing. Each call is repeated with its first, second, third .. call of CUDA's runtime failing, then its allocations of the
 * host's memory, then its threads, alone or with all that follow, until it succeeds. A call that failed has a sentence, and the
 * same context then does the call; at the end nothing is left on any device. The sanitizers see what is used after it was
 * given back, and what lacks a wait. Plans are the real ones, too.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/try.h"
#include "fake.h"
#include "sumac/sumac.h"
#include "sumac/vector.h"
#include "support/abort.h"
#include "support/cleanup.h"
#include "support/failing.h"

/* The alarm makes a failure of a call that waits for ever. */
enum { COUNT = 64, BATCH = 3, LARGE_BATCH = 100, MOST_NUMBERS = 20000, MOST_SECONDS = 900 };

void test_abort(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr, "fake_gpu: FAILED: ");
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static void must(sumac_status status, const sumac_context *context, const char *what)
{
    if (status != SUMAC_OK) {
        test_abort("%s: status %d, \"%s\"", what, (int)status,
                   context == NULL ? "" : sumac_context_message(context));
    }
}

static void *take(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (memory == NULL) {
        test_abort("the test itself has no memory for %zu bytes", bytes);
    }
    return memory;
}

/* ---- Inputs ---- */

typedef struct scene {
    const sumac_curve *curve;
    const sumac_curve_info *info;
    sumac_context_config config;
    sumac_context *context;
    sumac_bases *bases, *multiples, *windows;
    sumac_vector *scalar_vector, *other_vector, *point_vector, *sums;
    cudaStream_t stream; /* of device 0 */
    uint8_t *points, *scalars, *results, *partial, *elements;
} scene;

/* Known points from the CPU: a GPU that computes nothing has none. */
static void make_points(scene *s)
{
    CLEANUP(destroy_context) sumac_context *host = NULL;
    CLEANUP(destroy_bases) sumac_bases *known = NULL;
    sumac_context_config config = sumac_context_config_default();
    config.backend = "cpu";
    must(sumac_context_create(&config, &host, NULL), NULL, "a context of the CPU");
    must(sumac_known_bases_create(host, s->curve, COUNT, 1, NULL, &known), host, "known bases");
    must(sumac_bases_get(host, known, 0, COUNT, s->points), host, "their points");
    must(sumac_known_logarithms(host, s->curve, COUNT, 1, s->scalars), host, "scalars");
    for (int j = 1; j < BATCH; j++) {
        memcpy(s->scalars + (size_t)j * COUNT * s->info->scalar_bytes, s->scalars,
               (size_t)COUNT * s->info->scalar_bytes);
    }
}

static sumac_bases *make_bases(const scene *s, uint32_t factor, sumac_tables tables)
{
    sumac_bases *bases = NULL;
    sumac_bases_config config = sumac_bases_config_default();
    config.precompute_factor = factor;
    config.tables = tables;
    config.c = tables == SUMAC_TABLES_WINDOWS ? 2 : 0;
    must(sumac_bases_create(s->context, s->curve, s->points, COUNT, &config, &bases), s->context, "bases");
    return bases;
}

static sumac_vector *make_vector(const scene *s, sumac_vector_kind kind, size_t count)
{
    sumac_vector *vector = NULL;
    must(sumac_vector_create(s->context, s->curve, kind, count, &vector), s->context, "a vector");
    return vector;
}

static void begin_scene(scene *s, const sumac_context_config *config)
{
    s->config = *config;
    must(sumac_context_create(config, &s->context, NULL), NULL, "a context");
    if (cudaSetDevice(0) != cudaSuccess || cudaStreamCreate(&s->stream) != cudaSuccess) {
        test_abort("the test itself has no stream");
    }
    s->bases = make_bases(s, 0, SUMAC_TABLES_MULTIPLES);
    s->multiples = make_bases(s, 4, SUMAC_TABLES_MULTIPLES);
    s->windows = make_bases(s, 0, SUMAC_TABLES_WINDOWS);
    s->scalar_vector = make_vector(s, SUMAC_VECTOR_SCALARS, COUNT);
    s->other_vector = make_vector(s, SUMAC_VECTOR_SCALARS, COUNT);
    s->point_vector = make_vector(s, SUMAC_VECTOR_POINTS, COUNT);
    s->sums = make_vector(s, SUMAC_VECTOR_POINTS, BATCH);
}

static void end_scene(scene *s)
{
    sumac_vector_destroy(s->scalar_vector);
    sumac_vector_destroy(s->other_vector);
    sumac_vector_destroy(s->point_vector);
    sumac_vector_destroy(s->sums);
    sumac_bases_destroy(s->bases);
    sumac_bases_destroy(s->multiples);
    sumac_bases_destroy(s->windows);
    (void)cudaStreamDestroy(s->stream);
    sumac_context_destroy(s->context);
}

/* ---- Calls ---- */

typedef sumac_status (*call)(const scene *s);

static void close_bases(sumac_bases **bases)
{
    sumac_bases_destroy(*bases);
}

static void close_vector(sumac_vector **vector)
{
    sumac_vector_destroy(*vector);
}

static void close_call(sumac_call **prepared)
{
    sumac_call_destroy(*prepared);
}

/* The defaults, with a tuning that a call may change. */
static sumac_msm_config tuned(sumac_tuning *tuning)
{
    sumac_msm_config config = sumac_msm_config_default();
    *tuning = sumac_tuning_default();
    config.tuning = tuning;
    return config;
}

static sumac_status call_context(const scene *s)
{
    CLEANUP(destroy_context) sumac_context *context = NULL;
    const sumac_status status = sumac_context_create(&s->config, &context, NULL);
    if ((status == SUMAC_OK) != (context != NULL)) {
        test_abort("success, and only that, gives a context");
    }
    return status;
}

static sumac_status create_bases(const scene *s, uint32_t factor, sumac_tables tables, sumac_check check)
{
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    sumac_bases_config config = sumac_bases_config_default();
    config.precompute_factor = factor;
    config.tables = tables;
    config.c = tables == SUMAC_TABLES_WINDOWS ? 2 : 0;
    config.check = check;
    const sumac_status status = sumac_bases_create(s->context, s->curve, s->points, COUNT, &config, &bases);
    if ((status == SUMAC_OK) != (bases != NULL)) {
        test_abort("success, and only that, gives bases");
    }
    return status;
}

static sumac_status call_bases(const scene *s)
{
    return create_bases(s, 0, SUMAC_TABLES_MULTIPLES, SUMAC_CHECK_SUBGROUP);
}

static sumac_status call_multiples(const scene *s)
{
    return create_bases(s, 8, SUMAC_TABLES_MULTIPLES, SUMAC_CHECK_CURVE);
}

static sumac_status call_windows(const scene *s)
{
    return create_bases(s, 0, SUMAC_TABLES_WINDOWS, SUMAC_CHECK_CURVE);
}

static sumac_status call_automatic(const scene *s)
{
    return create_bases(s, 0, SUMAC_TABLES_AUTO, SUMAC_CHECK_CURVE);
}

static sumac_status call_get(const scene *s)
{
    return sumac_bases_get(s->context, s->multiples, 0, COUNT, s->elements);
}

static sumac_status call_msm(const scene *s)
{
    return sumac_msm(s->context, s->bases, s->scalars, COUNT, NULL, s->results);
}

static sumac_status call_batch(const scene *s)
{
    sumac_tuning tuning;
    sumac_msm_config config = tuned(&tuning);
    config.batch = BATCH;
    tuning.chunks = 3;
    tuning.copy_slices = 2;
    return sumac_msm(s->context, s->multiples, s->scalars, COUNT, &config, s->results);
}

static sumac_status call_lengths(const scene *s)
{
    static const uint64_t offsets[BATCH + 1] = {1, COUNT / 2, COUNT, 2 * COUNT - 5};
    sumac_tuning tuning;
    sumac_msm_config config = tuned(&tuning);
    config.batch = BATCH;
    config.offsets = offsets;
    tuning.chunks = 2;
    return sumac_msm(s->context, s->bases, s->scalars, COUNT, &config, s->results);
}

static sumac_status call_looked_up(const scene *s)
{
    sumac_msm_config config = sumac_msm_config_default();
    config.batch = BATCH;
    return sumac_msm(s->context, s->windows, s->scalars, COUNT, &config, s->results);
}

static sumac_status call_partial(const scene *s)
{
    return sumac_msm_partial(s->context, s->bases, s->scalars, COUNT, NULL, s->partial);
}

static sumac_status call_prepared(const scene *s)
{
    CLEANUP(close_call) sumac_call *prepared = NULL;
    TRY(sumac_msm_prepare(s->context, s->bases, COUNT, NULL, &prepared));
    return sumac_call_run(prepared, s->scalars, s->results);
}

/* An asynchronous call on one device. */
static sumac_status call_stream(const scene *s)
{
    sumac_msm_config config = sumac_msm_config_default();
    if (sumac_context_device_count(s->context) > 1) {
        return SUMAC_OK;
    }
    config.stream = s->stream;
    TRY(sumac_msm(s->context, s->bases, s->scalars, COUNT, &config, s->results));
    return sumac_context_wait(s->context);
}

static sumac_status call_vector_io(const scene *s)
{
    CLEANUP(close_vector) sumac_vector *vector = NULL;
    TRY(sumac_vector_create(s->context, s->curve, SUMAC_VECTOR_POINTS, COUNT, &vector));
    TRY(sumac_vector_set(s->context, vector, s->points, 0, COUNT, NULL));
    return sumac_vector_get(s->context, vector, 0, COUNT, NULL, s->elements);
}

static sumac_status call_scalars(const scene *s)
{
    TRY(sumac_vector_set(s->context, s->scalar_vector, s->scalars, 0, COUNT, NULL));
    TRY(sumac_vector_multiply(s->context, s->scalar_vector, s->other_vector, 1, s->other_vector));
    TRY(sumac_vector_invert(s->context, s->scalar_vector));
    return sumac_vector_transpose(s->context, s->scalar_vector, 8, COUNT / 8, s->other_vector);
}

static sumac_status call_ntt(const scene *s)
{
    sumac_transform_config config = sumac_transform_config_default();
    config.coefficients = COUNT / 2;
    return sumac_vector_ntt(s->context, s->scalar_vector, &config);
}

static sumac_status call_point_transform(const scene *s)
{
    return sumac_vector_point_transform(s->context, s->point_vector, NULL);
}

static sumac_status call_gather(const scene *s)
{
    static const uint64_t rows[COUNT / 4] = {3, 1, 2};
    CLEANUP(close_vector) sumac_vector *gathered = NULL;
    TRY(sumac_vector_create(s->context, s->curve, SUMAC_VECTOR_POINTS, COUNT, &gathered));
    return sumac_vector_gather(s->context, s->point_vector, 4, rows, COUNT / 4, gathered);
}

static sumac_status call_msm_vectors(const scene *s)
{
    return sumac_msm_vectors(s->context, s->bases, s->scalar_vector, 0, COUNT, NULL, s->sums, 1);
}

static sumac_status call_bases_of_vector(const scene *s)
{
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    sumac_bases_config config = sumac_bases_config_default();
    config.precompute_factor = 2;
    return sumac_bases_create_from_vector(s->context, s->point_vector, 0, COUNT, &config, &bases);
}

/* ---- Everything that can fail, in turn ---- */

typedef enum failure_kind { RUNTIME, ALLOCATION, THREAD, FAILURE_KINDS } failure_kind;

/* The call once with a failure; 0 once it makes no call, allocation or thread of that number. */
static int fail_one(const scene *s, call run, const char *name, failure_kind kind, long number,
                    int from_then_on)
{
    failing_plan plan = failing_none;
    plan.from_then_on = from_then_on;
    plan.allocation = kind == ALLOCATION ? number : -1;
    plan.thread = kind == THREAD ? number : -1;
    (void)fake_fail(kind == RUNTIME ? number : -1, from_then_on);
    failing_begin(plan);
    const sumac_status status = run(s);
    const failing_report report = failing_end();
    const long failed = fake_fail(-1, 0) + report.allocations_failed + report.threads_failed;
    if (status != SUMAC_OK && run != call_context && sumac_context_message(s->context)[0] == '\0') {
        test_abort("%s fails with status %d and without a sentence", name, (int)status);
    }
    if (status == SUMAC_INTERNAL || (failed == 0 && status != SUMAC_OK)) {
        test_abort("%s: status %d where %ld failures of kind %d were made from number %ld on: \"%s\"", name,
                   (int)status, failed, (int)kind, number, sumac_context_message(s->context));
    }
    return failed != 0;
}

static void exhaust(const scene *s, call run, const char *name)
{
    must(run(s), s->context, name);
    for (int kind = 0; kind < 2 * FAILURE_KINDS; kind++) {
        for (long number = 0; fail_one(s, run, name, (failure_kind)(kind / 2), number, kind % 2); number++) {
            must(run(s), s->context, name);
            if (number > MOST_NUMBERS) {
                test_abort("%s does not come to an end", name);
            }
        }
    }
}

static void test_failures(scene *s, const sumac_context_config *config)
{
    static const struct {
        const char *name;
        call run;
    } calls[] = {
        {"a context", call_context},
        {"bases", call_bases},
        {"multiples", call_multiples},
        {"window tables", call_windows},
        {"tables that the planner chooses", call_automatic},
        {"points of bases", call_get},
        {"an MSM", call_msm},
        {"a batch", call_batch},
        {"MSMs of different lengths", call_lengths},
        {"MSMs by window tables", call_looked_up},
        {"a partial result", call_partial},
        {"a prepared call", call_prepared},
        {"a call on a stream", call_stream},
        {"a vector there and back", call_vector_io},
        {"vectors of scalars", call_scalars},
        {"a transform", call_ntt},
        {"a transform of points", call_point_transform},
        {"rows of a vector", call_gather},
        {"an MSM of vectors", call_msm_vectors},
        {"bases of a vector", call_bases_of_vector},
    };
    begin_scene(s, config);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        exhaust(s, calls[i].run, calls[i].name);
    }
    end_scene(s);
    fake_expect_nothing_left();
}

/* ---- A GPU without memory ---- */

/* A call ends, whatever tables it wants and of however few bases: they stay on the host, or there is a sentence. */
static void test_no_memory(scene *s, const sumac_context_config *config)
{
    static const size_t counts[] = {0, 1, COUNT};
    must(sumac_context_create(config, &s->context, NULL), NULL, "a context");
    for (int i = 0; i < 3 * 3 * 2; i++) {
        const size_t count = counts[i % 3];
        sumac_bases *bases = NULL;
        sumac_bases_config of_bases = sumac_bases_config_default();
        of_bases.tables = (sumac_tables)(i / 3 % 3);
        of_bases.precompute_factor = of_bases.tables == SUMAC_TABLES_MULTIPLES ? 8 : 0;
        of_bases.table_limit = i / 9 == 0 ? 0 : 1 << 20;
        fake_leave(0);
        const sumac_status status =
            sumac_bases_create(s->context, s->curve, s->points, count, &of_bases, &bases);
        fake_leave((uint64_t)1 << 36);
        sumac_bases_destroy(bases); /* those that stay on the host */
        if ((status != SUMAC_OK || of_bases.tables == SUMAC_TABLES_WINDOWS) &&
            (status != SUMAC_OUT_OF_MEMORY || sumac_context_message(s->context)[0] == '\0')) {
            test_abort("%zu bases without memory, tables %d: status %d, \"%s\"", count, i / 3 % 3,
                       (int)status, sumac_context_message(s->context));
        }
        must(sumac_bases_create(s->context, s->curve, s->points, count, &of_bases, &bases), s->context,
             "bases with memory");
        sumac_bases_destroy(bases);
    }
    sumac_context_destroy(s->context);
    fake_expect_nothing_left();
}

/* ---- A limit for a call's memory ---- */

/* A limit makes at most 512 passes of a small call, each of some twenty kernels; or the call is refused, and the sentence says how many
 * bytes more it needs. */
static void test_launches(scene *s)
{
    enum { MOST_LAUNCHES = 20 * 512 };
    AUTO_FREE uint8_t *scalars = take((size_t)LARGE_BATCH * COUNT * s->info->scalar_bytes);
    AUTO_FREE uint8_t *results = take((size_t)LARGE_BATCH * s->info->point_bytes);
    uint64_t refused = 0;
    for (uint64_t limit = 1024; limit <= 1 << 22; limit *= 2) {
        sumac_context_config config = s->config;
        config.memory_limit = limit;
        must(sumac_context_create(&config, &s->context, NULL), NULL, "a context with a limit");
        s->bases = make_bases(s, 0, SUMAC_TABLES_MULTIPLES);
        for (uint32_t batch = 1; batch <= LARGE_BATCH; batch *= LARGE_BATCH) {
            sumac_msm_config of_call = sumac_msm_config_default();
            of_call.batch = batch;
            const uint64_t before = fake_launches();
            const sumac_status status = sumac_msm(s->context, s->bases, scalars, COUNT, &of_call, results);
            const uint64_t launches = fake_launches() - before;
            if (launches > MOST_LAUNCHES) {
                test_abort("a limit of %llu bytes: %llu launches for %u MSMs of %d bases",
                           (unsigned long long)limit, (unsigned long long)launches, batch, COUNT);
            }
            if (status != SUMAC_OK && (status != SUMAC_MEMORY_LIMIT ||
                                       strstr(sumac_context_message(s->context), "too small") == NULL)) {
                test_abort("a limit of %llu bytes: status %d, \"%s\"", (unsigned long long)limit, (int)status,
                           sumac_context_message(s->context));
            }
            refused += status != SUMAC_OK;
        }
        sumac_bases_destroy(s->bases);
        sumac_context_destroy(s->context);
    }
    if (refused == 0) {
        test_abort("no limit is too small");
    }
    fake_expect_nothing_left();
}

/* ---- The window of multiples ---- */

/* The milliseconds that are predicted for a call of n bases with all multiples, which are made for windows of c bits, or for c = 0
 * of as many as the planner chooses. */
static double predicted(const scene *s, size_t n, uint32_t c, uint32_t *planned)
{
    CLEANUP(destroy_plan) sumac_plan *plan = NULL;
    sumac_bases_config of_bases = sumac_bases_config_default();
    of_bases.precompute_factor = 256;
    of_bases.c = c;
    must(sumac_plan_create(s->context, s->curve, n, &of_bases, NULL, &plan), s->context, "a plan");
    const double milliseconds = sumac_plan_milliseconds(plan);
    *planned = sumac_plan_window_bits(plan);
    return milliseconds;
}

/* Multiples are made for the window with which calls are predicted to be the fastest, all that waits for copies counted. */
static void test_windows(scene *s, const sumac_context_config *config)
{
    must(sumac_context_create(config, &s->context, NULL), NULL, "a context");
    for (size_t n = 1 << 10; n <= 1 << 24; n *= 2) {
        uint32_t chosen, planned;
        const double milliseconds = predicted(s, n, 0, &chosen);
        for (uint32_t c = 8; c <= 24; c++) {
            const double other = predicted(s, n, c, &planned);
            if (other < milliseconds * 0.999999) {
                test_abort("all multiples of %zu bases are made for c = %u, and calls take %.3f ms: with c = "
                           "%u %.3f",
                           n, chosen, milliseconds, c, other);
            }
        }
    }
    sumac_context_destroy(s->context);
    fake_expect_nothing_left();
}

int main(void)
{
    static const int32_t both[] = {0, 1};
    scene s = {0};
    sumac_context_config one = sumac_context_config_default(), two = one;
    one.backend = two.backend = "cuda";
    one.threads = two.threads = 2;
    two.devices = both;
    two.device_count = 2;
    two.replica_limit = 1; /* shards */
    (void)alarm(MOST_SECONDS);
    must(sumac_curve_find("bn254", "g1", &s.curve), NULL, "the curve");
    s.info = sumac_curve_describe(s.curve);
    s.points = take((size_t)COUNT * s.info->point_bytes);
    s.scalars = take((size_t)BATCH * COUNT * s.info->scalar_bytes);
    s.results = take((size_t)BATCH * s.info->point_bytes);
    s.elements = take((size_t)COUNT * s.info->point_bytes);
    s.partial = take(sumac_partial_bytes(s.curve, 1));
    make_points(&s);
    test_no_memory(&s, &one);
    test_no_memory(&s, &two);
    test_windows(&s, &one);
    s.config = one;
    test_launches(&s);
    test_failures(&s, &one);
    test_failures(&s, &two);
    free(s.points);
    free(s.scalars);
    free(s.results);
    free(s.partial);
    free(s.elements);
    (void)printf("fake_gpu: OK\n");
    return 0;
}
