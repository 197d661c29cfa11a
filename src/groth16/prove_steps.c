/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file is Groth16's prover (Groth 2016, section 3.2; h is evaluated on the odd coset, as in snarkjs). It does each
 * step for all proofs of a batch. Each vector has a row for each proof:
 *
 *   1  z = (1, r, s, w)
 *   2  A = <z, alpha, delta, 0, A_i>    B = <z, beta, 0, delta, B_i> in the second group    B1 = <z, beta, 0, 0, B_i>
 *   3  a = A w,  b = B w,  c = a o b    values of polynomials on the powers of the root of order n; with gnark's keys
 *      a and b come with the witness
 *   4  a, b, c on the odd powers of the root of order 2n, where X^n - 1 is everywhere -2; the key's points are divided
 *      by that
 *   5  h = a o b - c; with gnark's keys its coefficients, divided by -2
 *   6  C' = <(w_private, h), C_i, H_i>
 *   7  C = C' + s A + r B1             without a term -rs delta, because B1 has no s delta
 *
 * Large proofs on the host use less memory, in this way. Step 2 also computes the part of C' over the wires, and then z
 * is freed. With the key of a .zkey at most two of a, b and c exist at a time: before c = a o b is computed, A w and B
 * w are computed again, and c gets the memory of b. For this w is read from the caller's memory, and its integers are
 * treated as Montgomery form, so that w, A w and B w are divided by R, and h by R^2. Two sums instead of one and two
 * more products make a proof of 2^20 take 2% longer. No memory is kept for the next proof.
 */
#include "groth16/prove_steps.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "api/msm.h"
#include "base/memory_left.h"
#include "base/try.h"
#include "vector/kept_roots.h"

static void free_vectors(proving *p)
{
    free_vector(&p->z);
    free_vector(&p->a);
    free_vector(&p->b);
    free_vector(&p->c);
}

/* Free the workspace and the roots, which executors keep for later calls. */
static void free_kept(sumac_context *context)
{
    executors_trim_workspaces(context_executors(context), 0);
    roots_free(context_executor(context));
    memory_give_back();
}

/* ---- 1: prove_quotient.c ---- */

/* ---- 2 ---- */

/* Compute the sum of each row, as a raw point. In each row the n scalars from `first_scalar` on are used, with the n
 * bases from `first_base` on. */
static sumac_status add_up(const proving *p, const sumac_bases *bases, size_t first_base,
                           const sumac_vector *scalars, size_t first_scalar, size_t n, uint8_t *sums)
{
    sumac_msm_config config = {.size = sizeof config};
    config.batch = (uint32_t)p->count;
    config.first = first_base;
    LOCAL_POINTS(results, p->self, bases->group, p->count);
    TRY(vector_msm(p->self, p->is_alone ? NULL : context_executors(p->context), bases, p->shard, scalars,
                   first_scalar, n, &config, results, 0));
    return vector_get(p->self, results, 0, p->count, sums, NULL);
}

/* Gather, for one proof after another, n elements of z by their numbers. */
static sumac_status select_elements(const proving *p, const uint64_t *of_z, size_t n, sumac_vector **elements)
{
    AUTO_FREE uint64_t *rows = malloc(p->count * n * sizeof *rows);
    if (rows == NULL) {
        return refuse(&p->self->message, SUMAC_OUT_OF_MEMORY,
                      "there is no memory of %zu bytes for the numbers of wires",
                      p->count * n * sizeof *rows);
    }
    for (size_t proof = 0; proof < p->count; proof++) {
        for (size_t i = 0; i < n; i++) {
            rows[proof * n + i] = proof * p->row + of_z[i];
        }
    }
    TRY(proving_scalars(p, p->count * n, elements));
    return vector_gather(p->self, *elements, p->z, 1, rows, p->count * n);
}

static sumac_status sum_set(const proving *p, const base_set *set, uint8_t *sums)
{
    const size_t n = sumac_bases_count(set->bases);
    CLEANUP(close_vector) sumac_vector *elements = NULL;
    if (set->rows != NULL) {
        TRY(select_elements(p, set->rows, n, &elements));
    }
    return add_up(p, set->bases, 0, elements != NULL ? elements : p->z, 0, n, sums);
}

/* The private wires of all proofs, which are the last elements of each row of z unless there are commitments. */
typedef struct private_wires {
    const sumac_vector *vector;
    vector_slice slice;
    sumac_vector *gathered;
} private_wires;

