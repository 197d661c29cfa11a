/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "toy_points.h"

enum { SLICE = 1 << 14 /* the number of points that are computed at a time */ };

void toy_close_generator(toy_generator *g)
{
    sumac_bases_destroy(g->bases);
    sumac_vector_destroy(g->points);
    free(g->bytes);
}

/* The table has about as many points as the additions that will be made with it: 2^c points for each of 254/c windows. */
sumac_status toy_open_generator(const toy_output *to, const sumac_group *group, uint64_t typical,
                                toy_generator *g)
{
    uint8_t point[4 * 48];
    sumac_bases_config config = {.size = sizeof config};
    const uint64_t balanced = 16 * typical * group->point_bytes;
    const uint64_t least = (uint64_t)64 << 10, most = (uint64_t)64 << 20;
    config.check = SUMAC_CHECK_NONE; /* the point is the curve's generator */
    config.replicated = 1;
    config.tables = SUMAC_TABLES_AUTO;
    config.table_bytes = balanced < least ? least : balanced < most ? balanced : most;
    config.typical_batch = SLICE;
    config.typical_n = 1;
    TRY(sumac_group_generator(group, point, sizeof point));
    g->to = to;
    g->point_bytes = group->point_bytes;
    TRY(toy_allocate(SLICE, g->point_bytes, &g->bytes, to->why));
    CALL(to, sumac_bases_create(to->context, group, point, sizeof point, 1, &config, &g->bases));
    CALL(to, sumac_vector_create(to->context, group, SUMAC_VECTOR_POINTS, SLICE, &g->points));
    return SUMAC_OK;
}

sumac_status toy_put_points(const toy_generator *g, const sumac_vector *numbers, size_t first, size_t n)
{
    const toy_output *to = g->to;
    sumac_msm_config config = {.size = sizeof config};
    sumac_element_layout layout = {.size = sizeof layout};
    layout.form = SUMAC_FORM_MONTGOMERY;
    for (size_t done = 0; done < n; done += SLICE) {
        const size_t count = n - done < SLICE ? n - done : SLICE;
        config.batch = (uint32_t)count;
        CALL(to, sumac_msm_vectors(to->context, g->bases, numbers, first + done, 1, &config, g->points, 0));
        CALL(to,
             sumac_vector_get(to->context, g->points, 0, count, &layout, g->bytes, count * g->point_bytes));
        fwrite(g->bytes, g->point_bytes, count, to->file);
    }
    return SUMAC_OK;
}

sumac_status toy_put_section_of_points(const toy_generator *g, uint32_t type, const sumac_vector *numbers,
                                       size_t first, size_t n)
{
    put_section(g->to->file, type, (uint64_t)n * g->point_bytes);
    return toy_put_points(g, numbers, first, n);
}
