/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "measured.h"

#include <stdlib.h>
#include <string.h>

#include "files.h"

/* More is nothing to look at as a page. */
enum { MOST_BYTES = 64 << 20, MOST_ROWS = 2000 };

/* ---- Checks ---- */

typedef enum shape { TEXT, COUNT, NUMBER, TRUTH, LIST, OBJECT, TEXT_OR_OBJECT } shape;

static const char *const shape_names[] = {"a text",
                                          "a whole number from 0 to 2^53",
                                          "a number from 0 to 10^18",
                                          "true or false",
                                          "a list",
                                          "an object",
                                          "a text or an object"};

static bool has_shape(const json_t *value, shape wanted)
{
    const bool is_text = json_is_string(value), is_object = json_is_object(value);
    switch (wanted) {
    case TEXT:
        return is_text;
    case COUNT:
        return json_is_integer(value) && json_integer_value(value) >= 0 &&
               json_integer_value(value) <= (json_int_t)1 << 53;
    case NUMBER:
        return json_is_number(value) && json_number_value(value) >= 0 && json_number_value(value) <= 1e18;
    case TRUTH:
        return json_is_boolean(value);
    case LIST:
        return json_is_array(value);
    case OBJECT:
        return is_object;
    case TEXT_OR_OBJECT:
        return is_text || is_object;
    }
    return false;
}

/* Where in a file something is wrong: "rows[3]". */
typedef struct position {
    const char *path, *list;
    size_t index;
} position;

static int check_shape(const position *at, const char *key, const json_t *value, shape wanted)
{
    return has_shape(value, wanted) ? STATUS_DONE
                                    : bad_input("%s: %s[%zu]: \"%s\" is not %s", at->path, at->list,
                                                at->index, key, shape_names[wanted]);
}

typedef struct field {
    const char *key;
    shape shape;
    bool needed;
} field;

static int check_fields(const position *at, const json_t *object, const field *fields, size_t count)
{
    int status = STATUS_DONE;
    if (!json_is_object(object)) {
        return bad_input("%s: %s[%zu] is not an object", at->path, at->list, at->index);
    }
    for (size_t i = 0; i < count && status == STATUS_DONE; i++) {
        const json_t *value = json_object_get(object, fields[i].key);
        if (value != NULL) {
            status = check_shape(at, fields[i].key, value, fields[i].shape);
        } else if (fields[i].needed) {
            status = bad_input("%s: %s[%zu] has no \"%s\"", at->path, at->list, at->index, fields[i].key);
        }
    }
    return status;
}

#define CHECK(at, object, fields) check_fields(at, object, fields, sizeof(fields) / sizeof *(fields))

/* All of an object's values. */
static int check_values(const position *at, json_t *object, shape wanted)
{
    const char *key;
    json_t *value;
    int status = STATUS_DONE;
    json_object_foreach(object, key, value)
    {
        status = status == STATUS_DONE ? check_shape(at, key, value, wanted) : status;
    }
    return status;
}

static const field row_fields[] = {{"curve", TEXT, true},           {"n", COUNT, true},
                                   {"min_ms", NUMBER, true},        {"median_ms", NUMBER, false},
                                   {"engine", TEXT, false},         {"group", TEXT, false},
                                   {"kind", TEXT, false},           {"memory", TEXT, false},
                                   {"backend", TEXT, false},        {"variant", TEXT, false},
                                   {"plan", TEXT_OR_OBJECT, false}, {"batch", COUNT, false},
                                   {"threads", COUNT, false},       {"precompute", COUNT, false},
                                   {"key_bytes", COUNT, false},     {"peak_rss_bytes", COUNT, false},
                                   {"user_seconds", NUMBER, false}, {"stages_ms", OBJECT, false},
                                   {"peers", LIST, false},          {"verified", TRUTH, false}};
static const field refusal_fields[] = {
    {"refused", TEXT, true}, {"n", COUNT, true}, {"kind", TEXT, false}, {"plan_name", TEXT, true}};
