/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file is part of test_formats.c: it tests points in the formats of arkworks, gnark-crypto and Aztec. The
 * libraries wrote the files from points of reference/ref.py (tests/compat/formats). The points are compared with GMP's.
 */
#include "test_formats_support.h"

/* These formats begin with a count of points. */
typedef struct library_form {
    const char *name;
    int is_gnark, is_compressed;
    size_t head_bytes, count_offset; /* the count's lowest byte is at count_offset */
} library_form;

static const library_form forms[] = {{"arkworks-compressed", 0, 1, 8, 0},
                                     {"arkworks-uncompressed", 0, 0, 8, 0},
                                     {"gnark-compressed", 1, 1, 4, 3},
                                     {"gnark-raw", 1, 0, 4, 3},
                                     {"gnark-dump", 1, 0, 16, 8}};

enum { FORMS = sizeof forms / sizeof *forms };

static int is_named(const sumac_group *info, const char *names)
{
    char name[40];
    snprintf(name, sizeof name, " %s ", info->curve);
    return strstr(names, name) != NULL;
}

/* Return 1 if the library has the curve. The formats of arkworks can also hold other curves. */
static int library_has(const library_form *form, const sumac_group *info)
{
    return form->is_gnark
               ? is_named(info, " bn254 bls12-381 bls12-377 bw6-761 bw6-633 bls24-315 bls24-317 grumpkin ")
               : is_named(info, " bn254 bls12-381 bls12-377 bw6-761 grumpkin pallas vesta secp256k1 ");
}

/* Read and write a file of the library, and convert the same points in memory. */
static void check_file(const test_group *t, sumac_context *context, const library_form *form)
{
    const char *path = library_file(form->name, t->info, t->info->name), *ours = in_directory("ours");
    AUTO_FREE uint8_t *points = library_points(t);
    size_t size, written;
    AUTO_FREE uint8_t *file = test_read_file(path, &size);
    CLEANUP(destroy_bases)
    sumac_bases *bases = expect_good(context, t->group, path, form->name, SUMAC_CHECK_SUBGROUP);
    expect_points(context, bases, points, LIBRARY_POINTS);
    TEST_OK(context, sumac_bases_save(context, bases, ours, form->name));
    AUTO_FREE uint8_t *written_bytes = test_read_file(ours, &written);
    assert_int_equal(written, size);
    assert_memory_equal(written_bytes, file, size);
    sumac_bases_destroy(bases);

    AUTO_FREE uint8_t *raw = test_alloc(LIBRARY_POINTS * t->info->point_bytes), *records = test_alloc(size);
    TEST_OK(context, test_points_decode(context, t->group, file + form->head_bytes, LIBRARY_POINTS,
                                        form->name, SUMAC_CHECK_SUBGROUP, raw));
    assert_memory_equal(raw, points, LIBRARY_POINTS * t->info->point_bytes);
    TEST_OK(context, test_points_encode(context, t->group, points, LIBRARY_POINTS, form->name, records));
    assert_memory_equal(records, file + form->head_bytes, size - form->head_bytes);

    bases = NULL;
    size_t n = 0;
    TEST_OK(context, sumac_bases_file_count(context, t->group, path, form->name, &n));
    assert_int_equal(n, LIBRARY_POINTS);
    TEST_OK(context, sumac_bases_open(context, t->group, path, form->name, 3, 7, NULL, &bases));
    expect_points(context, bases, points + 3 * t->info->point_bytes, 7);
    empty_directory();
}

void test_libraries(void **state)
{
    const test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(2, 0);
    for (size_t i = 0; i < FORMS; i++) {
        if (library_has(&forms[i], t->info)) {
            check_file(t, context, &forms[i]);
        } else if (forms[i].is_gnark) {
            expect_not_held(context, t->group, forms[i].name);
        }
    }
}

/* ---- damage ---- */

/* This is a file of library_points() in one format. The tests damage one record, which is the generator's. */
typedef struct damaged {
    const test_group *t;
    sumac_context *context;
    const library_form *form;
    uint8_t *file;
    size_t size, record_bytes, at; /* the record lies at `at` */
    char place[64];
} damaged;

enum { BAD = 9 };

static void expect_record(const damaged *d, const uint8_t *record, sumac_status expected, const char *part)
{
    expect_changed(d->context, d->t->group, d->form->name, d->file, d->size, d->at, record, d->record_bytes,
                   expected, d->place);
    if (part != NULL) {
        test_sentence(d->context, expected, expected, part);
    }
}

