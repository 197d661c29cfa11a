/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file runs the small cases of the independent reference (tests/reference/ref.py) through sumac_msm(). It does so
 * for every curve and group and every kind of plan: windows, reductions, precompute factors, chunks, and threads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness.h"
#include "support/json.h"

typedef struct vector_case {
    const char *name;
    size_t n;
    uint8_t *bases;
    uint8_t *scalars;
    uint8_t *result;
} vector_case;

typedef struct vector_file {
    json_t *json;
    size_t count;
    vector_case *cases;
} vector_file;

/* Read the curve's vectors. If there are none, as for a new curve (docs/internals/adding-a-curve.md), skip the test. */
static vector_file read_vectors(const test_group *t)
{
    char path[512];
    json_error_t error;
    vector_file file;
    snprintf(path, sizeof path, "%s/vectors/%s_%s.json", SUMAC_TEST_DATA, t->info->curve, t->info->name);
    file.json = json_load_file(path, 0, &error);
    if (file.json == NULL) {
        print_message("no vectors: %s: %s\n", path, error.text);
        skip();
    }
    const json_t *cases = json_object_get(file.json, "cases");
    file.count = json_array_size(cases);
    assert_true(file.count > 0);
    file.cases = test_alloc(file.count * sizeof *file.cases);
    TEST_NUMBERS(k);
    for (size_t i = 0; i < file.count; i++) {
        vector_case *v = &file.cases[i];
        const json_t *entry = json_array_get(cases, i);
        const json_t *bases = json_object_get(entry, "bases"), *scalars = json_object_get(entry, "scalars");
        v->name = json_string_value(json_object_get(entry, "name"));
        v->n = json_array_size(bases);
        assert_int_equal(v->n, json_array_size(scalars));
        v->bases = test_alloc(v->n * t->info->point_bytes);
        v->scalars = test_alloc(v->n * t->info->scalar_bytes);
        v->result = test_alloc(t->info->point_bytes);
        for (size_t j = 0; j < v->n; j++) {
            test_json_point(t->info, v->bases + j * t->info->point_bytes, json_array_get(bases, j));
            assert_int_equal(mpz_set_str(k, json_string_value(json_array_get(scalars, j)), 0), 0);
            oracle_scalar_to_raw(&t->oracle, v->scalars + j * t->info->scalar_bytes, k);
        }
        test_json_point(t->info, v->result, json_object_get(entry, "result"));
    }
    return file;
}

static void free_vectors(vector_file *file)
{
    for (size_t i = 0; i < file->count; i++) {
        free(file->cases[i].bases);
        free(file->cases[i].scalars);
        free(file->cases[i].result);
    }
    free(file->cases);
    json_decref(file->json);
}

static const vector_case *find_case(const vector_file *file, const char *name)
{
    for (size_t i = 0; i < file->count; i++) {
        if (strcmp(file->cases[i].name, name) == 0) {
            return &file->cases[i];
        }
    }
    return NULL;
}

static void test_default_plan(void **state)
{
    const test_group *t = *state;
    CLEANUP(free_vectors) vector_file file = read_vectors(t);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        CLEANUP(destroy_context) sumac_context *context = test_context(threads, 0);
        for (size_t i = 0; i < file.count; i++) {
            const vector_case *v = &file.cases[i];
            CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, v->bases, v->n, NULL);
            test_msm(context, bases, v->scalars, v->n, NULL, v->result, v->name);
        }
    }
}

/* Try every window with both reductions and every factor, of which groups that are alike take a third each. Chunks and threads
 * change from call to call, so that over all cases each number of chunks is combined with each number of threads. */
static void test_every_plan(void **state)
{
    const test_group *t = *state;
    CLEANUP(free_vectors) vector_file file = read_vectors(t);
    const uint32_t last_c = options.quick ? 5 : 8;
    sumac_context *contexts[3];
    for (uint32_t i = 0; i < 3; i++) {
        contexts[i] = test_context(i + 1, 0);
    }
    uint32_t turn = 0;
    for (size_t i = 0; i < file.count; i++) {
        const vector_case *v = &file.cases[i];
        for (uint32_t c = 1; c <= last_c; c += options.quick ? 2 : 1) {
            for (uint32_t factor = 1; factor <= 3; factor++) {
                if (!test_has_case(t, i + c + factor)) {
                    continue;
                }
                sumac_bases_config bases_config = {.size = sizeof bases_config};
                bases_config.precompute_factor = factor;
                bases_config.tuning = test_tuning("c=%u", c);
                CLEANUP(destroy_bases)
                sumac_bases *bases = test_bases(contexts[0], t, v->bases, v->n, &bases_config);
                for (int reduction = REDUCTION_RUNNING_SUM; reduction <= REDUCTION_HALVING; reduction++) {
                    sumac_msm_config config = {.size = sizeof config};
                    config.tuning = test_tuning("c=%u,reduction=%s,chunks=%u", c, test_reductions[reduction],
                                                1 + turn % 3);
                    test_msm(contexts[turn / 3 % 3], bases, v->scalars, v->n, &config, v->result, v->name);
                    turn++;
                }
            }
        }
        turn++; /* otherwise a plan would always have the same chunks, because the number of plans is a multiple of 3 */
    }
    for (uint32_t i = 0; i < 3; i++) {
        sumac_context_destroy(contexts[i]);
    }
}

