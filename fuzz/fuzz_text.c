/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This target reads trusted_setup.txt, which the drop-in for c-kzg-4844 reads from a stream. The text is a complete
 * one, of which the input changes some parts, or a short one. An independent reader of texts in memory gives the
 * expected bytes, or finds the text invalid. If a text has invalid points, the settings must stay empty.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "setup_text.h"
#include "base/try.h"

enum {
    G1_BYTES = 4096 * 48,
    G2_BYTES = 65 * 96,
    BYTES = 2 * G1_BYTES + G2_BYTES,
    LINE = 48, /* the bytes in a line */
    MORE = 4096,
    MOST = 2 * BYTES + BYTES / LINE + MORE,
    MOST_DIGITS = 6 /* the most digits of one number */
};

/* A text, which ends with a zero byte. */
typedef struct text {
    char at[MOST + 1];
    size_t size;
} text;

/* These bytes are not points, because the records lack the bit of compressed points. */
static uint8_t byte_at(size_t i)
{
    return i % LINE == 0 ? (uint8_t)(i / LINE % 128) : (uint8_t)(i * 167 + i / 256 * 31);
}

static void append(text *t, const char *more)
{
    const size_t size = strlen(more);
    memcpy(t->at + t->size, more, size);
    t->size += size;
}

static const text *whole_text(void)
{
    static text t;
    if (t.size == 0) {
        char digits[4];
        append(&t, "4096\n65\n");
        for (size_t i = 0; i < BYTES; i++) {
            (void)snprintf(digits, sizeof digits, i % LINE == LINE - 1 ? "%02x\n" : "%02x",
                           (unsigned)byte_at(i));
            append(&t, digits);
        }
    }
    return &t;
}

/* ---- The independent reader ---- */

static const char spaces[] = " \t\n\v\f\r";

/* Skip the given number. If another number follows, or none, return null. */
static const char *skip_number(const char *at, const char *number)
{
    at += strspn(at, spaces);
    size_t digits = strspn(at, "0123456789"), zeros = strspn(at, "0");
    digits = digits < MOST_DIGITS ? digits : MOST_DIGITS;
    const size_t significant = zeros < digits ? digits - zeros : 0;
    return significant == strlen(number) && memcmp(at + zeros, number, significant) == 0 ? at + digits : NULL;
}

static int parse(const text *t, uint8_t bytes[BYTES])
{
    char pair[3] = {0};
    const char *at = skip_number(t->at, "4096");
    at = at == NULL ? NULL : skip_number(at, "65");
    for (size_t i = 0; at != NULL && i < BYTES; i++) {
        at += strspn(at, spaces);
        if (!isxdigit((unsigned char)at[0]) || !isxdigit((unsigned char)at[1])) {
            return 0;
        }
        memcpy(pair, at, 2);
        bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
        at += 2;
    }
    return at != NULL;
}

/* ---- Changes ---- */

/* Draw a position in the numbers, anywhere, or at the end. */
static size_t draw_place(fuzz_input *input, const text *t)
{
    const uint8_t where = fuzz_byte(input);
    size_t place = fuzz_byte(input);
    if (where % 4 == 0) {
        place %= 16;
    } else if (where % 4 == 1) {
        return t->size - (place < t->size ? place : t->size);
    } else {
        place = place << 8 | fuzz_byte(input);
        place = place << 8 | fuzz_byte(input);
    }
    return place % (t->size + 1);
}

static void insert(text *t, size_t place, char c)
{
    if (t->size < MOST) {
        memmove(t->at + place + 1, t->at + place, t->size - place);
        t->at[place] = c;
        t->size++;
    }
}

static void change(fuzz_input *input, text *t)
{
    const size_t place = draw_place(input, t);
    const uint8_t how = fuzz_byte(input), what = fuzz_byte(input);
    switch (how % 8) {
    case 0:
        if (place < t->size) {
            t->at[place] = (char)what;
        }
        break;
    case 1:
        insert(t, place, (char)what);
        break;
    case 2: /* insert spaces before a byte's two digits, or between them */
        for (int i = what % 16; i >= 0; i--) {
            insert(t, place, spaces[what % (sizeof spaces - 1)]);
        }
        break;
    case 3:
        if (place < t->size) {
            memmove(t->at + place, t->at + place + 1, t->size - place - 1);
            t->size--;
        }
        break;
    case 4:
        t->size = place;
        break;
    case 5:
        for (size_t i = place; i < t->size && i < place + 8 * (size_t)what; i++) {
            t->at[i] = (char)toupper((unsigned char)t->at[i]);
        }
        break;
    case 6:
        insert(t, place, '0');
        break;
    default:
        if (place < t->size) {
            t->at[place] = "0123456789abcdefABCDEF"[what % 22];
        }
        break;
    }
}

static void draw_text(fuzz_input *input, text *t)
{
    const uint8_t choice = fuzz_byte(input);
    if (choice % 8 == 7) {
        t->size = input->size < MORE ? input->size : MORE;
        memcpy(t->at, input->data, t->size);
    } else {
        *t = *whole_text();
        for (int i = 0; i < choice % 4; i++) {
            change(input, t);
        }
    }
    t->at[t->size] = '\0';
}

/* ---- Calls ---- */

static void require_bytes(const setup_bytes *found, const uint8_t *expected)
{
    fuzz_require(found->g1_lagrange_bytes == G1_BYTES && found->g2_monomial_bytes == G2_BYTES &&
                     found->g1_monomial_bytes == G1_BYTES,
                 "all points are there");
    fuzz_require(memcmp(found->g1_lagrange, expected, G1_BYTES) == 0 &&
                     memcmp(found->g2_monomial, expected + G1_BYTES, G2_BYTES) == 0 &&
                     memcmp(found->g1_monomial, expected + G1_BYTES + G2_BYTES, G1_BYTES) == 0,
                 "the bytes are the text's");
}

static void try_reading(const text *t, FILE *in)
{
    static uint8_t expected[BYTES];
    AUTO_FREE uint8_t *points = expected;
    setup_bytes found;
    const C_KZG_RET result = sumac_ckzg_read_setup(in, &points, &found);
    const int is_one = parse(t, expected);
    fuzz_require(result == (is_one ? C_KZG_OK : C_KZG_BADARGS), "a text is read, and nothing else");
    fuzz_require((points != NULL) == is_one, "there are bytes of a text, and of nothing else");
    if (is_one) {
        require_bytes(&found, expected);
    }
}

static void try_loading(FILE *in, uint64_t precompute)
{
    static const KZGSettings empty;
    CLEANUP(free_trusted_setup) KZGSettings settings = {0};
    memset(&settings, 1, sizeof settings);
    fuzz_require(load_trusted_setup_file(&settings, in, precompute) == C_KZG_BADARGS, "no points are loaded");
    fuzz_require(memcmp(&settings, &empty, sizeof settings) == 0, "the settings are empty");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static text t;
    fuzz_input input = {data, size};
    const uint8_t choice = fuzz_byte(&input);
    draw_text(&input, &t);
    FILE *in = fopen(fuzz_file((const uint8_t *)t.at, t.size), "rb");
    fuzz_require(in != NULL, "the file is opened");
    try_reading(&t, in);
    if (choice % 8 == 0) {
        rewind(in);
        try_loading(in, choice >> 3);
    }
    fclose(in);
    return 0;
}
