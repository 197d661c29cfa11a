/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How a call is cut: its batch into sub-batches, a sub-batch's bases into chunks, a chunk into copy slices, a sub-batch's modules
 * into passes. */
#ifndef SUMAC_PIPELINE_SCHEDULE_H
#define SUMAC_PIPELINE_SCHEDULE_H

#include "pipeline/kinds.h"

/* Cut a plan, complete but for that and for combine, so that its workspace is at most `budget` bytes; 1 when
 * it fits, else plan.bytes_workspace is the least that was seen. With `shrinks` smaller tasks and fewer
 * threads are tried, too. */
int schedule_fit(const plan_request *request, msm_plan *plan, uint64_t budget, int shrinks);

#endif
