/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This is the command `sumac info FILE`, which describes a file. */
#ifndef SUMAC_CLI_FILE_INFO_H
#define SUMAC_CLI_FILE_INFO_H

#include "session.h"

/* Describe the file that the only operand names, as words or JSON. If the file is of no known kind, it is bad input. */
int print_file_info(const session *opened, const options *given);

#endif
