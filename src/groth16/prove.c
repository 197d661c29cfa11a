/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Groth16's prover (Groth 2016, section 3.2; with the odd coset for h, as snarkjs has it), step by step for all proofs
 * of a batch. A row is what belongs to one proof:
 *
 *   1  z = (1, r, s, w)
 *   2  A = <z, alpha, delta, 0, A_i>    B = <z, beta, 0, delta, B_i> in the second group    B1 = <z, beta, 0, 0, B_i>
 *   3  a = A w,  b = B w,  c = a o b    values of polynomials on the powers of the root of order n; with gnark's keys
 *      a and b come with the witness
 *   4  a, b, c on the odd powers of the root of order 2n: there X^n - 1 is the same number everywhere, -2, by which
 *      the key's points are divided
 *   5  h = a o b - c; with gnark's keys its coefficients, and divided by -2
 *   6  C' = <(w_private, h), C_i, H_i>
 *   7  C = C' + s A + r B1             which has no -rs delta in it, as B1 has no s delta
 *
 * Large proofs on the host are made with less memory. Of C' the sum over wires belongs to step 2, after which z goes. Of
 * a .zkey's a, b and c no more than two are there at a time: when a o b is made, c comes where b was, from A w and B w
 * made once more. w is then the caller's memory, whose integers are taken for Montgomery form: w, A w and B w are theirs
 * over R, and h is over R^2. Two sums instead of one and two more products take 2% longer for 2^20. Nothing is kept
 * for the next proof.
 */
#include "groth16/prove.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_left.h"
#include "groth16/proving.h"
#include "vector/kept_roots.h"

static vector_slice rows_of(const proving *p, size_t first, size_t length, size_t stride)
{
    return (vector_slice){first, p->count, length, stride};
}

/* What is kept for other work: workspace and roots. */
static void give_back(sumac_context *context)
{
    executors_trim_workspaces(context_executors(context), 0);
    roots_free(context_executor(context));
    memory_give_back();
}

static void let_all_go(proving *p)
{
    proving_let_go(&p->z);
    proving_let_go(&p->a);
    proving_let_go(&p->b);
    proving_let_go(&p->c);
}

/* ---- 1: prove_load.c ---- */

/* ---- 2 ---- */

/* What is added up: rows of n scalars of a vector from `first_scalar` on, over the same n bases from `first_base` on. */
typedef struct terms {
    const sumac_bases *bases;
    const sumac_vector *scalars;
    size_t first_base, first_scalar, n;
} terms;

/* The rows' sums, raw. */
static sumac_status add_up(const proving *p, const terms *of, uint8_t *points)
{
    sumac_vector *results = NULL;
    const sumac_element_layout raw = sumac_element_layout_default();
    sumac_msm_config config = sumac_msm_config_default();
    config.batch = (uint32_t)p->count;
    config.first = of->first_base;
    sumac_status status =
        vector_create(p->own, sumac_bases_curve(of->bases), SUMAC_VECTOR_POINTS, p->count, &results);
    if (status == SUMAC_OK) {
        status = p->is_alone ? vector_msm(p->own, of->bases, p->shard, of->scalars, of->first_scalar, of->n,
                                          &config, results, 0)
                             : vector_shared_msm(context_executors(p->context), of->bases, of->scalars,
                                                 of->first_scalar, of->n, &config, results, 0);
    }
    if (status == SUMAC_OK) {
        status = vector_get(p->own, results, 0, p->count, points, &raw);
    }
    vector_destroy(results);
    return status;
}

/* The elements of z that have bases in a set, row after row. */
static sumac_status select_elements(const proving *p, const base_set *set, size_t n, sumac_vector **elements)
{
    uint64_t *rows = malloc(p->count * n * sizeof *rows);
    if (rows == NULL) {
        return refuse(&p->own->message, SUMAC_OUT_OF_MEMORY,
                      "there is no memory of %zu bytes for the numbers of wires",
                      p->count * n * sizeof *rows);
    }
    for (size_t proof = 0; proof < p->count; proof++) {
        for (size_t i = 0; i < n; i++) {
            rows[proof * n + i] = proof * p->row + set->rows[i];
        }
    }
    sumac_status status = proving_scalars(p, p->count * n, elements);
    if (status == SUMAC_OK) {
        status = vector_gather(p->own, *elements, p->z, 1, rows, p->count * n);
    }
    free(rows);
    return status;
}

