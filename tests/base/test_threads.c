/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests contexts' threads: each task runs once, and each thread has its own number, also if the system
 * refuses threads or a process is forked. Other tests are about signals, stacks, sleep, and the number of processors.
 * Sums are compared with those of known logarithms or the oracle, or with one thread's results.
 *
 * The linker redirects the library's pthread_create and sched_getaffinity to this file (-Wl,--wrap). A test that needs
 * another process, for example with a small stack, starts this program again with one argument.
 */
#define _GNU_SOURCE /* sched_setaffinity, pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/pool.h"
#include "base/processors.h"
#include "pipeline/parallel.h"
#include "sumac/experimental.h"
#include "sumac/srs.h"
#include "sumac/vector.h"
#include "support/harness.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { BASES = 1 << 12, OTHER_USER = 12345, GIVE_UP_SECONDS = 120 };

/* The C library places each thread's copy on the thread's stack. */
static _Thread_local volatile char much_local_memory[2 * POOL_STACK_BYTES];

/* ---- calls of the system that the tests replace ---- */

static struct {
    _Atomic int creations_left; /* threads that can still be created; negative if none fails */
    _Atomic uint32_t created;
    _Atomic uint32_t refused;
    _Atomic uint32_t ended;
    int paint;           /* 1 if threads get painted stacks */
    size_t deepest;      /* the most bytes that a thread wrote to its painted stack */
    size_t shallowest;   /* the fewest bytes that a thread wrote to it */
    uint32_t processors; /* unless 0, the number of processors that sched_getaffinity reports */
    size_t kernel_bytes; /* the smallest set that sched_getaffinity then accepts */
} system_calls = {.creations_left = -1};

typedef struct thread_start {
    void *(*run)(void *);
    void *argument;
    unsigned char *stack; /* null if the system allocates it */
    size_t bytes;
} thread_start;

enum { PAINT = 0xa5 };

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument);
int __real_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set);
int __wrap_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set);

static void *run_counted(void *argument)
{
    const thread_start start = *(thread_start *)argument;
    free(argument);
    void *result = start.run(start.argument);
    atomic_fetch_add(&system_calls.ended, 1);
    return result;
}

/* Fill a thread's stack from its lower end up to the current frame. When the thread ends, measure how much was
 * overwritten. */
static void *run_painted(void *argument)
{
    const thread_start start = *(thread_start *)argument;
    pthread_attr_t attributes;
    void *lowest;
    size_t bytes;
    volatile unsigned char here = 0;
    free(argument);
    assert_int_equal(pthread_getattr_np(pthread_self(), &attributes), 0);
    assert_int_equal(pthread_attr_getstack(&attributes, &lowest, &bytes), 0);
    (void)pthread_attr_destroy(&attributes);
    const size_t margin = 4096; /* for the call that paints */
    const size_t below = (size_t)((uintptr_t)&here - (uintptr_t)lowest) - margin;
    volatile unsigned char *stack = lowest;
    for (size_t i = 0; i < below; i++) {
        stack[i] = PAINT;
    }
    void *result = start.run(start.argument);
    size_t untouched = 0;
    while (untouched < below && stack[untouched] == PAINT) {
        untouched++;
    }
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (system_calls.shallowest == 0 || below < system_calls.shallowest) {
        system_calls.shallowest = below;
    }
    if (below + margin - untouched > system_calls.deepest) {
        system_calls.deepest = below + margin - untouched;
    }
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&system_calls.ended, 1);
    return result;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument)
{
    if (atomic_load(&system_calls.creations_left) >= 0 &&
        atomic_fetch_sub(&system_calls.creations_left, 1) <= 0) {
        atomic_store(&system_calls.creations_left, 0);
        atomic_fetch_add(&system_calls.refused, 1);
        return EAGAIN;
    }
    thread_start *start = test_alloc(sizeof *start);
    *start = (thread_start){run, argument, NULL, 0};
    const int status =
        __real_pthread_create(thread, attributes, system_calls.paint ? run_painted : run_counted, start);
    if (status == 0) {
        atomic_fetch_add(&system_calls.created, 1);
    } else {
        free(start);
    }
    return status;
}

int __wrap_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
    if (system_calls.processors == 0) {
        return __real_sched_getaffinity(pid, bytes, set);
    }
    if (bytes < system_calls.kernel_bytes) {
        errno = EINVAL;
        return -1;
    }
    memset(set, 0, bytes);
    for (size_t i = 0; i < system_calls.processors; i++) {
        CPU_SET_S(8 * system_calls.kernel_bytes - 1 - i, bytes, set);
    }
    return 0;
}

/* ---- the pool by itself ---- */

typedef struct task_record {
    _Atomic uint32_t *runs; /* how often each task has run */
    _Atomic uint32_t *busy; /* for each thread's number, 1 while it is in a task */
    uint32_t *written; /* each task writes its element without atomics; the caller must see it in the end */
    uint32_t turn;
    _Atomic uint32_t failures;
    _Atomic uint32_t others; /* tasks that threads other than the caller ran */
    uint32_t threads;
    uint32_t arrived_wanted; /* tasks wait until so many threads are in a task at the same time */
    _Atomic uint32_t arrived;
} task_record;

static void record_task(void *arguments, size_t index, uint32_t thread)
{
    task_record *record = arguments;
    if (thread >= record->threads || atomic_exchange(&record->busy[thread], 1) != 0) {
        atomic_fetch_add(&record->failures, 1);
        return;
    }
    atomic_fetch_add(&record->runs[index], 1);
    record->written[index] = record->turn + (uint32_t)index;
    if (thread != 0) {
        atomic_fetch_add(&record->others, 1);
    }
    if (record->arrived_wanted != 0) {
        atomic_fetch_add(&record->arrived, 1);
        while (atomic_load(&record->arrived) < record->arrived_wanted) {
            (void)sched_yield();
        }
    }
    atomic_store(&record->busy[thread], 0);
}

