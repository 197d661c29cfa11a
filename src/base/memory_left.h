/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How much memory is left. Linux promises more than it has, and kills the process that asks it to keep the
 * promise: who needs much of it asks here first. */
#ifndef SUMAC_BASE_MEMORY_LEFT_H
#define SUMAC_BASE_MEMORY_LEFT_H

#include <stdint.h>

/* An estimate of the bytes that this process can still use: what the machine has without swapping, and its
 * free swap; or what the control groups leave, if that is less. UINT64_MAX where the system does not tell.
 * Files are looked for below `root`, which is "" but in tests. */
uint64_t memory_left(const char *root);

/* Asking takes up to a millisecond: for so few bytes, which any machine has, nobody asks. */
#define MEMORY_NEVER_ASKED ((uint64_t)16 << 20)

/* The most of it that one block should take, so that something is left for the others: 7/8. */
uint64_t memory_left_for_one(void);

/* Of so many bytes more, how many can't be used; 0: all can. */
uint64_t memory_missing(uint64_t bytes);

/* Give the system what the C library keeps of blocks that are freed, where it can: some tens of MiB after a large file was
 * read. Takes milliseconds. */
void memory_give_back(void);

#endif
