/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A call's temporary vectors and memory, and its first failure: after that every step does nothing, so that
 * algorithms read as their formulas. Steps are the calls of vector/calls.h on one executor, without status: what
 * comes from a caller is checked before. MSMs are of the executor's shard of the bases; those of a work of the whole
 * context, whose vectors lie with its first executor, are shared out.
 */
#ifndef SUMAC_KZG_WORK_H
#define SUMAC_KZG_WORK_H

#include "kzg/share.h"
#include "vector/calls.h"

/* Vectors, and blocks of memory, of one work; and bases. */
enum { WORK_MOST = 32, WORK_MOST_BASES = 2 };

typedef struct work {
    executor *executor;
    uint32_t shard;       /* of bases that lie with several executors */
    sumac_context *whole; /* null: the executor alone */
    const sumac_curve *curve;
    sumac_status status;
    sumac_vector *vectors[WORK_MOST];
    void *blocks[WORK_MOST];
    sumac_bases *bases[WORK_MOST_BASES];
    size_t vector_count, block_count, bases_count;
} work;

/* Of a whole context; of a share; as a part of another work. */
work work_begin(sumac_context *context, const sumac_curve *curve);
work work_of_share(const share *own, const sumac_curve *curve);
work work_within(const work *outer);

/* Long calls work their blobs, polynomials or cells off by sub-batches: as many as have 4 MiB of scalars, on a
 * GPU 128 MiB, one at least and `count` at most, where each takes so many scalars. Larger sub-batches gain nothing,
 * and this bounds memory. */
size_t work_sub_batch(const work *w, size_t count, size_t scalars);

/* Free everything; the first failure. */
sumac_status work_end(work *w);

/* Put a status into the work: of a call that it has no step for. */
int work_is_ok(const work *w);
void work_note(work *w, sumac_status status);

/* Tell of the work, and end it if it is to be cancelled. Steps that are long do: transforms and MSMs. */
void work_ask(work *w);

/* Memory of count*size bytes, and vectors of zeros; null after a failure. They live until work_end(). */
void *work_memory(work *w, size_t count, size_t size);
sumac_vector *work_scalars(work *w, size_t count);
sumac_vector *work_points(work *w, size_t count);

/* Bases of n points in raw layout, of the work's curve, that live as long; of a whole context. They are not checked: they
 * were decoded for this call, or a setup has them, and there they were checked as far as its caller asked. */
const sumac_bases *work_bases(work *w, const uint8_t *points, size_t n);

/* Scalars in the consensus specification's bytes: 32, big-endian. */
void work_write_elements(work *w, sumac_vector *to, size_t first, size_t n, const uint8_t *elements);
void work_read_elements(work *w, const sumac_vector *from, size_t first, size_t n, uint8_t *elements);

/* Elements in raw layout; points are not checked, as those of work_bases(). */
void work_write(work *w, sumac_vector *to, size_t first, size_t n, const uint8_t *raw);
void work_read(work *w, const sumac_vector *from, size_t first, size_t n, uint8_t *raw);

/* Where one of the vectors lies with another executor. */
void work_copy_across(work *w, sumac_vector *to, size_t to_first, const sumac_vector *from, size_t from_first,
                      size_t n);

/* runs times `length` elements, from first + k*stride on. */
typedef struct work_part {
    size_t first, stride;
} work_part;
void work_copy(work *w, sumac_vector *to, work_part to_part, const sumac_vector *from, work_part from_part,
               size_t runs, size_t length);

void work_add(work *w, sumac_vector *result, const sumac_vector *a, const sumac_vector *b, size_t each);
void work_subtract(work *w, sumac_vector *result, const sumac_vector *a, const sumac_vector *b, size_t each);
void work_multiply(work *w, sumac_vector *result, const sumac_vector *a, const sumac_vector *b, size_t each);
void work_square(work *w, sumac_vector *vector, uint32_t times);
void work_invert(work *w, sumac_vector *vector);
void work_fill(work *w, sumac_vector *vector, const uint8_t *raw);
void work_fill_integer(work *w, sumac_vector *vector, uint64_t integer);
void work_sum(work *w, sumac_vector *result, const sumac_vector *a, size_t length);
void work_gather(work *w, sumac_vector *to, const sumac_vector *from, size_t length, const uint64_t *rows,
                 size_t n);
void work_transpose(work *w, sumac_vector *result, const sumac_vector *a, size_t rows, size_t columns);
void work_ntt(work *w, sumac_vector *vector, const sumac_transform_config *config);
void work_point_transform(work *w, sumac_vector *vector, const sumac_transform_config *config);
void work_point_transform_twice(work *w, sumac_vector *points, size_t length, sumac_order value_order);

/* 1, b, b^2, ...: b the one element of a vector. */
void work_powers(work *w, sumac_vector *powers, const sumac_vector *base);

/* `batch` MSMs of n bases from `first_base` on, their scalars one behind the other. */
typedef struct work_sums {
    const sumac_bases *bases;
    size_t first_base;
    size_t base_sets; /* of n bases, which the MSMs use in turns; 0: all use the same n */
    size_t n;
    size_t batch;
} work_sums;
void work_msm(work *w, const work_sums *sums, const sumac_vector *scalars, size_t first,
              sumac_vector *results, size_t result_first);

#endif
