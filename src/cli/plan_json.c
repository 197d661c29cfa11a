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
    return json_pack("{s:f, s:f, s:f}", "accumulate", sumac_plan_number(plan, "accumulate_additions"),
                     "reduce", sumac_plan_number(plan, "reduce_additions"), "combine",
                     sumac_plan_number(plan, "combine_additions"));
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

uint64_t plan_integer(const sumac_plan *plan, const char *name)
{
    return (uint64_t)sumac_plan_number(plan, name);
}

json_t *plan_to_json(const sumac_plan *plan)
{
    static const char *const integers[] = {"n",
                                           "batch",
                                           "scalar_bits",
                                           "top_window_balancing",
                                           "c",
                                           "windows",
                                           "precompute_factor",
                                           "glv_terms",
                                           "table_digits",
                                           "modules",
                                           "buckets",
                                           "module_parts",
                                           "sub_batch",
                                           "modules_per_pass",
                                           "in_flight_passes",
                                           "passes",
                                           "chunks",
                                           "keeps_buckets",
                                           "copy_slices",
                                           "copy_slice_growth",
                                           "threads",
                                           "task_entries"};
    json_t *object = json_pack("{s:s, s:o}", "name", sumac_plan_name(plan), "kinds", kinds_to_json(plan));
    json_t *rest = json_pack("{s:o, s:f, s:o}", "additions", additions_to_json(plan), "milliseconds",
                             sumac_plan_milliseconds(plan), "bytes", bytes_to_json(plan));
    int failed = rest == NULL;
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        json_t *number = json_integer((json_int_t)plan_integer(plan, integers[i]));
        failed |= json_object_set_new(object, integers[i], number) != 0;
    }
    failed |= json_object_update(object, rest) != 0;
    json_decref(rest);
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}
