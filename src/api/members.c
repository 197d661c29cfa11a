/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "api/members.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/call.h"
#include "base/pool.h"

/* Of its list's entries. */
#define MOST_SHARE 1000000u

/* A member's spans of work are the context's, whose threads are numbered through. */
static void member_trace(void *user, const sumac_trace_event *event)
{
    const context_member *member = user;
    const sumac_context_config *config = &member->outer->config;
    sumac_trace_event shown = *event;
    shown.thread += member->first_thread;
    config->trace(config->user, &shown);
}

static void member_progress(void *user, double done)
{
    const context_member *member = user;
    const sumac_context_config *config = &member->outer->config;
    if (member->on_caller) {
        config->progress(config->user, member->done_before + done * member->done_by_call);
    }
}

static sumac_context_config member_config(const sumac_context *outer, context_member *member, int32_t device,
                                          uint32_t k, uint32_t count)
{
    sumac_context_config config = outer->config;
    const uint32_t each = outer->threads / count;
    const uint32_t more = outer->threads % count;
    config.backend = outer->backend->name;
    config.device = device;
    config.threads = each + (k < more) > 0 ? each + (k < more) : 1;
    config.devices = NULL;
    config.device_weights = NULL;
    config.device_count = 0;
    config.trace = config.trace == NULL ? NULL : member_trace;
    config.progress = config.progress == NULL ? NULL : member_progress;
    config.user = member;
    if (outer->engine == NULL && config.memory_limit != 0) { /* they have one memory together */
        config.memory_limit = config.memory_limit < count ? 1 : config.memory_limit / count;
    }
    return config;
}

static sumac_status check_list(const sumac_context *context, const int32_t *devices, uint32_t count,
                               const uint32_t *shares, char *reason, size_t bytes)
{
    for (uint32_t k = 0; k < count; k++) {
        if (devices[k] < 0) {
            (void)snprintf(reason, bytes, "the list of devices has %d, which is no device's number",
                           (int)devices[k]);
            return SUMAC_BAD_ARGUMENT;
        }
        if (context->engine == NULL && devices[k] != 0) {
            (void)snprintf(reason, bytes, "there is no device %d of the %s backend: it has one, 0",
                           (int)devices[k], context->backend->name);
            return SUMAC_BACKEND_UNAVAILABLE;
        }
        if (shares != NULL && (shares[k] == 0 || shares[k] > MOST_SHARE)) {
            (void)snprintf(reason, bytes, "the share %u of device %d is not one of 1 to %u", shares[k],
                           (int)devices[k], MOST_SHARE);
            return SUMAC_BAD_ARGUMENT;
        }
    }
    return SUMAC_OK;
}

/* This thread's device is the context's own again. */
static void enter_own(sumac_context *context)
{
    if (context->engine != NULL) {
        context->backend->device->enter(context->engine);
    }
}

sumac_status members_create(sumac_context *context, const int32_t *devices, uint32_t count,
                            const uint32_t *shares, char *reason, size_t bytes)
{
    sumac_status status = check_list(context, devices, count, shares, reason, bytes);
    if (status != SUMAC_OK || count < 2) {
        return status;
    }
    context_members *members = calloc(1, sizeof *members);
    thread_pool *crew = pool_create(count);
    if (members == NULL || crew == NULL) {
        free(members);
        pool_destroy(crew);
        (void)snprintf(reason, bytes, "there is no memory of %zu bytes for a context", sizeof *members);
        return SUMAC_OUT_OF_MEMORY;
    }
    members->crew = crew;
    context->members = members;
    for (uint32_t thread = 0; members->count < count && status == SUMAC_OK; members->count++) {
        const uint32_t k = members->count;
        context_member *member = &members->at[k];
        sumac_context_config config = member_config(context, member, devices[k], k, count);
        *member = (context_member){
            .outer = context, .shares_before = members->shares, .first_thread = thread, .done_by_call = 1};
        members->shares += shares == NULL ? 1 : shares[k];
        thread += config.threads;
        sumac_message why;
        status = sumac_context_create(&config, &member->context, &why);
        (void)snprintf(reason, bytes, "%s", why.text);
    }
    enter_own(context);
    if (status != SUMAC_OK) {
        members_destroy(context);
    }
    return status;
}

void members_destroy(sumac_context *context)
{
    context_members *members = context->members;
    for (uint32_t k = 0; members != NULL && k < members->count; k++) {
        sumac_context_destroy(members->at[k].context);
    }
    if (members != NULL) {
        pool_destroy(members->crew);
    }
    free(members);
    context->members = NULL;
}

uint64_t members_cut(const context_members *members, uint64_t n, uint64_t unit, uint32_t k)
{
    const uint64_t units = n / unit;
    if (k >= members->count) {
        return n;
    }
    return (uint64_t)((unsigned __int128)units * members->at[k].shares_before / members->shares) * unit;
}

uint32_t members_largest(const context_members *members, uint64_t n, uint64_t unit)
{
    uint32_t largest = 0;
    uint64_t most = 0;
    for (uint32_t k = 0; k < members->count; k++) {
        const uint64_t part = members_cut(members, n, unit, k + 1) - members_cut(members, n, unit, k);
        if (part > most) {
            most = part;
            largest = k;
        }
    }
    return largest;
}

