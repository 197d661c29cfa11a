/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file tests what only a GPU supports: scalars and results in its memory, streams and events, several contexts at
 * once, and calls of its runtime that fail during large copies. test_fake_gpu.c makes every call fail. Answers follow
 * from known discrete logarithms, and not from the pipeline.
 *
 * Without a GPU the test is skipped with status 77.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/handles.h"
#include "cuda/gate.h"
#include "support/harness.h"

enum { SKIPPED = 77, SEED = 5 };

static sumac_context *context_on(const char *name, int32_t device)
{
    sumac_context *context = NULL;
    sumac_context_config config = {.size = sizeof config};
    config.backend = name;
    config.devices = &device;
    config.device_count = 1;
    config.threads = 2;
    assert_int_equal(sumac_context_create(&config, &context, NULL), SUMAC_OK);
    return context;
}

/* This has `batch` MSMs over n known bases, with their answers. */
typedef struct scene {
    test_group *t;
    sumac_context *context;
    sumac_bases *bases;
    size_t n;
    uint32_t batch;
    size_t scalar_bytes, result_bytes;
    uint8_t *scalars; /* in pageable memory */
    uint8_t *expected;
    uint8_t *results; /* the results of the calls under test */
} scene;

static void make_scalars_and_answers(test_group *t, uint8_t *scalars, uint8_t *expected,
                                     const uint8_t *logarithms, size_t n, uint32_t batch)
{
    CLEANUP(destroy_context) sumac_context *cpu = NULL;
    sumac_context_config config = {.size = sizeof config};
    config.backend = "cpu";
    assert_int_equal(sumac_context_create(&config, &cpu, NULL), SUMAC_OK);
    test_random_bytes(t, scalars, batch * n * t->info->scalar_bytes);
    for (uint32_t j = 0; j < batch; j++) {
        assert_int_equal(test_known_answer(cpu, t->group, scalars + j * n * t->info->scalar_bytes, logarithms,
                                           n, expected + j * t->info->point_bytes),
                         SUMAC_OK);
    }
}

static scene make_scene(test_group *t, size_t n, uint32_t batch, uint32_t factor)
{
    scene s = {.t = t, .n = n, .batch = batch};
    s.scalar_bytes = batch * n * t->info->scalar_bytes;
    s.result_bytes = batch * (size_t)t->info->point_bytes;
    s.scalars = test_alloc(s.scalar_bytes);
    s.expected = test_alloc(s.result_bytes);
    s.results = test_alloc(s.result_bytes);
    s.context = test_context(4, 0);
    sumac_bases_config config = {.size = sizeof config};
    config.precompute_factor = factor;
    TEST_OK(s.context, sumac_known_bases_create(s.context, t->group, n, SEED, &config, &s.bases));
    AUTO_FREE uint8_t *logarithms = test_alloc(n * t->info->scalar_bytes);
    TEST_OK(s.context, test_known_logarithms(s.context, t->group, n, SEED, logarithms));
    make_scalars_and_answers(t, s.scalars, s.expected, logarithms, n, batch);
    return s;
}

static void free_scene(scene *s)
{
    sumac_bases_destroy(s->bases);
    sumac_context_destroy(s->context);
    free(s->scalars);
    free(s->expected);
    free(s->results);
}

/* ---- kinds of memory ---- */

/* Managed memory belongs to both the host and the device, so that a call may name either as its location. */
typedef enum memory_kind {
    PAGEABLE,
    PINNED,
    ON_DEVICE,
    MANAGED_HOST,
    MANAGED_DEVICE,
    MEMORY_KINDS
} memory_kind;

static const char *const kind_names[] = {"pageable", "pinned", "device", "managed (as the host's)",
                                         "managed (as the device's)"};

static sumac_location location_of(memory_kind kind)
{
    return kind == ON_DEVICE || kind == MANAGED_DEVICE ? SUMAC_LOCATION_DEVICE : SUMAC_LOCATION_HOST;
}

static void *take(memory_kind kind, size_t bytes)
{
    void *memory = NULL;
    switch (kind) {
    case PAGEABLE:
        return test_alloc(bytes);
    case PINNED:
        must(cudaMallocHost(&memory, bytes), "page-locked memory");
        return memory;
    case MANAGED_HOST:
    case MANAGED_DEVICE:
        must(cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal), "managed memory");
        return memory;
    default:
        must(cudaMalloc(&memory, bytes), "device memory");
        return memory;
    }
}

static void give(memory_kind kind, void *memory)
{
    if (kind == PAGEABLE) {
        free(memory);
    } else {
        must(kind == PINNED ? cudaFreeHost(memory) : cudaFree(memory), "freeing memory");
    }
}

/* Make one call with its scalars and results in memory of these kinds. */
static void call_with_memory(scene *s, memory_kind from, memory_kind to, sumac_msm_config config)
{
    char label[160];
    void *scalars = take(from, s->scalar_bytes), *results = take(to, s->result_bytes);
    snprintf(label, sizeof label, "%s to %s memory, tuning %s", kind_names[from], kind_names[to],
             config.tuning == NULL ? "" : config.tuning);
    must(cudaMemcpy(scalars, s->scalars, s->scalar_bytes, cudaMemcpyDefault), "scalars");
    must(cudaDeviceSynchronize(), "scalars");
    config.batch = s->batch;
    config.scalars_location = location_of(from);
    config.result_location = location_of(to);
    test_status(s->context, exact_msm(s->context, s->bases, scalars, s->n, &config, results), SUMAC_OK,
                label);
    memset(s->results, 0xa5, s->result_bytes);
    must(cudaMemcpy(s->results, results, s->result_bytes, cudaMemcpyDefault), "results");
    if (memcmp(s->results, s->expected, s->result_bytes) != 0) {
        test_abort("%s: a wrong result", label);
    }
    give(from, scalars);
    give(to, results);
}

static void test_locations(void **state)
{
    CLEANUP(free_scene) scene s = make_scene(*state, 301, 3, 2);
    for (int from = PAGEABLE; from < MEMORY_KINDS; from++) {
        for (int to = PAGEABLE; to < MEMORY_KINDS; to++) {
            for (uint32_t turn = 0; turn < 12; turn++) {
                sumac_msm_config config = {.size = sizeof config};
                config.tuning = test_tuning("chunks=%u,copy_slices=%u", turn % 3, (turn + (uint32_t)to) % 5);
                call_with_memory(&s, (memory_kind)from, (memory_kind)to, config);
            }
        }
    }
}

/* The scalars fill several blocks of the page-locked staging in each copy slice, and several threads fill the blocks. */
static void test_large_copies(void **state)
{
    CLEANUP(free_scene) scene s = make_scene(*state, options.quick ? 70000 : 300001, 1, 1);
    for (uint32_t turn = 0; turn < 15; turn++) {
        sumac_msm_config config = {.size = sizeof config};
        config.tuning = test_tuning("chunks=%u,copy_slices=%u", 1 + turn / 5, turn % 5);
        call_with_memory(&s, PAGEABLE, PAGEABLE, config);
        call_with_memory(&s, PINNED, PAGEABLE, config);
    }
    free_scene(&s);
    s = make_scene(*state, 60001, 7, 1);
    for (uint32_t copy_slices = 1; copy_slices <= 4; copy_slices++) {
        sumac_msm_config config = {.size = sizeof config};
        config.tuning = test_tuning("copy_slices=%u", copy_slices);
        call_with_memory(&s, PAGEABLE, PAGEABLE, config);
        call_with_memory(&s, PINNED, ON_DEVICE, config);
    }
}

static void expect_misplaced(scene *s, const void *scalars, const sumac_msm_config *config, void *results,
                             const char *named)
{
    test_status(s->context, exact_msm(s->context, s->bases, scalars, s->n, config, results),
                SUMAC_BAD_ARGUMENT, named);
    if (strstr(sumac_context_message(s->context), named) == NULL) {
        test_abort("the message \"%s\" does not say \"%s\"", sumac_context_message(s->context), named);
    }
}

