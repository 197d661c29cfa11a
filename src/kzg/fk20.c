/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The proof on the coset x^l = a is q(s)G with q = (f - (f mod X^l - a))/(X^l - a), and
 *   q = sum over i < k - 1 of a^i h_i,   h_i = sum over j >= (i + 1)l of f_j X^(j - (i + 1)l).
 * So all proofs are the transform of the points H_i = h_i(s)G. Coefficients whose index has the same
 * remainder o modulo l meet only the SRS's points of that remainder, S_t = s^(tl + o)G, in sums that are a
 * Toeplitz matrix times a vector: with F_m = f_(ml + o) H_i = sum over o and t of F_(i + 1 + t) S_t, the
 * first k entries of the cyclic convolution, of length 2k, of
 *   c: F_(k-1), then k + 1 zeros, then F_1 .. F_(k-2)     (element m >= 1 at place (k + m + 1) mod 2k)
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
#include "kzg/share.h"
#include "kzg/srs.h"
#include "kzg/work.h"

enum {
    LEAST_BY_FREQUENCY = 4, /* polynomials */
    MOST_LOG2 = 40          /* of n: more than any memory holds, and sizes in bytes do not overflow */
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

static sumac_status expect_root(sumac_context *context, const sumac_curve *curve, size_t order)
{
    uint8_t root[64]; /* more than the scalar_bytes of any curve */
    const sumac_status status = sumac_root_of_unity(curve, log2_of(order), root);
    return status == SUMAC_OK
               ? status
               : fail(context, status, "the scalar field of %s has no root of unity of order %zu",
                      sumac_curve_describe(curve)->name, order);
}

sumac_status fk20_check_shape(sumac_context *context, const sumac_bases *srs, fk20_shape shape)
{
    if (!is_power_of_two(shape.n) || !is_power_of_two(shape.l) || shape.l >= shape.n ||
        log2_of(shape.n) > MOST_LOG2) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "n = %zu and l = %zu: both must be powers of two, and l less than n", shape.n, shape.l);
    }
    if (sumac_bases_count(srs) < shape.n) {
        return fail(context, SUMAC_BAD_LENGTH, "an SRS of %zu points, fewer than %zu", sumac_bases_count(srs),
                    shape.n);
    }
    return expect_root(context, sumac_bases_curve(srs), 2 * shape.n / shape.l);
}

/* ---- Making it ---- */

/* Step 0, for the SRS: the transforms of all x, by frequency. */
static void transform_srs(work *w, fk20_shape shape, const uint8_t *monomial, sumac_vector *columns)
{
    const size_t k = shape.n / shape.l, l = shape.l;
    sumac_transform_config config = sumac_transform_config_default();
    config.length = 2 * k;
    config.coefficients = k - 1;
    sumac_vector *powers = work_points(w, (k - 1) * l), *reversed = work_points(w, (k - 1) * l);
    sumac_vector *by_remainder = work_points(w, (k - 1) * l);
    sumac_vector *x = work_points(w, 2 * shape.n), *by_frequency = work_points(w, 2 * shape.n);
    uint64_t *backwards = work_memory(w, k, sizeof *backwards);
    uint64_t *minus = work_memory(w, 2 * k, sizeof *minus);
    for (size_t t = 0; work_is_ok(w) && t < k - 1; t++) {
        backwards[t] = k - 2 - t;
    }
    for (size_t p = 0; work_is_ok(w) && p < 2 * k; p++) {
        minus[p] = (2 * k - p) % (2 * k);
    }
    work_write(w, powers, 0, (k - 1) * l, monomial);
    work_gather(w, reversed, powers, l, backwards, k - 1);
    work_transpose(w, by_remainder, reversed, k - 1, l);
    work_copy(w, x, (work_part){0, 2 * k}, by_remainder, (work_part){0, k - 1}, l, k - 1);
    work_point_transform(w, x, &config);
    work_transpose(w, by_frequency, x, l, 2 * k);
    work_gather(w, columns, by_frequency, l, minus, 2 * k);
}

