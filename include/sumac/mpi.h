/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file mpi.h
 *  @brief One MSM over the ranks of an MPI communicator: each rank owns a part of the bases, a shard, and the
 *  sum of what the ranks compute is the result on all of them. And many blobs, or other things, of which each
 *  rank computes its part.
 *
 *  **Collective.** A call that is collective is made by all ranks of the communicator, in the same order. It
 * begins and ends with an agreement: where one rank fails, or has another curve, file, size or version, all
 * return the same status, and the same sentence, which names the rank of the lowest number that failed.
 * Nothing is written then on any rank. What cannot be agreed on is said at the call.
 *
 *  **A rank that dies**, or a network that fails, is MPI's to handle: with its default error handler it ends
 * the job. Where the communicator's handler returns instead, a call gives SUMAC_DEVICE_FAILED with MPI's
 * sentence, and the ranks are good for sumac_mpi_destroy() only.
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

/** A rank's place among the ranks of a communicator. Its calls, and those with what it made, take one thread
 * at a time. */
typedef struct sumac_mpi_ranks sumac_mpi_ranks;

/** Bases that lie on all ranks, a shard on each. Immutable. */
typedef struct sumac_mpi_bases sumac_mpi_bases;

/** Collective: whether all ranks are well. For what programs do between the other calls, as creating a
 * context or reading a file, so that one rank's failure becomes everyone's.
 *  @param communicator an intra-communicator; nothing else of the program's may be under way on it
 *  @param status this rank's; SUMAC_OK if it is well
 *  @param sentence why it is not, less than SUMAC_MESSAGE_BYTES; null: the status' own
 *  @param message the sentence that all ranks get: "rank 2: ..."; "" on success; null: nowhere
 *  @return the status of the failed rank of the lowest number, SUMAC_OK if there is none; SUMAC_BAD_ARGUMENT,
 * unagreed, where MPI is not initialised */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_agree(MPI_Comm communicator, sumac_status status,
                                                      const char *sentence, sumac_message *message);

/** Collective: make the ranks of a communicator, each with a context of its own, of any backend, device and
 * number of threads.
 *  @param communicator an intra-communicator; a copy of it is used, so that the program's own messages do not
 * meet the library's
 *  @param context this rank's, which outlives the ranks; no other call uses it at the same time
 *  @param ranks the new handle, to be freed with sumac_mpi_destroy(); null on failure
 *  @param message the sentence on why there are none; "" on success; null: nowhere
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (unagreed, where ranks is null or MPI is not initialised), SUMAC_MISMATCH (ranks of different versions), SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_create(MPI_Comm communicator, sumac_context *context,
                                                       sumac_mpi_ranks **ranks, sumac_message *message);

/** Collective, before MPI_Finalize(): free the ranks; null is allowed on all of them together. Bases live on.
 */
SUMAC_API void sumac_mpi_destroy(sumac_mpi_ranks *ranks);

/** The sentence on the last call with these ranks that failed, the same on all of them, or ""; valid until
 * the next. */
SUMAC_API const char *sumac_mpi_message(const sumac_mpi_ranks *ranks);

/* ---- Weights: how things are parted ---- */

/** Of this rank alone: its speed beside the others', for what is parted later. All begin with 1.
 *  @param weight 2 for a rank that is twice as fast as one with 1; 0 for one that is to have nothing
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT (less than 0, or no number) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_set_weight(sumac_mpi_ranks *ranks, double weight);
SUMAC_API double sumac_mpi_weight(const sumac_mpi_ranks *ranks);

/** Collective: set every rank's weight by a short run. All ranks compute MSMs of n bases at the same time, as
 * they will; the fastest of three counts.
 *  @param n about what a rank will have: a GPU is ahead of a CPU by more, the more there is
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, and as sumac_known_bases_create() and sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_measure_weight(sumac_mpi_ranks *ranks,
                                                               const sumac_curve *curve, size_t n);

/* ---- Bases over ranks ---- */

