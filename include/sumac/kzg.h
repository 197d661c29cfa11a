/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file kzg.h
 *  @brief KZG commitments and proofs for Ethereum's blobs over BLS12-381, with the bytes that the consensus specification
 *  gives them: EIP-4844 (blobs) and EIP-7594 (cells).
 *
 *  **Encodings.** A field element is 32 bytes, big-endian, less than r. A blob is 4096 elements. A cell is 64 of the 8192
 *  elements of an extended blob. A commitment or proof is a compressed point of G1 (48 bytes). Infinity is allowed, and every
 *  point that comes in is checked to lie in the subgroup.
 *
 *  **Errors.** Bytes that are no element or point are SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE or SUMAC_NOT_IN_SUBGROUP. An
 *  index or a number that the specification does not allow is SUMAC_BAD_ARGUMENT. sumac_context_message() names the blob,
 *  cell, commitment, proof or element. If a proof does not hold, that is no error: the call returns SUMAC_OK, and *ok is 0.
 *  Outputs are written only on success. A call without @return returns these statuses, or those of sumac_msm().
 *
 *  Each call takes any number of blobs or cells, which lie one after another. One call for several is faster than several
 *  calls, because all threads of the context work on its checks and sums together. For count 0 the arrays may be null.
 *
 *  **Devices.** A setup that a context of several devices created is whole on each of them. The devices divide the blobs of a
 *  call among them, but only the first one verifies. Such a setup must be used with contexts of the same devices in the same
 *  order, otherwise SUMAC_BAD_ARGUMENT. Example: examples/kzg.c.
 */
#ifndef SUMAC_KZG_H
#define SUMAC_KZG_H

#include "sumac/sumac.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Sizes of EIP-4844, in bytes except SUMAC_KZG_FIELD_ELEMENTS. */
#define SUMAC_KZG_FIELD_ELEMENTS 4096
#define SUMAC_KZG_ELEMENT_BYTES 32
#define SUMAC_KZG_BLOB_BYTES (32 * SUMAC_KZG_FIELD_ELEMENTS)
#define SUMAC_KZG_COMMITMENT_BYTES 48
#define SUMAC_KZG_PROOF_BYTES 48

/** Sizes of EIP-7594. */
#define SUMAC_KZG_CELL_ELEMENTS 64
#define SUMAC_KZG_CELL_BYTES (32 * SUMAC_KZG_CELL_ELEMENTS)
#define SUMAC_KZG_CELLS 128 /**< the number of cells of an extended blob */

/** The number of points of G2 in a setup. */
#define SUMAC_KZG_G2_POINTS 65

/** A blob of 4096 elements. Like sumac_cell, sumac_bytes32, sumac_bytes48 and sumac_bytes96, it has neither padding nor
 *  alignment, so that a pointer to bytes can be cast to a pointer to it without a copy. */
typedef struct sumac_blob {
    uint8_t bytes[SUMAC_KZG_BLOB_BYTES];
} sumac_blob;

/** A cell of 64 elements. */
typedef struct sumac_cell {
    uint8_t bytes[SUMAC_KZG_CELL_BYTES];
} sumac_cell;

/** An element. */
typedef struct sumac_bytes32 {
    uint8_t bytes[32];
} sumac_bytes32;

/** A compressed point of G1. */
typedef struct sumac_bytes48 {
    uint8_t bytes[48];
} sumac_bytes48;

/** A compressed point of G2. */
typedef struct sumac_bytes96 {
    uint8_t bytes[96];
} sumac_bytes96;

/** A trusted setup and data derived from it. It is immutable, and several threads may use it at once. */
typedef struct sumac_kzg_setup sumac_kzg_setup;

/** How a trusted setup is opened. A node that proves cells uses
 *  `sumac_kzg_config config = {.size = sizeof config, .cells = 1};`. */
typedef struct sumac_kzg_config {
    size_t size;
    /** How far the points are checked; by default SUMAC_CHECK_SUBGROUP. With SUMAC_CHECK_NONE, points of a text or in memory
     *  are only decoded, and checked to be one setup. */
    uint32_t check;
    /** 1: derive the tables that proofs of cells need. 0: do not derive them; then the setup has tables only if it is
     *  opened from a file that has them. */
    uint32_t cells;
    /** The most bytes of derived tables on each device; 0: 64 MiB. The planner uses fewer if more would not be faster, and
     *  sumac_kzg_table_bytes() returns their number. With less than 1.5 MiB no multiples are kept, and the tables have
     *  0.75 MiB. From 32 MiB on, 3 MiB (on a GPU at most 12) are used for multiples of the Lagrange points, with which
     *  commitments and openings are computed. */
    uint64_t table_bytes;
} sumac_kzg_config;

