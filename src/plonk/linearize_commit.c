/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file commits to the linearisation. Its factors are known, so that a sum of few points is enough. */
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "api/msm.h"
#include "base/try.h"
#include "plonk/transcript.h"

enum { MOST_TERMS = MOST_KEY_POINTS + MOST_PROOF_POINTS };

sumac_status linearize_commit(sumac_context *context, transcript *t, const linearization *l)
{
    const sumac_group *g1 = t->key->groups.g1;
    const size_t point = g1->point_bytes;
    uint8_t points[MOST_TERMS * MOST_POINT_BYTES], scalars[MOST_TERMS * MOST_SCALAR_BYTES];
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    sumac_bases_config unchecked = {.size = sizeof unchecked};
    sumac_msm_config config = {.size = sizeof config};
    size_t terms = 0;
    if (!flavour_opens_linear(t->key->flavour)) {
        return SUMAC_OK;
    }
    unchecked.check = SUMAC_CHECK_NONE; /* the caller has checked them, or has computed them */
    config.batch = 1;
    const size_t all = plonk_key_points(t->key) + plonk_proof_points(t->key);
    for (size_t i = 0; i < all; i++) {
        const plonk_item item = plonk_point_item(t->key, i);
        if (!host_is_zero(g1, l->factors[item])) {
            const uint8_t *from = item < PROOF_A ? t->key->points + plonk_key_position(t->key, item) * point
                                                 : t->proof + plonk_item_at(t->key, item);
            memcpy(points + terms * point, from, point);
            host_to_raw(g1, l->factors[item], scalars + terms * g1->scalar_bytes);
            terms++;
        }
    }
    TRY(sumac_bases_create(context, g1, points, terms * point, terms, &unchecked, &bases));
    return msm_within(context, bases, scalars, terms, &config, 0, t->linear_point);
}
