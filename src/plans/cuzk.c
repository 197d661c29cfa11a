/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The plan `cuzk` treats buckets as rows of a sparse matrix. It exists on a GPU only, because its load balancing pays
 * only with more threads than a CPU has.
 *
 * Idea. Each thread takes some of the digits of a window and sorts its points into buckets, which gives a row of a
 * sparse matrix with a column for each bucket. The matrix is transposed, so that a row is a bucket, and multiplied by
 * the vector of ones. For such products parallel methods are known that distribute elements rather than rows. Then the
 * buckets are added up by running sums in chunks.
 *
 * Source. The method comes from cuZK (ePrint 2022/1321).
 *
 * Cost. It costs as much as the plan `speakspeak`, and in addition, for each thread, at most one addition of two XYZZ
 * points, and a tree over the partial sums of one bucket. The transposition needs a word for each bucket and for each
 * digit, besides digits and entries; there is an XYZZ point for each bucket, and one for each thread.
 *
 * Here. The sort `transpose` counts the elements of each column, which gives each element its rank there. It then adds
 * up the counts to find where the columns start. A row's elements are points, not partial sums, because a thread rarely
 * has two points of one bucket. The accumulation `balanced` gives every thread the same number of elements, even if
 * that cuts a row. A thread's part of a bucket that begins in an earlier thread's share is added afterwards, by a tree
 * over neighbouring threads.
 *
 * Worth keeping. Its load balancing is worth keeping: whatever the scalars are, no thread does the work of all others.
 * The plan `auto` is balanced, too, because its tasks may end anywhere, and its sort by bins needs no atomic additions
 * to memory.
 */
#include "plans/plans.h"

const named_plan plan_cuzk = {
    .name = "cuzk",
    .about = "Unsigned digits; the threads' entries are the rows of a sparse matrix, which is transposed "
             "and multiplied by the vector of ones; the matrix's elements are shared out equally among "
             "threads; running sums in chunks. This is the method of cuZK.",
    .kinds = {"unsigned", "transpose", "balanced", "chunks", NULL},
};
