/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file bases.h
 *  @brief Bases: points on a backend, checked and ready for use, from memory and from files.
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

/** Bases on some backend, ready for use, with precomputed multiples if asked for. Immutable. */
typedef struct sumac_bases sumac_bases;

/** How far points are checked. */
typedef enum sumac_check {
    SUMAC_CHECK_DEFAULT =
        0,             /**< SUMAC_CHECK_CURVE for bases and vectors; SUMAC_CHECK_SUBGROUP for keys, setups and
                                pairings, which a point outside the subgroup could break */
    SUMAC_CHECK_CURVE, /**< every point lies on the curve */
    SUMAC_CHECK_SUBGROUP, /**< every point also lies in the subgroup of order r */
    SUMAC_CHECK_NONE /**< coordinates are still checked to be less than p, and nothing else: for points that are
                        known to lie on the curve. A sum of other points is no point of the curve */
} sumac_check;

/** How integers modulo p or r are written. */
typedef enum sumac_form {
    SUMAC_FORM_CANONICAL = 0, /**< the integer itself */
    SUMAC_FORM_MONTGOMERY     /**< the integer times R mod the modulus, R = 2^(64*words) */
} sumac_form;

typedef enum sumac_infinity {
    SUMAC_INFINITY_ZERO = 0, /**< x = y = 0 */
    SUMAC_INFINITY_FLAG      /**< a byte at infinity_offset of the record is not zero */
} sumac_infinity;

/** What bases keep for each base P. */
typedef enum sumac_tables {
    SUMAC_TABLES_MULTIPLES = 0, /**< precompute_factor multiples */
    SUMAC_TABLES_WINDOWS, /**< d*2^(c*w)*P for every window w and digit d, so that a call adds points of the
                            table up and has no buckets */
    SUMAC_TABLES_AUTO     /**< whichever of these the planner predicts to be fastest for the calls that
                            typical_batch and typical_n name */
} sumac_tables;

/** A count that stands for all that follow the first one. */
#define SUMAC_ALL SIZE_MAX

typedef struct sumac_bases_config {
    size_t size;
    uint32_t form;     /**< of the coordinates; by default canonical */
    uint32_t infinity; /**< how the point at infinity is written; by default as zeros */
    uint32_t location; /**< where the points lie; by default on the host */
    uint32_t check; /**< of the points, before any of them is used; by default that they lie on the curve */
    uint32_t
        outside_subgroup; /**< 1: points may lie outside the subgroup. Then no shortcut is taken that needs
                                  r*P = O */
    /** The most multiples to keep for each base. 0 or 1: only the base itself (on a GPU, bases of up to 32 MiB then
     *  also keep lambda*P: the plan's "glv_terms"). Fewer are kept if no window uses more, or if the machine, its
     *  control group or the GPU lacks memory; sumac_bases_describe() tells how many are kept. */
    uint32_t precompute_factor;
    uint32_t tables; /**< what is kept; by default multiples. Otherwise precompute_factor is 0 or 1 */
    uint32_t
        scalar_bits; /**< with multiples or tables: bits of the largest scalars that will be used; 0: bits
                             of r */
    /** With multiples or tables, if the tuning has no c: the calls for which the window is optimized, by the number of MSMs at once
     *  (0: one) and, in typical_n, the bases of each (0: all). Only speed depends on these; any call may use the
     *  bases. */
    uint32_t typical_batch;
    /** 1: a context of several devices keeps all bases on each device, however many bytes they are, and table_bytes
     *  bounds the tables of each device. 0: as the context's replica_limit says. Example: examples/options.c. */
    uint32_t replicated;
    /** 1: if the GPU lacks memory for the bases, they stay on the host in page-locked memory, from which calls copy
     *  directly; creating them takes longer, once. If the host cannot lock more pages, or without a GPU, their memory
     *  is pageable. 0: pageable memory. Example: examples/options.c. */
    uint32_t page_locked;
    uint32_t reserved;      /**< 0 */
    size_t stride;          /**< bytes from one point to the next; 0: point_bytes. Of all points together
                                less than half of what a size_t counts */
    size_t infinity_offset; /**< with SUMAC_INFINITY_FLAG: where the flag byte is, less than stride, which is
                                not 0 then */
    uint64_t table_bytes;   /**< the most bytes of all bases with tables other than multiples; 0: 64 MiB */
    size_t typical_n;       /**< see typical_batch */
    const char
        *tuning; /**< choices by hand, as experimental.h describes; null: none. Read by the call only */
} sumac_bases_config;

/** The properties of bases, as sumac_bases_describe() writes them. */
typedef struct sumac_bases_info {
    size_t size;
    const sumac_group *group; /**< of the registry: it is never freed */
    size_t count;             /**< how many bases there are, without their multiples */
    uint32_t
        precompute_factor; /**< how many multiples are kept for each base; with window tables, the number of
                                   windows */
    uint32_t tables;       /**< SUMAC_TABLES_MULTIPLES or SUMAC_TABLES_WINDOWS */
    uint64_t bytes;        /**< of all that is kept, on all devices together */
} sumac_bases_info;

