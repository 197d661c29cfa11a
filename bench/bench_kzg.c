/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program measures each function of sumac/kzg.h and each step of FK20, for developers. It prints milliseconds of
 * elapsed and of processor time, which are the medians of some runs. It writes and removes a file in the current
 * folder.
 *
 *   bench_kzg TRUSTED-SETUP [THREADS or cuda or cuda:0,1 [TABLE-MIB [BLOBS [NAME]]]]
 *
 * By default it measures one thread, tables of 64 MiB, and calls of one blob. With NAME it measures only the
 * functions and steps whose names contain NAME. The steps run on one device.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sumac/experimental.h"
#include "sumac/kzg.h"
#include "sumac/srs.h"

enum {
    RUNS = 9,
    N = SUMAC_KZG_FIELD_ELEMENTS,
    L = SUMAC_KZG_CELL_ELEMENTS,
    CELLS = SUMAC_KZG_CELLS,
    POINT = SUMAC_KZG_COMMITMENT_BYTES
};

/* The inputs and outputs of the functions that are timed. */
typedef struct fixture {
    sumac_context *context;
    sumac_kzg_setup *setup;
    size_t blobs;
    const char *name; /* only functions whose names contain this are measured; null: all */
    uint64_t table_bytes;
    uint8_t *blob, *commitment, *proof, *z, *y, *cells, *cell_proofs, *cell_commitments, *half, *raw;
    uint64_t *indices, *half_indices;
    int ok;
    /* The inputs of the steps of FK20: other points, and the same number of scalars. */
    const sumac_group *group;
    sumac_bases *srs, *columns;
    sumac_vector *scalars, *transposed, *points;
} fixture;

typedef struct function {
    const char *name;
    sumac_status (*call)(fixture *f);
} function;

static sumac_status commit(fixture *f)
{
    return sumac_kzg_commit(f->context, f->setup, (const sumac_blob *)f->blob, f->blobs,
                            (sumac_bytes48 *)f->commitment);
}

static sumac_status compute_blob_proof(fixture *f)
{
    return sumac_kzg_compute_blob_proof(f->context, f->setup, (const sumac_blob *)f->blob,
                                        (const sumac_bytes48 *)f->commitment, f->blobs,
                                        (sumac_bytes48 *)f->proof);
}

static sumac_status compute_proof(fixture *f)
{
    return sumac_kzg_compute_proof(f->context, f->setup, (const sumac_blob *)f->blob,
                                   (const sumac_bytes32 *)f->z, f->blobs, (sumac_bytes48 *)f->proof,
                                   (sumac_bytes32 *)f->y);
}

static sumac_status verify_proof(fixture *f)
{
    return sumac_kzg_verify_proof(f->context, f->setup, (const sumac_bytes48 *)f->commitment,
                                  (const sumac_bytes32 *)f->z, (const sumac_bytes32 *)f->y,
                                  (const sumac_bytes48 *)f->proof, f->blobs, &f->ok);
}

static sumac_status verify_blob_proofs(fixture *f)
{
    return sumac_kzg_verify_blob_proof(f->context, f->setup, (const sumac_blob *)f->blob,
                                       (const sumac_bytes48 *)f->commitment, (const sumac_bytes48 *)f->proof,
                                       f->blobs, &f->ok);
}

static sumac_status compute_cells(fixture *f)
{
    return sumac_kzg_cells(f->context, f->setup, (const sumac_blob *)f->blob, f->blobs,
                           (sumac_cell *)f->cells, NULL);
}

static sumac_status compute_cells_and_proofs(fixture *f)
{
    return sumac_kzg_cells(f->context, f->setup, (const sumac_blob *)f->blob, f->blobs,
                           (sumac_cell *)f->cells, (sumac_bytes48 *)f->cell_proofs);
}

static sumac_status recover_cells(fixture *f)
{
    return sumac_kzg_recover(f->context, f->setup, f->half_indices, CELLS / 2, (const sumac_cell *)f->half,
                             f->blobs, (sumac_cell *)f->cells, NULL, NULL);
}

