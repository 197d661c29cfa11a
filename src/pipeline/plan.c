/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The planner tries each window c with all kinds of stages that fit together: it lays the call out within the memory
 * (schedule.c), adds up the costs of the kinds, and keeps the cheapest plan.
 */
#include "pipeline/plan.h"

#include <string.h>

#include "base/integers.h"
#include "math/scalar.h"
#include "pipeline/plan_sizes.h"

/* An index into the table has 31 bits, as an entry also holds a sign. */
#define MAX_TABLE_POINTS ((uint64_t)1 << 31)

/* Return 1 if k > r/2 may be replaced by -(r - k). For this every point must have order r, and scalars must have all
 * bits of r. */
static int may_negate(const plan_request *request)
{
    return !request->outside_subgroup &&
           (request->scalar_bits == 0 || request->scalar_bits >= registered(request->group)->scalars.bits);
}

/* Return how many bits a scalar has after its reduction modulo r and before recoding. */
static uint32_t effective_bits(const plan_request *request)
{
    const uint32_t bits = registered(request->group)->scalars.bits;
    return request->scalar_bits == 0 || request->scalar_bits > bits ? bits : request->scalar_bits;
}

/* Signed digits need one bit more than the integer (recode.h): windows*c >= bits + 1, which suffices for -2^bits, too.
 * If k > r/2 is replaced by -(r - k), one bit is saved. */
uint32_t plan_windows(const plan_request *request, uint32_t c)
{
    const uint32_t bits = effective_bits(request) + (may_negate(request) ? 0 : 1);
    return (uint32_t)ceil_divide(bits, c);
}

/* Return how many bits the largest half of a scalar can have. */
static uint32_t half_bits(const glv_lattice *split)
{
    return scalar_bits(split->bound, split->limbs);
}

/* Return floor(2^exponent/m), by long division. m has `bits` bits, and 2^exponent >= m > 1. */
static uint32_t divide_power(const uint64_t *m, uint32_t limbs, uint32_t bits, uint32_t exponent)
{
    uint64_t rest[SCALAR_MAX_LIMBS] = {0}; /* 2^(bit - 1) modulo m */
    uint32_t quotient = 0;
    rest[(bits - 1) / 64] = (uint64_t)1 << (bits - 1) % 64;
    for (uint32_t bit = bits; bit <= exponent; bit++) {
        uint64_t carry = 0;
        for (uint32_t limb = 0; limb < limbs; limb++) {
            rest[limb] = limb_add_carry(rest[limb], rest[limb], &carry);
        }
        const int divides = carry != 0 || !scalar_is_less(rest, m, limbs);
        quotient = 2 * quotient + (divides ? 1 : 0);
        if (divides) {
            scalar_subtract(rest, rest, m, limbs);
        }
    }
    return quotient;
}

uint32_t plan_intervals(const scalar_field *field, uint32_t windows, uint32_t c)
{
    return divide_power(field->modulus, field->limbs, field->bits, windows * c);
}

/* Return the largest odd 2M + 1 such that 2M + 1 times the halves' bound is less than 2^(windows*c - 1). The bound is
 * not a power of two (tools/gen_curves.py), and so never divides that number. */
static uint32_t half_intervals(const glv_lattice *split, uint32_t windows, uint32_t c)
{
    const uint32_t most = divide_power(split->bound, split->limbs, half_bits(split), windows * c - 1);
    return most - (most % 2 == 0);
}

/* ---- Cost ---- */

/* Fill in the expected operation counts and the predicted time. */
static void predict(const plan_request *request, msm_plan *plan)
{
    const feed_ops *feed = request->backend->feed;
    stage_cost sum = {0}, costs[STAGES];
    if (feed->cost != NULL) {
        sum = feed->cost(request, plan);
    }
    for (int s = 0; s < STAGES; s++) {
        costs[s] = plan->kinds[s]->cost(request, plan);
        sum.work += costs[s].work;
        sum.alone += costs[s].alone;
        sum.waiting += costs[s].waiting;
    }
    plan->accumulate_additions = costs[STAGE_ACCUMULATE].additions;
    plan->reduce_additions = costs[STAGE_REDUCE].additions;
    plan->combine_additions = costs[STAGE_COMBINE].additions;
    plan->milliseconds = request->backend->elapsed(plan, &sum);
}

/* Predict the time of a complete plan. If the kind of recode can balance the top window and that is faster, set it in
 * the plan. */
static void predict_balancing(const plan_request *request, msm_plan *plan)
{
    plan->top_window_balancing = 1;
    predict(request, plan);
    if (plan->kinds[STAGE_RECODE]->balances) {
        const scalar_field *field = &registered(request->group)->scalars;
        msm_plan other = *plan;
        other.top_window_balancing = plan->glv_terms > 1
                                         ? half_intervals(field->split, plan->modules, plan->c)
                                         : plan_intervals(field, plan->windows, plan->c);
        predict(request, &other);
        if (other.milliseconds < plan->milliseconds) {
            *plan = other;
        }
    }
}

