/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Memory runs out at every place where it can in the calls of vector.h, sumac_points_decode() and
 * sumac_points_encode(): each is repeated with its first, second, third .. allocation failing, alone or with
 * all that follow, until it succeeds. A call that fails says how many bytes there were not, and changes
 * nothing; one that succeeds gives what it gives when nothing fails, which other tests compare with oracles.
 */
#include <stdlib.h>
#include <string.h>

#include "support/failing.h"
#include "support/harness.h"
#include "sumac/vector.h"

enum { COUNT = 64, MOST_CALLS = 1000, VECTORS = 6 };

/* Scalars a and b, points p and q, a vector of each for results, and records. */
enum { A, B, SCALAR_RESULT, P, Q, POINT_RESULT };

typedef struct scene {
    test_curve *t;
    sumac_context *context;
    sumac_bases *bases;
    sumac_vector *vectors[VECTORS];
    uint8_t *raw, *records; /* the host's output, and points */
    size_t bytes;           /* of a snapshot */
    uint8_t *before, *after, *now;
} scene;

typedef sumac_status (*call)(scene *s);

static int is_points(int vector)
{
    return vector >= P;
}

static size_t vector_bytes(const scene *s, int vector)
{
    return COUNT * (is_points(vector) ? s->t->info->point_bytes : s->t->info->scalar_bytes);
}

/* All that a call can change: the vectors, and the output in the host's memory. */
static void take_snapshot(scene *s, uint8_t *snapshot)
{
    for (int i = 0; i < VECTORS; i++) {
        TEST_OK(s->context, sumac_vector_get(s->context, s->vectors[i], 0, COUNT, NULL, snapshot));
        snapshot += vector_bytes(s, i);
    }
    memcpy(snapshot, s->raw, vector_bytes(s, P));
}

static void restore(scene *s)
{
    const uint8_t *snapshot = s->before;
    for (int i = 0; i < VECTORS; i++) {
        TEST_OK(s->context, sumac_vector_set(s->context, s->vectors[i], snapshot, 0, COUNT, NULL));
        snapshot += vector_bytes(s, i);
    }
    memcpy(s->raw, snapshot, vector_bytes(s, P));
}

/* ---- calls ---- */

static sumac_status call_create(scene *s)
{
    CLEANUP(destroy_vector) sumac_vector *vector = s->vectors[A];
    const sumac_status status =
        sumac_vector_create(s->context, s->t->curve, SUMAC_VECTOR_POINTS, COUNT, &vector);
    assert_true((status == SUMAC_OK) == (vector != NULL));
    return status;
}

static sumac_status call_write_scalars(scene *s)
{
    return sumac_vector_set(s->context, s->vectors[SCALAR_RESULT], s->before, 0, COUNT, NULL);
}

static sumac_status call_write_points(scene *s)
{
    sumac_element_layout layout = sumac_element_layout_default();
    layout.check = SUMAC_CHECK_SUBGROUP;
    return sumac_vector_set(s->context, s->vectors[POINT_RESULT], s->records, 0, COUNT, &layout);
}

static sumac_status call_read_scalars(scene *s)
{
    return sumac_vector_get(s->context, s->vectors[A], 0, COUNT, NULL, s->raw);
}

static sumac_status call_read_points(scene *s)
{
    return sumac_vector_get(s->context, s->vectors[P], 0, COUNT, NULL, s->raw);
}

static sumac_status call_copy(scene *s)
{
    const sumac_slice to = sumac_slice_of(1, COUNT / 2), from = sumac_slice_of(3, COUNT / 2);
    return sumac_vector_copy(s->context, s->vectors[P], &from, s->vectors[POINT_RESULT], &to);
}

static sumac_status call_gather(scene *s)
{
    uint64_t rows[COUNT / 4];
    for (uint64_t i = 0; i < COUNT / 4; i++) {
        rows[i] = i * 7 % (COUNT / 4);
    }
    return sumac_vector_gather(s->context, s->vectors[A], 4, rows, COUNT / 4, s->vectors[SCALAR_RESULT]);
}

static sumac_status call_fill(scene *s)
{
    return sumac_vector_fill(s->context, s->vectors[SCALAR_RESULT], s->before);
}

static sumac_status call_add(scene *s)
{
    return sumac_vector_add(s->context, s->vectors[A], s->vectors[B], 1, s->vectors[SCALAR_RESULT]);
}

static sumac_status call_add_points(scene *s)
{
    return sumac_vector_add(s->context, s->vectors[P], s->vectors[Q], 1, s->vectors[POINT_RESULT]);
}

static sumac_status call_subtract_points(scene *s)
{
    return sumac_vector_subtract(s->context, s->vectors[P], s->vectors[Q], 1, s->vectors[POINT_RESULT]);
}