static void check_tasks(thread_pool *pool, uint32_t threads, size_t count, uint32_t turns, uint32_t together)
{
    task_record record = {.threads = threads, .arrived_wanted = together};
    record.runs = test_alloc(count * sizeof *record.runs);
    record.busy = test_alloc(threads * sizeof *record.busy);
    record.written = test_alloc(count * sizeof *record.written);
    for (uint32_t i = 0; i < threads; i++) {
        atomic_init(&record.busy[i], 0);
    }
    for (record.turn = 0; record.turn < turns; record.turn++) {
        const parallel_team team = {threads, "test", 0, NULL, pool, NULL};
        for (size_t i = 0; i < count; i++) {
            atomic_init(&record.runs[i], 0);
        }
        atomic_store(&record.arrived, 0);
        parallel_for(&team, count, record_task, &record);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(atomic_load(&record.runs[i]), 1);
            assert_int_equal(record.written[i], record.turn + (uint32_t)i);
        }
    }
    assert_int_equal(atomic_load(&record.failures), 0);
    if (together > 1) {
        assert_int_equal(atomic_load(&record.others), turns * (together - 1));
    }
    free(record.runs);
    free(record.busy);
    free(record.written);
}

static void test_tasks(void)
{
    static const uint32_t threads[] = {1, 2, 3, 7, 16};
    static const size_t counts[] = {0, 1, 2, 3, 5, 16, 100, 1000};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        thread_pool *pool = pool_create(threads[i]);
        assert_non_null(pool);
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++) {
            check_tasks(pool, threads[i], counts[j], options.quick ? 50 : 500, 0);
        }
        /* Unless all threads run at the same time, this never ends. */
        check_tasks(pool, threads[i], threads[i], 50, threads[i]);
        pool_destroy(pool);
    }
    /* A team may be smaller or larger than the pool. */
    thread_pool *pool = pool_create(5);
    assert_non_null(pool);
    check_tasks(pool, 3, 3, 20, 3);
    check_tasks(pool, 5, 5, 20, 5);
    check_tasks(pool, 9, 100, 20, 0);
    check_tasks(pool, 9, 5, 20, 5);
    pool_destroy(pool);
}

typedef struct cancelled_tasks {
    _Atomic int cancelled;
    _Atomic uint32_t runs;
} cancelled_tasks;

static void cancel_task(void *arguments, size_t index, uint32_t thread)
{
    cancelled_tasks *tasks = arguments;
    (void)thread;
    atomic_fetch_add(&tasks->runs, 1);
    if (index % 8 == 3) {
        atomic_store(&tasks->cancelled, 1);
    }
}

/* Tasks that have not begun when a team's work is cancelled are left out. */
static void test_cancelled_tasks(void)
{
    for (uint32_t threads = 1; threads <= 4; threads++) {
        cancelled_tasks tasks = {0};
        thread_pool *pool = pool_create(threads);
        assert_non_null(pool);
        const parallel_team team = {threads, "test", 0, NULL, pool, &tasks.cancelled};
        parallel_for(&team, 1000, cancel_task, &tasks);
        /* Tasks 0 to 3 begin. Meanwhile each other thread runs at most the tasks up to the next one that cancels. */
        const uint32_t runs = atomic_load(&tasks.runs);
        assert_true(runs >= 4 && runs <= 4 + 8 * (threads - 1));
        assert_true(threads > 1 || runs == 4);
        parallel_for(&team, 1000, cancel_task, &tasks);
        assert_int_equal(atomic_load(&tasks.runs), runs);
        pool_destroy(pool);
    }
}

/* Threads exist only while there is work, and there are no more threads than tasks. */
static void test_lifetime(void)
{
    for (int turn = 0; turn < 20; turn++) {
        const uint32_t before = atomic_load(&system_calls.created);
        thread_pool *pool = pool_create(6);
        assert_non_null(pool);
        assert_int_equal(atomic_load(&system_calls.created), before);
        check_tasks(pool, 6, 1, 3, 0);
        assert_int_equal(atomic_load(&system_calls.created), before);
        check_tasks(pool, 6, 3, 3, 3);
        assert_int_equal(atomic_load(&system_calls.created), before + 2);
        check_tasks(pool, 6, 100, 3, 0);
        assert_int_equal(atomic_load(&system_calls.created), before + 5);
        pool_destroy(pool);
        assert_int_equal(atomic_load(&system_calls.ended), atomic_load(&system_calls.created));
    }
    pool_destroy(NULL);
}

/* However few threads the system grants, they do the work. The next call asks for threads again. */
static void test_refused(void)
{
    for (int given = 0; given < 7; given++) {
        thread_pool *pool = pool_create(8);
        assert_non_null(pool);
        const uint32_t before = atomic_load(&system_calls.created);
        const uint32_t refused = atomic_load(&system_calls.refused);
        atomic_store(&system_calls.creations_left, given);
        check_tasks(pool, 8, 200, 10, 0);
        check_tasks(pool, 8, (size_t)given + 1, 10, (uint32_t)given + 1);
        assert_int_equal(atomic_load(&system_calls.created), before + (uint32_t)given);
        assert_int_equal(atomic_load(&system_calls.refused), refused + 1);
        atomic_store(&system_calls.creations_left, -1);
        check_tasks(pool, 8, 200, POOL_PATIENCE, 0);
        check_tasks(pool, 8, 8, 10, 8);
        assert_int_equal(atomic_load(&system_calls.created), before + 7);
        pool_destroy(pool);
    }
}

/* ---- sums ---- */

typedef struct known_sum {
    const sumac_group *group;
    const sumac_group *info;
    sumac_bases *bases;
    uint8_t *scalars;
    uint8_t *expected;
    sumac_context *context;
} known_sum;

