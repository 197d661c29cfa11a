/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* system_random() reads the system's randomness, for values that nobody may guess. */
#ifndef SUMAC_BASE_RANDOM_H
#define SUMAC_BASE_RANDOM_H

#include <stddef.h>

/* Fill `count` <= 256 bytes. Return 0 or, on failure, the system's error number; then the bytes are undefined. */
int system_random(void *bytes, size_t count);

#endif
