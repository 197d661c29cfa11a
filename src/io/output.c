/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700

#include "io/output.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <unistd.h>

#include "api/call.h"
#include "io/input.h"

/* Report a failure. If the disk is full or broken, the machine is at fault; other failures are blamed on the path. */
static sumac_status cannot_create(const output_file *file, int error)
{
    char text[SYSTEM_ERROR_BYTES];
    const int disk = error == ENOSPC || error == EDQUOT || error == EIO;
    const sumac_status status = error == ENOMEM ? SUMAC_OUT_OF_MEMORY
                                : disk          ? SUMAC_WRITE_FAILED
                                                : SUMAC_CANNOT_OPEN;
    if (error == ENOMEM) {
        return fail(file->context, status, "%s: writing it needs %d bytes of memory", file->path, PATH_MAX);
    }
    return fail(file->context, status, "%s: cannot write: %s", file->path, system_error_text(error, text));
}

static sumac_status write_failed(const output_file *file, int error)
{
    char text[SYSTEM_ERROR_BYTES];
    return fail(file->context, SUMAC_WRITE_FAILED, "%s: writing at byte %" PRIu64 " failed: %s", file->path,
                file->offset, system_error_text(error, text));
}

sumac_status output_open(output_file *file, sumac_context *context, const char *path)
{
    *file = (output_file){.context = context, .path = path};
    int error = whole_file_open(&file->file, path, &file->name);
    if (error == 0) {
        error = whole_file_begin(&file->file);
    }
    return error == 0 ? SUMAC_OK : cannot_create(file, error);
}

sumac_status output_write(output_file *file, const void *bytes, size_t count)
{
    const uint8_t *next = bytes;
    while (count > 0) {
        const ssize_t written = write(file->file.descriptor, next, count);
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

sumac_status output_commit(output_file *file)
{
    const int error = whole_file_commit(&file->file);
    return error == 0 ? SUMAC_OK : write_failed(file, error);
}

void output_discard(output_file *file)
{
    whole_file_discard(&file->file);
}