/* Make bases, and their sum by the logarithms, with a context of one thread, so that no other thread has started. */
static known_sum known_sum_make(uint32_t threads)
{
    known_sum sum = {.group = sumac_group_at(0)};
    sumac_context *alone = test_context(1, 0);
    sum.info = sum.group;
    sum.scalars = test_alloc((size_t)BASES * sum.info->scalar_bytes);
    sum.expected = test_alloc(sum.info->point_bytes);
    AUTO_FREE uint8_t *logarithms = test_alloc((size_t)BASES * sum.info->scalar_bytes);
    uint32_t random = 1;
    for (size_t i = 0; i < (size_t)BASES * sum.info->scalar_bytes; i++) {
        random = random * 1664525 + 1013904223;
        sum.scalars[i] = (uint8_t)(random >> 24);
    }
    assert_int_equal(sumac_known_bases_create(alone, sum.group, BASES, 3, NULL, &sum.bases), SUMAC_OK);
    assert_int_equal(test_known_logarithms(alone, sum.group, BASES, 3, logarithms), SUMAC_OK);
    assert_int_equal(test_known_answer(alone, sum.group, sum.scalars, logarithms, BASES, sum.expected),
                     SUMAC_OK);
    sumac_context_destroy(alone);
    sum.context = test_context(threads, 0);
    return sum;
}

static void known_sum_free(known_sum *sum)
{
    sumac_bases_destroy(sum->bases);
    sumac_context_destroy(sum->context);
    free(sum->scalars);
    free(sum->expected);
}

/* Return 1 if a context computes the sum with the threads that it has. It is also called in child processes, where
 * cmocka can't be used. */
static int computes(const known_sum *sum, sumac_context *context)
{
    uint8_t result[SUMAC_MESSAGE_BYTES];
    memset(result, PAINT, sizeof result);
    return exact_msm(context, sum->bases, sum->scalars, BASES, NULL, result) == SUMAC_OK &&
           memcmp(result, sum->expected, sum->info->point_bytes) == 0;
}

/* Return whether the context computes, and creates bases. */
static int works(const known_sum *sum, sumac_context *context)
{
    CLEANUP(destroy_bases) sumac_bases *created = NULL;
    if (!computes(sum, context) ||
        sumac_known_bases_create(context, sum->group, 200, 1, NULL, &created) != SUMAC_OK) {
        return 0;
    }
    return 1;
}

/* Each of several threads creates a context of several threads for a few calls, all at the same time. */
static void *use_contexts(void *argument)
{
    const known_sum *sum = argument;
    size_t failures = 0;
    for (uint32_t turn = 0; turn < 4; turn++) {
        CLEANUP(destroy_context) sumac_context *context = NULL;
        sumac_context_config config = {.size = sizeof config};
        config.backend = options.backend;
        config.threads = 1 + turn;
        if (sumac_context_create(&config, &context, NULL) != SUMAC_OK) {
            return (void *)1; // NOLINT(performance-no-int-to-ptr)
        }
        failures += !works(sum, context);
    }
    return failures == 0 ? NULL : (void *)failures; // NOLINT(performance-no-int-to-ptr)
}

/* Wait for threads, which return null if all went well. */
static void join_all(const pthread_t *callers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *failures;
        assert_int_equal(pthread_join(callers[i], &failures), 0);
        assert_null(failures);
    }
}

static void test_many_contexts(void)
{
    enum { CALLERS = 24 };
    const size_t count = options.quick ? 6 : CALLERS;
    pthread_t callers[CALLERS];
    known_sum sum = known_sum_make(2);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(__real_pthread_create(&callers[i], NULL, use_contexts, &sum), 0);
    }
    join_all(callers, count);
    known_sum_free(&sum);
    assert_int_equal(atomic_load(&system_calls.ended), atomic_load(&system_calls.created));
}

/* A context may be used by one thread after another. */
static void test_other_callers(void)
{
    CLEANUP(known_sum_free) known_sum sum = known_sum_make(3);
    for (int turn = 0; turn < 3; turn++) {
        assert_true(works(&sum, sum.context));
        pthread_t caller;
        assert_int_equal(__real_pthread_create(&caller, NULL, use_contexts, &sum), 0);
        join_all(&caller, 1);
    }
}

/* ---- one call at a time ---- */

static const char in_use[] = "the context is in use by another call: it serves one at a time";

/* The arguments of calls are created before a call of another thread holds the context. */
typedef struct held_world {
    known_sum sum;
    sumac_call *prepared;
    sumac_vector *scalars, *points;
    uint8_t *raw; /* points */
    uint8_t *blob;
    int visits; /* how often visit() has run; if it is 0, on_progress() runs it */
} held_world;

static void expect_refusal(const held_world *world, sumac_status status, const char *call)
{
    const char *sentence = sumac_context_message(world->sum.context);
    if (status != SUMAC_BUSY || strcmp(sentence, in_use) != 0) {
        test_abort("%s in a context in use: %s, '%s'", call, sumac_status_text(status), sentence);
    }
}

#define REFUSED(call) expect_refusal(world, call, #call)

/* Make calls that would succeed if the context were free. A refused call must set its handle to null. */
static void refuse_handles(const held_world *world)
{
    sumac_context *context = world->sum.context;
    const sumac_group *group = world->sum.group;
    sumac_bases *bases = world->sum.bases;
    sumac_call *call;
    sumac_vector *vector;
    sumac_fk20 *fk20;
    void *memory;
    REFUSED(sumac_msm_prepare(context, bases, 1, NULL, &call));
    assert_null(call);
    REFUSED(exact_create(context, group, world->raw, 4, NULL, &bases));
    assert_null(bases);
    REFUSED(sumac_known_bases_create(context, group, 4, 1, NULL, &bases));
    assert_null(bases);
    REFUSED(sumac_bases_create_from_vector(context, world->points, 0, 1, NULL, &bases));
    assert_null(bases);
    REFUSED(sumac_vector_create(context, group, SUMAC_VECTOR_SCALARS, 4, &vector));
    assert_null(vector);
    REFUSED(sumac_fk20_create(context, world->sum.bases, 8, 1, 1, &fk20));
    assert_null(fk20);
    REFUSED(sumac_pinned_allocate(context, 64, &memory));
    assert_null(memory);
}

