/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700 /* open_memstream() */

#include "report_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "plan_words.h"
#include "report.h"
#include "timeline.h"

/* ---- Chapters: what is timed, on one curve and group ---- */

static const char *const chapter_keys[] = {"what", "curve", "group"};

/* What tells the series of a chapter apart, and the words that name it. The last ones are named only where the first ones do
 * not tell all series apart. */
static const struct series_key {
    const char *key, *words;
} series_keys[] = {{"engine", ""},
                   {"backend", ""},
                   {"variant", ""},
                   {"threads", "threads: "},
                   {"precompute", "multiples: "},
                   {"batch", "batch: "},
                   {"kind", ""},
                   {"memory", ""},
                   {"plan", "plan "},
                   {"file", ""}};

enum {
    CHAPTER_KEYS = sizeof chapter_keys / sizeof *chapter_keys,
    SERIES_KEYS = sizeof series_keys / sizeof *series_keys
};

typedef struct chapter_row {
    const json_t *row;
    size_t series;
} chapter_row;

typedef struct chapter {
    const measured *all;
    chapter_row *rows; /* by series, then by size */
    size_t row_count;
    const json_t **firsts; /* a row of each series */
    const char **names;    /* of the series */
    size_t series_count;
    page_point *points; /* room for all rows */
} chapter;

static bool same_value(const json_t *a, const json_t *b, const char *key)
{
    const char *text = measured_text(a, key), *other = measured_text(b, key);
    return text != NULL && other != NULL
               ? strcmp(text, other) == 0
               : text == other && measured_number(a, key) == measured_number(b, key);
}

static bool same_chapter(const json_t *a, const json_t *b)
{
    bool same = true;
    for (size_t i = 0; i < CHAPTER_KEYS; i++) {
        same = same && same_value(a, b, chapter_keys[i]);
    }
    return same;
}

/* How many of the first keys say the same of both. */
static size_t same_keys(const json_t *a, const json_t *b)
{
    size_t count = 0;
    while (count < SERIES_KEYS && same_value(a, b, series_keys[count].key)) {
        count++;
    }
    return count;
}

static int by_series_and_size(const void *left, const void *right)
{
    const chapter_row *a = left, *b = right;
    const double n = measured_number(a->row, "n"), other = measured_number(b->row, "n");
    return a->series != b->series ? (a->series > b->series) - (a->series < b->series)
                                  : (n > other) - (n < other);
}

/* The rows like `first`, with the series that each belongs to. */
static void collect_rows(chapter *of, const json_t *first)
{
    const json_t *row;
    size_t i;
    of->row_count = of->series_count = 0;
    json_array_foreach(of->all->rows, i, row)
    {
        size_t series = 0;
        if (!same_chapter(first, row)) {
            continue;
        }
        while (series < of->series_count && same_keys(of->firsts[series], row) < SERIES_KEYS) {
            series++;
        }
        if (series == of->series_count) {
            of->firsts[of->series_count++] = row;
        }
        of->rows[of->row_count++] = (chapter_row){row, series};
    }
    qsort(of->rows, of->row_count, sizeof *of->rows, by_series_and_size);
}

static void write_value(FILE *stream, const chapter *of, const json_t *row, const struct series_key *key,
                        const char *before)
{
    const char *text = measured_text(row, key->key);
    const double number = measured_number(row, key->key);
    if (strcmp(key->key, "file") == 0) {
        text = of->all->files[(size_t)number].path;
    }
    if (text != NULL) {
        fprintf(stream, "%s%s%s", before, key->words, text);
    } else if (number >= 0) {
        fprintf(stream, "%s%s%.0f", before, key->words, number);
    }
}

static char *name_series(const chapter *of, const json_t *first, const bool *told)
{
    char *name = NULL;
    size_t size;
    FILE *stream = open_memstream(&name, &size);
    if (stream == NULL) {
        return NULL;
    }
    for (size_t key = 0; key < SERIES_KEYS; key++) {
        if (told[key]) {
            write_value(stream, of, first, &series_keys[key], ftell(stream) > 0 ? ", " : "");
        }
    }
    if (ftell(stream) == 0) {
        fputs(measured_text(first, "engine"), stream);
    }
    if (fclose(stream) != 0) {
        free(name);
        return NULL;
    }
    return name;
}

