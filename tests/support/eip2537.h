/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What EIP-2537's vectors are written in. */
#ifndef SUMAC_TESTS_EIP2537_H
#define SUMAC_TESTS_EIP2537_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/sumac.h"

/* The bytes of hexadecimal digits; the caller frees them. */
uint8_t *eip2537_bytes(const char *text, size_t *size);

/* The status that an ExpectedError stands for. */
sumac_status eip2537_status(const char *error);

#endif
