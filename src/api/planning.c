/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/planning.h"

#include <stdio.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/context.h"
#include "api/sizes.h"
#include "base/integers.h"
#include "base/memory_left.h"
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
static const char *config_fault(const sumac_curve *curve, const sumac_msm_config *config)
{
    if (config->c > PLAN_MAX_C) {
        return "c is more than 24";
    }
    if (config->scalar_bits > 8 * curve->info.scalar_bytes) {
        return "scalar_bits is more than a scalar has";
    }
    if (config->base_sets != 0 && !config->separate_bases) {
        return "base_sets is given, but separate_bases is 0";
    }
    if (!is_form(config->scalar_form) || !is_form(config->result_form)) {
        return "a form is neither canonical nor Montgomery";
    }
    if ((unsigned)config->reduction > SUMAC_REDUCTION_HALVING) {
        return "reduction is none of auto, running sum and halving";
    }
    if (!is_location(config->scalars_location) || !is_location(config->result_location)) {
        return "a memory location is neither host nor device";
    }
    if (config->copy_slices > COPY_SLICES_MAX) {
        return "copy_slices is more than 4";
    }
    return NULL;
}

/* The first field that this backend can't honour, or null. */
static const char *unsupported_field(const sumac_context *context, const sumac_msm_config *config)
{
    if (context->backend->device != NULL) {
        return NULL;
    }
    if (config->scalars_location != SUMAC_LOCATION_HOST) {
        return "scalars_location = device";
    }
    if (config->result_location != SUMAC_LOCATION_HOST) {
        return "result_location = device";
    }
    if (config->copy_slices > 1) {
        return "copy_slices";
    }
    if (config->stream != NULL) {
        return "stream";
    }
    return config->event != NULL ? "event" : NULL;
}

sumac_status planning_check_config(sumac_context *context, const sumac_curve *curve,
                                   const sumac_msm_config *config)
{
    const char *fault = config_fault(curve, config);
    if (fault != NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the MSM's configuration can't be used: %s", fault);
    }
    if (context->engine != NULL && config->event != NULL && config->stream == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "an event needs the stream on which it is recorded");
    }
    fault = unsupported_field(context, config);
    if (fault != NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED, "the %s backend does not support %s",
                    context->backend->name, fault);
    }
    return SUMAC_OK;
}

uint64_t planning_limit(const sumac_context *context)
{
    const uint64_t told = context->config.memory_limit;
    if (context->engine == NULL) {
        return told;
    }
    const uint64_t there = context->backend->device->memory_free(context->engine) + context->workspace_bytes;
    return told != 0 && told < there ? told : there;
}

plan_request planning_request(const sumac_context *context, const sumac_bases *shape, size_t n,
                              const sumac_msm_config *config, uint64_t limit)
{
    const bases_table *table = bases_only_table(shape);
    const int multiples = table->factor > 1;
    const char *lasting = planning_lasting_name(context, config->plan);
    const plan_request request = {
        .curve = shape->curve,
        .code = context_code(context, shape->curve),
        .backend = context->backend,
        .n = n,
        .bases_count = table->count,
        .batch = config->batch == 0 ? 1 : config->batch,
        .c = multiples ? shape->c : config->c,
        .scalar_bits = config->scalar_bits,
        .glv_terms = table->glv_terms,
        .precompute_factor = table->all_digits ? 1 : table->factor,
        .all_digits = table->all_digits,
        .windows = multiples ? shape->windows : 0,
        .chunks = config->chunks,
        .copy_slices = config->copy_slices,
        .scalars_location = config->scalars_location,
        .bases_are_host_resident = table->host_resident,
        .base_sets = planning_base_sets(config),
        .threads = context->threads,
        .outside_subgroup = shape->outside_subgroup,
        .reduction = config->reduction,
        .plan_name =
            lasting != NULL ? lasting : config->plan, /* one that there is not is refused by the planner */
        .memory_limit = limit,
        .limit_is_given = context->config.memory_limit != 0,
    };
    return request;
}

uint64_t planning_base_sets(const sumac_msm_config *config)
{
    if (!config->separate_bases || config->batch <= 1) {
        return 1;
    }
    return config->base_sets == 0 ? config->batch : smaller(config->base_sets, config->batch);
}

