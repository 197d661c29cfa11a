/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "random/draws.h"

/* This is splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

draws draws_from_seed(uint64_t seed, uint64_t number)
{
    draws d = {NULL, 0, seed};
    d.state = next(&d.state) ^ number;
    d.state = next(&d.state);
    return d;
}

draws draws_from_bytes(const uint8_t *bytes, size_t size)
{
    draws d = {bytes, size, size};
    for (size_t i = 0; i < size; i++) {
        d.state = (d.state ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return d;
}

static uint8_t draw_byte(draws *d)
{
    if (d->left == 0) {
        return (uint8_t)(next(&d->state) >> 56);
    }
    d->left--;
    return *d->bytes++;
}

uint64_t draw_below(draws *d, uint64_t bound)
{
    uint64_t value = 0;
    if (bound <= 1) {
        return 0;
    }
    if (d->left == 0) {
        return next(&d->state) % bound;
    }
    for (uint64_t rest = bound - 1; rest != 0; rest >>= 8) {
        value = value << 8 | draw_byte(d);
    }
    return value % bound;
}

int draw_chance(draws *d, unsigned percent)
{
    return draw_below(d, 100) < percent;
}

void draw_bytes(draws *d, void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ((uint8_t *)bytes)[i] = draw_byte(d);
    }
}
