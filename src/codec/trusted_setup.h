/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file defines the formats `trusted-setup-lagrange` and `trusted-setup-monomial`, which are parts of Ethereum's
 * trusted_setup.txt. That file has two decimal counts, n1 and n2. Then it has n1 points of G1 in Lagrange form, n2
 * points of G2, and n1 points of G1 in monomial form. Each point is a line with a record of zcash-compressed in
 * hexadecimal. The functions of this file get one line at a time, without white space at its end.
 */
#ifndef SUMAC_CODEC_TRUSTED_SETUP_H
#define SUMAC_CODEC_TRUSTED_SETUP_H

#include "codec/format.h"
#include "base/refusal.h"

enum {
    SETUP_G1_BYTES = 48,
    SETUP_G2_BYTES = 96,
    SETUP_LINE_CHARACTERS = 2 * SETUP_G2_BYTES + 16, /* the most characters of a line */
    SETUP_EMPTY_LINES = 1 << 10 /* the most empty lines at the end; without a limit a pipe might never end */
};

/* These are the sections, in the order of the file. */
typedef enum setup_section {
    SETUP_G1_LAGRANGE,
    SETUP_G2_MONOMIAL,
    SETUP_G1_MONOMIAL,
    SETUP_SECTIONS
} setup_section;

/* This is the number of points of each section. */
typedef struct setup_counts {
    uint64_t points[SETUP_SECTIONS];
} setup_counts;

/* Return the section that has the points of a group for a format. */
setup_section setup_section_of(const point_format *format, const sumac_group *info);

/* Return the size of a record of a section. */
size_t setup_record_bytes(setup_section section);

/* Return the least size of a file with these counts. Such a file has one line for each point, and nothing more. */
uint64_t setup_least_bytes(const setup_counts *counts);

/* Return the largest size of a file with these counts. In such a file every line has the maximal length, and
 * SETUP_EMPTY_LINES empty lines follow. */
uint64_t setup_most_bytes(size_t g1_count, size_t g2_count);

/* Decode line 1 or 2. Return SUMAC_OK or SUMAC_BAD_FILE. */
sumac_status setup_decode_count(uint64_t *count, const char *line, size_t length, sumac_message *why);

/* Decode the line of a point to a record of `bytes` bytes. The point is not checked. Return SUMAC_OK or
 * SUMAC_BAD_FILE. */
sumac_status setup_decode_point(uint8_t *record, size_t bytes, const char *line, size_t length,
                                sumac_message *why);

#endif
