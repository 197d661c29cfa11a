/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file computes and combines partial results (codec/partial.h). */
#include "api/call.h"
#include "api/handles.h"
#include "api/host_points.h"
#include "base/sizes.h"
#include "codec/partial.h"
#include "codec/point_layout.h"
#include "executor/shared_msm.h"

size_t sumac_partial_bytes(const sumac_group *group, uint32_t batch)
{
    return group == NULL ? 0 : partial_bytes(group, batch);
}

sumac_status sumac_msm_partial(sumac_context *context, const sumac_bases *bases, const void *scalars,
                               size_t scalars_bytes, size_t n, const sumac_msm_config *config, void *partial,
                               size_t length)
{
    sumac_msm_config canonical;
    BEGIN_CALL(context);
    TRY(require(context, bases != NULL && partial != NULL, "the bases and the partial result"));
    TRY(msm_config_take(config, &canonical, context_message(context)));
    uint8_t *bytes = partial;
    const size_t needed = partial_bytes(bases->group, canonical.batch);
    if (needed == 0) {
        return fail(context, SUMAC_BAD_LENGTH, "results of %u MSMs are more than any memory holds",
                    canonical.batch);
    }
    canonical.result_form = SUMAC_FORM_CANONICAL;
    if (canonical.result_location != SUMAC_LOCATION_HOST) {
        return fail(context, SUMAC_NOT_SUPPORTED, "a partial result is made on the host");
    }
    TRY(bytes_require(context, "the partial result", length, 1, needed));
    TRY(sumac_msm(context, bases, scalars, scalars_bytes, n, &canonical, bytes + PARTIAL_HEADER_BYTES,
                  needed - PARTIAL_HEADER_BYTES));
    partial_seal(bytes, bases->group, canonical.batch);
    return SUMAC_OK;
}

sumac_status sumac_partial_combine(sumac_context *context, const sumac_group *group,
                                   const void *const *partials, size_t each, size_t count, uint32_t batch,
                                   void *results, size_t results_bytes)
{
    BEGIN_CALL(context);
    TRY(require(context, group != NULL && results != NULL && (partials != NULL || count == 0),
                "the curve, the partial results and the results"));
    if (count >= SIZE_MAX / context_code(context, group)->affine_bytes) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%zu partial results are more than any memory holds", count);
    }
    if (batch == 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "batch is 0, and must be at least 1");
    }
    if (partial_bytes(group, batch) == 0) {
        return fail(context, SUMAC_BAD_ARGUMENT, "results of %u MSMs are more than any memory holds", batch);
    }
    TRY(bytes_require(context, "a partial result", each, count > 0, partial_bytes(group, batch)));
    TRY(bytes_require(context, "results", results_bytes, batch, group->point_bytes));
    for (size_t i = 0; i < count; i++) {
        sumac_message why;
        if (partials[i] == NULL) {
            return fail(context, SUMAC_BAD_ARGUMENT, "partial result %zu is null", i);
        }
        const sumac_status status = partial_check(partials[i], group, batch, &why);
        if (status != SUMAC_OK) {
            return fail(context, status, "partial result %zu: %s", i, why.text);
        }
    }
    const size_t result_bytes = (size_t)batch * group->point_bytes;
    const group_code *code = context_code(context, group);
    const size_t points_bytes = (count + 1) * code->affine_bytes;
    AUTO_FREE void *points = host_points(points_bytes);
    AUTO_FREE const uint8_t **records = malloc((count + 1) * sizeof *records);
    AUTO_FREE uint8_t *sums = malloc(result_bytes);
    if (points == NULL || records == NULL || sums == NULL) {
        return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for %zu partial results",
                    points_bytes + result_bytes, count);
    }
    for (uint32_t j = 0; j < batch; j++) {
        size_t bad;
        const size_t offset = (size_t)j * group->point_bytes;
        for (size_t i = 0; i < count; i++) {
            records[i] = (const uint8_t *)partials[i] + PARTIAL_HEADER_BYTES + offset;
        }
        const sumac_status status = add_up_points(code, group, records, count, SUMAC_FORM_CANONICAL,
                                                  SUMAC_CHECK_CURVE, points, sums + offset, &bad);
        if (status != SUMAC_OK) {
            return fail(context, status, "partial result %zu, point %u: %s", bad, j,
                        sumac_status_text(status));
        }
    }
    memcpy(results, sums, result_bytes);
    return SUMAC_OK;
}
