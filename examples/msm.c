/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <sumac/sumac.h>

int main(void)
{
    enum { N = 2 };
    const sumac_group *curve;
    sumac_context *context;
    sumac_bases *bases;
    unsigned char points[N * 96], scalars[N * 32] = {[0] = 3, [32] = 4}, result[96];
    if (sumac_group_find("bls12-381", "g1", &curve) != SUMAC_OK ||
        sumac_context_create(NULL, &context, NULL) != SUMAC_OK)
        return 1;
    for (int i = 0; i < N; i++) /* x then y, 48 bytes each, little-endian */
        if (sumac_group_generator(curve, points + 96 * i, 96) != SUMAC_OK)
            return 1;
    if (sumac_bases_create(context, curve, points, sizeof points, N, NULL, &bases) != SUMAC_OK ||
        sumac_msm(context, bases, scalars, sizeof scalars, N, NULL, result, sizeof result) != SUMAC_OK) {
        fprintf(stderr, "%s\n", sumac_context_message(context));
        return 1;
    }
    printf("3G + 4G has x = ...%02x%02x\n", result[1], result[0]);
    sumac_bases_destroy(bases);
    sumac_context_destroy(context);
}
