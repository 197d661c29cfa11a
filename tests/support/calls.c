/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "support/calls.h"

#include "support/known.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/integers.h"
#include "sumac/map.h"
#include "support/abort.h"
#include "support/api.h"

enum { SEED = 1, FK20_L = 2, FK20_MOST = 64, UNTOUCHED = 0xa5 };

/* These are the bytes of the element 2, in any field. */
static const uint8_t two[128] = {2};

/* ---- The scene ---- */

static void must(const sumac_context *context, sumac_status status, const char *what)
{
    if (status != SUMAC_OK) {
        test_abort("%s: status %d, \"%s\"", what, (int)status,
                   context == NULL ? "" : sumac_context_message(context));
    }
}

static void *zeroed(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (memory == NULL) {
        test_abort("the test itself has no memory for %zu bytes", bytes);
    }
    return memory;
}

static sumac_vector_kind kind_of(int vector)
{
    return vector < CALL_POINTS ? SUMAC_VECTOR_SCALARS : SUMAC_VECTOR_POINTS;
}

static size_t vector_bytes(const call_scene *s, int vector)
{
    return s->count * (vector < CALL_POINTS ? s->info->scalar_bytes : s->info->point_bytes);
}

static sumac_bases_config bases_config(int kind)
{
    sumac_bases_config config = {.size = sizeof config};
    config.precompute_factor = kind == MULTIPLES ? 4 : 0;
    config.tables = kind == WINDOWS     ? SUMAC_TABLES_WINDOWS
                    : kind == AUTOMATIC ? SUMAC_TABLES_AUTO
                                        : SUMAC_TABLES_MULTIPLES;
    config.tuning = kind == WINDOWS ? "c=2" : NULL;
    config.table_bytes = kind == AUTOMATIC ? 1 << 20 : 0;
    config.check = kind == PLAIN ? SUMAC_CHECK_SUBGROUP : SUMAC_CHECK_CURVE;
    return config;
}

/* Make points, scalars, a partial result and files on the CPU, because a fake GPU computes nothing. */
static void make_inputs(call_scene *s)
{
    CLEANUP(destroy_context) sumac_context *host = NULL;
    CLEANUP(destroy_bases) sumac_bases *known = NULL;
    sumac_context_config config = {.size = sizeof config};
    const sumac_group *g1;
    const size_t scalar_bytes = s->count * s->info->scalar_bytes;
    config.backend = "cpu";
    must(NULL, sumac_context_create(&config, &host, NULL), "a context of the CPU");
    must(host, sumac_known_bases_create(host, s->group, s->count, SEED, NULL, &known), "known bases");
    must(host, exact_get(host, known, 0, s->count, s->points), "known points");
    must(host, test_known_logarithms(host, s->group, s->count, SEED, s->scalars), "scalars");
    for (size_t i = 1; i < CALL_BATCH; i++) {
        memcpy(s->scalars + i * scalar_bytes, s->scalars, scalar_bytes);
    }
    if (test_points_encode(host, s->group, s->points, s->count, "zcash-compressed", s->compressed) !=
        SUMAC_OK) {
        free(s->compressed);
        s->compressed = NULL;
    }
    if (strcmp(s->info->name, "g2") == 0 && sumac_group_find(s->info->curve, "g1", &g1) == SUMAC_OK) {
        const size_t bytes = g1->point_bytes;
        s->g1_points = zeroed(s->count * bytes);
        for (size_t i = 0; i < s->count; i++) {
            must(host, sumac_group_generator(g1, s->g1_points + i * bytes, bytes), "a generator");
        }
    }
    must(host, exact_partial(host, known, s->scalars, s->count, NULL, s->partial), "a partial result");
    must(host, sumac_bases_save(host, known, s->table_path, NULL), "a table");
    must(host, sumac_bases_save(host, known, s->raw_path, "raw"), "a file of points");
}

