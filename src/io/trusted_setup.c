/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The formats `trusted-setup-lagrange` and `trusted-setup-monomial`: Ethereum's trusted_setup.txt. Two
 * decimal counts, n1 and n2; then, a line each, n1 points of G1 in Lagrange form, n2 of G2 and n1 of G1 in
 * monomial form, compressed and in hexadecimal. One section becomes bases; of the others the shape is
 * checked.
 */
#include <inttypes.h>
#include <string.h>

#include "api/bases.h"
#include "api/call.h"
#include "codec/format.h"
#include "io/importer.h"
#include "io/trusted_setup.h"
#include "codec/zcash.h"

enum {
    G1_BYTES = 48,
    G2_BYTES = 96,
    LINE_CHARACTERS = 2 * G2_BYTES + 16,
    EMPTY_LINES = 1 << 10 /* at the end, at most: a pipe may never end */
};

/* The sections in the order of the file. */
typedef enum section { SECTION_G1_LAGRANGE, SECTION_G2_MONOMIAL, SECTION_G1_MONOMIAL, SECTIONS } section;

/* A text file, line by line. */
typedef struct line_reader {
    input_file *file;
    char buffer[1 << 14];
    size_t next;
    size_t filled;
    uint64_t number; /* of the line that was read last, from 1 */
    char line[LINE_CHARACTERS + 1];
    size_t length;
    int at_end; /* there was no line any more */
} line_reader;

/* The next character, or -1 at the end of the file. */
static sumac_status next_character(line_reader *reader, int *character)
{
    sumac_status status = SUMAC_OK;
    if (reader->next == reader->filled) {
        reader->next = 0;
        status = input_read(reader->file, reader->buffer, sizeof reader->buffer, &reader->filled);
    }
    *character = -1;
    if (status == SUMAC_OK && reader->filled > 0) {
        *character = (unsigned char)reader->buffer[reader->next++];
    }
    return status;
}

static sumac_status bad_line(const line_reader *reader, const char *problem)
{
    return fail(reader->file->context, SUMAC_BAD_FILE, "%s: line %" PRIu64 " %s", reader->file->path,
                reader->number, problem);
}

/* Read a line, without white space at its end. */
static sumac_status next_line(line_reader *reader)
{
    int character;
    sumac_status status = next_character(reader, &character);
    reader->number++;
    reader->length = 0;
    reader->at_end = character < 0;
    while (status == SUMAC_OK && character >= 0 && character != '\n') {
        if (reader->length == LINE_CHARACTERS) {
            return bad_line(reader, "is too long");
        }
        if (character == '\0') {
            return fail(reader->file->context, SUMAC_BAD_FILE,
                        "%s: byte %" PRIu64 ", in line %" PRIu64 ", is 0, and a setup is text",
                        reader->file->path, reader->file->offset - (reader->filled - reader->next) - 1,
                        reader->number);
        }
        reader->line[reader->length++] = (char)character;
        status = next_character(reader, &character);
    }
    while (reader->length > 0 && strchr(" \t\r", reader->line[reader->length - 1]) != NULL) {
        reader->length--;
    }
    reader->line[reader->length] = '\0';
    return status;
}

static sumac_status read_count(line_reader *reader, uint64_t *count)
{
    const sumac_status status = next_line(reader);
    if (status != SUMAC_OK) {
        return status;
    }
    *count = 0;
    for (size_t i = 0; i < reader->length; i++) {
        if (reader->line[i] < '0' || reader->line[i] > '9' || i == 10) {
            return bad_line(reader, "is not a number of points");
        }
        *count = 10 * *count + (uint64_t)(reader->line[i] - '0');
    }
    return reader->length > 0 ? SUMAC_OK : bad_line(reader, "should hold a number of points");
}

static int hexadecimal_digit(char character)
{
    if (character >= '0' && character <= '9') {
        return character - '0';
    }
    if (character >= 'a' && character <= 'f') {
        return character - 'a' + 10;
    }
    return character >= 'A' && character <= 'F' ? character - 'A' + 10 : -1;
}

