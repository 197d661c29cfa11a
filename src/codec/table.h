/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A file of the format `table` has bases with their multiples, as one section of a container (codec/container.h). The
 * section has the points of a bases_table in Montgomery form, one multiple after another.
 */
#ifndef SUMAC_CODEC_TABLE_H
#define SUMAC_CODEC_TABLE_H

#include "codec/container.h"
#include "sumac/sumac.h"

enum {
    TABLE_MAX_C = 24, /* the largest window that the planner supports */
    /* The section has these flags. */
    TABLE_OUTSIDE_SUBGROUP = 1,
    TABLE_ALL_DIGITS = 2,
    /* The section's numbers have these indices; its `count` is the number of bases. */
    TABLE_FACTOR = 0, /* points for each base, the base included */
    TABLE_SHIFT = 1,
    TABLE_C = 2,
    TABLE_WINDOWS = 3
};

/* Check that the numbers of a table fit each other, the group, and the section's size. The function may return
 * SUMAC_BAD_FILE or SUMAC_NOT_SUPPORTED. */
sumac_status table_check(const container_section *table, const sumac_group *info, sumac_message *why);

/* The configuration may ask for multiples or windows, for a precompute factor, for a window size (by its tuning), and
 * for multiples of points outside the subgroup. Check that the table has what it asks for. If the table lacks it,
 * return SUMAC_MISMATCH. */
sumac_status table_check_multiples(const container_section *table, const sumac_bases_config *config,
                                   sumac_message *why);

#endif
