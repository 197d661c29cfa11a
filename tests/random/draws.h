/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A random case draws its choices from a fuzzer's bytes. When these are used up, it draws from a generator that they
 * seed. Without a fuzzer, it draws from the generator alone. The same bytes, or the same seed and number, give the same
 * choices.
 */
#ifndef SUMAC_RANDOM_DRAWS_H
#define SUMAC_RANDOM_DRAWS_H

#include <stddef.h>
#include <stdint.h>

typedef struct draws {
    const uint8_t *bytes;
    size_t left;
    uint64_t state; /* the state of splitmix64 */
} draws;

draws draws_from_seed(uint64_t seed, uint64_t number);
draws draws_from_bytes(const uint8_t *bytes, size_t size);

/* Draw a number less than bound, or 0 if the bound is 0 or 1. It takes as many bytes as the bound needs. */
uint64_t draw_below(draws *d, uint64_t bound);

/* Return 1 with a probability of `percent` percent. */
int draw_chance(draws *d, unsigned percent);

void draw_bytes(draws *d, void *bytes, size_t count);

#endif
