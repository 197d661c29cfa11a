/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file compares maps of field elements to points with an independent reference (tests/reference/map.py), on random
 * elements and on elements at which formulas have special cases. It also compares them with RFC 9380's vectors, whose
 * points on the curve GMP's oracle moves into the subgroup. If a group has no map, calls must be refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness.h"
#include "support/json.h"
#include "sumac/map.h"

static int has_map(const test_group *t)
{
    return strcmp(t->info->curve, "bls12-381") == 0;
}

static json_t *read_data(const char *name)
{
    char path[512];
    json_error_t error;
    snprintf(path, sizeof path, "%s/maps/%s.json", SUMAC_TEST_DATA, name);
    json_t *data = json_load_file(path, 0, &error);
    if (data == NULL) {
        test_abort("%s: %s", path, error.text);
    }
    return data;
}

static size_t coordinate_bytes(const test_group *t)
{
    return t->info->point_bytes / 2;
}

/* These are elements, and the points to which the reference maps them. */
typedef struct scene {
    size_t n;
    uint8_t *elements, *expected, *points;
    size_t bytes; /* the bytes of the points */
} scene;

static scene scene_begin(const test_group *t)
{
    char name[64];
    if (!has_map(t)) {
        skip();
    }
    snprintf(name, sizeof name, "%s_%s", t->info->curve, t->info->name);
    json_t *data = read_data(name);
    scene s = {.n = json_array_size(data)};
    assert_true(s.n > 50);
    s.bytes = s.n * t->info->point_bytes;
    s.elements = test_alloc(s.n * coordinate_bytes(t));
    s.expected = test_alloc(s.bytes);
    s.points = test_alloc(s.bytes);
    for (size_t i = 0; i < s.n; i++) {
        const json_t *vector = json_array_get(data, i);
        test_json_element(t->info, s.elements + i * coordinate_bytes(t), json_object_get(vector, "u"));
        test_json_point(t->info, s.expected + i * t->info->point_bytes, json_object_get(vector, "point"));
    }
    json_decref(data);
    return s;
}

static void scene_end(scene *s)
{
    free(s->elements);
    free(s->expected);
    free(s->points);
}

/* Map `count` elements from `first` on, and compare the points. */
static void expect_points(const test_group *t, scene *s, sumac_context *context, size_t first, size_t count)
{
    const size_t point_bytes = t->info->point_bytes;
    memset(s->points, 0xaa, s->bytes);
    TEST_OK(context, test_map_to_group(context, t->group, s->elements + first * coordinate_bytes(t), count,
                                       s->points));
    for (size_t i = 0; i < count; i++) {
        if (memcmp(s->points + i * point_bytes, s->expected + (first + i) * point_bytes, point_bytes) != 0) {
            test_abort("%s %s: element %zu of %zu from %zu on has another point", t->info->curve,
                       t->info->name, i, count, first);
        }
    }
}

static void test_reference(void **state)
{
    test_group *t = *state;
    CLEANUP(scene_end) scene s = scene_begin(t);
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        CLEANUP(destroy_context) sumac_context *context = test_context(threads, 0);
        expect_points(t, &s, context, 0, s.n);
        for (size_t i = 0; i < s.n; i++) {
            expect_points(t, &s, context, i, 1);
        }
        expect_points(t, &s, context, 1, 17);
    }
}

/* There are enough elements for several blocks and tasks. */
static void test_many(void **state)
{
    test_group *t = *state;
    CLEANUP(scene_end) scene s = scene_begin(t);
    const size_t times = 12, n = times * s.n, element_bytes = coordinate_bytes(t);
    AUTO_FREE uint8_t *elements = test_alloc(n * element_bytes), *points = test_alloc(times * s.bytes);
    for (size_t i = 0; i < n; i++) {
        memcpy(elements + i * element_bytes, s.elements + i % s.n * element_bytes, element_bytes);
    }
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    TEST_OK(context, test_map_to_group(context, t->group, elements, n, points));
    for (size_t i = 0; i < times; i++) {
        assert_memory_equal(points + i * s.bytes, s.expected, s.bytes);
    }
    /* If two elements in different tasks are bad, the first one is reported, and nothing is written. */
    memset(points, 0xaa, times * s.bytes);
    memset(elements + 70 * element_bytes, 0xff, element_bytes);
    memset(elements + (n - 1) * element_bytes, 0xff, element_bytes);
    test_sentence(context, test_map_to_group(context, t->group, elements, n, points), SUMAC_BAD_ENCODING,
                  "element 70 is not below p");
    for (size_t i = 0; i < times * s.bytes; i++) {
        assert_int_equal(points[i], 0xaa);
    }
}

/* Check that elements are mapped to h_eff times the vector's points on the curve, and that the sum of these is the vector's
 * result. */
