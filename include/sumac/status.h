/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file status.h
 *  @brief The library's version, and the status codes of calls.
 */
#ifndef SUMAC_STATUS_H
#define SUMAC_STATUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SUMAC_VERSION_MAJOR 0
#define SUMAC_VERSION_MINOR 9
#define SUMAC_VERSION_PATCH 0

/** The version as one number that can be compared, 10000*major + 100*minor + patch:
 * `#if SUMAC_VERSION_NUMBER >= 10200`. */
#define SUMAC_VERSION_NUMBER (10000 * SUMAC_VERSION_MAJOR + 100 * SUMAC_VERSION_MINOR + SUMAC_VERSION_PATCH)

#define SUMAC_QUOTED(text) #text
#define SUMAC_VERSION_TEXT(major, minor, patch)                                                              \
    SUMAC_QUOTED(major) "." SUMAC_QUOTED(minor) "." SUMAC_QUOTED(patch)
/** The version as a text, "major.minor.patch". */
#define SUMAC_VERSION_STRING SUMAC_VERSION_TEXT(SUMAC_VERSION_MAJOR, SUMAC_VERSION_MINOR, SUMAC_VERSION_PATCH)

/** The most bytes of a message of the library, including its final 0. */
#define SUMAC_MESSAGE_BYTES 512

/** A message for people, which a call writes if it has no context to keep it. It is "" if the call succeeded. */
typedef struct sumac_message {
    char text[SUMAC_MESSAGE_BYTES];
} sumac_message;

#if defined(__GNUC__)
#define SUMAC_API __attribute__((visibility("default")))
#define SUMAC_MUST_USE __attribute__((warn_unused_result))
#else
#define SUMAC_API
#define SUMAC_MUST_USE
#endif

/** Status codes of calls. Their values never change. sumac_status_text() has a sentence for each. */
typedef enum sumac_status {
    SUMAC_OK = 0,
    SUMAC_BAD_ARGUMENT = 1,   /**< a null pointer, a value out of range, or values that do not fit together */
    SUMAC_UNKNOWN_CURVE = 2,  /**< no such curve or group in the registry */
    SUMAC_UNKNOWN_FORMAT = 3, /**< no such file format */
    SUMAC_UNKNOWN_BACKEND = 4, /**< no such backend */
    SUMAC_UNKNOWN_PLAN = 5,    /**< no such named plan */
    SUMAC_NOT_SUPPORTED = 6,   /**< a legal request that this build, backend or function does not support; the
                                    message names it */
    SUMAC_BAD_LENGTH = 7,      /**< a buffer or file of the wrong length */
    SUMAC_BAD_ENCODING = 8, /**< bytes that encode no point or scalar: a coordinate >= p, or a wrong flag */
    SUMAC_NOT_ON_CURVE = 9, /**< a point off the curve */
    SUMAC_NOT_IN_SUBGROUP = 10,  /**< a point outside the subgroup of order r */
    SUMAC_SCALAR_TOO_LARGE = 11, /**< a scalar of more bits than the call declared */
    SUMAC_BAD_FILE = 12,         /**< a file that is truncated, too long, or has another magic or version */
    SUMAC_BAD_CHECKSUM = 13,     /**< a file whose checksum does not match its bytes */
    SUMAC_MISMATCH = 14,         /**< a file or partial result of another curve, group or batch */
    SUMAC_CANNOT_OPEN = 15,  /**< a path that does not exist, is a directory, or may not be read or written */
    SUMAC_READ_FAILED = 16,  /**< the operating system could not read: the machine's fault */
    SUMAC_WRITE_FAILED = 17, /**< a write failed, for example to a full disk: the machine's fault */
    SUMAC_OUT_OF_MEMORY = 18, /**< an allocation failed: the machine's fault; the message says how many bytes
                                   were wanted, unless a GPU's driver wanted them for itself */
    SUMAC_MEMORY_LIMIT = 19,  /**< no plan fits in the memory limit, and the message says how many bytes were
                            missing; or a pipe has more bytes than the limit */
    SUMAC_BACKEND_UNAVAILABLE = 20, /**< the backend's library, driver or device is missing: the machine's
                                         fault */
    SUMAC_DEVICE_FAILED = 21,       /**< the device failed or was lost: the machine's fault */
    SUMAC_INTERNAL = 22,            /**< an invariant did not hold; please report it */
    SUMAC_CANCELLED = 23,    /**< sumac_context_cancel(), or the caller's progress function, ended the call */
    SUMAC_BUSY = 24,         /**< another call is using the context, or all contexts of a pool are taken */
    SUMAC_NOT_SATISFIED = 25 /**< a witness that does not satisfy the constraints of the circuit */
} sumac_status;

/** Return a constant sentence for a status; never null, even for values that are no status. */
SUMAC_API const char *sumac_status_text(sumac_status status);

/** Return 1 if the machine (memory, disk, device) or SUMAC_INTERNAL is the cause, otherwise 0. The program `sumac` exits
 *  with 3 or 2 accordingly. */
SUMAC_API int sumac_status_is_machine_fault(sumac_status status);

/** Return the version of the linked library, which may differ from the header's. The first function returns a constant
 *  text like SUMAC_VERSION_STRING, the second one a number like SUMAC_VERSION_NUMBER. */
SUMAC_API const char *sumac_version(void);
SUMAC_API uint32_t sumac_version_number(void);

#ifdef __cplusplus
}
#endif
#endif
