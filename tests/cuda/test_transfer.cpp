/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests the engine's copies to the device (src/cuda/transfer) and the streams of its passes without a GPU, on
 * a fake of CUDA's runtime whose streams are threads (fake/cuda_runtime_api.h). The real pipeline calls kinds of this
 * test, which record the numbers that a pass finds. The position of an input determines the number that is expected
 * there. The thread sanitizer detects every missing wait.
 *
 * deliver.cu is left out, because it has a kernel.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <unistd.h>

#include "sumac/sumac.h"

struct backend;
struct group_code;
struct msm_job;
struct msm_plan;

/* The pipeline is written in C. */
extern "C" sumac_status pipeline_run(const struct backend *engine, const struct msm_job *job, void *memory,
                                     void *results, int (*progress)(void *user, double done), void *user);
extern "C" void workspace_measure(struct msm_plan *plan, const struct group_code *code);

#include "cuda/msm/stage.h"
#include "cuda/transfer/transfer.h"
#include "fake.h"
#include "pipeline/plan_sizes.h"

enum { SCALAR_BYTES = 32, POINT_BYTES = 96, XYZZ_BYTES = 192 };

static group_code make_code()
{
    group_code result = {};
    result.affine_bytes = POINT_BYTES;
    result.xyzz_bytes = XYZZ_BYTES;
    return result;
}

static const group_code code = make_code();

#define FAIL(...)                                                                                            \
    do {                                                                                                     \
        (void)fprintf(stderr, "transfer: FAILED: " __VA_ARGS__);                                             \
        (void)fputc('\n', stderr);                                                                           \
        exit(1);                                                                                             \
    } while (0)

/* ---- Inputs, whose marks mix a record's kind and number ---- */

static const uint64_t SCALAR_MARKS = 1, BASE_MARKS = 2, NO_MARK = 0;

static uint64_t mark_of(uint64_t kind, uint64_t index)
{
    const uint64_t mixed = (index + 1) * 0x9e3779b97f4a7c15 ^ kind << 60;
    return mixed == NO_MARK ? 1 : mixed;
}

/* Write the mark at both ends of each record. */
static void write_records(char *memory, uint64_t kind, size_t bytes, uint64_t count)
{
    memset(memory, 0x5a, bytes * count);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t mark = mark_of(kind, i);
        memcpy(memory + i * bytes, &mark, sizeof mark);
        memcpy(memory + (i + 1) * bytes - sizeof mark, &mark, sizeof mark);
    }
}

/* Return the mark if it is at both ends. Otherwise return a mark that no record has. */
static uint64_t read_record(const void *memory, uint64_t index, size_t bytes)
{
    uint64_t first, last;
    memcpy(&first, static_cast<const char *>(memory) + index * bytes, sizeof first);
    memcpy(&last, static_cast<const char *>(memory) + (index + 1) * bytes - sizeof last, sizeof last);
    return first == last ? first : ~(uint64_t)0;
}

struct input {
    char *memory;
    size_t bytes;
    bool pageable;

    input(uint64_t kind, size_t record, uint64_t count, bool pageable)
        : memory(nullptr), bytes(record * count), pageable(pageable)
    {
        if (pageable) {
            memory = static_cast<char *>(malloc(bytes));
        } else {
            (void)cudaMallocHost(&memory, bytes);
        }
        write_records(memory, kind, record, count);
    }
    ~input()
    {
        if (pageable) {
            free(memory);
        } else {
            (void)cudaFreeHost(memory);
        }
    }
    input(const input &) = delete;
    input &operator=(const input &) = delete;
};

/* This is memory of the device, filled with bytes that no copy writes. */
struct device_memory {
    char *memory;
    size_t bytes;

    explicit device_memory(size_t bytes) : memory(nullptr), bytes(bytes)
    {
        (void)cudaMalloc(&memory, bytes);
        memset(memory, 0x33, bytes);
    }
    ~device_memory()
    {
        (void)cudaFree(memory);
    }
    device_memory(const device_memory &) = delete;
    device_memory &operator=(const device_memory &) = delete;
};

