/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Field elements as the consensus specification writes them: 32 bytes, big-endian, less than r. */
#ifndef SUMAC_KZG_ELEMENTS_H
#define SUMAC_KZG_ELEMENTS_H

#include "kzg/work.h"

/* SUMAC_BAD_ENCODING unless all elements of `count` things of `per` elements each are less than r; the
 * sentence calls thing i "<noun> <first + i>". */
sumac_status elements_check(executor *self, const sumac_curve *curve, const char *noun, size_t first,
                            const uint8_t *elements, size_t count, size_t per);

/* Where elements were refused as SUMAC_BAD_ENCODING when they were written to a vector: elements_check's
 * sentence in place of the vector's. */
void elements_explain(work *w, const char *noun, size_t first, const uint8_t *elements, size_t count,
                      size_t per);

/* The integer that 32 big-endian bytes are, modulo r, in their place. */
void element_reduce(const sumac_curve *curve, uint8_t *element);

#endif
