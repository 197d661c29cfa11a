/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The page of `sumac compare`: everything is in it, charts are SVG, and nothing in it runs. */
#include <math.h>
#include <string.h>

#include "compare.h"

/* Colours are variables of the style: of plans, round and round, more than there are plans; and of stages. */
typedef struct colour {
    const char *light, *dark; /* on a light and on a dark page */
} colour;

static const colour plan_colours[] = {{"#0b6e4f", "#3fbf8f"}, {"#c8553d", "#f08a70"}, {"#2f6fb5", "#6aa9f0"},
                                      {"#8a4fbf", "#bd8cf0"}, {"#b8860b", "#e0b040"}, {"#5b6770", "#a5b1bb"},
                                      {"#d0488f", "#f582bd"}, {"#3a9d9d", "#62d0d0"}, {"#8c1c13", "#e0685e"},
                                      {"#7a9e3b", "#aed36a"}, {"#1d2a5b", "#8f9fe0"}, {"#e08e79", "#e8b7a8"}};
static const colour stage_colours[BENCH_STAGES] = {{"#9aa3ab", "#7d868e"}, {"#e3b23c", "#e3b23c"},
                                                   {"#d98324", "#e0903a"}, {"#2f6fb5", "#5a9ae8"},
                                                   {"#8a4fbf", "#b07fe6"}, {"#0b6e4f", "#35a87c"}};

enum { PLAN_COLOURS = sizeof plan_colours / sizeof *plan_colours };

/* The charts by size: where their axes are, in units of the drawing, which are pixels on a narrow page. */
enum { CHART_WIDTH = 400, CHART_HEIGHT = 300, LEFT = 52, RIGHT = 392, TOP = 12, BOTTOM = 250 };

/* As many sizes get a label; of more, only some do. */
enum { SIZE_LABELS = 7 };

/* The chart of stages. */
enum { BAR_LEFT = 112, BAR_RIGHT = 336, BAR_HEIGHT = 18, BAR_STEP = 24 };

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

/* Lines at the powers of ten, or where there are few at 1, 2 and 5 times these; and the sizes. */
static void write_axes(FILE *page, const comparison *all, size_t kind, const range *sizes,
                       const range *values, const char *unit)
{
    static const double steps[] = {1, 2, 5};
    const bool few = values->high / values->low < 500;
    for (long power = lround(floor(log10(values->low))); power <= lround(ceil(log10(values->high)));
         power++) {
        for (size_t step = 0; step < (few ? sizeof steps / sizeof *steps : 1); step++) {
            const double value = steps[step] * pow(10, (double)power);
            if (value < values->low * 0.999 || value > values->high * 1.001) {
                continue;
            }
            const double y = place(values, value, BOTTOM, TOP);
            fprintf(page,
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                    LEFT, RIGHT, y, y, LEFT - 6, y + 4, value);
        }
    }
    const size_t every = (all->size_count + SIZE_LABELS - 1) / SIZE_LABELS;
    for (size_t s = 0; s < all->size_count; s += every) {
        const bench_row *row = comparison_row(all, kind, s, 0);
        fprintf(page, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">",
                place(sizes, shown_size(row), LEFT + 16, RIGHT - 16), BOTTOM + 20);
        write_size(page, row->n);
        fputs("</text>\n", page);
    }
    fprintf(page, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">bases</text>\n", (LEFT + RIGHT) / 2,
            BOTTOM + 42);
    fprintf(page,
            "<text x=\"12\" y=\"%d\" transform=\"rotate(-90 12 %d)\" text-anchor=\"middle\">%s</text>\n",
            (TOP + BOTTOM) / 2, (TOP + BOTTOM) / 2, unit);
}

