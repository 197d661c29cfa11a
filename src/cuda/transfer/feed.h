/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef SUMAC_CUDA_TRANSFER_FEED_H
#define SUMAC_CUDA_TRANSFER_FEED_H

#include "pipeline/engine.h"

/* Scalars that lie on the host come to the device copy slice by copy slice, host-resident bases chunk by chunk; what
 * lies on the device is read where it is. */
extern const feed_ops cuda_feed;

#endif
