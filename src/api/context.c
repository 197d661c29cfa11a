/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/handles.h"
#include "api/loader.h"
#include "base/sizes.h"
#include "base/pool.h"
#include "base/printable.h"
#include "base/processors.h"
#include "cpu/engine.h"
#include "vector/kept_roots.h"

/* Of its list's entries. */
#define MOST_WEIGHT 1000000u

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
} cpu_variants[CPU_VARIANTS] = {
    {"avx512", cpu_has_avx512}, {"avx2", cpu_has_avx2}, {"adx", cpu_has_adx}, {"portable", NULL}};

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
static sumac_status check_config(const sumac_context_config *config, char *reason, size_t bytes)
{
    char text[PRINTABLE_BYTES(NAME_BYTES)];
    const char *variant = config->tuning->variant;
    if (config->threads > POOL_MOST_THREADS) {
        (void)snprintf(reason, bytes, "%u threads are more than %u", config->threads, POOL_MOST_THREADS);
        return SUMAC_BAD_ARGUMENT;
    }
    if (variant != NULL && variant_index(variant) < 0) {
        (void)snprintf(reason, bytes,
                       "there is no variant of the name %s; there are portable, adx, avx2 and avx512",
                       printable(text, variant, NAME_BYTES));
        return SUMAC_BAD_ARGUMENT;
    }
    if (variant != NULL && !variant_runs_here(variant)) {
        (void)snprintf(reason, bytes, "this machine's processor does not run the variant %s", variant);
        return SUMAC_BACKEND_UNAVAILABLE;
    }
    return SUMAC_OK;
}

