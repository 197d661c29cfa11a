/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* O_TMPFILE, O_PATH */

#include "io/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

/* Linux's; for another system's compiler what does as well. */
#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

/* ---- What a path names ---- */

/* A number of digits only, or -1. */
static int descriptor_number(const char *text)
{
    long number = 0;
    if (text[0] == '\0' || strlen(text) > 9) {
        return -1;
    }
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') {
            return -1;
        }
        number = 10 * number + (*text - '0');
    }
    return (int)number;
}

/* By name alone, as the shells do, so that these work where /proc is missing. */
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

/* In a directory without links, which is then called by this process's number. */
static int descriptor_in(const char *directory, const char *name)
{
    char own[32];
    snprintf(own, sizeof own, "/proc/%ld/", (long)getpid());
    const size_t length = strlen(directory);
    const int is_descriptors =
        strncmp(directory, own, strlen(own)) == 0 && length > 3 && strcmp(directory + length - 3, "/fd") == 0;
    return is_descriptors ? descriptor_number(name) : -1;
}

/* Replace target by what the link there says; *done where there is no link. */
static int follow_one(char target[WHOLE_FILE_PATH_BYTES], int *descriptor, int *done)
{
    char directory[WHOLE_FILE_PATH_BYTES], link[WHOLE_FILE_PATH_BYTES];
    const char *slash = strrchr(target, '/');
    const char *name = slash == NULL ? target : slash + 1;
    const size_t before = slash == NULL ? 0 : (size_t)(slash - target);
    *done = 1;
    if (name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        struct stat facts;
        return stat(target, &facts) == 0 ? 0 : errno; /* a directory, or an error */
    }
    memcpy(link, target, before);
    link[before] = '\0';
    if (realpath(slash == NULL ? "." : before == 0 ? "/" : link, directory) == NULL) {
        return errno;
    }
    *descriptor = descriptor_in(directory, name);
    /* Links of other processes' descriptors only look like links. */
    const ssize_t length =
        *descriptor >= 0 || strncmp(directory, "/proc/", 6) == 0 ? -1 : readlink(target, link, sizeof link);
    if (length < 0) {
        return 0;
    }
    const size_t prefix = link[0] == '/' ? 0 : strlen(directory) + 1;
    if (length == 0 || prefix + (size_t)length >= WHOLE_FILE_PATH_BYTES) {
        return ENAMETOOLONG;
    }
    memcpy(target, directory, prefix);
    if (prefix > 0) {
        target[prefix - 1] = '/';
    }
    memcpy(target + prefix, link, (size_t)length);
    target[prefix + (size_t)length] = '\0';
    *done = 0;
    return 0;
}

int path_follow(const char *path, char target[WHOLE_FILE_PATH_BYTES], int *descriptor)
{
    enum { MOST_LINKS = 40 };
    *descriptor = -1;
    if (path[0] == '\0') {
        return ENOENT;
    }
    if (strlen(path) >= WHOLE_FILE_PATH_BYTES) {
        return ENAMETOOLONG;
    }
    memmove(target, path, strlen(path) + 1);
    for (int i = 0; i < MOST_LINKS; i++) {
        int done;
        *descriptor = device_descriptor(target);
        if (*descriptor >= 0) {
            return 0;
        }
        const int error = follow_one(target, descriptor, &done);
        if (error != 0 || done) {
            return error;
        }
    }
    return ELOOP;
}

int path_regular(const char *path, char target[WHOLE_FILE_PATH_BYTES], int *exists)
{
    struct stat facts;
    int descriptor;
    *exists = 0;
    const int error = path_follow(path, target, &descriptor);
    if (error != 0 || descriptor >= 0) {
        return error != 0 ? error : EINVAL;
    }
    if (lstat(target, &facts) != 0) { /* a link that is left is another process's descriptor */
        return errno == ENOENT ? 0 : errno;
    }
    *exists = 1;
    return S_ISREG(facts.st_mode) ? 0 : S_ISDIR(facts.st_mode) ? EISDIR : EINVAL;
}

static int look_at(path_identity *found, int looked, const struct stat *facts)
{
    found->known = looked == 0;
    found->type = facts->st_mode & S_IFMT;
    found->device = facts->st_dev;
    found->inode = facts->st_ino;
    return found->known;
}

/* Where something does not exist, its directory and its name there. */
static void identify_new(path_identity *found, char *target)
{
    struct stat facts;
    char *slash = strrchr(target, '/');
    const char *name = slash == NULL ? target : slash + 1;
    if (strlen(name) >= sizeof found->name) {
        return; /* no file can have such a name */
    }
    memcpy(found->name, name, strlen(name) + 1);
    if (slash != NULL) {
        slash[slash == target] = '\0';
    }
    (void)look_at(found, stat(slash == NULL ? "." : target, &facts), &facts);
}

