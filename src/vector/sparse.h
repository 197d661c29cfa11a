/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Matrices of few elements that are not 0, and their products with vectors; unchecked, as calls.h. */
#ifndef SUMAC_VECTOR_SPARSE_H
#define SUMAC_VECTOR_SPARSE_H

#include "vector/calls.h"

/* Immutable. */
typedef struct sparse_matrix {
    const backend *backend;
    uint64_t bytes;
    sparse_rows rows; /* in the backend's memory */
} sparse_matrix;

/* A copy of a matrix that lies in the host's memory, but for its values, which are elements of a vector where the
 * executor computes, and are copied, too. */
sumac_status sparse_create(executor *self, const sparse_rows *rows, const sumac_vector *values,
                           sparse_matrix **matrix);
void sparse_destroy(sparse_matrix *matrix); /* null is allowed */

#endif