static const field plan_fields[] = {{"name", TEXT, true},
                                    {"kinds", OBJECT, false},
                                    {"scalar_bits", COUNT, false},
                                    {"c", COUNT, true},
                                    {"windows", COUNT, true},
                                    {"precompute_factor", COUNT, false},
                                    {"glv_terms", COUNT, false},
                                    {"table_digits", COUNT, false},
                                    {"modules", COUNT, false},
                                    {"buckets", COUNT, false},
                                    {"sub_batch", COUNT, false},
                                    {"passes", COUNT, false},
                                    {"modules_per_pass", COUNT, false},
                                    {"chunks", COUNT, false},
                                    {"copy_slices", COUNT, false},
                                    {"additions", OBJECT, false},
                                    {"milliseconds", NUMBER, false},
                                    {"bytes", OBJECT, false}};
static const field peer_fields[] = {
    {"name", TEXT, true}, {"min_ms", NUMBER, true}, {"median_ms", NUMBER, false}};
static const field event_fields[] = {{"ph", TEXT, true},     {"name", TEXT, false}, {"ts", NUMBER, false},
                                     {"dur", NUMBER, false}, {"pid", COUNT, false}, {"tid", COUNT, false},
                                     {"args", OBJECT, false}};
static const field span_fields[] = {{"name", TEXT, true}, {"ts", NUMBER, true}, {"dur", NUMBER, true}};

static int check_plan_object(const position *at, const json_t *plan)
{
    int status = json_is_object(plan) ? CHECK(at, plan, plan_fields) : STATUS_DONE;
    if (status == STATUS_DONE) {
        status = check_values(at, json_object_get(plan, "kinds"), TEXT);
    }
    if (status == STATUS_DONE) {
        status = check_values(at, json_object_get(plan, "additions"), NUMBER);
    }
    return status == STATUS_DONE ? check_values(at, json_object_get(plan, "bytes"), COUNT) : status;
}

/* ---- Rows ---- */

static int no_memory(void)
{
    return machine_fault("out of memory: the files' rows could not be kept");
}

static bool copy_key(json_t *to, const char *to_key, const json_t *from, const char *from_key)
{
    json_t *value = json_object_get(from, from_key);
    return value == NULL || json_object_set(to, to_key, value) == 0;
}

/* A row of each of the peers that were measured beside a row. */
static int add_peers(measured *all, const position *at, json_t *row, size_t file)
{
    static const char *const shared[] = {"curve", "group", "n", "batch", "kind", "what"};
    json_t *peers = json_object_get(row, "peers"), *peer;
    size_t i;
    json_array_foreach(peers, i, peer)
    {
        const int status = CHECK(at, peer, peer_fields);
        if (status != STATUS_DONE) {
            return status;
        }
        json_t *added = json_pack("{s:O, s:O, s:I}", "engine", json_object_get(peer, "name"), "min_ms",
                                  json_object_get(peer, "min_ms"), "file", (json_int_t)file);
        bool kept = added != NULL && copy_key(added, "median_ms", peer, "median_ms");
        for (size_t key = 0; key < sizeof shared / sizeof *shared; key++) {
            kept = kept && copy_key(added, shared[key], row, shared[key]);
        }
        if (json_array_append_new(all->rows, added) != 0 || !kept) {
            return no_memory();
        }
    }
    return STATUS_DONE;
}

static int add_row(measured *all, const position *at, json_t *row, size_t file)
{
    if (json_object_get(row, "refused") != NULL) {
        return CHECK(at, row, refusal_fields);
    }
    const bool proofs = json_object_get(row, "n") == NULL && json_object_get(row, "domain") != NULL;
    const json_t *engine = json_object_get(all->files[file].root, "engine");
    bool kept = !json_is_object(row) ||
                ((!proofs || (copy_key(row, "n", row, "domain") && copy_key(row, "batch", row, "proofs"))) &&
                 json_object_set_new(row, "what", json_string(proofs ? "Groth16 proofs" : "MSMs")) == 0 &&
                 json_object_set_new(row, "file", json_integer((json_int_t)file)) == 0 &&
                 (json_object_get(row, "engine") != NULL ||
                  (engine != NULL ? copy_key(row, "engine", all->files[file].root, "engine")
                                  : json_object_set_new(row, "engine", json_string("sumac")) == 0)));
    if (!kept) {
        return no_memory();
    }
    int status = CHECK(at, row, row_fields);
    if (status == STATUS_DONE) {
        status = check_values(at, json_object_get(row, "stages_ms"), NUMBER);
    }
    if (status == STATUS_DONE) {
        status = check_plan_object(at, json_object_get(row, "plan"));
    }
    if (status == STATUS_DONE && json_array_append(all->rows, row) != 0) {
        status = no_memory();
    }
    if (status == STATUS_DONE) {
        status = add_peers(all, at, row, file);
    }
    return status == STATUS_DONE && json_array_size(all->rows) > MOST_ROWS
               ? bad_input("%s: %s[%zu] is one row too many: a page shows at most %d", at->path, at->list,
                           at->index, (int)MOST_ROWS)
               : status;
}

