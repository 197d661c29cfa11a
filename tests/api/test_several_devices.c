/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests contexts of several devices. If a machine has one device, the contexts use it several times. The
 * tests check each device's share of the work, and compare sums with those that follow from the bases' discrete
 * logarithms.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/call.h"
#include "api/handles.h"
#include "executor/msm.h"
#include "support/harness.h"

enum { BASES = 300, MOST_BATCH = 7, SEED = 5 };

static const int32_t same[MOST_DEVICES + 1];

/* Do shared work within a call of the context, so that the message of the work becomes the call's. */
static sumac_status as_call(sumac_context *context,
                            sumac_status (*run)(executor_list *list, executor_work work, void *arguments),
                            executor_work work, void *arguments)
{
    BEGIN_CALL(context);
    return run(&context->executors, work, arguments);
}

static sumac_context_config config_of(uint32_t count, const uint32_t *shares, int shards)
{
    sumac_context_config config = test_context_config(3);
    config.devices = same;
    config.device_count = count;
    config.device_weights = shares;
    config.replica_limit = shards ? 1 : 0;
    return config;
}

static sumac_context *create(uint32_t count, const uint32_t *shares, int shards)
{
    const sumac_context_config config = config_of(count, shares, shards);
    sumac_context *context = NULL;
    assert_int_equal(sumac_context_create(&config, &context, NULL), SUMAC_OK);
    assert_int_equal(test_describe(context).device_count, count);
    return context;
}

/* ---- lists ---- */

static void refuse_list(const sumac_context_config *list, sumac_status expected, const char *part)
{
    sumac_context_config config = *list;
    sumac_context *context = (sumac_context *)&config;
    sumac_message reason;
    assert_int_equal(sumac_context_create(&config, &context, &reason), expected);
    assert_null(context);
    if (strstr(reason.text, part) == NULL) {
        test_abort("the reason \"%s\" does not say \"%s\"", reason.text, part);
    }
}

static void test_lists(void)
{
    static const int32_t unknown[] = {0, 1000}, negative[] = {0, -1};
    const uint32_t none[] = {1, 0}, large[] = {1, 1000001};
    sumac_context_config config = config_of(2, NULL, 0);
    config.device_count = 0;
    refuse_list(&config, SUMAC_BAD_ARGUMENT, "empty");
    config.device_count = MOST_DEVICES + 1;
    refuse_list(&config, SUMAC_BAD_ARGUMENT, "at most 16");
    config.device_count = SUMAC_ALL_DEVICES;
    refuse_list(&config, SUMAC_BAD_ARGUMENT, "at most 16");
    config.devices = NULL;
    config.device_count = 2;
    refuse_list(&config, SUMAC_BAD_ARGUMENT, "null");
    config = config_of(2, NULL, 0);
    config.devices = unknown;
    refuse_list(&config, SUMAC_BACKEND_UNAVAILABLE, "1000");
    config.devices = negative;
    refuse_list(&config, SUMAC_BAD_ARGUMENT, "-1");
    config.devices = negative + 1; /* the first device of a list is opened before the others */
    config.device_count = 1;
    refuse_list(&config, SUMAC_BAD_ARGUMENT, "-1");
    config.devices = unknown + 1;
    refuse_list(&config, SUMAC_BACKEND_UNAVAILABLE, "1000");
    config = config_of(2, none, 0);
    refuse_list(&config, SUMAC_BAD_ARGUMENT, "weight 0");
    config = config_of(2, large, 0);
    refuse_list(&config, SUMAC_BAD_ARGUMENT, "weight 1000001");
    config.devices = NULL;
    config.device_count = 0;
    refuse_list(&config, SUMAC_BAD_ARGUMENT, "devices is null");
    config.device_weights = NULL;
    config.device_count = SUMAC_ALL_DEVICES;
    CLEANUP(destroy_context) sumac_context *all = NULL;
    assert_int_equal(sumac_context_create(&config, &all, NULL), SUMAC_OK);
    assert_true(test_describe(all).device_count >= 1);
}

