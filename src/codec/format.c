/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/format.h"

#include <string.h>

/* In the order in which users see them. */
static const point_format *const formats[] = {
    &raw_format,
    &table_format,
    &trusted_setup_lagrange_format,
    &trusted_setup_monomial_format,
    &zcash_compressed_format,
    &zcash_uncompressed_format,
    &eip2537_format,
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

size_t sumac_format_count(void)
{
    return FORMAT_COUNT;
}

const sumac_format_info *sumac_format_at(size_t index)
{
    return index < FORMAT_COUNT ? &formats[index]->info : NULL;
}

const point_format *format_named(const char *name)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (strcmp(formats[i]->info.name, name) == 0) {
            return formats[i];
        }
    }
    return NULL;
}

const char *decode_problem(const decode_outcome *outcome)
{
    if (outcome->problem != NULL) {
        return outcome->problem;
    }
    return outcome->status == SUMAC_BAD_ENCODING
               ? "has a coordinate that is not less than the field's modulus"
           : outcome->status == SUMAC_NOT_ON_CURVE ? "is not on the curve"
                                                   : "is not in the subgroup of order r";
}

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
