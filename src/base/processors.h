/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How many processors this process may keep busy. */
#ifndef SUMAC_BASE_PROCESSORS_H
#define SUMAC_BASE_PROCESSORS_H

#include <stdint.h>

/* The least of both below; at least 1. */
uint32_t processors_allowed(void);

/* Those that the calling thread may be scheduled on; where the system doesn't tell, those that are there. */
uint32_t processors_of_affinity(void);

/*
 * What the CPU quotas of the control groups allow that this process is in, and those around them up to the
 * root of each mount: the least quota, in processors, rounded up, so that threads can use all of it.
 * UINT32_MAX where nothing limits. Versions 1 (cpu.cfs_quota_us) and 2 (cpu.max), as `root`/proc/self/cgroup
 * and `root`/proc/self/mountinfo describe them; `root` is "" but in tests.
 */
uint32_t processors_of_groups(const char *root);

#endif
