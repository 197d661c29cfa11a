/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file implements convert_ops of curves/group_code.h: import and export of points, checks and square roots of one
 * curve. */
#include "base/integers.h"
#include "base/try.h"
#include "codec/compressed.h"
#include "cpu/engine.h"
#include "cpu/stages.h"
#include "math/subgroup.h"
#ifdef SUMAC_VARIANT_AVX512
#include "cpu/few_points.h"
#include "lanes/curve_check.h"
#include "lanes/sqrt.h"
#include "lanes/subgroup.h"
#endif

/* This many points are converted together, one in each lane. */
#define CONVERT_BLOCK 16

static void write_integers(uint8_t *bytes, fe integers)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        const fp *integer = coordinate_part(&integers, part);
        for (int i = 0; i < FP_LIMBS; i++) {
            for (int j = 0; j < 8; j++) {
                *bytes++ = (uint8_t)(integer->l[i] >> (8 * j));
            }
        }
    }
}

static void write_coordinate(uint8_t *bytes, fe a, sumac_form form)
{
    if (form == SUMAC_FORM_CANONICAL) {
        coordinate_integers(&a, &a);
    }
    write_integers(bytes, a);
}

static int is_in_subgroup(const void *point)
{
    const affine *a = point;
#ifdef SUMAC_ONE_POINT_LANES
    return affine_is_infinity(a) || SUMAC_SYMBOL(one_in_subgroup)(a);
#else
    return affine_is_infinity(a) || subgroup_contains(a);
#endif
}

/* ---- Lanes, if the variant and the curve have them ---- */

/* If there are fewer points than this, they are lifted faster one after another than in lanes. */
#define LIFT_LANES_LEAST 3

/* If there are fewer points than this, they are checked without lanes, because preparing the lanes' constants would
 * take longer than the check. */
#define CURVE_LANES_LEAST 16

/* This is scratch memory for lifting points in lanes, and for testing in lanes whether points lie on the curve and in
 * the subgroup. */
typedef struct convert_lanes {
    int checks; /* 1: `curve` is ready */
    int tests;  /* 1: `subgroup` is ready */
    int lifts;  /* 1: `lift` is ready */
#ifdef SUMAC_VARIANT_AVX512
    curve_lanes_numbers curve;
#endif
#ifdef SUMAC_SUBGROUP_LANES
    subgroup_lanes_scratch subgroup;
#endif
#ifdef SUMAC_SQRT_LANES
    lift_lanes_scratch lift;
#endif
} convert_lanes;

/* Prepare to lift `lifted` points, which is n or 0, and to test n points. Lifted points lie on the curve, so they are
 * not tested for that. Return null if lanes would not pay or memory is short; then scalar code does all the work. */
static convert_lanes *convert_lanes_begin(sumac_check check, size_t n, size_t lifted)
{
    int checks = 0, tests = 0, lifts = 0;
    (void)check, (void)n, (void)lifted;
#ifdef SUMAC_VARIANT_AVX512
    checks = check != SUMAC_CHECK_NONE && n >= CURVE_LANES_LEAST && lifted == 0;
#endif
#ifdef SUMAC_SUBGROUP_LANES
    tests = check == SUMAC_CHECK_SUBGROUP && n > 1; /* a single point takes less time by one_in_subgroup() */
#endif
#ifdef SUMAC_SQRT_LANES
    lifts = lifted >= LIFT_LANES_LEAST;
#endif
    /* cppcheck-suppress knownConditionTrueFalse ; portable code has no lanes */
    convert_lanes *lanes = checks || tests || lifts ? cpu_backend.allocate(NULL, sizeof *lanes) : NULL;
    if (lanes == NULL) {
        return NULL;
    }
    lanes->checks = checks;
    lanes->tests = tests;
    lanes->lifts = lifts;
#ifdef SUMAC_VARIANT_AVX512
    if (checks) {
        curve_lanes_numbers_make(&lanes->curve);
    }
#endif
#ifdef SUMAC_SUBGROUP_LANES
    if (tests) {
        lanes_numbers_make(&lanes->subgroup.numbers);
    }
#endif
#ifdef SUMAC_SQRT_LANES
    if (lifts) {
        lift_lanes_numbers_make(&lanes->lift);
    }
#endif
    return lanes;
}