void call_scene_open(call_scene *s, const sumac_group *group, const sumac_context_config *config,
                     size_t count, size_t size)
{
    *s = (call_scene){.group = group, .info = group, .config = *config, .count = count};
    s->points = zeroed(vector_bytes(s, CALL_POINTS));
    s->zeros = zeroed(vector_bytes(s, CALL_POINTS));
    s->compressed = zeroed(vector_bytes(s, CALL_POINTS));
    s->scalars = zeroed(CALL_BATCH * vector_bytes(s, CALL_SCALARS));
    s->partial = zeroed(sumac_partial_bytes(group, 1));
    s->out_bytes = vector_bytes(s, CALL_POINTS) + sumac_partial_bytes(group, 1);
    s->out = zeroed(s->out_bytes);
    s->msm = (sumac_msm_config){.size = sizeof(sumac_msm_config)};
    snprintf(s->directory, sizeof s->directory, "/tmp/sumac-calls-XXXXXX");
    if (mkdtemp(s->directory) == NULL) {
        test_abort("the test has no directory for its files");
    }
    snprintf(s->path, sizeof s->path, "%s/out", s->directory);
    snprintf(s->table_path, sizeof s->table_path, "%s/table", s->directory);
    snprintf(s->raw_path, sizeof s->raw_path, "%s/raw", s->directory);
    snprintf(s->fk20_path, sizeof s->fk20_path, "%s/fk20", s->directory);
    make_inputs(s);
    must(NULL, sumac_context_create(config, &s->context, &s->reason), "a context");
    for (int kind = PLAIN; kind < CALL_BASES; kind++) {
        const sumac_bases_config shape = bases_config(kind);
        const size_t n = kind == WINDOWS ? smaller(count, CALL_WINDOW_BASES) : count;
        must(s->context, exact_create(s->context, group, s->points, n, &shape, &s->bases[kind]), "bases");
    }
    for (int i = 0; i < CALL_VECTORS; i++) {
        must(s->context, sumac_vector_create(s->context, group, kind_of(i), count, &s->vectors[i]),
             "a vector");
        must(s->context,
             test_vector_set(s->context, s->vectors[i], i < CALL_POINTS ? s->scalars : s->points, 0, count,
                             NULL),
             "elements");
    }
    call_scene_resize(s, size);
}

static size_t power_of_two_up_to(size_t most)
{
    size_t power = 1;
    while (2 * power <= most) {
        power *= 2;
    }
    return power;
}

static size_t fk20_n(const call_scene *s)
{
    return power_of_two_up_to(smaller(s->size, FK20_MOST));
}

void call_scene_resize(call_scene *s, size_t size)
{
    s->size = size;
    for (int i = 0; i < 2; i++) {
        sumac_vector_destroy(s->sums[i]);
        must(s->context,
             sumac_vector_create(s->context, s->group, i == 0 ? SUMAC_VECTOR_SCALARS : SUMAC_VECTOR_POINTS,
                                 s->count / power_of_two_up_to(size), &s->sums[i]),
             "a vector");
    }
    sumac_fk20_destroy(s->fk20);
    s->fk20 = NULL;
    if (sumac_fk20_create(s->context, s->bases[PLAIN], fk20_n(s), FK20_L, 1, &s->fk20) == SUMAC_OK) {
        must(s->context, sumac_fk20_save(s->context, s->fk20, s->fk20_path), "a file of FK20");
    } else {
        must(s->context, sumac_context_check(s->context), "the context after a refusal");
    }
}

void call_scene_close(call_scene *s)
{
    for (int i = 0; i < CALL_VECTORS; i++) {
        sumac_vector_destroy(s->vectors[i]);
    }
    for (int i = 0; i < CALL_BASES; i++) {
        sumac_bases_destroy(s->bases[i]);
    }
    sumac_vector_destroy(s->sums[0]);
    sumac_vector_destroy(s->sums[1]);
    sumac_fk20_destroy(s->fk20);
    sumac_context_destroy(s->context);
    (void)unlink(s->path);
    (void)unlink(s->table_path);
    (void)unlink(s->raw_path);
    (void)unlink(s->fk20_path);
    (void)rmdir(s->directory);
    free(s->points);
    free(s->g1_points);
    free(s->scalars);
    free(s->zeros);
    free(s->compressed);
    free(s->partial);
    free(s->out);
    *s = (call_scene){0};
}

/* ---- Snapshots ---- */

/* The last byte of a snapshot says whether there is a file. */
size_t call_snapshot_bytes(const call_scene *s)
{
    size_t bytes = s->out_bytes + 1;
    for (int i = 0; i < CALL_VECTORS; i++) {
        bytes += vector_bytes(s, i);
    }
    return bytes + sumac_vector_count(s->sums[0]) * s->info->scalar_bytes +
           sumac_vector_count(s->sums[1]) * s->info->point_bytes;
}

/* Call `move` for each vector and its part of a snapshot, and return the address after these parts. */
static uint8_t *for_each_vector(const call_scene *s, uint8_t *snapshot,
                                void (*move)(const call_scene *s, sumac_vector *vector, uint8_t *elements))
{
    for (int i = 0; i < CALL_VECTORS + 2; i++) {
        const int is_sum = i >= CALL_VECTORS, is_points = is_sum ? i > CALL_VECTORS : i >= CALL_POINTS;
        sumac_vector *vector = is_sum ? s->sums[i - CALL_VECTORS] : s->vectors[i];
        move(s, vector, snapshot);
        snapshot += sumac_vector_count(vector) * (is_points ? s->info->point_bytes : s->info->scalar_bytes);
    }
    return snapshot;
}

static void read_vector(const call_scene *s, sumac_vector *vector, uint8_t *elements)
{
    must(s->context, test_vector_get(s->context, vector, 0, sumac_vector_count(vector), NULL, elements),
         "a snapshot");
}

