/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Resolve paths to the file, or the open descriptor of this process, that they name. The library and the program share
 * this code, which depends on neither. Failures are errno values.
 */
#ifndef SUMAC_IO_PATH_H
#define SUMAC_IO_PATH_H

#include <sys/stat.h>

/* The most bytes of a path, including its final 0, that Linux accepts. */
enum { PATH_BYTES = 4096 };

/*
 * Follow the symbolic links of a path's last part. If they lead to the name of an open descriptor of this process
 * (/dev/stdout, /dev/fd/7, /proc/self/fd/7), *descriptor is its number. Otherwise *descriptor is -1, and `target` is
 * the path without links, where no file need exist. Outputs must call this first, because opening a descriptor's name
 * for writing would truncate a regular file and fails for a socket.
 */
int path_follow(const char *path, char target[PATH_BYTES], int *descriptor);

/*
 * Find the regular file that a path names, after following the symbolic links of its last part, and store its path in
 * `target`. *exists is 0 if there is no file yet. Return EISDIR for a directory, and EINVAL for a descriptor's name, a
 * device or a pipe. Opens nothing.
 */
int path_regular(const char *path, char target[PATH_BYTES], int *exists);

/* Identity of the file that a path names; it is equal for all paths of a file, whatever links they use. If the file
 * does not exist yet, its directory and its name there identify it. */
typedef struct path_identity {
    int known; /* 0 if the path cannot be followed; opening it then reports why */
    int exists;
    int descriptor; /* the descriptor that the path names, or -1 */
    mode_t type;    /* type of an existing file */
    dev_t device;
    ino_t inode;
    char name[256]; /* name in the directory that device and inode identify; empty if the file exists */
} path_identity;

path_identity path_identify(const char *path);

/* Return 1 if both are known and equal. */
int path_identities_match(const path_identity *a, const path_identity *b);

/* Remove the regular file that a path names, but not links to it. Anything else is EINVAL. */
int path_remove(const char *path);

/* Open a path for reading like open(), but read /dev/stdin and /dev/fd/7 from the descriptor's current position, as
 * shells do. Return -1 and set errno on failure. */
int path_open_input(const char *path);

#endif
