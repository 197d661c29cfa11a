/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes all proofs of a polynomial on cosets at once, by Feist and Khovratovich, "Fast amortized KZG
 * proofs" (https://eprint.iacr.org/2023/033).
 *
 * The proof on the coset x^l = a is q(s)G with q = (f - (f mod X^l - a))/(X^l - a), and
 *   q = sum over i < k - 1 of a^i h_i,   h_i = sum over j >= (i + 1)l of f_j X^(j - (i + 1)l).
 * So all proofs are the transform of the points H_i = h_i(s)G. Coefficients whose index has the same
 * remainder o modulo l meet only the SRS's points of that remainder, S_t = s^(tl + o)G, in sums that are a
 * Toeplitz matrix times a vector: with F_m = f_(ml + o) H_i = sum over o and t of F_(i + 1 + t) S_t, the
 * first k entries of the cyclic convolution, of length 2k, of
 *   c: F_(k-1), then k + 1 zeros, then F_1 .. F_(k-2)     (element m >= 1 at index (k + m + 1) mod 2k)
 *   x: S_(k-2) .. S_0, then k + 1 zeros.
 * A convolution is the product of transforms, transformed back. Here the scalars take the inverse transform,
 * which divides them by 2k, and the points are listed by negative frequency: so the way back is one more
 * forward transform of points, and no point is ever divided.
 */
#include "kzg/fk20.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases.h"
#include "api/bases_read.h"
#include "api/call.h"
#include "base/sizes.h"
#include "base/try.h"
#include "kzg/range.h"
#include "kzg/srs.h"

enum {
    LEAST_BY_FREQUENCY = 4, /* the least number of polynomials for step 4 by frequency */
    MOST_LOG2 = 40          /* the largest log2 of n; no memory holds more, and sizes in bytes do not
                               overflow */
};

static int is_power_of_two(size_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

static uint32_t log2_of(size_t power)
{
    uint32_t bits = 0;
    while (power >> bits > 1) {
        bits++;
    }
    return bits;
}

static sumac_status expect_root(sumac_context *context, const sumac_group *group, size_t order)
{
    uint8_t root[64]; /* at least the scalar_bytes of any curve */
    const sumac_status status = sumac_root_of_unity(group, log2_of(order), root, sizeof root);
    if (status == SUMAC_OK) {
        return SUMAC_OK;
    }
    return fail(context, status, "the scalar field of %s has no root of unity of order %zu", group->curve,
                order);
}

sumac_status fk20_check_shape(sumac_context *context, const sumac_bases *srs, fk20_shape shape)
{
    if (!is_power_of_two(shape.n) || !is_power_of_two(shape.l) || shape.l >= shape.n ||
        log2_of(shape.n) > MOST_LOG2) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "n = %zu and cell_elements = %zu: both must be powers of two, and the latter less than n",
                    shape.n, shape.l);
    }
    if (sumac_bases_count(srs) < shape.n) {
        return fail(context, SUMAC_BAD_LENGTH, "an SRS of %zu points, fewer than %zu", sumac_bases_count(srs),
                    shape.n);
    }
    return expect_root(context, srs->group, 2 * shape.n / shape.l);
}

/* ---- Creating ---- */

/* Write points to a vector. They have already been checked. */
static sumac_status write_points(executor *self, sumac_vector *to, size_t n, const uint8_t *raw)
{
    sumac_element_layout layout = {.size = sizeof layout};
    layout.check = SUMAC_CHECK_NONE;
    return vector_set(self, to, 0, n, raw, &layout);
}

