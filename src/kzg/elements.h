/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions handle field elements as the consensus specification writes them: an element has 32 bytes, is
 * big-endian, and is less than r. */
#ifndef SUMAC_KZG_ELEMENTS_H
#define SUMAC_KZG_ELEMENTS_H

#include "vector/calls.h"

/* Return SUMAC_BAD_ENCODING unless all elements of `count` objects, which have `per` elements each, are less than r.
 * The message calls object i "<noun> <first + i>". */
sumac_status elements_check(executor *self, const sumac_group *group, const char *noun, size_t first,
                            const uint8_t *elements, size_t count, size_t per);

/* Check elements as elements_check() does, and write them to the beginning of a vector. */
sumac_status elements_write(executor *self, sumac_vector *to, const char *noun, size_t first,
                            const uint8_t *elements, size_t count, size_t per);
/* Do as elements_write(), but take the integers for Montgomery form, so that the scalars are the elements divided by R. This
 * saves a product for each. */
sumac_status elements_write_unconverted(executor *self, sumac_vector *to, const char *noun, size_t first,
                                        const uint8_t *elements, size_t count, size_t per);

/* Read elements [0, n) of a vector, and write them as bytes. */
sumac_status elements_read(executor *self, const sumac_vector *from, size_t n, uint8_t *elements);

/* Fill a vector with the powers 1, b, b^2, .. of an element b that is less than r. */
sumac_status elements_fill_powers(executor *self, sumac_vector *powers, const uint8_t *base);

/* Reduce a 32-byte big-endian integer modulo r. */
void element_reduce(const sumac_group *group, uint8_t *element);

#endif