/* A series' name has the first value in which it differs from each other one. */
static int name_all_series(chapter *of)
{
    bool told[SERIES_KEYS] = {false};
    for (size_t a = 0; a < of->series_count; a++) {
        for (size_t b = 0; b < a; b++) {
            told[same_keys(of->firsts[a], of->firsts[b])] = true;
        }
    }
    for (size_t i = 0; i < of->series_count; i++) {
        of->names[i] = name_series(of, of->firsts[i], told);
        if (of->names[i] == NULL) {
            of->series_count = i;
            return machine_fault("out of memory: the series' names could not be made");
        }
    }
    return STATUS_DONE;
}

/* ---- Charts ---- */

static double mebibytes(double bytes)
{
    return bytes < 0 ? -1 : bytes / 1048576;
}

static double plan_total(const json_t *row)
{
    return measured_number(json_object_get(json_object_get(row, "plan"), "bytes"), "total");
}

static double least_ms(const json_t *row)
{
    return measured_number(row, "min_ms");
}

static double plan_mebibytes(const json_t *row)
{
    return mebibytes(plan_total(row));
}

static double key_mebibytes(const json_t *row)
{
    return mebibytes(measured_number(row, "key_bytes"));
}

static double peak_mebibytes(const json_t *row)
{
    return mebibytes(measured_number(row, "peak_rss_bytes"));
}

/* What there is a chart of; -1: a row does not say. */
static const struct measure {
    const char *title, *unit;
    double (*of)(const json_t *row);
} measures[] = {{"Milliseconds of a call, the least of the runs", "ms", least_ms},
                {"MiB of memory, by the plan", "MiB", plan_mebibytes},
                {"MiB of the key", "MiB", key_mebibytes},
                {"MiB of resident memory at the peak", "MiB", peak_mebibytes}};

static void write_charts(FILE *page, const chapter *of)
{
    page_series_legend(page, of->names, of->series_count);
    fputs("<div class=\"charts\">\n", page);
    for (size_t m = 0; m < sizeof measures / sizeof *measures; m++) {
        page_chart chart = {measures[m].title, "n", measures[m].unit, of->names, of->points, 0, true};
        for (size_t i = 0; i < of->row_count; i++) {
            const json_t *row = of->rows[i].row;
            const double value = measures[m].of(row);
            if (value >= 0) {
                of->points[chart.count++] =
                    (page_point){of->rows[i].series, measured_number(row, "n"), value};
            }
        }
        page_write_chart(page, &chart);
    }
    fputs("</div>\n", page);
}

/* ---- Stages ---- */

static const json_t *stages_of(const json_t *row)
{
    return json_object_get(row, "stages_ms");
}

static void write_stage_bar(FILE *page, const json_t *row, size_t i, stage_list *stages)
{
    page_part parts[MOST_STAGES];
    size_t count = 0;
    char n[PAGE_SIZE_BYTES];
    double sum = 0;
    void *at = json_object_iter((json_t *)stages_of(row));
    for (; at != NULL && count < MOST_STAGES; at = json_object_iter_next((json_t *)stages_of(row), at)) {
        const char *name = json_object_iter_key(at);
        parts[count] =
            (page_part){name, stage_colour(stages, name), json_number_value(json_object_iter_value(at))};
        sum += parts[count++].ms;
    }
    page_bar(page, i, page_size(n, measured_number(row, "n")), parts, count, sum);
}

/* Each series' rows, which are of very different sizes: so all bars are of one length. */
static void write_stages(FILE *page, const chapter *of)
{
    stage_list stages = {.count = 0};
    bool any = false;
    for (size_t i = 0, end; i < of->row_count; i = end) {
        size_t bars = 0;
        for (end = i; end < of->row_count && of->rows[end].series == of->rows[i].series; end++) {
            bars += stages_of(of->rows[end].row) != NULL;
        }
        if (bars == 0) {
            continue;
        }
        fputs(any ? ""
                  : "<h3>Stages</h3>\n<p>Parts of the time of one more call, with a trace. A stage takes as "
                    "long "
                    "as the thread that is in it the longest.</p>\n<div class=\"charts\">\n",
              page);
        any = true;
        page_bars_begin(page, bars, of->names[of->rows[i].series]);
        bars = 0;
        for (size_t row = i; row < end; row++) {
            if (stages_of(of->rows[row].row) != NULL) {
                write_stage_bar(page, of->rows[row].row, bars++, &stages);
            }
        }
        page_bars_end(page);
    }
    if (any) {
        fputs("</div>\n", page);
        write_stage_legend(page, &stages);
    }
}

