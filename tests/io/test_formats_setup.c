/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_formats.c: it tests Ethereum's real trusted_setup.txt, and small damaged setups in its
 * format. */
#include "test_formats_support.h"

#define TRUSTED_SETUP SUMAC_TEST_DATA "/kzg/trusted_setup.txt"

/* If a section's points are encoded again, they give the text of its lines. */
static void check_section(sumac_context *context, int group, const char *format, size_t n, const char *text,
                          size_t first_line)
{
    const char *path = in_directory("section");
    const size_t bytes = group == 1 ? 48 : 96;
    size_t size;
    CLEANUP(destroy_bases)
    sumac_bases *bases = expect_good(context, bls12_381(group), TRUSTED_SETUP, format, SUMAC_CHECK_SUBGROUP);
    assert_int_equal(sumac_bases_count(bases), n);
    TEST_OK(context, sumac_bases_save(context, bases, path, "zcash-compressed"));
    AUTO_FREE uint8_t *encoded = test_read_file(path, &size);
    assert_int_equal(size, n * bytes);
    for (size_t line = 1; line < first_line; line++) {
        text = strchr(text, '\n') + 1;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < bytes; j++) {
            char digits[3];
            snprintf(digits, sizeof digits, "%02x", encoded[i * bytes + j]);
            assert_memory_equal(digits, text + 2 * j, 2);
        }
        text += 2 * bytes;
        assert_int_equal(*text++, '\n');
    }
    empty_directory();
}

void test_trusted_setup(void)
{
    size_t size;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    AUTO_FREE uint8_t *text = test_read_file(TRUSTED_SETUP, &size);
    check_section(context, 1, "trusted-setup-lagrange", 4096, (char *)text, 3);
    check_section(context, 2, "trusted-setup-monomial", 65, (char *)text, 3 + 4096);
    check_section(context, 1, "trusted-setup-monomial", 4096, (char *)text, 3 + 4096 + 65);
    sumac_bases *bases = NULL;
    test_status(context,
                sumac_bases_open(context, bls12_381(2), TRUSTED_SETUP, "trusted-setup-lagrange", 0, SUMAC_ALL,
                                 NULL, &bases),
                SUMAC_BAD_ARGUMENT, "no G2 in Lagrange form");
}

/* Make a setup of 3 and 2 points. Its sections are lines 3 to 5, 6 and 7, and 8 to 10. */
static char *small_setup(sumac_context *context)
{
    char *text = test_alloc(4096);
    size_t g1_bytes, g2_bytes, used = (size_t)sprintf(text, "3\n2\n");
    AUTO_FREE uint8_t *g1 = encoded_points(context, 1, "zcash-compressed", 3, &g1_bytes);
    AUTO_FREE uint8_t *g2 = encoded_points(context, 2, "zcash-compressed", 2, &g2_bytes);
    for (size_t line = 0; line < 8; line++) {
        const int is_g2 = line == 3 || line == 4;
        const uint8_t *record = is_g2 ? g2 + (line - 3) * g2_bytes : g1 + line % 5 * g1_bytes;
        for (size_t i = 0; i < (is_g2 ? g2_bytes : g1_bytes); i++) {
            used += (size_t)sprintf(text + used, "%02x", record[i]);
        }
        used += (size_t)sprintf(text + used, "\n");
    }
    return text;
}

static char *line_of(char *text, size_t number)
{
    for (size_t line = 1; line < number; line++) {
        text = strchr(text, '\n') + 1;
    }
    return text;
}

/* Read each section alone. A fault in the file's shape must be found with any of them. */
static void expect_setup(sumac_context *context, const char *text, sumac_status expected, const char *part)
{
    static const struct {
        int group;
        const char *format;
    } sections[] = {
        {1, "trusted-setup-lagrange"}, {2, "trusted-setup-monomial"}, {1, "trusted-setup-monomial"}};
    const char *path = in_directory("setup.txt");
    test_write_file(path, text, strlen(text));
    for (size_t i = 0; i < 3; i++) {
        const sumac_group *group = bls12_381(sections[i].group);
        if (expected == SUMAC_OK) {
            sumac_bases_destroy(expect_good(context, group, path, sections[i].format, SUMAC_CHECK_SUBGROUP));
        } else {
            expect_bad(context, group, path, sections[i].format, SUMAC_CHECK_SUBGROUP, expected, part);
        }
    }
    empty_directory();
}

