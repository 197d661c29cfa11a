/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/msm_config.h"

#include "api/bases_read.h"
#include "api/call.h"
#include "api/handles.h"
#include "api/msm_sizes.h"
#include "base/sizes.h"
#include "executor/planning.h"
#include "pipeline/plan_sizes.h"

static int is_location(sumac_location location)
{
    return location == SUMAC_LOCATION_HOST || location == SUMAC_LOCATION_DEVICE;
}

static int is_form(sumac_form form)
{
    return form == SUMAC_FORM_CANONICAL || form == SUMAC_FORM_MONTGOMERY;
}

/* Values that mean nothing on any backend; null when there are none. */
static const char *config_fault(const sumac_curve *curve, const sumac_msm_config *config,
                                const sumac_tuning *tuning)
{
    if (config->c > PLAN_MAX_C) {
        return "c is more than 24";
    }
    if (config->scalar_bytes > curve->info.scalar_bytes) {
        return "scalar_bytes is more than a scalar of the curve has";
    }
    const scalar_layout layout = planning_layout(curve, config);
    if (config->scalar_bits > 8 * layout.bytes - layout.is_signed) {
        return "scalar_bits is more than a scalar has";
    }
    if (layout.is_signed && config->cut_scalars) {
        return "cut_scalars is for scalars without a sign";
    }
    if (config->scalar_form == SUMAC_FORM_MONTGOMERY &&
        (layout.is_signed || layout.bytes != curve->info.scalar_bytes)) {
        return "in Montgomery form scalars have all bytes and no sign";
    }
    if (config->offsets != NULL) {
        return "offsets are for sumac_msm() and sumac_msm_partial()";
    }
    if (config->base_sets != 0 && !config->separate_bases) {
        return "base_sets is given, but separate_bases is 0";
    }
    if (!is_form(config->scalar_form) || !is_form(config->result_form)) {
        return "a form is neither canonical nor Montgomery";
    }
    if ((unsigned)tuning->reduction > SUMAC_REDUCTION_HALVING) {
        return "reduction is none of auto, running sum and halving";
    }
    if (!is_location(config->scalars_location) || !is_location(config->result_location)) {
        return "a memory location is neither host nor device";
    }
    if (tuning->copy_slices > COPY_SLICES_MAX) {
        return "copy_slices is more than 4";
    }
    return NULL;
}

/* The first field that this backend can't honour, or null. */
static const char *unsupported_field(const sumac_context *context, const sumac_msm_config *config,
                                     const sumac_tuning *tuning)
{
    if (context_executor(context)->backend->device != NULL) {
        return NULL;
    }
    if (config->scalars_location != SUMAC_LOCATION_HOST) {
        return "scalars_location = device";
    }
    if (config->result_location != SUMAC_LOCATION_HOST) {
        return "result_location = device";
    }
    if (tuning->copy_slices > 1) {
        return "copy_slices";
    }
    if (config->stream != NULL) {
        return "stream";
    }
    return config->event != NULL ? "event" : NULL;
}

sumac_status msm_config_check(sumac_context *context, const sumac_curve *curve,
                              const sumac_msm_config *config)
{
    const sumac_status status = config->tuning == NULL ? SUMAC_OK
                                                       : public_check(&public_tuning, config->tuning,
                                                                      &context_executor(context)->message);
    if (status != SUMAC_OK) {
        return status;
    }
    const sumac_tuning tuning = planning_tuning(config);
    const char *fault = config_fault(curve, config, &tuning);
    if (fault != NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the MSM's configuration can't be used: %s", fault);
    }
    if (context_executor(context)->engine != NULL && config->event != NULL && config->stream == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "an event needs the stream on which it is recorded");
    }
    fault = unsupported_field(context, config, &tuning);
    if (fault != NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s backend does not support %s",
                    context_executor(context)->backend->name, fault);
    }
    return SUMAC_OK;
}

sumac_status msm_config_check_sizes(sumac_context *context, const sumac_bases *bases, size_t n,
                                    const sumac_msm_config *config)
{
    sumac_msm_sizes sizes;
    sumac_status status = bases_check_usable(context, bases);
    if (status == SUMAC_OK) {
        status = msm_sizes_take(bases->curve, n, config, &sizes, &context_executor(context)->message);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    return sizes.bases <= sumac_bases_count(bases)
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_LENGTH, "there are %zu bases, and the call needs %zu",
                      sumac_bases_count(bases), sizes.bases);
}

sumac_status msm_config_check_shared(sumac_context *context, size_t n, const sumac_msm_config *config)
{
    if (config->stream != NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "a stream is of one device, and the bases are shared out over %u",
                    sumac_context_device_count(context));
    }
    return n <= PLAN_MAX_SCALARS / config->batch
               ? SUMAC_OK
               : fail(context, SUMAC_NOT_SUPPORTED, "%u MSMs of %zu bases each have more than 2^48 scalars",
                      config->batch, n);
}

sumac_status msm_config_check_call(sumac_context *context, const sumac_bases *bases, size_t n,
                                   const sumac_msm_config *config)
{
    sumac_status status = msm_config_check(context, bases->curve, config);
    if (status == SUMAC_OK) {
        status = msm_config_check_sizes(context, bases, n, config);
    }
    return status == SUMAC_OK && bases->shard_count > 1 ? msm_config_check_shared(context, n, config)
                                                        : status;
}

sumac_status msm_config_take(sumac_context *context, const sumac_bases *bases, size_t n,
                             const sumac_msm_config *config, sumac_msm_config *own)
{
    const sumac_status status =
        public_take(&public_msm_config, config, own, &context_executor(context)->message);
    return status == SUMAC_OK ? msm_config_check_call(context, bases, n, own) : status;
}
