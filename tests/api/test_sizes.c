/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests that programs and libraries of different versions work together: sumac.h's rules for sizes of structs
 * hold for every call that takes a struct. The structs in this file are those of a program that was compiled with the
 * first version, and never change.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* This is included before the harness, because cmocka defines a macro named fail. */
#include "api/handles.h"
#include "base/sizes.h"

#include "support/files.h"
#include "support/harness.h"
#include "sumac/experimental.h"
#include "sumac/groth16.h"
#include "sumac/kzg.h"
#include "sumac/plonk.h"
#include "sumac/srs.h"
#include "sumac/vector.h"

typedef struct first_context_config {
    size_t size;
    const char *backend;
    const char *tuning;
    const int32_t *devices;
    const uint32_t *device_weights;
    size_t device_count;
    uint64_t memory_limit;
    uint64_t replica_limit;
    void (*trace)(void *user, const sumac_trace_event *event);
    int (*progress)(void *user, double done);
    void *user;
    uint32_t threads;
    uint32_t reserved;
} first_context_config;

typedef struct first_bases_config {
    size_t size;
    uint32_t form;
    uint32_t infinity;
    uint32_t location;
    uint32_t check;
    uint32_t outside_subgroup;
    uint32_t precompute_factor;
    uint32_t tables;
    uint32_t scalar_bits;
    uint32_t typical_batch;
    uint32_t replicated;
    uint32_t page_locked;
    uint32_t reserved;
    size_t stride;
    size_t infinity_offset;
    uint64_t table_bytes;
    size_t typical_n;
    const char *tuning;
} first_bases_config;

typedef struct first_msm_config {
    size_t size;
    uint32_t scalar_bits;
    uint32_t batch;
    uint32_t base_sets;
    uint32_t scalar_form;
    uint32_t result_form;
    uint32_t scalars_location;
    uint32_t result_location;
    uint32_t cut_scalars;
    uint32_t scalar_bytes;
    uint32_t scalar_signed;
    size_t first;
    const uint64_t *offsets;
    size_t offset_count;
    const char *tuning;
} first_msm_config;

static const struct {
    const public_struct *type;
    size_t bytes;
} first_versions[] = {
    {&public_context_config, sizeof(first_context_config)},
    {&public_bases_config, sizeof(first_bases_config)},
    {&public_msm_config, sizeof(first_msm_config)},
};

static void test_first_versions(void)
{
    for (size_t i = 0; i < sizeof first_versions / sizeof *first_versions; i++) {
        assert_int_equal(first_versions[i].type->first, first_versions[i].bytes);
        assert_true(first_versions[i].type->bytes >= first_versions[i].bytes);
    }
}

/* ---- layouts ---- */

/* These are the offsets at which a field begins and ends. */
typedef struct field {
    size_t begin, end;
} field;

/* This is a field of the struct that NO_HOLES() names. */
#define FIELD(name)                                                                                          \
    {                                                                                                        \
        offsetof(checked_struct, name), offsetof(checked_struct, name) + sizeof(((checked_struct *)0)->name) \
    }

/* Require that the fields cover the struct without gaps, because nobody sets the bytes of a gap. */
static void expect_no_holes(const char *name, const field *fields, size_t count, size_t bytes)
{
    size_t end = 0;
    for (size_t i = 0; i < count; i++) {
        if (fields[i].begin != end) {
            test_abort("%s: field %zu begins at %zu instead of %zu", name, i, fields[i].begin, end);
        }
        end = fields[i].end;
    }
    if (end != bytes) {
        test_abort("%s: the last field ends at %zu of %zu bytes", name, end, bytes);
    }
}

