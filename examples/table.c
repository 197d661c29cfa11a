/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program computes multiples of the bases once, and saves them. With f = 8 multiples a sum needs an eighth of
 * the buckets. The table names its curve and window and has a checksum, so that a damaged table, or a table for
 * another curve, is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sumac/experimental.h>
#include <sumac/sumac.h>

enum { N = 1000 };

static void check(const sumac_context *context, sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

int main(int argc, char **argv)
{
    static unsigned char scalars[N * 32];
    unsigned char with_table[96], without[96];
    const char *path = argc > 1 ? argv[1] : "example.table";
    const sumac_group *group;
    sumac_context *context;
    sumac_bases *bases, *table, *loaded;
    check(NULL, sumac_group_find("bls12-381", "g1", &group));
    sumac_message reason;
    if (sumac_context_create(NULL, &context, &reason) != SUMAC_OK) {
        fprintf(stderr, "%s\n", reason.text);
        return 1;
    }
    check(context, sumac_known_bases_create(context, group, N, 1, NULL, &bases));
    check(context, sumac_known_logarithms(context, group, N, 2, scalars, N * 32));

    sumac_bases_config config = {.size = sizeof config};
    config.precompute_factor = 8;
    check(context, sumac_known_bases_create(context, group, N, 1, &config, &table));
    check(context, sumac_bases_save(context, table, path, NULL));
    sumac_bases_config trusted = {.size = sizeof trusted};
    trusted.check = SUMAC_CHECK_NONE; /* the points were checked before saving; verify only the checksum */
    check(context, sumac_bases_open(context, group, path, NULL, 0, SUMAC_ALL, &trusted, &loaded));

    check(context, sumac_msm(context, bases, scalars, sizeof scalars, N, NULL, without, sizeof without));
    check(context,
          sumac_msm(context, loaded, scalars, sizeof scalars, N, NULL, with_table, sizeof with_table));
    const int equal = memcmp(without, with_table, sizeof without) == 0;
    sumac_bases_info info = {.size = sizeof info};
    check(context, sumac_bases_describe(loaded, &info));
    printf("%s: %u multiples of %zu bases, %llu bytes: %s\n", path, info.precompute_factor, info.count,
           (unsigned long long)info.bytes, equal ? "the same sum" : "another sum");
    sumac_bases_destroy(bases);
    sumac_bases_destroy(table);
    sumac_bases_destroy(loaded);
    sumac_context_destroy(context);
    return !equal;
}
