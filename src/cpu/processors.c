/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* sched_getaffinity */
#include "cpu/processors.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Affinity ---- */

/* No kernel numbers more processors. */
#define MOST_PROCESSORS ((size_t)1 << 20)

uint32_t processors_of_affinity(void)
{
    /* The kernel refuses a set that is shorter than its own. */
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
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (uint32_t)online;
}

/* ---- Control groups ---- */

/* A mounted hierarchy: the directory `root` of it is seen at `point`. */
typedef struct group_mount {
    int version;
    const char *root;
    const char *point;
} group_mount;

/* 1 if the word is one of a list with commas. */
static int lists_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return 1;
        }
    }
    return 0;
}

/* mountinfo writes space, tab, line break and backslash as \ooo. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; to++) {
        const int escaped = from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] >= '0' &&
                            from[2] <= '7' && from[3] >= '0' && from[3] <= '7';
        *to = escaped ? (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + from[3] - '0') : *from;
        from += escaped ? 4 : 1;
    }
    *to = '\0';
}

/* A line of mountinfo, which is cut up: number, parent, device, root, point, options, optional fields, "-",
 * type, source, options of the type. 1 if it is a hierarchy that limits processors. */
static int parse_mount(char *line, group_mount *mount)
{
    char *fields[5], *state = NULL, *field = strtok_r(line, " ", &state);
    size_t count = 0;
    for (; field != NULL && strcmp(field, "-") != 0; field = strtok_r(NULL, " ", &state)) {
        if (count < sizeof fields / sizeof *fields) {
            fields[count++] = field;
        }
    }
    const char *type = strtok_r(NULL, " ", &state);
    const char *source = strtok_r(NULL, " ", &state);
    const char *options = strtok_r(NULL, " \n", &state);
    if (field == NULL || options == NULL || source == NULL || count < sizeof fields / sizeof *fields) {
        return 0;
    }
    unescape(fields[3]);
    unescape(fields[4]);
    mount->version = strcmp(type, "cgroup2") == 0                                ? 2
                     : strcmp(type, "cgroup") == 0 && lists_word(options, "cpu") ? 1
                                                                                 : 0;
    mount->root = fields[3];
    mount->point = fields[4];
    return mount->version != 0;
}

static FILE *open_below(const char *root, const char *path, const char *name)
{
    char full[PATH_MAX];
    const int length = snprintf(full, sizeof full, "%s%s%s", root, path, name);
    return length < 0 || (size_t)length >= sizeof full ? NULL : fopen(full, "re");
}

/* The process's group in the hierarchy of a version: "number:controllers:path", number 0 without controllers
 * for version 2. 1 if there is one; `path` has PATH_MAX bytes. */
static int find_group(const char *root, int version, char *path)
{
    FILE *file = open_below(root, "/proc/self/cgroup", "");
    char *line = NULL;
    size_t capacity = 0;
    int found = 0;
    while (file != NULL && !found && getline(&line, &capacity, file) > 0) {
        char *controllers = strchr(line, ':');
        char *group = controllers == NULL ? NULL : strchr(controllers + 1, ':');
        if (group == NULL || strlen(group) > PATH_MAX) {
            continue;
        }
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        controllers++;
        found = version == 2 ? *controllers == '\0' : lists_word(controllers, "cpu");
        if (found) {
            (void)snprintf(path, PATH_MAX, "%s", group);
        }
    }
    free(line);
    if (file != NULL) {
        (void)fclose(file);
    }
    return found;
}

/* The first words of a file that are numbers: how many of `count` there are. */
static int read_numbers(const char *root, const char *directory, const char *name, uint64_t *numbers,
                        int count)
{
    FILE *file = open_below(root, directory, name);
    int found = 0;
    while (file != NULL && found < count) {
        char word[24];
        if (fscanf(file, "%23s", word) != 1 || strspn(word, "0123456789") != strlen(word)) {
            break;
        }
        numbers[found++] = strtoull(word, NULL, 10);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return found;
}

/* What one group's quota allows: so many microseconds of processors' time in a period. */
static uint32_t quota_of(const char *root, const char *directory, int version)
{
    uint64_t time[2];
    const int limited = version == 2
                            ? read_numbers(root, directory, "/cpu.max", time, 2) == 2
                            : read_numbers(root, directory, "/cpu.cfs_quota_us", &time[0], 1) == 1 &&
                                  read_numbers(root, directory, "/cpu.cfs_period_us", &time[1], 1) == 1;
    if (!limited || time[0] == 0 || time[1] == 0) {
        return UINT32_MAX;
    }
    const uint64_t processors = time[0] / time[1] + (time[0] % time[1] != 0);
    return processors < UINT32_MAX ? (uint32_t)processors : UINT32_MAX;
}

/* The least quota from the group up to the mount's root. */
static uint32_t quota_below(const char *root, const group_mount *mount, const char *group)
{
    char directory[2 * PATH_MAX];
    const size_t above = strcmp(mount->root, "/") == 0 ? 0 : strlen(mount->root);
    uint32_t least = UINT32_MAX;
    /* A group that this mount does not show is none of its business. */
    if (strncmp(group, mount->root, above) != 0 || (group[above] != '/' && group[above] != '\0')) {
        return least;
    }
    const size_t point = strlen(mount->point);
    const int length = snprintf(directory, sizeof directory, "%s%s", mount->point, group + above);
    if (length < 0 || (size_t)length >= sizeof directory) {
        return least;
    }
    for (char *end = directory + length; end != NULL && end >= directory + point;
         end = strrchr(directory, '/')) {
        *end = '\0';
        const uint32_t quota = quota_of(root, directory, mount->version);
        least = quota < least ? quota : least;
    }
    return least;
}

uint32_t processors_of_groups(const char *root)
{
    FILE *file = open_below(root, "/proc/self/mountinfo", "");
    char group[PATH_MAX];
    char *line = NULL;
    size_t capacity = 0;
    uint32_t least = UINT32_MAX;
    while (file != NULL && getline(&line, &capacity, file) > 0) {
        group_mount mount;
        if (parse_mount(line, &mount) && find_group(root, mount.version, group)) {
            const uint32_t quota = quota_below(root, &mount, group);
            least = quota < least ? quota : least;
        }
    }
    free(line);
    if (file != NULL) {
        (void)fclose(file);
    }
    return least;
}

uint32_t processors_allowed(void)
{
    const uint32_t scheduled = processors_of_affinity();
    const uint32_t paid = processors_of_groups("");
    return scheduled < paid ? scheduled : paid;
}