static void test_executors(void)
{
    CLEANUP(destroy_context)
    sumac_context *one = create(1, NULL, 0), *most = create(MOST_DEVICES, NULL, 0);
    assert_int_equal(sumac_context_check(NULL), SUMAC_BAD_ARGUMENT);
    TEST_OK(one, sumac_context_check(one));
    TEST_OK(most, sumac_context_check(most));
    assert_int_equal(test_describe(most).threads, 3);
    assert_int_equal(one->executors.at->means.threads, 3);
    assert_int_equal(most->executors.at->means.threads, 3);
    for (uint32_t k = 0; k < MOST_DEVICES; k++) {
        assert_ptr_equal(most->executors.at[k].backend, one->executors.at->backend);
        assert_int_equal(executors_means(&most->executors, k)->threads, 1);
        assert_int_equal(test_describe(most).device_names[k][0] != '\0',
                         most->executors.at[k].engine != NULL);
    }
}

/* These are the statuses that test_work() makes the executors return, and how often each executor was called. */
typedef struct shared_work {
    sumac_context *context;
    pthread_barrier_t *all_begun; /* null if executors do not wait for each other */
    uint32_t calls[MOST_DEVICES];
    sumac_status statuses[MOST_DEVICES];
} shared_work;

static sumac_status work_with(void *argument, uint32_t k, const _Atomic int *stop)
{
    shared_work *work = argument;
    executor *self = &work->context->executors.at[k];
    (void)stop;
    if (work->all_begun != NULL) {
        (void)pthread_barrier_wait(work->all_begun);
    }
    work->calls[k]++;
    if (self->means.threads != executors_means(&work->context->executors, k)->threads) {
        return refuse(&self->message, SUMAC_INTERNAL, "not its share of the threads");
    }
    return work->statuses[k] == SUMAC_OK ? SUMAC_OK
                                         : refuse(&self->message, work->statuses[k], "executor %u failed", k);
}

static void expect_work(shared_work *work, uint32_t count, sumac_status expected, const char *sentence)
{
    executor_list *list = &work->context->executors;
    memset(work->calls, 0, sizeof work->calls);
    test_status(work->context, as_call(work->context, executors_run_to_end, work_with, work), expected,
                sentence);
    assert_string_equal(sumac_context_message(work->context), sentence);
    assert_int_equal(list->at->means.threads, 3);
    for (uint32_t k = 0; k < MOST_DEVICES; k++) {
        assert_int_equal(work->calls[k], k < count);
    }
}

/* All executors work at the same time. The call returns the first failure. The failure does not end executors that
 * ignore `stop`. */
static void test_work(void)
{
    for (uint32_t count = 1; count <= 4; count += 3) {
        pthread_barrier_t all_begun;
        shared_work work = {.context = create(count, NULL, 0)};
        char sentence[64];
        assert_int_equal(pthread_barrier_init(&all_begun, NULL, count), 0);
        work.all_begun = &all_begun;
        expect_work(&work, count, SUMAC_OK, "");
        work.all_begun = NULL;
        work.statuses[count - 1] = SUMAC_BAD_ARGUMENT;
        snprintf(sentence, sizeof sentence, "executor %u failed", count - 1);
        expect_work(&work, count, SUMAC_BAD_ARGUMENT, sentence);
        work.statuses[0] = SUMAC_BAD_FILE;
        expect_work(&work, count, SUMAC_BAD_FILE, "executor 0 failed");
        memset(work.statuses, 0, sizeof work.statuses);
        expect_work(&work, count, SUMAC_OK, "");
        assert_int_equal(pthread_barrier_destroy(&all_begun), 0);
        sumac_context_destroy(work.context);
    }
}

/* One executor fails before the work of the other one has begun. The last executor sees `stop`. */
static sumac_status stop_others(void *argument, uint32_t k, const _Atomic int *stop)
{
    shared_work *work = argument;
    work->calls[k]++;
    if (k == 0) {
        return refuse(&work->context->executors.at->message, SUMAC_BAD_FILE, "stop");
    }
    while (atomic_load(stop) == 0) {
    }
    return SUMAC_OK;
}

static void test_stop(void)
{
    shared_work work = {.context = create(2, NULL, 0)};
    test_status(work.context, as_call(work.context, executors_run, stop_others, &work), SUMAC_BAD_FILE,
                "one stops the other");
    assert_string_equal(sumac_context_message(work.context), "stop");
    assert_int_equal(work.calls[0], 1);
    assert_in_range(work.calls[1], 0, 1);
    sumac_context_destroy(work.context);
}

