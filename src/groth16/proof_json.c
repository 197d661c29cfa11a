/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file writes and reads proofs and public inputs in snarkjs' JSON, and reads verifying keys in it. Numbers are
 * decimal, and points have a third coordinate, which is 0 for infinity and 1 for any other point. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "codec/json.h"
#include "groth16/proof_formats.h"
#include "io/memory.h"

/* ---- Writing ---- */

/* The text is written as JSON.stringify(value, null, 1) writes it: one element per line, indented by one space per
 * level. */
typedef struct json_text {
    sumac_context *context;
    char *text;
    size_t length, capacity;
    int depth;
    sumac_status status; /* after a failure, writing does nothing */
} json_text;

/* Append a piece of text, which is at most a number and a few characters long. */
static __attribute__((format(printf, 2, 3))) void put(json_text *out, const char *format, ...)
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

static void open_list(json_text *out, const char *bracket)
{
    put(out, "%s", bracket);
    out->depth++;
}

static void close_list(json_text *out, const char *bracket)
{
    out->depth--;
    put(out, "\n%*s%s", out->depth, "", bracket);
}

/* Begin the next element of a list, or the next member of an object if it has a name. */
static void put_next(json_text *out, int is_first, const char *name)
{
    put(out, "%s\n%*s", is_first ? "" : ",", out->depth, "");
    if (name != NULL) {
        put(out, "\"%s\": ", name);
    }
}

static void put_number(json_text *out, const uint8_t *integer, size_t bytes)
{
    char digits[DECIMAL_CHARACTERS];
    (void)decimal_write(digits, integer, bytes);
    put(out, "\"%s\"", digits);
}

/* Write the next coordinate of a point: an element of Fp, or of Fp2 as a pair. If the coordinate is null, write the
 * integer `small`, which is 0 or 1. */
static void put_coordinate(json_text *out, int is_first, const sumac_group *info, const uint8_t *coordinate,
                           uint8_t small)
{
    const uint8_t zero = 0;
    const int is_pair = info->degree > 1;
    put_next(out, is_first, NULL);
    if (is_pair) {
        open_list(out, "[");
    }
    for (uint32_t i = 0; i < info->degree; i++) {
        if (is_pair) {
            put_next(out, i == 0, NULL);
        }
        if (coordinate != NULL) {
            put_number(out, coordinate + i * info->field_bytes, info->field_bytes);
        } else {
            put_number(out, i == 0 ? &small : &zero, 1);
        }
    }
    if (is_pair) {
        close_list(out, "]");
    }
}

/* Write a member of an object whose value is a point. */
static void put_point(json_text *out, int is_first, const char *name, const sumac_group *info,
                      const uint8_t *point)
{
    const int is_infinity = all_zero(point, info->point_bytes);
    put_next(out, is_first, name);
    open_list(out, "[");
    put_coordinate(out, 1, info, point, 0);
    put_coordinate(out, 0, info, is_infinity ? NULL : point + info->point_bytes / 2, 1);
    put_coordinate(out, 0, info, NULL, !is_infinity);
    close_list(out, "]");
}

static sumac_status finish_text(json_text *out, void **text, size_t *bytes)
{
    if (out->status != SUMAC_OK) {
        free(out->text);
        return out->status;
    }
    *text = out->text;
    *bytes = out->length;
    return SUMAC_OK;
}

static sumac_status check_curve(sumac_context *context, const groups *of)
{
    return of->json_name != NULL
               ? SUMAC_OK
               : fail(context, SUMAC_NOT_SUPPORTED, "snarkjs does not have %s, so there is no JSON for it",
                      of->g1->curve);
}

static sumac_status check_proof(sumac_context *context, const sumac_groth16_verifying_key *verifying)
{
    TRY(check_curve(context, &verifying->groups));
    return verifying->commitments.count == 0
               ? SUMAC_OK
               : fail(context, SUMAC_NOT_SUPPORTED, "snarkjs has no commitments, and no JSON of them");
}

static sumac_status encode_proof(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                 const uint8_t *proof, void **text, size_t *bytes)
{
    TRY(check_proof(context, verifying));
    json_text out = {.context = context};
    const groups *of = &verifying->groups;
    open_list(&out, "{");
    put_point(&out, 1, "pi_a", of->g1, proof);
    put_point(&out, 0, "pi_b", of->g2, proof + of->g1->point_bytes);
    put_point(&out, 0, "pi_c", of->g1, proof + of->g1->point_bytes + of->g2->point_bytes);
    put_next(&out, 0, "protocol");
    put(&out, "\"groth16\"");
    put_next(&out, 0, "curve");
    put(&out, "\"%s\"", of->json_name);
    close_list(&out, "}");
    return finish_text(&out, text, bytes);
}

