/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * How much of its thread's stack a call takes. Every call of the public headers that works runs on a thread
 * whose stack is painted before, and all that is written to of it counts, what the C library puts there at
 * the thread's beginning too: at most 64 KiB, as sumac.h says. Contexts have one thread, so that all work is
 * the caller's; the library's own threads are looked at in test_threads. The sizes lead through one by one
 * and in lanes, one block and several.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/files.h"
#include "sumac/map.h"
#include "sumac/pairing.h"
#include "sumac/srs.h"
#include "sumac/files.h"
#include "kzg/test_kzg_support.h"

enum {
    LIMIT = 64 << 10,
    STACK = 1 << 20,
    PAINT = 0xc3,
    MOST = 300, /* bases and scalars: more than a block of points */
    DIGIT_BASES = 64,
    VECTOR = 2048,
    BATCH = 20, /* MSMs, and pairs: more than there are lanes */
    PAIRS = 40,
    BLOBS = 4,
    TRANSFORM = 64,
    POLYNOMIALS = 256 /* coefficients, of all of them */
};

/* The arguments of a curve's calls. */
typedef struct scene {
    test_curve *t;
    sumac_context *context;
    size_t size; /* of the call that is measured */
    const char *format;
    uint8_t *points, *scalars, *results, *encoded;
    char directory[64], bases_path[96], scalars_path[96], other_path[96];
    sumac_bases *bases;
    sumac_msm_config msm;
    sumac_tuning tuning; /* of msm, where it has one */
    sumac_bases_config shape;
    sumac_vector *a, *b, *c;      /* scalars, VECTOR of them */
    sumac_vector *points_vector;  /* TRANSFORM points */
    sumac_vector *results_vector; /* as many */
    sumac_vector *polynomials, *proofs;
    sumac_fk20 *fk20;
    const sumac_curve *g1; /* of a curve with a pairing, whose second group this is */
    uint8_t *g1_points;
    size_t deepest;
    char deepest_name[64];
} scene;

typedef sumac_status (*measured_call)(scene *s);

static unsigned char *stack; /* STACK bytes, painted between calls */

/* ---- measuring ---- */

typedef struct measured_thread {
    measured_call call;
    scene *s;
    sumac_status status;
} measured_thread;

static void *run_measured(void *argument)
{
    measured_thread *thread = argument;
    thread->status = thread->call(thread->s);
    return NULL;
}

/* Run a call on a painted stack; returns its status. */
static sumac_status measure(scene *s, const char *name, measured_call call)
{
    measured_thread work = {call, s, SUMAC_INTERNAL};
    pthread_attr_t attributes;
    pthread_t thread;
    size_t untouched = 0;
    if (stack == NULL) {
        stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(stack != MAP_FAILED);
        memset(stack, PAINT, STACK);
    }
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_measured, &work), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
    while (untouched < STACK && stack[untouched] == PAINT) {
        untouched++;
    }
    const size_t used = STACK - untouched;
    memset(stack + untouched, PAINT, used);
    if (used > s->deepest) {
        s->deepest = used;
        snprintf(s->deepest_name, sizeof s->deepest_name, "%s of %zu", name, s->size);
    }
    if (used > LIMIT) {
        print_error("%s%s%s %s of %zu takes %zu bytes of stack\n", s->t != NULL ? s->t->info->name : "kzg",
                    s->t != NULL ? "/" : "", s->t != NULL ? s->t->info->group : "", name, s->size, used);
    }
    return work.status;
}

static void take(scene *s, const char *name, measured_call call)
{
    test_status(s->context, measure(s, name, call), SUMAC_OK, name);
}

/* A call that not all curves have, or a format that does not hold their points. */
static int take_if_supported(scene *s, const char *name, measured_call call)
{
    const sumac_status status = measure(s, name, call);
    if (status != SUMAC_NOT_SUPPORTED && (status != SUMAC_BAD_ARGUMENT || s->format == NULL)) {
        test_status(s->context, status, SUMAC_OK, name);
    }
    return status == SUMAC_OK;
}

/* Sizes up to `most`, that one too. */
static void take_sizes(scene *s, const char *name, size_t most, measured_call call)
{
    static const size_t sizes[] = {1, 2, 17, DIGIT_BASES, MOST};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= most; i++) {
        s->size = sizes[i];
        take(s, name, call);
    }
}

static void end_measuring(const scene *s)
{
    print_message("deepest: %zu bytes, %s\n", s->deepest, s->deepest_name);
    assert_true(s->deepest > 0);
    assert_true(s->deepest <= LIMIT);
}

/* ---- contexts, curves and plans ---- */

