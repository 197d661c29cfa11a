/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700

#include "io/input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/call.h"
#include "io/file_kinds.h"
#include "io/memory.h"
#include "io/whole_file.h"

const char *system_error_text(int error, char text[SYSTEM_ERROR_BYTES])
{
    if (strerror_r(error, text, SYSTEM_ERROR_BYTES) != 0) {
        snprintf(text, SYSTEM_ERROR_BYTES, "error %d", error);
    }
    return text;
}

static sumac_status cannot_open(const input_file *file, int error)
{
    char text[SYSTEM_ERROR_BYTES];
    return fail(file->context, SUMAC_CANNOT_OPEN, "%s: cannot open: %s", file->path,
                system_error_text(error, text));
}

sumac_status input_open(input_file *file, sumac_context *context, const char *path)
{
    *file = (input_file){.context = context, .path = path};
    file->descriptor = path_open_input(path);
    if (file->descriptor < 0) {
        return cannot_open(file, errno);
    }
    struct stat facts;
    if (fstat(file->descriptor, &facts) != 0) {
        return cannot_open(file, errno);
    }
    if (S_ISDIR(facts.st_mode)) {
        return cannot_open(file, EISDIR);
    }
    /* Files of the kernel (/proc) say that they have 0 bytes: they are read to their end like a pipe. */
    file->has_size = S_ISREG(facts.st_mode) && facts.st_size > 0;
    if (file->has_size) {
        const off_t start = lseek(file->descriptor, 0, SEEK_CUR);
        if (start < 0) {
            return cannot_open(file, errno);
        }
        file->start = (uint64_t)start;
        file->size = start < facts.st_size ? (uint64_t)(facts.st_size - start) : 0;
    }
    return SUMAC_OK;
}

void input_close(input_file *file)
{
    if (file->descriptor >= 0) {
        close(file->descriptor);
    }
    free(file->memory);
    file->descriptor = -1;
    file->memory = NULL;
}

/* Read what was read ahead, then from the descriptor, until `wanted` bytes are there or the file ends. */
static sumac_status read_descriptor(input_file *file, uint8_t *bytes, size_t wanted, size_t *got)
{
    const size_t ahead = file->ahead_count - file->ahead_taken;
    *got = ahead < wanted ? ahead : wanted;
    memcpy(bytes, file->ahead + file->ahead_taken, *got);
    file->ahead_taken += *got;
    while (*got < wanted) {
        const ssize_t count = read(file->descriptor, bytes + *got, wanted - *got);
        if (count == 0) {
            break;
        }
        if (count < 0 && errno != EINTR) {
            char text[SYSTEM_ERROR_BYTES];
            return fail(file->context, SUMAC_READ_FAILED, "%s: reading at byte %" PRIu64 " failed: %s",
                        file->path, file->offset + *got, system_error_text(errno, text));
        }
        *got += count < 0 ? 0 : (size_t)count;
    }
    return SUMAC_OK;
}

sumac_status input_measure(input_file *file)
{
    if (file->has_size) {
        return SUMAC_OK;
    }
    size_t capacity = 0;
    size_t size = 0;
    size_t got = 0;
    do {
        if (size == capacity) {
            const size_t larger = capacity == 0 ? (size_t)1 << 16 : 2 * capacity;
            sumac_status status = memory_require(file->context, file->path, larger);
            uint8_t *memory = status == SUMAC_OK ? realloc(file->memory, larger) : NULL;
            if (memory == NULL) {
                return status != SUMAC_OK ? status : memory_failed(file->context, file->path, larger);
            }
            file->memory = memory;
            capacity = larger;
        }
        file->offset = size;
        const sumac_status status = read_descriptor(file, file->memory + size, capacity - size, &got);
        if (status != SUMAC_OK) {
            return status;
        }
        size += got;
    } while (size == capacity);
    file->offset = 0;
    file->size = size;
    file->has_size = 1;
    return SUMAC_OK;
}

sumac_status input_read(input_file *file, void *bytes, size_t wanted, size_t *got)
{
    sumac_status status = SUMAC_OK;
    if (file->memory != NULL) {
        const uint64_t left = file->size - file->offset;
        *got = left < wanted ? (size_t)left : wanted;
        memcpy(bytes, file->memory + file->offset, *got);
    } else {
        status = read_descriptor(file, bytes, wanted, got);
    }
    file->offset += *got;
    return status;
}

sumac_status input_read_exactly(input_file *file, void *bytes, size_t wanted)
{
    size_t got;
    const sumac_status status = input_read(file, bytes, wanted, &got);
    if (status == SUMAC_OK && got < wanted) {
        return fail(file->context, SUMAC_BAD_FILE, "%s: truncated: it ends at byte %" PRIu64, file->path,
                    file->offset);
    }
    return status;
}

sumac_status input_expect_end(input_file *file)
{
    uint8_t byte;
    size_t got;
    const uint64_t end = file->offset;
    const sumac_status status = input_read(file, &byte, 1, &got);
    if (status == SUMAC_OK && got != 0) {
        return fail(file->context, SUMAC_BAD_FILE, "%s: too long: it should end at byte %" PRIu64, file->path,
                    end);
    }
    return status;
}

sumac_status input_seek(input_file *file, uint64_t offset)
{
    file->offset = offset;
    if (file->memory != NULL) {
        return SUMAC_OK;
    }
    file->ahead_count = file->ahead_taken = 0;
    if (lseek(file->descriptor, (off_t)(file->start + offset), SEEK_SET) < 0) {
        char text[SYSTEM_ERROR_BYTES];
        return fail(file->context, SUMAC_READ_FAILED, "%s: going to byte %" PRIu64 " failed: %s", file->path,
                    offset, system_error_text(errno, text));
    }
    return SUMAC_OK;
}

sumac_status input_begins_with(input_file *file, const void *bytes, size_t count, int *begins)
{
    const sumac_status status = read_descriptor(file, file->ahead, count, &file->ahead_count);
    file->ahead_taken = 0;
    *begins = status == SUMAC_OK && file->ahead_count == count && memcmp(file->ahead, bytes, count) == 0;
    return status;
}

const char *input_likely_text(const input_file *file, char text[INPUT_LIKELY_BYTES])
{
    uint8_t bytes[FILE_HEAD_BYTES];
    const uint64_t wanted = file->size < sizeof bytes ? file->size : sizeof bytes;
    file_head head = {bytes, 0, file->size};
    if (file->memory != NULL) {
        memcpy(bytes, file->memory, (size_t)wanted);
        head.count = (size_t)wanted;
    } else {
        const ssize_t got = pread(file->descriptor, bytes, (size_t)wanted, (off_t)file->start);
        head.count = got > 0 ? (size_t)got : 0;
    }
    const file_kind *kind = file_kind_find(&head);
    text[0] = '\0';
    if (kind != NULL) {
        (void)snprintf(text, INPUT_LIKELY_BYTES, "; it looks like %s%s%s", kind->name,
                       kind->advice != NULL ? ": " : "", kind->advice != NULL ? kind->advice : "");
    }
    return text;
}