/* Read a line that is a point of this many bytes. */
static sumac_status read_point(line_reader *reader, uint8_t *record, size_t bytes)
{
    const sumac_status status = next_line(reader);
    if (status != SUMAC_OK) {
        return status;
    }
    if (reader->at_end) {
        return fail(reader->file->context, SUMAC_BAD_FILE,
                    "%s: truncated: it ends where line %" PRIu64 " should be", reader->file->path,
                    reader->number);
    }
    if (reader->length != 2 * bytes) {
        return fail(reader->file->context, SUMAC_BAD_FILE,
                    "%s: line %" PRIu64 " has %zu characters, where a point has %zu hexadecimal digits",
                    reader->file->path, reader->number, reader->length, 2 * bytes);
    }
    for (size_t i = 0; i < bytes; i++) {
        const int high = hexadecimal_digit(reader->line[2 * i]);
        const int low = hexadecimal_digit(reader->line[2 * i + 1]);
        if (high < 0 || low < 0) {
            return bad_line(reader, "is not a point in hexadecimal digits");
        }
        record[i] = (uint8_t)(high << 4 | low);
    }
    return SUMAC_OK;
}

/* Read the lines of a section: into bases, or where importer is null to check their shape. */
static sumac_status read_section(line_reader *reader, uint64_t count, size_t bytes, point_importer *importer)
{
    uint8_t unused[G2_BYTES];
    uint64_t first_line = reader->number + 1;
    size_t waiting = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint8_t *record = importer == NULL ? unused : importer->records + waiting * bytes;
        sumac_status status = read_point(reader, record, bytes);
        if (status == SUMAC_OK && importer != NULL && (++waiting == importer->capacity || i + 1 == count)) {
            status = point_importer_take(importer, waiting, first_line, 1);
            first_line += waiting;
            waiting = 0;
        }
        if (status != SUMAC_OK) {
            return status;
        }
    }
    return SUMAC_OK;
}

/* Nothing but empty lines may follow the last point. */
static sumac_status read_end(line_reader *reader)
{
    const uint64_t last = reader->number + EMPTY_LINES;
    do {
        const sumac_status status = next_line(reader);
        if (status != SUMAC_OK) {
            return status;
        }
        if (reader->length > 0 || (!reader->at_end && reader->number > last)) {
            return bad_line(reader, "follows the last point: the file is too long");
        }
    } while (!reader->at_end);
    return SUMAC_OK;
}

/* The counts decide what is allocated, so they must be possible: each point has a line of its own. */
static sumac_status read_counts(line_reader *reader, uint64_t counts[SECTIONS])
{
    const input_file *file = reader->file;
    sumac_status status = read_count(reader, &counts[SECTION_G1_LAGRANGE]);
    if (status == SUMAC_OK) {
        status = read_count(reader, &counts[SECTION_G2_MONOMIAL]);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    counts[SECTION_G1_MONOMIAL] = counts[SECTION_G1_LAGRANGE];
    const uint64_t least =
        4 * G1_BYTES * counts[SECTION_G1_LAGRANGE] + 2 * G2_BYTES * counts[SECTION_G2_MONOMIAL];
    if (file->has_size && file->size < least) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: truncated: %" PRIu64 " bytes do not hold the %" PRIu64 " and %" PRIu64
                    " points of lines 1 and 2",
                    file->path, file->size, counts[SECTION_G1_LAGRANGE], counts[SECTION_G2_MONOMIAL]);
    }
    return SUMAC_OK;
}

static sumac_status read_sections(line_reader *reader, section wanted, const sumac_curve *curve,
                                  const sumac_bases_config *config, sumac_bases **bases,
                                  point_importer *importer)
{
    sumac_context *context = reader->file->context;
    uint64_t counts[SECTIONS];
    sumac_status status = read_counts(reader, counts);
    if (status == SUMAC_OK) {
        status = bases_for_points(context, curve, reader->file->path, counts[wanted], config, bases);
    }
    if (status == SUMAC_OK) {
        *importer = (point_importer){.context = context,
                                     .bases = *bases,
                                     .path = reader->file->path,
                                     .unit = "line",
                                     .encoding = &zcash_compressed,
                                     .check = config->check,
                                     .total = counts[wanted]};
        status = point_importer_begin(importer);
    }
    for (section i = 0; status == SUMAC_OK && i < SECTIONS; i++) {
        const size_t bytes = i == SECTION_G2_MONOMIAL ? G2_BYTES : G1_BYTES;
        status = read_section(reader, counts[i], bytes, i == wanted ? importer : NULL);
    }
    if (status == SUMAC_OK) {
        status = read_end(reader);
    }
    return status != SUMAC_OK ? status : bases_complete(context, *bases);
}

