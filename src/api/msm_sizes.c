/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file measures the caller's memory that a call of MSMs reads and writes. */
#include "api/msm.h"

#include "base/integers.h"
#include "base/sizes.h"
#include "base/try.h"
#include "codec/partial.h"
#include "executor/msm.h"

/* Measure a call with offsets: count the scalars before the last offset, and the bases that are used from config->first
 * on. */
static sumac_status measure_offsets(size_t n, const sumac_msm_config *config, uint64_t *scalars,
                                    uint64_t *bases, sumac_message *message)
{
    for (uint32_t j = 0; j < config->batch; j++) {
        const uint64_t begin = config->offsets[j], end = config->offsets[j + 1];
        if (end < begin) {
            return refuse(message, SUMAC_BAD_ARGUMENT, "offset %u is less than the one before it", j + 1);
        }
        if (end - begin > n) {
            return refuse(message, SUMAC_BAD_LENGTH, "MSM %u has %llu scalars, more than %zu", j,
                          (unsigned long long)(end - begin), n);
        }
        *bases = larger(*bases, end - (config->separate_bases ? 0 : begin));
    }
    *scalars = config->offsets[config->batch];
    return SUMAC_OK;
}

sumac_status msm_sizes_take(const sumac_group *curve, size_t n, const sumac_msm_config *config,
                            sumac_msm_sizes *sizes, sumac_message *message)
{
    const size_t scalar_bytes = planning_layout(curve, config).bytes;
    const size_t batch = config->batch, point_bytes = curve->point_bytes;
    sumac_msm_sizes measured = {.size = sizeof measured};
    uint64_t scalars = 0, bases = 0;
    if (config->offsets != NULL) {
        TRY(measure_offsets(n, config, &scalars, &bases, message));
    } else if (__builtin_mul_overflow(batch, n, &scalars) ||
               __builtin_mul_overflow(planning_base_sets(config), n, &bases)) {
        return refuse(message, SUMAC_BAD_LENGTH,
                      "%zu MSMs of %zu scalars each are more than any memory holds", batch, n);
    }
    if (__builtin_add_overflow(scalars, 0, &measured.scalars) ||
        __builtin_mul_overflow(measured.scalars, scalar_bytes, &measured.scalars_bytes)) {
        return refuse(message, SUMAC_BAD_LENGTH,
                      "%llu scalars of %zu bytes each are more than any memory holds",
                      (unsigned long long)scalars, scalar_bytes);
    }
    if (__builtin_add_overflow(config->first, bases, &measured.bases)) {
        return refuse(message, SUMAC_BAD_LENGTH, "%llu bases from base %zu on are more than any memory holds",
                      (unsigned long long)bases, config->first);
    }
    measured.partial_bytes = partial_bytes(curve, config->batch);
    if (measured.partial_bytes == 0) {
        return refuse(message, SUMAC_BAD_LENGTH,
                      "%zu results of %zu bytes each are more than any memory holds", batch, point_bytes);
    }
    measured.results_bytes = batch * point_bytes;
    *sizes = measured;
    return SUMAC_OK;
}

sumac_status sumac_msm_measure(const sumac_group *curve, size_t n, const sumac_msm_config *given,
                               size_t offset_count, sumac_msm_sizes *sizes, sumac_message *message)
{
    sumac_msm_config config;
    sumac_msm_sizes measured;
    sumac_message unread = {""};
    message = message == NULL ? &unread : message;
    message->text[0] = '\0';
    if (curve == NULL || sizes == NULL) {
        return refuse(message, SUMAC_BAD_ARGUMENT, "%s is null",
                      curve == NULL ? "the curve" : "the sizes' address");
    }
    TRY(msm_config_take(given, &config, message));
    TRY(public_check(&public_msm_sizes, sizes, message));
    if (config.scalar_bytes > curve->scalar_bytes) {
        return refuse(message, SUMAC_BAD_ARGUMENT, "scalar_bytes is %u, and a scalar of the curve has %u",
                      config.scalar_bytes, curve->scalar_bytes);
    }
    if (config.offsets == NULL && offset_count != 0) {
        return refuse(message, SUMAC_BAD_ARGUMENT, "the address of %zu offsets is null", offset_count);
    }
    if (config.offsets != NULL && offset_count != (uint64_t)config.batch + 1) {
        return refuse(message, SUMAC_BAD_LENGTH, "there are %zu offsets, and a batch of %u takes %llu",
                      offset_count, config.batch, (unsigned long long)config.batch + 1);
    }
    TRY(msm_sizes_take(curve, n, &config, &measured, message));
    public_copy(&measured, sizes);
    return SUMAC_OK;
}
