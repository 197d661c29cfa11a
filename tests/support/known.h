/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions make calls on bases of known logarithms. Their buffers have exactly the bytes that they need. */
#ifndef SUMAC_TESTS_SUPPORT_KNOWN_H
#define SUMAC_TESTS_SUPPORT_KNOWN_H

#include "sumac/experimental.h"

static inline sumac_status test_known_logarithms(sumac_context *context, const sumac_group *group,
                                                 size_t count, uint64_t seed, void *logarithms)
{
    return sumac_known_logarithms(context, group, count, seed, logarithms, count * group->scalar_bytes);
}

static inline sumac_status test_known_answer(sumac_context *context, const sumac_group *group,
                                             const void *scalars, const void *logarithms, size_t n,
                                             void *result)
{
    const size_t bytes = n * group->scalar_bytes;
    return sumac_known_answer(context, group, scalars, bytes, logarithms, bytes, n, result,
                              group->point_bytes);
}

#endif