/* Bases from the columns with as many multiples as table_bytes allow. */
static void make_tables(work *w, fk20_shape shape, const sumac_vector *columns, uint64_t table_bytes,
                        sumac_bases **bases)
{
    const uint64_t points = sumac_vector_count(columns);
    const uint64_t limit = table_bytes == 0 ? DEFAULT_TABLE_BYTES : table_bytes;
    sumac_bases_config config = sumac_bases_config_default();
    config.typical_batch = (uint32_t)(points / shape.l);
    config.typical_n = shape.l;
    config.replicated = 1;
    if (limit / points >= 2 * sumac_curve_describe(w->curve)->point_bytes) {
        config.tables = SUMAC_TABLES_AUTO;
        config.table_limit = limit;
    }
    if (work_is_ok(w)) {
        work_note(w, bases_make_from_vector(w->whole, columns, 0, points, &config, bases));
    }
}

sumac_fk20 *fk20_allocate(sumac_context *context, const sumac_curve *curve, fk20_shape shape)
{
    sumac_fk20 *fk20 = malloc(sizeof *fk20);
    if (fk20 == NULL) {
        (void)fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for proofs of cells",
                   sizeof *fk20);
        return NULL;
    }
    *fk20 = (sumac_fk20){.curve = curve, .shape = shape};
    return fk20;
}

/* Give a new one to the caller, or end it. */
static sumac_status hand_over(sumac_fk20 *created, sumac_status status, sumac_fk20 **fk20)
{
    if (status == SUMAC_OK) {
        *fk20 = created;
    } else {
        sumac_fk20_destroy(created);
    }
    return status;
}

static sumac_status derive(sumac_context *context, const sumac_bases *srs, uint64_t table_bytes,
                           sumac_fk20 *fk20)
{
    const fk20_shape shape = fk20->shape;
    work w = work_begin(context, fk20->curve);
    uint8_t *monomial = work_memory(&w, shape.n, sumac_curve_describe(fk20->curve)->point_bytes);
    sumac_vector *columns = work_points(&w, 2 * shape.n);
    if (work_is_ok(&w)) {
        work_note(&w, sumac_bases_get(context, srs, 0, shape.n, monomial));
    }
    if (work_is_ok(&w)) {
        challenge_hash_srs(fk20->curve, monomial, shape.n, fk20->srs_hash);
        transform_srs(&w, shape, monomial, columns);
    }
    if (work_is_ok(&w)) {
        make_tables(&w, shape, columns, table_bytes, &fk20->columns);
    }
    return work_end(&w);
}

