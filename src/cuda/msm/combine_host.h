/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef SUMAC_CUDA_MSM_COMBINE_HOST_H
#define SUMAC_CUDA_MSM_COMBINE_HOST_H

#include "cuda/device/engine.h"

/* Free what the kind keeps from call to call. */
void combine_host_close(cuda_engine *engine);

#endif
