/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One random case each; what is found ends in test_abort(). */
#ifndef SUMAC_RANDOM_CASES_H
#define SUMAC_RANDOM_CASES_H

#include "random/world.h"

/* Bases by any configuration, perhaps through a file, and MSMs with them, whole and in parts, against what
 * GMP says. */
void case_calls(world *w, draws *d);

/* A table whose header and points are made up, or changed, and whose checksums are right. */
void case_table(world *w, draws *d);

/* Partial results, changed and with right checksums. */
void case_partials(world *w, draws *d);

/* Plans of any size, known bases and their answers. */
void case_plans(world *w, draws *d);

/* One of these. */
void case_any(world *w, draws *d);

#endif
