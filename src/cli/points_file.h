/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* --out: results as points in a file, in the format --to, beside what is printed. */
#ifndef SUMAC_CLI_POINTS_FILE_H
#define SUMAC_CLI_POINTS_FILE_H

#include "files.h"
#include "session.h"

/* Before the work: refuse a format that cannot hold the curve's points, and open the file. Without --out
 * nothing happens, here and below; result_file_discard() is due in any case. */
int points_file_open(result_file *file, const session *opened, const options *given);

/* Write `count` raw points, and give the file its name. */
int points_file_write(result_file *file, const session *opened, const options *given,
                      const unsigned char *points, size_t count);

/* For reports: a line, or the members "out" and "format" of an object; false if memory is short. */
void points_file_print(const options *given);
bool points_file_set(json_t *object, const options *given);

#endif
