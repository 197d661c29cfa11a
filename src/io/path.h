/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Paths are followed to the file, or the open descriptor of this process, that they name. The library and the program share
 * this; it knows nothing of either. Failures are errno values.
 */
#ifndef SUMAC_IO_PATH_H
#define SUMAC_IO_PATH_H

#include <sys/stat.h>

/* Bytes of a path with its end: Linux takes no longer ones. */
enum { PATH_BYTES = 4096 };

/*
 * Follow the symbolic links of a path's last part. If they lead to the name of an open descriptor of this process
 * (/dev/stdout, /dev/fd/7, /proc/self/fd/7), *descriptor is its number. Else *descriptor is -1, and `target` is the
 * path without links, where there may be nothing yet. Opening a descriptor's name for writing would truncate a
 * regular file and fails for a socket, so outputs ask here first.
 */
int path_follow(const char *path, char target[PATH_BYTES], int *descriptor);

/*
 * Find the regular file that a path names, with the symbolic links of its last part followed, in `target`; *exists
 * is 0 where there is nothing yet. Returns EISDIR for a directory, and EINVAL for a descriptor's name, a device or a
 * pipe. Opens nothing.
 */
int path_regular(const char *path, char target[PATH_BYTES], int *exists);

/* Two paths of one file have equal identities, whatever links lead there: the file, or if it does not exist yet its
 * directory and its name in that directory. */
typedef struct path_identity {
    int known; /* 0: the path can't be followed, which is reported where it is opened */
    int exists;
    int descriptor; /* -1 unless the path is a name of one */
    mode_t type;    /* of a file that exists */
    dev_t device;
    ino_t inode;
    char name[256]; /* in the directory that device and inode mean; empty if the file exists */
} path_identity;

path_identity path_identify(const char *path);

/* Returns 1 if both are known and the same. */
int path_identities_match(const path_identity *a, const path_identity *b);

/* Remove the regular file that a path names; a link to it stays. Removes nothing else: EINVAL. */
int path_remove(const char *path);

/* open() for reading, except that /dev/stdin and /dev/fd/7 are read from where the descriptor stands, as shells do
 * it. Returns -1, with errno set, on failure. */
int path_open_input(const char *path);

#endif
