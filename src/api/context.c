/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/handles.h"
#include "api/loader.h"
#include "api/members.h"
#include "api/roots.h"
#include "api/sizes.h"
#include "base/pool.h"
#include "base/printable.h"
#include "base/processors.h"
#include "cpu/engine.h"

/* Of a name in a sentence. */
#define NAME_BYTES ((size_t)64)

/* The GPU's backend with an engine on the device, or a sentence why there is none. */
static sumac_status open_cuda(int32_t device, const backend **chosen, void **engine, char *message,
                              size_t bytes)
{
    *chosen = load_cuda(message, bytes);
    return *chosen == NULL ? SUMAC_BACKEND_UNAVAILABLE
                           : (*chosen)->device->open(device, engine, message, bytes);
}

/* The backend of a name, with its engine if it has one. auto is the GPU where one can be used. */
static sumac_status choose_backend(const char *name, int32_t device, const backend **chosen, void **engine,
                                   char *message, size_t bytes)
{
    const int is_auto = name == NULL || strcmp(name, "auto") == 0;
    *engine = NULL;
    if (is_auto || strcmp(name, "cuda") == 0) {
        const sumac_status status = open_cuda(device, chosen, engine, message, bytes);
        if (!is_auto || status == SUMAC_OK) {
            return status;
        }
    } else if (strcmp(name, "cpu") != 0) {
        char text[PRINTABLE_BYTES(NAME_BYTES)];
        (void)snprintf(message, bytes, "there is no backend of the name %s; there are auto, cpu and cuda",
                       printable(text, name, NAME_BYTES));
        return SUMAC_UNKNOWN_BACKEND;
    }
    *chosen = &cpu_backend;
    return SUMAC_OK;
}

/* The sentence for the caller, where one is wanted. */
static void give_reason(sumac_message *reason, sumac_status status, const char *sentence)
{
    if (reason != NULL) {
        (void)snprintf(reason->text, sizeof reason->text, "%s", status == SUMAC_OK ? "" : sentence);
    }
}

sumac_status sumac_backend_check(const char *name, int32_t device, sumac_message *reason)
{
    const backend *chosen;
    void *engine;
    char sentence[SUMAC_MESSAGE_BYTES] = "";
    const sumac_status status = choose_backend(name, device, &chosen, &engine, sentence, sizeof sentence);
    if (status == SUMAC_OK && engine != NULL) {
        chosen->device->close(engine);
    }
    give_reason(reason, status, sentence);
    return status;
}

/* The variants of the CPU engine, each with its test of the machine; null runs everywhere. */
static const struct {
    const char *name;
    int (*runs_here)(void);
} cpu_variants[CPU_VARIANTS] = {{"avx512", cpu_has_avx512}, {"adx", cpu_has_adx}, {"portable", NULL}};

/* The index of a variant in cpu_variants, or -1. */
static int variant_index(const char *name)
{
    for (int i = 0; i < CPU_VARIANTS; i++) {
        if (strcmp(name, cpu_variants[i].name) == 0) {
            return i;
        }
    }
    return -1;
}

static int variant_runs_here(const char *variant)
{
    const int index = variant_index(variant);
    return index >= 0 && (cpu_variants[index].runs_here == NULL || cpu_variants[index].runs_here());
}

/* What can be told of a configuration before a backend is loaded. */
static sumac_status check_config(const sumac_context_config *config, const char *variant, char *reason,
                                 size_t bytes)
{
    char text[PRINTABLE_BYTES(NAME_BYTES)];
    if (config->threads > POOL_MOST_THREADS) {
        (void)snprintf(reason, bytes, "%u threads are more than %u", config->threads, POOL_MOST_THREADS);
        return SUMAC_BAD_ARGUMENT;
    }
    if (variant != NULL && variant_index(variant) < 0) {
        (void)snprintf(reason, bytes,
                       "there is no variant of the name %s; there are portable, adx and avx512",
                       printable(text, variant, NAME_BYTES));
        return SUMAC_BAD_ARGUMENT;
    }
    if (variant != NULL && !variant_runs_here(variant)) {
        (void)snprintf(reason, bytes, "this machine's processor does not run the variant %s", variant);
        return SUMAC_BACKEND_UNAVAILABLE;
    }
    return SUMAC_OK;
}