static void test_cuts(void)
{
    static const uint32_t weights[] = {1, 5, 2};
    CLEANUP(destroy_context)
    sumac_context *one = create(1, NULL, 0), *three = create(3, weights, 0), *equal = create(3, NULL, 0);
    const size_t of_eight[] = {0, 1, 6, 8, 8};
    size_t with_one = 0;
    for (uint32_t k = 0; k < 5; k++) {
        assert_int_equal(executors_cut(&three->executors, 8, 1, k), of_eight[k]);
        assert_int_equal(executors_cut(&three->executors, 17, 2, k), k < 3 ? 2 * of_eight[k] : 17);
        assert_int_equal(executors_cut(&one->executors, 8, 1, k), k == 0 ? 0 : 8);
    }
    assert_int_equal(executors_largest(&three->executors, 8, 1), 1);
    for (uint32_t k = 0; k < 3; k++) {
        const uint64_t begin = executors_cut(&equal->executors, 2, 1, k);
        const uint64_t end = executors_cut(&equal->executors, 2, 1, k + 1);
        assert_in_range(end - begin, 0, 1);
        with_one += end - begin;
    }
    assert_int_equal(with_one, 2);
}

/* Measured weights are speeds that a caller can give to another context. This context keeps its own weights. */
static void test_measured_weights(void **state)
{
    const sumac_group *group = ((test_group *)*state)->group;
    static const uint32_t uneven[] = {1, 5, 2};
    CLEANUP(destroy_context) sumac_context *three = create(3, uneven, 0), *one = create(1, NULL, 0);
    uint32_t weights[4] = {7, 7, 7, 7}, most = 0;
    TEST_BAD(three, sumac_context_measure_weights(three, NULL, 40, weights, 4));
    TEST_BAD(three, sumac_context_measure_weights(three, group, 0, weights, 4));
    TEST_BAD(three, sumac_context_measure_weights(three, group, 40, NULL, 4));
    assert_int_equal(sumac_context_measure_weights(NULL, group, 40, weights, 4), SUMAC_BAD_ARGUMENT);
    assert_int_not_equal(sumac_context_measure_weights(three, group, SIZE_MAX, weights, 4), SUMAC_OK);
    test_sentence(three, sumac_context_measure_weights(three, group, 40, weights, 2), SUMAC_BAD_LENGTH,
                  "room for 2 weights");
    for (uint32_t k = 0; k < 4; k++) {
        assert_int_equal(weights[k], 7);
    }
    TEST_OK(three, sumac_context_measure_weights(three, group, 40, weights, 4));
    for (uint32_t k = 0; k < 3; k++) {
        assert_in_range(weights[k], 1, 1000);
        most = weights[k] > most ? weights[k] : most;
    }
    assert_int_equal(most, 1000);
    assert_int_equal(weights[3], 7);
    assert_int_equal(executors_cut(&three->executors, 8, 1, 1), 1);
    TEST_OK(one, sumac_context_measure_weights(one, group, 1, weights, 4));
    assert_int_equal(weights[0], 1000);
    sumac_context_destroy(create(3, weights, 0)); /* a context accepts measured weights */
}

/* ---- sums ---- */

/* These are scalars, the bases' logarithms, and a context of one device that computes the answers. */
typedef struct known {
    const test_group *t;
    sumac_context *single;
    uint8_t *scalars; /* for MOST_BATCH MSMs */
    uint8_t *logarithms;
} known;

static known known_make(test_group *t)
{
    sumac_context_config config = test_context_config(1);
    known k = {.t = t};
    config.devices = NULL;
    config.device_count = 0;
    assert_int_equal(sumac_context_create(&config, &k.single, NULL), SUMAC_OK);
    k.scalars = test_alloc((size_t)MOST_BATCH * BASES * t->info->scalar_bytes);
    k.logarithms = test_alloc((size_t)BASES * t->info->scalar_bytes);
    test_random_scalars(t, k.scalars, (size_t)MOST_BATCH * BASES);
    TEST_OK(k.single, test_known_logarithms(k.single, t->group, BASES, SEED, k.logarithms));
    return k;
}

static void known_free(known *k)
{
    sumac_context_destroy(k->single);
    free(k->scalars);
    free(k->logarithms);
}

