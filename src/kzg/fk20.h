/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* FK20 computes the proofs of a polynomial on all cells at once. This file defines the tables that a prover keeps for
 * it, in memory and in a file. fk20.c cites the paper, and docs/internals/kzg.md has the steps. */
#ifndef SUMAC_KZG_FK20_H
#define SUMAC_KZG_FK20_H

#include "io/container.h"
#include "kzg/challenge.h"
#include "kzg/range.h"
#include "sumac/srs.h"

/* If the caller gives no limit, tables take at most this many bytes. */
#define DEFAULT_TABLE_BYTES ((uint64_t)64 << 20)

/* Polynomials have n coefficients and cells have l elements; n and l are powers of two, and l < n. k = n/l. */
typedef struct fk20_shape {
    size_t n;
    size_t l;
} fk20_shape;

struct sumac_fk20 {
    const sumac_group *group;
    fk20_shape shape;
    sumac_bases *columns; /* 2k rows of l points: the transformed SRS; row p belongs to frequency -p */
    uint8_t srs_hash[SRS_HASH_BYTES];
};

/* Refuse a shape that is invalid, that needs a longer SRS than this one, or that no memory can hold. */
sumac_status fk20_check_shape(sumac_context *context, const sumac_bases *srs, fk20_shape shape);

/* Return how many bytes the points and their multiples take on one device. For null, return 0. */
uint64_t fk20_table_bytes(const sumac_fk20 *fk20);

/* Hash the first n points of an SRS with challenge_hash_srs(). */
sumac_status fk20_hash_srs(sumac_context *context, const sumac_bases *srs, size_t n,
                           uint8_t hash[SRS_HASH_BYTES]);

/* Allocate an fk20 that has no columns yet. On failure return null and store a message. */
sumac_fk20 *fk20_allocate(sumac_context *context, const sumac_group *group, fk20_shape shape);

/* Prove `count` polynomials as sumac_fk20_prove() does, but do not check them. The range's executor or its whole list
 * computes. The proofs are written to `proofs`, from index `first` on. */
sumac_status fk20_prove_within(const work_range *range, const sumac_fk20 *fk20,
                               const sumac_vector *polynomials, size_t count, size_t rate, sumac_order order,
                               sumac_vector *proofs, size_t first);

/* fk20_add() adds the sections that sumac_fk20_save() writes to a file's layout. The next function writes these
 * sections, and the last one reads them for this SRS and shape. */
void fk20_add(container *layout, const sumac_fk20 *fk20);
sumac_status fk20_write(output_file *file, const container *layout, const sumac_fk20 *fk20);
sumac_status fk20_read(input_file *file, const container *layout, const sumac_bases *srs, fk20_shape shape,
                       sumac_check check, sumac_fk20 **fk20);

/* This is a cleanup function for CLEANUP() of base/try.h. */
static inline void close_fk20(sumac_fk20 **fk20)
{
    sumac_fk20_destroy(*fk20);
}

#endif
