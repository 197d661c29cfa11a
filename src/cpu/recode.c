/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file recodes: it makes digits of scalars. Every scalar is reduced modulo r; with plan.negate_large_scalars k >
 * r/2 becomes -(r - k), and with plan.top_window_balancing > 1 a multiple of r spreads it (math/recode.h). The planner
 * uses balancing only on devices; the code here is the reference that tests compare their digits with.
 */
#include "math/recode.h"

#include <string.h>

#include "base/integers.h"
#include "cpu/engine.h"
#include "pipeline/parallel.h"
#include "math/glv.h"
#include "math/recode_run.h"
#include "math/scalar.h"
#include "vector/vector.h"

/* A task recodes at most RECODE_BLOCK scalars. Their digits for one module are a few pages, which are written in order.
 * If there are few scalars for many threads, a task has fewer scalars: 2^14 scalars on 16 threads, in only five tasks,
 * took five times as long as they should. */
#define RECODE_BLOCK ((uint64_t)4096)
#define RECODE_LEAST_BLOCK ((uint64_t)512)

/* Scalars are made canonical in blocks of this size, which stay in the first-level cache. */
#define CANONICAL_BLOCK ((uint64_t)256)

/* For this many scalars the digits of one window, a cache line, are written together: the windows' lines are a power of
 * two apart, so the cache could not keep all of them from scalar to scalar. */
#define RECODE_GROUP ((uint64_t)16)

typedef struct recode_work {
    const msm_job *job;
    const msm_pass *pass;
    uint32_t *codes;
    uint64_t first_msm;
    uint64_t block;                  /* scalars of a task */
    uint64_t blocks;                 /* blocks of an MSM */
    uint64_t half[SCALAR_MAX_LIMBS]; /* floor(r/2) */
    int too_large;                   /* set when a scalar has more bits than declared */
} recode_work;

/* Load, cut, reduce, check and spread scalar i of an MSM; k has one limb more than scalars. Return 1 if the scalar
 * counts as negative. */
static uint32_t prepare_scalar(uint64_t *k, const uint8_t *bytes, uint64_t i, recode_work *work)
{
    const msm_job *job = work->job;
    const scalar_field *field = &registered(job->group)->scalars;
    uint32_t negative = 0;
    if (job->layout.bytes == 8 * field->limbs) {
        scalar_load(k, bytes, field->limbs);
    } else {
        scalar_extend(k, bytes, job->layout, field->limbs);
    }
    if (job->layout.is_signed) {
        negative = scalar_absolute(k, field->limbs);
    }
    if (job->scalar_form == SUMAC_FORM_MONTGOMERY) {
        scalar_from_montgomery(k, field);
    }
    if (job->cut_bits != 0) {
        scalar_cut(k, field->limbs, job->cut_bits);
    }
    scalar_reduce(k, field);
    if (job->checked_bits != 0 && scalar_is_large(k, field->limbs, negative, job->checked_bits)) {
        __atomic_store_n(&work->too_large, 1, __ATOMIC_RELAXED);
    }
    if (job->plan->negate_large_scalars && scalar_is_less(work->half, k, field->limbs)) {
        scalar_subtract(k, field->modulus, k, field->limbs);
        negative ^= 1;
    }
    if (negative && !job->plan->kinds[STAGE_RECODE]->unsigned_digits && job->plan->glv_terms == 1 &&
        recode_is_least(k, field->limbs, job->plan->windows * job->plan->c)) {
        negative = 0;
    }
    k[field->limbs] = 0;
    if (job->plan->top_window_balancing > 1) {
        const uint32_t interval = recode_interval(k, field->limbs, i, job->plan->top_window_balancing);
        k[field->limbs] = recode_balanced(k, field->modulus, field->limbs, interval);
        negative ^= interval & 1;
    }
    return negative;
}

/* Return 1 if all scalars are less than r, as they are in a vector. If some scalars in Montgomery form are not, the
 * general code recodes them. */
static int are_reduced(const scalar_field *field, const uint8_t *scalars, uint64_t count)
{
    int all = 1;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t k[SCALAR_MAX_LIMBS];
        scalar_load(k, scalars + i * 8 * field->limbs, field->limbs);
        all &= k[field->limbs - 1] < field->modulus[field->limbs - 1];
    }
    return all;
}

/* Recode the first scalars of a run, which are in Montgomery form. The variant's code does this, block by block. Return
 * how many scalars were recoded. */