static sumac_status call_context(scene *s)
{
    sumac_context *context;
    sumac_message reason;
    const sumac_context_config config = test_context_config(1);
    const sumac_curve *curve;
    uint8_t generator[SUMAC_MESSAGE_BYTES];
    sumac_status status = sumac_backend_check(options.backend, 0, &reason);
    if (status == SUMAC_OK) {
        status = sumac_context_create(&config, &context, NULL);
    }
    if (status == SUMAC_OK) {
        status = sumac_context_check(context);
        sumac_context_destroy(context);
    }
    if (status == SUMAC_OK) {
        status = sumac_curve_find(s->t->info->name, s->t->info->group, &curve);
    }
    sumac_curve_generator(s->t->curve, generator);
    return s->t->info->point_bytes <= sizeof generator && status == SUMAC_UNKNOWN_CURVE
               ? SUMAC_OK /* curves for tests are in no list */
               : status;
}

static sumac_status call_failure(scene *s)
{
    const sumac_bases *none = NULL;
    return sumac_msm(s->context, none, s->scalars, 1, NULL, s->results);
}

static sumac_status call_plan(scene *s)
{
    test_plan plan = {0};
    const sumac_status status =
        test_plan_create(s->context, s->t->curve, s->size << 10, NULL, &s->msm, &plan);
    return status != SUMAC_OK ? status : test_msm_plan(s->context, s->bases, s->size, &s->msm, &plan);
}

/* ---- bases ---- */

static sumac_status call_known_bases(scene *s)
{
    return sumac_known_bases_create(s->context, s->t->curve, s->size, 1, &s->shape, &s->bases);
}

static sumac_status call_known_answer(scene *s)
{
    const sumac_status status = sumac_known_logarithms(s->context, s->t->curve, s->size, 1, s->encoded);
    return status != SUMAC_OK
               ? status
               : sumac_known_answer(s->context, s->t->curve, s->scalars, s->encoded, s->size, s->results);
}

static sumac_status call_get(scene *s)
{
    return sumac_bases_get(s->context, s->bases, 0, s->size, s->encoded);
}

static sumac_status call_create(scene *s)
{
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    return sumac_bases_create(s->context, s->t->curve, s->points, s->size, &s->shape, &bases);
}

static sumac_status call_save(scene *s)
{
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    TRY(sumac_bases_save(s->context, s->bases, s->other_path));
    return sumac_bases_open_table(s->context, s->t->curve, s->other_path, &bases);
}

/* ---- formats ---- */

static sumac_status call_write(scene *s)
{
    return sumac_bases_save_as(s->context, s->bases, s->format, s->other_path);
}

/* Of many points the check of the subgroup takes longer than all else, and is the same for every format. MOST have
 * it once from memory (take_bases), once from a file (call_read) and once in a stream. */
static sumac_check check_of(const scene *s)
{
    return s->size < DIGIT_BASES ? SUMAC_CHECK_SUBGROUP : SUMAC_CHECK_CURVE;
}

static sumac_status call_read(scene *s)
{
    sumac_bases *bases;
    size_t n;
    s->shape.check = strcmp(s->format, "raw") == 0 ? SUMAC_CHECK_SUBGROUP : SUMAC_CHECK_CURVE;
    sumac_status status = sumac_bases_file_count(s->context, s->t->curve, s->other_path, s->format, &n);
    if (status == SUMAC_OK) {
        status = sumac_bases_open_part(s->context, s->t->curve, s->other_path, 1, n - 1, s->format, &s->shape,
                                       &bases);
    }
    if (status == SUMAC_OK) {
        sumac_bases_destroy(bases);
        s->shape.check = SUMAC_CHECK_CURVE;
        status = sumac_bases_open(s->context, s->t->curve, s->other_path, s->format, &s->shape, &bases);
    }
    if (status == SUMAC_OK) {
        sumac_bases_destroy(bases);
    }
    return status;
}

static sumac_status call_encode(scene *s)
{
    return sumac_points_encode(s->context, s->t->curve, s->points, s->size, s->format, s->encoded);
}

static sumac_status call_decode(scene *s)
{
    return sumac_points_decode(s->context, s->t->curve, s->encoded, s->size, s->format, check_of(s),
                               s->results);
}

static sumac_status call_read_scalars(scene *s)
{
    CLEANUP(free_memory) void *scalars = NULL;
    size_t n;
    return sumac_scalars_read(s->context, s->t->curve, s->scalars_path, &scalars, &n);
}

static sumac_status call_stream(scene *s)
{
    sumac_files_config config = sumac_files_config_default();
    sumac_files_report report = sumac_files_report_default();
    config.check = SUMAC_CHECK_SUBGROUP;
    config.chunk = 130;
    config.checkpoint = s->other_path;
    config.checkpoint_seconds = 0;
    return sumac_msm_files(s->context, s->t->curve, s->bases_path, s->scalars_path, &config, NULL, s->results,
                           &report);
}

