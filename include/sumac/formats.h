/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file formats.h
 *  @brief Formats of points, in files and in memory, and files of scalars.
 */
#ifndef SUMAC_FORMATS_H
#define SUMAC_FORMATS_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/bases.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A point encoding or file format. */
typedef struct sumac_format_info {
    size_t size;
    const char *name;        /**< such as "raw" */
    const char *description; /**< one line for people */
    uint32_t can_read;       /**< 1: sumac_bases_open() reads the format; otherwise 0 */
    uint32_t can_write;      /**< 1: sumac_bases_save() writes the format; otherwise 0 */
} sumac_format_info;

/** Return the number of formats; and the format at an index, which is null past the end. */
SUMAC_API size_t sumac_format_count(void);
SUMAC_API const sumac_format_info *sumac_format_at(size_t index);

/** Decode records in memory to raw canonical points, on all threads of the context.
 *  @param records `count` records, packed. A record has the bytes that a point has in a file of the format:
 *  sumac_points_record_bytes(). A file's leading count does not belong to the records
 *  @param format "raw", "zcash-compressed", "zcash-uncompressed", "eip2537", "arkworks-compressed",
 *  "arkworks-uncompressed", "gnark-compressed", "gnark-raw", "gnark-dump" or "aztec"; null: raw
 *  @param check how far the points are checked
 *  @param points `count` raw canonical points; written only on success
 *  @return SUMAC_OK; SUMAC_BAD_LENGTH; SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE or SUMAC_NOT_IN_SUBGROUP, with the index of
 *  the first bad point in the message; SUMAC_UNKNOWN_FORMAT, SUMAC_NOT_SUPPORTED (a format of files whose points are not
 *  records of one size), SUMAC_BAD_ARGUMENT (also a format that cannot hold the group's points), SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_points_decode(sumac_context *context, const sumac_group *group,
                                                          const void *records, size_t records_bytes,
                                                          size_t count, const char *format, sumac_check check,
                                                          void *points, size_t points_bytes);

/** Encode raw canonical points as records. Only coordinates are checked to be less than p.
 *  @param points `count` points
 *  @param format as for sumac_points_decode()
 *  @param records `count` records, packed; written only on success
 *  @return as sumac_points_decode() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_points_encode(sumac_context *context, const sumac_group *group,
                                                          const void *points, size_t points_bytes,
                                                          size_t count, const char *format, void *records,
                                                          size_t records_bytes);

/** Get the bytes of one record of sumac_points_decode() and sumac_points_encode().
 *  @param format as for sumac_points_decode()
 *  @param bytes written only on success
 *  @return SUMAC_OK, SUMAC_UNKNOWN_FORMAT, SUMAC_NOT_SUPPORTED, SUMAC_BAD_ARGUMENT, as sumac_points_decode() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_points_record_bytes(sumac_context *context,
                                                                const sumac_group *group, const char *format,
                                                                size_t *bytes);

/** Free memory that the library allocated for the caller and whose description names this function; null is allowed. */
SUMAC_API void sumac_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