static uint64_t recode_montgomery(const msm_job *job, const recode_run *run)
{
    const vector_run alone = {.threads = 1, .group = job->group, .code = job->code};
    uint8_t canonical[CANONICAL_BLOCK * SCALAR_MAX_LIMBS * sizeof(uint64_t)];
    const size_t bytes = job->layout.bytes;
    recode_run block = *run;
    uint64_t done = 0, recoded = 0;
    block.scalars = canonical;
    for (; done < run->count && recoded == done; done += block.count) {
        block.count = smaller(CANONICAL_BLOCK, run->count - done);
        block.codes = run->codes + done;
        if (!are_reduced(run->field, run->scalars + done * bytes, block.count)) {
            break;
        }
        (void)job->code->scalar_vectors->export_scalars(&alone, canonical, run->scalars + done * bytes,
                                                        block.count, SUMAC_FORM_CANONICAL,
                                                        SUMAC_LITTLE_ENDIAN);
        recoded += job->code->recode(&block);
    }
    return recoded;
}

/* Recode the first scalars of a run by the variant's code. It supports only scalars of full length with signed digits,
 * and does not spread them. Return how many scalars were recoded. */
static uint64_t recode_many(const msm_job *job, const recode_run *run)
{
    const int full = job->plan->glv_terms == 1 && job->cut_bits == 0 &&
                     job->layout.bytes == 8 * registered(job->group)->scalars.limbs &&
                     !job->layout.is_signed &&
                     job->plan->scalar_bits >= registered(job->group)->scalars.bits &&
                     job->plan->top_window_balancing <= 1 && !job->plan->kinds[STAGE_RECODE]->unsigned_digits;
    if (!full || job->code->recode == NULL) {
        return 0;
    }
    if (job->scalar_form == SUMAC_FORM_CANONICAL) {
        return job->code->recode(run);
    }
    return (uintptr_t)run->scalars % sizeof(uint64_t) == 0 ? recode_montgomery(job, run) : 0;
}

/* Write the codes of `count` of the run's scalars from `first` on; the run begins with scalar run_first of its MSM. */
static void recode_group(recode_work *work, const recode_run *run, uint64_t run_first, uint64_t first,
                         uint64_t count)
{
    const int is_unsigned = work->job->plan->kinds[STAGE_RECODE]->unsigned_digits;
    const uint32_t limbs = run->field->limbs, c = run->c;
    uint64_t k[RECODE_GROUP][SCALAR_MAX_LIMBS + 1];
    uint32_t negative[RECODE_GROUP];
    for (uint64_t i = 0; i < count; i++) {
        negative[i] = prepare_scalar(k[i], run->scalars + (first + i) * work->job->layout.bytes,
                                     run_first + first + i, work);
    }
    for (uint32_t j = 0; j < run->module_count; j++) {
        for (uint32_t t = 0; t < run->factor; t++) {
            const uint32_t window = t * run->modules + run->first_module + j;
            const int is_window = window < run->windows;
            uint32_t *codes = run->codes + ((uint64_t)j * run->factor + t) * run->stride + first;
            for (uint64_t i = 0; i < count && is_unsigned; i++) {
                codes[i] = is_window ? recode_unsigned_digit(k[i], limbs + 1, window, c, negative[i]) : 0;
            }
            for (uint64_t i = 0; i < count && !is_unsigned; i++) {
                codes[i] = is_window ? recode_signed_digit(k[i], limbs + 1, window, c, negative[i]) : 0;
            }
        }
    }
}

/* Do as recode_group() for the halves of scalars (math/glv.h): multiple t is multiplied by half t. */
static void recode_halves(recode_work *work, const recode_run *run, uint64_t first, uint64_t count)
{
    const glv_lattice *split = run->field->split;
    glv_scalars halves[RECODE_GROUP];
    for (uint64_t i = 0; i < count; i++) {
        uint64_t k[SCALAR_MAX_LIMBS + 1];
        const uint32_t negative =
            prepare_scalar(k, run->scalars + (first + i) * work->job->layout.bytes, 0, work);
        split_scalar(&halves[i], k, split, run->field->limbs, split->limbs, 0, 0);
        halves[i].negative[0] ^= negative;
        halves[i].negative[1] ^= negative;
    }
    for (uint32_t j = 0; j < run->module_count; j++) {
        for (uint32_t t = 0; t < run->factor; t++) {
            uint32_t *codes = run->codes + ((uint64_t)j * run->factor + t) * run->stride + first;
            for (uint64_t i = 0; i < count; i++) {
                codes[i] = recode_signed_digit(halves[i].k[t], split->limbs, run->first_module + j, run->c,
                                               halves[i].negative[t]);
            }
        }
    }
}

