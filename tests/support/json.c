/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "support/json.h"

#include <string.h>

#include "support/abort.h"
#include "support/numbers.h"

void test_json_element(const sumac_group *info, uint8_t *raw, const json_t *value)
{
    TEST_NUMBERS(integer);
    memset(raw, 0, info->point_bytes / 2);
    for (uint32_t i = 0; i < info->degree; i++) {
        const char *text = json_string_value(info->degree == 2 ? json_array_get(value, i) : value);
        if (text == NULL || mpz_set_str(integer, text, 0) != 0 ||
            mpz_sizeinbase(integer, 2) > 8 * (size_t)info->field_bytes) {
            test_abort("a file of vectors has no element of the field where one should be");
        }
        mpz_export(raw + i * info->field_bytes, NULL, -1, 1, -1, 0, integer);
    }
}

void test_json_point(const sumac_group *info, uint8_t *raw, const json_t *point)
{
    memset(raw, 0, info->point_bytes);
    if (!json_is_null(point)) {
        test_json_element(info, raw, json_object_get(point, "x"));
        test_json_element(info, raw + info->point_bytes / 2, json_object_get(point, "y"));
    }
}
