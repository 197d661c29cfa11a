/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "executor/shared_msm.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "codec/point_layout.h"
#include "base/integers.h"
#include "executor/msm.h"
#include "executor/planning.h"
#include "vector/vector.h"

/* What an executor does: of MSMs [first_msm, last_msm), from each bases [first_base, last_base) of its n, as far
 * as it holds them. */
typedef struct msm_share {
    uint32_t first_msm;
    uint32_t last_msm;
    uint64_t first_base;
    uint64_t last_base;
} msm_share;

/* MSMs that an executor computes in one run of its pipeline. */
typedef struct msm_part {
    uint32_t msm;
    uint64_t scalar; /* the first of each MSM that is used */
    uint64_t n;
    sumac_msm_config config; /* batch of them; first counts from the shard's first base on */
} msm_part;

typedef struct shared_msm {
    executor_list *list;
    const sumac_bases *bases;
    const uint8_t *scalars;
    size_t n;
    const sumac_msm_config *caller; /* the configuration with the caller's memory locations */
    sumac_msm_config config; /* of the executors: results on the host, scalars as next_part() finds them */
    uint32_t batch;
    uint64_t sets;
    int one_has_all; /* executor 0 does it alone */
    msm_share shares[SUMAC_MAX_DEVICES];
    int as_elements;     /* are the results, */
    size_t result_bytes; /* of one: */
    uint8_t *results;    /* of each executor; zeros, infinity, where it has no part */
    uint8_t *sums;
} shared_msm;

/* ---- Who does what ---- */

/* Cut between MSMs: each executor has whole ones. So that it finds its sets of bases, it begins with the first
 * set, unless each MSM has its own. */
static void share_by_msm(shared_msm *msm)
{
    const uint64_t unit = msm->sets == msm->batch ? 1 : msm->sets;
    for (uint32_t k = 0; k < msm->list->count; k++) {
        msm->shares[k] = (msm_share){
            .first_msm = (uint32_t)executors_cut(msm->list, msm->batch, unit, k),
            .last_msm = (uint32_t)executors_cut(msm->list, msm->batch, unit, k + 1),
            .last_base = msm->n,
        };
    }
}

/* Cut each MSM between bases: of replicas by the weights, of shards where they end. */
static void share_by_bases(shared_msm *msm)
{
    const int cut = msm->bases->replicated;
    for (uint32_t k = 0; k < msm->list->count; k++) {
        msm->shares[k] = (msm_share){
            .last_msm = msm->batch,
            .first_base = cut ? executors_cut(msm->list, msm->n, 1, k) : 0,
            .last_base = cut ? executors_cut(msm->list, msm->n, 1, k + 1) : msm->n,
        };
    }
}

/* Where the scalars are for executor k: those on the first one's device may lie on another one. */
static sumac_location scalars_seen_by(const shared_msm *msm, uint32_t k)
{
    const executor *own = &msm->list->at[k];
    if (msm->caller->scalars_location != SUMAC_LOCATION_DEVICE) {
        return msm->caller->scalars_location;
    }
    return executor_device(own) == executor_device(msm->list->at) ? SUMAC_LOCATION_DEVICE : LOCATION_PEER;
}

/* The next part of executor k, from MSM part->msm on; 0 when there is none. */
static int next_part(const shared_msm *msm, uint32_t k, msm_part *part)
{
    const msm_share *share = &msm->shares[k];
    const bases_shard *shard = &msm->bases->shards[k];
    const uint64_t begin = shard->first, end = begin + shard->table.count;
    for (; part->msm < share->last_msm; part->msm++) {
        const uint64_t set = msm->sets == msm->batch ? part->msm : part->msm % msm->sets;
        const uint64_t start = msm->config.first + (msm->sets == 1 ? 0 : set) * msm->n;
        const uint64_t low = larger(start + share->first_base, begin);
        const uint64_t high = smaller(start + share->last_base, end);
        if (low >= high) {
            continue;
        }
        const uint32_t left = share->last_msm - part->msm;
        uint64_t run = 1;
        part->scalar = low - start;
        part->n = high - low;
        part->config = msm->config;
        part->config.scalars_location = scalars_seen_by(msm, k);
        part->config.first = (size_t)(low - begin);
        part->config.base_sets = 0;
        if (part->n == msm->n && msm->sets == 1) {
            run = left;
        } else if (part->n == msm->n && msm->sets == msm->batch) {
            run = smaller(left, (end - start) / msm->n);
        } else if (part->n == msm->n && set == 0 && (end - start) / msm->n >= msm->sets) {
            run = left;
            part->config.base_sets = (uint32_t)msm->sets;
        }
        part->config.batch = (uint32_t)run;
        part->config.separate_bases = msm->sets > 1 && run > 1;
        part->config.base_sets = run > 1 ? part->config.base_sets : 0;
        return 1;
    }
    return 0;
}

