/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The page of `sumac compare`: everything is in it, charts are SVG, and nothing in it runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "page.h"

static bool is_refused(const bench_row *row)
{
    return row->refusal[0] != '\0';
}

static double shown_ms(const bench_row *row)
{
    return row->times.minimum_ms > 1e-6 ? row->times.minimum_ms : 1e-6;
}

/* The plan that others are compared with, or NO_PLAN. */
enum { NO_PLAN = -1 };

static int auto_plan(const comparison *all)
{
    for (size_t plan = 0; plan < all->plan_count; plan++) {
        if (strcmp(all->plans[plan], "auto") == 0) {
            return (int)plan;
        }
    }
    return NO_PLAN;
}

/* What a chart shows of a row: its milliseconds; or where `base` is a plan, how many times as long as that
 * one it takes. False: there is nothing to show. */
static bool shown_value(const comparison *all, size_t kind, size_t size, size_t plan, int base, double *value)
{
    const bench_row *row = comparison_row(all, kind, size, plan);
    if (is_refused(row)) {
        return false;
    }
    *value = shown_ms(row);
    if (base != NO_PLAN) {
        const bench_row *other = comparison_row(all, kind, size, (size_t)base);
        *value /= shown_ms(other);
        return !is_refused(other);
    }
    return true;
}

/* A chart of what shown_value() says, with its title; `points` has room for all. */
static void write_chart(FILE *page, const comparison *all, size_t kind, int base, page_point *points)
{
    const char *title =
        base == NO_PLAN ? "Milliseconds of a call, the least of the runs" : "Times as long as auto";
    page_chart chart = {title, "bases",        base == NO_PLAN ? "ms" : "times", all->plans, points,
                        0,     base == NO_PLAN};
    for (size_t plan = 0; plan < all->plan_count; plan++) {
        for (size_t s = 0; s < all->size_count; s++) {
            double value;
            if (shown_value(all, kind, s, plan, base, &value)) {
                points[chart.count++] =
                    (page_point){plan, (double)comparison_row(all, kind, s, plan)->n, value};
            }
        }
    }
    page_write_chart(page, &chart);
}

