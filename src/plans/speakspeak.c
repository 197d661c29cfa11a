/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The plan `speakspeak` has a radix sort in each window, and equal ranges of the sorted list.
 *
 * Idea. The digits are unsigned, in equal windows; the last window has the remaining bits. Each window has one radix
 * sort of (digit, index), run lengths, and the starts of the runs. Threads get equal ranges of the sorted list, whose
 * borders are moved to the next change of the digit, so that no bucket belongs to two threads, and none needs an atomic
 * addition. The reduction is divided into chunks: each has its running sums as if its first bucket counted once, and is
 * corrected by (s - 1) times the chunk's total, where s is the first bucket's digit. A tree adds up the chunks. Of 253
 * = 12*21 + 1 bits the last window has one bit: its ones are selected, divided equally among threads, and added up as a
 * tree.
 *
 * Source. speakspeak's entry of ZPrize 2022, prize 1a, for BLS12-377 and n = 2^26
 * (github.com/z-prize/2022-entries). The paper beside it is cuZK (ePrint 2022/1321), whose sparse matrices
 * the entry does not use.
 *
 * Cost. It takes W*(n*(1 - 1/K) - r*K) additions of an affine point, W*2K in XYZZ, and for each chunk 1.5 additions for
 * each bit of its first digit. Besides digits and entries, it needs the pairs of a pass twice, 16 bytes for each digit,
 * and an XYZZ point for each bucket.
 *
 * Here. The sort `radix` takes eight bits at a time. On a GPU it is CUB's sort, over all windows of a pass at once, and
 * instead of run lengths a search for each bucket's number in the sorted list gives the bucket's start. There are two
 * ranges for each thread, on a GPU 2^16 in a pass. A window has up to 32 chunks of at least 16 buckets; on a GPU a pass
 * has 2^16, of at least 32. Trees are a few launches instead of one cooperative one. A last window of one or two bits
 * is handled apart if no other window shares its module; with multiples, windows do. The planner chooses the window:
 * the original's 21 bits are for 2^26 bases.
 *
 * Worth keeping. Borders between buckets need no partial sums, but one thread has all of a bucket, even with half of
 * the bases; equal scalars give each window such a bucket. The plan `auto` cuts a bucket where a task ends, and adds
 * the parts of the bucket last. Chunks that correct themselves are independent. The reduction `running-sum` corrects
 * all chunks of a window at the end by one more running sum over them, with fewer additions.
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
