/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This reads Ethereum's trusted_setup.txt from a stream, because sumac reads only files that are given by name. */
#ifndef SUMAC_CKZG_SETUP_TEXT_H
#define SUMAC_CKZG_SETUP_TEXT_H

#include "../kzg/loaded.h"
#include "ckzg.h"

/* Read the text from a stream: two counts, and then the points of G1 in Lagrange form, of G2, and of G1 in monomial
 * form. White space may separate bytes.
 *  @param points the memory of all points, which the caller frees; null on failure
 *  @param bytes the parts of this memory
 *  @return C_KZG_OK, C_KZG_BADARGS if the text is not a setup, C_KZG_MALLOC */
C_KZG_RET sumac_ckzg_read_setup(FILE *in, uint8_t **points, setup_bytes *bytes);

#endif
