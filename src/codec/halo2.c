/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The formats `halo2-monomial` and `halo2-lagrange`: halo2's ParamsKZG. A file is k in 4 bytes,
 * little-endian, 2^k points of G1 in monomial form, 2^k in Lagrange form, and two of G2, [1] and [s], which are
 * `halo2-monomial` of that group. Points are raw, in Montgomery form, or processed, compressed and half as
 * long: the size tells which.
 *
 * halo2curves compresses BLS12-381 as Zcash does. Of BN254 it writes x little-endian, c0 first, and flags in
 * the highest bits of the last byte: whether y is odd, over Fp2 its c0, and whether the point is infinity,
 * with x = 0. From version 0.7 on the sign is 0x80 and infinity 0x40; before, and in Axiom's halo2curves, the
 * other way round; and the first versions had no flag of infinity. x = 0 is of infinity alone, so each of
 * these says what it means.
 */
#include <inttypes.h>
#include <string.h>

#include "base/try.h"
#include "codec/by_x.h"
#include "codec/bytes.h"
#include "codec/cursor.h"
#include "codec/file_kinds.h"

enum { K_BYTES = 4, MOST_K = 40, FLAGS_OF_BN254 = 0xc0 };

static int holds_halo2(const sumac_curve_info *info)
{
    static const char *const names[] = {"bn254", "bls12-381", NULL};
    return is_one_of(info, names);
}

static int holds_halo2_g1(const sumac_curve_info *info)
{
    return holds_halo2(info) && strcmp(info->group, "g1") == 0;
}

/* ---- Processed points of BN254 ---- */

static const char *decode_x(uint8_t *raw, uint8_t *side, const uint8_t *record, const sumac_curve_info *info)
{
    const size_t bytes = coordinate_bytes(info);
    memset(raw, 0, info->point_bytes);
    memcpy(raw, record, bytes);
    raw[bytes - 1] &= (uint8_t)~FLAGS_OF_BN254;
    *side = all_zero(raw, bytes) ? LIFT_NONE : LIFT_SMALLER;
    return (record[bytes - 1] & FLAGS_OF_BN254) == FLAGS_OF_BN254
               ? "has both flags, of a sign and of infinity"
               : NULL;
}

/* Replace an element below p by its negative. */
static void negate(uint8_t *raw, const sumac_curve_info *info)
{
    uint64_t borrow = 0;
    if (all_zero(raw, info->field_bytes)) {
        return;
    }
    for (size_t i = 0; i < info->field_bytes / 8; i++) {
        const uint64_t minuend = info->modulus[i], subtrahend = load_le64(raw + 8 * i);
        const uint64_t difference = minuend - subtrahend;
        store_le64(raw + 8 * i, difference - borrow);
        borrow = minuend < subtrahend || difference < borrow;
    }
}

/* Lifted points have the smaller y. 0 if neither y has the sign: both are even, as 0 is. */
static int choose_y(uint8_t *raw, int is_odd, const sumac_curve_info *info)
{
    uint8_t *y = raw + coordinate_bytes(info);
    if ((y[0] & 1) != is_odd) {
        for (size_t part = 0; part < info->degree; part++) {
            negate(y + part * info->field_bytes, info);
        }
    }
    return (y[0] & 1) == is_odd;
}

static decode_outcome decode(uint8_t *raw, const uint8_t *records, size_t n, const sumac_curve_info *info,
                             const convert_ops *convert, sumac_check check)
{
    const size_t bytes = coordinate_bytes(info);
    const compressed_records compressed = {records, bytes, decode_x};
    const decode_outcome outcome = decode_by_x(raw, &compressed, n, info, convert, check);
    for (size_t i = 0; i < (outcome.status == SUMAC_OK ? n : outcome.bad); i++) {
        uint8_t *point = raw + i * info->point_bytes;
        const int is_odd = (records[(i + 1) * bytes - 1] & FLAGS_OF_BN254) != 0;
        if (!all_zero(point, bytes) && !choose_y(point, is_odd, info)) {
            return (decode_outcome){SUMAC_BAD_ENCODING, i, "has the sign flag of an odd y, and y is even"};
        }
    }
    return outcome;
}

