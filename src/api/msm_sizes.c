/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/msm_sizes.h"

#include "base/integers.h"
#include "base/refusal.h"
#include "base/sizes.h"
#include "codec/partial.h"
#include "executor/planning.h"

/* Of a call with offsets: how many scalars there are before the last of them, and how many bases are used from
 * config->first on. */
static sumac_status measure_offsets(size_t n, const sumac_msm_config *config, uint64_t *scalars,
                                    uint64_t *bases, sumac_message *message)
{
    uint64_t most = 0;
    for (uint32_t j = 0; j < config->batch; j++) {
        const uint64_t begin = config->offsets[j], end = config->offsets[j + 1];
        if (end < begin) {
            return refuse(message, SUMAC_BAD_ARGUMENT, "offset %u is less than the one before it", j + 1);
        }
        if (end - begin > n) {
            return refuse(message, SUMAC_BAD_LENGTH, "MSM %u has %llu scalars, more than %zu", j,
                          (unsigned long long)(end - begin), n);
        }
        most = larger(most, end - (config->separate_bases ? 0 : begin));
    }
    *scalars = config->offsets[config->batch];
    *bases = most;
    return SUMAC_OK;
}

sumac_status msm_sizes_take(const sumac_curve *curve, size_t n, const sumac_msm_config *config,
                            sumac_msm_sizes *sizes, sumac_message *message)
{
    const size_t scalar_bytes = planning_layout(curve, config).bytes;
    const size_t batch = config->batch, point_bytes = sumac_curve_describe(curve)->point_bytes;
    sumac_msm_sizes made = {.size = sizeof made};
    uint64_t scalars = 0, bases = 0;
    if (config->offsets != NULL) {
        const sumac_status status = measure_offsets(n, config, &scalars, &bases, message);
        if (status != SUMAC_OK) {
            return status;
        }
    } else if (__builtin_mul_overflow(batch, n, &scalars) ||
               __builtin_mul_overflow(planning_base_sets(config), n, &bases)) {
        return refuse(message, SUMAC_BAD_LENGTH,
                      "%zu MSMs of %zu scalars each are more than any memory holds", batch, n);
    }
    if (__builtin_add_overflow(scalars, 0, &made.scalars) ||
        __builtin_mul_overflow(made.scalars, scalar_bytes, &made.scalars_bytes)) {
        return refuse(message, SUMAC_BAD_LENGTH,
                      "%llu scalars of %zu bytes each are more than any memory holds",
                      (unsigned long long)scalars, scalar_bytes);
    }
    if (__builtin_add_overflow(config->first, bases, &made.bases)) {
        return refuse(message, SUMAC_BAD_LENGTH, "%llu bases from base %zu on are more than any memory holds",
                      (unsigned long long)bases, config->first);
    }
    made.partial_bytes = partial_bytes(&curve->info, config->batch);
    if (made.partial_bytes == 0) {
        return refuse(message, SUMAC_BAD_LENGTH,
                      "%zu results of %zu bytes each are more than any memory holds", batch, point_bytes);
    }
    made.results_bytes = batch * point_bytes;
    *sizes = made;
    return SUMAC_OK;
}

static sumac_status measure(const sumac_curve *curve, size_t n, const sumac_msm_config *config,
                            size_t offset_count, sumac_msm_sizes *sizes, sumac_message *message)
{
    sumac_msm_config own;
    sumac_msm_sizes made;
    if (curve == NULL || sizes == NULL) {
        return refuse(message, SUMAC_BAD_ARGUMENT, "%s is null",
                      curve == NULL ? "the curve" : "the sizes' address");
    }
    sumac_status status = public_take(&public_msm_config, config, &own, message);
    if (status == SUMAC_OK) {
        status = public_check(&public_msm_sizes, sizes, message);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    if (own.scalar_bytes > sumac_curve_describe(curve)->scalar_bytes) {
        return refuse(message, SUMAC_BAD_ARGUMENT, "scalar_bytes is %u, and a scalar of the curve has %u",
                      own.scalar_bytes, sumac_curve_describe(curve)->scalar_bytes);
    }
    if (own.offsets == NULL && offset_count != 0) {
        return refuse(message, SUMAC_BAD_ARGUMENT, "the address of %zu offsets is null", offset_count);
    }
    if (own.offsets != NULL && offset_count != (uint64_t)own.batch + 1) {
        return refuse(message, SUMAC_BAD_LENGTH, "there are %zu offsets, and a batch of %u takes %llu",
                      offset_count, own.batch, (unsigned long long)own.batch + 1);
    }
    status = msm_sizes_take(curve, n, &own, &made, message);
    if (status == SUMAC_OK) {
        public_copy(&made, sizes);
    }
    return status;
}

sumac_status sumac_msm_measure(const sumac_curve *curve, size_t n, const sumac_msm_config *config,
                               size_t offset_count, sumac_msm_sizes *sizes, sumac_message *message)
{
    sumac_message own = {.text = ""};
    message = message == NULL ? &own : message;
    message->text[0] = '\0';
    return measure(curve, n, config, offset_count, sizes, message);
}