/** Create bases from memory.
 *  @param points records of point_bytes at the configuration's stride; read only, not kept
 *  @param points_bytes behind the last record's point and flag, the rest of its stride may be missing
 *  @param count any number, 0 included
 *  @param config null for the defaults
 *  @param bases the new handle, to be freed with sumac_bases_destroy(); null on failure
 *  @return SUMAC_OK, or SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP (the message names the
 *  index of the first bad point), SUMAC_BAD_LENGTH (too few bytes), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY,
 *  SUMAC_NOT_SUPPORTED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_create(sumac_context *context, const sumac_group *group,
                                                         const void *points, size_t points_bytes,
                                                         size_t count, const sumac_bases_config *config,
                                                         sumac_bases **bases);

/** Create bases from the points [first, first + count) of a file; a table brings their multiples or digits. For example,
 *  `sumac_bases_open(context, group, "powers.ptau", "ptau", 0, 1 << 20, NULL, &bases)` reads the first 2^20 powers.
 *
 *  Of a regular file, only the wanted points and the parts that state the number of points are read. A pipe of records
 *  is read up to the last wanted point; any other pipe or device is read to its end, and unless it is a table, on the
 *  CPU it must not be longer than the context's memory_limit (SUMAC_MEMORY_LIMIT). A path that names an open descriptor
 *  (/dev/stdin, /dev/fd/7) is read from the descriptor's position.
 *
 *  A table has a checksum, which covers all its points. It is verified if all are read. In a part, every point is
 *  checked to lie on the curve instead, even with SUMAC_CHECK_NONE. The points of a table were checked when its bases
 *  were created: a caller who trusts the file saves time with SUMAC_CHECK_NONE.
 *
 *  @param group null for the group that the file names, which only a table does
 *  @param path the file, which may be a table that sumac_bases_save() wrote
 *  @param format a name that sumac_format_at() lists ("raw", "zcash-compressed", ...); null: a table if the file
 *  begins like one, otherwise raw
 *  @param count SUMAC_ALL for all points from `first` on. A trusted setup's file is only read as a whole: first is 0
 *  and count SUMAC_ALL
 *  @param config null for the defaults; form, stride, infinity, infinity_offset and location are ignored, because the
 *  format determines them
 *  @param bases as for sumac_bases_create()
 *  @return as sumac_bases_create(), and SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE, SUMAC_BAD_CHECKSUM,
 *  SUMAC_MISMATCH (another group's table), SUMAC_UNKNOWN_FORMAT, SUMAC_NOT_SUPPORTED (a part of a trusted setup; a
 *  table of digits in a context of a GPU), SUMAC_BAD_LENGTH (a file with fewer points); the message names the file
 *  and, where it can, the offset. A damaged coordinate may be found before the checksum is compared: SUMAC_BAD_ENCODING */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_open(sumac_context *context, const sumac_group *group,
                                                       const char *path, const char *format, size_t first,
                                                       size_t count, const sumac_bases_config *config,
                                                       sumac_bases **bases);

/** Count the bases in a file of any format except a trusted setup's. Of a regular file, only the length and the parts
 *  that state the number are read: a table's header, a leading count, or the heads of sections.
 *  @param group, path, format as for sumac_bases_open()
 *  @param count written only on success
 *  @return as sumac_bases_open(), and SUMAC_NOT_SUPPORTED for a file of another format */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_file_count(sumac_context *context, const sumac_group *group,
                                                             const char *path, const char *format,
                                                             size_t *count);

/** Free bases; null is allowed. No call that uses them may be running, and no work of one may be on a stream. */
SUMAC_API void sumac_bases_destroy(sumac_bases *bases);

/** Return the number of bases, without multiples; 0 for null. */
SUMAC_API size_t sumac_bases_count(const sumac_bases *bases);

/** Tell what bases are and what they keep.
 *  @param info whose size is set
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (a null pointer or a wrong size), SUMAC_NOT_SUPPORTED (a struct of a newer
 *  header with a field that is not 0) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_describe(const sumac_bases *bases, sumac_bases_info *info);

/** Copy bases [first, first + count) out in raw canonical layout.
 *  @param points, points_bytes count*point_bytes are written
 *  @return SUMAC_OK, SUMAC_BAD_LENGTH (fewer bases or bytes), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_get(sumac_context *context, const sumac_bases *bases,
                                                      size_t first, size_t count, void *points,
                                                      size_t points_bytes);

/** Save bases to a file. Their multiples or digits are saved only in a table, which also has a version, the group, sizes
 *  and a checksum; docs/formats.md has the bytes. A regular file is written in the same directory, without a name if the
 *  file system supports that, and gets its name when it is complete, so that `path` never holds a part of a file. A
 *  pipe, a device or an open descriptor (/dev/stdout, /dev/fd/7) is written directly.
 *  @param format a name that sumac_format_at() lists; null: a table
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_WRITE_FAILED, SUMAC_UNKNOWN_FORMAT, SUMAC_NOT_SUPPORTED (a format
 *  that is only read), SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_save(sumac_context *context, const sumac_bases *bases,
                                                       const char *path, const char *format);

#ifdef __cplusplus
}
#endif
#endif
