/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "executor/shared_msm.h"

#include <stdatomic.h>

#include "base/integers.h"
#include "codec/bytes.h"
#include "codec/point_layout.h"
#include "executor/msm.h"
#include "vector/vector.h"

/* An executor's share of the call has MSMs [first_msm, last_msm) and, in each MSM, bases [first_base, last_base) of its
 * n bases, as far as the executor's shard has them. */
typedef struct msm_share {
    uint32_t first_msm;
    uint32_t last_msm;
    uint64_t first_base;
    uint64_t last_base;
} msm_share;

/* A run is a group of MSMs that an executor computes in one run of its pipeline. */
typedef struct share_run {
    uint32_t msm;    /* the first MSM */
    uint64_t scalar; /* the first scalar of each MSM that is used */
    msm_call call;   /* call.first_base counts from the shard's first base */
} share_run;

typedef struct shared_msm {
    executor_list *list;
    const sumac_bases *bases;
    const uint8_t *scalars;
    const msm_call *asked;
    const plan_request *request; /* asked->request */
    int one_has_all;             /* executor 0 computes everything */
    msm_share shares[MOST_DEVICES];
    int as_elements;     /* results are elements of a vector */
    size_t result_bytes; /* bytes of one result */
    uint8_t *results;    /* the results of each executor; zeros, which are infinity, for MSMs that it has no
                            part of */
    uint8_t *sums;
} shared_msm;

/* ---- The parts of the executors ---- */

/* Return the location of the scalars as executor k sees it. If they are on the first executor's device, they may be on
 * another device than k's. */
static uint32_t scalars_location_for(const shared_msm *msm, uint32_t k)
{
    const executor *self = &msm->list->at[k];
    return msm->request->scalars_location == SUMAC_LOCATION_DEVICE &&
                   executor_device(self) != executor_device(msm->list->at)
               ? (uint32_t)LOCATION_PEER
               : msm->request->scalars_location;
}

/* Find the next run of executor k, from MSM run->msm on; return 0 if no MSM is left. */
static int next_run(const shared_msm *msm, uint32_t k, share_run *run)
{
    const plan_request *request = msm->request;
    const uint64_t n = request->n, sets = request->base_sets;
    const msm_share *share = &msm->shares[k];
    const bases_shard *shard = &msm->bases->shards[k];
    const uint64_t begin = shard->first, end = begin + shard->table.count;
    for (; run->msm < share->last_msm; run->msm++) {
        const uint64_t set = sets == request->batch ? run->msm : run->msm % sets;
        const uint64_t start = msm->asked->first_base + (sets == 1 ? 0 : set) * n;
        const uint64_t low = larger(start + share->first_base, begin);
        const uint64_t high = smaller(start + share->last_base, end);
        if (low >= high) {
            continue;
        }
        const uint32_t left = share->last_msm - run->msm;
        const int is_whole = high - low == n;
        uint64_t batch = 1;
        if (is_whole && sets == request->batch && sets > 1) {
            batch = smaller(left, (end - start) / n);
        } else if (is_whole && (sets == 1 || (set == 0 && (end - start) / n >= sets))) {
            batch = left;
        }
        run->scalar = low - start;
        memcpy(&run->call, msm->asked, sizeof run->call);
        run->call.first_base = low - begin;
        run->call.request.n = high - low;
        run->call.request.batch = (uint32_t)batch;
        run->call.request.base_sets = sets == request->batch ? batch : smaller(sets, batch);
        run->call.request.scalars_location = scalars_location_for(msm, k);
        run->call.request.result_location = SUMAC_LOCATION_HOST;
        return 1;
    }
    return 0;
}

/* Plan the runs of executor k with the resources (executor_means) that it has when all executors work together. *plan
 * becomes the plan of the largest run, except that its milliseconds become the sum over all runs. */
