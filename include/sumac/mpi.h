/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file mpi.h
 *  @brief One MSM over the ranks of an MPI communicator: each rank owns a part of the bases, a shard, and all ranks
 *  receive the sum of the ranks' results. Also blobs, or other items, of which each rank computes its part.
 *
 *  **Collective.** All ranks of the communicator make a collective call, in the same order. It begins and ends with
 *  an agreement: if one rank fails, or has a different curve, file, size or version, all return the same status and
 *  the same message, which names the lowest rank that failed. Then nothing is written on any rank. Each call
 *  documents which failures are not agreed on.
 *
 *  **A rank that dies**, or a network that fails, is handled by MPI, whose default error handler ends the job. If the
 *  communicator's handler returns instead, a call returns SUMAC_DEVICE_FAILED with MPI's message, and the ranks can
 *  only be passed to sumac_mpi_destroy().
 *
 *  **Exactness.** Results are the same bits for any number of ranks, any weights and any mix of backends.
 *
 *  **Threads.** MPI is called on the calling thread alone: MPI_THREAD_FUNNELED is enough.
 *
 *  The library is libsumac_mpi, made for the MPI that it was built with. Errors, sizes of structs and raw
 *  layout are as in sumac.h.
 */
#ifndef SUMAC_MPI_H
#define SUMAC_MPI_H

#include <mpi.h>

#include "sumac/sumac.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A rank of a communicator. Only one thread at a time may call functions with it or with objects created by it. */
typedef struct sumac_mpi_ranks sumac_mpi_ranks;

/** Bases that lie on all ranks, a shard on each. Immutable. */
typedef struct sumac_mpi_bases sumac_mpi_bases;

/** Collective: find out if all ranks succeeded so far, so that all of them learn of one rank's failure. This is for a
 *  program's work between the other calls, such as creating a context or reading a file.
 *  @param communicator an intra-communicator, on which no other communication of the program is pending
 *  @param status this rank's status; SUMAC_OK for success
 *  @param sentence the reason of a failure, shorter than SUMAC_MESSAGE_BYTES; null: the status' text
 *  @param message the message that all ranks get: "rank 2: ..."; "" on success; may be null
 *  @return the status of the lowest rank that failed, SUMAC_OK if none did; SUMAC_BAD_ARGUMENT, not agreed on, if MPI
 *  is not initialised */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_agree(MPI_Comm communicator, sumac_status status,
                                                      const char *sentence, sumac_message *message);

/** Collective: create the ranks of a communicator, each with a separate context, of any backend, device and number of
 *  threads.
 *  @param communicator an intra-communicator; a copy of it is used, so that the program's messages do not meet the
 *  library's
 *  @param context this rank's context, which must outlive the ranks; no other call may use it at the same time
 *  @param ranks the new handle, to be freed with sumac_mpi_destroy(); null on failure
 *  @param message the reason of a failure; "" on success; may be null
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (not agreed on, if ranks is null or MPI is not initialised), SUMAC_MISMATCH
 *  (ranks of different versions), SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_create(MPI_Comm communicator, sumac_context *context,
                                                       sumac_mpi_ranks **ranks, sumac_message *message);

/** Collective, before MPI_Finalize(): free the ranks; null is allowed if all ranks pass it. Bases remain valid. */
SUMAC_API void sumac_mpi_destroy(sumac_mpi_ranks *ranks);

/** Return the message of the last failed call with these ranks, which is the same on all of them, or ""; valid until
 *  the next call. */
SUMAC_API const char *sumac_mpi_message(const sumac_mpi_ranks *ranks);

/* ---- Weights, in proportion to which items are divided ---- */

/** Not collective: set this rank's relative speed, for items that are divided later. All ranks begin with 1.
 *  @param weight 2 for a rank that is twice as fast as one with 1; 0 for a rank that is to get nothing
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (less than 0, or not a number) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_set_weight(sumac_mpi_ranks *ranks, double weight);
SUMAC_API double sumac_mpi_weight(const sumac_mpi_ranks *ranks);

/** Collective: set every rank's weight by a short measurement. All ranks compute MSMs of n bases at the same time;
 *  the fastest of three runs counts.
 *  @param n about as many bases as a rank will have, because a GPU's lead over a CPU grows with them
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, and as sumac_known_bases_create() and sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_measure_weight(sumac_mpi_ranks *ranks,
                                                               const sumac_group *group, size_t n);

/* ---- Bases over ranks ---- */