sumac_status sumac_fk20_create(sumac_context *context, const sumac_bases *srs, size_t n, size_t l,
                               uint64_t table_bytes, sumac_fk20 **fk20)
{
    const fk20_shape shape = {n, l};
    if (fk20 != NULL) {
        *fk20 = NULL;
    }
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = srs_begin(held, srs != NULL && fk20 != NULL, "srs and fk20");
    if (status == SUMAC_OK) {
        status = fk20_check_shape(context, srs, shape);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    sumac_fk20 *created = fk20_allocate(context, sumac_bases_curve(srs), shape);
    status = created == NULL ? SUMAC_OUT_OF_MEMORY : derive(context, srs, table_bytes, created);
    return hand_over(created, status, fk20);
}

sumac_status sumac_fk20_copy(sumac_context *context, const sumac_fk20 *other, uint64_t table_bytes,
                             sumac_fk20 **copy)
{
    if (copy != NULL) {
        *copy = NULL;
    }
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = srs_begin(held, other != NULL && copy != NULL, "other and copy");
    if (status != SUMAC_OK) {
        return status;
    }
    work w = work_begin(context, other->curve);
    const size_t points = 2 * other->shape.n;
    sumac_fk20 *created = fk20_allocate(context, other->curve, other->shape);
    work_note(&w, created == NULL ? SUMAC_OUT_OF_MEMORY : SUMAC_OK);
    sumac_vector *columns = work_points(&w, points);
    uint8_t *raw = work_memory(&w, points, sumac_curve_describe(other->curve)->point_bytes);
    if (work_is_ok(&w)) {
        memcpy(created->srs_hash, other->srs_hash, sizeof created->srs_hash);
        work_note(&w, sumac_bases_get(context, other->columns, 0, points, raw));
    }
    work_write(&w, columns, 0, points, raw);
    if (work_is_ok(&w)) {
        make_tables(&w, other->shape, columns, table_bytes, &created->columns);
    }
    return hand_over(created, work_end(&w), copy);
}

void sumac_fk20_destroy(sumac_fk20 *fk20)
{
    if (fk20 != NULL) {
        sumac_bases_destroy(fk20->columns);
        free(fk20);
    }
}

size_t sumac_fk20_n(const sumac_fk20 *fk20)
{
    return fk20 == NULL ? 0 : fk20->shape.n;
}

size_t sumac_fk20_l(const sumac_fk20 *fk20)
{
    return fk20 == NULL ? 0 : fk20->shape.l;
}

uint64_t sumac_fk20_table_bytes(const sumac_fk20 *fk20)
{
    return fk20 == NULL ? 0 : bases_shard_bytes(fk20->columns, 0);
}

sumac_status fk20_hash_srs(sumac_context *context, const sumac_bases *srs, size_t n,
                           uint8_t hash[SRS_HASH_BYTES])
{
    work w = work_begin(context, sumac_bases_curve(srs));
    uint8_t *monomial = work_memory(&w, n, sumac_curve_describe(w.curve)->point_bytes);
    if (work_is_ok(&w)) {
        work_note(&w, sumac_bases_get(context, srs, 0, n, monomial));
    }
    if (work_is_ok(&w)) {
        challenge_hash_srs(w.curve, monomial, n, hash);
    }
    return work_end(&w);
}

/* ---- Proving ---- */

/* A call of sumac_fk20_prove(): `cells` proofs of each polynomial. */
typedef struct fk20_call {
    const sumac_fk20 *fk20;
    const sumac_vector *polynomials;
    size_t cells;
    sumac_order order;
    sumac_vector *proofs;
} fk20_call;

/* Step 1: the rows c of every remainder, of polynomials [first, first + count). */
static void list_first_columns(work *w, const fk20_call *call, size_t first, size_t count, sumac_vector *c)
{
    const size_t n = call->fk20->shape.n, l = call->fk20->shape.l, k = n / l, rows = count * l;
    sumac_vector *sub_batch = work_scalars(w, count * n), *by_remainder = work_scalars(w, count * n);
    work_copy(w, sub_batch, (work_part){0, n}, call->polynomials, (work_part){first * n, n}, 1, count * n);
    work_transpose(w, by_remainder, sub_batch, k, l);
    work_copy(w, c, (work_part){0, 2 * k}, by_remainder, (work_part){k - 1, k}, rows, 1);
    if (k > 2) {
        work_copy(w, c, (work_part){k + 2, 2 * k}, by_remainder, (work_part){1, k}, rows, k - 2);
    }
}

/* Whether step 4 goes by frequency, with all polynomials of a sub-batch in one call, so that a frequency's bases
 * and their multiples are loaded once: or by polynomial, with all frequencies in one call. The first is 5 to
 * 10 % faster on one thread, from 4 polynomials on; threads that share work of a few milliseconds lose more
 * by waiting for each other (bench_kzg, 2 to 16 blobs, Intel Xeon of 2023). */
static int goes_by_frequency(const work *w, size_t count)
{
    return w->executor->engine == NULL && w->executor->means.threads == 1 && count >= LEAST_BY_FREQUENCY;
}

/* Step 4, by polynomial: `scalars` and `sums` are polynomial after polynomial. */
static void sum_polynomials(work *w, const fk20_call *call, const sumac_vector *scalars, size_t count,
                            sumac_vector *sums)
{
    const size_t l = call->fk20->shape.l, two_k = 2 * call->fk20->shape.n / l;
    const work_sums all = {.bases = call->fk20->columns, .base_sets = two_k, .n = l, .batch = count * two_k};
    work_msm(w, &all, scalars, 0, sums, 0);
}

/* Step 4, by frequency: `scalars` are frequency after frequency; the sums come out polynomial after
 * polynomial. */
static void sum_frequencies(work *w, const fk20_call *call, const sumac_vector *scalars, size_t count,
                            sumac_vector *sums)
{
    const size_t l = call->fk20->shape.l, two_k = 2 * call->fk20->shape.n / l;
    sumac_vector *by_frequency = work_points(w, count * two_k);
    for (size_t p = 0; work_is_ok(w) && p < two_k; p++) {
        const work_sums column = {.bases = call->fk20->columns, .first_base = p * l, .n = l, .batch = count};
        work_msm(w, &column, scalars, p * l * count, by_frequency, p * count);
    }
    work_transpose(w, sums, by_frequency, two_k, count);
}

/* Steps 5 and 6: the sums, 2k for each polynomial, to its proofs. Returns where these are. */
static sumac_vector *transform_sums(work *w, const fk20_call *call, size_t count, sumac_vector *h)
{
    const size_t k = call->fk20->shape.n / call->fk20->shape.l, cells = call->cells;
    if (cells == 2 * k) {
        work_point_transform_twice(w, h, 2 * k, call->order);
        return h;
    }
    sumac_transform_config points = sumac_transform_config_default();
    sumac_vector *proofs = work_points(w, count * cells);
    points.length = 2 * k;
    work_point_transform(w, h, &points); /* 5: H_0 .. H_(k-1), and k points that nobody wants */
    work_copy(w, proofs, (work_part){0, cells}, h, (work_part){0, 2 * k}, count, k);
    points.length = cells;
    points.coefficients = k;
    points.value_order = call->order;
    work_point_transform(w, proofs, &points); /* 6 */
    return proofs;
}

/* Polynomials [first, first + count). */
static sumac_status prove_sub_batch(const work *outer, const fk20_call *call, size_t first, size_t count)
{
    const size_t n = call->fk20->shape.n, l = call->fk20->shape.l, k = n / l, cells = call->cells;
    work own = work_within(outer), *w = &own;
    sumac_transform_config scalars = sumac_transform_config_default();
    scalars.length = 2 * k;
    scalars.inverse = 1;
    sumac_vector *c = work_scalars(w, 2 * count * n), *by_frequency = work_scalars(w, 2 * count * n);
    sumac_vector *h = work_points(w, 2 * count * k);
    const int together = goes_by_frequency(w, count);
    list_first_columns(w, call, first, count, c);                                    /* 1 */
    work_ntt(w, c, &scalars);                                                        /* 2 */
    work_transpose(w, by_frequency, c, together ? count * l : l, 2 * k);             /* 3 */
    (together ? sum_frequencies : sum_polynomials)(w, call, by_frequency, count, h); /* 4 */
    const sumac_vector *proofs = transform_sums(w, call, count, h);                  /* 5, 6 */
    work_copy(w, call->proofs, (work_part){first * cells, 1}, proofs, (work_part){0, 1}, 1, count * cells);
    return work_end(w);
}

static sumac_status check_call(sumac_context *context, const fk20_call *call, size_t rate, size_t *count)
{
    const sumac_fk20 *fk20 = call->fk20;
    size_t points = 0;
    if (!is_power_of_two(rate) || rate > SIZE_MAX / fk20->shape.n ||
        (call->order != SUMAC_ORDER_NATURAL && call->order != SUMAC_ORDER_BIT_REVERSED)) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "a rate of %zu is no power of two that makes a domain, or there is no order %d", rate,
                    (int)call->order);
    }
    sumac_status status =
        srs_count_polynomials(context, fk20->curve, call->polynomials, fk20->shape.n, count);
    if (status == SUMAC_OK) {
        status = expect_root(context, fk20->curve, call->cells);
    }
    if (status == SUMAC_OK && __builtin_mul_overflow(*count, call->cells, &points)) {
        status = fail(context, SUMAC_BAD_ARGUMENT, "%zu polynomials have more proofs than any memory holds",
                      *count);
    }
    return status == SUMAC_OK
               ? srs_expect(context, call->proofs, fk20->curve, SUMAC_VECTOR_POINTS, points, "the proofs")
               : status;
}