/* The code that the executors may run, of the configuration's choice. */
static void list_variants(const sumac_context_config *config, executor *self)
{
    const char *variant = config->tuning->variant;
    size_t count = 0;
    for (int i = 0; i < CPU_VARIANTS; i++) {
        const char *name = cpu_variants[i].name;
        if (variant != NULL ? strcmp(variant, name) == 0 : variant_runs_here(name)) {
            self->variants[count++] = name;
        }
    }
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

/* Whether devices and weights of a list can be used, on a backend with an engine or without. */
static sumac_status check_list(const backend *chosen, const int32_t *devices, uint32_t count,
                               const uint32_t *weights, char *reason, size_t bytes)
{
    for (uint32_t k = 0; k < count; k++) {
        if (devices[k] < 0) {
            (void)snprintf(reason, bytes, "the list of devices has %d, which is no device's number",
                           (int)devices[k]);
            return SUMAC_BAD_ARGUMENT;
        }
        if (chosen->device == NULL && devices[k] != 0) {
            (void)snprintf(reason, bytes, "there is no device %d of the %s backend: it has one, 0",
                           (int)devices[k], chosen->name);
            return SUMAC_BACKEND_UNAVAILABLE;
        }
        if (weights != NULL && (weights[k] == 0 || weights[k] > MOST_WEIGHT)) {
            (void)snprintf(reason, bytes, "the share %u of device %d is not one of 1 to %u", weights[k],
                           (int)devices[k], MOST_WEIGHT);
            return SUMAC_BAD_ARGUMENT;
        }
    }
    return SUMAC_OK;
}

/* Which devices a context is to have; with no list and SUMAC_ALL_DEVICES all of the backend. The first
 * one is open. */
static uint32_t list_devices(const sumac_context_config *config, const backend *chosen, int32_t *devices)
{
    uint32_t count = (uint32_t)config->device_count;
    if (config->device_count == 0) {
        devices[0] = config->device;
        return 1;
    }
    if (config->devices == NULL) {
        count = chosen->device == NULL ? 1 : chosen->device->count();
        count = count < SUMAC_MAX_DEVICES ? count : SUMAC_MAX_DEVICES;
    }
    for (uint32_t k = 0; k < count; k++) {
        devices[k] = config->devices == NULL ? (int32_t)k : config->devices[k];
    }
    return count;
}

/* The configuration as the context keeps it: with its own functions and strings, and nothing of the caller's memory. */
static void keep_config(sumac_context *context, const sumac_context_config *config)
{
    context->config = *config;
    context->config.tuning = NULL; /* the executors know the variants */
    context->config.devices = NULL;
    context->config.device_weights = NULL;
    context->callers_trace = config->trace;
    context->callers_progress = config->progress;
    context->callers_user = config->user;
    context->config.trace = config->trace == NULL ? NULL : context_report_trace;
    context->config.progress = config->progress == NULL ? NULL : context_report_progress;
    context->config.user = context;
    context->progress_share = 1;
    context->threads = config->threads != 0 ? config->threads : processors_allowed();
}

/* Devices copy from each other where one needs what another has. */
static void connect_devices(const executor_list *list)
{
    for (uint32_t k = 0; k < list->count; k++) {
        for (uint32_t j = 0; j < list->count; j++) {
            list->at[k].backend->device->connect(list->at[k].engine, executor_device(&list->at[j]));
        }
    }
}

/* The other executors, on the backend of the first one, which has its engine. */
static sumac_status open_others(executor_list *list, const int32_t *devices, char *reason, size_t bytes)
{
    sumac_status status = SUMAC_OK;
    const backend *chosen = list->at->backend;
    for (uint32_t k = 1; k < list->count && status == SUMAC_OK; k++) {
        executor *own = &list->at[k];
        memcpy(own->variants, list->at->variants, sizeof own->variants);
        if (chosen->device != NULL) {
            status = chosen->device->open(devices[k], &own->engine, reason, bytes);
        }
        own->backend = status == SUMAC_OK ? chosen : NULL;
    }
    if (status == SUMAC_OK && chosen->device != NULL) {
        connect_devices(list);
    }
    executor_enter(list->at);
    return status;
}

/* All of a context but its first engine, which is open and becomes its own. */
static sumac_status fill(sumac_context *context, const sumac_context_config *config, const backend *chosen,
                         void *engine, char *reason, size_t bytes)
{
    int32_t devices[SUMAC_MAX_DEVICES];
    const uint32_t count = list_devices(config, chosen, devices);
    keep_config(context, config);
    context->pool = pool_create(context->threads);
    const executor_means all = {
        .threads = context->threads,
        .pool = context->pool,
        .memory_limit = config->memory_limit,
        .trace = {context->config.trace, context},
        .progress = context->config.progress,
        .progress_user = context,
    };
    executor_list *list = &context->executors;
    sumac_status status = executors_create(list, count, &all, config->device_weights, chosen->device != NULL);
    if (status != SUMAC_OK || context->pool == NULL) {
        if (engine != NULL) {
            chosen->device->close(engine);
        }
        (void)snprintf(reason, bytes, "there is no memory of %zu bytes for a context",
                       sizeof *context + count * sizeof *list->at);
        return SUMAC_OUT_OF_MEMORY;
    }
    list->at->backend = chosen;
    list->at->engine = engine;
    list_variants(config, list->at);
    return config->device_count == 0 ? SUMAC_OK : open_others(list, devices, reason, bytes);
}

/* On failure `reason` is a sentence. */
static sumac_status create(const sumac_context_config *config, sumac_context **context, char *reason,
                           size_t bytes)
{
    const char *fault = list_fault(config);
    if (fault != NULL) {
        (void)snprintf(reason, bytes, "%s", fault);
        return SUMAC_BAD_ARGUMENT;
    }
    const backend *chosen = NULL;
    void *engine = NULL;
    sumac_status status = check_config(config, reason, bytes);
    if (status == SUMAC_OK) {
        status =
            choose_backend(config->backend, config->devices == NULL ? config->device : config->devices[0],
                           &chosen, &engine, reason, bytes);
    }
    if (status == SUMAC_OK && config->devices != NULL) {
        status = check_list(chosen, config->devices, (uint32_t)config->device_count, config->device_weights,
                            reason, bytes);
        if (status != SUMAC_OK && engine != NULL) {
            chosen->device->close(engine);
        }
    }
    if (status != SUMAC_OK) {
        return status;
    }
    sumac_context *created = calloc(1, sizeof *created);
    if (created == NULL) {
        if (engine != NULL) {
            chosen->device->close(engine);
        }
        (void)snprintf(reason, bytes, "there is no memory of %zu bytes for a context", sizeof *created);
        return SUMAC_OUT_OF_MEMORY;
    }
    status = fill(created, config, chosen, engine, reason, bytes);
    if (status != SUMAC_OK) {
        sumac_context_destroy(created);
        return status;
    }
    *context = created;
    return SUMAC_OK;
}

sumac_status sumac_context_create(const sumac_context_config *config, sumac_context **context,
                                  sumac_message *reason)
{
    sumac_context_config own;
    sumac_tuning tuning;
    sumac_message sentence = {.text = "the address of the context is null"};
    sumac_status status = SUMAC_BAD_ARGUMENT;
    if (context != NULL) {
        *context = NULL;
        status = public_take(&public_context_config, config, &own, &sentence);
    }
    if (status == SUMAC_OK) {
        status = public_take(&public_tuning, own.tuning, &tuning, &sentence);
        own.tuning = &tuning;
    }
    if (status == SUMAC_OK) {
        status = create(&own, context, sentence.text, sizeof sentence.text);
    }
    give_reason(reason, status, sentence.text);
    return status;
}

uint64_t context_replica_limit(const sumac_context *context)
{
    return context->config.replica_limit;
}

executor_list *context_teams(sumac_context *context)
{
    executor_list *teams = &context->teams;
    const executor *whole = context->executors.at;
    if (whole->engine != NULL || context->executors.count > 1 || whole->means.memory_limit != 0 ||
        context->threads < CONTEXT_TEAM_THREADS * CONTEXT_TEAMS) {
        return NULL;
    }
    if (teams->count > 0) {
        return teams;
    }
    if (executors_create(teams, CONTEXT_TEAMS, &context->executors.all, NULL, 0) != SUMAC_OK) {
        executors_destroy(teams);
        return NULL;
    }
    for (uint32_t k = 0; k < CONTEXT_TEAMS; k++) {
        teams->at[k].backend = whole->backend;
        memcpy(teams->at[k].variants, whole->variants, sizeof whole->variants);
    }
    return teams;
}

void sumac_context_destroy(sumac_context *context)
{
    if (context == NULL) {
        return;
    }
    if (context->executors.at != NULL) {
        (void)context_begin(context);
    }
    for (uint32_t k = 0; k < context->executors.count; k++) {
        executor_enter(&context->executors.at[k]);
        roots_free(&context->executors.at[k]);
    }
    for (uint32_t k = 0; k < context->teams.count; k++) {
        roots_free(&context->teams.at[k]);
    }
    pool_destroy(context->pool);
    executors_destroy(&context->teams);
    executors_destroy(&context->executors);
    free(context);
}

uint32_t sumac_context_device_count(const sumac_context *context)
{
    return context == NULL ? 0 : context->executors.count;
}

static sumac_status check_executor(void *arguments, uint32_t k, const _Atomic int *stop)
{
    executor *own = &((executor_list *)arguments)->at[k];
    (void)stop;
    return own->engine == NULL ? SUMAC_OK : executor_done(own, own->backend->device->join(own->engine));
}

sumac_status sumac_context_check(sumac_context *context)
{
    HOLDS sumac_context *held = context_begin(context);
    return held == NULL ? SUMAC_BAD_ARGUMENT
                        : executors_run(&context->executors, check_executor, &context->executors);
}

const char *sumac_context_backend(const sumac_context *context)
{
    return context == NULL ? "" : context->executors.at->backend->name;
}

const char *sumac_context_variant(const sumac_context *context)
{
    const sumac_curve *curve = sumac_curve_at(0);
    return context == NULL || curve == NULL ? "" : context_code(context, curve)->variant;
}

const char *sumac_context_device_name(const sumac_context *context, uint32_t index)
{
    if (context == NULL || index >= context->executors.count || context->executors.at->engine == NULL) {
        return "";
    }
    const executor *own = &context->executors.at[index];
    return own->backend->device->describe(own->engine);
}

sumac_location sumac_context_location(const sumac_context *context)
{
    return context == NULL || context->executors.at->engine == NULL ? SUMAC_LOCATION_HOST
                                                                    : SUMAC_LOCATION_DEVICE;
}

uint32_t sumac_context_threads(const sumac_context *context)
{
    return context == NULL ? 0 : context->threads;
}

void sumac_free(void *memory)
{
    free(memory);
}
