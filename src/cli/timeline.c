/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

/* ---- Stages ---- */

size_t stage_index(stage_list *stages, const char *name)
{
    size_t i = 0;
    while (i < stages->count && strcmp(stages->names[i], name) != 0) {
        i++;
    }
    if (i == stages->count && i < MOST_STAGES) {
        stages->names[stages->count++] = name;
    }
    return i < MOST_STAGES ? i : MOST_STAGES - 1;
}

page_colour stage_colour(stage_list *stages, const char *name)
{
    return page_stage_colour(name, stage_index(stages, name));
}

void write_stage_legend(FILE *page, const stage_list *stages)
{
    page_legend_begin(page);
    for (size_t i = 0; i < stages->count; i++) {
        page_legend_key(page, page_stage_colour(stages->names[i], i), false, stages->names[i]);
    }
    page_legend_end(page);
}

/* ---- Spans ---- */

enum {
    ROW = 16,      /* of a lane's height, in pixels */
    MOST_ROWS = 8, /* for spans within spans; those further in are drawn in the last one */
    MOST_LANES = 1024,
    MOST_NAMES = 2 * MOST_LANES, /* of threads and processes; others have numbers */
    MARKS = 5                    /* on the axis */
};

/* Of a lane, and of the narrowest span that would be seen, in units of the drawing. */
static const double lane_width = 10000;
static const double least_width = 2;

typedef struct span {
    double process, thread, start, ms; /* -1: the event names no process or thread */
    const char *name;
    size_t row;
} span;

typedef struct timeline {
    const measured_file *file;
    span *spans; /* by lane, then by start, and what holds others before these */
    size_t count;
    double start, ms;                /* of all */
    const json_t *names[MOST_NAMES]; /* events that name a thread or process */
    size_t name_count;
} timeline;

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_lane_and_start(const void *left, const void *right)
{
    const span *a = left, *b = right;
    const int orders[] = {compare(a->process, b->process), compare(a->thread, b->thread),
                          compare(a->start, b->start), compare(b->ms, a->ms)};
    int order = 0;
    for (size_t i = 0; i < sizeof orders / sizeof *orders && order == 0; i++) {
        order = orders[i];
    }
    return order;
}

static bool same_lane(const span *a, const span *b)
{
    return a->process == b->process && a->thread == b->thread;
}

static bool is_event(const json_t *event, const char *phase)
{
    return strcmp(measured_text(event, "ph"), phase) == 0;
}

static int collect_spans(timeline *of)
{
    const json_t *event;
    size_t i;
    double end = 0;
    of->spans = allocate(json_array_size(of->file->events) * sizeof *of->spans, "a trace's spans");
    if (of->spans == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    of->start = INFINITY;
    json_array_foreach(of->file->events, i, event)
    {
        if (is_event(event, "X")) {
            const span added = {measured_number(event, "pid"),       measured_number(event, "tid"),
                                measured_number(event, "ts") / 1000, measured_number(event, "dur") / 1000,
                                measured_text(event, "name"),        0};
            of->start = fmin(of->start, added.start);
            end = fmax(end, added.start + added.ms);
            of->spans[of->count++] = added;
        } else if (is_event(event, "M") && measured_text(event, "name") != NULL &&
                   of->name_count < MOST_NAMES) {
            of->names[of->name_count++] = event;
        }
    }
    of->ms = end - of->start;
    qsort(of->spans, of->count, sizeof *of->spans, by_lane_and_start);
    return STATUS_DONE;
}

/* Give the spans of a lane rows, so that none covers another one; returns how many there are. */
static size_t place_rows(span *spans, size_t count)
{
    static const double clock_step = 2e-6; /* ms: a span may begin so much before the one before it ends */
    double ends[MOST_ROWS] = {0};
    size_t open = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        while (open > 0 && ends[open - 1] <= spans[i].start + clock_step) {
            open--;
        }
        open = open < MOST_ROWS ? open + 1 : open;
        ends[open - 1] = spans[i].start + spans[i].ms;
        spans[i].row = open - 1;
        most = open > most ? open : most;
    }
    return most;
}

/* ---- Lanes ---- */

/* The name that a metadata event gives; null: none does. */
static const char *given_name(const timeline *of, const char *kind, const span *lane, bool of_thread)
{
    for (size_t i = 0; i < of->name_count; i++) {
        const json_t *event = of->names[i];
        if (strcmp(measured_text(event, "name"), kind) == 0 &&
            measured_number(event, "pid") == lane->process &&
            (!of_thread || measured_number(event, "tid") == lane->thread)) {
            return measured_text(json_object_get(event, "args"), "name");
        }
    }
    return NULL;
}

