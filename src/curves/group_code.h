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

/* These are the roots that lift_x can take. LIFT_NONE means that the point is complete. */
enum { LIFT_SMALLER, LIFT_LARGER, LIFT_NONE };

/* These functions import, export, check and complete points; they are in src/cpu/convert.c. sumac.h defines raw
 * points. */
typedef struct convert_ops {
    /* Import n records as affine points. If a record is bad, *bad becomes the index of the first bad one, and the
     * status says what is wrong with it: SUMAC_BAD_ENCODING, SUMAC_NOT_ON_CURVE or SUMAC_NOT_IN_SUBGROUP. */
    sumac_status (*import_points)(void *points, const uint8_t *records, size_t n,
                                  const struct point_layout *layout, sumac_check check, size_t *bad);
    /* Export n affine points as packed raw records. */
    void (*export_points)(uint8_t *records, const void *points, size_t n, sumac_form form);
    /* Complete n raw canonical points of which only x is set: y = sqrt(x^3 + b). sides[i] says whether y is the larger
     * or the smaller of the two roots; canonical integers are compared, over Fp2 c1 first. Afterwards the points lie on
     * the curve. If `check` asks for that, they also lie in the subgroup. If a point is bad, *bad becomes the index of
     * the first bad one, and the status is SUMAC_BAD_ENCODING if x >= p, SUMAC_NOT_ON_CURVE if there is no root, or
     * SUMAC_NOT_IN_SUBGROUP. The caller must check points that are complete already (LIFT_NONE). */
    sumac_status (*lift_x)(uint8_t *raw, const uint8_t *sides, size_t n, sumac_check check, size_t *bad);
    /* Return 1 if the y of a raw canonical point is the larger one of y and -y. */
    int (*y_is_larger)(const uint8_t *raw);
    /* Return 1 if the order of the affine point divides r, by the curve's fast test or by multiplication by r. */
    int (*is_in_subgroup)(const void *point);
    int (*is_in_subgroup_by_order)(const void *point);
} convert_ops;

/* These functions compute with single points and with arrays of bases, outside of the pipeline; they are in
 * src/cpu/points.c. */
typedef struct point_ops {
    /* Set table[t*count + i] to 2^(shift*t) * table[i], for 1 <= t < factor and i in [first, first + n). */
    void (*multiples)(void *table, uint64_t count, uint32_t factor, uint32_t shift, uint64_t first,
                      uint64_t n);
    /* Set table[count + i] to lambda*table[i] for i in [first, first + n). This is null for groups without lambda. */
    void (*endomorphism_images)(void *table, uint64_t count, uint64_t first, uint64_t n);
    /* This is `multiples` for window tables (pipeline.h): compute multiples 1 .. factor - 1 of all windows of c
     * bits. */
    void (*window_tables)(void *table, uint64_t count, uint32_t factor, uint32_t c, uint64_t first,
                          uint64_t n);
    /* Set `result` to the sum of n affine points, which are in a backend's form. The sum is exact, whatever the points
     * are. */
    void (*sum)(void *result, const void *points, size_t n);
    /* Set `result` to k * generator, as an affine point. k has as many limbs as r. */
    void (*generator_multiple)(void *result, const uint64_t *k);
    /* Set sums[i] to table[(first + i) % m] + table[m + (first + i) / m]. All points are affine. */
    void (*pairwise_sums)(void *sums, const void *table, uint64_t m, uint64_t first, uint64_t n);
} point_ops;

/* These are pairs of affine points of the first and of the second group, as import_points writes them. For the first
 * `prepared` pairs, `lines` is used instead of the points of the second group, and these are not read. */
typedef struct pairing_factors {
    const void *g1_points;
    const void *g2_points;
    const void *lines; /* the lines of one point after those of another */
    size_t prepared;   /* at most n */
    size_t n;
} pairing_factors;

/* These functions compute a pairing. They are part of the code of a curve's second group (src/cpu/pairing.c). A value
 * lies in Fp12 = Fp2[w]. It has the coefficients of w^0, w^2, w^4, w^1, w^3, w^5, in this order; each is c0, then c1,
 * in Montgomery form. Values are 8-byte aligned. */