/* Replace a piece of the text, require the status, and restore the text. */
static void expect_replaced(sumac_context *context, const char *text, size_t line, size_t removed,
                            const char *inserted, sumac_status expected, const char *part)
{
    AUTO_FREE char *changed = test_alloc(strlen(text) + strlen(inserted) + 1);
    const size_t offset = (size_t)(line_of((char *)(uintptr_t)text, line) - text);
    memcpy(changed, text, offset);
    sprintf(changed + offset, "%s%s", inserted, text + offset + removed);
    expect_setup(context, changed, expected, part);
}

void test_trusted_setup_damage(void)
{
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    AUTO_FREE char *text = small_setup(context);
    const size_t length = strlen(text);
    expect_setup(context, text, SUMAC_OK, NULL);
    for (size_t cut = 0; cut < length; cut += cut < 6 ? 1 : 37) {
        AUTO_FREE char *shorter = strndup(text, cut);
        expect_setup(context, shorter, SUMAC_BAD_FILE, NULL);
    }
    text[length - 1] = '\0'; /* the last line need not end with a line break */
    expect_setup(context, text, SUMAC_OK, NULL);
    text[length - 1] = '\n';
    expect_replaced(context, text, 4, 0, "\r\n", SUMAC_BAD_FILE, "line 4 has 0 characters");
    expect_replaced(context, text, 11, 0, " \r\n\n", SUMAC_OK, NULL);
    expect_replaced(context, text, 11, 0, "\n00\n", SUMAC_BAD_FILE, "line 12 follows");
    expect_replaced(context, text, 1, 1, "3 \r", SUMAC_OK, NULL);
    expect_replaced(context, text, 1, 1, "", SUMAC_BAD_FILE, "line 1");
    expect_replaced(context, text, 1, 1, "-3", SUMAC_BAD_FILE, "line 1");
    expect_replaced(context, text, 1, 1, "+3", SUMAC_BAD_FILE, "line 1 is not a number of points");
    expect_replaced(context, text, 2, 1, "+2", SUMAC_BAD_FILE, "line 2 is not a number of points");
    expect_replaced(context, text, 1, 1, "99999999999", SUMAC_BAD_FILE, "line 1");
    expect_replaced(context, text, 2, 1, "x", SUMAC_BAD_FILE, "line 2");
    expect_replaced(context, text, 1, 1, "4", SUMAC_BAD_FILE, NULL);
    expect_replaced(context, text, 1, 1, "2", SUMAC_BAD_FILE, NULL);
    expect_replaced(context, text, 1, 1, "4000000000", SUMAC_BAD_FILE, "truncated");
    expect_replaced(context, text, 2, 1, "9999999999", SUMAC_BAD_FILE, "truncated");
    for (size_t line = 3; line <= 10; line++) {
        char place[32];
        snprintf(place, sizeof place, "line %zu ", line);
        expect_replaced(context, text, line, 1, "g", SUMAC_BAD_FILE, place);
        expect_replaced(context, text, line, 2, "0g", SUMAC_BAD_FILE, place);
        expect_replaced(context, text, line, 1, "", SUMAC_BAD_FILE, place);
        expect_replaced(context, text, line, 0, "0", SUMAC_BAD_FILE, place);
        expect_replaced(context, text, line, 0, text, SUMAC_BAD_FILE, NULL);
    }
    /* Zero bytes are not text, neither in place of white space nor elsewhere. */
    for (size_t place = 0; place < 3; place++) {
        const size_t offset = place == 0 ? 1 : place == 1 ? length - 1 : 20;
        const char *setup = in_directory("setup.txt");
        const char kept = text[offset];
        char part[64];
        text[offset] = '\0';
        test_write_file(setup, text, length);
        text[offset] = kept;
        snprintf(part, sizeof part, ": byte %zu, in line %d, is 0", offset,
                 place == 0   ? 1
                 : place == 1 ? 10
                              : 3);
        expect_bad(context, bls12_381(1), setup, "trusted-setup-lagrange", SUMAC_CHECK_NONE, SUMAC_BAD_FILE,
                   part);
        empty_directory();
    }
    /* A wrong point is found only if its own section is read. */
    const char *path = in_directory("setup.txt");
    memset(line_of(text, 9), '0', 96);
    test_write_file(path, text, length);
    expect_bad(context, bls12_381(1), path, "trusted-setup-monomial", SUMAC_CHECK_NONE, SUMAC_BAD_ENCODING,
               "line 9 ");
    sumac_bases_destroy(
        expect_good(context, bls12_381(1), path, "trusted-setup-lagrange", SUMAC_CHECK_SUBGROUP));
    sumac_bases_destroy(
        expect_good(context, bls12_381(2), path, "trusted-setup-monomial", SUMAC_CHECK_SUBGROUP));
    empty_directory();
}
