/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Bases whose discrete logarithms are known: B_i = (u_(i mod m) + v_(i div m))*G with pseudo-random u and v,
 * m about sqrt(n). They cost one batched affine addition each, and the answer of an MSM over them is one
 * scalar multiplication.
 */
#include <stdlib.h>
#include <string.h>

#include "api/bases_fill.h"
#include "api/bases_shape.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "base/integers.h"
#include "base/sizes.h"
#include "math/scalar.h"

/* splitmix64 (Steele, Lea, Flood 2014): every word follows from the seed and its number alone. */
static uint64_t random_word(uint64_t seed, uint64_t number)
{
    uint64_t z = seed + (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* How the n bases are made: term j < m is u_j, term m + j is v_j. */
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
    const curve_code *code;
    const sumac_curve *curve;
    uint64_t seed;
    char *terms; /* count affine points */
    char *bases;
    uint64_t offset; /* the first of the bases that lie there */
    uint64_t m;
    uint64_t begin; /* of the bases that are made now */
    uint64_t end;
} known_work;

/* Bases that a thread makes at a time; and that are made before a device gets what there is. */
#define KNOWN_BLOCK ((uint64_t)1024)
#define KNOWN_SEGMENT ((uint64_t)1 << 20)

/* Tasks for each thread from one report to the next. */
#define KNOWN_TASKS ((size_t)256)

static void term_task(void *arguments, size_t index, uint32_t thread)
{
    const known_work *work = arguments;
    uint64_t k[SCALAR_MAX_LIMBS];
    (void)thread;
    term_logarithm(k, &work->curve->scalars, work->seed, index);
    work->code->points->generator_multiple(work->terms + index * work->code->affine_bytes, k);
}

static void sums_task(void *arguments, size_t index, uint32_t thread)
{
    const known_work *work = arguments;
    const uint64_t first = work->begin + index * KNOWN_BLOCK;
    const uint64_t count = work->end - first < KNOWN_BLOCK ? work->end - first : KNOWN_BLOCK;
    (void)thread;
    work->code->points->pairwise_sums(work->bases + (first - work->offset) * work->code->affine_bytes,
                                      work->terms, work->m, first, count);
}

/* No more than bases can be. */
static sumac_status check_count(sumac_context *context, size_t n)
{
    return n <= (uint64_t)1 << 31 ? SUMAC_OK
                                  : fail(context, SUMAC_NOT_SUPPORTED, "%zu bases are more than 2^31", n);
}

/* The bases of each shard, which goes to its device meanwhile. */
static sumac_status make_sums(sumac_context *context, sumac_bases *bases, known_work *work)
{
    sumac_status status = SUMAC_OK;
    for (uint32_t k = 0; k < bases_filled_shards(bases) && status == SUMAC_OK; k++) {
        const bases_shard *shard = &bases->shards[k];
        const uint64_t end = shard->first + shard->table.count;
        work->bases = shard->points;
        work->offset = shard->first;
        for (work->begin = shard->first; work->begin < end && status == SUMAC_OK; work->begin = work->end) {
            work->end = end - work->begin < KNOWN_SEGMENT ? end : work->begin + KNOWN_SEGMENT;
            status =
                executor_for(context_executor(context), "generate",
                             ceil_divide(work->end - work->begin, KNOWN_BLOCK), KNOWN_TASKS, sums_task, work);
            status = status == SUMAC_OK ? bases_advance_shard(context, bases, k, work->end - shard->first)
                                        : status;
        }
    }
    return status;
}

sumac_status sumac_known_bases_create(sumac_context *context, const sumac_curve *curve, size_t n,
                                      uint64_t seed, const sumac_bases_config *config, sumac_bases **bases)
{
    if (bases != NULL) {
        *bases = NULL;
    }
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL || bases == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the curve is null");
    }
    sumac_bases_config own;
    sumac_status status =
        public_take(&public_bases_config, config, &own, &context_executor(context)->message);
    if (status == SUMAC_OK) {
        status = bases_allocate(context, curve, n, &own, bases);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    const known_terms terms = terms_of(n);
    known_work work = {
        .code = context_code(context, curve),
        .curve = curve,
        .seed = seed,
        .m = terms.m,
    };
    const unsigned long long terms_bytes = terms.count * work.code->affine_bytes;
    work.terms = host_points(terms_bytes);
    if (work.terms == NULL) {
        sumac_bases_destroy(*bases);
        *bases = NULL;
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %llu bytes to generate %zu bases",
                    terms_bytes, n);
    }
    sumac_status made =
        executor_for(context_executor(context), "generate", terms.count, KNOWN_TASKS, term_task, &work);
    made = made == SUMAC_OK ? make_sums(context, *bases, &work) : made;
    host_points_free(work.terms);
    made = made == SUMAC_OK ? bases_complete(context, *bases) : made;
    if (made != SUMAC_OK) {
        bases_abandon(context, *bases);
        *bases = NULL;
    }
    return made;
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
    const uint64_t end = work->n - first < KNOWN_BLOCK ? work->n : first + KNOWN_BLOCK;
    (void)thread;
    for (uint64_t i = first; i < end; i++) {
        uint64_t u[SCALAR_MAX_LIMBS], v[SCALAR_MAX_LIMBS];
        term_logarithm(u, field, work->seed, i % work->m);
        term_logarithm(v, field, work->seed, work->m + i / work->m);
        scalar_add(u, u, v, field);
        scalar_store(work->out + 8 * field->limbs * i, u, field->limbs);
    }
}