static void take_formats(scene *s)
{
    s->shape = sumac_bases_config_default();
    for (size_t i = 0; i < sumac_format_count(); i++) {
        const sumac_format_info *format = sumac_format_at(i);
        s->format = format->name;
        s->size = MOST;
        if (format->can_write && take_if_supported(s, "bases_write", call_write)) {
            take(s, "bases_read", call_read);
            s->size = 1;
            if (take_if_supported(s, "points_encode", call_encode)) {
                take_sizes(s, "points_encode", MOST, call_encode);
                take_sizes(s, "points_decode", MOST, call_decode);
            }
        }
    }
    s->format = NULL;
}

/* ---- MSMs ---- */

static sumac_status call_msm(scene *s)
{
    return sumac_msm(s->context, s->bases, s->scalars, s->size, &s->msm, s->results);
}

static sumac_status call_prepared(scene *s)
{
    sumac_call *call;
    test_plan plan = {0};
    sumac_status status = sumac_msm_prepare(s->context, s->bases, s->size, &s->msm, &call);
    if (status == SUMAC_OK) {
        status = test_call_plan(call, &plan);
        if (status == SUMAC_OK) {
            status = sumac_call_run(call, s->scalars, s->results);
        }
        sumac_call_destroy(call);
    }
    return status;
}

static sumac_status call_partial(scene *s)
{
    const void *const partials[2] = {s->encoded, s->encoded};
    const sumac_status status =
        sumac_msm_partial(s->context, s->bases, s->scalars, s->size, &s->msm, s->encoded);
    return status != SUMAC_OK
               ? status
               : sumac_partial_combine(s->context, s->t->curve, partials, 2, s->msm.batch, s->results);
}

/* MSMs over s->bases, `most` of them, of all sizes, as one and as a batch, with each reduction. */
static void take_msms(scene *s, size_t most)
{
    static const sumac_reduction reductions[] = {SUMAC_REDUCTION_AUTO, SUMAC_REDUCTION_RUNNING_SUM,
                                                 SUMAC_REDUCTION_HALVING};
    s->msm = sumac_msm_config_default();
    take_sizes(s, "msm_plan", most, call_plan);
    take_sizes(s, "msm", most, call_msm);
    take_sizes(s, "prepared msm", most, call_prepared);
    take_sizes(s, "msm_partial", most, call_partial);
    s->size = most / BATCH;
    s->msm.batch = BATCH;
    s->tuning = sumac_tuning_default();
    s->msm.tuning = &s->tuning;
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++) {
        s->tuning.reduction = reductions[i];
        take(s, "batch", call_msm);
    }
    take(s, "partial batch", call_partial);
    s->msm = sumac_msm_config_default();
}

/* MSMs with each named plan. */
static void take_plans(scene *s)
{
    s->size = MOST;
    s->tuning = sumac_tuning_default();
    s->msm.tuning = &s->tuning;
    for (size_t i = 0; (s->tuning.plan = sumac_context_plan_name(s->context, i)) != NULL; i++) {
        (void)take_if_supported(s, s->tuning.plan, call_msm);
    }
    s->msm = sumac_msm_config_default();
}

enum { PLAIN_BASES, MULTIPLES, DIGITS };

/* Bases with window tables, with multiples, and at last, to stay, with nothing beside them; from the
 * kind `first` on. */
static void take_bases(scene *s, int first)
{
    for (int kind = first; kind >= PLAIN_BASES; kind--) {
        const size_t most = kind == DIGITS ? DIGIT_BASES : MOST;
        s->shape = sumac_bases_config_default();
        s->shape.precompute_factor = kind == MULTIPLES ? 3 : 0;
        s->shape.tables = kind == DIGITS ? SUMAC_TABLES_WINDOWS : SUMAC_TABLES_MULTIPLES;
        s->shape.c = kind == DIGITS ? 4 : 0;
        s->size = most;
        take(s, "known_bases", call_known_bases);
        take_sizes(s, "bases_get", most, call_get);
        take(s, "bases_save and _load", call_save);
        s->shape.check = kind == MULTIPLES ? SUMAC_CHECK_CURVE : SUMAC_CHECK_SUBGROUP;
        take_sizes(s, "bases_create", most, call_create);
        take_msms(s, most);
        if (kind != PLAIN_BASES) {
            sumac_bases_destroy(s->bases);
        }
    }
    take_plans(s);
}

/* ---- vectors ---- */

