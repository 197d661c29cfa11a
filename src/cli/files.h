/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The files that the program writes and reads. A path never holds a partial result (src/io/whole_file.h), and an
 * interrupted program removes its temporary files. Functions that return int report failures and return an exit status.
 */
#ifndef SUMAC_CLI_FILES_H
#define SUMAC_CLI_FILES_H

#include "io/whole_file.h"
#include "report.h"

typedef struct result_file {
    const char *path; /* the user's path, not copied; null if the file is not open */
    whole_file file;
    FILE *stream;          /* null before result_file_begin() */
    char library_path[32]; /* the file's descriptor as a path, for the library's writers */
    int error_number;      /* errno of the first failed write, or 0 */
} result_file;

/* A file that is not open. Declare files so that they are discarded at the end of the block:
 *     CLEANUP(result_file_discard) result_file file = RESULT_FILE_CLOSED; */
#define RESULT_FILE_CLOSED ((result_file){.path = NULL})

/* Open a file for writing. Call this before the work whose result the file will hold, so that a path that cannot be
 * written is reported at once. No existing file is changed yet. After a failure the file is closed. */
int result_file_open(result_file *file, const char *path);

/* Call this before writing the first byte; whole_file_begin() says why. It sets `stream` and `library_path`. */
int result_file_begin(result_file *file);

/* Write bytes. Callers need not check for failures: the first one is kept, and result_file_finish() reports it. */
void result_file_write(result_file *file, const void *bytes, size_t count);

/* Call this after another function has written to the stream, before errno changes. It keeps a failure, if there was
 * one. */
void result_file_note_error(result_file *file);

/* Call this after all bytes are written. It closes a pipe or a device, so that the reader can continue; a regular file
 * keeps its temporary name until result_file_commit(). After a failure the file is closed. */
int result_file_finish(result_file *file);

/* Finish the file and rename it to its path. For a closed file this does nothing. */
int result_file_commit(result_file *file);

/* Finish several outputs of one command, then rename each. The caller discards all of them. */
int result_files_commit(result_file *const files[], size_t count);

/* Close the file and remove what was written. For a closed file this does nothing. */
void result_file_discard(result_file *file);

/* Report a failed call of the library. In its message, `library_path` is replaced by `path`, which the user knows. */
int library_failure_at(const sumac_context *context, sumac_status status, const char *library_path,
                       const char *path);

/* Report a failed call of the library that wrote to file->library_path. Return STATUS_DONE for SUMAC_OK. */
int result_file_check(const result_file *file, const sumac_context *context, sumac_status status);

/* Install signal handlers that remove the temporary files. Call once. */
void remove_outputs_on_signals(void);

/* Write all bytes of a result: begin, write and finish. */
int result_file_put(result_file *file, const void *bytes, size_t count);

/* Open a file for reading, or report why it cannot be read. The caller closes the descriptor. */
int open_input(const char *path, int *descriptor);

/* Read more of a file. `bytes` already holds the first *size bytes; afterwards it holds `capacity` bytes, or fewer if
 * the file ends. */
int read_input(int descriptor, const char *path, unsigned char *bytes, size_t capacity, size_t *size);

/* Refuse a file of `bytes` bytes if less memory than that is available. */
int require_memory(const char *path, uint64_t bytes);

/* Read a file, but at most limit + 1 bytes of it, with limit < SIZE_MAX. If *size is limit + 1, the file is longer than
 * the limit. The caller frees *data, which is about as large as the file. */
int read_beginning(const char *path, size_t limit, unsigned char **data, size_t *size);

/* Read a whole file of at most `limit` bytes. The caller frees *data, which is about as large as the file. */
int read_small_file(const char *path, size_t limit, unsigned char **data, size_t *size);

#endif
