/* SPDX-License-Identifier: Apache-2.0 OR MIT */
// This program calls the backend's MSMs through ICICLE's front end. It compares them with ICICLE's own products and
// additions.
#include "icicle/backend/msm_config.h"
#include "icicle/curves/curve_config.h"
#include "icicle/msm.h"
#include "icicle/runtime.h"
#include <cstdio>
#include <vector>

using namespace icicle;
using namespace curve_config;

namespace
{
struct Case {
    int n, batch, factor, bits, c;
    bool shared, scalars_montgomery, points_montgomery, extended;
};

constexpr Case cases[] = {
    {100, 1, 1, 0, 0, true, false, false, false},
    {33, 3, 1, 0, 3, true, false, false, false},
    {33, 3, 4, 0, 0, true, true, false, false},
    {20, 2, 2, 0, 0, false, false, true, false},
    {20, 2, 1, 13, 0, true, false, false, false},
    {20, 1, 1, scalar_t::NBITS - 1, 0, true, false, false, false},
    {64, 1, 1, 0, 0, true, false, false, true},
    {1, 1, 1, 1, 0, true, false, false, false},
};

// Keep only the lowest bits, as MSMConfig::bitsize does.
scalar_t cut(scalar_t scalar, int bits)
{
    for (int i = bits; bits && i < 32 * int(scalar_t::TLC); i++)
        scalar.limbs_storage.limbs[i / 32] &= ~(1u << i % 32);
    return scalar;
}

template <typename A, typename P> bool holds(const Case &given)
{
    const int distinct = given.shared ? given.n : given.n * given.batch;
    std::vector<scalar_t> scalars(given.n * given.batch);
    std::vector<A> points(distinct), multiples(distinct * given.factor);
    std::vector<P> expected(given.batch, P::zero()), results(given.batch);
    scalar_t::rand_host_many(scalars.data(), given.n * given.batch);
    for (int i = 0; i < distinct; i++)
        points[i] = i % 7 == 3 ? A::zero() : P::rand_host().to_affine();
    for (int i = 0; i < given.n * given.batch; i++) {
        const P point = P::from_affine(points[given.shared ? i % given.n : i]);
        expected[i / given.n] = expected[i / given.n] + point * cut(scalars[i], given.bits);
    }
    for (int i = 0; given.scalars_montgomery && i < given.n * given.batch; i++)
        scalars[i] = scalars[i].to_montgomery();
    for (int i = 0; given.points_montgomery && i < distinct; i++)
        points[i] = points[i].to_montgomery();

    MSMConfig config = default_msm_config();
    ConfigExtension extension;
    extension.set(CudaBackendConfig::CUDA_MSM_IS_BIG_TRIANGLE, true);
    extension.set(CudaBackendConfig::CUDA_MSM_NOF_CHUNKS, 2);
    config.ext = given.extended ? &extension : nullptr;
    config.batch_size = given.batch;
    config.precompute_factor = given.factor;
    config.bitsize = given.bits;
    config.c = given.c;
    config.are_points_shared_in_batch = given.shared;
    config.are_scalars_montgomery_form = given.scalars_montgomery;
    config.are_points_montgomery_form = given.points_montgomery;
    if (given.factor > 1 &&
        msm_precompute_bases(points.data(), distinct, config, multiples.data()) != eIcicleError::SUCCESS)
        return false;
    const std::vector<A> &bases = given.factor > 1 ? multiples : points;
    if (msm(scalars.data(), bases.data(), given.n, config, results.data()) != eIcicleError::SUCCESS)
        return false;
    for (int i = 0; i < given.batch; i++)
        if (!(results[i] == expected[i]))
            return false;
    return true;
}

template <typename A, typename P> int count_failures(const char *group)
{
    int failures = 0;
    for (const Case &given : cases) {
        const bool right = holds<A, P>(given);
        std::printf("%s, case %d: %s\n", group, int(&given - cases), right ? "OK" : "FAILED");
        failures += !right;
    }
    MSMConfig config = default_msm_config();
    config.c = 99;
    const scalar_t scalar = scalar_t::one();
    const A point = P::generator().to_affine();
    P result;
    const bool refused = msm(&scalar, &point, 1, config, &result) == eIcicleError::INVALID_ARGUMENT;
    std::printf("%s, a window of 99 bits is refused: %s\n", group, refused ? "OK" : "FAILED");
    return failures + !refused;
}
} // namespace

int main()
{
    if (icicle_load_backend_from_env_or_default() != eIcicleError::SUCCESS ||
        icicle_set_device(Device("SUMAC", 0)) != eIcicleError::SUCCESS) {
        std::fprintf(stderr, "there is no backend SUMAC in ICICLE_BACKEND_INSTALL_DIR\n");
        return 2;
    }
    int failures = count_failures<affine_t, projective_t>("G1");
#ifdef G2_ENABLED
    failures += count_failures<g2_affine_t, g2_projective_t>("G2");
#endif
    return failures != 0;
}
