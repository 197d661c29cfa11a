/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions output points and bytes as text, as JSON and in files. Functions that create JSON return null if
 * memory is short. They also accept null in place of an object that could not be created; print_json() reports that
 * once. */
#ifndef SUMAC_CLI_RESULTS_H
#define SUMAC_CLI_RESULTS_H

#include "session.h"

/* The first function adds an item to a list, the second one a member to an object. They take over the reference. If
 * memory is short, *to becomes null. */
void json_append(json_t **to, json_t *item);
void json_put(json_t **to, const char *key, json_t *value);

/* Convert a raw canonical point to {"x": "0x..", "y": "0x.."}. Over Fp2 a coordinate is two strings. Infinity becomes
 * null. */
json_t *point_to_json(const sumac_group *info, const unsigned char *point);

/* Put the only point as "result" or, for a batch, all points as "results". */
void put_results(json_t **object, const sumac_group *info, const unsigned char *points, uint32_t batch);

/* Print a line "result  x = 0x.., y = 0x.." for each point, or "infinity". */
void print_points(const sumac_group *info, const unsigned char *points, uint32_t batch);

/* A hexadecimal text of this many bytes has "0x", two digits for each byte, and the final 0. */
#define HEX_SIZE(bytes) (2 * (size_t)(bytes) + 3)

/* Write bytes as hexadecimal, in the order of memory. `text` has HEX_SIZE(count) bytes. */
void bytes_to_hex(char *text, const unsigned char *bytes, size_t count);

/* Make a JSON string of bytes as hexadecimal, in the order of memory. */
json_t *bytes_to_json(const unsigned char *bytes, size_t count);

/* Write an object and a line's end to standard output, and drop the reference. Report failures and return an exit
 * status. */
int print_json(json_t *object);

/* Write an object to a file, on several lines, and drop the reference. result_file_commit() reports a failed write. */
int write_json_file(result_file *file, json_t *object);

/* Print the outcome of a verification, as JSON or words. The exit status is 1 if it does not hold. */
int print_verdict(const options *given, int holds, const char *yes, const char *no);

/* The first function returns a number of a plan, the second one the plan's name. Plans are the objects of
 * sumac/experimental.h. */
double plan_number(const json_t *plan, const char *name);
uint64_t plan_integer(const json_t *plan, const char *name);
const char *plan_name(const json_t *plan);

/* Make bases of raw points. The points are sums of bases that were checked as far as --validate asks. */
int bases_of_results(const session *opened, const unsigned char *points, size_t count, sumac_bases **bases);

/* ---- --out: results as points in a file, in the format --to ---- */

/* Call this before the work. Refuse a format that does not have points of the curve, and open the file. Without --out,
 * this function and those below do nothing. The caller must call result_file_discard() in any case. */
int points_file_open(result_file *file, const session *opened, const options *given);

/* Write `count` raw points, and rename the file to its path. */
int points_file_write(result_file *file, const session *opened, const options *given,
                      const unsigned char *points, size_t count);

/* These functions describe the file in a report, as a line or as the fields "out" and "format" of an object. */
void points_file_print(const options *given);
void points_file_put(json_t **object, const options *given);

#endif