static sumac_status call_scalar_vectors(scene *s)
{
    const sumac_element_layout layout = sumac_element_layout_default();
    const sumac_slice slice = sumac_slice_of(0, s->size);
    const uint64_t rows[2] = {1, 0};
    sumac_status status = sumac_vector_set(s->context, s->a, s->scalars, 0, s->size, &layout);
    status = status != SUMAC_OK ? status : sumac_vector_copy(s->context, s->a, &slice, s->b, &slice);
    status = status != SUMAC_OK ? status : sumac_vector_multiply(s->context, s->a, s->b, 1, s->b);
    status = status != SUMAC_OK ? status : sumac_vector_add(s->context, s->a, s->b, 1, s->b);
    status = status != SUMAC_OK ? status : sumac_vector_subtract(s->context, s->a, s->b, 1, s->b);
    status = status != SUMAC_OK ? status : sumac_vector_invert(s->context, s->b);
    status = status != SUMAC_OK
                 ? status
                 : sumac_vector_scale_powers(s->context, s->b, s->scalars, s->scalars, VECTOR / 2);
    status = status != SUMAC_OK ? status : sumac_vector_transpose(s->context, s->b, 64, VECTOR / 64, s->c);
    status = status != SUMAC_OK ? status : sumac_vector_bit_reverse(s->context, s->c, VECTOR / 2);
    status = status != SUMAC_OK ? status : sumac_vector_gather(s->context, s->b, VECTOR / 2, rows, 2, s->c);
    status = status != SUMAC_OK ? status : sumac_vector_fill(s->context, s->b, s->scalars);
    return status != SUMAC_OK ? status : sumac_vector_get(s->context, s->c, 0, s->size, &layout, s->encoded);
}

static sumac_status call_scalar_sum(scene *s)
{
    CLEANUP(destroy_vector) sumac_vector *sums = NULL;
    TRY(sumac_vector_create(s->context, s->t->curve, SUMAC_VECTOR_SCALARS, VECTOR / s->size, &sums));
    return sumac_vector_sum(s->context, s->a, s->size, sums);
}

static sumac_status call_ntt(scene *s)
{
    sumac_transform_config config = sumac_transform_config_default();
    config.length = s->size;
    config.shift = s->scalars;
    config.coefficient_order = SUMAC_ORDER_BIT_REVERSED;
    TRY(sumac_vector_ntt(s->context, s->a, &config));
    config.inverse = 1;
    return sumac_vector_ntt(s->context, s->a, &config);
}

static sumac_status call_point_vectors(scene *s)
{
    sumac_element_layout layout = sumac_element_layout_default();
    sumac_vector *sum;
    sumac_bases *bases;
    layout.check = SUMAC_CHECK_SUBGROUP;
    sumac_status status = sumac_vector_set(s->context, s->points_vector, s->points, 0, s->size, &layout);
    status = status != SUMAC_OK
                 ? status
                 : sumac_vector_add(s->context, s->points_vector, s->points_vector, 1, s->results_vector);
    status = status != SUMAC_OK ? status
                                : sumac_vector_subtract(s->context, s->results_vector, s->points_vector, 1,
                                                        s->results_vector);
    status = status != SUMAC_OK
                 ? status
                 : sumac_vector_get(s->context, s->results_vector, 0, s->size, NULL, s->encoded);
    status = status != SUMAC_OK ? status
                                : sumac_vector_create(s->context, s->t->curve, SUMAC_VECTOR_POINTS, 1, &sum);
    if (status == SUMAC_OK) {
        status = sumac_vector_sum(s->context, s->points_vector, TRANSFORM, sum);
        sumac_vector_destroy(sum);
    }
    s->shape = sumac_bases_config_default();
    s->shape.precompute_factor = 2;
    status = status != SUMAC_OK ? status
                                : sumac_bases_create_from_vector(s->context, s->points_vector, 0, s->size,
                                                                 &s->shape, &bases);
    if (status == SUMAC_OK) {
        status = sumac_msm_vectors(s->context, bases, s->a, 0, s->size, NULL, s->results_vector, 0);
        sumac_bases_destroy(bases);
    }
    return status;
}

static sumac_status call_point_transform(scene *s)
{
    sumac_transform_config config = sumac_transform_config_default();
    config.length = s->size;
    config.shift = s->scalars;
    TRY(sumac_vector_point_transform(s->context, s->points_vector, &config));
    config.inverse = 1;
    config.shift = NULL;
    return sumac_vector_point_transform(s->context, s->points_vector, &config);
}

static void take_vectors(scene *s)
{
    static const size_t sizes[] = {2, 16, TRANSFORM, VECTOR};
    s->size = TRANSFORM;
    take(s, "scalar vectors", call_scalar_vectors);
    s->size = MOST;
    take(s, "scalar vectors", call_scalar_vectors);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        s->size = sizes[i];
        take(s, "vector_sum", call_scalar_sum);
        (void)take_if_supported(s, "ntt", call_ntt);
    }
    s->size = TRANSFORM;
    take(s, "point vectors", call_point_vectors);
    for (size_t i = 0; i < 3; i++) {
        s->size = sizes[i];
        (void)take_if_supported(s, "point_transform", call_point_transform);
    }
}