static sumac_status call_multiply(scene *s)
{
    return sumac_vector_multiply(s->context, s->vectors[A], s->vectors[B], 1, s->vectors[A]);
}

static sumac_status call_invert(scene *s)
{
    return sumac_vector_invert(s->context, s->vectors[A]);
}

static sumac_status call_scale_powers(scene *s)
{
    return sumac_vector_scale_powers(s->context, s->vectors[A], s->before, s->before, COUNT / 2);
}

static sumac_status sum(scene *s, sumac_vector_kind elements, int operand)
{
    CLEANUP(destroy_vector) sumac_vector *result = NULL;
    const sumac_status created = sumac_vector_create(s->context, s->t->curve, elements, COUNT / 8, &result);
    if (created != SUMAC_OK) {
        return created;
    }
    TRY(sumac_vector_sum(s->context, s->vectors[operand], 8, result));
    return sumac_vector_get(s->context, result, 0, COUNT / 8, NULL, s->raw);
}

static sumac_status call_sum(scene *s)
{
    return sum(s, SUMAC_VECTOR_SCALARS, A);
}

static sumac_status call_sum_points(scene *s)
{
    return sum(s, SUMAC_VECTOR_POINTS, P);
}

static sumac_status call_transpose(scene *s)
{
    return sumac_vector_transpose(s->context, s->vectors[P], 8, COUNT / 8, s->vectors[POINT_RESULT]);
}

static sumac_status call_bit_reverse(scene *s)
{
    return sumac_vector_bit_reverse(s->context, s->vectors[P], COUNT / 2);
}

/* The longest transform that the field has. */
static sumac_transform_config transform_of(const scene *s)
{
    sumac_transform_config config = sumac_transform_config_default();
    uint8_t root[12 * 8];
    uint32_t log2 = 0;
    while ((2 << log2) <= COUNT && sumac_root_of_unity(s->t->curve, log2 + 1, root) == SUMAC_OK) {
        log2++;
    }
    config.length = (size_t)1 << log2;
    config.inverse = 1;
    return config;
}

static sumac_status call_ntt(scene *s)
{
    sumac_transform_config config = transform_of(s);
    config.shift = s->before; /* the first scalar, which is not 0 */
    return sumac_vector_ntt(s->context, s->vectors[A], &config);
}

static sumac_status call_point_transform(scene *s)
{
    const sumac_transform_config config = transform_of(s);
    return sumac_vector_point_transform(s->context, s->vectors[P], &config);
}

static sumac_status call_msm_vectors(scene *s)
{
    sumac_msm_config config = sumac_msm_config_default();
    config.batch = 2;
    return sumac_msm_vectors(s->context, s->bases, s->vectors[A], 0, COUNT / 2, &config,
                             s->vectors[POINT_RESULT], 3);
}

static sumac_status call_bases_from_vector(scene *s)
{
    CLEANUP(destroy_bases) sumac_bases *bases = s->bases;
    const sumac_status status =
        sumac_bases_create_from_vector(s->context, s->vectors[P], 0, COUNT, NULL, &bases);
    assert_true((status == SUMAC_OK) == (bases != NULL));
    return status;
}

static sumac_status call_decode(scene *s)
{
    return sumac_points_decode(s->context, s->t->curve, s->records, COUNT, "raw", SUMAC_CHECK_SUBGROUP,
                               s->raw);
}

static sumac_status call_encode(scene *s)
{
    return sumac_points_encode(s->context, s->t->curve, s->records, COUNT, NULL, s->raw);
}

static const struct named_call {
    const char *name;
    call run;
} calls[] = {{"sumac_vector_create", call_create},
             {"sumac_vector_set, scalars", call_write_scalars},
             {"sumac_vector_set, points", call_write_points},
             {"sumac_vector_get, scalars", call_read_scalars},
             {"sumac_vector_get, points", call_read_points},
             {"sumac_vector_copy", call_copy},
             {"sumac_vector_gather", call_gather},
             {"sumac_vector_fill", call_fill},
             {"sumac_vector_add, scalars", call_add},
             {"sumac_vector_add, points", call_add_points},
             {"sumac_vector_subtract", call_subtract_points},
             {"sumac_vector_multiply", call_multiply},
             {"sumac_vector_invert", call_invert},
             {"sumac_vector_scale_powers", call_scale_powers},
             {"sumac_vector_sum, scalars", call_sum},
             {"sumac_vector_sum, points", call_sum_points},
             {"sumac_vector_transpose", call_transpose},
             {"sumac_vector_bit_reverse", call_bit_reverse},
             {"sumac_vector_ntt", call_ntt},
             {"sumac_vector_point_transform", call_point_transform},
             {"sumac_msm_vectors", call_msm_vectors},
             {"sumac_bases_create_from_vector", call_bases_from_vector},
             {"sumac_points_decode", call_decode},
             {"sumac_points_encode", call_encode}};

