/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The page of `sumac compare`: everything is in it, charts are SVG, and nothing in it runs. */
#include <math.h>
#include <string.h>

#include "compare.h"

/* A colour for each plan, round and round, more than there are plans; and for each stage. */
static const char *const plan_colours[] = {"#0b6e4f", "#c8553d", "#2f6fb5", "#8a4fbf", "#b8860b", "#5b6770",
                                           "#d0488f", "#3a9d9d", "#8c1c13", "#7a9e3b", "#1d2a5b", "#e08e79"};
static const char *const stage_colours[BENCH_STAGES] = {"#9aa3ab", "#e3b23c", "#d98324",
                                                        "#2f6fb5", "#8a4fbf", "#0b6e4f"};

enum { PLAN_COLOURS = sizeof plan_colours / sizeof *plan_colours };

/* The chart of times: where its axes are, in units of the drawing. */
enum { CHART_WIDTH = 760, CHART_HEIGHT = 360, LEFT = 70, RIGHT = 610, TOP = 20, BOTTOM = 310 };

/* The chart of stages. */
enum { BAR_LEFT = 120, BAR_RIGHT = 660, BAR_HEIGHT = 18, BAR_STEP = 24 };

static void write_text(FILE *page, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", page);
            break;
        case '>':
            fputs("&gt;", page);
            break;
        case '&':
            fputs("&amp;", page);
            break;
        case '"':
            fputs("&quot;", page);
            break;
        default:
            fputc((unsigned char)*text < ' ' || (unsigned char)*text > '~' ? '?' : *text, page);
        }
    }
}

static void write_size(FILE *page, uint64_t n)
{
    if (n >= 16 && (n & (n - 1)) == 0) {
        fprintf(page, "2^%d", __builtin_ctzll(n));
    } else {
        fprintf(page, "%llu", (unsigned long long)n);
    }
}

/* The least and the most of something, more than nothing. */
typedef struct range {
    double low, high;
} range;

static void widen(range *r, double value)
{
    r->low = value < r->low ? value : r->low;
    r->high = value > r->high ? value : r->high;
}

/* Where a value lies on a logarithmic axis from `from` to `to`. */
static double place(const range *r, double value, double from, double to)
{
    const double span = log(r->high) - log(r->low);
    return span > 0 ? from + (to - from) * (log(value) - log(r->low)) / span : (from + to) / 2;
}

static bool is_refused(const bench_row *row)
{
    return row->refusal[0] != '\0';
}

static double shown_size(const bench_row *row)
{
    return row->n > 0 ? (double)row->n : 0.5;
}

static double shown_ms(const bench_row *row)
{
    return row->minimum_ms > 1e-6 ? row->minimum_ms : 1e-6;
}

/* Lines at the powers of ten, and the sizes. */
static void write_axes(FILE *page, const comparison *all, size_t kind, const range *sizes, const range *times)
{
    for (long power = lround(log10(times->low)); power <= lround(log10(times->high)); power++) {
        const double ms = pow(10, (double)power);
        const double y = place(times, ms, BOTTOM, TOP);
        fprintf(page,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                LEFT, RIGHT, y, y, LEFT - 8, y + 4, ms);
    }
    for (size_t s = 0; s < all->size_count; s++) {
        const bench_row *row = comparison_row(all, kind, s, 0);
        fprintf(page, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">",
                place(sizes, shown_size(row), LEFT + 20, RIGHT - 20), BOTTOM + 20);
        write_size(page, row->n);
        fputs("</text>\n", page);
    }
    fprintf(page, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">bases</text>\n", (LEFT + RIGHT) / 2,
            BOTTOM + 42);
    fprintf(page,
            "<text x=\"14\" y=\"%d\" transform=\"rotate(-90 14 %d)\" text-anchor=\"middle\">ms</text>\n",
            (TOP + BOTTOM) / 2, (TOP + BOTTOM) / 2);
}