/* ---- polynomials ---- */

static sumac_status call_srs(scene *s)
{
    sumac_vector *places;
    sumac_status status =
        sumac_vector_create(s->context, s->t->curve, SUMAC_VECTOR_SCALARS, POLYNOMIALS / s->size, &places);
    if (status == SUMAC_OK) {
        sumac_vector *points;
        status =
            sumac_vector_create(s->context, s->t->curve, SUMAC_VECTOR_POINTS, POLYNOMIALS / s->size, &points);
        if (status == SUMAC_OK) {
            status = sumac_srs_commit(s->context, s->bases, s->polynomials, s->size, points);
            if (status == SUMAC_OK) {
                status =
                    sumac_srs_open(s->context, s->bases, s->polynomials, s->size, places, places, points);
            }
            sumac_vector_destroy(points);
        }
        sumac_vector_destroy(places);
    }
    return status;
}

static sumac_status call_fk20_create(scene *s)
{
    return sumac_fk20_create(s->context, s->bases, s->size, 2, 1, &s->fk20);
}

static sumac_status call_fk20(scene *s)
{
    sumac_fk20 *other;
    sumac_status status = sumac_fk20_copy(s->context, s->fk20, (uint64_t)1 << 18, &other);
    if (status == SUMAC_OK) {
        status = sumac_fk20_prove(s->context, other, s->polynomials, 1, SUMAC_ORDER_NATURAL, s->proofs);
        if (status == SUMAC_OK) {
            status = sumac_fk20_save(s->context, other, s->other_path);
        }
        sumac_fk20_destroy(other);
    }
    if (status == SUMAC_OK) {
        status = sumac_fk20_open(s->context, s->bases, s->size, 2, s->other_path, &other);
    }
    if (status == SUMAC_OK) {
        sumac_fk20_destroy(other);
    }
    return status;
}

static void take_polynomials(scene *s)
{
    s->size = 2;
    take(s, "srs_commit and _open", call_srs);
    s->size = POLYNOMIALS;
    take(s, "srs_commit and _open", call_srs);
    s->size = TRANSFORM;
    if (take_if_supported(s, "fk20_create", call_fk20_create)) {
        (void)take_if_supported(s, "fk20_prove and files", call_fk20);
        sumac_fk20_destroy(s->fk20);
    }
}

/* ---- pairings ---- */

static sumac_status call_pairing(scene *s)
{
    int is_one;
    return sumac_pairing_check(s->context, s->t->curve, s->g1_points, s->points, s->size,
                               SUMAC_CHECK_SUBGROUP, &is_one);
}

static sumac_status call_prepared_pairing(scene *s)
{
    CLEANUP(destroy_pairing_points) sumac_pairing_points *prepared = NULL;
    int is_one;
    TRY(sumac_pairing_points_create(s->context, s->t->curve, s->points, s->size, SUMAC_CHECK_SUBGROUP,
                                    &prepared));
    return sumac_pairing_check_prepared(s->context, prepared, s->g1_points, NULL, s->size,
                                        SUMAC_CHECK_SUBGROUP, &is_one);
}

static void take_pairings(scene *s)
{
    static const size_t sizes[] = {1, 2, 17, PAIRS};
    if (strcmp(s->t->info->group, "g2") != 0 ||
        sumac_curve_find(s->t->info->name, "g1", &s->g1) != SUMAC_OK) {
        return;
    }
    const size_t bytes = sumac_curve_describe(s->g1)->point_bytes;
    s->g1_points = test_alloc(PAIRS * bytes);
    for (size_t i = 0; i < PAIRS; i++) {
        sumac_curve_generator(s->g1, s->g1_points + i * bytes);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        s->size = sizes[i];
        if (take_if_supported(s, "pairing_check", call_pairing)) {
            take(s, "pairing_check_prepared", call_prepared_pairing);
        }
    }
    free(s->g1_points);
}

/* ---- maps ---- */

/* Coordinates are elements. */
static sumac_status call_map(scene *s)
{
    return sumac_map_to_group(s->context, s->t->curve, s->points, s->size, s->results);
}

static void take_maps(scene *s)
{
    static const size_t sizes[] = {1, 2, 17};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        s->size = sizes[i];
        (void)take_if_supported(s, "map_to_group", call_map);
    }
}

/* ---- a curve ---- */