/* Encode a raw point that the test has changed. The encoder does not check that it is on the curve. */
static void encode_record(const damaged *d, const uint8_t *raw, uint8_t *record)
{
    TEST_OK(d->context, test_points_encode(d->context, d->t->group, raw, 1, d->form->name, record));
}

static void check_lengths(const damaged *d)
{
    static const struct {
        int more;
        const char *part;
    } cases[] = {{-1, "truncated"}, {1, "too long"}};
    const char *path = in_directory("length");
    AUTO_FREE uint8_t *longer = test_alloc(d->size + 1);
    memcpy(longer, d->file, d->size);
    longer[d->size] = 0;
    for (size_t i = 0; i < 2; i++) {
        test_write_file(path, longer, d->size + (size_t)(ptrdiff_t)cases[i].more);
        expect_bad(d->context, d->t->group, path, d->form->name, SUMAC_CHECK_NONE, SUMAC_BAD_FILE,
                   cases[i].part);
        const uint8_t count = (uint8_t)(LIBRARY_POINTS - cases[i].more);
        expect_changed(d->context, d->t->group, d->form->name, d->file, d->size, d->form->count_offset,
                       &count, 1, SUMAC_BAD_FILE, cases[i].part);
    }
    /* The count is so large that the number of bytes overflows. */
    const uint8_t high = 0x80;
    const size_t highest = d->form->count_offset == 3 ? 0 : d->form->head_bytes - 1;
    expect_changed(d->context, d->t->group, d->form->name, d->file, d->size, highest, &high, 1,
                   SUMAC_BAD_FILE, "truncated");
    for (size_t size = 0; size < d->form->head_bytes; size++) {
        test_write_file(path, d->file, size);
        expect_bad(d->context, d->t->group, path, d->form->name, SUMAC_CHECK_NONE, SUMAC_BAD_FILE,
                   "truncated");
    }
    if (strcmp(d->form->name, "gnark-dump") == 0) {
        expect_changed(d->context, d->t->group, d->form->name, d->file, d->size, 0, &high, 1, SUMAC_BAD_FILE,
                       "marker");
    }
}

/* Replace the first element by p, in the format's byte order. */
static void check_not_reduced(const damaged *d)
{
    const sumac_group *info = d->t->info;
    const int is_zcash = strcmp(info->curve, "bls12-381") == 0;
    const int is_big = strcmp(d->form->name, "gnark-dump") != 0 && (d->form->is_gnark || is_zcash);
    const size_t bytes = is_big || d->form->is_gnark ? info->field_bytes : (info->field_bits + 7) / 8;
    const uint8_t *p = (const uint8_t *)info->modulus;
    AUTO_FREE uint8_t *record = test_alloc(d->record_bytes);
    memcpy(record, d->file + d->at, d->record_bytes);
    for (size_t i = 0; i < bytes; i++) {
        record[i] = p[is_big ? bytes - 1 - i : i];
    }
    record[0] |= is_big && d->form->is_compressed ? 0x80 : 0;
    expect_record(d, record, SUMAC_BAD_ENCODING, "not less than");
    if (!is_big && bytes < d->record_bytes && info->field_bits % 8 == 0 && d->form->is_compressed) {
        record[bytes] = 1; /* the extra byte for the flags */
        expect_record(d, record, SUMAC_BAD_ENCODING, "not less than");
    }
}

static void check_no_point(const damaged *d)
{
    const sumac_group *info = d->t->info;
    AUTO_FREE uint8_t *raw = test_alloc(info->point_bytes), *record = test_alloc(d->record_bytes);
    ORACLE_POINT(point);
    test_group *t = (test_group *)d->t;
    if (d->form->is_compressed) {
        oracle_random_x_without_point(&t->oracle, &point, t->random);
        mpz_set_ui(point.y.c[0], 1);
        oracle_point_to_raw(&t->oracle, raw, &point);
        encode_record(d, raw, record);
        expect_record(d, record, SUMAC_NOT_ON_CURVE, "no point of the curve has");
    } else {
        oracle_point_to_raw(&t->oracle, raw, &t->oracle.generator);
        memcpy(raw + info->point_bytes / 2, raw, info->point_bytes / 2); /* y = x */
        encode_record(d, raw, record);
        expect_record(d, record, SUMAC_NOT_ON_CURVE, "not on the curve");
    }
    if (!info->cofactor_is_one) {
        oracle_random_curve_point(&t->oracle, &point, t->random);
        oracle_point_to_raw(&t->oracle, raw, &point);
        encode_record(d, raw, record);
        expect_record(d, record, SUMAC_NOT_IN_SUBGROUP, "subgroup");
        const char *path = in_directory("outside");
        AUTO_FREE uint8_t *file = test_alloc(d->size);
        memcpy(file, d->file, d->size);
        memcpy(file + d->at, record, d->record_bytes);
        test_write_file(path, file, d->size);
        sumac_bases_destroy(expect_good(d->context, t->group, path, d->form->name, SUMAC_CHECK_CURVE));
    }
}

