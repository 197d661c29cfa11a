/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions find how many processors this process may keep busy. */
#ifndef SUMAC_BASE_PROCESSORS_H
#define SUMAC_BASE_PROCESSORS_H

#include <stdint.h>

/* Return the lower of the two limits below, at least 1. */
uint32_t processors_allowed(void);

/* Return how many processors the calling thread may be scheduled on. If the system does not say, return how many the
 * machine has. */
uint32_t processors_of_affinity(void);

/* Return how many processors the CPU quotas of the control groups around this process allow (base/cgroups.h). This is
 * the least quota, rounded up, so that threads can use all of it. If there is no quota, return UINT32_MAX. */
uint32_t processors_of_groups(const char *root);

#endif