static void write_vector(const call_scene *s, sumac_vector *vector, uint8_t *elements)
{
    sumac_element_layout layout = {.size = sizeof layout};
    layout.check = SUMAC_CHECK_NONE;
    must(s->context, test_vector_set(s->context, vector, elements, 0, sumac_vector_count(vector), &layout),
         "a snapshot");
}

void call_snapshot(const call_scene *s, uint8_t *snapshot)
{
    snapshot = for_each_vector(s, snapshot, read_vector);
    memcpy(snapshot, s->out, s->out_bytes);
    snapshot[s->out_bytes] = access(s->path, F_OK) == 0;
}

void call_restore(const call_scene *s, const uint8_t *snapshot)
{
    const uint8_t *end = for_each_vector(s, (uint8_t *)(uintptr_t)snapshot, write_vector);
    memcpy(s->out, end, s->out_bytes);
    (void)unlink(s->path);
}

/* ---- Contexts, bases and plans ---- */

static void expect_handle(sumac_status status, const void *handle, const char *what)
{
    if ((status == SUMAC_OK) != (handle != NULL)) {
        test_abort("success, and only that, gives %s: status %d", what, (int)status);
    }
}

sumac_status call_context(call_scene *s, int kind)
{
    CLEANUP(destroy_context) sumac_context *context = s->context; /* a failing call must set it to null */
    (void)kind;
    const sumac_status status = sumac_context_create(&s->config, &context, &s->reason);
    expect_handle(status, context, "a context");
    return status;
}

/* Copy the points of new bases to the results, and destroy the bases. */
static sumac_status take_bases(call_scene *s, sumac_status status, sumac_bases *new_bases)
{
    CLEANUP(destroy_bases) sumac_bases *bases = new_bases;
    expect_handle(status, bases, "bases");
    TRY(status);
    return exact_get(s->context, bases, 0, sumac_bases_count(bases), s->out);
}

static sumac_status call_bases(call_scene *s, int kind)
{
    sumac_bases *bases = s->bases[PLAIN];
    const sumac_bases_config config = bases_config(kind);
    const sumac_status status =
        exact_create(s->context, s->group, s->points, smaller(s->size, CALL_WINDOW_BASES), &config, &bases);
    return take_bases(s, status, bases);
}

static sumac_status call_known_bases(call_scene *s, int kind)
{
    sumac_bases *bases = s->bases[PLAIN];
    (void)kind;
    const sumac_status status = sumac_known_bases_create(s->context, s->group, s->size, SEED, NULL, &bases);
    return take_bases(s, status, bases);
}

static sumac_status call_known_answer(call_scene *s, int kind)
{
    (void)kind;
    return test_known_answer(s->context, s->group, s->scalars, s->scalars, s->size, s->out);
}

static sumac_status call_get(call_scene *s, int kind)
{
    const size_t n = kind == WINDOWS ? smaller(s->size, CALL_WINDOW_BASES) : s->size;
    return exact_get(s->context, s->bases[kind], 0, n, s->out);
}

static sumac_status call_save_table(call_scene *s, int kind)
{
    return sumac_bases_save(s->context, s->bases[kind], s->path, NULL);
}

static sumac_status call_save_raw(call_scene *s, int kind)
{
    return sumac_bases_save(s->context, s->bases[kind], s->path, "raw");
}

static sumac_status call_open_table(call_scene *s, int kind)
{
    sumac_bases *bases = s->bases[PLAIN];
    (void)kind;
    const sumac_status status = open_trusted(s->context, s->group, s->table_path, &bases);
    return take_bases(s, status, bases);
}

static sumac_status call_open_raw(call_scene *s, int kind)
{
    sumac_bases *bases = s->bases[PLAIN];
    (void)kind;
    const sumac_status status =
        sumac_bases_open(s->context, s->group, s->raw_path, "raw", 0, SUMAC_ALL, NULL, &bases);
    return take_bases(s, status, bases);
}

static sumac_status call_plan(call_scene *s, int kind)
{
    CLEANUP(free_memory) char *plan = NULL;
    CLEANUP(free_memory) char *of_bases = NULL;
    const sumac_bases_config config = bases_config(kind);
    TRY(sumac_plan_create(s->context, s->group, s->size << 10, &config, NULL, &plan));
    return sumac_msm_plan(s->context, s->bases[PLAIN], s->size, &s->msm, &of_bases);
}

/* ---- MSMs ---- */

static size_t terms(const call_scene *s, int kind)
{
    return kind == WINDOWS ? smaller(s->size, CALL_WINDOW_BASES) : s->size;
}

static sumac_status call_msm(call_scene *s, int kind)
{
    return exact_msm(s->context, s->bases[kind], s->scalars, terms(s, kind), kind == PLAIN ? &s->msm : NULL,
                     s->out);
}