static void refuse_results(const held_world *world)
{
    sumac_context *context = world->sum.context;
    const known_sum *sum = &world->sum;
    uint8_t result[SUMAC_MESSAGE_BYTES], before[sizeof result];
    test_plan plan = {0};
    memset(result, PAINT, sizeof result);
    memcpy(before, result, sizeof result);
    REFUSED(exact_msm(context, sum->bases, sum->scalars, 4, NULL, result));
    REFUSED(sumac_call_run(world->prepared, sum->scalars, SIZE_MAX, result, SIZE_MAX));
    REFUSED(test_call_plan(world->prepared, &plan));
    REFUSED(test_msm_plan(context, sum->bases, 4, NULL, &plan));
    REFUSED(test_plan_create(context, sum->group, 4, NULL, NULL, &plan));
    REFUSED(exact_partial(context, sum->bases, sum->scalars, 4, NULL, result));
    REFUSED(exact_get(context, sum->bases, 0, 1, result));
    REFUSED(test_points_decode(context, sum->group, world->raw, 1, NULL, 0, result));
    REFUSED(test_known_logarithms(context, sum->group, 1, 1, result));
    REFUSED(test_vector_get(context, world->scalars, 0, 1, NULL, result));
    REFUSED(test_vector_set(context, world->scalars, result, 0, 1, NULL));
    REFUSED(test_vector_fill(context, world->scalars, sum->scalars));
    REFUSED(sumac_vector_invert(context, world->scalars));
    REFUSED(sumac_vector_ntt(context, world->scalars, NULL));
    REFUSED(sumac_srs_commit(context, sum->bases, world->scalars, 4, world->points));
    REFUSED(sumac_kzg_blob_challenge(context, (const sumac_blob *)world->blob,
                                     (const sumac_bytes48 *)world->raw, (sumac_bytes32 *)result));
    REFUSED(sumac_context_wait(context));
    REFUSED(sumac_context_set_stream(context, NULL));
    REFUSED(sumac_context_check(context));
    assert_memory_equal(result, before, sizeof result);
}

static void *visit(void *argument)
{
    held_world *world = argument;
    refuse_handles(world);
    refuse_results(world);
    world->visits++;
    return NULL;
}

/* Let the other thread make its calls while a call is running. Calls of this thread must be refused, too. */
static int on_progress(void *argument, double done)
{
    held_world *world = argument;
    pthread_t visitor;
    (void)done;
    if (world->visits == 0) {
        assert_int_equal(__real_pthread_create(&visitor, NULL, visit, world), 0);
        assert_int_equal(pthread_join(visitor, NULL), 0);
        assert_int_equal(world->visits, 1);
        (void)visit(world);
    }
    return 0;
}

/* Let calls of two threads meet in a context of so many devices. */
static void meet_in_context(uint32_t devices)
{
    static const int32_t numbers[] = {0, 0};
    held_world world = {.sum = known_sum_make(2)};
    sumac_context_config config = test_context_config(2);
    sumac_context_destroy(world.sum.context);
    config.progress = on_progress;
    config.user = &world;
    config.devices = devices > 1 ? numbers : NULL;
    config.device_count = devices > 1 ? devices : 0;
    world.visits = 1; /* no visits during the calls below */
    assert_int_equal(sumac_context_create(&config, &world.sum.context, NULL), SUMAC_OK);
    sumac_context *context = world.sum.context;
    sumac_bases *bases = NULL;
    assert_int_equal(sumac_known_bases_create(context, world.sum.group, BASES, 3, NULL, &bases), SUMAC_OK);
    sumac_bases_destroy(world.sum.bases);
    world.sum.bases = bases;
    world.raw = test_alloc(4 * (size_t)world.sum.info->point_bytes);
    world.blob = test_alloc(SUMAC_KZG_BLOB_BYTES);
    memset(world.blob, 0, SUMAC_KZG_BLOB_BYTES);
    assert_int_equal(exact_get(context, bases, 0, 4, world.raw), SUMAC_OK);
    assert_int_equal(sumac_msm_prepare(context, bases, 4, NULL, &world.prepared), SUMAC_OK);
    assert_int_equal(sumac_vector_create(context, world.sum.group, SUMAC_VECTOR_SCALARS, 4, &world.scalars),
                     SUMAC_OK);
    assert_int_equal(sumac_vector_create(context, world.sum.group, SUMAC_VECTOR_POINTS, 1, &world.points),
                     SUMAC_OK);
    world.visits = 0;
    assert_true(computes(&world.sum, context));
    assert_int_equal(world.visits, 2);
    assert_string_equal(sumac_context_message(context), "");
    assert_true(works(&world.sum, context)); /* the context is free again, and has no failure */
    assert_int_equal(exact_msm(context, NULL, NULL, 0, NULL, NULL), SUMAC_BAD_ARGUMENT);
    assert_string_equal(sumac_context_message(context), "the bases must not be null");
    sumac_call_destroy(world.prepared);
    sumac_vector_destroy(world.scalars);
    sumac_vector_destroy(world.points);
    free(world.raw);
    free(world.blob);
    known_sum_free(&world.sum);
}

static void test_in_use(void)
{
    meet_in_context(1);
    meet_in_context(2);
}

/* Threads use one context without synchronisation. Each call gives the sum or is refused. */
static void *meet_others(void *argument)
{
    const known_sum *sum = argument;
    size_t failures = 0;
    uint8_t result[SUMAC_MESSAGE_BYTES];
    for (int turn = 0; turn < 40; turn++) {
        CLEANUP(destroy_vector) sumac_vector *vector = NULL;
        const sumac_status status = exact_msm(sum->context, sum->bases, sum->scalars, BASES, NULL, result);
        if (status == SUMAC_OK) {
            failures += memcmp(result, sum->expected, sum->info->point_bytes) != 0;
        } else {
            failures += status != SUMAC_BUSY || strcmp(sumac_context_message(sum->context), in_use) != 0;
        }
        const sumac_status created =
            sumac_vector_create(sum->context, sum->group, SUMAC_VECTOR_SCALARS, 100, &vector);
        failures += created == SUMAC_OK
                        ? vector == NULL
                        : created != SUMAC_BUSY || strcmp(sumac_context_message(sum->context), in_use) != 0;
    }
    return failures == 0 ? NULL : (void *)failures; // NOLINT(performance-no-int-to-ptr)
}

