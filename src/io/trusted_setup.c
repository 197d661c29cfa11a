/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/trusted_setup.h"

#include <inttypes.h>
#include <string.h>

#include "api/bases_fill.h"
#include "api/call.h"
#include "base/try.h"
#include "io/importer.h"

/* This is a text file that is read line by line. */
typedef struct line_reader {
    input_file *file;
    char buffer[1 << 14];
    size_t next;
    size_t filled;
    uint64_t number; /* the number of the line that was read last; the first line is 1 */
    char line[SETUP_LINE_CHARACTERS + 1];
    size_t length;
    int at_end; /* no line was left */
} line_reader;

/* Read the next character. At the end of the file it is -1. */
static sumac_status next_character(line_reader *reader, int *character)
{
    *character = -1;
    if (reader->next == reader->filled) {
        reader->next = 0;
        TRY(input_read(reader->file, reader->buffer, sizeof reader->buffer, &reader->filled));
    }
    if (reader->filled > 0) {
        *character = (unsigned char)reader->buffer[reader->next++];
    }
    return SUMAC_OK;
}

static sumac_status bad_line(const line_reader *reader, const char *problem)
{
    return fail(reader->file->context, SUMAC_BAD_FILE, "%s: line %" PRIu64 " %s", reader->file->path,
                reader->number, problem);
}

/* Read a line, and remove white space at its end. */
static sumac_status next_line(line_reader *reader)
{
    int character;
    reader->number++;
    reader->length = 0;
    TRY(next_character(reader, &character));
    reader->at_end = character < 0;
    while (character >= 0 && character != '\n') {
        if (reader->length == SETUP_LINE_CHARACTERS) {
            return bad_line(reader, "is too long");
        }
        if (character == '\0') {
            return fail(reader->file->context, SUMAC_BAD_FILE,
                        "%s: byte %" PRIu64 ", in line %" PRIu64 ", is 0, and a setup is text",
                        reader->file->path, reader->file->offset - (reader->filled - reader->next) - 1,
                        reader->number);
        }
        reader->line[reader->length++] = (char)character;
        TRY(next_character(reader, &character));
    }
    while (reader->length > 0 && strchr(" \t\r", reader->line[reader->length - 1]) != NULL) {
        reader->length--;
    }
    reader->line[reader->length] = '\0';
    return SUMAC_OK;
}

static sumac_status read_count(line_reader *reader, uint64_t *count)
{
    sumac_message why;
    TRY(next_line(reader));
    return setup_decode_count(count, reader->line, reader->length, &why) == SUMAC_OK
               ? SUMAC_OK
               : bad_line(reader, why.text);
}

/* Read a line that is a point of `bytes` bytes. */
static sumac_status read_point(line_reader *reader, uint8_t *record, size_t bytes)
{
    sumac_message why;
    TRY(next_line(reader));
    if (reader->at_end) {
        return fail(reader->file->context, SUMAC_BAD_FILE,
                    "%s: truncated: it ends where line %" PRIu64 " should be", reader->file->path,
                    reader->number);
    }
    return setup_decode_point(record, bytes, reader->line, reader->length, &why) == SUMAC_OK
               ? SUMAC_OK
               : bad_line(reader, why.text);
}

/* Read the lines of a section into bases or into memory for its records; if both are null, only check their shape. */
static sumac_status read_section(line_reader *reader, uint64_t count, size_t bytes, point_importer *importer,
                                 uint8_t *records)
{
    uint8_t unused[SETUP_G2_BYTES];
    uint64_t first_line = reader->number + 1;
    size_t waiting = 0;
    for (uint64_t i = 0; i < count; i++) {
        TRY(read_point(reader,
                       importer != NULL  ? importer->records + waiting * bytes
                       : records != NULL ? records + i * bytes
                                         : unused,
                       bytes));
        if (importer != NULL && (++waiting == importer->capacity || i + 1 == count)) {
            TRY(point_importer_import(importer, waiting, first_line, 1));
            first_line += waiting;
            waiting = 0;
        }
    }
    return SUMAC_OK;
}

/* Require that only empty lines follow the last point. */
static sumac_status read_end(line_reader *reader)
{
    const uint64_t last = reader->number + SETUP_EMPTY_LINES;
    do {
        TRY(next_line(reader));
        if (reader->length > 0 || (!reader->at_end && reader->number > last)) {
            return bad_line(reader, "follows the last point: the file is too long");
        }
    } while (!reader->at_end);
    return SUMAC_OK;
}

/* Read the two counts. Refuse counts that are impossible, because they determine how much memory is allocated. */
static sumac_status read_counts(line_reader *reader, setup_counts *counts)
{
    const input_file *file = reader->file;
    uint64_t *points = counts->points;
    TRY(read_count(reader, &points[SETUP_G1_LAGRANGE]));
    TRY(read_count(reader, &points[SETUP_G2_MONOMIAL]));
    points[SETUP_G1_MONOMIAL] = points[SETUP_G1_LAGRANGE];
    if (file->has_size && file->size < setup_least_bytes(counts)) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: truncated: %" PRIu64 " bytes do not hold the %" PRIu64 " and %" PRIu64
                    " points of lines 1 and 2",
                    file->path, file->size, points[SETUP_G1_LAGRANGE], points[SETUP_G2_MONOMIAL]);
    }
    return SUMAC_OK;
}

sumac_status trusted_setup_read_bases(input_file *file, const point_format *format, const sumac_group *group,
                                      const sumac_bases_config *config, sumac_bases **bases)
{
    sumac_context *context = file->context;
    line_reader reader = {.file = file};
    const setup_section wanted = setup_section_of(format, group);
    setup_counts counts;
    TRY(read_counts(&reader, &counts));
    TRY(bases_for_points(context, group, file->path, counts.points[wanted], config, bases));
    CLEANUP(point_importer_end)
    point_importer importer = {.context = context,
                               .bases = *bases,
                               .path = file->path,
                               .unit = "line",
                               .format = &zcash_compressed_format,
                               .check = config->check,
                               .total = counts.points[wanted]};
    TRY(point_importer_begin(&importer));
    for (setup_section i = 0; i < SETUP_SECTIONS; i++) {
        TRY(read_section(&reader, counts.points[i], setup_record_bytes(i), i == wanted ? &importer : NULL,
                         NULL));
    }
    TRY(read_end(&reader));
    return bases_complete(context, *bases, 0);
}

sumac_status trusted_setup_read(input_file *file, size_t g1_count, size_t g2_count,
                                trusted_setup_section sections[SETUP_SECTIONS])
{
    line_reader reader = {.file = file};
    setup_counts counts;
    TRY(read_counts(&reader, &counts));
    if (counts.points[SETUP_G1_LAGRANGE] != g1_count || counts.points[SETUP_G2_MONOMIAL] != g2_count) {
        const int is_g2 = counts.points[SETUP_G1_LAGRANGE] == g1_count;
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: %" PRIu64 " points of G%d, where Ethereum's setup has %zu", file->path,
                    counts.points[is_g2 ? SETUP_G2_MONOMIAL : SETUP_G1_LAGRANGE], 1 + is_g2,
                    is_g2 ? g2_count : g1_count);
    }
    for (setup_section i = 0; i < SETUP_SECTIONS; i++) {
        sections[i].first_line = reader.number + 1;
        TRY(read_section(&reader, counts.points[i], setup_record_bytes(i), NULL, sections[i].records));
    }
    return read_end(&reader);
}
