/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vector/host_scalars.h"

#include "curves/group_code.h"

static const scalar_field *field_of(const sumac_group *group)
{
    return &registered(group)->scalars;
}

host_scalar host_from_raw(const sumac_group *group, const uint8_t *raw)
{
    const scalar_field *field = field_of(group);
    host_scalar r = {{0}};
    scalar_load(r.limbs, raw, field->limbs);
    scalar_reduce(r.limbs, field);
    scalar_to_montgomery(r.limbs, field);
    return r;
}

void host_to_raw(const sumac_group *group, host_scalar a, uint8_t *raw)
{
    const scalar_field *field = field_of(group);
    scalar_from_montgomery(a.limbs, field);
    scalar_store(raw, a.limbs, field->limbs);
}

host_scalar host_from_montgomery(const sumac_group *group, const uint8_t *bytes)
{
    host_scalar r = {{0}};
    scalar_load(r.limbs, bytes, field_of(group)->limbs);
    return r;
}

void host_to_montgomery(const sumac_group *group, host_scalar a, uint8_t *bytes)
{
    scalar_store(bytes, a.limbs, field_of(group)->limbs);
}

host_scalar host_integer(const sumac_group *group, uint64_t integer)
{
    const scalar_field *field = field_of(group);
    host_scalar r = {{integer}};
    scalar_reduce(r.limbs, field);
    scalar_to_montgomery(r.limbs, field);
    return r;
}

host_scalar host_add(const sumac_group *group, host_scalar a, host_scalar b)
{
    scalar_add(a.limbs, a.limbs, b.limbs, field_of(group));
    return a;
}

host_scalar host_negate(const sumac_group *group, host_scalar a)
{
    const scalar_field *field = field_of(group);
    if (!host_is_zero(group, a)) {
        scalar_subtract(a.limbs, field->modulus, a.limbs, field->limbs);
    }
    return a;
}

host_scalar host_subtract(const sumac_group *group, host_scalar a, host_scalar b)
{
    return host_add(group, a, host_negate(group, b));
}

host_scalar host_multiply(const sumac_group *group, host_scalar a, host_scalar b)
{
    scalar_montgomery_multiply(a.limbs, b.limbs, field_of(group));
    return a;
}

host_scalar host_square(const sumac_group *group, host_scalar a, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        a = host_multiply(group, a, a);
    }
    return a;
}

/* Raise a to the power of an integer of `limbs` limbs, bit by bit from the highest one. */
static host_scalar raise(const sumac_group *group, host_scalar a, const uint64_t *exponent, uint32_t limbs)
{
    host_scalar power = host_integer(group, 1);
    for (uint32_t i = 64 * limbs; i-- > 0;) {
        power = host_multiply(group, power, power);
        if (exponent[i / 64] >> i % 64 & 1) {
            power = host_multiply(group, power, a);
        }
    }
    return power;
}

host_scalar host_power(const sumac_group *group, host_scalar a, uint64_t exponent)
{
    return raise(group, a, &exponent, 1);
}

/* By Fermat's theorem, 1/a is a^(r - 2). */
host_scalar host_invert(const sumac_group *group, host_scalar a)
{
    const scalar_field *field = field_of(group);
    const uint64_t two[SCALAR_MAX_LIMBS] = {2};
    uint64_t exponent[SCALAR_MAX_LIMBS];
    scalar_subtract(exponent, field->modulus, two, field->limbs);
    return raise(group, a, exponent, field->limbs);
}

int host_is_zero(const sumac_group *group, host_scalar a)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < field_of(group)->limbs; i++) {
        any |= a.limbs[i];
    }
    return any == 0;
}