/* The plan of an executor's largest part, how many parts it has and what they take together; with what it may use in
 * shared work. */
static sumac_status plan_share(const shared_msm *msm, uint32_t k, shared_plan *plan, double *milliseconds)
{
    executor *own = &msm->list->at[k];
    const executor_means kept = own->means;
    msm_part part = {.msm = msm->shares[k].first_msm};
    sumac_status status = SUMAC_OK;
    uint64_t most = 0;
    plan->calls = 0;
    *milliseconds = 0;
    own->means = *executors_means(msm->list, k);
    executor_enter(own);
    while (status == SUMAC_OK && next_part(msm, k, &part)) {
        if (part.n * part.config.batch > most) {
            most = part.n * part.config.batch;
            status = planning_make_here(own, msm->bases, k, (size_t)part.n, &part.config, &plan->plan);
        }
        *milliseconds += status == SUMAC_OK
                             ? plan->plan.milliseconds * (double)part.n * (double)part.config.batch /
                                   ((double)plan->plan.n * (double)plan->plan.batch)
                             : 0;
        part.msm += part.config.batch;
        plan->calls++;
    }
    own->means = kept;
    return executors_adopt(msm->list, k, status);
}

/* Milliseconds until the last of four devices has begun and what they have is added up (64 cores, four H100s:
 * bench/results/h100_devices.json). */
#define SHARING 0.1

/* Bases of an MSM that a device computes before others could have begun. */
#define DEVICE_ALONE ((size_t)1 << 10)

/* Whether one executor, the first, is predicted to have a small MSM before all of them have their parts, even with no
 * more threads than it has for its part. */
static int one_is_faster(shared_msm *msm)
{
    const int on_device = msm->list->at->engine != NULL;
    if (on_device && msm->n <= DEVICE_ALONE / msm->batch) {
        return 1;
    }
    const msm_share kept = msm->shares[0];
    shared_plan plan;
    double split, whole;
    const uint32_t k = executors_largest(msm->list, msm->n, 1);
    sumac_status status = plan_share(msm, k, &plan, &split);
    msm->shares[0] = (msm_share){.last_msm = msm->batch, .last_base = msm->n};
    status = status == SUMAC_OK ? plan_share(msm, 0, &plan, &whole) : status;
    msm->shares[0] = kept;
    msm->list->at->message.text[0] = '\0';
    return status == SUMAC_OK && whole <= split + (on_device ? SHARING : 0);
}

/* The same of such a call before, without planning. A wrong answer, for other bases at the same address, would only be
 * slow. */
static int one_was_faster(shared_msm *msm)
{
    executor_list *list = msm->list;
    for (uint32_t i = 0; i < KEPT_DECISIONS; i++) {
        const shared_decision *kept = &list->decisions[i];
        if (kept->bases == msm->bases && kept->n == msm->n &&
            memcmp(&kept->config, &msm->config, sizeof kept->config) == 0) {
            return kept->one_is_faster;
        }
    }
    shared_decision *oldest = &list->decisions[list->next_decision];
    const int faster = one_is_faster(msm);
    *oldest = (shared_decision){msm->bases, msm->n, msm->config, faster};
    memcpy(&oldest->config, &msm->config, sizeof oldest->config);
    list->next_decision = (list->next_decision + 1) % KEPT_DECISIONS;
    return faster;
}

/* As it was when the plan was made, if there is one. */
static shared_msm share_out(executor_list *list, const sumac_bases *bases, size_t n,
                            const sumac_msm_config *config, const shared_plan *plan)
{
    shared_msm msm = {
        .list = list,
        .bases = bases,
        .n = n,
        .caller = config,
        .config = *config,
        .batch = config->batch,
        .sets = planning_base_sets(config),
    };
    const uint64_t unit = msm.sets == msm.batch ? 1 : msm.sets;
    msm.config.result_location = SUMAC_LOCATION_HOST;
    if (bases->shard_count == 1 || n == 0) {
        msm.one_has_all = 1;
    } else if (bases->replicated && msm.batch / unit >= list->count) {
        share_by_msm(&msm);
    } else {
        share_by_bases(&msm);
        msm.one_has_all = plan != NULL ? plan->one_has_all : bases->replicated && one_was_faster(&msm);
    }
    return msm;
}

/* ---- Plans ---- */

