/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * speakspeak: a radix sort in each window, and equal ranges of the sorted list.
 *
 * Idea. Unsigned digits in equal windows, the last of which has the bits that are left. Each window has one
 * radix sort of (digit, index), run lengths, and where the runs begin. Threads get equal ranges of the
 * sorted list, with borders moved on to where the digit changes, so that no bucket belongs to two threads
 * and none needs an atomic addition. The reduction is cut into chunks: each has its running sums as if its
 * first bucket counted once, and is corrected by (s - 1) times the chunk's total, s the first bucket's
 * digit; a tree adds up the chunks. Of 253 = 12*21 + 1 bits the last window has one bit: its ones are
 * selected, shared out equally and added up as a tree.
 *
 * Source. speakspeak's entry of ZPrize 2022, prize 1a, for BLS12-377 and n = 2^26
 * (github.com/z-prize/2022-entries). The paper beside it is cuZK (ePrint 2022/1321), whose sparse matrices
 * the entry does not use.
 *
 * Cost. W*(n*(1 - 1/K) - r*K) additions of an affine point; W*2K in XYZZ, and for each chunk 1.5 additions
 * a bit of its first digit. Bytes: the pairs of a pass twice, 16 bytes a digit, beside digits and entries;
 * an XYZZ point a bucket.
 *
 * Here. radix takes eight bits at a time; on a GPU it is CUB's, over all windows of a pass at once, and a
 * bucket begins where its number would be inserted into the sorted list, instead of run lengths. ranges has
 * two for each thread, on a GPU 2^16 a pass; chunks has up to 32 a window, of at least 16 buckets, on a GPU
 * 2^16 a pass, of at least 32. Trees are a few launches instead of one cooperative one. A last window of
 * one or two bits is handled apart where no other window shares its module, as happens with multiples. The
 * planner chooses the window: the original's 21 bits are for 2^26 bases.
 *
 * Worth keeping. Borders between buckets need no partial sums, but a bucket with half of the bases is one
 * thread's: of equal scalars each window has one. auto cuts wherever a task ends, and adds the parts of a
 * cut bucket last. Chunks that correct themselves need not know of each other; running-sum corrects all of
 * a window's at the end, by one more running sum over them, with fewer additions.
 */
#include "plans/plans.h"

const named_plan plan_speakspeak = {
    .name = "speakspeak",
    .about = "Unsigned digits, a radix sort of (digit, base) in each window, equal ranges of the sorted "
             "bases with borders between buckets, running sums in chunks that are corrected by where they "
             "begin; a last window of a bit or two is handled apart. This is speakspeak's entry of ZPrize "
             "2022, which had windows of 21 bits for 2^26 bases.",
    .kinds = {"unsigned", "radix", "ranges", "chunks", NULL},
};