/* ---- A backend whose kinds note what they find ---- */

/* This is what a call found for scalar i of module g: the marks, and how often it looked. */
struct sighting {
    uint64_t scalar, base;
    uint32_t times;
};

static std::vector<sighting> seen;
static std::vector<uint32_t> sums; /* what combine finds for each module: the sub-batch's first MSM + 1 */

static sumac_status find_inputs(const msm_job *job, const msm_pass *pass, digit_table *digits)
{
    (void)digits;
    const msm_plan plan = *job->plan;
    const uint64_t call_module = (uint64_t)job->first_msm * plan.modules;
    std::vector<uint64_t> first_bases;
    for (uint64_t module = 0; module < pass->modules; module++) {
        first_bases.push_back(pass_first_base(job, pass, module));
    }
    const msm_pass here = *pass;
    fake_launch(in_flight_of(pass)->stream, [=] {
        for (uint64_t module = 0; module < here.modules; module++) {
            const uint64_t g = here.first_module + module, msm = g / plan.modules;
            for (uint64_t i = 0; i < here.n; i++) {
                sighting *at = &seen[(call_module + g) * plan.n + here.first + i];
                at->scalar = read_record(here.inputs.scalars, msm * here.inputs.stride + i, SCALAR_BYTES);
                at->base = read_record(here.inputs.bases, first_bases[module] + i, POINT_BYTES);
                at->times++;
            }
        }
    });
    return SUMAC_OK;
}

static sumac_status sort_nothing(const msm_job *, const msm_pass *, const digit_table *, bucket_lists *,
                                 void *)
{
    return SUMAC_OK;
}

static sumac_status add_nothing(const msm_job *, const msm_pass *, const bucket_lists *, bucket_sums *,
                                void *)
{
    return SUMAC_OK;
}

/* All passes write to the same array of sums, which the next sub-batch reuses. */
static sumac_status sum_modules(const msm_job *job, const msm_pass *pass, const bucket_sums *,
                                module_sums *modules, void *)
{
    const uint32_t sum = job->first_msm + 1;
    const msm_pass here = *pass;
    char *points = static_cast<char *>(modules->points);
    fake_launch(in_flight_of(pass)->stream, [=] {
        for (uint64_t g = here.first_module; g < here.first_module + here.modules; g++) {
            memcpy(points + g * XYZZ_BYTES, &sum, sizeof sum);
        }
    });
    return SUMAC_OK;
}

static sumac_status gather_sums(const msm_job *job, const module_sums *modules, void *)
{
    const uint64_t first = (uint64_t)job->first_msm * job->plan->modules;
    const uint64_t count = (uint64_t)job->plan->batch * job->plan->modules;
    const char *points = static_cast<const char *>(modules->points);
    fake_launch(engine_of(job)->stream, [=] {
        for (uint64_t g = 0; g < count; g++) {
            memcpy(&sums[first + g], points + g * XYZZ_BYTES, sizeof sums[0]);
        }
    });
    return SUMAC_OK;
}

static sumac_status deliver_begin(const msm_job *, void *results, void **points)
{
    *points = results;
    return SUMAC_OK;
}

static sumac_status deliver_end(const msm_job *job, void *, void *)
{
    CUDA_TRY(engine_of(job), cudaStreamSynchronize(engine_of(job)->stream));
    return SUMAC_OK;
}

static const deliver_ops delivery_of_nothing = {deliver_begin, deliver_end};

static stage_kind kind_of(msm_stage stage)
{
    stage_kind kind = {};
    kind.stage = stage;
    kind.leaves = AFFINE_BUCKETS;
    return kind;
}

/* ---- Replaces the model of costs, because the test itself says how copies are cut ---- */

void cuda_choose_copy_slices(const plan_request *, msm_plan *)
{
}

stage_cost cuda_cost_of_feed(const plan_request *, const msm_plan *)
{
    return {};
}

/* ---- An engine ---- */

