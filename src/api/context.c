/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>

#include "api/call.h"
#include "api/handles.h"
#include "api/loader.h"
#include "base/instructions.h"
#include "base/pool.h"
#include "base/printable.h"
#include "base/processors.h"
#include "base/sizes.h"
#include "base/tuning.h"
#include "cpu/engine.h"
#include "vector/kept_roots.h"

/* A device's weight is at most this. */
#define MOST_WEIGHT 1000000u

/* A message repeats at most this many bytes of a caller's name. */
#define NAME_BYTES ((size_t)64)

/* This is a backend, with an engine if it has devices. At the end of the block the engine is closed, unless a context
 * has taken it. */
typedef struct open_backend {
    const backend *backend;
    void *engine;
} open_backend;

static void close_backend(open_backend *opened)
{
    if (opened->engine != NULL) {
        opened->backend->device->close(opened->engine);
    }
}

/* Open the backend with this name; "auto" means the GPU if one can be used, otherwise the CPU. */
static sumac_status open_named_backend(const char *name, int32_t device, open_backend *opened,
                                       sumac_message *message)
{
    const int is_auto = name == NULL || strcmp(name, "auto") == 0;
    if (is_auto || strcmp(name, "cuda") == 0) {
        opened->backend = load_cuda(message);
        const sumac_status status = opened->backend == NULL
                                        ? SUMAC_BACKEND_UNAVAILABLE
                                        : opened->backend->device->open(device, &opened->engine, message);
        if (!is_auto || status == SUMAC_OK) {
            return status;
        }
    } else if (strcmp(name, "cpu") != 0) {
        char text[PRINTABLE_BYTES(NAME_BYTES)];
        return refuse(message, SUMAC_UNKNOWN_BACKEND,
                      "there is no backend of the name %s; there are auto, cpu and cuda",
                      printable(text, name, NAME_BYTES));
    }
    opened->backend = &cpu_backend;
    return SUMAC_OK;
}

/* These are the variants of the CPU engine. Each has a function that tests whether the machine can run it; a variant
 * without such a function runs everywhere. */
static const struct {
    const char *name;
    int (*runs_here)(void);
} cpu_variants[CPU_VARIANTS] = {
    {"avx512", cpu_has_avx512}, {"avx2", cpu_has_avx2}, {"adx", cpu_has_adx}, {"portable", NULL}};

/* List the variants that the executors may run: only `variant`, or, if it is null, all that this machine supports. */
static sumac_status list_variants(const char *variant, const char **names, sumac_message *message)
{
    char text[PRINTABLE_BYTES(NAME_BYTES)];
    size_t count = 0;
    int is_known = variant == NULL;
    for (int i = 0; i < CPU_VARIANTS; i++) {
        const char *name = cpu_variants[i].name;
        const int is_wanted = variant == NULL || strcmp(variant, name) == 0;
        is_known |= is_wanted;
        if (is_wanted && (cpu_variants[i].runs_here == NULL || cpu_variants[i].runs_here())) {
            names[count++] = name;
        }
    }
    if (!is_known) {
        return refuse(message, SUMAC_BAD_ARGUMENT,
                      "there is no variant of the name %s; there are portable, adx, avx2 and avx512",
                      printable(text, variant, NAME_BYTES));
    }
    return count > 0 ? SUMAC_OK
                     : refuse(message, SUMAC_BACKEND_UNAVAILABLE,
                              "this machine's processor does not run the variant %s", variant);
}

/* Return why this list of devices is invalid, or null if it is valid. */
static const char *find_list_fault(const sumac_context_config *config)
{
    const config_fault faults[] = {
        {config->devices != NULL && config->device_count == 0, "the list of devices is empty"},
        {config->devices == NULL && config->device_count != 0 && config->device_count != SUMAC_ALL_DEVICES,
         "device_count is set, but devices is null"},
        {config->devices != NULL && config->device_count > MOST_DEVICES, "a context has at most 16 devices"},
        {config->device_weights != NULL && config->devices == NULL,
         "device_weights is set, but devices is null"},
    };
    return first_fault(faults, sizeof faults / sizeof *faults);
}

