/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header makes the bases of one case: known points in a record layout, and a handle with them. */
#ifndef SUMAC_RANDOM_BASES_H
#define SUMAC_RANDOM_BASES_H

#include "random/world.h"

typedef struct case_bases {
    const known_group *known;
    size_t count;
    known_use *uses;
    sumac_bases_config config;
    world_block records;
    size_t stride;       /* bytes of a record */
    size_t fault_index;  /* the wrong record, or count if all are right */
    uint32_t may;        /* statuses with which their creation may end */
    sumac_bases *handle; /* null if they had to be refused */
} case_bases;

/* Make bases with a context, now and then through a file. */
case_bases case_bases_make(world *w, draws *d, const known_group *known, const world_lease *lease,
                           size_t count);
void case_bases_free(case_bases *bases);

/* Write point `index`, raw and canonical. */
void case_bases_expected(const case_bases *bases, size_t index, uint8_t *raw);

#endif