static sumac_status plan_shares(const shared_msm *msm, shared_plan *plan)
{
    shared_plan made;
    double most = -1, milliseconds;
    plan->devices = plan->calls = 0;
    for (uint32_t k = 0; k < msm->list->count; k++) {
        const sumac_status status = plan_share(msm, k, &made, &milliseconds);
        if (status != SUMAC_OK) {
            return status;
        }
        plan->devices += made.calls > 0;
        if (made.calls > 0 && milliseconds > most) {
            most = milliseconds;
            plan->plan = made.plan;
            plan->calls = made.calls;
        }
    }
    plan->plan.milliseconds = most;
    return SUMAC_OK;
}

sumac_status shared_msm_plan(executor_list *list, const sumac_bases *shape, size_t n,
                             const sumac_msm_config *config, shared_plan *plan)
{
    const shared_msm msm = share_out(list, shape, n, config, NULL);
    if (msm.one_has_all) {
        plan->devices = plan->calls = 1;
        return planning_make_here(list->at, shape, 0, n, config, &plan->plan);
    }
    return plan_shares(&msm, plan);
}

static sumac_status prepare_share(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const shared_msm *msm = arguments;
    msm_part part = {.msm = msm->shares[k].first_msm};
    uint64_t n = 0;
    uint32_t batch = 0;
    sumac_status status = SUMAC_OK;
    while (status == SUMAC_OK && atomic_load(stop) == 0 && next_part(msm, k, &part)) {
        if (part.n != n || part.config.batch != batch) { /* not as the one before */
            status = msm_prepare(&msm->list->at[k], msm->bases, k, (size_t)part.n, &part.config);
        }
        n = part.n;
        batch = part.config.batch;
        part.msm += part.config.batch;
    }
    return status;
}

sumac_status shared_msm_prepare(executor_list *list, const sumac_bases *bases, size_t n,
                                const sumac_msm_config *config, shared_plan *plan)
{
    shared_msm msm = share_out(list, bases, n, config, NULL);
    plan->one_has_all = msm.one_has_all;
    if (!msm.one_has_all) {
        const sumac_status status = plan_shares(&msm, plan);
        return status == SUMAC_OK ? executors_run(list, prepare_share, &msm) : status;
    }
    plan->devices = plan->calls = 1;
    if (n == 0) { /* only to be shown */
        return planning_make_here(list->at, bases, 0, n, config, &plan->plan);
    }
    const sumac_status status = msm_prepare(list->at, bases, 0, n, config);
    plan->plan = list->at->call.plan;
    return status;
}

/* ---- Work ---- */

static sumac_status run_share(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const shared_msm *msm = arguments;
    const msm_share *share = &msm->shares[k];
    uint8_t *results = msm->results + (size_t)k * msm->batch * msm->result_bytes;
    msm_part part = {.msm = share->first_msm};
    sumac_status status = SUMAC_OK;
    while (status == SUMAC_OK && atomic_load(stop) == 0 && next_part(msm, k, &part)) {
        const double msms = share->last_msm - share->first_msm;
        executors_progress(msm->list, k, (part.msm - share->first_msm) / msms, part.config.batch / msms);
        status = msm_run(&msm->list->at[k], msm->bases, k,
                         msm->scalars + ((size_t)part.msm * msm->n + part.scalar) *
                                            planning_layout(msm->bases->curve, msm->caller).bytes,
                         (size_t)part.n, &part.config, NULL,
                         (msm_target){results + part.msm * msm->result_bytes, msm->as_elements});
        part.msm += part.config.batch;
    }
    return status;
}

static int is_infinity(const uint8_t *record, size_t bytes)
{
    return record[0] == 0 && memcmp(record, record + 1, bytes - 1) == 0;
}

