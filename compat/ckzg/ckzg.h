/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file ckzg.h
 *  @brief The functions, types and sizes of c-kzg-4844, version 2.1.8, over sumac. Programs that were made for
 *  c-kzg-4844 are linked to this library instead. docs/dropins.md describes how, and the differences. New programs
 *  should use sumac/kzg.h.
 *
 *  **Encodings** are those of sumac/kzg.h: elements are big-endian and less than r, and points are compressed and lie
 *  in the subgroup. Unless a parameter's description allows it, no pointer may be null. A null pointer causes
 *  C_KZG_BADARGS.
 *
 *  **Errors.** If a call does not return C_KZG_OK, it writes nothing except `false` to *ok.
 *
 *  **Threads.** Any number of threads may use loaded settings at once. Each call works only on its caller's thread.
 *  When the settings are freed, no call may be running.
 */
#ifndef SUMAC_CKZG_H
#define SUMAC_CKZG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SUMAC_CKZG_API __attribute__((visibility("default")))
#else
#define SUMAC_CKZG_API
#endif

#define BYTES_PER_FIELD_ELEMENT 32
#define BYTES_PER_COMMITMENT 48
#define BYTES_PER_PROOF 48
#define BITS_PER_FIELD_ELEMENT 255

#define FIELD_ELEMENTS_PER_BLOB 4096
#define BYTES_PER_BLOB (FIELD_ELEMENTS_PER_BLOB * BYTES_PER_FIELD_ELEMENT)

#define LOG_EXPANSION_FACTOR 1
#define FIELD_ELEMENTS_PER_EXT_BLOB (FIELD_ELEMENTS_PER_BLOB << LOG_EXPANSION_FACTOR)
#define FIELD_ELEMENTS_PER_CELL 64
#define BYTES_PER_CELL (FIELD_ELEMENTS_PER_CELL * BYTES_PER_FIELD_ELEMENT)
#define CELLS_PER_BLOB (FIELD_ELEMENTS_PER_BLOB / FIELD_ELEMENTS_PER_CELL)
#define CELLS_PER_EXT_BLOB (FIELD_ELEMENTS_PER_EXT_BLOB / FIELD_ELEMENTS_PER_CELL)

/** The status of a call. */
typedef enum {
    C_KZG_OK = 0,
    C_KZG_BADARGS, /**< the input is wrong: an encoding, an index, a length, a null pointer */
    C_KZG_ERROR,   /**< the library or the machine failed, but not for lack of memory */
    C_KZG_MALLOC   /**< there is no memory */
} C_KZG_RET;

/** A field element, or 32 bytes that may not encode one. */
typedef struct {
    uint8_t bytes[BYTES_PER_FIELD_ELEMENT];
} Bytes32;

/** A point of G1, or 48 bytes that may not encode one. */
typedef struct {
    uint8_t bytes[BYTES_PER_COMMITMENT];
} Bytes48;

typedef Bytes48 KZGCommitment;
typedef Bytes48 KZGProof;

typedef struct {
    uint8_t bytes[BYTES_PER_BLOB];
} Blob;

typedef struct {
    uint8_t bytes[BYTES_PER_CELL];
} Cell;

/** blst_fr: a field element times 2^256 modulo r, in 64-bit words, the lowest first. */
typedef struct {
    uint64_t words[4];
} fr_t;

/** blst_p1: the point (x/z^2, y/z^3), or infinity if z = 0. Each coordinate is multiplied by 2^384 modulo p, in
 * 64-bit words, the lowest first. */
typedef struct {
    uint64_t x[6], y[6], z[6];
} g1_t;

/** A loaded trusted setup. It has c-kzg-4844's size, 80 bytes, but contains only one handle. It may be copied, and
 * exactly one of the copies must be freed. */
typedef struct {
    void *handle; /**< null: nothing is loaded */
    void *unused_pointers[7];
    size_t unused_sizes[2];
} KZGSettings;

/* ---- Trusted setups ---- */

/** Load a trusted setup from compressed points, which are checked to lie in the subgroup and to be consistent.
 *  @param out to be freed with free_trusted_setup(); on failure nothing is loaded
 *  @param g1_monomial_bytes, num_g1_monomial_bytes 4096 points of 48 bytes
 *  @param g1_lagrange_bytes, num_g1_lagrange_bytes 4096 points of 48 bytes, not bit-reversed
 *  @param g2_monomial_bytes, num_g2_monomial_bytes 65 points of 96 bytes
 *  @param precompute 0 .. 15: how large the tables for proofs of cells may become (docs/dropins.md)
 *  @return C_KZG_OK, C_KZG_BADARGS, C_KZG_MALLOC, C_KZG_ERROR */
SUMAC_CKZG_API C_KZG_RET load_trusted_setup(KZGSettings *out, const uint8_t *g1_monomial_bytes,
                                            uint64_t num_g1_monomial_bytes, const uint8_t *g1_lagrange_bytes,
                                            uint64_t num_g1_lagrange_bytes, const uint8_t *g2_monomial_bytes,
                                            uint64_t num_g2_monomial_bytes, uint64_t precompute);

/** Load a trusted setup, as load_trusted_setup() does, from Ethereum's text file (trusted_setup.txt).
 *  @param in is open for reading. It is read up to the last digit of the last point, and not closed */
SUMAC_CKZG_API C_KZG_RET load_trusted_setup_file(KZGSettings *out, FILE *in, uint64_t precompute);