static sumac_bases *known_bases(const known *k, sumac_context *context, uint32_t factor)
{
    sumac_bases *bases = NULL;
    sumac_bases_config config = {.size = sizeof config};
    config.precompute_factor = factor;
    TEST_OK(context, sumac_known_bases_create(context, k->t->group, BASES, SEED, &config, &bases));
    assert_int_equal(sumac_bases_count(bases), BASES);
    return bases;
}

/* Require that the call's results are those that follow from the logarithms. */
static void check_call(const known *k, sumac_context *context, const sumac_bases *bases, size_t n,
                       const sumac_msm_config *config)
{
    const sumac_group *info = k->t->info;
    const uint64_t sets = config->base_sets == 0 ? 1 : config->base_sets;
    AUTO_FREE uint8_t *expected = test_alloc((size_t)config->batch * info->point_bytes);
    char label[128];
    for (uint32_t j = 0; j < config->batch; j++) {
        const size_t base = config->first + j % sets * n;
        TEST_OK(k->single, test_known_answer(k->single, k->t->group, k->scalars + j * n * info->scalar_bytes,
                                             k->logarithms + base * info->scalar_bytes, n,
                                             expected + j * info->point_bytes));
    }
    snprintf(label, sizeof label, "%zu devices, batch %u of %llu sets, first %zu",
             test_describe(context).device_count, config->batch, (unsigned long long)sets, config->first);
    test_msm(context, bases, k->scalars, n, config, expected, label);
}

static void check_calls(const known *k, sumac_context *context, const sumac_bases *bases)
{
    static const size_t sizes[] = {0, 1, 2, 3, 7, 40};
    static const uint32_t batches[] = {1, 2, 5, MOST_BATCH};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t j = 0; j < sizeof batches / sizeof *batches; j++) {
            for (uint32_t sets = 0; sets <= 4; sets++) { /* 0: shared bases; 4: each MSM has its own */
                sumac_msm_config config = {.size = sizeof config};
                config.batch = batches[j];
                config.base_sets = sets == 4 ? config.batch : sets;
                config.first = (i + j) % 2 * (BASES / 2 - sizes[i] / 2) % 20;
                check_call(k, context, bases, sizes[i], &config);
            }
        }
    }
    for (size_t first = 0; first < BASES; first += 59) { /* parts of the bases that cross shards */
        sumac_msm_config config = {.size = sizeof config};
        config.batch = 1;
        config.first = first;
        check_call(k, context, bases, BASES - first, &config);
        config.batch = 3;
        check_call(k, context, bases, (BASES - first) / 2, &config);
    }
}

static void test_sums(void **state)
{
    static const uint32_t shares[][3] = {{1, 1, 1}, {1, 1000, 1}, {5, 2, 9}};
    CLEANUP(known_free) known k = known_make(*state);
    for (uint32_t count = 2; count <= 3; count++) {
        for (size_t i = options.quick ? 2 : 0; i < 3; i++) {
            for (int shards = 0; shards <= 1; shards++) {
                CLEANUP(destroy_context)
                sumac_context *context = create(count, i == 0 ? NULL : shares[i], shards);
                CLEANUP(destroy_bases) sumac_bases *bases = known_bases(&k, context, i == 2 ? 4 : 1);
                check_calls(&k, context, bases);
            }
        }
    }
}

/* There may be fewer bases than devices, or even none. */
static void test_few_bases(void **state)
{
    CLEANUP(known_free) known k = known_make(*state);
    CLEANUP(destroy_context) sumac_context *context = create(7, NULL, 1);
    const size_t bytes = k.t->info->point_bytes;
    AUTO_FREE uint8_t *points = test_alloc(4 * bytes), *copy = test_alloc(4 * bytes);
    CLEANUP(destroy_bases) sumac_bases *all = known_bases(&k, k.single, 1);
    TEST_OK(k.single, exact_get(k.single, all, 0, 4, points));
    for (size_t n = 0; n <= 4; n++) {
        sumac_msm_config config = {.size = sizeof config};
        CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, k.t, points, n, NULL);
        config.batch = 1;
        check_call(&k, context, bases, n, &config);
        TEST_OK(context, exact_get(context, bases, 0, n, copy));
        assert_memory_equal(copy, points, n * bytes);
    }
}