path_identity path_identify(const char *path)
{
    path_identity found = {.descriptor = -1};
    struct stat facts = {0};
    char target[WHOLE_FILE_PATH_BYTES];
    if (path_follow(path, target, &found.descriptor) != 0) {
        return found;
    }
    const int looked = found.descriptor >= 0 ? fstat(found.descriptor, &facts) : stat(target, &facts);
    found.exists = look_at(&found, looked, &facts);
    if (!found.exists && found.descriptor < 0) {
        identify_new(&found, target);
    }
    return found;
}

int path_identities_match(const path_identity *a, const path_identity *b)
{
    return a->known && b->known && a->exists == b->exists && a->device == b->device && a->inode == b->inode &&
           strcmp(a->name, b->name) == 0;
}

int path_remove(const char *path)
{
    char target[WHOLE_FILE_PATH_BYTES];
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

/* ---- Temporary names ---- */

void temporary_name_remove(const temporary_name *name)
{
    if (atomic_load(&name->present)) {
        (void)unlinkat(name->directory, name->text, 0);
    }
}

/* No other file has this name: the time is in it, and who makes the file says O_EXCL or links, which fails.
 */
static void choose_name(whole_file *file)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    file->name->directory = file->directory;
    snprintf(file->name->text, sizeof file->name->text, ".sumac-%ld-%lld%09ld.part", (long)getpid(),
             (long long)now.tv_sec, now.tv_nsec);
    atomic_store(&file->name->present, 1);
}

static void forget_name(whole_file *file)
{
    atomic_store(&file->name->present, 0);
}

/* ---- Opening ---- */

static const char *target_name(const whole_file *file)
{
    const char *slash = strrchr(file->target, '/');
    return slash == NULL ? file->target : slash + 1;
}

