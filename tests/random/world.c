/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "random/world.h"
#include "support/cleanup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/registry.h"
#include "curves/group_code.h"
#include "random/cases.h"
#include "random/device.h"
#include "support/abort.h"
#include "support/tuning.h"

static const char *const variants[] = {"portable", "adx", "avx2", "avx512"};
static const char *const file_names[] = {"bases", "table"};
static const uint32_t thread_counts[] = {1, 2, 3, 8};

void *world_alloc(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        test_abort("the test itself has no memory for %zu bytes", bytes);
    }
    return memory;
}

world_block world_take(draws *d, size_t bytes)
{
    const size_t offset = (size_t)draw_below(d, 9);
    world_block block;
    block.memory = world_alloc(bytes + offset);
    block.bytes = block.memory + offset;
    return block;
}

/* ---- checks of the library's callbacks ---- */

static void check_trace(void *user, const sumac_trace_event *event)
{
    (void)user;
    if (event->name == NULL || event->end < event->start) {
        test_abort("a span of a trace ends before it starts, or has no name");
    }
}

static int check_progress(void *user, double done)
{
    (void)user;
    if (!(done >= 0 && done <= 1)) {
        test_abort("progress is %f", done);
    }
    return 0;
}

/* ---- contexts ---- */

static int add_context(world *w, const sumac_context_config *config, int device)
{
    world_context *added = &w->contexts[w->context_count];
    if (w->context_count == WORLD_CONTEXTS ||
        sumac_context_create(config, &added->context, NULL) != SUMAC_OK) {
        return 0;
    }
    added->config = *config;
    snprintf(added->tuning, sizeof added->tuning, "%s", config->tuning == NULL ? "" : config->tuning);
    added->config.tuning = added->tuning;
    added->device = device;
    w->context_count++;
    return 1;
}

static void add_cpu_contexts(world *w)
{
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; t++) {
            sumac_context_config config = {.size = sizeof config};
            config.backend = "cpu";
            config.tuning = test_tuning("variant=%s", variants[v]);
            config.threads = w->options.threads != 0 ? w->options.threads : thread_counts[t];
            config.trace = t == 1 ? check_trace : NULL;
            config.progress = t == 2 ? check_progress : NULL;
            (void)add_context(w, &config, WORLD_HOST);
        }
    }
}

/* Add two contexts for each GPU, two contexts of several GPUs, and one of the CPU. The CPU's must refuse the GPU's
 * bases. */
static void add_gpu_contexts(world *w)
{
    static const int32_t all[] = {0, 1};
    const int devices = device_count();
    for (int i = 0; i < 2 * devices; i++) {
        sumac_context_config config = {.size = sizeof config};
        config.backend = w->options.backend;
        config.devices = &all[i / 2];
        config.device_count = 1;
        config.threads = w->options.threads != 0 ? w->options.threads : thread_counts[i % 2];
        config.trace = i % 2 == 1 ? check_trace : NULL;
        (void)add_context(w, &config, i / 2);
    }
    for (uint64_t limit = 0; devices > 1 && limit < 2;
         limit++) { /* bases are replicated if there is no limit, and cut into shards if it is 1 byte */
        sumac_context_config config = {.size = sizeof config};
        config.backend = w->options.backend;
        config.devices = all;
        config.device_count = 2;
        config.replica_limit = limit;
        config.threads = w->options.threads != 0 ? w->options.threads : 2;
        (void)add_context(w, &config, WORLD_SEVERAL);
    }
    if (w->context_count > 0) {
        sumac_context_config config = {.size = sizeof config};
        config.backend = "cpu";
        (void)add_context(w, &config, WORLD_HOST);
    }
}

