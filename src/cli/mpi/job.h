/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The program as one of many: all ranks end with the same status, and rank 0 alone prints. Until the end a
 * rank's failure is a sentence that is kept (report.h).
 */
#ifndef SUMAC_CLI_MPI_JOB_H
#define SUMAC_CLI_MPI_JOB_H

#include <stdbool.h>

#include "sumac/mpi.h"

/* Collective: this rank's exit status becomes that of all, the failure of the lowest rank with its sentence.
 * A command begins with it, before anything else that is collective. */
int job_agree(int status);

/* Whether this rank has been through job_agree(). */
bool job_has_begun(void);

/* The exit status for a collective call of the library, which failed on all ranks; keeps its sentence. */
int job_failure(const char *sentence, sumac_status status);

#endif
