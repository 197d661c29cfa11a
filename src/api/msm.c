#include <string.h>

#include "api/internal.h"
#include "math/scalar.h"
#include "pipeline/clock.h"

sumac_msm_config sumac_msm_config_default(void)
{
    const sumac_msm_config config = {.scalar_form = SUMAC_FORM_CANONICAL};
    return config;
}

static int is_form(sumac_form form)
{
    return form == SUMAC_FORM_CANONICAL || form == SUMAC_FORM_MONTGOMERY;
}

/* Values that mean nothing on any backend; null when there are none. */
static const char *config_fault(const sumac_curve *curve, const sumac_msm_config *config)
{
    if (config->c > PLAN_MAX_C) {
        return "c is more than 24";
    }
    if (config->scalar_bits > 8 * curve->info.scalar_bytes) {
        return "scalar_bits is more than a scalar has";
    }
    if (!is_form(config->scalar_form) || !is_form(config->result_form)) {
        return "a form is neither canonical nor Montgomery";
    }
    if ((unsigned)config->reduction > SUMAC_REDUCTION_HALVING) {
        return "reduction is none of auto, running sum and halving";
    }
    return NULL;
}

/* The first field that only a GPU can honour, or null. */
static const char *unsupported_field(const sumac_msm_config *config)
{
    if (config->scalars_place != SUMAC_PLACE_HOST) {
        return "scalars_place = device";
    }
    if (config->result_place != SUMAC_PLACE_HOST) {
        return "result_place = device";
    }
    if (config->stream != NULL) {
        return "stream";
    }
    if (config->event != NULL) {
        return "event";
    }
    return config->large_bucket_factor != 0 ? "large_bucket_factor" : NULL;
}

static sumac_status check_config(sumac_context *context, const sumac_curve *curve,
                                 const sumac_msm_config *config)
{
    const char *fault = config_fault(curve, config);
    if (fault != NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the MSM's configuration can't be used: %s", fault);
    }
    fault = unsupported_field(config);
    if (fault != NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s backend does not support %s",
                    context->backend->name, fault);
    }
    return SUMAC_OK;
}

/* What a device has for a workspace, with the one that it has; 0, no limit, for the host's memory. */
static uint64_t device_memory(const sumac_context *context)
{
    return context->engine == NULL
               ? 0
               : context->backend->device->memory_free(context->engine) + context->workspace_bytes;
}

/* What the plan depends on, for bases that exist or (shape) that are only thought of. */
static plan_request request_of(const sumac_context *context, const sumac_bases *shape, size_t n,
                               const sumac_msm_config *config)
{
    const int multiples = shape->table.factor > 1;
    const plan_request request = {
        .curve = shape->curve,
        .code = context_code(context, shape->curve),
        .backend = context->backend,
        .n = n,
        .bases_count = shape->table.count,
        .batch = config->batch == 0 ? 1 : config->batch,
        .c = multiples ? shape->c : config->c,
        .scalar_bits = config->scalar_bits,
        .precompute_factor = shape->table.factor,
        .windows = multiples ? shape->windows : 0,
        .chunks = config->chunks,
        .threads = context->threads,
        .outside_subgroup = shape->outside_subgroup,
        .reduction = config->reduction,
        .plan_name = config->plan,
        .memory_limit =
            context->config.memory_limit != 0 ? context->config.memory_limit : device_memory(context),
    };
    return request;
}

static sumac_status make_plan(sumac_context *context, const sumac_bases *shape, size_t n,
                              const sumac_msm_config *config, sumac_plan *plan)
{
    const plan_request request = request_of(context, shape, n, config);
    uint64_t missing = 0;
    if (shape->table.factor > 1) {
        if (config->c != 0 && config->c != shape->c) {
            return fail(context, SUMAC_BAD_ARGUMENT, "c is %u, but the bases' multiples are made for c = %u",
                        config->c, shape->c);
        }
        if (plan_windows(&request, shape->c) > shape->windows) {
            return fail(context, SUMAC_BAD_ARGUMENT,
                        "the bases' multiples are made for scalars of fewer bits");
        }
    }
    const sumac_status status = plan_make(&request, plan, &missing);
    switch (status) {
    case SUMAC_UNKNOWN_PLAN:
        return fail(context, status, "there is no plan of the name %s", config->plan);
    case SUMAC_MEMORY_LIMIT:
        return fail(context, status, "the memory limit of %llu bytes of workspace is %llu bytes too small",
                    (unsigned long long)request.memory_limit, (unsigned long long)missing);
    case SUMAC_NOT_SUPPORTED:
        return fail(context, status, "the call has more bases, multiples or scalars than can be numbered");
    default:
        return status;
    }
}

static sumac_status check_sizes(sumac_context *context, const sumac_bases *bases, size_t n,
                                const sumac_msm_config *config)
{
    const uint64_t count = bases->table.count;
    if (bases->backend != context->backend) {
        return fail(context, SUMAC_BAD_ARGUMENT,
                    "the bases are the %s backend's, and the context is the %s backend's",
                    bases->backend->name, context->backend->name);
    }
    const uint64_t sets = config->separate_bases && config->batch > 1 ? config->batch : 1;
    if (config->first > count || n > (count - config->first) / sets) {
        return fail(context, SUMAC_BAD_LENGTH,
                    "there are %llu bases, fewer than the call needs: %zu + %llu*%zu",
                    (unsigned long long)count, config->first, (unsigned long long)sets, n);
    }
    return SUMAC_OK;
}