static void add_groups(world *w)
{
    for (size_t i = 0; i < sumac_registry_count && w->group_count < WORLD_GROUPS; i++) {
        const sumac_group *group = &sumac_registry[i]->group;
        char full[64];
        CLEANUP(destroy_bases) sumac_bases *bases = NULL;
        snprintf(full, sizeof full, "%s/%s", group->curve, group->name);
        if (w->options.curve != NULL && strcmp(w->options.curve, full) != 0 &&
            strcmp(w->options.curve, group->curve) != 0) {
            continue;
        }
        /* An engine may be built without some groups. */
        if (exact_create(w->contexts[0].context, group, "", 0, NULL, &bases) == SUMAC_OK) {
            w->groups[w->group_count++] = group;
        }
    }
}

int world_init(world *w, const world_options *options)
{
    memset(w, 0, sizeof *w);
    w->options = *options;
    if (strcmp(options->backend, "cpu") == 0) {
        add_cpu_contexts(w);
    } else {
        add_gpu_contexts(w);
    }
    if (w->context_count == 0) {
        return 0;
    }
    add_groups(w);
    snprintf(w->directory, sizeof w->directory, "/tmp/sumac-random-XXXXXX");
    return w->group_count > 0 && mkdtemp(w->directory) != NULL;
}

void world_clear(world *w)
{
    for (size_t i = 0; i < w->context_count; i++) {
        sumac_context_destroy(w->contexts[i].context);
    }
    for (size_t i = 0; i < w->group_count; i++) {
        if (w->known[i] != NULL) {
            known_clear(w->known[i]);
            free(w->known[i]);
        }
    }
    /* Remove the files of a case that had a finding. */
    for (size_t i = 0; i < sizeof file_names / sizeof *file_names; i++) {
        char path[96];
        world_path(w, file_names[i], path, sizeof path);
        (void)unlink(path);
    }
    if (rmdir(w->directory) != 0) {
        fprintf(stderr, "%s: files are left in it\n", w->directory);
    }
}

static world_lease lease_of(const world_context *existing)
{
    const world_lease lease = {existing->context, existing->device, 0, 0};
    return lease;
}

/* Count the contexts of the backend under test. With a GPU the last context is the CPU's, and does not count. */
static size_t usable_contexts(const world *w)
{
    return w->contexts[0].device == WORLD_HOST ? w->context_count : w->context_count - 1;
}

void world_choose_memory(world *w, draws *d)
{
    if (w->options.failures && !device_computes()) {
        w->memory_is_short = draw_chance(d, 20);
        device_leave(w->memory_is_short ? draw_below(d, UINT64_C(1) << draw_below(d, 28)) : UINT64_MAX);
    }
}

void world_end_shortage(world *w)
{
    w->memory_is_short = 0;
    device_leave(UINT64_MAX);
}

world_lease world_lease_context(world *w, draws *d)
{
    const world_context *existing = &w->contexts[draw_below(d, usable_contexts(w))];
    if (!draw_chance(d, w->options.failures ? 50 : 15)) { /* a new context has no threads and no memory yet */
        return lease_of(existing);
    }
    world_lease lease = {NULL, existing->device, 0, 1};
    sumac_context_config config = existing->config;
    sumac_status status;
    config.threads = w->options.threads != 0 ? w->options.threads : 1 + (uint32_t)draw_below(d, 5);
    lease.memory_limit = config.memory_limit = 1 + draw_below(d, UINT64_C(1) << (10 + draw_below(d, 16)));
    do {
        world_arm(w, d);
        status = sumac_context_create(&config, &lease.context, NULL);
    } while (world_call_again(w, NULL, status, "sumac_context_create"));
    world_check(w, lease.context, status, WORLD_MAY(SUMAC_OK), "sumac_context_create");
    return lease;
}

world_lease world_lease_another(const world *w, draws *d, const world_lease *other)
{
    if (other->owned || draw_chance(d, 40)) {
        world_lease same = *other;
        same.owned = 0;
        return same;
    }
    return lease_of(&w->contexts[draw_below(d, w->context_count)]);
}

void world_return(const world_lease *lease)
{
    if (lease->owned) {
        sumac_context_destroy(lease->context);
    }
}

