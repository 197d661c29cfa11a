/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Each function runs one random case. If the case has a finding, it calls test_abort(). */
#ifndef SUMAC_RANDOM_CASES_H
#define SUMAC_RANDOM_CASES_H

#include "random/world.h"

/* Make bases of any configuration, perhaps through a file, and compare MSMs with them, whole and in parts, with
 * GMP's results. */
void case_calls(world *w, draws *d);

/* Load a table whose header and points are invented or changed, mostly with right checksums. */
void case_table(world *w, draws *d);

/* Combine partial results, one of which may be changed. */
void case_partials(world *w, draws *d);

/* Plan calls of any size, and check the library's known bases and their answers. */
void case_plans(world *w, draws *d);

/* Run one of the cases above. */
void case_any(world *w, draws *d);

#endif
