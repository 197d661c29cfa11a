/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A plan as JSON, for `sumac plan` and the result files of `sumac bench`. */
#ifndef SUMAC_CLI_PLAN_JSON_H
#define SUMAC_CLI_PLAN_JSON_H

#include <jansson.h>

#include "sumac/sumac.h"

/* Every field of the plan under its own name; null if memory is short. */
/* One of its numbers that count something. */
uint64_t plan_integer(const sumac_plan *plan, const char *name);

json_t *plan_to_json(const sumac_plan *plan);

#endif
