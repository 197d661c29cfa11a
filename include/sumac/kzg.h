/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file kzg.h
 *  @brief KZG commitments and proofs for Ethereum's blobs over BLS12-381, as the consensus specification has
 * them: EIP-4844 (blobs) and EIP-7594 (cells). Commitments and proofs are the same bytes as the
 * specification's.
 *
 *  **Encodings.** A field element is 32 bytes, big-endian, less than r. A blob is 4096 of them, a cell 64 of
 * the 8192 of an extended blob. A commitment or proof is a compressed point of G1 (48 bytes): infinity is
 * allowed, and every point that comes in is checked to lie in the subgroup.
 *
 *  **Errors.** What the specification asserts is a status: SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE or
 * SUMAC_NOT_IN_SUBGROUP for bytes that are no element or point, SUMAC_BAD_ARGUMENT for an index or a number
 * that is not allowed. sumac_context_message() names the blob, cell, commitment, proof or element. A proof
 * that does not hold is not an error: SUMAC_OK and *ok = 0. Outputs are written on success only.
 *
 *  Calls for several blobs or cells at once are faster than as many calls: checks and sums are shared by all
 * threads of the context.
 *
 *  **Devices.** A setup that a context of several devices makes is whole on each of them. Calls for several
 * blobs are shared out, blob by blob, but for those that verify, which are the first device's. Such a setup
 * is used with contexts of as many devices, the same ones in the same order, else SUMAC_BAD_ARGUMENT.
 */
#ifndef SUMAC_KZG_H
#define SUMAC_KZG_H

#include "sumac/sumac.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Sizes of EIP-4844, in bytes but for the first. */
#define SUMAC_KZG_FIELD_ELEMENTS 4096
#define SUMAC_KZG_ELEMENT_BYTES 32
#define SUMAC_KZG_BLOB_BYTES (32 * SUMAC_KZG_FIELD_ELEMENTS)
#define SUMAC_KZG_COMMITMENT_BYTES 48
#define SUMAC_KZG_PROOF_BYTES 48

/** Sizes of EIP-7594. */
#define SUMAC_KZG_CELL_ELEMENTS 64
#define SUMAC_KZG_CELL_BYTES (32 * SUMAC_KZG_CELL_ELEMENTS)
#define SUMAC_KZG_CELLS 128 /**< of an extended blob */

/** The points of G2 in a setup. */
#define SUMAC_KZG_G2_POINTS 65

/** 4096 elements; 64 elements; one element; a compressed point of G1; one of G2. Structs of bytes, without
 * padding and alignment of their own: bytes that lie elsewhere need no copy, but a cast. */
typedef struct sumac_blob {
    uint8_t bytes[SUMAC_KZG_BLOB_BYTES];
} sumac_blob;

typedef struct sumac_cell {
    uint8_t bytes[SUMAC_KZG_CELL_BYTES];
} sumac_cell;

typedef struct sumac_bytes32 {
    uint8_t bytes[32];
} sumac_bytes32;

typedef struct sumac_bytes48 {
    uint8_t bytes[48];
} sumac_bytes48;

typedef struct sumac_bytes96 {
    uint8_t bytes[96];
} sumac_bytes96;

/** A trusted setup, and what is derived from it. Shared by threads; immutable but for
 * sumac_kzg_setup_make_tables(). */
typedef struct sumac_kzg_setup sumac_kzg_setup;

/** Read a trusted setup in Ethereum's text format (trusted_setup.txt: two counts, then G1 Lagrange, G2
 * monomial and G1 monomial points, compressed, in hexadecimal), or a file of sumac_kzg_setup_save().
 *  @param check how far the points are checked; SUMAC_CHECK_SUBGROUP for a file from elsewhere. With
 * SUMAC_CHECK_NONE a file of sumac_kzg_setup_save() is trusted: its checksums find damage, and that its
 * points belong together was found when it was made. Else that is checked as of a text; and with
 * SUMAC_CHECK_SUBGROUP its tables are made again from its points, as nothing else shows that they are right
 *  @param setup freed with sumac_kzg_setup_destroy(); null on failure
 *  @return as sumac_bases_open(), SUMAC_BAD_FILE where the parts do not fit each other; of a file of
 * sumac_kzg_setup_save() SUMAC_BAD_CHECKSUM where it is damaged, SUMAC_BAD_FILE where it is of another
 * version, SUMAC_MISMATCH where its tables are of another setup */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_setup_open(sumac_context *context, const char *path,
                                                           sumac_check check, sumac_kzg_setup **setup);

