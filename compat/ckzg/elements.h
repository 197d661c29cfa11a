/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These are the few field operations that convert blst's representations to bytes and back. blst represents an
 * integer x as x*R mod the modulus, where R = 2^(64*words), in words, the lowest first. */
#ifndef SUMAC_CKZG_ELEMENTS_H
#define SUMAC_CKZG_ELEMENTS_H

#include "ckzg.h"

/* A raw point of sumac is x followed by y, canonical and little-endian. Infinity is zeros. */
enum { COORDINATE_BYTES = 48, RAW_POINT_BYTES = 2 * COORDINATE_BYTES };

/* Convert an element that is less than r to words, and back. */
void sumac_ckzg_element_to_words(fr_t *words, const Bytes32 *element);
void sumac_ckzg_element_from_words(Bytes32 *element, const fr_t *words);

/* Convert a point to Jacobian coordinates with z = 1, or with z = 0 for infinity. Convert it back from any z, as
 * (x/z^2, y/z^3). */
void sumac_ckzg_point_to_jacobian(g1_t *point, const uint8_t affine[RAW_POINT_BYTES]);
void sumac_ckzg_point_from_jacobian(uint8_t affine[RAW_POINT_BYTES], const g1_t *point);

#endif