/* Do step 0 for the SRS: transform every x, and order the results by frequency. */
static sumac_status transform_srs(executor *self, fk20_shape shape, const uint8_t *monomial,
                                  sumac_vector *columns)
{
    const size_t k = shape.n / shape.l, l = shape.l;
    const vector_slice rows = {0, l, k - 1, 2 * k}, packed = {0, l, k - 1, k - 1};
    const sumac_group *group = columns->group;
    sumac_transform_config config = {.size = sizeof config};
    config.length = 2 * k;
    config.coefficients = k - 1;
    LOCAL_POINTS(powers, self, group, (k - 1) * l);
    LOCAL_POINTS(reversed, self, group, (k - 1) * l);
    LOCAL_POINTS(x, self, group, 2 * shape.n);
    LOCAL_POINTS(by_frequency, self, group, 2 * shape.n);
    LOCAL_MEMORY(uint64_t, order, self, 2 * k);
    for (size_t t = 0; t < k - 1; t++) {
        order[t] = k - 2 - t;
    }
    TRY(write_points(self, powers, (k - 1) * l, monomial));
    TRY(vector_gather(self, reversed, powers, l, order, k - 1));
    TRY(vector_transpose(self, powers, reversed, k - 1, l)); /* the points are now ordered by remainder */
    TRY(vector_copy(self, x, &rows, powers, &packed));
    TRY(vector_ntt(self, x, &config));
    TRY(vector_transpose(self, by_frequency, x, l, 2 * k));
    for (size_t p = 0; p < 2 * k; p++) {
        order[p] = (2 * k - p) % (2 * k);
    }
    return vector_gather(self, columns, by_frequency, l, order, 2 * k);
}

/* Make bases of the columns. They get as many multiples as table_bytes allows. */
static sumac_status make_tables(sumac_context *context, const sumac_vector *columns, uint64_t table_bytes,
                                sumac_fk20 *fk20)
{
    const uint64_t points = columns->count, limit = table_bytes == 0 ? DEFAULT_TABLE_BYTES : table_bytes;
    sumac_bases_config config = {.size = sizeof config};
    config.typical_batch = (uint32_t)(points / fk20->shape.l);
    config.typical_n = fk20->shape.l;
    config.replicated = 1;
    if (limit / points >= 2 * fk20->group->point_bytes) {
        config.tables = SUMAC_TABLES_AUTO;
        config.table_bytes = limit;
    }
    return bases_make_from_vector(context, columns, 0, points, &config, &fk20->columns);
}

sumac_fk20 *fk20_allocate(sumac_context *context, const sumac_group *group, fk20_shape shape)
{
    sumac_fk20 *fk20 = malloc(sizeof *fk20);
    if (fk20 == NULL) {
        (void)fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for proofs of cells",
                   sizeof *fk20);
        return NULL;
    }
    *fk20 = (sumac_fk20){.group = group, .shape = shape};
    return fk20;
}

/* Read the first n points of bases as raw points, which the caller frees. */
static sumac_status read_points(sumac_context *context, const sumac_bases *bases, size_t n, uint8_t **raw)
{
    const size_t bytes = bases->group->point_bytes;
    LOCAL_MEMORY(uint8_t, points, context_executor(context), n * bytes);
    TRY(sumac_bases_get(context, bases, 0, n, points, n * bytes));
    *raw = points;
    points = NULL;
    return SUMAC_OK;
}

