/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <ctype.h>
#include <limits.h>
#include <sys/stat.h>

#include "kzg_input.h"
#include "base/privileges.h"

void close_kzg_setup(sumac_kzg_setup **setup)
{
    sumac_kzg_destroy(*setup);
}

/* ---- Hexadecimal text ---- */

static int hex_value(unsigned char digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = digit != '\0' ? strchr(digits, tolower(digit)) : NULL;
    return found != NULL ? (int)(found - digits) : -1;
}

/* Find the beginning and the end of the digits in a text. */
static void find_digits(const unsigned char *text, size_t size, size_t *begin, size_t *end)
{
    *begin = size >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 2 : 0;
    *end = size;
    while (*end > *begin && text[*end - 1] != 0 && strchr(" \t\r\n", text[*end - 1]) != NULL) {
        --*end;
    }
}

/* Return true if a file is one blob in hexadecimal. It must have exactly the digits of a blob; "0x" may precede them,
 * and white space may follow them. A binary file would be mistaken for such a text only if it had two blobs that
 * consist of such characters. */
static bool is_text_of_blob(const unsigned char *text, size_t size)
{
    size_t begin, end;
    find_digits(text, size, &begin, &end);
    bool is_text = end - begin == 2 * (size_t)SUMAC_KZG_BLOB_BYTES;
    for (size_t i = begin; i < end && is_text; i++) {
        is_text = hex_value(text[i]) >= 0;
    }
    return is_text;
}

int decode_hex(const char *name, const unsigned char *text, size_t size, unsigned char *bytes, size_t count)
{
    size_t begin;
    find_digits(text, size, &begin, &size);
    for (size_t i = begin; i < size; i++) {
        if (hex_value(text[i]) < 0) {
            return bad_input("%s has a byte that is no hexadecimal digit at offset %zu", name, i);
        }
    }
    if (size - begin != 2 * count) {
        return bad_input("%s has %zu hexadecimal digits, not %zu", name, size - begin, 2 * count);
    }
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (unsigned char)(16 * hex_value(text[begin + 2 * i]) + hex_value(text[begin + 2 * i + 1]));
    }
    return STATUS_DONE;
}

int decode_hex_option(const char *name, const char *text, unsigned char *bytes, size_t count)
{
    return text == NULL ? STATUS_DONE
                        : decode_hex(name, (const unsigned char *)text, strlen(text), bytes, count);
}

/* ---- Records and lists of cells ---- */

int read_records(const char *path, const char *what, size_t count, size_t record_bytes, unsigned char **data)
{
    size_t size;
    MUST(read_small_file(path, count * record_bytes, data, &size));
    return size == count * record_bytes
               ? STATUS_DONE
               : bad_input("%s: truncated: it ends at byte %zu; %zu %s of %zu bytes are expected", path, size,
                           count, what, record_bytes);
}

int parse_cells(const char *text, size_t least, cell_list *cells)
{
    number_list numbers;
    bool is_good = parse_number_list(text == NULL ? "0..127" : text, STEP_COUNTS, &numbers);
    for (size_t i = 0; i < numbers.count && is_good; i++) {
        is_good =
            numbers.values[i] < SUMAC_KZG_CELLS && (i == 0 || numbers.values[i] > numbers.values[i - 1]);
    }
    if (!is_good) {
        return bad_input("--cells takes numbers from 0 to %d, ascending, as 0..63,70, not '%s'",
                         SUMAC_KZG_CELLS - 1, text);
    }
    cells->count = numbers.count;
    memcpy(cells->indices, numbers.values, numbers.count * sizeof *cells->indices);
    return cells->count >= least ? STATUS_DONE
                                 : bad_input("--cells names %zu cells; a blob is recovered from %zu or more",
                                             cells->count, least);
}

/* ---- Setups ---- */

#define SETUP_NAME "trusted_setup.txt"

/* Find the setup that is installed with the program. It lies beside the program's file or, if that is in PREFIX/bin, in
 * PREFIX/share/sumac; nothing else is searched. The path of the program's file is its real path. If the program has
 * more rights than its caller, it does not search, because the caller may have linked it into his own directory. */
