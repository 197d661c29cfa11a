/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Elements of any size to other places: the part of the CPU's vectors that needs no arithmetic. */
#ifndef SUMAC_CPU_VECTOR_MOVES_H
#define SUMAC_CPU_VECTOR_MOVES_H

#include "pipeline/parallel.h"
#include "vector/vector.h"

/* The team of an operation on vectors. */
parallel_team vector_team(const vector_run *run, const char *name);

/* In each row of 2^log2 elements, elements whose numbers are each other's with the bits reversed change
 * places. */
void sumac_vector_bit_reverse_rows(const vector_run *run, void *elements, size_t bytes, uint64_t rows,
                                   uint32_t log2);

#endif
