/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <sys/stat.h>

#include "kzg_blobs.h"
#include "kzg_input.h"

enum { SUB_BATCH = 256 };      /* blobs: enough for a GPU's rate, and 100 MiB with their cells and proofs */
enum { MOST_BLOBS = 1 << 16 }; /* of a file, 8 GiB: a pipe may never end */

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
    MUST(open_input(path, &file->descriptor));
    struct stat facts;
    if (fstat(file->descriptor, &facts) == 0 && S_ISREG(facts.st_mode)) {
        file->size = (size_t)facts.st_size;
    }
    return file->size / file->record_bytes > MOST_BLOBS ? refuse_count(file) : STATUS_DONE;
}

/* Find the first of `count` elements that is not less than r, or `count`. The library checks this too, but knows no
 * files. */
static size_t find_bad_element(const unsigned char *elements, size_t count, const uint64_t *order)
{
    unsigned char r[SUMAC_KZG_ELEMENT_BYTES];
    for (size_t i = 0; i < sizeof r; i++) {
        r[i] = (unsigned char)(order[(31 - i) / 8] >> (8 * ((31 - i) % 8)));
    }
    size_t bad = 0;
    while (bad < count && memcmp(elements + sizeof r * bad, r, sizeof r) < 0) {
        bad++;
    }
    return bad;
}

static int check_elements(const blob_file *file)
{
    const sumac_curve *curve;
    const size_t each = file->record_bytes / SUMAC_KZG_ELEMENT_BYTES;
    MUST(find_curve("bls12-381", "g1", &curve));
    const size_t bad =
        find_bad_element(file->records, file->count * each, sumac_curve_describe(curve)->order);
    if (bad == file->count * each) {
        return STATUS_DONE;
    }
    const size_t element = file->first * each + bad;
    return bad_input("%s: blob %zu: element %zu, at byte %zu of the file, is not less than r", file->path,
                     element / each, element % each, element * SUMAC_KZG_ELEMENT_BYTES);
}

/* Read up to a sub-batch, fewer bytes only at the file's end. Memory grows with what the file turns out to hold. */
static int read_sub_batch(blob_file *file, size_t *size)
{
    const size_t most = SUB_BATCH * file->record_bytes;
    *size = 0;
    do {
        if (*size == file->capacity) {
            const size_t wanted = file->capacity == 0 ? 2 * file->record_bytes : 2 * file->capacity;
            const size_t capacity = wanted < most ? wanted : most;
            unsigned char *larger = realloc(file->records, capacity);
            if (larger == NULL) {
                return cannot_allocate(capacity, file->path);
            }
            file->records = larger;
            file->capacity = capacity;
        }
        MUST(read_input(file->descriptor, file->path, file->records, file->capacity, size));
    } while (*size == file->capacity && *size < most);
    return STATUS_DONE;
}

/* Refuse a file that ends behind `size` bytes of the sub-batch, within a blob. */
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

/* Read this rank's part. One blob's text would be read by `sumac`, and is refused here. */
static int read_part(blob_file *file)
{
    void *records = NULL;
    if (file->is_part) {
        file->first += file->count;
        file->count = 0;
        return STATUS_DONE;
    }
    MUST(
        ranks_read_records(file->path, file->record_bytes, &records, &file->count, &file->first, &file->all));
    file->records = records;
    file->is_part = true;
    if (file->all == 0) {
        return bad_input("%s: there is no blob in it", file->path); /* all ranks found the same file */
    }
    AUTO_FREE unsigned char *text = NULL;
    size_t size = 0;
    int status = STATUS_DONE;
    if (file->may_be_text && file->size == 2 * (size_t)SUMAC_KZG_BLOB_BYTES) {
        status = read_small_file(file->path, file->size, &text, &size);
        if (status == STATUS_DONE && is_text_of_blob(text, size)) {
            status = bad_input("%s is hexadecimal text; over ranks blobs are read in binary", file->path);
        }
    }
    return ranks_agree(status == STATUS_DONE ? check_elements(file) : status);
}

int blob_file_next(blob_file *file)
{
    size_t size;
    if (ranks_are_many()) {
        return read_part(file);
    }
    file->first += file->count;
    file->count = 0;
    MUST(read_sub_batch(file, &size));
    if (file->may_be_text && file->first == 0 && is_text_of_blob(file->records, size)) {
        MUST(decode_hex(file->path, file->records, size, file->records, SUMAC_KZG_BLOB_BYTES));
        size = SUMAC_KZG_BLOB_BYTES;
    }
    if (size % file->record_bytes != 0) {
        return refuse_end(file, size);
    }
    if (size == 0 && file->first == 0) {
        return bad_input("%s: there is no blob in it", file->path);
    }
    file->count = size / file->record_bytes;
    file->all = file->first + file->count;
    return file->all > MOST_BLOBS ? refuse_count(file) : check_elements(file);
}

void blob_file_close(blob_file *file)
{
    if (file->descriptor >= 0) {
        close(file->descriptor);
    }
    if (file->is_part) {
        sumac_free(file->records);
    } else {
        free(file->records);
    }
    *file = BLOB_FILE_CLOSED;
}
