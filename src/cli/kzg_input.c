/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg_input.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "files.h"
#include "numbers.h"
#include "progress.h"

#define ALL_CELLS "0..127"

/* A blob as hexadecimal text: "0x", two digits a byte, and white space at the end. */
enum { BLOB_TEXT_LIMIT = 2 + 2 * SUMAC_KZG_BLOB_BYTES + 16 };

static int hex_value(unsigned char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    if (digit >= 'a' && digit <= 'f') {
        return digit - 'a' + 10;
    }
    if (digit >= 'A' && digit <= 'F') {
        return digit - 'A' + 10;
    }
    return -1;
}

static bool is_space(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static bool is_hexadecimal(const unsigned char *bytes, size_t count)
{
    size_t i = 0;
    while (i < count && hex_value(bytes[i]) >= 0) {
        i++;
    }
    return i == count;
}

/* Where the digits of a text begin and end. */
static void find_digits(const unsigned char *text, size_t size, size_t *begin, size_t *end)
{
    *begin = size >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 2 : 0;
    *end = size;
    while (*end > *begin && is_space(text[*end - 1])) {
        --*end;
    }
}

bool is_text_of_blob(const unsigned char *text, size_t size)
{
    size_t begin, end;
    find_digits(text, size, &begin, &end);
    return end - begin == 2 * (size_t)SUMAC_KZG_BLOB_BYTES && is_hexadecimal(text + begin, end - begin);
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

int find_bad_element(const unsigned char *elements, size_t count, size_t *bad)
{
    const sumac_curve *curve;
    int status = find_curve("bls12-381", "g1", &curve);
    if (status != STATUS_DONE) {
        return status;
    }
    const uint64_t *order = sumac_curve_describe(curve)->order;
    for (*bad = 0; *bad < count; ++*bad) {
        const unsigned char *bytes = elements + SUMAC_KZG_ELEMENT_BYTES * *bad;
        int i = 0; /* the first byte, from the most significant, that differs from r's */
        while (i < 32 && bytes[i] == (unsigned char)(order[(31 - i) / 8] >> (8 * ((31 - i) % 8)))) {
            i++;
        }
        if (i == 32 || bytes[i] > (unsigned char)(order[(31 - i) / 8] >> (8 * ((31 - i) % 8)))) {
            return STATUS_DONE;
        }
    }
    return STATUS_DONE;
}

static int check_elements(const char *path, const unsigned char *blob)
{
    size_t bad;
    int status = find_bad_element(blob, SUMAC_KZG_FIELD_ELEMENTS, &bad);
    if (status != STATUS_DONE || bad == SUMAC_KZG_FIELD_ELEMENTS) {
        return status;
    }
    return bad_input("%s: element %zu, at byte %zu of the blob, is not less than r", path, bad,
                     SUMAC_KZG_ELEMENT_BYTES * bad);
}

int check_elements_of_blobs(const char *path, const unsigned char *records, size_t count, size_t record_bytes,
                            size_t first)
{
    const size_t each = record_bytes / SUMAC_KZG_ELEMENT_BYTES;
    size_t bad;
    int status = find_bad_element(records, count * each, &bad);
    if (status != STATUS_DONE || bad == count * each) {
        return status;
    }
    const size_t element = first * each + bad;
    return bad_input("%s: blob %zu: element %zu, at byte %zu of the file, is not less than r", path,
                     element / each, element % each, element * SUMAC_KZG_ELEMENT_BYTES);
}

int read_blob(const char *path, unsigned char *blob)
{
    unsigned char *data;
    size_t size;
    int status = read_small_file(path, BLOB_TEXT_LIMIT, &data, &size);
    if (status != STATUS_DONE) {
        return status;
    }
    if (size == SUMAC_KZG_BLOB_BYTES) {
        memcpy(blob, data, size);
    } else if (size < SUMAC_KZG_BLOB_BYTES) {
        status =
            bad_input("%s: truncated: it ends at byte %zu; a blob has %d bytes, or %d hexadecimal digits",
                      path, size, SUMAC_KZG_BLOB_BYTES, 2 * SUMAC_KZG_BLOB_BYTES);
    } else {
        char name[512];
        snprintf(name, sizeof name, "%.400s: longer than a binary blob and so taken for text, it", path);
        status = decode_hex(name, data, size, blob, SUMAC_KZG_BLOB_BYTES);
    }
    free(data);
    return status == STATUS_DONE ? check_elements(path, blob) : status;
}

int decode_hex_option(const char *name, const char *text, unsigned char *bytes, size_t count)
{
    return text == NULL ? STATUS_DONE
                        : decode_hex(name, (const unsigned char *)text, strlen(text), bytes, count);
}

int read_records(const char *path, const char *what, size_t count, size_t record_bytes, unsigned char **data)
{
    size_t size;
    int status = read_small_file(path, count * record_bytes, data, &size);
    if (status == STATUS_DONE && size != count * record_bytes) {
        status = bad_input("%s: truncated: it ends at byte %zu; %zu %s of %zu bytes are expected", path, size,
                           count, what, record_bytes);
        free(*data);
        *data = NULL;
    }
    return status;
}

/* Larger tables cost half a second of one thread, and save 20 milliseconds of each blob's 50 (docs/kzg.md).
 */
uint64_t table_bytes_for_blobs(size_t blobs)
{
    enum { WORTH_TABLES = 32, NO_TABLES = 1 /* less than any table */, DEFAULT = 0 };
    return blobs < WORTH_TABLES ? NO_TABLES : DEFAULT;
}

int read_kzg_setup(const session *opened, const options *given, size_t blobs, sumac_kzg_setup **setup)
{
    progress_begin("reading %s", given->setup);
    double start = seconds_now();
    sumac_status status =
        sumac_kzg_setup_open(opened->context, given->setup, (sumac_check)given->check, setup);
    progress_end();
    session_span(opened, "read setup", start);
    if (status == SUMAC_OK && blobs > 0 && !sumac_kzg_setup_has_tables(*setup)) {
        progress_begin("preparing the setup");
        start = seconds_now();
        status = sumac_kzg_setup_make_tables(opened->context, *setup, table_bytes_for_blobs(blobs));
        progress_end();
        session_span(opened, "prepare setup", start);
        if (status != SUMAC_OK) {
            sumac_kzg_setup_destroy(*setup);
            *setup = NULL;
        }
    }
    return status == SUMAC_OK ? STATUS_DONE : session_failure(opened, status);
}

/* "5" or "0..63", up to a comma or the end, which *end is set to. */
static bool parse_range(const char *text, const char **end, uint64_t *first, uint64_t *last)
{
    char number[8];
    size_t length = strspn(text, "0123456789");
    if (length == 0 || length >= sizeof number) {
        return false;
    }
    snprintf(number, sizeof number, "%.*s", (int)length, text);
    if (!parse_number(number, first)) {
        return false;
    }
    *last = *first;
    *end = text + length;
    return strncmp(*end, "..", 2) != 0 || (parse_range(*end + 2, end, last, last) && *first <= *last);
}

int parse_cells(const char *text, cell_list *cells)
{
    const char *next = text == NULL ? ALL_CELLS : text;
    uint64_t first, last;
    cells->count = 0;
    for (;;) {
        if (!parse_range(next, &next, &first, &last) || last >= SUMAC_KZG_CELLS ||
            (*next != '\0' && *next != ',') ||
            (cells->count > 0 && first <= cells->indices[cells->count - 1])) {
            return bad_input("--cells takes numbers from 0 to %d, ascending, as 0..63,70, not '%s'",
                             SUMAC_KZG_CELLS - 1, text);
        }
        for (uint64_t i = first; i <= last; i++) {
            cells->indices[cells->count++] = i;
        }
        if (*next++ == '\0') {
            return STATUS_DONE;
        }
    }
}

int parse_known_cells(const char *text, cell_list *cells)
{
    enum { LEAST = SUMAC_KZG_CELLS / 2 };
    const int status = parse_cells(text, cells);
    if (status != STATUS_DONE || cells->count >= LEAST) {
        return status;
    }
    return bad_input("--cells names %zu cells; a blob is recovered from %d or more", cells->count, LEAST);
}

int recover_cells_of_blobs(const session *opened, const sumac_kzg_setup *setup, const char *path,
                           const cell_list *known, const unsigned char *records, size_t count, size_t first,
                           unsigned char *cells, unsigned char *proofs)
{
    size_t blob;
    uint64_t cell;
    const sumac_status status = sumac_kzg_recover_cells_and_proofs_batch_checked(
        opened->context, setup, known->indices, known->count, (const sumac_cell *)records, count,
        (sumac_cell *)cells, (sumac_bytes48 *)proofs, &blob, &cell);
    if (status != SUMAC_MISMATCH) {
        return status == SUMAC_OK ? STATUS_DONE : session_failure(opened, status);
    }
    return cell < SUMAC_KZG_CELLS
               ? bad_input("%s: blob %zu: cell %u does not fit the others", path, first + blob,
                           (unsigned)cell)
               : bad_input("%s: blob %zu: its %zu cells do not fit each other; which of them are wrong can't "
                           "be told",
                           path, first + blob, known->count);
}
