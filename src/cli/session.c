/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "session.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "progress.h"
#include "words.h"

static int on_progress(void *unused, double done)
{
    (void)unused;
    progress_update(done);
    return progress_ask();
}

/* For calls that are not a step of their own. */
static int ask_only(void *unused, double done)
{
    (void)unused;
    (void)done;
    return progress_ask();
}

static bool backend_is(const options *given, const char *name)
{
    return strcmp(given->backend == NULL ? "auto" : given->backend, name) == 0;
}

sumac_context_config context_config(const options *given, sumac_tuning *tuning)
{
    sumac_context_config config = sumac_context_config_default();
    *tuning = sumac_tuning_default();
    config.tuning = tuning;
    config.backend = given->backend;
    if (given->given[OPTION_DEVICE] && backend_is(given, "auto")) {
        config.backend = "cuda"; /* the CPU does not take the place of a GPU that was named */
    }
    tuning->variant = given->variant;
    config.threads = (uint32_t)given->threads;
    config.device = given->devices.count > 0 && !given->given[OPTION_DEVICE] ? -1 : (int32_t)given->device;
    config.device_count = given->devices.count;
    config.devices =
        given->devices.count > SUMAC_MAX_DEVICES || given->devices.count == 0 ? NULL : given->devices.values;
    config.memory_limit = given->memory_limit;
    config.progress = ask_only;
    return config;
}

/* Of a list that ends with null. */
static int no_such(const char *what, const char *name, const char *const *words)
{
    char known[128] = "", likely[LIKELY_BYTES];
    size_t length = 0;
    likely_word meant = likely_begin(name, strlen(name));
    for (size_t i = 0; words[i] != NULL && length < sizeof known; i++) {
        likely_consider(&meant, words[i]);
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                                   i == 0                 ? ""
                                   : words[i + 1] == NULL ? " and "
                                                          : ", ",
                                   words[i]);
    }
    return bad_input("there is no %s '%s'%s; there are %s", what, name, likely_text(&meant, likely), known);
}

const char *const variant_names[VARIANTS + 1] = {"avx512", "avx2", "adx", "portable", NULL};

int create_context(const options *given, trace_log *trace, bool shows_progress, sumac_context **context)
{
    sumac_message reason;
    if (given->given[OPTION_DEVICE] && backend_is(given, "cpu")) {
        return bad_input("--device names a GPU, and --backend cpu uses none");
    }
    sumac_tuning tuning;
    sumac_context_config config = context_config(given, &tuning);
    config.trace = trace != NULL ? trace_log_add : NULL;
    config.progress = shows_progress ? on_progress : ask_only;
    config.user = trace;
    sumac_status status = sumac_context_create(&config, context, &reason);
    if (status == SUMAC_OK) {
        return STATUS_DONE;
    }
    const char *backend = given->backend != NULL ? given->backend : "auto";
    if (status == SUMAC_UNKNOWN_BACKEND) {
        static const char *const backends[] = {"auto", "cpu", "cuda", NULL};
        return no_such("backend", backend, backends);
    }
    if (given->variant != NULL && status == SUMAC_BAD_ARGUMENT) {
        return no_such("variant", given->variant, variant_names);
    }
    if (given->variant != NULL && status == SUMAC_BACKEND_UNAVAILABLE) {
        return machine_fault("the backend '%s' in the variant '%s' does not run on this machine", backend,
                             given->variant);
    }
    if (status == SUMAC_BACKEND_UNAVAILABLE && given->given[OPTION_DEVICE]) {
        return machine_fault("there is no GPU of the number %llu: %s", (unsigned long long)given->device,
                             reason.text);
    }
    if (status == SUMAC_BACKEND_UNAVAILABLE) {
        return machine_fault("the backend '%s' does not run here: %s", backend, reason.text);
    }
    return sumac_status_is_machine_fault(status) ? machine_fault("%s", reason.text)
                                                 : bad_input("%s", reason.text);
}