static sumac_status recover_cells_and_proofs(fixture *f)
{
    return sumac_kzg_recover(f->context, f->setup, f->half_indices, CELLS / 2, (const sumac_cell *)f->half,
                             f->blobs, (sumac_cell *)f->cells, (sumac_bytes48 *)f->cell_proofs, NULL);
}

static sumac_status verify_cells(fixture *f)
{
    return sumac_kzg_verify_cells(f->context, f->setup, (const sumac_bytes48 *)f->cell_commitments,
                                  f->indices, (const sumac_cell *)f->cells,
                                  (const sumac_bytes48 *)f->cell_proofs, f->blobs * CELLS, &f->ok);
}

static const char saved_path[] = "bench_kzg.setup";

static sumac_status save(fixture *f)
{
    return sumac_kzg_save(f->context, f->setup, saved_path);
}

/* Read the file to which a setup was saved, with its tables. */
static sumac_status read_saved(fixture *f)
{
    const sumac_kzg_config config = {.size = sizeof config, .check = SUMAC_CHECK_NONE};
    sumac_kzg_setup *setup;
    const sumac_status status = sumac_kzg_open(f->context, saved_path, &config, &setup);
    sumac_kzg_destroy(setup);
    return status;
}

/* ---- The steps of FK20, as docs/internals/kzg.md numbers them ---- */

static sumac_status derive(fixture *f)
{
    sumac_fk20 *fk20;
    const sumac_status status = sumac_fk20_create(f->context, f->srs, N, L, 1, &fk20);
    sumac_fk20_destroy(fk20);
    return status;
}

static sumac_status transform_scalars(fixture *f)
{
    sumac_transform_config config = {.size = sizeof config};
    config.length = CELLS;
    config.inverse = 1;
    return sumac_vector_ntt(f->context, f->scalars, &config);
}

static sumac_status transpose(fixture *f)
{
    return sumac_vector_transpose(f->context, f->scalars, L, CELLS, f->transposed);
}

static sumac_status sum_columns(fixture *f)
{
    sumac_msm_config config = {.size = sizeof config};
    config.batch = (uint32_t)(CELLS * f->blobs);
    config.base_sets = CELLS;
    return sumac_msm_vectors(f->context, f->columns, f->transposed, 0, L, &config, f->points, 0);
}

static sumac_status transform_back(fixture *f)
{
    sumac_transform_config config = {.size = sizeof config};
    config.length = CELLS;
    return sumac_vector_ntt(f->context, f->points, &config);
}

static sumac_status transform_to_proofs(fixture *f)
{
    sumac_transform_config config = {.size = sizeof config};
    config.length = CELLS;
    config.coefficients = CELLS / 2;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    return sumac_vector_ntt(f->context, f->points, &config);
}

static sumac_status encode_proofs(fixture *f)
{
    const sumac_status status = sumac_vector_get(f->context, f->points, 0, CELLS * f->blobs, NULL, f->raw,
                                                 CELLS * f->blobs * f->group->point_bytes);
    return status != SUMAC_OK
               ? status
               : sumac_points_encode(f->context, f->group, f->raw, CELLS * f->blobs * f->group->point_bytes,
                                     CELLS * f->blobs, "zcash-compressed", f->cell_proofs,
                                     CELLS * f->blobs * SUMAC_KZG_PROOF_BYTES);
}

static double now_ms(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void expect(const fixture *f, sumac_status status, const char *name)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", name, sumac_context_message(f->context));
        exit(1);
    }
}

static void measure(fixture *f, const function *measured, int runs)
{
    double times[RUNS], processor[RUNS];
    if (f->name != NULL && strstr(measured->name, f->name) == NULL) {
        return;
    }
    f->ok = 1;
    for (int i = 0; i < runs; i++) {
        const double start = now_ms(CLOCK_MONOTONIC), used = now_ms(CLOCK_PROCESS_CPUTIME_ID);
        expect(f, measured->call(f), measured->name);
        times[i] = now_ms(CLOCK_MONOTONIC) - start;
        processor[i] = now_ms(CLOCK_PROCESS_CPUTIME_ID) - used;
    }
    qsort(times, (size_t)runs, sizeof *times, compare_doubles);
    qsort(processor, (size_t)runs, sizeof *processor, compare_doubles);
    printf("%-26s %9.3f %9.3f%s\n", measured->name, times[runs / 2], processor[runs / 2],
           f->ok ? "" : "   WRONG: it does not hold");
}