typedef struct pairing_ops {
    size_t value_bytes;
    size_t block;         /* the most pairs of one call of miller */
    size_t scratch_bytes; /* the scratch memory of one call of miller */
    /* These functions return how many bytes the lines of one affine point's Miller loop have, and compute these lines.
       Both are the same for all variants of a curve. */
    size_t (*lines_bytes)(void);
    void (*make_lines)(void *lines, const void *g2_point);
    /* Set `value` to the product of the pairs' Miller loops, times a factor in Fp that the final exponentiation turns
     * into 1. The product of no pairs is 1, and so is the loop of a pair with a point at infinity. `scratch` is 64-byte
     * aligned. */
    void (*miller)(void *value, const pairing_factors *factors, void *scratch);
    void (*multiply)(void *value, const void *factor);
    void (*exponentiate)(void *value); /* the final exponentiation; math/pairing.h has the exponent */
    int (*is_one)(const void *value);
    /* Write the coefficients of a value as canonical integers, little-endian, in value_bytes bytes. */
    void (*export_value)(uint8_t *bytes, const void *value);
} pairing_ops;

/* The CPU's kinds predict their costs from these times. bench/bench_costs.c measures them, in nanoseconds on one
 * thread. */
typedef struct stage_costs {
    double recode;          /* for a scalar and a digit */
    double sort;            /* for an entry */
    double affine_addition; /* an addition in a large batch, without its share of the inversion */
    double inversion;       /* one inversion of a batch */
    double list;            /* for a list that is added up, without its additions */
    double xyzz_addition;   /* one complete addition */
    double doubling;
    double combine;       /* a doubling and an addition, for Horner's rule of a result */
    double combine_lanes; /* a doubling and an addition, for each of many MSMs in lanes; 0 without lanes */
} stage_costs;

/* For each of `msms` MSMs, whose parts are stored MSM after MSM, combine computes the sum over j < count and l < parts
 * of 2^(doublings*j + l) * points[j*parts + l]. `parts` is at most `doublings`, or is 1. */
typedef struct horner_terms {
    const void *points; /* XYZZ */
    uint64_t msms;
    uint32_t count;
    uint32_t parts;
    uint32_t doublings;
} horner_terms;

/* This is the code of a group in one variant. */
typedef struct group_code {
    const char *variant;
    size_t affine_bytes;
    size_t xyzz_bytes;
    /* Recode the first scalars of a run (src/math/recode_run.h), and return how many were recoded. The function is null
     * if the variant has no such code. */
    uint64_t (*recode)(const struct recode_run *run);
    const convert_ops *convert;
    const point_ops *points;
    const struct scalar_vector_ops *scalar_vectors; /* operations on the field of scalars
                                                       (src/vector/vector.h) */
    const struct point_vector_ops *point_vectors;
    const pairing_ops *pairing; /* null if there is no pairing, and in a first group */
    /* Map n raw canonical coordinates to affine points of the subgroup (math/map.h). If one is not less than p, return
     * the index of the first such coordinate, otherwise n. The function is null if the group has no map. */
    size_t (*map)(void *points, const uint8_t *elements, size_t n);
    /* Compute results from module parts on the host. This reads the group, threads, trace and result fields of the job,
     * but not its plan, which may no longer exist. Engines with a device also use this function. */
    void (*combine)(const struct msm_job *job, const horner_terms *terms, void *results);
    const struct stage_kind *const *kinds;      /* kinds of the CPU; ends with null */
    const struct stage_kind *const *plan_kinds; /* kinds of the CPU that only named plans use; ends with
                                                   null */
    const stage_costs *costs;
} group_code;

/* This is the registry's entry of a group. Users see only its first field. */
typedef struct registered_group {
    sumac_group group;
    scalar_field scalars;
    int for_tests;                     /* 1: not listed to users, but found by name */
    const group_code *const *variants; /* fastest first, ending with null; the last one runs everywhere */
} registered_group;

/* Return the entry of a group. Every group whose address a caller can have lies in an entry. */
static inline const registered_group *registered(const sumac_group *group)
{
    return (const registered_group *)group;
}

#endif
