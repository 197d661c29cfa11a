/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What `kzg commit` prints. */
#ifndef SUMAC_CLI_KZG_OUTPUT_H
#define SUMAC_CLI_KZG_OUTPUT_H

#include "options.h"

/* A commitment a line, or with --json a list of them. */
int print_commitments(const options *given, const unsigned char *commitments, size_t count);

#endif