static void must(cudaError_t error)
{
    if (error != cudaSuccess) {
        FAIL("the engine: %s", cudaGetErrorString(error));
    }
}

static cuda_engine *open_engine()
{
    cuda_engine *engine = new cuda_engine();
    must(cudaStreamCreateWithFlags(&engine->copies.handle, cudaStreamNonBlocking));
    must(create_events(engine->arrived));
    must(create_event(&engine->vacated));
    must(passes_create(engine));
    return engine;
}

static void close_engine(cuda_engine *engine)
{
    transfer_close(engine);
    delete engine;
}

/* ---- Calls ---- */

struct call_case {
    const char *what;
    uint64_t n;
    uint32_t batch, sub_batch, chunks, copy_slices, growth, modules, modules_per_pass, in_flight, threads;
    bool own_bases, host_resident, lengths, scalars_pageable, bases_pageable;
    bool on_device; /* the scalars lie on the device and are not copied */
};

/* These are the marks that the call must find at scalar i of an MSM. */
struct expectation {
    const call_case *c;
    std::vector<uint64_t> offsets; /* used if lengths differ */

    explicit expectation(const call_case *c) : c(c)
    {
        uint64_t end = 5; /* offsets need not begin at 0 */
        offsets.push_back(end);
        for (uint32_t m = 0; m < c->batch; m++) { /* lengths of n, 0 and two thirds of n */
            end += m % 3 == 1 ? 0 : m % 3 == 2 ? c->n : c->n * 2 / 3;
            offsets.push_back(end);
        }
    }
    uint64_t scalars() const
    {
        return c->lengths ? offsets.back() - offsets[0] : c->n * c->batch;
    }
    uint64_t scalar(uint64_t msm, uint64_t i) const
    {
        if (!c->lengths) {
            return mark_of(SCALAR_MARKS, msm * c->n + i);
        }
        const uint64_t length = offsets[msm + 1] - offsets[msm];
        return i < length ? mark_of(SCALAR_MARKS, offsets[msm] - offsets[0] + i) : NO_MARK;
    }
    uint64_t base(uint64_t msm, uint64_t i) const
    {
        return mark_of(BASE_MARKS, (c->own_bases ? msm * c->n : 0) + i);
    }
};

static msm_plan plan_of(const call_case *c, const stage_kind *kinds)
{
    msm_plan plan = {};
    plan.name = "test";
    for (int s = 0; s < STAGES; s++) {
        plan.kinds[s] = &kinds[s];
    }
    plan.n = c->n;
    plan.batch = c->batch;
    plan.c = plan.precompute_factor = plan.glv_terms = plan.module_parts = plan.fold = 1;
    plan.buckets = plan.table_digits = 1;
    plan.windows = plan.modules = c->modules;
    plan.sub_batch = c->sub_batch;
    plan.modules_per_pass = c->modules_per_pass;
    plan.passes = (c->sub_batch * c->modules + c->modules_per_pass - 1) / c->modules_per_pass;
    plan.in_flight_passes = c->in_flight;
    plan.chunks = c->chunks;
    plan.copy_slices = c->copy_slices;
    plan.copy_slice_growth = c->growth;
    plan.threads = c->threads;
    const uint64_t records = plan_turns(&plan) * plan_chunk(&plan);
    plan.bytes_staging = c->on_device ? 0 : records * c->sub_batch * SCALAR_BYTES;
    plan.bytes_host_resident =
        c->host_resident ? records * (c->own_bases ? c->sub_batch : 1) * POINT_BYTES : 0;
    workspace_measure(&plan, &code);
    return plan;
}

