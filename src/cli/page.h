/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Parts of a page of HTML that needs nothing else: charts are SVG, and nothing in it runs. Names and titles are plain texts,
 * which may hold anything; write_html() of text.h is for others. */
#ifndef SUMAC_CLI_PAGE_H
#define SUMAC_CLI_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "text.h"

/* Everything up to the heading, which is the title; and the end. */
void page_begin(FILE *page, const char *title);
void page_end(FILE *page);

/* 2^16, or 1000, into `text`, which is returned. */
enum { PAGE_SIZE_BYTES = 24 };
const char *page_size(char text[PAGE_SIZE_BYTES], double n);

/* ---- Colours and legends ---- */

/* A colour of the style, which has one for light and one for dark pages. */
typedef struct page_colour {
    const char *palette;
    size_t number;
} page_colour;

/* Of the i-th series: round and round, with dashed lines from the second round on. */
page_colour page_series_colour(size_t i);

/* A stage's own; of a stage without one, that of series `otherwise`. */
page_colour page_stage_colour(const char *stage, size_t otherwise);

/* What lies between these. */
void page_legend_begin(FILE *page);
void page_legend_key(FILE *page, page_colour colour, bool dashed, const char *name);
void page_legend_end(FILE *page);

/* The legend of all series. */
void page_series_legend(FILE *page, const char *const *names, size_t count);

/* ---- Charts, in <div class="charts"> ---- */

/* Sizes of 0 are shown a little below 1. */
typedef struct page_point {
    size_t series;
    double size, value;
} page_point;

typedef struct page_chart {
    const char *title, *size_title, *unit;
    const char *const *names; /* of the series */
    const page_point *points; /* by series, then by size */
    size_t count;
    bool whole_decades; /* the axis of values begins and ends with a power of ten */
} page_chart;

/* Values against sizes, both axes logarithmic; nothing where there are no points. */
void page_write_chart(FILE *page, const page_chart *chart);

/* A part of a bar. */
typedef struct page_part {
    const char *name;
    page_colour colour;
    double ms;
} page_part;

/* Bars of times under each other, `count` of them between begin and end, from i = 0. A bar is as long as its sum is of
 * `most`. */
void page_bars_begin(FILE *page, size_t count, const char *title);
void page_bar(FILE *page, size_t i, const char *label, const page_part *parts, size_t count, double most);
void page_bars_end(FILE *page);

#endif
