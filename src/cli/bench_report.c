/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bench.h"

#include <stdio.h>
#include <time.h>

#include "machine.h"
#include "plan_json.h"
#include "text.h"

void print_bench_header(void)
{
    print("%-10s %-5s %9s %5s %-8s %-8s %3s %3s %-13s %3s %3s %11s %11s %9s %9s %9s  %s\n", "curve", "group",
          "n", "batch", "kind", "memory", "thr", "f", "backend", "c", "win", "min ms", "median ms", "user s",
          "peak MiB", "bases ms", "verified");
}

void print_bench_row(const bench_row *row)
{
    const sumac_curve_info *info = sumac_curve_describe(row->curve);
    char backend[40];
    snprintf(backend, sizeof backend, "%s/%s", row->backend, row->variant);
    print("%-10s %-5s %9llu %5u %-8s %-8s %3u %3u %-13s %3u %3u %11.3f %11.3f %9.4f %9.1f %9.1f  %s\n",
          info->name, info->group, (unsigned long long)row->n, (unsigned)row->batch,
          option_choice(OPTION_KIND, row->kind), option_choice(OPTION_MEMORY, row->memory),
          (unsigned)row->threads, (unsigned)plan_integer(row->plan, "precompute_factor"), backend,
          (unsigned)plan_integer(row->plan, "c"), (unsigned)plan_integer(row->plan, "windows"),
          row->times.minimum_ms, row->times.median_ms, row->times.user_seconds,
          (double)row->times.peak_bytes / 1048576, row->bases_ms, row->verified ? "yes" : "NO: WRONG RESULT");
    fflush(report_stream()); /* rows take long: whoever reads a pipe sees each when it is there */
}

static json_t *machine_to_json(const char *device)
{
    char model[128];
    machine_cpu_model(model, sizeof model);
    return json_pack("{s:o, s:I, s:o}", "cpu", text_to_json(model), "cores", (json_int_t)machine_cores(),
                     "gpu", text_to_json(device));
}

void bench_date(char text[BENCH_DATE_BYTES])
{
    time_t now = time(NULL);
    struct tm fields;
    if (gmtime_r(&now, &fields) == NULL ||
        strftime(text, BENCH_DATE_BYTES, "%Y-%m-%dT%H:%M:%SZ", &fields) == 0) {
        snprintf(text, BENCH_DATE_BYTES, "unknown");
    }
}

json_t *bench_header_to_json(const options *given, const char *command_line, const char *device)
{
    char date[BENCH_DATE_BYTES];
    bench_date(date);
    return json_pack("{s:s, s:o, s:o, s:s, s:o, s:I, s:I, s:[]}", "sumac", sumac_version(), "commit",
                     text_to_json(given->commit), "machine", machine_to_json(device), "date", date, "command",
                     text_to_json(command_line), "seed", (json_int_t)given->seed, "runs",
                     (json_int_t)given->runs, "rows");
}

static json_t *stages_to_json(const bench_row *row)
{
    json_t *stages = json_object();
    for (int stage = 0; stage < BENCH_STAGES; stage++) {
        if (json_object_set_new(stages, bench_stages[stage], json_real(row->stage_ms[stage])) != 0) {
            json_decref(stages);
            return NULL;
        }
    }
    return stages;
}

json_t *bench_row_to_json(const bench_row *row)
{
    const sumac_curve_info *info = sumac_curve_describe(row->curve);
    return json_pack(
        "{s:s, s:s, s:I, s:I, s:s, s:s, s:I, s:I, s:s, s:s, s:o, s:f, s:f, s:f, s:o, s:f, s:I, s:b}", "curve",
        info->name, "group", info->group, "n", (json_int_t)row->n, "batch", (json_int_t)row->batch, "kind",
        option_choice(OPTION_KIND, row->kind), "memory", option_choice(OPTION_MEMORY, row->memory), "threads",
        (json_int_t)row->threads, "precompute", (json_int_t)row->precompute, "backend", row->backend,
        "variant", row->variant, "plan", plan_to_json(row->plan), "bases_ms", row->bases_ms, "min_ms",
        row->times.minimum_ms, "median_ms", row->times.median_ms, "stages_ms", stages_to_json(row),
        "user_seconds", row->times.user_seconds, "peak_rss_bytes", (json_int_t)row->times.peak_bytes,
        "verified", (int)row->verified);
}