static void convert_lanes_end(convert_lanes **lanes)
{
    cpu_backend.release(*lanes);
}

#ifdef SUMAC_VARIANT_AVX512

/* Set the lanes to point to n <= CONVERT_BLOCK points. The other lanes repeat the first point. */
static void fill_lanes(const affine *lanes[CONVERT_BLOCK], const affine *points, size_t n)
{
    for (size_t i = 0; i < CONVERT_BLOCK; i++) {
        lanes[i] = &points[i < n ? i : 0];
    }
}

/* Return the index of the first of n lanes that is not in the mask, or n. */
static size_t first_lane_outside(uint32_t mask, size_t n)
{
    const uint32_t outside = ~mask & (((uint32_t)1 << n) - 1);
    return outside == 0 ? n : (size_t)__builtin_ctz(outside);
}

#endif

/* Return the index of the first of n <= CONVERT_BLOCK affine points that is not on the curve, or n. */
static size_t first_off_curve(const affine *points, size_t n, const convert_lanes *lanes)
{
#ifdef SUMAC_VARIANT_AVX512
    if (n > 0) {
        const affine *tested[CONVERT_BLOCK];
        fill_lanes(tested, points, n);
        return first_lane_outside(curve_lanes(tested, &lanes->curve), n);
    }
#endif
    (void)points, (void)lanes;
    return n;
}

/* Return the index of the first of n <= CONVERT_BLOCK affine points that is not in the subgroup, or n. */
static size_t first_outside(const affine *points, size_t n, convert_lanes *lanes)
{
#ifdef SUMAC_SUBGROUP_LANES
    if (n > 1 && lanes != NULL && lanes->tests) {
        const affine *tested[CONVERT_BLOCK];
        uint32_t contained;
        fill_lanes(tested, points, n);
        if (n <= FEW_POINTS ? SUMAC_SYMBOL(few_in_subgroup)(&contained, points, n)
                            : subgroup_lanes(&contained, tested, &lanes->subgroup)) {
            return first_lane_outside(contained, n);
        }
    }
#endif
    (void)lanes;
    size_t i = 0;
    while (i < n && is_in_subgroup(&points[i])) {
        i++;
    }
    return i;
}

/* ---- Raw records ---- */

/* Check a block whose first `good` records became points, and whose next record has `status`. *bad becomes the index of
 * the first record that fails in any way. */
static sumac_status check_block(const affine *points, size_t good, sumac_status status, sumac_check check,
                                convert_lanes *lanes, size_t *bad)
{
    *bad = good;
    if (check == SUMAC_CHECK_SUBGROUP && good > 0) {
        *bad = first_outside(points, good, lanes);
    }
    return *bad < good ? SUMAC_NOT_IN_SUBGROUP : status;
}

/* Import a block of records. Without lanes, each point is checked as soon as its record is read. */
static sumac_status import_block(affine *points, const uint8_t *records, size_t n, const point_layout *layout,
                                 sumac_check check, convert_lanes *lanes, size_t *bad)
{
    const int checks_in_lanes = lanes != NULL && lanes->checks;
    const sumac_check check_of_record = checks_in_lanes ? SUMAC_CHECK_NONE : check;
    sumac_status status = SUMAC_OK;
    size_t good = 0;
    while (good < n && status == SUMAC_OK) {
        status = record_point(&points[good], records + good * layout->stride, layout, check_of_record);
        good += status == SUMAC_OK;
    }
    const size_t on_curve = checks_in_lanes ? first_off_curve(points, good, lanes) : good;
    if (on_curve < good) {
        good = on_curve;
        status = SUMAC_NOT_ON_CURVE;
    }
    return check_block(points, good, status, check, lanes, bad);
}

