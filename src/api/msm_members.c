/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/msm_members.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_shape.h"
#include "api/call.h"
#include "api/context.h"
#include "api/members.h"
#include "api/planning.h"
#include "base/integers.h"
#include "codec/point_layout.h"
#include "cpu/parallel.h"

/* What a member does: of MSMs [first_msm, last_msm), from each bases [first_base, last_base) of its n, as far
 * as it holds them. */
typedef struct msm_share {
    uint32_t first_msm;
    uint32_t last_msm;
    uint64_t first_base;
    uint64_t last_base;
} msm_share;

/* MSMs that a member computes in one call. */
typedef struct member_call {
    uint32_t msm;
    uint64_t scalar; /* the first of each MSM that is used */
    uint64_t n;
    sumac_msm_config config; /* batch of them */
} member_call;

typedef struct shared_msm {
    sumac_context *context;
    const sumac_bases *bases;
    const uint8_t *scalars;
    size_t n;
    const sumac_msm_config *caller; /* the configuration with the caller's places */
    sumac_msm_config config;        /* of the members: all on the host */
    uint32_t batch;
    uint64_t sets;
    msm_share shares[SUMAC_MAX_DEVICES];
    int first_has_all; /* the first member does it alone */
    uint8_t *results;  /* of each member, in the result's form; zeros, infinity, where it has no part */
    uint8_t *sums;
} shared_msm;

/* ---- Who does what ---- */

/* Cut between MSMs: each member has whole ones. So that it finds its sets of bases, it begins with the first
 * set, unless each MSM has its own. */
static void share_by_msm(const shared_msm *msm, msm_share *shares)
{
    const context_members *members = msm->context->members;
    const uint64_t unit = msm->sets == msm->batch ? 1 : msm->sets;
    for (uint32_t k = 0; k < members->count; k++) {
        shares[k] = (msm_share){
            .first_msm = (uint32_t)members_cut(members, msm->batch, unit, k),
            .last_msm = (uint32_t)members_cut(members, msm->batch, unit, k + 1),
            .last_base = msm->n,
        };
    }
}

/* Cut each MSM between bases: of replicas by the shares, of shards where they end. */
static void share_by_bases(const shared_msm *msm, msm_share *shares)
{
    const context_members *members = msm->context->members;
    const int cut = msm->bases->replicated;
    for (uint32_t k = 0; k < members->count; k++) {
        shares[k] = (msm_share){
            .last_msm = msm->batch,
            .first_base = cut ? members_cut(members, msm->n, 1, k) : 0,
            .last_base = cut ? members_cut(members, msm->n, 1, k + 1) : msm->n,
        };
    }
}

/* The next call of a member, from MSM call->msm on; 0 when there is none. */
static int next_call(const shared_msm *msm, uint32_t k, const sumac_bases *part, member_call *call)
{
    const msm_share *share = &msm->shares[k];
    const uint64_t begin = part->shards[0].first, end = begin + part->shards[0].table.count;
    for (; call->msm < share->last_msm; call->msm++) {
        const uint64_t set = msm->sets == msm->batch ? call->msm : call->msm % msm->sets;
        const uint64_t start = msm->config.first + (msm->sets == 1 ? 0 : set) * msm->n;
        const uint64_t low = larger(start + share->first_base, begin);
        const uint64_t high = smaller(start + share->last_base, end);
        if (low >= high) {
            continue;
        }
        const uint32_t left = share->last_msm - call->msm;
        uint64_t run = 1;
        call->scalar = low - start;
        call->n = high - low;
        call->config = msm->config;
        call->config.first = (size_t)(low - begin);
        call->config.base_sets = 0;
        if (call->n == msm->n && msm->sets == 1) {
            run = left;
        } else if (call->n == msm->n && msm->sets == msm->batch) {
            run = smaller(left, (end - start) / msm->n);
        } else if (call->n == msm->n && set == 0 && (end - start) / msm->n >= msm->sets) {
            run = left;
            call->config.base_sets = msm->sets;
        }
        call->config.batch = (uint32_t)run;
        call->config.separate_bases = msm->sets > 1 && run > 1;
        call->config.base_sets = run > 1 ? call->config.base_sets : 0;
        return 1;
    }
    return 0;
}