/* Try every named plan on every case, or a third of the plans with groups that are alike. With its own window and bases without multiples, a plan must work. If the window
 * is another one or bases have multiples, the plan may be refused with a message that contains its name. */
static void test_named_plans(void **state)
{
    static const struct {
        uint32_t c, factor;
    } shapes[] = {{0, 1}, {0, 1}, {6, 1}, {5, 3}, {1, 2}};
    const test_group *t = *state;
    const char *name;
    CLEANUP(free_vectors) vector_file file = read_vectors(t);
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    for (size_t i = 0; i < file.count; i++) {
        const vector_case *v = &file.cases[i];
        for (size_t j = 0; j < (options.quick ? 1 : sizeof shapes / sizeof *shapes); j++) {
            sumac_bases_config bases_config = {.size = sizeof bases_config};
            bases_config.precompute_factor = shapes[j].factor;
            bases_config.tuning = test_tuning("c=%u", shapes[j].c);
            CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, v->bases, v->n, &bases_config);
            for (size_t p = 1; (name = test_plan_name(context, p)) != NULL; p++) {
                sumac_msm_config config = {.size = sizeof config};
                test_plan plan = {0};
                if (!test_has_case(t, i + j + p)) {
                    continue;
                }
                config.tuning = test_tuning("plan=%s,c=%u,chunks=%u", name, shapes[j].c, j == 1 ? 3 : 0);
                const sumac_status status = test_msm_plan(context, bases, v->n, &config, &plan);
                if (shapes[j].c != 0 && status == SUMAC_UNKNOWN_PLAN) {
                    assert_non_null(strstr(sumac_context_message(context), name));
                    continue;
                }
                test_status(context, status, SUMAC_OK, name);
                test_msm(context, bases, v->scalars, v->n, &config, v->result, name);
            }
        }
    }
}

/* Wide windows have 2^(c-1) buckets, however few the bases are, so that only a few cases are tried. */
static void test_wide_windows(void **state)
{
    static const char *const names[] = {"uniform", "all_digits_max", "scalars_not_reduced",
                                        "half_window_digits"};
    const test_group *t = *state;
    CLEANUP(free_vectors) vector_file file = read_vectors(t);
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    const uint32_t last_c = options.quick ? 11 : 16;
    for (uint32_t c = 9; c <= last_c; c++) {
        for (int reduction = REDUCTION_RUNNING_SUM; reduction <= REDUCTION_HALVING; reduction++) {
            const vector_case *v = find_case(&file, names[(c + (uint32_t)reduction) % 4]);
            if (v == NULL) { /* a field that fills its words has no scalars above r */
                v = find_case(&file, "uniform");
            }
            sumac_msm_config config = {.size = sizeof config};
            config.tuning = test_tuning("c=%u,reduction=%s", c, test_reductions[reduction]);
            CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, v->bases, v->n, NULL);
            test_msm(context, bases, v->scalars, v->n, &config, v->result, v->name);
        }
    }
}

/* Points of the subgroup give the same results without the shortcuts for the subgroup. */
static void test_declared_outside_subgroup(void **state)
{
    const test_group *t = *state;
    CLEANUP(free_vectors) vector_file file = read_vectors(t);
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    for (size_t i = 0; i < file.count; i++) {
        const vector_case *v = &file.cases[i];
        for (uint32_t c = 0; c <= 9; c += 3) {
            sumac_bases_config bases_config = {.size = sizeof bases_config};
            bases_config.outside_subgroup = 1;
            bases_config.precompute_factor = 1 + c % 2;
            bases_config.tuning = test_tuning("c=%u", c);
            sumac_msm_config config = {.size = sizeof config};
            config.tuning = test_tuning("c=%u", c);
            CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, v->bases, v->n, &bases_config);
            test_msm(context, bases, v->scalars, v->n, &config, v->result, v->name);
        }
    }
}

