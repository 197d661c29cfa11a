/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file mpi.h
 *  @brief One MSM over the ranks of an MPI communicator: each rank has some of the bases, a shard, and all ranks receive the
 *  sum of the ranks' results. Blobs, or other items, are divided among the ranks in the same way.
 *
 *  **Collective.** All ranks of the communicator must make the same collective calls in the same order. Such a call begins
 *  and ends with an agreement. If one rank fails, or has a different group, file, size or version, all ranks return the same
 *  status and the same message, which names the lowest rank that failed, and no rank writes an output. If `ranks` is null, a
 *  call returns SUMAC_BAD_ARGUMENT on that rank alone. The description of a call names other failures that are not agreed on.
 *
 *  **A rank that dies**, or a network that fails, is handled by MPI, whose default error handler ends the job. If the
 *  communicator's handler returns instead, a call returns SUMAC_DEVICE_FAILED with MPI's message, and the ranks can
 *  only be passed to sumac_mpi_destroy().
 *
 *  **Exactness.** Results are the same bits for any number of ranks, any weights and any mix of backends.
 *
 *  **Threads.** Only the calling thread calls MPI: MPI_THREAD_FUNNELED is enough.
 *
 *  The library is libsumac_mpi, which works with the MPI that it was built with. docs/mpi.md has an example. Errors, sizes of
 *  structs and raw layout are as in sumac.h.
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

/** Bases that lie on all ranks, a shard on each. They are immutable. */
typedef struct sumac_mpi_bases sumac_mpi_bases;

/** Collective: find out if all ranks have succeeded so far, so that all of them learn of one rank's failure. A program calls
 *  this after work of its own, such as creating a context or reading a file.
 *  @param communicator an intra-communicator, on which no other communication of the program is pending
 *  @param status this rank's status; SUMAC_OK for success
 *  @param sentence the reason of a failure, shorter than SUMAC_MESSAGE_BYTES; null: the status's text
 *  @param message the message that all ranks get, such as "rank 2: ...", or "" on success; may be null
 *  @return the status of the lowest rank that failed, or SUMAC_OK if none did; SUMAC_BAD_ARGUMENT, not agreed on, if MPI
 *  is not initialised or this is not an intra-communicator */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_agree(MPI_Comm communicator, sumac_status status,
                                                      const char *sentence, sumac_message *message);

/** Collective: create the ranks of a communicator. Each rank has a context of its own, of any backend, device and number of
 *  threads.
 *  @param communicator an intra-communicator. The ranks use a copy of it, so that the program's messages do not meet the
 *  library's
 *  @param context this rank's context, which must outlive the ranks. No other call may use it while a call with the ranks is
 *  running
 *  @param ranks the new ranks, to be freed with sumac_mpi_destroy(); null on failure
 *  @param message the reason of a failure, or "" on success; may be null
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (not agreed on, if ranks is null, MPI is not initialised, or this is not an
 *  intra-communicator), SUMAC_MISMATCH (ranks of different versions), SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_create(MPI_Comm communicator, sumac_context *context,
                                                       sumac_mpi_ranks **ranks, sumac_message *message);

/** Collective: free the ranks, before MPI_Finalize(). Null is allowed if all ranks pass it. Bases remain valid. */
SUMAC_API void sumac_mpi_destroy(sumac_mpi_ranks *ranks);

/** Return the message of the last call with these ranks, or "" if it succeeded. If all ranks agreed on the failure, they
 *  return the same message. It is valid until the next call with these ranks. */
SUMAC_API const char *sumac_mpi_message(const sumac_mpi_ranks *ranks);

/* ---- Weights, in proportion to which items are divided ---- */

/** Set this rank's relative speed, for items that are divided later, or return it. All ranks begin with 1. These calls are
 *  not collective.
 *  @param weight 2 for a rank that is twice as fast as one with 1; 0 for a rank that is to get nothing
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (a weight that is less than 0, infinite, or not a number); the second function
 *  returns 0 for null */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_set_weight(sumac_mpi_ranks *ranks, double weight);
SUMAC_API double sumac_mpi_weight(const sumac_mpi_ranks *ranks);

/** Collective: set every rank's weight by a short measurement. All ranks compute MSMs of n bases at the same time, and
 *  the fastest of three runs counts.
 *  @param n about as many bases as a rank will have, because a GPU's lead over a CPU grows with them; at least 1
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, and as sumac_known_bases_create() and sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_measure_weight(sumac_mpi_ranks *ranks,
                                                               const sumac_group *group, size_t n);

/* ---- Bases over ranks ---- */

