/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file defines the formats `halo2-monomial` and `halo2-lagrange`, which are two parts of halo2's ParamsKZG. A file
 * has k in 4 bytes, little-endian, then 2^k points of G1 in monomial form, 2^k points of G1 in Lagrange form, and two
 * points of G2, [1] and [s]. The points of G2 belong to `halo2-monomial`. Points are either raw, in Montgomery form, or
 * processed, which means that they are compressed and half as long. The size of the file shows which they are.
 *
 * halo2curves compresses points of BLS12-381 in Zcash's way. For BN254 it writes x in little-endian order, c0 first,
 * and two flags in the highest bits of the last byte. The flag of the sign is set if y (over Fp2 its c0) is odd. The
 * flag of infinity is set if the point is infinity, and then x is 0. From version 0.7 on, the sign is 0x80 and infinity
 * is 0x40. In older versions and in Axiom's halo2curves the sign is 0x40 and infinity is 0x80. The first versions had
 * no flag of infinity. All these encodings can be told apart, because only infinity has x = 0.
 */
#include <inttypes.h>
#include <string.h>

#include "base/try.h"
#include "codec/bytes.h"
#include "codec/cursor.h"
#include "codec/file_kinds.h"
#include "codec/format.h"

enum { K_BYTES = 4, MOST_K = 40 };

static int holds_halo2(const sumac_group *info)
{
    static const char *const names[] = {"bn254", "bls12-381", NULL};
    return is_one_of(info, names);
}

static int holds_halo2_g1(const sumac_group *info)
{
    return holds_halo2(info) && strcmp(info->name, "g1") == 0;
}

static const point_format processed_records = {
    .holds = holds_halo2,
    .layout = LAYOUT_RECORDS,
    .encoding = {.x_only = 1,
                 .zero_is_infinity = 1,
                 .flag_bits = 2,
                 .flags = {RECORD_EVEN, RECORD_ODD, RECORD_ODD, RECORD_TWO_FLAGS}},
};

/* Return the size of a file of 2^k points. Each point of G1 has g1_bytes, and each point of G2 has twice as many. */
static uint64_t file_bytes(uint32_t k, uint64_t g1_bytes)
{
    return K_BYTES + ((UINT64_C(2) << k) + 4) * g1_bytes;
}

static sumac_status locate(record_run *run, const byte_source *source, const sumac_group *info,
                           sumac_message *why)
{
    /* Section 0 has the monomial points of G1, section 1 the Lagrange points, section 2 the points of G2. */
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
                   size, info->curve, k, file_bytes(k, raw_bytes), file_bytes(k, raw_bytes / 2));
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

/* Recognize a file that has k, 2^(k+1) points of G1 and two points of G2. The points are uncompressed, or compressed to
 * half their size. */
static int fits_halo2(const file_kind *kind, const file_head *head)
{
    static const uint64_t g1_bytes[] = {32, 64, 48, 96};
    (void)kind;
    const uint64_t k = head->count < K_BYTES ? 0 : load_le(head->bytes, K_BYTES);
    for (size_t i = 0; k > 0 && k < MOST_K && i < sizeof g1_bytes / sizeof *g1_bytes; i++) {
        if (head->size == file_bytes((uint32_t)k, g1_bytes[i])) {
            return 1;
        }
    }
    return 0;
}

const file_kind halo2_kind =
    FILE_KIND_BY(fits_halo2, "parameters of halo2 (ParamsKZG)", FILE_POINTS,
                 "sumac reads them in the formats halo2-monomial and halo2-lagrange");
