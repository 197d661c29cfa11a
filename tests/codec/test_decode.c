/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file decodes many compressed points, by a context's threads or on its device. Good points must match GMP's, and
 * the first bad one must be reported with the right message. Curves that have the format are tested through
 * sumac_points_decode(), and all curves whose p leaves three bits for the flags through the internal functions that it
 * calls.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/call.h"
#include "api/points.h"
#include "api/handles.h"
#include "api/registry.h"
#include "codec/decode_request.h"
#include "codec/format.h"
#include "codec/zcash_flags.h"
#include "pipeline/engine.h"
#include "pipeline/parallel.h"
#include "support/harness.h"

enum {
    POINT_MOST = 4 * 12 * 8,
    RECORD_MOST = POINT_MOST / 2,
    GOOD = 14,
    BAD = 9,
    /* At these records a call's second and third copy slices begin (src/cuda/transfer/decode.cu). */
    FIRST_BORDER = 1 << 16,
    SECOND_BORDER = FIRST_BORDER + (1 << 18)
};

/* This is a record, and its raw point, or the status and message with which it is refused. */
typedef struct item {
    uint8_t record[RECORD_MOST];
    uint8_t raw[POINT_MOST];
    sumac_status status; /* SUMAC_NOT_IN_SUBGROUP: only the subgroup's check refuses it */
    const char *words;
} item;

typedef struct scene {
    test_group *t;
    sumac_context *context;
    size_t record_bytes, point_bytes;
    item good[GOOD];
    item bad[BAD];
    size_t bad_count;
} scene;

/* Return 1 if the device decodes a batch that has enough points. */
static int is_served(const scene *s)
{
    return s->context->executors.at->engine != NULL &&
           device_decodes(s->context, s->t->group, &zcash_compressed_format);
}

/* ---- records ---- */

static int has_flags(const sumac_group *info)
{
    return (((const uint8_t *)info->modulus)[info->field_bytes - 1] & FLAGS) == 0;
}

/* Return 1 if y > -y, where c1 is compared before c0. */
static int is_larger(const oracle *o, const oracle_element *y)
{
    TEST_NUMBERS(twice);
    int i = (int)o->degree - 1;
    while (i > 0 && mpz_sgn(y->c[i]) == 0) {
        i--;
    }
    mpz_mul_2exp(twice, y->c[i], 1);
    const int larger = mpz_cmp(twice, o->p) > 0;
    return larger;
}

/* Make a record, which is the raw x in reverse, with flags in its first byte. */
static void make_record(const scene *s, item *it, const oracle_point *point)
{
    oracle_point_to_raw(&s->t->oracle, it->raw, point);
    for (size_t i = 0; i < s->record_bytes; i++) {
        it->record[i] = it->raw[s->record_bytes - 1 - i];
    }
    it->record[0] |= FLAG_COMPRESSED;
    if (point->is_infinity) {
        it->record[0] |= FLAG_INFINITY;
    } else if (is_larger(&s->t->oracle, &point->y)) {
        it->record[0] |= FLAG_LARGER;
    }
}

/* Make good records, which are those of points and their negatives, and of infinity. */
static void make_good(scene *s)
{
    ORACLE_POINT(point);
    AUTO_FREE uint8_t *raw = test_alloc(GOOD * s->point_bytes);
    test_random_points(s->t, raw, NULL, GOOD);
    for (size_t i = 0; i < GOOD; i++) {
        if (i % 2 == 0) {
            oracle_point_from_raw(&s->t->oracle, &point, raw + i * s->point_bytes);
        } else {
            oracle_neg(&s->t->oracle, &point, &point);
        }
        if (i == 4) {
            oracle_point_set_infinity(&point);
        }
        make_record(s, &s->good[i], &point);
    }
}

static item *add_bad(scene *s, const item *from, sumac_status status, const char *words)
{
    item *bad = &s->bad[s->bad_count++];
    *bad = *from;
    bad->status = status;
    bad->words = words;
    return bad;
}

/* Make records in which one element of x is p. */
static void make_large(scene *s)
{
    static const char words[] = "has a coordinate that is not less than the field's modulus";
    const sumac_group *info = s->t->info;
    for (size_t i = 0; i < info->degree; i++) {
        item *made = add_bad(s, &s->good[0], SUMAC_BAD_ENCODING, words);
        uint8_t *element = made->record + i * info->field_bytes;
        for (size_t j = 0; j < info->field_bytes; j++) {
            element[j] = ((const uint8_t *)info->modulus)[info->field_bytes - 1 - j];
        }
        made->record[0] |= FLAG_COMPRESSED;
    }
    item *made = add_bad(s, &s->good[0], SUMAC_BAD_ENCODING, words);
    memset(made->record, 0xff, s->record_bytes);
    made->record[0] = 0xff & ~FLAG_INFINITY;
}