static void test_misplaced(void **state)
{
    CLEANUP(free_scene) scene s = make_scene(*state, 20, 1, 1);
    uint8_t *device = take(ON_DEVICE, s.scalar_bytes + 8);
    sumac_msm_config config = {.size = sizeof config};
    expect_misplaced(&s, device, &config, s.results, "scalars lie on the device");
    expect_misplaced(&s, s.scalars, &config, device, "results lie on the device");
    config.scalars_location = SUMAC_LOCATION_DEVICE;
    expect_misplaced(&s, s.scalars, &config, s.results, "scalars lie on the host");
    expect_misplaced(&s, device + 4, &config, s.results, "multiple of 8");
    config = (sumac_msm_config){.size = sizeof config};
    config.result_location = SUMAC_LOCATION_DEVICE;
    expect_misplaced(&s, s.scalars, &config, s.results, "results lie on the host");
    config = (sumac_msm_config){.size = sizeof config, .tuning = "copy_slices=5"};
    expect_misplaced(&s, s.scalars, &config, s.results, "copy_slices");
    config = (sumac_msm_config){.size = sizeof config};
    config.scalars_location = (sumac_location)2;
    expect_misplaced(&s, s.scalars, &config, s.results, "location");

    /* An MSM of no bases is infinity, also on the device. */
    config = (sumac_msm_config){.size = sizeof config};
    config.result_location = SUMAC_LOCATION_DEVICE;
    must(cudaMemset(device, 0xa5, s.result_bytes), "memset");
    TEST_OK(s.context, exact_msm(s.context, s.bases, NULL, 0, &config, device));
    must(cudaMemcpy(s.results, device, s.result_bytes, cudaMemcpyDefault), "results");
    for (size_t i = 0; i < s.result_bytes; i++) {
        assert_int_equal(s.results[i], 0);
    }
    give(ON_DEVICE, device);
}

/* Bases are created from records with a stride in the device's memory. */
static void test_bases_on_device(void **state)
{
    test_group *t = *state;
    CLEANUP(free_scene) scene s = make_scene(t, 100, 1, 1);
    const size_t point = t->info->point_bytes, stride = point + 24;
    AUTO_FREE uint8_t *points = test_alloc(s.n * point), *records = test_alloc(s.n * stride);
    TEST_OK(s.context, exact_get(s.context, s.bases, 0, s.n, points));
    memset(records, 0x77, s.n * stride);
    for (size_t i = 0; i < s.n; i++) {
        memcpy(records + i * stride, points + i * point, point);
    }
    uint8_t *device = take(ON_DEVICE, s.n * stride);
    must(cudaMemcpy(device, records, s.n * stride, cudaMemcpyDefault), "records");
    sumac_bases_config config = {.size = sizeof config};
    sumac_bases *bases = NULL;
    config.stride = stride;
    config.location = SUMAC_LOCATION_DEVICE; /* by default the points are checked to lie on the curve */
    TEST_OK(s.context, exact_create(s.context, t->group, device, s.n, &config, &bases));
    test_msm(s.context, bases, s.scalars, s.n, NULL, s.expected, "bases from the device");
    sumac_bases_destroy(bases);
    uint8_t *managed = take(MANAGED_DEVICE, s.n * stride);
    memcpy(managed, records, s.n * stride);
    TEST_OK(s.context, exact_create(s.context, t->group, managed, s.n, &config, &bases));
    test_msm(s.context, bases, s.scalars, s.n, NULL, s.expected, "bases from managed memory");
    sumac_bases_destroy(bases);
    give(MANAGED_DEVICE, managed);
    records[57 * stride] ^= 1;
    must(cudaMemcpy(device, records, s.n * stride, cudaMemcpyDefault), "records");
    test_sentence(s.context, exact_create(s.context, t->group, device, s.n, &config, &bases),
                  SUMAC_NOT_ON_CURVE, "57");
    assert_null(bases);
    TEST_BAD(s.context, exact_create(s.context, t->group, points, s.n, &config, &bases));
    give(ON_DEVICE, device);
}

/* ---- records on the device ---- */

enum { RECORDS = 300 };

/* These are the contents of a record. */
typedef enum record_kind {
    GOOD,
    X_IS_P,
    LAST_IS_P, /* y is p, or over Fp2 its c1 is; the point is also off the curve */
    ALL_ONES,
    ZEROS, /* infinity, or a point off the curve if infinity has a flag */
    OFF_THE_CURVE,
    OUTSIDE, /* outside the subgroup, if there is such a point */
    RECORD_KINDS
} record_kind;

/* These are equal records in the host's memory and in the device's. Both begin `shift` bytes after a multiple of 256,
 * and end with the last byte that may be read. */
typedef struct records {
    test_group *t;
    sumac_context *context, *cpu;
    uint8_t *points; /* the raw points that good records must become */
    uint8_t *outside;
    record_kind kinds[RECORDS];
    sumac_bases_config config;
    size_t shift;
} records;

static records make_records(test_group *t)
{
    records r = {.t = t, .context = test_context(2, 0), .cpu = context_on("cpu", 0)};
    static const uint8_t zeros[8 * 4 * 12];
    ORACLE_POINT(outside);
    r.points = test_alloc(RECORDS * (size_t)t->info->point_bytes);
    r.outside = test_alloc(t->info->point_bytes);
    r.config = (sumac_bases_config){.size = sizeof(sumac_bases_config)};
    test_random_points(t, r.points, NULL, RECORDS);
    for (size_t i = 0; i < RECORDS; i++) { /* one in eleven points of the tiny group is infinity */
        uint8_t *point = r.points + i * t->info->point_bytes;
        if (memcmp(point, zeros, t->info->point_bytes) == 0) {
            oracle_point_to_raw(&t->oracle, point, &t->oracle.generator);
        }
    }
    oracle_random_curve_point(&t->oracle, &outside, t->random);
    oracle_point_to_raw(&t->oracle, r.outside, &outside);
    return r;
}

static void free_records(records *r)
{
    sumac_context_destroy(r->context);
    sumac_context_destroy(r->cpu);
    free(r->points);
    free(r->outside);
}

static size_t stride_of(const records *r)
{
    return r->config.stride != 0 ? r->config.stride : r->t->info->point_bytes;
}

/* Write record i, which is a raw point in the configuration's form. Its bytes may also be no point in any form. */
static void write_record(const records *r, size_t i, uint8_t *record)
{
    const test_group *t = r->t;
    const size_t bytes = t->info->point_bytes, element = t->info->field_bytes;
    const record_kind kind = r->kinds[i];
    memcpy(record, kind == OUTSIDE ? r->outside : r->points + i * bytes, bytes);
    if (kind == OFF_THE_CURVE) {
        memcpy(record + bytes / 2, record, bytes / 2); /* y = x */
    } else if (kind == ZEROS) {
        memset(record, 0, bytes);
    }
    if (r->config.form == SUMAC_FORM_MONTGOMERY) {
        ORACLE_POINT(point);
        oracle_point_from_raw(&t->oracle, &point, record);
        oracle_point_to_affine(&t->oracle, record, &point); /* the CPU stores points in Montgomery form */
    }
    if (kind == X_IS_P || kind == LAST_IS_P) {
        memcpy(record + (kind == X_IS_P ? 0 : bytes - element), t->info->modulus, element);
    } else if (kind == ALL_ONES) {
        memset(record, 0xff, bytes);
    }
    if (r->config.infinity == SUMAC_INFINITY_FLAG) {
        record[r->config.infinity_offset] = 0;
    }
}

/* Return the status that a record must have according to the documentation of the configuration. */
static sumac_status verdict_on(const records *r, record_kind kind)
{
    const sumac_check check = r->config.check;
    switch (kind) {
    case X_IS_P:
    case LAST_IS_P:
    case ALL_ONES:
        return SUMAC_BAD_ENCODING;
    case ZEROS:
        return r->config.infinity == SUMAC_INFINITY_FLAG ? SUMAC_NOT_ON_CURVE : SUMAC_OK;
    case OFF_THE_CURVE:
        return check == SUMAC_CHECK_NONE ? SUMAC_OK : SUMAC_NOT_ON_CURVE;
    case OUTSIDE:
        return check == SUMAC_CHECK_SUBGROUP && !r->t->info->cofactor_is_one ? SUMAC_NOT_IN_SUBGROUP
                                                                             : SUMAC_OK;
    default:
        return SUMAC_OK;
    }
}

static void expect_same_tables(const records *r, const sumac_bases *a, const sumac_bases *b)
{
    const bases_table *table = &a->shards[0].table;
    const uint64_t count = table->count * table->factor * table->glv_terms;
    const size_t bytes = count * context_code(r->cpu, r->t->group)->affine_bytes;
    AUTO_FREE uint8_t *of_a = test_alloc(bytes), *of_b = test_alloc(bytes);
    assert_int_equal(info_of(a).bytes, info_of(b).bytes);
    assert_int_equal(bases_copy(r->context, a, 0, count, of_a), SUMAC_OK);
    assert_int_equal(bases_copy(r->context, b, 0, count, of_b), SUMAC_OK);
    assert_memory_equal(of_a, of_b, bytes);
}