/* If there are no tables, each MSM has its own bases. */
static sumac_status call_batch(call_scene *s, int kind)
{
    sumac_msm_config config = {.size = sizeof config};
    config.batch = CALL_BATCH;
    config.base_sets = kind == PLAIN ? CALL_BATCH : 0;
    config.tuning = kind == WINDOWS                                               ? NULL
                    : test_describe(s->context).location == SUMAC_LOCATION_DEVICE ? "chunks=3,copy_slices=2"
                                                                                  : "chunks=3";
    return exact_msm(s->context, s->bases[kind], s->scalars,
                     kind == PLAIN ? s->size / CALL_BATCH : terms(s, kind), &config, s->out);
}

static sumac_status call_lengths(call_scene *s, int kind)
{
    const uint64_t offsets[CALL_BATCH + 1] = {0, s->size / 2, s->size, s->size + s->size / 2};
    sumac_msm_config config = {.size = sizeof config};
    config.batch = CALL_BATCH;
    config.offsets = offsets;
    config.offset_count = CALL_BATCH + 1;
    return exact_msm(s->context, s->bases[kind], s->scalars, s->size, &config, s->out);
}

static sumac_status call_partial(call_scene *s, int kind)
{
    return exact_partial(s->context, s->bases[kind], s->scalars, terms(s, kind), NULL, s->out);
}

static sumac_status call_combine(call_scene *s, int kind)
{
    const void *const partials[] = {s->partial, s->partial};
    (void)kind;
    return exact_combine(s->context, s->group, partials, 2, 1, s->out);
}

static sumac_status call_prepared(call_scene *s, int kind)
{
    CLEANUP(destroy_call) sumac_call *prepared = NULL;
    TRY(sumac_msm_prepare(s->context, s->bases[kind], s->size, &s->msm, &prepared));
    return sumac_call_run(prepared, s->scalars, SIZE_MAX, s->out, SIZE_MAX);
}

static sumac_status call_msm_vectors(call_scene *s, int kind)
{
    sumac_msm_config config = {.size = sizeof config};
    config.batch = 2;
    return sumac_msm_vectors(s->context, s->bases[kind], s->vectors[CALL_SCALARS], 0, s->size / 2, &config,
                             s->vectors[CALL_POINTS + 2], 3);
}

static sumac_status call_bases_from_vector(call_scene *s, int kind)
{
    sumac_bases *bases = s->bases[PLAIN];
    const sumac_bases_config config = bases_config(kind);
    const sumac_status status =
        sumac_bases_create_from_vector(s->context, s->vectors[CALL_POINTS], 0, s->size, &config, &bases);
    return take_bases(s, status, bases);
}

/* ---- Vectors ---- */

static sumac_status call_create(call_scene *s, int kind)
{
    CLEANUP(destroy_vector) sumac_vector *vector = s->vectors[kind];
    const sumac_status status = sumac_vector_create(s->context, s->group, kind_of(kind), s->size, &vector);
    expect_handle(status, vector, "a vector");
    return status;
}

static sumac_status call_set(call_scene *s, int kind)
{
    sumac_element_layout layout = {.size = sizeof layout};
    layout.check = SUMAC_CHECK_SUBGROUP;
    return test_vector_set(s->context, s->vectors[kind + 2], kind == CALL_POINTS ? s->points : s->scalars, 0,
                           s->size, &layout);
}

static sumac_status call_vector_get(call_scene *s, int kind)
{
    return test_vector_get(s->context, s->vectors[kind], 0, s->size, NULL, s->out);
}

static sumac_status call_copy(call_scene *s, int kind)
{
    const size_t n = s->count / 2;
    const sumac_slice to = sumac_slice_of(1, n), from = sumac_slice_of(3, n);
    return sumac_vector_copy(s->context, s->vectors[kind], &from, s->vectors[kind + 2], &to);
}

static sumac_status call_gather(call_scene *s, int kind)
{
    static const uint64_t rows[16] = {7, 0, 1, 15, 3, 3};
    return sumac_vector_gather(s->context, s->vectors[kind], s->count / 16, rows, 16, s->vectors[kind + 2]);
}

static sumac_status call_fill(call_scene *s, int kind)
{
    return test_vector_fill(s->context, s->vectors[kind + 2], two);
}

static sumac_status call_add(call_scene *s, int kind)
{
    return sumac_vector_add(s->context, s->vectors[kind], s->vectors[kind + 1], 1, s->vectors[kind + 2]);
}

static sumac_status call_subtract(call_scene *s, int kind)
{
    return sumac_vector_subtract(s->context, s->vectors[kind], s->vectors[kind + 1], 1, s->vectors[kind + 2]);
}

static sumac_status call_multiply(call_scene *s, int kind)
{
    return sumac_vector_multiply(s->context, s->vectors[kind], s->vectors[kind + 1], 1, s->vectors[kind]);
}

static sumac_status call_invert(call_scene *s, int kind)
{
    return sumac_vector_invert(s->context, s->vectors[kind]);
}