/* ---- Plans in words ---- */

static void write_plans(FILE *page, const chapter *of)
{
    bool any = false;
    char n[PAGE_SIZE_BYTES];
    for (size_t i = 0; i < of->row_count; i++) {
        const json_t *row = of->rows[i].row, *plan = json_object_get(row, "plan");
        if (!json_is_object(plan)) {
            continue;
        }
        fprintf(page, "%s<li><b>", any ? "" : "<h3>Plans in words</h3>\n<ul>\n");
        write_html(page, of->names[of->rows[i].series]);
        fprintf(page, ", %s.</b> Plan ", page_size(n, measured_number(row, "n")));
        any = true;
        write_html(page, measured_text(row, "plan"));
        fputs(". ", page);
        write_plan_words(page, plan);
        fputs("</li>\n", page);
    }
    fputs(any ? "</ul>\n" : "", page);
}

/* ---- Tables ---- */

static double plan_window(const json_t *row)
{
    return measured_number(json_object_get(row, "plan"), "c");
}

static double plan_windows(const json_t *row)
{
    return measured_number(json_object_get(row, "plan"), "windows");
}

static double median_ms(const json_t *row)
{
    return measured_number(row, "median_ms");
}

static double user_ms(const json_t *row)
{
    const double seconds = measured_number(row, "user_seconds");
    return seconds < 0 ? -1 : 1000 * seconds;
}

/* -1: a row does not say. A column of which no row says anything is left out. */
static const struct column {
    const char *title;
    double (*of)(const json_t *row);
    int digits;
} columns[] = {{"c", plan_window, 0},         {"windows", plan_windows, 0},   {"min ms", least_ms, 3},
               {"median ms", median_ms, 3},   {"user ms", user_ms, 3},        {"plan MiB", plan_mebibytes, 1},
               {"key MiB", key_mebibytes, 1}, {"peak MiB", peak_mebibytes, 1}};

enum { COLUMNS = sizeof columns / sizeof *columns };

static void write_table_row(FILE *page, const chapter *of, const chapter_row *shown, const bool *is_shown)
{
    char n[PAGE_SIZE_BYTES];
    const json_t *verified = json_object_get(shown->row, "verified");
    fprintf(page, "<tr><td>%s<td>", page_size(n, measured_number(shown->row, "n")));
    write_html(page, of->names[shown->series]);
    for (size_t i = 0; i < COLUMNS; i++) {
        const double value = columns[i].of(shown->row);
        if (is_shown[i]) {
            fputs("<td>", page);
        }
        if (value >= 0) {
            fprintf(page, "%.*f", columns[i].digits, value);
        }
    }
    fprintf(page, "<td>%s</tr>\n",
            json_is_true(verified)    ? "yes"
            : json_is_false(verified) ? "<b>NO: WRONG RESULT</b>"
                                      : "");
}

static void write_table(FILE *page, const chapter *of)
{
    bool is_shown[COLUMNS] = {false};
    for (size_t i = 0; i < of->row_count * COLUMNS; i++) {
        is_shown[i % COLUMNS] |= columns[i % COLUMNS].of(of->rows[i / COLUMNS].row) >= 0;
    }
    fputs("<h3>Figures</h3>\n<table><tr><th>n<th>series", page);
    for (size_t i = 0; i < COLUMNS; i++) {
        if (is_shown[i]) {
            fprintf(page, "<th>%s", columns[i].title);
        }
    }
    fputs("<th>verified</tr>\n", page);
    for (size_t i = 0; i < of->row_count; i++) {
        write_table_row(page, of, &of->rows[i], is_shown);
    }
    fputs("</table>\n", page);
}

static void write_chapter_title(FILE *page, const json_t *row)
{
    fputs("<h2>", page);
    for (size_t i = 0; i < CHAPTER_KEYS; i++) {
        const char *text = measured_text(row, chapter_keys[i]);
        if (text != NULL) {
            fputs(i == 0 ? "" : i == 1 ? ", " : " ", page);
            write_html(page, text);
        }
    }
    fputs("</h2>\n", page);
}