static void write_line(FILE *page, const comparison *all, size_t kind, size_t plan, int base,
                       const range *sizes, const range *values)
{
    const char *unit = base == NO_PLAN ? "ms" : "times";
    double value;
    fprintf(page, "<polyline class=\"line\" style=\"stroke:var(--plan%zu)\" points=\"", plan % PLAN_COLOURS);
    for (size_t s = 0; s < all->size_count; s++) {
        if (shown_value(all, kind, s, plan, base, &value)) {
            fprintf(page, "%.1f,%.1f ",
                    place(sizes, shown_size(comparison_row(all, kind, s, plan)), LEFT + 16, RIGHT - 16),
                    place(values, value, BOTTOM, TOP));
        }
    }
    fputs("\"/>\n", page);
    for (size_t s = 0; s < all->size_count; s++) {
        if (shown_value(all, kind, s, plan, base, &value)) {
            fprintf(page,
                    "<circle r=\"3.5\" style=\"fill:var(--plan%zu)\" cx=\"%.1f\" cy=\"%.1f\">"
                    "<title>%s: %.3f %s</title></circle>\n",
                    plan % PLAN_COLOURS,
                    place(sizes, shown_size(comparison_row(all, kind, s, plan)), LEFT + 16, RIGHT - 16),
                    place(values, value, BOTTOM, TOP), all->plans[plan], value, unit);
        }
    }
}

/* A chart of what shown_value() says, with its title. */
static void write_chart(FILE *page, const comparison *all, size_t kind, int base)
{
    range sizes = {INFINITY, 0}, values = {INFINITY, 0};
    double value;
    for (size_t s = 0; s < all->size_count; s++) {
        widen(&sizes, shown_size(comparison_row(all, kind, s, 0)));
        for (size_t plan = 0; plan < all->plan_count; plan++) {
            if (shown_value(all, kind, s, plan, base, &value)) {
                widen(&values, value);
            }
        }
    }
    if (values.high == 0) {
        return; /* no plan could be had */
    }
    if (base == NO_PLAN) {
        values.low = pow(10, floor(log10(values.low)));
        values.high = pow(10, ceil(log10(values.high)));
    } else {
        values.low *= 0.9;
        values.high *= 1.1;
    }
    const char *title =
        base == NO_PLAN ? "Milliseconds of a call, the least of the runs" : "Times as long as auto";
    fprintf(
        page,
        "<figure><figcaption>%s</figcaption>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
        title, CHART_WIDTH, CHART_HEIGHT, title);
    write_axes(page, all, kind, &sizes, &values, base == NO_PLAN ? "ms" : "times");
    for (size_t plan = 0; plan < all->plan_count; plan++) {
        write_line(page, all, kind, plan, base, &sizes, &values);
    }
    fputs("</svg></figure>\n", page);
}

static void write_key(FILE *page, const char *variable, size_t number, const char *name)
{
    fprintf(page,
            "<span class=\"name\"><span class=\"key\" style=\"background:var(--%s%zu)\"></span>%s</span>\n",
            variable, number, name);
}

/* The same plans' colours are in all charts of a kind. */
static void write_charts(FILE *page, const comparison *all, size_t kind)
{
    fputs("<p class=\"names\">", page);
    for (size_t plan = 0; plan < all->plan_count; plan++) {
        write_key(page, "plan", plan % PLAN_COLOURS, all->plans[plan]);
    }
    fputs("</p>\n<div class=\"charts\">\n", page);
    write_chart(page, all, kind, NO_PLAN);
    if (auto_plan(all) != NO_PLAN && all->plan_count > 1) {
        write_chart(page, all, kind, auto_plan(all));
    }
    fputs("</div>\n", page);
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
                "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" style=\"fill:var(--stage%d)\">"
                "<title>%s: %.3f ms</title></rect>\n",
                x, y, width, BAR_HEIGHT, s, bench_stages[s], row->stage_ms[s]);
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
    fputs("<figure><figcaption>", page);
    write_size(page, comparison_row(all, kind, size, 0)->n);
    fprintf(page,
            " bases</figcaption>\n<svg viewBox=\"0 0 %d %zu\" role=\"img\" aria-label=\"milliseconds by "
            "stage\">\n",
            CHART_WIDTH, BAR_STEP * all->plan_count);
    for (size_t plan = 0; plan < all->plan_count; plan++) {
        write_bar(page, comparison_row(all, kind, size, plan), plan, most);
    }
    fputs("</svg></figure>\n", page);
}

