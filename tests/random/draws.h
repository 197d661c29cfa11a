/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Where a random case gets its choices from: a fuzzer's bytes, then a generator that starts from what they
 * were; or the generator alone. The same bytes or the same seed and number give the same choices.
 */
#ifndef SUMAC_RANDOM_DRAWS_H
#define SUMAC_RANDOM_DRAWS_H

#include <stddef.h>
#include <stdint.h>

typedef struct draws {
    const uint8_t *bytes;
    size_t left;
    uint64_t state; /* of splitmix64 */
} draws;

draws draws_from_seed(uint64_t seed, uint64_t number);
draws draws_from_bytes(const uint8_t *bytes, size_t size);

/* A number less than bound; 0 for a bound of 0 or 1. As many bytes are taken as the bound needs. */
uint64_t draw_below(draws *d, uint64_t bound);

/* 1 in `percent` of 100 draws. */
int draw_chance(draws *d, unsigned percent);

void draw_bytes(draws *d, void *bytes, size_t count);

#endif
