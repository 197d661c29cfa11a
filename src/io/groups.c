/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/groups.h"

#include <stdio.h>
#include <string.h>

#include "api/call.h"
#include "codec/bytes.h"

/* Each exponent says which power of this library's root of unity is snarkjs' or gnark's root. For BLS12-381 with t = (r
 * - 1)/2^32, our root is 7^t and snarkjs' root is 5^t, and 5^t = (7^t)^3797895509. gnark defines its roots in its file
 * ecc/CURVE/fr/generator.go. */
static const struct known_groups {
    const char *name, *json_name;
    uint64_t root_exponent, gnark_root_exponent;
} known[] = {{"bn254", "bn128", 1, 1},
             {"bls12-381", "bls12381", UINT64_C(3797895509), 1},
             {"bls12-377", NULL, 0, UINT64_C(94541551569129)},
             {"bw6-761", NULL, 0, UINT64_C(55466061687217)}};

enum { KNOWN = sizeof known / sizeof *known };

static int take_any(const struct known_groups *candidate, groups *found)
{
    if (sumac_group_find(candidate->name, "g1", &found->g1) != SUMAC_OK ||
        sumac_group_find(candidate->name, "g2", &found->g2) != SUMAC_OK) {
        return 0;
    }
    found->json_name = candidate->json_name;
    found->root_exponent = candidate->root_exponent;
    found->gnark_root_exponent = candidate->gnark_root_exponent;
    found->proof_bytes = 2 * (size_t)found->g1->point_bytes + found->g2->point_bytes;
    return 1;
}

/* If snarkjs and this build have the pair of groups, fill in `found` and return 1; otherwise return 0. */
static int take(const struct known_groups *candidate, groups *found)
{
    return candidate->json_name != NULL && take_any(candidate, found);
}

size_t groups_count(void)
{
    return KNOWN;
}

int groups_at(size_t i, groups *found)
{
    return take_any(&known[i], found);
}

sumac_status groups_find(sumac_context *context, const char *what, const uint8_t *order, uint32_t order_bytes,
                         const uint8_t *modulus, uint32_t modulus_bytes, groups *found)
{
    for (size_t i = 0; i < KNOWN; i++) {
        if (take(&known[i], found) &&
            is_integer(found->g1->order, found->g1->scalar_bytes, order, order_bytes) &&
            (modulus == NULL ||
             is_integer(found->g1->modulus, found->g1->field_bytes, modulus, modulus_bytes))) {
            return SUMAC_OK;
        }
    }
    return fail(context, SUMAC_UNKNOWN_CURVE,
                "%s: its primes are of no curve that this build proves with; those are bn254 and bls12-381",
                what);
}

sumac_status groups_find_name(sumac_context *context, const char *what, const char *json_name, groups *found)
{
    for (size_t i = 0; i < KNOWN; i++) {
        if (take(&known[i], found) && strcmp(json_name, found->json_name) == 0) {
            return SUMAC_OK;
        }
    }
    return fail(context, SUMAC_UNKNOWN_CURVE,
                "%s: this build proves with bn128 and bls12381, not with \"%.32s\"", what, json_name);
}

/* It is enough to compute modulo 2^64, because n is a power of two. */
uint64_t groups_row(const groups *of, uint64_t i, uint64_t n)
{
    return of->root_exponent * i & (n - 1);
}

uint64_t groups_odd_row(const groups *of, uint64_t i, uint64_t n)
{
    return (of->root_exponent * (2 * i + 1) & (2 * n - 1)) >> 1;
}

int integer_is_less(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    size_t i = bytes;
    while (i > 0 && a[i - 1] == b[i - 1]) {
        i--;
    }
    return i > 0 && a[i - 1] < b[i - 1];
}

size_t scalars_first_too_large(const sumac_group *group, const uint8_t *scalars, size_t count)
{
    const size_t bytes = group->scalar_bytes;
    size_t i = 0;
    while (i < count && integer_is_less(scalars + i * bytes, (const uint8_t *)group->order, bytes)) {
        i++;
    }
    return i;
}