/* Require that bases are as expected if they come from the device's memory, and also if the CPU or the device imports
 * them from the host's memory. Record `flagged` is infinity by its flag. If `flagged` is RECORDS, no record is. */
static void expect_import(records *r, size_t flagged, const char *what)
{
    const size_t bytes = r->t->info->point_bytes, stride = stride_of(r);
    const int flag = r->config.infinity == SUMAC_INFINITY_FLAG;
    const size_t last = flag && r->config.infinity_offset >= bytes ? r->config.infinity_offset + 1 : bytes;
    const size_t size = r->shift + (RECORDS - 1) * stride + last;
    uint8_t *packed = test_alloc(RECORDS * stride), *host = test_alloc(size), *device = take(ON_DEVICE, size);
    AUTO_FREE uint8_t *expected = test_alloc(RECORDS * bytes), *points = test_alloc(RECORDS * bytes);
    sumac_status verdict = SUMAC_OK;
    char label[120], number[32] = "";
    memset(packed, 0xa5, RECORDS * stride);
    for (size_t i = RECORDS; i-- > 0;) {
        write_record(r, i, packed + i * stride);
        memcpy(expected + i * bytes, r->points + i * bytes, bytes);
        if (r->kinds[i] == ZEROS || i == flagged) {
            memset(expected + i * bytes, 0, bytes);
        } else if (r->kinds[i] == OUTSIDE) {
            memcpy(expected + i * bytes, r->outside, bytes);
        } else if (r->kinds[i] == OFF_THE_CURVE) {
            memcpy(expected + i * bytes + bytes / 2, expected + i * bytes, bytes / 2);
        }
        if (i == flagged) {
            packed[i * stride + r->config.infinity_offset] = (uint8_t)(1 << i % 8);
        } else if (verdict_on(r, r->kinds[i]) != SUMAC_OK) {
            verdict = verdict_on(r, r->kinds[i]);
            snprintf(number, sizeof number, "point %zu: ", i);
        }
    }
    snprintf(label, sizeof label, "%s: form %d, stride %zu, flag %d at %zu, shift %zu, check %d", what,
             (int)r->config.form, stride, flag, r->config.infinity_offset, r->shift, (int)r->config.check);
    memcpy(host + r->shift, packed, size - r->shift);
    must(cudaMemcpy(device, host, size, cudaMemcpyDefault), "records");
    CLEANUP(destroy_bases) sumac_bases *bases = NULL, *by_cpu = NULL, *from_host = NULL;
    r->config.location = SUMAC_LOCATION_DEVICE;
    test_status(r->context,
                exact_create(r->context, r->t->group, device + r->shift, RECORDS, &r->config, &bases),
                verdict, label);
    r->config.location = SUMAC_LOCATION_HOST;
    test_status(r->cpu, exact_create(r->cpu, r->t->group, host + r->shift, RECORDS, &r->config, &by_cpu),
                verdict, label);
    assert_string_equal(sumac_context_message(r->context), sumac_context_message(r->cpu));
    assert_memory_equal(sumac_context_message(r->context), number, strlen(number));
    assert_int_equal(bases == NULL, verdict != SUMAC_OK);
    test_status(r->context,
                exact_create(r->context, r->t->group, host + r->shift, RECORDS, &r->config, &from_host),
                verdict, label);
    assert_string_equal(sumac_context_message(r->context), sumac_context_message(r->cpu));
    if (verdict == SUMAC_OK) {
        test_status(r->context, exact_get(r->context, bases, 0, RECORDS, points), SUMAC_OK, label);
        assert_memory_equal(points, expected, RECORDS * bytes);
        expect_same_tables(r, bases, from_host);
    }
    give(ON_DEVICE, device);
    free(packed);
    free(host);
}

/* Records have both forms, several strides, flags and addresses. Bases have multiples, images, or neither. */
static void test_record_layouts(void **state)
{
    CLEANUP(free_records) records r = make_records(*state);
    const size_t bytes = r.t->info->point_bytes;
    const struct {
        size_t padding; /* bytes after a point */
        sumac_infinity infinity;
        size_t offset;
    } layouts[] = {{0, SUMAC_INFINITY_ZERO, 0},         {24, SUMAC_INFINITY_ZERO, 0},
                   {1, SUMAC_INFINITY_ZERO, 0},         {1, SUMAC_INFINITY_FLAG, bytes},
                   {8, SUMAC_INFINITY_FLAG, bytes + 3}, {bytes, SUMAC_INFINITY_FLAG, 2 * bytes - 1}};
    for (uint32_t turn = 0; turn < 48; turn++) {
        const size_t flagged = turn * 7 % RECORDS;
        const size_t number = turn % (sizeof layouts / sizeof *layouts);
        const int flag = layouts[number].infinity == SUMAC_INFINITY_FLAG;
        r.config = (sumac_bases_config){.size = sizeof(sumac_bases_config)};
        r.config.form = turn / 2 % 2 == 0 ? SUMAC_FORM_CANONICAL : SUMAC_FORM_MONTGOMERY;
        r.config.stride = number == 0 && turn % 4 < 2 ? 0 : bytes + layouts[number].padding;
        r.config.infinity = layouts[number].infinity;
        r.config.infinity_offset = layouts[number].offset;
        r.config.check = (sumac_check)(1 + turn % 3);
        r.config.precompute_factor = turn / 3 % 3;
        r.config.outside_subgroup = turn % 5 == 0 && r.config.check != SUMAC_CHECK_SUBGROUP;
        r.shift = turn * 5 % 17;
        memset(r.kinds, 0, sizeof r.kinds);
        r.kinds[0] = flag ? GOOD : ZEROS;
        r.kinds[RECORDS - 1 - turn] = flag ? GOOD : ZEROS;
        r.kinds[turn] = r.config.check == SUMAC_CHECK_SUBGROUP ? GOOD : OUTSIDE;
        r.kinds[flagged] = flag ? ALL_ONES : r.kinds[flagged]; /* only the flag decides */
        expect_import(&r, flag ? flagged : RECORDS, "layout");
    }
}

/* If several records are bad, the message names the first one, and says what is wrong with it. */
static void test_bad_records(void **state)
{
    static const size_t indices[] = {0, 31, 32, 127, 128, RECORDS - 1};
    CLEANUP(free_records) records r = make_records(*state);
    const size_t bytes = r.t->info->point_bytes;
    for (uint32_t turn = 0; turn < 2 * 3 * (RECORD_KINDS - 1); turn++) {
        const record_kind kind = (record_kind)(1 + turn / 6),
                          other = (record_kind)(1 + (turn / 6 + turn) % 6);
        r.config = (sumac_bases_config){.size = sizeof(sumac_bases_config)};
        r.config.check = (sumac_check)(1 + turn % 3);
        r.config.form = turn / 3 % 2 == 0 ? SUMAC_FORM_CANONICAL : SUMAC_FORM_MONTGOMERY;
        r.config.infinity = turn % 4 == 0 ? SUMAC_INFINITY_FLAG : SUMAC_INFINITY_ZERO;
        r.config.infinity_offset = r.config.infinity == SUMAC_INFINITY_FLAG ? bytes : 0;
        r.config.stride = bytes + turn % 4 * 3 + (turn % 4 == 0);
        r.shift = turn % 9;
        for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
            memset(r.kinds, 0, sizeof r.kinds);
            for (size_t j = indices[i]; j < RECORDS; j += 1 + j % 5) {
                r.kinds[j] = other;
            }
            r.kinds[indices[i]] = kind;
            expect_import(&r, RECORDS, "bad records");
        }
    }
}

