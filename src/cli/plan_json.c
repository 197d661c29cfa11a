/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "plan_json.h"

static json_t *kinds_to_json(const sumac_plan *plan)
{
    json_t *kinds = json_object();
    const char *stage;
    for (size_t i = 0; (stage = sumac_plan_stage(plan, i)) != NULL; i++) {
        if (json_object_set_new(kinds, stage, json_string(sumac_plan_kind(plan, stage))) != 0) {
            json_decref(kinds);
            return NULL;
        }
    }
    return kinds;
}

static json_t *additions_to_json(const sumac_plan *plan)
{
    return json_pack("{s:f, s:f, s:f}", "accumulate", plan->accumulate_additions, "reduce",
                     plan->reduce_additions, "combine", plan->combine_additions);
}

static json_t *bytes_to_json(const sumac_plan *plan)
{
    json_t *rows = json_object();
    const char *row;
    for (size_t i = 0; (row = sumac_plan_row(plan, i)) != NULL; i++) {
        if (json_object_set_new(rows, row, json_integer((json_int_t)sumac_plan_bytes(plan, row))) != 0) {
            json_decref(rows);
            return NULL;
        }
    }
    return rows;
}

json_t *plan_to_json(const sumac_plan *plan)
{
    return json_pack(
        "{s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, "
        "s:I, s:I, "
        "s:I, s:I, s:I, s:I, s:o, "
        "s:f, s:o}",
        "name", plan->name, "kinds", kinds_to_json(plan), "n", (json_int_t)plan->n, "batch",
        (json_int_t)plan->batch, "scalar_bits", (json_int_t)plan->scalar_bits, "top_window_balancing",
        (json_int_t)plan->top_window_balancing, "c", (json_int_t)plan->c, "windows",
        (json_int_t)plan->windows, "precompute_factor", (json_int_t)plan->precompute_factor, "glv_terms",
        (json_int_t)plan->glv_terms, "table_digits", (json_int_t)plan->table_digits, "modules",
        (json_int_t)plan->modules, "buckets", (json_int_t)plan->buckets, "module_parts",
        (json_int_t)plan->module_parts, "sub_batch", (json_int_t)plan->sub_batch, "modules_per_pass",
        (json_int_t)plan->modules_per_pass, "in_flight_passes", (json_int_t)plan->in_flight_passes, "passes",
        (json_int_t)plan->passes, "chunks", (json_int_t)plan->chunks, "copy_slices",
        (json_int_t)plan->copy_slices, "copy_slice_growth", (json_int_t)plan->copy_slice_growth, "threads",
        (json_int_t)plan->threads, "task_entries", (json_int_t)plan->task_entries, "additions",
        additions_to_json(plan), "milliseconds", plan->milliseconds, "bytes", bytes_to_json(plan));
}
