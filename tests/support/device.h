/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A device where there is none: the host's code behind the calls of a device, some of which can be told to fail. What it has
 * in its memory is the host's, and the CPU's kinds compute with it. */
#ifndef SUMAC_TESTS_SUPPORT_DEVICE_H
#define SUMAC_TESTS_SUPPORT_DEVICE_H

#include "curves/curve_code.h"
#include "pipeline/engine.h"

typedef struct test_device {
    backend own;
    const backend *kept; /* the context's */
    const curve_code *code;
    uint64_t sent;     /* points that came as records */
    uint64_t uploaded; /* bytes, by themselves or as records */
    uint64_t room;     /* bytes that can still be allocated */
    uint64_t free;     /* bytes that it says are free */
    int pinned;        /* blocks of page-locked memory that it gave */
    int no_pinned, fails_upload;
} test_device;

/* The context's device until device_leave(): its own, or one of this kind; one of several is left alone. */
void device_come(test_device *device, sumac_context *context, const sumac_curve *curve);
void device_leave(const test_device *device, sumac_context *context);

#endif