static void scene_begin(scene *s, test_curve *t, sumac_context *context)
{
    const size_t scalar = t->info->scalar_bytes, point = t->info->point_bytes;
    memset(s, 0, sizeof *s);
    s->t = t;
    s->context = context;
    s->points = test_alloc(MOST * point);
    s->scalars = test_alloc(MOST * scalar);
    s->results = test_alloc(MOST * point);
    s->encoded = test_alloc(MOST * 2 * point + sumac_partial_bytes(t->curve, BATCH));
    test_random_scalars(t, s->scalars, MOST);
    CLEANUP(destroy_bases) sumac_bases *known = NULL;
    TEST_OK(context, sumac_known_bases_create(context, t->curve, MOST, 1, NULL, &known));
    TEST_OK(context, sumac_bases_get(context, known, 0, MOST, s->points));
    snprintf(s->directory, sizeof s->directory, "/tmp/sumac-test-XXXXXX");
    assert_non_null(mkdtemp(s->directory));
    snprintf(s->bases_path, sizeof s->bases_path, "%s/bases", s->directory);
    snprintf(s->scalars_path, sizeof s->scalars_path, "%s/scalars", s->directory);
    snprintf(s->other_path, sizeof s->other_path, "%s/other", s->directory);
    test_write_file(s->bases_path, s->points, MOST * point);
    test_write_file(s->scalars_path, s->scalars, MOST * scalar);
    s->a = test_vector(context, t, SUMAC_VECTOR_SCALARS, VECTOR);
    s->b = test_vector(context, t, SUMAC_VECTOR_SCALARS, VECTOR);
    s->c = test_vector(context, t, SUMAC_VECTOR_SCALARS, VECTOR);
    s->polynomials = test_vector(context, t, SUMAC_VECTOR_SCALARS, POLYNOMIALS);
    s->points_vector = test_vector(context, t, SUMAC_VECTOR_POINTS, TRANSFORM);
    s->results_vector = test_vector(context, t, SUMAC_VECTOR_POINTS, TRANSFORM);
    s->proofs = test_vector(context, t, SUMAC_VECTOR_POINTS, POLYNOMIALS / 2);
    TEST_OK(context, sumac_vector_set(context, s->polynomials, s->scalars, 0, POLYNOMIALS, NULL));
}

static void scene_end(scene *s)
{
    sumac_bases_destroy(s->bases);
    sumac_vector_destroy(s->a);
    sumac_vector_destroy(s->b);
    sumac_vector_destroy(s->c);
    sumac_vector_destroy(s->polynomials);
    sumac_vector_destroy(s->points_vector);
    sumac_vector_destroy(s->results_vector);
    sumac_vector_destroy(s->proofs);
    (void)unlink(s->bases_path);
    (void)unlink(s->scalars_path);
    (void)unlink(s->other_path);
    (void)rmdir(s->directory);
    free(s->points);
    free(s->scalars);
    free(s->results);
    free(s->encoded);
    sumac_context_destroy(s->context);
}

static void test_calls(void **state)
{
    CLEANUP(scene_end) scene s = {0};
    scene_begin(&s, *state, test_context(1, 0));
    take(&s, "context", call_context);
    test_status(s.context, measure(&s, "a failure", call_failure), SUMAC_BAD_ARGUMENT, "a failure");
    take_bases(&s, DIGITS);
    take_sizes(&s, "known_answer", MOST, call_known_answer);
    take_formats(&s);
    take(&s, "scalars_read", call_read_scalars);
    (void)unlink(s.other_path);
    take(&s, "msm_stream", call_stream);
    take_vectors(&s);
    take_polynomials(&s);
    take_maps(&s);
    take_pairings(&s);
    end_measuring(&s);
}

static sumac_status call_shares(scene *s)
{
    uint32_t shares[2];
    return sumac_context_measure_weights(s->context, s->t->curve, s->size, shares);
}

/* Work over a context of two devices, whose calls share it out. */
static void test_devices(void **state)
{
    static const int32_t devices[] = {0, 0};
    sumac_context_config config = test_context_config(1);
    sumac_context *context;
    CLEANUP(scene_end) scene s = {0};
    if (options.quick) {
        skip();
    }
    config.devices = devices;
    config.device_count = 2;
    config.replica_limit = 1; /* bases are in shards */
    assert_int_equal(sumac_context_create(&config, &context, NULL), SUMAC_OK);
    scene_begin(&s, *state, context);
    take_bases(&s, PLAIN_BASES);
    s.size = MOST;
    take(&s, "context_measure_shares", call_shares);
    take_polynomials(&s);
    end_measuring(&s);
}

/* ---- Ethereum's setup ---- */

static struct {
    sumac_kzg_setup *setup;
    uint8_t blobs[BLOBS * BLOB], commitments[BLOBS * POINT], proofs[BLOBS * POINT];
    uint8_t zs[BLOBS * ELEMENT], ys[BLOBS * ELEMENT];
    uint8_t cells[CELLS * CELL_BYTES], cell_proofs[CELLS * POINT], of_cells[CELLS * POINT];
    uint64_t indices[CELLS], of_commitments[CELLS];
    uint8_t *setup_bytes[3]; /* of the text file: the Lagrange points, those of G2, the monomial ones */
    char path[64];
    int ok;
} kzg;