/* A context of one device. On failure `reason` is a sentence. */
static sumac_status create_one(const sumac_context_config *config, int32_t device, sumac_context **context,
                               char *reason, size_t bytes)
{
    const backend *chosen = NULL;
    void *engine = NULL;
    const char *variant = config->tuning->variant;
    sumac_status status = check_config(config, variant, reason, bytes);
    if (status == SUMAC_OK) {
        status = choose_backend(config->backend, device, &chosen, &engine, reason, bytes);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    const uint32_t threads = config->threads != 0 ? config->threads : processors_allowed();
    sumac_context *created = calloc(1, sizeof *created);
    thread_pool *pool = pool_create(threads);
    if (created == NULL || pool == NULL) {
        free(created);
        pool_destroy(pool);
        if (engine != NULL) {
            chosen->device->close(engine);
        }
        (void)snprintf(reason, bytes, "there is no memory of %zu bytes for a context", sizeof *created);
        return SUMAC_OUT_OF_MEMORY;
    }
    created->engine = engine;
    created->config = *config;
    created->tuning = sumac_tuning_default();
    created->tuning.variant = variant == NULL ? NULL : cpu_variants[variant_index(variant)].name;
    created->config.tuning = &created->tuning;
    for (int i = 0; i < CPU_VARIANTS; i++) {
        created->runs_variant[i] = variant_runs_here(cpu_variants[i].name);
    }
    created->config.devices = NULL;
    created->config.device_weights = NULL;
    created->callers_trace = config->trace;
    created->callers_progress = config->progress;
    created->callers_user = config->user;
    created->config.trace = config->trace == NULL ? NULL : context_report_trace;
    created->config.progress = config->progress == NULL ? NULL : context_report_progress;
    created->config.user = created;
    created->backend = chosen;
    created->threads = threads;
    created->pool = pool;
    *context = created;
    return SUMAC_OK;
}

/* Why there can be no such list of devices, or null. */
static const char *list_fault(const sumac_context_config *config)
{
    if (config->devices != NULL && config->device_count == 0) {
        return "the list of devices is empty";
    }
    if (config->devices == NULL && config->device_count != 0 && config->device_count != SUMAC_ALL_DEVICES) {
        return "devices are counted, and their list is null";
    }
    if (config->devices != NULL && config->device_count > SUMAC_MAX_DEVICES) {
        return "a context has at most 16 devices";
    }
    if (config->device_count != 0 && config->device != -1) {
        return "device and devices are both given";
    }
    if (config->device_weights != NULL && config->devices == NULL) {
        return "there are shares, but no list of devices";
    }
    return NULL;
}

/* On failure `reason` is a sentence. */
static sumac_status create(const sumac_context_config *config, sumac_context **context, char *reason,
                           size_t bytes)
{
    const int all = config->devices == NULL;
    int32_t devices[SUMAC_MAX_DEVICES];
    uint32_t count = all ? 0 : (uint32_t)config->device_count;
    const char *fault = list_fault(config);
    if (fault != NULL) {
        (void)snprintf(reason, bytes, "%s", fault);
        return SUMAC_BAD_ARGUMENT;
    }
    const int32_t first = all ? config->device : config->devices[0];
    sumac_status status = create_one(config, first, context, reason, bytes);
    if (status != SUMAC_OK || config->device_count == 0) {
        return status;
    }
    const backend *own = (*context)->backend;
    if (all) {
        count = own->device == NULL ? 1 : own->device->count();
        count = count < SUMAC_MAX_DEVICES ? count : SUMAC_MAX_DEVICES;
    }
    for (uint32_t k = 0; k < count; k++) {
        devices[k] = all ? (int32_t)k : config->devices[k];
    }
    status = members_create(*context, devices, count, config->device_weights, reason, bytes);
    if (status != SUMAC_OK) {
        sumac_context_destroy(*context);
        *context = NULL;
    }
    return status;
}

sumac_status sumac_context_create(const sumac_context_config *config, sumac_context **context,
                                  sumac_message *reason)
{
    sumac_context_config own;
    sumac_tuning tuning;
    char sentence[SUMAC_MESSAGE_BYTES] = "the address of the context is null";
    sumac_status status = SUMAC_BAD_ARGUMENT;
    if (context != NULL) {
        *context = NULL;
        status = public_take(&public_context_config, config, &own, sentence);
    }
    if (status == SUMAC_OK) {
        status = public_take(&public_tuning, own.tuning, &tuning, sentence);
        own.tuning = &tuning;
    }
    if (status == SUMAC_OK) {
        status = create(&own, context, sentence, sizeof sentence);
    }
    give_reason(reason, status, sentence);
    return status;
}

void sumac_context_destroy(sumac_context *context)
{
    if (context != NULL) {
        members_destroy(context);
        (void)context_begin(context);
        pool_destroy(context->pool);
        roots_free(context);
        context->backend->release(context->workspace);
        if (context->engine != NULL) {
            context->backend->device->close(context->engine);
        }
        free(context);
    }
}

const char *sumac_context_backend(const sumac_context *context)
{
    return context == NULL ? "" : context->backend->name;
}

const char *sumac_context_variant(const sumac_context *context)
{
    const sumac_curve *curve = sumac_curve_at(0);
    return context == NULL || curve == NULL ? "" : context_code(context, curve)->variant;
}

const char *sumac_context_device_name(const sumac_context *context)
{
    return context == NULL || context->engine == NULL ? ""
                                                      : context->backend->device->describe(context->engine);
}

sumac_location sumac_context_location(const sumac_context *context)
{
    return context == NULL || context->engine == NULL ? SUMAC_LOCATION_HOST : SUMAC_LOCATION_DEVICE;
}

uint32_t sumac_context_threads(const sumac_context *context)
{
    return context == NULL ? 0 : context->threads;
}

const curve_code *context_code(const sumac_context *context, const sumac_curve *curve)
{
    const curve_code *const *code = curve->variants;
    while (code[1] != NULL &&
           (context->tuning.variant != NULL ? strcmp((*code)->variant, context->tuning.variant) != 0
                                            : !context->runs_variant[variant_index((*code)->variant)])) {
        code++;
    }
    return *code;
}

sumac_status context_workspace(sumac_context *context, uint64_t bytes, void **memory)
{
    if (context->workspace_bytes < bytes) {
        context->backend->release(context->workspace);
        context->workspace_bytes = 0;
        context->workspace = context->backend->allocate(context->engine, bytes);
        if (context->workspace == NULL) {
            return fail(context, SUMAC_OUT_OF_MEMORY, "there is no memory for a workspace of %llu bytes",
                        (unsigned long long)bytes);
        }
        context->workspace_bytes = bytes;
    }
    *memory = context->workspace;
    return SUMAC_OK;
}

void sumac_free(void *memory)
{
    free(memory);
}