static void check(const call_case *c, const expectation *expected)
{
    for (uint64_t g = 0; g < (uint64_t)c->batch * c->modules; g++) {
        const uint64_t msm = g / c->modules;
        for (uint64_t i = 0; i < c->n; i++) {
            const sighting *at = &seen[g * c->n + i];
            if (at->scalar != expected->scalar(msm, i) || at->base != expected->base(msm, i) ||
                at->times != 1) {
                FAIL("%s: module %llu, scalar %llu: %u times, %s scalar, %s base", c->what,
                     (unsigned long long)g, (unsigned long long)i, at->times,
                     at->scalar == expected->scalar(msm, i) ? "its" : "another",
                     at->base == expected->base(msm, i) ? "its" : "another");
            }
        }
        if (sums[g] != msm / c->sub_batch * c->sub_batch + 1) {
            FAIL("%s: module %llu: the sum of another sub-batch", c->what, (unsigned long long)g);
        }
    }
}

/* Overwrite the stack of a call that has returned, on which nothing may rely. */
static __attribute__((noinline)) void overwrite_stack()
{
    char garbage[1 << 16];
    memset(garbage, 0xa5, sizeof garbage);
    __asm__ volatile("" : : "r"(garbage) : "memory");
}

static int cancel(void *, double)
{
    return 1;
}

/* These values of `failing` are not numbers of a runtime's call. CANCELLED cancels the call after its first pass.
 * CLOSED also ends the engine's threads while they copy for it. */
static const uint64_t CANCELLED = UINT64_MAX, CLOSED = UINT64_MAX - 1;

/* Make a call, check what it finds, and return its status. The runtime's call number `failing` fails. If it is 0, no
 * call fails. */
static sumac_status run_call(cuda_engine *engine, const call_case *c, uint64_t failing)
{
    stage_kind kinds[STAGES];
    for (int s = 0; s < STAGES; s++) {
        kinds[s] = kind_of(static_cast<msm_stage>(s));
    }
    kinds[STAGE_RECODE].run.recode = find_inputs;
    kinds[STAGE_SORT].run.sort = sort_nothing;
    kinds[STAGE_ACCUMULATE].run.accumulate = add_nothing;
    kinds[STAGE_REDUCE].run.reduce = sum_modules;
    kinds[STAGE_COMBINE].run.combine = gather_sums;
    backend engine_table = {};
    engine_table.feed = &cuda_feed;
    engine_table.deliver = &delivery_of_nothing;

    const expectation expected(c);
    const msm_plan plan = plan_of(c, kinds);
    input scalars(SCALAR_MARKS, SCALAR_BYTES, expected.scalars(), c->scalars_pageable);
    input bases(BASE_MARKS, POINT_BYTES, c->n * (c->own_bases ? c->batch : 1), c->bases_pageable);
    char results[1]; /* no results are delivered */
    msm_job job = {};
    job.code = &code;
    job.plan = &plan;
    job.bases.points = bases.memory;
    job.bases.host_resident = c->host_resident;
    job.scalars = reinterpret_cast<const uint8_t *>(scalars.memory);
    job.layout.bytes = SCALAR_BYTES;
    job.offsets = c->lengths ? expected.offsets.data() : NULL;
    job.scalars_location = c->on_device ? SUMAC_LOCATION_DEVICE : SUMAC_LOCATION_HOST;
    job.base_sets = c->own_bases ? c->batch : 1;
    job.threads = c->threads;
    job.engine = engine;
    device_memory memory(plan.bytes_workspace + 64);
    seen.assign((uint64_t)c->batch * c->modules * c->n, {});
    sums.assign((uint64_t)c->batch * c->modules, 0);
    const bool cancels = failing == CANCELLED || failing == CLOSED;
    __atomic_store_n(&engine->failing_call, cancels ? 0 : failing, __ATOMIC_RELAXED);
    const sumac_status status =
        pipeline_run(&engine_table, &job, memory.memory, results, cancels ? cancel : NULL, NULL);
    __atomic_store_n(&engine->failing_call, 0, __ATOMIC_RELAXED);
    if (status == SUMAC_OK) {
        check(c, &expected);
    } else {
        overwrite_stack();
        if (failing == CLOSED) {
            transfer_close(engine);
        }
        transfer_settle(engine);
        passes_settle(engine);
    }
    /* The caller may overwrite its memory now. */
    memset(scalars.memory, 0, scalars.bytes);
    memset(bases.memory, 0, bases.bytes);
    memset(memory.memory, 0, memory.bytes);
    return status;
}