/* Flags are in the highest bits of the first byte. In arkworks' formats they are in those of the last byte. */
static void check_flags(const damaged *d)
{
    const sumac_group *info = d->t->info;
    const int is_zcash = strcmp(info->curve, "bls12-381") == 0 ||
                         (d->form->is_gnark && 8 * info->field_bytes - info->field_bits >= 3);
    const int is_dump = strcmp(d->form->name, "gnark-dump") == 0;
    const int is_ark = !d->form->is_gnark && !is_zcash;
    const struct {
        int applies;
        uint8_t flags, mask;
        const char *part;
    } cases[] = {
        {is_ark, 0xc0, 0xc0, "flags of infinity and of a sign"},
        {is_ark, 0x40, 0xc0, "infinity and other bits"},
        {is_ark && !d->form->is_compressed, 0xff, 0x80, "sign flag of -y"}, /* 0xff means the other sign */
        {is_zcash && !is_dump, 0xc0, 0xe0,
         d->form->is_compressed ? "infinity and other bits" : "of a compressed point"},
        {is_zcash && !is_dump && d->form->is_compressed, 0x20, 0xe0, "lacks the flag"},
        {is_zcash && !is_dump && !d->form->is_compressed, 0x20, 0xe0, "sign flag"},
        {!is_ark && !is_zcash && !is_dump, 0x40, 0xc0,
         d->form->is_compressed ? "infinity and other bits" : "of a compressed point"},
        {!is_ark && !is_zcash && d->form->is_compressed, 0x00, 0xc0, "lacks the flag"},
        {!is_ark && !is_zcash && !is_dump && !d->form->is_compressed, 0x80, 0xc0, "of a compressed point"},
    };
    AUTO_FREE uint8_t *record = test_alloc(d->record_bytes);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t byte = is_ark ? d->record_bytes - 1 : 0;
        memcpy(record, d->file + d->at, d->record_bytes);
        record[byte] = cases[i].flags == 0xff ? (uint8_t)(record[byte] ^ cases[i].mask)
                                              : (uint8_t)((record[byte] & ~cases[i].mask) | cases[i].flags);
        if (cases[i].applies) {
            expect_record(d, record, SUMAC_BAD_ENCODING, cases[i].part);
        }
    }
    /* (0, 0) without a flag is infinity only in formats that have no flag of infinity. In other formats it is off the
     * curve. */
    memset(record, 0, d->record_bytes);
    if (!d->form->is_compressed && (is_ark || is_zcash) && !is_dump) {
        expect_record(d, record, SUMAC_NOT_ON_CURVE, "not on the curve");
    }
}

void test_libraries_damage(void **state)
{
    const test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    for (size_t i = 0; i < FORMS; i++) {
        if (!library_has(&forms[i], t->info)) {
            continue;
        }
        damaged d = {.t = t, .context = context, .form = &forms[i]};
        d.file = test_read_file(library_file(forms[i].name, t->info, t->info->name), &d.size);
        d.record_bytes = (d.size - forms[i].head_bytes) / LIBRARY_POINTS;
        d.at = forms[i].head_bytes + BAD * d.record_bytes;
        snprintf(d.place, sizeof d.place, "byte %zu", d.at);
        check_lengths(&d);
        check_not_reduced(&d);
        check_no_point(&d);
        check_flags(&d);
        free(d.file);
    }
    empty_directory();
}