#define NO_HOLES(type, ...)                                                                                  \
    do {                                                                                                     \
        typedef type checked_struct;                                                                         \
        static const field fields[] = {__VA_ARGS__};                                                         \
        expect_no_holes(#type, fields, sizeof fields / sizeof *fields, sizeof(type));                        \
    } while (0)

static void test_layouts(void)
{
    NO_HOLES(sumac_context_config, FIELD(size), FIELD(backend), FIELD(tuning), FIELD(devices),
             FIELD(device_weights), FIELD(device_count), FIELD(memory_limit), FIELD(replica_limit),
             FIELD(trace), FIELD(progress), FIELD(user), FIELD(threads), FIELD(reserved));
    NO_HOLES(sumac_context_info, FIELD(size), FIELD(backend), FIELD(variant), FIELD(device_names),
             FIELD(device_count), FIELD(threads), FIELD(location));
    NO_HOLES(sumac_bases_config, FIELD(size), FIELD(form), FIELD(infinity), FIELD(location), FIELD(check),
             FIELD(outside_subgroup), FIELD(precompute_factor), FIELD(tables), FIELD(scalar_bits),
             FIELD(typical_batch), FIELD(replicated), FIELD(page_locked), FIELD(reserved), FIELD(stride),
             FIELD(infinity_offset), FIELD(table_bytes), FIELD(typical_n), FIELD(tuning));
    NO_HOLES(sumac_bases_info, FIELD(size), FIELD(group), FIELD(count), FIELD(precompute_factor),
             FIELD(tables), FIELD(bytes));
    NO_HOLES(sumac_msm_config, FIELD(size), FIELD(scalar_bits), FIELD(batch), FIELD(base_sets),
             FIELD(scalar_form), FIELD(result_form), FIELD(scalars_location), FIELD(result_location),
             FIELD(cut_scalars), FIELD(scalar_bytes), FIELD(scalar_signed), FIELD(first), FIELD(offsets),
             FIELD(offset_count), FIELD(tuning));
    NO_HOLES(sumac_msm_needs, FIELD(size), FIELD(milliseconds), FIELD(workspace_bytes), FIELD(pinned_bytes));
    NO_HOLES(sumac_group, FIELD(size), FIELD(curve), FIELD(name), FIELD(field_bits), FIELD(field_bytes),
             FIELD(degree), FIELD(scalar_bits), FIELD(scalar_bytes), FIELD(point_bytes),
             FIELD(cofactor_is_one), FIELD(reserved), FIELD(modulus), FIELD(order));
    NO_HOLES(sumac_trace_event, FIELD(size), FIELD(name), FIELD(thread), FIELD(pass), FIELD(start),
             FIELD(end));
    NO_HOLES(sumac_format_info, FIELD(size), FIELD(name), FIELD(description), FIELD(can_read),
             FIELD(can_write));
    NO_HOLES(sumac_element_layout, FIELD(size), FIELD(form), FIELD(byte_order), FIELD(check),
             FIELD(scalar_bytes), FIELD(scalar_signed), FIELD(reserved));
    NO_HOLES(sumac_slice, FIELD(size), FIELD(first), FIELD(runs), FIELD(length), FIELD(stride));
    NO_HOLES(sumac_transform_config, FIELD(size), FIELD(length), FIELD(inverse), FIELD(value_order),
             FIELD(coefficient_order), FIELD(reserved), FIELD(shift), FIELD(shift_bytes), FIELD(coefficients),
             FIELD(root), FIELD(root_bytes));
    NO_HOLES(sumac_files_config, FIELD(size), FIELD(format), FIELD(check), FIELD(outside_subgroup),
             FIELD(first), FIELD(n), FIELD(memory_limit), FIELD(chunk), FIELD(checkpoint),
             FIELD(checkpoint_milliseconds));
    NO_HOLES(sumac_files_report, FIELD(size), FIELD(n), FIELD(resumed), FIELD(chunk), FIELD(memory_bytes),
             FIELD(load_seconds), FIELD(msm_seconds));
    NO_HOLES(sumac_groth16_key_config, FIELD(size), FIELD(check), FIELD(precompute_factor), FIELD(verifying),
             FIELD(commitment_wires), FIELD(commitment_wires_bytes));
    NO_HOLES(sumac_groth16_prove_config, FIELD(size), FIELD(randomness), FIELD(randomness_bytes),
             FIELD(unverified), FIELD(reserved));
    NO_HOLES(sumac_fk20_info, FIELD(size), FIELD(group), FIELD(n), FIELD(cell_elements), FIELD(table_bytes));
    NO_HOLES(sumac_kzg_config, FIELD(size), FIELD(check), FIELD(cells), FIELD(table_bytes));
    NO_HOLES(sumac_groth16_info, FIELD(size), FIELD(g1), FIELD(g2), FIELD(wires), FIELD(publics),
             FIELD(domain), FIELD(coefficients), FIELD(witness_bytes), FIELD(publics_bytes),
             FIELD(proof_bytes), FIELD(key_bytes), FIELD(has_verifying_key), FIELD(commitments));
    NO_HOLES(sumac_plonk_key_config, FIELD(size), FIELD(check), FIELD(precompute_factor), FIELD(compact),
             FIELD(reserved));
    NO_HOLES(sumac_plonk_prove_config, FIELD(size), FIELD(blinding), FIELD(blinding_bytes), FIELD(unverified),
             FIELD(reserved));
    NO_HOLES(sumac_plonk_setup_config, FIELD(size), FIELD(protocol));
    NO_HOLES(sumac_plonk_info, FIELD(size), FIELD(g1), FIELD(g2), FIELD(wires), FIELD(publics), FIELD(gates),
             FIELD(additions), FIELD(domain), FIELD(witness_bytes), FIELD(publics_bytes), FIELD(proof_bytes),
             FIELD(blinding_bytes), FIELD(key_bytes), FIELD(workspace_bytes), FIELD(commitments),
             FIELD(format), FIELD(protocol));
}

/* ---- the rules ---- */

/* These are the arguments of calls. */
typedef struct scene {
    const test_group *t;
    test_sum sum;
    uint8_t *results;
    sumac_vector *scalars, *points;
    char path[64]; /* a file of points */
    char scalars_path[64];
} scene;

/* Zero a struct, whose fields then have their defaults, and set its size. */
static void set_size(void *given, size_t size)
{
    memset(given, 0, size);
    memcpy(given, &size, sizeof size);
}

typedef sumac_status (*sized_call)(scene *s, void *given);

static sumac_status forget(sumac_status status, sumac_bases *bases)
{
    assert_true((status == SUMAC_OK) == (bases != NULL));
    sumac_bases_destroy(bases);
    return status;
}

static sumac_status create_bases(scene *s, void *given)
{
    sumac_bases *bases = NULL;
    const sumac_status status =
        exact_create(s->sum.context, s->t->group, s->sum.points, s->sum.n, given, &bases);
    return forget(status, bases);
}

static sumac_status known_bases(scene *s, void *given)
{
    sumac_bases *bases = NULL;
    const sumac_status status =
        sumac_known_bases_create(s->sum.context, s->t->group, s->sum.n, 1, given, &bases);
    return forget(status, bases);
}

static sumac_status read_bases(scene *s, void *given)
{
    sumac_bases *bases = NULL;
    const sumac_status status =
        sumac_bases_open(s->sum.context, s->t->group, s->path, "raw", 0, SUMAC_ALL, given, &bases);
    return forget(status, bases);
}

static sumac_status plan_for_bases(scene *s, void *given)
{
    test_plan plan = {0};
    return test_plan_create(s->sum.context, s->t->group, s->sum.n, given, NULL, &plan);
}

static sumac_status plan_for_config(scene *s, void *given)
{
    test_plan plan = {0};
    return test_plan_create(s->sum.context, s->t->group, s->sum.n, NULL, given, &plan);
}

static sumac_status plan_for_call(scene *s, void *given)
{
    test_plan plan = {0};
    return test_msm_plan(s->sum.context, s->sum.bases, s->sum.n, given, &plan);
}

static sumac_status call_msm(scene *s, void *given)
{
    return exact_msm(s->sum.context, s->sum.bases, s->sum.scalars, s->sum.n, given, s->results);
}

static sumac_status call_partial(scene *s, void *given)
{
    return exact_partial(s->sum.context, s->sum.bases, s->sum.scalars, s->sum.n, given, s->results);
}

static sumac_status call_prepare(scene *s, void *given)
{
    CLEANUP(destroy_call) sumac_call *call = NULL;
    const sumac_status status = sumac_msm_prepare(s->sum.context, s->sum.bases, s->sum.n, given, &call);
    assert_true((status == SUMAC_OK) == (call != NULL));
    return status;
}

static sumac_status call_vectors(scene *s, void *given)
{
    return sumac_msm_vectors(s->sum.context, s->sum.bases, s->scalars, 0, s->sum.n, given, s->points, 0);
}

static sumac_status stream_config(scene *s, void *given)
{
    return sumac_msm_files(s->sum.context, s->t->group, s->path, s->scalars_path, given, NULL, s->results,
                           s->t->info->point_bytes, NULL);
}

static sumac_status stream_msm(scene *s, void *given)
{
    return sumac_msm_files(s->sum.context, s->t->group, s->path, s->scalars_path, NULL, given, s->results,
                           s->t->info->point_bytes, NULL);
}

static sumac_status stream_report(scene *s, void *given)
{
    return sumac_msm_files(s->sum.context, s->t->group, s->path, s->scalars_path, NULL, NULL, s->results,
                           s->t->info->point_bytes, given);
}

/* If a context can't be created, the message is in the argument `reason`. */
static sumac_status create_context(const sumac_context_config *config, const public_struct *type, size_t size)
{
    CLEANUP(destroy_context) sumac_context *context = NULL;
    sumac_message reason = {"x"};
    const sumac_status status = sumac_context_create(config, &context, &reason);
    assert_true((status == SUMAC_OK) == (context != NULL));
    assert_int_equal(status != SUMAC_OK, reason.text[0] != '\0');
    assert_true(status == SUMAC_OK || strstr(reason.text, type->name) != NULL);
    assert_true(size != 0 || strstr(reason.text, "sizeof") != NULL);
    return status;
}

static sumac_status context_with_config(scene *s, void *given)
{
    (void)s;
    const sumac_context_config *config = given;
    return create_context(config, &public_context_config, config->size);
}

static const struct {
    const public_struct *type;
    sized_call call;
    const char *name;
} calls[] = {
    {&public_context_config, context_with_config, "sumac_context_create"},
    {&public_bases_config, create_bases, "sumac_bases_create"},
    {&public_bases_config, known_bases, "sumac_known_bases_create"},
    {&public_bases_config, read_bases, "sumac_bases_open"},
    {&public_bases_config, plan_for_bases, "sumac_plan_create, bases"},
    {&public_msm_config, plan_for_config, "sumac_plan_create, call"},
    {&public_msm_config, plan_for_call, "sumac_msm_plan, call"},
    {&public_msm_config, call_msm, "sumac_msm"},
    {&public_msm_config, call_partial, "sumac_msm_partial"},
    {&public_msm_config, call_prepare, "sumac_msm_prepare"},
    {&public_msm_config, call_vectors, "sumac_msm_vectors"},
    {&public_files_config, stream_config, "sumac_msm_files"},
    {&public_msm_config, stream_msm, "sumac_msm_files, call"},
    {&public_files_report, stream_report, "sumac_msm_files, report"},
};

/* Make a call with a struct of this size. All bytes after those that the library knows are `behind`. */
static void expect(scene *s, size_t i, size_t size, unsigned char behind, sumac_status expected)
{
    const public_struct *type = calls[i].type;
    const int makes_context = calls[i].call == context_with_config;
    union {
        size_t size;
        unsigned char bytes[2 * PUBLIC_STRUCT_MOST];
    } given, before;
    memset(&given, 0, sizeof given);
    set_size(&given, type->bytes);
    given.size = size;
    if (size > type->bytes) {
        given.bytes[size - 1] = behind;
    }
    /* These bytes lie after the program's struct. */
    memset(given.bytes + (size > type->bytes ? size : type->bytes), 0x5a, 64);
    before = given;
    if (makes_context) {
        assert_int_equal(calls[i].call(s, &given), expected);
    } else {
        const sumac_status status = calls[i].call(s, &given);
        test_status(s->sum.context, status, expected, calls[i].name);
        if (expected != SUMAC_OK) {
            assert_non_null(strstr(sumac_context_message(s->sum.context), type->name));
        }
    }
    /* The library writes only reports, and of them only the fields that it knows. */
    const int written = type == &public_files_report && expected == SUMAC_OK;
    const size_t known = !written ? 0 : size < type->bytes ? size : type->bytes;
    assert_int_equal(given.size, size);
    assert_memory_equal(given.bytes + known, before.bytes + known, sizeof given - known);
    if (size == 0 && !makes_context) {
        char maker[64];
        snprintf(maker, sizeof maker, "sizeof(%s)", type->name);
        assert_non_null(strstr(sumac_context_message(s->sum.context), maker));
    }
}

/* By the headers, each of these fields must be 0 or 1, or must be 0. */
static const struct {
    const public_struct *type;
    const char *name;
    size_t offset;
    uint32_t most;
} flags[] = {
    {&public_bases_config, "outside_subgroup", offsetof(sumac_bases_config, outside_subgroup), 1},
    {&public_bases_config, "replicated", offsetof(sumac_bases_config, replicated), 1},
    {&public_bases_config, "page_locked", offsetof(sumac_bases_config, page_locked), 1},
    {&public_bases_config, "reserved", offsetof(sumac_bases_config, reserved), 0},
    {&public_msm_config, "cut_scalars", offsetof(sumac_msm_config, cut_scalars), 1},
    {&public_files_config, "outside_subgroup", offsetof(sumac_files_config, outside_subgroup), 1},
};

/* A flag that is neither 0 nor 1 is refused by every call that takes its struct. */
static void expect_flags(scene *s, size_t i)
{
    static const uint32_t values[] = {1, 2, UINT32_MAX, UINT32_MAX - 4, INT32_MAX, (uint32_t)1 << 31};
    union {
        size_t size;
        unsigned char bytes[PUBLIC_STRUCT_MOST];
    } given;
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
        for (size_t v = 0; flags[f].type == calls[i].type && v < sizeof values / sizeof *values; v++) {
            if (values[v] <= flags[f].most) {
                continue;
            }
            set_size(&given, calls[i].type->bytes);
            memcpy(given.bytes + flags[f].offset, &values[v], sizeof values[v]);
            test_status(s->sum.context, calls[i].call(s, &given), SUMAC_BAD_ARGUMENT, flags[f].name);
            assert_non_null(strstr(sumac_context_message(s->sum.context), flags[f].name));
            assert_non_null(strstr(sumac_context_message(s->sum.context),
                                   flags[f].most == 1 ? "neither 0 nor 1" : "not 0"));
        }
    }
}