/* Part k of the bases, or what it would be. */
static void part_of(const shared_msm *msm, uint32_t k, sumac_bases *part)
{
    if (msm->bases->parts != NULL) {
        *part = *msm->bases->parts[k];
    } else {
        bases_part_shape(msm->context, msm->bases, k, part);
    }
}

/* The plan of a member's largest call, how many calls it makes and what they take together. */
static sumac_status plan_share(const shared_msm *msm, uint32_t k, msm_plan *plan, uint64_t *calls,
                               double *milliseconds)
{
    sumac_context *member = msm->context->members->at[k].context;
    member_call call = {.msm = msm->shares[k].first_msm};
    sumac_bases part;
    sumac_status status = SUMAC_OK;
    uint64_t most = 0;
    *calls = 0;
    *milliseconds = 0;
    part_of(msm, k, &part);
    HOLDS sumac_context *held = context_begin(member);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    while (status == SUMAC_OK && next_call(msm, k, &part, &call)) {
        if (call.n * call.config.batch > most) {
            most = call.n * call.config.batch;
            status = planning_make_here(member, &part, (size_t)call.n, &call.config, plan);
        }
        *milliseconds += status == SUMAC_OK
                             ? plan->milliseconds * (double)call.n * (double)call.config.batch /
                                   ((double)plan->n * (double)plan->batch)
                             : 0;
        call.msm += call.config.batch;
        ++*calls;
    }
    return status;
}

/* Whether one member, the first, is predicted to have a small MSM before all of them have their parts. */
static int one_is_faster(shared_msm *msm)
{
    const context_members *members = msm->context->members;
    const uint32_t k = members_largest(members, msm->n, 1);
    msm_plan plan;
    uint64_t calls;
    double split, whole;
    const sumac_status status = plan_share(msm, k, &plan, &calls, &split);
    const msm_share kept = msm->shares[0];
    if (status != SUMAC_OK) {
        return 0;
    }
    msm->shares[0].first_base = 0;
    msm->shares[0].last_base = msm->n;
    const int faster = plan_share(msm, 0, &plan, &calls, &whole) == SUMAC_OK && whole <= split;
    msm->shares[0] = kept;
    return faster;
}

/* The same of the last such call, without planning: it is often made again. A wrong answer, for other bases
 * at the same address, would only be slow. */
static int one_was_faster(shared_msm *msm)
{
    shared_decision *last = &msm->context->members->decision;
    if (last->bases != msm->bases || last->n != msm->n ||
        memcmp(&last->config, &msm->config, sizeof last->config) != 0) {
        const int faster = one_is_faster(msm);
        *last = (shared_decision){msm->bases, msm->n, msm->config, faster};
        memcpy(&last->config, &msm->config, sizeof last->config);
    }
    return last->one_is_faster;
}

static void share_out(shared_msm *msm)
{
    const context_members *members = msm->context->members;
    const uint64_t unit = msm->sets == msm->batch ? 1 : msm->sets;
    if (msm->bases->replicated && msm->batch / unit >= members->count) {
        share_by_msm(msm, msm->shares);
        return;
    }
    share_by_bases(msm, msm->shares);
    if (msm->bases->replicated && msm->n > 0 && one_was_faster(msm)) {
        msm->first_has_all = 1;
        memset(msm->shares, 0, sizeof msm->shares);
        msm->shares[0].last_msm = msm->batch;
        msm->shares[0].last_base = msm->n;
    }
}

static shared_msm shared_msm_of(sumac_context *context, const sumac_bases *bases, size_t n,
                                const sumac_msm_config *config)
{
    shared_msm msm = {
        .context = context,
        .bases = bases,
        .n = n,
        .caller = config,
        .config = *config,
        .batch = config->batch == 0 ? 1 : config->batch,
        .sets = planning_base_sets(config),
    };
    msm.config.scalars_location = msm.config.result_location = SUMAC_LOCATION_HOST;
    share_out(&msm);
    return msm;
}

/* ---- The members' work ---- */

