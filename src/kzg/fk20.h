/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* All proofs of a polynomial on cosets at once: what a prover keeps for them, also as part of a file. fk20.c cites the
 * paper, and docs/internals/kzg.md has the steps. */
#ifndef SUMAC_KZG_FK20_H
#define SUMAC_KZG_FK20_H

#include "io/container.h"
#include "kzg/challenge.h"
#include "kzg/range.h"
#include "sumac/srs.h"

/* The bytes of tables, where the caller does not say. */
#define DEFAULT_TABLE_BYTES ((uint64_t)64 << 20)

/* Polynomials have n coefficients, and cells l elements: powers of two, l < n. k = n/l. */
typedef struct fk20_shape {
    size_t n;
    size_t l;
} fk20_shape;

struct sumac_fk20 {
    const sumac_curve *curve;
    fk20_shape shape;
    sumac_bases *columns; /* 2k rows of l points: the transformed SRS, row p for frequency -p */
    uint8_t srs_hash[SRS_HASH_BYTES];
};

/* Refuse a shape that cannot be, that this SRS is too short for, or that no memory holds. */
sumac_status fk20_check_shape(sumac_context *context, const sumac_bases *srs, fk20_shape shape);

/* Hash the first n points of an SRS, by challenge_hash_srs(). */
sumac_status fk20_hash_srs(sumac_context *context, const sumac_bases *srs, size_t n,
                           uint8_t hash[SRS_HASH_BYTES]);

/* Make an fk20 without columns, or return null and store a sentence. */
sumac_fk20 *fk20_allocate(sumac_context *context, const sumac_curve *curve, fk20_shape shape);

/* Prove `count` polynomials, unchecked, with the executor of a range, or all of its list: sumac_fk20_prove() into `proofs`,
 * from `first` on. */
sumac_status fk20_prove_within(const work_range *range, const sumac_fk20 *fk20,
                               const sumac_vector *polynomials, size_t count, size_t rate, sumac_order order,
                               sumac_vector *proofs, size_t first);

/* Add the sections of what sumac_fk20_save() writes to those of a file, write them, and read them again for this SRS and
 * shape. */
void fk20_add(container *layout, const sumac_fk20 *fk20);
sumac_status fk20_write(output_file *file, const container *layout, const sumac_fk20 *fk20);
sumac_status fk20_read(input_file *file, const container *layout, const sumac_bases *srs, fk20_shape shape,
                       sumac_check check, sumac_fk20 **fk20);

/* For variables that clean themselves up: base/try.h. */
static inline void close_fk20(sumac_fk20 **fk20)
{
    sumac_fk20_destroy(*fk20);
}

#endif
