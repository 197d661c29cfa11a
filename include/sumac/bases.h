/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file bases.h
 *  @brief Bases: points on a backend, checked and ready for use. They come from memory or from files.
 */
#ifndef SUMAC_BASES_H
#define SUMAC_BASES_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/context.h"
#include "sumac/group.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bases on some backend, ready for use, with precomputed multiples if these are asked for. They are immutable. */
typedef struct sumac_bases sumac_bases;

/** How far points are checked. */
typedef enum sumac_check {
    /** SUMAC_CHECK_CURVE for bases and vectors; SUMAC_CHECK_SUBGROUP for keys, setups and pairings, which a point outside the
     *  subgroup could break. */
    SUMAC_CHECK_DEFAULT = 0,
    SUMAC_CHECK_CURVE,    /**< every point lies on the curve */
    SUMAC_CHECK_SUBGROUP, /**< every point also lies in the subgroup of order r */
    SUMAC_CHECK_NONE /**< nothing is checked except that coordinates are less than p. Use this for points that are
                        known to lie on the curve: a sum of other points is no point of the curve */
} sumac_check;

/** How integers modulo p or r are written. */
typedef enum sumac_form {
    SUMAC_FORM_CANONICAL = 0, /**< the integer itself */
    SUMAC_FORM_MONTGOMERY     /**< the integer times R mod the modulus, R = 2^(64*words) */
} sumac_form;

/** How the point at infinity is written. */
typedef enum sumac_infinity {
    SUMAC_INFINITY_ZERO = 0, /**< x = y = 0 */
    SUMAC_INFINITY_FLAG      /**< a byte at infinity_offset of the record is not zero */
} sumac_infinity;

/** What bases keep for each base P. */
typedef enum sumac_tables {
    SUMAC_TABLES_MULTIPLES = 0, /**< precompute_factor multiples */
    SUMAC_TABLES_WINDOWS, /**< d*2^(c*w)*P for every window w and digit d, so that a call adds points of the
                            table up and has no buckets; only on the CPU */
    SUMAC_TABLES_AUTO     /**< whichever of these the planner predicts to be fastest for the calls that
                            typical_batch and typical_n describe */
} sumac_tables;

/** The count that sumac_bases_open() takes for all points from `first` on. */
#define SUMAC_ALL SIZE_MAX

/** How bases are created, and what is kept for them. */
typedef struct sumac_bases_config {
    size_t size;
    uint32_t form;     /**< the form of the coordinates; by default canonical */
    uint32_t infinity; /**< how the point at infinity is written; by default as zeros */
    uint32_t location; /**< where the points lie; by default on the host */
    uint32_t check; /**< how far the points are checked before they are used; by default that they lie on the
                            curve */
    /** 1: points may lie outside the subgroup. Then no shortcut is taken that needs r*P = O. */
    uint32_t outside_subgroup;
    /** The most multiples to keep for each base, at most 8*scalar_bytes of the group. 0 or 1: only the base itself (bases of
     *  up to 512 KiB, on a GPU up to 32 MiB, then also keep lambda*P: the plan's "glv_terms"). Fewer are kept if no
     *  window uses more, or if the machine, its control group or the GPU lacks memory. sumac_bases_describe() returns
     *  how many are kept. */
    uint32_t precompute_factor;
    uint32_t tables; /**< what is kept; by default multiples. Otherwise precompute_factor is 0 or 1 */
    /** With multiples or tables: bits of the largest scalars that will be used; 0: bits of r. */
    uint32_t scalar_bits;
    /** The number of MSMs in each call for which the window is optimized; 0: one. This and typical_n matter if there are
     *  multiples or tables and the tuning has no c. Only speed depends on them: any call may use the bases. */
    uint32_t typical_batch;
    /** 1: a context of several devices keeps all bases on each device, however many bytes they are, and table_bytes
     *  bounds the tables of each device. 0: as the context's replica_limit says. Example: examples/options.c. */
    uint32_t replicated;
    /** 1: if the GPU lacks memory for the bases, they stay on the host in page-locked memory, from which calls copy
     *  directly. Creating them then takes longer. If the host cannot lock more pages, or without a GPU, their memory
     *  is pageable. 0: pageable memory. Example: examples/options.c. */
    uint32_t page_locked;
    uint32_t reserved;      /**< 0 */
    size_t stride;          /**< bytes from one point to the next, at least point_bytes; 0: point_bytes. Times
                                the count it is at most SIZE_MAX/2 */
    size_t infinity_offset; /**< with SUMAC_INFINITY_FLAG: where the flag byte of a record is, less than
                                stride, which then is not 0 */
    uint64_t table_bytes;   /**< the most bytes of all bases with tables other than multiples; 0: 64 MiB */
    size_t typical_n;       /**< the bases of each MSM for which the window is optimized (typical_batch), at
                                most the count; 0: all */
    /** Choices by hand, as experimental.h describes; null: none. Only the call reads it. */
    const char *tuning;
} sumac_bases_config;

/** The properties of bases, as sumac_bases_describe() writes them. */
typedef struct sumac_bases_info {
    size_t size;
    const sumac_group *group; /**< the registry's group, which is never freed */
    size_t count;             /**< how many bases there are, without their multiples */
    /** How many multiples are kept for each base; with window tables, the number of windows. */
    uint32_t precompute_factor;
    uint32_t tables; /**< SUMAC_TABLES_MULTIPLES or SUMAC_TABLES_WINDOWS */
    uint64_t bytes;  /**< how many bytes are kept, on all devices together */
} sumac_bases_info;

