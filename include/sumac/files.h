/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file files.h
 *  @brief MSMs of files that are larger than memory: bases and scalars come chunk by chunk, and interrupted
 * work goes on from a checkpoint.
 *
 *  Errors, threads and sizes are as in sumac.h. docs/files.md has the checkpoint's bytes and what is
 * measured.
 */
#ifndef SUMAC_FILES_H
#define SUMAC_FILES_H

#include "sumac/sumac.h"

#ifdef __cplusplus
extern "C" {
#endif

/** In place of a number of bases: all that there are. */
#define SUMAC_ALL_BASES UINT64_MAX

typedef struct sumac_files_config {
    size_t size;
    const char *format;        /**< of the bases, as for sumac_bases_open(): any but a trusted
                             setup, and a table without multiples; null: a table if the file begins like one, else
                             raw */
    sumac_check check;         /**< of the bases; by default that they lie on the curve */
    uint32_t outside_subgroup; /**< 1: bases may lie outside the subgroup */
    uint64_t first; /**< the first base and scalar that are used; of a table, whose checksum is that of
                             all points, 0 */
    uint64_t n;     /**< how many; SUMAC_ALL_BASES (the default): all, of which the files have as many */
    /** Most bytes of the host's memory that the call takes: a chunk's bases and scalars, buffers, and the
     * workspace. 0: the context's memory_limit; if that is 0, too, half of what the system has left. A GPU's
     * memory has a chunk's bases and scalars, too, if they need no more than half of it; its workspace is
     * bounded by the context's memory_limit. */
    uint64_t memory_limit;
    uint64_t chunk; /**< bases of a chunk; 0: what the planner predicts to be fastest within the limit */
    /** A file for interrupted work; null: none. If it is there it has to be a checkpoint of this MSM, and the
     * work goes on from there; else it is made, and removed again by a call that fails before a chunk is in
     * it. It is replaced as a whole, and stays when the call is done: the same call gives the same result
     * from it, until the caller removes it. A descriptor, a device or a pipe is SUMAC_NOT_SUPPORTED. */
    const char *checkpoint;
    double checkpoint_seconds; /**< the least time from one checkpoint to the next; default 2; 0: after each
                                  chunk. The last one, of the result, is written if it can be: the one before
                                  it leads to the same result */
} sumac_files_config;

/** Write the defaults that sumac_files_config_default() returns to a struct of `size` bytes. Bindings call it. */
SUMAC_API void sumac_files_config_init(sumac_files_config *config, size_t size);

/** The defaults: all bases and scalars, every base on the curve, half of the memory that is left, no checkpoint. */
static inline sumac_files_config sumac_files_config_default(void)
{
    sumac_files_config config;
    sumac_files_config_init(&config, sizeof config);
    return config;
}

/** How a call went about it. */
typedef struct sumac_files_report {
    size_t size;
    uint64_t n;            /**< bases and scalars of the MSM */
    uint64_t resumed;      /**< so many of them were done in the checkpoint */
    uint64_t chunk;        /**< bases of a chunk, at most */
    uint64_t memory_bytes; /**< of the host's memory, of memory_limit: what was planned for */
    double load_seconds;   /**< of the call: waiting for bytes, and importing bases from them */
    double msm_seconds;    /**< and multiplying */
} sumac_files_report;

/** Write the defaults that sumac_files_report_default() returns to a struct of `size` bytes. Bindings call it. */
SUMAC_API void sumac_files_report_init(sumac_files_report *report, size_t size);

/** No report yet, for sumac_msm_files() to write. */
static inline sumac_files_report sumac_files_report_default(void)
{
    sumac_files_report report;
    sumac_files_report_init(&report, sizeof report);
    return report;
}

/**
 * One MSM of the bases in one file and the scalars in another, through bounded memory. The result is
 * sumac_msm()'s, whatever the chunks.
 *
 * Both are regular files. A thread of the call's own, with a GPU up to 16 of them, reads them while the context's threads or
 * the GPU import and multiply; the context's progress() hears of the whole call. If it ends the call, the last checkpoint stays.
 * Files that are cut off, grow or are written to meanwhile, as their length and time of modification tell,
 * fail the call, and so does a table whose checksum does not match.
 *
 * @param context      its workspace is given back where it is larger than the limit leaves room for
 * @param bases_path, scalars_path  scalars are raw, as for sumac_scalars_read()
 * @param config       null for the defaults
 * @param msm_config   null for the defaults; batch 1, first 0, on the host and without a stream
 * @param result       a raw affine point of point_bytes, written on success
 * @param report       of sumac_files_report_default(), or null; written on success
 * @return as sumac_bases_open() and sumac_msm(), and SUMAC_NOT_SUPPORTED (a pipe, another format, a table
 * with multiples), SUMAC_BAD_LENGTH (not as many scalars as bases, or fewer than first + n),
 * SUMAC_MEMORY_LIMIT (the message says how many bytes were missing), SUMAC_BAD_FILE (a file that changed),
 * SUMAC_BAD_CHECKSUM; with a checkpoint SUMAC_MISMATCH (one of another MSM), SUMAC_BAD_FILE (no checkpoint,
 * or one of another version), SUMAC_WRITE_FAILED
 */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_files(sumac_context *context, const sumac_curve *curve,
                                                      const char *bases_path, const char *scalars_path,
                                                      const sumac_files_config *config,
                                                      const sumac_msm_config *msm_config, void *result,
                                                      sumac_files_report *report);

#ifdef __cplusplus
}
#endif
#endif
