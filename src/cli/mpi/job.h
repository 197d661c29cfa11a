/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The program as one of many: all ranks end with the same status, and rank 0 alone prints. Until the end a rank's failure is
 * a sentence that is kept (report.h). ranks.h says what commands call.
 */
#ifndef SUMAC_CLI_MPI_JOB_H
#define SUMAC_CLI_MPI_JOB_H

#include "cli/ranks.h"
#include "sumac/mpi.h"

/* Collective, once, before anything else: find this rank's index among the ranks on its machine. */
bool job_find_local_rank(void);

/* Collective, at the end: a rank that has only printed help, or refused its options, agrees with the others. */
int job_end(int status);

/* The ranks of the command that runs. */
sumac_mpi_ranks *job_ranks(void);
int job_rank_count(void);

/* The exit status for a collective call with the job's ranks; keeps the sentence of one that failed. */
int job_status(sumac_status status);

#endif