sumac_status sumac_known_logarithms(sumac_context *context, const sumac_curve *curve, size_t n, uint64_t seed,
                                    void *logarithms)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || (logarithms == NULL && n != 0)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null", curve == NULL ? "the curve" : "the buffer");
    }
    const sumac_status status = check_count(context, n);
    if (status != SUMAC_OK) {
        return status;
    }
    const parallel_team team = executor_team(context_executor(context), "logarithms");
    logarithm_work work = {&curve->scalars, seed, terms_of(n).m, n, logarithms};
    parallel_for(&team, (n + KNOWN_BLOCK - 1) / KNOWN_BLOCK, logarithms_task, &work);
    return SUMAC_OK;
}

/* In cache lines of its own. */
typedef struct thread_sum {
    uint64_t limbs[(SCALAR_MAX_LIMBS + 7) / 8 * 8];
} thread_sum;

typedef struct answer_work {
    const scalar_field *field;
    const uint8_t *scalars;
    const uint8_t *logarithms;
    uint64_t n;
    thread_sum *sums; /* of k*d/R, one for each thread */
} answer_work;

static void answer_task(void *arguments, size_t index, uint32_t thread)
{
    const answer_work *work = arguments;
    const scalar_field *field = work->field;
    const size_t bytes = 8 * (size_t)field->limbs;
    const uint64_t first = index * KNOWN_BLOCK;
    const uint64_t end = work->n - first < KNOWN_BLOCK ? work->n : first + KNOWN_BLOCK;
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

sumac_status sumac_known_answer(sumac_context *context, const sumac_curve *curve, const void *scalars,
                                const void *logarithms, size_t n, void *result)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || result == NULL || ((scalars == NULL || logarithms == NULL) && n != 0)) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "the curve, the scalars, the logarithms or the result's address is null");
    }
    sumac_status status = check_count(context, n);
    if (status != SUMAC_OK) {
        return status;
    }
    const scalar_field *field = &curve->scalars;
    const curve_code *code = context_code(context, curve);
    const uint32_t threads = context_executor(context)->means.threads;
    uint64_t sum[SCALAR_MAX_LIMBS] = {0};
    void *point = host_points(code->affine_bytes);
    thread_sum *sums = calloc(threads, sizeof *sums);
    if (point == NULL || sums == NULL) {
        host_points_free(point);
        free(sums);
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for an answer",
                    code->affine_bytes + threads * sizeof *sums);
    }
    answer_work work = {field, scalars, logarithms, n, sums};
    status = executor_for(context_executor(context), "answer", ceil_divide(n, KNOWN_BLOCK), KNOWN_TASKS,
                          answer_task, &work);
    for (uint32_t thread = 0; thread < threads; thread++) {
        scalar_add(sum, sum, sums[thread].limbs, field);
    }
    free(sums);
    if (status == SUMAC_OK) {
        scalar_to_montgomery(sum, field); /* takes the 1/R away */
        code->points->generator_multiple(point, sum);
        code->convert->export_points(result, point, 1, SUMAC_FORM_CANONICAL);
    }
    host_points_free(point);
    return status;
}