static void test_meeting(void)
{
    enum { CALLERS = 4 };
    pthread_t callers[CALLERS];
    CLEANUP(known_sum_free) known_sum sum = known_sum_make(2);
    for (size_t i = 0; i < CALLERS; i++) {
        assert_int_equal(__real_pthread_create(&callers[i], NULL, meet_others, &sum), 0);
    }
    join_all(callers, CALLERS);
    assert_true(works(&sum, sum.context));
}

/* ---- messages ---- */

/* These are two threads and their context. Each thread waits for the other at the end of each step. */
typedef struct two_threads {
    known_sum sum;
    pthread_barrier_t step;
    int meets;    /* 1 if the progress function lets the other thread make calls */
    int failures; /* how many checks of the other thread failed */
} two_threads;

static void end_step(two_threads *two)
{
    const int status = pthread_barrier_wait(&two->step);
    assert_true(status == 0 || status == PTHREAD_BARRIER_SERIAL_THREAD);
}

static int let_other_come(void *user, double done)
{
    two_threads *two = user;
    (void)done;
    if (two->meets) {
        two->meets = 0;
        end_step(two); /* step 0 ends: this thread is in a call */
        end_step(two); /* step 1 ends: the other thread was refused */
    }
    return 0;
}

static int reads(const two_threads *two, const char *sentence)
{
    return strcmp(sumac_context_message(two->sum.context), sentence) == 0;
}

static const char no_bases[] = "the bases must not be null",
                  no_handle[] = "the address of the handle is null";

static sumac_status fail_without_bases(const two_threads *two)
{
    return exact_msm(two->sum.context, NULL, NULL, 0, NULL, NULL);
}

static sumac_status fail_without_handle(const two_threads *two)
{
    return sumac_vector_create(two->sum.context, two->sum.group, SUMAC_VECTOR_SCALARS, 1, NULL);
}

static void *be_other(void *argument)
{
    two_threads *two = argument;
    uint8_t result[SUMAC_MESSAGE_BYTES];
    end_step(two); /* 0 */
    two->failures += !reads(two, "");
    two->failures +=
        exact_msm(two->sum.context, two->sum.bases, two->sum.scalars, 4, NULL, result) != SUMAC_BUSY;
    two->failures += !reads(two, in_use);
    end_step(two); /* 1 */
    end_step(two); /* 2: the call has succeeded, and another one failed */
    two->failures += !reads(two, in_use);
    two->failures += !computes(&two->sum, two->sum.context) || !reads(two, "");
    end_step(two); /* 3 */
    end_step(two); /* 4: the first thread has failed again */
    two->failures += !reads(two, no_bases);
    two->failures += fail_without_handle(two) != SUMAC_BAD_ARGUMENT || !reads(two, no_handle);
    end_step(two); /* 5 */
    end_step(two); /* 6: the first thread has succeeded */
    two->failures += !reads(two, no_handle);
    two->failures += !computes(&two->sum, two->sum.context) || !reads(two, "");
    return NULL;
}

/* A thread whose last call failed reads the message of that call. Other threads read the message of the last call of
 * all threads. */
static void test_messages(void)
{
    two_threads two = {.sum = known_sum_make(2)};
    sumac_context_config config = test_context_config(2);
    pthread_t other;
    sumac_context_destroy(two.sum.context);
    config.progress = let_other_come;
    config.user = &two;
    assert_int_equal(sumac_context_create(&config, &two.sum.context, NULL), SUMAC_OK);
    assert_int_equal(pthread_barrier_init(&two.step, NULL, 2), 0);
    assert_int_equal(__real_pthread_create(&other, NULL, be_other, &two), 0);
    two.meets = 1;
    assert_true(computes(&two.sum, two.sum.context));
    assert_true(reads(&two, ""));
    assert_int_equal(fail_without_bases(&two), SUMAC_BAD_ARGUMENT);
    end_step(&two); /* 2 */
    end_step(&two); /* 3: the other thread has succeeded */
    assert_true(reads(&two, no_bases));
    assert_int_equal(fail_without_bases(&two), SUMAC_BAD_ARGUMENT);
    end_step(&two); /* 4 */
    end_step(&two); /* 5: the other thread has failed */
    assert_true(reads(&two, no_bases));
    assert_true(computes(&two.sum, two.sum.context));
    assert_true(reads(&two, ""));
    end_step(&two); /* 6 */
    join_all(&other, 1);
    assert_int_equal(two.failures, 0);
    assert_true(reads(&two, ""));
    pthread_barrier_destroy(&two.step);
    known_sum_free(&two.sum);
}

/* This thread reads the message until `ends` is set. The message must always be one of three texts. */
typedef struct reader {
    const two_threads *two;
    _Atomic int ends;
    size_t failures;
} reader;

static void *read_on(void *argument)
{
    reader *self = argument;
    do {
        const char *sentence =
            sumac_context_message(self->two->sum.context); /* the message may change between two reads */
        self->failures +=
            strcmp(sentence, "") != 0 && strcmp(sentence, no_bases) != 0 && strcmp(sentence, no_handle) != 0;
    } while (atomic_load(&self->ends) == 0);
    return NULL;
}

/* A thread that makes no call reads the message while other threads' calls go on and end. */
static void test_reader(void)
{
    two_threads two = {.sum = known_sum_make(2)};
    reader self = {.two = &two};
    pthread_t thread;
    assert_int_equal(__real_pthread_create(&thread, NULL, read_on, &self), 0);
    for (int turn = 0; turn < 200; turn++) {
        assert_int_equal(fail_without_bases(&two), SUMAC_BAD_ARGUMENT);
        assert_int_equal(fail_without_handle(&two), SUMAC_BAD_ARGUMENT);
        assert_true(turn % 50 != 0 || computes(&two.sum, two.sum.context));
    }
    atomic_store(&self.ends, 1);
    join_all(&thread, 1);
    assert_int_equal(self.failures, 0);
    known_sum_free(&two.sum);
}

/* ---- cancelling ---- */

