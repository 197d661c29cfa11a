/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header has what a setup reads of snarkjs' powers of tau (.ptau); the head of ptau.c describes the file. */
#ifndef SUMAC_CODEC_PTAU_H
#define SUMAC_CODEC_PTAU_H

#include "codec/binfile.h"
#include "sumac/sumac.h"

#define PTAU_MAGIC "ptau"
#define PTAU_KIND ".ptau"
enum { PTAU_VERSION = 1, PTAU_TAU_G1 = 2, PTAU_TAU_G2 = 3 /* types of sections */ };

/* Read the header, and check that its prime is that of the group. With a power p, tauG1 has 2^(p + 1) - 1 points, and tauG2 has
 * 2^p. */
sumac_status ptau_read_header(uint32_t *power, const binfile *file, const byte_source *source,
                              const sumac_group *info, sumac_message *why);

#endif
