/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions multiply sparse matrices by vectors. Arguments are trusted, like those of calls.h. */
#ifndef SUMAC_VECTOR_SPARSE_H
#define SUMAC_VECTOR_SPARSE_H

#include "vector/calls.h"

/* This is a sparse matrix. Once it is filled, it does not change. */
typedef struct sparse_matrix {
    const backend *backend;
    uint64_t bytes;
    uint64_t terms; /* the number of terms */
    sumac_vector *values;
    sparse_rows rows; /* the arrays lie in the backend's memory */
} sparse_matrix;

/* A matrix has two arrays: the starts of its rows, of which there are rows + 1, and its terms. */
typedef enum sparse_part { SPARSE_STARTS, SPARSE_TERMS } sparse_part;

/* Copy a matrix from host memory, and copy its values, which are a vector of this executor or of another executor of
 * its list. */
sumac_status sparse_create(executor *self, const sparse_rows *rows, const sumac_vector *values,
                           sparse_matrix **matrix);

/* Create a matrix of `rows` rows and `terms` terms, which the caller then sets. The values are copied. */
sumac_status sparse_allocate(executor *self, uint64_t rows, uint64_t terms, const sumac_vector *values,
                             sparse_matrix **matrix);

/* sparse_set() copies elements [first, first + n) of a part from host memory, and sparse_get() copies them to host
 * memory. */
sumac_status sparse_set(executor *self, sparse_matrix *matrix, sparse_part part, uint64_t first, uint64_t n,
                        const void *elements);
sumac_status sparse_get(executor *self, const sparse_matrix *matrix, sparse_part part, uint64_t first,
                        uint64_t n, void *elements);

/* Copy a matrix from another executor of this executor's list. */
sumac_status sparse_copy_across(executor *self, const sparse_matrix *from, sparse_matrix **copy);

void sparse_destroy(sparse_matrix *matrix); /* null is allowed */

#endif
