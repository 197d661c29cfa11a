/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The names of icicle_gnark.h: each function of a curve is one of curve.h with the curve's row. */
#include "curve.h"

#define GROUP(NAME, ROW)                                                                                     \
    int NAME##_msm(const void *scalars, const void *points, int count, const MSMConfig *config, void *out)   \
    {                                                                                                        \
        return sumac_icicle_msm(&(ROW), scalars, points, count, config, out);                                \
    }                                                                                                        \
    int NAME##_msm_precompute_bases(const void *input_bases, int bases_size, const MSMConfig *config,        \
                                    void *output_bases)                                                      \
    {                                                                                                        \
        return sumac_icicle_precompute(&(ROW), input_bases, bases_size, config, output_bases);               \
    }                                                                                                        \
    bool NAME##_eq(const void *a, const void *b)                                                             \
    {                                                                                                        \
        return sumac_icicle_same_point(&(ROW), a, b);                                                        \
    }                                                                                                        \
    void NAME##_ecadd(const void *a, const void *b, void *result)                                            \
    {                                                                                                        \
        sumac_icicle_add_points(&(ROW), false, a, b, result);                                                \
    }                                                                                                        \
    void NAME##_ecsub(const void *a, const void *b, void *result)                                            \
    {                                                                                                        \
        sumac_icicle_add_points(&(ROW), true, a, b, result);                                                 \
    }                                                                                                        \
    void NAME##_to_affine(const void *projective, void *affine)                                              \
    {                                                                                                        \
        sumac_icicle_to_affine(&(ROW), projective, affine);                                                  \
    }                                                                                                        \
    void NAME##_from_affine(const void *affine, void *projective)                                            \
    {                                                                                                        \
        sumac_icicle_from_affine(&(ROW), affine, projective);                                                \
    }                                                                                                        \
    void NAME##_generate_projective_points(void *points, int size)                                           \
    {                                                                                                        \
        sumac_icicle_generate_points(&(ROW), 3, points, size);                                               \
    }                                                                                                        \
    void NAME##_generate_affine_points(void *points, int size)                                               \
    {                                                                                                        \
        sumac_icicle_generate_points(&(ROW), 2, points, size);                                               \
    }                                                                                                        \
    int NAME##_affine_convert_montgomery(const void *in, size_t n, bool is_into, const VecOpsConfig *config, \
                                         void *out)                                                          \
    {                                                                                                        \
        return sumac_icicle_convert_points(&(ROW), 2, in, n, is_into, config, out);                          \
    }                                                                                                        \
    int NAME##_projective_convert_montgomery(const void *in, size_t n, bool is_into,                         \
                                             const VecOpsConfig *config, void *out)                          \
    {                                                                                                        \
        return sumac_icicle_convert_points(&(ROW), 3, in, n, is_into, config, out);                          \
    }

#define CURVE(NAME, G1, G2)                                                                                  \
    void NAME##_generate_scalars(void *scalars, int size)                                                    \
    {                                                                                                        \
        sumac_icicle_generate_scalars(&(G1), scalars, size);                                                 \
    }                                                                                                        \
    void NAME##_add(const void *a, const void *b, void *result)                                              \
    {                                                                                                        \
        sumac_icicle_scalar(&(G1), SUMAC_ICICLE_PLUS, a, b, result);                                         \
    }                                                                                                        \
    void NAME##_sub(const void *a, const void *b, void *result)                                              \
    {                                                                                                        \
        sumac_icicle_scalar(&(G1), SUMAC_ICICLE_MINUS, a, b, result);                                        \
    }                                                                                                        \
    void NAME##_mul(const void *a, const void *b, void *result)                                              \
    {                                                                                                        \
        sumac_icicle_scalar(&(G1), SUMAC_ICICLE_TIMES, a, b, result);                                        \
    }                                                                                                        \
    void NAME##_inv(const void *a, void *result)                                                             \
    {                                                                                                        \
        sumac_icicle_scalar_inverse(&(G1), a, result);                                                       \
    }                                                                                                        \
    int NAME##_scalar_convert_montgomery(const void *in, size_t n, bool is_into, const VecOpsConfig *config, \
                                         void *out)                                                          \
    {                                                                                                        \
        return sumac_icicle_convert_scalars(&(G1), in, n, is_into, config, out);                             \
    }                                                                                                        \
    int NAME##_vector_add(const void *a, const void *b, int n, const VecOpsConfig *config, void *result)     \
    {                                                                                                        \
        return sumac_icicle_vectors(&(G1), SUMAC_ICICLE_PLUS, a, b, n, config, result);                      \
    }                                                                                                        \
    int NAME##_vector_sub(const void *a, const void *b, int n, const VecOpsConfig *config, void *result)     \
    {                                                                                                        \
        return sumac_icicle_vectors(&(G1), SUMAC_ICICLE_MINUS, a, b, n, config, result);                     \
    }                                                                                                        \
    int NAME##_vector_mul(const void *a, const void *b, int n, const VecOpsConfig *config, void *result)     \
    {                                                                                                        \
        return sumac_icicle_vectors(&(G1), SUMAC_ICICLE_TIMES, a, b, n, config, result);                     \
    }                                                                                                        \
    int NAME##_ntt(const void *input, int size, int direction, const void *config, void *output)             \
    {                                                                                                        \
        return sumac_icicle_ntt(&(G1), input, size, direction, config, output);                              \
    }                                                                                                        \
    int NAME##_ntt_init_domain(const void *primitive_root, const NTTInitDomainConfig *config)                \
    {                                                                                                        \
        (void)config;                                                                                        \
        return sumac_icicle_init_domain(&(G1), primitive_root);                                              \
    }                                                                                                        \
    int NAME##_ntt_release_domain(void)                                                                      \
    {                                                                                                        \
        return sumac_icicle_release_domain(&(G1));                                                           \
    }                                                                                                        \
    int NAME##_get_root_of_unity(uint64_t max_size, void *root)                                              \
    {                                                                                                        \
        return sumac_icicle_root_of_unity(&(G1), max_size, root);                                            \
    }                                                                                                        \
    GROUP(NAME, G1)                                                                                          \
    GROUP(NAME##_g2, G2)

static const sumac_icicle_group bn254[] = {{"bn254", "g1", 0, 0}, {"bn254", "g2", 1, 0}};
static const sumac_icicle_group bls12_381[] = {{"bls12-381", "g1", 0, 1}, {"bls12-381", "g2", 1, 1}};
static const sumac_icicle_group bls12_377[] = {{"bls12-377", "g1", 0, 2}, {"bls12-377", "g2", 5, 2}};
static const sumac_icicle_group bw6_761[] = {{"bw6-761", "g1", 0, 3}, {"bw6-761", "g2", 0, 3}};

CURVE(bn254, bn254[0], bn254[1])
CURVE(bls12_381, bls12_381[0], bls12_381[1])
CURVE(bls12_377, bls12_377[0], bls12_377[1])
CURVE(bw6_761, bw6_761[0], bw6_761[1])
