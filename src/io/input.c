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
#include "api/handles.h"
#include "base/integers.h"
#include "base/try.h"
#include "codec/file_kinds.h"
#include "io/memory.h"
#include "io/path.h"

const char *system_error_text(int error, char text[SYSTEM_ERROR_BYTES])
{
    if (strerror_r(error, text, SYSTEM_ERROR_BYTES) != 0) {
        snprintf(text, SYSTEM_ERROR_BYTES, "error %d", error);
    }
    return text;
}

/* ---- Opening ---- */

/* Find the file's size, and the position of its first byte. Return 0 or an errno value. */
static int examine(input_file *file)
{
    struct stat facts;
    if (fstat(file->descriptor, &facts) != 0) {
        return errno;
    }
    if (S_ISDIR(facts.st_mode)) {
        return EISDIR;
    }
    /* Kernel files (/proc) report 0 bytes; they are read to their end like a pipe. */
    file->has_size = S_ISREG(facts.st_mode) && facts.st_size > 0;
    if (file->has_size) {
        const off_t start = lseek(file->descriptor, 0, SEEK_CUR);
        if (start < 0) {
            return errno;
        }
        file->start = (uint64_t)start;
        file->size = start < facts.st_size ? (uint64_t)(facts.st_size - start) : 0;
    }
    return 0;
}

sumac_status input_open(input_file *file, sumac_context *context, const char *path)
{
    char text[SYSTEM_ERROR_BYTES];
    *file = (input_file){.context = context, .path = path};
    file->descriptor = path_open_input(path);
    const int error = file->descriptor < 0 ? errno : examine(file);
    return error == 0 ? SUMAC_OK
                      : fail(context, SUMAC_CANNOT_OPEN, "%s: cannot open: %s", path,
                             system_error_text(error, text));
}

