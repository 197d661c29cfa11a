/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Operands of calls as vectors of libsumac: in place where the memory allows it, else as copies. */
#ifndef SUMAC_ICICLE_VECTORS_H
#define SUMAC_ICICLE_VECTORS_H

#include "curve.h"
#include "sumac/vector.h"

/* A vector that becomes a call's result. `output` is null if the vector already is the caller's memory. */
typedef struct sumac_icicle_vector {
    sumac_vector *vector;
    void *output;
} sumac_icicle_vector;

/* Take `count` scalars as a vector that the call will only read. If it overlaps with `output`, it is a copy. */
int sumac_icicle_take(const sumac_icicle_call *call, const void *input, bool input_on_device,
                      const void *output, size_t count, sumac_icicle_vector *taken);

/* Take `count` scalars as a vector that the call overwrites by its result. */
int sumac_icicle_take_result(const sumac_icicle_call *call, const void *input, bool input_on_device,
                             void *output, bool output_on_device, size_t count, sumac_icicle_vector *taken);

/* Free the vector of a result, and copy it to the caller's memory if the call has succeeded so far.
 * @return the call's status */
int sumac_icicle_deliver(const sumac_icicle_call *call, sumac_icicle_vector *result, int status);

#endif