static void write_lane_name(FILE *page, const timeline *of, const span *lane)
{
    const char *thread = given_name(of, "thread_name", lane, true),
               *process = given_name(of, "process_name", lane, false);
    const bool one_process = of->spans[0].process == of->spans[of->count - 1].process;
    fputs("<div>", page);
    if (!one_process && process != NULL) {
        write_html(page, process);
        fputs(", ", page);
    } else if (!one_process) {
        fprintf(page, "process %.0f, ", lane->process);
    }
    if (thread != NULL) {
        write_html(page, thread);
    } else {
        fprintf(page, "thread %.0f", lane->thread);
    }
    fputs("</div>", page);
}

/* Returns how many spans are too short to be seen. */
static size_t write_lane(FILE *page, const timeline *of, span *spans, size_t count, stage_list *stages)
{
    const size_t rows = place_rows(spans, count);
    size_t hidden = 0;
    write_lane_name(page, of, spans);
    fprintf(page,
            "<svg viewBox=\"0 0 %.0f %zu\" preserveAspectRatio=\"none\" style=\"height:%zupx\" role=\"img\" "
            "aria-label=\"timeline\">\n",
            lane_width, ROW * rows, ROW * rows);
    for (size_t i = 0; i < count; i++) {
        const double width = of->ms > 0 ? lane_width * spans[i].ms / of->ms : 0;
        const page_colour colour = stage_colour(stages, spans[i].name);
        if (width < least_width) {
            hidden++;
            continue;
        }
        fprintf(page,
                "<rect x=\"%.1f\" y=\"%zu\" width=\"%.1f\" height=\"%d\" style=\"fill:var(--%s%zu)\"><title>",
                lane_width * (spans[i].start - of->start) / of->ms, ROW * spans[i].row, width, ROW - 1,
                colour.palette, colour.number);
        write_html(page, spans[i].name);
        fprintf(page, ": %.3f ms, at %.3f ms</title></rect>\n", spans[i].ms, spans[i].start - of->start);
    }
    fputs("</svg>\n", page);
    return hidden;
}

static int write_lanes(FILE *page, const timeline *of, stage_list *stages)
{
    size_t hidden = 0, lanes = 0;
    fputs("<div class=\"lanes\">\n", page);
    for (size_t i = 0, end; i < of->count; i = end) {
        if (lanes++ == MOST_LANES) {
            return bad_input("%s: a trace of more than %d threads", of->file->path, (int)MOST_LANES);
        }
        for (end = i; end < of->count && same_lane(&of->spans[i], &of->spans[end]); end++) {
        }
        hidden += write_lane(page, of, &of->spans[i], end - i, stages);
    }
    fputs("<div></div><div class=\"ends\">", page);
    for (int i = 0; i < MARKS; i++) {
        fprintf(page, "<span>%.3g%s</span>", of->ms * i / (MARKS - 1), i == MARKS - 1 ? " ms" : "");
    }
    fputs("</div>\n</div>\n", page);
    if (hidden > 0) {
        fprintf(page, "<p>Spans that are too short to be drawn: %zu.</p>\n", hidden);
    }
    return STATUS_DONE;
}

/* ---- Sums ---- */

static void write_sums(FILE *page, const timeline *of, stage_list *stages)
{
    struct {
        size_t count;
        double sum, longest;
    } sums[MOST_STAGES] = {{0, 0, 0}};
    for (size_t i = 0; i < of->count; i++) {
        const size_t stage = stage_index(stages, of->spans[i].name);
        sums[stage].count++;
        sums[stage].sum += of->spans[i].ms;
        sums[stage].longest = fmax(sums[stage].longest, of->spans[i].ms);
    }
    fputs("<table><tr><th>spans<th>stage<th>ms, all threads<th>longest ms</tr>\n", page);
    for (size_t i = 0; i < stages->count; i++) {
        fprintf(page, "<tr><td>%zu<td>", sums[i].count);
        write_html(page, stages->names[i]);
        fprintf(page, "<td>%.3f<td>%.3f</tr>\n", sums[i].sum, sums[i].longest);
    }
    fputs("</table>\n", page);
}

int write_timeline(FILE *page, const measured_file *file)
{
    timeline of = {.file = file};
    stage_list stages = {.count = 0};
    int status = collect_spans(&of);
    if (status == STATUS_DONE) {
        fputs("<h2>Timeline: ", page);
        write_html(page, file->path);
        fputs("</h2>\n", page);
        status = write_lanes(page, &of, &stages);
    }
    if (status == STATUS_DONE) {
        write_stage_legend(page, &stages);
        write_sums(page, &of, &stages);
    }
    free(of.spans);
    return status;
}