static bool find_setup(char path[PATH_MAX])
{
    char directory[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", directory, PATH_MAX);
    if (length <= 0 || length >= PATH_MAX || has_raised_privileges()) {
        return false;
    }
    directory[length] = '\0';
    *strrchr(directory, '/') = '\0';
    const char *last = strrchr(directory, '/');
    const bool is_installed = last != NULL && strcmp(last + 1, SUMAC_PROGRAM_FOLDER) == 0;
    for (int i = 0; i < 1 + is_installed; i++) {
        const int bytes = snprintf(path, PATH_MAX, "%s/%s" SETUP_NAME, directory,
                                   i == 0 ? "" : SUMAC_FROM_PROGRAM_TO_DATA "/");
        if (bytes > 0 && bytes < PATH_MAX && access(path, F_OK) == 0) {
            return true;
        }
    }
    return false;
}

static int open_setup(const session *opened, const options *given, const char *path, size_t blobs,
                      sumac_kzg_setup **setup)
{
    /* If there are at least WORTH_TABLES blobs, larger tables are made. That takes half a second of one thread, and
     * saves 20 of 50 milliseconds for each blob (docs/kzg.md). */
    enum { WORTH_TABLES = 32, NO_TABLES = 1 /* less than any table has */, DEFAULT = 0 };
    const sumac_kzg_config config = {.size = sizeof config,
                                     .check = (uint32_t)given->check,
                                     .cells = blobs > 0,
                                     .table_bytes = given->table_bytes != 0 ? given->table_bytes
                                                    : blobs < WORTH_TABLES  ? NO_TABLES
                                                                            : DEFAULT};
    progress_begin("reading %s", path);
    return session_step(opened, "read setup", sumac_kzg_open(opened->context, path, &config, setup));
}

int read_kzg_setup(const session *opened, const options *given, size_t blobs, sumac_kzg_setup **setup)
{
    char found[PATH_MAX];
    *setup = NULL;
    const char *path = given->setup != NULL ? given->setup : find_setup(found) ? found : NULL;
    MUST(ranks_agree(
        path != NULL ? STATUS_DONE
                     : bad_input("--setup FILE is needed: there is no " SETUP_NAME " beside the program")));
    MUST(ranks_agree_on_file("setup", path));
    return ranks_agree(open_setup(opened, given, path, blobs, setup));
}

/* ---- Blobs ---- */

enum { SUB_BATCH = 256 };      /* the number of blobs; enough to use a GPU; 100 MiB with cells and proofs */
enum { MOST_BLOBS = 1 << 16 }; /* the most blobs of a file, 8 GiB, because a pipe may never end */

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

/* Refuse an element that is not less than r. The library checks this, too, but its message can't have the name of the
 * file. */
static int check_elements(const blob_file *file)
{
    const sumac_group *group;
    unsigned char r[SUMAC_KZG_ELEMENT_BYTES];
    const size_t each = file->record_bytes / sizeof r;
    MUST(find_group("bls12-381", "g1", &group));
    const uint64_t *order = group->order;
    for (size_t i = 0; i < sizeof r; i++) {
        r[i] = (unsigned char)(order[(31 - i) / 8] >> (8 * ((31 - i) % 8)));
    }
    for (size_t i = 0; i < file->count * each; i++) {
        const size_t element = file->first * each + i;
        if (memcmp(file->records + sizeof r * i, r, sizeof r) >= 0) {
            return bad_input("%s: blob %zu: element %zu, at byte %zu of the file, is not less than r",
                             file->path, element / each, element % each, element * sizeof r);
        }
    }
    return STATUS_DONE;
}

/* Read a sub-batch, or fewer bytes if the file ends. The memory grows with the number of bytes that were read. */
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

/* The file ends after `size` bytes of the sub-batch. If that is within a blob, refuse the file. */
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

/* Read this rank's part. A file with one blob as text is refused here, although `sumac` reads it. */
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
        return bad_input("%s: there is no blob in it", file->path); /* all ranks have the same file, so all
                                                                       fail */
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