int find_curve(const char *name, const char *group, const sumac_curve **curve)
{
    sumac_status status = sumac_curve_find(name, group, curve);
    if (status != SUMAC_UNKNOWN_CURVE) {
        return status == SUMAC_OK ? STATUS_DONE : library_failure(NULL, status);
    }
    char known[1024] = "", likely[LIKELY_BYTES];
    size_t length = 0;
    bool is_curve = false;
    likely_word meant = likely_begin(name, strlen(name));
    for (size_t i = 0; i < sumac_curve_count() && length < sizeof known; i++) {
        const sumac_curve_info *info = sumac_curve_describe(sumac_curve_at(i));
        const sumac_curve *found;
        is_curve = is_curve || sumac_curve_find(name, info->group, &found) == SUMAC_OK;
        likely_consider(&meant, info->name);
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s %s", i > 0 ? ", " : "",
                                   info->name, info->group);
    }
    return bad_input("there is no curve '%s' with a group '%s'%s; there are %s", name, group,
                     is_curve ? "" : likely_text(&meant, likely), known);
}

int check_format(const char *option, const char *name, bool to_write)
{
    if (name == NULL) {
        return STATUS_DONE;
    }
    char known[1024] = "", likely[LIKELY_BYTES];
    size_t length = 0;
    likely_word meant = likely_begin(name, strlen(name));
    for (size_t i = 0; i < sumac_format_count() && length < sizeof known; i++) {
        const sumac_format_info *format = sumac_format_at(i);
        if (!(to_write ? format->can_write : format->can_read)) {
            continue;
        }
        if (strcmp(format->name, name) == 0) {
            return STATUS_DONE;
        }
        likely_consider(&meant, format->name);
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", length > 0 ? ", " : "",
                                   format->name);
    }
    return bad_input("--%s takes a format that can be %s, which are %s, not '%s'%s", option,
                     to_write ? "written" : "read", known, name, likely_text(&meant, likely));
}

int check_plan(const sumac_context *context, const char *name, size_t length, const char **plan)
{
    char known[512] = "", likely[LIKELY_BYTES];
    size_t end = 0;
    likely_word meant = likely_begin(name, length);
    for (size_t i = 0; (*plan = sumac_context_plan_name(context, i)) != NULL && end < sizeof known; i++) {
        if (strlen(*plan) == length && memcmp(*plan, name, length) == 0) {
            return STATUS_DONE;
        }
        likely_consider(&meant, *plan);
        end += (size_t)snprintf(known + end, sizeof known - end, "%s%s", i > 0 ? ", " : "", *plan);
    }
    return bad_input("there is no plan '%.*s' on the backend %s%s; there are %s", (int)length, name,
                     sumac_context_backend(context), likely_text(&meant, likely), known);
}

int session_open(session *opened, const options *given)
{
    memset(opened, 0, sizeof *opened);
    int status = STATUS_DONE;
    if (given->curve != NULL) {
        status = find_curve(given->curve, given->group, &opened->curve);
        if (status == STATUS_DONE) {
            opened->info = sumac_curve_describe(opened->curve);
        }
    }
    if (status == STATUS_DONE && given->trace != NULL) {
        status = trace_log_open(&opened->trace, given->trace);
    }
    if (status == STATUS_DONE) {
        /* What takes no curve, as `kzg`, makes calls of many MSMs, each of which would begin at 0: they only ask. */
        status = create_context(given, opened->trace, given->curve != NULL, &opened->context);
    }
    if (status == STATUS_DONE && given->plan != NULL) {
        const char *plan;
        status = check_plan(opened->context, given->plan, strlen(given->plan), &plan);
    }
    return status;
}

int session_write_trace(const session *opened)
{
    progress_end();
    return opened->trace == NULL ? STATUS_DONE : trace_log_write(opened->trace);
}

int session_close(session *opened, int status)
{
    progress_end();
    sumac_context_destroy(opened->context);
    if (status == STATUS_DONE) {
        status = session_write_trace(opened);
    }
    trace_log_free(opened->trace);
    return status;
}

int session_failure(const session *opened, sumac_status status)
{
    return library_failure(opened->context, status);
}

