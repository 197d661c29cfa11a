/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Roots of unity that a context keeps from one transform to the next. */
#ifndef SUMAC_API_ROOTS_H
#define SUMAC_API_ROOTS_H

#include "vector/vector.h"

/* Of one field; a list. */
typedef struct vector_roots vector_roots;

/* Roots for a transform of 2^log2 elements, from the list or made and added to it: with factors != 0 as
 * transforms of scalars want them, else the scalars themselves. They live until a larger transform's are
 * taken. Null without memory. */
const void *roots_take(vector_roots **list, const vector_run *run, const scalar_vector_ops *ops, int factors,
                       uint32_t log2);

/* Free a list; null is allowed. */
void roots_free(vector_roots *list);

#endif