static sumac_status call_scale_powers(call_scene *s, int kind)
{
    return test_vector_scale_powers(s->context, s->vectors[kind], two, two, s->count / 2);
}

static sumac_status call_sum(call_scene *s, int kind)
{
    return sumac_vector_sum(s->context, s->vectors[kind], power_of_two_up_to(s->size),
                            s->sums[kind / CALL_POINTS]);
}

static sumac_status call_transpose(call_scene *s, int kind)
{
    return sumac_vector_transpose(s->context, s->vectors[kind], 16, s->count / 16, s->vectors[kind + 2]);
}

static sumac_status call_bit_reverse(call_scene *s, int kind)
{
    return sumac_vector_bit_reverse(s->context, s->vectors[kind], power_of_two_up_to(s->size));
}

/* Return the longest transform of at most `most` elements that the field has. */
static sumac_transform_config transform_up_to(const call_scene *s, size_t most)
{
    sumac_transform_config config = {.size = sizeof config};
    uint8_t root[sizeof two];
    uint32_t log2 = 0;
    while (((size_t)2 << log2) <= most && test_root_of_unity(s->group, log2 + 1, root) == SUMAC_OK) {
        log2++;
    }
    config.length = (size_t)1 << log2;
    config.shift = two;
    config.shift_bytes = sizeof two;
    config.coefficient_order = SUMAC_ORDER_BIT_REVERSED;
    return config;
}

enum { SHORT_ROWS, LONG_ROWS };

static sumac_status call_ntt(call_scene *s, int kind)
{
    sumac_transform_config config = transform_up_to(s, kind == LONG_ROWS ? s->count : s->size);
    config.inverse = kind == LONG_ROWS;
    return sumac_vector_ntt(s->context, s->vectors[CALL_SCALARS], &config);
}

sumac_status call_queued(call_scene *s)
{
    static const uint64_t rows[16] = {7, 0, 1, 15, 3, 3};
    static const uint8_t three[sizeof two] = {3};
    sumac_transform_config config = transform_up_to(s, s->count);
    sumac_msm_config msm = {.size = sizeof msm};
    sumac_vector *const both[] = {s->vectors[CALL_SCALARS], s->vectors[CALL_SCALARS + 2]};
    msm.scalar_bits = 8 * (uint32_t)s->info->scalar_bytes - 3;
    config.coefficient_order = SUMAC_ORDER_NATURAL;
    TRY(sumac_vector_gather(s->context, both[0], s->count / 16, rows, 16, both[1]));
    TRY(sumac_vectors_ntt(s->context, both, 2, &config));
    TRY(sumac_vector_scan(s->context, both[1], s->count, SUMAC_SCAN_PRODUCT, 1));
    TRY(test_vector_fill(s->context, both[0], three));
    config.shift = three; /* 2 may be a root of unity */
    TRY(sumac_vector_divide_by_vanishing(s->context, both[0], config.length / 2, &config));
    TRY(sumac_msm_vectors(s->context, s->bases[PLAIN], both[0], 0, s->size, &msm, s->vectors[CALL_POINTS],
                          0));
    return sumac_msm_vectors(s->context, s->bases[MULTIPLES], both[1], 0, s->size, NULL,
                             s->vectors[CALL_POINTS], 1);
}

/* After a failure the stream is still set, and the context has the message. */
static sumac_status call_stream(call_scene *s, int kind)
{
    (void)kind;
    if (s->stream == NULL || test_describe(s->context).device_count > 1) {
        return SUMAC_NOT_SUPPORTED;
    }
    TRY(sumac_context_set_stream(s->context, s->stream));
    TRY(call_queued(s));
    TRY(test_vector_get(s->context, s->vectors[CALL_POINTS], 0, 2, NULL, s->out));
    TRY(sumac_context_wait(s->context));
    return sumac_context_set_stream(s->context, NULL);
}

static sumac_status call_point_transform(call_scene *s, int kind)
{
    sumac_transform_config config = transform_up_to(s, smaller(kind == LONG_ROWS ? s->count : s->size, 64));
    config.inverse = kind == LONG_ROWS;
    return sumac_vector_ntt(s->context, s->vectors[CALL_POINTS], &config);
}

static sumac_status call_decode(call_scene *s, int kind)
{
    (void)kind;
    return test_points_decode(s->context, s->group, s->points, s->size, "raw", SUMAC_CHECK_SUBGROUP, s->out);
}

static sumac_status call_decode_compressed(call_scene *s, int kind)
{
    (void)kind;
    return s->compressed == NULL ? SUMAC_NOT_SUPPORTED
                                 : test_points_decode(s->context, s->group, s->compressed, s->count,
                                                      "zcash-compressed", SUMAC_CHECK_CURVE, s->out);
}

static sumac_status call_encode(call_scene *s, int kind)
{
    (void)kind;
    return test_points_encode(s->context, s->group, s->points, s->size, NULL, s->out);
}

