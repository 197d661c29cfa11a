/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Elements of any size to other places: the part of the CPU's vectors that needs no arithmetic. */
#ifndef SUMAC_CPU_VECTOR_MOVES_H
#define SUMAC_CPU_VECTOR_MOVES_H

#include "cpu/parallel.h"
#include "vector/vector.h"

/* The team of an operation on vectors. */
parallel_team vector_team(const vector_run *run, const char *name);

/* Copy between slices of the same shape, which do not overlap. */
void sumac_vector_copy_slices(const vector_run *run, void *to, const vector_slice *to_slice, const void *from,
                              const vector_slice *from_slice, size_t bytes);

/* Row i of `to` is row numbers[i] of `from`; rows of row_bytes. */
void sumac_vector_gather_rows(const vector_run *run, void *to, const void *from, size_t row_bytes,
                              const uint64_t *numbers, uint64_t n);

/* `count` matrices of rows*columns elements, transposed one by one. */
void sumac_vector_transpose_matrices(const vector_run *run, void *to, const void *from, size_t bytes,
                                     uint64_t count, uint64_t rows, uint64_t columns);

/* In each row of 2^log2 elements, elements whose numbers are each other's with the bits reversed change
 * places. */
void sumac_vector_bit_reverse_rows(const vector_run *run, void *elements, size_t bytes, uint64_t rows,
                                   uint32_t log2);

#endif
