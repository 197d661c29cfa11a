/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions find which file, or which open descriptor of this process, a path names. The library and the program
 * share this code, which depends on neither of them. Failures are reported as errno values.
 */
#ifndef SUMAC_IO_PATH_H
#define SUMAC_IO_PATH_H

#include <sys/stat.h>

/* Linux accepts paths of at most this many bytes, the final 0 included. */
enum { PATH_BYTES = 4096 };

/*
 * Follow the symbolic links of a path's last part. If they lead to the name of an open descriptor of this process
 * (/dev/stdout, /dev/fd/7, /proc/self/fd/7), *descriptor becomes its number. Otherwise *descriptor becomes -1, and
 * `target` becomes the path without links; a file need not exist there. Call this before opening an output: if the name
 * of a descriptor is opened for writing, a regular file is truncated, and a socket can't be opened.
 */
int path_follow(const char *path, char target[PATH_BYTES], int *descriptor);

/*
 * Follow the symbolic links of a path's last part, find the regular file that it names, and store the path of that file
 * in `target`. If there is no file yet, *exists becomes 0. Return EISDIR for a directory, and EINVAL for a descriptor's
 * name, a device or a pipe. The function opens nothing.
 */
int path_regular(const char *path, char target[PATH_BYTES], int *exists);

/* This identifies the file that a path names. It is equal for all paths of a file, whatever links they use. If the file
 * does not exist yet, its directory and its name in the directory identify it. */
typedef struct path_identity {
    int known; /* 0 if the path can't be followed; opening the path then reports why */
    int exists;
    int descriptor; /* the descriptor that the path names, or -1 */
    mode_t type;    /* type of an existing file */
    dev_t device;
    ino_t inode;
    char name[256]; /* the name in the directory that `device` and `inode` identify; empty if the file
                       exists */
} path_identity;

path_identity path_identify(const char *path);

/* Return 1 if both identities are known and equal. */
int path_identities_match(const path_identity *a, const path_identity *b);

/* Remove the regular file that a path names, but not links to it. If the path names anything else, return EINVAL. */
int path_remove(const char *path);

/* Open a path for reading, as open() does. But /dev/stdin and /dev/fd/7 are read from the descriptor's current
 * position, as in shells. Return -1 and set errno on failure. */
int path_open_input(const char *path);

#endif
