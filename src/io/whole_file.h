/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What a path names, and writing files so that a path never holds a part of one. The library's writers and
 * the program share this; it knows nothing of either. Failures are errno values.
 *
 * A regular file is replaced: what is written goes to a new file in the same directory, which takes the name
 * when it is complete and on disk. The new file has no name until then where the system can do that, so that
 * a process that is killed leaves nothing behind; elsewhere it has a temporary one. A file that cannot be
 * replaced as it is (another owner's, or in a directory that may not be written) is written in place, from
 * its first byte on and cut off at the end, as cp would. All else (pipes, devices, open descriptors) is
 * written through: nothing but a regular file is ever replaced or removed.
 */
#ifndef SUMAC_IO_WHOLE_FILE_H
#define SUMAC_IO_WHOLE_FILE_H

#include <stdatomic.h>
#include <stddef.h>
#include <sys/stat.h>

/* Room for a path with its end: Linux takes no longer ones. */
enum { WHOLE_FILE_PATH_BYTES = 4096 };

/*
 * The open descriptor of this process that a path names (/dev/stdout, /dev/fd/7, /proc/self/fd/7, or a link
 * to one) in *descriptor, or -1 and in `target` the path with the symbolic links of its last part followed,
 * where there may be nothing yet. An errno value. Opening such a name for writing would begin a regular file
 * anew and fails for a socket, so outputs ask here first.
 */
int path_follow(const char *path, char target[WHOLE_FILE_PATH_BYTES], int *descriptor);

/*
 * The regular file that a path names, with the symbolic links of its last part followed, in `target`; *exists
 * is 0 where there is nothing yet. An errno value: EISDIR for a directory, and EINVAL for a descriptor's
 * name, a device, a pipe. Opens nothing.
 */
int path_regular(const char *path, char target[WHOLE_FILE_PATH_BYTES], int *exists);

/* What a path names, so that two paths of one file are known for such, whatever links lead there: the file, or of one that
 * is not there yet its directory and its name in it. */
typedef struct path_identity {
    int known; /* 0: the path can't be followed, which is said where it is opened */
    int exists;
    int descriptor; /* -1 unless the path is a name of one */
    mode_t type;    /* of a file that exists */
    dev_t device;
    ino_t inode;
    char name[256]; /* in the directory that device and inode mean; empty if the file exists */
} path_identity;

path_identity path_identify(const char *path);

/* Whether both are known and the same. */
int path_identities_match(const path_identity *a, const path_identity *b);

/* Remove the regular file that a path names; a link to it stays. An errno value; EINVAL for what is not a
 * regular file, of which nothing is removed. */
int path_remove(const char *path);

/* open() for reading, but /dev/stdin and /dev/fd/7 are read from where the descriptor stands, as shells do
 * it; -1 and errno. */
int path_open_input(const char *path);

/* A file's name while it has a temporary one. A signal handler may read it at any time, so it lies in memory
 * that is never freed if there is such a handler. */
typedef struct temporary_name {
    atomic_int present; /* set before the file is there and cleared after it is gone: no gap */
    int directory;
    char text[48];
} temporary_name;

/* Remove the file, if there is one. May be called in a signal handler. */
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
    int directory; /* of the target, where it is replaced */
    int exists;    /* something is there to replace */
    char target[WHOLE_FILE_PATH_BYTES];
    temporary_name *name; /* the caller's */
} whole_file;

/* Prepare writing: everything that can be refused is refused now, and nothing that is there is changed. After
 * a failure the file is closed. */
int whole_file_open(whole_file *file, const char *path, temporary_name *name);

/* Before the first byte is written to file->descriptor. Waits for the reader of a named pipe, which
 * whole_file_open() does not: two programs may name the same pipes in another order. */
int whole_file_begin(whole_file *file);

/* All is written: bring it to disk, give it its name, close. After a failure everything is as after
 * whole_file_discard(). */
int whole_file_commit(whole_file *file);

/*
 * The same of at most WHOLE_FILES_TOGETHER open files, which get their names one right behind the other under
 * a lock of their directories (flock(), held for no more than the renames): of programs that write the same
 * files at once, those of one are left. Where a directory can't be locked, or another program holds it for
 * seconds, they get their names without. After a failure, of files[*failed], the files before it may have
 * their names.
 */
enum { WHOLE_FILES_TOGETHER = 8 };
int whole_files_commit(whole_file *const files[], size_t count, size_t *failed);

/* Close, and remove what was written; a closed file stays closed. */
void whole_file_discard(whole_file *file);

#endif
