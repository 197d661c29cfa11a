/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "toy_field.h"

#include <string.h>

typedef unsigned __int128 uint128;

int toy_is_less(const toy_field *f, toy_number a, toy_number b)
{
    size_t i = f->limbs;
    while (i > 0 && a.limbs[i - 1] == b.limbs[i - 1]) {
        i--;
    }
    return i > 0 && a.limbs[i - 1] < b.limbs[i - 1];
}

/* a - b as an integer modulo R. */
static toy_number subtract_integers(const toy_field *f, toy_number a, toy_number b)
{
    toy_number result = {{0}};
    uint64_t borrow = 0;
    for (size_t i = 0; i < f->limbs; i++) {
        const uint128 difference = (uint128)a.limbs[i] - b.limbs[i] - borrow;
        result.limbs[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) & 1;
    }
    return result;
}

/* The number whose integer, `carry` times R and a together, is less than twice the modulus. */
static toy_number reduce(const toy_field *f, toy_number a, uint64_t carry)
{
    return carry != 0 || !toy_is_less(f, a, f->modulus) ? subtract_integers(f, a, f->modulus) : a;
}

toy_number toy_add(const toy_field *f, toy_number a, toy_number b)
{
    toy_number result = {{0}};
    uint128 sum = 0;
    for (size_t i = 0; i < f->limbs; i++) {
        sum += (uint128)a.limbs[i] + b.limbs[i];
        result.limbs[i] = (uint64_t)sum;
        sum >>= 64;
    }
    return reduce(f, result, (uint64_t)sum);
}

toy_number toy_subtract(const toy_field *f, toy_number a, toy_number b)
{
    const toy_number zero = {{0}};
    return memcmp(&b, &zero, sizeof b) == 0 ? a : toy_add(f, a, subtract_integers(f, f->modulus, b));
}

/* Row after row of the schoolbook's product, each divided by 2^64 when a multiple of the modulus has made its lowest limb
 * 0. */
toy_number toy_multiply(const toy_field *f, toy_number a, toy_number b)
{
    toy_number t = {{0}};
    uint64_t highest = 0;
    for (size_t i = 0; i < f->limbs; i++) {
        uint128 sum = 0;
        for (size_t j = 0; j < f->limbs; j++) {
            sum += (uint128)a.limbs[j] * b.limbs[i] + t.limbs[j];
            t.limbs[j] = (uint64_t)sum;
            sum >>= 64;
        }
        sum += highest;
        const uint64_t top = (uint64_t)sum, over = (uint64_t)(sum >> 64), m = t.limbs[0] * f->inverse;
        sum = ((uint128)m * f->modulus.limbs[0] + t.limbs[0]) >> 64;
        for (size_t j = 1; j < f->limbs; j++) {
            sum += (uint128)m * f->modulus.limbs[j] + t.limbs[j];
            t.limbs[j - 1] = (uint64_t)sum;
            sum >>= 64;
        }
        sum += top;
        t.limbs[f->limbs - 1] = (uint64_t)sum;
        highest = over + (uint64_t)(sum >> 64);
    }
    return reduce(f, t, highest);
}

toy_number toy_power(const toy_field *f, toy_number a, toy_number exponent)
{
    toy_number power = f->one;
    for (size_t i = 64 * f->limbs; i-- > 0;) {
        power = toy_multiply(f, power, power);
        if ((exponent.limbs[i / 64] >> i % 64 & 1) != 0) {
            power = toy_multiply(f, power, a);
        }
    }
    return power;
}

toy_number toy_invert(const toy_field *f, toy_number a)
{
    return toy_power(f, a, subtract_integers(f, f->modulus, (toy_number){{2}}));
}

toy_number toy_integer(const toy_field *f, uint64_t integer)
{
    return toy_multiply(f, (toy_number){{integer}}, f->two);
}

toy_number toy_load(const toy_field *f, const void *bytes)
{
    toy_number a = {{0}};
    memcpy(a.limbs, bytes, 8 * f->limbs);
    return a;
}

void toy_store(const toy_field *f, toy_number a, void *bytes)
{
    memcpy(bytes, a.limbs, 8 * f->limbs);
}

toy_field toy_field_of(const void *modulus, size_t bytes)
{
    toy_field f = {.limbs = bytes / 8, .inverse = 1};
    f.modulus = toy_load(&f, modulus);
    for (int i = 0; i < 6; i++) { /* Newton's method doubles the bits that are right */
        f.inverse *= 2 - f.modulus.limbs[0] * f.inverse;
    }
    f.inverse = 0 - f.inverse;
    f.two = (toy_number){{1}};
    for (size_t i = 0; i < 128 * f.limbs; i++) {
        f.one = i == 64 * f.limbs ? f.two : f.one;
        f.two = toy_add(&f, f.two, f.two);
    }
    return f;
}