static void test_rules(void **state)
{
    test_group *t = *state;
    scene s = {.t = t, .sum = test_sum_make(t, 5)};
    s.results = test_alloc(sumac_partial_bytes(t->group, 1));
    s.scalars = test_vector_of(s.sum.context, t, SUMAC_VECTOR_SCALARS, s.sum.n, s.sum.scalars);
    s.points = test_vector(s.sum.context, t, SUMAC_VECTOR_POINTS, 1);
    snprintf(s.path, sizeof s.path, "/tmp/sumac-sizes-%ld", (long)getpid());
    snprintf(s.scalars_path, sizeof s.scalars_path, "/tmp/sumac-sizes-scalars-%ld", (long)getpid());
    test_write_file(s.scalars_path, s.sum.scalars, s.sum.n * t->info->scalar_bytes);
    TEST_OK(s.sum.context, sumac_bases_save(s.sum.context, s.sum.bases, s.path, "raw"));
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const size_t first = calls[i].type->first, bytes = calls[i].type->bytes;
        expect(&s, i, bytes, 0, SUMAC_OK);
        expect(&s, i, first, 0, SUMAC_OK);
        expect(&s, i, 0, 0, SUMAC_BAD_ARGUMENT);
        expect(&s, i, 1, 0, SUMAC_BAD_ARGUMENT);
        expect(&s, i, first - 1, 0, SUMAC_BAD_ARGUMENT);
        expect(&s, i, bytes + 1, 0, SUMAC_OK);
        expect(&s, i, bytes + 1, 1, SUMAC_NOT_SUPPORTED);
        expect(&s, i, bytes + 24, 0, SUMAC_OK);
        expect(&s, i, bytes + 24, 0x80, SUMAC_NOT_SUPPORTED);
        expect(&s, i, PUBLIC_STRUCT_MOST, 0, SUMAC_OK);
        expect(&s, i, PUBLIC_STRUCT_MOST + 1, 0, SUMAC_BAD_ARGUMENT);
        expect_flags(&s, i);
    }
    test_sentence(s.sum.context, exact_combine(s.sum.context, t->group, NULL, 0, 0, s.results),
                  SUMAC_BAD_ARGUMENT, "batch is 0, and must be at least 1");
    /* No memory has so many bytes, so that the library must not read the struct to its end. */
    sumac_msm_config config = {.size = sizeof config};
    config.size = SIZE_MAX;
    assert_int_equal(call_msm(&s, &config), SUMAC_BAD_ARGUMENT);
    unlink(s.path);
    unlink(s.scalars_path);
    sumac_vector_destroy(s.scalars);
    sumac_vector_destroy(s.points);
    free(s.results);
    test_sum_free(&s.sum);
}