/* ---- Polynomials; any points of the subgroup will do as an SRS ---- */

static sumac_status call_commit(call_scene *s, int kind)
{
    return sumac_srs_commit(s->context, s->bases[kind], s->vectors[CALL_SCALARS], power_of_two_up_to(s->size),
                            s->sums[1]);
}

/* sums[0] holds first the evaluation points, and then the values. */
static sumac_status call_open(call_scene *s, int kind)
{
    return sumac_srs_open(s->context, s->bases[kind], s->vectors[CALL_SCALARS], power_of_two_up_to(s->size),
                          s->sums[0], s->sums[0], s->sums[1]);
}

/* Views of vectors of the scene, for openings of all polynomials at two points. */
typedef struct joined_views {
    sumac_vector *points, *coefficients, *one, *point, *two_points;
} joined_views;

static void destroy_views(joined_views *v)
{
    sumac_vector_destroy(v->points);
    sumac_vector_destroy(v->coefficients);
    sumac_vector_destroy(v->one);
    sumac_vector_destroy(v->point);
    sumac_vector_destroy(v->two_points);
}

static sumac_status make_views(call_scene *s, size_t n, joined_views *v)
{
    sumac_vector *const *scalars = s->vectors + CALL_SCALARS, *const *points = s->vectors + CALL_POINTS;
    TRY(sumac_vector_view(s->context, scalars[1], 0, 2, &v->points));
    TRY(sumac_vector_view(s->context, scalars[2], 0, n, &v->coefficients));
    TRY(sumac_vector_view(s->context, scalars[1], 3, 1, &v->one));
    TRY(sumac_vector_view(s->context, points[2], 0, 1, &v->point));
    return sumac_vector_view(s->context, points[0], 0, 2, &v->two_points);
}

static sumac_status call_shplonk_quotient(call_scene *s, int kind)
{
    const size_t n = power_of_two_up_to(s->size);
    CLEANUP(destroy_views) joined_views v = {.points = NULL};
    TRY(make_views(s, n, &v));
    return sumac_shplonk_quotient(s->context, s->bases[kind], s->vectors[CALL_SCALARS], n, v.points, NULL, 0,
                                  s->sums[0], v.coefficients, v.point);
}

static sumac_status call_shplonk_open(call_scene *s, int kind)
{
    const size_t n = power_of_two_up_to(s->size);
    CLEANUP(destroy_views) joined_views v = {.points = NULL};
    TRY(make_views(s, n, &v));
    return sumac_shplonk_open(s->context, s->bases[kind], s->vectors[CALL_SCALARS], n, v.points, NULL, 0,
                              s->sums[0], v.coefficients, v.one, v.point);
}

/* The commitments, the values and the secret, which is 1, are no proof of anything. */
static sumac_status call_shplonk_verify(call_scene *s, int kind)
{
    const size_t g1_bytes = s->group->point_bytes;
    const sumac_group *g2;
    uint8_t g1[256], both[1024];
    int ok = 0;
    CLEANUP(destroy_views) joined_views v = {.points = NULL};
    CLEANUP(destroy_vector) sumac_vector *values = NULL;
    (void)kind;
    if (strcmp(s->group->name, "g1") != 0 || sumac_group_find(s->group->curve, "g2", &g2) != SUMAC_OK) {
        return SUMAC_NOT_SUPPORTED;
    }
    TRY(make_views(s, 1, &v));
    TRY(sumac_vector_view(s->context, s->vectors[CALL_SCALARS], 0, 4, &values));
    TRY(sumac_group_generator(s->group, g1, sizeof g1));
    TRY(sumac_group_generator(g2, both, sizeof both));
    memcpy(both + g2->point_bytes, both, g2->point_bytes);
    TRY(sumac_shplonk_verify(s->context, s->group, g1, g1_bytes, both, 2 * g2->point_bytes, v.two_points,
                             v.points, NULL, 0, values, v.points, v.one, v.two_points, &ok));
    s->out[0] = (uint8_t)ok;
    return SUMAC_OK;
}

static sumac_status take_fk20(sumac_status status, sumac_fk20 *fk20)
{
    expect_handle(status, fk20, "FK20");
    sumac_fk20_destroy(fk20);
    return status;
}

static sumac_status call_fk20(call_scene *s, int kind)
{
    sumac_fk20 *fk20 = s->fk20;
    TRY(s->fk20 == NULL ? SUMAC_NOT_SUPPORTED : SUMAC_OK);
    const sumac_status status =
        sumac_fk20_create(s->context, s->bases[kind], fk20_n(s), FK20_L, 1 << 14, &fk20);
    return take_fk20(status, fk20);
}

static sumac_status call_fk20_prove(call_scene *s, int kind)
{
    (void)kind;
    TRY(s->fk20 == NULL ? SUMAC_NOT_SUPPORTED : SUMAC_OK);
    return sumac_fk20_prove(s->context, s->fk20, s->vectors[CALL_SCALARS], 2, SUMAC_ORDER_NATURAL,
                            s->vectors[CALL_POINTS + 2]);
}

