/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* All proofs of a polynomial on cosets at once, as Feist and Khovratovich, "Fast amortized KZG proofs"
 * (eprint 2023/033): docs/kzg.md has the steps. Here: what is kept for them, and as part of a file. */
#ifndef SUMAC_KZG_FK20_H
#define SUMAC_KZG_FK20_H

#include "io/container.h"
#include "kzg/challenge.h"
#include "kzg/work.h"
#include "sumac/srs.h"

/* Of tables, where the caller does not say. */
#define DEFAULT_TABLE_BYTES ((uint64_t)64 << 20)

/* Polynomials of n coefficients, cells of l elements; powers of two, l < n. k = n/l. */
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

/* Whether there is such a shape for this SRS, and room in memory. */
sumac_status fk20_check_shape(sumac_context *context, const sumac_bases *srs, fk20_shape shape);

/* The hash of an SRS's first n points: challenge.h's. */
sumac_status fk20_hash_srs(sumac_context *context, const sumac_bases *srs, size_t n,
                           uint8_t hash[SRS_HASH_BYTES]);

/* An fk20 without columns, or null and a sentence. */
sumac_fk20 *fk20_allocate(sumac_context *context, const sumac_curve *curve, fk20_shape shape);

/* sumac_fk20_prove() of `count` polynomials as a step of a work, unchecked. */
void fk20_prove_within(work *w, const sumac_fk20 *fk20, const sumac_vector *polynomials, size_t count,
                       size_t rate, sumac_order order, sumac_vector *proofs);

/* Add the sections of what sumac_fk20_save() writes to those of a file, write them, and read them again for this SRS and
 * shape. */
void fk20_add(container *layout, const sumac_fk20 *fk20);
sumac_status fk20_write(output_file *file, const container *layout, const sumac_fk20 *fk20);
sumac_status fk20_read(input_file *file, const container *layout, const sumac_bases *srs, fk20_shape shape,
                       sumac_check check, sumac_fk20 **fk20);

#endif