void session_span(const session *opened, const char *name, double start)
{
    if (opened->trace == NULL) {
        return;
    }
    sumac_trace_event event = {.size = sizeof event, .name = name, .start = start, .end = seconds_now()};
    trace_log_add(opened->trace, &event);
}

uint64_t scalar_bits_of(const options *given)
{
    return given->scalar_bits != 0 || given->scalar_bytes == 0
               ? given->scalar_bits
               : 8 * given->scalar_bytes - given->scalar_signed;
}

sumac_bases_config bases_config(const options *given)
{
    sumac_bases_config config = sumac_bases_config_default();
    config.check = (sumac_check)given->check;
    config.outside_subgroup = given->outside_subgroup;
    config.precompute_factor = (uint32_t)given->precompute;
    config.tables = (sumac_tables)given->tables;
    config.table_limit = given->table_limit;
    if (given->precompute > 1 || config.tables != SUMAC_TABLES_MULTIPLES) {
        config.c = (uint32_t)given->c;
        config.scalar_bits = (uint32_t)scalar_bits_of(given);
    }
    if (given->typical_batch != 0) {
        config.typical_batch = (uint32_t)given->typical_batch;
    } else if (!given->separate_bases) {
        config.typical_batch = (uint32_t)given->batch;
    }
    config.typical_n = (size_t)given->typical_n;
    return config;
}

sumac_msm_config msm_config(const options *given, sumac_tuning *tuning)
{
    sumac_msm_config config = sumac_msm_config_default();
    *tuning = sumac_tuning_default();
    config.tuning = tuning;
    config.c = (uint32_t)given->c;
    config.scalar_bits = (uint32_t)given->scalar_bits;
    config.batch = (uint32_t)given->batch;
    config.separate_bases = given->separate_bases;
    config.first = (size_t)given->first;
    tuning->chunks = (uint32_t)given->chunks;
    tuning->copy_slices = (uint32_t)given->copy_slices;
    tuning->large_bucket_factor = (uint32_t)given->large_bucket_factor;
    config.cut_scalars = given->cut_scalars;
    config.scalar_bytes = (uint32_t)given->scalar_bytes;
    config.scalar_signed = given->scalar_signed;
    tuning->reduction = (sumac_reduction)given->reduction;
    tuning->plan = given->plan;
    return config;
}

int choose_input_format(const options *given, const char **format)
{
    *format = given->table_input ? "table" : given->format;
    if (given->table_input && given->format != NULL) {
        return bad_input("--format does not go with --table, which is a format of its own");
    }
    return check_format("format", given->format, false);
}

const char *check_text(const options *given)
{
    /* In the order of sumac_check. */
    static const char *const checked[] = {"each checked to be on the curve",
                                          "each checked to be in the subgroup", "not checked"};
    return checked[given->check];
}

/* Of tables the library tells how much is read, and computes the multiples then. */
static void begin_reading(const options *given, const char *path)
{
    progress_begin("reading %s", path);
    if (given->precompute > 1 || given->tables != SUMAC_TABLES_MULTIPLES) {
        progress_then("computing the tables of %s", path);
    }
}

int read_bases(const session *opened, const options *given, const char *path, const char *format,
               sumac_bases **bases)
{
    double start = seconds_now();
    sumac_bases_config config = bases_config(given);
    begin_reading(given, path);
    sumac_status status = sumac_bases_open(opened->context, opened->curve, path, format, &config, bases);
    progress_end();
    session_span(opened, "read bases", start);
    return status == SUMAC_OK ? STATUS_DONE : session_failure(opened, status);
}

sumac_status read_bases_part(const session *opened, const options *given, const char *path,
                             const char *format, uint64_t first, uint64_t n, sumac_bases **bases)
{
    double start = seconds_now();
    sumac_bases_config config = bases_config(given);
    begin_reading(given, path);
    sumac_status status = sumac_bases_open_part(opened->context, opened->curve, path, (size_t)first,
                                                (size_t)n, format, &config, bases);
    progress_end();
    session_span(opened, "read bases", start);
    return status;
}