/* Records of host-resident bases are copied to the host and imported there. */
static void test_host_resident_records(void **state)
{
    CLEANUP(free_records) records r = make_records(*state);
    const size_t bytes = r.t->info->point_bytes;
    uint8_t *device = take(ON_DEVICE, RECORDS * bytes), *points = test_alloc(RECORDS * bytes);
    for (int bad = 0; bad < 2; bad++) {
        CLEANUP(destroy_bases) sumac_bases *bases = NULL;
        r.config.location = SUMAC_LOCATION_DEVICE;
        r.config.check = SUMAC_CHECK_CURVE;
        r.config.outside_subgroup = 1; /* without images the table is the first allocation */
        must(cudaMemcpy(device, r.points, RECORDS * bytes, cudaMemcpyDefault), "records");
        if (bad) {
            must(cudaMemset(device + 200 * bytes, 0xff, bytes), "a bad record");
        }
        (void)r.context->executors.at->backend->device->fail_call(r.context->executors.at->engine,
                                                                  1); /* the table's allocation */
        test_status(r.context, exact_create(r.context, r.t->group, device, RECORDS, &r.config, &bases),
                    bad ? SUMAC_BAD_ENCODING : SUMAC_OK, "host-resident bases from the device");
        if (bad) {
            assert_non_null(strstr(sumac_context_message(r.context), "point 200: "));
            assert_null(bases);
        } else {
            assert_true(bases->shards[0].table.host_resident);
            assert_int_equal(exact_get(r.context, bases, 0, RECORDS, points), SUMAC_OK);
            assert_memory_equal(points, r.points, RECORDS * bytes);
        }
    }
    give(ON_DEVICE, device);
    free(points);
}

/* ---- bases ---- */

/* The device's multiples equal those of the CPU bit for bit, and each of the two reads a table of the other. There are
 * enough buckets for rounds in place. */
static void test_multiples(void **state)
{
    test_group *t = *state;
    enum { N = 60 };
    char path[] = "/tmp/sumac-device-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    sumac_context_config cpu_config = {.size = sizeof cpu_config};
    cpu_config.backend = "cpu";
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0), *cpu = NULL;
    assert_int_equal(sumac_context_create(&cpu_config, &cpu, NULL), SUMAC_OK);
    AUTO_FREE uint8_t *points = test_alloc(N * (size_t)t->info->point_bytes);
    AUTO_FREE uint8_t *scalars = test_alloc(N * (size_t)t->info->scalar_bytes);
    AUTO_FREE uint8_t *expected = test_alloc(t->info->point_bytes);
    test_random_points(t, points, NULL, N);
    memset(points + 7 * (size_t)t->info->point_bytes, 0, t->info->point_bytes);
    test_random_scalars(t, scalars, N);
    oracle_msm(&t->oracle, expected, points, scalars, N);

    sumac_bases_config bases_config = {.size = sizeof bases_config};
    bases_config.tuning = test_tuning("c=%u", 19);
    bases_config.precompute_factor = t->info->scalar_bits;
    sumac_bases *multiples[] = {test_bases(context, t, points, N, &bases_config),
                                test_bases(cpu, t, points, N, &bases_config)};
    const uint64_t count = (uint64_t)N * multiples[0]->shards[0].table.factor;
    const size_t bytes = count * context_code(cpu, t->group)->affine_bytes;
    AUTO_FREE uint8_t *device_table = test_alloc(bytes), *cpu_table = test_alloc(bytes);
    assert_int_equal(bases_copy(context, multiples[0], 0, count, device_table), SUMAC_OK);
    assert_int_equal(bases_copy(cpu, multiples[1], 0, count, cpu_table), SUMAC_OK);
    assert_memory_equal(device_table, cpu_table, bytes);

    sumac_bases *loaded[] = {NULL, NULL};
    TEST_OK(context, sumac_bases_save(context, multiples[0], path, NULL));
    TEST_OK(context, open_trusted(context, t->group, path, &loaded[0]));
    TEST_OK(cpu, open_trusted(cpu, t->group, path, &loaded[1]));
    for (uint32_t copy_slices = 1; copy_slices <= 3; copy_slices += 2) {
        sumac_msm_config config = {.size = sizeof config};
        config.tuning = test_tuning("copy_slices=%u", copy_slices);
        test_msm(context, multiples[0], scalars, N, &config, expected, "multiples");
        test_msm(context, loaded[0], scalars, N, &config, expected, "a loaded table");
    }
    test_msm(cpu, loaded[1], scalars, N, NULL, expected, "a loaded table on the CPU");
    for (int i = 0; i < 2; i++) {
        sumac_bases_destroy(multiples[i]);
        sumac_bases_destroy(loaded[i]);
    }
    unlink(path);
}

/* Bases with multiples are copied to the device in several segments. While one segment is copied, the next bases are
 * imported. */
static void test_large_bases(void **state)
{
    test_group *t = *state;
    const size_t segment = (size_t)1 << 20, point = t->info->point_bytes;
    CLEANUP(free_scene) scene s = make_scene(t, 2 * segment + 77, 1, 2);
    AUTO_FREE uint8_t *points = test_alloc(s.n * point);
    sumac_bases *bases = NULL;
    sumac_bases_config config = {.size = sizeof config};
    config.precompute_factor = 2;
    test_msm(s.context, s.bases, s.scalars, s.n, NULL, s.expected, "known bases");
    TEST_OK(s.context, exact_get(s.context, s.bases, 0, s.n, points));
    TEST_OK(s.context, exact_create(s.context, t->group, points, s.n, &config, &bases));
    test_msm(s.context, bases, s.scalars, s.n, NULL, s.expected, "bases from the host's memory");
    sumac_bases_destroy(bases);
    uint8_t *device = take(ON_DEVICE, s.n * point);
    must(cudaMemcpy(device, points, s.n * point, cudaMemcpyDefault), "points");
    config.location = SUMAC_LOCATION_DEVICE;
    config.check = SUMAC_CHECK_SUBGROUP;
    TEST_OK(s.context, exact_create(s.context, t->group, device, s.n, &config, &bases));
    test_msm(s.context, bases, s.scalars, s.n, NULL, s.expected, "bases from the device's memory");
    sumac_bases_destroy(bases);
    points[(segment + 5) * point] ^= 1;
    must(cudaMemcpy(device, points, s.n * point, cudaMemcpyDefault), "points");
    config.check = (sumac_bases_config){.size = sizeof(sumac_bases_config)}.check;
    for (int place = SUMAC_LOCATION_HOST; place <= SUMAC_LOCATION_DEVICE; place++) {
        config.location = (sumac_location)place;
        test_sentence(s.context,
                      exact_create(s.context, t->group, place == SUMAC_LOCATION_HOST ? points : device, s.n,
                                   &config, &bases),
                      SUMAC_NOT_ON_CURVE, "point 1048581: ");
        assert_null(bases);
    }
    give(ON_DEVICE, device);
    test_msm(s.context, s.bases, s.scalars, s.n, NULL, s.expected, "after the bad point");
}

/* Create the scene's bases again while the device has no memory for them. */
static sumac_bases *make_host_resident(const scene *s, uint32_t page_locked)
{
    sumac_bases *host_resident = NULL;
    sumac_bases_config config = {.size = sizeof config};
    config.outside_subgroup = 1; /* otherwise images of the bases would be given up first */
    config.page_locked = page_locked;
    (void)s->context->executors.at->backend->device->fail_call(s->context->executors.at->engine,
                                                               1); /* the table's allocation */
    TEST_OK(s->context,
            sumac_known_bases_create(s->context, s->t->group, s->n, SEED, &config, &host_resident));
    assert_true(host_resident->shards[0].table.host_resident);
    assert_int_equal(host_resident->shards[0].page_locked, page_locked);
    return host_resident;
}