static void write_line(FILE *page, const comparison *all, size_t kind, size_t plan, const range *sizes,
                       const range *times)
{
    const char *colour = plan_colours[plan % PLAN_COLOURS];
    fprintf(page, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour);
    for (size_t s = 0; s < all->size_count; s++) {
        const bench_row *row = comparison_row(all, kind, s, plan);
        if (is_refused(row)) {
            continue;
        }
        fprintf(page, "%.1f,%.1f ", place(sizes, shown_size(row), LEFT + 20, RIGHT - 20),
                place(times, shown_ms(row), BOTTOM, TOP));
    }
    fputs("\"/>\n", page);
    for (size_t s = 0; s < all->size_count; s++) {
        const bench_row *row = comparison_row(all, kind, s, plan);
        if (is_refused(row)) {
            continue;
        }
        fprintf(page,
                "<circle r=\"4\" fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\"><title>%s: %.3f ms</title></circle>\n",
                colour, place(sizes, shown_size(row), LEFT + 20, RIGHT - 20),
                place(times, shown_ms(row), BOTTOM, TOP), row->plan_name, row->minimum_ms);
    }
    fprintf(page,
            "<rect x=\"%d\" y=\"%zu\" width=\"14\" height=\"14\" fill=\"%s\"/>"
            "<text x=\"%d\" y=\"%zu\">%s</text>\n",
            RIGHT + 20, TOP + 20 * plan, colour, RIGHT + 40, TOP + 12 + 20 * plan, all->plans[plan]);
}

static void write_times(FILE *page, const comparison *all, size_t kind)
{
    range sizes = {INFINITY, 0}, times = {INFINITY, 0};
    for (size_t i = 0; i < all->size_count * all->plan_count; i++) {
        const bench_row *row = comparison_row(all, kind, 0, i);
        widen(&sizes, shown_size(row));
        if (!is_refused(row)) {
            widen(&times, shown_ms(row));
        }
    }
    if (times.high == 0) {
        return; /* no plan could be had */
    }
    times.low = pow(10, floor(log10(times.low)));
    times.high = pow(10, ceil(log10(times.high)));
    const size_t legend = TOP + 20 * all->plan_count;
    fprintf(page, "<svg viewBox=\"0 0 %d %zu\" role=\"img\" aria-label=\"milliseconds by size and plan\">\n",
            CHART_WIDTH, legend > CHART_HEIGHT ? legend : (size_t)CHART_HEIGHT);
    write_axes(page, all, kind, &sizes, &times);
    for (size_t plan = 0; plan < all->plan_count; plan++) {
        write_line(page, all, kind, plan, &sizes, &times);
    }
    fputs("</svg>\n", page);
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
    const double y = (double)BAR_STEP * (double)plan;
    double x = BAR_LEFT;
    fprintf(page, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", BAR_LEFT - 8, y + 13,
            row->plan_name);
    for (int s = 0; s < BENCH_STAGES; s++) {
        const double width = most > 0 ? (BAR_RIGHT - BAR_LEFT) * row->stage_ms[s] / most : 0;
        fprintf(page,
                "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" fill=\"%s\">"
                "<title>%s: %.3f ms</title></rect>\n",
                x, y, width, BAR_HEIGHT, stage_colours[s], bench_stages[s], row->stage_ms[s]);
        x += width;
    }
    const double sum = stage_sum(row);
    fprintf(page, "<text x=\"%.1f\" y=\"%.1f\">%.*f ms</text>\n", x + 6, y + 13,
            sum < 10    ? 2
            : sum < 100 ? 1
                        : 0,
            sum);
}

static void write_stages(FILE *page, const comparison *all, size_t kind, size_t size)
{
    double most = 0;
    for (size_t plan = 0; plan < all->plan_count; plan++) {
        most = fmax(most, stage_sum(comparison_row(all, kind, size, plan)));
    }
    fputs("<h3>", page);
    write_size(page, comparison_row(all, kind, size, 0)->n);
    fprintf(page,
            " bases</h3>\n<svg viewBox=\"0 0 %d %zu\" role=\"img\" aria-label=\"milliseconds by stage\">\n",
            CHART_WIDTH, BAR_STEP * all->plan_count);
    for (size_t plan = 0; plan < all->plan_count; plan++) {
        write_bar(page, comparison_row(all, kind, size, plan), plan, most);
    }
    fputs("</svg>\n", page);
}