/** Open a trusted setup from a file in Ethereum's text format or from a file of sumac_kzg_save(). The text,
 *  trusted_setup.txt, has two counts, then G1 Lagrange, G2 monomial and G1 monomial points, compressed, in hexadecimal.
 *
 *  If a file of sumac_kzg_save() has tables, they are used, and none are derived. SUMAC_CHECK_NONE trusts such a file: its
 *  checksums find damage, and its points were found to belong together when the setup was created. With any other check,
 *  the points are checked to belong together, as for a text. With SUMAC_CHECK_SUBGROUP the tables are recomputed from the
 *  points, because nothing else proves them right.
 *  @param config null for the defaults
 *  @param setup the new setup, to be freed with sumac_kzg_destroy(); null on failure
 *  @return as sumac_bases_open(), and SUMAC_BAD_FILE if the points do not belong together. A file of sumac_kzg_save() is
 *  SUMAC_BAD_CHECKSUM if it is damaged, SUMAC_BAD_FILE if it has another version, and SUMAC_MISMATCH if its tables are of
 *  another setup */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_open(sumac_context *context, const char *path,
                                                     const sumac_kzg_config *config, sumac_kzg_setup **setup);

/** Create a trusted setup from memory: compressed points, which are not kept.
 *  @param g1_monomial, g1_monomial_count 4096 points
 *  @param g1_lagrange, g1_lagrange_count 4096 points in the order of trusted_setup.txt, which is not bit-reversed
 *  @param g2_monomial, g2_monomial_count 65 points
 *  @param config null for the defaults
 *  @param setup the new setup, to be freed with sumac_kzg_destroy(); null on failure
 *  @return SUMAC_OK, SUMAC_BAD_LENGTH (another number of points), SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE,
 *  SUMAC_NOT_IN_SUBGROUP, SUMAC_BAD_FILE (the points do not belong together), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status
sumac_kzg_create(sumac_context *context, const sumac_bytes48 *g1_monomial, size_t g1_monomial_count,
                 const sumac_bytes48 *g1_lagrange, size_t g1_lagrange_count, const sumac_bytes96 *g2_monomial,
                 size_t g2_monomial_count, const sumac_kzg_config *config, sumac_kzg_setup **setup);

/** Return the bytes, on one device, of the tables for proofs of cells. Return 0 if the setup has no tables, or is null. */
SUMAC_API uint64_t sumac_kzg_table_bytes(const sumac_kzg_setup *setup);

/** Save a setup, with its tables if it has any. docs/formats.md has the bytes. The file is written as sumac_bases_save()
 *  writes one, as a whole or not at all.
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_WRITE_FAILED, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_save(sumac_context *context, const sumac_kzg_setup *setup,
                                                     const char *path);

/** Free a setup; null is allowed. No call that uses it may be running. */
SUMAC_API void sumac_kzg_destroy(sumac_kzg_setup *setup);

/* ---- Blobs (EIP-4844) ---- */

/** Commit to each of `count` blobs: blob_to_kzg_commitment of the consensus specification.
 *  @param commitments receives count points
 *  @return SUMAC_OK, SUMAC_BAD_ENCODING if an element is not less than r, or as sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_commit(sumac_context *context, const sumac_kzg_setup *setup,
                                                       const sumac_blob *blobs, size_t count,
                                                       sumac_bytes48 *commitments);

/** Evaluate each blob's polynomial at a given evaluation point, and prove the value: compute_kzg_proof.
 *  @param zs count elements, the evaluation points
 *  @param proofs receives count points
 *  @param ys receives count elements, of which ys[i] is the value of blob i's polynomial at zs[i]; may be null
 *  @return SUMAC_OK, SUMAC_BAD_ENCODING, or as sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_compute_proof(sumac_context *context,
                                                              const sumac_kzg_setup *setup,
                                                              const sumac_blob *blobs,
                                                              const sumac_bytes32 *zs, size_t count,
                                                              sumac_bytes48 *proofs, sumac_bytes32 *ys);

/** Prove blobs at the evaluation points that they and their commitments determine: compute_blob_kzg_proof.
 *  @param commitments count points. The call does not check that they are the blobs' commitments
 *  @param proofs receives count points
 *  @return as sumac_kzg_compute_proof() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_compute_blob_proof(sumac_context *context,
                                                                   const sumac_kzg_setup *setup,
                                                                   const sumac_blob *blobs,
                                                                   const sumac_bytes48 *commitments,
                                                                   size_t count, sumac_bytes48 *proofs);

/** Verify that the polynomial of commitment i has the value ys[i] at zs[i], for all i together: verify_kzg_proof.
 *  @param commitments, zs, ys, proofs count of each
 *  @param ok 1 if all proofs hold, otherwise 0; 1 for count 0 */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_verify_proof(
    sumac_context *context, const sumac_kzg_setup *setup, const sumac_bytes48 *commitments,
    const sumac_bytes32 *zs, const sumac_bytes32 *ys, const sumac_bytes48 *proofs, size_t count, int *ok);