static sumac_status call_fk20_save(call_scene *s, int kind)
{
    (void)kind;
    TRY(s->fk20 == NULL ? SUMAC_NOT_SUPPORTED : SUMAC_OK);
    return sumac_fk20_save(s->context, s->fk20, s->path);
}

static sumac_status call_fk20_open(call_scene *s, int kind)
{
    sumac_fk20 *fk20 = s->fk20;
    TRY(s->fk20 == NULL ? SUMAC_NOT_SUPPORTED : SUMAC_OK);
    const sumac_status status =
        sumac_fk20_open(s->context, s->bases[kind], fk20_n(s), FK20_L, s->fk20_path, &fk20);
    return take_fk20(status, fk20);
}

/* ---- Pairings and maps ---- */

static sumac_status call_pairing(call_scene *s, int kind)
{
    int is_one = 0;
    (void)kind;
    TRY(s->g1_points == NULL ? SUMAC_NOT_SUPPORTED : SUMAC_OK);
    TRY(test_pairing_check(s->context, s->group, s->g1_points, s->points, s->size, SUMAC_CHECK_SUBGROUP,
                           &is_one));
    s->out[0] = (uint8_t)is_one;
    return SUMAC_OK;
}

static sumac_status call_pairing_value(call_scene *s, int kind)
{
    (void)kind;
    TRY(s->g1_points == NULL ? SUMAC_NOT_SUPPORTED : SUMAC_OK);
    return sumac_pairing_value(s->context, s->group, s->g1_points,
                               test_pairing_bytes(s->group, "g1", s->size), s->points,
                               test_pairing_bytes(s->group, "g2", s->size), s->size, SUMAC_CHECK_SUBGROUP,
                               s->out, 12 * (size_t)s->group->field_bytes);
}

static sumac_status call_pairing_prepared(call_scene *s, int kind)
{
    CLEANUP(destroy_pairing_points) sumac_pairing_points *prepared = NULL;
    int is_one = 0;
    (void)kind;
    TRY(s->g1_points == NULL ? SUMAC_NOT_SUPPORTED : SUMAC_OK);
    const sumac_status status =
        test_pairing_points_create(s->context, s->group, s->points, s->size, SUMAC_CHECK_SUBGROUP, &prepared);
    expect_handle(status, prepared, "prepared points");
    TRY(status);
    TRY(test_pairing_check_prepared(s->context, s->group, prepared, s->g1_points, NULL, s->size,
                                    SUMAC_CHECK_SUBGROUP, &is_one));
    s->out[0] = (uint8_t)is_one;
    return SUMAC_OK;
}

/* Map elements that are 0. */
static sumac_status call_map(call_scene *s, int kind)
{
    (void)kind;
    return test_map_to_group(s->context, s->group, s->zeros, s->size, s->out);
}