static sumac_status call_setup_read(scene *s)
{
    return sumac_kzg_setup_open(s->context, TRUSTED_SETUP, SUMAC_CHECK_SUBGROUP, &kzg.setup);
}

static sumac_status call_setup_create(scene *s)
{
    CLEANUP(destroy_setup) sumac_kzg_setup *setup = NULL;
    return sumac_kzg_setup_create(s->context, (const sumac_bytes48 *)kzg.setup_bytes[2],
                                  SUMAC_KZG_FIELD_ELEMENTS, (const sumac_bytes48 *)kzg.setup_bytes[0],
                                  SUMAC_KZG_FIELD_ELEMENTS, (const sumac_bytes96 *)kzg.setup_bytes[1],
                                  SUMAC_KZG_G2_POINTS, SUMAC_CHECK_SUBGROUP, &setup);
}

static sumac_status call_setup_file(scene *s)
{
    CLEANUP(destroy_setup) sumac_kzg_setup *setup = NULL;
    TRY(sumac_kzg_setup_save(s->context, kzg.setup, kzg.path));
    return sumac_kzg_setup_open(s->context, kzg.path, SUMAC_CHECK_SUBGROUP, &setup);
}

static sumac_status call_prepare(scene *s)
{
    return sumac_kzg_setup_make_tables(s->context, kzg.setup, 2 << 20);
}

static sumac_status call_commit(scene *s)
{
    return sumac_kzg_commit_batch(s->context, kzg.setup, (const sumac_blob *)kzg.blobs, s->size,
                                  (sumac_bytes48 *)kzg.commitments);
}

static sumac_status call_proof(scene *s)
{
    const sumac_status status = sumac_kzg_compute_proof_batch(
        s->context, kzg.setup, (const sumac_blob *)kzg.blobs, (const sumac_bytes32 *)kzg.zs, s->size,
        (sumac_bytes48 *)kzg.proofs, (sumac_bytes32 *)kzg.ys);
    return status != SUMAC_OK
               ? status
               : sumac_kzg_verify_proof_batch(s->context, kzg.setup, (const sumac_bytes48 *)kzg.commitments,
                                              (const sumac_bytes32 *)kzg.zs, (const sumac_bytes32 *)kzg.ys,
                                              (const sumac_bytes48 *)kzg.proofs, s->size, &kzg.ok);
}

static sumac_status call_blob_proof(scene *s)
{
    return sumac_kzg_compute_blob_proof_batch(s->context, kzg.setup, (const sumac_blob *)kzg.blobs,
                                              (const sumac_bytes48 *)kzg.commitments, s->size,
                                              (sumac_bytes48 *)kzg.proofs);
}

static sumac_status call_verify_blob(scene *s)
{
    const sumac_status status =
        sumac_kzg_blob_challenge(s->context, (const sumac_blob *)kzg.blobs,
                                 (const sumac_bytes48 *)kzg.commitments, (sumac_bytes32 *)kzg.zs);
    return status != SUMAC_OK
               ? status
               : sumac_kzg_verify_blob_proof(s->context, kzg.setup, (const sumac_blob *)kzg.blobs,
                                             (const sumac_bytes48 *)kzg.commitments,
                                             (const sumac_bytes48 *)kzg.proofs, &kzg.ok);
}

static sumac_status call_verify_blobs(scene *s)
{
    return sumac_kzg_verify_blob_proof_batch(s->context, kzg.setup, (const sumac_blob *)kzg.blobs,
                                             (const sumac_bytes48 *)kzg.commitments,
                                             (const sumac_bytes48 *)kzg.proofs, s->size, &kzg.ok);
}

static sumac_status call_cells(scene *s)
{
    sumac_status status = sumac_kzg_compute_cells_batch(s->context, kzg.setup, (const sumac_blob *)kzg.blobs,
                                                        1, (sumac_cell *)kzg.cells);
    if (status == SUMAC_OK) {
        status = sumac_kzg_compute_cell_proofs_batch(s->context, kzg.setup, (const sumac_blob *)kzg.blobs, 1,
                                                     (sumac_bytes48 *)kzg.cell_proofs);
    }
    return status != SUMAC_OK ? status
                              : sumac_kzg_compute_cells_and_proofs_batch(
                                    s->context, kzg.setup, (const sumac_blob *)kzg.blobs, 1,
                                    (sumac_cell *)kzg.cells, (sumac_bytes48 *)kzg.cell_proofs);
}

