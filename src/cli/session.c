/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>

#include "io/path.h"

const char *const variant_names[VARIANTS + 1] = {"avx512", "avx2", "adx", "portable", NULL};

static int on_progress(void *unused, double done)
{
    (void)unused;
    progress_update(done);
    return progress_ask();
}

/* This is the callback for calls whose progress is not shown. */
static int ask_only(void *unused, double done)
{
    (void)unused;
    (void)done;
    return progress_ask();
}

tuning_text tuning_of(const options *given)
{
    tuning_text tuning;
    const int length = snprintf(
        tuning.text, sizeof tuning.text, "c=%u,chunks=%u,copy_slices=%u,large_bucket_factor=%u,reduction=%s",
        (unsigned)given->c, (unsigned)given->chunks, (unsigned)given->copy_slices,
        (unsigned)given->large_buckets, option_choice(TUNE_REDUCTION, given->reduction));
    char *end = tuning.text + length;
    if (given->plan != NULL) {
        end += snprintf(end, 64, ",plan=%.50s", given->plan);
    }
    if (given->variant != NULL) {
        snprintf(end, 64, ",variant=%.50s", given->variant);
    }
    return tuning;
}

sumac_context_config context_config(const options *given, const tuning_text *tuning)
{
    const device_list *devices = &given->devices;
    sumac_context_config config = {.size = sizeof config};
    config.tuning = tuning->text;
    config.backend = given->backend;
    const bool is_list = devices->count > 0 && devices->count <= MOST_DEVICES;
    if (is_list && (given->backend == NULL || strcmp(given->backend, "auto") == 0)) {
        config.backend = "cuda"; /* if a GPU is named, the CPU must not be used instead */
    }
    config.device_count = (size_t)devices->count;
    config.devices = is_list ? devices->values : NULL;
    config.threads = (uint32_t)given->threads;
    config.memory_limit = given->memory_limit;
    config.progress = ask_only;
    return config;
}

sumac_context_info context_info(const sumac_context *context)
{
    sumac_context_info info = {.size = sizeof info};
    return sumac_context_describe(context, &info) == SUMAC_OK ? info : (sumac_context_info){.size = 0};
}

/* Report a name that is not in a list of words that ends with null. */
static int no_such(const char *what, const char *name, const char *const *words)
{
    word_list list = words_begin(name, strlen(name));
    for (size_t i = 0; words[i] != NULL; i++) {
        words_add(&list, words[i]);
    }
    return bad_input("there is no %s '%s'%s; there are %s", what, name, words_likely(&list), list.known);
}

int create_context(const options *given, trace_log *trace, bool shows_progress, sumac_context **context)
{
    static const char *const backends[] = {"auto", "cpu", "cuda", NULL};
    sumac_message reason;
    const tuning_text tuning = tuning_of(given);
    sumac_context_config config = context_config(given, &tuning);
    config.trace = trace != NULL ? trace_log_add : NULL;
    config.progress = shows_progress ? on_progress : ask_only;
    config.user = trace;
    const sumac_status status = sumac_context_create(&config, context, &reason);
    const char *backend = given->backend != NULL ? given->backend : "auto";
    if (status == SUMAC_OK) {
        return STATUS_DONE;
    }
    if (status == SUMAC_UNKNOWN_BACKEND) {
        return no_such("backend", backend, backends);
    }
    if (given->variant != NULL && status == SUMAC_BAD_ARGUMENT) {
        return no_such("variant", given->variant, variant_names);
    }
    if (status != SUMAC_BACKEND_UNAVAILABLE) {
        return report_failure(exit_status_of(status), "%s", reason.text);
    }
    if (given->variant != NULL) {
        return machine_fault("the backend '%s' in the variant '%s' does not run on this machine", backend,
                             given->variant);
    }
    if (given->devices.count == 1) {
        return machine_fault("there is no GPU %d: %s", (int)given->devices.values[0], reason.text);
    }
    return machine_fault("the backend '%s' does not run here: %s",
                         config.backend != NULL ? config.backend : backend, reason.text);
}

/* Return true if the sources have a curve of this name, but this build does not. SUMAC_ALL_CURVES lists these,
 * separated by commas. */
static bool is_left_out(const char *name)
{
    const size_t length = strlen(name);
    const char *next = SUMAC_ALL_CURVES;
    while (*next != '\0') {
        const size_t end = strcspn(next, ",");
        if (end == length && strncasecmp(next, name, length) == 0) {
            return true;
        }
        next += end + (next[end] == ',');
    }
    return false;
}

