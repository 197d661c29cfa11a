/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file describes a group and its functions, which are compiled from one source for each group and variant with the
 * constants of src/curves/generated. Code that is common to all groups calls them through these tables.
 */
#ifndef SUMAC_CURVES_GROUP_CODE_H
#define SUMAC_CURVES_GROUP_CODE_H

#include "math/scalar.h"
#include "sumac/sumac.h"

struct msm_job;
struct point_layout;
struct point_vector_ops;
struct recode_run;
struct scalar_vector_ops;
struct stage_kind;

/* The root that lift_x takes; LIFT_NONE: the point is complete. */
enum { LIFT_SMALLER, LIFT_LARGER, LIFT_NONE };

/* Functions that import, export, check and complete points: src/cpu/convert.c. sumac.h defines raw points. */
typedef struct convert_ops {
    /* Import n records as affine points. On failure *bad is the index of the first bad record, and the status is its
     * fault: SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE, SUMAC_NOT_IN_SUBGROUP. */
    sumac_status (*import_points)(void *points, const uint8_t *records, size_t n,
                                  const struct point_layout *layout, sumac_check check, size_t *bad);
    /* Export n affine points as packed raw records. */
    void (*export_points)(uint8_t *records, const void *points, size_t n, sumac_form form);
    /* Complete n raw canonical points of which only x is set: y = sqrt(x^3 + b), of the two roots the
     * lexicographically larger (comparing the canonical integer; over Fp2 c1 first) or the smaller, as
     * sides[i] says. The points then lie on the curve; in the subgroup too where `check` asks for that. On
     * failure *bad is the index of the first bad one: SUMAC_BAD_ENCODING if x >= p, SUMAC_NOT_ON_CURVE if
     * there is no root, SUMAC_NOT_IN_SUBGROUP. Complete points (LIFT_NONE) are left to the caller. */
    sumac_status (*lift_x)(uint8_t *raw, const uint8_t *sides, size_t n, sumac_check check, size_t *bad);
    /* Return 1 if y of a raw canonical point is the larger of y and -y. */
    int (*y_is_larger)(const uint8_t *raw);
    /* Return 1 if the order of the affine point divides r, by the curve's fast test or by multiplication by r. */
    int (*is_in_subgroup)(const void *point);
    int (*is_in_subgroup_by_order)(const void *point);
} convert_ops;

/* The arithmetic outside the pipeline, on single points and on arrays of bases: src/cpu/points.c. */
typedef struct point_ops {
    /* table[t*count + i] = 2^(shift*t) * table[i] for 1 <= t < factor, i in [first, first + n). */
    void (*multiples)(void *table, uint64_t count, uint32_t factor, uint32_t shift, uint64_t first,
                      uint64_t n);
    /* Like `multiples`, for window tables (pipeline.h): multiples 1 .. factor - 1 of all windows of c bits. */
    void (*window_tables)(void *table, uint64_t count, uint32_t factor, uint32_t c, uint64_t first,
                          uint64_t n);
    /* result = sum of n affine points (in a backend's form), exactly, whatever they are. */
    void (*sum)(void *result, const void *points, size_t n);
    /* result = k * generator, affine; k has the limbs of r. */
    void (*generator_multiple)(void *result, const uint64_t *k);
    /* sums[i] = table[(first + i) % m] + table[m + (first + i) / m], all affine. */
    void (*pairwise_sums)(void *sums, const void *table, uint64_t m, uint64_t first, uint64_t n);
} point_ops;

/* Pairs of affine points of the first and the second group, as import_points writes them. For the first `prepared` pairs
 * `lines` replaces the points of the second group, which are not read. */
typedef struct pairing_factors {
    const void *g1_points;
    const void *g2_points;
    const void *lines; /* the lines of one point after those of another */
    size_t prepared;   /* at most n */
    size_t n;
} pairing_factors;