static void check_suite_vector(test_group *t, sumac_context *context, const json_t *vector, const mpz_t h_eff)
{
    const json_t *elements = json_object_get(vector, "u"), *on_curve = json_object_get(vector, "Q");
    const size_t n = json_array_size(elements), point_bytes = t->info->point_bytes;
    uint8_t raw[2 * 192], points[2 * 192];
    ORACLE_POINT(sum);
    ORACLE_POINT(point);
    assert_true(n >= 1 && n <= 2 && json_array_size(on_curve) == n);
    for (size_t i = 0; i < n; i++) {
        test_json_element(t->info, raw + i * coordinate_bytes(t), json_array_get(elements, i));
    }
    TEST_OK(context, test_map_to_group(context, t->group, raw, n, points));
    oracle_point_set_infinity(&sum);
    for (size_t i = 0; i < n; i++) {
        test_json_point(t->info, raw, json_array_get(on_curve, i));
        oracle_point_from_raw(&t->oracle, &point, raw);
        assert_true(oracle_point_on_curve(&t->oracle, &point));
        oracle_mul(&t->oracle, &point, h_eff, &point);
        oracle_point_to_raw(&t->oracle, raw, &point);
        assert_memory_equal(points + i * point_bytes, raw, point_bytes);
        oracle_point_from_raw(&t->oracle, &point, points + i * point_bytes);
        oracle_add(&t->oracle, &sum, &sum, &point);
    }
    test_json_point(t->info, raw, json_object_get(vector, "P"));
    oracle_point_to_raw(&t->oracle, points, &sum);
    assert_memory_equal(points, raw, point_bytes);
}

static void test_suites(void **state)
{
    test_group *t = *state;
    if (!has_map(t)) {
        skip();
    }
    /* These numbers are in RFC 9380, 8.8.1 and 8.8.2. */
    mpz_t h_eff;
    mpz_init_set_str(h_eff,
                     t->info->degree == 1
                         ? "0xd201000000010001"
                         : "0xbc69f08f2ee75b3584c6a0ea91b352888e2a8e9145ad7689986ff031508ffe1329c2f1787"
                           "31db956d82bf015d1212b02ec0ec69d7477c1ae954cbc06689f6a359894c0adebbf6b4e80"
                           "20005aaa95551",
                     0);
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    json_t *suites = read_data("rfc9380");
    size_t seen = 0;
    for (size_t i = 0; i < json_array_size(suites); i++) {
        const json_t *suite = json_array_get(suites, i), *vectors = json_object_get(suite, "vectors");
        if (strcmp(json_string_value(json_object_get(suite, "curve")), t->info->curve) != 0 ||
            strcmp(json_string_value(json_object_get(suite, "group")), t->info->name) != 0) {
            continue;
        }
        for (size_t j = 0; j < json_array_size(vectors); j++) {
            check_suite_vector(t, context, json_array_get(vectors, j), h_eff);
            seen++;
        }
    }
    assert_int_equal(seen, 10);
    json_decref(suites);
    mpz_clear(h_eff);
}

static void test_bad_input(void **state)
{
    test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    const size_t element_bytes = coordinate_bytes(t), part = t->info->field_bytes;
    AUTO_FREE uint8_t *elements = test_alloc(4 * element_bytes),
                      *points = test_alloc(4 * t->info->point_bytes);
    memset(elements, 0, 4 * element_bytes);
    if (!has_map(t)) {
        test_sentence(context, test_map_to_group(context, t->group, elements, 4, points), SUMAC_NOT_SUPPORTED,
                      t->info->curve);
    } else {
        TEST_OK(context, test_map_to_group(context, t->group, NULL, 0, NULL));
        test_sentence(context, test_map_to_group(context, t->group, NULL, 1, points), SUMAC_BAD_ARGUMENT,
                      "null");
        test_sentence(context, test_map_to_group(context, t->group, elements, 1, NULL), SUMAC_BAD_ARGUMENT,
                      "null");
        const size_t point_bytes = t->group->point_bytes;
        TEST_SHORT(context, sumac_map_to_group(context, t->group, elements, point_bytes / 2 * 3 - 1, 3,
                                               points, point_bytes * 3));
        TEST_SHORT(context, sumac_map_to_group(context, t->group, elements, point_bytes / 2 * 3, 3, points,
                                               point_bytes * 3 - 1));
        TEST_SHORT(context, test_map_to_group(context, t->group, elements, SIZE_MAX / 2, points));
        /* p is refused in either part, and p - 1 is accepted. */
        for (uint32_t i = 0; i < t->info->degree; i++) {
            uint8_t *bytes = elements + 2 * element_bytes + i * part;
            memcpy(bytes, t->info->modulus, part); /* tests run on little-endian machines */
            test_sentence(context, test_map_to_group(context, t->group, elements, 4, points),
                          SUMAC_BAD_ENCODING, "element 2 is not below p");
            bytes[0]--;
            TEST_OK(context, test_map_to_group(context, t->group, elements, 4, points));
            memset(bytes, 0, part);
        }
    }
    test_sentence(context, test_map_to_group(context, NULL, elements, 1, points), SUMAC_BAD_ARGUMENT, "null");
    assert_int_equal(test_map_to_group(NULL, t->group, elements, 1, points), SUMAC_BAD_ARGUMENT);
}

static const test_entry entries[] = {
    {"reference", test_reference, TEST_EVERY_GROUP},
    {"many elements", test_many, TEST_EVERY_GROUP},
    {"vectors of RFC 9380", test_suites, TEST_EVERY_GROUP},
    {"bad input", test_bad_input, TEST_EVERY_GROUP},
};
TEST_MAIN("map", entries)
