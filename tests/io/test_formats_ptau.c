/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_formats.c: it tests powers of tau. snarkjs wrote the files, and ffjavascript read the
 * points of each section (tests/compat/formats). */
#include "test_formats_support.h"

static const struct {
    const char *format, *group;
    uint32_t section;
} sections[] = {
    {"ptau-tau", "g1", 2},
    {"ptau-tau", "g2", 3},
    {"ptau-alpha-tau", "g1", 4},
    {"ptau-beta-tau", "g1", 5},
    {"ptau-beta", "g2", 6},
    {"ptau-tau-lagrange", "g1", 12},
    {"ptau-tau-lagrange", "g2", 13},
    {"ptau-alpha-tau-lagrange", "g1", 14},
    {"ptau-beta-tau-lagrange", "g1", 15},
};

enum { SECTIONS = sizeof sections / sizeof *sections };

static int has_file(const test_group *t)
{
    return strcmp(t->info->curve, "bn254") == 0 || strcmp(t->info->curve, "bls12-381") == 0;
}

void test_ptau(void **state)
{
    const test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    for (size_t i = 0; i < SECTIONS; i++) {
        const char *path = library_file("ptau", t->info, NULL);
        const int is_of_both = strncmp(sections[i].format, "ptau-tau", 8) == 0;
        const int is_held = has_file(t) && (is_of_both || strcmp(sections[i].group, t->info->name) == 0);
        if (!is_held) {
            expect_not_held(context, t->group, sections[i].format);
        } else if (strcmp(sections[i].group, t->info->name) == 0) {
            char form[32];
            size_t size;
            snprintf(form, sizeof form, "section-%u", (unsigned)sections[i].section);
            AUTO_FREE uint8_t *points = test_read_file(library_file(form, t->info, t->info->name), &size);
            CLEANUP(destroy_bases)
            sumac_bases *bases =
                expect_good(context, t->group, path, sections[i].format, SUMAC_CHECK_SUBGROUP);
            expect_points(context, bases, points, size / t->info->point_bytes);
        }
    }
}

static uint64_t load(const uint8_t *bytes, size_t count)
{
    uint64_t value = 0;
    while (count-- > 0) {
        value = value << 8 | bytes[count];
    }
    return value;
}

/* Return the offset of a section's head in the file that snarkjs wrote. */
static size_t find_head(const uint8_t *file, size_t size, uint32_t type)
{
    size_t at = 12;
    while (at < size && load(file + at, 4) != type) {
        at += 12 + (size_t)load(file + at + 4, 8);
    }
    assert_true(at < size);
    return at;
}

void test_ptau_damage(void **state)
{
    const test_group *t = *state;
    if (!has_file(t)) {
        return;
    }
    const int is_g2 = t->info->degree == 2;
    const char *path = in_directory("ptau"),
               *wrong = strcmp(t->info->curve, "bn254") == 0 ? "bls12_381" : "bn254";
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    size_t size;
    AUTO_FREE uint8_t *file = test_read_file(library_file("ptau", t->info, NULL), &size);
    const size_t header = find_head(file, size, 1), other = find_head(file, size, 5);
    const size_t wanted = find_head(file, size, is_g2 ? 3 : 2), points = wanted + 12;
    const uint8_t two = 2, seven = 7, many = 41, none = 99;
    char place[64];
    const struct {
        size_t offset;
        const uint8_t *byte;
        const char *part;
    } cases[] = {
        {0, &two, "does not begin as a .ptau"},
        {4, &two, "version 2"},
        {8, &two, NULL},                 /* the number of sections is too small */
        {8, &many, NULL},                /* the number of sections is impossible */
        {wanted, &none, "is missing"},   /* the section has another type */
        {wanted, &seven, "there twice"}, /* type 7 has the contributions */
        {wanted + 4, &seven, NULL},      /* the section's size is wrong */
        {wanted + 11, &seven, "truncated"},
        {other + 11, &seven, "truncated"},
        {header + 12, &seven, "elements"}, /* p's number of bytes */
        {header + 16, &seven, "prime"},
        {header + 16 + t->info->field_bytes, &seven, "there must be"}, /* the power of two is wrong */
        {header + 16 + t->info->field_bytes, &many, "power is 41"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_changed(context, t->group, "ptau-tau", file, size, cases[i].offset, cases[i].byte, 1,
                       SUMAC_BAD_FILE, cases[i].part);
    }
    snprintf(place, sizeof place, "byte %zu", points + t->info->point_bytes);
    expect_changed(context, t->group, "ptau-tau", file, size, points + t->info->point_bytes, t->info->modulus,
                   t->info->field_bytes, SUMAC_BAD_ENCODING, place);
    expect_changed(context, t->group, "ptau-tau", file, size, points + t->info->point_bytes, file + points,
                   t->info->point_bytes / 2, SUMAC_NOT_ON_CURVE, place);
    for (size_t cut = 0; cut < size; cut = 2 * cut + 1) {
        test_write_file(path, file, cut);
        expect_bad(context, t->group, path, "ptau-tau", SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "truncated");
        test_write_file(path, file, size - cut - 1);
        expect_bad(context, t->group, path, "ptau-tau", SUMAC_CHECK_NONE, SUMAC_BAD_FILE, NULL);
    }
    AUTO_FREE uint8_t *longer = test_alloc(size + 1);
    memcpy(longer, file, size);
    longer[size] = 0;
    test_write_file(path, longer, size + 1);
    expect_bad(context, t->group, path, "ptau-tau", SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "too long");
    const sumac_group *group;
    if (sumac_group_find(wrong, t->info->name, &group) == SUMAC_OK) {
        test_write_file(path, file, size);
        expect_bad(context, group, path, "ptau-tau", SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "section 1");
    }
    empty_directory();
}