/* ---- Layout ---- */

/* Return the number of a module's buckets. There is one for each magnitude except 0. With unsigned digits an empty one
 * is added, so that the number is a power of two. */
static uint64_t buckets_of(const msm_plan *plan)
{
    const int is_unsigned = plan->kinds[STAGE_RECODE]->unsigned_digits && plan->c > 1;
    return (uint64_t)1 << (is_unsigned ? plan->c : plan->c - 1);
}

/* Choose how many points are kept for each base, and how the windows share modules. Return 1 if the request's limits
 * allow this. If the multiples do not exist yet, only multiples that some window uses are counted. */
static int lay_out_tables(const plan_request *request, msm_plan *plan)
{
    const uint32_t made_for = request->windows == 0 ? plan->windows : request->windows;
    const uint32_t factor = request->all_digits ? made_for : request->precompute_factor;
    uint64_t points;
    plan->modules = (uint32_t)smaller(ceil_divide(made_for, factor * plan->glv_terms), plan->windows);
    plan->precompute_factor =
        request->windows == 0 ? (uint32_t)ceil_divide(made_for, plan->modules * plan->glv_terms) : factor;
    plan->table_digits = request->all_digits ? (uint64_t)1 << (plan->c - 1) : 1;
    plan->buckets = request->all_digits ? 1 : buckets_of(plan);
    const uint64_t kept = plan->precompute_factor * plan->table_digits * larger(1, request->glv_terms);
    if (__builtin_mul_overflow(request->bases_count, kept, &points) || points > MAX_TABLE_POINTS) {
        return 0;
    }
    plan->bytes_bases = points * request->code->affine_bytes;
    return request->table_limit == 0 || plan->bytes_bases <= request->table_limit;
}

/* ---- Search ---- */

/* This is the state of a search, with the best plan so far. */
typedef struct plan_search {
    const plan_request *request;
    const named_plan *named;
    uint64_t budget;  /* bytes of workspace; 0: use what the backend wishes */
    uint32_t attempt; /* the number of the present wish of the backend */
    int found;
    msm_plan best;
    uint64_t smallest; /* the least workspace of the plans that did not fit */
    int fits_together; /* 1: some kinds fit together, whatever the sizes are */
} plan_search;

/* Return the index-th kind, or null after the last one. First come the backend's kinds, then those compiled with the
 * group, then those of named plans. */
const stage_kind *plan_kind_at(const backend *engine, const group_code *code, uint32_t index)
{
    const stage_kind *const *const lists[] = {
        engine->kinds,
        engine->plan_kinds,
        engine->has_compiled_kinds ? code->kinds : NULL,
        engine->has_compiled_kinds ? code->plan_kinds : NULL,
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (const stage_kind *const *kind = lists[i]; kind != NULL && *kind != NULL; kind++) {
            if (index-- == 0) {
                return *kind;
            }
        }
    }
    return NULL;
}

int plan_leaves(const backend *engine, const group_code *code, artefact_form form)
{
    const stage_kind *kind = NULL;
    for (uint32_t i = 0; (kind = plan_kind_at(engine, code, i)) != NULL && kind->leaves != form; i++) {
    }
    return kind != NULL;
}

/* Set the kind of the next stage in a plan, and return whether the plan can have it. */
static int can_follow(const plan_search *search, msm_stage s, const stage_kind *kind, msm_plan *plan)
{
    const char *name = search->named->kinds[s];
    const artefact_form before = s == STAGE_RECODE ? SCALARS : plan->kinds[s - 1]->leaves;
    if (kind->stage != s || (kind->takes & before) == 0 ||
        (name == NULL ? kind->by_name : strcmp(name, kind->name) != 0)) {
        return 0;
    }
    plan->kinds[s] = kind;
    return kind->accepts == NULL || kind->accepts(search->request, plan);
}

/* Choose the cheapest kind of combine for a plan that is complete except for combine. */
static int choose_combine(const plan_search *search, msm_plan *plan)
{
    const plan_request *request = search->request;
    const msm_plan others = *plan;
    const stage_kind *kind;
    double least = 0;
    int found = 0;
    for (uint32_t i = 0; (kind = plan_kind_at(request->backend, request->code, i)) != NULL; i++) {
        msm_plan candidate = others;
        if (can_follow(search, STAGE_COMBINE, kind, &candidate)) {
            const stage_cost cost = kind->cost(request, &candidate);
            if (!found || cost.work + cost.alone < least) {
                least = cost.work + cost.alone;
                *plan = candidate;
                found = 1;
            }
        }
    }
    return found;
}