/* The same plans' colours are in all charts of a kind. */
static int write_charts(FILE *page, const comparison *all, size_t kind)
{
    page_point *points = allocate(all->plan_count * all->size_count * sizeof *points, "a chart's points");
    if (points == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    page_series_legend(page, all->plans, all->plan_count);
    fputs("<div class=\"charts\">\n", page);
    write_chart(page, all, kind, NO_PLAN, points);
    if (auto_plan(all) != NO_PLAN && all->plan_count > 1) {
        write_chart(page, all, kind, auto_plan(all), points);
    }
    fputs("</div>\n", page);
    free(points);
    return STATUS_DONE;
}

static double stage_sum(const bench_row *row)
{
    double sum = 0;
    for (int s = 0; s < BENCH_STAGES; s++) {
        sum += row->stage_ms[s];
    }
    return sum;
}

static void write_bar(FILE *page, const bench_row *row, size_t plan, double most)
{
    page_part parts[BENCH_STAGES];
    for (size_t s = 0; s < BENCH_STAGES; s++) {
        parts[s] = (page_part){bench_stages[s], page_stage_colour(bench_stages[s], s), row->stage_ms[s]};
    }
    page_bar(page, plan, row->plan_name, parts, BENCH_STAGES, most);
}

static void write_stages(FILE *page, const comparison *all, size_t kind, size_t size)
{
    double most = 0;
    char n[PAGE_SIZE_BYTES], title[PAGE_SIZE_BYTES + 8];
    for (size_t plan = 0; plan < all->plan_count; plan++) {
        most = fmax(most, stage_sum(comparison_row(all, kind, size, plan)));
    }
    snprintf(title, sizeof title, "%s bases", page_size(n, (double)comparison_row(all, kind, size, 0)->n));
    page_bars_begin(page, all->plan_count, title);
    for (size_t plan = 0; plan < all->plan_count; plan++) {
        write_bar(page, comparison_row(all, kind, size, plan), plan, most);
    }
    page_bars_end(page);
}

static void write_stage_legend(FILE *page)
{
    page_legend_begin(page);
    for (size_t s = 0; s < BENCH_STAGES; s++) {
        page_legend_key(page, page_stage_colour(bench_stages[s], s), false, bench_stages[s]);
    }
    page_legend_end(page);
}

static void write_table(FILE *page, const comparison *all, size_t kind)
{
    fputs("<table><tr><th>bases<th>plan<th>c<th>windows<th>min ms<th>median "
          "ms<th>additions<th>MiB<th>recode<th>sort"
          "<th>accumulate<th>reduce<th>combine<th>verified</tr>\n",
          page);
    for (size_t i = 0; i < all->size_count * all->plan_count; i++) {
        const bench_row *row = comparison_row(all, kind, 0, i);
        char n[PAGE_SIZE_BYTES];
        fprintf(page, "<tr><td>%s", page_size(n, (double)row->n));
        if (is_refused(row)) {
            fprintf(page, "<td>%s<td colspan=\"12\" class=\"words\">", row->plan_name);
            write_html(page, row->refusal);
            fputs("</tr>\n", page);
            continue;
        }
        fprintf(page, "<td>%s<td>%u<td>%u<td>%.3f<td>%.3f<td>%.0f<td>%.1f", row->plan_name,
                (unsigned)plan_integer(row->plan, "c"), (unsigned)plan_integer(row->plan, "windows"),
                row->times.minimum_ms, row->times.median_ms, row_additions(row),
                (double)sumac_plan_bytes(row->plan, "total") / 1048576);
        const char *stage;
        for (size_t s = 0; (stage = sumac_plan_stage(row->plan, s)) != NULL; s++) {
            fprintf(page, "<td>%s", sumac_plan_kind(row->plan, stage));
        }
        fprintf(page, "<td>%s</tr>\n", row->verified ? "yes" : "<b>NO: WRONG RESULT</b>");
    }
    fputs("</table>\n", page);
}

static int write_kind(FILE *page, const comparison *all, size_t kind)
{
    fprintf(page, "<h2>Scalars: %s</h2>\n",
            option_choice(OPTION_KIND, comparison_row(all, kind, 0, 0)->kind));
    const int status = write_charts(page, all, kind);
    fputs("<h3>Milliseconds by stage</h3>\n<p>One more call with a trace; a stage takes as long as the "
          "thread that is in "
          "it the longest.</p>\n",
          page);
    write_stage_legend(page);
    fputs("<div class=\"charts\">\n", page);
    for (size_t size = 0; size < all->size_count; size++) {
        write_stages(page, all, kind, size);
    }
    fputs("</div>\n<h3>Figures</h3>\n", page);
    write_table(page, all, kind);
    return status;
}

/* Why auto is faster: what docs/plans.md says of the backend's kinds. */
static void write_reason(FILE *page, const bench_row *row)
{
    fputs("<p>The named plans are strategies that others have published. ", page);
    if (strcmp(row->backend, "cpu") == 0) {
        fputs("Only <code>auto</code> shares an inversion among many additions and makes sixteen of them at "
              "a time in lanes of "
              "AVX-512 where the processor has them; the others add one point after another, in scalar "
              "code.</p>\n",
              page);
    } else {
        fputs("Of these only <code>auto</code>, and its variants <code>radix</code> and <code>rounds</code>, "
              "share an inversion "
              "among many additions.</p>\n",
              page);
    }
}

/* One that was, if there is one. */
static const bench_row *measured_row(const comparison *all)
{
    const size_t count = all->kind_count * all->size_count * all->plan_count;
    for (size_t i = 0; i < count; i++) {
        if (!is_refused(&all->rows[i])) {
            return &all->rows[i];
        }
    }
    return all->rows;
}

int write_comparison_page(FILE *page, const comparison *all, const comparison_source *source)
{
    const bench_row *row = measured_row(all);
    const sumac_curve_info *info = sumac_curve_describe(row->curve);
    char title[128];
    int status = STATUS_DONE;
    snprintf(title, sizeof title, "Plans for multi-scalar multiplication: %s %s", info->name, info->group);
    page_begin(page, title);
    fprintf(page, "<p>sumac %s, commit ", sumac_version());
    write_html(page, source->commit);
    fprintf(page, ", %s.<br>", source->date);
    write_html(page, source->machine);
    fprintf(page, ", %s/%s, threads: %u.<br><code>", row->backend, row->variant, (unsigned)row->threads);
    write_html(page, source->command_line);
    fputs("</code></p>\n", page);
    write_reason(page, row);
    for (size_t kind = 0; kind < all->kind_count && status == STATUS_DONE; kind++) {
        status = write_kind(page, all, kind);
    }
    page_end(page);
    return status;
}