static void free_private(private_wires *wires)
{
    free_vector(&wires->gathered);
}

static sumac_status take_private(const proving *p, private_wires *wires)
{
    const size_t n = (size_t)key_private_wires(p->key);
    wires->vector = p->z;
    wires->slice = (vector_slice){p->row - n, p->count, n, p->row};
    if (p->key->private_rows != NULL) {
        TRY(select_elements(p, p->key->private_rows, n, &wires->gathered));
        wires->vector = wires->gathered;
        wires->slice = (vector_slice){0, p->count, n, n};
    }
    return SUMAC_OK;
}

static sumac_status sum_over_wires(proving *p)
{
    TRY(sum_set(p, &p->key->a, p->a_sums));
    TRY(sum_set(p, &p->key->b1, p->b1_sums));
    TRY(sum_set(p, &p->key->b2, p->b_sums));
    if (p->split_c_sum) {
        CLEANUP(free_private) private_wires wires = {.gathered = NULL};
        TRY(take_private(p, &wires));
        TRY(add_up(p, p->key->c, 0, wires.vector, wires.slice.first, wires.slice.length, p->c_sums));
        free_kept(p->context);
    }
    return SUMAC_OK;
}

/* ---- 3 to 5: prove_quotient.c ---- */

/* ---- 6 ---- */

static sumac_status sum_rest(proving *p)
{
    const size_t n = p->key->domain, hidden = (size_t)key_private_wires(p->key), row = hidden + n;
    if (p->split_c_sum) {
        free_kept(p->context);
        return add_up(p, p->key->c, hidden, p->a, 0, n, p->h_sums);
    }
    CLEANUP(free_private) private_wires wires = {.gathered = NULL};
    TRY(take_private(p, &wires));
    LOCAL_SCALARS(scalars, p->self, p->of->g1, p->count * row);
    TRY(vector_copy(p->self, scalars, &(vector_slice){0, p->count, hidden, row}, wires.vector, &wires.slice));
    TRY(vector_copy(p->self, scalars, &(vector_slice){hidden, p->count, n, row}, p->a,
                    &(vector_slice){0, p->count, n, n}));
    free_vector(&p->a);
    if (!p->keeps_z) {
        free_vector(&p->z);
    }
    return add_up(p, p->key->c, 0, scalars, 0, row, p->c_sums);
}

/* ---- 7 ---- */

/* Turn C' into C by adding up its two parts, s A and r B1. */
static sumac_status finish(proving *p)
{
    enum { TERMS = 4 };
    const size_t bytes = p->of->g1->point_bytes, each = p->scalar_bytes;
    sumac_bases *bases = NULL;
    sumac_bases_config unchecked = {.size = sizeof unchecked};
    sumac_msm_config config = {.size = sizeof config};
    unchecked.check = SUMAC_CHECK_NONE; /* the points are sums of the key's points, which were checked when it
                                           was opened */
    config.batch = (uint32_t)p->count;
    config.base_sets = config.batch;
    AUTO_FREE uint8_t *points = malloc(TERMS * p->count * bytes);
    AUTO_FREE uint8_t *scalars = calloc(TERMS * p->count, each);
    if (points == NULL || scalars == NULL) {
        return fail(p->context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for sums",
                    TERMS * p->count * (bytes + each));
    }
    for (size_t proof = 0; proof < p->count; proof++) {
        uint8_t *point = points + TERMS * proof * bytes, *scalar = scalars + TERMS * proof * each;
        memcpy(point, p->c_sums + proof * bytes, bytes);
        memcpy(point + bytes, p->h_sums + proof * bytes, bytes);
        memcpy(point + 2 * bytes, p->a_sums + proof * bytes, bytes);
        memcpy(point + 3 * bytes, p->b1_sums + proof * bytes, bytes);
        scalar[0] = scalar[each] = 1;
        memcpy(scalar + 2 * each, proving_randomness(p, proof, 1), each);
        memcpy(scalar + 3 * each, proving_randomness(p, proof, 0), each);
    }
    TRY(sumac_bases_create(p->context, p->of->g1, points, TERMS * p->count * bytes, TERMS * p->count,
                           &unchecked, &bases));
    const sumac_status status = msm_within(p->context, bases, scalars, TERMS, &config, 0, p->c_sums);
    sumac_bases_destroy(bases);
    return status;
}

/* ---- Running all steps ---- */

typedef struct proof_step {
    sumac_status (*run)(proving *p);
    double share; /* fraction of the time, for reporting progress */
} proof_step;

