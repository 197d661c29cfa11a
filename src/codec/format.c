/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/format.h"

#include <string.h>

int holds_every_curve(const sumac_curve_info *info)
{
    (void)info;
    return 1;
}

int holds_bls12_381(const sumac_curve_info *info)
{
    return strcmp(info->name, "bls12-381") == 0;
}

int holds_bls12_381_g1(const sumac_curve_info *info)
{
    return holds_bls12_381(info) && strcmp(info->group, "g1") == 0;
}
