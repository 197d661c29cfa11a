/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What `msm` reads. With -n, --first and --first-base only the bases and scalars of regular files that are used, and
 * nothing behind those of a pipe; else all, which have to be equally many.
 */
#ifndef SUMAC_CLI_MSM_INPUT_H
#define SUMAC_CLI_MSM_INPUT_H

#include "session.h"

typedef struct msm_input {
    sumac_bases *bases;
    uint64_t first;           /* in `bases`, the first that is used */
    unsigned char *scalars;   /* n of each MSM of the batch, one MSM behind the other, little-endian */
    uint64_t n;               /* of each MSM */
    double read_milliseconds; /* to read the bases and check their points */
} msm_input;

/* Report what is wrong and return an exit status; msm_input_free() is due in any case. */
int msm_input_read(msm_input *input, const session *opened, const options *given);
void msm_input_free(msm_input *input);

#endif
