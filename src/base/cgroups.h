/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The limits of the control groups that contain this process, and of the groups around them up to the root of each mount.
 * Versions 1 and 2 are read as `root`/proc/self/cgroup and `root`/proc/self/mountinfo describe them; `root` is "" but in
 * tests.
 */
#ifndef SUMAC_BASE_CGROUPS_H
#define SUMAC_BASE_CGROUPS_H

#include <stdint.h>

/* The limit of one group, a directory below root in a hierarchy of a version; UINT64_MAX: no limit. */
typedef uint64_t (*cgroup_limit)(const char *root, const char *directory, int version);

/* The least limit of the groups of a controller ("cpu", "memory"); UINT64_MAX if there is none. */
uint64_t cgroups_least(const char *root, const char *controller, cgroup_limit limit);

/* Read up to `count` numbers, the first words of the file root + directory + name; return how many there are. */
int cgroup_read_numbers(const char *root, const char *directory, const char *name, uint64_t *numbers,
                        int count);

/* Read the number behind a key at the beginning of a line of such a file; return whether there is one. */
int cgroup_read_row(const char *root, const char *directory, const char *name, const char *key,
                    uint64_t *number);

#endif