static sumac_status sum_set(const proving *p, const base_set *set, uint8_t *points)
{
    const size_t n = sumac_bases_count(set->bases);
    sumac_vector *elements = NULL;
    sumac_status status = set->rows == NULL ? SUMAC_OK : select_elements(p, set, n, &elements);
    if (status == SUMAC_OK) {
        const terms all = {.bases = set->bases, .scalars = elements != NULL ? elements : p->z, .n = n};
        status = add_up(p, &all, points);
    }
    sumac_vector_destroy(elements);
    return status;
}

/* The number of wires that are private. */
static size_t count_private(const proving *p)
{
    return (size_t)p->key->wires - p->key->publics - 1;
}

static sumac_status sum_over_private_wires(const proving *p)
{
    const size_t n = count_private(p);
    const terms all = {.bases = p->key->c, .scalars = p->z, .first_scalar = p->row - n, .n = n};
    return add_up(p, &all, p->c_sums);
}

static sumac_status sum_over_wires(proving *p)
{
    sumac_status status = sum_set(p, &p->key->a, p->a_sums);
    status = status == SUMAC_OK ? sum_set(p, &p->key->b1, p->b1_sums) : status;
    status = status == SUMAC_OK ? sum_set(p, &p->key->b2, p->b_sums) : status;
    if (status == SUMAC_OK && p->in_two) {
        status = sum_over_private_wires(p);
        give_back(p->context);
    }
    return status;
}

/* ---- 3 to 5: prove_quotient.c ---- */

/* ---- 6 ---- */

static sumac_status sum_over_h(const proving *p)
{
    const terms all = {
        .bases = p->key->c, .scalars = p->a, .first_base = count_private(p), .n = p->key->domain};
    return add_up(p, &all, p->h_sums);
}

static sumac_status sum_rest(proving *p)
{
    const size_t n = p->key->domain, hidden = count_private(p), row = hidden + n;
    const vector_slice from_wires = rows_of(p, p->row - hidden, hidden, p->row);
    const vector_slice to_wires = rows_of(p, 0, hidden, row);
    const vector_slice from_h = rows_of(p, 0, n, n), to_h = rows_of(p, hidden, n, row);
    sumac_vector *scalars = NULL;
    if (p->in_two) {
        give_back(p->context);
        return sum_over_h(p);
    }
    sumac_status status = proving_scalars(p, p->count * row, &scalars);
    if (status == SUMAC_OK) {
        status = vector_copy(p->own, scalars, &to_wires, p->z, &from_wires);
    }
    if (status == SUMAC_OK) {
        status = vector_copy(p->own, scalars, &to_h, p->a, &from_h);
    }
    proving_let_go(&p->a);
    if (!p->keeps_z) {
        proving_let_go(&p->z);
    }
    if (status == SUMAC_OK) {
        const terms all = {.bases = p->key->c, .scalars = scalars, .n = row};
        status = add_up(p, &all, p->c_sums);
    }
    sumac_vector_destroy(scalars);
    return status;
}

/* ---- 7 ---- */

/* C' becomes C: sums of its two sums, A and B1 times 1, 1, s and r. */
static sumac_status finish(proving *p)
{
    enum { TERMS = 4 };
    const size_t bytes = p->of->info1->point_bytes, each = p->scalar_bytes;
    sumac_bases *bases = NULL;
    uint8_t *points = malloc(TERMS * p->count * bytes), *scalars = calloc(TERMS * p->count, each);
    sumac_bases_config own = sumac_bases_config_default();
    sumac_msm_config config = sumac_msm_config_default();
    own.check = SUMAC_CHECK_NONE; /* sums of the key's points, which were checked when it was opened */
    config.batch = (uint32_t)p->count;
    config.separate_bases = 1;
    sumac_status status = points != NULL && scalars != NULL ? SUMAC_OK
                                                            : fail(p->context, SUMAC_OUT_OF_MEMORY,
                                                                   "there is no memory of %zu bytes for sums",
                                                                   TERMS * p->count * (bytes + each));
    for (size_t proof = 0; proof < p->count && status == SUMAC_OK; proof++) {
        uint8_t *point = points + TERMS * proof * bytes, *scalar = scalars + TERMS * proof * each;
        memcpy(point, p->c_sums + proof * bytes, bytes);
        memcpy(point + bytes, p->h_sums + proof * bytes, bytes);
        memcpy(point + 2 * bytes, p->a_sums + proof * bytes, bytes);
        memcpy(point + 3 * bytes, p->b1_sums + proof * bytes, bytes);
        scalar[0] = scalar[each] = 1;
        memcpy(scalar + 2 * each, proving_randomness(p, proof, 1), each);
        memcpy(scalar + 3 * each, proving_randomness(p, proof, 0), each);
    }
    if (status == SUMAC_OK) {
        status = sumac_bases_create(p->context, p->of->g1, points, TERMS * p->count, &own, &bases);
    }
    if (status == SUMAC_OK) {
        status = sumac_msm(p->context, bases, scalars, TERMS, &config, p->c_sums);
    }
    sumac_bases_destroy(bases);
    free(scalars);
    free(points);
    return status;
}