/* ---- a struct that has grown ---- */

typedef struct grown {
    size_t size;
    uint64_t a; /* the first version's last field */
    uint64_t b;
    uint64_t c;
} grown;

static const public_struct grown_type = {
    .name = "grown", .first = offsetof(grown, b), .bytes = sizeof(grown), .flags = {{NULL, 0, 0}}};

/* A program that was compiled with an older header has a shorter struct. The fields that it lacks are zero, and are not
 * written. A program that was compiled with a newer header has a longer struct, whose unknown bytes must be zero. */
static void test_growth(void)
{
    sumac_message message;
    for (size_t size = grown_type.first; size <= sizeof(grown); size += 8) {
        grown given = {.size = size, .a = 40, .b = 40, .c = 40}, copy;
        const int has_b = size > offsetof(grown, b), has_c = size > offsetof(grown, c);
        assert_int_equal(public_take(&grown_type, &given, &copy, &message), SUMAC_OK);
        assert_int_equal(copy.size, sizeof copy);
        assert_int_equal(copy.a, 40);
        assert_int_equal(copy.b, has_b ? 40 : 0);
        assert_int_equal(copy.c, has_c ? 40 : 0);
        copy.a = copy.b = copy.c = 50;
        public_copy(&copy, &given);
        assert_int_equal(given.size, size);
        assert_int_equal(given.a, 50);
        assert_int_equal(given.b, has_b ? 50 : 40);
        assert_int_equal(given.c, has_c ? 50 : 40);
    }
    struct {
        grown known;
        uint64_t d;
    } newer = {.known = {.size = sizeof newer, .c = 3}};
    grown copy;
    assert_int_equal(public_take(&grown_type, &newer, &copy, &message), SUMAC_OK);
    assert_int_equal(copy.c, 3);
    newer.d = 1;
    assert_int_equal(public_take(&grown_type, &newer, &copy, &message), SUMAC_NOT_SUPPORTED);
    assert_int_equal(public_take(&grown_type, NULL, &copy, &message), SUMAC_OK);
    assert_int_equal(copy.c, 0);
}

