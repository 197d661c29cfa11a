/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vectors.h"

/* What libsumac requires of memory that it uses in place: 8 bytes on the CPU, 16 on a GPU. */
enum { ALIGNMENT = 16 };

/* Memory of a vector lies on the GPU if the device is one. */
static int fits(const sumac_icicle_call *call, const void *memory, bool on_device)
{
    return (call->device->gpu == NULL || on_device) && (uintptr_t)memory % ALIGNMENT == 0;
}

static int overlap(const void *a, const void *b, size_t bytes)
{
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return x < y + bytes && y < x + bytes;
}

/* libsumac computes with scalars less than r. Those on a GPU can't be checked from here. */
static int check(const sumac_icicle_call *call, const void *input, bool on_device, size_t count)
{
    const size_t size = call->group->scalar_bytes;
    const int status = sumac_icicle_check_memory(call->device, input, count * size, on_device);
    if (status == SUMAC_ICICLE_SUCCESS && (call->device->gpu == NULL || !on_device) &&
        !sumac_icicle_all_reduced(call->group->order, size / sizeof(uint64_t), input, count)) {
        return SUMAC_ICICLE_INVALID_ARGUMENT;
    }
    return status;
}

static int wrap(const sumac_icicle_call *call, const void *memory, size_t count, sumac_vector **vector)
{
    void *writable = (void *)(uintptr_t)memory; /* a vector of an input is only read */
    return sumac_icicle_status_of(sumac_vector_wrap(call->context, call->group, writable, count, vector));
}

static int copy_in(const sumac_icicle_call *call, const void *input, size_t count, sumac_vector **vector)
{
    const int status = sumac_icicle_status_of(
        sumac_vector_create(call->context, call->group, SUMAC_VECTOR_SCALARS, count, vector));
    return status != SUMAC_ICICLE_SUCCESS ? status
                                          : sumac_icicle_copy(call->device, sumac_vector_memory(*vector),
                                                              input, count * call->group->scalar_bytes);
}

int sumac_icicle_take(const sumac_icicle_call *call, const void *input, bool input_on_device,
                      const void *output, size_t count, sumac_icicle_vector *taken)
{
    const int status = check(call, input, input_on_device, count);
    if (status != SUMAC_ICICLE_SUCCESS) {
        return status;
    }
    return fits(call, input, input_on_device) && !overlap(input, output, count * call->group->scalar_bytes)
               ? wrap(call, input, count, &taken->vector)
               : copy_in(call, input, count, &taken->vector);
}

int sumac_icicle_take_result(const sumac_icicle_call *call, const void *input, bool input_on_device,
                             void *output, bool output_on_device, size_t count, sumac_icicle_vector *taken)
{
    const size_t bytes = count * call->group->scalar_bytes;
    int status = check(call, input, input_on_device, count);
    if (status == SUMAC_ICICLE_SUCCESS) {
        status = sumac_icicle_check_memory(call->device, output, bytes, output_on_device);
    }
    if (status != SUMAC_ICICLE_SUCCESS) {
        return status;
    }
    if (!fits(call, output, output_on_device) || (input != output && overlap(input, output, bytes))) {
        taken->output = output;
        return copy_in(call, input, count, &taken->vector);
    }
    if (input != output) {
        status = sumac_icicle_copy(call->device, output, input, bytes);
    }
    return status != SUMAC_ICICLE_SUCCESS ? status : wrap(call, output, count, &taken->vector);
}

int sumac_icicle_deliver(const sumac_icicle_call *call, sumac_icicle_vector *result, int status)
{
    if (status == SUMAC_ICICLE_SUCCESS && result->output != NULL) {
        status = sumac_icicle_copy(call->device, result->output, sumac_vector_memory(result->vector),
                                   sumac_vector_count(result->vector) * call->group->scalar_bytes);
    }
    sumac_vector_destroy(result->vector);
    return status;
}
