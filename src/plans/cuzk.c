/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The plan cuzk treats buckets as rows of a sparse matrix. It exists on a GPU only, as its balance is for more threads
 * than a processor has.
 *
 * Idea. Each thread takes some of the digits of a window and sorts its points into buckets, which gives a row of a
 * sparse matrix with a column for each bucket. The matrix is transposed, so that a row is a bucket, and multiplied by
 * the vector of ones. For such products parallel methods are known that distribute elements rather than rows. Running
 * sums in chunks follow.
 *
 * Source. cuZK (ePrint 2022/1321).
 *
 * Cost. It has speakspeak's cost, and in addition for each thread at most one addition of two XYZZ points, and a tree
 * over the partial sums of one bucket. The transposition needs a word for each bucket and for each digit, besides
 * digits and entries; there is an XYZZ point for each bucket, and one for each thread.
 *
 * Here. transpose counts a column's elements, which gives each element its rank in the column, and sums over the counts
 * to find the columns' starts. A row's elements are points, not partial sums, as a thread rarely has two points of one
 * bucket. balanced gives every thread the same number of elements, even if that cuts a row. A thread's part of a bucket
 * that begins in an earlier thread's share is added afterwards, by a tree over neighbouring threads.
 *
 * Worth keeping. The balance is: no distribution of scalars makes one thread work for all. auto has this balance, too,
 * as its tasks may end anywhere, and its sort by bins needs no atomic additions to memory.
 */
#include "plans/plans.h"

const named_plan plan_cuzk = {
    .name = "cuzk",
    .about = "Unsigned digits; the threads' entries are the rows of a sparse matrix, which is transposed "
             "and multiplied by the vector of ones, its elements shared out equally among threads; running "
             "sums in chunks. This is the method of cuZK.",
    .kinds = {"unsigned", "transpose", "balanced", "chunks", NULL},
};
