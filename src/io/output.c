#define _XOPEN_SOURCE 700

#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/input.h"

/* The disk's faults are the machine's; all others lie in the path that was given. */
static sumac_status cannot_create(const output_file *file, int error)
{
    char text[SYSTEM_ERROR_BYTES];
    const int disk = error == ENOSPC || error == EDQUOT || error == EIO;
    const sumac_status status = error == ENOMEM ? SUMAC_OUT_OF_MEMORY
                                : disk          ? SUMAC_WRITE_FAILED
                                                : SUMAC_CANNOT_OPEN;
    return fail(file->context, status, "%s: cannot write: %s", file->path, system_error_text(error, text));
}

static sumac_status write_failed(const output_file *file, int error)
{
    char text[SYSTEM_ERROR_BYTES];
    return fail(file->context, SUMAC_WRITE_FAILED, "%s: writing at byte %" PRIu64 " failed: %s", file->path,
                file->offset, system_error_text(error, text));
}

/* Create a file of a new name beside the target, so that renaming it moves no data. */
static sumac_status create_temporary(output_file *file)
{
    const char *slash = strrchr(file->target, '/');
    const size_t directory = slash == NULL ? 0 : (size_t)(slash - file->target) + 1;
    const size_t capacity = directory + 64;
    file->temporary = malloc(capacity);
    if (file->temporary == NULL) {
        return fail(file->context, SUMAC_OUT_OF_MEMORY, "%s: writing it needs %zu bytes of memory",
                    file->path, capacity);
    }
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        snprintf(file->temporary, capacity, "%.*s.sumac-%ld-%u.part", (int)directory, file->target,
                 (long)getpid(), attempt);
        file->descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->descriptor >= 0) {
            return SUMAC_OK;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    const int error = errno;
    free(file->temporary);
    file->temporary = NULL;
    return cannot_create(file, error);
}

sumac_status output_open(output_file *file, sumac_context *context, const char *path)
{
    *file = (output_file){.context = context, .path = path, .descriptor = -1};
    struct stat facts;
    const int exists = stat(path, &facts) == 0;
    if (exists && S_ISDIR(facts.st_mode)) {
        return cannot_create(file, EISDIR);
    }
    if (exists && access(path, W_OK) != 0) {
        return cannot_create(file, errno);
    }
    if (exists && !S_ISREG(facts.st_mode)) {
        file->descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        return file->descriptor < 0 ? cannot_create(file, errno) : SUMAC_OK;
    }
    file->target = exists ? realpath(path, NULL) : strdup(path);
    if (file->target == NULL) {
        return cannot_create(file, exists ? errno : ENOMEM);
    }
    const sumac_status status = create_temporary(file);
    if (status == SUMAC_OK && exists && fchmod(file->descriptor, facts.st_mode & 07777) != 0) {
        return cannot_create(file, errno);
    }
    return status;
}

sumac_status output_write(output_file *file, const void *bytes, size_t count)
{
    const uint8_t *next = bytes;
    while (count > 0) {
        const ssize_t written = write(file->descriptor, next, count);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return write_failed(file, written < 0 ? errno : EIO);
        }
        next += written;
        count -= (size_t)written;
        file->offset += (uint64_t)written;
    }
    return SUMAC_OK;
}

/* Make the new name last: a directory is a file of its own. Some file systems refuse, and nothing is lost
 * then. */
static void synchronise_directory(const char *path)
{
    char *directory = strdup(path);
    char *slash = directory == NULL ? NULL : strrchr(directory, '/');
    if (slash != NULL) {
        slash[slash == directory] = '\0';
    }
    const int descriptor =
        directory == NULL ? -1 : open(slash == NULL ? "." : directory, O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        (void)fsync(descriptor);
        close(descriptor);
    }
    free(directory);
}

sumac_status output_close(output_file *file, sumac_status status)
{
    if (status == SUMAC_OK && file->temporary != NULL && fsync(file->descriptor) != 0) {
        status = write_failed(file, errno);
    }
    if (file->descriptor >= 0 && close(file->descriptor) != 0 && status == SUMAC_OK) {
        status = write_failed(file, errno);
    }
    file->descriptor = -1;
    if (status == SUMAC_OK && file->temporary != NULL) {
        if (rename(file->temporary, file->target) == 0) {
            free(file->temporary);
            file->temporary = NULL;
            synchronise_directory(file->target);
        } else {
            status = cannot_create(file, errno);
        }
    }
    if (file->temporary != NULL) {
        (void)unlink(file->temporary);
    }
    free(file->temporary);
    free(file->target);
    file->temporary = NULL;
    file->target = NULL;
    return status;
}