/* ---- programs of the first version ---- */

static void test_first_program(void **state)
{
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, 40);
    first_context_config context_config;
    first_bases_config bases_config;
    first_msm_config config;
    test_plan plan = {0};
    CLEANUP(destroy_context) sumac_context *context = NULL;
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    AUTO_FREE uint8_t *result = test_alloc(t->info->point_bytes);
    memset(&context_config, 0, sizeof context_config);
    context_config.size = sizeof context_config;
    context_config.backend = options.backend;
    context_config.tuning = options.tuning;
    context_config.threads = 2;
    assert_int_equal(sumac_context_create((sumac_context_config *)&context_config, &context, NULL), SUMAC_OK);
    assert_int_equal(test_describe(context).threads, 2);
    memset(&bases_config, 0, sizeof bases_config);
    bases_config.size = sizeof bases_config;
    bases_config.precompute_factor = 2;
    bases_config.typical_n = m.n - 1;
    TEST_OK(context,
            exact_create(context, t->group, m.points, m.n, (sumac_bases_config *)&bases_config, &bases));
    assert_int_equal(info_of(bases).precompute_factor, 2);
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.tuning = "chunks=3,plan=auto";
    TEST_OK(context, test_msm_plan(context, bases, m.n, (sumac_msm_config *)&config, &plan));
    assert_string_equal(plan.name, "auto");
    assert_int_equal(plan.n, m.n);
    assert_int_equal(plan.chunks, 3);
    assert_int_equal(plan.precompute_factor, 2);
    assert_int_equal(test_plan_bytes(&plan, "bases"), info_of(bases).bytes);
    TEST_OK(context, exact_msm(context, bases, m.scalars, m.n, (sumac_msm_config *)&config, result));
    assert_memory_equal(result, m.expected, t->info->point_bytes);
}