/** Collective: bases from a file that every rank can open, each reading its own shard. Shards are in the
 * order of the ranks, and in proportion to their weights.
 *
 * All ranks' files must have the same bytes. Ranks that opened one file, on one machine or on a file system
 * that several share, need no proof of that. Of copies every byte is compared, by a checksum of 64 bits: the
 * ranks that have one copy read it together, beside their shards, and one that is not rank 0's is
 * SUMAC_MISMATCH. A file that changes between the call's begin and its end is SUMAC_BAD_FILE.
 *
 *  @param path a regular file, by this rank's name for it
 *  @param format as for sumac_bases_open_part(); the same on all ranks
 *  @param config as for sumac_bases_open(): multiples are those of the rank's own shard
 *  @param bases freed with sumac_mpi_bases_destroy(); null on failure
 *  @return as sumac_bases_open_part(), and SUMAC_MISMATCH; SUMAC_NOT_SUPPORTED for a pipe; SUMAC_BAD_ARGUMENT
 * where all weights are 0 */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_bases_open(sumac_mpi_ranks *ranks, const sumac_curve *curve,
                                                           const char *path, const char *format,
                                                           const sumac_bases_config *config,
                                                           sumac_mpi_bases **bases);

/** Collective: bases from each rank's memory, which holds its own shard.
 *  @param points n of this rank, as for sumac_bases_create(); the next rank's follow them
 *  @param n any number, 0 included
 *  @return as sumac_bases_create(), and SUMAC_MISMATCH */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_bases_create(sumac_mpi_ranks *ranks, const sumac_curve *curve,
                                                             const void *points, size_t n,
                                                             const sumac_bases_config *config,
                                                             sumac_mpi_bases **bases);

/** Of this rank alone: free its shard; null is allowed. */
SUMAC_API void sumac_mpi_bases_destroy(sumac_mpi_bases *bases);

/** The number of bases on all ranks, and this rank's shard, which belongs to the bases. */
SUMAC_API size_t sumac_mpi_bases_count(const sumac_mpi_bases *bases);
SUMAC_API const sumac_bases *sumac_mpi_bases_shard(const sumac_mpi_bases *bases);

/** Which scalars of an MSM of bases [first, first + n) this rank has to have: [*part_first, *part_first +
 * *part_n) of its n, those whose bases are in its shard. Talks to no other rank.
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_BAD_LENGTH (fewer bases) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_bases_part(const sumac_mpi_bases *bases, size_t first,
                                                           size_t n, size_t *part_first, size_t *part_n);

/* ---- Scalars and sums ---- */

/** Collective: this rank's part of the scalars in a raw file that every rank can open and that holds `batch`
 * MSMs' scalars, MSM after MSM. Files are compared as those of bases are.
 *  @param path a regular file
 *  @param first the first base of each MSM
 *  @param batch how many MSMs, at least 1
 *  @param scalars malloc'd, for sumac_mpi_msm() with this first, n and batch; freed with sumac_free()
 *  @param n receives how many bases each MSM has: what the file holds divided by the batch
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE (it changes while it is read),
 * SUMAC_BAD_LENGTH (no multiple of the batch, or more than there are bases), SUMAC_MISMATCH,
 * SUMAC_NOT_SUPPORTED (a pipe), SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_scalars_read(sumac_mpi_ranks *ranks,
                                                             const sumac_mpi_bases *bases, const char *path,
                                                             size_t first, uint32_t batch, void **scalars,
                                                             size_t *n);

/** Collective: config->batch MSMs of bases [config->first, config->first + n) and scalars, whose results all
 * ranks get. Every rank adds its own bases up; the partial results are gathered on all ranks and added up
 * there: ranks*sumac_partial_bytes() of memory, and ranks*batch additions.
 *  @param bases made with these ranks, or with others on the same processes in the same order
 *  @param scalars this rank's part of each MSM's (sumac_mpi_bases_part()), batch times, packed; may be null
 * where it has none. No other rank looks at them: a program whose ranks hold all scalars, and not their parts
 * alone, sees to it that these are the same, by sumac_mpi_agree_on_text() with a hash of them say
 *  @param n bases of each MSM, on all ranks together; 0 gives infinity
 *  @param config null for the defaults; n, first, batch, scalar_bits and cut_scalars must be the same on all
 * ranks, the others may differ; scalar_form, scalar_bytes and scalar_signed are those of this rank's scalars
 *  @param results batch raw affine points, canonical, on the host; written only on success
 *  @return as sumac_msm(), and SUMAC_MISMATCH; SUMAC_NOT_SUPPORTED for separate_bases, for a stream, and for
 * results in Montgomery form or on a device */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_msm(sumac_mpi_ranks *ranks, const sumac_mpi_bases *bases,
                                                    const void *scalars, size_t n,
                                                    const sumac_msm_config *config, void *results);

