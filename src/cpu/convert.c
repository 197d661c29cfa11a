/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Field elements in and out, checks and square roots of one curve: convert_ops of curves/curve_code.h. */
#include "curves/curve_code.h"

#include "codec/compressed.h"
#include "math/subgroup.h"
#ifdef SUMAC_VARIANT_AVX512
#include "lanes/curve_check.h"
#include "lanes/sqrt.h"
#include "lanes/subgroup.h"
#include "cpu/engine.h"
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

static void write_integers(uint8_t *bytes, fe integers)
{
    for (int part = 0; part < FE_DEGREE; part++) {
        write_integer(bytes + part * FIELD_BYTES, coordinate_part(&integers, part));
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
    return affine_is_infinity(a) || subgroup_contains(a);
}

/* From how many points on lifting in lanes is no slower than one after another. */
#define LIFT_LANES_LEAST 3

#if defined(SUMAC_SUBGROUP_LANES) || defined(SUMAC_SQRT_LANES)

/* Scratch memory for lifting points and for testing them for the subgroup, in lanes. */
typedef struct convert_lanes {
#ifdef SUMAC_SUBGROUP_LANES
    subgroup_lanes_scratch subgroup;
#endif
#ifdef SUMAC_SQRT_LANES
    sqrt_lanes_scratch sqrt;
#endif
    int tests; /* whether there is what testing takes */
    int lifts; /* likewise */
} convert_lanes;

/* For n points to be tested, of which `lifted`, all or none, are lifted before. Null where they are not for
 * lanes, or where memory is short: scalar code does the same with all of them. */
static convert_lanes *convert_lanes_begin(sumac_check check, size_t n, size_t lifted)
{
    int tests = 0, lifts = 0;
#ifdef SUMAC_SUBGROUP_LANES
    tests = check == SUMAC_CHECK_SUBGROUP && n > 1; /* alone, a point takes as long without lanes */
#else
    (void)check;
    (void)n;
#endif
#ifdef SUMAC_SQRT_LANES
    lifts = lifted >= LIFT_LANES_LEAST;
#else
    (void)lifted;
#endif
    convert_lanes *lanes = tests || lifts ? cpu_backend.allocate(NULL, sizeof *lanes) : NULL;
    if (lanes == NULL) {
        return NULL;
    }
    lanes->tests = tests;
    lanes->lifts = lifts;
#ifdef SUMAC_SUBGROUP_LANES
    if (tests) {
        lanes_numbers_make(&lanes->subgroup.numbers);
    }
#endif
#ifdef SUMAC_SQRT_LANES
    if (lifts) {
        sqrt_lanes_numbers_make(&lanes->sqrt);
    }
#endif
    return lanes;
}

static void convert_lanes_end(convert_lanes *lanes)
{
    cpu_backend.release(lanes);
}

#else

/* There are no lanes for it. */
typedef struct convert_lanes convert_lanes;

static convert_lanes *convert_lanes_begin(sumac_check check, size_t n, size_t lifted)
{
    (void)check;
    (void)n;
    (void)lifted;
    return NULL;
}

static void convert_lanes_end(convert_lanes *lanes)
{
    (void)lanes;
}

#endif

/* The index of the first of n <= CONVERT_BLOCK affine points that is not in the subgroup, or n. */
static size_t first_outside(const affine *points, size_t n, convert_lanes *lanes)
{
#ifdef SUMAC_SUBGROUP_LANES
    if (n > 1 && lanes != NULL && lanes->tests) {
        const affine *places[CONVERT_BLOCK];
        uint32_t contained;
        for (size_t i = 0; i < CONVERT_BLOCK; i++) {
            places[i] = &points[i < n ? i : 0];
        }
        if (subgroup_lanes(&contained, places, &lanes->subgroup)) {
            const uint32_t outside = ~contained & (((uint32_t)1 << n) - 1);
            return outside == 0 ? n : (size_t)__builtin_ctz(outside);
        }
    }
#else
    (void)lanes;
#endif
    size_t i = 0;
    while (i < n && is_in_subgroup(&points[i])) {
        i++;
    }
    return i;
}

/* The verdict on a block whose first `good` records became points, and whose next one has `status`: the first
 * bad record, whatever is wrong with it. */
static sumac_status check_block(const affine *points, size_t good, sumac_status status, sumac_check check,
                                convert_lanes *lanes, size_t *bad)
{
    *bad = good;
    if (check == SUMAC_CHECK_SUBGROUP && good > 0) {
        *bad = first_outside(points, good, lanes);
    }
    return *bad < good ? SUMAC_NOT_IN_SUBGROUP : status;
}

#ifdef SUMAC_VARIANT_AVX512

/* From how many points on lanes are worth the numbers that they take. */
#define CURVE_LANES_LEAST 16

/* The numbers for n points; null where each is checked when its record is read. */
static const curve_lanes_numbers *curve_numbers(sumac_check check, size_t n, curve_lanes_numbers *numbers)
{
    if (check == SUMAC_CHECK_NONE || n < CURVE_LANES_LEAST) {
        return NULL;
    }
    curve_lanes_numbers_make(numbers);
    return numbers;
}

/* The index of the first of n <= CONVERT_BLOCK affine points that is not on the curve, or n. */
static size_t first_off_curve(const affine *points, size_t n, const curve_lanes_numbers *numbers)
{
    const affine *places[CONVERT_BLOCK];
    for (size_t i = 0; i < CONVERT_BLOCK; i++) {
        places[i] = &points[i < n ? i : 0];
    }
    const uint32_t off = n == 0 ? 0 : ~curve_lanes(places, numbers) & (((uint32_t)1 << n) - 1);
    return off == 0 ? n : (size_t)__builtin_ctz(off);
}

#else

/* There are no lanes for it: record_point() looks at each point. */
typedef int curve_lanes_numbers;

static const curve_lanes_numbers *curve_numbers(sumac_check check, size_t n, curve_lanes_numbers *numbers)
{
    (void)check;
    (void)n;
    (void)numbers;
    return NULL;
}

static size_t first_off_curve(const affine *points, size_t n, const curve_lanes_numbers *numbers)
{
    (void)points;
    (void)numbers;
    return n;
}

#endif

/* numbers: null, where each point is checked when its record is read. */
static sumac_status import_block(affine *points, const uint8_t *records, size_t n, const point_layout *layout,
                                 sumac_check check, const curve_lanes_numbers *numbers, convert_lanes *lanes,
                                 size_t *bad)
{
    const sumac_check with_record = numbers == NULL ? check : SUMAC_CHECK_NONE;
    sumac_status status = SUMAC_OK;
    size_t good = 0;
    while (good < n && status == SUMAC_OK) {
        status = record_point(&points[good], records + good * layout->stride, layout, with_record);
        good += status == SUMAC_OK;
    }
    const size_t on_curve = numbers == NULL ? good : first_off_curve(points, good, numbers);
    if (on_curve < good) {
        good = on_curve;
        status = SUMAC_NOT_ON_CURVE;
    }
    return check_block(points, good, status, check, lanes, bad);
}

static sumac_status import_points(void *points, const uint8_t *records, size_t n, const point_layout *layout,
                                  sumac_check check, size_t *bad)
{
    affine *table = points;
    curve_lanes_numbers own;
    const curve_lanes_numbers *numbers = curve_numbers(check, n, &own);
    convert_lanes *lanes = convert_lanes_begin(check, n, 0);
    sumac_status status = SUMAC_OK;
    for (size_t first = 0; first < n && status == SUMAC_OK; first += CONVERT_BLOCK) {
        const size_t count = n - first < CONVERT_BLOCK ? n - first : CONVERT_BLOCK;
        size_t in_block;
        status = import_block(table + first, records + first * layout->stride, count, layout, check, numbers,
                              lanes, &in_block);
        if (status != SUMAC_OK) {
            *bad = first + in_block;
        }
    }
    convert_lanes_end(lanes);
    return status;
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

/* A record whose x becomes a point; one that is complete leaves infinity. */
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

/* 1 if all n <= CONVERT_BLOCK records are lifted, and good. 0 if one is not, or if that is left to scalar
 * code; nothing is written then. */
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
            if (!record_integer(&points[i].x, raw + i * POINT_BYTES)) {
                return 0;
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
    if ((~sqrt_lanes_lift(points, &x, &t, &lanes->sqrt) & wanted) != 0) {
        return 0;
    }
#if CURVE_SUBGROUP_CHECK == CURVE_SUBGROUP_PHI
    uint32_t contained = wanted;
    if (check == SUMAC_CHECK_SUBGROUP &&
        (!lanes->tests || !subgroup_lanes_loaded(&contained, &x, &t, 0, NULL, &lanes->subgroup) ||
         (~contained & wanted) != 0)) {
        return 0;
    }
#elif CURVE_SUBGROUP_CHECK != CURVE_SUBGROUP_TRIVIAL
    if (check == SUMAC_CHECK_SUBGROUP) {
        return 0;
    }
#else
    (void)check;
#endif
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
    (void)raw;
    (void)sides;
    (void)n;
    (void)check;
    (void)lanes;
    return 0;
#endif
}

static sumac_status lift_block(uint8_t *raw, const uint8_t *sides, size_t n, sumac_check check,
                               convert_lanes *lanes, size_t *bad)
{
    affine points[CONVERT_BLOCK];
    sumac_status status = SUMAC_OK;
    size_t good = 0;
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
    convert_lanes *lanes = convert_lanes_begin(check, n, n);
    sumac_status status = SUMAC_OK;
    for (size_t first = 0; first < n && status == SUMAC_OK; first += CONVERT_BLOCK) {
        const size_t count = n - first < CONVERT_BLOCK ? n - first : CONVERT_BLOCK;
        size_t in_block;
        status = lift_block(raw + first * POINT_BYTES, sides + first, count, check, lanes, &in_block);
        if (status != SUMAC_OK) {
            *bad = first + in_block;
        }
    }
    convert_lanes_end(lanes);
    return status;
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
