/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions write files so that a path never has a partial file. The library's writers and the program share this
 * code, which depends on neither of them. Failures are reported as errno values.
 *
 * A regular file is replaced: the bytes go to a temporary file in the same directory, which is synced and then renamed.
 * If a file can't be replaced without a change of its owner or permissions (another user owns it, or its directory is
 * not writable), it is written in place from its first byte on, and truncated at the end, as cp does. Everything else
 * (pipes, devices, open descriptors) is written directly; only regular files are ever replaced or removed.
 */
#ifndef SUMAC_IO_WHOLE_FILE_H
#define SUMAC_IO_WHOLE_FILE_H

#include <stdatomic.h>

#include "io/path.h"

/* This is the name of a temporary file. If a signal handler may remove the file, the struct must lie in memory that is
 * never freed, because the handler may read it at any time. */
typedef struct temporary_name {
    atomic_int present; /* set before the file exists, cleared after it is removed */
    int directory;
    char text[48];
} temporary_name;

/* Remove the file if it exists. A signal handler may call this. */
void temporary_name_remove(const temporary_name *name);

typedef enum whole_file_kind {
    WHOLE_FILE_CLOSED,
    WHOLE_FILE_WAITING, /* a named pipe, before whole_file_begin() was called */
    WHOLE_FILE_THROUGH,
    WHOLE_FILE_IN_PLACE,
    WHOLE_FILE_REPLACED
} whole_file_kind;

typedef struct whole_file {
    whole_file_kind kind;
    int descriptor;
    int directory; /* the directory of a target that will be replaced */
    char target[PATH_BYTES];
    temporary_name *name; /* the name, in the caller's memory */
} whole_file;

/* Prepare for writing. Everything that can be refused is refused now. No existing file is changed. After a failure the
 * file is closed. */
int whole_file_open(whole_file *file, const char *path, temporary_name *name);

/* Call this before writing the first byte to file->descriptor. It waits for the reader of a named pipe.
 * whole_file_open() does not wait for that, because two programs may open the same pipes in different orders. */
int whole_file_begin(whole_file *file);

/* Complete the file: sync it, rename it, and close it. If this fails, it has the effect of whole_file_discard(). */
int whole_file_commit(whole_file *file);

/* Close the file, and remove what was written. If the file is closed already, do nothing. */
void whole_file_discard(whole_file *file);

#endif