static sumac_status read_file(input_file *file, const sumac_curve *curve, section wanted,
                              const sumac_bases_config *config, sumac_bases **bases)
{
    line_reader reader = {.file = file};
    point_importer importer = {0};
    const sumac_status status = read_sections(&reader, wanted, curve, config, bases, &importer);
    point_importer_end(&importer);
    return status;
}

/* A section as records. */
static sumac_status read_records(line_reader *reader, uint64_t count, size_t bytes, trusted_setup_section *to)
{
    sumac_status status = SUMAC_OK;
    to->first_line = reader->number + 1;
    for (uint64_t i = 0; status == SUMAC_OK && i < count; i++) {
        status = read_point(reader, to->records + i * bytes, bytes);
    }
    return status;
}

static sumac_status expect_count(const line_reader *reader, const char *group, uint64_t count,
                                 size_t expected)
{
    if (count == expected) {
        return SUMAC_OK;
    }
    return fail(reader->file->context, SUMAC_BAD_FILE,
                "%s: %" PRIu64 " points of %s, where Ethereum's setup has %zu", reader->file->path, count,
                group, expected);
}

uint64_t trusted_setup_most_bytes(size_t g1_count, size_t g2_count)
{
    const uint64_t counts = 2;
    return (counts + 2 * (uint64_t)g1_count + g2_count + EMPTY_LINES) * (LINE_CHARACTERS + 1);
}

sumac_status trusted_setup_read(input_file *file, size_t g1_count, size_t g2_count,
                                trusted_setup_records *records)
{
    line_reader reader = {.file = file};
    uint64_t counts[SECTIONS];
    sumac_status status = read_counts(&reader, counts);
    if (status == SUMAC_OK) {
        status = expect_count(&reader, "G1", counts[SECTION_G1_LAGRANGE], g1_count);
    }
    if (status == SUMAC_OK) {
        status = expect_count(&reader, "G2", counts[SECTION_G2_MONOMIAL], g2_count);
    }
    if (status == SUMAC_OK) {
        status = read_records(&reader, g1_count, G1_BYTES, &records->g1_lagrange);
    }
    if (status == SUMAC_OK) {
        status = read_records(&reader, g2_count, G2_BYTES, &records->g2_monomial);
    }
    if (status == SUMAC_OK) {
        status = read_records(&reader, g1_count, G1_BYTES, &records->g1_monomial);
    }
    return status == SUMAC_OK ? read_end(&reader) : status;
}

static sumac_status lagrange_read(input_file *file, const sumac_curve *curve,
                                  const sumac_bases_config *config, sumac_bases **bases)
{
    return read_file(file, curve, SECTION_G1_LAGRANGE, config, bases);
}

static sumac_status monomial_read(input_file *file, const sumac_curve *curve,
                                  const sumac_bases_config *config, sumac_bases **bases)
{
    const section wanted = strcmp(curve->info.group, "g2") == 0 ? SECTION_G2_MONOMIAL : SECTION_G1_MONOMIAL;
    return read_file(file, curve, wanted, config, bases);
}

const file_format trusted_setup_lagrange_format = {
    .info = {.size = sizeof(sumac_format_info),
             .name = "trusted-setup-lagrange",
             .description = "the G1 points in Lagrange form of Ethereum's trusted_setup.txt",
             .can_read = 1},
    .holds = holds_bls12_381_g1,
    .read = lagrange_read,
};

const file_format trusted_setup_monomial_format = {
    .info = {.size = sizeof(sumac_format_info),
             .name = "trusted-setup-monomial",
             .description = "the points in monomial form, of G1 or G2, of Ethereum's trusted_setup.txt",
             .can_read = 1},
    .holds = holds_bls12_381,
    .read = monomial_read,
};