static void test_calls()
{
    static const call_case cases[] = {
        /* The columns are what, n, batch, sub_batch, chunks, copy_slices, growth, modules, modules_per_pass, in_flight,
         * threads; own_bases, host_resident, lengths, scalars_pageable, bases_pageable, on_device. */
        {"one block", 100, 1, 1, 1, 1, 1, 1, 1, 1, 2, false, false, false, true, false, false},
        {"pageable scalars", 100003, 1, 1, 1, 3, 2, 1, 1, 1, 4, false, false, false, true, false, false},
        {"page-locked scalars", 100003, 1, 1, 1, 3, 2, 1, 1, 1, 4, false, false, false, false, false, false},
        {"a batch in sub-batches", 20011, 7, 3, 1, 2, 3, 1, 3, 1, 4, false, false, false, true, false, false},
        {"page-locked batch", 20011, 7, 3, 1, 2, 3, 1, 3, 1, 4, false, false, false, false, false, false},
        {"passes in flight", 20011, 4, 2, 1, 1, 1, 5, 2, 2, 2, false, false, false, true, false, false},
        {"passes in flight, page-locked", 20011, 4, 2, 1, 1, 1, 5, 2, 2, 2, false, false, false, false, false,
         false},
        {"passes in flight, nothing copied", 20011, 4, 2, 1, 1, 1, 5, 2, 2, 2, false, false, false, false,
         false, true},
        {"lengths", 20011, 5, 2, 1, 2, 2, 1, 2, 1, 3, false, false, true, true, false, false},
        {"lengths, page-locked", 20011, 5, 2, 1, 2, 2, 1, 2, 1, 3, false, false, true, false, false, false},
        {"lengths in chunks", 20011, 5, 2, 3, 1, 1, 1, 2, 1, 3, false, false, true, true, false, false},
        {"host-resident bases", 50021, 2, 2, 5, 2, 2, 2, 2, 1, 4, false, true, false, true, true, false},
        {"page-locked scalars alone", 50021, 2, 2, 5, 2, 2, 2, 2, 1, 4, false, true, false, false, true,
         false},
        {"page-locked bases alone", 50021, 2, 2, 5, 2, 2, 2, 2, 1, 4, false, true, false, true, false, false},
        {"all page-locked", 50021, 2, 2, 5, 2, 2, 2, 2, 1, 4, false, true, false, false, false, false},
        {"own bases", 9001, 5, 2, 3, 1, 1, 1, 1, 1, 4, true, true, false, true, true, false},
        {"own page-locked bases", 9001, 5, 2, 3, 1, 1, 1, 1, 1, 4, true, true, false, false, false, false},
        {"no thread but the caller's", 50021, 1, 1, 3, 1, 1, 1, 1, 1, 1, false, true, false, true, true,
         false},
    };
    cuda_engine *engine = open_engine();
    for (const call_case &c : cases) {
        const sumac_status status = run_call(engine, &c, 0);
        if (status != SUMAC_OK) {
            FAIL("%s: %s", c.what, engine->message.text);
        }
    }
    close_engine(engine);
}

/* Every call of the runtime fails in turn, and the next call of the engine succeeds. */
static void test_failures()
{
    static const call_case cases[] = {
        {"failures, pageable", 12007, 2, 1, 2, 2, 2, 1, 1, 1, 2, false, true, false, true, true, false},
        {"failures, page-locked", 3001, 2, 1, 2, 2, 2, 1, 1, 1, 2, false, true, false, false, false, false},
        {"failures, in flight", 3001, 2, 1, 1, 1, 1, 4, 1, 2, 2, false, false, true, false, false, false},
        {"failures, lengths", 20011, 3, 2, 1, 2, 2, 1, 2, 1, 2, false, false, true, true, false, false},
    };
    for (const call_case &c : cases) {
        cuda_engine *engine = open_engine();
        uint64_t failing = 1;
        while (run_call(engine, &c, failing) != SUMAC_OK) {
            if (run_call(engine, &c, 0) != SUMAC_OK) {
                FAIL("%s: after call %llu of the runtime has failed: %s", c.what, (unsigned long long)failing,
                     engine->message.text);
            }
            failing++;
        }
        if (failing < 8) {
            FAIL("%s: only %llu calls of the runtime", c.what, (unsigned long long)failing - 1);
        }
        close_engine(engine);
    }
}

