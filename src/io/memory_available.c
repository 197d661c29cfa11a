/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700

#include "io/memory_available.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the two versions of Linux control groups keep what is needed here. */
typedef struct group_files {
    const char *line; /* how the group's line in /proc/self/cgroup begins, after the number and a colon */
    const char *root;
    const char *limit;
    const char *usage;
    const char
        *reclaimable; /* the line of memory.stat with cached pages of files, which are given back on demand */
} group_files;

static const group_files group_versions[] = {
    {":", "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"},
    {"memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file"},
};

/* The number after `key` at the start of a line of a file, or the file's first number for an empty key; 0 if
 * none. */
static int read_number(const char *path, const char *key, uint64_t *value)
{
    char line[256];
    int found = 0;
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return 0;
    }
    const size_t length = strlen(key);
    while (!found && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, length) == 0) {
            char *end;
            *value = strtoull(line + length, &end, 10);
            found = end != line + length;
        }
    }
    fclose(file);
    return found;
}

/* What the machine has left: memory that can be had without swapping, and the swap that is free. */
static uint64_t machine_available(void)
{
    uint64_t memory, swap = 0;
    if (!read_number("/proc/meminfo", "MemAvailable:", &memory)) {
        return UINT64_MAX;
    }
    (void)read_number("/proc/meminfo", "SwapFree:", &swap);
    return (memory + swap) * 1024;
}

/* What one control group has left. */
static uint64_t group_available(const group_files *files, const char *group)
{
    char path[1024];
    uint64_t limit, usage, reclaimable = 0;
    snprintf(path, sizeof path, "%s%s/%s", files->root, group, files->limit);
    if (!read_number(path, "", &limit)) {
        return UINT64_MAX;
    }
    snprintf(path, sizeof path, "%s%s/%s", files->root, group, files->usage);
    if (!read_number(path, "", &usage)) {
        return UINT64_MAX;
    }
    snprintf(path, sizeof path, "%s%s/memory.stat", files->root, group);
    (void)read_number(path, files->reclaimable, &reclaimable);
    usage -= reclaimable < usage ? reclaimable : usage;
    return usage < limit ? limit - usage : 0;
}

/* The least that a group and the groups around it have left. */
static uint64_t groups_available(const group_files *files, char *group)
{
    uint64_t least = group_available(files, "");
    while (group[0] != '\0') {
        const uint64_t available = group_available(files, group);
        least = available < least ? available : least;
        char *last = strrchr(group, '/');
        *(last == NULL ? group : last) = '\0';
    }
    return least;
}

uint64_t memory_available(void)
{
    uint64_t least = machine_available();
    FILE *file = fopen("/proc/self/cgroup", "re");
    char line[768];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *controllers = strchr(line, ':');
        line[strcspn(line, "\n")] = '\0';
        for (size_t i = 0; controllers != NULL && i < sizeof group_versions / sizeof *group_versions; i++) {
            const size_t length = strlen(group_versions[i].line);
            if (strncmp(controllers + 1, group_versions[i].line, length) == 0) {
                const uint64_t available = groups_available(&group_versions[i], controllers + 1 + length);
                least = available < least ? available : least;
                break;
            }
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return least;
}
