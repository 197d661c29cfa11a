/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Proofs of a polynomial on all cells at once: the tables that a prover keeps, in memory and in a file. fk20.c cites
 * the paper, and docs/internals/kzg.md has the steps. */
#ifndef SUMAC_KZG_FK20_H
#define SUMAC_KZG_FK20_H

#include "io/container.h"
#include "kzg/challenge.h"
#include "kzg/range.h"
#include "sumac/srs.h"

/* The limit on tables' bytes if the caller gives none. */
#define DEFAULT_TABLE_BYTES ((uint64_t)64 << 20)

/* Polynomials have n coefficients and cells have l elements; n and l are powers of two, and l < n. k = n/l. */
typedef struct fk20_shape {
    size_t n;
    size_t l;
} fk20_shape;

struct sumac_fk20 {
    const sumac_group *group;
    fk20_shape shape;
    sumac_bases *columns; /* 2k rows of l points: the transformed SRS, row p for frequency -p */
    uint8_t srs_hash[SRS_HASH_BYTES];
};

/* Refuse a shape that is invalid, for which this SRS is too short, or which no memory holds. */
sumac_status fk20_check_shape(sumac_context *context, const sumac_bases *srs, fk20_shape shape);

/* Return the bytes of the points and multiples on one device; 0 for null. */
uint64_t fk20_table_bytes(const sumac_fk20 *fk20);

/* Hash the first n points of an SRS with challenge_hash_srs(). */
sumac_status fk20_hash_srs(sumac_context *context, const sumac_bases *srs, size_t n,
                           uint8_t hash[SRS_HASH_BYTES]);

/* Allocate an fk20 without columns; on failure return null and store a message. */
sumac_fk20 *fk20_allocate(sumac_context *context, const sumac_group *group, fk20_shape shape);

/* Prove `count` unchecked polynomials as sumac_fk20_prove() does, with the range's executor or with its whole list, and
 * write the proofs to `proofs` from index `first` on. */
sumac_status fk20_prove_within(const work_range *range, const sumac_fk20 *fk20,
                               const sumac_vector *polynomials, size_t count, size_t rate, sumac_order order,
                               sumac_vector *proofs, size_t first);

/* Add the sections that sumac_fk20_save() writes to a file's layout; write them; and read them for this SRS and
 * shape. */
void fk20_add(container *layout, const sumac_fk20 *fk20);
sumac_status fk20_write(output_file *file, const container *layout, const sumac_fk20 *fk20);
sumac_status fk20_read(input_file *file, const container *layout, const sumac_bases *srs, fk20_shape shape,
                       sumac_check check, sumac_fk20 **fk20);

/* A cleanup function for CLEANUP() of base/try.h. */
static inline void close_fk20(sumac_fk20 **fk20)
{
    sumac_fk20_destroy(*fk20);
}

#endif