/* Check the list of devices, if there is one, and its weights. */
static sumac_status check_devices(const sumac_context_config *config, sumac_message *message)
{
    const uint32_t *weights = config->device_weights;
    const char *fault = find_list_fault(config);
    if (fault != NULL) {
        return refuse(message, SUMAC_BAD_ARGUMENT, "%s", fault);
    }
    for (uint32_t k = 0; config->devices != NULL && k < config->device_count; k++) {
        const int device = (int)config->devices[k];
        if (device < 0) {
            return refuse(message, SUMAC_BAD_ARGUMENT,
                          "the list of devices has %d, which is no device's number", device);
        }
        if (weights != NULL && (weights[k] == 0 || weights[k] > MOST_WEIGHT)) {
            return refuse(message, SUMAC_BAD_ARGUMENT, "the weight %u of device %d is not one of 1 to %u",
                          weights[k], device, MOST_WEIGHT);
        }
    }
    return SUMAC_OK;
}

/* List the devices of a new context. If the caller gives no list, these are the backend's first device or, with
 * SUMAC_ALL_DEVICES, all its devices. The first device of the list is already open. */
static sumac_status list_devices(const sumac_context_config *config, const backend *chosen,
                                 int32_t devices[MOST_DEVICES], uint32_t *count, sumac_message *message)
{
    *count = (uint32_t)config->device_count;
    if (config->devices == NULL) {
        const uint32_t all = chosen->device == NULL ? 1 : chosen->device->count();
        *count = config->device_count == 0 ? 1 : all < MOST_DEVICES ? all : MOST_DEVICES;
    }
    for (uint32_t k = 0; k < *count; k++) {
        devices[k] = config->devices == NULL ? (int32_t)k : config->devices[k];
        if (chosen->device == NULL && devices[k] != 0) {
            return refuse(message, SUMAC_BACKEND_UNAVAILABLE,
                          "there is no device %d of the %s backend: it has one, 0", (int)devices[k],
                          chosen->name);
        }
    }
    return SUMAC_OK;
}

/* Store the configuration in the context. Its functions become those of api/call.h, and it keeps no pointers to the
 * caller's memory. */