static sumac_status encode_publics(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                   const uint8_t *publics, void **text, size_t *bytes)
{
    TRY(check_curve(context, &verifying->groups));
    json_text out = {.context = context};
    const size_t each = verifying->groups.g1->scalar_bytes;
    open_list(&out, "[");
    for (uint64_t i = 0; i < verifying->publics; i++) {
        put_next(&out, i == 0, NULL);
        put_number(&out, publics + i * each, each);
    }
    if (verifying->publics > 0) {
        close_list(&out, "]");
    } else {
        put(&out, "]");
    }
    return finish_text(&out, text, bytes);
}

/* ---- Reading ---- */

/* This is a text that is being read, and its name in messages. */
typedef struct json_source {
    sumac_context *context;
    const char *name;
    json_value value;
} json_source;

static sumac_status read_text(json_source *source, sumac_context *context, const char *text, size_t bytes,
                              const char *name)
{
    size_t bad;
    *source = (json_source){.context = context, .name = name};
    return json_read(&source->value, text, bytes, &bad)
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_FILE, "%s: no JSON from byte %zu on", name, bad);
}

static sumac_status wrong(const json_source *source, const char *member, const char *what)
{
    return fail(source->context, SUMAC_BAD_FILE, "%s: %s is not %s", source->name, member, what);
}

/* Read an integer that is less than a prime. */
static sumac_status read_integer(const json_source *source, json_value value, const char *member,
                                 const uint64_t *prime, size_t bytes, uint8_t *integer)
{
    const char *digits;
    size_t count;
    if (!json_characters(value, &digits, &count) || count == 0 || strspn(digits, "0123456789") != count) {
        return wrong(source, member, "a decimal number");
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
            return wrong(source, member, "a pair of numbers");
        }
        TRY(read_integer(source, item, member, info->modulus, info->field_bytes,
                         coordinate + i * info->field_bytes));
    }
    return info->degree > 1 && json_next_item(&items, &item) ? wrong(source, member, "a pair of numbers")
                                                             : SUMAC_OK;
}

static sumac_status read_point(const json_source *source, json_value value, const char *member,
                               const sumac_group *info, uint8_t *point)
{
    const size_t bytes = info->point_bytes / 2;
    uint8_t coordinates[3][MOST_POINT_BYTES / 2];
    json_value items = json_items_of(value);
    json_value item;
    for (int i = 0; i < 3; i++) {
        if (!json_next_item(&items, &item)) {
            return wrong(source, member, "a point of three coordinates");
        }
        TRY(read_coordinate(source, item, member, info, coordinates[i]));
    }
    if (json_next_item(&items, &item)) {
        return wrong(source, member, "a point of three coordinates");
    }
    if (all_zero(coordinates[2], bytes)) {
        memset(point, 0, 2 * bytes);
        return SUMAC_OK;
    }
    memcpy(point, coordinates[0], bytes);
    memcpy(point + bytes, coordinates[1], bytes);
    return coordinates[2][0] == 1 && all_zero(coordinates[2] + 1, bytes - 1)
               ? SUMAC_OK
               : wrong(source, member, "an affine point, with a third coordinate 1");
}

static sumac_status read_member_point(const json_source *source, const char *member, const sumac_group *info,
                                      uint8_t *point)
{
    json_value value;
    return json_member(source->value, member, &value)
               ? read_point(source, value, member, info, point)
               : fail(source->context, SUMAC_BAD_FILE, "%s: it has no %s", source->name, member);
}

/* Check the member "protocol" if the text has it. */
static sumac_status check_protocol(const json_source *source)
{
    json_value value;
    return json_member(source->value, "protocol", &value) && !json_is(value, "groth16")
               ? fail(source->context, SUMAC_MISMATCH, "%s: protocol is not groth16", source->name)
               : SUMAC_OK;
}

static sumac_status decode_proof(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                 const uint8_t *text, size_t bytes, const char *name, uint8_t *proof)
{
    json_source source;
    json_value curve;
    uint8_t points[4 * MOST_POINT_BYTES];
    TRY(check_proof(context, verifying));
    TRY(read_text(&source, context, (const char *)text, bytes, name));
    TRY(check_protocol(&source));
    const groups *of = &verifying->groups;
    const size_t g1 = of->g1->point_bytes;
    if (json_member(source.value, "curve", &curve) && !json_is(curve, of->json_name)) {
        return fail(context, SUMAC_MISMATCH, "%s: curve is not the key's, %s", name, of->json_name);
    }
    TRY(read_member_point(&source, "pi_a", of->g1, points));
    TRY(read_member_point(&source, "pi_b", of->g2, points + g1));
    TRY(read_member_point(&source, "pi_c", of->g1, points + g1 + of->g2->point_bytes));
    memcpy(proof, points, of->proof_bytes);
    return SUMAC_OK;
}