/* Limits that exceed any memory have no effect. */
static void test_boundless_limits(void **state)
{
    static const uint64_t limits[] = {UINT64_MAX, UINT64_MAX - 1, UINT64_MAX - 63, (uint64_t)1 << 63,
                                      ((uint64_t)1 << 63) - 1};
    const test_group *t = *state;
    CLEANUP(free_vectors) vector_file file = read_vectors(t);
    const vector_case *v = find_case(&file, "uniform");
    assert_non_null(v);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        CLEANUP(destroy_context) sumac_context *context = test_context(2, limits[i]);
        CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, v->bases, v->n, NULL);
        test_plan plan = {0};
        TEST_OK(context, test_plan_create(context, t->group, v->n, NULL, NULL, &plan));
        test_msm(context, bases, v->scalars, v->n, NULL, v->result, "a limit beyond all memory");
    }
}

/* Inputs and results are in Montgomery form, and records have a stride and a flag for infinity. */
static void test_forms_and_layouts(void **state)
{
    const test_group *t = *state;
    CLEANUP(free_vectors) vector_file file = read_vectors(t);
    const vector_case *v = find_case(&file, "infinity_bases");
    assert_non_null(v);
    const size_t point = t->info->point_bytes, stride = point + 11, scalar = t->info->scalar_bytes;
    AUTO_FREE uint8_t *records = test_alloc(v->n * stride), *scalars = test_alloc(v->n * scalar + 1),
                      *expected = test_alloc(point);
    ORACLE_POINT(p);
    TEST_NUMBERS(k);
    memset(records, 0xee, v->n * stride);
    for (size_t i = 0; i < v->n; i++) {
        uint8_t *record = records + i * stride;
        oracle_point_from_raw(&t->oracle, &p, v->bases + i * point);
        record[point + 5] = 0;
        if (p.is_infinity) {
            record[point + 5] = 1; /* x and y are arbitrary */
        } else {
            oracle_point_to_affine(&t->oracle, record, &p);
        }
        oracle_scalar_from_raw(&t->oracle, k, v->scalars + i * scalar);
        mpz_mul_2exp(k, k, 8 * scalar);
        mpz_mod(k, k, t->oracle.r);
        oracle_scalar_to_raw(&t->oracle, scalars + i * scalar, k);
    }
    oracle_point_from_raw(&t->oracle, &p, v->result);
    oracle_point_to_affine(&t->oracle, expected, &p);
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    bases_config.form = SUMAC_FORM_MONTGOMERY;
    bases_config.stride = stride;
    bases_config.infinity = SUMAC_INFINITY_FLAG;
    bases_config.infinity_offset = point + 5;
    bases_config.check = SUMAC_CHECK_SUBGROUP;
    CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, records, v->n, &bases_config);
    sumac_msm_config config = {.size = sizeof config};
    config.scalar_form = SUMAC_FORM_MONTGOMERY;
    config.result_form = SUMAC_FORM_MONTGOMERY;
    test_msm(context, bases, scalars, v->n, &config, expected, "Montgomery form");
    for (size_t i = 0; i < v->n; i += 3) { /* any value is allowed as a scalar */
        oracle_scalar_from_raw(&t->oracle, k, scalars + i * scalar);
        mpz_add(k, k, t->oracle.r);
        if (mpz_sizeinbase(k, 2) <= 8 * scalar) {
            oracle_scalar_to_raw(&t->oracle, scalars + i * scalar, k);
        }
    }
    test_msm(context, bases, scalars, v->n, &config, expected, "Montgomery form, not reduced");
    if (test_describe(context).location == SUMAC_LOCATION_HOST) {
        memmove(scalars + 1, scalars, v->n * scalar);
        test_msm(context, bases, scalars + 1, v->n, &config, expected, "Montgomery form, anywhere");
    }
    AUTO_FREE uint8_t *back = test_alloc(v->n * point);
    TEST_OK(context, exact_get(context, bases, 0, v->n, back));
    assert_memory_equal(back, v->bases, v->n * point);
}

static const test_entry entries[] = {
    {"default plan", test_default_plan, TEST_EVERY_GROUP},
    {"every plan", test_every_plan, TEST_EVERY_GROUP},
    {"named plans", test_named_plans, TEST_EVERY_GROUP},
    {"wide windows", test_wide_windows, TEST_EVERY_GROUP},
    {"declared outside the subgroup", test_declared_outside_subgroup, TEST_EVERY_GROUP},
    {"boundless limits", test_boundless_limits, TEST_EVERY_GROUP},
    {"forms and layouts", test_forms_and_layouts, TEST_EVERY_GROUP},
};
TEST_MAIN("known_vectors", entries)
