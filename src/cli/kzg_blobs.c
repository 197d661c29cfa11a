/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg_blobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "kzg_input.h"

/* Blobs of a sub-batch: enough for a GPU's rate, and 100 MiB with their cells and proofs. */
enum { SUB_BATCH = 256 };

/* Of a file: 8 GiB. A pipe may never end. */
enum { MOST_BLOBS = 1 << 16 };

static int refuse_count(const blob_file *file)
{
    return bad_input("%s: too long: it has more than %d blobs", file->path, (int)MOST_BLOBS);
}

int blob_file_open(blob_file *file, const char *path, size_t known_cells)
{
    *file = BLOB_FILE_CLOSED;
    file->path = path;
    file->may_be_text = known_cells == 0;
    file->record_bytes = known_cells == 0 ? SUMAC_KZG_BLOB_BYTES : known_cells * SUMAC_KZG_CELL_BYTES;
    const int status = open_input(path, &file->descriptor);
    struct stat facts;
    if (status == STATUS_DONE && fstat(file->descriptor, &facts) == 0 && S_ISREG(facts.st_mode)) {
        file->size = (size_t)facts.st_size;
    }
    return status == STATUS_DONE && file->size / file->record_bytes > MOST_BLOBS ? refuse_count(file)
                                                                                 : status;
}

/* Up to a sub-batch, fewer bytes only at the file's end. Memory grows with what there turns out to be. */
static int read_sub_batch(blob_file *file, size_t *size)
{
    const size_t most = SUB_BATCH * file->record_bytes;
    int status = STATUS_DONE;
    *size = 0;
    do {
        if (*size == file->capacity) {
            const size_t wanted = file->capacity == 0 ? 2 * file->record_bytes : 2 * file->capacity;
            const size_t capacity = wanted < most ? wanted : most;
            unsigned char *larger = realloc(file->records, capacity);
            if (larger == NULL) {
                return machine_fault("out of memory: %zu bytes for %s could not be had", capacity,
                                     file->path);
            }
            file->records = larger;
            file->capacity = capacity;
        }
        status = read_input(file->descriptor, file->path, file->records, file->capacity, size);
    } while (status == STATUS_DONE && *size == file->capacity && *size < most);
    return status;
}

/* The text of a blob in place of its bytes. */
static int decode_text(blob_file *file, size_t *size)
{
    const int status = decode_hex(file->path, file->records, *size, file->records, SUMAC_KZG_BLOB_BYTES);
    *size = SUMAC_KZG_BLOB_BYTES;
    return status;
}

/* The file ends behind `size` bytes of the sub-batch, within a blob. */
static int refuse_end(const blob_file *file, size_t size)
{
    const size_t blob = file->first + size / file->record_bytes, rest = size % file->record_bytes;
    const size_t end = file->first * file->record_bytes + size;
    const size_t known = file->record_bytes / SUMAC_KZG_CELL_BYTES;
    if (file->may_be_text) {
        return bad_input("%s: truncated: it ends at byte %zu, within blob %zu; each has %zu bytes, or one "
                         "alone is as many in hexadecimal",
                         file->path, end, blob, file->record_bytes);
    }
    if (rest % SUMAC_KZG_CELL_BYTES == 0) {
        return bad_input(
            "%s: it has %zu cells, which is no multiple of the %zu that --cells names of each blob",
            file->path, end / SUMAC_KZG_CELL_BYTES, known);
    }
    return bad_input(
        "%s: truncated: it ends at byte %zu, within one of the %zu cells of blob %zu; each has %d "
        "bytes",
        file->path, end, known, blob, SUMAC_KZG_CELL_BYTES);
}

int blob_file_next(blob_file *file)
{
    size_t size;
    file->first += file->count;
    file->count = 0;
    int status = read_sub_batch(file, &size);
    if (status == STATUS_DONE && file->may_be_text && file->first == 0 &&
        is_text_of_blob(file->records, size)) {
        status = decode_text(file, &size);
    }
    if (status != STATUS_DONE) {
        return status;
    }
    if (size % file->record_bytes != 0) {
        return refuse_end(file, size);
    }
    if (size == 0 && file->first == 0) {
        return bad_input("%s: there is no blob in it", file->path);
    }
    file->count = size / file->record_bytes;
    if (file->first + file->count > MOST_BLOBS) {
        return refuse_count(file);
    }
    return check_elements_of_blobs(file->path, file->records, file->count, file->record_bytes, file->first);
}

void blob_file_close(blob_file *file)
{
    if (file->descriptor >= 0) {
        close(file->descriptor);
    }
    free(file->records);
    *file = BLOB_FILE_CLOSED;
}

/* Put the sub-batch behind the blobs that are there. What does not say its length keeps to --memory-limit. */
static int append_sub_batch(const options *given, const blob_file *file, unsigned char **blobs, size_t *count)
{
    const size_t bytes = (*count + file->count) * SUMAC_KZG_BLOB_BYTES;
    if (file->size == 0 && given->memory_limit != 0 && bytes > given->memory_limit) {
        return bad_input(
            "%s: it does not say its length, and its blobs are more than the %llu bytes of the memory limit",
            file->path, (unsigned long long)given->memory_limit);
    }
    int status = require_memory(file->path, bytes);
    if (status != STATUS_DONE) {
        return status;
    }
    unsigned char *larger = realloc(*blobs, bytes);
    if (larger == NULL) {
        return machine_fault("out of memory: %zu bytes for blobs could not be had", bytes);
    }
    memcpy(larger + *count * SUMAC_KZG_BLOB_BYTES, file->records, file->count * SUMAC_KZG_BLOB_BYTES);
    *blobs = larger;
    *count += file->count;
    return STATUS_DONE;
}

int read_all_blobs(const options *given, unsigned char **blobs, size_t *count)
{
    int status = STATUS_DONE;
    *blobs = NULL;
    *count = 0;
    for (int i = 0; i < given->operand_count && status == STATUS_DONE; i++) {
        blob_file file;
        status = blob_file_open(&file, given->operands[i], 0);
        if (status == STATUS_DONE) {
            status = blob_file_next(&file);
        }
        while (status == STATUS_DONE && file.count > 0) {
            status = append_sub_batch(given, &file, blobs, count);
            if (status == STATUS_DONE) {
                status = blob_file_next(&file);
            }
        }
        blob_file_close(&file);
    }
    return status;
}
