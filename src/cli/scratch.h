/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef SUMAC_CLI_SCRATCH_H
#define SUMAC_CLI_SCRATCH_H

#include <stdio.h>

/* A scratch file has no name, so it vanishes when the process ends, even if it crashes. */
typedef struct scratch_file {
    FILE *stream;
    char path[32]; /* the path by which the library reads from the descriptor's position on */
} scratch_file;

/* Return where scratch files are: $TMPDIR or /tmp. */
const char *scratch_directory(void);

/* Create a scratch file. */
int scratch_open(scratch_file *file);

/* Close a file, unless it is closed. */
void scratch_close(scratch_file *file);

/* Seek to the beginning of a file, and return its path. */
const char *scratch_rewound(const scratch_file *file);

#endif
