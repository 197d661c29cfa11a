/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* F_DUPFD_CLOEXEC, realpath() */

#include "io/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Parse a number that has only digits; return -1 for any other text. */
static int descriptor_number(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    return digits == 0 || digits > 9 || text[digits] != '\0' ? -1 : (int)strtol(text, NULL, 10);
}

/* Return the descriptor that a name like /dev/fd/7 means. As in shells, only the name counts, so that this works
 * without /proc. */
static int device_descriptor(const char *path)
{
    static const char *const standard[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    static const char numbered[] = "/dev/fd/";
    for (int i = 0; i < 3; i++) {
        if (strcmp(path, standard[i]) == 0) {
            return i;
        }
    }
    return strncmp(path, numbered, strlen(numbered)) == 0 ? descriptor_number(path + strlen(numbered)) : -1;
}

/* If the directory is /proc/PID/fd or /proc/PID/task/TID/fd of this process, return the descriptor that the name means
 * there; otherwise return -1. The directory's path has no links, so /proc/self was resolved to a number. */
static int descriptor_in(const char *directory, const char *name)
{
    char process[32];
    (void)snprintf(process, sizeof process, "/proc/%ld/", (long)getpid());
    const size_t length = strlen(directory);
    const int has_descriptors = strncmp(directory, process, strlen(process)) == 0 && length > 3 &&
                                strcmp(directory + length - 3, "/fd") == 0;
    return has_descriptors ? descriptor_number(name) : -1;
}

/* If `target` is a link, replace it by the link's destination; otherwise set *done. */
static int follow_link(char target[PATH_BYTES], int *descriptor, int *done)
{
    char directory[PATH_BYTES], link[PATH_BYTES];
    const char *slash = strrchr(target, '/');
    const char *name = slash == NULL ? target : slash + 1;
    const size_t before = slash == NULL ? 0 : (size_t)(slash - target);
    *done = 1;
    if (name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        struct stat facts;
        return stat(target, &facts) == 0 ? 0 : errno; /* the path is a directory, or there is an error */
    }
    memcpy(link, target, before);
    link[before] = '\0';
    if (realpath(slash == NULL ? "." : before == 0 ? "/" : link, directory) == NULL) {
        return errno;
    }
    *descriptor = descriptor_in(directory, name);
    /* The descriptors of other processes in /proc look like links, but can't be followed as such. */
    const ssize_t length =
        *descriptor >= 0 || strncmp(directory, "/proc/", 6) == 0 ? -1 : readlink(target, link, sizeof link);
    if (length < 0) {
        return 0;
    }
    const int bytes = link[0] == '/' ? snprintf(target, PATH_BYTES, "%.*s", (int)length, link)
                                     : snprintf(target, PATH_BYTES, "%s/%.*s", directory, (int)length, link);
    *done = 0;
    return length == 0 || bytes >= PATH_BYTES ? ENAMETOOLONG : 0;
}

int path_follow(const char *path, char target[PATH_BYTES], int *descriptor)
{
    enum { MOST_LINKS = 40 };
    *descriptor = -1;
    if (path[0] == '\0') {
        return ENOENT;
    }
    if (strlen(path) >= PATH_BYTES) {
        return ENAMETOOLONG;
    }
    memmove(target, path, strlen(path) + 1);
    for (int i = 0; i < MOST_LINKS; i++) {
        int done;
        *descriptor = device_descriptor(target);
        if (*descriptor >= 0) {
            return 0;
        }
        const int error = follow_link(target, descriptor, &done);
        if (error != 0 || done) {
            return error;
        }
    }
    return ELOOP;
}

int path_regular(const char *path, char target[PATH_BYTES], int *exists)
{
    struct stat facts;
    int descriptor;
    *exists = 0;
    const int error = path_follow(path, target, &descriptor);
    if (error != 0 || descriptor >= 0) {
        return error != 0 ? error : EINVAL;
    }
    if (lstat(target, &facts) != 0) { /* a link that remains here is another process's descriptor */
        return errno == ENOENT ? 0 : errno;
    }
    *exists = 1;
    return S_ISREG(facts.st_mode) ? 0 : S_ISDIR(facts.st_mode) ? EISDIR : EINVAL;
}

path_identity path_identify(const char *path)
{
    path_identity found = {.descriptor = -1};
    struct stat facts = {0};
    char target[PATH_BYTES];
    if (path_follow(path, target, &found.descriptor) != 0) {
        return found;
    }
    found.exists = (found.descriptor >= 0 ? fstat(found.descriptor, &facts) : stat(target, &facts)) == 0;
    found.known = found.exists;
    if (!found.exists && found.descriptor < 0) {
        char *slash = strrchr(target, '/');
        const char *name = slash == NULL ? target : slash + 1;
        if (strlen(name) >= sizeof found.name) {
            return found; /* the name is too long for any file */
        }
        memcpy(found.name, name, strlen(name) + 1);
        if (slash != NULL) {
            slash[slash == target] = '\0';
        }
        found.known = stat(slash == NULL ? "." : target, &facts) == 0;
    }
    found.type = facts.st_mode & S_IFMT;
    found.device = facts.st_dev;
    found.inode = facts.st_ino;
    return found;
}

int path_identities_match(const path_identity *a, const path_identity *b)
{
    return a->known && b->known && a->exists == b->exists && a->device == b->device && a->inode == b->inode &&
           strcmp(a->name, b->name) == 0;
}

int path_remove(const char *path)
{
    char target[PATH_BYTES];
    int exists;
    const int error = path_regular(path, target, &exists);
    return error != 0 ? error : unlink(target) == 0 ? 0 : errno;
}

int path_open_input(const char *path)
{
    const int descriptor = device_descriptor(path);
    if (descriptor >= 0) {
        return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    }
    return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}
