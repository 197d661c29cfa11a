/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Matrices of few elements that are not 0, for products with vectors. Arguments are trusted, as those of calls.h. */
#ifndef SUMAC_VECTOR_SPARSE_H
#define SUMAC_VECTOR_SPARSE_H

#include "vector/calls.h"

/* A matrix, which does not change once it is filled. */
typedef struct sparse_matrix {
    const backend *backend;
    uint64_t bytes;
    uint64_t terms; /* how many */
    sumac_vector *values;
    sparse_rows rows; /* in the backend's memory */
} sparse_matrix;

/* A matrix's rows + 1 starts, or its terms. */
typedef enum sparse_part { SPARSE_STARTS, SPARSE_TERMS } sparse_part;

/* Copy a matrix that lies in the host's memory, and its values, which are a vector's with the executor or with another one
 * of its list. */
sumac_status sparse_create(executor *self, const sparse_rows *rows, const sumac_vector *values,
                           sparse_matrix **matrix);

/* Make a matrix of so many rows and terms, which the caller sets. The values are copied. */
sumac_status sparse_allocate(executor *self, uint64_t rows, uint64_t terms, const sumac_vector *values,
                             sparse_matrix **matrix);

/* Copy elements [first, first + n) of a part from the host's memory, and to it. */
sumac_status sparse_set(executor *self, sparse_matrix *matrix, sparse_part part, uint64_t first, uint64_t n,
                        const void *elements);
sumac_status sparse_get(executor *self, const sparse_matrix *matrix, sparse_part part, uint64_t first,
                        uint64_t n, void *elements);

/* Copy a matrix that lies with another executor of the list. */
sumac_status sparse_copy_across(executor *self, const sparse_matrix *from, sparse_matrix **copy);

void sparse_destroy(sparse_matrix *matrix); /* null is allowed */

#endif
