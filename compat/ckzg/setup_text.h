/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Read Ethereum's trusted_setup.txt from a stream, because sumac reads files by name only. */
#ifndef SUMAC_CKZG_SETUP_TEXT_H
#define SUMAC_CKZG_SETUP_TEXT_H

#include "../kzg/loaded.h"
#include "ckzg.h"

/* Read the text from a stream: two counts, then the points of G1 in Lagrange form, of G2, and of G1 in
 * monomial form. Between bytes there may be white space.
 *  @param points the memory of all points, freed by the caller; null on failure
 *  @param bytes what lies where in it
 *  @return C_KZG_OK, C_KZG_BADARGS where the text is none, C_KZG_MALLOC */
C_KZG_RET sumac_ckzg_read_setup(FILE *in, uint8_t **points, setup_bytes *bytes);

#endif
