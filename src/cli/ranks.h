/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * By these functions commands support many processes that compute one result, in `sumac-mpi` (mpi/job.c). In `sumac`
 * the process is the only rank, and these functions do almost nothing. All functions except ranks_are_many() and
 * ranks_is_first() are collective: every rank calls them, and all ranks get the same exit status.
 */
#ifndef SUMAC_CLI_RANKS_H
#define SUMAC_CLI_RANKS_H

#include "session.h"

/* ranks_gather() calls such a function. */
typedef sumac_status (*rank_receiver)(void *user, const void *bytes, size_t count);

#ifdef SUMAC_OVER_RANKS

/* In sumac-mpi this is true; there ranks read parts of files, and compare their options. */
#define ranks_are_many() true

/* Return true if this rank prints and writes files. */
bool ranks_is_first(void);

/* Open a session for a command on this rank's device. Call ranks_close(), then session_close(), in any case. */
int ranks_open(const command *used, options *given, session *opened);
void ranks_close(void);

/* On all ranks, return the failure of the lowest rank that has one. */
int ranks_agree(int status);

/* These functions refuse a text, or a file, that differs from that of rank 0. */
int ranks_agree_on_text(const char *what, const char *text);
int ranks_agree_on_file(const char *what, const char *path);

/* If --weights measure is given, measure the speeds of the ranks. compute(user) does `count` units of work. */
int ranks_measure(size_t count, int (*compute)(void *user), void *user);

/* Return how many of n items a rank would get if all ranks were equally fast, but at least 1. */
size_t ranks_share(size_t n);

/* Read this rank's records [*first, *first + *count) of the *all records of a file. Free *records with sumac_free(). */
int ranks_read_records(const char *path, size_t record_bytes, void **records, size_t *count, size_t *first,
                       size_t *all);

/* Pass the bytes of all ranks to the receiver of the first rank, in the order of the ranks. */
int ranks_gather(const void *part, size_t bytes, rank_receiver receive, void *user);

#else /* the definitions for `sumac` */

#define ranks_are_many() false
#define ranks_is_first() true
#define ranks_open(used, given, opened) session_open(opened, given)
#define ranks_close()
#define ranks_agree(status) (status)
#define ranks_agree_on_text(what, text) STATUS_DONE
#define ranks_agree_on_file(what, path) STATUS_DONE
#define ranks_measure(count, compute, user) ((void)(compute), STATUS_DONE)
#define ranks_share(n) larger(n, 1)
#define ranks_read_records(path, record_bytes, records, count, first, all) STATUS_DONE
#define ranks_gather(part, bytes, receive, user) library_check(NULL, receive(user, part, bytes))

#endif

#endif
