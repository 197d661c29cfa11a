/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header imitates a device, for machines without one. Host code implements a device's calls, some of which can be
 * made to fail. Its memory is host memory, and the CPU's kinds compute with it. */
#ifndef SUMAC_TESTS_SUPPORT_DEVICE_H
#define SUMAC_TESTS_SUPPORT_DEVICE_H

#include "curves/group_code.h"
#include "pipeline/engine.h"

typedef struct test_device {
    backend imitated;
    const backend *original; /* the context's backend */
    const group_code *code;
    uint64_t sent;        /* points that were uploaded as records */
    uint64_t uploaded;    /* bytes that were uploaded, including records */
    uint64_t allocatable; /* bytes that can still be allocated */
    uint64_t free;        /* bytes that it reports as free */
    int pinned;           /* blocks of page-locked memory that it has allocated */
    int no_pinned, fails_upload;
} test_device;

/* Make the imitated device the context's device until device_remove() is called. A context with a real device, or with several,
 * is left as it is. */
void device_install(test_device *device, sumac_context *context, const sumac_group *group);
void device_remove(const test_device *device, sumac_context *context);

#endif