/* If the device has no memory for bases, they are copied chunk by chunk from the host's memory. */
static void test_host_resident_bases(void **state)
{
    test_group *t = *state;
    CLEANUP(free_scene) scene s = make_scene(t, 500, 3, 1);
    CLEANUP(destroy_bases) sumac_bases *host_resident = make_host_resident(&s, 0), *multiples = NULL;
    CLEANUP(destroy_bases) sumac_bases *page_locked = make_host_resident(&s, 1);
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    bases_config.outside_subgroup = 1;
    (void)s.context->executors.at->backend->device->fail_call(s.context->executors.at->engine, 1);
    bases_config.precompute_factor = 2;
    TEST_OK(s.context, sumac_known_bases_create(s.context, t->group, s.n, SEED, &bases_config, &multiples));
    assert_int_equal(info_of(multiples).precompute_factor, 1); /* half as many multiples fit */
    assert_false(multiples->shards[0].table.host_resident);
    for (uint32_t turn = 0; turn < 24; turn++) {
        sumac_msm_config config = {.size = sizeof config};
        config.batch = s.batch;
        config.tuning = test_tuning("chunks=%u,copy_slices=%u,c=%u", turn % 5, turn % 4, 3 + turn % 7);
        test_msm(s.context, host_resident, s.scalars, s.n, &config, s.expected, "host-resident bases");
        test_msm(s.context, page_locked, s.scalars, s.n, &config, s.expected,
                 "page-locked host-resident bases");
    }
    /* MSM j uses separate bases. Its result must equal that of the same call with bases that fit. */
    sumac_msm_config config = {.size = sizeof config};
    const size_t n = s.n / 5;
    AUTO_FREE uint8_t *expected = test_alloc(4 * (size_t)t->info->point_bytes);
    config.batch = 4;
    config.base_sets = 4;
    config.first = 7;
    TEST_OK(s.context, exact_msm(s.context, s.bases, s.scalars, n, &config, expected));
    for (uint32_t chunks = 1; chunks < 6; chunks++) {
        config.tuning = test_tuning("chunks=%u,copy_slices=%u", chunks, chunks % 3);
        test_msm(s.context, host_resident, s.scalars, n, &config, expected, "separate host-resident bases");
    }
    config.base_sets = 2;
    config.tuning = NULL;
    TEST_OK(s.context, exact_msm(s.context, s.bases, s.scalars, n, &config, expected));
    for (uint32_t chunks = 1; chunks < 6; chunks++) {
        config.tuning = test_tuning("chunks=%u", chunks);
        test_msm(s.context, host_resident, s.scalars, n, &config, expected,
                 "sets of host-resident bases in turns");
    }
    uint8_t *points = test_alloc(2 * s.n * t->info->point_bytes), *same = points + s.n * t->info->point_bytes;
    TEST_OK(s.context, exact_get(s.context, host_resident, 0, s.n, points));
    TEST_OK(s.context, exact_get(s.context, s.bases, 0, s.n, same));
    assert_memory_equal(points, same, s.n * t->info->point_bytes);
    free(points);
}

/* Host-resident bases and their scalars come from all kinds of memory, in several blocks for each copy slice. A chunk
 * takes one pass or several passes. If it takes several, the next chunk is copied during the first pass. */
static void test_large_host_resident(void **state)
{
    CLEANUP(free_scene) scene s = make_scene(*state, options.quick ? 70000 : 300001, 1, 1);
    sumac_bases *resident = s.bases;
    sumac_bases *kinds[] = {make_host_resident(&s, 0), make_host_resident(&s, 1)};
    int passes = 0,
        kept = 0; /* calls whose chunks take several passes; those that keep buckets between chunks */
    for (uint32_t turn = 0; turn < 25; turn++) {
        sumac_msm_config config = {.size = sizeof config};
        test_plan plan = {0};
        s.bases = kinds[turn % 2];
        config.tuning = test_tuning("chunks=%u,copy_slices=%u", turn / 5, turn % 5);
        s.context->executors.at->means.memory_limit = 0;
        TEST_OK(s.context, test_msm_plan(s.context, s.bases, s.n, &config, &plan));
        for (uint64_t eighths = 8; eighths >= 4; eighths -= 2) {
            const uint64_t limit = test_plan_bytes(&plan, "workspace") / 8 * eighths;
            test_plan limited = {0};
            s.context->executors.at->means.memory_limit = eighths == 8 ? 0 : limit;
            if (test_msm_plan(s.context, s.bases, s.n, &config, &limited) == SUMAC_MEMORY_LIMIT) {
                continue; /* not even one window's arrays fit */
            }
            passes += limited.chunks > 1 && limited.passes > 1;
            for (int from = PAGEABLE; from < MEMORY_KINDS; from++) {
                call_with_memory(&s, (memory_kind)from, PAGEABLE, config);
            }
            const msm_plan *used = &s.context->executors.at->call.plan;
            kept += used->keeps_buckets;
        }
    }
    assert_true(passes > 0 && kept > 0);
    s.bases = resident;
    sumac_bases_destroy(kinds[0]);
    sumac_bases_destroy(kinds[1]);
}

/* Even if the device could hold the bases, they stay on the host if the calls' workspaces would not fit beside them. */
static void test_little_memory_for_workspaces(void **state)
{
    test_group *t = *state;
    CLEANUP(free_scene) scene s = make_scene(t, (size_t)1 << 20, 1, 1);
    const size_t bytes = s.n * context_code(s.context, t->group)->affine_bytes;
    const size_t left = ((size_t)516 << 20) + bytes + bytes / 8; /* the engine leaves 512 MiB alone */
    for (int full = 1; full >= 0; full--) {
        size_t available = 0, total = 0;
        void *others = NULL;
        CLEANUP(destroy_bases) sumac_bases *bases = NULL;
        must(cudaMemGetInfo(&available, &total), "free memory");
        if (full) {
            assert_true(available > left);
            must(cudaMalloc(&others, available - left), "other's memory");
        }
        TEST_OK(s.context, sumac_known_bases_create(s.context, t->group, s.n, SEED, NULL, &bases));
        assert_int_equal(bases->shards[0].table.host_resident, full);
        test_msm(s.context, bases, s.scalars, s.n, NULL, s.expected, "bases beside others' memory");
        must(cudaFree(others), "free");
    }
}

/* ---- streams ---- */

/* This is a copy within the host's memory that the stream makes. A copy by the runtime would be made by its caller. */
typedef struct host_copy {
    void *to;
    const void *from;
    size_t bytes;
} host_copy;

static void copy_on_stream(void *argument)
{
    const host_copy *copy = argument;
    memcpy(copy->to, copy->from, copy->bytes);
}

/* The caller's stream first writes the scalars, then does the call, and then uses the results. If `held` is set,
 * the stream is held up until the call has returned. */
static void stream_once(scene *s, cudaStream_t stream, cudaEvent_t event, memory_kind from,
                        uint32_t copy_slices, int held)
{
    gate g = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, !held};
    uint8_t *source = take(PINNED, s->scalar_bytes), *scalars = take(from, s->scalar_bytes);
    uint8_t *results = take(ON_DEVICE, s->result_bytes), *copy = take(PINNED, s->result_bytes);
    sumac_msm_config config = {.size = sizeof config};
    config.batch = s->batch;
    config.tuning = test_tuning("copy_slices=%u", copy_slices);
    config.scalars_location = location_of(from);
    config.result_location = SUMAC_LOCATION_DEVICE;
    memcpy(source, s->scalars, s->scalar_bytes);
    must(cudaMemset(scalars, 0x5a, s->scalar_bytes), "garbage");
    must(cudaDeviceSynchronize(), "garbage");
    /* This call grows the workspace before the stream is held up. */
    TEST_OK(s->context, sumac_context_set_stream(s->context, NULL));
    TEST_OK(s->context, exact_msm(s->context, s->bases, scalars, s->n, &config, results));
    TEST_OK(s->context, sumac_context_set_stream(s->context, stream));
    const host_copy bring = {scalars, source, s->scalar_bytes};
    must(cudaLaunchHostFunc(stream, wait_at_gate, &g), "gate");
    if (from == ON_DEVICE) {
        must(cudaMemcpyAsync(scalars, source, s->scalar_bytes, cudaMemcpyDefault, stream), "scalars");
    } else {
        must(cudaLaunchHostFunc(stream, copy_on_stream, (void *)(uintptr_t)&bring), "scalars");
    }
    TEST_OK(s->context, exact_msm(s->context, s->bases, scalars, s->n, &config, results));
    must(cudaEventRecord(event, stream), "event");
    must(cudaMemcpyAsync(copy, results, s->result_bytes, cudaMemcpyDefault, stream), "results");
    if (held) {
        assert_int_equal(cudaEventQuery(event), cudaErrorNotReady);
    }
    open_gate(&g);
    must(cudaStreamSynchronize(stream), "stream");
    must(cudaEventQuery(event), "event");
    assert_memory_equal(copy, s->expected, s->result_bytes);
    assert_int_equal(sumac_context_wait(s->context), SUMAC_OK);
    give(PINNED, source);
    give(from, scalars);
    give(ON_DEVICE, results);
    give(PINNED, copy);
}

static void *open_gate_late(void *g)
{
    const struct timespec pause = {.tv_nsec = 50000000};
    nanosleep(&pause, NULL);
    open_gate(g);
    return NULL;
}

