/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Field elements in and out, checks and square roots of one curve: convert_ops of pipeline/backend.h. */
#include "pipeline/backend.h"

#include "pipeline/record.h"
#include "math/sqrt.h"
#include "math/subgroup.h"
#ifdef SUMAC_VARIANT_AVX512
#include "avx512/sqrt_lanes.h"
#include "avx512/subgroup_lanes.h"
#endif

/* Points that are converted together: as many as there are lanes. */
#define CONVERT_BLOCK 16

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

/* What testing points for the subgroup in lanes takes: made once for many points. */
typedef struct subgroup_numbers {
#ifdef SUMAC_SUBGROUP_LANES
    lanes_numbers lanes;
#else
    int none;
#endif
} subgroup_numbers;

static void subgroup_numbers_make(subgroup_numbers *numbers, sumac_check check, size_t n)
{
#ifdef SUMAC_SUBGROUP_LANES
    if (check == SUMAC_CHECK_SUBGROUP && n > 1) { /* alone, a point takes as long without lanes */
        lanes_numbers_make(&numbers->lanes);
    }
#else
    (void)check;
    (void)n;
    numbers->none = 0;
#endif
}

/* The index of the first of n <= CONVERT_BLOCK affine points that is not in the subgroup, or n. In: numbers
 * made for n points at least. */
static size_t first_outside(const affine *points, size_t n, const subgroup_numbers *numbers)
{
#ifdef SUMAC_SUBGROUP_LANES
    if (n > 1) {
        const affine *places[CONVERT_BLOCK];
        uint32_t contained;
        for (size_t i = 0; i < CONVERT_BLOCK; i++) {
            places[i] = &points[i < n ? i : 0];
        }
        if (subgroup_lanes(&contained, places, &numbers->lanes)) {
            const uint32_t outside = ~contained & (((uint32_t)1 << n) - 1);
            return outside == 0 ? n : (size_t)__builtin_ctz(outside);
        }
    }
#else
    (void)numbers;
#endif
    size_t i = 0;
    while (i < n && is_in_subgroup(&points[i])) {
        i++;
    }
    return i;
}

/* The same for n <= CONVERT_BLOCK records; the first bad one is found, whatever is wrong with it. */
static sumac_status import_block(affine *points, const uint8_t *records, size_t n, const point_layout *layout,
                                 sumac_check check, const subgroup_numbers *numbers, size_t *bad)
{
    sumac_status status = SUMAC_OK;
    size_t good = 0;
    while (good < n && status == SUMAC_OK) {
        status = record_point(&points[good], records + good * layout->stride, layout, check);
        good += status == SUMAC_OK;
    }
    *bad = good;
    if (check == SUMAC_CHECK_SUBGROUP && good > 0) {
        *bad = first_outside(points, good, numbers);
    }
    return *bad < good ? SUMAC_NOT_IN_SUBGROUP : status;
}

static sumac_status import_points(void *points, const uint8_t *records, size_t n, const point_layout *layout,
                                  sumac_check check, size_t *bad)
{
    affine *table = points;
    subgroup_numbers numbers;
    subgroup_numbers_make(&numbers, check, n);
    for (size_t first = 0; first < n; first += CONVERT_BLOCK) {
        const size_t count = n - first < CONVERT_BLOCK ? n - first : CONVERT_BLOCK;
        size_t in_block;
        const sumac_status status = import_block(table + first, records + first * layout->stride, count,
                                                 layout, check, &numbers, &in_block);
        if (status != SUMAC_OK) {
            *bad = first + in_block;
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

/* 1 if y > -y, of y in Montgomery form. */
static int is_larger_root(const fe *y)
{
    fe integers;
    coordinate_integers(&integers, y);
    return is_larger_integer(&integers);
}

/* y = sqrt(y) for n <= CONVERT_BLOCK elements, all of which are set; the index of the first that has no root,
 * or n. */
static size_t take_roots(fe y[CONVERT_BLOCK], size_t n)
{
#ifdef SUMAC_SQRT_LANES
    fe roots[CONVERT_BLOCK];
    sqrt_lanes(roots, y);
    for (size_t i = 0; i < n; i++) {
        fe square;
        fe_sqr(&square, &roots[i]);
        if (!fe_eq(&square, &y[i])) {
            return i;
        }
        y[i] = roots[i];
    }
    return n;
#else
    size_t i = 0;
    while (i < n && fe_sqrt(&y[i], &y[i])) {
        i++;
    }
    return i;
#endif
}

/* Records whose x becomes a point: the points, infinity for those that are complete. How many there are
 * before one whose x is no coordinate; y is x^3 + b, 0 for the complete ones and after the last. */
static size_t load_x(affine points[CONVERT_BLOCK], fe y[CONVERT_BLOCK], const uint8_t *raw,
                     const uint8_t *sides, size_t n)
{
    size_t good = 0;
    for (size_t i = 0; i < CONVERT_BLOCK; i++) {
        affine_set_infinity(&points[i]);
        fe_set_zero(&y[i]);
    }
    for (; good < n; good++) {
        fe *x = &points[good].x;
        if (sides[good] == LIFT_NONE) {
            continue;
        }
        if (!record_coordinate(x, raw + good * POINT_BYTES, SUMAC_FORM_CANONICAL)) {
            break;
        }
        fe_sqr(&y[good], x);
        fe_mul(&y[good], &y[good], x);
        fe_add(&y[good], &y[good], &curve_b);
    }
    return good;
}

static sumac_status lift_block(uint8_t *raw, const uint8_t *sides, size_t n, sumac_check check,
                               const subgroup_numbers *numbers, size_t *bad)
{
    affine points[CONVERT_BLOCK];
    fe y[CONVERT_BLOCK];
    const size_t loaded = load_x(points, y, raw, sides, n);
    const size_t good = take_roots(y, loaded);
    *bad = good;
    for (size_t i = 0; i < good; i++) {
        if (sides[i] != LIFT_NONE) {
            if (is_larger_root(&y[i]) != (sides[i] == LIFT_LARGER)) {
                fe_neg(&y[i], &y[i]);
            }
            points[i].y = y[i];
            write_coordinate(raw + i * POINT_BYTES + COORDINATE_BYTES, y[i], SUMAC_FORM_CANONICAL);
        }
    }
    if (check == SUMAC_CHECK_SUBGROUP && good > 0) {
        *bad = first_outside(points, good, numbers);
    }
    if (*bad < good) {
        return SUMAC_NOT_IN_SUBGROUP;
    }
    if (good < loaded) {
        return SUMAC_NOT_ON_CURVE;
    }
    return good < n ? SUMAC_BAD_ENCODING : SUMAC_OK;
}

static sumac_status lift_x(uint8_t *raw, const uint8_t *sides, size_t n, sumac_check check, size_t *bad)
{
    subgroup_numbers numbers;
    subgroup_numbers_make(&numbers, check, n);
    for (size_t first = 0; first < n; first += CONVERT_BLOCK) {
        const size_t count = n - first < CONVERT_BLOCK ? n - first : CONVERT_BLOCK;
        size_t in_block;
        const sumac_status status =
            lift_block(raw + first * POINT_BYTES, sides + first, count, check, &numbers, &in_block);
        if (status != SUMAC_OK) {
            *bad = first + in_block;
            return status;
        }
    }
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
