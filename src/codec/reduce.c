/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/reduce.h"

#include "base/integers.h"
#include "codec/bytes.h"
#include "curves/group_code.h"

/* The integer is cut into blocks as long as a scalar, of which only the first one may be shorter. With R = 2^(64*limbs), a
 * block is appended to the integer before it by multiplying that by R, as for Montgomery form. */
void integer_reduce(const sumac_group *group, const uint8_t *integer, size_t bytes, uint8_t *scalar)
{
    const scalar_field *field = &registered(group)->scalars;
    const size_t each = group->scalar_bytes;
    uint64_t reduced[SCALAR_MAX_LIMBS] = {0}, block[SCALAR_MAX_LIMBS];
    size_t n = bytes % each == 0 ? each : bytes % each;
    for (size_t at = 0; at < bytes; at += n, n = each) {
        uint8_t little[8 * SCALAR_MAX_LIMBS] = {0};
        reverse_bytes(little, integer + at, n);
        scalar_load(block, little, field->limbs);
        scalar_reduce(block, field);
        scalar_to_montgomery(reduced, field);
        scalar_add(reduced, reduced, block, field);
    }
    scalar_store(scalar, reduced, field->limbs);
}