static int write_chapter(FILE *page, chapter *of, const json_t *first)
{
    collect_rows(of, first);
    const int status = name_all_series(of);
    if (status == STATUS_DONE) {
        write_chapter_title(page, first);
        write_charts(page, of);
        write_stages(page, of);
        write_table(page, of);
        write_plans(page, of);
    }
    for (size_t i = 0; i < of->series_count; i++) {
        free((char *)of->names[i]);
    }
    return status;
}

/* A chapter begins with each row that is like none before it. */
static int write_chapters(FILE *page, chapter *of)
{
    int status = STATUS_DONE;
    for (size_t i = 0; i < json_array_size(of->all->rows) && status == STATUS_DONE; i++) {
        const json_t *row = json_array_get(of->all->rows, i);
        size_t before = 0;
        while (before < i && !same_chapter(json_array_get(of->all->rows, before), row)) {
            before++;
        }
        status = before == i ? write_chapter(page, of, row) : STATUS_DONE;
    }
    return status;
}

static int write_all_chapters(FILE *page, const measured *all)
{
    const size_t room = json_array_size(all->rows);
    chapter of = {.all = all,
                  .rows = allocate(room * sizeof *of.rows, "the page's rows"),
                  .firsts = allocate(room * sizeof *of.firsts, "the page's series"),
                  .names = allocate(room * sizeof *of.names, "the series' names"),
                  .points = allocate(room * sizeof *of.points, "the charts' points")};
    const bool ready = of.rows != NULL && of.firsts != NULL && of.names != NULL && of.points != NULL;
    const int status = ready ? write_chapters(page, &of) : STATUS_MACHINE_FAULT;
    free(of.rows);
    free(of.firsts);
    free(of.names);
    free(of.points);
    return status;
}

/* ---- Sources ---- */

static void write_field(FILE *page, const json_t *root, const char *key, const char *before,
                        const char *after)
{
    const char *text = json_string_value(json_object_get(root, key));
    if (text != NULL && text[0] != '\0') {
        fputs(before, page);
        write_html(page, text);
        fputs(after, page);
    }
}

static void write_machine(FILE *page, const json_t *root)
{
    const json_t *machine = json_object_get(root, "machine");
    const double cores = measured_number(machine, "cores");
    write_field(page, root, "machine", "<br>", "");
    write_field(page, machine, "cpu", "<br>", "");
    if (cores >= 0) {
        fprintf(page, ", cores: %.0f", cores);
    }
    write_field(page, machine, "gpu", "<br>", "");
}

/* Rows that a comparison could not have. */
static void write_refusals(FILE *page, const json_t *root)
{
    const json_t *row;
    size_t i;
    char n[PAGE_SIZE_BYTES];
    json_array_foreach(json_object_get(root, "rows"), i, row)
    {
        if (json_object_get(row, "refused") != NULL) {
            fprintf(page, "<br>Not measured: %s, ", page_size(n, measured_number(row, "n")));
            write_html(page, measured_text(row, "plan_name"));
            write_field(page, row, "kind", ", ", "");
            write_field(page, row, "refused", ": ", "");
        }
    }
}

static void write_source(FILE *page, const measured_file *file)
{
    const json_t *root = file->root;
    const bool named = json_object_get(root, "engine") != NULL;
    fputs("<p><b>", page);
    write_html(page, file->path);
    fputs(file->events != NULL ? "</b>: a trace" : named ? "</b>: " : "</b>: sumac", page);
    write_field(page, root, "engine", "", "");
    write_field(page, root, "sumac", " ", "");
    write_field(page, root, "commit", ", commit ", "");
    write_field(page, root, "date", ", ", "");
    write_machine(page, root);
    write_field(page, root, "command", "<br><code>", "</code>");
    write_field(page, root, "comment", "<br>", "");
    write_field(page, root, "note", "<br>", "");
    write_refusals(page, root);
    fputs("</p>\n", page);
}

int write_report_page(FILE *page, const measured *all)
{
    page_begin(page, "Measurements");
    for (size_t i = 0; i < all->file_count; i++) {
        write_source(page, &all->files[i]);
    }
    int status = write_all_chapters(page, all);
    for (size_t i = 0; i < all->file_count && status == STATUS_DONE; i++) {
        if (all->files[i].events != NULL) {
            status = write_timeline(page, &all->files[i]);
        }
    }
    page_end(page);
    return status;
}