typedef struct canceller {
    sumac_context *context;
    _Atomic int ends;
} canceller;

static void *cancel_on(void *argument)
{
    canceller *self = argument;
    while (atomic_load(&self->ends) == 0) {
        sumac_context_cancel(self->context);
    }
    return NULL;
}

/* A call that another thread cancels writes nothing, and later calls are not cancelled. */
static void cancel_from_outside(uint32_t devices)
{
    enum { MOST_TURNS = 100000 };
    static const int32_t numbers[] = {0, 0};
    CLEANUP(known_sum_free) known_sum sum = known_sum_make(2);
    sumac_context_config config = test_context_config(2);
    CLEANUP(destroy_context) sumac_context *context = NULL;
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    uint8_t result[SUMAC_MESSAGE_BYTES], before[sizeof result];
    pthread_t thread;
    config.devices = devices > 1 ? numbers : NULL;
    config.device_count = devices > 1 ? devices : 0;
    assert_int_equal(sumac_context_create(&config, &context, NULL), SUMAC_OK);
    assert_int_equal(sumac_known_bases_create(context, sum.group, BASES, 3, NULL, &bases), SUMAC_OK);
    canceller self = {.context = context};
    sumac_context_cancel(context);
    sumac_context_cancel(NULL);
    assert_int_equal(exact_msm(context, bases, sum.scalars, BASES, NULL, result), SUMAC_OK);
    assert_memory_equal(result, sum.expected, sum.info->point_bytes);
    memset(before, PAINT, sizeof before);
    assert_int_equal(__real_pthread_create(&thread, NULL, cancel_on, &self), 0);
    int cancelled = 0;
    for (int turn = 0; turn < MOST_TURNS && cancelled < 3; turn++) {
        memset(result, PAINT, sizeof result);
        const sumac_status status = exact_msm(context, bases, sum.scalars, BASES, NULL, result);
        if (status == SUMAC_CANCELLED) {
            cancelled++;
            assert_string_equal(sumac_context_message(context), "the call was cancelled");
            assert_memory_equal(result, before, sizeof result);
        } else {
            assert_int_equal(status, SUMAC_OK);
            assert_memory_equal(result, sum.expected, sum.info->point_bytes);
        }
    }
    atomic_store(&self.ends, 1);
    join_all(&thread, 1);
    assert_int_equal(cancelled, 3);
    assert_int_equal(exact_msm(context, bases, sum.scalars, BASES, NULL, result), SUMAC_OK);
    assert_memory_equal(result, sum.expected, sum.info->point_bytes);
}

static void test_cancelling(void)
{
    cancel_from_outside(1);
    cancel_from_outside(2);
}

/* ---- other processes ---- */

/* Require that a process exits with 0. If the process hangs, its alarm ends it. */
static void expect_success(pid_t process, const char *label)
{
    int status = -1;
    assert_true(process > 0);
    assert_int_equal(waitpid(process, &status, 0), process);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        test_abort("%s: the process ended with %s %d", label, WIFSIGNALED(status) ? "signal" : "status",
                   WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
}

/* Limit the user's processes. For root there is no limit. */
static int limit_processes(void)
{
    const struct rlimit limit = {1, 1};
    return (geteuid() != 0 || setuid(OTHER_USER) == 0) && setrlimit(RLIMIT_NPROC, &limit) == 0;
}

/* Run a check in a child, which ends with status 0 if it returns 0. */
static void expect_child(int (*check)(const known_sum *sum, sumac_context *context), const known_sum *sum,
                         sumac_context *context, const char *label)
{
    const pid_t process = fork();
    if (process == 0) {
        (void)alarm(GIVE_UP_SECONDS);
        _exit(check(sum, context));
    }
    expect_success(process, label);
}

static int work_alone(const known_sum *sum, sumac_context *context)
{
    if (!limit_processes()) {
        return 2;
    }
    const int worked = works(sum, context);
    sumac_context_destroy(context);
    return worked ? 0 : 1;
}

static void test_process_limit(void)
{
    CLEANUP(known_sum_free) known_sum sum = known_sum_make(8);
    expect_child(work_alone, &sum, sum.context, "a process that may have one thread");
    assert_true(works(&sum, sum.context));
}

/* Compute with address space only for the workspace and the stacks of a few threads. */
static int compute_in_little(const known_sum *sum, sumac_context *context)
{
    unsigned long pages = 0;
    FILE *sizes = fopen("/proc/self/statm", "r");
    if (sizes == NULL || fscanf(sizes, "%lu", &pages) != 1) {
        return 2;
    }
    (void)fclose(sizes);
    const rlim_t bytes = pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)48 << 20);
    const struct rlimit limit = {bytes, bytes};
    return setrlimit(RLIMIT_AS, &limit) != 0 ? 2 : computes(sum, context) ? 0 : 1;
}

static void test_memory_limit(void)
{
    CLEANUP(known_sum_free) known_sum sum = known_sum_make(2);
    CLEANUP(destroy_context) sumac_context *context = test_context(64, 0);
    if (!SANITIZED) {
        expect_child(compute_in_little, &sum, context, "a process of little memory");
    }
}

/* In a child, use the parent's context and a new one, and fork again. Return 0, or the number of the step that failed. */
static int be_a_child(const known_sum *sum, int generations)
{
    CLEANUP(destroy_context) sumac_context *other = NULL;
    sumac_context_config config = {.size = sizeof config};
    (void)alarm(GIVE_UP_SECONDS);
    atomic_store(&system_calls.created, 0);
    config.backend = options.backend;
    config.threads = 3;
    if (!works(sum, sum->context) || !works(sum, sum->context)) {
        return 1;
    }
    if (atomic_load(&system_calls.created) != test_describe(sum->context).threads - 1) {
        return 2; /* without other threads */
    }
    if (sumac_context_create(&config, &other, NULL) != SUMAC_OK || !works(sum, other)) {
        return 3;
    }
    if (generations > 1) {
        int status = -1;
        const pid_t child = fork();
        if (child == 0) {
            _exit(be_a_child(sum, generations - 1));
        }
        if (waitpid(child, &status, 0) != child || status != 0) {
            return 4;
        }
    }
    if (!works(sum, sum->context)) {
        return 5;
    }
    sumac_context_destroy(sum->context);
    return 0;
}