static int is_outside(const oracle *o, const oracle_point *point)
{
    ORACLE_POINT(multiple);
    oracle_mul(o, &multiple, o->r, point);
    const int outside = !multiple.is_infinity;
    return outside;
}

static void make_bad(scene *s)
{
    static const char infinity[] = "has the flag of infinity and other bits too";
    ORACLE_POINT(point);
    add_bad(s, &s->good[1], SUMAC_BAD_ENCODING, "lacks the flag of a compressed point")->record[0] &=
        (uint8_t)~FLAG_COMPRESSED;
    add_bad(s, &s->good[4], SUMAC_BAD_ENCODING, infinity)->record[0] |= FLAG_LARGER;
    add_bad(s, &s->good[4], SUMAC_BAD_ENCODING, infinity)->record[s->record_bytes - 1] = 1;
    make_large(s);
    oracle_random_x_without_point(&s->t->oracle, &point, s->t->random);
    make_record(
        s, add_bad(s, &s->good[0], SUMAC_NOT_ON_CURVE, "has an x coordinate that no point of the curve has"),
        &point);
    for (int i = 0; i < 8; i++) { /* if the cofactor is 1, no point lies outside */
        oracle_random_curve_point(&s->t->oracle, &point, s->t->random);
        if (is_outside(&s->t->oracle, &point)) {
            make_record(s,
                        add_bad(s, &s->good[0], SUMAC_NOT_IN_SUBGROUP, "is not in the subgroup of order r"),
                        &point);
            break;
        }
    }
}

static void make_scene(scene *s, test_group *t, uint32_t threads)
{
    memset(s, 0, sizeof *s);
    s->t = t;
    s->context = test_context(threads, 0);
    s->record_bytes = t->info->point_bytes / 2;
    s->point_bytes = t->info->point_bytes;
    make_good(s);
    make_bad(s);
}

static const item *good_at(const scene *s, size_t i)
{
    return &s->good[(i * 5 + i / 64) % GOOD];
}

static uint8_t *good_records(const scene *s, size_t n)
{
    uint8_t *records = test_alloc(n * s->record_bytes);
    for (size_t i = 0; i < n; i++) {
        memcpy(records + i * s->record_bytes, good_at(s, i)->record, s->record_bytes);
    }
    return records;
}

static sumac_status status_of(const item *one, sumac_check check)
{
    return one->status == SUMAC_NOT_IN_SUBGROUP && check != SUMAC_CHECK_SUBGROUP ? SUMAC_OK : one->status;
}

/* ---- calls ---- */

typedef sumac_status (*decode_call)(const scene *s, const uint8_t *records, size_t n, sumac_check check,
                                    uint8_t *raw, size_t *bad, const char **words);

/* Decode on the host, `at_a_time` records in each step, as a thread does. */
static sumac_status decode_on_host(const scene *s, const convert_ops *convert, const uint8_t *records,
                                   size_t n, size_t at_a_time, sumac_check check, uint8_t *raw, size_t *bad,
                                   const char **words)
{
    for (size_t first = 0; first < n; first += at_a_time) {
        const size_t count = n - first < at_a_time ? n - first : at_a_time;
        *words = NULL;
        const decode_outcome outcome =
            format_decode(&zcash_compressed_format, raw + first * s->point_bytes,
                          records + first * s->record_bytes, count, s->t->info, convert, check);
        if (outcome.status != SUMAC_OK) {
            *bad = first + outcome.bad;
            *words = decode_problem(&outcome);
            return outcome.status;
        }
    }
    *bad = n;
    return SUMAC_OK;
}

/* Decode by the internal functions, which support every curve. */
static sumac_status decode_inside(const scene *s, const uint8_t *records, size_t n, sumac_check check,
                                  uint8_t *raw, size_t *bad, const char **words)
{
    const sumac_context *context = s->context;
    if (!is_served(s)) {
        return decode_on_host(s, context_code(context, s->t->group)->convert, records, n, DECODE_MOST, check,
                              raw, bad, words);
    }
    const device_ops *device = context->executors.at->backend->device;
    const parallel_team team = {.threads = context->threads, .name = "copy", .pool = context->pool};
    const decode_request request = {
        .records = records, .raw = raw, .n = n, .check = check, .team = &team, .parallel = parallel_for};
    uint64_t first_bad;
    device->enter(context->executors.at->engine);
    const sumac_status status =
        device->decode(context->executors.at->engine, s->t->group, &request, &first_bad);
    if ((status != SUMAC_OK) != (first_bad < n)) {
        test_abort("status %d with %zu of %zu bad: %s", (int)status, (size_t)first_bad, n,
                   device->message(context->executors.at->engine));
    }
    *bad = (size_t)first_bad;
    *words = NULL;
    return status;
}