static sumac_status decode_publics(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                   const uint8_t *text, size_t bytes, const char *name, uint8_t *publics)
{
    json_source source;
    TRY(check_curve(context, &verifying->groups));
    TRY(read_text(&source, context, (const char *)text, bytes, name));
    const sumac_group *g1 = verifying->groups.g1;
    const size_t each = g1->scalar_bytes, size = verifying_publics_bytes(verifying);
    json_value items = json_items_of(source.value);
    json_value item;
    uint64_t count = 0;
    TAKE_MEMORY(uint8_t, scalars, context, name, size);
    TRY(json_is_array(source.value) ? SUMAC_OK : wrong(&source, "the text", "an array of numbers"));
    for (; json_next_item(&items, &item); count++) {
        if (count < verifying->publics) {
            TRY(read_integer(&source, item, "a public input", g1->order, each, scalars + count * each));
        }
    }
    if (count != verifying->publics) {
        return fail(context, SUMAC_BAD_LENGTH, "%s: %llu public inputs, where the key has %llu", name,
                    (unsigned long long)count, (unsigned long long)verifying->publics);
    }
    if (size > 0) {
        memcpy(publics, scalars, size);
    }
    return SUMAC_OK;
}

const proof_format snarkjs_proof_format = {
    .name = "snarkjs", .proof = {encode_proof, decode_proof}, .publics = {encode_publics, decode_publics}};

/* ---- Verifying keys ---- */

/* Read IC into memory that the caller frees, also after a failure. */
static sumac_status read_ic(const json_source *source, const sumac_group *info, uint8_t **points,
                            uint64_t *publics)
{
    json_value array, item;
    uint64_t count = 0;
    if (!json_member(source->value, "IC", &array) || !json_is_array(array)) {
        return wrong(source, "IC", "an array of points");
    }
    json_value items = json_items_of(array);
    while (json_next_item(&items, &item)) {
        count++;
    }
    if (count == 0) {
        return wrong(source, "IC", "an array of one point at least");
    }
    *points = memory_allocate(source->context, source->name, count * info->point_bytes);
    TRY(memory_got(*points));
    items = json_items_of(array);
    for (uint64_t i = 0; i < count && json_next_item(&items, &item); i++) {
        TRY(read_point(source, item, "IC", info, *points + i * info->point_bytes));
    }
    *publics = count - 1;
    return SUMAC_OK;
}

/* If the text has "nPublic", check that it is the number of public inputs that IC has. */
static sumac_status check_publics(const json_source *source, uint64_t publics)
{
    json_value value;
    const char *digits;
    size_t count;
    uint8_t said[8], expected[8];
    if (!json_member(source->value, "nPublic", &value)) {
        return SUMAC_OK;
    }
    store_le64(expected, publics);
    return json_characters(value, &digits, &count) && decimal_read(digits, count, said, sizeof said) &&
                   memcmp(said, expected, sizeof said) == 0
               ? SUMAC_OK
               : fail(source->context, SUMAC_BAD_FILE,
                      "%s: nPublic is not %llu, for which IC has %llu points", source->name,
                      (unsigned long long)publics, (unsigned long long)publics + 1);
}

/* Find the curve by its name. The name is copied first, because in the text no 0 follows it. */
static sumac_status read_groups(const json_source *source, groups *found)
{
    json_value value;
    const char *characters;
    char name[33] = "";
    size_t count;
    if (!json_member(source->value, "curve", &value) || !json_characters(value, &characters, &count)) {
        return wrong(source, "curve", "a name");
    }
    memcpy(name, characters, count < sizeof name ? count : sizeof name - 1);
    return groups_find_name(source->context, source->name, name, found);
}

sumac_status json_read_verifying(sumac_context *context, const char *text, size_t bytes, const char *name,
                                 sumac_groth16_verifying_key **verifying)
{
    json_source source;
    groups of;
    uint8_t alpha1[MOST_POINT_BYTES], beta2[MOST_POINT_BYTES], gamma2[MOST_POINT_BYTES],
        delta2[MOST_POINT_BYTES];
    verifying_points points = {
        .alpha1 = alpha1, .beta2 = beta2, .gamma2 = gamma2, .delta2 = delta2, .what = name, .ic_what = name};
    AUTO_FREE uint8_t *ic = NULL;
    TRY(read_text(&source, context, text, bytes, name));
    TRY(check_protocol(&source));
    TRY(read_groups(&source, &of));
    TRY(read_member_point(&source, "vk_alpha_1", of.g1, alpha1));
    TRY(read_member_point(&source, "vk_beta_2", of.g2, beta2));
    TRY(read_member_point(&source, "vk_gamma_2", of.g2, gamma2));
    TRY(read_member_point(&source, "vk_delta_2", of.g2, delta2));
    TRY(read_ic(&source, of.g1, &ic, &points.publics));
    TRY(check_publics(&source, points.publics));
    points.ic = ic;
    return verifying_create(context, &of, &points, SUMAC_CHECK_SUBGROUP, verifying);
}
