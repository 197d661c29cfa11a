/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Decode a record, a raw point as include/sumac/sumac.h describes it, to an affine point, for both engines. Records may
 * begin at any address and hold any bytes. Bounds and aliasing are as in field.h.
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

/* Return element `part` of Fp, 0 <= part < FE_DEGREE, of a coordinate: itself, or c0 and c1. */
SUMAC_FN fp *coordinate_part(fe *a, int part)
{
#if FE_DEGREE == 2
    return part == 0 ? &a->c0 : &a->c1;
#else
    (void)part;
    return a;
#endif
}

/* Return 1 if y > -y, comparing canonical integers: over Fp2 by c1, or by c0 if c1 = 0. Return 0 for y = 0, which
 * equals its negative. */
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

/* Decode a record. Return SUMAC_OK, SUMAC_BAD_ENCODING or SUMAC_NOT_ON_CURVE; subgroup.h checks subgroups. If a
 * record's flag marks infinity, its coordinates are not read. */
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
        /* If a flag marks infinity, (0, 0) is an ordinary record of a point off the curve; without this test it would
         * become infinity. */
        return layout->infinity == SUMAC_INFINITY_FLAG ? SUMAC_NOT_ON_CURVE : SUMAC_OK;
    }
    return check == SUMAC_CHECK_NONE || affine_is_on_curve(point) ? SUMAC_OK : SUMAC_NOT_ON_CURVE;
}

#endif
