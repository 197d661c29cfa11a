/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* O_PATH */

#include "io/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Linux has O_PATH. On other systems O_RDONLY is used instead, which fails only if the directory may not be read. */
#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

/* ---- The temporary file ---- */

void temporary_name_remove(const temporary_name *name)
{
    if (atomic_load(&name->present)) {
        (void)unlinkat(name->directory, name->text, 0);
    }
}

/* Return the target's name in its directory. */
static const char *target_name(const whole_file *file)
{
    const char *slash = strrchr(file->target, '/');
    return slash == NULL ? file->target : slash + 1;
}

/* Create the temporary file. The time makes its name unique. If a file of this name exists all the same, O_EXCL refuses
 * it. */
static int create_temporary(whole_file *file)
{
    temporary_name *name = file->name;
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    name->directory = file->directory;
    (void)snprintf(name->text, sizeof name->text, ".sumac-%ld-%lld%09ld.part", (long)getpid(),
                   (long long)now.tv_sec, now.tv_nsec);
    atomic_store(&name->present, 1);
    file->descriptor = openat(name->directory, name->text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const int error = file->descriptor < 0 ? errno : 0;
    if (error != 0) {
        atomic_store(&name->present, 0);
    }
    return error;
}

/* Close the descriptor, and remove the temporary file if there is one. */
static void remove_temporary(whole_file *file)
{
    temporary_name_remove(file->name);
    atomic_store(&file->name->present, 0);
    if (file->descriptor >= 0) {
        (void)close(file->descriptor);
    }
    file->descriptor = -1;
}

/* Give the new file the owner and mode of the file that it replaces. Return 0 if that is not allowed. */
static int copy_owner_and_mode(const whole_file *file, const struct stat *old)
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

/* ---- Opening ---- */

static int open_target(whole_file *file)
{
    file->descriptor = open(file->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return file->descriptor < 0 ? errno : 0;
}

/* Open a target for writing. `old` is the file that will be replaced, or null if there is none. If a rename would
 * change its owner or permissions, the file is written in place. */
static int open_replaced(whole_file *file, const struct stat *old)
{
    char path[PATH_BYTES];
    const size_t length = (size_t)(target_name(file) - file->target);
    memcpy(path, file->target, length);
    path[length] = '\0';
    file->kind = WHOLE_FILE_REPLACED;
    file->directory = open(length == 0 ? "." : path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (file->directory < 0) {
        return errno;
    }
    const int error = create_temporary(file);
    if (old == NULL || (error != 0 && error != EACCES && error != EPERM)) {
        return error;
    }
    if (error == 0 && copy_owner_and_mode(file, old)) {
        return 0;
    }
    remove_temporary(file);
    file->kind = WHOLE_FILE_IN_PLACE;
    return open_target(file);
}

/* Open a path that does not name a descriptor. */
static int open_path(whole_file *file)
{
    struct stat facts;
    if (stat(file->target, &facts) != 0) {
        return errno == ENOENT ? open_replaced(file, NULL) : errno;
    }
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
    return file->kind == WHOLE_FILE_WAITING ? 0 : open_target(file);
}

/* Try to write 0 bytes to a device. If it accepts no data, as /dev/full does, this fails, too. A socket is not tried,
 * because it would send a message. */
static int try_device(int descriptor)
{
    struct stat facts;
    const int is_device = fstat(descriptor, &facts) == 0 && S_ISCHR(facts.st_mode);
    return is_device && write(descriptor, "", 0) != 0 ? errno : 0;
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
        error = open_path(file);
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
    int error = 0;
    if (file->kind == WHOLE_FILE_WAITING) {
        while ((error = open_target(file)) == EINTR) {
        }
        file->kind = error == 0 ? WHOLE_FILE_THROUGH : file->kind;
    }
    return error;
}

/* ---- Completing ---- */

/* Rename the temporary file. The target may have become something else since it was opened, so it is replaced only if
 * it is a regular file. The directory is synced, too; some file systems refuse that, which does no harm. */
static int give_name(whole_file *file)
{
    struct stat facts;
    const char *name = target_name(file);
    const int exists = fstatat(file->directory, name, &facts, AT_SYMLINK_NOFOLLOW) == 0;
    if (exists ? !S_ISREG(facts.st_mode) : errno != ENOENT) {
        return exists ? EEXIST : errno;
    }
    if (renameat(file->directory, file->name->text, file->directory, name) != 0) {
        return errno;
    }
    atomic_store(&file->name->present, 0);
    const int directory = openat(file->directory, ".", O_RDONLY | O_CLOEXEC);
    if (directory >= 0) {
        (void)fsync(directory);
        (void)close(directory);
    }
    return 0;
}

static int complete(whole_file *file)
{
    const int error = whole_file_begin(file);
    if (error != 0) {
        return error;
    }
    if (file->kind == WHOLE_FILE_IN_PLACE) {
        const off_t end = lseek(file->descriptor, 0, SEEK_CUR);
        if (end < 0 || ftruncate(file->descriptor, end) != 0) {
            return errno;
        }
    }
    if (file->kind != WHOLE_FILE_THROUGH && fsync(file->descriptor) != 0) {
        return errno;
    }
    const int descriptor = file->descriptor;
    file->descriptor = -1;
    if (close(descriptor) != 0 && errno != EINTR) {
        return errno;
    }
    return file->kind == WHOLE_FILE_REPLACED ? give_name(file) : 0;
}

int whole_file_commit(whole_file *file)
{
    const int error = complete(file);
    whole_file_discard(file);
    return error;
}

void whole_file_discard(whole_file *file)
{
    if (file->kind == WHOLE_FILE_CLOSED) {
        return;
    }
    remove_temporary(file);
    if (file->directory >= 0) {
        (void)close(file->directory);
    }
    file->directory = -1;
    file->kind = WHOLE_FILE_CLOSED;
}
