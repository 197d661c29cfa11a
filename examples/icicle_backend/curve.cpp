/* SPDX-License-Identifier: Apache-2.0 OR MIT */
// This library computes MSMs of one of ICICLE's curves with sumac, on the GPU if there is one. Each curve has a separate
// library, because ICICLE's types are compiled for one curve. SUMAC_CURVE is sumac's name of the curve. Points may lie outside
// the subgroup, because ICICLE does not check this.
#include "icicle/backend/msm_backend.h"
#include "icicle/backend/msm_config.h"
#include "icicle/curves/montgomery_conversion.h"
#include <memory>
#include <string>
#include <sumac/pool.h>
#include <sumac/sumac.h>
#include <vector>

using namespace icicle;

namespace
{
eIcicleError error_of(sumac_status status, const char *sentence)
{
    ICICLE_LOG_ERROR << "sumac: " << sentence;
    switch (status) {
    case SUMAC_OUT_OF_MEMORY:
    case SUMAC_MEMORY_LIMIT:
        return eIcicleError::OUT_OF_MEMORY;
    case SUMAC_BACKEND_UNAVAILABLE:
    case SUMAC_DEVICE_FAILED:
        return eIcicleError::INVALID_DEVICE;
    case SUMAC_INTERNAL:
        return eIcicleError::UNKNOWN_ERROR;
    default:
        return eIcicleError::INVALID_ARGUMENT;
    }
}

// One context is used at a time, because each context uses the whole machine.
sumac_pool *get_pool(sumac_message *reason)
{
    static sumac_message kept{};
    static const std::unique_ptr<sumac_pool, decltype(&sumac_pool_destroy)> pool(
        [] {
            sumac_pool *made = nullptr;
            return sumac_pool_create(nullptr, 1, &made, &kept) == SUMAC_OK ? made : nullptr;
        }(),
        sumac_pool_destroy);
    *reason = kept;
    return pool.get();
}

// Convert the fields of MSMConfig by the table in docs/icicle.md.
void configure(const MSMConfig &from, sumac_msm_config &config, std::string &tuning)
{
    config.scalar_bits = static_cast<uint32_t>(from.bitsize);
    config.cut_scalars = from.bitsize != 0;
    config.batch = static_cast<size_t>(from.batch_size);
    config.base_sets = from.are_points_shared_in_batch ? 0 : config.batch;
    config.scalar_form = from.are_scalars_montgomery_form ? SUMAC_FORM_MONTGOMERY : SUMAC_FORM_CANONICAL;
    tuning = "c=" + std::to_string(from.c);
    using namespace CudaBackendConfig;
    if (from.ext && from.ext->has(CUDA_MSM_IS_BIG_TRIANGLE))
        tuning +=
            from.ext->get<bool>(CUDA_MSM_IS_BIG_TRIANGLE) ? ",reduction=running-sum" : ",reduction=halving";
    if (from.ext && from.ext->has(CUDA_MSM_LARGE_BUCKET_FACTOR))
        tuning += ",large_bucket_factor=" + std::to_string(from.ext->get<int>(CUDA_MSM_LARGE_BUCKET_FACTOR));
    if (from.ext && from.ext->has(CUDA_MSM_NOF_CHUNKS))
        tuning += ",chunks=" + std::to_string(from.ext->get<int>(CUDA_MSM_NOF_CHUNKS));
    config.tuning = tuning.c_str();
}

template <const char *name, typename A, typename P>
eIcicleError sum(const Device &, const scalar_t *scalars, const A *points, int size, const MSMConfig &given,
                 P *results)
{
    if (size < 0 || given.batch_size < 1 || given.precompute_factor < 1 || given.c < 0 || given.bitsize < 0)
        return error_of(SUMAC_BAD_ARGUMENT, "a size, factor or count of an MSM is out of range");
    const auto n = static_cast<size_t>(size);
    const auto batch = static_cast<size_t>(given.batch_size);
    std::vector<A> affine(batch);
    std::string tuning; // this must outlive the call
    auto config = (sumac_msm_config){.size = sizeof(sumac_msm_config)};
    configure(given, config, tuning);
    auto shape = (sumac_bases_config){.size = sizeof(sumac_bases_config)};
    shape.form = given.are_points_montgomery_form ? SUMAC_FORM_MONTGOMERY : SUMAC_FORM_CANONICAL;
    shape.stride = sizeof(A) * static_cast<size_t>(given.precompute_factor);
    shape.check = SUMAC_CHECK_NONE; // ICICLE's own sums do not check points either
    shape.outside_subgroup = 1;

    const sumac_group *group;
    sumac_message reason{};
    sumac_status status = sumac_group_find(SUMAC_CURVE, name, &group);
    if (status != SUMAC_OK)
        return error_of(status, "the library was built without this curve");
    sumac_pool *pool = get_pool(&reason);
    if (!pool)
        return error_of(SUMAC_BACKEND_UNAVAILABLE, reason.text);
    sumac_context *context;
    status = sumac_pool_take(pool, &context, &reason);
    if (status != SUMAC_OK)
        return error_of(status, reason.text);
    sumac_bases *bases = nullptr;
    const size_t count = config.base_sets != 0 ? n * batch : n;
    status = sumac_bases_create(context, group, points, count * shape.stride, count, &shape, &bases);
    if (status == SUMAC_OK)
        status = sumac_msm(context, bases, scalars, n * batch * sizeof *scalars, n, &config, affine.data(),
                           batch * sizeof(A));
    const eIcicleError error =
        status == SUMAC_OK ? eIcicleError::SUCCESS : error_of(status, sumac_context_message(context));
    sumac_bases_destroy(bases);
    sumac_pool_give(pool, context);
    for (size_t i = 0; i < batch && status == SUMAC_OK; i++)
        results[i] = P::from_affine(affine[i]);
    return error;
}

// Write each base at the position where its multiples begin. The multiples are not kept. If a program wants to keep its bases
// prepared, it must call sumac itself.
template <typename A>
eIcicleError spread(const Device &, const A *points, int size, const MSMConfig &config, A *out)
{
    if (size < 0 || config.precompute_factor < 1)
        return error_of(SUMAC_BAD_ARGUMENT, "a number of bases or of their multiples is out of range");
    for (size_t i = 0; i < static_cast<size_t>(size); i++)
        out[i * static_cast<size_t>(config.precompute_factor)] = points[i];
    return eIcicleError::SUCCESS;
}

template <typename T>
eIcicleError convert(const Device &, const T *in, size_t n, bool is_into, const VecOpsConfig &, T *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = is_into ? in[i].to_montgomery() : in[i].from_montgomery();
    return eIcicleError::SUCCESS;
}

constexpr char g1[] = "g1";
} // namespace

REGISTER_MSM_BACKEND("SUMAC", (sum<g1, affine_t, projective_t>));
REGISTER_MSM_PRE_COMPUTE_BASES_BACKEND("SUMAC", spread<affine_t>);
REGISTER_AFFINE_CONVERT_MONTGOMERY_BACKEND("SUMAC", convert<affine_t>);
REGISTER_PROJECTIVE_CONVERT_MONTGOMERY_BACKEND("SUMAC", convert<projective_t>);

#ifdef G2_ENABLED
namespace
{
constexpr char g2[] = "g2";
}

REGISTER_MSM_G2_BACKEND("SUMAC", (sum<g2, g2_affine_t, g2_projective_t>));
REGISTER_MSM_G2_PRE_COMPUTE_BASES_BACKEND("SUMAC", spread<g2_affine_t>);
REGISTER_AFFINE_G2_CONVERT_MONTGOMERY_BACKEND("SUMAC", convert<g2_affine_t>);
REGISTER_PROJECTIVE_G2_CONVERT_MONTGOMERY_BACKEND("SUMAC", convert<g2_projective_t>);
#endif