/** Verify that all blobs belong to their commitments: verify_blob_kzg_proof and verify_blob_kzg_proof_batch.
 *  @param blobs, commitments, proofs count of each
 *  @param ok 1 if all proofs hold, otherwise 0; 1 for count 0 */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_verify_blob_proof(
    sumac_context *context, const sumac_kzg_setup *setup, const sumac_blob *blobs,
    const sumac_bytes48 *commitments, const sumac_bytes48 *proofs, size_t count, int *ok);

/* ---- Cells (EIP-7594) ---- */

/** Extend blobs to cells, and prove the cells: compute_cells and compute_cells_and_kzg_proofs.
 *  @param setup if proofs are wanted, it must have tables (sumac_kzg_config.cells), or the call is refused with
 *  SUMAC_BAD_ARGUMENT
 *  @param cells receives count*SUMAC_KZG_CELLS cells; may be null if only proofs are wanted
 *  @param proofs receives count*SUMAC_KZG_CELLS proofs; may be null if only cells are wanted */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_cells(sumac_context *context, const sumac_kzg_setup *setup,
                                                      const sumac_blob *blobs, size_t count,
                                                      sumac_cell *cells, sumac_bytes48 *proofs);

/** A blob whose cells contradict each other in a recovery, and a wrong cell of it. */
typedef struct sumac_kzg_wrong {
    size_t blob;   /**< the first blob whose cells contradict each other */
    uint64_t cell; /**< the index of a wrong cell of that blob, or SUMAC_KZG_CELLS if none can be named */
} sumac_kzg_wrong;

/** Recover all cells of blobs, and their proofs, from at least half of the cells: recover_cells_and_kzg_proofs. All blobs of a
 *  call have the same known cells.
 *
 *  If `wrong` is null, known cells are not compared with the recovered ones, as in the specification. If more than half of
 *  the cells are known, and one of them is wrong, all recovered cells may then differ from the known ones, and have proofs of
 *  a polynomial to which nobody committed. If `wrong` is not null, the cells are compared, and cells that contradict each
 *  other are refused with SUMAC_MISMATCH. Of k known cells, a wrong one can be named if at most (k - 64)/2 cells are wrong,
 *  and they are contiguous in the list. Any 64 cells are consistent, so that they cannot be checked.
 *
 *  @param setup if proofs are wanted, it must have tables, as for sumac_kzg_cells()
 *  @param cell_indices cell_count numbers less than SUMAC_KZG_CELLS, ascending
 *  @param cell_count from SUMAC_KZG_CELLS/2 to SUMAC_KZG_CELLS
 *  @param cells count*cell_count cells, one blob after another
 *  @param count the number of blobs
 *  @param recovered_cells receives count*SUMAC_KZG_CELLS cells; may be `cells` if that is large enough, or null if only
 *  proofs are wanted
 *  @param recovered_proofs receives count*SUMAC_KZG_CELLS proofs; may be null if only cells are wanted
 *  @param wrong may be null; written only with SUMAC_MISMATCH */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_recover(sumac_context *context, const sumac_kzg_setup *setup,
                                                        const uint64_t *cell_indices, size_t cell_count,
                                                        const sumac_cell *cells, size_t count,
                                                        sumac_cell *recovered_cells,
                                                        sumac_bytes48 *recovered_proofs,
                                                        sumac_kzg_wrong *wrong);

/** Verify that all cells belong to their commitments: verify_cell_kzg_proof_batch.
 *  @param commitments count commitments, one for each cell; cells of one blob repeat its commitment
 *  @param cell_indices count numbers less than SUMAC_KZG_CELLS, in any order
 *  @param cells, proofs one for each cell
 *  @param ok 1 if all proofs hold, otherwise 0; 1 for count 0 */
SUMAC_API SUMAC_MUST_USE sumac_status
sumac_kzg_verify_cells(sumac_context *context, const sumac_kzg_setup *setup, const sumac_bytes48 *commitments,
                       const uint64_t *cell_indices, const sumac_cell *cells, const sumac_bytes48 *proofs,
                       size_t count, int *ok);

#ifdef __cplusplus
}
#endif

#endif
