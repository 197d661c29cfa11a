/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header reads points of the reference's JSON files, where an integer is a string, and an element of Fp2 a pair of
 * strings. */
#ifndef SUMAC_TESTS_JSON_H
#define SUMAC_TESTS_JSON_H

#include <jansson.h>

#include "sumac/sumac.h"

void test_json_element(const sumac_group *info, uint8_t *raw, const json_t *value);

/* Convert {"x": .., "y": ..}, or null for infinity, to a raw point. */
void test_json_point(const sumac_group *info, uint8_t *raw, const json_t *point);

#endif
