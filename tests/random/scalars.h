/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header makes the scalars of one case: their residues, and the bytes that are passed to calls. */
#ifndef SUMAC_RANDOM_SCALARS_H
#define SUMAC_RANDOM_SCALARS_H

#include "random/world.h"

typedef struct case_scalars {
    const known_group *known;
    size_t count;
    uint8_t *residues;   /* count raw scalars less than r */
    world_block written; /* the scalars in the call's form, perhaps with multiples of r added */
    size_t too_large;    /* the first scalar that has more bits than declared, or count */
} case_scalars;

/* Make count scalars of at most `bits` bits, where 0 means any number of bits. Sometimes one scalar has more. */
case_scalars case_scalars_make(draws *d, const known_group *known, size_t count, uint32_t bits,
                               sumac_form form);
/* Recompute the residues from the lowest `bits` bits of the written scalars, as cut_scalars does. */
void case_scalars_cut(const case_scalars *scalars, uint32_t bits, sumac_form form);
void case_scalars_free(case_scalars *scalars);

#endif
