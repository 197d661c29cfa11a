/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The files that the program writes, whole as src/io/whole_file.h says; an interrupted program removes its
 * temporary files.
 */
#ifndef SUMAC_CLI_FILES_H
#define SUMAC_CLI_FILES_H

#include "io/whole_file.h"
#include "report.h"

typedef struct result_file {
    const char *path; /* as the user named it, not copied; null: not open */
    whole_file file;
    FILE *stream;          /* null before result_file_begin() */
    char library_path[32]; /* the file's descriptor as a path, for the library's writers */
    int error_number;      /* of the first write that failed */
} result_file;

/* A file that is not open; it is discarded where its block ends:
 *     CLEANUP(result_file_discard) result_file file = RESULT_FILE_CLOSED; */
#define RESULT_FILE_CLOSED ((result_file){.path = NULL})

/* Open for writing, before the work whose result it will hold: reports what cannot be written, changes
 * nothing yet, and returns an exit status. `file` is closed after a failure. */
int result_file_open(result_file *file, const char *path);

/* Before the first byte: see whole_file_begin(). After it `stream` and `library_path` may be used. */
int result_file_begin(result_file *file);

/* Write bytes. A failure is kept and reported by result_file_finish(), so that callers need not look. */
void result_file_write(result_file *file, const void *bytes, size_t count);

/* After something else has written to the stream: keep the failure, if there was one, while errno tells the
 * reason. */
void result_file_note_error(result_file *file);

/* All is written. A pipe or a device is closed, so that its reader can go on; a file that is replaced waits
 * for result_file_commit(). Reports failures; the file is closed then. */
int result_file_finish(result_file *file);

/* Finish, and give the file its name; a file that is not open any more is done already. */
int result_file_commit(result_file *file);

/* Finish several outputs of one command, then give each its name. The caller discards them all. */
int result_files_commit(result_file *const files[], size_t count);

/* Close and remove; without an open file nothing happens. */
void result_file_discard(result_file *file);

/* A failed call of the library on `library_path`: library_failure() with a path that the user knows. */
int library_failure_at(const sumac_context *context, sumac_status status, const char *library_path,
                       const char *path);

/* Report a failed call of the library that wrote to file->library_path; STATUS_DONE for SUMAC_OK. */
int result_file_check(const result_file *file, const sumac_context *context, sumac_status status);

/* Have the temporary files removed when the program is interrupted. Call once. */
void remove_outputs_on_signals(void);

/* Write all bytes of a result: begin, write and finish. */
int result_file_put(result_file *file, const void *bytes, size_t count);

/* Open a file for reading; reports what cannot be read. The caller closes the descriptor. */
int open_input(const char *path, int *descriptor);

/* Read on, behind the *size bytes that have been read, up to `capacity` bytes; fewer only at the end of the file. */
int read_input(int descriptor, const char *path, unsigned char *bytes, size_t capacity, size_t *size);

/* Report it and return a status where so many bytes of a file are more than what memory is left. */
int require_memory(const char *path, uint64_t bytes);

/* Read a file into memory of about its size, but no more than limit + 1 bytes, limit < SIZE_MAX: a *size of
 * so many means that it goes on. *data is freed by the caller. */
int read_beginning(const char *path, size_t limit, unsigned char **data, size_t *size);

/* Read a whole file of at most `limit` bytes into memory of about its size; *data is freed by the caller. */
int read_small_file(const char *path, size_t limit, unsigned char **data, size_t *size);

#endif
