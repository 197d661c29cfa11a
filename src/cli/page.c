/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "page.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Colours are variables of the style. */
typedef struct shade {
    const char *light, *dark; /* on a light and on a dark page */
} shade;

static const shade series_shades[] = {{"#0b6e4f", "#3fbf8f"}, {"#c8553d", "#f08a70"}, {"#2f6fb5", "#6aa9f0"},
                                      {"#8a4fbf", "#bd8cf0"}, {"#b8860b", "#e0b040"}, {"#5b6770", "#a5b1bb"},
                                      {"#d0488f", "#f582bd"}, {"#3a9d9d", "#62d0d0"}, {"#8c1c13", "#e0685e"},
                                      {"#7a9e3b", "#aed36a"}, {"#1d2a5b", "#8f9fe0"}, {"#e08e79", "#e8b7a8"}};

static const struct stage_shade {
    const char *stage;
    shade shade;
} stage_shades[] = {{"plan", {"#9aa3ab", "#7d868e"}},        {"recode", {"#e3b23c", "#e3b23c"}},
                    {"sort", {"#d98324", "#e0903a"}},        {"accumulate", {"#2f6fb5", "#5a9ae8"}},
                    {"reduce", {"#8a4fbf", "#b07fe6"}},      {"combine", {"#0b6e4f", "#35a87c"}},
                    {"move", {"#c9b79c", "#8c7b62"}},        {"scalars", {"#7fb7be", "#4f8f97"}},
                    {"ntt", {"#c8553d", "#f08a70"}},         {"sparse product", {"#d0488f", "#f582bd"}},
                    {"pairing", {"#7a9e3b", "#aed36a"}},     {"import", {"#5b6770", "#a5b1bb"}},
                    {"export", {"#3a4a6b", "#8f9fe0"}},      {"read bases", {"#a89f91", "#6e675c"}},
                    {"read scalars", {"#c4d6b0", "#6f8a55"}}};

enum {
    SERIES_COLOURS = sizeof series_shades / sizeof *series_shades,
    STAGE_COLOURS = sizeof stage_shades / sizeof *stage_shades
};

/* Where a chart's axes are, in units of the drawing, which are pixels on a narrow page. */
enum { CHART_WIDTH = 400, CHART_HEIGHT = 300, LEFT = 56, RIGHT = 392, TOP = 12, BOTTOM = 250 };

/* Of a label, a letter and what is free beside it. */
static const double LETTER_WIDTH = 8;
static const double LABEL_GAP = 12;

enum { BAR_LEFT = 112, BAR_RIGHT = 336, BAR_HEIGHT = 18, BAR_STEP = 24 };

const char *page_size(char text[PAGE_SIZE_BYTES], double n)
{
    const uint64_t whole = n >= 1 ? (uint64_t)n : 0;
    if (whole >= 16 && (whole & (whole - 1)) == 0) {
        snprintf(text, PAGE_SIZE_BYTES, "2^%d", __builtin_ctzll(whole));
    } else {
        snprintf(text, PAGE_SIZE_BYTES, "%llu", (unsigned long long)whole);
    }
    return text;
}

/* ---- Colours and legends ---- */

page_colour page_series_colour(size_t i)
{
    return (page_colour){"series", i % SERIES_COLOURS};
}

page_colour page_stage_colour(const char *stage, size_t otherwise)
{
    for (size_t i = 0; i < STAGE_COLOURS; i++) {
        if (strcmp(stage_shades[i].stage, stage) == 0) {
            return (page_colour){"stage", i};
        }
    }
    return page_series_colour(otherwise);
}

static bool is_dashed(size_t series)
{
    return series >= SERIES_COLOURS;
}

void page_legend_begin(FILE *page)
{
    fputs("<p class=\"names\">", page);
}

void page_legend_key(FILE *page, page_colour colour, bool dashed, const char *name)
{
    fprintf(page, "<span class=\"name\"><span class=\"key%s\" style=\"--key:var(--%s%zu)\"></span>",
            dashed ? " dashed" : "", colour.palette, colour.number);
    write_html(page, name);
    fputs("</span>\n", page);
}

void page_legend_end(FILE *page)
{
    fputs("</p>\n", page);
}

void page_series_legend(FILE *page, const char *const *names, size_t count)
{
    page_legend_begin(page);
    for (size_t i = 0; i < count; i++) {
        page_legend_key(page, page_series_colour(i), is_dashed(i), names[i]);
    }
    page_legend_end(page);
}

/* ---- Charts ---- */

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

