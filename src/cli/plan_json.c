/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "plan_json.h"

static json_t *kinds_to_json(const sumac_plan *plan)
{
    return json_pack("{s:s, s:s, s:s, s:s}", "recode", plan->recode, "sort", plan->sort, "accumulate",
                     plan->accumulate, "reduce", plan->reduce);
}

static json_t *additions_to_json(const sumac_plan *plan)
{
    return json_pack("{s:f, s:f, s:f}", "accumulate", plan->accumulate_additions, "reduce",
                     plan->reduce_additions, "combine", plan->combine_additions);
}

static json_t *bytes_to_json(const sumac_plan *plan)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "bases",
                     (json_int_t)plan->bytes_bases, "scalars", (json_int_t)plan->bytes_scalars, "staging",
                     (json_int_t)plan->bytes_staging, "digits", (json_int_t)plan->bytes_digits, "pairs",
                     (json_int_t)plan->bytes_pairs, "buckets", (json_int_t)plan->bytes_buckets, "scratch",
                     (json_int_t)plan->bytes_scratch, "workspace", (json_int_t)plan->bytes_workspace, "total",
                     (json_int_t)plan->bytes_total, "pinned", (json_int_t)plan->bytes_pinned);
}

json_t *plan_to_json(const sumac_plan *plan)
{
    return json_pack(
        "{s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, "
        "s:I, s:I, "
        "s:I, s:I, s:I, s:I, s:o, "
        "s:f, s:o}",
        "name", plan->name, "kinds", kinds_to_json(plan), "n", (json_int_t)plan->n, "batch",
        (json_int_t)plan->batch, "scalar_bits", (json_int_t)plan->scalar_bits, "spread",
        (json_int_t)plan->spread, "c", (json_int_t)plan->c, "windows", (json_int_t)plan->windows,
        "precompute_factor", (json_int_t)plan->precompute_factor, "images", (json_int_t)plan->images,
        "table_digits", (json_int_t)plan->table_digits, "modules", (json_int_t)plan->modules, "buckets",
        (json_int_t)plan->buckets, "module_parts", (json_int_t)plan->module_parts, "lot",
        (json_int_t)plan->lot, "modules_per_pass", (json_int_t)plan->modules_per_pass, "tracks",
        (json_int_t)plan->tracks, "passes", (json_int_t)plan->passes, "chunks", (json_int_t)plan->chunks,
        "portions", (json_int_t)plan->portions, "portion_growth", (json_int_t)plan->portion_growth, "threads",
        (json_int_t)plan->threads, "task_entries", (json_int_t)plan->task_entries, "additions",
        additions_to_json(plan), "milliseconds", plan->milliseconds, "bytes", bytes_to_json(plan));
}
