/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * How the ranks of an MPI job work together: all ranks end with the same exit status, and only rank 0 prints. A rank
 * that fails keeps the message (report.h), and rank 0 prints it at the end. Commands call the functions of ranks.h.
 */
#ifndef SUMAC_CLI_MPI_JOB_H
#define SUMAC_CLI_MPI_JOB_H

#include "cli/ranks.h"
#include "sumac/mpi.h"

/* Find this rank's index among the ranks on its machine. Collective; call it once, before anything else. */
bool job_find_local_rank(void);

/* Return the exit status. If this rank only printed help or refused its options, the ranks agree on the status here.
 * Collective; every rank calls this at its end. */
int job_end(int status);

/* Return the ranks of the job, and their number. */
sumac_mpi_ranks *job_ranks(void);
int job_rank_count(void);

/* Return the exit status of a collective library call with the job's ranks. If the call failed, keep its message. */
int job_status(sumac_status status);

#endif