static sumac_status run_member(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const shared_msm *msm = arguments;
    context_member *member = &msm->context->members->at[k];
    const sumac_bases *part = msm->bases->parts[k];
    const sumac_curve_info *info = &msm->bases->curve->info;
    const msm_share *share = &msm->shares[k];
    uint8_t *results = msm->results + (size_t)k * msm->batch * info->point_bytes;
    member_call call = {.msm = share->first_msm};
    sumac_status status = SUMAC_OK;
    while (status == SUMAC_OK && atomic_load(stop) == 0 && next_call(msm, k, part, &call)) {
        const double msms = share->last_msm - share->first_msm;
        member->done_before = (call.msm - share->first_msm) / msms;
        member->done_by_call = call.config.batch / msms;
        status = sumac_msm(member->context, part,
                           msm->scalars + ((size_t)call.msm * msm->n + call.scalar) * info->scalar_bytes,
                           (size_t)call.n, &call.config, results + (size_t)call.msm * info->point_bytes);
        call.msm += call.config.batch;
    }
    return status;
}

static sumac_status prepare_member(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const shared_msm *msm = arguments;
    const sumac_bases *part = msm->bases->parts[k];
    member_call call = {.msm = msm->shares[k].first_msm};
    uint64_t n = 0;
    uint32_t batch = 0;
    sumac_status status = SUMAC_OK;
    while (status == SUMAC_OK && atomic_load(stop) == 0 && next_call(msm, k, part, &call)) {
        if (call.n != n || call.config.batch != batch) { /* not as the one before */
            sumac_call *prepared = NULL;
            status = sumac_msm_prepare(msm->context->members->at[k].context, part, (size_t)call.n,
                                       &call.config, &prepared);
            sumac_call_destroy(prepared);
        }
        n = call.n;
        batch = call.config.batch;
        call.msm += call.config.batch;
    }
    return status;
}

/* Of one MSM, the sum of what the members have for it: most often one of them has all. */
static void add_up(void *arguments, size_t j, uint32_t thread)
{
    const shared_msm *msm = arguments;
    const sumac_curve_info *info = &msm->bases->curve->info;
    const curve_code *code = context_code(msm->context, msm->bases->curve);
    const point_layout layout = {msm->config.result_form, info->point_bytes, SUMAC_INFINITY_ZERO, 0};
    _Alignas(64) uint64_t points[SUMAC_MAX_DEVICES * 4 * 12]; /* of two coordinates in Fp2 each */
    uint8_t *sum = msm->sums + j * info->point_bytes;
    const uint8_t *last = NULL;
    size_t count = 0;
    (void)thread;
    for (uint32_t k = 0; k < msm->context->members->count; k++) {
        const uint8_t *record = msm->results + ((size_t)k * msm->batch + j) * info->point_bytes;
        if (record[0] == 0 && memcmp(record, record + 1, info->point_bytes - 1) == 0) {
            continue;
        }
        size_t bad;
        (void)code->convert->import_points((char *)points + count * code->affine_bytes, record, 1, &layout,
                                           SUMAC_CHECK_NONE, &bad);
        last = record;
        count++;
    }
    if (count > 1) {
        code->points->sum(points, points, count);
        code->convert->export_points(sum, points, 1, msm->config.result_form);
    } else if (last != NULL) {
        memcpy(sum, last, info->point_bytes);
    }
}

/* The sentence that one device would have: with the scalar's number among all. */
static sumac_status fail_large_scalar(const shared_msm *msm)
{
    const sumac_msm_config *config = msm->caller;
    return config->scalars_location == SUMAC_LOCATION_DEVICE
               ? fail(msm->context, SUMAC_SCALAR_TOO_LARGE, "a scalar has more than the declared %u bits",
                      config->scalar_bits)
               : fail(msm->context, SUMAC_SCALAR_TOO_LARGE, "scalar %zu has more than the declared %u bits",
                      first_large_scalar(msm->bases->curve, msm->scalars, msm->n * msm->batch,
                                         config->scalar_form, config->scalar_bits),
                      config->scalar_bits);
}

/* Scalars from the context's own device, for all to read. */
static sumac_status take_scalars(const shared_msm *msm, const void *scalars, uint64_t bytes, void **staged)
{
    sumac_context *context = msm->context;
    const device_ops *device = context->backend->device;
    device->enter(context->engine);
    *staged = device->allocate_pinned(context->engine, bytes);
    if (*staged == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no page-locked memory of %llu bytes for scalars",
                    (unsigned long long)bytes);
    }
    sumac_status status = device->follow(context->engine, NULL, NULL);
    if (status == SUMAC_OK) {
        status = device->download(context->engine, *staged, scalars, bytes);
    }
    return status == SUMAC_OK ? status : fail(context, status, "%s", device->message(context->engine));
}

