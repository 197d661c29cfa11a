/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

static const char hex_digits[] = "0123456789abcdef";

/* Write a little-endian integer without leading zeros. `text` has HEX_SIZE(bytes) bytes. */
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

static bool is_infinity(const sumac_group *info, const unsigned char *point)
{
    for (uint32_t i = 0; i < info->point_bytes; i++) {
        if (point[i] != 0) {
            return false;
        }
    }
    return true;
}

json_t *bytes_to_json(const unsigned char *bytes, size_t count)
{
    AUTO_FREE char *text = malloc(HEX_SIZE(count));
    if (text == NULL) {
        return NULL;
    }
    bytes_to_hex(text, bytes, count);
    return json_string(text);
}

void json_append(json_t **to, json_t *item)
{
    if (json_array_append_new(*to, item) != 0) {
        json_decref(*to);
        *to = NULL;
    }
}

void json_put(json_t **to, const char *key, json_t *value)
{
    if (json_object_set_new(*to, key, value) != 0) {
        json_decref(*to);
        *to = NULL;
    }
}

static json_t *coordinate_to_json(const sumac_group *info, const unsigned char *coordinate)
{
    AUTO_FREE char *text = malloc(HEX_SIZE(info->field_bytes));
    json_t *parts = json_array();
    for (uint32_t part = 0; part < info->degree && text != NULL; part++) {
        integer_to_hex(text, coordinate + part * info->field_bytes, info->field_bytes);
        json_append(&parts, json_string(text));
    }
    if (info->degree > 1 && text != NULL) {
        return parts;
    }
    json_t *one = json_incref(json_array_get(parts, 0));
    json_decref(parts);
    return one;
}

json_t *point_to_json(const sumac_group *info, const unsigned char *point)
{
    if (is_infinity(info, point)) {
        return json_null();
    }
    json_t *x = coordinate_to_json(info, point);
    json_t *y = coordinate_to_json(info, point + info->degree * info->field_bytes);
    return json_pack("{s:o, s:o}", "x", x, "y", y);
}

void put_results(json_t **object, const sumac_group *info, const unsigned char *points, uint32_t batch)
{
    if (batch == 1) {
        json_put(object, "result", point_to_json(info, points));
        return;
    }
    json_t *all = json_array();
    for (uint32_t i = 0; i < batch; i++) {
        json_append(&all, point_to_json(info, points + (size_t)i * info->point_bytes));
    }
    json_put(object, "results", all);
}

static void print_coordinate(const sumac_group *info, const char *name, const unsigned char *coordinate)
{
    char text[512]; /* enough for 254 bytes; the largest coordinate of a known curve has 96 */
    print("%s = ", name);
    for (uint32_t part = 0; part < info->degree; part++) {
        integer_to_hex(text, coordinate + part * info->field_bytes, info->field_bytes);
        print("%s%s%s", part > 0 ? " + " : "", text, part > 0 ? "*u" : "");
    }
}

void print_points(const sumac_group *info, const unsigned char *points, uint32_t batch)
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

/* Write JSON and drop the reference. If memory is short, nothing is written, and the function returns false. If the
 * write fails, the stream's error flag is set. The size is computed first, because json_dumps() omits a key if its
 * buffer can't grow. */
static bool write_json(FILE *stream, json_t *object, size_t flags)
{
    flags |= JSON_REAL_PRECISION(9) | JSON_ENSURE_ASCII; /* the output may go to a terminal */
    size_t size = object != NULL ? json_dumpb(object, NULL, 0, flags) : 0;
    char *text = size > 0 ? malloc(size) : NULL;
    bool is_whole = text != NULL && json_dumpb(object, text, size, flags) == size;
    json_decref(object);
    errno = 0;
    if (is_whole) {
        (void)fwrite(text, 1, size, stream);
        (void)fputc('\n', stream);
    }
    free(text);
    return is_whole;
}

int print_json(json_t *object)
{
    if (report_is_silent()) {
        json_decref(object);
        return STATUS_DONE;
    }
    /* If a write fails, that is reported once, when standard output is closed. */
    if (!write_json(report_stream(), object, 0)) {
        return machine_fault("out of memory: cannot make the JSON");
    }
    return STATUS_DONE;
}

int write_json_file(result_file *file, json_t *object)
{
    if (!write_json(file->stream, object, JSON_INDENT(1))) {
        return machine_fault("out of memory: cannot make the JSON for '%s'", file->path);
    }
    result_file_note_error(file);
    return STATUS_DONE;
}

int print_verdict(const options *given, int holds, const char *yes, const char *no)
{
    if (given->json) {
        MUST(print_json(json_pack("{s:b}", "holds", holds)));
        return holds ? STATUS_DONE : STATUS_DIFFERENT;
    }
    if (!holds) {
        return found_different("%s", no);
    }
    print("OK: %s\n", yes);
    return STATUS_DONE;
}

int points_file_open(result_file *file, const session *opened, const options *given)
{
    if (given->out == NULL) {
        return given->given[OPTION_TO] ? bad_input("--to needs --out FILE") : STATUS_DONE;
    }
    if (given->partial != NULL) {
        return bad_input("--out does not go with --partial, which is no point yet");
    }
    MUST(check_format("to", given->to, true));
    /* Without points, this call only checks the format's name. */
    CALL(opened, sumac_points_encode(opened->context, opened->group, NULL, 0, 0, given->to, NULL, 0));
    return result_file_open(file, given->out);
}

int bases_of_results(const session *opened, const unsigned char *points, size_t count, sumac_bases **bases)
{
    sumac_bases_config config = {.size = sizeof config};
    config.check = SUMAC_CHECK_NONE;
    config.outside_subgroup = 1;
    return session_check(opened,
                         sumac_bases_create(opened->context, opened->group, points,
                                            count * opened->info->point_bytes, count, &config, bases));
}

int points_file_write(result_file *file, const session *opened, const options *given,
                      const unsigned char *points, size_t count)
{
    if (given->out == NULL) {
        return STATUS_DONE;
    }
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    MUST(bases_of_results(opened, points, count, &bases));
    MUST(result_file_begin(file));
    MUST(result_file_check(file, opened->context,
                           sumac_bases_save(opened->context, bases, file->library_path, given->to)));
    return result_file_commit(file);
}

void points_file_print(const options *given)
{
    if (given->out != NULL) {
        print("written    ");
        print_text(given->out);
        print(", %s\n", given->to);
    }
}

void points_file_put(json_t **object, const options *given)
{
    if (given->out != NULL) {
        json_put(object, "out", text_to_json(given->out));
        json_put(object, "format", json_string(given->to));
    }
}

/* ---- Plans ---- */

double plan_number(const json_t *plan, const char *name)
{
    return json_number_value(json_object_get(json_object_get(plan, "numbers"), name));
}

uint64_t plan_integer(const json_t *plan, const char *name)
{
    return (uint64_t)plan_number(plan, name);
}

const char *plan_name(const json_t *plan)
{
    return json_string_value(json_object_get(plan, "name"));
}