/* Allocate memory that is kept until the program ends. If a GPU computes, the memory is page-locked. */
static void *allocate(const fixture *f, size_t bytes)
{
    void *memory;
    expect(f, sumac_pinned_allocate(f->context, bytes, &memory), "memory");
    return memory;
}

static void fill(fixture *f)
{
    uint32_t state = 2463534242u;
    f->blob = allocate(f, f->blobs * SUMAC_KZG_BLOB_BYTES);
    f->commitment = allocate(f, f->blobs * POINT);
    f->proof = allocate(f, f->blobs * POINT);
    f->z = allocate(f, f->blobs * 32);
    f->y = allocate(f, f->blobs * 32);
    f->cells = allocate(f, f->blobs * CELLS * SUMAC_KZG_CELL_BYTES);
    f->half = allocate(f, f->blobs * CELLS / 2 * SUMAC_KZG_CELL_BYTES);
    f->cell_proofs = allocate(f, f->blobs * CELLS * POINT);
    f->cell_commitments = allocate(f, f->blobs * CELLS * POINT);
    f->raw = allocate(f, f->blobs * CELLS * 96);
    f->indices = allocate(f, f->blobs * CELLS * sizeof *f->indices);
    f->half_indices = allocate(f, CELLS / 2 * sizeof *f->half_indices);
    for (size_t i = 0; i < f->blobs * SUMAC_KZG_BLOB_BYTES; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        f->blob[i] = (uint8_t)(i % 32 == 0 ? state & 0x3f : state);
    }
    memcpy(f->z, f->blob, f->blobs * 32);
    expect(f, commit(f), "commit");
    expect(f, compute_cells_and_proofs(f), "cells");
    for (size_t i = 0; i < f->blobs * CELLS; i++) {
        f->indices[i] = i % CELLS;
        memcpy(f->cell_commitments + i * POINT, f->commitment + i / CELLS * POINT, POINT);
    }
    for (size_t i = 0; i < CELLS / 2; i++) {
        f->half_indices[i] = 2 * i;
        for (size_t b = 0; b < f->blobs; b++) {
            memcpy(f->half + (b * CELLS / 2 + i) * SUMAC_KZG_CELL_BYTES,
                   f->cells + (b * CELLS + 2 * i) * SUMAC_KZG_CELL_BYTES, SUMAC_KZG_CELL_BYTES);
        }
    }
}

static void fill_steps(fixture *f)
{
    sumac_bases_config config = {.size = sizeof config};
    config.typical_batch = (uint32_t)(CELLS * f->blobs);
    config.typical_n = L;
    if (sumac_kzg_table_bytes(f->setup) > (uint64_t)2 * N * 96) {
        config.tables = SUMAC_TABLES_AUTO;
        config.table_bytes = f->table_bytes;
    }
    expect(f, sumac_group_find("bls12-381", "g1", &f->group), "curve");
    expect(f, sumac_known_bases_create(f->context, f->group, N, 1, NULL, &f->srs), "SRS");
    expect(f, sumac_known_bases_create(f->context, f->group, (size_t)2 * N, 2, &config, &f->columns),
           "columns");
    const size_t scalars = (size_t)2 * N * f->blobs;
    expect(f, sumac_vector_create(f->context, f->group, SUMAC_VECTOR_SCALARS, scalars, &f->scalars), "c");
    expect(f, sumac_vector_create(f->context, f->group, SUMAC_VECTOR_SCALARS, scalars, &f->transposed), "c");
    expect(f, sumac_vector_create(f->context, f->group, SUMAC_VECTOR_POINTS, CELLS * f->blobs, &f->points),
           "points");
    sumac_element_layout layout = {.size = sizeof layout};
    layout.byte_order = SUMAC_BIG_ENDIAN;
    expect(f,
           sumac_vector_set(f->context, f->scalars, f->cells, scalars * f->group->scalar_bytes, 0, scalars,
                            &layout),
           "scalars");
}

