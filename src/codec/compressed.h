/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions decode one compressed point to an affine one. Engines that decode many points call them for each
 * record. The encoding is that of src/codec/zcash.c, for any curve whose p leaves three bits for flags. Each record
 * gets the status that the host's decoder would give it. Records may begin at any address and have any bytes. The host
 * also uses compressed_y(), for every curve.
 */
#ifndef SUMAC_CODEC_COMPRESSED_H
#define SUMAC_CODEC_COMPRESSED_H

#include "codec/record.h"
#include "codec/zcash_flags.h"
#include "math/sqrt.h"

#define CURVE_HAS_COMPRESSED (FP_SPARE_BITS >= 3)

/* Devices do not decode points over Fp2, because tests of that on an H200 did not terminate. */
#define DEVICE_HAS_COMPRESSED (CURVE_HAS_COMPRESSED && FE_DEGREE == 1)

/* *y is a coordinate in Montgomery form. Set it to -y if the wanted one of y and -y, the larger or the smaller one, is that, and
 * *integers to y as integers. */
SUMAC_FN void compressed_choose(fe *y, fe *integers, int larger)
{
    fe opposite, opposite_integers;
    coordinate_integers(integers, y);
    const int turns = is_larger_integer(integers) != larger;
    fe_neg(&opposite, y);
    fe_neg(&opposite_integers, integers);
    fe_cmov(y, &opposite, turns);
    fe_cmov(integers, &opposite_integers, turns);
}

/* Compute the coordinate y that belongs to x, which is in Montgomery form. It is the larger or the smaller of two
 * roots. *y becomes y in Montgomery form, and *integers becomes y as integers. If there is no root, return 0. */
SUMAC_FN int compressed_y(fe *y, fe *integers, const fe *x, int larger)
{
    fe_sqr(y, x);
    fe_mul(y, y, x);
    fe_add(y, y, &curve_b);
    if (!fe_sqrt(y, y)) {
        return 0;
    }
    compressed_choose(y, integers, larger);
    return 1;
}

#if CURVE_HAS_COMPRESSED

/* The record has the flag of infinity. Check it: except for the flag of compression, no other bit may be set. */
SUMAC_FN sumac_status compressed_infinity(const uint8_t *record)
{
    uint32_t others = record[0] & ~(uint32_t)(FLAG_COMPRESSED | FLAG_INFINITY);
    for (int i = 1; i < COORDINATE_BYTES; i++) {
        others |= record[i];
    }
    return others == 0 ? SUMAC_OK : SUMAC_BAD_ENCODING;
}

/* Read the integers of x without the flags. They are big-endian, and c1 is before c0. Return 1 if they are less than
 * p. */
SUMAC_FN int compressed_x(fe *x, const uint8_t *record)
{
    int canonical = 1;
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        const uint8_t *bytes = record + (FE_DEGREE - 1 - part) * FIELD_BYTES;
        fp *element = coordinate_part(x, part);
        SUMAC_UNROLL
        for (int i = 0; i < FP_LIMBS; i++) {
            uint64_t limb = 0;
            for (int j = 0; j < 8; j++) {
                limb = limb << 8 | bytes[8 * (FP_LIMBS - 1 - i) + j];
            }
            element->l[i] = limb;
        }
        if (part == FE_DEGREE - 1) {
            element->l[FP_LIMBS - 1] &= ~((uint64_t)FLAGS << 56);
        }
        canonical &= fp_is_canonical(element->l);
    }
    return canonical;
}

/* Decode a record of COORDINATE_BYTES to a point in Montgomery form, and to the integers of its raw record. Return
 * SUMAC_OK, SUMAC_BAD_ENCODING or SUMAC_NOT_ON_CURVE. Unless the status is SUMAC_OK, the point becomes infinity. */
SUMAC_FN sumac_status compressed_point(affine *point, affine *integers, const uint8_t *record)
{
    affine_set_infinity(point);
    affine_set_infinity(integers);
    if ((record[0] & FLAG_COMPRESSED) == 0) {
        return SUMAC_BAD_ENCODING;
    }
    if ((record[0] & FLAG_INFINITY) != 0) {
        return compressed_infinity(record);
    }
    fe x, y, x_integers, y_integers;
    if (!compressed_x(&x_integers, record)) {
        return SUMAC_BAD_ENCODING;
    }
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fp_to_mont(coordinate_part(&x, part), coordinate_part(&x_integers, part));
    }
    if (!compressed_y(&y, &y_integers, &x, (record[0] & FLAG_LARGER) != 0)) {
        return SUMAC_NOT_ON_CURVE;
    }
    point->x = x;
    point->y = y;
    integers->x = x_integers;
    integers->y = y_integers;
    return SUMAC_OK;
}

#endif

#endif