static double shown_size(double n)
{
    return n > 0 ? n : 0.5;
}

static double shown_value(double value)
{
    return value > 1e-6 ? value : 1e-6;
}

static double size_place(const range *sizes, double n)
{
    return place(sizes, shown_size(n), LEFT + 16, RIGHT - 16);
}

static double value_place(const range *values, double value)
{
    return place(values, shown_value(value), BOTTOM, TOP);
}

/* Lines at the powers of ten, or where there are few at 1, 2 and 5 times these. */
static void write_value_axis(FILE *page, const range *values)
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
            const double y = value_place(values, value);
            fprintf(page,
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                    LEFT, RIGHT, y, y, LEFT - 6, y + 4, value);
        }
    }
}

/* From the least size on, each that has room. */
static void write_size_axis(FILE *page, const page_chart *chart, const range *sizes)
{
    double last = -1, right = 0;
    char text[PAGE_SIZE_BYTES];
    for (;;) {
        double next = INFINITY;
        for (size_t i = 0; i < chart->count; i++) {
            const double n = chart->points[i].size;
            next = n > last && n < next ? n : next;
        }
        if (next == INFINITY) {
            break;
        }
        last = next;
        const double x = size_place(sizes, next);
        const double half = (double)strlen(page_size(text, next)) * LETTER_WIDTH / 2;
        if (x - half >= right) {
            right = x + half + LABEL_GAP;
            fprintf(page, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x, BOTTOM + 20,
                    text);
        }
    }
    fprintf(page, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (LEFT + RIGHT) / 2,
            BOTTOM + 42, chart->size_title);
}

/* The series that begins with point `first`; returns where the next one begins. */
static size_t write_line(FILE *page, const page_chart *chart, size_t first, const range *sizes,
                         const range *values)
{
    const size_t series = chart->points[first].series;
    const page_colour colour = page_series_colour(series);
    char text[PAGE_SIZE_BYTES];
    size_t end = first;
    fprintf(page, "<polyline class=\"line%s\" style=\"stroke:var(--%s%zu)\" points=\"",
            is_dashed(series) ? " dashed" : "", colour.palette, colour.number);
    for (; end < chart->count && chart->points[end].series == series; end++) {
        fprintf(page, "%.1f,%.1f ", size_place(sizes, chart->points[end].size),
                value_place(values, chart->points[end].value));
    }
    fputs("\"/>\n", page);
    for (size_t i = first; i < end; i++) {
        const page_point *point = &chart->points[i];
        fprintf(page, "<circle r=\"3.5\" style=\"fill:var(--%s%zu)\" cx=\"%.1f\" cy=\"%.1f\"><title>",
                colour.palette, colour.number, size_place(sizes, point->size),
                value_place(values, point->value));
        write_html(page, chart->names[series]);
        fprintf(page, ", %s: %.3f %s</title></circle>\n", page_size(text, point->size),
                shown_value(point->value), chart->unit);
    }
    return end;
}

void page_write_chart(FILE *page, const page_chart *chart)
{
    range sizes = {INFINITY, 0}, values = {INFINITY, 0};
    for (size_t i = 0; i < chart->count; i++) {
        widen(&sizes, shown_size(chart->points[i].size));
        widen(&values, shown_value(chart->points[i].value));
    }
    if (chart->count == 0) {
        return;
    }
    if (chart->whole_decades) {
        values.low = pow(10, floor(log10(values.low)));
        values.high = pow(10, ceil(log10(values.high)));
    } else {
        values.low *= 0.9;
        values.high *= 1.1;
    }
    fprintf(page,
            "<figure><figcaption>%s</figcaption>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-label=\"%s\">\n",
            chart->title, CHART_WIDTH, CHART_HEIGHT, chart->title);
    write_value_axis(page, &values);
    write_size_axis(page, chart, &sizes);
    for (size_t i = 0; i < chart->count;) {
        i = write_line(page, chart, i, &sizes, &values);
    }
    fputs("</svg></figure>\n", page);
}

/* ---- Bars ---- */

void page_bars_begin(FILE *page, size_t count, const char *title)
{
    fputs("<figure><figcaption>", page);
    write_html(page, title);
    fprintf(page,
            "</figcaption>\n<svg viewBox=\"0 0 %d %zu\" role=\"img\" aria-label=\"milliseconds by "
            "stage\">\n",
            CHART_WIDTH, BAR_STEP * count);
}