/* A candidate is a plan whose kinds are chosen, except for combine. Predict it in `chunks` chunks or, if that is 0, in
 * the fewest chunks that fit. With keeps_buckets all chunks share buckets. Return whether the candidate fits. */
static int try_chunks(plan_search *search, uint32_t chunks, int keeps_buckets, msm_plan *plan)
{
    plan_request request = *search->request;
    uint64_t budget = search->budget;
    if (budget == 0) {
        const uint64_t wish = request.backend->wish(&request, plan, search->attempt);
        budget = request.memory_limit == 0 ? wish : smaller(wish, request.memory_limit);
    }
    request.chunks = chunks;
    request.keeps_buckets = keeps_buckets;
    if (!schedule_fit(&request, plan, budget, search->budget != 0 || search->attempt > 0)) {
        search->smallest = smaller(search->smallest, plan->bytes_workspace);
        return 0;
    }
    if (!choose_combine(search, plan)) {
        return 0;
    }
    predict_balancing(&request, plan);
    if (!search->found || plan->milliseconds < search->best.milliseconds) {
        search->best = *plan;
        search->found = 1;
    }
    return 1;
}

/* If bases are host-resident, smaller chunks mean a shorter wait for the first chunk, but more work to reduce or to
 * merge. So the fewest chunks are tried first, and then their number is doubled this many times. */
#define CHUNK_DOUBLINGS 4

/* Try a candidate in the fewest chunks and in more. Return the lowest number of chunks that fits, or 0 if none does. */
static uint32_t try_chunk_counts(plan_search *search, int keeps_buckets, const msm_plan *plan)
{
    const plan_request *request = search->request;
    msm_plan candidate = *plan;
    int fits = try_chunks(search, request->chunks, keeps_buckets, &candidate);
    const int doubles = request->bases_are_host_resident && request->chunks == 0;
    const uint32_t fewest = fits ? candidate.chunks : 0;
    for (int i = 0; doubles && fits && i < CHUNK_DOUBLINGS && candidate.chunks <= UINT32_MAX / 2; i++) {
        const uint32_t chunks = 2 * candidate.chunks;
        candidate = *plan;
        fits = try_chunks(search, chunks, keeps_buckets, &candidate);
    }
    return fewest;
}

/* Choose how scalars become digits; return 0 if the kind of recode does not support the request. The search negates
 * large scalars whenever that is allowed. If a plan names a kind of signed digits that does not negate, scalars have
 * one more bit. */
static int set_windows(const plan_search *search, msm_plan *plan)
{
    const plan_request *request = search->request;
    const stage_kind *kind = plan->kinds[STAGE_RECODE];
    const glv_lattice *split = registered(request->group)->scalars.split;
    if (kind->glv_terms > 1 &&
        (request->glv_terms < kind->glv_terms || split == NULL || request->all_digits ||
         request->precompute_factor > 1 || !may_negate(request))) {
        return 0;
    }
    if (kind->unsigned_digits && request->all_digits) {
        return 0;
    }
    plan->glv_terms = kind->glv_terms;
    plan->negate_large_scalars = kind->negates;
    if (kind->glv_terms > 1) {
        plan->windows = 2 * (half_bits(split) / plan->c + 1);
        return 1;
    }
    if (kind->unsigned_digits) {
        /* Signed scalars include -2^bits, which needs one more bit. */
        plan->scalar_bits = (uint32_t)smaller(plan->scalar_bits + request->layout.is_signed,
                                              registered(request->group)->scalars.bits);
        plan->windows = (uint32_t)ceil_divide(plan->scalar_bits, plan->c);
        return 1;
    }
    plan->windows = plan_windows(request, plan->c);
    if (search->named->kinds[STAGE_RECODE] != NULL && may_negate(request) && !kind->negates) {
        plan->windows = (uint32_t)ceil_divide(plan->scalar_bits + 1, plan->c);
        return request->windows == 0 || plan->windows <= request->windows;
    }
    return may_negate(request) == kind->negates;
}

/* Try all kinds of the stages from s on. */
static void try_kinds(plan_search *search, msm_stage s, const msm_plan *plan)
{
    const plan_request *request = search->request;
    const stage_kind *kind;
    for (uint32_t i = 0; (kind = plan_kind_at(request->backend, request->code, i)) != NULL; i++) {
        msm_plan candidate = *plan;
        if (!can_follow(search, s, kind, &candidate) ||
            (s == STAGE_RECODE && !set_windows(search, &candidate))) {
            continue;
        }
        if (s == STAGE_RECODE && !lay_out_tables(request, &candidate)) {
            search->fits_together = 1;
            continue;
        }
        if (s + 1 < STAGE_COMBINE) {
            try_kinds(search, (msm_stage)(s + 1), &candidate);
        } else {
            search->fits_together = 1;
            const uint32_t fewest = try_chunk_counts(search, 0, &candidate);
            if (candidate.kinds[STAGE_ACCUMULATE]->adds &&
                (fewest > 1 || (fewest == 1 && request->bases_are_host_resident))) {
                (void)try_chunk_counts(search, 1, &candidate);
            }
        }
    }
}

