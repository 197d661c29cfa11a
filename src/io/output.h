/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions write files as whole_file.h describes. Every failure becomes one message that names the file. */
#ifndef SUMAC_IO_OUTPUT_H
#define SUMAC_IO_OUTPUT_H

#include "io/whole_file.h"
#include "sumac/sumac.h"

typedef struct output_file {
    sumac_context *context;
    const char *path; /* the caller's path */
    whole_file file;
    temporary_name name;
    uint64_t offset;
} output_file;

/* This value is a file that is not open, which output_discard() accepts. */
#define OUTPUT_CLOSED ((output_file){.file = {.kind = WHOLE_FILE_CLOSED}})

/* Open a file for writing. The caller must call output_discard(), also after a failure. */
sumac_status output_open(output_file *file, sumac_context *context, const char *path);

sumac_status output_write(output_file *file, const void *bytes, size_t count);

/* Complete and close the file. */
sumac_status output_commit(output_file *file);

/* Remove what was written. If a file existed before, it stays unchanged. After output_commit() this does nothing. */
void output_discard(output_file *file);

#endif
