/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An executor keeps roots of unity from one transform to the next. */
#ifndef SUMAC_VECTOR_KEPT_ROOTS_H
#define SUMAC_VECTOR_KEPT_ROOTS_H

#include "executor/executor.h"
#include "vector/vector.h"

/* This is a list. Each entry has powers of one root of unity of a field. */
typedef struct vector_roots vector_roots;

/* Get the roots for a transform of 2^log2 elements. They lie in the backend's memory, and the executor keeps them. If
 * `factors` is not 0, they have the form by which transforms of scalars multiply; otherwise they are scalars. They are
 * valid until roots are taken the next time.
 *
 * root is an element of order 2^log2 in host memory; null means sumac_root_of_unity(). The executor keeps the powers of a
 * few such elements. */
sumac_status roots_take(executor *self, const vector_run *run, const scalar_vector_ops *ops, int factors,
                        uint32_t log2, const uint64_t *root, const void **roots);

/* Raise an element to the power 2^log2, on the host. */
void roots_raise(const vector_run *run, uint64_t *element, uint32_t log2);

/* Free the executor's roots. Call this before the executor is closed. */
void roots_free(executor *self);

#endif
