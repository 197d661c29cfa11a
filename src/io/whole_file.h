/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Writing files so that a path never holds a part of one. The library's writers and the program share this; it knows
 * nothing of either. Failures are errno values.
 *
 * A regular file is replaced: the bytes go to a temporary file in the same directory, which is brought to disk and
 * then renamed. A file that cannot be replaced as it is (another owner's, or in a directory that may not be written)
 * is written in place, from its first byte on, and cut off at the end, as cp would. Everything else (pipes, devices,
 * open descriptors) is written through: nothing but a regular file is ever replaced or removed.
 */
#ifndef SUMAC_IO_WHOLE_FILE_H
#define SUMAC_IO_WHOLE_FILE_H

#include <stdatomic.h>

#include "io/path.h"

/* The name of a temporary file. A signal handler may read it at any time, so with such a handler it lies in memory
 * that is never freed. */
typedef struct temporary_name {
    atomic_int present; /* set before the file exists and cleared after it is gone */
    int directory;
    char text[48];
} temporary_name;

/* Remove the file, if it exists. May be called in a signal handler. */
void temporary_name_remove(const temporary_name *name);

typedef enum whole_file_kind {
    WHOLE_FILE_CLOSED,
    WHOLE_FILE_WAITING, /* a named pipe before whole_file_begin() */
    WHOLE_FILE_THROUGH,
    WHOLE_FILE_IN_PLACE,
    WHOLE_FILE_REPLACED
} whole_file_kind;

typedef struct whole_file {
    whole_file_kind kind;
    int descriptor;
    int directory; /* of a target that is replaced */
    char target[PATH_BYTES];
    temporary_name *name; /* the caller's */
} whole_file;

/* Prepare writing: everything that can be refused is refused now, and no file that exists is changed. After a failure
 * the file is closed. */
int whole_file_open(whole_file *file, const char *path, temporary_name *name);

/* Call it before the first byte is written to file->descriptor. It waits for the reader of a named pipe, which
 * whole_file_open() does not: two programs may name the same pipes in another order. */
int whole_file_begin(whole_file *file);

/* Complete the file: bring it to disk, give it its name, close it. After a failure everything is as after
 * whole_file_discard(). */
int whole_file_commit(whole_file *file);

/* Close the file, and remove what was written; a closed file stays closed. */
void whole_file_discard(whole_file *file);

#endif
