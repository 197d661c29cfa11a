/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What `sumac report` reads: result files of `sumac bench` and `sumac compare`, other engines' figures of the same shape, and
 * traces. All is checked when it is read, so that who shows it need not.
 */
#ifndef SUMAC_CLI_MEASURED_H
#define SUMAC_CLI_MEASURED_H

#include <jansson.h>
#include <stdint.h>

typedef struct measured_file {
    const char *path;
    json_t *root;
    json_t *events; /* a trace's; null: the file has rows */
} measured_file;

typedef struct measured {
    measured_file *files;
    size_t file_count;
    /* The measured rows of all files, peers' too. Each has "curve", "n" and "min_ms", and so that these can be told apart
     * "engine", "file" (an index), "what" is timed, and "batch" if it was given, as proofs or not. */
    json_t *rows;
} measured;

/* Read and check; reports and returns an exit status. measured_free() is due in any case. */
int measured_read(measured *all, char **paths, size_t count);
void measured_free(measured *all);

/* A row's text under a key, "plan" its name; null: it has none. */
const char *measured_text(const json_t *row, const char *key);

/* A number; -1: there is none. */
double measured_number(const json_t *object, const char *key);

#endif