/** Create bases from memory.
 *  @param points `count` records, each of which begins `stride` bytes after the one before; not kept
 *  @param points_bytes the length of all records; the last one may end after its point and its flag
 *  @param count at most 2^31, otherwise SUMAC_NOT_SUPPORTED; may be 0
 *  @param config null for the defaults
 *  @param bases the new bases, to be freed with sumac_bases_destroy(); null on failure
 *  @return SUMAC_OK, or SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP (the message names the
 *  index of the first bad point), SUMAC_BAD_LENGTH (too few bytes), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY,
 *  SUMAC_NOT_SUPPORTED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_create(sumac_context *context, const sumac_group *group,
                                                         const void *points, size_t points_bytes,
                                                         size_t count, const sumac_bases_config *config,
                                                         sumac_bases **bases);

/** Create bases from the points [first, first + count) of a file. A table also has their multiples or digits. For example,
 *  `sumac_bases_open(context, group, "powers.ptau", "ptau", 0, 1 << 20, NULL, &bases)` reads the first 2^20 powers.
 *
 *  Of a regular file, the call reads only the wanted points and the fields that state the number of points. It reads a pipe
 *  of records up to the last wanted point, and any other pipe or device to its end. On the CPU, such a pipe must not be
 *  longer than the context's memory_limit (SUMAC_MEMORY_LIMIT), unless it is a table of which all points are read. If the
 *  path names an open descriptor (/dev/stdin, /dev/fd/7), reading begins at the descriptor's position.
 *
 *  A table has a checksum of all its points. If all points are read, the checksum is verified. If not, every point that is
 *  read is checked to lie on the curve, even with SUMAC_CHECK_NONE. The points of a table were checked when its bases were
 *  created, so that a caller who trusts the file saves time with SUMAC_CHECK_NONE.
 *
 *  @param group may be null for a table, which names its group
 *  @param path the file, for example a table that sumac_bases_save() wrote
 *  @param format a name that sumac_format_at() lists ("raw", "zcash-compressed", ...). Null: a table if the file
 *  begins like one, otherwise raw
 *  @param count SUMAC_ALL for all points from `first` on. For a trusted setup, first must be 0 and count SUMAC_ALL,
 *  because its file is read as a whole
 *  @param config null for the defaults; form, stride, infinity, infinity_offset and location are ignored, because the
 *  format determines them
 *  @param bases as for sumac_bases_create()
 *  @return as sumac_bases_create(), and SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE, SUMAC_BAD_CHECKSUM,
 *  SUMAC_MISMATCH (another group's table), SUMAC_UNKNOWN_FORMAT, SUMAC_NOT_SUPPORTED (some points of a trusted setup; a
 *  table of digits in a context of a GPU), SUMAC_BAD_LENGTH (a file with fewer points). The message names the file and,
 *  where it can, the offset. A damaged table may be SUMAC_BAD_ENCODING, if a coordinate is found before the checksum */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_open(sumac_context *context, const sumac_group *group,
                                                       const char *path, const char *format, size_t first,
                                                       size_t count, const sumac_bases_config *config,
                                                       sumac_bases **bases);

/** Count the bases in a file of any format except a trusted setup's. Of a regular file, the call reads only the length and
 *  the fields that state the number: a table's header, a leading count, or the heads of sections.
 *  @param group, path, format as for sumac_bases_open()
 *  @param count written only on success
 *  @return as sumac_bases_open(); SUMAC_NOT_SUPPORTED for a trusted setup */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_file_count(sumac_context *context, const sumac_group *group,
                                                             const char *path, const char *format,
                                                             size_t *count);

/** Free bases; null is allowed. No call that uses them may be running, nor may work of a queued one be left on a stream. */
SUMAC_API void sumac_bases_destroy(sumac_bases *bases);

/** Return the number of bases, not counting multiples; 0 for null. */
SUMAC_API size_t sumac_bases_count(const sumac_bases *bases);

/** Describe what bases are and what they keep.
 *  @param info the caller sets its size; the other fields are written only on success
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (a null pointer or a wrong size), SUMAC_NOT_SUPPORTED (a struct of a newer
 *  header with a field that is not 0) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_describe(const sumac_bases *bases, sumac_bases_info *info);

/** Copy bases [first, first + count), without their multiples, to host memory.
 *  @param points receives `count` raw canonical points
 *  @return SUMAC_OK, SUMAC_BAD_LENGTH (fewer bases or bytes), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY,
 *  SUMAC_DEVICE_FAILED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_get(sumac_context *context, const sumac_bases *bases,
                                                      size_t first, size_t count, void *points,
                                                      size_t points_bytes);

/** Save bases to a file. Only a table has their multiples or digits. A table also has a version, the group, sizes and a
 *  checksum; docs/formats.md has the bytes. A regular file is written in the same directory, without a name if the file
 *  system supports that. It gets its name when it is complete, so that `path` never holds an incomplete file. A pipe, a
 *  device or an open descriptor (/dev/stdout, /dev/fd/7) is written directly. Example: examples/table.c.
 *  @param format a name that sumac_format_at() lists; null: a table
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_WRITE_FAILED, SUMAC_UNKNOWN_FORMAT, SUMAC_NOT_SUPPORTED (a format
 *  that is only read), SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_save(sumac_context *context, const sumac_bases *bases,
                                                       const char *path, const char *format);

#ifdef __cplusplus
}
#endif
#endif
