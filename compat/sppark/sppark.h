/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file sppark.h
 *  @brief The functions that programs of sppark compile from sppark's templates and call from Rust, computed with sumac.
 *
 *  The interface is that of sppark 0.1.16 (Apache-2.0) and of its examples poc/msm-cuda and poc/ntt-cuda. A program compiles
 *  sppark.c in place of its `.cu` files, with the same macro for its curve: FEATURE_BLS12_381, FEATURE_BLS12_377, FEATURE_BN254,
 *  FEATURE_PALLAS or FEATURE_VESTA. It links libsumac.
 *
 *  **Layout.** A coordinate is little-endian and in Montgomery form; over Fp2 it is c0 followed by c1. An affine point is x and y.
 *  A Jacobian point is x, y and z, where z = 0 means infinity.
 *
 *  **Rules for all calls.** Calls compute on the GPU if libsumac finds one, otherwise on the CPU. Any number of threads may call
 *  at the same time. After an error, nothing was written. Sums are exact for all points of the curve, also outside the subgroup.
 */
#ifndef SUMAC_SPPARK_H
#define SUMAC_SPPARK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What each call returns, as `sppark::Error` declares it. */
typedef struct sumac_sppark_error {
    int code; /**< 0, or a sumac_status */
    char
        *message; /**< one sentence, which the caller frees with free(); null on success, or without memory */
} sumac_sppark_error;

/** The order of the elements before and after a transform: natural (N) or bit-reversed (R). */
typedef enum sumac_sppark_order {
    SUMAC_SPPARK_NN = 0,
    SUMAC_SPPARK_NR,
    SUMAC_SPPARK_RN,
    SUMAC_SPPARK_RR
} sumac_sppark_order;

/** Compute the sum of scalars times points of G1.
 *  @param out receives a Jacobian point
 *  @param points npoints affine points, one after another; x = y = 0 is infinity
 *  @param scalars npoints integers, little-endian and canonical; integers beyond r count modulo r */
sumac_sppark_error mult_pippenger(void *out, const void *points, size_t npoints, const void *scalars);

/** Compute the sum of scalars times points of G1, which have a flag.
 *  @param points npoints records of an affine point and a byte behind it, which is not 0 if the point is infinity
 *  @param ffi_affine_sz the bytes from one record to the next
 *  @param out, scalars as for mult_pippenger() */
sumac_sppark_error mult_pippenger_inf(void *out, const void *points, size_t npoints, const void *scalars,
                                      size_t ffi_affine_sz);

/** Compute the sum of mult_pippenger_inf() for points of G2. Pallas and Vesta have none, which is an error. */
sumac_sppark_error mult_pippenger_fp2_inf(void *out, const void *points, size_t npoints, const void *scalars,
                                          size_t ffi_affine_sz);

/** Transform 2^lg_domain_size scalars in place, with the roots of unity and the coset of sppark and arkworks.
 *  @param device_id the GPU, from 0 to 15; without a GPU it is 0
 *  @param inout scalars in Montgomery form, less than r
 *  @param lg_domain_size at most the field's 2-adicity
 *  @param order a sumac_sppark_order
 *  @param direction 0: from coefficients to values; 1: back, divided by the number of scalars
 *  @param type 0: values at the powers of the root; 1: at the multiplicative generator times these */
sumac_sppark_error compute_ntt(size_t device_id, void *inout, uint32_t lg_domain_size, int order,
                               int direction, int type);

#ifdef __cplusplus
}
#endif
#endif
