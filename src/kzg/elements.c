/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/elements.h"

#include "codec/bytes.h"
#include "codec/reduce.h"
#include "sumac/kzg.h"

enum { MOST_SCALAR_BYTES = 96 }; /* no curve has longer scalars */

enum { WORDS = SUMAC_KZG_ELEMENT_BYTES / 8 };

static int is_less(const uint8_t *element, const uint64_t *order)
{
    for (size_t i = 0; i < WORDS; i++) {
        const uint64_t word = __builtin_bswap64(load_le64(element + 8 * i));
        if (word != order[WORDS - 1 - i]) {
            return word < order[WORDS - 1 - i];
        }
    }
    return 0;
}

sumac_status elements_check(executor *self, const sumac_group *group, const char *noun, size_t first,
                            const uint8_t *elements, size_t count, size_t per)
{
    const uint64_t *order = group->order;
    for (size_t i = 0; i < count * per; i++) {
        if (is_less(elements + i * SUMAC_KZG_ELEMENT_BYTES, order)) {
            continue;
        }
        if (per == 1) {
            return refuse(&self->message, SUMAC_BAD_ENCODING, "%s %zu is not less than r", noun, first + i);
        }
        return refuse(&self->message, SUMAC_BAD_ENCODING,
                      "%s %zu: element %zu, at byte %zu, is not less than r", noun, first + i / per, i % per,
                      i % per * SUMAC_KZG_ELEMENT_BYTES);
    }
    return SUMAC_OK;
}

static sumac_element_layout big_endian(void)
{
    sumac_element_layout layout = {.size = sizeof layout};
    layout.byte_order = SUMAC_BIG_ENDIAN;
    return layout;
}

static sumac_status write_in_form(executor *self, sumac_vector *to, sumac_form form, const char *noun,
                                  size_t first, const uint8_t *elements, size_t count, size_t per)
{
    sumac_element_layout layout = big_endian();
    layout.form = form;
    const sumac_status status = vector_set(self, to, 0, count * per, elements, &layout);
    if (status == SUMAC_BAD_ENCODING) { /* find the blob or cell that has the element */
        return elements_check(self, to->group, noun, first, elements, count, per);
    }
    return status;
}

sumac_status elements_write(executor *self, sumac_vector *to, const char *noun, size_t first,
                            const uint8_t *elements, size_t count, size_t per)
{
    return write_in_form(self, to, SUMAC_FORM_CANONICAL, noun, first, elements, count, per);
}

sumac_status elements_write_unconverted(executor *self, sumac_vector *to, const char *noun, size_t first,
                                        const uint8_t *elements, size_t count, size_t per)
{
    return write_in_form(self, to, SUMAC_FORM_MONTGOMERY, noun, first, elements, count, per);
}

sumac_status elements_read(executor *self, const sumac_vector *from, size_t n, uint8_t *elements)
{
    const sumac_element_layout layout = big_endian();
    return vector_get(self, from, 0, n, elements, &layout);
}

sumac_status elements_fill_powers(executor *self, sumac_vector *powers, const uint8_t *base)
{
    uint8_t ratio[MOST_SCALAR_BYTES] = {0}; /* scalars may be longer than the base */
    reverse_bytes(ratio, base, SUMAC_KZG_ELEMENT_BYTES);
    TRY(vector_fill_integer(self, powers, 1));
    return vector_scale_powers(self, powers, powers->count, NULL, ratio);
}

void element_reduce(const sumac_group *group, uint8_t *element)
{
    uint8_t
        reduced[MOST_SCALAR_BYTES]; /* scalars may be longer than the element, which then is less than r */
    integer_reduce(group, element, SUMAC_KZG_ELEMENT_BYTES, reduced);
    reverse_bytes(element, reduced, SUMAC_KZG_ELEMENT_BYTES);
}
