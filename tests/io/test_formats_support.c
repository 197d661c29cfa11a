/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "test_formats_support.h"

char directory[64];

const char *in_directory(const char *name)
{
    static char paths[4][256]; /* a call may name several files */
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

size_t count_files(void)
{
    DIR *opened = opendir(directory);
    size_t count = 0;
    assert_non_null(opened);
    for (const struct dirent *entry; (entry = readdir(opened)) != NULL;) {
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    }
    closedir(opened);
    return count;
}

void empty_directory(void)
{
    DIR *opened = opendir(directory);
    char path[512];
    for (const struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (remove(path) != 0 && entry->d_name[0] != '.') {
            test_abort("cannot remove %s", path);
        }
    }
    closedir(opened);
    assert_int_equal(count_files(), 0);
}

void expect(const sumac_context *context, sumac_status status, sumac_status expected, const char *path,
            const char *part)
{
    const char *message = sumac_context_message(context);
    test_status(context, status, expected, path);
    if (status != SUMAC_OK &&
        (strstr(message, path) == NULL || (part != NULL && strstr(message, part) == NULL))) {
        test_abort("the message \"%s\" names not both \"%s\" and \"%s\"", message, path,
                   part == NULL ? "" : part);
    }
}

void expect_bad(sumac_context *context, const sumac_group *group, const char *path, const char *format,
                sumac_check check, sumac_status expected, const char *part)
{
    sumac_bases *bases = (sumac_bases *)&bases;
    sumac_bases_config config = {.size = sizeof config};
    config.check = check;
    expect(context, sumac_bases_open(context, group, path, format, 0, SUMAC_ALL, &config, &bases), expected,
           path, part);
    assert_null(bases);
}

sumac_bases *expect_good(sumac_context *context, const sumac_group *group, const char *path,
                         const char *format, sumac_check check)
{
    sumac_bases *bases = NULL;
    sumac_bases_config config = {.size = sizeof config};
    config.check = check;
    config.stride = 3; /* this is ignored, because the format has its own stride */
    config.form = SUMAC_FORM_MONTGOMERY;
    TEST_OK(context, sumac_bases_open(context, group, path, format, 0, SUMAC_ALL, &config, &bases));
    assert_ptr_equal(info_of(bases).group, group);
    return bases;
}

void expect_points(sumac_context *context, const sumac_bases *bases, const void *points, size_t n)
{
    const size_t bytes = n * info_of(bases).group->point_bytes;
    AUTO_FREE uint8_t *found = test_alloc(bytes);
    assert_int_equal(sumac_bases_count(bases), n);
    TEST_OK(context, exact_get(context, bases, 0, n, found));
    assert_memory_equal(found, points, bytes);
}

uint8_t *some_points(test_group *t, size_t n)
{
    uint8_t *points = test_alloc(n * t->info->point_bytes);
    test_random_points(t, points, NULL, n);
    if (n > 2) {
        memset(points + (n - 2) * t->info->point_bytes, 0, t->info->point_bytes);
    }
    return points;
}

uint8_t *many_points(test_group *t, size_t n)
{
    enum { DIFFERENT = 16 };
    const size_t bytes = t->info->point_bytes;
    uint8_t *few = some_points(t, DIFFERENT), *points = test_alloc(n * bytes);
    for (size_t i = 0; i < n; i++) {
        memcpy(points + i * bytes, few + i * 7 % DIFFERENT * bytes, bytes);
    }
    free(few);
    return points;
}

const char *library_file(const char *form, const sumac_group *info, const char *group)
{
    static char paths[4][512];
    static unsigned next;
    char curve[32], *path = paths[next++ % 4];
    snprintf(curve, sizeof curve, "%s", info->curve);
    for (char *at = curve; *at != '\0'; at++) {
        *at = *at == '-' ? '_' : *at;
    }
    snprintf(path, sizeof paths[0], "%s/formats/%s.%s%s%s", SUMAC_TEST_DATA, form, curve,
             group == NULL ? "" : "_", group == NULL ? "" : group);
    return path;
}

uint8_t *library_points(const test_group *t)
{
    /* These are the multiples of tests/compat/formats/points.py. */
    static const int64_t multiples[LIBRARY_POINTS] = {
        0, 1, -1, 2, -2, 3, 5, -5, 0, 1000003, -((INT64_C(1) << 61) - 1), 7};
    uint8_t *points = test_alloc(LIBRARY_POINTS * t->info->point_bytes);
    ORACLE_POINT(point);
    TEST_NUMBERS(k);
    for (size_t i = 0; i < LIBRARY_POINTS; i++) {
        mpz_set_si(k, multiples[i]);
        mpz_mod(k, k, t->oracle.r);
        oracle_mul(&t->oracle, &point, k, &t->oracle.generator);
        oracle_point_to_raw(&t->oracle, points + i * t->info->point_bytes, &point);
    }
    return points;
}

void expect_not_held(sumac_context *context, const sumac_group *group, const char *format)
{
    sumac_bases *bases = NULL;
    test_sentence(context,
                  sumac_bases_open(context, group, in_directory("none"), format, 0, SUMAC_ALL, NULL, &bases),
                  SUMAC_BAD_ARGUMENT, "does not hold");
    assert_null(bases);
}

void expect_changed(sumac_context *context, const sumac_group *group, const char *format, const uint8_t *file,
                    size_t size, size_t offset, const void *bytes, size_t count, sumac_status expected,
                    const char *part)
{
    const char *path = in_directory("changed");
    AUTO_FREE uint8_t *changed = test_alloc(size);
    assert_true(offset <= size && count <= size - offset);
    memcpy(changed, file, size);
    memcpy(changed + offset, bytes, count);
    test_write_file(path, changed, size);
    expect_bad(context, group, path, format, SUMAC_CHECK_SUBGROUP, expected, part);
}

const sumac_group *bls12_381(int group)
{
    return test_find_group("bls12-381", group == 1 ? "g1" : "g2");
}

uint8_t *encoded_points(sumac_context *context, int group, const char *format, size_t n, size_t *record_bytes)
{
    const char *path = in_directory("encoded");
    size_t size;
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    TEST_OK(context, sumac_known_bases_create(context, bls12_381(group), n, 3, NULL, &bases));
    TEST_OK(context, sumac_bases_save(context, bases, path, format == NULL ? "raw" : format));
    uint8_t *bytes = test_read_file(path, &size);
    *record_bytes = size / n;
    empty_directory();
    return bytes;
}
