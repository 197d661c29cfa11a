/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions estimate how much memory is left. Linux grants more memory than it has, and may kill a process that
 * uses it, so code that needs much memory calls them first. */
#ifndef SUMAC_BASE_MEMORY_LEFT_H
#define SUMAC_BASE_MEMORY_LEFT_H

#include <stdint.h>

/* Estimate how many bytes this process can still use. This is the memory that the machine has without swapping, plus
 * its free swap. If the limits of the control groups leave less, it is what these leave. Return UINT64_MAX if the
 * system does not tell. Files are read below `root`, which is "" except in tests. */
uint64_t memory_left(const char *root);

/* The estimate takes up to a millisecond. Any machine has this many bytes, so for this many or fewer the estimate is
 * skipped. */
#define MEMORY_NEVER_ASKED ((uint64_t)16 << 20)

/* Return how many bytes one block should take at most. This is 7/8 of the memory that is left, so that some remains for
 * others. */
uint64_t memory_left_for_one(void);

/* Return by how many bytes an allocation of `bytes` exceeds the memory that is left. Return 0 if it fits. */
uint64_t memory_missing(uint64_t bytes);

/* The C library keeps freed blocks; after a large file was read, they have some tens of MiB. If it can, give them back
 * to the system. This takes milliseconds. */
void memory_give_back(void);

#endif
