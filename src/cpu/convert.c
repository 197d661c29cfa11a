/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Field elements in and out, checks and square roots of one curve: convert_ops of pipeline/backend.h. */
#include "pipeline/backend.h"

#include "pipeline/record.h"
#include "math/sqrt.h"
#include "math/subgroup.h"

static void write_integer(uint8_t *bytes, const fp *a)
{
    for (int i = 0; i < FP_LIMBS; i++) {
        for (int j = 0; j < 8; j++) {
            bytes[8 * i + j] = (uint8_t)(a->l[i] >> (8 * j));
        }
    }
}

static void write_element(uint8_t *bytes, const fp *a, sumac_form form)
{
    fp integer = *a;
    if (form == SUMAC_FORM_CANONICAL) {
        fp_from_mont(&integer, a);
    }
    write_integer(bytes, &integer);
}

static void write_coordinate(uint8_t *bytes, fe a, sumac_form form)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        write_element(bytes + part * FIELD_BYTES, coordinate_part(&a, part), form);
    }
}

static int is_in_subgroup(const void *point)
{
    const affine *a = point;
    return affine_is_infinity(a) || subgroup_contains(a);
}

static sumac_status import_point(affine *point, const uint8_t *record, const point_layout *layout,
                                 sumac_check check)
{
    const sumac_status status = record_point(point, record, layout, check);
    return status == SUMAC_OK && check == SUMAC_CHECK_SUBGROUP && !is_in_subgroup(point)
               ? SUMAC_NOT_IN_SUBGROUP
               : status;
}

static sumac_status import_points(void *points, const uint8_t *records, size_t n, const point_layout *layout,
                                  sumac_check check, size_t *bad)
{
    affine *table = points;
    for (size_t i = 0; i < n; i++) {
        const sumac_status status = import_point(&table[i], records + i * layout->stride, layout, check);
        if (status != SUMAC_OK) {
            *bad = i;
            return status;
        }
    }
    return SUMAC_OK;
}

static void export_points(uint8_t *records, const void *points, size_t n, sumac_form form)
{
    const affine *table = points;
    for (size_t i = 0; i < n; i++) {
        write_coordinate(records + i * POINT_BYTES, table[i].x, form);
        write_coordinate(records + i * POINT_BYTES + COORDINATE_BYTES, table[i].y, form);
    }
}

/* 1 if y > -y: as integers below p, and over Fp2 by c1, or by c0 where c1 = 0. 0 for y = 0, which is its own
 * negative. */
static int is_larger_root(const fe *y)
{
    fe candidate = *y;
    for (int part = FE_DEGREE - 1; part >= 0; part--) {
        const fp *element = coordinate_part(&candidate, part);
        if (!fp_is_zero(element)) {
            fp integer, negative;
            fp_from_mont(&integer, element);
            fp_neg(&negative, element);
            fp_from_mont(&negative, &negative);
            return limbs_is_less(negative.l, integer.l, FP_LIMBS);
        }
    }
    return 0;
}

static sumac_status lift_x(uint8_t *raw, int larger)
{
    fe x, y;
    if (!record_coordinate(&x, raw, SUMAC_FORM_CANONICAL)) {
        return SUMAC_BAD_ENCODING;
    }
    fe_sqr(&y, &x);
    fe_mul(&y, &y, &x);
    fe_add(&y, &y, &curve_b);
    if (!fe_sqrt(&y, &y)) {
        return SUMAC_NOT_ON_CURVE;
    }
    if (is_larger_root(&y) != (larger != 0)) {
        fe_neg(&y, &y);
    }
    write_coordinate(raw + COORDINATE_BYTES, y, SUMAC_FORM_CANONICAL);
    return SUMAC_OK;
}

static int y_is_larger(const uint8_t *raw)
{
    fe y;
    return record_coordinate(&y, raw + COORDINATE_BYTES, SUMAC_FORM_CANONICAL) && is_larger_root(&y);
}

static int is_in_subgroup_by_order(const void *point)
{
    return subgroup_contains_by_order(point);
}

extern const convert_ops SUMAC_SYMBOL(convert);

const convert_ops SUMAC_SYMBOL(convert) = {
    .import_points = import_points,
    .export_points = export_points,
    .lift_x = lift_x,
    .y_is_larger = y_is_larger,
    .is_in_subgroup = is_in_subgroup,
    .is_in_subgroup_by_order = is_in_subgroup_by_order,
};