static int open_directory(const whole_file *file)
{
    char path[WHOLE_FILE_PATH_BYTES];
    const size_t length = (size_t)(target_name(file) - file->target);
    memcpy(path, file->target, length);
    path[length] = '\0';
    return open(length == 0 ? "." : path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* The name that linkat() gives a file without one by; it needs /proc. */
static const char *descriptor_path(int descriptor, char path[32])
{
    snprintf(path, 32, "/proc/self/fd/%d", descriptor);
    return path;
}

/* A new file without a name, or where that cannot be with a temporary one. */
static int create(whole_file *file)
{
#ifdef O_TMPFILE
    char path[32];
    file->descriptor = openat(file->directory, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (file->descriptor >= 0) {
        if (faccessat(AT_FDCWD, descriptor_path(file->descriptor, path), F_OK, 0) == 0) {
            return 0;
        }
        (void)close(file->descriptor);
    }
#endif
    choose_name(file);
    file->descriptor =
        openat(file->directory, file->name->text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const int error = errno;
    if (file->descriptor < 0) {
        forget_name(file);
        return error;
    }
    return 0;
}

static void remove_new(whole_file *file)
{
    temporary_name_remove(file->name);
    forget_name(file);
    if (file->descriptor >= 0) {
        (void)close(file->descriptor);
    }
    file->descriptor = -1;
}

/* Whether the new file can have the owner and mode of the one that it replaces. */
static int take_after(const whole_file *file, const struct stat *old)
{
    struct stat facts;
    if (fstat(file->descriptor, &facts) != 0) {
        return 0;
    }
    if ((facts.st_uid != old->st_uid || facts.st_gid != old->st_gid) &&
        fchown(file->descriptor, old->st_uid, old->st_gid) != 0) {
        return 0;
    }
    return fchmod(file->descriptor, old->st_mode & 07777) == 0;
}

/* Where a rename would change whose file it is or what may be done with it. */
static int open_in_place(whole_file *file)
{
    file->kind = WHOLE_FILE_IN_PLACE;
    file->descriptor = open(file->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return file->descriptor < 0 ? errno : 0;
}

static int open_replaced(whole_file *file, const struct stat *old)
{
    file->kind = WHOLE_FILE_REPLACED;
    file->directory = open_directory(file);
    if (file->directory < 0) {
        return errno;
    }
    const int error = create(file);
    if (error != 0) {
        return file->exists && (error == EACCES || error == EPERM) ? open_in_place(file) : error;
    }
    if (file->exists && !take_after(file, old)) {
        remove_new(file);
        return open_in_place(file);
    }
    return 0;
}

static int open_target(whole_file *file)
{
    struct stat facts = {0};
    if (stat(file->target, &facts) != 0) {
        return errno == ENOENT ? open_replaced(file, &facts) : errno;
    }
    file->exists = 1;
    if (S_ISDIR(facts.st_mode)) {
        return EISDIR;
    }
    if (access(file->target, W_OK) != 0) {
        return errno;
    }
    if (S_ISREG(facts.st_mode)) {
        return open_replaced(file, &facts);
    }
    file->kind = S_ISFIFO(facts.st_mode) ? WHOLE_FILE_WAITING : WHOLE_FILE_THROUGH;
    if (file->kind == WHOLE_FILE_THROUGH) {
        file->descriptor = open(file->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        return file->descriptor < 0 ? errno : 0;
    }
    return 0;
}

/* A device that takes nothing, as /dev/full, says so when nothing is written. Sockets would send a message.
 */
static int try_device(int descriptor)
{
    struct stat facts;
    return fstat(descriptor, &facts) != 0 || !S_ISCHR(facts.st_mode) || write(descriptor, "", 0) == 0 ? 0
                                                                                                      : errno;
}

int whole_file_open(whole_file *file, const char *path, temporary_name *name)
{
    int named;
    *file = (whole_file){.kind = WHOLE_FILE_CLOSED, .descriptor = -1, .directory = -1, .name = name};
    int error = path_follow(path, file->target, &named);
    if (error == 0 && named >= 0) {
        file->kind = WHOLE_FILE_THROUGH;
        file->descriptor = fcntl(named, F_DUPFD_CLOEXEC, 0);
        error = file->descriptor < 0 ? errno : 0;
    } else if (error == 0) {
        error = open_target(file);
    }
    if (error == 0 && file->kind == WHOLE_FILE_THROUGH) {
        error = try_device(file->descriptor);
    }
    if (error != 0) {
        whole_file_discard(file);
    }
    return error;
}

int whole_file_begin(whole_file *file)
{
    if (file->kind != WHOLE_FILE_WAITING) {
        return 0;
    }
    do {
        file->descriptor = open(file->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    } while (file->descriptor < 0 && errno == EINTR);
    if (file->descriptor < 0) {
        return errno;
    }
    file->kind = WHOLE_FILE_THROUGH;
    return 0;
}

/* ---- Closing ---- */

/* Whether a rename to the target's name would replace a regular file, or nothing: what has come there since
 * it was opened may be anything. */
static int is_replaceable(const whole_file *file)
{
    struct stat facts;
    return fstatat(file->directory, target_name(file), &facts, AT_SYMLINK_NOFOLLOW) == 0
               ? S_ISREG(facts.st_mode)
               : errno == ENOENT;
}

/* Give a file without a name its target's. A link replaces nothing, so where something is there it takes a
 * temporary name on its way. */
static int link_and_rename(whole_file *file)
{
    char path[32];
    const char *unnamed = descriptor_path(file->descriptor, path);
    if (!atomic_load(&file->name->present)) {
        if (!file->exists &&
            linkat(AT_FDCWD, unnamed, file->directory, target_name(file), AT_SYMLINK_FOLLOW) == 0) {
            return 0;
        }
        if (!file->exists && errno != EEXIST) {
            return errno;
        }
        choose_name(file);
        if (linkat(AT_FDCWD, unnamed, file->directory, file->name->text, AT_SYMLINK_FOLLOW) != 0) {
            const int error = errno;
            forget_name(file);
            return error;
        }
    }
    if (!is_replaceable(file)) {
        return EEXIST;
    }
    if (renameat(file->directory, file->name->text, file->directory, target_name(file)) != 0) {
        return errno;
    }
    forget_name(file);
    return 0;
}

/* Make the new name last: a directory is a file of its own. Some file systems refuse, and nothing is lost
 * then. */
static void synchronise_directory(const whole_file *file)
{
    const int descriptor = openat(file->directory, ".", O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        (void)fsync(descriptor);
        (void)close(descriptor);
    }
}

/* Everything of a commit that takes long, or that a pipe or a file in place needs. */
static int settle(whole_file *file)
{
    int error = whole_file_begin(file);
    if (error == 0 && file->kind == WHOLE_FILE_IN_PLACE) {
        const off_t end = lseek(file->descriptor, 0, SEEK_CUR);
        error = end < 0 || ftruncate(file->descriptor, end) != 0 ? errno : 0;
    }
    return error == 0 && file->kind != WHOLE_FILE_THROUGH && fsync(file->descriptor) != 0 ? errno : error;
}

/* It has its name. */
static int conclude(whole_file *file)
{
    int error = 0;
    if (file->kind == WHOLE_FILE_REPLACED) {
        synchronise_directory(file);
    }
    if (file->descriptor >= 0 && close(file->descriptor) != 0 && errno != EINTR) {
        error = errno;
    }
    file->descriptor = -1;
    whole_file_discard(file);
    return error;
}

int whole_file_commit(whole_file *file)
{
    size_t failed;
    whole_file *const alone[] = {file};
    return whole_files_commit(alone, 1, &failed);
}

/* ---- Several files together ---- */

/* The directories of files that get their names together, each once. */
typedef struct locked_directories {
    int descriptors[WHOLE_FILES_TOGETHER];
    struct stat facts[WHOLE_FILES_TOGETHER];
    size_t count;
} locked_directories;

static int directory_order(const struct stat *a, const struct stat *b)
{
    return a->st_dev != b->st_dev ? (a->st_dev > b->st_dev) - (a->st_dev < b->st_dev)
                                  : (a->st_ino > b->st_ino) - (a->st_ino < b->st_ino);
}

/* In an order that is every program's, so that no two wait for each other. One that can't be read is left
 * out. */
static void add_directory(locked_directories *locked, const whole_file *file)
{
    struct stat facts;
    const int descriptor = openat(file->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    size_t place = 0;
    if (descriptor < 0) {
        return;
    }
    if (fstat(descriptor, &facts) != 0) {
        (void)close(descriptor);
        return;
    }
    while (place < locked->count && directory_order(&locked->facts[place], &facts) < 0) {
        place++;
    }
    if (place < locked->count && directory_order(&locked->facts[place], &facts) == 0) {
        (void)close(descriptor);
        return;
    }
    for (size_t i = locked->count; i > place; i--) {
        locked->descriptors[i] = locked->descriptors[i - 1];
        locked->facts[i] = locked->facts[i - 1];
    }
    locked->descriptors[place] = descriptor;
    locked->facts[place] = facts;
    locked->count++;
}

/* Others hold it for a few renames. Whoever holds it for longer, or has no locks, is not waited for: the
 * files are whole all the same. */
static void lock_directory(int descriptor)
{
    enum { TRIES = 10000 };
    const struct timespec millisecond = {.tv_nsec = 1000000};
    for (int i = 0; i < TRIES && flock(descriptor, LOCK_EX | LOCK_NB) != 0; i++) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return;
        }
        (void)nanosleep(&millisecond, NULL);
    }
}

static void lock_directories(locked_directories *locked, whole_file *const files[], size_t count)
{
    locked->count = 0;
    for (size_t i = 0; i < count && count > 1; i++) { /* one file alone is one rename */
        if (files[i]->kind == WHOLE_FILE_REPLACED) {
            add_directory(locked, files[i]);
        }
    }
    for (size_t i = 0; i < locked->count; i++) {
        lock_directory(locked->descriptors[i]);
    }
}

static void unlock_directories(const locked_directories *locked)
{
    for (size_t i = 0; i < locked->count; i++) {
        (void)close(locked->descriptors[i]); /* the lock is its descriptor's */
    }
}

/* Names for all, until one fails. */
static int give_names(whole_file *const files[], size_t count, size_t *failed)
{
    locked_directories locked;
    int error = 0;
    lock_directories(&locked, files, count);
    for (size_t i = 0; i < count && error == 0; i++) {
        *failed = i;
        error = files[i]->kind == WHOLE_FILE_REPLACED ? link_and_rename(files[i]) : 0;
    }
    unlock_directories(&locked);
    return error;
}

int whole_files_commit(whole_file *const files[], size_t count, size_t *failed)
{
    int error = 0;
    *failed = 0;
    for (size_t i = 0; i < count && error == 0; i++) {
        *failed = i;
        error = settle(files[i]);
    }
    if (error == 0) {
        error = give_names(files, count, failed);
    }
    for (size_t i = 0; i < count; i++) {
        const int concluded = error == 0 ? conclude(files[i]) : 0;
        if (concluded != 0) {
            *failed = i;
            error = concluded;
        }
        whole_file_discard(files[i]);
    }
    return error;
}

void whole_file_discard(whole_file *file)
{
    if (file->kind == WHOLE_FILE_CLOSED) {
        return;
    }
    remove_new(file);
    if (file->directory >= 0) {
        (void)close(file->directory);
    }
    file->directory = -1;
    file->kind = WHOLE_FILE_CLOSED;
}