/* The index of the first scalar of more bits than declared; the stages only report that there is one. */
static size_t first_large_scalar(const sumac_curve *curve, const uint8_t *scalars, size_t count,
                                 const sumac_msm_config *config)
{
    const scalar_field *field = &curve->scalars;
    uint64_t k[SCALAR_MAX_LIMBS];
    size_t i = 0;
    for (; i < count; i++) {
        scalar_load(k, scalars + i * 8 * field->limbs, field->limbs);
        scalar_reduce(k, field);
        if (config->scalar_form == SUMAC_FORM_MONTGOMERY) {
            scalar_from_montgomery(k, field);
        }
        if (scalar_bits(k, field->limbs) > config->scalar_bits) {
            break;
        }
    }
    return i;
}

static sumac_status run(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
                        const sumac_msm_config *config, void *results)
{
    const double start = clock_seconds();
    const trace_sink sink = {context->config.trace, context->config.user};
    sumac_plan plan;
    void *memory;
    sumac_status status = make_plan(context, bases, n, config, &plan);
    if (status == SUMAC_OK) {
        status = context_workspace(context, plan.bytes_workspace, &memory);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    if (sink.report != NULL) {
        const sumac_trace_event event = {"plan", 0, 0, start, clock_seconds()};
        sink.report(sink.user, &event);
    }
    const msm_job job = {
        .curve = bases->curve,
        .code = context_code(context, bases->curve),
        .plan = &plan,
        .bases = bases->table,
        .scalars = scalars,
        .scalar_form = config->scalar_form,
        .result_form = config->result_form,
        .first_base = config->first,
        .separate_bases = config->separate_bases,
        .threads = plan.threads,
        .trace = sink,
        .engine = context->engine,
    };
    status =
        pipeline_run(context->backend, &job, memory, results, context->config.progress, context->config.user);
    if (status == SUMAC_SCALAR_TOO_LARGE) {
        return fail(context, status, "scalar %zu has more than the declared %u bits",
                    first_large_scalar(bases->curve, scalars, plan.n * plan.batch, config),
                    config->scalar_bits);
    }
    const char *message = context->engine == NULL ? "" : context->backend->device->message(context->engine);
    return status == SUMAC_OK
               ? status
               : fail(context, status, "%s", *message != '\0' ? message : sumac_status_text(status));
}

sumac_status sumac_msm(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
                       const sumac_msm_config *config, void *results)
{
    const sumac_msm_config defaults = sumac_msm_config_default();
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    context_begin(context);
    if (config == NULL) {
        config = &defaults;
    }
    if (bases == NULL || results == NULL || (scalars == NULL && n != 0)) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                    bases == NULL     ? "the bases' handle"
                    : results == NULL ? "the results' address"
                                      : "the scalars' address");
    }
    sumac_status status = check_config(context, bases->curve, config);
    if (status == SUMAC_OK) {
        status = check_sizes(context, bases, n, config);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    if (n == 0) {
        memset(results, 0, (size_t)(config->batch == 0 ? 1 : config->batch) * bases->curve->info.point_bytes);
        return SUMAC_OK;
    }
    return run(context, bases, scalars, n, config, results);
}

sumac_status sumac_plan_query(sumac_context *context, const sumac_curve *curve, size_t n,
                              const sumac_bases_config *bases_config, const sumac_msm_config *msm_config,
                              sumac_plan *plan)
{
    const sumac_msm_config msm_defaults = sumac_msm_config_default();
    const sumac_bases_config bases_defaults = sumac_bases_config_default();
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    context_begin(context);
    if (curve == NULL || plan == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                    curve == NULL ? "the curve" : "the plan's address");
    }
    if (msm_config == NULL) {
        msm_config = &msm_defaults;
    }
    if (bases_config == NULL) {
        bases_config = &bases_defaults;
    }
    const uint64_t sets = msm_config->separate_bases && msm_config->batch > 1 ? msm_config->batch : 1;
    if (n > (((uint64_t)1 << 31) - msm_config->first % ((uint64_t)1 << 31)) / sets) {
        return fail(context, SUMAC_NOT_SUPPORTED, "%zu bases are more than 2^31", n);
    }
    sumac_bases shape;
    sumac_status status = check_config(context, curve, msm_config);
    if (status == SUMAC_OK) {
        status = bases_shape(context, curve, (size_t)(msm_config->first + sets * n), bases_config, &shape);
    }
    return status == SUMAC_OK ? make_plan(context, &shape, n, msm_config, plan) : status;
}

sumac_status sumac_msm_plan(sumac_context *context, const sumac_bases *bases, size_t n,
                            const sumac_msm_config *config, sumac_plan *plan)
{
    const sumac_msm_config defaults = sumac_msm_config_default();
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    context_begin(context);
    if (bases == NULL || plan == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%s is null",
                    bases == NULL ? "the bases' handle" : "the plan's address");
    }
    if (config == NULL) {
        config = &defaults;
    }
    sumac_status status = check_config(context, bases->curve, config);
    if (status == SUMAC_OK) {
        status = check_sizes(context, bases, n, config);
    }
    return status == SUMAC_OK ? make_plan(context, bases, n, config, plan) : status;
}