static void write_stage_legend(FILE *page)
{
    fputs("<p class=\"names\">", page);
    for (size_t s = 0; s < BENCH_STAGES; s++) {
        write_key(page, "stage", s, bench_stages[s]);
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
            fprintf(page, "<td>%s<td colspan=\"12\" class=\"words\">", row->plan_name);
            write_text(page, row->refusal);
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

static void write_kind(FILE *page, const comparison *all, size_t kind)
{
    fprintf(page, "<h2>Scalars: %s</h2>\n",
            option_choice(OPTION_KINDS, comparison_row(all, kind, 0, 0)->kind));
    write_charts(page, all, kind);
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
}

static void write_colours(FILE *page, bool dark)
{
    for (size_t i = 0; i < PLAN_COLOURS; i++) {
        fprintf(page, "--plan%zu:%s;", i, dark ? plan_colours[i].dark : plan_colours[i].light);
    }
    for (size_t i = 0; i < BENCH_STAGES; i++) {
        fprintf(page, "--stage%zu:%s;", i, dark ? stage_colours[i].dark : stage_colours[i].light);
    }
}

/* Two charts are beside each other where there is room for them. */
static void write_style(FILE *page)
{
    fputs("<style>\n:root{color-scheme:light dark;--page:#fff;--text:#222;--line:#ddd;--code:#f3f3f3;", page);
    write_colours(page, false);
    fputs("}\n@media(prefers-color-scheme:dark){:root{--page:#16191c;--text:#e3e6e8;--line:#3a4147;--code:#"
          "24292e;",
          page);
    write_colours(page, true);
    fputs("}}\n"
          "body{font:16px/1.45 system-ui,sans-serif;max-width:1120px;margin:1.5em auto;padding:0 12px;"
          "color:var(--text);background:var(--page)}\n"
          "h1{font-size:1.5em}h2{font-size:1.25em}h3{font-size:1.05em}\n"
          ".charts{display:grid;gap:16px 32px;"
          "grid-template-columns:repeat(auto-fill,minmax(min(100%,max(340px,50% - 16px)),1fr))}\n"
          "figure{margin:0}\n"
          "svg{width:100%;display:block;font-size:13px}\n"
          "svg text{fill:var(--text)}.grid{stroke:var(--line)}.line{fill:none;stroke-width:2}\n"
          ".names{display:flex;flex-wrap:wrap;gap:2px 16px}.name{white-space:nowrap}\n"
          ".key{display:inline-block;width:12px;height:12px;margin-right:5px}\n"
          "table{border-collapse:collapse;font-size:14px;display:block;overflow-x:auto}\n"
          "td,th{padding:3px 7px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}\n"
          "td:nth-child(2),th:nth-child(2),td.words{text-align:left}\n"
          "code{background:var(--code);padding:1px 4px;overflow-wrap:anywhere}\n</style>",
          page);
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

void write_comparison_page(FILE *page, const comparison *all, const comparison_source *source)
{
    const bench_row *row = measured_row(all);
    const sumac_curve_info *info = sumac_curve_describe(row->curve);
    fprintf(page,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>Plans for multi-scalar multiplication: %s %s</title>\n",
            info->name, info->group);
    write_style(page);
    fprintf(page,
            "</head><body>\n<h1>Plans for multi-scalar multiplication: %s %s</h1>\n<p>sumac %s, commit ",
            info->name, info->group, sumac_version());
    write_text(page, source->commit);
    fprintf(page, ", %s.<br>", source->date);
    write_text(page, source->machine);
    fprintf(page, ", %s/%s, threads: %u.<br><code>", row->backend, row->variant, (unsigned)row->threads);
    write_text(page, source->command_line);
    fputs("</code></p>\n", page);
    write_reason(page, row);
    for (size_t kind = 0; kind < all->kind_count; kind++) {
        write_kind(page, all, kind);
    }
    fputs("</body></html>\n", page);
}