typedef struct crew_work {
    context_members *members;
    member_work work;
    void *arguments;
    int to_the_end;        /* members do not look at `stop`, and begin when others have failed */
    _Atomic uint32_t next; /* the first member whose work nobody has begun */
    _Atomic int stop;
    sumac_status statuses[SUMAC_MAX_DEVICES];
} crew_work;

static void crew_part(void *arguments, uint32_t thread)
{
    crew_work *crew = arguments;
    int first = 1;
    for (;;) {
        const uint32_t k = atomic_fetch_add(&crew->next, 1);
        if (k >= crew->members->count) {
            return;
        }
        crew->members->at[k].on_caller = thread == 0 && first;
        first = 0;
        if (crew->to_the_end || atomic_load(&crew->stop) == 0) {
            crew->statuses[k] = crew->work(crew->arguments, k, &crew->stop);
        }
        if (crew->statuses[k] != SUMAC_OK) {
            atomic_store(&crew->stop, 1);
        }
    }
}

sumac_status members_run_first(sumac_context *context, member_work work, void *arguments)
{
    const _Atomic int stop = 0;
    context->members->at[0].on_caller = 1;
    return members_adopt(context, 0, work(arguments, 0, &stop));
}

static sumac_status run_crew(sumac_context *context, crew_work *crew)
{
    context_members *members = context->members;
    crew->members = members;
    pool_run(members->crew, members->count, crew_part, crew);
    enter_own(context);
    for (uint32_t k = 0; k < members->count; k++) {
        if (crew->statuses[k] != SUMAC_OK) {
            return members_adopt(context, k, crew->statuses[k]);
        }
    }
    return SUMAC_OK;
}

sumac_status members_run(sumac_context *context, member_work work, void *arguments)
{
    crew_work crew = {.work = work, .arguments = arguments};
    return run_crew(context, &crew);
}

sumac_status members_adopt(sumac_context *context, uint32_t k, sumac_status status)
{
    const sumac_context *member = context->members->at[k].context;
    enter_own(context);
    if (status == SUMAC_OK) {
        return status;
    }
    return context->engine != NULL && sumac_status_is_machine_fault(status)
               ? fail(context, status, "device %d: %s",
                      (int)context->backend->device->ordinal(member->engine), sumac_context_message(member))
               : fail(context, status, "%s", sumac_context_message(member));
}

uint32_t sumac_context_device_count(const sumac_context *context)
{
    return context == NULL ? 0 : context->members == NULL ? 1 : context->members->count;
}

sumac_context *sumac_context_member(sumac_context *context, uint32_t index)
{
    if (index >= sumac_context_device_count(context)) {
        return NULL;
    }
    return context->members == NULL ? context : context->members->at[index].context;
}

size_t sumac_context_share_begin(const sumac_context *context, uint32_t index, size_t n)
{
    if (context == NULL || context->members == NULL) {
        return index == 0 ? 0 : n;
    }
    return (size_t)members_cut(context->members, n, 1, index);
}

/* A caller's function, for each member. */
typedef struct caller_work {
    sumac_context *context;
    sumac_member_work work;
    void *argument;
} caller_work;

/* A failure of a caller's own function may have no sentence. The function's calls hold the member, each on
 * its own. */
static sumac_status call_work(const caller_work *caller, sumac_context *member, uint32_t k)
{
    HOLDS sumac_context *held = context_begin(member);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    context_end(&held);
    const sumac_status status = caller->work(caller->argument, member, k);
    return status == SUMAC_OK || member->message[0] != '\0'
               ? status
               : fail(member, status, "%s", sumac_status_text(status));
}

static sumac_status call_for_member(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const caller_work *caller = arguments;
    context_member *member = &caller->context->members->at[k];
    (void)stop;
    member->done_before = 0; /* each of its calls is a whole one */
    member->done_by_call = 1;
    return call_work(caller, member->context, k);
}

sumac_status sumac_context_run_members(sumac_context *context, sumac_member_work work, void *argument)
{
    caller_work caller = {context, work, argument};
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (work == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "the members' work must not be null");
    }
    if (context->members == NULL) {
        context_end(&held);
        return call_work(&caller, context, 0);
    }
    crew_work crew = {.work = call_for_member, .arguments = &caller, .to_the_end = 1};
    return run_crew(context, &crew);
}

static sumac_status check_device(sumac_context *context)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (context->engine == NULL) {
        return SUMAC_OK;
    }
    const device_ops *device = context->backend->device;
    const sumac_status status = device->join(context->engine);
    return status == SUMAC_OK ? status
                              : fail(context, SUMAC_DEVICE_FAILED, "%s", device->message(context->engine));
}

static sumac_status check_member(void *arguments, uint32_t k, const _Atomic int *stop)
{
    const sumac_context *context = arguments;
    (void)stop;
    return check_device(context->members->at[k].context);
}

sumac_status sumac_context_check(sumac_context *context)
{
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = held == NULL ? SUMAC_BAD_ARGUMENT : check_device(context);
    return status == SUMAC_OK && context->members != NULL ? members_run(context, check_member, context)
                                                          : status;
}