const test_call test_calls[] = {
    /* The columns are name, call, kind, whether it succeeds on a fake GPU, and how often it reports. */
    {"sumac_context_create", call_context, 0, 1, 0},
    {"sumac_bases_create", call_bases, PLAIN, 1, 1},
    {"sumac_bases_create, multiples", call_bases, MULTIPLES, 1, 1},
    {"sumac_bases_create, window tables", call_bases, WINDOWS, 1, 1},
    {"sumac_bases_create, tables that the planner chooses", call_bases, AUTOMATIC, 1, 1},
    {"sumac_known_bases_create", call_known_bases, 0, 0, 2},
    {"sumac_known_answer", call_known_answer, 0, 0, 1},
    {"sumac_bases_get", call_get, PLAIN, 1, 0},
    {"sumac_bases_get, multiples", call_get, MULTIPLES, 1, 0},
    {"sumac_bases_get, window tables", call_get, WINDOWS, 1, 0},
    {"sumac_bases_save", call_save_table, PLAIN, 0, 1},
    {"sumac_bases_save, multiples", call_save_table, MULTIPLES, 0, 1},
    {"sumac_bases_save, window tables", call_save_table, WINDOWS, 0, 1},
    {"sumac_bases_save, raw", call_save_raw, PLAIN, 0, 1},
    {"sumac_bases_open, a table", call_open_table, 0, 0, 1},
    {"sumac_bases_open", call_open_raw, 0, 0, 1},
    {"plans", call_plan, PLAIN, 1, 0},
    {"plans with window tables", call_plan, AUTOMATIC, 1, 0},
    {"sumac_msm", call_msm, PLAIN, 1, 1},
    {"sumac_msm, multiples", call_msm, MULTIPLES, 1, 1},
    {"sumac_msm, window tables", call_msm, WINDOWS, 1, 1},
    {"sumac_msm, a batch with separate bases", call_batch, PLAIN, 1, 1},
    {"sumac_msm, a batch with multiples", call_batch, MULTIPLES, 1, 2},
    {"sumac_msm, a batch with window tables", call_batch, WINDOWS, 1, 1},
    {"sumac_msm, different lengths", call_lengths, PLAIN, 1, 1},
    {"sumac_msm_partial", call_partial, PLAIN, 1, 1},
    {"sumac_msm_partial, multiples", call_partial, MULTIPLES, 1, 1},
    {"sumac_partial_combine", call_combine, 0, 0, 0},
    {"sumac_call_run", call_prepared, PLAIN, 1, 1},
    {"calls on a stream", call_stream, 0, 1, 0},
    {"sumac_msm_vectors", call_msm_vectors, PLAIN, 1, 1},
    {"sumac_bases_create_from_vector", call_bases_from_vector, PLAIN, 1, 0},
    {"sumac_bases_create_from_vector, multiples", call_bases_from_vector, MULTIPLES, 1, 0},
    {"sumac_vector_create, scalars", call_create, CALL_SCALARS, 1, 0},
    {"sumac_vector_create, points", call_create, CALL_POINTS, 1, 0},
    {"sumac_vector_set, scalars", call_set, CALL_SCALARS, 1, 0},
    {"sumac_vector_set, points", call_set, CALL_POINTS, 1, 0},
    {"sumac_vector_get, scalars", call_vector_get, CALL_SCALARS, 1, 0},
    {"sumac_vector_get, points", call_vector_get, CALL_POINTS, 1, 0},
    {"sumac_vector_copy", call_copy, CALL_POINTS, 1, 0},
    {"sumac_vector_gather, scalars", call_gather, CALL_SCALARS, 1, 0},
    {"sumac_vector_gather, points", call_gather, CALL_POINTS, 1, 0},
    {"sumac_vector_fill", call_fill, CALL_SCALARS, 1, 0},
    {"sumac_vector_add, scalars", call_add, CALL_SCALARS, 1, 0},
    {"sumac_vector_add, points", call_add, CALL_POINTS, 1, 0},
    {"sumac_vector_subtract, scalars", call_subtract, CALL_SCALARS, 1, 0},
    {"sumac_vector_subtract, points", call_subtract, CALL_POINTS, 1, 0},
    {"sumac_vector_multiply", call_multiply, CALL_SCALARS, 1, 0},
    {"sumac_vector_invert", call_invert, CALL_SCALARS, 1, 0},
    {"sumac_vector_scale_powers", call_scale_powers, CALL_SCALARS, 1, 0},
    {"sumac_vector_sum, scalars", call_sum, CALL_SCALARS, 1, 0},
    {"sumac_vector_sum, points", call_sum, CALL_POINTS, 1, 0},
    {"sumac_vector_transpose, scalars", call_transpose, CALL_SCALARS, 1, 0},
    {"sumac_vector_transpose, points", call_transpose, CALL_POINTS, 1, 0},
    {"sumac_vector_bit_reverse, scalars", call_bit_reverse, CALL_SCALARS, 1, 0},
    {"sumac_vector_bit_reverse, points", call_bit_reverse, CALL_POINTS, 1, 0},
    {"sumac_vector_ntt", call_ntt, SHORT_ROWS, 1, 1},
    {"sumac_vector_ntt of long rows", call_ntt, LONG_ROWS, 1, 1},
    {"sumac_vector_ntt of points", call_point_transform, SHORT_ROWS, 1, 0},
    {"sumac_vector_ntt of points in long rows", call_point_transform, LONG_ROWS, 1, 0},
    {"sumac_points_decode", call_decode, 0, 0, 1},
    {"sumac_points_decode, compressed", call_decode_compressed, 0, 0, 1},
    {"sumac_points_encode", call_encode, 0, 1, 0},
    {"sumac_srs_commit", call_commit, PLAIN, 0, 0},
    {"sumac_srs_open", call_open, PLAIN, 0, 0},
    {"sumac_shplonk_quotient", call_shplonk_quotient, PLAIN, 0, 0},
    {"sumac_shplonk_open", call_shplonk_open, PLAIN, 0, 0},
    {"sumac_shplonk_verify", call_shplonk_verify, 0, 0, 0},
    {"sumac_fk20_create", call_fk20, PLAIN, 0, 0},
    {"sumac_fk20_prove", call_fk20_prove, 0, 0, 0},
    {"sumac_fk20_save", call_fk20_save, 0, 0, 0},
    {"sumac_fk20_open", call_fk20_open, PLAIN, 0, 0},
    {"sumac_pairing_check", call_pairing, 0, 0, 0},
    {"sumac_pairing_value", call_pairing_value, 0, 0, 0},
    {"sumac_pairing_check_prepared", call_pairing_prepared, 0, 0, 0},
    {"sumac_map_to_group", call_map, 0, 0, 1},
};
const size_t test_call_count = sizeof test_calls / sizeof *test_calls;