static const point_format processed_records = {
    .holds = holds_halo2,
    .layout = LAYOUT_RECORDS,
    .record_bytes = coordinate_bytes,
    .decode = decode,
    .checks = 1,
};

/* ---- Files ---- */

/* Bytes of a file of 2^k points, each of G1 in g1_bytes and those of G2 in twice as many. */
static uint64_t file_bytes(uint32_t k, uint64_t g1_bytes)
{
    return K_BYTES + ((UINT64_C(2) << k) + 4) * g1_bytes;
}

static sumac_status locate(record_run *run, const byte_source *source, const sumac_curve_info *info,
                           sumac_message *why)
{
    /* The monomial points of G1, the Lagrange points, or those of G2. */
    const uint32_t section = run->format == &halo2_lagrange_format ? 1 : info->degree == 1 ? 0 : 2;
    const uint64_t raw_bytes = 2 * (uint64_t)info->field_bytes, size = source->size;
    cursor c = {.source = source, .why = why};
    const uint32_t k = cursor_le32(&c, "the 4 bytes of k that it begins with");
    cursor_require(&c, k <= MOST_K, SUMAC_BAD_FILE,
                   "byte 0 says that k is %" PRIu32 ": no parameters have so many points", k);
    TRY(c.status);
    const int is_raw = size == file_bytes(k, raw_bytes);
    const uint64_t g1_bytes = is_raw ? raw_bytes : raw_bytes / 2;
    cursor_require(&c, size == file_bytes(k, g1_bytes), SUMAC_BAD_FILE,
                   "%" PRIu64 " bytes: parameters of %s with the k = %" PRIu32 " at byte 0 have %" PRIu64
                   " bytes if they are raw and %" PRIu64 " if processed",
                   size, info->name, k, file_bytes(k, raw_bytes), file_bytes(k, raw_bytes / 2));
    run->format = is_raw                  ? &montgomery_records
                  : holds_bls12_381(info) ? &zcash_compressed_format
                                          : &processed_records;
    run->offset = K_BYTES + (section * g1_bytes << k);
    run->count = section == 2 ? 2 : UINT64_C(1) << k;
    return c.status;
}

const point_format halo2_monomial_format = {
    .info = FORMAT_READ("halo2-monomial", "the monomial points of halo2's ParamsKZG, raw or processed"),
    .holds = holds_halo2,
    .layout = LAYOUT_FRAMED,
    .locate = locate,
};

const point_format halo2_lagrange_format = {
    .info = FORMAT_READ("halo2-lagrange", "the Lagrange points of the same file"),
    .holds = holds_halo2_g1,
    .layout = LAYOUT_FRAMED,
    .locate = locate,
};

/* A file is k, 2^(k+1) points of G1 and two of G2, uncompressed, or compressed to half of that. */
static int fits_halo2(const file_kind *kind, const file_head *head)
{
    static const uint64_t g1_bytes[] = {32, 64, 48, 96};
    (void)kind;
    const uint64_t k = head->count < 4 ? 0 : load_le(head->bytes, 4);
    for (size_t i = 0; k > 0 && k < 40 && i < sizeof g1_bytes / sizeof *g1_bytes; i++) {
        if (head->size == 4 + ((UINT64_C(2) << k) + 4) * g1_bytes[i]) {
            return 1;
        }
    }
    return 0;
}

const file_kind halo2_kind = {.name = "parameters of halo2 (ParamsKZG)",
                              .advice = "sumac reads them in the formats halo2-monomial and halo2-lagrange",
                              .family = FILE_POINTS,
                              .fits = fits_halo2};
