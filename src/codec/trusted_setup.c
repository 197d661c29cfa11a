/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/trusted_setup.h"

#include <string.h>

#include "codec/file_kinds.h"

setup_section setup_section_of(const point_format *format, const sumac_group *info)
{
    return format == &trusted_setup_lagrange_format ? SETUP_G1_LAGRANGE
           : strcmp(info->name, "g2") == 0          ? SETUP_G2_MONOMIAL
                                                    : SETUP_G1_MONOMIAL;
}

size_t setup_record_bytes(setup_section section)
{
    return section == SETUP_G2_MONOMIAL ? SETUP_G2_BYTES : SETUP_G1_BYTES;
}

uint64_t setup_least_bytes(const setup_counts *counts)
{
    uint64_t bytes = 0;
    for (setup_section i = 0; i < SETUP_SECTIONS; i++) {
        bytes += 2 * setup_record_bytes(i) * counts->points[i];
    }
    return bytes;
}

uint64_t setup_most_bytes(size_t g1_count, size_t g2_count)
{
    const uint64_t counts = 2;
    return (counts + 2 * (uint64_t)g1_count + g2_count + SETUP_EMPTY_LINES) * (SETUP_LINE_CHARACTERS + 1);
}

sumac_status setup_decode_count(uint64_t *count, const char *line, size_t length, sumac_message *why)
{
    *count = 0;
    for (size_t i = 0; i < length; i++) {
        if (line[i] < '0' || line[i] > '9' || i == 10) {
            return refuse(why, SUMAC_BAD_FILE, "is not a number of points");
        }
        *count = 10 * *count + (uint64_t)(line[i] - '0');
    }
    return length > 0 ? SUMAC_OK : refuse(why, SUMAC_BAD_FILE, "should have a number of points");
}

static int hexadecimal_digit(char character)
{
    if (character >= '0' && character <= '9') {
        return character - '0';
    }
    if (character >= 'a' && character <= 'f') {
        return character - 'a' + 10;
    }
    return character >= 'A' && character <= 'F' ? character - 'A' + 10 : -1;
}

sumac_status setup_decode_point(uint8_t *record, size_t bytes, const char *line, size_t length,
                                sumac_message *why)
{
    if (length != 2 * bytes) {
        return refuse(why, SUMAC_BAD_FILE, "has %zu characters, where a point has %zu hexadecimal digits",
                      length, 2 * bytes);
    }
    for (size_t i = 0; i < bytes; i++) {
        const int high = hexadecimal_digit(line[2 * i]);
        const int low = hexadecimal_digit(line[2 * i + 1]);
        if (high < 0 || low < 0) {
            return refuse(why, SUMAC_BAD_FILE, "is not a point in hexadecimal digits");
        }
        record[i] = (uint8_t)(high << 4 | low);
    }
    return SUMAC_OK;
}

const point_format trusted_setup_lagrange_format = {
    .info = FORMAT_READ("trusted-setup-lagrange",
                        "the G1 points in Lagrange form of Ethereum's trusted_setup.txt"),
    .holds = holds_bls12_381_g1,
    .layout = LAYOUT_TRUSTED_SETUP,
};

const point_format trusted_setup_monomial_format = {
    .info = FORMAT_READ("trusted-setup-monomial",
                        "the points in monomial form, of G1 or G2, of Ethereum's trusted_setup.txt"),
    .holds = holds_bls12_381,
    .layout = LAYOUT_TRUSTED_SETUP,
};

/* Recognize the text of a setup. It has two decimal numbers, each on a line, and then hexadecimal digits. */
static int fits_ceremony(const file_kind *kind, const file_head *head)
{
    size_t at = 0;
    (void)kind;
    for (int line = 0; line < 2; line++) {
        const size_t begin = at;
        while (at < head->count && head->bytes[at] >= '0' && head->bytes[at] <= '9') {
            at++;
        }
        const size_t digits = at - begin;
        at += at < head->count && head->bytes[at] == '\r';
        if (digits == 0 || digits > 8 || at >= head->count || head->bytes[at++] != '\n') {
            return 0;
        }
    }
    for (size_t i = 0; i < 96; i++) {
        if (at + i >= head->count || memchr("0123456789abcdefABCDEF", head->bytes[at + i], 22) == NULL) {
            return 0;
        }
    }
    return 1;
}

const file_kind trusted_setup_kind =
    FILE_KIND_BY(fits_ceremony, "a trusted setup, as text", FILE_SETUP, NULL);