/* ---- structs that the library passes ---- */

static void on_trace(void *user, const sumac_trace_event *event)
{
    *(int *)user += event->size != sizeof *event;
}

static void test_passed(void **state)
{
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, 5);
    int wrong = 0;
    sumac_context_config config = {.size = sizeof config};
    config.tuning = options.tuning;
    config.backend = options.backend;
    config.threads = 1;
    config.trace = on_trace;
    config.user = &wrong;
    sumac_context *context = NULL;
    assert_int_equal(sumac_context_create(&config, &context, NULL), SUMAC_OK);
    test_msm(context, m.bases, m.scalars, m.n, NULL, m.expected, "with trace");
    sumac_context_destroy(context);
    assert_int_equal(wrong, 0);
    assert_int_equal(t->info->size, sizeof *t->info);
    for (size_t i = 0; i < sumac_format_count(); i++) {
        assert_int_equal(sumac_format_at(i)->size, sizeof(sumac_format_info));
    }
}

/* A description has no message, and is written as far as the caller's struct reaches. */
static void test_description(void)
{
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    struct {
        sumac_context_info known;
        size_t newer;
    } info = {.known = {.size = 0}};
    assert_int_equal(sumac_context_describe(context, &info.known), SUMAC_BAD_ARGUMENT);
    info.known.size = sizeof info.known - 1;
    assert_int_equal(sumac_context_describe(context, &info.known), SUMAC_BAD_ARGUMENT);
    info.known.size = sizeof info;
    info.newer = 1;
    assert_int_equal(sumac_context_describe(context, &info.known), SUMAC_NOT_SUPPORTED);
    assert_null(info.known.backend);
    info.newer = 0;
    assert_int_equal(sumac_context_describe(context, &info.known), SUMAC_OK);
    assert_int_equal(info.newer, 0);
    assert_int_equal(info.known.size, sizeof info);
    assert_string_equal(info.known.backend, options.backend);
    assert_int_equal(info.known.threads, 2);
    assert_int_equal(info.known.device_count, options.device_count == 0 ? 1 : options.device_count);
    const int on_gpu = strcmp(options.backend, "cpu") != 0;
    assert_int_equal(info.known.location, on_gpu ? SUMAC_LOCATION_DEVICE : SUMAC_LOCATION_HOST);
    for (size_t k = 0; k < info.known.device_count; k++) {
        assert_int_equal(info.known.device_names[k][0] != '\0', on_gpu);
    }
    assert_int_equal(sumac_context_describe(NULL, &info.known), SUMAC_BAD_ARGUMENT);
    assert_int_equal(sumac_context_describe(context, NULL), SUMAC_BAD_ARGUMENT);
}

