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

typedef struct sumac_files_config {
    size_t size;
    const char *format;        /**< of the bases, as for sumac_bases_open(): any but a trusted
                             setup, and a table without multiples; null: a table if the file begins like one, else
                             raw */
    uint32_t check;            /**< of the bases; by default that they lie on the curve */
    uint32_t outside_subgroup; /**< 1: bases may lie outside the subgroup */
    uint64_t first; /**< the first base and scalar that are used; of a table, whose checksum is that of
                             all points, 0 */
    uint64_t n;     /**< how many; 0: all that follow `first`, of which the files must have equally many */
    /** The most bytes of host memory that the call uses for a chunk's bases and scalars, buffers and the workspace.
     *  0: the context's memory_limit or, if that is 0, half of the free memory. A GPU also holds a chunk's bases and
     *  scalars if they need at most half of its memory; the context's memory_limit bounds its workspace. */
    uint64_t memory_limit;
    uint64_t chunk; /**< bases of a chunk; 0: what the planner predicts to be fastest within the limit */
    /** A checkpoint file, from which interrupted work continues; null: none. If the file exists, it must be a
     *  checkpoint of this MSM. Otherwise it is created, and removed again if the call fails before a chunk is in it.
     *  It is always replaced as a whole, and remains after the call: a repeated call returns the same result from it,
     *  until the caller removes it. A descriptor, a device or a pipe is SUMAC_NOT_SUPPORTED. */
    const char *checkpoint;
    /** The least number of milliseconds from one checkpoint to the next; 0: 2000. The last checkpoint, with the result, is
     *  written if possible: the one before it leads to the same result. */
    uint64_t checkpoint_milliseconds;
} sumac_files_config;

/** What a call did. */
typedef struct sumac_files_report {
    size_t size;
    uint64_t n;            /**< bases and scalars of the MSM */
    uint64_t resumed;      /**< how many of them the checkpoint had */
    uint64_t chunk;        /**< bases of a chunk, at most */
    uint64_t memory_bytes; /**< of the host's memory, of memory_limit: what was planned for */
    double load_seconds;   /**< seconds of waiting for bytes and importing bases from them */
    double msm_seconds;    /**< seconds of multiplying */
} sumac_files_report;

/**
 * Compute one MSM of the bases in one file and the scalars in another, within bounded memory. The result is that of
 * sumac_msm(), whatever the chunks.
 *
 * Both must be regular files. A separate thread, with a GPU up to 16 threads, reads them while the context's threads
 * or the GPU import and multiply. The context's progress() covers the whole call; if it ends the call, the last
 * checkpoint remains. The call fails if a file is truncated, grows or is written to meanwhile, as its length and time
 * of modification show, or if a table's checksum does not match.
 *
 * @param context      its workspace is released if it exceeds what the limit allows
 * @param bases_path, scalars_path  scalars are raw, as for sumac_scalars_read()
 * @param config       null for the defaults
 * @param msm_config   null for the defaults; batch 1, first 0, on the host
 * @param result       a raw affine point of point_bytes, written on success
 * @param report       whose size is set, or null; written on success
 * @return as sumac_bases_open() and sumac_msm(), and SUMAC_NOT_SUPPORTED (a pipe, another format, a table
 * with multiples), SUMAC_BAD_LENGTH (not as many scalars as bases, or fewer than first + n),
 * SUMAC_MEMORY_LIMIT (the message says how many bytes were missing), SUMAC_BAD_FILE (a file that changed),
 * SUMAC_BAD_CHECKSUM; with a checkpoint SUMAC_MISMATCH (one of another MSM), SUMAC_BAD_FILE (no checkpoint,
 * or one of another version), SUMAC_WRITE_FAILED
 */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_msm_files(sumac_context *context, const sumac_group *group,
                                                      const char *bases_path, const char *scalars_path,
                                                      const sumac_files_config *config,
                                                      const sumac_msm_config *msm_config, void *result,
                                                      sumac_files_report *report);

#ifdef __cplusplus
}
#endif
#endif