sumac_status input_open_either(input_file *file, sumac_context *context, const char *path, const void *bytes,
                               size_t size, const char *name)
{
    static const uint8_t nothing[1];
    if (path != NULL) {
        return input_open(file, context, path);
    }
    *file = (input_file){.context = context,
                         .path = name,
                         .descriptor = -1,
                         .has_size = 1,
                         .size = size,
                         .lent = size > 0 ? bytes : nothing};
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

/* Return the file's bytes if they are in memory, or null if it is read from its descriptor. */
static const uint8_t *memory_of(const input_file *file)
{
    return file->memory != NULL ? file->memory : file->lent;
}

/* ---- Reading sequentially ---- */

static sumac_status fail_reading(const input_file *file, uint64_t offset, int error)
{
    char text[SYSTEM_ERROR_BYTES];
    return fail(file->context, SUMAC_READ_FAILED, "%s: reading at byte %" PRIu64 " failed: %s", file->path,
                offset, system_error_text(error, text));
}

/* Take the bytes that were read ahead, and then read from the descriptor, until there are `wanted` bytes or the file
 * ends. */
static sumac_status read_descriptor(input_file *file, uint8_t *bytes, size_t wanted, size_t *got)
{
    *got = smaller(file->ahead_count - file->ahead_taken, wanted);
    memcpy(bytes, file->ahead + file->ahead_taken, *got);
    file->ahead_taken += *got;
    while (*got < wanted) {
        const ssize_t count = read(file->descriptor, bytes + *got, wanted - *got);
        if (count == 0) {
            break;
        }
        if (count < 0 && errno != EINTR) {
            return fail_reading(file, file->offset + *got, errno);
        }
        *got += count < 0 ? 0 : (size_t)count;
    }
    return SUMAC_OK;
}

/* Read a file of unknown size into memory, which is doubled when it is full. If the file is longer than `most` bytes,
 * *size becomes most + 1. */
static sumac_status read_whole(input_file *file, uint64_t most, uint64_t *size)
{
    enum { FIRST_BYTES = 1 << 16 };
    size_t capacity = 0, got = 0;
    *size = 0;
    do {
        if (*size == capacity) {
            const uint64_t wanted = larger(FIRST_BYTES, 2 * (uint64_t)capacity);
            capacity = (size_t)(wanted > most ? most + 1 : wanted);
            uint8_t *memory = memory_grow(file->context, file->path, file->memory, capacity);
            TRY(memory_got(memory));
            file->memory = memory;
        }
        file->offset = *size;
        TRY(read_descriptor(file, file->memory + *size, capacity - (size_t)*size, &got));
        *size += got;
    } while (*size == capacity && *size <= most);
    return SUMAC_OK;
}

sumac_status input_measure(input_file *file, uint64_t most)
{
    const uint64_t limit =
        context_executor(file->context)->engine == NULL ? file->context->config.memory_limit : 0;
    const int is_limited = !file->has_size && most == INPUT_OF_ANY_SIZE && limit != 0;
    uint64_t size = file->size;
    most = is_limited ? limit : most;
    if (!file->has_size) {
        TRY(read_whole(file, most, &size));
    }
    if (size > most) {
        return is_limited ? fail(file->context, SUMAC_MEMORY_LIMIT,
                                 "%s: it does not say its length and goes on after %" PRIu64
                                 " bytes, the memory limit",
                                 file->path, most)
                          : fail(file->context, SUMAC_BAD_FILE,
                                 "%s: too long: it goes on after byte %" PRIu64, file->path, most);
    }
    if (!file->has_size) {
        file->offset = 0;
        file->size = size;
        file->has_size = 1;
    }
    return SUMAC_OK;
}

sumac_status input_expect_nothing(input_file *file, int *is_empty)
{
    uint8_t byte;
    size_t got;
    *is_empty = 0;
    TRY(read_descriptor(file, &byte, 1, &got));
    *is_empty = file->has_size = got == 0;
    return SUMAC_OK;
}

sumac_status input_read(input_file *file, void *bytes, size_t wanted, size_t *got)
{
    sumac_status status = SUMAC_OK;
    if (memory_of(file) != NULL) {
        *got = (size_t)smaller(file->size - file->offset, wanted);
        memcpy(bytes, memory_of(file) + file->offset, *got);
    } else {
        status = read_descriptor(file, bytes, wanted, got);
    }
    file->offset += *got;
    return status;
}

sumac_status input_read_exactly(input_file *file, void *bytes, size_t wanted)
{
    size_t got;
    TRY(input_read(file, bytes, wanted, &got));
    return got == wanted ? SUMAC_OK
                         : fail(file->context, SUMAC_BAD_FILE, "%s: truncated: it ends at byte %" PRIu64,
                                file->path, file->offset);
}

sumac_status input_skip(input_file *file, uint64_t wanted, uint64_t *got)
{
    uint8_t bytes[1 << 12];
    size_t count = sizeof bytes;
    for (*got = 0; *got < wanted && count == sizeof bytes; *got += count) {
        TRY(input_read(file, bytes, (size_t)smaller(wanted - *got, sizeof bytes), &count));
    }
    return SUMAC_OK;
}

sumac_status input_expect_end(input_file *file)
{
    uint8_t byte;
    size_t got;
    const uint64_t end = file->offset;
    TRY(input_read(file, &byte, 1, &got));
    return got == 0 ? SUMAC_OK
                    : fail(file->context, SUMAC_BAD_FILE, "%s: too long: it should end at byte %" PRIu64,
                           file->path, end);
}

sumac_status input_begins_with(input_file *file, const void *bytes, size_t count, int *begins)
{
    *begins = 0;
    TRY(read_descriptor(file, file->ahead, count, &file->ahead_count));
    file->ahead_taken = 0;
    *begins = file->ahead_count == count && memcmp(file->ahead, bytes, count) == 0;
    return SUMAC_OK;
}

/* ---- Reading at any offset ---- */

sumac_status input_seek(input_file *file, uint64_t offset)
{
    file->offset = offset;
    if (memory_of(file) != NULL) {
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

size_t input_read_at(const input_file *file, uint64_t offset, uint8_t *bytes, size_t count, int *error)
{
    size_t got = 0;
    *error = 0;
    if (memory_of(file) != NULL) {
        if (offset < file->size) {
            got = (size_t)smaller(file->size - offset, count);
            memcpy(bytes, memory_of(file) + offset, got);
        }
        return count - got;
    }
    while (got < count) {
        const ssize_t more =
            pread(file->descriptor, bytes + got, count - got, (off_t)(file->start + offset + got));
        if (more == 0 || (more < 0 && errno != EINTR)) {
            *error = more == 0 ? 0 : errno;
            break;
        }
        got += more < 0 ? 0 : (size_t)more;
    }
    return count - got;
}

/* A thread reads this many bytes at a time. */
#define SLICE_BYTES ((size_t)1 << 20)

size_t input_slice_count(const input_slices *slices)
{
    return (size_t)ceil_divide(slices->count, SLICE_BYTES);
}

void input_read_slice(input_slices *slices, size_t index)
{
    const size_t first = index * SLICE_BYTES, count = smaller(SLICE_BYTES, slices->count - first);
    int error;
    if (input_read_at(slices->file, slices->offset + first, slices->bytes + first, count, &error) > 0) {
        atomic_store_explicit(&slices->is_incomplete, 1, memory_order_relaxed);
    }
}

sumac_status input_finish_slices(input_file *file, input_slices *slices)
{
    const int is_incomplete = slices->is_incomplete;
    slices->is_incomplete = 0;
    if (!is_incomplete) {
        return input_seek(file, slices->offset + slices->count);
    }
    TRY(input_seek(file, slices->offset));
    return input_read_exactly(file, slices->bytes, slices->count);
}

static sumac_status read_at(void *owner, uint64_t offset, uint8_t *bytes, size_t count)
{
    input_file *file = owner;
    TRY(input_seek(file, offset));
    return input_read_exactly(file, bytes, count);
}

byte_source input_source(input_file *file)
{
    return (byte_source){.size = file->size, .owner = file, .read = read_at};
}

const char *input_likely_text(const input_file *file, char text[FILE_LIKELY_BYTES])
{
    uint8_t bytes[FILE_HEAD_BYTES];
    int error;
    const size_t wanted = (size_t)smaller(file->size, sizeof bytes);
    const size_t missing = input_read_at(file, 0, bytes, wanted, &error);
    const file_head head = {bytes, wanted - missing, file->size};
    return file_likely_text(&head, text);
}

sumac_status input_refuse(input_file *file, sumac_status status)
{
    if (status == SUMAC_OK || file->why.text[0] == '\0') {
        return status;
    }
    (void)fail(file->context, status, "%s: %s", file->path, file->why.text);
    file->why.text[0] = '\0';
    return status;
}