static const proof_step steps[] = {{proving_load, 0.01},
                                   {sum_over_wires, 0.6},
                                   {quotient_evaluate, 0.04},
                                   {quotient_extend, 0.1},
                                   {quotient_subtract, 0.01},
                                   {sum_rest, 0.23},
                                   {finish, 0.01},
                                   {NULL, 0}};

static sumac_status run_steps(proving *p, const proof_step *step)
{
    sumac_status status = SUMAC_OK;
    double start = 0;
    for (; step->run != NULL && status == SUMAC_OK; step++) {
        context_progress_part(p->context, start, step->share);
        status = step->run(p);
        start += step->share;
    }
    context_progress_part(p->context, 0, 1);
    return status;
}

/* ---- With teams of threads ---- */

/* If a proof is small and there are many threads, they work in three teams of equal size. One computes steps 3 to 6,
 * one computes B, and one computes A and B1. These parts need only z, and take about equally long. While one team waits
 * for the last tasks and additions of a sum, the others work. With 16 threads a proof of 2^14 then takes a quarter less
 * time. For 2^16 nothing is gained, because B takes more than a third of the work (docs/internals/log.md). */
#define TEAMS_LEAST_DOMAIN (UINT32_C(1) << 10)
#define TEAMS_MOST_DOMAIN (UINT32_C(1) << 15)

typedef sumac_status proving_step(proving *p);

static sumac_status run_part(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const proving *all = arguments;
    proving part = *all;
    (void)stop;
    part.self = &context_teams(part.context)->at[k];
    part.is_alone = part.keeps_z = 1;
    if (k == 1) {
        return sum_set(&part, &part.key->b2, part.b_sums);
    }
    if (k == 2) {
        TRY(sum_set(&part, &part.key->a, part.a_sums));
        return sum_set(&part, &part.key->b1, part.b1_sums);
    }
    static proving_step *const quotient[] = {quotient_evaluate, quotient_extend, quotient_subtract, sum_rest};
    sumac_status status = SUMAC_OK;
    for (size_t i = 0; i < sizeof quotient / sizeof *quotient && status == SUMAC_OK; i++) {
        status = quotient[i](&part);
    }
    part.z = NULL; /* all teams share z */
    free_vectors(&part);
    return status;
}

static sumac_status run_parts(proving *p)
{
    executor_list *teams = context_teams(p->context);
    const sumac_status status = executors_run(teams, run_part, p);
    return status == SUMAC_OK ? status : refuse(&p->self->message, status, "%s", teams->at->message.text);
}

static const proof_step steps_in_teams[] = {
    {proving_load, 0.01}, {run_parts, 0.98}, {finish, 0.01}, {NULL, 0}};

/* ---- With several devices ---- */

/* If the domain has at least this size, each polynomial is transformed by a separate device. For smaller domains
 * copying and waiting would cost as much as that gains. Only tests have several executors on the host; these do so for
 * every domain. */
#define ACROSS_LEAST_DOMAIN KEY_LARGE_DOMAIN

static int goes_across(const proving *p)
{
    return p->count == 1 && (p->self->engine == NULL || p->key->domain >= ACROSS_LEAST_DOMAIN);
}

static const proof_step steps_across[] = {{across_load, 0.03},     {sum_over_wires, 0.61},
                                          {across_quotient, 0.12}, {sum_rest, 0.23},
                                          {finish, 0.01},          {NULL, 0}};

/* Run all steps but the last for executor k's proofs of the batch. The last step runs for all proofs together. */
static sumac_status run_alone(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const proving *all = arguments;
    executor_list *list = context_executors(all->context);
    const size_t g1 = all->of->g1->point_bytes, g2 = all->of->g2->point_bytes;
    const size_t first = (size_t)executors_cut(list, all->count, 1, k);
    const size_t end = (size_t)executors_cut(list, all->count, 1, k + 1);
    const proof_batch batch = proof_batch_part(all->batch, first, end - first);
    proving part = *all;
    part.self = &list->at[k];
    part.shard = k;
    part.is_alone = 1;
    part.batch = &batch;
    part.count = batch.count;
    part.a_sums += first * g1;
    part.b1_sums += first * g1;
    part.c_sums += first * g1;
    part.h_sums += first * g1;
    part.b_sums += first * g2;
    sumac_status status = SUMAC_OK;
    double start = 0;
    for (const proof_step *step = steps;
         step->run != finish && part.count > 0 && status == SUMAC_OK && atomic_load(stop) == 0; step++) {
        executors_progress(list, k, start, step->share);
        status = step->run(&part);
        start += step->share;
    }
    free_vectors(&part);
    return status;
}

