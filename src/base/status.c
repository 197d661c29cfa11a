/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "sumac/sumac.h"

const char *sumac_status_text(sumac_status status)
{
    static const char *const texts[] = {
        [SUMAC_OK] = "no error",
        [SUMAC_BAD_ARGUMENT] = "an argument is out of range",
        [SUMAC_UNKNOWN_CURVE] = "there is no such curve or group",
        [SUMAC_UNKNOWN_FORMAT] = "there is no such file format",
        [SUMAC_UNKNOWN_BACKEND] = "there is no such backend",
        [SUMAC_UNKNOWN_PLAN] = "there is no such plan",
        [SUMAC_NOT_SUPPORTED] = "this backend does not support the option",
        [SUMAC_BAD_LENGTH] = "a buffer or file has the wrong length",
        [SUMAC_BAD_ENCODING] = "the bytes do not encode a point or scalar",
        [SUMAC_NOT_ON_CURVE] = "a point is not on the curve",
        [SUMAC_NOT_IN_SUBGROUP] = "a point is not in the subgroup of prime order",
        [SUMAC_SCALAR_TOO_LARGE] = "a scalar has more bits than declared",
        [SUMAC_BAD_FILE] = "the file is damaged or of another kind",
        [SUMAC_BAD_CHECKSUM] = "the checksum does not match",
        [SUMAC_MISMATCH] = "the data belong to another curve, group or batch",
        [SUMAC_CANNOT_OPEN] = "the file can't be opened",
        [SUMAC_READ_FAILED] = "reading failed",
        [SUMAC_WRITE_FAILED] = "writing failed",
        [SUMAC_OUT_OF_MEMORY] = "there is not enough memory",
        [SUMAC_MEMORY_LIMIT] = "no plan fits in the memory limit",
        [SUMAC_BACKEND_UNAVAILABLE] = "the backend is not available on this machine",
        [SUMAC_DEVICE_FAILED] = "the device failed",
        [SUMAC_INTERNAL] = "an internal invariant does not hold: please report this",
        [SUMAC_BUSY] = "the context is in another call, or all contexts of the pool are taken",
        [SUMAC_NOT_SATISFIED] = "the witness does not satisfy the circuit",
        [SUMAC_CANCELLED] = "the call was cancelled",
    };
    const size_t number = (size_t)status;
    return number < sizeof texts / sizeof *texts ? texts[number] : "unknown status";
}

int sumac_status_is_machine_fault(sumac_status status)
{
    switch (status) {
    case SUMAC_READ_FAILED:
    case SUMAC_WRITE_FAILED:
    case SUMAC_OUT_OF_MEMORY:
    case SUMAC_BACKEND_UNAVAILABLE:
    case SUMAC_DEVICE_FAILED:
    case SUMAC_INTERNAL:
        return 1;
    default:
        return 0;
    }
}

const char *sumac_version(void)
{
    return SUMAC_VERSION_STRING;
}

uint32_t sumac_version_number(void)
{
    return SUMAC_VERSION_NUMBER;
}
