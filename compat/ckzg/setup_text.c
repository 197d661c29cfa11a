/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "setup_text.h"

#include <stdlib.h>

enum {
    G1_POINTS = FIELD_ELEMENTS_PER_BLOB,
    G2_POINTS = FIELD_ELEMENTS_PER_CELL + 1,
    G1_BYTES = G1_POINTS * 48,
    G2_BYTES = G2_POINTS * 96,
    ALL_BYTES = 2 * G1_BYTES + G2_BYTES
};

static int skip_white_space(FILE *in)
{
    int c;
    do {
        c = getc(in);
    } while (c == ' ' || (c >= '\t' && c <= '\r'));
    return c;
}

/* Return 1 if the expected decimal number follows. At most as many digits are read as a valid number can have. */
static int expect_number(FILE *in, unsigned expected)
{
    unsigned number = 0;
    int c = skip_white_space(in), digits = 0;
    for (; c >= '0' && c <= '9' && digits < 6; digits++) {
        number = 10 * number + (unsigned)(c - '0');
        c = getc(in);
    }
    if (c != EOF) {
        (void)ungetc(c, in);
    }
    return digits > 0 && number == expected;
}

/* Return the value of a hexadecimal digit. If the character is not a digit, return -1. */
static int digit_of(int c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int read_bytes(FILE *in, uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int high = digit_of(skip_white_space(in));
        const int low = high < 0 ? -1 : digit_of(getc(in));
        if (low < 0) {
            return 0;
        }
        bytes[i] = (uint8_t)(16 * high + low);
    }
    return 1;
}

C_KZG_RET sumac_ckzg_read_setup(FILE *in, uint8_t **points, setup_bytes *bytes)
{
    *points = NULL;
    if (in == NULL) {
        return C_KZG_BADARGS;
    }
    uint8_t *all = malloc(ALL_BYTES);
    if (all == NULL) {
        return C_KZG_MALLOC;
    }
    if (!expect_number(in, G1_POINTS) || !expect_number(in, G2_POINTS) || !read_bytes(in, all, ALL_BYTES)) {
        free(all);
        return C_KZG_BADARGS;
    }
    *points = all;
    *bytes = (setup_bytes){
        .g1_lagrange = all,
        .g1_lagrange_bytes = G1_BYTES,
        .g2_monomial = all + G1_BYTES,
        .g2_monomial_bytes = G2_BYTES,
        .g1_monomial = all + G1_BYTES + G2_BYTES,
        .g1_monomial_bytes = G1_BYTES,
    };
    return C_KZG_OK;
}
