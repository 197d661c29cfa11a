/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700 /* getline, strtok_r */
#include "base/cgroups.h"

#include <limits.h>
#include <stdio.h>

#include "base/integers.h"
#include "base/try.h"

/* This is a mounted hierarchy. Its directory `root` is visible at the path `point`. */
typedef struct group_mount {
    int version;
    const char *root;
    const char *point;
} group_mount;

/* Return 1 if the word is in a list that is separated by commas. */
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

/* Decode \ooo, by which mountinfo writes a space, a tab, a line break and a backslash. */
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

/* Parse a line of mountinfo, and modify it. The line has number, parent, device, root, point, options, optional fields,
 * "-", type, source, and options of the type. Return 1 if the line is a hierarchy that may have the controller. */
static int parse_mount(char *line, const char *controller, group_mount *mount)
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
    mount->version = strcmp(type, "cgroup2") == 0                                     ? 2
                     : strcmp(type, "cgroup") == 0 && lists_word(options, controller) ? 1
                                                                                      : 0;
    mount->root = fields[3];
    mount->point = fields[4];
    return mount->version != 0;
}

static void close_file(FILE **file)
{
    if (*file != NULL) {
        (void)fclose(*file);
    }
}

static FILE *open_below(const char *root, const char *path, const char *name)
{
    char full[PATH_MAX];
    const int length = snprintf(full, sizeof full, "%s%s%s", root, path, name);
    return length < 0 || (size_t)length >= sizeof full ? NULL : fopen(full, "re");
}

/* Find the process's group in the hierarchy of a version. A group is a line "number:controllers:path"; that of version
 * 2 has the number 0 and no controllers. Return 1 if there is one. `path` has PATH_MAX bytes. */
static int find_group(const char *root, int version, const char *controller, char *path)
{
    CLEANUP(close_file) FILE *file = open_below(root, "/proc/self/cgroup", "");
    AUTO_FREE char *line = NULL;
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
        found = version == 2 ? *controllers == '\0' : lists_word(controllers, controller);
        if (found) {
            (void)snprintf(path, PATH_MAX, "%s", group);
        }
    }
    return found;
}

int cgroup_read_numbers(const char *root, const char *directory, const char *name, uint64_t *numbers,
                        int count)
{
    CLEANUP(close_file) FILE *file = open_below(root, directory, name);
    int found = 0;
    while (file != NULL && found < count) {
        char word[24];
        if (fscanf(file, "%23s", word) != 1 || strspn(word, "0123456789") != strlen(word)) {
            break;
        }
        numbers[found++] = strtoull(word, NULL, 10);
    }
    return found;
}

int cgroup_read_row(const char *root, const char *directory, const char *name, const char *key,
                    uint64_t *number)
{
    CLEANUP(close_file) FILE *file = open_below(root, directory, name);
    const size_t length = strlen(key);
    char line[256];
    int found = 0;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, length) == 0) {
            char *end;
            *number = strtoull(line + length, &end, 10);
            found = end != line + length;
        }
    }
    return found;
}

/* Return the lowest limit from the group up to the mount's root. */
static uint64_t least_below(const char *root, const group_mount *mount, const char *group, cgroup_limit limit)
{
    char directory[2 * PATH_MAX];
    const size_t above = strcmp(mount->root, "/") == 0 ? 0 : strlen(mount->root);
    uint64_t least = UINT64_MAX;
    /* If the group lies outside of this mount, its limits can't be read. */
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
        least = smaller(least, limit(root, directory, mount->version));
    }
    return least;
}

uint64_t cgroups_least(const char *root, const char *controller, cgroup_limit limit)
{
    CLEANUP(close_file) FILE *file = open_below(root, "/proc/self/mountinfo", "");
    char group[PATH_MAX];
    AUTO_FREE char *line = NULL;
    size_t capacity = 0;
    uint64_t least = UINT64_MAX;
    while (file != NULL && getline(&line, &capacity, file) > 0) {
        group_mount mount;
        if (parse_mount(line, controller, &mount) && find_group(root, mount.version, controller, group)) {
            least = smaller(least, least_below(root, &mount, group, limit));
        }
    }
    return least;
}
