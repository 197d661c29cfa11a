/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * cuzk: buckets as rows of a sparse matrix. On a GPU only: its balance is for more threads than a processor has.
 *
 * Idea. Each thread takes some of the digits of a window and sorts its points into separate buckets: a
 * row of a sparse matrix with a column for each bucket. The matrix is transposed, so that a row is a
 * bucket, and multiplied by the vector of ones: a product of a sparse matrix and a vector, for which
 * parallel methods are known that share out elements rather than rows. Then running sums in chunks.
 *
 * Source. cuZK (ePrint 2022/1321).
 *
 * Cost. As speakspeak's; besides, for each thread at most one addition of two XYZZ points, and a tree over
 * those of one bucket. Bytes: a word for each bucket and for each digit, for the transposition, beside
 * digits and entries; an XYZZ point a bucket, and one a thread.
 *
 * Here. transpose counts a column's elements, which gives each its place in it, and begins columns where a
 * sum over the counts says. A row's elements are points, not yet partial sums, as hardly two of a thread's
 * lie in one bucket. balanced gives every thread the same number of elements, wherever that cuts a row;
 * what a thread has of a bucket that began with another is added afterwards, as a tree over neighbouring
 * threads.
 *
 * Worth keeping. The balance: no distribution of scalars makes one thread work for all. auto has it, too,
 * as its tasks are cut anywhere; and its sort by bins needs no atomic additions to memory.
 */
#include "plans/plans.h"

const named_plan plan_cuzk = {
    .name = "cuzk",
    .about = "Unsigned digits; the threads' entries are the rows of a sparse matrix, which is transposed "
             "and multiplied by the vector of ones, its elements shared out equally among threads; running "
             "sums in chunks. This is the method of cuZK.",
    .kinds = {"unsigned", "transpose", "balanced", "chunks", NULL},
};