/* A pairing, in the code of a curve's second group: src/cpu/pairing.c. Values lie in Fp12 = Fp2[w]: in
 * Montgomery form, c0 then c1 of each of the coefficients of w^0, w^2, w^4, w^1, w^3, w^5, 8-byte aligned. */
typedef struct pairing_ops {
    size_t value_bytes;
    size_t block;         /* the most pairs of a call of miller */
    size_t scratch_bytes; /* the scratch memory of a call of miller */
    /* The lines of a Miller loop of one affine point, and their bytes, are the same for all variants of a curve.
     */
    size_t (*lines_bytes)(void);
    void (*make_lines)(void *lines, const void *g2_point);
    /* value = the product of the pairs' Miller loops, times a factor from Fp that the final exponentiation turns into 1.
     * The product of no pairs, and the loop of a pair with a point at infinity, is 1. scratch: 64-byte aligned. */
    void (*miller)(void *value, const pairing_factors *factors, void *scratch);
    void (*multiply)(void *value, const void *factor);
    void (*exponentiate)(void *value); /* the final exponentiation; math/pairing.h has the exponent */
    int (*is_one)(const void *value);
} pairing_ops;

/* The CPU's kinds predict their costs from these times, in nanoseconds on one thread, which bench/bench_costs.c
 * measures. */
typedef struct stage_costs {
    double recode;          /* a scalar and digit */
    double sort;            /* an entry */
    double affine_addition; /* an addition in a large batch, without its share of the inversion */
    double inversion;       /* one inversion of a batch */
    double list;            /* a list that is added up, without its additions */
    double xyzz_addition;   /* one complete addition */
    double doubling;
    double combine;       /* a doubling and an addition of a result's Horner's rule */
    double combine_lanes; /* like combine, for each of many MSMs in lanes; 0 without lanes */
} stage_costs;

/* combine computes, for each of `msms` MSMs, whose parts are stored MSM after MSM, the sum over j < count and
 * l < parts of 2^(doublings*j + l) * points[j*parts + l]; parts <= doublings, or 1. */
typedef struct horner_terms {
    const void *points; /* XYZZ */
    uint64_t msms;
    uint32_t count;
    uint32_t parts;
    uint32_t doublings;
} horner_terms;

/* A group's functions in one variant. */
typedef struct group_code {
    const char *variant;
    size_t affine_bytes;
    size_t xyzz_bytes;
    /* Recode the first scalars of a run (src/math/recode_run.h), and return their number; null if the variant has no such
     * code. */
    uint64_t (*recode)(const struct recode_run *run);
    const convert_ops *convert;
    const point_ops *points;
    const struct scalar_vector_ops *scalar_vectors; /* src/vector/vector.h; of the field of scalars */
    const struct point_vector_ops *point_vectors;
    const pairing_ops *pairing; /* null without one, and in a first group */
    /* Map n coordinates, raw and canonical, to affine points of the subgroup (math/map.h). Returns n, or the index of
     * the first one that is not below p. Null without a map. */
    size_t (*map)(void *points, const uint8_t *elements, size_t n);
    /* Compute results from module parts on the host. This reads the job's group, threads, trace and result fields, but not
     * its plan, which may no longer exist. Engines with a device use it, too. */
    void (*combine)(const struct msm_job *job, const horner_terms *terms, void *results);
    const struct stage_kind *const *kinds;      /* of the CPU; ends with null */
    const struct stage_kind *const *plan_kinds; /* kinds of named plans only; ends with null */
    const stage_costs *costs;
} group_code;

/* The registry's entry of a group. Users see its first field only. */
typedef struct registered_group {
    sumac_group group;
    scalar_field scalars;
    int for_tests;                     /* 1: not listed to users, but found by name */
    const group_code *const *variants; /* fastest first, ending with null; the last one runs everywhere */
} registered_group;

/* Every group whose address a caller can have lies in an entry. */
static inline const registered_group *registered(const sumac_group *group)
{
    return (const registered_group *)group;
}

#endif
