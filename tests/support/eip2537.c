/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "support/eip2537.h"

#include <stdio.h>
#include <string.h>

#include "support/harness.h"

uint8_t *eip2537_bytes(const char *text, size_t *size)
{
    *size = strlen(text) / 2;
    assert_int_equal(strlen(text) % 2, 0);
    uint8_t *bytes = test_alloc(*size);
    for (size_t i = 0; i < *size; i++) {
        unsigned byte;
        assert_int_equal(sscanf(text + 2 * i, "%2x", &byte), 1);
        bytes[i] = (uint8_t)byte;
    }
    return bytes;
}

sumac_status eip2537_status(const char *error)
{
    static const struct {
        const char *part;
        sumac_status status;
    } errors[] = {
        {"input length", SUMAC_BAD_LENGTH},          {"fp.Element encoding", SUMAC_BAD_ENCODING},
        {"element top bytes", SUMAC_BAD_ENCODING},   {"not on curve", SUMAC_NOT_ON_CURVE},
        {"correct subgroup", SUMAC_NOT_IN_SUBGROUP},
    };
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (strstr(error, errors[i].part) != NULL) {
            return errors[i].status;
        }
    }
    test_abort("an error of a kind that is new here: %s", error);
}