/** Collective: create bases from a file that every rank can open. Each rank reads its shard. Shards are in the order of the
 *  ranks, and in proportion to their weights.
 *
 *  All ranks' files must have the same bytes. If all ranks open one file, on one machine or on a common file system, nothing
 *  more is checked. Otherwise copies are compared by a checksum of 64 bits of all their bytes. The ranks that have the same
 *  copy divide it among them and read it in addition to their shards. A copy that differs from rank 0's is SUMAC_MISMATCH. A
 *  file that changes during the call is SUMAC_BAD_FILE.
 *
 *  @param group must not be null; the same on all ranks
 *  @param path this rank's name of the file, which must be a regular one
 *  @param format as for sumac_bases_open(), but not a trusted setup; the same on all ranks
 *  @param config as for sumac_bases_open(); the multiples are those of this rank's shard
 *  @param bases the new bases, to be freed with sumac_mpi_bases_destroy(); null on failure
 *  @return as sumac_bases_open(), and SUMAC_MISMATCH; SUMAC_NOT_SUPPORTED for a pipe; SUMAC_BAD_ARGUMENT if all
 *  weights are 0 */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_bases_open(sumac_mpi_ranks *ranks, const sumac_group *group,
                                                           const char *path, const char *format,
                                                           const sumac_bases_config *config,
                                                           sumac_mpi_bases **bases);

/** Collective: create bases from the shard that each rank has in memory.
 *  @param points this rank's points, as for sumac_bases_create(); the next rank's points follow them
 *  @param count the number of this rank's points; may be 0
 *  @param bases as for sumac_mpi_bases_open()
 *  @return as sumac_bases_create(), and SUMAC_MISMATCH */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_bases_create(sumac_mpi_ranks *ranks, const sumac_group *group,
                                                             const void *points, size_t points_bytes,
                                                             size_t count, const sumac_bases_config *config,
                                                             sumac_mpi_bases **bases);

/** Free the bases, with this rank's shard; null is allowed. This call is not collective. */
SUMAC_API void sumac_mpi_bases_destroy(sumac_mpi_bases *bases);

/** Return the number of bases on all ranks together; and this rank's shard, which belongs to the bases. These calls are not
 *  collective. */
SUMAC_API size_t sumac_mpi_bases_count(const sumac_mpi_bases *bases);
SUMAC_API const sumac_bases *sumac_mpi_bases_shard(const sumac_mpi_bases *bases);

/** Find the scalars that this rank needs for an MSM of bases [first, first + n). They are those whose bases lie in its shard:
 *  scalars [*part_first, *part_first + *part_n) of the n scalars. This call is not collective, and a failure has no message.
 *  @param part_first, part_n written only on success
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_BAD_LENGTH (there are fewer bases) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_bases_part(const sumac_mpi_bases *bases, size_t first,
                                                           size_t n, size_t *part_first, size_t *part_n);

/* ---- Scalars and sums ---- */

/** Collective: read the scalars that this rank needs (sumac_mpi_bases_part()) from a raw file that every rank can open. The
 *  file has the scalars of `batch` MSMs, one MSM after another. Files are compared as sumac_mpi_bases_open() compares them.
 *  @param path this rank's name of the file, which must be a regular one
 *  @param first the first base of each MSM
 *  @param batch the number of MSMs, at least 1
 *  @param scalars, scalars_bytes receive the new scalars and their length, for sumac_mpi_msm() with this first, n and batch.
 *  The caller frees them with sumac_free()
 *  @param n receives the number of bases of each MSM, which is the number of the file's scalars divided by the batch
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE (it changes while it is read),
 *  SUMAC_BAD_LENGTH (not a multiple of the batch, or more than there are bases), SUMAC_MISMATCH, SUMAC_NOT_SUPPORTED
 *  (a pipe), SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_scalars_read(sumac_mpi_ranks *ranks,
                                                             const sumac_mpi_bases *bases, const char *path,
                                                             size_t first, uint32_t batch, void **scalars,
                                                             size_t *scalars_bytes, size_t *n);

/** Collective: compute config->batch MSMs of bases [config->first, config->first + n), whose results all ranks
 *  receive. Every rank computes the sums over its bases. The partial results are gathered and added up on all ranks,
 *  with ranks*sumac_partial_bytes() of memory and ranks*batch additions.
 *  @param bases created with these ranks, or with others on the same processes in the same order
 *  @param scalars the scalars of each MSM that this rank needs (sumac_mpi_bases_part()), packed, one MSM after another; may
 *  be null if it needs none. No other rank reads them. If every rank has all scalars, the program must ensure that they are
 *  equal, for example by sumac_mpi_agree_on_text() with a hash of them
 *  @param n the number of bases of each MSM, on all ranks together; 0 gives infinity
 *  @param config null for the defaults. first, batch, scalar_bits and cut_scalars must be equal on all ranks, as n must.
 *  Other fields may differ: scalar_form, scalar_bytes and scalar_signed describe this rank's scalars
 *  @param results receives batch raw canonical points, on the host; written only on success
 *  @return as sumac_msm(), and SUMAC_MISMATCH; SUMAC_NOT_SUPPORTED for base_sets and offsets, and for results
 *  in Montgomery form or on a device */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_msm(sumac_mpi_ranks *ranks, const sumac_mpi_bases *bases,
                                                    const void *scalars, size_t scalars_bytes, size_t n,
                                                    const sumac_msm_config *config, void *results,
                                                    size_t results_bytes);

