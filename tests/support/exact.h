/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions make calls with memory of exactly as many bytes as they need. The numbers are computed here from the
 * group and the configuration, so that a call fails if the library requires more. If arguments describe no memory, such
 * as null bases, the number is SIZE_MAX, so that the call reports what is wrong with the arguments. In
 * tests/api/test_batch.c the buffers have fewer bytes than needed.
 */
#ifndef SUMAC_TESTS_EXACT_H
#define SUMAC_TESTS_EXACT_H

#include "sumac/sumac.h"

/* Describe bases. If they are null, return zeros. */
static inline sumac_bases_info info_of(const sumac_bases *bases)
{
    sumac_bases_info info = {.size = sizeof info};
    (void)!sumac_bases_describe(bases, &info);
    return info;
}

static inline size_t exact_product(size_t count, size_t each)
{
    size_t bytes;
    return __builtin_mul_overflow(count, each, &bytes) ? SIZE_MAX : bytes;
}

static inline int exact_is_read(const sumac_msm_config *config)
{
    return config != NULL && config->size == sizeof *config;
}

static inline size_t exact_batch(const sumac_msm_config *config)
{
    return !exact_is_read(config)     ? 1
           : config->batch != 0       ? config->batch
           : config->offset_count > 1 ? config->offset_count - 1
                                      : 1;
}

static inline size_t exact_scalars(const sumac_bases *bases, size_t n, const sumac_msm_config *config)
{
    const sumac_group *group = info_of(bases).group;
    if (group == NULL || (config != NULL && !exact_is_read(config))) {
        return SIZE_MAX;
    }
    const size_t each =
        config == NULL || config->scalar_bytes == 0 ? group->scalar_bytes : config->scalar_bytes;
    const size_t count = config == NULL || config->offsets == NULL ? exact_product(exact_batch(config), n)
                         : config->offset_count == 0               ? 0
                                                     : (size_t)config->offsets[config->offset_count - 1];
    return exact_product(count, each);
}

static inline size_t exact_results(const sumac_bases *bases, const sumac_msm_config *config)
{
    const sumac_group *group = info_of(bases).group;
    return group == NULL || (config != NULL && !exact_is_read(config))
               ? SIZE_MAX
               : exact_product(exact_batch(config), group->point_bytes);
}

static inline sumac_status exact_msm(sumac_context *context, const sumac_bases *bases, const void *scalars,
                                     size_t n, const sumac_msm_config *config, void *results)
{
    return sumac_msm(context, bases, scalars, exact_scalars(bases, n, config), n, config, results,
                     exact_results(bases, config));
}

static inline sumac_status exact_partial(sumac_context *context, const sumac_bases *bases,
                                         const void *scalars, size_t n, const sumac_msm_config *config,
                                         void *partial)
{
    const size_t bytes = sumac_partial_bytes(info_of(bases).group, (uint32_t)exact_batch(config));
    return sumac_msm_partial(context, bases, scalars, exact_scalars(bases, n, config), n, config, partial,
                             bytes == 0 || (config != NULL && !exact_is_read(config)) ? SIZE_MAX : bytes);
}

static inline sumac_status exact_combine(sumac_context *context, const sumac_group *group,
                                         const void *const *partials, size_t count, uint32_t batch,
                                         void *results)
{
    return sumac_partial_combine(context, group, partials, sumac_partial_bytes(group, batch), count, batch,
                                 results,
                                 group == NULL ? SIZE_MAX : exact_product(batch, group->point_bytes));
}

static inline sumac_status exact_create(sumac_context *context, const sumac_group *group, const void *points,
                                        size_t count, const sumac_bases_config *config, sumac_bases **bases)
{
    size_t bytes = SIZE_MAX;
    if (group != NULL && (config == NULL || config->size == sizeof *config)) {
        const size_t point = group->point_bytes;
        const size_t stride = config == NULL || config->stride == 0 ? point : config->stride;
        const size_t last =
            config != NULL && config->infinity == SUMAC_INFINITY_FLAG && config->infinity_offset >= point
                ? config->infinity_offset + 1
                : point;
        bytes = count == 0 ? 0 : exact_product(count - 1, stride);
        bytes = count == 0 || bytes > SIZE_MAX - last ? bytes : bytes + last;
    }
    return sumac_bases_create(context, group, points, bytes, count, config, bases);
}

static inline sumac_status exact_get(sumac_context *context, const sumac_bases *bases, size_t first,
                                     size_t count, void *points)
{
    const sumac_group *group = info_of(bases).group;
    return sumac_bases_get(context, bases, first, count, points,
                           group == NULL ? SIZE_MAX : exact_product(count, group->point_bytes));
}

/* Open a table that is trusted: only its checksum is verified. */
static inline sumac_status open_trusted(sumac_context *context, const sumac_group *group, const char *path,
                                        sumac_bases **bases)
{
    const sumac_bases_config trusted = {.size = sizeof trusted, .check = SUMAC_CHECK_NONE};
    return sumac_bases_open(context, group, path, "table", 0, SUMAC_ALL, &trusted, bases);
}

#endif
