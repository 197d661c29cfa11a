/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header declares the points of Ethereum's ceremony, from trusted_setup.txt. CMake writes ethereum_setup.c. */
#ifndef SUMAC_ETH_KZG_SETUP_H
#define SUMAC_ETH_KZG_SETUP_H

#include <stdint.h>

/* The points have the order of the file. Those in Lagrange form are not bit-reversed. */
typedef struct ethereum_setup {
    uint8_t g1_lagrange[4096 * 48];
    uint8_t g2_monomial[65 * 96];
    uint8_t g1_monomial[4096 * 48];
} ethereum_setup;

/* The setup is an array of bytes, because long initializers with structure compile slowly. */
extern const uint8_t sumac_ethereum_setup[sizeof(ethereum_setup)];

#endif