sumac_status add_up_points(const curve_code *code, const sumac_curve *curve, const uint8_t *const *records,
                           size_t count, sumac_form form, sumac_check check, void *points, uint8_t *result,
                           size_t *bad)
{
    const size_t bytes = curve->info.point_bytes;
    const point_layout layout = {form, bytes, SUMAC_INFINITY_ZERO, 0};
    const uint8_t *last = NULL;
    size_t finite = 0;
    for (*bad = 0; *bad < count; ++*bad) {
        size_t none;
        if (is_infinity(records[*bad], bytes)) {
            continue;
        }
        const sumac_status status = code->convert->import_points((char *)points + finite * code->affine_bytes,
                                                                 records[*bad], 1, &layout, check, &none);
        if (status != SUMAC_OK) {
            return status;
        }
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

/* Of one MSM, the sum of the records that the executors have for it: most often one of them has all. */
static void add_up_msm(void *arguments, size_t j, uint32_t thread)
{
    const shared_msm *msm = arguments;
    const sumac_curve *curve = msm->bases->curve;
    const size_t bytes = curve->info.point_bytes;
    _Alignas(64) uint64_t points[SUMAC_MAX_DEVICES * 4 * 12]; /* of two coordinates in Fp2 each */
    const uint8_t *records[SUMAC_MAX_DEVICES];
    size_t none;
    (void)thread;
    for (uint32_t k = 0; k < msm->list->count; k++) {
        records[k] = msm->results + ((size_t)k * msm->batch + j) * bytes;
    }
    (void)add_up_points(executor_code(msm->list->at, curve), curve, records, msm->list->count,
                        msm->config.result_form, SUMAC_CHECK_NONE, points, msm->sums + j * bytes, &none);
}

static void add_up_records(shared_msm *msm)
{
    const parallel_team team = executor_team(msm->list->at, "add up");
    parallel_for(&team, msm->batch, add_up_msm, msm);
}

/* Add up elements, of which each MSM has one with each executor. They are brought together first, into the memory of the
 * sums, and change places with it. */
static void add_up_elements(shared_msm *msm)
{
    const executor *first = msm->list->at;
    const curve_code *code = executor_code(first, msm->bases->curve);
    const vector_run run = {
        first->means.threads, first->means.pool, first->means.trace, NULL, msm->bases->curve, code};
    const uint32_t count = msm->list->count;
    const size_t bytes = msm->result_bytes;
    uint8_t *elements = msm->sums;
    for (size_t j = 0; j < msm->batch; j++) {
        for (size_t k = 0; k < count; k++) {
            memcpy(elements + (j * count + k) * bytes, msm->results + (k * msm->batch + j) * bytes, bytes);
        }
    }
    msm->sums = msm->results;
    msm->results = elements;
    (void)code->point_vectors->sum(&run, msm->sums, elements, msm->batch, count); /* the host's can't fail */
}

/* Scalars on the first device may still be under work that the caller has begun; others copy them from there. */
static sumac_status await_scalars(executor *first)
{
    const device_ops *device = first->backend->device;
    executor_enter(first);
    const sumac_status status = device->follow(first->engine, NULL, NULL);
    return executor_done(first, status == SUMAC_OK ? device->join(first->engine) : status);
}

sumac_status shared_msm_give(executor *first, sumac_location location, const void *points, size_t bytes,
                             void *results)
{
    const device_ops *device = first->backend->device;
    if (location == SUMAC_LOCATION_HOST) {
        memcpy(results, points, bytes);
        return SUMAC_OK;
    }
    executor_enter(first);
    sumac_status status = device->follow(first->engine, NULL, NULL);
    if (status == SUMAC_OK) {
        status = device->upload(first->engine, results, points, bytes);
    }
    return executor_done(first, status);
}

/* With buffers: the executors' parts, their sums, and those to the caller. */
static sumac_status compute(shared_msm *msm, const void *scalars, void *results)
{
    executor *first = msm->list->at;
    const sumac_status status = executors_run(msm->list, run_share, msm);
    if (status != SUMAC_OK) { /* the scalar's number is that among all */
        return status == SUMAC_SCALAR_TOO_LARGE ? msm_fail_large_scalar(first, msm->bases->curve, scalars,
                                                                        msm->n * msm->batch, msm->caller)
                                                : status;
    }
    (msm->as_elements ? add_up_elements : add_up_records)(msm);
    const sumac_status asked = executor_report(first, 1);
    return asked != SUMAC_OK ? asked
                             : shared_msm_give(first, msm->caller->result_location, msm->sums,
                                               msm->batch * msm->result_bytes, results);
}

sumac_status shared_msm_run(executor_list *list, const sumac_bases *bases, const void *scalars, size_t n,
                            const sumac_msm_config *config, const shared_plan *plan, msm_target results)
{
    shared_msm msm = share_out(list, bases, n, config, plan);
    if (msm.one_has_all) {
        return msm_run(list->at, bases, 0, scalars, n, config, plan == NULL ? NULL : &plan->plan, results);
    }
    msm.as_elements = results.as_elements;
    msm.result_bytes = results.as_elements ? executor_code(list->at, bases->curve)->xyzz_bytes
                                           : bases->curve->info.point_bytes;
    const size_t bytes = msm.batch * msm.result_bytes;
    sumac_status status = SUMAC_OK;
    msm.results = calloc(list->count, bytes);
    msm.sums = calloc(results.as_elements ? list->count : 1, bytes);
    msm.scalars = scalars;
    if (msm.results == NULL || msm.sums == NULL) {
        status = refuse(&list->at->message, SUMAC_OUT_OF_MEMORY,
                        "there is no memory of %zu bytes for the results of each device", bytes);
    }
    if (status == SUMAC_OK && config->scalars_location == SUMAC_LOCATION_DEVICE) {
        status = await_scalars(list->at);
    }
    if (status == SUMAC_OK) {
        status = compute(&msm, scalars, results.memory);
    }
    free(msm.results);
    free(msm.sums);
    return status;
}
