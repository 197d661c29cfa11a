/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An executor keeps roots of unity from one transform to the next. */
#ifndef SUMAC_VECTOR_KEPT_ROOTS_H
#define SUMAC_VECTOR_KEPT_ROOTS_H

#include "executor/executor.h"
#include "vector/vector.h"

/* A list whose entries each have the roots of one field. */
typedef struct vector_roots vector_roots;

/* Get roots for a transform of 2^log2 elements in the backend's memory; the executor keeps them. With factors != 0 they
 * have the form that transforms of scalars multiply by, otherwise they are scalars. They are valid until roots for a
 * larger transform are taken. */
sumac_status roots_take(executor *self, const vector_run *run, const scalar_vector_ops *ops, int factors,
                        uint32_t log2, const void **roots);

/* Free the executor's roots, before it is closed. */
void roots_free(executor *self);

#endif