/* When a call without a stream is made, the default stream may not have written the call's inputs on the device yet. */
static void test_default_stream(void **state)
{
    test_group *t = *state;
    CLEANUP(free_scene) scene s = make_scene(t, 200, 1, 1);
    const size_t point_bytes = s.n * t->info->point_bytes;
    uint8_t *points = take(PINNED, point_bytes), *scalars = take(PINNED, s.scalar_bytes);
    uint8_t *device_points = take(ON_DEVICE, point_bytes), *device_scalars = take(ON_DEVICE, s.scalar_bytes);
    sumac_msm_config config = {.size = sizeof config};
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    config.scalars_location = SUMAC_LOCATION_DEVICE;
    bases_config.location = SUMAC_LOCATION_DEVICE;
    memcpy(scalars, s.scalars, s.scalar_bytes);
    TEST_OK(s.context, exact_get(s.context, s.bases, 0, s.n, points));
    for (int turn = 0; turn < 4; turn++) {
        gate g = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
        pthread_t opener;
        CLEANUP(destroy_bases) sumac_bases *bases = NULL;
        must(cudaMemset(device_scalars, 0x5a, s.scalar_bytes), "garbage");
        must(cudaMemset(device_points, 0, point_bytes), "garbage");
        must(cudaDeviceSynchronize(), "garbage");
        must(cudaLaunchHostFunc(NULL, wait_at_gate, &g), "gate");
        must(cudaMemcpyAsync(device_scalars, scalars, s.scalar_bytes, cudaMemcpyDefault, NULL), "scalars");
        must(cudaMemcpyAsync(device_points, points, point_bytes, cudaMemcpyDefault, NULL), "points");
        assert_int_equal(pthread_create(&opener, NULL, open_gate_late, &g), 0);
        if (turn % 2 == 0) {
            test_msm(s.context, s.bases, device_scalars, s.n, &config, s.expected, "scalars on their way");
        } else {
            TEST_OK(s.context, exact_create(s.context, t->group, device_points, s.n, &bases_config, &bases));
        }
        assert_int_equal(pthread_join(opener, NULL), 0);
        if (bases != NULL) {
            test_msm(s.context, bases, s.scalars, s.n, NULL, s.expected, "bases from points on their way");
        }
    }
    give(PINNED, points);
    give(PINNED, scalars);
    give(ON_DEVICE, device_points);
    give(ON_DEVICE, device_scalars);
}

static void test_streams(void **state)
{
    CLEANUP(free_scene) scene s = make_scene(*state, 1000, 2, 1);
    cudaStream_t streams[2];
    cudaEvent_t event;
    must(cudaStreamCreate(&streams[0]), "stream");
    must(cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking), "stream");
    must(cudaEventCreate(&event), "event");
    /* The stream is not held up in the first turn, because the runtime may wait for it when it loads code. */
    for (uint32_t turn = 0; turn < 6; turn++) {
        stream_once(&s, streams[turn % 2], event, ON_DEVICE, 0, turn > 0);
        stream_once(&s, streams[turn % 2], event, PINNED, turn % 5, turn > 0);
        call_with_memory(&s, PAGEABLE, PAGEABLE, (sumac_msm_config){.size = sizeof(sumac_msm_config)});
    }
    TEST_OK(s.context, sumac_context_set_stream(s.context, NULL));
    must(cudaStreamDestroy(streams[0]), "stream");
    must(cudaStreamDestroy(streams[1]), "stream");
    must(cudaEventDestroy(event), "event");
}

/* Queued calls fail or follow one another. A context is destroyed while its work is on the stream. */
static void test_stream_failures(void **state)
{
    enum { CALLS = 20 };
    test_group *t = *state;
    CLEANUP(free_scene) scene s = make_scene(t, 200, 1, 1);
    cudaStream_t stream;
    uint8_t *results = take(ON_DEVICE, s.result_bytes), *zeros = test_alloc(s.scalar_bytes);
    must(cudaStreamCreate(&stream), "stream");
    TEST_OK(s.context, sumac_context_set_stream(s.context, stream));
    sumac_msm_config config = {.size = sizeof config}, half = config;
    config.result_location = half.result_location = SUMAC_LOCATION_DEVICE;
    half.scalar_bits = t->info->scalar_bits / 2;
    must(cudaMemset(results, 0xa5, s.result_bytes), "memset");
    must(cudaDeviceSynchronize(), "memset");
    /* The first call fails, and the calls after it do not hide that. Their scalars are all 0. */
    TEST_OK(s.context, exact_msm(s.context, s.bases, s.scalars, s.n, &half, results));
    must(cudaMemcpyAsync(s.results, results, s.result_bytes, cudaMemcpyDefault, stream), "results");
    memset(zeros, 0, s.scalar_bytes);
    TEST_OK(s.context, exact_msm(s.context, s.bases, zeros, s.n, &half, results));
    for (int i = 0; i < 2; i++) {
        test_status(s.context, sumac_context_wait(s.context), SUMAC_SCALAR_TOO_LARGE, "wait");
    }
    for (size_t i = 0; i < s.result_bytes; i++) {
        assert_int_equal(s.results[i], 0xa5);
    }
    for (int i = 0; i < CALLS; i++) {
        TEST_OK(s.context, exact_msm(s.context, s.bases, s.scalars, s.n, &config, results));
    }
    TEST_OK(s.context, sumac_context_wait(s.context));
    must(cudaMemcpy(s.results, results, s.result_bytes, cudaMemcpyDefault), "results");
    assert_memory_equal(s.results, s.expected, s.result_bytes);
    must(cudaMemset(results, 0xa5, s.result_bytes), "memset");
    must(cudaDeviceSynchronize(), "memset");
    TEST_OK(s.context, exact_msm(s.context, s.bases, s.scalars, s.n, &config, results));
    sumac_context_destroy(s.context);
    s.context = NULL;
    must(cudaMemcpy(s.results, results, s.result_bytes, cudaMemcpyDefault), "results");
    assert_memory_equal(s.results, s.expected, s.result_bytes);
    must(cudaStreamDestroy(stream), "stream");
    give(ON_DEVICE, results);
    free(zeros);
}

/* ---- many contexts at once ---- */

typedef struct caller {
    scene *s;
    uint32_t number;
    int failures;
} caller;

/* Make calls with the thread's own context and shared bases. A thread must not use the harness. */
static void *call_many_times(void *argument)
{
    caller *c = argument;
    scene *s = c->s;
    sumac_context *context = NULL;
    sumac_context_config config = {.size = sizeof config};
    config.backend = options.backend;
    AUTO_FREE uint8_t *results = malloc(s->result_bytes);
    cudaStream_t stream = NULL;
    if (results == NULL || sumac_context_create(&config, &context, NULL) != SUMAC_OK ||
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) {
        c->failures++;
    }
    for (uint32_t i = 0; i < 12 && c->failures == 0; i++) {
        sumac_msm_config msm = {.size = sizeof msm};
        msm.batch = s->batch;
        msm.tuning =
            test_tuning("copy_slices=%u,chunks=%u,c=%u", (c->number + i) % 5, i % 3, 4 + (c->number + i) % 9);
        c->failures += sumac_context_set_stream(context, i % 2 == 0 ? stream : NULL) != SUMAC_OK;
        memset(results, 0xa5, s->result_bytes);
        c->failures += exact_msm(context, s->bases, s->scalars, s->n, &msm, results) != SUMAC_OK ||
                       sumac_context_wait(context) != SUMAC_OK ||
                       memcmp(results, s->expected, s->result_bytes) != 0;
    }
    sumac_context_destroy(context);
    c->failures += stream != NULL && cudaStreamDestroy(stream) != cudaSuccess;
    return NULL;
}

static void test_many_contexts(void **state)
{
    enum { CALLERS = 8 };
    CLEANUP(free_scene) scene s = make_scene(*state, 5000, 2, 1);
    caller callers[CALLERS];
    pthread_t threads[CALLERS];
    for (uint32_t i = 0; i < CALLERS; i++) {
        callers[i] = (caller){&s, i, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, call_many_times, &callers[i]), 0);
    }
    for (uint32_t i = 0; i < CALLERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    for (uint32_t i = 0; i < CALLERS; i++) {
        assert_int_equal(callers[i].failures, 0);
    }
}

/* ---- batches ---- */

/* A batch takes one sequence of launches for each pass, so that the number of calls of the runtime depends on the
 * rounds and not on the number of MSMs. All MSMs have the same scalars, so that buckets do not grow. If accumulate
 * and reduce have little to do, they take fewer rounds, each by less than c. */
