/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions decode a record to an affine point, for both engines. A record is a raw point as
 * include/sumac/sumac.h describes it. It may begin at any address and have any bytes. Bounds and aliasing are as in
 * field.h.
 */
#ifndef SUMAC_CODEC_RECORD_H
#define SUMAC_CODEC_RECORD_H

#include "math/point.h"
#include "codec/point_layout.h"

enum {
    FIELD_BYTES = 8 * FP_LIMBS,
    COORDINATE_BYTES = FE_DEGREE * FIELD_BYTES,
    POINT_BYTES = 2 * COORDINATE_BYTES
};

/* A coordinate consists of one element of Fp or, over Fp2, of c0 and c1. Return element `part` of it, 0 <= part <
 * FE_DEGREE. */
SUMAC_FN fp *coordinate_part(fe *a, int part)
{
#if FE_DEGREE == 2
    return part == 0 ? &a->c0 : &a->c1;
#else
    (void)part;
    return a;
#endif
}

/* Return 1 if y > -y. The comparison is that of the canonical integers; over Fp2 it is that of c1 or, if c1 = 0, of c0.
 * For y = 0, which equals its negative, return 0. */
SUMAC_FN int is_larger_integer(const fe *y)
{
    fe integers = *y;
    for (int part = FE_DEGREE - 1; part >= 0; part--) {
        const fp *element = coordinate_part(&integers, part);
        if (!fp_is_zero(element)) {
            fp negative;
            fp_neg(&negative, element);
            return limbs_is_less(negative.l, element->l, FP_LIMBS);
        }
    }
    return 0;
}

/* Compute the canonical integers of a coordinate in Montgomery form. */
SUMAC_FN void coordinate_integers(fe *r, const fe *a)
{
    fe stored = *a;
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fp_from_mont(coordinate_part(r, part), coordinate_part(&stored, part));
    }
}

/* Read the integer of FIELD_BYTES little-endian bytes. Return 1 if it is less than p. */
SUMAC_FN int record_integer(fp *r, const uint8_t *bytes)
{
    SUMAC_UNROLL
    for (int i = 0; i < FP_LIMBS; i++) {
        uint64_t limb = 0;
        for (int j = 7; j >= 0; j--) {
            limb = limb << 8 | bytes[8 * i + j];
        }
        r->l[i] = limb;
    }
    return fp_is_canonical(r->l);
}

/* Read a coordinate from bytes in either form, and convert it to Montgomery form. Return 1 if its integers are less
 * than p. */
SUMAC_FN int record_coordinate(fe *r, const uint8_t *bytes, sumac_form form)
{
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fp *element = coordinate_part(r, part);
        if (!record_integer(element, bytes + part * FIELD_BYTES)) {
            return 0;
        }
        if (form == SUMAC_FORM_CANONICAL) {
            fp_to_mont(element, element);
        }
    }
    return 1;
}

/* Decode a record. Return SUMAC_OK, SUMAC_BAD_ENCODING or SUMAC_NOT_ON_CURVE. The subgroup is checked elsewhere, in
 * subgroup.h. If a record's flag marks infinity, its coordinates are not read. */
SUMAC_FN sumac_status record_point(affine *point, const uint8_t *record, const point_layout *layout,
                                   sumac_check check)
{
    if (layout->infinity == SUMAC_INFINITY_FLAG && record[layout->infinity_offset] != 0) {
        affine_set_infinity(point);
        return SUMAC_OK;
    }
    if (!record_coordinate(&point->x, record, layout->form) ||
        !record_coordinate(&point->y, record + COORDINATE_BYTES, layout->form)) {
        return SUMAC_BAD_ENCODING;
    }
    if (affine_is_infinity(point)) {
        /* If a flag marks infinity, a record (0, 0) without the flag is a point off the curve. Without this test it
         * would become infinity. */
        return layout->infinity == SUMAC_INFINITY_FLAG ? SUMAC_NOT_ON_CURVE : SUMAC_OK;
    }
    return check == SUMAC_CHECK_NONE || affine_is_on_curve(point) ? SUMAC_OK : SUMAC_NOT_ON_CURVE;
}

#endif