static sumac_status begin_call(sumac_context *context, fk20_call *call, size_t rate, size_t *count)
{
    const sumac_status status =
        srs_begin(context, call->fk20 != NULL && call->polynomials != NULL && call->proofs != NULL,
                  "fk20, polynomials and proofs");
    if (status != SUMAC_OK) {
        return status;
    }
    call->cells = rate * (call->fk20->shape.n / call->fk20->shape.l);
    const sumac_status usable = bases_check_usable(context, call->fk20->columns);
    return usable == SUMAC_OK ? check_call(context, call, rate, count) : usable;
}

/* All of them, with the executors of the work. */
static void prove_all(work *outer, const fk20_call *given, size_t count)
{
    if (!work_is_ok(outer)) {
        return;
    }
    fk20_call call = *given;
    work own = work_within(outer), *w = &own;
    call.proofs = work_points(w, count * call.cells);
    const size_t sub_batch = work_sub_batch(w, count, 2 * call.fk20->shape.n);
    for (size_t first = 0; work_is_ok(w) && first < count; first += sub_batch) {
        work_note(w, prove_sub_batch(w, &call, first, count - first < sub_batch ? count - first : sub_batch));
    }
    work_copy(w, given->proofs, (work_part){0, 1}, call.proofs, (work_part){0, 1}, 1, count * call.cells);
    work_note(outer, work_end(w));
}

