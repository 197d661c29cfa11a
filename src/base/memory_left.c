/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/memory_left.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/cgroups.h"
#include "base/integers.h"

static uint64_t machine_left(const char *root)
{
    uint64_t memory, swap = 0;
    if (!cgroup_read_row(root, "/proc", "/meminfo", "MemAvailable:", &memory)) {
        return UINT64_MAX;
    }
    (void)cgroup_read_row(root, "/proc", "/meminfo", "SwapFree:", &swap);
    return (memory + swap) * 1024;
}

/* Return the memory that one group has left. Cached pages of files count as free, as the system frees them on demand. */
static uint64_t group_left(const char *root, const char *directory, int version)
{
    const int second = version == 2;
    uint64_t limit, usage, cached = 0;
    if (cgroup_read_numbers(root, directory, second ? "/memory.max" : "/memory.limit_in_bytes", &limit, 1) !=
            1 ||
        cgroup_read_numbers(root, directory, second ? "/memory.current" : "/memory.usage_in_bytes", &usage,
                            1) != 1) {
        return UINT64_MAX;
    }
    (void)cgroup_read_row(root, directory, "/memory.stat", second ? "inactive_file " : "total_inactive_file ",
                          &cached);
    usage -= smaller(cached, usage);
    return usage < limit ? limit - usage : 0;
}

uint64_t memory_left(const char *root)
{
    return smaller(machine_left(root), cgroups_least(root, "memory", group_left));
}

uint64_t memory_left_for_one(void)
{
    return memory_left("") / 8 * 7;
}

uint64_t memory_missing(uint64_t bytes)
{
    const uint64_t left = bytes <= MEMORY_NEVER_ASKED ? bytes : memory_left("");
    return bytes <= left ? 0 : bytes - left;
}

void memory_give_back(void)
{
#ifdef __GLIBC__
    (void)malloc_trim(0);
#endif
}