/* Decode by the public call, and split its message into the point's number and the words. */
static sumac_status decode_by_call(const scene *s, const uint8_t *records, size_t n, sumac_check check,
                                   uint8_t *raw, size_t *bad, const char **words)
{
    const sumac_status status =
        test_points_decode(s->context, s->t->group, records, n, "zcash-compressed", check, raw);
    const char *message = sumac_context_message(s->context);
    assert_int_equal(status == SUMAC_OK, message[0] == '\0');
    if (status != SUMAC_OK) {
        int length = 0;
        assert_int_equal(sscanf(message, "point %zu %n", bad, &length), 1);
        *words = message + length;
    }
    return status;
}

/* ---- tests ---- */

/* These are the indices of records that are replaced by bad ones. An index of n or more means none. */
typedef struct damage {
    const item *items[2];
    size_t places[2];
} damage;

static void expect_decoded(const scene *s, decode_call call, uint8_t *records, size_t n, sumac_check check,
                           const damage *d)
{
    AUTO_FREE uint8_t *raw = test_alloc(n * s->point_bytes);
    size_t first = n, bad = n;
    const item *expected = NULL;
    const char *words = NULL;
    memset(raw, 0x5a, n * s->point_bytes);
    for (int i = 0; i < 2; i++) {
        if (d->places[i] < n) {
            memcpy(records + d->places[i] * s->record_bytes, d->items[i]->record, s->record_bytes);
            if (status_of(d->items[i], check) != SUMAC_OK && d->places[i] < first) {
                first = d->places[i];
                expected = d->items[i];
            }
        }
    }
    const sumac_status status = call(s, records, n, check, raw, &bad, &words);
    if (status != (expected == NULL ? SUMAC_OK : expected->status) || bad != first ||
        (words != NULL && strcmp(words, expected == NULL ? "" : expected->words) != 0)) {
        test_abort("%zu records, check %d: status %d, bad %zu (%s); expected %d, %zu", n, (int)check,
                   (int)status, bad, words == NULL ? "" : words, expected == NULL ? 0 : (int)expected->status,
                   first);
    }
    for (size_t i = 0; i < n && (status == SUMAC_OK || call != decode_inside || is_served(s)); i++) {
        const item *one = i == d->places[1] ? d->items[1] : i == d->places[0] ? d->items[0] : good_at(s, i);
        uint8_t untouched[POINT_MOST];
        memset(untouched, 0x5a, sizeof untouched);
        assert_memory_equal(raw + i * s->point_bytes, status == SUMAC_OK ? one->raw : untouched,
                            s->point_bytes);
    }
    for (int i = 0; i < 2; i++) {
        if (d->places[i] < n) {
            memcpy(records + d->places[i] * s->record_bytes, good_at(s, d->places[i])->record,
                   s->record_bytes);
        }
    }
}

/* Decode n > 0 records with each bad one in turn. It is the first, the last, on either side of the copy slices'
 * borders, or somewhere else. Then decode them with two bad ones. */
static void expect_all(const scene *s, decode_call call, size_t n)
{
    const size_t somewhere = (size_t)test_random_below(s->t, n);
    const size_t places[] = {0, n - 1, somewhere, FIRST_BORDER - 1, FIRST_BORDER, SECOND_BORDER};
    AUTO_FREE uint8_t *records = good_records(s, n);
    const damage none = {{NULL, NULL}, {n, n}};
    for (int check = SUMAC_CHECK_CURVE; check <= SUMAC_CHECK_NONE; check++) {
        expect_decoded(s, call, records, n, (sumac_check)check, &none);
    }
    for (size_t i = 0; i < s->bad_count; i++) {
        const sumac_check check = i % 2 == 0 ? SUMAC_CHECK_SUBGROUP : SUMAC_CHECK_CURVE;
        for (size_t j = 0; j < sizeof places / sizeof *places; j++) {
            /* A call with many records takes long, so that each bad record is then tried at one place only. */
            if (places[j] < n && (n < FIRST_BORDER || j == i % (sizeof places / sizeof *places))) {
                const damage one = {{&s->bad[i], NULL}, {places[j], n}};
                expect_decoded(s, call, records, n, check, &one);
            }
        }
        const size_t first = (size_t)test_random_below(s->t, n);
        const damage two = {{&s->bad[i], &s->bad[(i + 1) % s->bad_count]}, {first, n - 1 - first}};
        if (n - 1 - first != first) {
            expect_decoded(s, call, records, n, SUMAC_CHECK_SUBGROUP, &two);
        }
    }
}

