/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/json_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "io/memory.h"

/* ---- Writing ---- */

void text_put(json_text *out, const char *format, ...)
{
    char piece[DECIMAL_CHARACTERS + 64];
    va_list arguments;
    va_start(arguments, format);
    const size_t length = (size_t)vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (out->status == SUMAC_OK && out->length + length + 1 > out->capacity) {
        const size_t capacity = 2 * (out->length + length) + 256;
        char *grown = memory_grow(out->context, "a JSON text", out->text, capacity);
        out->status = memory_got(grown);
        if (grown != NULL) {
            out->text = grown;
            out->capacity = capacity;
        }
    }
    if (out->status == SUMAC_OK) {
        memcpy(out->text + out->length, piece, length + 1);
        out->length += length;
    }
}

void text_open(json_text *out, const char *bracket)
{
    text_put(out, "%s", bracket);
    out->depth++;
}

void text_close(json_text *out, const char *bracket)
{
    out->depth--;
    text_put(out, "\n%*s%s", out->depth, "", bracket);
}

void text_next(json_text *out, int is_first, const char *name)
{
    text_put(out, "%s\n%*s", is_first ? "" : ",", out->depth, "");
    if (name != NULL) {
        text_put(out, "\"%s\": ", name);
    }
}

void text_number(json_text *out, const uint8_t *integer, size_t bytes)
{
    char digits[DECIMAL_CHARACTERS];
    (void)decimal_write(digits, integer, bytes);
    text_put(out, "\"%s\"", digits);
}

/* Write the next coordinate of a point: an element of Fp, or of Fp2 as a pair. If the coordinate is null, write the
 * integer `small`, which is 0 or 1. */
static void put_coordinate(json_text *out, int is_first, const sumac_group *info, const uint8_t *coordinate,
                           uint8_t small)
{
    const uint8_t zero = 0;
    const int is_pair = info->degree > 1;
    text_next(out, is_first, NULL);
    if (is_pair) {
        text_open(out, "[");
    }
    for (uint32_t i = 0; i < info->degree; i++) {
        if (is_pair) {
            text_next(out, i == 0, NULL);
        }
        if (coordinate != NULL) {
            text_number(out, coordinate + i * info->field_bytes, info->field_bytes);
        } else {
            text_number(out, i == 0 ? &small : &zero, 1);
        }
    }
    if (is_pair) {
        text_close(out, "]");
    }
}

void text_point(json_text *out, int is_first, const char *name, const sumac_group *info, const uint8_t *point)
{
    const int is_infinity = all_zero(point, info->point_bytes);
    text_next(out, is_first, name);
    text_open(out, "[");
    put_coordinate(out, 1, info, point, 0);
    put_coordinate(out, 0, info, is_infinity ? NULL : point + info->point_bytes / 2, 1);
    put_coordinate(out, 0, info, NULL, !is_infinity);
    text_close(out, "]");
}

sumac_status text_finish(json_text *out, void **text, size_t *bytes)
{
    if (out->status != SUMAC_OK) {
        free(out->text);
        return out->status;
    }
    *text = out->text;
    *bytes = out->length;
    return SUMAC_OK;
}

sumac_status text_of_publics(sumac_context *context, const sumac_group *group, uint64_t count,
                             const uint8_t *publics, void **text, size_t *bytes)
{
    json_text out = {.context = context};
    const size_t each = group->scalar_bytes;
    text_open(&out, "[");
    for (uint64_t i = 0; i < count; i++) {
        text_next(&out, i == 0, NULL);
        text_number(&out, publics + i * each, each);
    }
    if (count > 0) {
        text_close(&out, "]");
    } else {
        text_put(&out, "]");
    }
    return text_finish(&out, text, bytes);
}

/* ---- Reading ---- */

sumac_status source_read(json_source *source, sumac_context *context, const char *text, size_t bytes,
                         const char *name)
{
    size_t bad;
    *source = (json_source){.context = context, .name = name};
    return json_read(&source->value, text, bytes, &bad)
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_FILE, "%s: no JSON from byte %zu on", name, bad);
}

sumac_status source_wrong(const json_source *source, const char *member, const char *what)
{
    return fail(source->context, SUMAC_BAD_FILE, "%s: %s is not %s", source->name, member, what);
}

sumac_status source_integer(const json_source *source, json_value value, const char *member,
                            const uint64_t *prime, size_t bytes, uint8_t *integer)
{
    const char *digits;
    size_t count;
    if (!json_characters(value, &digits, &count) || count == 0 || strspn(digits, "0123456789") != count) {
        return source_wrong(source, member, "a decimal number");
    }
    return decimal_read(digits, count, integer, bytes) &&
                   integer_is_less(integer, (const uint8_t *)prime, bytes)
               ? SUMAC_OK
               : fail(source->context, SUMAC_BAD_ENCODING, "%s: %s is not less than its prime", source->name,
                      member);
}