int world_computes(const world_lease *lease)
{
    return lease->device == WORLD_HOST || device_computes();
}

const known_group *world_known(world *w, draws *d)
{
    const size_t index = (size_t)draw_below(d, w->group_count);
    if (w->known[index] == NULL) {
        w->known[index] = world_alloc(sizeof **w->known);
        known_init(w->known[index], w->groups[index]);
    }
    return w->known[index];
}

void world_path(const world *w, const char *name, char *path, size_t bytes)
{
    snprintf(path, bytes, "%s/%s", w->directory, name);
}

/* ---- statuses ---- */

void world_check(world *w, const sumac_context *context, sumac_status status, uint32_t may, const char *call)
{
    world_check_message(w, context == NULL ? NULL : sumac_context_message(context), status, may, call);
}

void world_check_message(world *w, const char *message, sumac_status status, uint32_t may, const char *call)
{
    if ((unsigned)status >= WORLD_STATUSES) {
        test_abort("%s: %d is no status", call, (int)status);
    }
    w->statuses[status]++;
    w->calls++;
    may |= w->memory_is_short ? WORLD_MAY(SUMAC_OUT_OF_MEMORY) | WORLD_MAY(SUMAC_MEMORY_LIMIT) : 0;
    if ((may & WORLD_MAY(status)) == 0) {
        test_abort("%s: status %d (%s), which the call may not end with (0x%x): \"%s\"", call, (int)status,
                   sumac_status_text(status), (unsigned)may, message == NULL ? "" : message);
    }
    if (message == NULL) {
        return;
    }
    if ((status == SUMAC_OK) != (message[0] == '\0') || strlen(message) >= SUMAC_MESSAGE_BYTES) {
        test_abort("%s: with status %d the message is \"%s\"", call, (int)status, message);
    }
    for (const char *c = message; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            test_abort("%s: the message holds the byte %d", call, *c);
        }
    }
}

void world_arm(world *w, draws *d)
{
    failing_plan plan = failing_none;
    if (w->options.failures && draw_chance(d, 50)) {
        if (draw_chance(d, 25)) {
            plan.thread = (long)draw_below(d, 3);
        } else {
            plan.allocation = (long)draw_below(d, draw_chance(d, 70) ? 8 : 60);
        }
        plan.from_then_on = draw_chance(d, 30);
    }
    if (w->options.failures && !device_computes()) { /* a fake runtime fails on demand */
        const long most = draw_chance(d, 70) ? 40 : 1000;
        const long number = draw_chance(d, 50) ? (long)draw_below(d, (uint64_t)most) : -1;
        (void)device_fail(number, draw_chance(d, 20));
    }
    w->is_armed = 1;
    failing_begin(plan);
}

void world_disarm(world *w)
{
    if (!w->is_armed) {
        return;
    }
    const failing_report report = failing_end();
    w->is_armed = 0;
    w->failed.allocations_failed += report.allocations_failed;
    w->failed.threads_failed += report.threads_failed;
    w->calls_failed += device_fail(-1, 0);
}

int world_call_again(world *w, const sumac_context *context, sumac_status status, const char *call)
{
    world_disarm(w);
    const failing_report report = w->failed;
    const long calls_failed = w->calls_failed;
    w->failed = (failing_report){0};
    w->calls_failed = 0;
    w->allocations_failed += (uint64_t)report.allocations_failed;
    w->threads_failed += (uint64_t)report.threads_failed;
    w->device_calls_failed += (uint64_t)calls_failed;
    if (status == SUMAC_OK ||
        (calls_failed == 0 && (report.allocations_failed == 0 || status != SUMAC_OUT_OF_MEMORY))) {
        return 0;
    }
    /* If calls of a device fail, the library may be wrong about such things as where memory lies, so that any status
     * may follow. */
    world_check(w, context, status,
                calls_failed > 0 ? ~WORLD_MAY(SUMAC_INTERNAL) : WORLD_MAY(SUMAC_OUT_OF_MEMORY), call);
    return 1;
}