/* ---- a plan's JSON ---- */

/* The JSON says the same as the plan inside of a prepared call. Its workspace is the sum of the other rows. */
static void test_plan_json(void **state)
{
    test_group *t = *state;
    CLEANUP(test_sum_free) test_sum m = test_sum_make(t, 100);
    CLEANUP(destroy_call) sumac_call *call = NULL;
    test_plan plan = {0};
    TEST_OK(m.context, sumac_msm_prepare(m.context, m.bases, m.n, NULL, &call));
    TEST_OK(m.context, test_call_plan(call, &plan));
    const msm_plan *inside = &call->plan.plan;
    assert_string_equal(plan.name, inside->name);
    assert_true(fabs(plan.milliseconds - inside->milliseconds) < 2e-6);
    assert_true(fabs(plan.accumulate_additions - inside->accumulate_additions) < 2e-6);
    assert_int_equal(plan.n, inside->n);
    assert_int_equal(plan.batch, inside->batch);
    assert_int_equal(plan.c, inside->c);
    assert_int_equal(plan.windows, inside->windows);
    assert_int_equal(plan.modules, inside->modules);
    assert_int_equal(plan.buckets, inside->buckets);
    assert_int_equal(plan.threads, inside->threads);
    assert_int_equal(plan.task_entries, inside->task_entries);
    assert_int_equal(plan.devices, call->plan.devices);
    assert_int_equal(plan.device_calls, call->plan.calls);
    for (size_t i = 0; i < TEST_STAGES; i++) {
        assert_string_equal(plan.kinds[i], inside->kinds[i]->name);
    }
    assert_int_equal(test_plan_bytes(&plan, "bases"), inside->bytes_bases);
    assert_int_equal(test_plan_bytes(&plan, "total"), inside->bytes_total);
    assert_int_equal(test_plan_bytes(&plan, "workspace"), inside->bytes_workspace);
    uint64_t sum = 0;
    static const char *const parts[] = {"staging", "host_resident", "digits",
                                        "entries", "buckets",       "scratch"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        sum += test_plan_bytes(&plan, parts[i]);
    }
    assert_true(sum > 0);
    assert_int_equal(sum, inside->bytes_workspace);
    assert_int_equal(plan.rows, inside->bytes_host_resident == 0 ? TEST_ROWS - 1 : TEST_ROWS);
}

static const test_entry entries[] = {
    {"first versions", TEST_ONCE(test_first_versions)},
    {"layouts", TEST_ONCE(test_layouts)},
    {"rules", test_rules, TEST_EVERY_GROUP},
    {"growth", TEST_ONCE(test_growth)},
    {"programs of the first version", test_first_program, TEST_EVERY_GROUP},
    {"structs that the library passes", test_passed, TEST_EVERY_GROUP},
    {"description of a context", TEST_ONCE(test_description)},
    {"the JSON of plans", test_plan_json, TEST_EVERY_GROUP},
};
TEST_MAIN("sizes", entries)