static void write_stage_legend(FILE *page)
{
    fputs("<p>", page);
    for (int s = 0; s < BENCH_STAGES; s++) {
        fprintf(page, "<span class=\"key\" style=\"background:%s\"></span>%s &nbsp; ", stage_colours[s],
                bench_stages[s]);
    }
    fputs("</p>\n", page);
}

static void write_table(FILE *page, const comparison *all, size_t kind)
{
    fputs("<table><tr><th>bases<th>plan<th>c<th>windows<th>min ms<th>median "
          "ms<th>additions<th>MiB<th>recode<th>sort"
          "<th>accumulate<th>reduce<th>combine<th>verified</tr>\n",
          page);
    for (size_t i = 0; i < all->size_count * all->plan_count; i++) {
        const bench_row *row = comparison_row(all, kind, 0, i);
        fputs("<tr><td>", page);
        write_size(page, row->n);
        if (is_refused(row)) {
            fprintf(page, "<td>%s<td colspan=\"12\" style=\"text-align:left\">", row->plan_name);
            write_text(page, row->refusal);
            fputs("</tr>\n", page);
            continue;
        }
        fprintf(page, "<td>%s<td>%u<td>%u<td>%.3f<td>%.3f<td>%.0f<td>%.1f", row->plan_name,
                (unsigned)row->plan.c, (unsigned)row->plan.windows, row->minimum_ms, row->median_ms,
                row_additions(row), (double)sumac_plan_bytes(&row->plan, "total") / 1048576);
        const char *stage;
        for (size_t s = 0; (stage = sumac_plan_stage(&row->plan, s)) != NULL; s++) {
            fprintf(page, "<td>%s", sumac_plan_kind(&row->plan, stage));
        }
        fprintf(page, "<td>%s</tr>\n", row->verified ? "yes" : "<b>NO: WRONG RESULT</b>");
    }
    fputs("</table>\n", page);
}

static void write_kind(FILE *page, const comparison *all, size_t kind)
{
    fprintf(page, "<h2>Scalars: %s</h2>\n<h3>Milliseconds of a call, the least of the runs</h3>\n",
            option_choice(OPTION_KINDS, comparison_row(all, kind, 0, 0)->kind));
    write_times(page, all, kind);
    fputs("<h3>Milliseconds by stage</h3>\n<p>One more call with a trace; a stage takes as long as the "
          "thread that is "
          "in it the longest.</p>\n",
          page);
    write_stage_legend(page);
    for (size_t size = 0; size < all->size_count; size++) {
        write_stages(page, all, kind, size);
    }
    fputs("<h3>Figures</h3>\n", page);
    write_table(page, all, kind);
}

void write_comparison_page(FILE *page, const comparison *all, const char *machine, const char *command_line)
{
    const bench_row *row = all->rows;
    const sumac_curve_info *info = sumac_curve_describe(row->curve);
    fprintf(page,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
            "<title>Plans for multi-scalar multiplication: %s %s</title>\n<style>\n"
            "body{font:15px/1.45 system-ui,sans-serif;max-width:1100px;margin:2em auto;padding:0 "
            "1em;color:#222}\n"
            "svg{width:100%%;max-width:%dpx;display:block;font-size:13px}\n"
            "svg text{fill:#333}\n"
            "table{border-collapse:collapse;font-size:12px;display:block;overflow-x:auto}\n"
            "td,th{padding:3px 7px;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}\n"
            "td:nth-child(2),th:nth-child(2){text-align:left}\n"
            ".key{display:inline-block;width:12px;height:12px;margin-right:5px}\n"
            "code{background:#f3f3f3;padding:1px 4px}\n</style></head><body>\n"
            "<h1>Plans for multi-scalar multiplication: %s %s</h1>\n<p>sumac %s, ",
            info->name, info->group, CHART_WIDTH, info->name, info->group, sumac_version());
    write_text(page, machine);
    fprintf(page, ", %s/%s, threads: %u.<br><code>", row->backend, row->variant, (unsigned)row->threads);
    write_text(page, command_line);
    fputs("</code></p>\n", page);
    for (size_t kind = 0; kind < all->kind_count; kind++) {
        write_kind(page, all, kind);
    }
    fputs("</body></html>\n", page);
}
