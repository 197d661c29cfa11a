/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* `sumac info FILE`: what a file is. */
#ifndef SUMAC_CLI_FILE_INFO_H
#define SUMAC_CLI_FILE_INFO_H

#include "session.h"

/* Print what the one operand is, as words or JSON; a file that is none of the kinds is bad input. */
int print_file_info(const session *opened, const options *given);

#endif