static void recode_task(void *arguments, size_t index, uint32_t thread)
{
    recode_work *work = arguments;
    const msm_job *job = work->job;
    const msm_pass *pass = work->pass;
    const msm_plan *plan = job->plan;
    const uint64_t msm = work->first_msm + index / work->blocks;
    const uint64_t first = index % work->blocks * work->block;
    const uint64_t end = smaller(first + work->block, pass->n);
    const uint64_t msm_module = msm * plan->modules;
    const uint64_t pass_end = pass->first_module + pass->modules;
    const uint64_t begin_module = larger(msm_module, pass->first_module);
    const uint64_t end_module = smaller(msm_module + plan->modules, pass_end);
    const uint64_t before = job->offsets == NULL ? msm * pass->inputs.stride : job_start(job, msm);
    (void)thread;
    const recode_run run = {
        .field = &registered(job->group)->scalars,
        .scalars = pass->inputs.scalars + (before + first) * job->layout.bytes,
        .count = job_length_within(job, msm, pass->first + first, end - first),
        .c = plan->c,
        .windows = plan->windows,
        .modules = plan->modules,
        .factor = plan_multiples(plan),
        .first_module = (uint32_t)(begin_module - msm_module),
        .module_count = (uint32_t)(end_module - begin_module),
        .negate_large = (uint32_t)plan->negate_large_scalars,
        .codes = work->codes + (begin_module - pass->first_module) * plan_multiples(plan) * pass->n + first,
        .stride = pass->n,
    };
    for (uint64_t i = recode_many(job, &run); i < run.count; i += RECODE_GROUP) {
        const uint64_t group = smaller(run.count - i, RECODE_GROUP);
        if (plan->glv_terms > 1) {
            recode_halves(work, &run, i, group);
        } else {
            recode_group(work, &run, pass->first + first, i, group);
        }
    }
    for (uint64_t row = 0; run.count < end - first && row < (uint64_t)run.module_count * run.factor; row++) {
        memset(run.codes + row * run.stride + run.count, 0, (end - first - run.count) * sizeof *run.codes);
    }
}

static sumac_status run(const msm_job *job, const msm_pass *pass, digit_table *digits)
{
    const scalar_field *field = &registered(job->group)->scalars;
    const parallel_team team = parallel_team_of(job, pass, "recode");
    const uint64_t last_module = pass->first_module + pass->modules - 1;
    recode_work work = {
        .job = job,
        .pass = pass,
        .codes = digits->codes,
        .first_msm = pass->first_module / job->plan->modules,
        .block = RECODE_BLOCK,
    };
    const uint64_t msms = last_module / job->plan->modules - work.first_msm + 1;
    while (work.block > RECODE_LEAST_BLOCK && msms * pass->n < 4 * work.block * job->threads) {
        work.block /= 2;
    }
    work.blocks = ceil_divide(pass->n, work.block);
    scalar_half(work.half, field);
    parallel_for(&team, msms * work.blocks, recode_task, &work);
    return work.too_large ? SUMAC_SCALAR_TOO_LARGE : SUMAC_OK;
}

/* All kinds run the same code. They differ only in the numbers that they set in a plan. */
const stage_kind cpu_recode_signed = {
    .stage = STAGE_RECODE,
    .name = "signed",
    .about =
        "cuts scalars into windows of c bits whose digits lie between -2^(c-1) and 2^(c-1), by Booth's "
        "recoding, which needs no carry from window to window: half as many buckets, as -P costs nothing",
    .takes = SCALARS,
    .leaves = DIGIT_ROWS,
    .glv_terms = 1,
    .cost = cpu_cost_of_recode,
    .run = {.recode = run},
};

const stage_kind cpu_recode_negated = {
    .stage = STAGE_RECODE,
    .name = "signed-negated",
    .about = "as signed, after a scalar k over r/2 is taken as -(r - k): a bit less to cut",
    .takes = SCALARS,
    .leaves = DIGIT_ROWS,
    .glv_terms = 1,
    .negates = 1,
    .cost = cpu_cost_of_recode,
    .run = {.recode = run},
};

const stage_kind cpu_recode_glv = {
    .stage = STAGE_RECODE,
    .name = "signed-glv",
    .about = "as signed, of k1 and k2 of each scalar k1 + k2*lambda, for a base P and lambda*P",
    .takes = SCALARS,
    .leaves = DIGIT_ROWS,
    .glv_terms = 2,
    .cost = cpu_cost_of_recode,
    .run = {.recode = run},
};

const stage_kind cpu_recode_unsigned = {
    .stage = STAGE_RECODE,
    .name = "unsigned",
    .about = "cuts scalars into windows of c bits, whose digits lie between 0 and 2^c - 1",
    .takes = SCALARS,
    .leaves = DIGIT_ROWS,
    .by_name = 1,
    .glv_terms = 1,
    .unsigned_digits = 1,
    .cost = cpu_cost_of_recode,
    .run = {.recode = run},
};