/* Each device gets a part of a large MSM, and whole MSMs of a batch. A prepared call is split in the same way. */
static void test_shares(void **state)
{
    test_group *t = *state;
    for (int shards = 0; shards <= 1; shards++) {
        CLEANUP(destroy_context) sumac_context *context = create(2, NULL, shards);
        test_plan plan = {0};
        sumac_msm_config config = {.size = sizeof config};
        TEST_OK(context, test_plan_create(context, t->group, 1 << 18, NULL, &config, &plan));
        assert_int_equal(plan.devices, 2);
        assert_int_equal(plan.device_calls, 1);
        assert_int_equal(plan.n, 1 << 17);
        config.batch = 9;
        TEST_OK(context, test_plan_create(context, t->group, 1 << 10, NULL, &config, &plan));
        assert_int_equal(plan.devices, 2);
        assert_int_equal(plan.device_calls, shards ? 9 : 1);
        assert_int_equal(plan.n, shards ? 1 << 9 : 1 << 10);
        /* The plan that is shown is that of the share that takes longest. 4 MSMs of 9 may take as long as 5. */
        assert_in_range(plan.batch, shards ? 1 : 4, shards ? 1 : 5);
        config.base_sets = config.batch;
        TEST_OK(context, test_plan_create(context, t->group, 1 << 10, NULL, &config, &plan));
        assert_int_equal(plan.devices, 2);
        assert_in_range(plan.batch, 4, 5);
    }
}

static void test_prepared(void **state)
{
    CLEANUP(known_free) known k = known_make(*state);
    const size_t bytes = k.t->info->point_bytes;
    AUTO_FREE uint8_t *results = test_alloc(5 * bytes), *expected = test_alloc(5 * bytes);
    for (int shards = 0; shards <= 1; shards++) {
        CLEANUP(destroy_context) sumac_context *context = create(3, NULL, shards);
        CLEANUP(destroy_bases)
        sumac_bases *bases = known_bases(&k, context, 1), *other = known_bases(&k, k.single, 1);
        sumac_msm_config config = {.size = sizeof config};
        test_plan plan = {0};
        char text[32];
        CLEANUP(destroy_call) sumac_call *call = NULL;
        config.batch = 5;
        snprintf(text, sizeof text, "plan=%s", test_plan_name(context, 0));
        config.tuning = text;
        TEST_OK(k.single, exact_msm(k.single, other, k.scalars, 240, &config, expected));
        TEST_OK(context, sumac_msm_prepare(context, bases, 240, &config, &call));
        text[0] = '?'; /* the call has its own copy */
        TEST_OK(context, test_call_plan(call, &plan));
        assert_int_equal(plan.devices, 3);
        for (int turn = 0; turn < 2; turn++) {
            TEST_OK(context, sumac_call_run(call, k.scalars, SIZE_MAX, results, SIZE_MAX));
        }
        assert_memory_equal(results, expected, 5 * bytes);
    }
}

/* This is the progress that a call has reported. */
typedef struct reported {
    _Atomic uint64_t threads; /* a bit for each thread that had a span of work */
    double last;
    uint32_t reports, rises, ends; /* all reports, those that rise, and those that say that all is done */
    int fell;
} reported;

static void note_span(void *user, const sumac_trace_event *event)
{
    reported *t = user;
    atomic_fetch_or(&t->threads, UINT64_C(1) << (event->thread < 63 ? event->thread : 63));
}

static int note_progress(void *user, double done)
{
    reported *t = user;
    t->fell |= done < t->last || done > 1;
    t->rises += done > t->last;
    t->last = done;
    t->reports++;
    t->ends += done == 1;
    return 0;
}

/* Executor 1 ends at once. Executor 2 goes on for some time, in which a wrong report would come. None of them
 * reports. */
static sumac_status end_quietly(void *argument, uint32_t k, const _Atomic int *stop)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    (void)argument, (void)stop;
    if (k == 2) {
        (void)nanosleep(&moment, NULL);
    }
    return SUMAC_OK;
}

/* The end of an executor's work is not reported. The executor may have written results by then, so that the call must
 * not be cancelled. */