int planning_is_same(const plan_request *a, const plan_request *b)
{
    return a->curve == b->curve && a->code == b->code && a->backend == b->backend && a->n == b->n &&
           a->bases_count == b->bases_count && a->batch == b->batch && a->c == b->c &&
           a->scalar_bits == b->scalar_bits && a->glv_terms == b->glv_terms &&
           a->precompute_factor == b->precompute_factor && a->all_digits == b->all_digits &&
           a->windows == b->windows && a->chunks == b->chunks && a->copy_slices == b->copy_slices &&
           a->scalars_location == b->scalars_location &&
           a->bases_are_host_resident == b->bases_are_host_resident && a->base_sets == b->base_sets &&
           a->threads == b->threads && a->outside_subgroup == b->outside_subgroup &&
           a->reduction == b->reduction && a->plan_name == b->plan_name && a->memory_limit == b->memory_limit;
}

/* Bytes of one window's buckets that multiples may always ask for, on the host and on a device. What the
 * stages keep beside them makes it four times as much workspace: 64 and 512 MiB. */
#define FIXED_BUCKETS_HOST ((uint64_t)16 << 20)
#define FIXED_BUCKETS_DEVICE ((uint64_t)128 << 20)

/* Whether a call should leave the multiples of its bases alone and take the bases themselves, the table's
 * first block, with a window of its own. Multiples fix the window, and with it the buckets; a table file says
 * what it likes. Where a window has more buckets than the call has points for it, and they take more memory
 * than any call may, the reduction would be most of the work, too. A caller who gives that window means it.
 */
static int leaves_multiples(const plan_request *request, const sumac_msm_config *config)
{
    const uint64_t buckets = ((uint64_t)1 << request->c) / 2;
    const uint64_t bytes = buckets * request->code->affine_bytes;
    return request->precompute_factor > 1 && config->c == 0 &&
           buckets / request->precompute_factor > request->n &&
           bytes > (request->backend->device != NULL ? FIXED_BUCKETS_DEVICE : FIXED_BUCKETS_HOST);
}

/* ---- Why there is no plan ---- */

const char *planning_lasting_name(const sumac_context *context, const char *name)
{
    const char *known = NULL;
    for (size_t i = 0; name != NULL && (known = sumac_context_plan_name(context, i)) != NULL; i++) {
        if (strcmp(known, name) == 0) {
            return known;
        }
    }
    return NULL;
}

static int has_plan(const sumac_context *context, const char *name)
{
    return name == NULL || sumac_context_plan_about(context, name) != NULL;
}

/* "a, b, c" of the backend's plans. */
static void list_plans(const sumac_context *context, char *text, size_t bytes)
{
    const char *name;
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; (name = sumac_context_plan_name(context, i)) != NULL && length < bytes; i++) {
        length += (size_t)snprintf(text + length, bytes - length, "%s%s", i > 0 ? ", " : "", name);
    }
}

/* What a named plan does not go with: the first of these without which there is a plan. */
static const char *obstacle(const plan_request *request)
{
    static const char *const names[] = {"that reduction", "that window c", "that number of chunks",
                                        "multiples or tables of the bases",
                                        "scalars of fewer bits or bases outside of the subgroup"};
    enum { NAMES = sizeof names / sizeof *names };
    for (int i = 0; i < NAMES; i++) {
        plan_request other = *request;
        msm_plan plan;
        uint64_t missing;
        other.reduction = i == 0 ? SUMAC_REDUCTION_AUTO : other.reduction;
        other.c = i == 1 || i == 3 ? 0 : other.c;
        other.chunks = i == 2 ? 0 : other.chunks;
        if (i == 3) {
            other.precompute_factor = 1;
            other.windows = 0;
            other.all_digits = 0;
        }
        if (i == 4) {
            other.scalar_bits = 0;
            other.outside_subgroup = 0;
        }
        if (plan_make(&other, &plan, &missing) != SUMAC_UNKNOWN_PLAN) {
            return names[i];
        }
    }
    return NULL;
}

static sumac_status fail_without_plan(sumac_context *context, const plan_request *request)
{
    const char *name = request->plan_name == NULL ? "auto" : request->plan_name;
    const char *against;
    char known[256];
    if (!has_plan(context, request->plan_name)) {
        list_plans(context, known, sizeof known);
        return fail(context, SUMAC_UNKNOWN_PLAN,
                    "there is no plan of the name %s on the %s backend; there are %s", name,
                    context->backend->name, known);
    }
    against = obstacle(request);
    return against != NULL
               ? fail(context, SUMAC_UNKNOWN_PLAN, "the plan %s can't be had with %s", name, against)
               : fail(context, SUMAC_UNKNOWN_PLAN, "there is no plan of the name %s for this call", name);
}