static void *use_context(void *argument)
{
    known_sum *sum = argument;
    return works(sum, sum->context) ? NULL : argument;
}

static int be_a_parent(const known_sum *sum, sumac_context *context)
{
    (void)context;
    return be_a_child(sum, 2);
}

static int only_destroy(const known_sum *sum, sumac_context *context)
{
    (void)sum;
    sumac_context_destroy(context);
    return 0;
}

static int only_work(const known_sum *sum, sumac_context *context)
{
    return works(sum, context) ? 0 : 1;
}

static void test_fork(void)
{
    CLEANUP(known_sum_free) known_sum sum = known_sum_make(4);
    for (int use = 0; use < 4; use++) {
        void *failure = NULL;
        pthread_t other;
        if (use == 1) {
            assert_true(works(&sum, sum.context));
        } else if (use == 2) {
            assert_int_equal(__real_pthread_create(&other, NULL, use_context, &sum), 0);
            assert_int_equal(pthread_join(other, &failure), 0);
            assert_null(failure);
        }
        expect_child(be_a_parent, &sum, NULL, "a child with its parent's context");
        assert_true(use < 1 || works(&sum, sum.context)); /* the parent's threads still work */
        expect_child(only_destroy, &sum, sum.context, "a child that destroys its parent's context");
    }
    assert_true(works(&sum, sum.context));
}

/* The process forks while another thread computes. The child can use every context except the one that is in a call. */
typedef struct busy_caller {
    known_sum *sum;
    sumac_context *context;
    _Atomic int ends;
    int failures;
} busy_caller;

static void *compute_until_told(void *argument)
{
    busy_caller *caller = argument;
    while (atomic_load(&caller->ends) == 0) {
        caller->failures += !works(caller->sum, caller->context);
    }
    return NULL;
}

static void test_fork_among_threads(void)
{
    known_sum sum = known_sum_make(3);
    busy_caller caller = {.sum = &sum, .context = test_context(3, 0)};
    pthread_t other;
    assert_true(works(&sum, sum.context));
    assert_int_equal(__real_pthread_create(&other, NULL, compute_until_told, &caller), 0);
    for (int turn = 0; turn < 10; turn++) {
        expect_child(only_work, &sum, sum.context, "a child of a process whose other thread computes");
    }
    atomic_store(&caller.ends, 1);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_int_equal(caller.failures, 0);
    sumac_context_destroy(caller.context);
    known_sum_free(&sum);
}

/* Compute a sum in a new process, in which the tests have set nothing up. */
static int scenario_sum(void)
{
    CLEANUP(known_sum_free) known_sum sum = known_sum_make(4);
    return works(&sum, sum.context) ? 0 : 1;
}

/* Run this program again with a small limit, which is also the default size of threads' stacks. The library sets its
 * own size. */
static int run_again(const known_sum *sum, sumac_context *context)
{
    const struct rlimit limit = {64 * 1024, 64 * 1024};
    (void)sum;
    (void)context;
    if (setrlimit(RLIMIT_STACK, &limit) == 0) {
        (void)execl("/proc/self/exe", "test_threads", "--sum", (char *)NULL);
    }
    return 2;
}

static void test_small_stack(void)
{
    if (!SANITIZED) {
        expect_child(run_again, NULL, NULL, "a program whose stack is small");
    }
}

/* ---- threads that wait ---- */

/* Count the process's other threads, and how many of them sleep. */
static void count_threads(uint32_t *others, uint32_t *asleep)
{
    *others = *asleep = 0;
    FILE *list = popen("for t in /proc/$PPID/task/*; do [ ${t##*/} = $PPID ] || cat $t/stat; done", "r");
    char line[1024];
    assert_non_null(list);
    while (fgets(line, sizeof line, list) != NULL) {
        const char *name_end = strrchr(line, ')');
        *others += 1;
        *asleep += name_end != NULL && name_end[1] == ' ' && name_end[2] == 'S';
    }
    assert_int_equal(pclose(list), 0);
}

/* Threads without work must fall asleep. A sanitizer's threads are counted, too, because they sleep as well. */
static void test_sleep(void)
{
    CLEANUP(known_sum_free) known_sum sum = known_sum_make(5);
    uint32_t others = 0, asleep = 1;
    assert_true(works(&sum, sum.context));
    for (int i = 0; i < 1000 && !(others >= 4 && asleep == others); i++) {
        count_threads(&others, &asleep);
    }
    assert_true(others >= 4);
    assert_int_equal(asleep, others);
    assert_true(works(&sum, sum.context));
}

/* ---- signals ---- */

static volatile sig_atomic_t signals_seen;

static void on_signal(int number)
{
    (void)number;
    signals_seen++;
}

/* If the program's thread blocks a signal, the signal stays pending, and no thread of the library may accept it. */
static void test_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal}, before;
    sigset_t user, pending, mask;
    CLEANUP(known_sum_free) known_sum sum = known_sum_make(4);
    (void)sigemptyset(&user);
    (void)sigaddset(&user, SIGUSR1);
    assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
    assert_true(works(&sum, sum.context));
    assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &mask), 0);
    assert_int_equal(sigismember(&mask, SIGUSR1), 0); /* the caller's mask is unchanged */
    assert_int_equal(pthread_sigmask(SIG_BLOCK, &user, &mask), 0);
    signals_seen = 0;
    assert_int_equal(kill(getpid(), SIGUSR1), 0);
    for (int turn = 0; turn < 10; turn++) {
        assert_true(works(&sum, sum.context));
    }
    assert_int_equal(sigpending(&pending), 0);
    assert_int_equal(sigismember(&pending, SIGUSR1), 1);
    assert_int_equal(signals_seen, 0);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &mask, NULL), 0);
    assert_int_equal(signals_seen, 1);
    assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
}

/* ---- stacks ---- */

