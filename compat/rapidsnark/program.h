/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The programs `prover` and `verifier` read and write files with these functions, which report failures on stderr. */
#ifndef SUMAC_RAPIDSNARK_PROGRAM_H
#define SUMAC_RAPIDSNARK_PROGRAM_H

#include <stddef.h>

/* Read a whole file into memory, and append a zero byte. The caller frees the memory. Return null on failure. */
char *read_file(const char *path, size_t *size);

/* Write a file. Return 0 on failure. */
int write_file(const char *path, const char *text);

#endif
