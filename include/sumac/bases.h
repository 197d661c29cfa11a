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

typedef struct sumac_bases_config {
    size_t size;
    uint32_t form;          /**< of the coordinates */
    uint32_t infinity;      /**< how the point at infinity is written */
    size_t stride;          /**< bytes from one point to the next; 0: point_bytes. Of all points together
                                less than half of what a size_t counts */
    size_t infinity_offset; /**< with SUMAC_INFINITY_FLAG: where the flag byte is, less than stride, which is
                                not 0 then */
    uint32_t check; /**< of the points, before any of them is used; by default that they lie on the curve */
    uint32_t outside_subgroup; /**< 1: points may lie outside the subgroup; no shortcut that needs r*P = O is
                                  taken */
    /** The most multiples to keep for each base. 0 or 1: only the base itself (on a GPU, bases of up to 32 MiB then
     *  also keep lambda*P: the plan's "glv_terms"). Fewer are kept if no window uses more, or if the machine, its
     *  control group or the GPU lacks memory; sumac_bases_precompute_factor() returns the number. */
    uint32_t precompute_factor;
    uint32_t reserved;    /**< 0 */
    uint32_t scalar_bits; /**< with f > 1 or tables: the largest scalars that will be used; 0: bits of r */
    uint32_t tables; /**< other than multiples: precompute_factor is 0 or 1, and the tables' own choice */
    uint64_t table_limit; /**< of other tables than multiples: most bytes of all bases; 0: 64 MiB */
    uint32_t location;    /**< where the points lie */
    /** With f > 1 or tables, if the tuning has no c: the calls for which the window is optimized, by the number of MSMs at once (0:
     *  one) and the bases of each (0: all). Only speed depends on this; any call may use the bases. */
    uint32_t typical_batch;
    size_t typical_n;
    uint32_t replicated; /**< 1: a context of several devices keeps the bases whole on each of them, however
                            large they are; table_limit is for each; 0: as its replica_limit says */
    /** 1: bases that stay on the host because the GPU lacks memory lie in page-locked memory, from which calls copy
     *  directly. Creating them then takes longer, once. If the host cannot lock more pages, the memory is pageable.
     *  0, or without a GPU: pageable. */
    uint32_t page_locked;
    const char
        *tuning; /**< choices by hand, as experimental.h describes; null: none. Read by the call only */
} sumac_bases_config;

/** Create bases from memory.
 *  @param points n records of point_bytes at the given stride; read only, not kept
 *  @param n any number, 0 included
 *  @param config null for the defaults
 *  @param bases the new handle, freed with sumac_bases_destroy(); null on failure
 *  @return SUMAC_OK, or SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP (the message names the
 * index of the first bad point), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY, SUMAC_NOT_SUPPORTED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_create(sumac_context *context, const sumac_group *group,
                                                         const void *points, size_t n,
                                                         const sumac_bases_config *config,
                                                         sumac_bases **bases);

/** Create bases from a file.
 *  @param path the file, which may be a table written by sumac_bases_save(). A pipe or a device is read to its end;
 *  unless it is a table, on the CPU it must not be longer than the context's memory_limit (SUMAC_MEMORY_LIMIT). A
 *  path that names an open descriptor (/dev/stdin, /dev/fd/7) is read from the descriptor's position
 *  @param format a name that sumac_format_at() lists ("raw", "zcash-compressed", ...); null: a table if the file
 *  begins like one, otherwise raw
 *  @param config null for the defaults; form, stride, infinity and location are ignored, because the format
 *  determines them
 *  @return as sumac_bases_create(), and SUMAC_CANNOT_OPEN, SUMAC_BAD_FILE, SUMAC_UNKNOWN_FORMAT, SUMAC_READ_FAILED;
 *  the message names the file and the offset */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_open(sumac_context *context, const sumac_group *group,
                                                       const char *path, const char *format,
                                                       const sumac_bases_config *config, sumac_bases **bases);

/** Count the bases in a file of any format except a trusted setup's. Of a regular file, only the length and the parts
 *  that state the number are read: a table's header, a leading count, or the heads of sections.
 *  @param path, format as for sumac_bases_open()
 *  @param n written only on success
 *  @return as sumac_bases_open(), and SUMAC_NOT_SUPPORTED for a file of another format */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_file_count(sumac_context *context, const sumac_group *group,
                                                             const char *path, const char *format, size_t *n);

/** Create bases from bases [first, first + n) of a file, as sumac_bases_open() does; a table brings their multiples
 *  or digits. Of a regular file, nothing else is read except what sumac_bases_file_count() reads. If all points of a
 *  table are read, its checksum is verified; it covers all points, so in a part each kept point is checked to lie on
 *  the curve instead. A pipe of records is read up to the last of these and no further.
 *  @return as sumac_bases_open(), and SUMAC_NOT_SUPPORTED for a file of another format, SUMAC_BAD_LENGTH for a file
 *  with fewer points */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_open_part(sumac_context *context, const sumac_group *group,
                                                            const char *path, size_t first, size_t n,
                                                            const char *format,
                                                            const sumac_bases_config *config,
                                                            sumac_bases **bases);

/** Free bases; null is allowed. No call that uses them may be running, and no work of one may be on a stream. */
SUMAC_API void sumac_bases_destroy(sumac_bases *bases);

/** Return the number of bases, without multiples; their curve; the factor f, which with window tables is the number
 *  of windows; whether multiples or digits are kept; the bytes that all of these occupy. */
SUMAC_API size_t sumac_bases_count(const sumac_bases *bases);
SUMAC_API const sumac_group *sumac_bases_group(const sumac_bases *bases);
SUMAC_API uint32_t sumac_bases_precompute_factor(const sumac_bases *bases);
SUMAC_API sumac_tables sumac_bases_tables(const sumac_bases *bases);
SUMAC_API uint64_t sumac_bases_bytes(const sumac_bases *bases);

/** Copy bases [first, first + n) out in raw canonical layout, n*point_bytes. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_get(sumac_context *context, const sumac_bases *bases,
                                                      size_t first, size_t n, void *points);

/** Save bases with their multiples to a table file, with version, curve, sizes and checksum. A regular file is
 *  written in the same directory, without a name if the file system supports that, and gets its name when it is
 *  complete, so that `path` never holds a partial table. A pipe, a device or an open descriptor (/dev/stdout,
 *  /dev/fd/7) is written directly. docs/formats.md has the bytes.
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_WRITE_FAILED */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_save(sumac_context *context, const sumac_bases *bases,
                                                       const char *path);

/** Load a table file that the caller trusts. The checksum is verified, which finds damage. Points were checked to lie
 *  on the curve when the bases were created, and are not checked again; sumac_bases_open() with a config does that.
 *  If `group` is null, the file's group is used.
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_BAD_FILE, SUMAC_BAD_CHECKSUM, SUMAC_BAD_ENCODING (a damaged coordinate
 *  may be found before the checksum is compared), SUMAC_MISMATCH, SUMAC_NOT_SUPPORTED (a table of digits in a context
 *  of a GPU), SUMAC_READ_FAILED, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_bases_open_table(sumac_context *context, const sumac_group *group,
                                                             const char *path, sumac_bases **bases);

#ifdef __cplusplus
}
#endif
#endif
