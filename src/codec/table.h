/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The format `table`: bases with their multiples, as one section of a container (codec/container.h). Its points are
 * those of a bases_table in Montgomery form, one multiple after another.
 */
#ifndef SUMAC_CODEC_TABLE_H
#define SUMAC_CODEC_TABLE_H

#include "codec/container.h"
#include "sumac/sumac.h"

enum {
    TABLE_MAX_C = 24, /* the planner's limit */
    /* Flags of the section. */
    TABLE_OUTSIDE_SUBGROUP = 1,
    TABLE_ALL_DIGITS = 2,
    /* Indices of its numbers; `count` is the number of bases. */
    TABLE_FACTOR = 0, /* points for each base, of which the base is the first */
    TABLE_SHIFT = 1,
    TABLE_C = 2,
    TABLE_WINDOWS = 3
};

/* Check that a table's numbers fit each other, the group, and the section's size. SUMAC_BAD_FILE,
 * SUMAC_NOT_SUPPORTED. */
sumac_status table_check(const container_section *table, const sumac_group *info, sumac_message *why);

/* Check that a table has the multiples for which the configuration asks, if any. SUMAC_MISMATCH. */
sumac_status table_check_multiples(const container_section *table, const sumac_bases_config *config,
                                   sumac_message *why);

#endif
