/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How much memory is left. Linux promises more memory than it has, and kills a process that uses what it was promised:
 * code that needs much memory asks here first. */
#ifndef SUMAC_BASE_MEMORY_LEFT_H
#define SUMAC_BASE_MEMORY_LEFT_H

#include <stdint.h>

/* Estimate the bytes that this process can still use: what the machine has without swapping, and its free swap; or what the
 * control groups leave, if that is less. UINT64_MAX if the system does not tell. Files are looked for below `root`, which is
 * "" but in tests. */
uint64_t memory_left(const char *root);

/* Asking takes up to a millisecond: it is not worth it for so few bytes, which any machine has. */
#define MEMORY_NEVER_ASKED ((uint64_t)16 << 20)

/* The most that one block should take, so that something is left for others: 7/8. */
uint64_t memory_left_for_one(void);

/* Return how many of so many additional bytes exceed what is available; 0 if all can be used. */
uint64_t memory_missing(uint64_t bytes);

/* Return the freed blocks that the C library keeps to the system, if it can: some tens of MiB after a large file was read.
 * Takes milliseconds. */
void memory_give_back(void);

#endif
