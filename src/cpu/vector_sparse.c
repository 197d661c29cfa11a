/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file multiplies sparse matrices by vectors of scalars. */
#include "cpu/vector_scalars.h"

enum { SPARSE_ROWS = 64 /* rows per task */ };

typedef struct sparse_work {
    fp *r;
    const fp *a;
    const sparse_rows *matrix;
} sparse_work;

/* Elements are prefetched this many terms ahead, because they lie anywhere in memory if the matrix is in bit-reversed
 * order. */
#define SPARSE_AHEAD 16

static void sparse_row(fp *r, const fp *a, const sparse_rows *matrix, uint64_t row)
{
    const uint64_t terms = matrix->starts[matrix->rows];
    const fp *values = matrix->values;
    fp product;
    fp_set_zero(r);
    for (uint64_t j = matrix->starts[row]; j < matrix->starts[row + 1]; j++) {
        const sparse_term term = matrix->terms[j];
        if (j + SPARSE_AHEAD < terms) {
            __builtin_prefetch(&a[matrix->terms[j + SPARSE_AHEAD].column]);
        }
        if (term.value == SPARSE_ONE) {
            fp_add(r, r, &a[term.column]);
        } else if (term.value == SPARSE_MINUS_ONE) {
            fp_sub(r, r, &a[term.column]);
        } else {
            fp_mul(&product, &values[term.value], &a[term.column]);
            fp_add(r, r, &product);
        }
    }
}

static void sparse_task(void *arguments, index_range range)
{
    const sparse_work *work = arguments;
    for (uint64_t row = range.first; row < range.end; row++) {
        sparse_row(&work->r[row], work->a, work->matrix, row);
    }
}

sumac_status SUMAC_SCALARS_SYMBOL(multiply_sparse)(const vector_run *run, void *r, const void *a,
                                                   const sparse_rows *matrix)
{
    sparse_work work = {r, a, matrix};
    vector_ranges(run, "sparse product", matrix->rows, SPARSE_ROWS, sparse_task, &work);
    return SUMAC_OK;
}