/* ---- the test ---- */

/* A call with an allocation that fails; 0 once it needs none of that number. */
static int fail_one(scene *s, const struct named_call *tested, failing_plan plan)
{
    failing_begin(plan);
    const sumac_status status = tested->run(s);
    const failing_report report = failing_end();
    const char *message = sumac_context_message(s->context);
    if (status != SUMAC_OK && (status != SUMAC_OUT_OF_MEMORY || report.allocations_failed == 0)) {
        test_abort("%s: status %d, allocation %ld", tested->name, (int)status, plan.allocation);
    }
    if (status != SUMAC_OK && strstr(message, " bytes") == NULL) {
        test_abort("%s: allocation %ld failed, and no bytes are named by \"%s\"", tested->name,
                   plan.allocation, message);
    }
    take_snapshot(s, s->now);
    if (memcmp(s->now, status == SUMAC_OK ? s->after : s->before, s->bytes) != 0) {
        test_abort("%s: not the result, or not what was there, with allocation %ld and status %d",
                   tested->name, plan.allocation, (int)status);
    }
    restore(s);
    return report.allocations_failed != 0;
}

static void exhaust(scene *s, const struct named_call *tested)
{
    test_status(s->context, tested->run(s), SUMAC_OK, tested->name);
    take_snapshot(s, s->after);
    restore(s);
    for (int from_then_on = 0; from_then_on < 2; from_then_on++) {
        for (failing_plan plan = {0, -1, from_then_on}; fail_one(s, tested, plan); plan.allocation++) {
            if (plan.allocation > MOST_CALLS) {
                test_abort("%s: it takes more than %d allocations", tested->name, (int)MOST_CALLS);
            }
        }
    }
}

static void fill_vectors(scene *s)
{
    AUTO_FREE uint8_t *elements = test_alloc(COUNT * s->t->info->point_bytes);
    for (int i = 0; i < VECTORS; i++) {
        const sumac_vector_kind kind = is_points(i) ? SUMAC_VECTOR_POINTS : SUMAC_VECTOR_SCALARS;
        TEST_OK(s->context, sumac_vector_create(s->context, s->t->curve, kind, COUNT, &s->vectors[i]));
        if (is_points(i)) {
            TEST_OK(s->context,
                    sumac_known_bases_create(s->context, s->t->curve, COUNT, (uint64_t)i, NULL, &s->bases));
            TEST_OK(s->context, sumac_bases_get(s->context, s->bases, 0, COUNT, elements));
            if (i != POINT_RESULT) {
                sumac_bases_destroy(s->bases);
            }
        } else {
            memset(elements, 0, vector_bytes(s, i));
            for (size_t j = 0; j < COUNT; j++) {
                elements[j * s->t->info->scalar_bytes] = (uint8_t)(1 + (j + (size_t)i) % 5);
            }
        }
        TEST_OK(s->context, sumac_vector_set(s->context, s->vectors[i], elements, 0, COUNT, NULL));
        if (i == Q) {
            memcpy(s->records, elements, vector_bytes(s, i));
        }
    }
}

static void test_every_allocation(void **state)
{
    scene s = {.t = *state};
    s.context = test_context(1, 0);
    for (int i = 0; i < VECTORS; i++) {
        s.bytes += vector_bytes(&s, i);
    }
    s.raw = test_alloc(vector_bytes(&s, P));
    memset(s.raw, 0x5a, vector_bytes(&s, P));
    s.records = test_alloc(vector_bytes(&s, P));
    s.bytes += vector_bytes(&s, P);
    s.before = test_alloc(s.bytes);
    s.after = test_alloc(s.bytes);
    s.now = test_alloc(s.bytes);
    fill_vectors(&s);
    take_snapshot(&s, s.before);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        exhaust(&s, &calls[i]);
    }
    for (int i = 0; i < VECTORS; i++) {
        sumac_vector_destroy(s.vectors[i]);
    }
    sumac_bases_destroy(s.bases);
    sumac_context_destroy(s.context);
    free(s.raw);
    free(s.records);
    free(s.before);
    free(s.after);
    free(s.now);
}

int main(int argc, char **argv)
{
    static const test_entry entries[] = {{"every allocation", test_every_allocation, TEST_EVERY_CURVE}};
    return test_main("vector_memory", entries, sizeof entries / sizeof *entries, argc, argv);
}
