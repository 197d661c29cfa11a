/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions create bases whose discrete logarithms are known: B_i = (u_(i mod m) + v_(i div m))*G with pseudo-random
 * u and v, m about sqrt(n). A base costs one batched affine addition, and the result of an MSM over such bases costs one
 * scalar multiplication.
 */
#include "api/bases_fill.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "base/integers.h"
#include "base/sizes.h"
#include "math/scalar.h"
#include "sumac/experimental.h"

/* This is splitmix64 (Steele, Lea, Flood 2014). Each word depends only on the seed and the word's number. */
static uint64_t random_word(uint64_t seed, uint64_t number)
{
    uint64_t z = seed + (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* These are the terms of n bases: term j < m is u_j, and term m + j is v_j. */
typedef struct known_terms {
    uint64_t m;
    uint64_t count;
} known_terms;

static known_terms terms_of(size_t n)
{
    known_terms terms = {1, 0};
    while (terms.m * terms.m < n) {
        terms.m *= 2;
    }
    terms.count = terms.m + (n + terms.m - 1) / terms.m;
    return terms;
}

static void term_logarithm(uint64_t *k, const scalar_field *field, uint64_t seed, uint64_t term)
{
    for (uint32_t i = 0; i < field->limbs; i++) {
        k[i] = random_word(seed, term * SCALAR_MAX_LIMBS + i);
    }
    scalar_reduce(k, field);
}

typedef struct known_work {
    const group_code *code;
    const sumac_group *group;
    uint64_t seed;
    char *terms; /* known_terms.count affine points */
    char *bases;
    uint64_t offset; /* the index of the first base in `bases` */
    uint64_t m;
    uint64_t begin, end; /* the bases of the present segment */
} known_work;

/* A task computes KNOWN_BLOCK bases. While a segment of KNOWN_SEGMENT bases is computed, the previous one goes to the
 * device. */
#define KNOWN_BLOCK ((uint64_t)1024)
#define KNOWN_SEGMENT ((uint64_t)1 << 20)

/* Between two progress reports each thread runs this many tasks. */
#define KNOWN_TASKS ((size_t)256)

static void term_task(void *arguments, size_t index, uint32_t thread)
{
    const known_work *work = arguments;
    uint64_t k[SCALAR_MAX_LIMBS];
    (void)thread;
    term_logarithm(k, &registered(work->group)->scalars, work->seed, index);
    work->code->points->generator_multiple(work->terms + index * work->code->affine_bytes, k);
}

static void sums_task(void *arguments, size_t index, uint32_t thread)
{
    const known_work *work = arguments;
    const uint64_t first = work->begin + index * KNOWN_BLOCK;
    const uint64_t count = smaller(KNOWN_BLOCK, work->end - first);
    (void)thread;
    work->code->points->pairwise_sums(work->bases + (first - work->offset) * work->code->affine_bytes,
                                      work->terms, work->m, first, count);
}

static sumac_status check_count(sumac_context *context, size_t n)
{
    return n <= (uint64_t)1 << 31 ? SUMAC_OK
                                  : fail(context, SUMAC_NOT_SUPPORTED, "%zu bases are more than 2^31", n);
}

/* Compute the bases of each shard, segment by segment. */
static sumac_status make_sums(sumac_context *context, sumac_bases *bases, known_work *work)
{
    for (uint32_t k = 0; k < bases_filled_shards(bases); k++) {
        const bases_shard *shard = &bases->shards[k];
        const uint64_t end = shard->first + shard->table.count;
        work->bases = shard->points;
        work->offset = shard->first;
        for (work->begin = shard->first; work->begin < end; work->begin = work->end) {
            work->end = smaller(end, work->begin + KNOWN_SEGMENT);
            TRY(executor_for(context_executor(context), "generate",
                             ceil_divide(work->end - work->begin, KNOWN_BLOCK), KNOWN_TASKS, sums_task,
                             work));
            TRY(bases_advance(context, bases, work->end));
        }
    }
    return SUMAC_OK;
}

sumac_status sumac_known_bases_create(sumac_context *context, const sumac_group *group, size_t count,
                                      uint64_t seed, const sumac_bases_config *given, sumac_bases **bases)
{
    BEGIN_MAKING(context, bases);
    TRY(require(context, group != NULL, "the curve"));
    sumac_bases_config config;
    CLEANUP(bases_end) new_bases created = {context, NULL};
    TRY(public_take(&public_bases_config, given, &config, context_message(context)));
    TRY(bases_allocate(context, group, count, &config, &created.bases));
    const known_terms terms = terms_of(count);
    known_work work = {
        .code = context_code(context, group),
        .group = group,
        .seed = seed,
        .m = terms.m,
    };
    const unsigned long long terms_bytes = terms.count * work.code->affine_bytes;
    AUTO_FREE char *terms_memory = host_points(terms_bytes);
    if (terms_memory == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %llu bytes to generate %zu bases",
                    terms_bytes, count);
    }
    work.terms = terms_memory;
    TRY(executor_for(context_executor(context), "generate", terms.count, KNOWN_TASKS, term_task, &work));
    TRY(make_sums(context, created.bases, &work));
    TRY(bases_complete(context, created.bases, 0));
    *bases = created.bases;
    created.bases = NULL;
    return SUMAC_OK;
}

typedef struct logarithm_work {
    const scalar_field *field;
    uint64_t seed;
    uint64_t m;
    uint64_t n;
    uint8_t *out;
} logarithm_work;

static void logarithms_task(void *arguments, size_t index, uint32_t thread)
{
    const logarithm_work *work = arguments;
    const scalar_field *field = work->field;
    const uint64_t first = index * KNOWN_BLOCK;
    const uint64_t end = smaller(work->n, first + KNOWN_BLOCK);
    (void)thread;
    for (uint64_t i = first; i < end; i++) {
        uint64_t u[SCALAR_MAX_LIMBS], v[SCALAR_MAX_LIMBS];
        term_logarithm(u, field, work->seed, i % work->m);
        term_logarithm(v, field, work->seed, work->m + i / work->m);
        scalar_add(u, u, v, field);
        scalar_store(work->out + 8 * field->limbs * i, u, field->limbs);
    }
}

sumac_status sumac_known_logarithms(sumac_context *context, const sumac_group *group, size_t count,
                                    uint64_t seed, void *logarithms, size_t logarithms_bytes)
{
    BEGIN_CALL(context);
    TRY(require(context, group != NULL && (logarithms != NULL || count == 0), "the curve and the buffer"));
    TRY(check_count(context, count));
    TRY(bytes_require(context, "logarithms", logarithms_bytes, count, group->scalar_bytes));
    const parallel_team team = executor_team(context_executor(context), "logarithms");
    logarithm_work work = {&registered(group)->scalars, seed, terms_of(count).m, count, logarithms};
    parallel_for(&team, ceil_divide(count, KNOWN_BLOCK), logarithms_task, &work);
    return SUMAC_OK;
}

/* A thread's sum fills whole cache lines, which no other thread writes. */
typedef struct thread_sum {
    uint64_t limbs[(SCALAR_MAX_LIMBS + 7) / 8 * 8];
} thread_sum;

typedef struct answer_work {
    const scalar_field *field;
    const uint8_t *scalars;
    const uint8_t *logarithms;
    uint64_t n;
    thread_sum *sums; /* one sum of k*d/R for each thread */
} answer_work;

static void answer_task(void *arguments, size_t index, uint32_t thread)
{
    const answer_work *work = arguments;
    const scalar_field *field = work->field;
    const size_t bytes = 8 * (size_t)field->limbs;
    const uint64_t first = index * KNOWN_BLOCK;
    const uint64_t end = smaller(work->n, first + KNOWN_BLOCK);
    uint64_t *sum = work->sums[thread].limbs;
    for (uint64_t i = first; i < end; i++) {
        uint64_t k[SCALAR_MAX_LIMBS], d[SCALAR_MAX_LIMBS];
        scalar_load(k, work->scalars + i * bytes, field->limbs);
        scalar_load(d, work->logarithms + i * bytes, field->limbs);
        scalar_reduce(k, field);
        scalar_reduce(d, field);
        scalar_montgomery_multiply(k, d, field);
        scalar_add(sum, sum, k, field);
    }
}

sumac_status sumac_known_answer(sumac_context *context, const sumac_group *group, const void *scalars,
                                size_t scalars_bytes, const void *logarithms, size_t logarithms_bytes,
                                size_t n, void *result, size_t result_bytes)
{
    BEGIN_CALL(context);
    TRY(require(context,
                group != NULL && result != NULL && ((scalars != NULL && logarithms != NULL) || n == 0),
                "the curve, the scalars, the logarithms and the result"));
    TRY(check_count(context, n));
    TRY(bytes_require(context, "scalars", scalars_bytes, n, group->scalar_bytes));
    TRY(bytes_require(context, "logarithms", logarithms_bytes, n, group->scalar_bytes));
    TRY(bytes_require(context, "result", result_bytes, 1, group->point_bytes));
    const scalar_field *field = &registered(group)->scalars;
    const group_code *code = context_code(context, group);
    const uint32_t threads = context_executor(context)->means.threads;
    uint64_t sum[SCALAR_MAX_LIMBS] = {0};
    AUTO_FREE void *point = host_points(code->affine_bytes);
    AUTO_FREE thread_sum *sums = calloc(threads, sizeof *sums);
    if (point == NULL || sums == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for an answer",
                    code->affine_bytes + threads * sizeof *sums);
    }
    answer_work work = {field, scalars, logarithms, n, sums};
    TRY(executor_for(context_executor(context), "answer", ceil_divide(n, KNOWN_BLOCK), KNOWN_TASKS,
                     answer_task, &work));
    for (uint32_t thread = 0; thread < threads; thread++) {
        scalar_add(sum, sum, sums[thread].limbs, field);
    }
    scalar_to_montgomery(sum, field); /* cancels the factor 1/R */
    code->points->generator_multiple(point, sum);
    code->convert->export_points(result, point, 1, SUMAC_FORM_CANONICAL);
    return SUMAC_OK;
}