/* ---- All of them ---- */

typedef struct proof_step {
    sumac_status (*run)(proving *p);
    double share; /* of the time, for its progress */
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

/* ---- In teams ---- */

/* Small proofs on many threads: steps 3 to 6, B, and A with B1 need z alone and take about as long, so that each has a third of
 * the threads. Sums then wait for their last tasks and make their last additions beside others' work. With 16 threads
 * 2^14 takes a quarter less; 2^16 as long by count, as B takes more than a third (docs/log.md). */
#define TEAMS_LEAST_DOMAIN (UINT32_C(1) << 10)
#define TEAMS_MOST_DOMAIN (UINT32_C(1) << 15)

static sumac_status run_part(void *arguments, uint32_t k, const _Atomic int *stop)
{
    proving part = *(const proving *)arguments;
    sumac_status status;
    (void)stop;
    part.own = &context_teams(part.context)->at[k];
    part.is_alone = part.keeps_z = 1;
    if (k == 0) {
        status = quotient_evaluate(&part);
        status = status == SUMAC_OK ? quotient_extend(&part) : status;
        status = status == SUMAC_OK ? quotient_subtract(&part) : status;
        status = status == SUMAC_OK ? sum_rest(&part) : status;
        proving_let_go(&part.a);
        proving_let_go(&part.b);
        proving_let_go(&part.c);
    } else if (k == 1) {
        status = sum_set(&part, &part.key->b2, part.b_sums);
    } else {
        status = sum_set(&part, &part.key->a, part.a_sums);
        status = status == SUMAC_OK ? sum_set(&part, &part.key->b1, part.b1_sums) : status;
    }
    return status;
}

static sumac_status run_parts(proving *p)
{
    executor_list *teams = context_teams(p->context);
    const sumac_status status = executors_run(teams, run_part, p);
    return status == SUMAC_OK ? status : refuse(&p->own->message, status, "%s", teams->at->message.text);
}

static const proof_step steps_in_teams[] = {
    {proving_load, 0.01}, {run_parts, 0.98}, {finish, 0.01}, {NULL, 0}};

static int teams_are_faster(const proving *p)
{
    return p->key->domain >= TEAMS_LEAST_DOMAIN && p->key->domain <= TEAMS_MOST_DOMAIN &&
           context_teams(p->context) != NULL;
}

/* ---- By several devices ---- */

/* From this domain on each polynomial is transformed by a device of its own: with smaller ones copies and waiting take as
 * long. Executors of the host's memory, of which only tests have several, do so whatever the domain is. */
#define ACROSS_LEAST_DOMAIN KEY_LARGE_DOMAIN

static int goes_across(const proving *p)
{
    return p->count == 1 && (p->own->engine == NULL || p->key->domain >= ACROSS_LEAST_DOMAIN);
}

static const proof_step steps_across[] = {{across_load, 0.03},     {sum_over_wires, 0.61},
                                          {across_quotient, 0.12}, {sum_rest, 0.23},
                                          {finish, 0.01},          {NULL, 0}};

/* Executor k's proofs of the batch, if it has any. */
static proving part_of(const proving *all, const proof_batch *batch, size_t first, uint32_t k)
{
    const size_t g1 = all->of->info1->point_bytes, g2 = all->of->info2->point_bytes;
    proving own = *all;
    own.own = &context_executors(all->context)->at[k];
    own.shard = k;
    own.is_alone = 1;
    own.batch = batch;
    own.count = batch->count;
    own.a_sums += first * g1;
    own.b1_sums += first * g1;
    own.c_sums += first * g1;
    own.h_sums += first * g1;
    own.b_sums += first * g2;
    return own;
}

/* All steps but the last one, which is made for all proofs together. */
static sumac_status run_alone(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const proving *all = arguments;
    executor_list *list = context_executors(all->context);
    const size_t first = (size_t)executors_cut(list, all->count, 1, k);
    const size_t end = (size_t)executors_cut(list, all->count, 1, k + 1);
    const proof_batch batch = proof_batch_part(all->batch, first, end - first);
    proving own = part_of(all, &batch, first, k);
    sumac_status status = SUMAC_OK;
    double start = 0;
    for (const proof_step *step = steps;
         step->run != finish && own.count > 0 && status == SUMAC_OK && atomic_load(stop) == 0; step++) {
        executors_progress(list, k, start, step->share);
        status = step->run(&own);
        start += step->share;
    }
    let_all_go(&own);
    return status;
}

static sumac_status run_each_alone(proving *p)
{
    return executors_run(context_executors(p->context), run_alone, p);
}

static const proof_step steps_for_each[] = {{run_each_alone, 0.99}, {finish, 0.01}, {NULL, 0}};

/* Whether each of several executors has the whole key. */
static int each_has_all(const sumac_groth16_key *key)
{
    return key->c->shard_count > 1 && key->c->replicated;
}

static const proof_step *choose_steps(const proving *p)
{
    if (context_executors(p->context)->count == 1) {
        return teams_are_faster(p) ? steps_in_teams : steps;
    }
    if (p->count > 1 && each_has_all(p->key)) {
        return steps_for_each;
    }
    return goes_across(p) ? steps_across : steps;
}

/* ---- In less memory ---- */

/* The least workspace that keeps a thread busy. */
#define WORKSPACE_THREAD ((uint64_t)4 << 20)

/* With a workspace as large as two vectors of n: two are not there yet, or not any more, while it is. 64 MiB for 2^20 are no
 * slower than any more on 1, 2 and 16 threads, 48 MiB are on 16 (docs/log.md). */
static sumac_status run_within_vectors(proving *p)
{
    executor_list *list = context_executors(p->context);
    const uint64_t vectors = 2 * (uint64_t)p->key->domain * p->scalar_bytes, told = list->all.memory_limit;
    const uint64_t most = larger(vectors, list->all.threads * WORKSPACE_THREAD);
    (void)executors_limit(list, told == 0 ? most : smaller(told, most));
    give_back(p->context);
    const sumac_status status = run_steps(p, steps);
    give_back(p->context);
    (void)executors_limit(list, told);
    return status;
}

static void write_proofs(const proving *p, uint8_t *proofs)
{
    const size_t g1 = p->of->info1->point_bytes, g2 = p->of->info2->point_bytes;
    for (size_t proof = 0; proof < p->count; proof++) {
        memcpy(proofs, p->a_sums + proof * g1, g1);
        memcpy(proofs + g1, p->b_sums + proof * g2, g2);
        memcpy(proofs + g1 + g2, p->c_sums + proof * g1, g1);
        proofs += p->of->proof_bytes;
    }
}

sumac_status proofs_compute(sumac_context *context, const proof_batch *batch, uint8_t *proofs)
{
    const groups *of = &batch->key->verifying->groups;
    const size_t g1 = batch->count * of->info1->point_bytes, g2 = batch->count * of->info2->point_bytes;
    uint8_t *sums = calloc(1, 4 * g1 + g2);
    if (sums == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for sums", 4 * g1 + g2);
    }
    proving p = {.context = context,
                 .own = context_executor(context),
                 .batch = batch,
                 .key = batch->key,
                 .of = of,
                 .count = batch->count,
                 .scalar_bytes = of->info1->scalar_bytes,
                 .row = EXTRA_WIRES + (size_t)batch->key->wires,
                 .in_two = batch->key->domain >= KEY_LARGE_DOMAIN && batch->count == 1 &&
                           sumac_context_location(context) == SUMAC_LOCATION_HOST &&
                           context_executors(context)->count == 1,
                 .a_sums = sums,
                 .b1_sums = sums + g1,
                 .c_sums = sums + 2 * g1,
                 .h_sums = sums + 3 * g1,
                 .b_sums = sums + 4 * g1};
    p.twice = p.in_two && !p.key->takes_products && quotient_takes_in_place(batch);
    const sumac_status status = p.in_two ? run_within_vectors(&p) : run_steps(&p, choose_steps(&p));
    if (status == SUMAC_OK) {
        write_proofs(&p, proofs);
    }
    let_all_go(&p);
    free(sums);
    return status;
}

size_t proofs_together(const sumac_context *context, const sumac_groth16_key *key, size_t count)
{
    static const size_t most_rows[] = {
        [SUMAC_LOCATION_HOST] = (size_t)1 << 14,   /* more at once are not faster */
        [SUMAC_LOCATION_DEVICE] = (size_t)1 << 20, /* what keeps a GPU busy */
    };
    const uint64_t rows = larger(key->domain, key->wires / 2); /* somewhat more wires than rows are usual */
    const size_t most = most_rows[sumac_context_location(context)] / rows;
    const size_t together = (most > 0 ? most : 1) * (each_has_all(key) ? key->c->shard_count : 1);
    return together < count ? together : count;
}