static sumac_status plan_share(const shared_msm *msm, uint32_t k, shared_plan *plan)
{
    executor *self = &msm->list->at[k];
    const executor_means means_alone = self->means;
    share_run run = {.msm = msm->shares[k].first_msm};
    sumac_status status = SUMAC_OK;
    uint64_t most = 0;
    double milliseconds = 0;
    *plan = (shared_plan){0};
    self->means = *executors_means(msm->list, k);
    executor_enter(self);
    while (status == SUMAC_OK && next_run(msm, k, &run)) {
        const uint64_t scalars = run.call.request.n * run.call.request.batch;
        if (scalars > most) {
            most = scalars;
            status = planning_make_here(self, msm->bases, k, &run.call, &plan->plan);
        }
        if (status == SUMAC_OK) {
            milliseconds +=
                plan->plan.milliseconds * (double)scalars / ((double)plan->plan.n * (double)plan->plan.batch);
        }
        run.msm += run.call.request.batch;
        plan->calls++;
    }
    plan->plan.milliseconds = milliseconds;
    self->means = means_alone;
    return executors_adopt(msm->list, k, status);
}

/* If devices share a call, it takes this many milliseconds more, because the last of four devices begins later, and
 * their results must be added up (64 cores, four H100s: bench/results/h100_devices.json). */
#define SHARING 0.1

/* If a call has at most this many scalars in all its MSMs, one device finishes before others could have begun. */
#define DEVICE_ALONE ((size_t)1 << 10)

/* Predict whether executor 0 alone computes a call faster than all executors together. When executor 0 works alone,
 * this counts only the threads that it has in shared work. */
static int is_one_faster(shared_msm *msm)
{
    const plan_request *request = msm->request;
    const int on_device = msm->list->at->engine != NULL;
    if (on_device && request->n <= DEVICE_ALONE / request->batch) {
        return 1;
    }
    const msm_share first_share = msm->shares[0];
    shared_plan split, whole;
    sumac_status status = plan_share(msm, executors_largest(msm->list, request->n, 1), &split);
    msm->shares[0] = (msm_share){.last_msm = request->batch, .last_base = request->n};
    if (status == SUMAC_OK) {
        status = plan_share(msm, 0, &whole);
    }
    msm->shares[0] = first_share;
    msm->list->at->message.text[0] = '\0';
    return status == SUMAC_OK &&
           whole.plan.milliseconds <= split.plan.milliseconds + (on_device ? SHARING : 0);
}

/* Return whether executor 0 alone computes this call faster. If the decision for the same call is kept, use it;
 * otherwise make and keep it. If other bases have got the same address since, the kept decision may be wrong; then the
 * call is only slower. */
