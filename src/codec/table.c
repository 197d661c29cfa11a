/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/table.h"

#include <inttypes.h>

#include "base/integers.h"
#include "base/tuning.h"
#include "codec/format.h"

/* The pipeline's stages number a table's points in 31 bits. */
#define TABLE_MAX_POINTS ((uint64_t)1 << 31)

/* Check the multiples of a table. Multiple t of a base must be 2^(shift*t) times the base, with shift =
 * c*ceil(windows/factor). In a window table, point w*D + d - 1 must be d*2^(shift*w) times the base, with shift = c and
 * D = 2^(c-1). See pipeline.h. */
static int multiples_fit(const container_section *table, const sumac_group *info)
{
    const uint32_t factor = table->numbers[TABLE_FACTOR], shift = table->numbers[TABLE_SHIFT];
    const uint32_t c = table->numbers[TABLE_C], windows = table->numbers[TABLE_WINDOWS];
    if (c > TABLE_MAX_C || windows > 8 * info->scalar_bytes + 1) {
        return 0;
    }
    if (table->flags & TABLE_ALL_DIGITS) {
        return c > 0 && shift == c && factor > 1 && factor == (uint64_t)windows << (c - 1);
    }
    return factor == 1 ||
           (factor > 0 && c > 0 && windows >= factor && shift == c * ceil_divide(windows, factor));
}

sumac_status table_check(const container_section *table, const sumac_group *info, sumac_message *why)
{
    uint64_t points, bytes;
    if (table->flags > (TABLE_OUTSIDE_SUBGROUP | TABLE_ALL_DIGITS)) {
        return refuse(why, SUMAC_BAD_FILE, "the header uses bits that this version does not know");
    }
    if (!multiples_fit(table, info) || strcmp(table->group, info->name) != 0 ||
        __builtin_mul_overflow(table->count, table->numbers[TABLE_FACTOR], &points) ||
        __builtin_mul_overflow(points, info->point_bytes, &bytes) || bytes != table->size) {
        return container_refuse_sizes(why);
    }
    return points <= TABLE_MAX_POINTS
               ? SUMAC_OK
               : refuse(why, SUMAC_NOT_SUPPORTED, "a table of %" PRIu64 " points, more than %" PRIu64, points,
                        TABLE_MAX_POINTS);
}

/* Return 1 if a table that is created with the factor `asked` gets this table's factor. Creating a table lowers the
 * factor to the number of multiples that windows use. */
static int has_factor(const container_section *table, uint32_t asked)
{
    const uint32_t windows = table->numbers[TABLE_WINDOWS];
    return windows != 0 && ceil_divide(windows, ceil_divide(windows, asked)) == table->numbers[TABLE_FACTOR];
}

sumac_status table_check_multiples(const container_section *table, const sumac_bases_config *config,
                                   sumac_message *why)
{
    const uint32_t factor = table->numbers[TABLE_FACTOR], c = table->numbers[TABLE_C];
    const int all_digits = (table->flags & TABLE_ALL_DIGITS) != 0;
    if (all_digits ? config->precompute_factor > 1 : config->tables == SUMAC_TABLES_WINDOWS) {
        return refuse(why, SUMAC_MISMATCH, "a table of %s, where %s are asked for",
                      all_digits ? "windows" : "multiples", all_digits ? "multiples" : "windows");
    }
    if (config->precompute_factor > 1 && !has_factor(table, config->precompute_factor)) {
        return refuse(why, SUMAC_MISMATCH,
                      "a table with precompute factor %" PRIu32 ", where %" PRIu32 " is asked for", factor,
                      config->precompute_factor);
    }
    const uint32_t wanted = tuning_window(config->tuning);
    if ((config->precompute_factor > 1 || config->tables != SUMAC_TABLES_MULTIPLES) && wanted != 0 &&
        wanted != c) {
        return refuse(why, SUMAC_MISMATCH,
                      "a table for windows of %" PRIu32 " bits, where %" PRIu32 " are asked for", c, wanted);
    }
    if (factor > 1 && config->outside_subgroup && !(table->flags & TABLE_OUTSIDE_SUBGROUP)) {
        return refuse(why, SUMAC_MISMATCH, "the table's multiples are for points of the subgroup only");
    }
    return SUMAC_OK;
}

const point_format table_format = {
    .info = FORMAT_READ_WRITE("table",
                              "bases with their precomputed multiples, as sumac_bases_save() writes them"),
    .holds = holds_every_group,
    .layout = LAYOUT_TABLE,
};
