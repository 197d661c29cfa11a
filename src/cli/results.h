/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Output points and bytes as text, as JSON and in files. Functions that create JSON return null if memory is short, and
 * accept null for an object that could not be created; print_json() reports that once. */
#ifndef SUMAC_CLI_RESULTS_H
#define SUMAC_CLI_RESULTS_H

#include "session.h"

/* Add an item to a list, or a member to an object, and take the reference. *to becomes null if memory is short. */
void json_append(json_t **to, json_t *item);
void json_put(json_t **to, const char *key, json_t *value);

/* Make {"x": "0x..", "y": "0x.."} of a raw canonical point; over Fp2, a coordinate is two strings. Infinity becomes
 * null. */
json_t *point_to_json(const sumac_group *info, const unsigned char *point);

/* Put the only point as "result" or, for a batch, all points as "results". */
void put_results(json_t **object, const sumac_group *info, const unsigned char *points, uint32_t batch);

/* Print a line "result  x = 0x.., y = 0x.." for each point, or "infinity". */
void print_points(const sumac_group *info, const unsigned char *points, uint32_t batch);

/* Size of "0x", two digits for each byte, and the final 0. */
#define HEX_SIZE(bytes) (2 * (size_t)(bytes) + 3)

/* Write bytes as hexadecimal, in the order of memory. `text` holds HEX_SIZE(count). */
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

/* Return a plan's number, and its name; plans are the objects of sumac/experimental.h. */
double plan_number(const json_t *plan, const char *name);
uint64_t plan_integer(const json_t *plan, const char *name);
const char *plan_name(const json_t *plan);

/* Make bases of raw points that are sums of bases, which were checked as far as --validate asks. */
int bases_of_results(const session *opened, const unsigned char *points, size_t count, sumac_bases **bases);

/* ---- --out: results as points in a file, in the format --to ---- */

/* Before the work, refuse a format that cannot hold the curve's points, and open the file. Without --out, this and the
 * functions below do nothing. Call result_file_discard() in any case. */
int points_file_open(result_file *file, const session *opened, const options *given);

/* Write `count` raw points, and rename the file to its path. */
int points_file_write(result_file *file, const session *opened, const options *given,
                      const unsigned char *points, size_t count);

/* Describe the file in a report, as a line or as the fields "out" and "format" of an object. */
void points_file_print(const options *given);
void points_file_put(json_t **object, const options *given);

#endif