/** Free the contents of settings, but not the struct. Null is allowed. Settings that are not loaded are also allowed:
 * they are all zeros, were freed before, or loading them failed. */
SUMAC_CKZG_API void free_trusted_setup(KZGSettings *s);

/* ---- Blobs (EIP-4844) ---- */

/** Commit to a blob. */
SUMAC_CKZG_API C_KZG_RET blob_to_kzg_commitment(KZGCommitment *out, const Blob *blob, const KZGSettings *s);

/** Compute the value of a blob's polynomial at z, and its proof.
 *  @param y_out may be null */
SUMAC_CKZG_API C_KZG_RET compute_kzg_proof(KZGProof *proof_out, Bytes32 *y_out, const Blob *blob,
                                           const Bytes32 *z_bytes, const KZGSettings *s);

/** Compute the proof that a blob belongs to its commitment. It is not checked that the blob does. */
SUMAC_CKZG_API C_KZG_RET compute_blob_kzg_proof(KZGProof *out, const Blob *blob,
                                                const Bytes48 *commitment_bytes, const KZGSettings *s);

/** Verify that the polynomial of a commitment has the value y at z. */
SUMAC_CKZG_API C_KZG_RET verify_kzg_proof(bool *ok, const Bytes48 *commitment_bytes, const Bytes32 *z_bytes,
                                          const Bytes32 *y_bytes, const Bytes48 *proof_bytes,
                                          const KZGSettings *s);

/** Verify that a blob belongs to its commitment. */
SUMAC_CKZG_API C_KZG_RET verify_blob_kzg_proof(bool *ok, const Blob *blob, const Bytes48 *commitment_bytes,
                                               const Bytes48 *proof_bytes, const KZGSettings *s);

/** Verify that each of n blobs belongs to its commitment. If n is 0, the answer is true. */
SUMAC_CKZG_API C_KZG_RET verify_blob_kzg_proof_batch(bool *ok, const Blob *blobs,
                                                     const Bytes48 *commitments_bytes,
                                                     const Bytes48 *proofs_bytes, uint64_t n,
                                                     const KZGSettings *s);

/* ---- Cells (EIP-7594) ---- */

/** Compute the cells of a blob and their proofs.
 *  @param cells CELLS_PER_EXT_BLOB cells, or null
 *  @param proofs CELLS_PER_EXT_BLOB proofs, or null. `cells` and `proofs` may not both be null */
SUMAC_CKZG_API C_KZG_RET compute_cells_and_kzg_proofs(Cell *cells, KZGProof *proofs, const Blob *blob,
                                                      const KZGSettings *s);

/** Recover all cells of a blob and their proofs, from at least half of the cells.
 *  @param recovered_cells CELLS_PER_EXT_BLOB cells, or null. If `cells` has enough memory, this may be `cells`
 *  @param recovered_proofs CELLS_PER_EXT_BLOB proofs, or null. This and recovered_cells may not both be null
 *  @param cell_indices num_cells numbers below CELLS_PER_EXT_BLOB, each greater than the one before
 *  @param num_cells CELLS_PER_BLOB .. CELLS_PER_EXT_BLOB */
SUMAC_CKZG_API C_KZG_RET recover_cells_and_kzg_proofs(Cell *recovered_cells, KZGProof *recovered_proofs,
                                                      const uint64_t *cell_indices, const Cell *cells,
                                                      uint64_t num_cells, const KZGSettings *s);

/** Verify that each of num_cells cells belongs to its commitment. If num_cells is 0, the answer is true.
 *  @param commitments_bytes one commitment for each cell
 *  @param cell_indices numbers below CELLS_PER_EXT_BLOB, in any order */
SUMAC_CKZG_API C_KZG_RET verify_cell_kzg_proof_batch(bool *ok, const Bytes48 *commitments_bytes,
                                                     const uint64_t *cell_indices, const Cell *cells,
                                                     const Bytes48 *proofs_bytes, uint64_t num_cells,
                                                     const KZGSettings *s);

/* ---- For tests and bindings: intermediate results of the calls above ---- */

/** Decode a commitment to a point, which is checked.
 *  @param out lies on the curve and in the subgroup, with z = 1, or is infinity */
SUMAC_CKZG_API C_KZG_RET bytes_to_kzg_commitment(g1_t *out, const Bytes48 *b);

/** Convert a field element to bytes. */
SUMAC_CKZG_API void bytes_from_bls_field(Bytes32 *out, const fr_t *in);

/** Compute the challenge of compute_blob_kzg_proof(). Nothing is checked. If memory is short, the challenge is 0.
 *  @param commitment coordinates are less than p, but otherwise arbitrary */
SUMAC_CKZG_API void compute_challenge(fr_t *eval_challenge_out, const Blob *blob, const g1_t *commitment);

/** Compute the challenge of verify_cell_kzg_proof_batch(). Points and elements are not checked.
 *  @param commitments_bytes num_commitments distinct commitments
 *  @param commitment_indices, cell_indices, cells, proofs_bytes num_cells of each */
SUMAC_CKZG_API C_KZG_RET compute_verify_cell_kzg_proof_batch_challenge(
    fr_t *challenge_out, const Bytes48 *commitments_bytes, uint64_t num_commitments,
    const uint64_t *commitment_indices, const uint64_t *cell_indices, const Cell *cells,
    const Bytes48 *proofs_bytes, uint64_t num_cells);

#ifdef __cplusplus
}
#endif

#endif