static sumac_status call_verify_cells(scene *s)
{
    return sumac_kzg_verify_cell_proof_batch(s->context, kzg.setup, (const sumac_bytes48 *)kzg.of_cells,
                                             kzg.indices, (const sumac_cell *)kzg.cells,
                                             (const sumac_bytes48 *)kzg.cell_proofs, s->size, &kzg.ok);
}

static sumac_status call_cell_challenge(scene *s)
{
    return sumac_kzg_cell_batch_challenge(s->context, (const sumac_bytes48 *)kzg.commitments, 1,
                                          kzg.of_commitments, kzg.indices, (const sumac_cell *)kzg.cells,
                                          (const sumac_bytes48 *)kzg.cell_proofs, s->size,
                                          (sumac_bytes32 *)kzg.zs);
}

static sumac_status call_recover(scene *s)
{
    return sumac_kzg_recover_cells_and_proofs_batch(s->context, kzg.setup, kzg.indices, CELLS / 2,
                                                    (const sumac_cell *)kzg.cells, 1, (sumac_cell *)kzg.cells,
                                                    (sumac_bytes48 *)kzg.cell_proofs);
}

/* The points of the trusted setup, as a program that has them in memory would pass them. */
static void read_setup_bytes(void)
{
    static const size_t counts[] = {SUMAC_KZG_FIELD_ELEMENTS, SUMAC_KZG_G2_POINTS, SUMAC_KZG_FIELD_ELEMENTS};
    static const size_t bytes[] = {POINT, (size_t)2 * POINT, POINT};
    FILE *file = fopen(TRUSTED_SETUP, "r");
    unsigned g1, g2, byte;
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%u %u", &g1, &g2), 2);
    for (int part = 0; part < 3; part++) {
        kzg.setup_bytes[part] = test_alloc(counts[part] * bytes[part]);
        for (size_t i = 0; i < counts[part] * bytes[part]; i++) {
            assert_int_equal(fscanf(file, "%2x", &byte), 1);
            kzg.setup_bytes[part][i] = (uint8_t)byte;
        }
    }
    (void)fclose(file);
}

static void test_kzg(void)
{
    const sumac_curve *curve;
    scene s = {.size = 1};
    if (sumac_curve_find("bls12-381", "g1", &curve) != SUMAC_OK ||
        sumac_curve_find("bls12-381", "g2", &curve) != SUMAC_OK) {
        skip();
    }
    s.context = test_context(1, 0);
    read_setup_bytes();
    for (unsigned i = 0; i < BLOBS; i++) {
        make_blob(kzg.blobs + (size_t)i * BLOB, i);
    }
    snprintf(kzg.path, sizeof kzg.path, "/tmp/sumac-test-XXXXXX");
    const int descriptor = mkstemp(kzg.path);
    assert_true(descriptor >= 0);
    (void)close(descriptor);
    take(&s, "kzg_setup_create", call_setup_create);
    take(&s, "kzg_setup_read", call_setup_read);
    take(&s, "kzg_setup_prepare", call_prepare);
    take(&s, "kzg_setup_save and _read", call_setup_file);
    for (s.size = 1; s.size <= BLOBS; s.size += BLOBS - 1) {
        take(&s, "kzg_commit", call_commit);
        take(&s, "kzg_compute_proof and _verify_proof", call_proof);
        take(&s, "kzg_compute_blob_proof", call_blob_proof);
        take(&s, "kzg_verify_blob_proof", call_verify_blob);
        take(&s, "kzg_verify_blob_proof_batch", call_verify_blobs);
        assert_true(kzg.ok);
    }
    for (size_t i = 0; i < CELLS; i++) {
        memcpy(kzg.of_cells + i * POINT, kzg.commitments, POINT);
        kzg.indices[i] = i;
    }
    take(&s, "kzg_compute_cells and proofs", call_cells);
    for (s.size = 1; s.size <= CELLS; s.size += CELLS - 1) {
        take(&s, "kzg_verify_cell_proof_batch", call_verify_cells);
        assert_true(kzg.ok);
        take(&s, "kzg_cell_batch_challenge", call_cell_challenge);
    }
    take(&s, "kzg_recover_cells_and_proofs", call_recover);
    end_measuring(&s);
    (void)unlink(kzg.path);
    sumac_kzg_setup_destroy(kzg.setup);
    for (int part = 0; part < 3; part++) {
        free(kzg.setup_bytes[part]);
    }
    sumac_context_destroy(s.context);
}

static const test_entry entries[] = {
    {"calls", test_calls, TEST_EVERY_AND_TINY},
    {"devices", test_devices, TEST_EVERY_AND_TINY},
    {"kzg", TEST_ONCE(test_kzg)},
};
TEST_MAIN("stack", entries)
