/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions write and read the texts of snarkjs: proofs, public inputs and verifying keys, in JSON. Numbers are
 * decimal, and points have a third coordinate, which is 0 for infinity and 1 for any other point. */
#ifndef SUMAC_IO_JSON_TEXT_H
#define SUMAC_IO_JSON_TEXT_H

#include "codec/json.h"
#include "io/groups.h"

/* ---- Writing ---- */

/* The text is written as JSON.stringify(value, null, 1) writes it: one element per line, indented by one space per
 * level. */
typedef struct json_text {
    sumac_context *context;
    char *text;
    size_t length, capacity;
    int depth;
    sumac_status status; /* after a failure, writing does nothing */
} json_text;

/* Append a piece of text, which is at most a number and a few characters long. */
void text_put(json_text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Begin and end a list or an object, whose bracket is given. */
void text_open(json_text *out, const char *bracket);
void text_close(json_text *out, const char *bracket);

/* Begin the next element of a list, or the next member of an object if it has a name. */
void text_next(json_text *out, int is_first, const char *name);

void text_number(json_text *out, const uint8_t *integer, size_t bytes);

/* Write the next element or member, which is a raw point. */
void text_point(json_text *out, int is_first, const char *name, const sumac_group *info,
                const uint8_t *point);

/* Give the text to the caller, who frees it. If something has failed, free it, and return that status. */
sumac_status text_finish(json_text *out, void **text, size_t *bytes);

/* Write `count` raw public inputs as a list. */
sumac_status text_of_publics(sumac_context *context, const sumac_group *group, uint64_t count,
                             const uint8_t *publics, void **text, size_t *bytes);

/* ---- Reading ---- */

/* This is a text that is being read, and its name in messages. */
typedef struct json_source {
    sumac_context *context;
    const char *name;
    json_value value;
} json_source;

sumac_status source_read(json_source *source, sumac_context *context, const char *text, size_t bytes,
                         const char *name);

/* Fail because a member is not what it should be. */
sumac_status source_wrong(const json_source *source, const char *member, const char *what);

/* Read an integer that is less than a prime. */
sumac_status source_integer(const json_source *source, json_value value, const char *member,
                            const uint64_t *prime, size_t bytes, uint8_t *integer);

/* Read a raw point from a value, or from a member of the text's object. */
sumac_status source_point(const json_source *source, json_value value, const char *member,
                          const sumac_group *info, uint8_t *point);
sumac_status source_member_point(const json_source *source, const char *member, const sumac_group *info,
                                 uint8_t *point);

/* Read a raw scalar, which is less than r, from a member. */
sumac_status source_member_scalar(const json_source *source, const char *member, const sumac_group *info,
                                  uint8_t *scalar);

/* Check the members "protocol" and "curve" if the text has them. */
sumac_status source_protocol(const json_source *source, const char *protocol);
sumac_status source_curve(const json_source *source, const groups *of);

/* Find the curve that the member "curve" names. */
sumac_status source_groups(const json_source *source, groups *found);

/* Read a number of at most 8 bytes from a member. Return 0 if there is no such member. */
int source_number(const json_source *source, const char *member, uint64_t *number);

/* Read a list of exactly `expected` raw public inputs. */
sumac_status publics_of_text(sumac_context *context, const sumac_group *group, uint64_t expected,
                             const char *text, size_t bytes, const char *name, uint8_t *publics);

#endif
