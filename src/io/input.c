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

void input_open_bytes(input_file *file, sumac_context *context, const void *bytes, size_t size,
                      const char *name)
{
    static const uint8_t nothing[1];
    *file = (input_file){.context = context,
                         .path = name,
                         .descriptor = -1,
                         .has_size = 1,
                         .size = size,
                         .lent = size > 0 ? bytes : nothing};
}

/* What is in memory of the file; null: it is read from its descriptor. */
static const uint8_t *memory_of(const input_file *file)
{
    return file->memory != NULL ? file->memory : file->lent;
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

/* The file goes on after so many bytes. */
static sumac_status too_long(const input_file *file, uint64_t end)
{
    return fail(file->context, SUMAC_BAD_FILE, "%s: too long: it goes on after byte %" PRIu64, file->path,
                end);
}

/* Room for twice as many bytes, but not for more than most + 1. */
static sumac_status grow(input_file *file, uint64_t most, size_t *capacity)
{
    enum { LEAST = 1 << 16 };
    uint64_t larger = *capacity == 0 ? LEAST : 2 * (uint64_t)*capacity;
    larger = larger > most ? most + 1 : larger;
    sumac_status status;
    uint8_t *memory = memory_grow(file->context, file->path, file->memory, larger, &status);
    if (status == SUMAC_OK) {
        file->memory = memory;
        *capacity = (size_t)larger;
    }
    return status;
}

/* All of it into memory; it is longer than `most` if *size is. */
static sumac_status read_whole(input_file *file, uint64_t most, uint64_t *size)
{
    size_t capacity = 0;
    size_t got = 0;
    *size = 0;
    do {
        sumac_status status = *size == capacity ? grow(file, most, &capacity) : SUMAC_OK;
        file->offset = *size;
        if (status == SUMAC_OK) {
            status = read_descriptor(file, file->memory + *size, capacity - (size_t)*size, &got);
        }
        if (status != SUMAC_OK) {
            return status;
        }
        *size += got;
    } while (*size == capacity && *size <= most);
    return SUMAC_OK;
}

sumac_status input_measure(input_file *file, uint64_t most)
{
    const uint64_t limit =
        context_executor(file->context)->engine == NULL ? file->context->config.memory_limit : 0;
    const int is_limited = most == INPUT_OF_ANY_SIZE && limit != 0;
    uint64_t size = file->size;
    if (file->has_size) {
        return size > most ? too_long(file, most) : SUMAC_OK;
    }
    most = is_limited ? limit : most;
    const sumac_status status = read_whole(file, most, &size);
    if (status == SUMAC_OK && size > most) {
        return is_limited ? fail(file->context, SUMAC_MEMORY_LIMIT,
                                 "%s: it does not say its length and goes on after %" PRIu64
                                 " bytes, the memory limit",
                                 file->path, most)
                          : too_long(file, most);
    }
    file->offset = 0;
    file->size = size;
    file->has_size = status == SUMAC_OK;
    return status;
}

sumac_status input_expect_nothing(input_file *file, int *is_empty)
{
    uint8_t byte;
    size_t got;
    const sumac_status status = read_descriptor(file, &byte, 1, &got);
    *is_empty = status == SUMAC_OK && got == 0;
    file->has_size = *is_empty;
    return status;
}

sumac_status input_read(input_file *file, void *bytes, size_t wanted, size_t *got)
{
    sumac_status status = SUMAC_OK;
    if (memory_of(file) != NULL) {
        const uint64_t left = file->size - file->offset;
        *got = left < wanted ? (size_t)left : wanted;
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
    const sumac_status status = input_read(file, bytes, wanted, &got);
    if (status == SUMAC_OK && got < wanted) {
        return fail(file->context, SUMAC_BAD_FILE, "%s: truncated: it ends at byte %" PRIu64, file->path,
                    file->offset);
    }
    return status;
}

static size_t copy_memory_at(const input_file *file, uint64_t offset, uint8_t *bytes, size_t count)
{
    const uint64_t left = file->size > offset ? file->size - offset : 0;
    const size_t there = left < count ? (size_t)left : count;
    memcpy(bytes, memory_of(file) + (there > 0 ? offset : 0), there);
    return count - there;
}

size_t input_read_at(const input_file *file, uint64_t offset, uint8_t *bytes, size_t count, int *error)
{
    size_t got = 0;
    *error = 0;
    if (memory_of(file) != NULL) {
        return copy_memory_at(file, offset, bytes, count);
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

sumac_status input_skip(input_file *file, uint64_t wanted, uint64_t *got)
{
    uint8_t bytes[4096];
    size_t count = sizeof bytes;
    sumac_status status = SUMAC_OK;
    for (*got = 0; status == SUMAC_OK && *got < wanted && count == sizeof bytes; *got += count) {
        const uint64_t left = wanted - *got;
        status = input_read(file, bytes, left < sizeof bytes ? (size_t)left : sizeof bytes, &count);
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

sumac_status input_begins_with(input_file *file, const void *bytes, size_t count, int *begins)
{
    const sumac_status status = read_descriptor(file, file->ahead, count, &file->ahead_count);
    file->ahead_taken = 0;
    *begins = status == SUMAC_OK && file->ahead_count == count && memcmp(file->ahead, bytes, count) == 0;
    return status;
}

static sumac_status read_at(void *owner, uint64_t offset, uint8_t *bytes, size_t count)
{
    input_file *file = owner;
    const sumac_status status = input_seek(file, offset);
    return status == SUMAC_OK ? input_read_exactly(file, bytes, count) : status;
}

byte_source input_source(input_file *file)
{
    return (byte_source){.size = file->size, .owner = file, .read = read_at};
}

const char *input_likely_text(const input_file *file, char text[FILE_LIKELY_BYTES])
{
    uint8_t bytes[FILE_HEAD_BYTES];
    const uint64_t wanted = file->size < sizeof bytes ? file->size : sizeof bytes;
    file_head head = {bytes, 0, file->size};
    if (memory_of(file) != NULL) {
        memcpy(bytes, memory_of(file), (size_t)wanted);
        head.count = (size_t)wanted;
    } else {
        const ssize_t got = pread(file->descriptor, bytes, (size_t)wanted, (off_t)file->start);
        head.count = got > 0 ? (size_t)got : 0;
    }
    return file_likely_text(&head, text);
}

sumac_status input_refuse(const input_file *file, sumac_status status, const sumac_message *why)
{
    return status == SUMAC_OK || why->text[0] == '\0'
               ? status
               : fail(file->context, status, "%s: %s", file->path, why->text);
}