static void use_all(test_group *t, sumac_context *context, const char *path)
{
    const size_t n = 300;
    const sumac_tables tables[] = {SUMAC_TABLES_MULTIPLES, SUMAC_TABLES_WINDOWS};
    const size_t point = t->info->point_bytes;
    AUTO_FREE uint8_t *points = test_alloc(n * point);
    AUTO_FREE uint8_t *scalars = test_alloc(n * t->info->scalar_bytes);
    AUTO_FREE uint8_t *result = test_alloc(2 * point);
    test_random_bytes(t, scalars, n * t->info->scalar_bytes);
    CLEANUP(destroy_bases) sumac_bases *known = NULL;
    TEST_OK(context, sumac_known_bases_create(context, t->group, n, 1, NULL, &known));
    TEST_OK(context, exact_get(context, known, 0, n, points));
    TEST_OK(context, test_known_logarithms(context, t->group, n, 1, scalars));
    TEST_OK(context, test_known_answer(context, t->group, scalars, scalars, n, result));
    for (size_t i = 0; i < sumac_format_count(); i++) {
        const char *format = sumac_format_at(i)->name;
        sumac_bases *read;
        if (sumac_bases_save(context, known, path, format) == SUMAC_OK) {
            sumac_bases_config config = {.size = sizeof config};
            config.check = SUMAC_CHECK_SUBGROUP;
            test_status(context,
                        sumac_bases_open(context, t->group, path, format, 0, SUMAC_ALL, &config, &read),
                        SUMAC_OK, format);
            sumac_bases_destroy(read);
        }
    }
    for (size_t i = 0; i < 4; i++) {
        sumac_bases_config config = {.size = sizeof config};
        sumac_msm_config call = {.size = sizeof call};
        config.check = SUMAC_CHECK_SUBGROUP;
        config.tables = tables[i % 2];
        config.precompute_factor = i == 2 ? 3 : 0;
        config.tuning = config.tables == SUMAC_TABLES_WINDOWS || i == 2 ? "c=4" : NULL;
        call.tuning = test_tuning("reduction=%s,c=%u",
                                  test_reductions[i % 2 == 0 ? REDUCTION_HALVING : REDUCTION_RUNNING_SUM],
                                  i == 0 ? 12 : 0);
        call.batch = 2;
        CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, points, n, &config);
        TEST_OK(context, exact_msm(context, bases, scalars, n / 2, &call, result));
    }
}

/* Whatever the compiler, no task comes near the end of its stack. The test runs everything that threads do, with enough
 * work for the planner to use more than one thread. */
static void test_stack(void **state)
{
    char path[] = "/tmp/sumac-test-XXXXXX";
    const int descriptor = mkstemp(path);
    sumac_context *context = test_context(2, 0);
    assert_true(descriptor >= 0);
    (void)close(descriptor);
    system_calls.paint = 1;
    system_calls.deepest = system_calls.shallowest = 0;
    use_all(*state, context, path);
    sumac_context_destroy(context);
    system_calls.paint = 0;
    (void)unlink(path);
    print_message("deepest stack: %zu bytes of %zu\n", system_calls.deepest, system_calls.shallowest);
    assert_true(system_calls.deepest > 0);
    assert_true(system_calls.deepest <= system_calls.shallowest / 2);
}

/* ---- processors; quotas are in test_cgroups.c ---- */

static void test_affinity(void)
{
    static const size_t kernel_bytes[] = {8, 128, 256, 1024, 8192};
    cpu_set_t all, one;
    for (size_t i = 0; i < sizeof kernel_bytes / sizeof *kernel_bytes; i++) {
        for (uint32_t count = 1; count <= 8 * kernel_bytes[i]; count = 3 * count + 1) {
            system_calls.kernel_bytes = kernel_bytes[i];
            system_calls.processors = count;
            assert_int_equal(processors_of_affinity(), count);
        }
    }
    system_calls.processors = 0;
    /* Compare with the system's answer if this machine's set has the usual size. */
    if (sched_getaffinity(0, sizeof all, &all) == 0) {
        assert_int_equal(processors_of_affinity(), CPU_COUNT(&all));
        CPU_ZERO(&one);
        for (size_t i = 0; CPU_COUNT(&one) == 0; i++) {
            if (CPU_ISSET(i, &all)) {
                CPU_SET(i, &one);
            }
        }
        assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
        CLEANUP(destroy_context) sumac_context *context = test_context(0, 0);
        assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
        assert_int_equal(test_describe(context).threads, 1);
    }
}

int main(int argc, char **argv)
{
    static const test_entry entries[] = {
        {"tasks", TEST_ONCE(test_tasks)},
        {"tasks that are cancelled", TEST_ONCE(test_cancelled_tasks)},
        {"lifetime", TEST_ONCE(test_lifetime)},
        {"threads that are refused", TEST_ONCE(test_refused)},
        {"many contexts", TEST_ONCE(test_many_contexts)},
        {"other callers", TEST_ONCE(test_other_callers)},
        {"a context in use", TEST_ONCE(test_in_use)},
        {"callers that meet", TEST_ONCE(test_meeting)},
        {"each thread's message", TEST_ONCE(test_messages)},
        {"a thread that reads", TEST_ONCE(test_reader)},
        {"a call that is cancelled", TEST_ONCE(test_cancelling)},
        {"limit of processes", TEST_ONCE(test_process_limit)},
        {"limit of memory", TEST_ONCE(test_memory_limit)},
        {"fork", TEST_ONCE(test_fork)},
        {"fork among threads", TEST_ONCE(test_fork_among_threads)},
        {"small stack", TEST_ONCE(test_small_stack)},
        {"sleep", TEST_ONCE(test_sleep)},
        {"signals", TEST_ONCE(test_signals)},
        {"stack", test_stack, TEST_EVERY_GROUP},
        {"affinity", TEST_ONCE(test_affinity)},
    };
    much_local_memory[0] = 1;
    if (argc == 2 && strcmp(argv[1], "--sum") == 0) {
        return scenario_sum();
    }
    return test_main("threads", entries, sizeof entries / sizeof *entries, argc, argv);
}
