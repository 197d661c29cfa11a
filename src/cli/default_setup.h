/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The setup of commands that take --setup and are given none: Ethereum's, which is installed with the
 * program. It is looked for where the program's own file lies, as the library looks for its engines, and
 * nowhere else: beside it; and where it lies in PREFIX/bin, in PREFIX/share/sumac.
 */
#ifndef SUMAC_CLI_DEFAULT_SETUP_H
#define SUMAC_CLI_DEFAULT_SETUP_H

#include <limits.h>

#include "options.h"

/* Set given->setup, to `path`, which has to live as long, where the command takes a setup and none was named.
 * Reports that there is none and returns an exit status. */
int choose_setup(const command *used, options *given, char path[PATH_MAX]);

#endif