int find_group(const char *curve, const char *name, const sumac_group **group)
{
    const sumac_status status = sumac_group_find(curve, name, group);
    if (status != SUMAC_UNKNOWN_CURVE) {
        return library_check(NULL, status);
    }
    bool is_curve = false;
    word_list list = words_begin(curve, strlen(curve));
    for (size_t i = 0; i < sumac_group_count(); i++) {
        const sumac_group *info = sumac_group_at(i);
        const sumac_group *found;
        is_curve |= sumac_group_find(curve, info->name, &found) == SUMAC_OK;
        if (i == 0 || strcmp(sumac_group_at(i - 1)->curve, info->curve) != 0) {
            words_add(&list, info->curve);
        }
    }
    if (is_curve) {
        return bad_input("this build has no group %s of the curve '%s'", name, curve);
    }
    return is_left_out(curve)
               ? bad_input("this build leaves out the curve '%s'; it has %s", curve, list.known)
               : bad_input("there is no curve '%s'%s; there are %s", curve, words_likely(&list), list.known);
}

int check_format(const char *option, const char *name, bool to_write)
{
    word_list list = words_begin(name, name == NULL ? 0 : strlen(name));
    for (size_t i = 0; i < sumac_format_count() && name != NULL; i++) {
        const sumac_format_info *format = sumac_format_at(i);
        if (to_write ? format->can_write : format->can_read) {
            words_add(&list, format->name);
            name = strcmp(format->name, name) == 0 ? NULL : name;
        }
    }
    return name == NULL ? STATUS_DONE
                        : bad_input("--%s takes a format that can be %s, which are %s, not '%s'%s", option,
                                    to_write ? "written" : "read", list.known, name, words_likely(&list));
}

/* If the buffer of jansson's parser can't grow, the parser ignores that, and then loses letters or reads a null
 * pointer. So if malloc() fails during parsing, the parser gets this memory instead, and its result is thrown away. */
static struct {
    _Alignas(max_align_t) char bytes[(size_t)1 << 18];
    size_t used;
} reserve;

