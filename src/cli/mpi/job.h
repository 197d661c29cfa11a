/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * By these functions the ranks of an MPI job work together. All ranks end with the same exit status, and only rank 0
 * prints. If a rank fails, it keeps the message (report.h), and rank 0 prints it at the end. Commands do not call these
 * functions, but those of ranks.h.
 */
#ifndef SUMAC_CLI_MPI_JOB_H
#define SUMAC_CLI_MPI_JOB_H

#include "cli/ranks.h"
#include "sumac/mpi.h"

/* Find this rank's index among the ranks on its machine. The call is collective. Call it once, before anything else. */
bool job_find_local_rank(void);

/* Return the exit status. If this rank only printed help or refused its options, the ranks agree on the status here.
 * The call is collective, and every rank makes it at its end. */
int job_end(int status);

/* The first function returns the ranks of the job, and the second one their number. */
sumac_mpi_ranks *job_ranks(void);
int job_rank_count(void);

/* A collective call of the library with the job's ranks returned this status. Return the exit status for it. If the
 * call failed, keep its message. */
int job_status(sumac_status status);

#endif
