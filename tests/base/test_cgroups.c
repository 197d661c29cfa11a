/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests the numbers of processors and bytes that control groups leave to a process by quotas and limits. Each
 * case writes a tree of files that replaces the system's files, and has the expected answer.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory_left.h"
#include "base/processors.h"
#include "support/harness.h"

/* Write a file of a tree below `root`, and create its directories. */
static void put_file(const char *root, const char *path, const char *text)
{
    char full[PATH_MAX];
    assert_true((size_t)snprintf(full, sizeof full, "%s%s", root, path) < sizeof full);
    for (char *slash = strchr(full + strlen(root) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(full, 0700);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Write system i's files in `directory`/i, and store that path in `root`. */
static void make_system(char root[PATH_MAX], const char *directory, size_t i, const char *mounts,
                        const char *groups, const char *const *files, size_t count)
{
    snprintf(root, PATH_MAX, "%s/%zu", directory, i);
    assert_int_equal(mkdir(root, 0700), 0);
    put_file(root, "/proc/self/mountinfo", mounts);
    put_file(root, "/proc/self/cgroup", groups);
    for (size_t j = 0; j < count && files[j] != NULL; j += 2) {
        put_file(root, files[j], files[j + 1]);
    }
}

/* ---- processors ---- */

typedef struct group_case {
    const char *mounts;
    const char *groups;
    const char *files[14]; /* paths and contents */
    uint64_t expected;
} group_case;

#define MOUNT_V2 "30 23 0:28 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define MOUNT_V1 "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
#define QUOTA(path, quota) "/sys/fs/cgroup" path "/cpu.max", quota
#define QUOTA_V1(path, quota, period)                                                                        \
    "/sys/fs/cgroup/cpu" path "/cpu.cfs_quota_us", quota, "/sys/fs/cgroup/cpu" path "/cpu.cfs_period_us",    \
        period
#define OTHER_MOUNTS                                                                                         \
    "1 1 8:1 / / rw - ext4 /dev/vda1 rw\n"                                                                   \
    "34 31 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"                                      \
    "22 1 0:21 / /cpu rw - tmpfs cpu rw,cpu\n"

static const group_case group_cases[] = {
    /* There are no groups, or groups without a quota. */
    {"", "", {NULL}, UINT32_MAX},
    {OTHER_MOUNTS, "1:cpuset:/a\n", {"/cpu/a/cpu.cfs_quota_us", "1\n", "/cpu/cpu.max", "1 1\n"}, UINT32_MAX},
    {MOUNT_V2, "0::/a\n", {QUOTA("/a", "max 100000\n")}, UINT32_MAX},
    {MOUNT_V1, "4:cpu,cpuacct:/a\n", {QUOTA_V1(",cpuacct/a", "-1\n", "100000\n")}, UINT32_MAX},
    /* A container sees its own group as the root. */
    {MOUNT_V2, "0::/\n", {QUOTA("", "300000 100000\n")}, 3},
    /* A part of a processor counts as one. Periods may differ. */
    {MOUNT_V2, "0::/\n", {QUOTA("", "150000 100000\n")}, 2},
    {MOUNT_V2, "0::/\n", {QUOTA("", "1000 100000\n")}, 1},
    {MOUNT_V2, "0::/\n", {QUOTA("", "50000 10000\n")}, 5},
    /* The least quota of the group and its ancestors counts. */
    {OTHER_MOUNTS MOUNT_V2,
     "0::/a/b/c\n",
     {QUOTA("/a/b/c", "800000 100000\n"), QUOTA("/a/b", "max 100000\n"), QUOTA("/a", "200000 100000\n"),
      QUOTA("/d", "100000 100000\n")},
     2},
    {MOUNT_V2, "0::/a/b/c\n", {QUOTA("/a/b/c", "400000 100000\n"), QUOTA("/a", "900000 100000\n")}, 4},
    {MOUNT_V2, "0::/a/b\n", {QUOTA("", "700000 100000\n")}, 7},
    /* With version 1, or both versions at once, one of them has the processors' controller. */
    {MOUNT_V1,
     "5:memory:/m\n4:cpu,cpuacct:/a/b\n",
     {QUOTA_V1(",cpuacct/a", "250000\n", "50000\n"), QUOTA_V1(",cpuacct/m", "50000\n", "50000\n")},
     5},
    {"31 30 0:40 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n" MOUNT_V1,
     "4:cpu,cpuacct:/a\n0::/u\n",
     {QUOTA_V1(",cpuacct/a", "600000\n", "100000\n"), QUOTA("/unified/a", "100000 100000\n")},
     6},
    /* If a container is in its host's name space, the mount begins at the container's group. */
    {"33 31 0:30 /docker/f00 /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n",
     "4:cpu:/docker/f00\n",
     {QUOTA_V1("", "200000\n", "100000\n")},
     2},
    {"33 31 0:30 /docker/f00 /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n",
     "0::/docker/f00/sub\n",
     {QUOTA("/sub", "300000 100000\n"), QUOTA("", "900000 100000\n")},
     3},
    /* A mount of another group, or of one whose name only begins alike, does not count. */
    {"33 31 0:30 /docker/f00 /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n",
     "0::/docker/f000\n",
     {QUOTA("", "100000 100000\n"), "/sys/fs/cgroup0/cpu.max", "100000 100000\n"},
     UINT32_MAX},
    /* Names have spaces and colons. */
    {"33 31 0:30 / /sys/my\\040groups\\134x rw - cgroup2 cgroup2 rw\n",
     "0::/a b:c\n",
     {"/sys/my groups\\x/a b:c/cpu.max", "200000 100000\n"},
     2},
    /* Invalid files limit nothing. */
    {MOUNT_V2, "0::/\n", {QUOTA("", "")}, UINT32_MAX},
    {MOUNT_V2, "0::/\n", {QUOTA("", "100000 0\n")}, UINT32_MAX},
    {MOUNT_V2, "0::/\n", {QUOTA("", "many\n")}, UINT32_MAX},
    {"nonsense\n - \n33 31 0:30 / - cgroup2\n", "0::\n::\nnonsense", {NULL}, UINT32_MAX},
};

/* Require that `find` returns each case's answer for its tree. */
static void check_cases(const group_case *cases, size_t count, uint64_t (*find)(const char *root))
{
    char directory[] = "/tmp/sumac-test-XXXXXX", root[PATH_MAX];
    assert_non_null(mkdtemp(directory));
    for (size_t i = 0; i < count; i++) {
        const group_case *c = &cases[i];
        make_system(root, directory, i, c->mounts, c->groups, c->files, sizeof c->files / sizeof *c->files);
        const uint64_t found = find(root);
        if (found != c->expected) {
            test_abort("case %zu: %llu instead of %llu", i, (unsigned long long)found,
                       (unsigned long long)c->expected);
        }
    }
    snprintf(root, sizeof root, "rm -r %s", directory);
    assert_int_equal(system(root), 0);
}

static uint64_t find_processors(const char *root)
{
    return processors_of_groups(root);
}

static void test_quotas(void)
{
    check_cases(group_cases, sizeof group_cases / sizeof *group_cases, find_processors);
    assert_int_equal(processors_of_groups("/nowhere"), UINT32_MAX);
    /* On this machine neither the affinity nor the quota may be exceeded. */
    const uint32_t allowed = processors_allowed();
    assert_true(allowed >= 1 && allowed <= processors_of_affinity() && allowed <= processors_of_groups(""));
}

/* ---- memory ---- */

#define MEMINFO "MemTotal:  99999 kB\nMemFree:  1 kB\nMemAvailable:  4000 kB\nSwapFree:  96 kB\n"
#define MEMORY_V1 "35 31 0:32 / /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory\n"
#define V2(path, limit, usage)                                                                               \
    "/sys/fs/cgroup" path "/memory.max", limit, "/sys/fs/cgroup" path "/memory.current", usage
#define V1(path, limit, usage)                                                                               \
    "/sys/fs/cgroup/memory" path "/memory.limit_in_bytes", limit,                                            \
        "/sys/fs/cgroup/memory" path "/memory.usage_in_bytes", usage

enum { MACHINE = 4096 * 1024 /* the bytes that MEMINFO leaves */ };

static const group_case memory_cases[] = {
    /* The system has no files, no groups, or groups that limit nothing. */
    {"", "", {NULL}, UINT64_MAX},
    {"", "", {"/proc/meminfo", MEMINFO}, MACHINE},
    {MOUNT_V2, "0::/a\n", {"/proc/meminfo", MEMINFO, V2("/a", "max\n", "1000\n")}, MACHINE},
    {MEMORY_V1,
     "7:memory:/a\n",
     {"/proc/meminfo", MEMINFO, V1("/a", "9223372036854771712\n", "77\n")},
     MACHINE},
    /* The lesser of the machine's and the group's memory counts. */
    {MOUNT_V2, "0::/a\n", {"/proc/meminfo", MEMINFO, V2("/a", "900000000\n", "1000\n")}, MACHINE},
    {MOUNT_V2, "0::/a\n", {"/proc/meminfo", MEMINFO, V2("/a", "1500000\n", "400000\n")}, 1100000},
    {MEMORY_V1, "7:memory:/a\n", {"/proc/meminfo", MEMINFO, V1("/a", "1500000\n", "500000\n")}, 1000000},
    {MOUNT_V2, "0::/a\n", {V2("/a", "1500000\n", "1500001\n")}, 0},
    /* The group's cached pages of files count as free. In version 1 those of groups below it count, too. */
    {MOUNT_V2,
     "0::/a\n",
     {V2("/a", "1500000\n", "1400000\n"), "/sys/fs/cgroup/a/memory.stat",
      "anon 5\ninactive_file_x 9\ninactive_file 300000\n"},
     400000},
    {MEMORY_V1,
     "7:memory:/a\n",
     {V1("/a", "1500000\n", "1400000\n"), "/sys/fs/cgroup/memory/a/memory.stat",
      "inactive_file 7\ntotal_inactive_file 300000\n"},
     400000},
    /* The least limit of the group and its ancestors counts. */
    {OTHER_MOUNTS MOUNT_V2,
     "0::/a/b/c\n",
     {V2("/a/b/c", "max\n", "5\n"), V2("/a/b", "3000000\n", "5\n"), V2("/a", "2000000\n", "1700000\n")},
     300000},
    {MEMORY_V1,
     "7:memory:/a/b\n4:cpu,cpuacct:/x\n",
     {V1("/a/b", "700000\n", "0\n"), V1("/a", "9000000\n", "8900000\n"), V1("/x", "5\n", "5\n")},
     100000},
    /* Both versions are mounted, and the memory controller is one of several in its hierarchy. */
    {"31 30 0:40 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n" MEMORY_V1,
     "7:blkio,memory:/a\n0::/u\n",
     {V1("/a", "800000\n", "300000\n"), "/sys/fs/cgroup/unified/a/memory.max", "5\n"},
     500000},
    /* One container is in its host's name space, and one sees its group as the root. */
    {"33 31 0:30 /docker/f00 /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n",
     "0::/docker/f00/sub\n",
     {V2("/sub", "max\n", "1\n"), V2("", "600000\n", "100000\n")},
     500000},
    {MOUNT_V2, "0::/\n", {V2("", "600000\n", "200000\n")}, 400000},
    /* Invalid files, and limits without usage or the reverse, limit nothing. */
    {MOUNT_V2, "0::/\n", {V2("", "", "1\n")}, UINT64_MAX},
    {MOUNT_V2, "0::/\n", {V2("", "-5\n", "1\n")}, UINT64_MAX},
    {MOUNT_V2, "0::/\n", {"/sys/fs/cgroup/memory.max", "600000\n"}, UINT64_MAX},
    {"nonsense\n - \n", "0::\n::\nnonsense", {"/proc/meminfo", "MemAvailable: sub-batches\n"}, UINT64_MAX},
};

static void test_memory_left(void)
{
    check_cases(memory_cases, sizeof memory_cases / sizeof *memory_cases, memory_left);
    /* This machine has memory left, and no block can be larger than that. */
    const uint64_t left = memory_left("");
    assert_true(left > 0);
    assert_true(memory_missing(MEMORY_NEVER_ASKED) == 0);
    assert_true(left == UINT64_MAX || memory_missing(left + (left / 2)) != 0);
}

static const test_entry entries[] = {
    {"quotas", TEST_ONCE(test_quotas)},
    {"memory that is left", TEST_ONCE(test_memory_left)},
};
TEST_MAIN("cgroups", entries)