sumac_status sumac_fk20_create(sumac_context *context, const sumac_bases *srs, size_t n, size_t cell_elements,
                               uint64_t table_bytes, sumac_fk20 **fk20)
{
    const fk20_shape shape = {n, cell_elements};
    BEGIN_MAKING(context, fk20);
    TRY(require(context, srs != NULL, "srs"));
    const sumac_group *group = srs->group;
    TRY(fk20_check_shape(context, srs, shape));
    AUTO_FREE uint8_t *monomial = NULL;
    CLEANUP(close_fk20) sumac_fk20 *created = fk20_allocate(context, group, shape);
    if (created == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    LOCAL_POINTS(columns, context_executor(context), group, 2 * n);
    TRY(read_points(context, srs, n, &monomial));
    challenge_hash_srs(group, monomial, n, created->srs_hash);
    TRY(transform_srs(context_executor(context), shape, monomial, columns));
    TRY(make_tables(context, columns, table_bytes, created));
    *fk20 = created;
    created = NULL;
    return SUMAC_OK;
}

void sumac_fk20_destroy(sumac_fk20 *fk20)
{
    if (fk20 != NULL) {
        sumac_bases_destroy(fk20->columns);
        free(fk20);
    }
}

uint64_t fk20_table_bytes(const sumac_fk20 *fk20)
{
    return fk20 == NULL ? 0 : bases_shard_bytes(fk20->columns, 0);
}

sumac_status sumac_fk20_describe(const sumac_fk20 *fk20, sumac_fk20_info *info)
{
    sumac_message message;
    if (fk20 == NULL || info == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    TRY(public_check(&public_fk20_info, info, &message));
    const sumac_fk20_info described = {.size = sizeof described,
                                       .group = fk20->group,
                                       .n = fk20->shape.n,
                                       .cell_elements = fk20->shape.l,
                                       .table_bytes = fk20_table_bytes(fk20)};
    public_copy(&described, info);
    return SUMAC_OK;
}

sumac_status fk20_hash_srs(sumac_context *context, const sumac_bases *srs, size_t n,
                           uint8_t hash[SRS_HASH_BYTES])
{
    AUTO_FREE uint8_t *monomial = NULL;
    TRY(read_points(context, srs, n, &monomial));
    challenge_hash_srs(srs->group, monomial, n, hash);
    return SUMAC_OK;
}

/* ---- Proving ---- */

/* A call has polynomials, each of which gets `cells` proofs. */
typedef struct fk20_call {
    const sumac_fk20 *fk20;
    const sumac_vector *polynomials;
    size_t cells;
    sumac_order order;
    sumac_vector *proofs;
    size_t first_proof;
} fk20_call;

/* Do step 1 for polynomials [first, first + count): list the rows c of every remainder. `c` must be zeroed. */
static sumac_status list_first_columns(executor *self, const fk20_call *call, size_t first, size_t count,
                                       sumac_vector *c)
{
    const size_t n = call->fk20->shape.n, l = call->fk20->shape.l, k = n / l, rows = count * l;
    const vector_slice to_first = {0, rows, 1, 2 * k}, from_last = {k - 1, rows, 1, k};
    const vector_slice to_rest = {k + 2, rows, k - 2, 2 * k}, from_rest = {1, rows, k - 2, k};
    LOCAL_SCALARS(sub_batch, self, c->group, count * n);
    LOCAL_SCALARS(by_remainder, self, c->group, count * n);
    TRY(vector_copy_range(self, sub_batch, 0, call->polynomials, first * n, count * n));
    TRY(vector_transpose(self, by_remainder, sub_batch, k, l));
    TRY(vector_copy(self, c, &to_first, by_remainder, &from_last));
    return vector_copy(self, c, &to_rest, by_remainder, &from_rest); /* if k = 2, this copies nothing */
}

/* Step 4 can go by frequency or by polynomial. By frequency, a call computes the sums of one frequency for all
 * polynomials of a sub-batch, so that the bases of the frequency and their multiples are loaded only once. By
 * polynomial, a call computes the sums of all frequencies for one polynomial. Return 1 if step 4 should go by
 * frequency. On one thread, and with at least 4 polynomials, this is 5 to 10% faster. Several threads lose more than
 * that by waiting for each other, because a call by frequency has only a few milliseconds of work (bench_kzg, 2 to 16
 * blobs, Intel Xeon of 2023). */
static int goes_by_frequency(const executor *self, size_t count)
{
    return self->engine == NULL && self->means.threads == 1 && count >= LEAST_BY_FREQUENCY;
}

/* Do step 4 by polynomial. `scalars` and `sums` list one polynomial after another. */
static sumac_status sum_polynomials(const work_range *range, const fk20_call *call,
                                    const sumac_vector *scalars, size_t count, sumac_vector *sums)
{
    const size_t l = call->fk20->shape.l, two_k = 2 * call->fk20->shape.n / l;
    const msm_batch all = {.bases = call->fk20->columns, .base_sets = two_k, .n = l, .batch = count * two_k};
    return range_msm(range, &all, scalars, 0, sums, 0);
}

/* Do step 4 by frequency. `scalars` list one frequency after another, and `sums` list one polynomial after another. */
static sumac_status sum_frequencies(const work_range *range, const fk20_call *call,
                                    const sumac_vector *scalars, size_t count, sumac_vector *sums)
{
    const size_t l = call->fk20->shape.l, two_k = 2 * call->fk20->shape.n / l;
    LOCAL_POINTS(by_frequency, range->self, sums->group, count * two_k);
    for (size_t p = 0; p < two_k; p++) {
        const msm_batch column = {.bases = call->fk20->columns, .first_base = p * l, .n = l, .batch = count};
        TRY(range_msm(range, &column, scalars, p * l * count, by_frequency, p * count));
    }
    return vector_transpose(range->self, sums, by_frequency, two_k, count);
}

/* Do steps 5 and 6: transform the sums, of which each polynomial has 2k, to proofs, and write these to the call's
 * vector. */
static sumac_status transform_sums(executor *self, const fk20_call *call, size_t first, size_t count,
                                   sumac_vector *h)
{
    const size_t k = call->fk20->shape.n / call->fk20->shape.l, cells = call->cells;
    const size_t to = call->first_proof + first * cells;
    const vector_slice rows = {0, count, k, cells}, lower_halves = {0, count, k, 2 * k};
    if (cells == 2 * k) {
        TRY(vector_point_transform_twice(self, h, 2 * k, call->order)); /* steps 5 and 6 */
        return vector_copy_range(self, call->proofs, to, h, 0, count * cells);
    }
    sumac_transform_config config = {.size = sizeof config};
    LOCAL_POINTS(proofs, self, h->group, count * cells);
    config.length = 2 * k;
    TRY(vector_ntt(self, h, &config)); /* step 5 computes H_0 .. H_(k-1), and k points that are not used */
    TRY(vector_copy(self, proofs, &rows, h, &lower_halves));
    config.length = cells;
    config.coefficients = k;
    config.value_order = call->order;
    TRY(vector_ntt(self, proofs, &config)); /* step 6 */
    return vector_copy_range(self, call->proofs, to, proofs, 0, count * cells);
}

/* Prove polynomials [first, first + count). */
static sumac_status prove_sub_batch(const work_range *range, const fk20_call *call, size_t first,
                                    size_t count)
{
    const size_t n = call->fk20->shape.n, l = call->fk20->shape.l, k = n / l;
    const sumac_group *group = call->fk20->group;
    executor *self = range->self;
    const int together = goes_by_frequency(self, count);
    sumac_transform_config config = {.size = sizeof config};
    config.length = 2 * k;
    config.inverse = 1;
    CLEANUP(close_vector) sumac_vector *c = NULL;
    LOCAL_SCALARS(by_frequency, self, group, 2 * count * n);
    LOCAL_POINTS(h, self, group, 2 * count * k);
    TRY(vector_create_zeros(self, group, SUMAC_VECTOR_SCALARS, 2 * count * n, &c));
    TRY(list_first_columns(self, call, first, count, c));                                     /* step 1 */
    TRY(vector_ntt(self, c, &config));                                                        /* step 2 */
    TRY(vector_transpose(self, by_frequency, c, together ? count * l : l, 2 * k));            /* step 3 */
    TRY((together ? sum_frequencies : sum_polynomials)(range, call, by_frequency, count, h)); /* step 4 */
    return transform_sums(self, call, first, count, h);                                       /* steps 5 and
                                                                                                 6 */
}

static sumac_status prove(const work_range *range, const fk20_call *call, size_t count)
{
    work_range polynomials = *range;
    polynomials.count = count;
    for (size_t first = 0, n; (n = range_next(&polynomials, first, 2 * call->fk20->shape.n)) > 0;
         first += n) {
        TRY(prove_sub_batch(&polynomials, call, first, n));
    }
    return SUMAC_OK;
}

sumac_status fk20_prove_within(const work_range *range, const sumac_fk20 *fk20,
                               const sumac_vector *polynomials, size_t count, size_t rate, sumac_order order,
                               sumac_vector *proofs, size_t first)
{
    const size_t cells = rate * (fk20->shape.n / fk20->shape.l);
    const fk20_call call = {fk20, polynomials, cells, order, proofs, first};
    return prove(range, &call, count);
}

/* Prove an executor's polynomials. The call's vectors lie with the first executor. The other executors copy their
 * polynomials from there, and copy their proofs back. */
static sumac_status prove_range(void *argument, const work_range *range)
{
    const fk20_call *given = argument;
    const size_t n = given->fk20->shape.n, cells = given->cells;
    fk20_call call = *given;
    if (range->index == 0) {
        return prove(range, &call, range->count);
    }
    LOCAL_SCALARS(polynomials, range->self, call.fk20->group, range->count * n);
    LOCAL_POINTS(proofs, range->self, call.fk20->group, range->count * cells);
    call.polynomials = polynomials;
    call.proofs = proofs;
    TRY(vector_copy_across(range->self, polynomials, 0, given->polynomials, range->first * n,
                           range->count * n));
    TRY(prove(range, &call, range->count));
    return range_is_over(range) ? SUMAC_OK
                                : vector_copy_across(range->self, given->proofs, range->first * cells, proofs,
                                                     0, range->count * cells);
}

static sumac_status check_call(sumac_context *context, const fk20_call *call, size_t rate, size_t *count)
{
    const sumac_fk20 *fk20 = call->fk20;
    size_t points = 0;
    TRY(bases_check_usable(context, fk20->columns));
    if (!is_power_of_two(rate) || rate > SIZE_MAX / fk20->shape.n ||
        (call->order != SUMAC_ORDER_NATURAL && call->order != SUMAC_ORDER_BIT_REVERSED)) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "a rate of %zu is no power of two that makes a domain, or there is no order %d", rate,
                    (int)call->order);
    }
    TRY(srs_count_polynomials(context, fk20->group, call->polynomials, fk20->shape.n, count));
    TRY(expect_root(context, fk20->group, call->cells));
    if (__builtin_mul_overflow(*count, call->cells, &points)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu polynomials have more proofs than any memory holds",
                    *count);
    }
    return srs_expect(context, call->proofs, fk20->group, SUMAC_VECTOR_POINTS, points, "the proofs");
}

sumac_status sumac_fk20_prove(sumac_context *context, const sumac_fk20 *fk20, const sumac_vector *polynomials,
                              size_t rate, sumac_order order, sumac_vector *proofs)
{
    fk20_call call = {.fk20 = fk20, .polynomials = polynomials, .order = order, .proofs = proofs};
    size_t count = 0;
    HOLDS sumac_context *held = context_begin(context);
    TRY(call_require(context, fk20 != NULL && polynomials != NULL && proofs != NULL,
                     "fk20, polynomials and proofs"));
    call.cells = rate * (fk20->shape.n / fk20->shape.l);
    TRY(check_call(context, &call, rate, &count));
    if (count == 0) {
        return SUMAC_OK;
    }
    /* The caller's vector is written only when nothing else can fail any more. */
    const work_range whole = range_of_context(context, count);
    LOCAL_POINTS(proved, whole.self, fk20->group, count * call.cells);
    call.proofs = proved;
    if (count > 1 && fk20->columns->shard_count > 1) {
        TRY(ranges_run(context, whole.all->count, count, prove_range, &call));
    } else {
        TRY(prove(&whole, &call, count));
    }
    return vector_copy_range(whole.self, proofs, 0, proved, 0, count * call.cells);
}
