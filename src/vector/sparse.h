/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Matrices of few elements that are not 0, and their products with vectors; unchecked, as calls.h. */
#ifndef SUMAC_VECTOR_SPARSE_H
#define SUMAC_VECTOR_SPARSE_H

#include "vector/calls.h"

/* Immutable, once it is filled. */
typedef struct sparse_matrix {
    const backend *backend;
    uint64_t bytes;
    uint64_t terms; /* how many */
    sumac_vector *values;
    sparse_rows rows; /* in the backend's memory */
} sparse_matrix;

/* rows + 1 starts, or the terms. */
typedef enum sparse_part { SPARSE_STARTS, SPARSE_TERMS } sparse_part;

/* A copy of a matrix that lies in the host's memory, but for its values, which are elements of a vector where the
 * executor computes, or another one of its list, and are copied, too. */
sumac_status sparse_create(executor *self, const sparse_rows *rows, const sumac_vector *values,
                           sparse_matrix **matrix);

/* One with room for so many rows and terms, to be filled; the values are copied. */
sumac_status sparse_allocate(executor *self, uint64_t rows, uint64_t terms, const sumac_vector *values,
                             sparse_matrix **matrix);

/* Elements [first, first + n) of a part, from the host's memory and to it. */
sumac_status sparse_set(executor *self, sparse_matrix *matrix, sparse_part part, uint64_t first, uint64_t n,
                        const void *elements);
sumac_status sparse_get(executor *self, const sparse_matrix *matrix, sparse_part part, uint64_t first,
                        uint64_t n, void *elements);

/* A copy of a matrix that lies with another executor of the list. */
sumac_status sparse_copy_across(executor *self, const sparse_matrix *from, sparse_matrix **copy);

void sparse_destroy(sparse_matrix *matrix); /* null is allowed */

#endif