static void test_quiet_work(void **state)
{
    reported t = {.last = 0};
    sumac_context_config config = config_of(3, NULL, 1);
    (void)state;
    config.threads = 6;
    config.progress = note_progress;
    config.user = &t;
    CLEANUP(destroy_context) sumac_context *context = NULL;
    assert_int_equal(sumac_context_create(&config, &context, NULL), SUMAC_OK);
    t.reports = 0;
    assert_int_equal(executors_run_to_end(&context->executors, end_quietly, NULL), SUMAC_OK);
    assert_int_equal(t.reports, 0);
}

/* Thread numbers are unique across executors, and the reported share of the work never falls. */
static void test_reports(void **state)
{
    CLEANUP(known_free) known k = known_make(*state);
    reported t = {.last = 0};
    sumac_context_config config = config_of(3, NULL, 1);
    config.threads = 6;
    config.trace = note_span;
    config.progress = note_progress;
    config.user = &t;
    CLEANUP(destroy_context) sumac_context *context = NULL;
    assert_int_equal(sumac_context_create(&config, &context, NULL), SUMAC_OK);
    CLEANUP(destroy_bases) sumac_bases *bases = known_bases(&k, context, 1);
    AUTO_FREE uint8_t *results = test_alloc(MOST_BATCH * k.t->info->point_bytes);
    sumac_msm_config msm = {.size = sizeof msm};
    msm.batch = MOST_BATCH;
    atomic_store(&t.threads, 0);
    t.last = 0;
    t.reports = t.rises = t.ends = 0;
    TEST_OK(context, exact_msm(context, bases, k.scalars, BASES, &msm, results));
    assert_int_equal(atomic_load(&t.threads) & 0x15, 0x15); /* each executor's first thread has worked */
    assert_int_equal(atomic_load(&t.threads) >> 6, 0);
    assert_false(t.fell);
    assert_true(t.reports > MOST_BATCH); /* each MSM of an executor is reported, and the sums at the end */
    assert_true(t.rises >= MOST_BATCH);
    assert_true(t.last == 1);
    assert_in_range(t.ends, 1, 2); /* one after the last MSM, and perhaps one after the sums */
}

/* The first executor has nothing to do. The second one reports that half of its work is done, waits until the report is
 * answered, and reports again unless it must stop. */
typedef struct half_work {
    executor_list *list;
    _Atomic int heard;
    double done;
    int answer;
} half_work;

static int hear(void *user, double done)
{
    half_work *work = user;
    work->done = done;
    atomic_store(&work->heard, 1);
    return work->answer;
}

static sumac_status report_half(void *argument, uint32_t k, const _Atomic int *stop)
{
    half_work *work = argument;
    sumac_status status = SUMAC_OK;
    (void)stop;
    if (k == 1) {
        status = executor_report(&work->list->at[k], 0.5);
    }
    for (int wait = 0; k == 1 && wait < 5000 && atomic_load(&work->heard) == 0; wait++) {
        usleep(1000);
    }
    return status;
}

/* When the calling thread has no work left, it calls the progress function for the others. The function's answer counts
 * for them. */
static void test_asks_for_others(void)
{
    for (int answer = 0; answer <= 1; answer++) {
        half_work work = {.done = -1, .answer = answer};
        sumac_context_config config = config_of(2, NULL, 0);
        CLEANUP(destroy_context) sumac_context *context = NULL;
        config.progress = hear;
        config.user = &work;
        assert_int_equal(sumac_context_create(&config, &context, NULL), SUMAC_OK);
        work.list = &context->executors;
        const sumac_status status = as_call(context, executors_run, report_half, &work);
        assert_int_equal(atomic_load(&work.heard), 1);
        assert_true(work.done == 0.75); /* the mean over both executors */
        if (answer == 0) {
            assert_int_equal(status, SUMAC_OK);
        } else {
            test_sentence(context, status, SUMAC_CANCELLED, "was cancelled");
        }
        work.answer = 0;
        TEST_OK(context, as_call(context, executors_run, report_half, &work));
    }
}

/* Each executor computes with its shard. If the bases are replicated, it computes with all of them. */
typedef struct shard_work {
    const known *k;
    executor_list *list;
    const sumac_bases *bases;
    uint8_t *results; /* one result for each executor */
} shard_work;

