/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/elements.h"

#include "codec/bytes.h"
#include "sumac/kzg.h"

enum { WORDS = SUMAC_KZG_ELEMENT_BYTES / 8 };

static uint64_t load_be64(const uint8_t *bytes)
{
    uint8_t reversed[8];
    reverse_bytes(reversed, bytes, sizeof reversed);
    return load_le64(reversed);
}

static int is_less(const uint8_t *element, const uint64_t *order)
{
    for (size_t i = 0; i < WORDS; i++) {
        const uint64_t word = load_be64(element + 8 * i);
        if (word != order[WORDS - 1 - i]) {
            return word < order[WORDS - 1 - i];
        }
    }
    return 0;
}

sumac_status elements_check(executor *self, const sumac_curve *curve, const char *noun, size_t first,
                            const uint8_t *elements, size_t count, size_t per)
{
    const uint64_t *order = sumac_curve_describe(curve)->order;
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

void elements_explain(work *w, const char *noun, size_t first, const uint8_t *elements, size_t count,
                      size_t per)
{
    if (w->status == SUMAC_BAD_ENCODING) {
        (void)elements_check(w->executor, w->curve, noun, first, elements, count, per);
    }
}

/* element - r, which is not negative. */
static void subtract_order(uint8_t *element, const uint64_t *order)
{
    uint64_t borrow = 0;
    for (size_t i = 0; i < WORDS; i++) {
        uint8_t *place = element + SUMAC_KZG_ELEMENT_BYTES - 8 * (i + 1);
        const uint64_t word = load_be64(place);
        uint8_t little[8];
        store_le64(little, word - order[i] - borrow);
        reverse_bytes(place, little, sizeof little);
        borrow = word < order[i] || (word == order[i] && borrow != 0);
    }
}

void element_reduce(const sumac_curve *curve, uint8_t *element)
{
    const uint64_t *order = sumac_curve_describe(curve)->order;
    while (!is_less(element, order)) { /* twice at most: 2^256 < 3r */
        subtract_order(element, order);
    }
}
