/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The engine's handle, and the table of what a device adds to an engine. */
#ifndef SUMAC_CUDA_DEVICE_DEVICE_H
#define SUMAC_CUDA_DEVICE_DEVICE_H

#include "pipeline/engine.h"

extern const device_ops cuda_device;

#endif
