/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reading and writing files in the programs `prover` and `verifier`. Failures are reported on stderr. */
#ifndef SUMAC_RAPIDSNARK_PROGRAM_H
#define SUMAC_RAPIDSNARK_PROGRAM_H

#include <stddef.h>

/* Read a whole file into memory that the caller frees, with a zero byte after it. Return null on failure. */
char *read_file(const char *path, size_t *size);

/* Write a file. Return 0 on failure. */
int write_file(const char *path, const char *text);

#endif