static sumac_status give_results(const shared_msm *msm, void *results)
{
    sumac_context *context = msm->context;
    const device_ops *device = context->backend->device;
    const uint64_t bytes = (uint64_t)msm->batch * msm->bases->curve->info.point_bytes;
    if (msm->caller->result_location == SUMAC_LOCATION_HOST) {
        memcpy(results, msm->sums, bytes);
        return SUMAC_OK;
    }
    device->enter(context->engine);
    sumac_status status = device->follow(context->engine, NULL, NULL);
    if (status == SUMAC_OK) {
        status = device->upload(context->engine, results, msm->sums, bytes);
    }
    return status == SUMAC_OK ? status : fail(context, status, "%s", device->message(context->engine));
}

/* With buffers: the members' parts, their sums, and those to the caller. */
static sumac_status compute(shared_msm *msm, void *results)
{
    sumac_context *context = msm->context;
    const trace_sink sink = {context->config.trace, context->config.user};
    const parallel_team team = {context->threads, "add up", 0, &sink, context->pool};
    const sumac_status status = msm->first_has_all ? members_run_first(context, run_member, msm)
                                                   : members_run(context, run_member, msm);
    if (status != SUMAC_OK) {
        return status == SUMAC_SCALAR_TOO_LARGE ? fail_large_scalar(msm) : status;
    }
    parallel_for(&team, msm->batch, add_up, msm);
    if (context->config.progress != NULL) {
        context->config.progress(context->config.user, 1);
    }
    return give_results(msm, results);
}

sumac_status msm_members_run(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
                             const sumac_msm_config *config, void *results)
{
    const sumac_curve_info *info = &bases->curve->info;
    shared_msm msm = shared_msm_of(context, bases, n, config);
    const size_t bytes = (size_t)msm.batch * info->point_bytes;
    void *staged = NULL;
    sumac_status status = SUMAC_OK;
    msm.results = calloc(context->members->count, bytes);
    msm.sums = calloc(1, bytes);
    msm.scalars = scalars;
    if (msm.results == NULL || msm.sums == NULL) {
        status =
            fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory for %u results of each device", msm.batch);
    }
    if (status == SUMAC_OK && config->scalars_location == SUMAC_LOCATION_DEVICE && n > 0) {
        status = take_scalars(&msm, scalars, (uint64_t)n * msm.batch * info->scalar_bytes, &staged);
        msm.scalars = staged;
    }
    if (status == SUMAC_OK) {
        status = compute(&msm, results);
    }
    if (staged != NULL) {
        context->backend->device->release_pinned(context->engine, staged);
    }
    free(msm.results);
    free(msm.sums);
    return status;
}

sumac_status msm_members_prepare(sumac_context *context, const sumac_bases *bases, size_t n,
                                 const sumac_msm_config *config)
{
    shared_msm msm = shared_msm_of(context, bases, n, config);
    return members_run(context, prepare_member, &msm);
}

sumac_status msm_members_plan(sumac_context *context, const sumac_bases *shape, size_t n,
                              const sumac_msm_config *config, msm_plan *plan, uint64_t *devices,
                              uint64_t *calls)
{
    const context_members *members = context->members;
    const shared_msm msm = shared_msm_of(context, shape, n, config);
    double most = -1;
    *devices = *calls = 0;
    for (uint32_t k = 0; k < members->count; k++) {
        msm_plan made;
        uint64_t made_calls;
        double milliseconds;
        const sumac_status status =
            members_adopt(context, k, plan_share(&msm, k, &made, &made_calls, &milliseconds));
        if (status != SUMAC_OK) {
            return status;
        }
        *devices += made_calls > 0;
        if (made_calls > 0 && milliseconds > most) {
            most = milliseconds;
            *plan = made;
            *calls = made_calls;
        }
    }
    if (*devices > 0) {
        plan->milliseconds = most;
        return SUMAC_OK;
    }
    *devices = 1; /* there is no work: the plan for that */
    sumac_bases part;
    part_of(&msm, 0, &part);
    return members_adopt(context, 0,
                         planning_make(members->at[0].context, &part, 0, &msm.config,
                                       planning_limit(members->at[0].context), plan));
}