/** A trusted setup from memory: compressed points, in the order of trusted_setup.txt.
 *  @param g1_monomial, g1_monomial_count 4096 points
 *  @param g1_lagrange, g1_lagrange_count 4096 points, not bit-reversed
 *  @param g2_monomial, g2_monomial_count 65 points
 *  @param setup freed with sumac_kzg_setup_destroy(); null on failure
 *  @return SUMAC_OK, SUMAC_BAD_LENGTH (another number of points), SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE,
 * SUMAC_NOT_IN_SUBGROUP, SUMAC_BAD_FILE (the parts do not fit each other), SUMAC_BAD_ARGUMENT,
 * SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_setup_create(
    sumac_context *context, const sumac_bytes48 *g1_monomial, size_t g1_monomial_count,
    const sumac_bytes48 *g1_lagrange, size_t g1_lagrange_count, const sumac_bytes96 *g2_monomial,
    size_t g2_monomial_count, sumac_check check, sumac_kzg_setup **setup);

/** Derive what proofs of cells need, with tables of multiples; again, with other tables. Before the setup is
 * shared: no other call that uses it may be running.
 *  @param table_bytes most bytes of the tables; 0: 64 MiB. The planner takes fewer where more would not be
 * faster: sumac_kzg_setup_table_bytes() tells. Less than 1.5 MiB: no multiples are kept, 0.75 MiB. From 32
 * MiB on, 3, on a GPU 12 at most, are for multiples of the Lagrange points, which commitments and openings
 * use; a file has none of these. Of several devices each takes as much
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_setup_make_tables(sumac_context *context,
                                                                  sumac_kzg_setup *setup,
                                                                  uint64_t table_bytes);

/** 1 if the setup is prepared for proofs of cells. */
SUMAC_API int sumac_kzg_setup_has_tables(const sumac_kzg_setup *setup);

/** The bytes of what sumac_kzg_setup_make_tables() derived for cells, tables and all, on one device; 0 if it did
 * not. */
SUMAC_API uint64_t sumac_kzg_setup_table_bytes(const sumac_kzg_setup *setup);

/** Save a setup with what sumac_kzg_setup_make_tables() derived, tables and all, if it did. docs/formats.md has
 * the bytes. The file is written as sumac_bases_save() says.
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_WRITE_FAILED, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_setup_save(sumac_context *context,
                                                           const sumac_kzg_setup *setup, const char *path);

/** Free a setup; null is allowed. */
SUMAC_API void sumac_kzg_setup_destroy(sumac_kzg_setup *setup);

/* ---- Blobs (EIP-4844) ---- */

/** Commit to blobs: blob_to_kzg_commitment of the consensus specification, for count blobs in one batch.
 *  @param blobs count blobs
 *  @param commitments count points; written only on success
 *  @return SUMAC_OK, SUMAC_BAD_ENCODING if an element is not less than r (the message names blob and
 * element), or as sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_commit_batch(sumac_context *context,
                                                             const sumac_kzg_setup *setup,
                                                             const sumac_blob *blobs, size_t count,
                                                             sumac_bytes48 *commitments);

/** Values and proofs at given places, one for each blob: compute_kzg_proof.
 *  @param zs count elements
 *  @param proofs count points
 *  @param ys count elements: the value of blob i's polynomial at zs[i]; may be null
 *  @return SUMAC_OK, SUMAC_BAD_ENCODING, or as sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_compute_proof_batch(sumac_context *context,
                                                                    const sumac_kzg_setup *setup,
                                                                    const sumac_blob *blobs,
                                                                    const sumac_bytes32 *zs, size_t count,
                                                                    sumac_bytes48 *proofs, sumac_bytes32 *ys);

/** Proofs at the places that blobs and commitments determine: compute_blob_kzg_proof.
 *  @param commitments of the blobs, which is not checked */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_compute_blob_proof_batch(sumac_context *context,
                                                                         const sumac_kzg_setup *setup,
                                                                         const sumac_blob *blobs,
                                                                         const sumac_bytes48 *commitments,
                                                                         size_t count, sumac_bytes48 *proofs);

/** Whether each blob's polynomial, of which the commitment is known, has value ys[i] at zs[i]:
 * verify_kzg_proof; of several proofs at once, whether all hold.
 *  @param ok 1 or 0; 1 for count 0 */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_verify_proof_batch(
    sumac_context *context, const sumac_kzg_setup *setup, const sumac_bytes48 *commitments,
    const sumac_bytes32 *zs, const sumac_bytes32 *ys, const sumac_bytes48 *proofs, size_t count, int *ok);

/** Whether a blob belongs to its commitment: verify_blob_kzg_proof. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_verify_blob_proof(sumac_context *context,
                                                                  const sumac_kzg_setup *setup,
                                                                  const sumac_blob *blob,
                                                                  const sumac_bytes48 *commitment,
                                                                  const sumac_bytes48 *proof, int *ok);

/** Whether all blobs belong to their commitments: verify_blob_kzg_proof_batch. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_verify_blob_proof_batch(
    sumac_context *context, const sumac_kzg_setup *setup, const sumac_blob *blobs,
    const sumac_bytes48 *commitments, const sumac_bytes48 *proofs, size_t count, int *ok);

/** The place at which compute_blob_kzg_proof proves: compute_challenge.
 *  @param blob, commitment bytes that are hashed as they are
 *  @param challenge one element */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_blob_challenge(sumac_context *context, const sumac_blob *blob,
                                                               const sumac_bytes48 *commitment,
                                                               sumac_bytes32 *challenge);

