/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The files that a command line names, together. */
#ifndef SUMAC_CLI_PATHS_H
#define SUMAC_CLI_PATHS_H

#include "options.h"

/*
 * Before anything is read: "-" becomes /dev/stdin or /dev/stdout; a file that would be written twice, or read
 * and written, and a pipe that would be read twice, are refused; words are sent to standard error if data
 * goes to standard output. Reports and returns an exit status.
 */
int check_paths(const command *used, options *parsed);

#endif