/* ---- Things that are computed one by one: each rank its part, as blobs (kzg.h) ---- */

/** Collective: which of n things are this rank's, [*first, *first + *count): parts are in the order of the
 * ranks, and in proportion to their weights.
 *  @param n the same on all ranks
 *  @param first, count written only on success; *count is 0 for a rank whose weight is 0, or of more ranks
 * than things
 *  @return SUMAC_OK, SUMAC_MISMATCH, SUMAC_BAD_ARGUMENT (where all weights are 0, too) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_part(sumac_mpi_ranks *ranks, size_t n, size_t *first,
                                                     size_t *count);

/** Collective: all ranks have the same text, options say.
 *  @param name what it is, for the sentence "another <name> than rank 0's"
 *  @return SUMAC_OK, SUMAC_MISMATCH, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_agree_on_text(sumac_mpi_ranks *ranks, const char *name,
                                                              const char *text);

/** Collective: all ranks' files are the same, compared as those of bases are; for one that each rank reads as
 * a whole, a trusted setup say.
 *  @param name as for sumac_mpi_agree_on_text()
 *  @param path a regular file, by this rank's name for it
 *  @return SUMAC_OK, SUMAC_MISMATCH, SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE (it gets shorter
 * meanwhile), SUMAC_NOT_SUPPORTED (a pipe), SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_agree_on_file(sumac_mpi_ranks *ranks, const char *name,
                                                              const char *path);

/** Collective: this rank's part of a file of records of one size that every rank can open. Files are compared
 * as those of bases are.
 *  @param path a regular file
 *  @param n, first written only on success, as the others; may be null: the file's records, and which of them
 * this rank's first one is
 *  @param count, records the rank's: count*record_bytes bytes, freed with sumac_free()
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_READ_FAILED, SUMAC_BAD_FILE (it changes while it is read),
 * SUMAC_BAD_LENGTH (no whole number of records), SUMAC_MISMATCH, SUMAC_NOT_SUPPORTED (a pipe),
 * SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_records_read(sumac_mpi_ranks *ranks, const char *path,
                                                             size_t record_bytes, void **records,
                                                             size_t *count, size_t *first, size_t *n);

/** What sumac_mpi_gather() gives the next bytes to; any status but SUMAC_OK ends the call with it, on all
 * ranks. */
typedef sumac_status (*sumac_mpi_receiver)(void *user, const void *bytes, size_t count);

/** Collective: rank 0 gets all ranks' parts in the order of the ranks, piece by piece: 4 MiB of memory.
 *  @param part, bytes this rank's; any number of bytes, which may be another on each rank
 *  @param receive of rank 0: called until all are there, or until it fails; ignored on the others
 *  @return SUMAC_OK, what receive returned, SUMAC_OUT_OF_MEMORY, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_mpi_gather(sumac_mpi_ranks *ranks, const void *part, size_t bytes,
                                                       sumac_mpi_receiver receive, void *user);

#ifdef __cplusplus
}
#endif

#endif
