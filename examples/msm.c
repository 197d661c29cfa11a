/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <sumac/sumac.h>

/* The README shows ten lines of this function. */
int main(void)
{
    const sumac_group *group;
    sumac_context *context;
    sumac_bases *bases;
    unsigned char points[2 * 96], scalars[2 * 32] = {[0] = 3, [32] = 4}, sum[96]; /* x, then y */
    if (sumac_group_find("bls12-381", "g1", &group) || sumac_context_create(NULL, &context, NULL) ||
        sumac_group_generator(group, points, 96) || sumac_group_generator(group, points + 96, 96) ||
        sumac_bases_create(context, group, points, sizeof points, 2, NULL, &bases) ||
        sumac_msm(context, bases, scalars, sizeof scalars, 2, NULL, sum, sizeof sum))
        return 1;
    printf("3G + 4G has x = ...%02x%02x\n", sum[1], sum[0]);
    sumac_bases_destroy(bases);
    sumac_context_destroy(context);
}