/* ---- Cells (EIP-7594) ---- */

/** Extend blobs to cells: compute_cells.
 *  @param cells count*SUMAC_KZG_CELLS cells */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_compute_cells_batch(sumac_context *context,
                                                                    const sumac_kzg_setup *setup,
                                                                    const sumac_blob *blobs, size_t count,
                                                                    sumac_cell *cells);

/** Cells and their proofs: compute_cells_and_kzg_proofs.
 *  @param setup for proofs, prepared with sumac_kzg_setup_make_tables(), else SUMAC_BAD_ARGUMENT
 *  @param cells count*SUMAC_KZG_CELLS cells, or null
 *  @param proofs count*SUMAC_KZG_CELLS proofs, or null; one of the two is wanted */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_compute_cells_and_proofs_batch(
    sumac_context *context, const sumac_kzg_setup *setup, const sumac_blob *blobs, size_t count,
    sumac_cell *cells, sumac_bytes48 *proofs);

/** The proofs alone. */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_compute_cell_proofs_batch(sumac_context *context,
                                                                          const sumac_kzg_setup *setup,
                                                                          const sumac_blob *blobs,
                                                                          size_t count,
                                                                          sumac_bytes48 *proofs);

/** All cells, and their proofs, from at least half of the cells: recover_cells_and_kzg_proofs, for count
 * blobs of which the same cells are there. As in the specification, cells that are more than half are not
 * compared with what is recovered: where one of them is wrong, all come out other than they were, with proofs
 * of a polynomial that nobody committed to. sumac_kzg_recover_cells_and_proofs_batch_checked() refuses them.
 *  @param cell_indices cell_count numbers less than SUMAC_KZG_CELLS, ascending
 *  @param cell_count SUMAC_KZG_CELLS/2 .. SUMAC_KZG_CELLS
 *  @param cells count*cell_count cells, blob after blob
 *  @param recovered_cells count*SUMAC_KZG_CELLS cells, or null; may be `cells` if that has room
 *  @param recovered_proofs count*SUMAC_KZG_CELLS proofs, or null; for them the setup is prepared */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_recover_cells_and_proofs_batch(
    sumac_context *context, const sumac_kzg_setup *setup, const uint64_t *cell_indices, size_t cell_count,
    const sumac_cell *cells, size_t count, sumac_cell *recovered_cells, sumac_bytes48 *recovered_proofs);

/** The same, and all that is recovered is compared with the cells that were given: SUMAC_MISMATCH unless they
 * fit each other, with a sentence that names the blob and a cell that is wrong. Of k cells that is known if
 * at most (k - 64)/2 beside each other in the list are wrong. Half of the cells fit each other always: they
 * are compared with nothing.
 *  @param odd_blob, odd_cell with SUMAC_MISMATCH, and else untouched: the first blob whose cells do not fit
 * each other, and the index of a wrong one of them, SUMAC_KZG_CELLS if that can't be told; may be null */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_recover_cells_and_proofs_batch_checked(
    sumac_context *context, const sumac_kzg_setup *setup, const uint64_t *cell_indices, size_t cell_count,
    const sumac_cell *cells, size_t count, sumac_cell *recovered_cells, sumac_bytes48 *recovered_proofs,
    size_t *odd_blob, uint64_t *odd_cell);

/** Whether all cells belong to their commitments: verify_cell_kzg_proof_batch.
 *  @param commitments count commitments, one for each cell, in any order and again and again
 *  @param cell_indices count numbers less than SUMAC_KZG_CELLS, in any order
 *  @param cells, proofs count of each
 *  @param ok 1 or 0; 1 for count 0 */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_verify_cell_proof_batch(
    sumac_context *context, const sumac_kzg_setup *setup, const sumac_bytes48 *commitments,
    const uint64_t *cell_indices, const sumac_cell *cells, const sumac_bytes48 *proofs, size_t count,
    int *ok);

/** The factor whose powers join the cells: compute_verify_cell_kzg_proof_batch_challenge.
 *  @param commitments commitment_count different ones
 *  @param commitment_indices, cell_indices, cells, proofs count of each; bytes are hashed as they are
 *  @param challenge one element */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_kzg_cell_batch_challenge(
    sumac_context *context, const sumac_bytes48 *commitments, size_t commitment_count,
    const uint64_t *commitment_indices, const uint64_t *cell_indices, const sumac_cell *cells,
    const sumac_bytes48 *proofs, size_t count, sumac_bytes32 *challenge);

#ifdef __cplusplus
}
#endif

#endif
