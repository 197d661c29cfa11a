/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Points of the reference's JSON files as raw bytes: integers are texts, elements of Fp2 pairs of them. */
#ifndef SUMAC_TESTS_JSON_H
#define SUMAC_TESTS_JSON_H

#include <jansson.h>

#include "sumac/sumac.h"

void test_json_element(const sumac_group *info, uint8_t *raw, const json_t *value);

/* {"x": .., "y": ..}, or null for infinity. */
void test_json_point(const sumac_group *info, uint8_t *raw, const json_t *point);

#endif