static sumac_status run_each_alone(proving *p)
{
    return executors_run(context_executors(p->context), run_alone, p);
}

static const proof_step steps_for_each[] = {{run_each_alone, 0.99}, {finish, 0.01}, {NULL, 0}};

static const proof_step *choose_steps(const proving *p)
{
    if (context_executors(p->context)->count == 1) {
        const int suits_teams = p->key->domain >= TEAMS_LEAST_DOMAIN && p->key->domain <= TEAMS_MOST_DOMAIN;
        return suits_teams && context_teams(p->context) != NULL ? steps_in_teams : steps;
    }
    if (p->count > 1 && key_is_on_each(p->key)) {
        return steps_for_each;
    }
    return goes_across(p) ? steps_across : steps;
}

/* ---- Using less memory ---- */

/* A smaller workspace than this does not keep one thread busy. */
#define WORKSPACE_THREAD ((uint64_t)4 << 20)

/* Run the steps with a workspace as large as two vectors of n scalars, because two vectors less are allocated while the
 * workspace is in use. For 2^20 these are 64 MiB. On 1, 2 and 16 threads a larger workspace is not faster; 48 MiB are
 * slower on 16 threads (docs/internals/log.md). */
static sumac_status run_within_vectors(proving *p)
{
    executor_list *list = context_executors(p->context);
    const uint64_t vectors = 2 * (uint64_t)p->key->domain * p->scalar_bytes, limit = list->all.memory_limit;
    const uint64_t most = larger(vectors, list->all.threads * WORKSPACE_THREAD);
    (void)executors_limit(list, limit == 0 ? most : smaller(limit, most));
    free_kept(p->context);
    const sumac_status status = run_steps(p, steps);
    free_kept(p->context);
    (void)executors_limit(list, limit);
    return status;
}

sumac_status proofs_compute(sumac_context *context, const proof_batch *batch, uint8_t *proofs)
{
    const groups *of = &batch->key->verifying->groups;
    const size_t count = batch->count, g1 = of->g1->point_bytes, g2 = of->g2->point_bytes;
    AUTO_FREE uint8_t *sums = calloc(count, 4 * g1 + g2);
    if (sums == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for sums",
                    count * (4 * g1 + g2));
    }
    CLEANUP(free_vectors)
    proving p = {.context = context,
                 .self = context_executor(context),
                 .batch = batch,
                 .key = batch->key,
                 .of = of,
                 .count = count,
                 .scalar_bytes = of->g1->scalar_bytes,
                 .row = EXTRA_WIRES + (size_t)batch->key->wires,
                 .split_c_sum = batch->key->domain >= KEY_LARGE_DOMAIN && count == 1 &&
                                context_location(context) == SUMAC_LOCATION_HOST &&
                                context_executors(context)->count == 1,
                 .a_sums = sums,
                 .b1_sums = sums + count * g1,
                 .c_sums = sums + 2 * count * g1,
                 .h_sums = sums + 3 * count * g1,
                 .b_sums = sums + 4 * count * g1};
    p.recompute_products = p.split_c_sum && !p.key->takes_products && quotient_takes_in_place(batch);
    TRY(p.split_c_sum ? run_within_vectors(&p) : run_steps(&p, choose_steps(&p)));
    for (size_t proof = 0; proof < count; proof++) {
        memcpy(proofs, p.a_sums + proof * g1, g1);
        memcpy(proofs + g1, p.b_sums + proof * g2, g2);
        memcpy(proofs + g1 + g2, p.c_sums + proof * g1, g1);
        proofs += verifying_proof_bytes(batch->key->verifying);
    }
    return SUMAC_OK;
}

size_t proofs_together(const sumac_context *context, const sumac_groth16_key *key, size_t count)
{
    static const size_t most_rows[] = {
        [SUMAC_LOCATION_HOST] = (size_t)1 << 14,   /* more rows at once are not faster */
        [SUMAC_LOCATION_DEVICE] = (size_t)1 << 20, /* enough rows to keep a GPU busy */
    };
    const uint64_t rows = larger(key->domain, key->wires / 2); /* most circuits have more wires than rows */
    const size_t most = most_rows[context_location(context)] / rows;
    const size_t together = (most > 0 ? most : 1) * (key_is_on_each(key) ? key->c->shard_count : 1);
    return together < count ? together : count;
}