/* For every count from 0 on, points are written and read, also for curves that arkworks does not have. */
void test_libraries_counts(void **state)
{
    test_group *t = *state;
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    const char *path = in_directory("points");
    for (size_t i = 0; i < 2; i++) {
        for (size_t n = 0; n <= 5; n++) {
            AUTO_FREE uint8_t *points = some_points(t, n);
            CLEANUP(destroy_bases) sumac_bases *bases = test_bases(context, t, points, n, NULL);
            TEST_OK(context, sumac_bases_save(context, bases, path, forms[i].name));
            sumac_bases_destroy(bases);
            bases = expect_good(context, t->group, path, forms[i].name, SUMAC_CHECK_SUBGROUP);
            expect_points(context, bases, points, n);
        }
    }
    empty_directory();
}

/* ---- Aztec ---- */

/* This is the ceremony's bn254_g2.dat, which is one point. */
static const char ceremony_g2[] = "0118c4d5b837bcc2bc89b5b398b5974e9f5944073b32078b7e231fec938883b0"
                                  "260e01b251f6f1c7e7ff4e580791dee8ea51d87a358e038b4efe30fac09383c1"
                                  "22febda3c0c0632a56475b4214e5615e11e6dd3f96e6cea2854a87d4dacc5e55"
                                  "04fc6369f7110fe3d25156c1bb9a72859cf2a04641f99ba4ee413c80da6a5fe4";

static void check_ceremony_g2(sumac_context *context, const test_group *t)
{
    const char *path = in_directory("g2.dat");
    uint8_t bytes[128], raw[128];
    for (size_t i = 0; i < sizeof bytes; i++) {
        unsigned byte;
        assert_int_equal(sscanf(ceremony_g2 + 2 * i, "%2x", &byte), 1);
        bytes[i] = (uint8_t)byte;
    }
    test_write_file(path, bytes, sizeof bytes);
    CLEANUP(destroy_bases)
    sumac_bases *bases = expect_good(context, t->group, path, "aztec", SUMAC_CHECK_SUBGROUP);
    TEST_OK(context, exact_get(context, bases, 0, 1, raw));
    for (size_t i = 0; i < sizeof bytes; i++) {
        assert_int_equal(raw[i], bytes[i / 32 * 32 + 31 - i % 32]);
    }
}

void test_aztec(void **state)
{
    const test_group *t = *state;
    const size_t bytes = t->info->point_bytes;
    const char *path = in_directory("points.dat");
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    if (strcmp(t->info->curve, "bn254") != 0) {
        expect_not_held(context, t->group, "aztec");
        return;
    }
    if (t->info->degree == 2) {
        check_ceremony_g2(context, t);
    }
    AUTO_FREE uint8_t *points = library_points(t), *file = test_alloc(LIBRARY_POINTS * bytes);
    for (size_t i = 0; i < LIBRARY_POINTS * bytes; i++) {
        file[i] = points[i / 32 * 32 + 31 - i % 32];
    }
    memset(file, 0xff, bytes);
    memset(file + 8 * bytes, 0xff, bytes);
    test_write_file(path, file, LIBRARY_POINTS * bytes);
    CLEANUP(destroy_bases)
    sumac_bases *bases = expect_good(context, t->group, path, "aztec", SUMAC_CHECK_SUBGROUP);
    expect_points(context, bases, points, LIBRARY_POINTS);
    TEST_OK(context, sumac_bases_save(context, bases, path, "aztec"));
    size_t size;
    AUTO_FREE uint8_t *written_bytes = test_read_file(path, &size);
    assert_int_equal(size, LIBRARY_POINTS * bytes);
    assert_memory_equal(written_bytes, file, size);

    char place[32];
    AUTO_FREE uint8_t *zeros = calloc(1, bytes), *ones = test_alloc(32);
    memset(ones, 0xff, 32);
    snprintf(place, sizeof place, "byte %zu", 3 * bytes);
    expect_changed(context, t->group, "aztec", file, size, 3 * bytes, zeros, bytes, SUMAC_NOT_ON_CURVE,
                   place);
    expect_changed(context, t->group, "aztec", file, size, 3 * bytes, ones, 32, SUMAC_BAD_ENCODING, place);
    expect_changed(context, t->group, "aztec", file, size, 3 * bytes, file + 5 * bytes, 32,
                   SUMAC_NOT_ON_CURVE, NULL);
    test_write_file(path, file, size - 1);
    expect_bad(context, t->group, path, "aztec", SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "cut off");
    empty_directory();
}
