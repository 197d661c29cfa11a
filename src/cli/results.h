/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Results: points and bytes as text, as JSON and in files. Functions that make JSON give null where memory is short, and
 * take null for an object that could not be made: print_json() reports it once. */
#ifndef SUMAC_CLI_RESULTS_H
#define SUMAC_CLI_RESULTS_H

#include "session.h"

/* Add an item to a list, or a member to an object; *to becomes null where memory is short. Takes the reference. */
void json_append(json_t **to, json_t *item);
void json_put(json_t **to, const char *key, json_t *value);

/* A raw canonical point as {"x": "0x..", "y": "0x.."}, coordinates over Fp2 as two strings, or null for
 * infinity. */
json_t *point_to_json(const sumac_curve_info *info, const unsigned char *point);

/* Put "result", the one point, or for a batch "results", all of them. */
void put_results(json_t **object, const sumac_curve_info *info, const unsigned char *points, uint32_t batch);

/* Print a line "result  x = 0x.., y = 0x.." for each point, or "infinity". */
void print_points(const sumac_curve_info *info, const unsigned char *points, uint32_t batch);

/* Bytes of "0x", two digits a byte, and the end. */
#define HEX_SIZE(bytes) (2 * (size_t)(bytes) + 3)

/* Bytes in the order of memory; text holds HEX_SIZE(count). */
void bytes_to_hex(char *text, const unsigned char *bytes, size_t count);

/* Bytes in the order of memory as a JSON string. */
json_t *bytes_to_json(const unsigned char *bytes, size_t count);

/* Write an object and a line's end to standard output, and drop the reference. Reports and returns an exit status. */
int print_json(json_t *object);

/* Write an object to a file, on several lines, and drop the reference; a failed write is reported by result_file_commit(). */
int write_json_file(result_file *file, json_t *object);

/* Say whether what was verified holds, as JSON or words; the exit status is 1 where it does not. */
int print_verdict(const options *given, int holds, const char *yes, const char *no);

/* A plan's number that counts something; and every field of the plan under its own name, as JSON. */
uint64_t plan_integer(const sumac_plan *plan, const char *name);
json_t *plan_to_json(const sumac_plan *plan);

/* Make bases of raw points that are sums of bases, which were checked as far as --validate says. */
int bases_of_results(const session *opened, const unsigned char *points, size_t count, sumac_bases **bases);

/* ---- --out: results as points in a file, in the format --to ---- */

/* Before the work, refuse a format that cannot hold the curve's points, and open the file. Without --out nothing
 * happens, here and below; result_file_discard() is due in any case. */
int points_file_open(result_file *file, const session *opened, const options *given);

/* Write `count` raw points, and give the file its name. */
int points_file_write(result_file *file, const session *opened, const options *given,
                      const unsigned char *points, size_t count);

/* Describe the file in a report: as a line, or as the fields "out" and "format" of an object. */
void points_file_print(const options *given);
void points_file_put(json_t **object, const options *given);

#endif