static void try_windows(plan_search *search, uint32_t first, uint32_t last, const msm_plan *plan)
{
    msm_plan candidate = *plan;
    for (candidate.c = first; candidate.c <= last; candidate.c++) {
        try_kinds(search, STAGE_RECODE, &candidate);
    }
}

/* If an MSM has few entries, its tasks are larger on one thread than on several, and larger tasks need fewer
 * inversions. So several threads are used only if each task then has at least this many entries. */
#define SMALL_TASK (8 * TASK_MIN_ENTRIES)

/* Find the cheapest plan within a budget; return 1 if there is one, in search->best. */
static int plan_within(plan_search *search, uint64_t budget, uint32_t attempt)
{
    const plan_request *request = search->request;
    msm_plan plan = {
        .name = search->named->name,
        .n = request->n,
        .batch = request->batch,
        .copy_slices = 1,
        .copy_slice_growth = 1,
        .fold = 1,
        .threads = request->threads,
        .scalar_bits = effective_bits(request),
        .bytes_scalars = request->n * request->batch * request->layout.bytes,
    };
    const uint32_t fixed = request->c == 0 ? search->named->c : request->c;
    const uint32_t first = fixed == 0 ? 1 : fixed;
    const uint32_t last = fixed == 0 ? PLAN_MAX_C : fixed;
    search->budget = budget;
    search->attempt = attempt;
    search->found = 0;
    if (search->named->c != 0 && search->named->c != fixed) {
        return 0;
    }
    try_windows(search, first, last, &plan);
    const uint64_t task = search->best.task_entries;
    if (search->found && plan.batch == 1 && task > 0 && task < SMALL_TASK && plan.threads > 1) {
        plan.threads = 1;
        try_windows(search, first, last, &plan);
    }
    return search->found;
}

const named_plan *plan_named(const backend *engine, size_t index)
{
    static const named_plan automatic = {
        .name = "auto",
        .about = "The planner's choice of every kind and number, by measured costs.",
    };
    const named_plan *const *named = engine->plans;
    if (index == 0) {
        return &automatic;
    }
    while (*named != NULL && --index > 0) {
        named++;
    }
    return *named;
}

const named_plan *plan_find(const backend *engine, const char *name)
{
    const named_plan *named = plan_named(engine, 0);
    for (size_t i = 0; named != NULL && name != NULL && strcmp(named->name, name) != 0; i++) {
        named = plan_named(engine, i + 1);
    }
    return named;
}

/* Unless the caller gave a limit, search within the backend's wishes, as far as memory allows. Then search within the
 * memory limit. If there is no limit, and no wish suffices, for example because one window's buckets exceed it, search
 * within the least workspace of any plan. */
static int search_budgets(plan_search *search)
{
    const plan_request *request = search->request;
    for (uint32_t attempt = 0; !request->limit_is_given; attempt++) {
        const msm_plan empty = {0};
        if (request->backend->wish(request, &empty, attempt) == 0) {
            break;
        }
        if (plan_within(search, 0, attempt)) {
            return 1;
        }
    }
    if (request->memory_limit != 0) {
        return plan_within(search, request->memory_limit, 0);
    }
    return search->smallest != UINT64_MAX && plan_within(search, search->smallest, 0);
}

sumac_status plan_make(const plan_request *request, msm_plan *plan, uint64_t *missing)
{
    plan_search search = {
        .request = request,
        .named = plan_find(request->backend, request->plan_name),
        .smallest = UINT64_MAX,
    };
    *missing = 0;
    if (search.named == NULL) {
        return SUMAC_UNKNOWN_PLAN;
    }
    if (request->bases_count > MAX_TABLE_POINTS || request->n > PLAN_MAX_SCALARS / request->batch) {
        return SUMAC_NOT_SUPPORTED;
    }
    if (search_budgets(&search)) {
        *plan = search.best;
        return SUMAC_OK;
    }
    if (!search.fits_together) {
        return SUMAC_UNKNOWN_PLAN;
    }
    if (request->memory_limit == 0 || search.smallest <= request->memory_limit ||
        search.smallest == UINT64_MAX) {
        return SUMAC_NOT_SUPPORTED;
    }
    *missing = search.smallest - request->memory_limit;
    return SUMAC_MEMORY_LIMIT;
}
