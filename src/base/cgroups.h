/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions read the limits of the control groups that contain this process, up to the root of each mount. They find
 * the groups of versions 1 and 2 by `root`/proc/self/cgroup and `root`/proc/self/mountinfo; `root` is "" except in tests.
 */
#ifndef SUMAC_BASE_CGROUPS_H
#define SUMAC_BASE_CGROUPS_H

#include <stdint.h>

/* A cgroup_limit returns the limit of one group. The group is a directory below `root` in a hierarchy of this version.
 * UINT64_MAX means that there is no limit. */
typedef uint64_t (*cgroup_limit)(const char *root, const char *directory, int version);

/* Return the lowest limit of the groups of a controller, "cpu" or "memory". Return UINT64_MAX if no group has one. */
uint64_t cgroups_least(const char *root, const char *controller, cgroup_limit limit);

/* The first words of the file root + directory + name are numbers. Read up to `count` of them, and return how many were
 * read. */
int cgroup_read_numbers(const char *root, const char *directory, const char *name, uint64_t *numbers,
                        int count);

/* Find the line of the file root + directory + name that begins with a key, and read the number behind the key. Return
 * whether it was found. */
int cgroup_read_row(const char *root, const char *directory, const char *name, const char *key,
                    uint64_t *number);

#endif
