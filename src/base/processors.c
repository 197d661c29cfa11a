/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/processors.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include "base/cgroups.h"
#include "base/integers.h"

/* ---- Affinity ---- */

/* No kernel supports more processors than this number. */
#define MOST_PROCESSORS ((size_t)1 << 20)

uint32_t processors_of_affinity(void)
{
#ifdef CPU_ALLOC /* macOS has no affinity */
    /* The kernel refuses a set that is shorter than its own set. */
    for (size_t capacity = CPU_SETSIZE; capacity <= MOST_PROCESSORS; capacity *= 2) {
        cpu_set_t *set = CPU_ALLOC(capacity);
        if (set == NULL) {
            break;
        }
        const size_t bytes = CPU_ALLOC_SIZE(capacity);
        const int failed = sched_getaffinity(0, bytes, set) != 0;
        const int too_short = failed && errno == EINVAL;
        const int count = failed ? 0 : CPU_COUNT_S(bytes, set);
        CPU_FREE(set);
        if (count > 0) {
            return (uint32_t)count;
        }
        if (!too_short) {
            break;
        }
    }
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (uint32_t)online;
}

/* ---- Control groups ---- */

/* Return how many processors the quota of one group allows. This is the microseconds of processor time that it allows
 * per period, divided by the period. */
static uint64_t quota_of(const char *root, const char *directory, int version)
{
    uint64_t time[2];
    const int limited =
        version == 2 ? cgroup_read_numbers(root, directory, "/cpu.max", time, 2) == 2
                     : cgroup_read_numbers(root, directory, "/cpu.cfs_quota_us", &time[0], 1) == 1 &&
                           cgroup_read_numbers(root, directory, "/cpu.cfs_period_us", &time[1], 1) == 1;
    if (!limited || time[0] == 0 || time[1] == 0) {
        return UINT64_MAX;
    }
    return ceil_divide(time[0], time[1]);
}

uint32_t processors_of_groups(const char *root)
{
    return (uint32_t)smaller(UINT32_MAX, cgroups_least(root, "cpu", quota_of));
}

uint32_t processors_allowed(void)
{
    return (uint32_t)smaller(processors_of_affinity(), processors_of_groups(""));
}
