/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What `msm` reads. With -n and --first, of regular files only the bases and scalars that are used, and of a
 * pipe nothing behind them; else all, which have to be equally many.
 */
#ifndef SUMAC_CLI_MSM_INPUT_H
#define SUMAC_CLI_MSM_INPUT_H

#include "session.h"

typedef struct msm_input {
    sumac_bases *bases;
    uint64_t first;           /* in `bases`, the first that is used */
    unsigned char *scalars;   /* n of each MSM of the batch, one MSM behind the other */
    uint64_t n;               /* of each MSM */
    double read_milliseconds; /* to read the bases and check their points */
} msm_input;

/* Reports what is wrong and returns an exit status; msm_input_free() is due in any case. */
int msm_input_read(msm_input *input, const session *opened, const options *given, const char *format);
void msm_input_free(msm_input *input);

#endif