static void free_scene(const scene *s)
{
    sumac_context_destroy(s->context);
}

static void test_inside(void **state)
{
    static const size_t few[] = {1, 2, 17, 65};
    static const size_t many[] = {
        127, 128, 129, FIRST_BORDER - 1, FIRST_BORDER, FIRST_BORDER + 1, SECOND_BORDER + 1};
    CLEANUP(free_scene) scene s = {0};
    test_group *t = *state;
    if (!has_flags(t->info)) {
        return;
    }
    make_scene(&s, t, 2);
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        expect_all(&s, decode_inside, few[i]);
    }
    for (size_t i = 0; i < sizeof many / sizeof *many && is_served(&s); i++) {
        expect_all(&s, decode_inside, many[i]);
    }
}

/* If a few bits are changed, the points or the first bad record are those that the portable code finds. */
static void test_random_damage(void **state)
{
    enum { MOST = 90 };
    CLEANUP(free_scene) scene s = {0};
    test_group *t = *state;
    if (!has_flags(t->info)) {
        return;
    }
    make_scene(&s, t, 2);
    AUTO_FREE uint8_t *raw = test_alloc(MOST * s.point_bytes), *expected = test_alloc(MOST * s.point_bytes);
    for (int round = 0; round < (options.quick ? 6 : 30); round++) {
        const size_t n = 1 + (size_t)test_random_below(t, MOST);
        const sumac_check check = (sumac_check)(1 + round % 3);
        size_t bad = n, expected_bad = n;
        const char *words, *expected_words = NULL;
        AUTO_FREE uint8_t *records = good_records(&s, n);
        for (uint64_t changes = test_random_below(t, 4); changes > 0; changes--) {
            records[test_random_below(t, n * s.record_bytes)] ^= (uint8_t)(1u << test_random_below(t, 8));
        }
        if (round % 5 == 0) { /* the byte with a record's flags */
            test_random_bytes(t, records + test_random_below(t, n) * s.record_bytes, 1);
        }
        const sumac_status status = decode_on_host(&s, registry_portable_code(t->group)->convert, records, n,
                                                   1, check, expected, &expected_bad, &expected_words);
        assert_int_equal(decode_inside(&s, records, n, check, raw, &bad, &words), status);
        if (status == SUMAC_OK) {
            assert_memory_equal(raw, expected, n * s.point_bytes);
        } else {
            assert_int_equal(bad, expected_bad);
        }
    }
}

/* Return 1 if the group has the format. */
static int has_format(const test_group *t)
{
    return strcmp(t->info->curve, "bls12-381") == 0;
}

/* Count the calls of the device's runtime that decoding makes. */
static uint64_t device_calls(const scene *s, const uint8_t *records, size_t n, uint8_t *raw)
{
    const uint64_t far_away = (uint64_t)1 << 40;
    const device_ops *device = s->context->executors.at->backend->device;
    (void)device->fail_call(s->context->executors.at->engine, far_away);
    TEST_OK(s->context, test_points_decode(s->context, s->t->group, records, n, "zcash-compressed",
                                           SUMAC_CHECK_SUBGROUP, raw));
    return far_away - device->fail_call(s->context->executors.at->engine, 0);
}

/* The device decodes if there are at least DEVICE_POINTS_PER_THREAD points for each thread. */
static void test_calls(void **state)
{
    CLEANUP(free_scene) scene s = {0};
    test_group *t = *state;
    if (!has_format(t)) {
        return;
    }
    make_scene(&s, t, 2);
    for (uint32_t threads = is_served(&s) ? 1 : 2; threads <= 2; threads++) {
        const size_t least = threads * (size_t)DEVICE_POINTS_PER_THREAD;
        sumac_context_destroy(s.context);
        s.context = test_context(threads, 0);
        TEST_OK(s.context, test_points_decode(s.context, t->group, NULL, 0, "zcash-compressed",
                                              SUMAC_CHECK_SUBGROUP, NULL));
        expect_all(&s, decode_by_call, 1);
        if (!is_served(&s)) {
            expect_all(&s, decode_by_call, DECODE_MOST + 1);
        } else {
            AUTO_FREE uint8_t *records = good_records(&s, least), *raw = test_alloc(least * s.point_bytes);
            assert_true(device_calls(&s, records, least, raw) > 0);
            assert_true(device_calls(&s, records, least - 1, raw) == 0);
            expect_all(&s, decode_by_call, least - 1);
            expect_all(&s, decode_by_call, least);
            expect_all(&s, decode_by_call, FIRST_BORDER + 1);
        }
    }
}