/** Collective: create bases from a file that every rank can open; each rank reads its shard. Shards are in the order
 *  of the ranks, and in proportion to their weights.
 *
 *  All ranks' files must have the same bytes. Ranks that opened one file, on one machine or on a shared file system,
 *  need no proof of that. Copies are compared byte by byte, with a checksum of 64 bits: the ranks that share a copy
 *  read it together, in addition to their shards, and a copy that differs from rank 0's is SUMAC_MISMATCH. A file
 *  that changes during the call is SUMAC_BAD_FILE.
 *
 *  @param path a regular file, by this rank's name for it
 *  @param format as for sumac_bases_open(), but no trusted setup's; the same on all ranks
 *  @param config as for sumac_bases_open(); multiples are those of the rank's shard
 *  @param bases freed with sumac_mpi_bases_destroy(); null on failure
 *  @return as sumac_bases_open(), and SUMAC_MISMATCH; SUMAC_NOT_SUPPORTED for a pipe; SUMAC_BAD_ARGUMENT if all
 *  weights are 0 */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_bases_open(sumac_mpi_ranks *ranks, const sumac_group *group,
                                                           const char *path, const char *format,
                                                           const sumac_bases_config *config,
                                                           sumac_mpi_bases **bases);

/** Collective: create bases from each rank's memory, which holds its shard.
 *  @param points, points_bytes this rank's points, as for sumac_bases_create(); the next rank's points follow them
 *  @param count of this rank's points, 0 included
 *  @return as sumac_bases_create(), and SUMAC_MISMATCH */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_bases_create(sumac_mpi_ranks *ranks, const sumac_group *group,
                                                             const void *points, size_t points_bytes,
                                                             size_t count, const sumac_bases_config *config,
                                                             sumac_mpi_bases **bases);

/** Not collective: free this rank's shard; null is allowed. */
SUMAC_API void sumac_mpi_bases_destroy(sumac_mpi_bases *bases);

/** Return the number of bases on all ranks; and this rank's shard, which belongs to the bases. */
SUMAC_API size_t sumac_mpi_bases_count(const sumac_mpi_bases *bases);
SUMAC_API const sumac_bases *sumac_mpi_bases_shard(const sumac_mpi_bases *bases);

/** Find which scalars of an MSM of bases [first, first + n) this rank must have: [*part_first, *part_first + *part_n)
 *  of the n scalars, whose bases are in its shard. Not collective.
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_BAD_LENGTH (fewer bases) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_bases_part(const sumac_mpi_bases *bases, size_t first,
                                                           size_t n, size_t *part_first, size_t *part_n);

/* ---- Scalars and sums ---- */

/** Collective: read this rank's part of the scalars in a raw file that every rank can open and that holds the scalars
 *  of `batch` MSMs, one MSM after another. Files are compared as those of bases are.
 *  @param path a regular file
 *  @param first the first base of each MSM
 *  @param batch the number of MSMs, at least 1
 *  @param scalars, scalars_bytes malloc'd, for sumac_mpi_msm() with this first, n and batch; freed with sumac_free()
 *  @param n receives the number of bases of each MSM: the file's scalars divided by the batch
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE (it changes while it is read),
 *  SUMAC_BAD_LENGTH (not a multiple of the batch, or more than there are bases), SUMAC_MISMATCH, SUMAC_NOT_SUPPORTED
 *  (a pipe), SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_scalars_read(sumac_mpi_ranks *ranks,
                                                             const sumac_mpi_bases *bases, const char *path,
                                                             size_t first, uint32_t batch, void **scalars,
                                                             size_t *scalars_bytes, size_t *n);

/** Collective: compute config->batch MSMs of bases [config->first, config->first + n), whose results all ranks
 *  receive. Every rank computes the sums over its bases; the partial results are gathered and added up on all ranks,
 *  with ranks*sumac_partial_bytes() of memory and ranks*batch additions.
 *  @param bases created with these ranks, or with others on the same processes in the same order
 *  @param scalars this rank's part of each MSM's scalars (sumac_mpi_bases_part()), batch times, packed; may be null
 *  if the part is empty. No other rank reads them: a program whose ranks hold all scalars, not only their parts, must
 *  ensure that these are equal, for example by sumac_mpi_agree_on_text() with a hash of them
 *  @param n bases of each MSM, on all ranks together; 0 gives infinity
 *  @param config null for the defaults; n, first, batch, scalar_bits and cut_scalars must be equal on all ranks, the
 *  others may differ; scalar_form, scalar_bytes and scalar_signed describe this rank's scalars
 *  @param results, results_bytes batch raw affine points, canonical, on the host; written only on success
 *  @return as sumac_msm(), and SUMAC_MISMATCH; SUMAC_NOT_SUPPORTED for base_sets and offsets, and for results
 *  in Montgomery form or on a device */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_msm(sumac_mpi_ranks *ranks, const sumac_mpi_bases *bases,
                                                    const void *scalars, size_t scalars_bytes, size_t n,
                                                    const sumac_msm_config *config, void *results,
                                                    size_t results_bytes);