static void test_batch_launches(void **state)
{
    enum { N = 64, C = 8, MOST = 500, CALLS_OF_A_ROUND = 8 };
    static const uint32_t batches[] = {1, 10, MOST};
    test_group *t = *state;
    CLEANUP(free_scene) scene s = make_scene(t, N, 1, 1);
    const device_ops *device = s.context->executors.at->backend->device;
    const size_t scalar_bytes = s.scalar_bytes, point = t->info->point_bytes;
    const uint64_t far_away = (uint64_t)1 << 40;
    uint64_t calls[sizeof batches / sizeof *batches];
    uint8_t *scalars = take(PINNED, MOST * scalar_bytes), *expected = test_alloc(MOST * point);
    for (size_t j = 0; j < MOST; j++) {
        memcpy(scalars + j * scalar_bytes, s.scalars, scalar_bytes);
        memcpy(expected + j * point, s.expected, point);
    }
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        sumac_msm_config config = {.size = sizeof config};
        config.batch = batches[i];
        config.tuning = test_tuning("c=%u,copy_slices=%u", C, 1);
        test_msm(s.context, s.bases, scalars, N, &config, expected, "a batch, to grow the workspace");
        test_plan plan = {0};
        assert_int_equal(test_msm_plan(s.context, s.bases, N, &config, &plan), SUMAC_OK);
        const uint64_t passes = plan.passes * ((plan.batch + (uint64_t)plan.sub_batch - 1) / plan.sub_batch);
        assert_true(passes < 10);
        (void)device->fail_call(s.context->executors.at->engine, far_away);
        test_msm(s.context, s.bases, scalars, N, &config, expected, "a batch");
        calls[i] = far_away - device->fail_call(s.context->executors.at->engine, 0);
        assert_in_range(calls[i], 10, passes * (calls[0] + (C - 1) * CALLS_OF_A_ROUND));
    }
    give(PINNED, scalars);
    free(expected);
}

/* ---- failures ---- */

static void expect_failure(const sumac_context *context, sumac_status status, const char *what,
                           uint64_t number)
{
    if (status != SUMAC_OUT_OF_MEMORY && status != SUMAC_DEVICE_FAILED) {
        test_abort("%s, call %u of the runtime fails: status %d (%s), \"%s\"", what, (unsigned)number,
                   (int)status, sumac_status_text(status), sumac_context_message(context));
    }
    assert_true(strlen(sumac_context_message(context)) > 10);
    assert_null(strchr(sumac_context_message(context), '\n'));
}

static sumac_status attempt_msm(scene *s, const sumac_msm_config *config)
{
    memset(s->results, 0xa5, s->result_bytes);
    const sumac_status status = exact_msm(s->context, s->bases, s->scalars, s->n, config, s->results);
    const sumac_status waited = sumac_context_wait(s->context);
    if (status == SUMAC_OK && waited == SUMAC_OK) {
        assert_memory_equal(s->results, s->expected, s->result_bytes);
    } else {
        for (size_t i = 0; i < s->result_bytes; i++) {
            assert_int_equal(s->results[i], 0xa5);
        }
    }
    return status != SUMAC_OK ? status : waited;
}

/* While threads fill several blocks of a large copy, calls of the runtime fail. */
static void test_failing_copies(void **state)
{
    CLEANUP(free_scene) scene s = make_scene(*state, options.quick ? 70000 : 300001, 1, 1);
    const device_ops *device = s.context->executors.at->backend->device;
    sumac_msm_config config = {.size = sizeof config};
    config.tuning = test_tuning("copy_slices=%u", 2);
    test_msm(s.context, s.bases, s.scalars, s.n, &config, s.expected, "before");
    for (uint64_t number = 1; number < 60; number += options.quick ? 7 : 1) {
        (void)device->fail_call(s.context->executors.at->engine, number);
        const sumac_status status = attempt_msm(&s, &config);
        if (device->fail_call(s.context->executors.at->engine, 0) == 0) {
            expect_failure(s.context, status, "a large copy", number);
        }
        assert_int_equal(attempt_msm(&s, &config), SUMAC_OK);
    }
}

/* In this test little of the device's memory is free. */
static void test_full_memory(void **state)
{
    test_group *t = *state;
    CLEANUP(free_scene) scene s = make_scene(t, (size_t)1 << 17, 1, 1);
    size_t available = 0, total = 0;
    const size_t left = (size_t)540 << 20; /* 512 MiB, which the engine does not use, and 28 MiB */
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    must(cudaMemGetInfo(&available, &total), "memory");
    void *rest = take(ON_DEVICE, available - left);
    test_msm(context, s.bases, s.scalars, s.n, NULL, s.expected, "in the memory that is left");
    test_plan plan = {0};
    TEST_OK(context, test_msm_plan(context, s.bases, s.n, NULL, &plan));
    assert_true(test_plan_bytes(&plan, "workspace") <= left - ((size_t)512 << 20));
    sumac_bases *bases = NULL;
    sumac_bases_config config = {.size = sizeof config};
    config.precompute_factor = 200;
    config.tuning = test_tuning("c=%u", 2);
    sumac_status status = sumac_known_bases_create(context, t->group, s.n, SEED, &config, &bases);
    test_status(context, status, SUMAC_OK, "a table that does not fit");
    assert_true(info_of(bases).bytes <= left - ((size_t)512 << 20));
    sumac_bases_destroy(bases);
    must(cudaMemGetInfo(&available, &total), "memory");
    void *last = NULL; /* this block takes nearly all memory that is left */
    while (available > 0 && cudaMalloc(&last, available) != cudaSuccess) {
        (void)cudaGetLastError();
        available -= available < (size_t)8 << 20 ? available : (size_t)8 << 20;
    }
    sumac_context *late = NULL;
    sumac_context_config late_config = {.size = sizeof late_config};
    late_config.backend = options.backend;
    if (sumac_context_create(&late_config, &late, NULL) == SUMAC_OK) {
        status = exact_msm(late, s.bases, s.scalars, s.n, NULL, s.results);
        assert_true(status == SUMAC_OUT_OF_MEMORY || status == SUMAC_MEMORY_LIMIT);
        assert_true(strlen(sumac_context_message(late)) > 10);
    }
    sumac_context_destroy(late);
    give(ON_DEVICE, rest);
    if (last != NULL) {
        give(ON_DEVICE, last);
    }
    test_msm(context, s.bases, s.scalars, s.n, NULL, s.expected, "when there is memory again");
}

/* ---- two devices ---- */

/* Every call that takes bases refuses those of another device. It names both locations, and writes no results. */
static void expect_elsewhere(scene *s, sumac_context *context, const sumac_bases *bases, const char *path,
                             const char *where, const char *here)
{
    const size_t partial_bytes = sumac_partial_bytes(s->t->group, s->batch);
    AUTO_FREE uint8_t *results = test_alloc(partial_bytes + s->n * s->t->info->point_bytes);
    sumac_msm_config config = {.size = sizeof config};
    test_plan plan = {0};
    config.batch = s->batch;
    memset(results, 0xa5, partial_bytes);
    for (int number = 0; number < 6; number++) {
        const sumac_status status =
            number == 0   ? exact_msm(context, bases, s->scalars, s->n, &config, results)
            : number == 1 ? exact_partial(context, bases, s->scalars, s->n, &config, results)
            : number == 2 ? test_msm_plan(context, bases, s->n, &config, &plan)
            : number == 3 ? exact_get(context, bases, 0, s->n, results)
            : number == 4 ? sumac_bases_save(context, bases, path, NULL)
                          : sumac_bases_save(context, bases, path, "raw");
        char label[64];
        snprintf(label, sizeof label, "call %d with bases that lie elsewhere", number);
        test_status(context, status, SUMAC_BAD_ARGUMENT, label);
        if (strstr(sumac_context_message(context), where) == NULL ||
            strstr(sumac_context_message(context), here) == NULL) {
            test_abort("%s: \"%s\" does not name %s and %s", label, sumac_context_message(context), where,
                       here);
        }
        for (size_t i = 0; i < partial_bytes; i++) {
            assert_int_equal(results[i], 0xa5);
        }
        assert_int_equal(access(path, F_OK), -1);
    }
}

