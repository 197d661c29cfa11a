/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This is a fake of CUB's header: a scan asks for memory, and does nothing. */
#ifndef SUMAC_TESTS_CUDA_FAKE_CUB_SCAN_H
#define SUMAC_TESTS_CUDA_FAKE_CUB_SCAN_H

#include "fake.h"

namespace cub
{
struct DeviceScan {
    template <class In, class Out>
    static cudaError_t ExclusiveSum(void *temporary, size_t &bytes, In, Out, uint64_t, cudaStream_t = nullptr)
    {
        return fake_library_call(temporary, &bytes);
    }
};
} // namespace cub

#endif