void fk20_prove_within(work *w, const sumac_fk20 *fk20, const sumac_vector *polynomials, size_t count,
                       size_t rate, sumac_order order, sumac_vector *proofs)
{
    const fk20_call call = {.fk20 = fk20,
                            .polynomials = polynomials,
                            .cells = rate * (fk20->shape.n / fk20->shape.l),
                            .order = order,
                            .proofs = proofs};
    prove_all(w, &call, count);
}

/* ---- Over several devices ---- */

/* Executor k's polynomials. The call's vectors lie with the first executor, from which the others copy, and to which they
 * copy their proofs. */
static sumac_status prove_share(void *argument, const share *own)
{
    const fk20_call *given = argument;
    fk20_call call = *given;
    const size_t n = call.fk20->shape.n, cells = call.cells;
    work w = work_of_share(own, call.fk20->curve);
    if (own->index == 0) {
        prove_all(&w, &call, own->count);
        return work_end(&w);
    }
    sumac_vector *polynomials = work_scalars(&w, own->count * n);
    call.polynomials = polynomials;
    call.proofs = work_points(&w, own->count * cells);
    work_copy_across(&w, polynomials, 0, given->polynomials, own->first * n, own->count * n);
    prove_all(&w, &call, own->count);
    work_copy_across(&w, given->proofs, own->first * cells, call.proofs, 0, own->count * cells);
    return work_end(&w);
}

static sumac_status prove_shares(sumac_context *context, const fk20_call *given, size_t count)
{
    fk20_call call = *given;
    work w = work_begin(context, given->fk20->curve);
    call.proofs = work_points(&w, count * given->cells);
    if (work_is_ok(&w)) {
        work_note(&w, share_out(context, sumac_context_device_count(context), count, prove_share, &call));
    }
    work_copy(&w, given->proofs, (work_part){0, 1}, call.proofs, (work_part){0, 1}, 1, count * call.cells);
    return work_end(&w);
}

sumac_status sumac_fk20_prove(sumac_context *context, const sumac_fk20 *fk20, const sumac_vector *polynomials,
                              size_t rate, sumac_order order, sumac_vector *proofs)
{
    fk20_call call = {.fk20 = fk20, .polynomials = polynomials, .order = order, .proofs = proofs};
    size_t count = 0;
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = begin_call(held, &call, rate, &count);
    if (status != SUMAC_OK || count == 0) {
        return status;
    }
    if (count > 1 && fk20->columns->shard_count > 1) {
        return prove_shares(context, &call, count);
    }
    work w = work_begin(context, fk20->curve);
    prove_all(&w, &call, count);
    return work_end(&w);
}
