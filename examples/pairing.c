/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This program checks whether products of pairings are one. e(2G, 3H) * e(-6G, H) is one, and e(2G, 3H) * e(-6G, 3H)
   is not. */
#include <stdio.h>
#include <stdlib.h>

#include <sumac/pairing.h>

static void check(const sumac_context *context, sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status), sumac_context_message(context));
        exit(1);
    }
}

/* Multiply a group's generator by two scalars, in one batch. */
static void multiply(sumac_context *context, const sumac_group *group, const void *scalars, void *points)
{
    unsigned char generator[192];
    sumac_bases *bases;
    sumac_msm_config config = {.size = sizeof config};
    config.batch = 2;
    check(context, sumac_group_generator(group, generator, group->point_bytes));
    check(context, sumac_bases_create(context, group, generator, sizeof generator, 1, NULL, &bases));
    check(context, sumac_msm(context, bases, scalars, 2 * group->scalar_bytes, 1, &config, points,
                             2 * group->point_bytes));
    sumac_bases_destroy(bases);
}

int main(void)
{
    unsigned char g1[2][96], g2[2][192], three[2][32] = {{3}, {1}}, two[2][32] = {{2}, {6}};
    const sumac_group *first, *second;
    sumac_context *context;
    int holds, other;
    check(NULL, sumac_group_find("bls12-381", "g1", &first));
    check(NULL, sumac_group_find("bls12-381", "g2", &second));
    check(NULL, sumac_context_create(NULL, &context, NULL));

    /* Compute -6 = r - 6. r has 32 bytes, little-endian, and its lowest word is greater than 6, so there is no
       borrow. */
    const uint64_t *r = first->order;
    for (int i = 0; i < 32; i++) {
        two[1][i] = (unsigned char)((i < 8 ? r[0] - 6 : r[i / 8]) >> (8 * (i % 8)));
    }
    multiply(context, first, two, g1);
    multiply(context, second, three, g2);
    check(context,
          sumac_pairing_check(context, first, g1, sizeof g1, g2, sizeof g2, 2, SUMAC_CHECK_SUBGROUP, &holds));

    /* If many checks have the same points of the second group, these points are prepared once. */
    sumac_pairing_points *prepared;
    check(context, sumac_pairing_points_create(context, second, g2[0], sizeof g2[0], 1, SUMAC_CHECK_SUBGROUP,
                                               &prepared));
    check(context, sumac_pairing_check_prepared(context, prepared, g1, sizeof g1, g2[0], sizeof g2[0], 2,
                                                SUMAC_CHECK_SUBGROUP, &other));
    printf("the first product is %sone, the second is %sone\n", holds ? "" : "not ", other ? "" : "not ");

    sumac_pairing_points_destroy(prepared);
    sumac_context_destroy(context);
    return 0;
}
