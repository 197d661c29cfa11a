/* SPDX-License-Identifier: Apache-2.0 OR MIT */
// This is a device "SUMAC" for ICICLE 4. Its memory is the host's memory. Calls are complete when they return.
#include <cstdlib>
#include <cstring>
#include "icicle/device_api.h"
#include <unistd.h>

using namespace icicle;

namespace
{
constexpr eIcicleError done = eIcicleError::SUCCESS;

class SumacDevice : public DeviceAPI
{
  public:
    eIcicleError set_device(const Device &device) override
    {
        return device.id == 0 ? done : eIcicleError::INVALID_DEVICE;
    }

    eIcicleError get_device_count(int &count) const override
    {
        count = 1;
        return done;
    }

    eIcicleError allocate_memory(void **memory, size_t size) const override
    {
        *memory = std::malloc(size ? size : 1);
        return *memory ? done : eIcicleError::ALLOCATION_FAILED;
    }

    eIcicleError allocate_memory_async(void **memory, size_t size, icicleStreamHandle) const override
    {
        return allocate_memory(memory, size);
    }

    eIcicleError free_memory(void *memory) const override
    {
        std::free(memory);
        return done;
    }

    eIcicleError free_memory_async(void *memory, icicleStreamHandle) const override
    {
        return free_memory(memory);
    }

    eIcicleError get_available_memory(size_t &total, size_t &available) const override
    {
        const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
        total = page * static_cast<size_t>(sysconf(_SC_PHYS_PAGES));
        available = page * static_cast<size_t>(sysconf(_SC_AVPHYS_PAGES));
        return done;
    }

    eIcicleError memset(void *memory, int value, size_t size) const override
    {
        std::memset(memory, value, size);
        return done;
    }

    eIcicleError memset_async(void *memory, int value, size_t size, icicleStreamHandle) const override
    {
        return memset(memory, value, size);
    }

    eIcicleError copy(void *to, const void *from, size_t size, eCopyDirection) const override
    {
        std::memmove(to, from, size);
        return done;
    }

    eIcicleError copy_async(void *to, const void *from, size_t size, eCopyDirection direction,
                            icicleStreamHandle) const override
    {
        return copy(to, from, size, direction);
    }

    eIcicleError synchronize(icicleStreamHandle) const override
    {
        return done;
    }

    eIcicleError create_stream(icicleStreamHandle *stream) const override
    {
        *stream = nullptr;
        return done;
    }

    eIcicleError destroy_stream(icicleStreamHandle stream) const override
    {
        return stream ? eIcicleError::STREAM_DESTRUCTION_FAILED : done;
    }

    eIcicleError get_device_properties(DeviceProperties &properties) const override
    {
        properties = {true, 0, false};
        return done;
    }
};
} // namespace

REGISTER_DEVICE_API("SUMAC", SumacDevice);
