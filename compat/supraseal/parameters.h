/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Parameters are a file of bellperson that is loaded: a verifying key and five sets of resident bases. */
#ifndef SUMAC_SUPRASEAL_PARAMETERS_H
#define SUMAC_SUPRASEAL_PARAMETERS_H

#include <stdatomic.h>

#include "call.h"
#include "sumac/groth16.h"
#include "sumac/pool.h"

/* The sets of bases, in the order in which the file has them. */
enum { SET_H, SET_L, SET_A, SET_B_G1, SET_B_G2, SETS };

enum { G1_BYTES = 96, G2_BYTES = 192 };

typedef struct supraseal_parameters {
    atomic_size_t handles;
    char *path;
    sumac_pool *pool; /* contexts for loading and proving */
    const sumac_group *g1, *g2;
    sumac_groth16_verifying_key *verifying;
    sumac_bases *sets[SETS];
    size_t inputs;                  /* public inputs, and the 1 before them */
    size_t counts[SETS];            /* points of each set */
    size_t domain;                  /* a power of two, one more than there are points H */
    uint8_t g1_points[3][G1_BYTES]; /* alpha, beta and delta, raw and canonical */
    uint8_t g2_points[2][G2_BYTES]; /* beta and delta */
} supraseal_parameters;

enum { ALPHA, BETA, DELTA };      /* of g1_points */
enum { BETA_OF_G2, DELTA_OF_G2 }; /* of g2_points */

/* Load a file. The new parameters have one handle. On failure *parameters is null, and `why` has a sentence. */
sumac_status sumac_supraseal_load(const char *path, supraseal_parameters **parameters, sumac_message *why);

/* Count one more handle. */
void sumac_supraseal_keep(supraseal_parameters *parameters);

/* Count one handle less, and free the parameters if it was the last one. Null is allowed. */
void sumac_supraseal_release(supraseal_parameters *parameters);

#endif