static sumac_status import_points(void *points, const uint8_t *records, size_t n, const point_layout *layout,
                                  sumac_check check, size_t *bad)
{
    CLEANUP(convert_lanes_end) convert_lanes *lanes = convert_lanes_begin(check, n, 0);
    for (size_t first = 0; first < n; first += CONVERT_BLOCK) {
        size_t bad_in_block;
        const sumac_status status =
            import_block((affine *)points + first, records + first * layout->stride,
                         smaller(n - first, CONVERT_BLOCK), layout, check, lanes, &bad_in_block);
        if (status != SUMAC_OK) {
            *bad = first + bad_in_block;
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

/* ---- Compressed points ---- */

/* Compute the y of a record that has only x. For a record that is complete, *point becomes infinity. */
static sumac_status lift_point(affine *point, uint8_t *record, uint8_t side)
{
    fe integers;
    affine_set_infinity(point);
    if (side == LIFT_NONE) {
        return SUMAC_OK;
    }
    if (!record_coordinate(&point->x, record, SUMAC_FORM_CANONICAL)) {
        return SUMAC_BAD_ENCODING;
    }
    if (!compressed_y(&point->y, &integers, &point->x, side == LIFT_LARGER)) {
        return SUMAC_NOT_ON_CURVE;
    }
    write_integers(record + COORDINATE_BYTES, integers);
    return SUMAC_OK;
}

#ifdef SUMAC_SQRT_LANES

/* Return 1 if the wanted lanes of (x, t), as lift_lanes() gives them, are in the subgroup, and 0 if one is not or scalar
 * code must find out. */
static int lifted_are_contained(const fev *x, const fev *t, uint32_t wanted, convert_lanes *lanes)
{
#if CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_TRIVIAL
    (void)x, (void)t, (void)wanted, (void)lanes;
    return 1;
#elif defined(SUMAC_SUBGROUP_LANES)
    const affine *pointers[CONVERT_BLOCK] = {NULL};
    uint32_t contained = 0;
#if CURVE_SUBGROUP_CHECK != CURVE_SUBGROUP_PHI
    affine points[CONVERT_BLOCK];
    if (lanes->tests) {
        jacobian_lanes_store_affine(points, x, t, &lanes->subgroup.numbers);
        fill_lanes(pointers, points, CONVERT_BLOCK);
    }
#endif
    return lanes->tests && subgroup_lanes_loaded(&contained, x, t, 0, pointers, &lanes->subgroup) &&
           (~contained & wanted) == 0;
#else
    (void)x, (void)t, (void)wanted, (void)lanes;
    return 0;
#endif
}

#endif

/* Lift n <= CONVERT_BLOCK records. Return 1 if all are good. Return 0, and write nothing, if a record is bad or scalar
 * code must do it. */
static int lift_in_lanes(uint8_t *raw, const uint8_t *sides, size_t n, sumac_check check,
                         convert_lanes *lanes)
{
#ifdef SUMAC_SQRT_LANES
    affine points[CONVERT_BLOCK];
    uint32_t wanted = 0;
    fev x, t;
    for (size_t i = 0; i < n; i++) {
        if (sides[i] != LIFT_NONE) {
            wanted |= (uint32_t)1 << i;
            for (int part = 0; part < FE_DEGREE; part++) {
                if (!record_integer(coordinate_part(&points[i].x, part),
                                    raw + i * POINT_BYTES + part * FIELD_BYTES)) {
                    return 0;
                }
            }
        }
    }
    if (lanes == NULL || !lanes->lifts || __builtin_popcount(wanted) < LIFT_LANES_LEAST) {
        return wanted == 0;
    }
    for (size_t i = 0; i < CONVERT_BLOCK; i++) {
        if ((wanted >> i & 1) == 0) {
            points[i].x = points[__builtin_ctz(wanted)].x;
        }
        fe_set_zero(&points[i].y);
    }
    if ((~lift_lanes(points, &x, &t, &lanes->lift) & wanted) != 0 ||
        (check == SUMAC_CHECK_SUBGROUP && !lifted_are_contained(&x, &t, wanted, lanes))) {
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        fe *y = &points[i].y;
        if (sides[i] != LIFT_NONE) {
            if (is_larger_integer(y) != (sides[i] == LIFT_LARGER)) {
                fe_neg(y, y);
            }
            write_integers(raw + i * POINT_BYTES + COORDINATE_BYTES, *y);
        }
    }
    return 1;
#else
    (void)raw, (void)sides, (void)n, (void)check, (void)lanes;
    return 0;
#endif
}

/* Compute the y of one record that has only x, and check it. Its root is computed beside the test for the subgroup, if that
 * is done in lanes. */
static sumac_status lift_one(uint8_t *record, uint8_t side)
{
    affine point;
#ifdef SUMAC_ONE_POINT_LANES
    fe integers;
    int contained;
    if (!record_coordinate(&point.x, record, SUMAC_FORM_CANONICAL)) {
        return SUMAC_BAD_ENCODING;
    }
    if (!SUMAC_SYMBOL(one_lift)(&point.y, &contained, &point.x)) {
        return SUMAC_NOT_ON_CURVE;
    }
    compressed_choose(&point.y, &integers, side == LIFT_LARGER);
    write_integers(record + COORDINATE_BYTES, integers);
    return contained ? SUMAC_OK : SUMAC_NOT_IN_SUBGROUP;
#else
    const sumac_status status = lift_point(&point, record, side);
    return status == SUMAC_OK && !is_in_subgroup(&point) ? SUMAC_NOT_IN_SUBGROUP : status;
#endif
}

static sumac_status lift_block(uint8_t *raw, const uint8_t *sides, size_t n, sumac_check check,
                               convert_lanes *lanes, size_t *bad)
{
    affine points[CONVERT_BLOCK];
    sumac_status status = SUMAC_OK;
    size_t good = 0;
    if (n == 1 && sides[0] != LIFT_NONE && check == SUMAC_CHECK_SUBGROUP) {
        *bad = 0;
        return lift_one(raw, sides[0]);
    }
    if (lift_in_lanes(raw, sides, n, check, lanes)) {
        return SUMAC_OK;
    }
    while (good < n && status == SUMAC_OK) {
        status = lift_point(&points[good], raw + good * POINT_BYTES, sides[good]);
        good += status == SUMAC_OK;
    }
    return check_block(points, good, status, check, lanes, bad);
}

static sumac_status lift_x(uint8_t *raw, const uint8_t *sides, size_t n, sumac_check check, size_t *bad)
{
    CLEANUP(convert_lanes_end) convert_lanes *lanes = convert_lanes_begin(check, n, n);
    for (size_t first = 0; first < n; first += CONVERT_BLOCK) {
        size_t bad_in_block;
        const sumac_status status =
            lift_block(raw + first * POINT_BYTES, sides + first, smaller(n - first, CONVERT_BLOCK), check,
                       lanes, &bad_in_block);
        if (status != SUMAC_OK) {
            *bad = first + bad_in_block;
            return status;
        }
    }
    return SUMAC_OK;
}

static int y_is_larger(const uint8_t *raw)
{
    fe y;
    if (!record_coordinate(&y, raw + COORDINATE_BYTES, SUMAC_FORM_CANONICAL)) {
        return 0;
    }
    coordinate_integers(&y, &y);
    return is_larger_integer(&y);
}

static int is_in_subgroup_by_order(const void *point)
{
    return subgroup_contains_by_order(point);
}

const convert_ops SUMAC_SYMBOL(convert) = {
    .import_points = import_points,
    .export_points = export_points,
    .lift_x = lift_x,
    .y_is_larger = y_is_larger,
    .is_in_subgroup = is_in_subgroup,
    .is_in_subgroup_by_order = is_in_subgroup_by_order,
};
