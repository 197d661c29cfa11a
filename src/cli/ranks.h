/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What commands do otherwise where many processes compute one result: `sumac-mpi` (mpi/job.c). In `sumac`
 * a process is its own only rank, and these functions do next to nothing. All but ranks_are_many() and
 * ranks_is_first() are collective: every rank calls them, and all get the same exit status.
 */
#ifndef SUMAC_CLI_RANKS_H
#define SUMAC_CLI_RANKS_H

#include "session.h"

/* The receiver of ranks_gather(). */
typedef sumac_status (*rank_receiver)(void *user, const void *bytes, size_t count);

#ifdef SUMAC_OVER_RANKS

/* Tell whether this is sumac-mpi, where a file is read in parts and a command's options are compared. */
#define ranks_are_many() true

/* Tell whether this rank prints and writes files. */
bool ranks_is_first(void);

/* Open a session for a command, on this rank's device; session_close() after ranks_close() is due in any case. */
int ranks_open(const command *used, options *given, session *opened);
void ranks_close(void);

/* Pass on the failure of the lowest rank that has one. */
int ranks_agree(int status);

/* Refuse texts, or files, that differ from rank 0's. */
int ranks_agree_on_text(const char *what, const char *text);
int ranks_agree_on_file(const char *what, const char *path);

/* With --weights measure, find the ranks' speeds: compute(user) does `count` pieces of work. */
int ranks_measure(size_t count, int (*compute)(void *user), void *user);

/* One rank's share of n things, were all alike; at least 1. */
size_t ranks_share(size_t n);

/* Read this rank's records [*first, *first + *count) of the *all in a file; *records is freed with sumac_free(). */
int ranks_read_records(const char *path, size_t record_bytes, void **records, size_t *count, size_t *first,
                       size_t *all);

/* Give the first rank's receiver all ranks' bytes, in the order of the ranks. */
int ranks_gather(const void *part, size_t bytes, rank_receiver receive, void *user);

#else /* what is left of them in `sumac` */

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