static sumac_status work_with_shard(void *argument, uint32_t k, const _Atomic int *stop)
{
    const shard_work *work = argument;
    const bases_shard *shard = &work->bases->shards[k];
    const sumac_group *info = work->k->t->info;
    const sumac_msm_config config = {.size = sizeof config, .batch = 1};
    msm_call call;
    (void)stop;
    msm_call_make(&call, &work->list->at[k], work->bases->group, (size_t)shard->table.count, &config);
    return msm_run(&work->list->at[k], work->bases, k, work->k->scalars + shard->first * info->scalar_bytes,
                   &call, NULL, (msm_target){.memory = work->results + k * info->point_bytes});
}

static void test_shards(void **state)
{
    CLEANUP(known_free) known k = known_make(*state);
    const size_t bytes = k.t->info->point_bytes;
    AUTO_FREE uint8_t *points = test_alloc(BASES * bytes), *expected = test_alloc(bytes),
                      *results = test_alloc(3 * bytes);
    CLEANUP(destroy_context) sumac_context *context = create(3, NULL, 1);
    CLEANUP(destroy_bases) sumac_bases *one = known_bases(&k, k.single, 1);
    TEST_OK(k.single, exact_get(k.single, one, 0, BASES, points));
    TEST_OK(k.single, test_known_answer(k.single, k.t->group, k.scalars, k.logarithms, BASES, expected));
    assert_int_equal(one->shard_count, 1);
    for (uint32_t replicated = 0; replicated <= 1; replicated++) {
        sumac_bases_config config = {.size = sizeof config};
        config.replicated = replicated;
        CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, k.t, points, BASES, &config);
        shard_work work = {&k, &context->executors, bases, results};
        size_t count = 0;
        assert_int_equal(bases->shard_count, 3);
        assert_int_equal(bases->replicated, replicated);
        TEST_OK(context, as_call(context, executors_run, work_with_shard, &work));
        for (uint32_t i = 0; i < 3; i++) {
            const bases_shard *shard = &bases->shards[i];
            AUTO_FREE uint8_t *part = test_alloc(bytes);
            const size_t at = (size_t)shard->first * k.t->info->scalar_bytes;
            TEST_OK(k.single, test_known_answer(k.single, k.t->group, k.scalars + at, k.logarithms + at,
                                                (size_t)shard->table.count, part));
            assert_memory_equal(results + i * bytes, part, bytes);
            count += shard->table.count;
        }
        assert_int_equal(count, replicated ? 3 * BASES : BASES);
        test_msm(context, bases, k.scalars, BASES, NULL, expected, "all");
        test_msm(context, one, k.scalars, BASES, NULL, expected, "bases of one device, with the first");
    }
    sumac_bases_config config = {.size = sizeof config};
    sumac_bases *none = NULL;
    config.replicated = 2;
    TEST_BAD(context, exact_create(context, k.t->group, points, BASES, &config, &none));
    assert_null(none);
}

/* ---- files ---- */

/* Tables that one device writes and tables that several devices write are the same files. Each reads those of the
 * others. */
static void test_tables(void **state)
{
    CLEANUP(known_free) known k = known_make(*state);
    char path[64];
    snprintf(path, sizeof path, "/tmp/sumac-devices-%ld", (long)getpid());
    for (int shards = 0; shards <= 1; shards++) {
        CLEANUP(destroy_context) sumac_context *context = create(3, NULL, shards);
        for (uint32_t factor = 1; factor <= 4; factor += 3) {
            for (int back = 0; back <= 1; back++) {
                sumac_context *writer = back ? k.single : context, *reader = back ? context : k.single;
                CLEANUP(destroy_bases) sumac_bases *written = known_bases(&k, writer, factor), *read = NULL;
                sumac_msm_config config = {.size = sizeof config};
                TEST_OK(writer, sumac_bases_save(writer, written, path, NULL));
                TEST_OK(reader, open_trusted(reader, k.t->group, path, &read));
                assert_int_equal(info_of(read).precompute_factor, info_of(written).precompute_factor);
                config.batch = 2;
                check_call(&k, reader, read, BASES, &config);
            }
        }
    }
    (void)unlink(path);
}

/* ---- failures ---- */

