/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What `sumac compare` has measured, and the page that shows it. */
#ifndef SUMAC_CLI_COMPARE_H
#define SUMAC_CLI_COMPARE_H

#include <stdio.h>

#include "bench.h"
#include "plan_json.h"

/* All rows: plans change fastest, then sizes, then kinds of scalars. */
typedef struct comparison {
    bench_row *rows;
    const char *const *plans;
    size_t plan_count;
    size_t size_count;
    size_t kind_count;
} comparison;

static inline const bench_row *comparison_row(const comparison *all, size_t kind, size_t size, size_t plan)
{
    return &all->rows[(kind * all->size_count + size) * all->plan_count + plan];
}

/* Additions and doublings that a row's plan counts on, for uniform scalars. */
static inline double row_additions(const bench_row *row)
{
    return sumac_plan_number(row->plan, "accumulate_additions") +
           sumac_plan_number(row->plan, "reduce_additions") +
           sumac_plan_number(row->plan, "combine_additions");
}

/* Where the figures come from; texts may hold anything. */
typedef struct comparison_source {
    const char *machine;
    const char *commit;
    const char *date;
    const char *command_line;
} comparison_source;

/* Write a page of HTML that needs nothing else: charts as SVG, and the table. Reports and returns an exit status. */
int write_comparison_page(FILE *page, const comparison *all, const comparison_source *source);

#endif
