/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The stages of one call on a page: their colours, and a trace as a timeline. */
#ifndef SUMAC_CLI_TIMELINE_H
#define SUMAC_CLI_TIMELINE_H

#include "measured.h"
#include "page.h"

/* The stages that were met. More than MOST_STAGES share the last one's colour. */
enum { MOST_STAGES = 64 };

typedef struct stage_list {
    const char *names[MOST_STAGES];
    size_t count;
} stage_list;

/* A stage's place in the list, in which it is put. */
size_t stage_index(stage_list *stages, const char *name);
page_colour stage_colour(stage_list *stages, const char *name);

void write_stage_legend(FILE *page, const stage_list *stages);

/* A lane for each thread or device of a trace, and what each stage took. Reports and returns an exit status. */
int write_timeline(FILE *page, const measured_file *file);

#endif