static int decide_alone(shared_msm *msm)
{
    executor_list *list = msm->list;
    for (uint32_t i = 0; i < KEPT_DECISIONS; i++) {
        const shared_decision *kept = &list->decisions[i];
        /* Calls are zeroed, padding included, before they are filled in.
         * NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
        if (kept->bases == msm->bases && memcmp(&kept->call, msm->asked, sizeof kept->call) == 0) {
            return kept->one_is_faster;
        }
    }
    shared_decision *oldest = &list->decisions[list->next_decision];
    list->next_decision = (list->next_decision + 1) % KEPT_DECISIONS;
    oldest->bases = msm->bases;
    memcpy(&oldest->call, msm->asked, sizeof oldest->call);
    oldest->one_is_faster = is_one_faster(msm);
    return oldest->one_is_faster;
}

/* Split the call. If a plan was prepared, its split is used again. If the bases have replicas and there are enough
 * MSMs, whole MSMs are distributed. Then each executor begins with the first set of bases, unless each MSM has a
 * separate set. If whole MSMs cannot be distributed, the bases of each MSM are divided: replicas by the weights of the
 * executors, shards where the shards end. */
static shared_msm split_call(executor_list *list, const sumac_bases *bases, const msm_call *asked,
                             const shared_plan *plan)
{
    const plan_request *request = &asked->request;
    shared_msm msm = {.list = list, .bases = bases, .asked = asked, .request = request};
    const uint64_t unit = request->base_sets == request->batch ? 1 : request->base_sets;
    const int by_msm = bases->replicated && request->batch / unit >= list->count;
    if (bases->shard_count == 1 || request->n == 0) {
        msm.one_has_all = 1;
        return msm;
    }
    for (uint32_t k = 0; k < list->count; k++) {
        msm.shares[k] = (msm_share){.last_msm = request->batch, .last_base = request->n};
        if (by_msm) {
            msm.shares[k].first_msm = (uint32_t)executors_cut(list, request->batch, unit, k);
            msm.shares[k].last_msm = (uint32_t)executors_cut(list, request->batch, unit, k + 1);
        } else if (bases->replicated) {
            msm.shares[k].first_base = executors_cut(list, request->n, 1, k);
            msm.shares[k].last_base = executors_cut(list, request->n, 1, k + 1);
        }
    }
    msm.one_has_all = !by_msm && (plan != NULL ? plan->one_has_all : bases->replicated && decide_alone(&msm));
    return msm;
}

/* ---- Plans ---- */

static sumac_status plan_shares(const shared_msm *msm, shared_plan *plan)
{
    *plan = (shared_plan){.plan = {.milliseconds = -1}};
    uint64_t devices = 0;
    for (uint32_t k = 0; k < msm->list->count; k++) {
        shared_plan share;
        TRY(plan_share(msm, k, &share));
        devices += share.calls > 0;
        if (share.calls > 0 && share.plan.milliseconds > plan->plan.milliseconds) {
            *plan = share;
        }
    }
    plan->devices = devices;
    return SUMAC_OK;
}

static sumac_status prepare_share(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const shared_msm *msm = arguments;
    share_run run = {.msm = msm->shares[k].first_msm};
    uint64_t n = 0;
    uint32_t batch = 0;
    while (atomic_load(stop) == 0 && next_run(msm, k, &run)) {
        if (run.call.request.n != n ||
            run.call.request.batch != batch) { /* this run needs a different plan than the previous one */
            TRY(msm_prepare(&msm->list->at[k], msm->bases, k, &run.call));
        }
        n = run.call.request.n;
        batch = run.call.request.batch;
        run.msm += batch;
    }
    return SUMAC_OK;
}

sumac_status shared_msm_plan(executor_list *list, const sumac_bases *bases, const msm_call *call,
                             int prepares, shared_plan *plan)
{
    shared_msm msm = split_call(list, bases, call, NULL);
    if (!msm.one_has_all) {
        TRY(plan_shares(&msm, plan));
        return prepares ? executors_run(list, prepare_share, &msm) : SUMAC_OK;
    }
    *plan = (shared_plan){.devices = 1, .calls = 1, .one_has_all = 1};
    if (!prepares || call->request.n == 0) { /* with 0 bases the plan is only shown */
        return planning_make_here(list->at, bases, 0, call, &plan->plan);
    }
    TRY(msm_prepare(list->at, bases, 0, call));
    plan->plan = list->at->call.plan;
    return SUMAC_OK;
}

/* ---- Work ---- */

static sumac_status run_share(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const shared_msm *msm = arguments;
    const msm_share *share = &msm->shares[k];
    uint8_t *results = msm->results + (size_t)k * msm->request->batch * msm->result_bytes;
    share_run run = {.msm = share->first_msm};
    while (atomic_load(stop) == 0 && next_run(msm, k, &run)) {
        const double msms = share->last_msm - share->first_msm;
        const uint32_t batch = run.call.request.batch;
        const uint64_t scalar = run.msm * msm->request->n + run.scalar;
        executors_progress(msm->list, k, (run.msm - share->first_msm) / msms, batch / msms);
        TRY(msm_run(&msm->list->at[k], msm->bases, k, msm->scalars + scalar * msm->request->layout.bytes,
                    &run.call, NULL, (msm_target){results + run.msm * msm->result_bytes, msm->as_elements}));
        run.msm += batch;
    }
    return SUMAC_OK;
}

sumac_status add_up_points(const group_code *code, const sumac_group *group, const uint8_t *const *records,
                           size_t count, sumac_form form, sumac_check check, void *points, uint8_t *result,
                           size_t *bad)
{
    const size_t bytes = group->point_bytes;
    const point_layout layout = {form, bytes, SUMAC_INFINITY_ZERO, 0};
    const uint8_t *last = NULL;
    size_t finite = 0;
    for (*bad = 0; *bad < count; ++*bad) {
        size_t none;
        if (all_zero(records[*bad], bytes)) { /* the point is infinity */
            continue;
        }
        TRY(code->convert->import_points((char *)points + finite * code->affine_bytes, records[*bad], 1,
                                         &layout, check, &none));
        last = records[*bad];
        finite++;
    }
    if (finite > 1) {
        code->points->sum(points, points, finite);
        code->convert->export_points(result, points, 1, form);
    } else if (last != NULL) {
        memcpy(result, last, bytes);
    } else {
        memset(result, 0, bytes);
    }
    return SUMAC_OK;
}

/* Add up the executors' results for one MSM. Often one executor has the whole result, and nothing has to be added. */
static void add_up_msm(void *arguments, size_t j, uint32_t thread)
{
    const shared_msm *msm = arguments;
    const sumac_group *group = msm->bases->group;
    const size_t bytes = group->point_bytes;
    _Alignas(64) uint64_t points[MOST_DEVICES * 4 * 12]; /* two coordinates in Fp2 each */
    const uint8_t *records[MOST_DEVICES];
    size_t none;
    (void)thread;
    for (uint32_t k = 0; k < msm->list->count; k++) {
        records[k] = msm->results + ((size_t)k * msm->request->batch + j) * bytes;
    }
    (void)add_up_points(executor_code(msm->list->at, group), group, records, msm->list->count,
                        msm->asked->result_form, SUMAC_CHECK_NONE, points, msm->sums + j * bytes, &none);
}

/* The results are vector elements: for each MSM each executor has one. Add them up. They are first gathered in the
 * memory of the sums, and then the two memories change roles. */
static void add_up_elements(shared_msm *msm)
{
    const executor *first = msm->list->at;
    const group_code *code = executor_code(first, msm->bases->group);
    const vector_run run = {
        first->means.threads, first->means.pool, first->means.trace, NULL, msm->bases->group, code};
    const uint32_t count = msm->list->count, batch = msm->request->batch;
    const size_t bytes = msm->result_bytes;
    uint8_t *elements = msm->sums;
    for (size_t j = 0; j < batch; j++) {
        for (size_t k = 0; k < count; k++) {
            memcpy(elements + (j * count + k) * bytes, msm->results + (k * batch + j) * bytes, bytes);
        }
    }
    msm->sums = msm->results;
    msm->results = elements;
    (void)code->point_vectors->sum(&run, msm->sums, elements, batch, count); /* can't fail on the host */
}

sumac_status shared_msm_deliver(executor *first, sumac_location location, const void *points, size_t bytes,
                                void *results)
{
    const device_ops *device = first->backend->device;
    if (location == SUMAC_LOCATION_HOST) {
        memcpy(results, points, bytes);
        return SUMAC_OK;
    }
    executor_enter(first);
    TRY(executor_done(first, device->follow(first->engine)));
    return executor_done(first, device->upload(first->engine, results, points, bytes));
}

sumac_status shared_msm_run(executor_list *list, const sumac_bases *bases, const void *scalars,
                            const msm_call *call, const shared_plan *plan, msm_target results)
{
    executor *first = list->at;
    const plan_request *request = &call->request;
    shared_msm msm = split_call(list, bases, call, plan);
    if (msm.one_has_all) {
        return msm_run(first, bases, 0, scalars, call, plan == NULL ? NULL : &plan->plan, results);
    }
    msm.as_elements = results.as_elements;
    msm.result_bytes =
        results.as_elements ? executor_code(first, bases->group)->xyzz_bytes : bases->group->point_bytes;
    const size_t bytes = request->batch * msm.result_bytes;
    AUTO_FREE uint8_t *result_memory = calloc(list->count, bytes);
    AUTO_FREE uint8_t *sum_memory = calloc(results.as_elements ? list->count : 1, bytes);
    if (result_memory == NULL || sum_memory == NULL) {
        return refuse(&first->message, SUMAC_OUT_OF_MEMORY,
                      "there is no memory of %zu bytes for the results of each device", bytes);
    }
    msm.results = result_memory;
    msm.sums = sum_memory;
    msm.scalars = scalars;
    /* Other devices copy scalars from the first device. Work that the caller has begun may still write these scalars,
     * so wait for it. */
    if (request->scalars_location == SUMAC_LOCATION_DEVICE) {
        const device_ops *device = first->backend->device;
        executor_enter(first);
        TRY(executor_done(first, device->follow(first->engine)));
        TRY(executor_done(first, device->join(first->engine)));
    }
    const sumac_status status = executors_run(list, run_share, &msm);
    if (status == SUMAC_SCALAR_TOO_LARGE) { /* the message has the index among all scalars */
        return msm_fail_large_scalar(first, scalars, request->n * request->batch, call);
    }
    TRY(status);
    if (msm.as_elements) {
        add_up_elements(&msm);
    } else {
        const parallel_team team = executor_team(first, "add up");
        parallel_for(&team, request->batch, add_up_msm, &msm);
    }
    TRY(executor_report(first, 1));
    return shared_msm_deliver(first, request->result_location, msm.sums, bytes, results.memory);
}