/* The other device's memory is refused for scalars, results and points, and its stream for a call. */
static void expect_foreign_memory(scene *s, uint8_t *foreign, cudaStream_t stream)
{
    sumac_bases *bases = NULL;
    sumac_bases_config bases_config = {.size = sizeof bases_config};
    sumac_msm_config config = {.size = sizeof config};
    config.scalars_location = SUMAC_LOCATION_DEVICE;
    expect_misplaced(s, foreign, &config, s->results, "another device");
    config = (sumac_msm_config){.size = sizeof(sumac_msm_config)};
    config.result_location = SUMAC_LOCATION_DEVICE;
    expect_misplaced(s, s->scalars, &config, foreign, "another device");
    config = (sumac_msm_config){.size = sizeof(sumac_msm_config)}; /* says that all memory is the host's */
    expect_misplaced(s, foreign, &config, s->results, "another device");
    expect_misplaced(s, s->scalars, &config, foreign, "another device");
    test_sentence(s->context, sumac_context_set_stream(s->context, stream), SUMAC_BAD_ARGUMENT, "stream");
    bases_config.location = SUMAC_LOCATION_DEVICE;
    TEST_BAD(s->context, exact_create(s->context, s->t->group, foreign, s->n, &bases_config, &bases));
    assert_null(bases);
}

static void test_two_devices(void **state)
{
    test_group *t = *state;
    int count = 0;
    must(cudaGetDeviceCount(&count), "devices");
    if (count < 2) {
        print_message("one GPU: nothing to test\n");
        skip();
    }
    CLEANUP(free_scene) scene s = make_scene(t, 300, 2, 2); /* this scene is on the first device */
    char path[64];
    snprintf(path, sizeof path, "/tmp/sumac-devices-%ld", (long)getpid());
    CLEANUP(destroy_context)
    sumac_context *other = context_on(options.backend, 1), *cpu = context_on("cpu", 0);
    CLEANUP(destroy_bases) sumac_bases *others = NULL, *on_cpu = NULL, *host_resident = NULL;
    sumac_msm_config config = {.size = sizeof config};
    config.batch = s.batch;
    TEST_OK(other, sumac_known_bases_create(other, t->group, s.n, SEED, NULL, &others));
    TEST_OK(cpu, sumac_known_bases_create(cpu, t->group, s.n, SEED, NULL, &on_cpu));
    for (int round = 0; round < 2; round++) {
        expect_elsewhere(&s, other, s.bases, path, "GPU 0", "GPU 1");
        expect_elsewhere(&s, s.context, others, path, "GPU 1", "GPU 0");
        test_msm(s.context, s.bases, s.scalars, s.n, &config, s.expected, "on the first device");
        test_msm(other, others, s.scalars, s.n, &config, s.expected, "on the second device");
    }
    CLEANUP(destroy_bases) sumac_bases *loaded = NULL;
    TEST_OK(s.context, sumac_bases_save(s.context, s.bases, path, NULL));
    TEST_OK(other, open_trusted(other, t->group, path, &loaded));
    test_msm(other, loaded, s.scalars, s.n, &config, s.expected, "taken to the second device");
    unlink(path);

    /* These bases lie in the host's memory: some are host-resident, and some are the CPU's, which the device can only
     * read. */
    sumac_bases_config without_glv = {.size = sizeof without_glv};
    without_glv.outside_subgroup = 1;
    (void)s.context->executors.at->backend->device->fail_call(s.context->executors.at->engine, 1);
    TEST_OK(s.context,
            sumac_known_bases_create(s.context, t->group, s.n, SEED, &without_glv, &host_resident));
    assert_true(host_resident->shards[0].table.host_resident);
    test_msm(other, host_resident, s.scalars, s.n, &config, s.expected,
             "host-resident, on the second device");
    uint8_t *points = test_alloc(2 * s.n * t->info->point_bytes), *same = points + s.n * t->info->point_bytes;
    TEST_OK(other, exact_get(other, on_cpu, 0, s.n, points));
    TEST_OK(cpu, exact_get(cpu, on_cpu, 0, s.n, same));
    assert_memory_equal(points, same, s.n * t->info->point_bytes);
    test_sentence(other, exact_msm(other, on_cpu, s.scalars, s.n, &config, s.results), SUMAC_BAD_ARGUMENT,
                  "cpu");
    test_sentence(cpu, exact_get(cpu, others, 0, s.n, points), SUMAC_BAD_ARGUMENT, "GPU 1");

    uint8_t *foreign = NULL;
    cudaStream_t stream;
    must(cudaSetDevice(1), "the second device");
    must(cudaMalloc((void **)&foreign, s.n * t->info->point_bytes + s.scalar_bytes), "device memory");
    must(cudaStreamCreate(&stream), "stream");
    must(cudaSetDevice(0), "the first device");
    expect_foreign_memory(&s, foreign, stream);
    must(cudaSetDevice(1), "the second device");
    must(cudaStreamDestroy(stream), "stream");
    must(cudaFree(foreign), "device memory");

    /* All devices can use page-locked memory. Bases outlive the context that made them, and may be freed while
     * another device is the current one. */
    void *pinned = NULL;
    TEST_OK(s.context, sumac_pinned_allocate(s.context, s.scalar_bytes, &pinned));
    memcpy(pinned, s.scalars, s.scalar_bytes);
    test_msm(other, others, pinned, s.n, &config, s.expected, "page-locked with the first device");
    sumac_context_destroy(s.context);
    test_msm(other, others, pinned, s.n, &config, s.expected, "after the first context");
    s.context = context_on(options.backend, 0);
    test_msm(s.context, s.bases, pinned, s.n, &config, s.expected, "with a new context of their device");
    must(cudaSetDevice(1), "the second device");
    sumac_bases_destroy(s.bases);
    s.bases = NULL;
    test_msm(other, others, pinned, s.n, &config, s.expected, "after the first device's bases");
    sumac_pinned_free(pinned);
    must(cudaSetDevice(0), "the first device");
    free(points);
}

static void test_no_such_device(void)
{
    static const int32_t none[] = {1000};
    sumac_message message;
    sumac_context *context = NULL;
    sumac_context_config config = {.size = sizeof config};
    config.backend = options.backend;
    config.devices = none;
    config.device_count = 1;
    assert_int_equal(sumac_context_create(&config, &context, &message), SUMAC_BACKEND_UNAVAILABLE);
    assert_non_null(strstr(message.text, "1000"));
    assert_null(context);
}

int main(int argc, char **argv)
{
    static const test_entry entries[] = {
        {"no such device", TEST_ONCE(test_no_such_device)},
        {"locations of memory", test_locations, TEST_EVERY_GROUP},
        {"misplaced", test_misplaced, TEST_EVERY_GROUP},
        {"bases on the device", test_bases_on_device, TEST_EVERY_GROUP},
        {"layouts of records", test_record_layouts, TEST_EVERY_AND_TINY},
        {"bad records", test_bad_records, TEST_EVERY_AND_TINY},
        {"host-resident records", test_host_resident_records, TEST_EVERY_AND_TINY},
        {"multiples", test_multiples, TEST_EVERY_GROUP},
        {"segments of bases", test_large_bases, TEST_EVERY_GROUP},
        {"host-resident bases", test_host_resident_bases, TEST_EVERY_GROUP},
        {"large host-resident bases", test_large_host_resident, TEST_EVERY_GROUP},
        {"little memory for workspaces", test_little_memory_for_workspaces, TEST_EVERY_GROUP},
        {"default stream", test_default_stream, TEST_EVERY_GROUP},
        {"streams", test_streams, TEST_EVERY_GROUP},
        {"failures on streams", test_stream_failures, TEST_EVERY_GROUP},
        {"large copies", test_large_copies, TEST_EVERY_GROUP},
        {"many contexts", test_many_contexts, TEST_EVERY_GROUP},
        {"launches of a batch", test_batch_launches, TEST_EVERY_GROUP},
        {"failing copies", test_failing_copies, TEST_EVERY_GROUP},
        {"full memory", test_full_memory, TEST_EVERY_GROUP},
        {"two devices", test_two_devices, TEST_EVERY_GROUP},
    };
    sumac_message message;
    sumac_context *context;
    sumac_context_config config = {.size = sizeof config};
    config.backend = "cuda";
    if (sumac_context_create(&config, &context, &message) != SUMAC_OK) {
        fprintf(stderr, "skipped: %s\n", message.text);
        return SKIPPED;
    }
    sumac_context_destroy(context);
    options.backend = "cuda";
    return test_main("cuda_engine", entries, sizeof entries / sizeof *entries, argc, argv);
}