/* ---- Independent items, such as blobs (kzg.h), of which each rank computes some ---- */

/** Collective: find the items, of `count`, that this rank gets: [*part_first, *part_first + *part_count). Rank 0 gets the first
 *  items, rank 1 the next ones, and so on, in proportion to their weights.
 *  @param count the number of items, the same on all ranks
 *  @param part_first, part_count written only on success; *part_count is 0 for a rank whose weight is 0, and for some ranks
 *  if there are more ranks than items
 *  @return SUMAC_OK, SUMAC_MISMATCH, SUMAC_BAD_ARGUMENT (also if all weights are 0) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_part(sumac_mpi_ranks *ranks, size_t count, size_t *part_first,
                                                     size_t *part_count);

/** Collective: check that all ranks have the same text, for example of options.
 *  @param name what the text is, for the message "another <name> than rank 0's"
 *  @return SUMAC_OK, SUMAC_MISMATCH, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_agree_on_text(sumac_mpi_ranks *ranks, const char *name,
                                                              const char *text);

/** Collective: check that all ranks' files are equal, as sumac_mpi_bases_open() does. Use this for a file that each rank
 *  reads as a whole, for example a trusted setup.
 *  @param name what the file is, as for sumac_mpi_agree_on_text()
 *  @param path this rank's name of the file, which must be a regular one
 *  @return SUMAC_OK, SUMAC_MISMATCH, SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE (it gets shorter
 *  meanwhile), SUMAC_NOT_SUPPORTED (a pipe), SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_agree_on_file(sumac_mpi_ranks *ranks, const char *name,
                                                              const char *path);

/** Collective: read the records that this rank gets (sumac_mpi_part()) from a file that every rank can open. Files are
 *  compared as sumac_mpi_bases_open() compares them.
 *  @param path this rank's name of the file, which must be a regular one
 *  @param record_bytes the bytes of each record, at least 1
 *  @param records, count receive this rank's records and their number. The caller frees the records with sumac_free(). All
 *  outputs are written only on success
 *  @param first receives the index of this rank's first record; may be null
 *  @param n receives the number of all records in the file; may be null
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE (it changes while it is read),
 *  SUMAC_BAD_LENGTH (not a whole number of records), SUMAC_MISMATCH, SUMAC_NOT_SUPPORTED (a pipe),
 *  SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_records_read(sumac_mpi_ranks *ranks, const char *path,
                                                             size_t record_bytes, void **records,
                                                             size_t *count, size_t *first, size_t *n);

/** The function to which sumac_mpi_gather() passes the next data_bytes bytes. If it returns another status than SUMAC_OK, the
 *  call ends with that status on all ranks. */
typedef sumac_status (*sumac_mpi_receiver)(void *user, const void *data, size_t data_bytes);

/** Collective: send the bytes of all ranks, in the order of the ranks, to rank 0. This takes 4 MiB of memory there.
 *  @param part the bytes of this rank, of which each rank may have another number; may be null if there are none
 *  @param receive rank 0 calls it with one piece after another, until it has got all bytes or fails; other ranks ignore it
 *  @param user passed to receive
 *  @return SUMAC_OK, the status that receive returned, SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_gather(sumac_mpi_ranks *ranks, const void *part,
                                                       size_t part_bytes, sumac_mpi_receiver receive,
                                                       void *user);

#ifdef __cplusplus
}
#endif

#endif
