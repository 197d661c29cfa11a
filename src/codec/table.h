/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The format `table`: bases with their multiples, as one section of a container (codec/container.h). Its points are those of
 * a bases_table in Montgomery form, multiple after multiple.
 */
#ifndef SUMAC_CODEC_TABLE_H
#define SUMAC_CODEC_TABLE_H

#include "codec/container.h"
#include "sumac/sumac.h"

enum {
    TABLE_MAX_C = 24, /* as the planner's */
    /* Flags of the section. */
    TABLE_OUTSIDE_SUBGROUP = 1,
    TABLE_ALL_DIGITS = 2,
    /* Its numbers; `count` says how many bases there are. */
    TABLE_FACTOR = 0, /* points of each base: those of the bases themselves come first */
    TABLE_SHIFT = 1,
    TABLE_C = 2,
    TABLE_WINDOWS = 3
};

/* Check that a table's numbers fit each other, the curve, and the bytes that it has. SUMAC_BAD_FILE, SUMAC_NOT_SUPPORTED. */
sumac_status table_check(const container_section *table, const sumac_curve_info *info, sumac_message *why);

/* Check that a table has the multiples that the caller asks for, if any. SUMAC_MISMATCH. */
sumac_status table_check_multiples(const container_section *table, const sumac_bases_config *config,
                                   sumac_message *why);

#endif
