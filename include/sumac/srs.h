/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file srs.h
 *  @brief KZG over any group of the registry: commitments to polynomials, openings at an evaluation point, and all
 *  openings of a polynomial at once, by FK20. kzg.h uses these for Ethereum's blobs.
 *
 *  A *structured reference string*, SRS, is G, s*G, s^2*G, ... for a number s that nobody knows. It is ordinary bases, which
 *  sumac_bases_create() makes from raw points, sumac_bases_open() from a file, and sumac_bases_create_from_vector() from a
 *  vector. These functions check the points as far as the caller asks. All points must lie in the subgroup of order r. Nothing
 *  checks that they are powers of one number, because that would need points of the other group.
 *
 *  A *polynomial* is n scalars, its coefficients f_0 .. f_(n-1). A vector of scalars has count polynomials of n coefficients,
 *  one after another. If a polynomial is given by its values at roots of unity, sumac_vector_ntt() computes the coefficients.
 *  Commitments and proofs are points of the group of the SRS. sumac_vector_get() and sumac_points_encode() write them as
 *  bytes.
 *
 *  Errors, threads and sizes are as in sumac.h and vector.h. A vector of another kind, group or count than its description
 *  says is SUMAC_BAD_ARGUMENT. A call writes its outputs completely, and only on success. Example: examples/opening.c.
 */
#ifndef SUMAC_SRS_H
#define SUMAC_SRS_H

#include "sumac/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Commit to polynomials: compute f_0*G + f_1*s*G + ... for each of them.
 *  @param srs at least n points
 *  @param polynomials count*n scalars
 *  @param n the number of coefficients of each polynomial, at least 1
 *  @param commitments receives count points
 *  @return SUMAC_OK, SUMAC_BAD_LENGTH (an SRS of fewer points), SUMAC_BAD_ARGUMENT, or as sumac_msm() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_srs_commit(sumac_context *context, const sumac_bases *srs,
                                                       const sumac_vector *polynomials, size_t n,
                                                       sumac_vector *commitments);

/** Open each polynomial f at an evaluation point z of its own: compute the value y = f(z), and the proof, which is the
 *  commitment to the quotient (f - y)/(X - z).
 *  @param srs at least n - 1 points
 *  @param polynomials count*n scalars
 *  @param n the number of coefficients of each polynomial, at least 1
 *  @param evaluation_points count scalars
 *  @param values receives count scalars; may be `evaluation_points`, or null if only proofs are wanted
 *  @param proofs receives count points; may be null if only values are wanted
 *  @return as sumac_srs_commit() */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_srs_open(sumac_context *context, const sumac_bases *srs,
                                                     const sumac_vector *polynomials, size_t n,
                                                     const sumac_vector *evaluation_points,
                                                     sumac_vector *values, sumac_vector *proofs);

/** Verify openings: check that the polynomial of each commitment has the given value at the given evaluation point, as
 *  its proof shows. Any number n of claims takes two pairings, because the call adds up their equations, multiplied by
 *  powers of a hash of all claims. A wrong claim passes with a probability of less than n/2^250.
 *  @param group the first group of a curve with a pairing (sumac_pairing_check()). Another curve is
 *  SUMAC_NOT_SUPPORTED, and a second group is SUMAC_BAD_ARGUMENT
 *  @param g1_point the generator G of the SRS, which is its first point, raw
 *  @param g2_points the second group's generator, and s times it, raw. They must come from a trusted source
 *  @param commitments, proofs n points each, which are checked to lie in the subgroup
 *  @param evaluation_points, values n scalars each
 *  @param ok 1 if all claims hold, and for n = 0, otherwise 0; written only on success
 *  @return SUMAC_OK; SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE or SUMAC_NOT_IN_SUBGROUP, with the index in the message;
 *  SUMAC_BAD_LENGTH (g1_point or g2_points is too short), SUMAC_BAD_ARGUMENT, SUMAC_NOT_SUPPORTED, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_srs_verify(
    sumac_context *context, const sumac_group *group, const void *g1_point, size_t g1_point_bytes,
    const void *g2_points, size_t g2_points_bytes, const sumac_vector *commitments,
    const sumac_vector *evaluation_points, const sumac_vector *values, const sumac_vector *proofs, int *ok);

/** FK20's tables, for all openings of polynomials of n coefficients in cells of cell_elements values. They are a transformed
 *  SRS with multiples of its points. Like bases, they lie on the backend of the context that created them, are immutable, and
 *  may be used by several threads at once. */
typedef struct sumac_fk20 sumac_fk20;

