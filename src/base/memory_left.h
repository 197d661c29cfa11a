/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions estimate how much memory is left. Linux grants more memory than it has, and may kill a process that
 * uses it, so code that needs much memory calls them first. */
#ifndef SUMAC_BASE_MEMORY_LEFT_H
#define SUMAC_BASE_MEMORY_LEFT_H

#include <stdint.h>

/* Estimate the bytes that this process can still use: the memory that the machine has without swapping, and its free
 * swap, or the rest of the control groups' limits if that is less. Return UINT64_MAX if the system does not tell. Files
 * are read below `root`, which is "" except in tests. */
uint64_t memory_left(const char *root);

/* The estimate takes up to a millisecond, so it is skipped for this many bytes or fewer, which any machine has. */
#define MEMORY_NEVER_ASKED ((uint64_t)16 << 20)

/* Return the most bytes that one block should take, 7/8 of the memory left, so that some remains for others. */
uint64_t memory_left_for_one(void);

/* Return by how many bytes an allocation of `bytes` exceeds the memory left; 0 if it fits. */
uint64_t memory_missing(uint64_t bytes);

/* Give the freed blocks that the C library keeps back to the system, if it can: some tens of MiB after a large file was
 * read. This takes milliseconds. */
void memory_give_back(void);

#endif