/* If a device decodes, a file is read in blocks of 16 MiB of raw points. The message must still give the bad record's offset in
 * the file, and not in the block. */
static void test_files(void **state)
{
    CLEANUP(free_scene) scene s = {0};
    test_group *t = *state;
    if (!has_format(t)) {
        return;
    }
    make_scene(&s, t, 2);
    const size_t block = ((size_t)16 << 20) / s.point_bytes;
    const size_t n = !is_served(&s) ? 300 : 2 * block + 300, last = n - 1;
    const size_t places[] = {n, 0, last, last - 299, n > block ? block - 1 : 1};
    char path[] = "/tmp/sumac-decode-XXXXXX";
    AUTO_FREE uint8_t *records = good_records(&s, n), *raw = test_alloc(n * s.point_bytes);
    const int file = mkstemp(path);
    assert_true(file >= 0);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const size_t place = places[i];
        const item *wrong = &s.bad[i % s.bad_count];
        CLEANUP(destroy_bases) sumac_bases *bases = NULL;
        sumac_bases_config config = {.size = sizeof config};
        config.check = SUMAC_CHECK_SUBGROUP;
        if (place < n) {
            memcpy(records + place * s.record_bytes, wrong->record, s.record_bytes);
        }
        assert_int_equal(pwrite(file, records, n * s.record_bytes, 0), n * s.record_bytes);
        test_status(
            s.context,
            sumac_bases_open(s.context, t->group, path, "zcash-compressed", 0, SUMAC_ALL, &config, &bases),
            place < n ? wrong->status : SUMAC_OK, "a file");
        if (place < n) {
            char words[256];
            snprintf(words, sizeof words, "%s: the point at byte %zu %s", path, place * s.record_bytes,
                     wrong->words);
            assert_string_equal(sumac_context_message(s.context), words);
            memcpy(records + place * s.record_bytes, good_at(&s, place)->record, s.record_bytes);
        } else {
            TEST_OK(s.context, exact_get(s.context, bases, 0, n, raw));
            for (size_t j = 0; j < n; j++) {
                assert_memory_equal(raw + j * s.point_bytes, good_at(&s, j)->raw, s.point_bytes);
            }
        }
    }
    close(file);
    unlink(path);
}

/* If any call of the device's runtime fails in a context's first decoding, the host's threads decode instead.
 * Later calls use the device again. */
static void test_failing_device(void **state)
{
    enum { N = DEVICE_POINTS_PER_THREAD };
    CLEANUP(free_scene) scene s = {0};
    test_group *t = *state;
    if (!has_format(t)) {
        return;
    }
    make_scene(&s, t, 1);
    const int on_device = is_served(&s);
    AUTO_FREE uint8_t *records = good_records(&s, N), *raw = test_alloc(N * s.point_bytes);
    uint64_t number = 1;
    for (int fails = on_device; fails; number++) {
        sumac_context_destroy(s.context);
        s.context = test_context(1, 0);
        memset(raw, 0x5a, N * s.point_bytes);
        (void)s.context->executors.at->backend->device->fail_call(s.context->executors.at->engine, number);
        TEST_OK(s.context, test_points_decode(s.context, t->group, records, N, "zcash-compressed",
                                              SUMAC_CHECK_SUBGROUP, raw));
        fails = s.context->executors.at->backend->device->fail_call(s.context->executors.at->engine, 0) == 0;
        for (size_t i = 0; i < N; i++) {
            assert_memory_equal(raw + i * s.point_bytes, good_at(&s, i)->raw, s.point_bytes);
        }
        assert_true(device_calls(&s, records, N, raw) > 0);
    }
    assert_true(!on_device || number > 10); /* every call of the runtime has failed once */
}

int main(int argc, char **argv)
{
    const test_entry entries[] = {
        {"inside", test_inside, TEST_EVERY_AND_TINY},
        {"random_damage", test_random_damage, TEST_EVERY_AND_TINY},
        {"calls", test_calls, TEST_EVERY_AND_TINY},
        {"files", test_files, TEST_EVERY_AND_TINY},
        {"failing_device", test_failing_device, TEST_EVERY_AND_TINY},
    };
    return test_main("decode", entries, sizeof entries / sizeof *entries, argc, argv);
}
