/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions decode records of a format to raw points in memory, and encode them, on the context's device or
 * threads. */
#ifndef SUMAC_API_POINTS_H
#define SUMAC_API_POINTS_H

#include "codec/slices.h"
#include "executor/executor.h"

/* Find the format with this name that has points of a group (null: of any), or fail with a message. */
sumac_status format_find(sumac_context *context, const char *name, const sumac_group *group,
                         const point_format **format);

/* Do the work of sumac_points_decode() as a part of a call. Messages call point i "<noun> <first + i>". */
sumac_status encoded_points_decode(sumac_context *context, const sumac_group *group,
                                   const point_format *format, const char *noun, size_t first,
                                   const uint8_t *records, size_t n, sumac_check check, uint8_t *raw);

/* Do the work of sumac_points_encode() as a part of a call, on an executor. */
sumac_status encoded_points_encode(executor *self, const sumac_group *group, const point_format *format,
                                   const uint8_t *raw, size_t n, uint8_t *records);

/*
 * If there are fewer points than this for each thread, the threads are as fast as a device. A device takes about a
 * millisecond for a few points of BLS12-381 G1, and as long for ten thousand, because each point is one chain of
 * products. In that time a thread with AVX-512 decodes 370 points, or decodes and checks 120 of them. In G2 it decodes
 * and checks 17 points, because from G1 to G2 a thread slows down more than a device.
 */
#define DEVICE_POINTS_PER_THREAD ((size_t)256)

/* Return whether the context has a device that decodes points of this group and format. */
int device_decodes(const sumac_context *context, const sumac_group *group, const point_format *format);

/*
 * Decode n records to raw canonical points, and check them as `check` says. Returns 1 if the device has decoded them.
 * Then `outcome` is the one that the host's threads would find, and `raw` is written only if it is SUMAC_OK. With
 * `asks` the call's progress function is called. If it ends the call, the outcome is SUMAC_CANCELLED, with a message.
 * Returns 0 if the threads must decode: there is no device, or it is not faster, does not support the format, has too
 * little memory, or fails. Then `raw` may have been written.
 */
int decode_on_device(sumac_context *context, const sumac_group *group, const point_format *format,
                     const uint8_t *records, size_t n, sumac_check check, int asks, uint8_t *raw,
                     decode_outcome *outcome);

#endif
