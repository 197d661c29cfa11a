/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The program as one of many: all ranks end with the same status, and rank 0 alone prints. Until the end a
 * rank's failure is a sentence that is kept (report.h). A command's functions are collective, and fail on all
 * ranks alike, but for those that say otherwise.
 */
#ifndef SUMAC_CLI_MPI_JOB_H
#define SUMAC_CLI_MPI_JOB_H

#include <stdbool.h>

#include "cli/session.h"
#include "sumac/mpi.h"

/* One rank of a command. */
typedef struct rank_job {
    options given; /* with this rank's device */
    session opened;
    int rank, count;
    sumac_mpi_ranks *ranks;
} rank_job;

/* Collective, once, before anything else: which of the ranks on its machine this one is. */
bool job_find_place(void);

/* Collective: this rank's exit status becomes that of all, the failure of the lowest rank with its sentence.
 * A command begins with it, before anything else that is collective. */
int job_agree(int status);

/* Collective, before job_agree(): whether all ranks begin work, or fail; else some only print, and no other
 * may wait for them. */
bool job_all_begin(bool begins);

/* Whether this rank has been through job_agree(). */
bool job_has_begun(void);

/* Of this rank alone: standard input, of which a rank can read no part, is refused. */
int job_refuse_standard_input(const char *path);

/* Begin a command: a context, the ranks, and their weights where --weights says them. `status` is what this
 * rank has found so far. job_end() is due in any case. */
int job_begin(rank_job *started, const options *given, int status);

/* Free all; returns the status to end with. */
int job_end(rank_job *ended, int status);

/* The exit status for a collective call with the job's ranks; keeps the sentence of one that failed. */
int job_status(const rank_job *of, sumac_status status);

#endif
