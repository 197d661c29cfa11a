/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What the control groups limit that this process is in, and those around them up to the root of each mount:
 * versions 1 and 2, as `root`/proc/self/cgroup and `root`/proc/self/mountinfo describe them; `root` is "" but
 * in tests.
 */
#ifndef SUMAC_BASE_CGROUPS_H
#define SUMAC_BASE_CGROUPS_H

#include <stdint.h>

/* What one group, a directory below root in a hierarchy of a version, allows; UINT64_MAX: no limit. */
typedef uint64_t (*cgroup_limit)(const char *root, const char *directory, int version);

/* The least that the groups of a controller ("cpu", "memory") allow; UINT64_MAX where nothing limits. */
uint64_t cgroups_least(const char *root, const char *controller, cgroup_limit limit);

/* The first words of a file that are numbers: how many of `count` there are. The file is
 * root + directory + name. */
int cgroup_read_numbers(const char *root, const char *directory, const char *name, uint64_t *numbers,
                        int count);

/* The number behind a key at the beginning of a line of a file: whether there is one. */
int cgroup_read_row(const char *root, const char *directory, const char *name, const char *key,
                    uint64_t *number);

#endif
