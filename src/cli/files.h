/*
 * Files of the program's own. Output goes to a temporary name beside the final one and is renamed when it is
 * complete, so that a path never holds half a file; an interrupted program removes its temporary files.
 */
#ifndef SUMAC_CLI_FILES_H
#define SUMAC_CLI_FILES_H

#include <stdio.h>

#include "report.h"

typedef struct result_file {
    FILE *stream;     /* null: not open */
    char *path;       /* as the user named it, for messages */
    char *target;     /* where it will lie: `path` with symbolic links followed */
    char *temporary;  /* null when target is a device or pipe, which is written in place */
    int error_number; /* of the first write that failed */
} result_file;

/* Open for writing; reports and returns an exit status. `file` is closed after a failure. */
int result_file_open(result_file *file, const char *path);

/* Write bytes. A failure is kept and reported by result_file_commit(), so that callers need not look. */
void result_file_write(result_file *file, const void *bytes, size_t count);

/* After something else has written to the stream: keep the failure, if there was one, while errno tells the
 * reason. */
void result_file_note_error(result_file *file);

/* Write it all, close, rename. The file is closed in any case, and removed after a failure. */
int result_file_commit(result_file *file);

/* Close and remove; without an open file nothing happens. */
void result_file_discard(result_file *file);

/* Have the temporary files removed when the program is interrupted. Call once. */
void remove_outputs_on_signals(void);

/* Read a whole file of at most `limit` bytes; *data is freed by the caller; it has `limit` bytes, zeros after
 * the file's last. */
int read_small_file(const char *path, size_t limit, unsigned char **data, size_t *size);

#endif
