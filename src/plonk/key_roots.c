/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file finds what the readers of all formats need before they can transform a key's polynomials. */
#include <string.h>

#include "plonk/key.h"

void plonk_key_find_roots(sumac_plonk_key *key)
{
    const sumac_plonk_verifying_key *verifying = key->verifying;
    const sumac_group *g1 = verifying->groups.g1;
    uint8_t ours[MOST_SCALAR_BYTES];
    host_to_raw(g1, verifying->root, key->root);
    host_to_raw(g1, host_square(g1, verifying->root_of_8n, 3), ours);
    key->has_other_root = memcmp(key->root, ours, g1->scalar_bytes) != 0;
    for (uint64_t j = 0; j < COSETS; j++) {
        host_to_raw(g1, host_power(g1, verifying->root_of_8n, 2 * j + 1), key->shifts[j]);
    }
}