static void measure_steps(fixture *f)
{
    static const function steps[] = {
        {"FK20 0: the setup", derive},        {"FK20 2: scalars", transform_scalars},
        {"FK20 3: transposition", transpose}, {"FK20 4: sums", sum_columns},
        {"FK20 5: back", transform_back},     {"FK20 6: to proofs", transform_to_proofs},
        {"FK20 7: compressed", encode_proofs}};
    fill_steps(f);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        measure(f, &steps[i], i == 0 ? 1 : RUNS);
    }
    sumac_bases_destroy(f->srs);
    sumac_bases_destroy(f->columns);
    sumac_vector_destroy(f->scalars);
    sumac_vector_destroy(f->transposed);
    sumac_vector_destroy(f->points);
}

/* Parse the device numbers of "cuda:0,1". The name "cuda" has none. */
static size_t read_devices(const char *backend, int32_t *devices, size_t most)
{
    size_t count = 0;
    const char *rest = strchr(backend, ':');
    while (rest != NULL && count < most) {
        devices[count++] = (int32_t)strtol(rest + 1, NULL, 10);
        rest = strchr(rest + 1, ',');
    }
    return count;
}

int main(int argc, char **argv)
{
    static const function functions[] = {
        {"commit", commit},
        {"compute_proof", compute_proof},
        {"verify_proof", verify_proof},
        {"compute_blob_proof", compute_blob_proof},
        {"verify_blob_proof", verify_blob_proofs},
        {"compute_cells", compute_cells},
        {"compute_cells_and_proofs", compute_cells_and_proofs},
        {"recover_cells", recover_cells},
        {"recover_cells_and_proofs", recover_cells_and_proofs},
        {"verify_cells", verify_cells},
    };
    static const function saving = {"setup_save", save};
    static const function reading = {"setup_read of this file", read_saved};
    if (argc < 2) {
        fprintf(stderr, "bench_kzg TRUSTED-SETUP [THREADS or cuda or cuda:0,1 [TABLE-MIB [BLOBS [NAME]]]]\n");
        return 2;
    }
    fixture f = {.blobs = argc > 4 ? strtoul(argv[4], NULL, 10) : 1, .name = argc > 5 ? argv[5] : NULL};
    f.table_bytes = (argc > 3 ? strtoull(argv[3], NULL, 10) : 64) << 20;
    f.table_bytes += f.table_bytes == 0; /* one byte allows no tables, but 0 would be the default */
    sumac_context_config config = {.size = sizeof config};
    int32_t devices[16];
    config.backend = argc > 2 && strncmp(argv[2], "cuda", 4) == 0 ? "cuda" : "cpu";
    config.threads = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
    config.device_count = argc > 2 ? read_devices(argv[2], devices, sizeof devices / sizeof *devices) : 0;
    config.devices = config.device_count > 0 ? devices : NULL;
    if (sumac_context_create(&config, &f.context, NULL) != SUMAC_OK) {
        fprintf(stderr, "no context\n");
        return 1;
    }
    sumac_context_info info = {.size = sizeof info};
    expect(&f, sumac_context_describe(f.context, &info), "context");
    const double start = now_ms(CLOCK_MONOTONIC), used = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    const sumac_kzg_config setup = {.size = sizeof setup, .cells = 1, .table_bytes = f.table_bytes};
    expect(&f, sumac_kzg_open(f.context, argv[1], &setup, &f.setup), "setup");
    printf("%s, %u threads, %zu blobs, tables of %zu MiB at most\n", info.variant, info.threads, f.blobs,
           (size_t)(f.table_bytes >> 20));
    printf("%-26s %9s %9s\n", "", "ms", "CPU ms");
    printf("%-26s %9.3f %9.3f\n", "setup_read", now_ms(CLOCK_MONOTONIC) - start,
           now_ms(CLOCK_PROCESS_CPUTIME_ID) - used);
    printf("the tables have %.2f MiB\n", (double)sumac_kzg_table_bytes(f.setup) / (1 << 20));
    measure(&f, &saving, 1);
    measure(&f, &reading, RUNS);
    (void)remove(saved_path);
    fill(&f);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        measure(&f, &functions[i], RUNS);
    }
    if (config.device_count <= 1) {
        measure_steps(&f);
    }
    sumac_kzg_destroy(f.setup);
    sumac_context_destroy(f.context);
    return 0;
}
