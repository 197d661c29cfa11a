/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Arithmetic with single elements, for functions that compute with one point or scalar at a time. */
#ifndef SUMAC_ICICLE_FIELD_H
#define SUMAC_ICICLE_FIELD_H

#include <stddef.h>
#include <stdint.h>

enum { SUMAC_ICICLE_MOST_WORDS = 12 };

/* A prime field, or its quadratic extension by the square root of a small negative number. */
typedef struct sumac_icicle_field {
    const uint64_t *modulus;
    size_t words;                             /* of an element of the prime field */
    unsigned degree;                          /* 1 or 2 */
    unsigned minus_square;                    /* u^2 = -minus_square, for degree 2 */
    uint64_t inverse;                         /* -1/p mod 2^64 */
    uint64_t square[SUMAC_ICICLE_MOST_WORDS]; /* R^2 mod p */
} sumac_icicle_field;

/* An element in Montgomery form. */
typedef struct sumac_icicle_element {
    uint64_t words[2][SUMAC_ICICLE_MOST_WORDS];
} sumac_icicle_element;

void sumac_icicle_field_init(sumac_icicle_field *field, const uint64_t *modulus, size_t words,
                             unsigned degree, unsigned minus_square);

/* Read and write canonical elements. An integer that is not less than p is reduced. */
sumac_icicle_element sumac_icicle_load(const sumac_icicle_field *field, const void *from);
void sumac_icicle_store(const sumac_icicle_field *field, const sumac_icicle_element *element, void *to);

sumac_icicle_element sumac_icicle_one(const sumac_icicle_field *field);
sumac_icicle_element sumac_icicle_plus(const sumac_icicle_field *field, const sumac_icicle_element *a,
                                       const sumac_icicle_element *b);
sumac_icicle_element sumac_icicle_minus(const sumac_icicle_field *field, const sumac_icicle_element *a,
                                        const sumac_icicle_element *b);
sumac_icicle_element sumac_icicle_times(const sumac_icicle_field *field, const sumac_icicle_element *a,
                                        const sumac_icicle_element *b);
sumac_icicle_element sumac_icicle_inverse(const sumac_icicle_field *field, const sumac_icicle_element *a);
int sumac_icicle_equal(const sumac_icicle_element *a, const sumac_icicle_element *b);
int sumac_icicle_is_zero(const sumac_icicle_element *a);

/* Convert `count` elements of the prime field into Montgomery form, or from it. The two buffers may be the same. */
void sumac_icicle_convert(const sumac_icicle_field *field, const void *from, size_t count, int into,
                          void *to);

/* Return whether all of `count` integers are less than p. */
int sumac_icicle_all_reduced(const uint64_t *modulus, size_t words, const void *integers, size_t count);

#endif
