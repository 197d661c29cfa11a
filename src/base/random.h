/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The system's randomness, for what nobody may guess. */
#ifndef SUMAC_BASE_RANDOM_H
#define SUMAC_BASE_RANDOM_H

#include <stddef.h>

/* Fill at most 256 bytes. Returns 0, or the system's error number, and then the bytes mean nothing. */
int system_random(void *bytes, size_t count);

#endif
