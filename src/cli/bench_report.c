/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <time.h>

#include "bench.h"
#include "machine.h"

json_t *bench_row_to_json(const bench_row *row)
{
    const sumac_group *group = row->group;
    return json_pack(
        "{s:s, s:s, s:I, s:I, s:s, s:s, s:I, s:I, s:s, s:s, s:o, s:f, s:f, s:f, s:o, s:f, s:f, s:I, s:b}",
        "curve", group->curve, "group", group->name, "n", (json_int_t)row->n, "batch", (json_int_t)row->batch,
        "kind", option_choice(OPTION_KIND, row->kind), "memory", option_choice(OPTION_MEMORY, row->memory),
        "threads", (json_int_t)row->threads, "precompute", (json_int_t)row->precompute, "backend",
        row->backend, "variant", row->variant, "plan", json_incref(row->plan), "bases_ms", row->bases_ms,
        "min_ms", row->times.minimum_ms, "median_ms", row->times.median_ms, "stages_ms",
        json_incref(row->times.stages), "stages_of_ms", row->times.stages_of_ms, "user_seconds",
        row->times.user_seconds, "peak_rss_bytes", (json_int_t)row->times.peak_bytes, "verified",
        (int)row->verified);
}

int bench_add_row(json_t *rows, json_t *row)
{
    if (rows == NULL) {
        json_decref(row);
        return STATUS_DONE;
    }
    return json_array_append_new(rows, row) == 0
               ? STATUS_DONE
               : machine_fault("out of memory: a row of the result file could not be made");
}

/* Create the result file's object without rows. Return null if memory is short. */
static json_t *header_to_json(const options *given, const char *device)
{
    char date[32], model[128];
    struct tm fields;
    time_t now = time(NULL);
    if (gmtime_r(&now, &fields) == NULL || strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &fields) == 0) {
        snprintf(date, sizeof date, "unknown");
    }
    machine_cpu_model(model, sizeof model);
    return json_pack("{s:s, s:o, s:{s:o, s:I, s:o}, s:s, s:o, s:I, s:I, s:[]}", "sumac", sumac_version(),
                     "commit", text_to_json(given->commit), "machine", "cpu", text_to_json(model), "cores",
                     (json_int_t)machine_cores(), "gpu", text_to_json(device), "date", date, "command",
                     text_to_json(given->command_line), "seed", (json_int_t)given->seed, "runs",
                     (json_int_t)given->runs, "rows");
}

int bench_measure_to_file(const options *given, const char *device, int (*measure)(void *user, json_t *rows),
                          void *user)
{
    CLEANUP(result_file_discard) result_file file = RESULT_FILE_CLOSED;
    if (given->json_file == NULL) {
        return measure(user, NULL);
    }
    MUST(result_file_open(&file, given->json_file));
    json_auto_t *result = header_to_json(given, device);
    if (result == NULL) {
        return machine_fault("out of memory: the result file could not be made");
    }
    const int status = measure(user, json_object_get(result, "rows"));
    if (status != STATUS_DONE && json_array_size(json_object_get(result, "rows")) == 0) {
        return status;
    }
    MUST(result_file_begin(&file));
    MUST(write_json_file(&file, json_incref(result)));
    const int written = result_file_commit(&file);
    return status != STATUS_DONE ? status : written;
}

int bench_status(size_t wrong)
{
    return wrong > 0 ? found_different("%zu of the results are wrong; please report it", wrong) : STATUS_DONE;
}