/** Derive FK20's tables from an SRS. With l = cell_elements, this takes l transforms of 2n/l points, and the time to
 *  compute the multiples.
 *  @param srs at least n points; not kept
 *  @param n the number of coefficients of a polynomial, a power of two from 2 on
 *  @param cell_elements the number of elements of a cell, a power of two less than n. 1: each evaluation point has its own
 *  proof
 *  @param table_bytes the most bytes of the transformed points and their multiples on each device. The planner uses
 *  fewer if more would not be faster. If fewer than twice the bytes of 2n points are allowed, no multiples are kept. 0: 64 MiB
 *  @param fk20 the new tables, to be freed with sumac_fk20_destroy(); null on failure
 *  @return SUMAC_OK, SUMAC_BAD_LENGTH (an SRS of fewer points), SUMAC_NOT_SUPPORTED (the scalar field has no root of
 *  unity of order 2n/l), SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_fk20_create(sumac_context *context, const sumac_bases *srs,
                                                        size_t n, size_t cell_elements, uint64_t table_bytes,
                                                        sumac_fk20 **fk20);

/** Free FK20's tables; null is allowed. No call that uses them may be running. */
SUMAC_API void sumac_fk20_destroy(sumac_fk20 *fk20);

/** The properties of FK20's tables. */
typedef struct sumac_fk20_info {
    size_t size;
    const sumac_group *group; /**< the group of the SRS and of the proofs */
    size_t n;                 /**< the number of coefficients of a polynomial */
    size_t cell_elements;     /**< the number of elements of a cell */
    uint64_t table_bytes;     /**< the bytes of the transformed points and their multiples on one device */
} sumac_fk20_info;

/** Describe FK20's tables: write all fields that the caller's struct has.
 *  @param info the caller sets its size
 *  @return SUMAC_OK, SUMAC_BAD_ARGUMENT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_fk20_describe(const sumac_fk20 *fk20, sumac_fk20_info *info);

/** Prove all cells of polynomials on a domain of rate*n points.
 *
 *  Let l be cell_elements, and w = sumac_root_of_unity(log2(rate*n)). The domain is 1, w, w^2, ... It has m = rate*n/l cells.
 *  Cell j < m is the coset w^j*<w^m> of l points, which are those x with x^l = (w^l)^j. The proof of cell j is the commitment
 *  to the quotient of f by X^l - (w^l)^j. For l = 1 it is the proof of sumac_srs_open() at w^j.
 *
 *  @param polynomials count*n scalars. Many at once are faster, because each table is loaded once for several, and because
 *  several devices divide the polynomials
 *  @param rate a power of two: 1 if the domain has n points, 2 if it is twice as large
 *  @param order the index of cell j's proof: j with SUMAC_ORDER_NATURAL, rev(j) with SUMAC_ORDER_BIT_REVERSED, where rev
 *  reverses the bits of j. If the values on the domain are bit-reversed, as Ethereum's are (rate 2), each cell is l
 *  contiguous values, and the latter is the order of these cells
 *  @param proofs receives count*rate*n/l points, for one polynomial after another
 *  @return SUMAC_OK, SUMAC_NOT_SUPPORTED (the scalar field has no root of unity of order rate*n/l),
 *  SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY, SUMAC_MEMORY_LIMIT */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_fk20_prove(sumac_context *context, const sumac_fk20 *fk20,
                                                       const sumac_vector *polynomials, size_t rate,
                                                       sumac_order order, sumac_vector *proofs);

/** Save FK20's tables with their multiples and a hash of the SRS. The file is written as sumac_bases_save() writes one, as a
 *  whole or not at all. docs/formats.md has the bytes.
 *  @return SUMAC_OK, SUMAC_CANNOT_OPEN, SUMAC_WRITE_FAILED, SUMAC_BAD_ARGUMENT, SUMAC_OUT_OF_MEMORY */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_fk20_save(sumac_context *context, const sumac_fk20 *fk20,
                                                      const char *path);

/** Open a file of sumac_fk20_save(). The hash in the file shows that it was made from this SRS. Only checksums protect the
 *  points, and they find damage but no forgery: open files from trusted sources only.
 *  @param srs, n, cell_elements those from which the file was made, otherwise SUMAC_MISMATCH
 *  @param fk20 the new tables, to be freed with sumac_fk20_destroy(); null on failure
 *  @return as sumac_bases_open(), SUMAC_MISMATCH (another SRS, group, n or cell_elements), SUMAC_BAD_FILE (another
 *  version), SUMAC_BAD_LENGTH (an SRS of fewer points than n) */
SUMAC_API SUMAC_MUST_USE sumac_status sumac_fk20_open(sumac_context *context, const sumac_bases *srs,
                                                      size_t n, size_t cell_elements, const char *path,
                                                      sumac_fk20 **fk20);

#ifdef __cplusplus
}
#endif

#endif
