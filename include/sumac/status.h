/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file status.h
 *  @brief The library's version, and what a call came to.
 */
#ifndef SUMAC_STATUS_H
#define SUMAC_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define SUMAC_VERSION_MAJOR 0
#define SUMAC_VERSION_MINOR 1
#define SUMAC_VERSION_PATCH 0
#define SUMAC_VERSION_STRING "0.1.0"

/** No message of the library is longer, its final 0 counted. */
#define SUMAC_MESSAGE_BYTES 512

#if defined(__GNUC__)
#define SUMAC_API __attribute__((visibility("default")))
#define SUMAC_MUST_USE __attribute__((warn_unused_result))
#else
#define SUMAC_API
#define SUMAC_MUST_USE
#endif

/** What a call came to. sumac_status_text() has a sentence for each. */
typedef enum sumac_status {
    SUMAC_OK = 0,
    SUMAC_BAD_ARGUMENT,    /**< a null pointer, a value out of range, a combination that means nothing */
    SUMAC_UNKNOWN_CURVE,   /**< no such curve or group in the registry */
    SUMAC_UNKNOWN_FORMAT,  /**< no such file format */
    SUMAC_UNKNOWN_BACKEND, /**< no such backend */
    SUMAC_UNKNOWN_PLAN,    /**< no such named plan */
    SUMAC_NOT_SUPPORTED,   /**< legal, but this backend can't honour it; the message names the option */
    SUMAC_BAD_LENGTH,      /**< a buffer or file of the wrong length */
    SUMAC_BAD_ENCODING,    /**< bytes that do not encode a point or scalar: a coordinate >= p, a wrong flag */
    SUMAC_NOT_ON_CURVE,    /**< a point off the curve */
    SUMAC_NOT_IN_SUBGROUP, /**< a point outside the subgroup of order r */
    SUMAC_SCALAR_TOO_LARGE, /**< a scalar of more bits than the call declared */
    SUMAC_BAD_FILE, /**< a file that is not what it should be: truncated, over-long, wrong magic or version */
    SUMAC_BAD_CHECKSUM,  /**< a file whose checksum does not match its bytes */
    SUMAC_MISMATCH,      /**< a file or partial result of another curve, group or batch */
    SUMAC_CANNOT_OPEN,   /**< a path that does not exist, is a directory, or may not be read or written */
    SUMAC_READ_FAILED,   /**< the operating system failed a read: the machine's fault */
    SUMAC_WRITE_FAILED,  /**< a write failed, the disk is full: the machine's fault */
    SUMAC_OUT_OF_MEMORY, /**< an allocation failed: the machine's fault; the message says how many bytes, but
                            for what a GPU's driver takes for itself */
    SUMAC_MEMORY_LIMIT,  /**< no plan fits in the memory limit, and the message says how many bytes were
                            missing; or a  pipe goes on after as many bytes */
    SUMAC_BACKEND_UNAVAILABLE, /**< the backend's library, driver or device is missing: the machine's fault */
    SUMAC_DEVICE_FAILED,       /**< the device failed or was lost: the machine's fault */
    SUMAC_INTERNAL             /**< an invariant did not hold; please report it */
} sumac_status;

/** A constant sentence for a status; never null, also for values that are no status. */
SUMAC_API const char *sumac_status_text(sumac_status status);

/** 1 if the machine is to blame (memory, disk, device), 0 if the input is; the program's exit status is 3
 * or 2. */
SUMAC_API int sumac_status_is_machine_fault(sumac_status status);

/** The library's version as "major.minor.patch", a constant. */
SUMAC_API const char *sumac_version(void);

#ifdef __cplusplus
}
#endif
#endif
