/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A record, a raw point as include/sumac/sumac.h describes it, to an affine point: the same for both engines.
 * Records may begin at any address. Bounds and aliasing as in field.h; what is read may be any bytes.
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

/* Element `part` of Fp, 0 <= part < FE_DEGREE, of a coordinate: itself, or c0 and c1. */
SUMAC_FN fp *coordinate_part(fe *a, int part)
{
#if FE_DEGREE == 2
    return part == 0 ? &a->c0 : &a->c1;
#else
    (void)part;
    return a;
#endif
}

/* Returns 1 if y > -y by the canonical integers of y: over Fp2 by c1, or by c0 where c1 = 0. Returns 0 for y = 0, which is
 * its own negative. */
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

/* The canonical integers of a coordinate in Montgomery form. */
SUMAC_FN void coordinate_integers(fe *r, const fe *a)
{
    fe stored = *a;
    SUMAC_UNROLL
    for (int part = 0; part < FE_DEGREE; part++) {
        fp_from_mont(coordinate_part(r, part), coordinate_part(&stored, part));
    }
}

/* The integer of FIELD_BYTES little-endian bytes; 1 if it is below p. */
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

/* A coordinate in Montgomery form from its bytes in either form; 1 if its integers were below p. */
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

/* SUMAC_OK, SUMAC_BAD_ENCODING or SUMAC_NOT_ON_CURVE; subgroups are subgroup.h's. A record whose flag says
 * infinity has no coordinates: they are not looked at. */
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
        /* Under a flag (0, 0) is a point like any other, and one off the curve; here it would become
         * infinity. */
        return layout->infinity == SUMAC_INFINITY_FLAG ? SUMAC_NOT_ON_CURVE : SUMAC_OK;
    }
    return check == SUMAC_CHECK_NONE || affine_is_on_curve(point) ? SUMAC_OK : SUMAC_NOT_ON_CURVE;
}

#endif