static sumac_status read_coordinate(const json_source *source, json_value value, const char *member,
                                    const sumac_group *info, uint8_t *coordinate)
{
    json_value items = json_items_of(value);
    json_value item = value;
    for (uint32_t i = 0; i < info->degree; i++) {
        if (info->degree > 1 && !json_next_item(&items, &item)) {
            return source_wrong(source, member, "a pair of numbers");
        }
        TRY(source_integer(source, item, member, info->modulus, info->field_bytes,
                           coordinate + i * info->field_bytes));
    }
    return info->degree > 1 && json_next_item(&items, &item)
               ? source_wrong(source, member, "a pair of numbers")
               : SUMAC_OK;
}

sumac_status source_point(const json_source *source, json_value value, const char *member,
                          const sumac_group *info, uint8_t *point)
{
    const size_t bytes = info->point_bytes / 2;
    uint8_t coordinates[3][MOST_POINT_BYTES / 2];
    json_value items = json_items_of(value);
    json_value item;
    for (int i = 0; i < 3; i++) {
        if (!json_next_item(&items, &item)) {
            return source_wrong(source, member, "a point of three coordinates");
        }
        TRY(read_coordinate(source, item, member, info, coordinates[i]));
    }
    if (json_next_item(&items, &item)) {
        return source_wrong(source, member, "a point of three coordinates");
    }
    if (all_zero(coordinates[2], bytes)) {
        memset(point, 0, 2 * bytes);
        return SUMAC_OK;
    }
    memcpy(point, coordinates[0], bytes);
    memcpy(point + bytes, coordinates[1], bytes);
    return coordinates[2][0] == 1 && all_zero(coordinates[2] + 1, bytes - 1)
               ? SUMAC_OK
               : source_wrong(source, member, "an affine point, with a third coordinate 1");
}

sumac_status source_member_point(const json_source *source, const char *member, const sumac_group *info,
                                 uint8_t *point)
{
    json_value value;
    return json_member(source->value, member, &value)
               ? source_point(source, value, member, info, point)
               : fail(source->context, SUMAC_BAD_FILE, "%s: it has no %s", source->name, member);
}

sumac_status source_member_scalar(const json_source *source, const char *member, const sumac_group *info,
                                  uint8_t *scalar)
{
    json_value value;
    return json_member(source->value, member, &value)
               ? source_integer(source, value, member, info->order, info->scalar_bytes, scalar)
               : fail(source->context, SUMAC_BAD_FILE, "%s: it has no %s", source->name, member);
}

sumac_status source_protocol(const json_source *source, const char *protocol)
{
    json_value value;
    return json_member(source->value, "protocol", &value) && !json_is(value, protocol)
               ? fail(source->context, SUMAC_MISMATCH, "%s: protocol is not %s", source->name, protocol)
               : SUMAC_OK;
}

sumac_status source_curve(const json_source *source, const groups *of)
{
    json_value value;
    return json_member(source->value, "curve", &value) && !json_is(value, of->json_name)
               ? fail(source->context, SUMAC_MISMATCH, "%s: curve is not the key's, %s", source->name,
                      of->json_name)
               : SUMAC_OK;
}

/* The name is copied first, because in the text no 0 follows it. */
sumac_status source_groups(const json_source *source, groups *found)
{
    json_value value;
    const char *characters;
    char name[33] = "";
    size_t count;
    if (!json_member(source->value, "curve", &value) || !json_characters(value, &characters, &count)) {
        return source_wrong(source, "curve", "a name");
    }
    memcpy(name, characters, count < sizeof name ? count : sizeof name - 1);
    return groups_find_name(source->context, source->name, name, found);
}

int source_number(const json_source *source, const char *member, uint64_t *number)
{
    json_value value;
    const char *digits;
    size_t count;
    uint8_t bytes[8];
    if (!json_member(source->value, member, &value) || !json_characters(value, &digits, &count) ||
        !decimal_read(digits, count, bytes, sizeof bytes)) {
        return 0;
    }
    *number = load_le64(bytes);
    return 1;
}

sumac_status publics_of_text(sumac_context *context, const sumac_group *group, uint64_t expected,
                             const char *text, size_t bytes, const char *name, uint8_t *publics)
{
    json_source source;
    TRY(source_read(&source, context, text, bytes, name));
    const size_t each = group->scalar_bytes, size = (size_t)expected * each;
    json_value items = json_items_of(source.value);
    json_value item;
    uint64_t count = 0;
    TAKE_MEMORY(uint8_t, scalars, context, name, size);
    TRY(json_is_array(source.value) ? SUMAC_OK : source_wrong(&source, "the text", "an array of numbers"));
    for (; json_next_item(&items, &item); count++) {
        if (count < expected) {
            TRY(source_integer(&source, item, "a public input", group->order, each, scalars + count * each));
        }
    }
    if (count != expected) {
        return fail(context, SUMAC_BAD_LENGTH, "%s: %llu public inputs, where the key has %llu", name,
                    (unsigned long long)count, (unsigned long long)expected);
    }
    if (size > 0) {
        memcpy(publics, scalars, size);
    }
    return SUMAC_OK;
}
