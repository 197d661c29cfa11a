/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decoding on the context's device, in place of its threads. */
#ifndef SUMAC_API_DEVICE_DECODE_H
#define SUMAC_API_DEVICE_DECODE_H

#include "codec/format.h"

/*
 * A device takes a millisecond for a few points of BLS12-381 G1, as for some ten thousand: one point's chain
 * of products. A thread with AVX-512 decodes 370 points in that time, or decodes and checks 120 (of G2 17,
 * where the device's chain is longer by less than the thread's): with fewer points for each thread of the
 * context these are as fast.
 */
#define DEVICE_POINTS_PER_THREAD ((size_t)256)

/* Whether the context has a device that decodes such points, however many. */
int device_decodes(const sumac_context *context, const sumac_curve *curve, const point_format *format);

/*
 * Decode n records to raw canonical points, checked as `check` says: 1 if the device has done it. Then `outcome` is
 * what the host's threads would say, and raw is written only on success. With `asks` the call's progress hears of it, and
 * may end it: the outcome is SUMAC_CANCELLED, with its sentence. 0, and raw may have been written: it is left to the
 * threads, as there is no device, or they are as fast, or the device does not know the format, has no memory, or fails.
 */
int decode_on_device(sumac_context *context, const sumac_curve *curve, const point_format *format,
                     const uint8_t *records, size_t n, sumac_check check, int asks, uint8_t *raw,
                     decode_outcome *outcome);

#endif