static void *allocate_to_parse(size_t bytes)
{
    void *memory = malloc(bytes);
    if (memory == NULL && bytes <= sizeof reserve.bytes - reserve.used) {
        memory = reserve.bytes + reserve.used;
        reserve.used += (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    }
    return memory;
}

static void free_parsed(void *memory)
{
    const uintptr_t at = (uintptr_t)memory, from = (uintptr_t)reserve.bytes;
    if (at < from || at >= from + sizeof reserve.bytes) {
        free(memory);
    }
}

int take_json(sumac_context *context, sumac_status status, char *text, json_t **object)
{
    if (status != SUMAC_OK) {
        return library_check(context, status);
    }
    reserve.used = 0;
    json_set_alloc_funcs(allocate_to_parse, free_parsed);
    *object = json_loads(text, 0, NULL);
    if (reserve.used != 0) {
        json_decref(*object);
        *object = NULL;
    }
    json_set_alloc_funcs(malloc, free);
    sumac_free(text);
    return *object != NULL ? STATUS_DONE : machine_fault("out of memory: a plan could not be read");
}

int open_plans(sumac_context *context, const sumac_group *group, json_t **plans)
{
    char *text = NULL;
    const sumac_status status = sumac_context_plans(context, group, &text);
    return take_json(context, status, text, plans);
}

int check_plan(const sumac_context *context, const json_t *plans, const char *name, size_t length,
               const char **plan)
{
    word_list list = words_begin(name, length);
    json_t *names = json_object_get(plans, "plans"), *about;
    json_object_foreach(names, *plan, about)
    {
        if (strlen(*plan) == length && memcmp(*plan, name, length) == 0) {
            return STATUS_DONE;
        }
        words_add(&list, *plan);
    }
    return bad_input("there is no plan '%.*s' on the backend %s%s; there are %s", (int)length, name,
                     context_info(context).backend, words_likely(&list), list.known);
}

int session_open(session *opened, const options *given)
{
    memset(opened, 0, sizeof *opened);
    if (given->curve != NULL) {
        MUST(find_group(given->curve, given->group, &opened->group));
        opened->info = opened->group;
    }
    if (given->trace != NULL) {
        MUST(trace_log_open(&opened->trace, given->trace));
    }
    /* Commands without a curve, such as `kzg`, compute many MSMs. The progress of each would begin at 0 again, so
     * progress is not shown. */
    MUST(create_context(given, opened->trace, given->curve != NULL, &opened->context));
    if (given->plan == NULL) {
        return STATUS_DONE;
    }
    /* All curves have the same plans. */
    CLEANUP(close_json) json_t *plans = NULL;
    const char *plan = "";
    MUST(open_plans(opened->context, sumac_group_at(0), &plans));
    return check_plan(opened->context, plans, given->plan, strlen(given->plan), &plan);
}

int session_write_trace(const session *opened)
{
    progress_end();
    return opened->trace == NULL ? STATUS_DONE : trace_log_write(opened->trace);
}

int session_commit(const session *opened, result_file *const files[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        MUST(result_file_finish(files[i]));
    }
    MUST(session_write_trace(opened));
    return result_files_commit(files, count);
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

int session_check(const session *opened, sumac_status status)
{
    return library_check(opened->context, status);
}

int session_put(const session *opened, sumac_status status, void *bytes, size_t count, result_file *file)
{
    CALL(opened, status);
    const int written = result_file_put(file, bytes, count);
    sumac_free(bytes);
    return written;
}

int session_step(const session *opened, const char *span, sumac_status status)
{
    session_span(opened, span, progress_start());
    progress_end();
    return session_check(opened, status);
}

int session_save(const session *opened, const char *span, result_file *file, sumac_status status)
{
    session_span(opened, span, progress_start());
    progress_end();
    MUST(result_file_check(file, opened->context, status));
    return result_file_finish(file);
}

void session_span(const session *opened, const char *name, double start)
{
    if (opened->trace != NULL) {
        sumac_trace_event event = {
            .size = sizeof event, .name = name, .start = start, .end = clock_seconds()};
        trace_log_add(opened->trace, &event);
    }
}

void close_bases(sumac_bases **bases)
{
    sumac_bases_destroy(*bases);
}

void close_context(sumac_context **context)
{
    sumac_context_destroy(*context);
}

void close_json(json_t **object)
{
    json_decref(*object);
}

uint64_t scalar_bits_of(const options *given)
{
    return given->scalar_bits != 0 || given->scalar_bytes == 0
               ? given->scalar_bits
               : 8 * given->scalar_bytes - given->scalar_signed;
}

sumac_bases_config bases_config(const options *given, const tuning_text *tuning)
{
    sumac_bases_config config = {.size = sizeof config};
    config.check = (sumac_check)given->check;
    config.outside_subgroup = given->outside_subgroup;
    config.precompute_factor = (uint32_t)given->precompute;
    config.tables = (sumac_tables)given->tables;
    config.table_bytes = given->table_bytes;
    if (given->precompute > 1 || config.tables != SUMAC_TABLES_MULTIPLES) {
        config.tuning = tuning->text;
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

sumac_msm_config msm_config(const options *given, const tuning_text *tuning)
{
    sumac_msm_config config = {.size = sizeof config};
    config.tuning = tuning->text;
    config.scalar_bits = (uint32_t)given->scalar_bits;
    config.batch = (uint32_t)given->batch;
    config.base_sets = given->separate_bases ? config.batch : 0;
    config.first = (size_t)given->first;
    config.cut_scalars = given->truncate;
    config.scalar_bytes = (uint32_t)given->scalar_bytes;
    config.scalar_signed = given->scalar_signed;
    return config;
}

sumac_status count_bases(const session *opened, const char *path, const char *format, size_t *count)
{
    const int descriptor = path_identify(path).descriptor;
    const off_t start = descriptor >= 0 ? lseek(descriptor, 0, SEEK_CUR) : 0;
    const sumac_status status = sumac_bases_file_count(opened->context, opened->group, path, format, count);
    if (descriptor >= 0 && start >= 0) {
        (void)lseek(descriptor, start, SEEK_SET);
    }
    return status;
}

sumac_status read_bases_part(const session *opened, const options *given, const char *path,
                             const char *format, uint64_t first, uint64_t n, sumac_bases **bases)
{
    const tuning_text tuning = tuning_of(given);
    const sumac_bases_config config = bases_config(given, &tuning);
    progress_begin("reading %s", path);
    /* The library reports only the progress of reading. It computes the multiples after that. */
    if (given->precompute > 1 || given->tables != SUMAC_TABLES_MULTIPLES) {
        progress_then("computing the tables of %s", path);
    }
    const sumac_status status = sumac_bases_open(opened->context, opened->group, path, format, (size_t)first,
                                                 (size_t)n, &config, bases);
    session_span(opened, "read bases", progress_start());
    progress_end();
    return status;
}

int read_bases(const session *opened, const options *given, const char *path, const char *format,
               sumac_bases **bases)
{
    return session_check(opened, read_bases_part(opened, given, path, format, 0, SUMAC_ALL, bases));
}