void page_bar(FILE *page, size_t i, const char *label, const page_part *parts, size_t count, double most)
{
    const double y = (double)BAR_STEP * (double)i;
    double x = BAR_LEFT, sum = 0;
    fprintf(page, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", BAR_LEFT - 8, y + 13);
    write_html(page, label);
    fputs("</text>\n", page);
    for (size_t part = 0; part < count; part++) {
        const double width = most > 0 ? (BAR_RIGHT - BAR_LEFT) * parts[part].ms / most : 0;
        fprintf(page,
                "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" style=\"fill:var(--%s%zu)\">"
                "<title>",
                x, y, width, BAR_HEIGHT, parts[part].colour.palette, parts[part].colour.number);
        write_html(page, parts[part].name);
        fprintf(page, ": %.3f ms</title></rect>\n", parts[part].ms);
        x += width;
        sum += parts[part].ms;
    }
    fprintf(page, "<text x=\"%.1f\" y=\"%.1f\">%.*f ms</text>\n", x + 6, y + 13,
            sum < 10    ? 2
            : sum < 100 ? 1
                        : 0,
            sum);
}

void page_bars_end(FILE *page)
{
    fputs("</svg></figure>\n", page);
}

/* ---- The page ---- */

static void write_colours(FILE *page, bool dark)
{
    for (size_t i = 0; i < SERIES_COLOURS; i++) {
        fprintf(page, "--series%zu:%s;", i, dark ? series_shades[i].dark : series_shades[i].light);
    }
    for (size_t i = 0; i < STAGE_COLOURS; i++) {
        fprintf(page, "--stage%zu:%s;", i, dark ? stage_shades[i].shade.dark : stage_shades[i].shade.light);
    }
}

/* Two charts are beside each other where there is room for them. Paper is light. */
static void write_style(FILE *page)
{
    fputs("<style>\n:root{color-scheme:light dark;--page:#fff;--text:#222;--line:#ddd;--code:#f3f3f3;", page);
    write_colours(page, false);
    fputs("}\n@media screen and (prefers-color-scheme:dark){:root{--page:#16191c;--text:#e3e6e8;"
          "--line:#3a4147;--code:#24292e;",
          page);
    write_colours(page, true);
    fputs("}}\n"
          "body{font:16px/1.45 system-ui,sans-serif;max-width:1120px;margin:1.5em auto;padding:0 12px;"
          "color:var(--text);background:var(--page);overflow-wrap:anywhere}\n"
          "h1{font-size:1.5em}h2{font-size:1.25em}h3{font-size:1.05em}\n"
          ".charts{display:grid;gap:16px 32px;"
          "grid-template-columns:repeat(auto-fill,minmax(min(100%,max(340px,50% - 16px)),1fr))}\n"
          "figure{margin:0;break-inside:avoid}\n"
          "svg{width:100%;display:block;font-size:13px}\n"
          "svg text{fill:var(--text)}.grid{stroke:var(--line)}.line{fill:none;stroke-width:2}\n"
          ".line.dashed{stroke-dasharray:6 4}\n"
          ".names{display:flex;flex-wrap:wrap;gap:2px 16px}\n"
          ".key{display:inline-block;width:12px;height:12px;margin-right:5px;background:var(--key);"
          "print-color-adjust:exact}\n"
          ".key.dashed{background:repeating-linear-gradient(90deg,var(--key) 0 3px,transparent 3px 5px)}\n"
          "table{border-collapse:collapse;font-size:14px;display:block;overflow-x:auto}\n"
          "td,th{padding:3px 7px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}\n"
          "td:nth-child(2),th:nth-child(2),td.words{text-align:left}\n"
          ".lanes{display:grid;grid-template-columns:fit-content(9em) 1fr;gap:4px 10px;align-items:start;"
          "font-size:14px;line-height:18px}\n"
          ".lanes svg{background:var(--code)}.ends{display:flex;justify-content:space-between}\n"
          "code{background:var(--code);padding:1px 4px;overflow-wrap:anywhere}\n"
          "@media print{:root{color-scheme:light}body{font-size:10pt;margin:0;max-width:none}"
          "table{display:table;font-size:8pt}td,th{padding:2px 4px;white-space:normal}"
          "tr,li{break-inside:avoid}h2,h3,figcaption{break-after:avoid}"
          ".charts{grid-template-columns:1fr 1fr}}\n</style>",
          page);
}

void page_begin(FILE *page, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          page);
    write_html(page, title);
    fputs("</title>\n", page);
    write_style(page);
    fputs("</head><body>\n<h1>", page);
    write_html(page, title);
    fputs("</h1>\n", page);
}

void page_end(FILE *page)
{
    fputs("</body></html>\n", page);
}
