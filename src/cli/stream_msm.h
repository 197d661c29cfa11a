/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* `sumac msm --stream`: the files come chunk by chunk. */
#ifndef SUMAC_CLI_STREAM_MSM_H
#define SUMAC_CLI_STREAM_MSM_H

#include "options.h"

/* All of the command; returns an exit status. */
int run_stream_msm(const options *given);

#endif