static void test_bad_input(void **state)
{
    test_group *t = *state;
    enum { N = 40 };
    const size_t point = t->info->point_bytes, scalar = t->info->scalar_bytes;
    AUTO_FREE uint8_t *results = test_alloc(2 * point), *untouched = test_alloc(2 * point);
    memset(results, 0xa5, 2 * point);
    memset(untouched, 0xa5, 2 * point);
    for (int shards = 0; shards <= 1; shards++) {
        CLEANUP(destroy_context)
        sumac_context *context = create(3, NULL, shards), *pair = create(2, NULL, shards);
        CLEANUP(known_free) known k = known_make(t);
        sumac_bases *bases = known_bases(&k, context, 1), *none = NULL;
        AUTO_FREE uint8_t *points = test_alloc(N * point);
        char number[32];
        TEST_OK(context, exact_get(context, bases, 0, N, points));
        for (size_t bad = 0; bad < N; bad += 13) {
            memset(points + bad * point, 0xff, point);
            snprintf(number, sizeof number, "point %zu:", bad);
            test_sentence(context, exact_create(context, t->group, points, N, NULL, &none),
                          SUMAC_BAD_ENCODING, number);
            assert_null(none);
            memset(points + bad * point, 0, point);
        }
        sumac_msm_config config = {.size = sizeof config};
        config.batch = 2;
        config.scalar_bits = 1;
        memset(k.scalars, 0, 2 * N * scalar);
        for (size_t large = 0; large < 2 * N; large += 27) {
            k.scalars[large * scalar] = 2;
            snprintf(number, sizeof number, "scalar %zu has", large);
            test_sentence(context, exact_msm(context, bases, k.scalars, N, &config, results),
                          SUMAC_SCALAR_TOO_LARGE, number);
            assert_memory_equal(results, untouched, 2 * point);
            k.scalars[large * scalar] = 0;
        }
        config = (sumac_msm_config){.size = sizeof config, .tuning = "plan=no such plan"};
        test_sentence(context, exact_msm(context, bases, k.scalars, N, &config, results), SUMAC_UNKNOWN_PLAN,
                      "no such plan");
        test_sentence(pair, exact_msm(pair, bases, k.scalars, N, NULL, results), SUMAC_BAD_ARGUMENT,
                      "over 3 devices, and the context has 2");
        test_sentence(k.single, exact_msm(k.single, bases, k.scalars, N, NULL, results), SUMAC_BAD_ARGUMENT,
                      "over 3 devices, and the context has 1");
        config = (sumac_msm_config){.size = sizeof config};
        test_sentence(context, sumac_context_set_stream(context, results), SUMAC_NOT_SUPPORTED, "stream");
        TEST_OK(context, sumac_context_set_stream(context, NULL));
        test_sentence(context, exact_msm(context, bases, k.scalars, BASES + 1, NULL, results),
                      SUMAC_BAD_LENGTH, "the call needs");
        config = (sumac_msm_config){.size = sizeof config};
        config.batch = 1;
        TEST_OK(context, sumac_context_check(context));
        check_call(&k, context, bases, N, &config);
        sumac_bases_destroy(bases);
    }
    assert_memory_equal(results, untouched, 2 * point);
}

static const test_entry entries[] = {
    {"lists", TEST_ONCE(test_lists)},
    {"executors", TEST_ONCE(test_executors)},
    {"work", TEST_ONCE(test_work)},
    {"stop", TEST_ONCE(test_stop)},
    {"cuts", TEST_ONCE(test_cuts)},
    {"measured weights", test_measured_weights, TEST_EVERY_AND_TINY},
    {"reports", test_reports, TEST_EVERY_AND_TINY},
    {"quiet work", test_quiet_work, TEST_EVERY_AND_TINY},
    {"asks for others", TEST_ONCE(test_asks_for_others)},
    {"shards", test_shards, TEST_EVERY_AND_TINY},
    {"sums", test_sums, TEST_EVERY_AND_TINY},
    {"few bases", test_few_bases, TEST_EVERY_AND_TINY},
    {"shares", test_shares, TEST_EVERY_GROUP},
    {"prepared calls", test_prepared, TEST_EVERY_AND_TINY},
    {"tables", test_tables, TEST_EVERY_AND_TINY},
    {"bad input", test_bad_input, TEST_EVERY_AND_TINY},
};
TEST_MAIN("several_devices", entries)
