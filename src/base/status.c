/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "sumac/sumac.h"

const char *sumac_status_text(sumac_status status)
{
    switch (status) {
    case SUMAC_OK:
        return "no error";
    case SUMAC_BAD_ARGUMENT:
        return "an argument is out of range";
    case SUMAC_UNKNOWN_CURVE:
        return "there is no such curve or group";
    case SUMAC_UNKNOWN_FORMAT:
        return "there is no such file format";
    case SUMAC_UNKNOWN_BACKEND:
        return "there is no such backend";
    case SUMAC_UNKNOWN_PLAN:
        return "there is no such plan";
    case SUMAC_NOT_SUPPORTED:
        return "this backend does not support the option";
    case SUMAC_BAD_LENGTH:
        return "a buffer or file has the wrong length";
    case SUMAC_BAD_ENCODING:
        return "the bytes do not encode a point or scalar";
    case SUMAC_NOT_ON_CURVE:
        return "a point is not on the curve";
    case SUMAC_NOT_IN_SUBGROUP:
        return "a point is not in the subgroup of prime order";
    case SUMAC_SCALAR_TOO_LARGE:
        return "a scalar has more bits than declared";
    case SUMAC_BAD_FILE:
        return "the file is damaged or of another kind";
    case SUMAC_BAD_CHECKSUM:
        return "the checksum does not match";
    case SUMAC_MISMATCH:
        return "the data belong to another curve, group or batch";
    case SUMAC_CANNOT_OPEN:
        return "the file can't be opened";
    case SUMAC_READ_FAILED:
        return "reading failed";
    case SUMAC_WRITE_FAILED:
        return "writing failed";
    case SUMAC_OUT_OF_MEMORY:
        return "there is not enough memory";
    case SUMAC_MEMORY_LIMIT:
        return "no plan fits in the memory limit";
    case SUMAC_BACKEND_UNAVAILABLE:
        return "the backend is not available on this machine";
    case SUMAC_DEVICE_FAILED:
        return "the device failed";
    case SUMAC_INTERNAL:
        return "an internal invariant does not hold: please report this";
    case SUMAC_BUSY:
        return "all contexts of the pool are taken";
    case SUMAC_NOT_SATISFIED:
        return "the witness does not satisfy the circuit";
    case SUMAC_CANCELLED:
        return "the call was cancelled by its progress function";
    }
    return "unknown status";
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