static void keep_config(sumac_context *context, const sumac_context_config *config)
{
    context->config = *config;
    context->config.tuning = NULL; /* the executors have the variants */
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

/* Open the other executors on the first one's backend, and let devices copy from each other directly. */
static sumac_status open_others(executor_list *list, const int32_t *devices, sumac_message *message)
{
    const backend *chosen = list->at->backend;
    for (uint32_t k = 1; k < list->count; k++) {
        executor *other = &list->at[k];
        memcpy(other->variants, list->at->variants, sizeof other->variants);
        if (chosen->device != NULL) {
            TRY(chosen->device->open(devices[k], &other->engine, message));
        }
        other->backend = chosen;
    }
    for (uint32_t k = 0; chosen->device != NULL && k < list->count; k++) {
        for (uint32_t j = 0; j < list->count; j++) {
            chosen->device->connect(list->at[k].engine, executor_device(&list->at[j]));
        }
    }
    return SUMAC_OK;
}

/* Fill in a context. The first engine then belongs to it. */
static sumac_status fill(sumac_context *context, const sumac_context_config *config,
                         const char *const variants[CPU_VARIANTS + 1], open_backend *first,
                         sumac_message *message)
{
    int32_t devices[MOST_DEVICES];
    uint32_t count;
    TRY(list_devices(config, first->backend, devices, &count, message));
    keep_config(context, config);
    context->pool = pool_create(context->threads);
    const executor_means all = {
        .threads = context->threads,
        .pool = context->pool,
        .memory_limit = config->memory_limit,
        .trace = {context->config.trace, context},
        .progress = context->config.progress,
        .progress_user = context,
        .cancelled = &context->use.cancelled,
    };
    executor_list *list = &context->executors;
    const sumac_status status =
        executors_create(list, count, &all, config->device_weights, first->backend->device != NULL);
    if (status != SUMAC_OK || context->pool == NULL) {
        return refuse(message, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a context",
                      sizeof *context + count * sizeof *list->at);
    }
    list->at->backend = first->backend;
    list->at->engine = first->engine;
    first->engine = NULL;
    memcpy(list->at->variants, variants, sizeof list->at->variants);
    if (count > 1) {
        TRY(open_others(list, devices, message));
        executor_enter(list->at);
    }
    for (uint32_t k = 0; k < count; k++) {
        const executor *self = &list->at[k];
        context->device_names[k] = self->engine == NULL ? "" : self->backend->device->describe(self->engine);
    }
    return SUMAC_OK;
}

static void destroy_context(sumac_context **context)
{
    sumac_context_destroy(*context);
}

sumac_status sumac_context_create(const sumac_context_config *given, sumac_context **context,
                                  sumac_message *message)
{
    CLEANUP(close_backend) open_backend first = {NULL, NULL};
    sumac_context_config config;
    tuning_values by_hand;
    const char *variants[CPU_VARIANTS + 1] = {NULL};
    sumac_message unread = {""};
    message = message == NULL ? &unread : message;
    if (context == NULL) {
        return refuse(message, SUMAC_BAD_ARGUMENT, "the address of the context is null");
    }
    *context = NULL;
    TRY(public_take(&public_context_config, given, &config, message));
    TRY(tuning_read(config.tuning, &by_hand, message));
    TRY(check_devices(&config, message));
    if (config.threads > POOL_MOST_THREADS) {
        return refuse(message, SUMAC_BAD_ARGUMENT, "%u threads are more than %u", config.threads,
                      POOL_MOST_THREADS);
    }
    TRY(list_variants(by_hand.variant[0] == '\0' ? NULL : by_hand.variant, variants, message));
    TRY(open_named_backend(config.backend, config.devices == NULL ? 0 : config.devices[0], &first, message));
    CLEANUP(destroy_context) sumac_context *created = calloc(1, sizeof *created);
    if (created == NULL) {
        return refuse(message, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a context",
                      sizeof *created);
    }
    messages_create(&created->messages);
    TRY(fill(created, &config, variants, &first, message));
    *context = created;
    created = NULL;
    message->text[0] = '\0';
    return SUMAC_OK;
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
        (void)executor_wait(context->executors.at);
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
    messages_destroy(&context->messages);
    free(context);
}

static sumac_status check_executor(void *arguments, uint32_t k, const _Atomic int *stop)
{
    executor *self = &((executor_list *)arguments)->at[k];
    (void)stop;
    return self->engine == NULL ? SUMAC_OK : executor_done(self, self->backend->device->join(self->engine));
}

sumac_status sumac_context_check(sumac_context *context)
{
    BEGIN_CALL(context);
    return executors_run(&context->executors, check_executor, &context->executors);
}

sumac_location context_location(const sumac_context *context)
{
    return context->executors.at->engine == NULL ? SUMAC_LOCATION_HOST : SUMAC_LOCATION_DEVICE;
}

sumac_status sumac_context_describe(const sumac_context *context, sumac_context_info *info)
{
    sumac_message unread;
    if (context == NULL || info == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    TRY(public_check(&public_context_info, info, &unread));
    const sumac_group *group = sumac_group_at(0);
    const sumac_context_info described = {
        .size = sizeof described,
        .backend = context->executors.at->backend->name,
        .variant = group == NULL ? "" : context_code(context, group)->variant,
        .device_names = context->device_names,
        .device_count = context->executors.count,
        .threads = context->threads,
        .location = context_location(context),
    };
    public_copy(&described, info);
    return SUMAC_OK;
}

void sumac_free(void *memory)
{
    free(memory);
}
