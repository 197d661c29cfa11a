/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files of the programs `prover` and `verifier`. */
#ifndef SUMAC_RAPIDSNARK_PROGRAM_H
#define SUMAC_RAPIDSNARK_PROGRAM_H

#include <stddef.h>

/* All of a file, with a 0 behind it, in memory that the caller frees; null, said on stderr, on failure. */
char *read_file(const char *path, size_t *size);

/* Write a file; 0, said on stderr, on failure. */
int write_file(const char *path, const char *text);

#endif
