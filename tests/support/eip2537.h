/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This header reads the hexadecimal bytes and error texts of EIP-2537's vectors. */
#ifndef SUMAC_TESTS_EIP2537_H
#define SUMAC_TESTS_EIP2537_H

#include <stddef.h>
#include <stdint.h>

#include "sumac/sumac.h"

/* Convert hexadecimal digits to bytes, which the caller frees. */
uint8_t *eip2537_bytes(const char *text, size_t *size);

/* Return the status that corresponds to an ExpectedError. */
sumac_status eip2537_status(const char *error);

#endif
