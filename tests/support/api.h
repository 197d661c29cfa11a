/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * These functions call those of the same names in the interface, with the lengths in bytes that follow from the other
 * arguments. A test of lengths calls the interface itself.
 */
#ifndef SUMAC_TESTS_API_H
#define SUMAC_TESTS_API_H

#include "sumac/map.h"
#include "sumac/pairing.h"
#include "sumac/sumac.h"
#include "sumac/vector.h"

static inline size_t test_points_bytes(const sumac_group *group, size_t count)
{
    return group == NULL ? 0 : count * group->point_bytes;
}

static inline size_t test_scalar_bytes(const sumac_vector *vector)
{
    return vector == NULL ? 0 : sumac_vector_group(vector)->scalar_bytes;
}

static inline size_t test_elements_bytes(const sumac_vector *vector, size_t count,
                                         const sumac_element_layout *layout)
{
    return layout != NULL && layout->scalar_bytes != 0 ? count * layout->scalar_bytes
           : vector == NULL                            ? 0
           : sumac_vector_kind_of(vector) == SUMAC_VECTOR_SCALARS
               ? count * test_scalar_bytes(vector)
               : test_points_bytes(sumac_vector_group(vector), count);
}

static inline sumac_status test_vector_set(sumac_context *context, sumac_vector *vector, const void *elements,
                                           size_t first, size_t count, const sumac_element_layout *layout)
{
    return sumac_vector_set(context, vector, elements, test_elements_bytes(vector, count, layout), first,
                            count, layout);
}

static inline sumac_status test_vector_get(sumac_context *context, const sumac_vector *vector, size_t first,
                                           size_t count, const sumac_element_layout *layout, void *elements)
{
    return sumac_vector_get(context, vector, first, count, layout, elements,
                            test_elements_bytes(vector, count, layout));
}

static inline sumac_status test_vector_fill(sumac_context *context, sumac_vector *vector, const void *scalar)
{
    return sumac_vector_fill(context, vector, scalar, test_scalar_bytes(vector));
}

static inline sumac_status test_vector_scale_powers(sumac_context *context, sumac_vector *vector,
                                                    const void *factor, const void *ratio, size_t length)
{
    const size_t bytes = test_scalar_bytes(vector);
    return sumac_vector_scale_powers(context, vector, factor, bytes, ratio, bytes, length);
}

static inline sumac_status test_root_of_unity(const sumac_group *group, uint32_t log2, void *root)
{
    return sumac_root_of_unity(group, log2, root, group == NULL ? 0 : group->scalar_bytes);
}

/* Return the length of records in a format, or 0 if there is no such format. */
static inline size_t test_records_bytes(sumac_context *context, const sumac_group *group, const char *format,
                                        size_t count)
{
    size_t bytes;
    return sumac_points_record_bytes(context, group, format, &bytes) == SUMAC_OK ? count * bytes : 0;
}

static inline sumac_status test_points_decode(sumac_context *context, const sumac_group *group,
                                              const void *records, size_t count, const char *format,
                                              sumac_check check, void *points)
{
    return sumac_points_decode(context, group, records, test_records_bytes(context, group, format, count),
                               count, format, check, points, test_points_bytes(group, count));
}

static inline sumac_status test_points_encode(sumac_context *context, const sumac_group *group,
                                              const void *points, size_t count, const char *format,
                                              void *records)
{
    return sumac_points_encode(context, group, points, test_points_bytes(group, count), count, format,
                               records, test_records_bytes(context, group, format, count));
}

/* Return the length of points in the group of this name, g1 or g2, of the curve to which another group belongs. */
static inline size_t test_pairing_bytes(const sumac_group *group, const char *name, size_t count)
{
    const sumac_group *found;
    return group == NULL || sumac_group_find(group->curve, name, &found) != SUMAC_OK
               ? 0
               : test_points_bytes(found, count);
}

static inline sumac_status test_pairing_check(sumac_context *context, const sumac_group *group,
                                              const void *g1_points, const void *g2_points, size_t count,
                                              sumac_check check, int *ok)
{
    return sumac_pairing_check(context, group, g1_points, test_pairing_bytes(group, "g1", count), g2_points,
                               test_pairing_bytes(group, "g2", count), count, check, ok);
}

static inline sumac_status test_pairing_points_create(sumac_context *context, const sumac_group *group,
                                                      const void *g2_points, size_t count, sumac_check check,
                                                      sumac_pairing_points **prepared)
{
    return sumac_pairing_points_create(context, group, g2_points, test_pairing_bytes(group, "g2", count),
                                       count, check, prepared);
}

/* `group` is the group of the points. */
static inline sumac_status test_pairing_check_prepared(sumac_context *context, const sumac_group *group,
                                                       const sumac_pairing_points *prepared,
                                                       const void *g1_points, const void *g2_points,
                                                       size_t count, sumac_check check, int *ok)
{
    return sumac_pairing_check_prepared(context, prepared, g1_points, test_pairing_bytes(group, "g1", count),
                                        g2_points, test_pairing_bytes(group, "g2", count), count, check, ok);
}

static inline sumac_status test_map_to_group(sumac_context *context, const sumac_group *group,
                                             const void *elements, size_t count, void *points)
{
    const size_t bytes = test_points_bytes(group, count);
    return sumac_map_to_group(context, group, elements, bytes / 2, count, points, bytes);
}

/* Describe a context, which must not be null. */
static inline sumac_context_info test_describe(const sumac_context *context)
{
    sumac_context_info info = {.size = sizeof info};
    return sumac_context_describe(context, &info) == SUMAC_OK ? info : (sumac_context_info){.size = 0};
}

#endif
