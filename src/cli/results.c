/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "results.h"

#include <errno.h>
#include <stdlib.h>

static const char hex_digits[] = "0123456789abcdef";

/* A little-endian integer without leading zeros; text holds HEX_SIZE(bytes). */
static void integer_to_hex(char *text, const unsigned char *integer, size_t bytes)
{
    size_t digit = 2 * bytes;
    while (digit > 1 && ((integer[(digit - 1) / 2] >> 4 * ((digit - 1) % 2)) & 15) == 0) {
        digit--;
    }
    *text++ = '0';
    *text++ = 'x';
    while (digit-- > 0) {
        *text++ = hex_digits[(integer[digit / 2] >> 4 * (digit % 2)) & 15];
    }
    *text = '\0';
}

void bytes_to_hex(char *text, const unsigned char *bytes, size_t count)
{
    *text++ = '0';
    *text++ = 'x';
    for (size_t i = 0; i < count; i++) {
        *text++ = hex_digits[bytes[i] >> 4];
        *text++ = hex_digits[bytes[i] & 15];
    }
    *text = '\0';
}

static bool is_infinity(const sumac_curve_info *info, const unsigned char *point)
{
    for (uint32_t i = 0; i < info->point_bytes; i++) {
        if (point[i] != 0) {
            return false;
        }
    }
    return true;
}

static json_t *coordinate_to_json(const sumac_curve_info *info, const unsigned char *coordinate)
{
    char *text = malloc(HEX_SIZE(info->field_bytes));
    if (text == NULL) {
        return NULL;
    }
    json_t *value = info->degree > 1 ? json_array() : NULL;
    for (uint32_t part = 0; part < info->degree; part++) {
        integer_to_hex(text, coordinate + part * info->field_bytes, info->field_bytes);
        if (info->degree > 1) {
            if (json_array_append_new(value, json_string(text)) != 0) {
                json_decref(value);
                value = NULL;
            }
        } else {
            value = json_string(text);
        }
    }
    free(text);
    return value;
}

json_t *point_to_json(const sumac_curve_info *info, const unsigned char *point)
{
    if (is_infinity(info, point)) {
        return json_null();
    }
    json_t *x = coordinate_to_json(info, point);
    json_t *y = coordinate_to_json(info, point + info->degree * info->field_bytes);
    return json_pack("{s:o, s:o}", "x", x, "y", y);
}

bool set_results(json_t *object, const sumac_curve_info *info, const unsigned char *points, uint32_t batch)
{
    if (batch == 1) {
        return json_object_set_new(object, "result", point_to_json(info, points)) == 0;
    }
    json_t *all = json_array();
    for (uint32_t i = 0; i < batch; i++) {
        if (json_array_append_new(all, point_to_json(info, points + (size_t)i * info->point_bytes)) != 0) {
            json_decref(all);
            return false;
        }
    }
    return json_object_set_new(object, "results", all) == 0;
}

static void print_coordinate(const sumac_curve_info *info, const char *name, const unsigned char *coordinate)
{
    char text[512]; /* a coordinate of up to 254 bytes; the registry's largest has 96 */
    print("%s = ", name);
    for (uint32_t part = 0; part < info->degree; part++) {
        integer_to_hex(text, coordinate + part * info->field_bytes, info->field_bytes);
        print("%s%s%s", part > 0 ? " + " : "", text, part > 0 ? "*u" : "");
    }
}

void print_points(const sumac_curve_info *info, const unsigned char *points, uint32_t batch)
{
    for (uint32_t i = 0; i < batch; i++) {
        const unsigned char *point = points + (size_t)i * info->point_bytes;
        char name[32] = "result";
        if (batch > 1) {
            snprintf(name, sizeof name, "result %u", (unsigned)i);
        }
        print("%-10s", name);
        if (is_infinity(info, point)) {
            print(" infinity\n");
            continue;
        }
        print_coordinate(info, " x", point);
        print_coordinate(info, "\n           y", point + info->degree * info->field_bytes);
        print("\n");
    }
}

/* False if memory is short; nothing is written then. That the write failed is in the stream's error flag.
 * Drops the reference. The size is asked for first: json_dumps() leaves a key out when its buffer cannot
 * grow. */
static bool write_json(FILE *stream, json_t *object, size_t flags)
{
    flags |= JSON_REAL_PRECISION(9) | JSON_ENSURE_ASCII; /* a terminal may show it */
    size_t size = object != NULL ? json_dumpb(object, NULL, 0, flags) : 0;
    char *text = size > 0 ? malloc(size) : NULL;
    bool made = text != NULL && json_dumpb(object, text, size, flags) == size;
    json_decref(object);
    errno = 0;
    if (made) {
        (void)fwrite(text, 1, size, stream);
        (void)fputc('\n', stream);
    }
    free(text);
    return made;
}

int print_json(json_t *object)
{
    /* A failed write is reported once, when standard output is closed. */
    if (!write_json(report_stream(), object, 0)) {
        return machine_fault("out of memory: the JSON could not be made");
    }
    return STATUS_DONE;
}

int write_json_file(result_file *file, json_t *object)
{
    if (!write_json(file->stream, object, JSON_INDENT(1))) {
        return machine_fault("out of memory: the JSON for '%s' could not be made", file->path);
    }
    result_file_note_error(file);
    return STATUS_DONE;
}
