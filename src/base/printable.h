/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* printable() makes text from a file safe to print, because a terminal may execute control bytes. */
#ifndef SUMAC_BASE_PRINTABLE_H
#define SUMAC_BASE_PRINTABLE_H

#include <stddef.h>

/* A buffer for `length` bytes in printable form, and a 0, has this size. */
#define PRINTABLE_BYTES(length) (4 * (length) + 1)

/* Write the first `length` bytes, up to the first 0, as printable ASCII: a backslash is doubled, and every byte that is not
 * printable becomes \xNN. Returns `text`, which has PRINTABLE_BYTES(length) bytes. */
const char *printable(char *text, const char *bytes, size_t length);

#endif
