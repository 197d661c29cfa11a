/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Each function runs one random case; a finding ends in test_abort(). */
#ifndef SUMAC_RANDOM_CASES_H
#define SUMAC_RANDOM_CASES_H

#include "random/world.h"

/* Make bases of any configuration, perhaps through a file, and compare MSMs with them, whole and in parts, with
 * GMP's results. */
void case_calls(world *w, draws *d);

/* A table whose header and points are made up, or changed, and whose checksums are right. */
void case_table(world *w, draws *d);

/* Partial results, changed and with right checksums. */
void case_partials(world *w, draws *d);

/* Plans of any size, known bases and their answers. */
void case_plans(world *w, draws *d);

/* Run one of the cases above. */
void case_any(world *w, draws *d);

#endif