static int add_rows(measured *all, json_t *rows, size_t file)
{
    static const char *const texts[] = {"engine", "sumac", "commit", "date", "command", "comment", "note"};
    const char *path = all->files[file].path;
    int status = STATUS_DONE;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const json_t *value = json_object_get(all->files[file].root, texts[i]);
        if (value != NULL && !json_is_string(value)) {
            return bad_input("%s: \"%s\" is not a text", path, texts[i]);
        }
    }
    if (json_array_size(rows) == 0) {
        return bad_input("%s: \"rows\" is %s", path, json_is_array(rows) ? "empty" : "not a list");
    }
    for (size_t i = 0; i < json_array_size(rows) && status == STATUS_DONE; i++) {
        const position at = {path, "rows", i};
        status = add_row(all, &at, json_array_get(rows, i), file);
    }
    return status;
}

/* ---- Traces ---- */

static int check_events(measured_file *file)
{
    size_t spans = 0;
    int status = STATUS_DONE;
    for (size_t i = 0; i < json_array_size(file->events) && status == STATUS_DONE; i++) {
        const position at = {file->path, "traceEvents", i};
        const json_t *event = json_array_get(file->events, i);
        status = CHECK(&at, event, event_fields);
        if (status == STATUS_DONE && strcmp(measured_text(event, "ph"), "X") == 0) {
            spans++;
            status = CHECK(&at, event, span_fields);
        }
    }
    return status == STATUS_DONE && spans == 0
               ? bad_input("%s: a trace without a span, an event whose \"ph\" is \"X\"", file->path)
               : status;
}

/* ---- Files ---- */

static int parse(measured_file *file)
{
    unsigned char *bytes;
    size_t size;
    json_error_t error;
    int status = read_small_file(file->path, MOST_BYTES, &bytes, &size);
    if (status != STATUS_DONE) {
        return status;
    }
    file->root = json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES, &error);
    free(bytes);
    if (file->root == NULL && json_error_code(&error) == json_error_out_of_memory) {
        return machine_fault("out of memory: %s could not be read", file->path);
    }
    return file->root != NULL ? STATUS_DONE
                              : bad_input("%s: not JSON: line %d, column %d: %s", file->path, error.line,
                                          error.column, error.text);
}

static int read_file(measured *all, size_t file)
{
    measured_file *read = &all->files[file];
    int status = parse(read);
    if (status != STATUS_DONE) {
        return status;
    }
    json_t *rows = json_object_get(read->root, "rows"), *events = json_object_get(read->root, "traceEvents");
    if (json_is_array(events)) {
        read->events = events;
        return check_events(read);
    }
    if (rows == NULL) {
        return bad_input("%s: neither a result file, which has \"rows\", nor a trace, which has a list "
                         "\"traceEvents\"",
                         read->path);
    }
    return add_rows(all, rows, file);
}

int measured_read(measured *all, char **paths, size_t count)
{
    int status = STATUS_DONE;
    *all = (measured){.file_count = count,
                      .files = allocate(count * sizeof *all->files, "the files' names"),
                      .rows = json_array()};
    if (all->files == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    memset(all->files, 0, count * sizeof *all->files);
    if (all->rows == NULL) {
        return no_memory();
    }
    for (size_t i = 0; i < count && status == STATUS_DONE; i++) {
        all->files[i].path = paths[i];
        status = read_file(all, i);
    }
    return status;
}

void measured_free(measured *all)
{
    for (size_t i = 0; i < all->file_count && all->files != NULL; i++) {
        json_decref(all->files[i].root);
    }
    free(all->files);
    json_decref(all->rows);
}

const char *measured_text(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_string_value(json_is_object(value) ? json_object_get(value, "name") : value);
}

double measured_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : -1;
}
