/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This is a fake of CUB's header: a sort asks for memory, and does nothing. */
#ifndef SUMAC_TESTS_CUDA_FAKE_CUB_RADIX_SORT_H
#define SUMAC_TESTS_CUDA_FAKE_CUB_RADIX_SORT_H

#include "fake.h"

namespace cub
{
struct DeviceRadixSort {
    template <class Key, class Value>
    static cudaError_t SortPairs(void *temporary, size_t &bytes, const Key *, Key *, const Value *, Value *,
                                 uint64_t, int, int, cudaStream_t = nullptr)
    {
        return fake_library_call(temporary, &bytes);
    }
};
} // namespace cub

#endif
