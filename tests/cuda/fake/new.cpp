/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where support/failing.h makes allocations fail, `new (std::nothrow)` is one of them: the engine's. Any other `new`, as the
 * fake runtime's own, does not fail. */
#include <cstddef>
#include <cstdlib>
#include <new>

void *operator new(size_t bytes, const std::nothrow_t &) noexcept
{
    return malloc(bytes);
}

void *operator new(size_t bytes)
{
    void *memory = nullptr;
    if (posix_memalign(&memory, sizeof(std::max_align_t), bytes) != 0) {
        abort();
    }
    return memory;
}

void operator delete(void *memory) noexcept
{
    free(memory);
}

void operator delete(void *memory, size_t) noexcept
{
    free(memory);
}

void *operator new[](size_t bytes, const std::nothrow_t &) noexcept
{
    return malloc(bytes);
}

void *operator new[](size_t bytes)
{
    return operator new(bytes);
}

void operator delete[](void *memory) noexcept
{
    free(memory);
}

void operator delete[](void *memory, size_t) noexcept
{
    free(memory);
}
