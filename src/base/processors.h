/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions find how many processors this process may keep busy. */
#ifndef SUMAC_BASE_PROCESSORS_H
#define SUMAC_BASE_PROCESSORS_H

#include <stdint.h>

/* Return the lower of the two limits below, at least 1. */
uint32_t processors_allowed(void);

/* Return the processors that the calling thread may be scheduled on, or all of the machine if the system does not tell. */
uint32_t processors_of_affinity(void);

/* Return the processors that the CPU quotas of the control groups around this process allow (base/cgroups.h): the least quota,
 * rounded up so that threads can use all of it; UINT32_MAX if there is no quota. */
uint32_t processors_of_groups(const char *root);

#endif
