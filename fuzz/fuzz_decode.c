/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This target calls sumac_points_decode() with every encoding, curve and check. Records are multiples of the
 * generator with some bytes changed, or the input's bytes. A refused call must leave the output unchanged and give a
 * sentence. Accepted points must pass the requested check (on the curve, in the subgroup) by the portable code and by
 * multiplication by r. They must encode to the same bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "api/registry.h"
#include "fuzz.h"
#include "codec/point_layout.h"
#include "curves/group_code.h"
#include "pipeline/engine.h"

enum { MOST = 40, POINT_MOST = 4 * 12 * 8, RECORD_MOST = 2 * POINT_MOST, CHANGES_MOST = 8, FILLING = 0x5a };

typedef struct decoding {
    const sumac_group *group;
    const char *format; /* null: raw */
    size_t n;
    size_t record_bytes;
    sumac_check check;
    uint8_t records[MOST * RECORD_MOST];
    uint8_t raw[MOST * POINT_MOST];
} decoding;

/* These are the encodings of sumac_points_decode(). Some of them do not exist for every curve. */
static const char *const encodings[] = {NULL, "raw", "zcash-compressed", "zcash-uncompressed", "eip2537"};

static size_t record_bytes(const sumac_group *info, const char *format)
{
    if (format == NULL || strcmp(format, "raw") == 0 || strcmp(format, "zcash-uncompressed") == 0) {
        return info->point_bytes;
    }
    return strcmp(format, "eip2537") == 0 ? (size_t)2 * info->degree * 64 : info->point_bytes / 2;
}

/* Make records of k times the generator. The number k comes from the input, and is sometimes 0. */
static sumac_status make_records(decoding *d, fuzz_input *input)
{
    const group_code *code = registry_portable_code(d->group);
    const size_t point_bytes = d->group->point_bytes;
    for (size_t i = 0; i < d->n; i++) {
        uint64_t k[12] = {fuzz_byte(input)}; /* except for test curves, this is less than r */
        uint64_t point[POINT_MOST / 8];
        code->points->generator_multiple(point, k);
        code->convert->export_points(d->raw + i * point_bytes, point, 1, SUMAC_FORM_CANONICAL);
    }
    return sumac_points_encode(fuzz_context(), d->group, d->raw, d->n * point_bytes, d->n, d->format,
                               d->records, d->n * d->record_bytes);
}

static void change_records(decoding *d, fuzz_input *input)
{
    const size_t bytes = d->n * d->record_bytes;
    for (size_t changes = fuzz_byte(input) % CHANGES_MOST; changes > 0 && bytes > 0; changes--) {
        const size_t high = fuzz_byte(input), low = fuzz_byte(input);
        d->records[(high << 8 | low) % bytes] ^= fuzz_byte(input);
    }
}

static void check_points(const decoding *d)
{
    const group_code *code = registry_portable_code(d->group);
    const size_t point_bytes = d->group->point_bytes;
    const point_layout layout = {SUMAC_FORM_CANONICAL, point_bytes, SUMAC_INFINITY_ZERO, 0};
    for (size_t i = 0; i < d->n; i++) {
        uint64_t point[POINT_MOST / 8];
        size_t bad;
        fuzz_require(
            code->convert->import_points(point, d->raw + i * point_bytes, 1, &layout,
                                         d->check == SUMAC_CHECK_NONE ? SUMAC_CHECK_NONE : SUMAC_CHECK_CURVE,
                                         &bad) == SUMAC_OK,
            "a point that was accepted is one");
        fuzz_require(d->check != SUMAC_CHECK_SUBGROUP || code->convert->is_in_subgroup_by_order(point),
                     "a point that was accepted has order r");
    }
}

static void check_refused(const decoding *d, sumac_status status)
{
    const size_t bytes = d->n * d->group->point_bytes;
    const char *message = sumac_context_message(fuzz_context());
    fuzz_require(message[0] != '\0' && strchr(message, '\n') == NULL, "a failure has a sentence of one line");
    fuzz_require(status != SUMAC_INTERNAL, "no invariant is broken");
    for (size_t i = 0; i < bytes; i++) {
        fuzz_require(d->raw[i] == FILLING, "a failure writes nothing");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static decoding d;
    static uint8_t again[sizeof d.records];
    fuzz_input input = {data, size};
    d.group = fuzz_group(&input);
    d.format = encodings[fuzz_byte(&input) % (sizeof encodings / sizeof *encodings)];
    d.check = (sumac_check)(fuzz_byte(&input) % 3);
    d.n = fuzz_byte(&input) % (MOST + 1);
    d.record_bytes = record_bytes(d.group, d.format);
    if (fuzz_byte(&input) % 4 == 0) {
        fuzz_bytes(&input, d.records, d.n * d.record_bytes);
    } else if (make_records(&d, &input) == SUMAC_OK) {
        change_records(&d, &input);
    }
    memset(d.raw, FILLING, sizeof d.raw);
    const sumac_status status =
        sumac_points_decode(fuzz_context(), d.group, d.records, d.n * d.record_bytes, d.n, d.format, d.check,
                            d.raw, d.n * d.group->point_bytes);
    if (status != SUMAC_OK) {
        check_refused(&d, status);
        return 0;
    }
    check_points(&d);
    fuzz_require(sumac_points_encode(fuzz_context(), d.group, d.raw, d.n * d.group->point_bytes, d.n,
                                     d.format, again, d.n * d.record_bytes) == SUMAC_OK,
                 "points that were decoded are encoded");
    fuzz_require(memcmp(again, d.records, d.n * d.record_bytes) == 0, "a point has one encoding");
    return 0;
}
