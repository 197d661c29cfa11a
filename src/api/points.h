/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Points in memory are decoded from records of a format to raw points, and encoded, on the context's device or its threads. */
#ifndef SUMAC_API_POINTS_H
#define SUMAC_API_POINTS_H

#include "codec/slices.h"
#include "executor/executor.h"

/* Find the format of a name, for points of a curve, or say why there is none. */
sumac_status format_find(sumac_context *context, const char *name, const sumac_curve *curve,
                         const point_format **format);

/* sumac_points_decode() within a call. Messages call point i "<noun> <first + i>". */
sumac_status encoded_points_decode(sumac_context *context, const sumac_curve *curve,
                                   const point_format *format, const char *noun, size_t first,
                                   const uint8_t *records, size_t n, sumac_check check, uint8_t *raw);

/* sumac_points_encode() within a call, on an executor. */
sumac_status encoded_points_encode(executor *self, const sumac_curve *curve, const point_format *format,
                                   const uint8_t *raw, size_t n, uint8_t *records);

/*
 * A device takes as long for a few points of BLS12-381 G1 as for some ten thousand: a millisecond, for one point's chain of
 * products. A thread with AVX-512 decodes 370 points in that time, or decodes and checks 120 (17 of G2, where the device's
 * chain is longer by less than the thread's). With fewer points than this for each thread the threads are as fast.
 */
#define DEVICE_POINTS_PER_THREAD ((size_t)256)

/* Return whether the context has a device that decodes points of this curve and format. */
int device_decodes(const sumac_context *context, const sumac_curve *curve, const point_format *format);

/*
 * Decode n records to raw canonical points, which are checked as `check` says. Returns 1 if the device has done it; then
 * `outcome` is what the host's threads would find, and raw is written only on success. With `asks` the call's progress
 * function is called and may end the call: the outcome is SUMAC_CANCELLED, with its sentence. Returns 0 if the threads are to
 * decode, as there is no device, or it is not faster, does not know the format, lacks the memory, or fails. Then raw may
 * have been written.
 */
int decode_on_device(sumac_context *context, const sumac_curve *curve, const point_format *format,
                     const uint8_t *records, size_t n, sumac_check check, int asks, uint8_t *raw,
                     decode_outcome *outcome);

#endif