/* A call is cancelled while threads still copy for it, and the next call succeeds. */
static void test_cancelled()
{
    static const call_case cases[] = {
        {"cancelled", 200003, 4, 2, 2, 2, 2, 2, 2, 1, 3, false, false, false, true, false, false},
        {"cancelled, lengths", 200003, 4, 2, 2, 2, 2, 2, 2, 1, 3, false, false, true, true, false, false},
    };
    for (const call_case &c : cases) {
        cuda_engine *engine = open_engine();
        for (const uint64_t how : {CANCELLED, CLOSED}) {
            if (run_call(engine, &c, how) != SUMAC_CANCELLED) {
                FAIL("%s: it is not", c.what);
            }
            if (run_call(engine, &c, 0) != SUMAC_OK) {
                FAIL("%s: after it: %s", c.what, engine->message.text);
            }
        }
        close_engine(engine);
    }
}

/* ---- Bases into a table ---- */

static std::vector<uint64_t> found_bases;

/* Read the slice in place of the kernels, and in the same order on the stream. */
static sumac_status find_bases(cuda_engine *engine, const table_slice *slice)
{
    const table_slice here = *slice;
    fake_launch(engine->stream, [=] {
        for (uint64_t i = here.first; i < here.first + here.n; i++) {
            found_bases[i] = read_record(here.table, i, POINT_BYTES);
        }
    });
    return SUMAC_OK;
}

static cuda_group make_group()
{
    cuda_group group = {};
    group.affine_bytes = POINT_BYTES;
    group.multiples = group.endomorphism_images = find_bases;
    return group;
}

const cuda_group *cuda_group_of(const sumac_group *)
{
    static const cuda_group group = make_group();
    return &group;
}

static void test_tables()
{
    const uint64_t COUNT = 10007, SLICE = 3000;
    cuda_engine *engine = open_engine();
    for (uint32_t glv_terms = 1; glv_terms <= 2; glv_terms++) {
        input bases(BASE_MARKS, POINT_BYTES, COUNT, false);
        device_memory table((size_t)COUNT * POINT_BYTES);
        found_bases.assign(COUNT, 0);
        for (uint64_t first = 0; first < COUNT; first += SLICE) {
            table_slice slice = {};
            slice.table = table.memory;
            slice.points = bases.memory + first * POINT_BYTES;
            slice.count = COUNT;
            slice.first = first;
            slice.n = COUNT - first < SLICE ? COUNT - first : SLICE;
            slice.factor = slice.digits = 1;
            slice.glv_terms = glv_terms;
            uint64_t bad = 0;
            const sumac_status status = cuda_fill_table(engine, NULL, &slice, &bad);
            if (status != SUMAC_OK || bad != slice.n) {
                FAIL("a table: %s", engine->message.text);
            }
        }
        must(cudaStreamSynchronize(engine->stream));
        for (uint64_t i = 0; i < COUNT; i++) {
            if (found_bases[i] != mark_of(BASE_MARKS, i)) {
                FAIL("a table: another point in place of base %llu", (unsigned long long)i);
            }
        }
        memset(bases.memory, 0, bases.bytes);
    }
    close_engine(engine);
}

/* If a call waits for ever, an alarm ends the test after MOST_SECONDS. */
enum { MOST_SECONDS = 900 };

int main()
{
    (void)alarm(MOST_SECONDS);
    fake_take_pageable(0);
    fake_dawdle(1);
    test_calls();
    test_failures();
    test_cancelled();
    test_tables();
    fake_expect_nothing_left();
    (void)printf("transfer: OK\n");
    return 0;
}
