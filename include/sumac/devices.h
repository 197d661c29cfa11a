/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file devices.h
 *  @brief The devices of a context, one by one.
 */
#ifndef SUMAC_DEVICES_H
#define SUMAC_DEVICES_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/context.h"
#include "sumac/curve.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How many devices share a context's calls out: 1, but for contexts with a list of devices; and the device
 * at an index as a context of its own, null past the end. It is the context's: never destroyed by the caller,
 * in use while the context is, and for one call at a time. Bases and vectors that it makes lie on that device
 * alone. A context of one device is its own. */
SUMAC_API uint32_t sumac_context_device_count(const sumac_context *context);
SUMAC_API sumac_context *sumac_context_member(sumac_context *context, uint32_t index);

/** Where the share of the member at an index begins, of n things that are shared out by device_weights: 0 for
 * the first, n past the end. With n less than the number of devices as many have one each, if the shares are
 * equal. */
SUMAC_API size_t sumac_context_share_begin(const sumac_context *context, uint32_t index, size_t n);

/** What a member does: `member` is its context, for calls of the library; a failure's sentence is that
 * context's. */
typedef sumac_status (*sumac_member_work)(void *argument, sumac_context *member, uint32_t index);

/** Call a function once for each member, all at the same time: each on a thread of its own, as far as the
 * system has threads, the first on the calling one. It uses its member and not `context`, and runs to its end
 * whatever becomes of the others. In a context of one device: one call, with the context itself.
 *  @return the status of the first member, in their order, whose call failed, with its sentence; or
 * SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_run_members(sumac_context *context,
                                                                sumac_member_work work, void *argument);

/** How fast the devices of a context are beside each other, for the device_weights of another context: all of
 * them compute MSMs of n bases at the same time, as they will; the fastest of three counts. This context's
 * own shares stay.
 *  @param n about what a device will have, at least 1
 *  @param shares as many as there are devices: 1000 for the fastest, at least 1; written only on success
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, and as sumac_known_bases_create() and sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_context_measure_weights(sumac_context *context,
                                                                    const sumac_curve *curve, size_t n,
                                                                    uint32_t *shares);

#ifdef __cplusplus
}
#endif
#endif
