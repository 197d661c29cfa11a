/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_formats.c: it tests damaged points in the encodings of Zcash and Ethereum. */
#include "test_formats_support.h"

enum { ENCODED = 3 };

/* This has three records. Each test changes and restores the last one, and a failure must give its offset. */
typedef struct damage {
    sumac_context *context;
    int group;
    const char *format;
    uint8_t *bytes;
    size_t record_bytes;
    uint8_t *last; /* the record to change */
} damage;

static void expect_damage(damage *d, const uint8_t *original, sumac_status expected, const char *part)
{
    const char *path = in_directory("damaged");
    char place[64];
    snprintf(place, sizeof place, "byte %zu", (ENCODED - 1) * d->record_bytes);
    test_write_file(path, d->bytes, ENCODED * d->record_bytes);
    expect_bad(d->context, bls12_381(d->group), path, d->format, SUMAC_CHECK_SUBGROUP, expected, place);
    assert_non_null(strstr(sumac_context_message(d->context), part));
    memcpy(d->last, original + (ENCODED - 1) * d->record_bytes, d->record_bytes);
    empty_directory();
}

/* Replace an element of Fp by the big-endian modulus, and keep the flag bits of its first byte. */
static void put_modulus(const damage *d, size_t offset)
{
    const uint8_t *modulus = (const uint8_t *)bls12_381(d->group)->modulus;
    const uint8_t flags = offset == 0 ? d->last[0] & 0xe0 : 0;
    for (size_t i = 0; i < 48; i++) {
        d->last[offset + i] = modulus[47 - i];
    }
    d->last[offset] |= flags;
}

static void damage_compressed(damage *d, const uint8_t *original)
{
    const size_t size = d->record_bytes;
    d->last[0] &= 0x7f;
    expect_damage(d, original, SUMAC_BAD_ENCODING, "lacks the flag");
    d->last[0] |= 0x40;
    expect_damage(d, original, SUMAC_BAD_ENCODING, "flag of infinity");
    for (size_t i = 0; i < size; i += 47) {
        memset(d->last, 0, size);
        d->last[0] = 0xc0;
        d->last[i] |= 0x01;
        expect_damage(d, original, SUMAC_BAD_ENCODING, "flag of infinity");
    }
    memset(d->last, 0, size);
    d->last[0] = 0xe0; /* infinity has no sign */
    expect_damage(d, original, SUMAC_BAD_ENCODING, "flag of infinity");
    for (size_t i = 0; i < size; i += 48) {
        put_modulus(d, i);
        expect_damage(d, original, SUMAC_BAD_ENCODING, "modulus");
    }
    /* Increase x until two kinds were tried: an x without a point, and an x with a point outside the subgroup. */
    int seen = 0;
    for (int step = 1; seen != 3; step++) {
        CLEANUP(destroy_bases) sumac_bases *bases = NULL;
        const char *path = in_directory("next");
        d->last[size - 1] = (uint8_t)(original[ENCODED * size - 1] + step);
        test_write_file(path, d->last, size);
        const sumac_status status =
            sumac_bases_open(d->context, bls12_381(d->group), path, d->format, 0, SUMAC_ALL, NULL, &bases);
        if (status == SUMAC_OK) {
            expect_damage(d, original, SUMAC_NOT_IN_SUBGROUP, "subgroup");
        } else {
            expect_damage(d, original, SUMAC_NOT_ON_CURVE, "no point of the curve");
        }
        seen |= status == SUMAC_OK ? 1 : 2;
    }
}

static void damage_uncompressed(damage *d, const uint8_t *original)
{
    const size_t size = d->record_bytes;
    d->last[0] |= 0x80;
    expect_damage(d, original, SUMAC_BAD_ENCODING, "flag of a compressed point");
    d->last[0] |= 0x20;
    expect_damage(d, original, SUMAC_BAD_ENCODING, "sign flag");
    d->last[0] |= 0x40;
    expect_damage(d, original, SUMAC_BAD_ENCODING, "flag of infinity");
    memset(d->last, 0, size);
    d->last[0] = 0x40;
    d->last[size - 1] = 1;
    expect_damage(d, original, SUMAC_BAD_ENCODING, "flag of infinity");
    memset(d->last, 0, size); /* without the flag of infinity (0, 0) is a point off the curve */
    expect_damage(d, original, SUMAC_NOT_ON_CURVE, "not on the curve");
    d->last[size - 1] ^= 1;
    expect_damage(d, original, SUMAC_NOT_ON_CURVE, "not on the curve");
    for (size_t i = 0; i < size; i += 48) {
        put_modulus(d, i);
        expect_damage(d, original, SUMAC_BAD_ENCODING, "modulus");
    }
    d->last[size / 2] |= 0x80; /* the second coordinate has no flags, so that the bit makes it too large */
    expect_damage(d, original, SUMAC_BAD_ENCODING, "modulus");
}

static void damage_eip2537(damage *d, const uint8_t *original)
{
    const size_t size = d->record_bytes;
    for (size_t i = 0; i < size; i += 64) {
        for (size_t j = 0; j < 16; j += 5) {
            d->last[i + j] = 1;
            expect_damage(d, original, SUMAC_BAD_ENCODING, "first 16 bytes");
        }
        put_modulus(d, i + 16);
        expect_damage(d, original, SUMAC_BAD_ENCODING, "modulus");
        d->last[i + 63] ^= 1;
        expect_damage(d, original, SUMAC_NOT_ON_CURVE, "not on the curve");
    }
}

static void check_damage(const char *format, void (*apply)(damage *d, const uint8_t *original))
{
    CLEANUP(destroy_context) sumac_context *context = test_context(1, 0);
    for (int group = 1; group <= 2; group++) {
        damage d = {.context = context, .group = group, .format = format};
        AUTO_FREE uint8_t *original = encoded_points(context, group, format, ENCODED, &d.record_bytes);
        d.bytes = test_alloc(ENCODED * d.record_bytes);
        memcpy(d.bytes, original, ENCODED * d.record_bytes);
        d.last = d.bytes + (ENCODED - 1) * d.record_bytes;
        apply(&d, original);
        const char *path = in_directory("cut");
        test_write_file(path, d.bytes, ENCODED * d.record_bytes - 1);
        expect_bad(context, bls12_381(group), path, format, SUMAC_CHECK_NONE, SUMAC_BAD_FILE, "cut off");
        empty_directory();
        free(d.bytes);
    }
}

void test_zcash_damage(void)
{
    check_damage("zcash-compressed", damage_compressed);
    check_damage("zcash-uncompressed", damage_uncompressed);
}

void test_eip2537_damage(void)
{
    check_damage("eip2537", damage_eip2537);
}
