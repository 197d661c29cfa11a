/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Points and bytes as text and as JSON. */
#ifndef SUMAC_CLI_RESULTS_H
#define SUMAC_CLI_RESULTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "files.h"

/* A raw canonical point as {"x": "0x..", "y": "0x.."}, coordinates over Fp2 as two strings, or null for
 * infinity. */
json_t *point_to_json(const sumac_curve_info *info, const unsigned char *point);

/* Set "result" to the one point, or for a batch "results" to all of them. False if memory is short. */
bool set_results(json_t *object, const sumac_curve_info *info, const unsigned char *points, uint32_t batch);

/* A line "result  x = 0x.., y = 0x.." a point, or "infinity". */
void print_points(const sumac_curve_info *info, const unsigned char *points, uint32_t batch);

/* Room for "0x", two digits a byte, the end. */
#define HEX_SIZE(bytes) (2 * (size_t)(bytes) + 3)

/* Bytes in the order of memory; text holds HEX_SIZE(count). */
void bytes_to_hex(char *text, const unsigned char *bytes, size_t count);

/* Write an object and a line's end to standard output, and drop the reference. `object` may be null, for
 * memory that was too short to make it. Reports and returns an exit status. */
int print_json(json_t *object);

/* The same to a file, on several lines; a failed write is reported by result_file_commit(). */
int write_json_file(result_file *file, json_t *object);

#endif