sumac_status planning_make(sumac_context *context, const sumac_bases *shape, size_t n,
                           const sumac_msm_config *config, uint64_t limit, msm_plan *plan)
{
    plan_request request = planning_request(context, shape, n, config, limit);
    uint64_t missing = 0;
    if (bases_only_table(shape)->factor > 1) {
        if (config->c != 0 && config->c != shape->c) {
            return fail(context, SUMAC_BAD_ARGUMENT, "c is %u, but the bases' multiples are made for c = %u",
                        config->c, shape->c);
        }
        if (plan_windows(&request, shape->c) > shape->windows) {
            return fail(context, SUMAC_BAD_ARGUMENT,
                        "the bases' multiples are made for scalars of fewer bits");
        }
    }
    const int leaves = leaves_multiples(&request, config);
    if (leaves) {
        request.precompute_factor = 1;
        request.c = request.windows = 0;
    }
    const sumac_status status = plan_make(&request, plan, &missing);
    if (leaves && status == SUMAC_OK) { /* the multiples are there all the same */
        const uint64_t others = plan->bytes_bases * (bases_only_table(shape)->factor - 1);
        plan->bytes_bases += others;
        plan->bytes_total += others;
    }
    switch (status) {
    case SUMAC_UNKNOWN_PLAN:
        return fail_without_plan(context, &request);
    case SUMAC_MEMORY_LIMIT:
        return fail(context, status, "the memory limit of %llu bytes of workspace is %llu bytes too small",
                    (unsigned long long)request.memory_limit, (unsigned long long)missing);
    case SUMAC_NOT_SUPPORTED:
        return n > PLAN_MAX_SCALARS / request.batch
                   ? fail(context, status, "%u MSMs of %zu bases each have more than 2^48 scalars",
                          request.batch, n)
                   : fail(context, status, "the call has more bases or multiples than can be numbered");
    default:
        return status;
    }
}

sumac_status planning_make_here(sumac_context *context, const sumac_bases *shape, size_t n,
                                const sumac_msm_config *config, msm_plan *plan)
{
    const sumac_status status = planning_make(context, shape, n, config, planning_limit(context), plan);
    const uint64_t unasked = larger(context->workspace_bytes, MEMORY_NEVER_ASKED);
    if (status != SUMAC_OK || context->engine != NULL || plan->bytes_workspace <= unasked) {
        return status;
    }
    const uint64_t left = memory_left_for_one() + context->workspace_bytes;
    if (plan->bytes_workspace <= left) {
        return status;
    }
    const sumac_status within = planning_make(context, shape, n, config, left, plan);
    return within != SUMAC_MEMORY_LIMIT
               ? within
               : fail(context, SUMAC_OUT_OF_MEMORY,
                      "the machine or its control group has %llu bytes left for a workspace, too few",
                      (unsigned long long)left);
}

static sumac_status check_sizes(sumac_context *context, const sumac_bases *bases, size_t n,
                                const sumac_msm_config *config)
{
    const uint64_t count = sumac_bases_count(bases);
    const sumac_status status = bases_check_usable(context, bases);
    if (status != SUMAC_OK) {
        return status;
    }
    const uint64_t sets = planning_base_sets(config);
    if (config->first > count || n > (count - config->first) / sets) {
        return fail(context, SUMAC_BAD_LENGTH,
                    "there are %llu bases, fewer than the call needs: %zu + %llu*%zu",
                    (unsigned long long)count, config->first, (unsigned long long)sets, n);
    }
    return SUMAC_OK;
}

sumac_status planning_check_shared(sumac_context *context, size_t n, const sumac_msm_config *config)
{
    const uint32_t batch = config->batch == 0 ? 1 : config->batch;
    if (config->stream != NULL) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "a stream is of one device, and the bases are shared out over %u",
                    sumac_context_device_count(context));
    }
    return n <= PLAN_MAX_SCALARS / batch
               ? SUMAC_OK
               : fail(context, SUMAC_NOT_SUPPORTED, "%u MSMs of %zu bases each have more than 2^48 scalars",
                      batch, n);
}

sumac_status planning_take_config(sumac_context *context, const sumac_bases *bases, size_t n,
                                  const sumac_msm_config *config, sumac_msm_config *own)
{
    sumac_status status = public_take(&public_msm_config, config, own, context->message);
    if (status == SUMAC_OK) {
        status = planning_check_config(context, bases->curve, own);
    }
    if (status == SUMAC_OK) {
        status = check_sizes(context, bases, n, own);
    }
    return status == SUMAC_OK && bases->parts != NULL ? planning_check_shared(context, n, own) : status;
}
