/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reading a trusted setup: src/io/trusted_setup.c parses, here the points come into the order of a blob's
 * elements. */
#include "kzg/setup.h"

#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "io/formats.h"

enum { G2_POINTS = 65 };

/* The index with its bits in reverse, as the consensus specification's bit_reversal_permutation. */
static size_t bit_reversed(size_t index)
{
    size_t reversed = 0;
    for (size_t rest = SUMAC_KZG_FIELD_ELEMENTS; rest > 1; rest >>= 1) {
        reversed = reversed << 1 | (index & 1);
        index >>= 1;
    }
    return reversed;
}

static sumac_status expect_count(const input_file *file, const sumac_bases *bases, size_t expected,
                                 const char *what)
{
    if (sumac_bases_count(bases) == expected) {
        return SUMAC_OK;
    }
    return fail(file->context, SUMAC_BAD_FILE, "%s: %zu points of %s, where Ethereum's setup has %zu",
                file->path, sumac_bases_count(bases), what, expected);
}

/* The points in G2 are not kept, but a file in which they are wrong is a wrong file. */
static sumac_status check_g2(input_file *file, const sumac_bases_config *config)
{
    const sumac_curve *g2;
    sumac_bases *points = NULL;
    sumac_status status = sumac_curve_find("bls12-381", "g2", &g2);
    if (status != SUMAC_OK) {
        return fail(file->context, status, "this build of the library lacks the curve bls12-381 g2");
    }
    status = bases_read_input(file, g2, "trusted-setup-monomial", config, &points);
    if (status == SUMAC_OK) {
        status = expect_count(file, points, G2_POINTS, "G2");
    }
    sumac_bases_destroy(points);
    return status;
}

/* bases[i] = points[bit_reversed(i)]. The points are checked already. */
static sumac_status bit_reverse_bases(sumac_context *context, const sumac_curve *curve,
                                      const sumac_bases *points, sumac_bases **bases)
{
    const size_t point_bytes = sumac_curve_describe(curve)->point_bytes;
    const size_t bytes = SUMAC_KZG_FIELD_ELEMENTS * point_bytes;
    uint8_t *ordered = malloc(2 * bytes);
    if (ordered == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory for %zu bytes of a trusted setup",
                    2 * bytes);
    }
    uint8_t *permuted = ordered + bytes;
    sumac_status status = sumac_bases_get(context, points, 0, SUMAC_KZG_FIELD_ELEMENTS, ordered);
    for (size_t i = 0; status == SUMAC_OK && i < SUMAC_KZG_FIELD_ELEMENTS; i++) {
        memcpy(permuted + i * point_bytes, ordered + bit_reversed(i) * point_bytes, point_bytes);
    }
    if (status == SUMAC_OK) {
        status = sumac_bases_create(context, curve, permuted, SUMAC_KZG_FIELD_ELEMENTS, NULL, bases);
    }
    free(ordered);
    return status;
}

/* The file is opened once, and what is no regular file is kept in memory: it may be a pipe. */
static sumac_status read_setup(input_file *file, sumac_check check, sumac_kzg_setup *setup)
{
    sumac_context *context = file->context;
    sumac_bases *points = NULL;
    sumac_bases_config config = sumac_bases_config_default();
    config.check = check;
    sumac_status status = sumac_curve_find("bls12-381", "g1", &setup->g1);
    if (status != SUMAC_OK) {
        return fail(context, status, "this build of the library lacks the curve bls12-381 g1");
    }
    status = input_measure(file);
    if (status == SUMAC_OK) {
        status = bases_read_input(file, setup->g1, "trusted-setup-lagrange", &config, &points);
    }
    if (status == SUMAC_OK) {
        status = expect_count(file, points, SUMAC_KZG_FIELD_ELEMENTS, "G1");
    }
    if (status == SUMAC_OK) {
        status = input_rewind(file);
    }
    if (status == SUMAC_OK) {
        status = check_g2(file, &config);
    }
    if (status == SUMAC_OK) {
        status = bit_reverse_bases(context, setup->g1, points, &setup->lagrange);
    }
    sumac_bases_destroy(points);
    return status;
}

sumac_status sumac_kzg_setup_read(sumac_context *context, const char *path, sumac_check check,
                                  sumac_kzg_setup **setup)
{
    if (setup != NULL) {
        *setup = NULL;
    }
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    context_begin(context);
    if (path == NULL || setup == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "path and setup must not be null");
    }
    sumac_kzg_setup *created = calloc(1, sizeof *created);
    if (created == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a trusted setup",
                    sizeof *created);
    }
    input_file file;
    sumac_status status = input_open(&file, context, path);
    if (status == SUMAC_OK) {
        status = read_setup(&file, check, created);
    }
    input_close(&file);
    if (status != SUMAC_OK) {
        sumac_kzg_setup_destroy(created);
        return status;
    }
    *setup = created;
    return SUMAC_OK;
}

void sumac_kzg_setup_destroy(sumac_kzg_setup *setup)
{
    if (setup != NULL) {
        sumac_bases_destroy(setup->lagrange);
        free(setup);
    }
}
