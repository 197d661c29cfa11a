/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file devices.h
 *  @brief The devices of a context.
 */
#ifndef SUMAC_DEVICES_H
#define SUMAC_DEVICES_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/context.h"
#include "sumac/group.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Measure the relative speeds of a context's devices, for the device_weights of another context: all devices compute
 *  MSMs of n bases at the same time, and the fastest of three runs counts. This context's weights do not change.
 *  @param n about as many bases as a device will have, at least 1
 *  @param weights one for each device: 1000 for the fastest, at least 1; written only on success
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, and as sumac_known_bases_create() and sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_measure_weights(sumac_context *context,
                                                                    const sumac_group *group, size_t n,
                                                                    uint32_t *weights);

#ifdef __cplusplus
}
#endif
#endif
