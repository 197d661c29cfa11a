/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A plan of a result file in sentences, for the page of `sumac report`. */
#ifndef SUMAC_CLI_PLAN_WORDS_H
#define SUMAC_CLI_PLAN_WORDS_H

#include <jansson.h>
#include <stdio.h>

/* What the plan, an object of plan_json.h's, does not say is passed over. */
void write_plan_words(FILE *page, const json_t *plan);

#endif
