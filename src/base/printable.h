/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Text that comes from a file, for people: a terminal obeys bytes that are no text. */
#ifndef SUMAC_BASE_PRINTABLE_H
#define SUMAC_BASE_PRINTABLE_H

#include <stddef.h>

/* Room for `length` bytes made printable, and a 0. */
#define PRINTABLE_BYTES(length) (4 * (length) + 1)

/* The first `length` bytes, fewer if one of them is 0: printable ASCII as it is, a backslash doubled, every
 * other byte as \xNN. Returns `text`, which has PRINTABLE_BYTES(length) bytes. */
const char *printable(char *text, const char *bytes, size_t length);

#endif