/* ---- Independent items, such as blobs (kzg.h), of which each rank computes a part ---- */

/** Collective: find which of n items belong to this rank, [*first, *first + *count). Parts are in the order of the
 *  ranks, and in proportion to their weights.
 *  @param n the same on all ranks
 *  @param first, count written only on success; *count is 0 for a rank whose weight is 0, and for some ranks if there
 *  are more ranks than items
 *  @return SUMAC_OK, SUMAC_MISMATCH, SUMAC_BAD_ARGUMENT (also if all weights are 0) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_part(sumac_mpi_ranks *ranks, size_t n, size_t *first,
                                                     size_t *count);

/** Collective: require that all ranks have the same text, for example of options.
 *  @param name the text's name, for the message "another <name> than rank 0's"
 *  @return SUMAC_OK, SUMAC_MISMATCH, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_agree_on_text(sumac_mpi_ranks *ranks, const char *name,
                                                              const char *text);

/** Collective: require that all ranks' files are equal, compared as those of bases are. This is for a file that each
 *  rank reads as a whole, for example a trusted setup.
 *  @param name as for sumac_mpi_agree_on_text()
 *  @param path a regular file, by this rank's name for it
 *  @return SUMAC_OK, SUMAC_MISMATCH, SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE (it gets shorter
 *  meanwhile), SUMAC_NOT_SUPPORTED (a pipe), SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_agree_on_file(sumac_mpi_ranks *ranks, const char *name,
                                                              const char *path);

/** Collective: read this rank's part of a file of equal-sized records that every rank can open. Files are compared as
 *  those of bases are.
 *  @param path a regular file
 *  @param n, first the number of the file's records, and the index of this rank's first one; may be null. All outputs
 *  are written only on success
 *  @param records, count this rank's records: count*record_bytes bytes, malloc'd, freed with sumac_free()
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE (it changes while it is read),
 *  SUMAC_BAD_LENGTH (not a whole number of records), SUMAC_MISMATCH, SUMAC_NOT_SUPPORTED (a pipe),
 *  SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_records_read(sumac_mpi_ranks *ranks, const char *path,
                                                             size_t record_bytes, void **records,
                                                             size_t *count, size_t *first, size_t *n);

/** The function to which sumac_mpi_gather() passes the next bytes. Any status but SUMAC_OK ends the call with that
 *  status, on all ranks. */
typedef sumac_status (*sumac_mpi_receiver)(void *user, const void *data, size_t data_bytes);

/** Collective: pass all ranks' parts, in the order of the ranks, to rank 0, piece by piece, with 4 MiB of memory.
 *  @param part, part_bytes this rank's part; the number of bytes may differ between ranks
 *  @param receive on rank 0: called until all bytes have arrived, or until it fails; ignored on the other ranks
 *  @return SUMAC_OK, the status that receive returned, SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_gather(sumac_mpi_ranks *ranks, const void *part,
                                                       size_t part_bytes, sumac_mpi_receiver receive,
                                                       void *user);

#ifdef __cplusplus
}
#endif

#endif
