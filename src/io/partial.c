/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Partial results: a header and points, so that one MSM can be split over processes and machines.
 *
 *   offset 0   "sumacPR1", 8 bytes: magic and version
 *          8   batch, 4 bytes, and bytes of a point, 4 bytes, little-endian
 *         16   curve and group, "bls12-381/g1", 32 bytes, filled up with zeros
 *         48   checksum over everything else, 8 bytes, little-endian
 *         56   batch raw affine points, canonical
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/context.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "api/sizes.h"
#include "codec/checksum.h"
#include "codec/point_layout.h"

#define HEADER_BYTES 56
#define NAME_OFFSET 16
#define CHECKSUM_OFFSET 48

static void store_word(uint8_t *bytes, uint64_t value, int count)
{
    for (int i = 0; i < count; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

/* Everything of the header but the checksum. */
static void write_header(uint8_t header[HEADER_BYTES], const sumac_curve *curve, uint32_t batch)
{
    memset(header, 0, HEADER_BYTES);
    memcpy(header, "sumacPR1", 8);
    store_word(header + 8, batch, 4);
    store_word(header + 12, curve->info.point_bytes, 4);
    (void)snprintf((char *)header + NAME_OFFSET, CHECKSUM_OFFSET - NAME_OFFSET, "%s/%s", curve->info.name,
                   curve->info.group);
}

static uint64_t partial_checksum(const uint8_t *partial, size_t bytes)
{
    checksum state;
    checksum_begin(&state);
    checksum_add(&state, partial, CHECKSUM_OFFSET);
    checksum_add(&state, partial + HEADER_BYTES, bytes - HEADER_BYTES);
    return checksum_result(&state);
}

size_t sumac_partial_bytes(const sumac_curve *curve, uint32_t batch)
{
    return curve == NULL ? 0 : HEADER_BYTES + (size_t)(batch == 0 ? 1 : batch) * curve->info.point_bytes;
}

sumac_status sumac_msm_partial(sumac_context *context, const sumac_bases *bases, const void *scalars,
                               size_t n, const sumac_msm_config *config, void *partial)
{
    sumac_msm_config canonical;
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (bases == NULL || partial == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                    bases == NULL ? "the bases' handle" : "the partial result's address");
    }
    sumac_status status = public_take(&public_msm_config, config, &canonical, context->message);
    if (status != SUMAC_OK) {
        return status;
    }
    uint8_t *bytes = partial;
    const uint32_t batch = canonical.batch == 0 ? 1 : canonical.batch;
    canonical.result_form = SUMAC_FORM_CANONICAL;
    if (canonical.stream != NULL || canonical.result_location != SUMAC_LOCATION_HOST) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "a partial result is made on the host, and no stream waits for it");
    }
    status = sumac_msm(context, bases, scalars, n, &canonical, bytes + HEADER_BYTES);
    if (status == SUMAC_OK) {
        write_header(bytes, bases->curve, batch);
        store_word(bytes + CHECKSUM_OFFSET, partial_checksum(bytes, sumac_partial_bytes(bases->curve, batch)),
                   8);
    }
    return status;
}

/* Whether one partial result is whole and belongs to this curve and batch. */
static sumac_status check_partial(sumac_context *context, const sumac_curve *curve, uint32_t batch,
                                  size_t index, const uint8_t *partial)
{
    uint8_t expected[HEADER_BYTES], computed[8];
    write_header(expected, curve, batch);
    if (memcmp(partial, expected, 8) != 0) {
        return fail(context, SUMAC_BAD_FILE, "partial result %zu does not begin with \"sumacPR1\"", index);
    }
    if (memcmp(partial, expected, CHECKSUM_OFFSET) != 0) {
        return fail(context, SUMAC_MISMATCH, "partial result %zu is not of %s/%s with a batch of %u", index,
                    curve->info.name, curve->info.group, batch);
    }
    store_word(computed, partial_checksum(partial, sumac_partial_bytes(curve, batch)), 8);
    if (memcmp(computed, partial + CHECKSUM_OFFSET, 8) != 0) {
        return fail(context, SUMAC_BAD_CHECKSUM, "the checksum of partial result %zu does not match", index);
    }
    return SUMAC_OK;
}

/* Import point j of every partial result, on-curve check included, and add them up. */
static sumac_status combine_one(sumac_context *context, const sumac_curve *curve, uint32_t j,
                                const void *const *partials, size_t count, void *points, void *result)
{
    const curve_code *code = context_code(context, curve);
    const point_layout layout = {SUMAC_FORM_CANONICAL, curve->info.point_bytes, SUMAC_INFINITY_ZERO, 0};
    for (size_t i = 0; i < count; i++) {
        const uint8_t *record =
            (const uint8_t *)partials[i] + HEADER_BYTES + (size_t)j * curve->info.point_bytes;
        size_t bad = 0;
        const sumac_status status = code->convert->import_points((char *)points + i * code->affine_bytes,
                                                                 record, 1, &layout, SUMAC_CHECK_CURVE, &bad);
        if (status != SUMAC_OK) {
            return fail(context, status, "partial result %zu, point %u: %s", i, j, sumac_status_text(status));
        }
    }
    code->points->sum(points, points, count);
    code->convert->export_points(result, points, 1, SUMAC_FORM_CANONICAL);
    return SUMAC_OK;
}

sumac_status sumac_partial_combine(sumac_context *context, const sumac_curve *curve, uint32_t batch,
                                   const void *const *partials, size_t count, void *results)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || results == NULL || (partials == NULL && count != 0)) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "the curve, the partial results or the results' address is null");
    }
    if (count >= SIZE_MAX / context_code(context, curve)->affine_bytes) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu partial results are more than any memory holds", count);
    }
    batch = batch == 0 ? 1 : batch;
    for (size_t i = 0; i < count; i++) {
        const sumac_status status = partials[i] == NULL
                                        ? fail(context, SUMAC_BAD_ARGUMENT, "partial result %zu is null", i)
                                        : check_partial(context, curve, batch, i, partials[i]);
        if (status != SUMAC_OK) {
            return status;
        }
    }
    const size_t result_bytes = (size_t)batch * curve->info.point_bytes;
    const curve_code *code = context_code(context, curve);
    const size_t points_bytes = (count + 1) * code->affine_bytes;
    void *points = host_points(points_bytes);
    uint8_t *sums = malloc(result_bytes);
    sumac_status status =
        points == NULL || sums == NULL
            ? fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for %zu partial results",
                   points_bytes + result_bytes, count)
            : SUMAC_OK;
    for (uint32_t j = 0; j < batch && status == SUMAC_OK; j++) {
        status = combine_one(context, curve, j, partials, count, points,
                             sums + (size_t)j * curve->info.point_bytes);
    }
    if (status == SUMAC_OK) {
        memcpy(results, sums, result_bytes);
    }
    free(sums);
    host_points_free(points);
    return status;
}
