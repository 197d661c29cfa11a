/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes running sums and products of rows. The rows are cut into pieces of a few elements. First the total
 * of each piece is computed. Then, for one piece after another, the total of all elements before the piece in its row
 * is computed. Last the results in each piece are computed. Each element is read twice, and takes two operations.
 */
#include "cpu/vector_scalars.h"

#include "base/integers.h"
#include "base/try.h"

/* A piece has this many elements. A task has one piece for each lane. */
#define SCAN_PIECE (SCALARS_TASK / 16)

typedef struct scan_work {
    fp *r;
    uint64_t n, length; /* the elements of all rows, and of one */
    vector_scan scan;
    fp *carries; /* for each piece first its total from its last row's start on, later the total before it in its row */
} scan_work;

static void set_identity(const scan_work *work, fp *r)
{
    if (work->scan.multiplies) {
        fp_set_one(r);
    } else {
        fp_set_zero(r);
    }
}

/* Set r to a + b or a*b. */
static void accumulate(const scan_work *work, fp *r, const fp *a, const fp *b)
{
    if (work->scan.multiplies) {
        fp_mul(r, a, b);
    } else {
        fp_add(r, a, b);
    }
}

/* Return the first index of the row that contains element i. */
static uint64_t row_of(const scan_work *work, uint64_t i)
{
    return i - i % work->length;
}

#if defined(SUMAC_SCALAR_LANES)

/* Multiply sixteen running products by sixteen elements, of which the first one is at `first`, and each is a piece
 * behind the one before. */
static void multiply_running(fpv *products, const fp *first)
{
    fpv element, factor;
    scalar_lanes_load(&element, first, SCAN_PIECE, FPV_LANES);
    scalar_lanes_factor(&factor, &element);
    scalar_lanes_multiply(products, products, &factor);
    fpv_settle_wide(products, products);
    fpv_canonical(products, products);
}

/* Return 1 if the task multiplies, and has sixteen whole pieces in which no row begins except at a piece's start. */
static int is_for_lanes(const scan_work *work, index_range range)
{
    return work->scan.multiplies && range.end - range.first == FPV_LANES * SCAN_PIECE &&
           (work->length % SCAN_PIECE == 0 || row_of(work, range.end - 1) <= range.first);
}

static int total_lanes(const scan_work *work, index_range range)
{
    fp one;
    fpv products;
    if (!is_for_lanes(work, range)) {
        return 0;
    }
    fp_set_one(&one);
    scalar_lanes_load(&products, &one, 0, FPV_LANES);
    for (uint64_t i = 0; i < SCAN_PIECE; i++) {
        multiply_running(&products, &work->r[range.first + i]);
    }
    scalar_lanes_put(&work->carries[range.first / SCAN_PIECE], 1, FPV_LANES, &products);
    return 1;
}

static int scan_lanes(const scan_work *work, index_range range)
{
    fpv products;
    if (!is_for_lanes(work, range)) {
        return 0;
    }
    scalar_lanes_load(&products, &work->carries[range.first / SCAN_PIECE], 1, FPV_LANES);
    for (uint64_t i = 0; i < SCAN_PIECE; i++) {
        fp *const elements = &work->r[range.first + i];
        const fpv before = products;
        multiply_running(&products, elements);
        scalar_lanes_put(elements, SCAN_PIECE, FPV_LANES, work->scan.exclusive ? &before : &products);
    }
    return 1;
}

#else

static int total_lanes(const scan_work *work, index_range range)
{
    (void)work, (void)range;
    return 0;
}

static int scan_lanes(const scan_work *work, index_range range)
{
    (void)work, (void)range;
    return 0;
}

#endif

static void total_task(void *arguments, index_range range)
{
    const scan_work *work = arguments;
    if (total_lanes(work, range)) {
        return;
    }
    for (uint64_t first = range.first; first < range.end; first += SCAN_PIECE) {
        const uint64_t end = smaller(first + SCAN_PIECE, range.end);
        fp *const total = &work->carries[first / SCAN_PIECE];
        set_identity(work, total);
        for (uint64_t i = larger(first, row_of(work, end - 1)); i < end; i++) {
            accumulate(work, total, total, &work->r[i]);
        }
    }
}

static void scan_task(void *arguments, index_range range)
{
    const scan_work *work = arguments;
    if (scan_lanes(work, range)) {
        return;
    }
    for (uint64_t first = range.first; first < range.end; first += SCAN_PIECE) {
        const uint64_t end = smaller(first + SCAN_PIECE, range.end);
        uint64_t left = work->length - first % work->length; /* elements up to the next row */
        fp before = work->carries[first / SCAN_PIECE], upto;
        for (uint64_t i = first; i < end; i++) {
            accumulate(work, &upto, &before, &work->r[i]);
            work->r[i] = work->scan.exclusive ? before : upto;
            before = upto;
            if (--left == 0) {
                set_identity(work, &before);
                left = work->length;
            }
        }
    }
}

/* Replace the total of each piece by the total of the elements before it in its row. */
static void carry_totals(const scan_work *work)
{
    fp carry;
    set_identity(work, &carry);
    for (uint64_t first = 0; first < work->n; first += SCAN_PIECE) {
        const uint64_t end = smaller(first + SCAN_PIECE, work->n);
        fp *const piece = &work->carries[first / SCAN_PIECE];
        const fp total = *piece;
        if (first % work->length == 0) {
            set_identity(work, &carry);
        }
        *piece = carry;
        if (row_of(work, end - 1) >= first) {
            carry = total;
        } else {
            accumulate(work, &carry, &carry, &total);
        }
    }
}

sumac_status SUMAC_SCALARS_SYMBOL(scan)(const vector_run *run, void *r, uint64_t n, uint64_t length,
                                        const vector_scan *scan)
{
    scan_work work = {.r = r, .n = n, .length = length, .scan = *scan};
    if (n == 0) {
        return SUMAC_OK;
    }
    AUTO_FREE fp *carries = malloc(ceil_divide(n, SCAN_PIECE) * sizeof *carries);
    if (carries == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    work.carries = carries;
    lanes_ranges(run, n, SCALARS_TASK, total_task, &work);
    carry_totals(&work);
    lanes_ranges(run, n, SCALARS_TASK, scan_task, &work);
    return SUMAC_OK;
}
