/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * By these functions the program writes and reads files. A path never has a partial result (src/io/whole_file.h), and
 * if the program is interrupted, it removes its temporary files. Functions that return int report failures and return
 * an exit status.
 */
#ifndef SUMAC_CLI_FILES_H
#define SUMAC_CLI_FILES_H

#include "io/whole_file.h"
#include "report.h"

typedef struct result_file {
    const char *path; /* the user's path, which is not copied; null if the file is not open */
    whole_file file;
    FILE *stream;          /* null before result_file_begin() */
    char library_path[32]; /* the file's descriptor as a path, for the library's writers */
    int error_number;      /* the errno of the first write that failed, or 0 */
} result_file;

/* This value is a file that is not open. Declare files in this way, so that they are discarded at the end of the block:
 *     CLEANUP(result_file_discard) result_file file = RESULT_FILE_CLOSED; */
#define RESULT_FILE_CLOSED ((result_file){.path = NULL})

/* Open a file for writing. Call this before the work whose result will be written, so that a path that can't be written
 * is reported at once. No existing file is changed yet. If this fails, the file is closed. */
int result_file_open(result_file *file, const char *path);

/* Call this before writing the first byte; whole_file_begin() says why. It sets `stream` and `library_path`. */
int result_file_begin(result_file *file);

/* Write bytes. Callers need not check for failures: the first failure is stored, and result_file_finish() reports
 * it. */
void result_file_write(result_file *file, const void *bytes, size_t count);

/* Call this after another function has written to the stream, before errno changes. If writing failed, this stores the
 * failure. */
void result_file_note_error(result_file *file);

/* Call this after all bytes are written. It closes a pipe or a device, so that the reader can continue; a regular file
 * keeps its temporary name until result_file_commit(). After a failure the file is closed. */
int result_file_finish(result_file *file);

/* Finish the file and rename it to its path. For a closed file this does nothing. */
int result_file_commit(result_file *file);

/* Finish several outputs of one command, and then rename each. The caller must discard all of them afterwards. */
int result_files_commit(result_file *const files[], size_t count);

/* Close the file and remove what was written. For a closed file this does nothing. */
void result_file_discard(result_file *file);

/* Report a call of the library that failed. In its message `library_path` is replaced by `path`, which is the path that
 * the user knows. */
int library_failure_at(const sumac_context *context, sumac_status status, const char *library_path,
                       const char *path);

/* A call of the library wrote to file->library_path, and returned this status. If it failed, report that; otherwise
 * return STATUS_DONE. */
int result_file_check(const result_file *file, const sumac_context *context, sumac_status status);

/* Install signal handlers that remove the temporary files. Call once. */
void remove_outputs_on_signals(void);

/* Write all bytes of a result: begin, write and finish. */
int result_file_put(result_file *file, const void *bytes, size_t count);

/* Open a file for reading. If it can't be opened, report why. The caller closes the descriptor. */
int open_input(const char *path, int *descriptor);

/* Read more of a file. `bytes` has the first *size bytes already. Afterwards it has `capacity` bytes, or fewer if the
 * file ends. */
int read_input(int descriptor, const char *path, unsigned char *bytes, size_t capacity, size_t *size);

/* Refuse a file of `bytes` bytes if less memory than that is available. */
int require_memory(const char *path, uint64_t bytes);

/* Read at most limit + 1 bytes of a file; limit < SIZE_MAX. If *size becomes limit + 1, the file is longer than the
 * limit. The caller frees *data, which is about as large as the file. */
int read_beginning(const char *path, size_t limit, unsigned char **data, size_t *size);

/* Read a whole file of at most `limit` bytes. The caller frees *data, which is about as large as the file. */
int read_small_file(const char *path, size_t limit, unsigned char **data, size_t *size);

#endif
