/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file encodes and decodes proofs and public inputs as gnark 0.11 to 0.16 writes them. A proof has Ar, Bs, Krs, a
 * slice of commitments, and the proof of knowledge of these, which is infinity if there are none. Public inputs are
 * written as a witness: the number of public elements, the number of secret ones, and a vector. Integers are big-endian.
 */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/points.h"
#include "base/try.h"
#include "base/refusal.h"
#include "codec/bytes.h"
#include "codec/gnark_key.h"
#include "groth16/proof_formats.h"
#include "io/gnark_files.h"
#include "io/memory.h"

/* ---- Proofs ---- */

/* A proof's points are AR, BS, KRS, its commitments, and their proof of knowledge. */
enum { AR, BS, KRS, COMMITMENTS, MOST_POINTS = COMMITMENTS + MOST_COMMITMENTS + 1, COUNT_BYTES = 4 };

typedef struct proof_layout {
    const sumac_groth16_verifying_key *verifying;
    const point_format *formats[2]; /* of points of the first group, and of the second */
    size_t points;                  /* their number */
    size_t count_at;                /* offset of the number of commitments */
    size_t bytes;
} proof_layout;

/* A point of a proof, and where it begins in a raw proof and in gnark's. */
typedef struct proof_point {
    const sumac_group *group;
    const point_format *format;
    size_t raw, offset;
} proof_point;

static proof_point point_at(const proof_layout *layout, size_t i)
{
    const groups *of = &layout->verifying->groups;
    const size_t of_g2 = i > BS, of_g1 = i - of_g2; /* points before this one */
    proof_point point = {.group = i == BS ? of->g2 : of->g1, .format = layout->formats[i == BS]};
    point.raw = of_g1 * of->g1->point_bytes + of_g2 * of->g2->point_bytes;
    point.offset = of_g1 * format_record_bytes(layout->formats[0], of->g1) +
                   of_g2 * format_record_bytes(layout->formats[1], of->g2) +
                   (i >= COMMITMENTS ? COUNT_BYTES : 0);
    return point;
}

static proof_layout lay_out(const sumac_groth16_verifying_key *verifying, const point_format *encoding)
{
    const groups *of = &verifying->groups;
    proof_layout layout = {.verifying = verifying,
                           .formats = {encoding->records(of->g1), encoding->records(of->g2)},
                           .points = COMMITMENTS + verifying->commitments.count + (size_t)1};
    layout.count_at = point_at(&layout, COMMITMENTS).offset - COUNT_BYTES;
    layout.bytes = point_at(&layout, layout.points).offset;
    return layout;
}

/* Write a proof in one of gnark's encodings of points. */
static sumac_status encode_proof(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                 const point_format *encoding, const uint8_t *proof, void **bytes,
                                 size_t *count)
{
    uint8_t raw[MOST_POINTS * MOST_POINT_BYTES] = {0};
    const proof_layout layout = lay_out(verifying, encoding);
    memcpy(raw, proof, verifying_proof_bytes(verifying));
    TAKE_ZEROS(uint8_t, encoded, context, "a proof", layout.bytes);
    store_le32(encoded + layout.count_at, __builtin_bswap32(verifying->commitments.count));
    for (size_t i = 0; i < layout.points; i++) {
        const proof_point point = point_at(&layout, i);
        TRY(encoded_points_encode(context_executor(context), point.group, point.format, raw + point.raw, 1,
                                  encoded + point.offset));
    }
    *bytes = encoded;
    encoded = NULL;
    *count = layout.bytes;
    return SUMAC_OK;
}

static sumac_status encode_compressed(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                      const uint8_t *proof, void **bytes, size_t *count)
{
    return encode_proof(context, verifying, &gnark_compressed_format, proof, bytes, count);
}

static sumac_status encode_raw(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                               const uint8_t *proof, void **bytes, size_t *count)
{
    return encode_proof(context, verifying, &gnark_raw_format, proof, bytes, count);
}

static sumac_status check_layout(sumac_context *context, const proof_layout *layout, const uint8_t *bytes,
                                 size_t count, const char *name)
{
    const uint32_t commitments = layout->verifying->commitments.count;
    if (count >= layout->count_at + COUNT_BYTES &&
        load_be(bytes + layout->count_at, COUNT_BYTES) != commitments) {
        return fail(context, SUMAC_MISMATCH,
                    "%s: at byte %zu: a proof with %llu commitments, where the key has %u", name,
                    layout->count_at, (unsigned long long)load_be(bytes + layout->count_at, COUNT_BYTES),
                    (unsigned)commitments);
    }
    return count == layout->bytes
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_FILE,
                      "%s: %s: a proof of gnark over %s has %zu bytes here, and this has %zu", name,
                      count < layout->bytes ? "truncated" : "too long", layout->verifying->groups.g1->curve,
                      layout->bytes, count);
}

/* Put the name and the offset of a point of the proof before the message. */
static sumac_status refuse_point(sumac_context *context, sumac_status status, const proof_layout *layout,
                                 size_t i, const char *name)
{
    static const char *const names[] = {"Ar", "Bs", "Krs"};
    sumac_message *message = &context_executor(context)->message;
    const size_t offset = point_at(layout, i).offset;
    return i < COMMITMENTS ? refuse_in(message, status, "%s: %s, at byte %zu", name, names[i], offset)
           : i == layout->points - 1
               ? refuse_in(message, status, "%s: CommitmentPok, at byte %zu", name, offset)
               : refuse_in(message, status, "%s: Commitments[%zu], at byte %zu", name, i - COMMITMENTS,
                           offset);
}

/* Read a proof in either encoding of points; the first byte shows which one it is. */
static sumac_status decode_proof(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                 const uint8_t *bytes, size_t count, const char *name, uint8_t *proof)
{
    uint8_t raw[MOST_POINTS * MOST_POINT_BYTES];
    const sumac_group *g1 = verifying->groups.g1;
    const proof_layout layout = lay_out(verifying, gnark_encoding(g1, count > 0 ? bytes[0] : 0));
    TRY(check_layout(context, &layout, bytes, count, name));
    for (size_t i = 0; i < layout.points; i++) {
        const proof_point point = point_at(&layout, i);
        const sumac_status status =
            encoded_points_decode(context, point.group, point.format, "point", 0, bytes + point.offset, 1,
                                  SUMAC_CHECK_SUBGROUP, raw + point.raw);
        if (status != SUMAC_OK) {
            return refuse_point(context, status, &layout, i, name);
        }
    }
    const proof_point last = point_at(&layout, layout.points - 1);
    if (verifying->commitments.count == 0 && !all_zero(raw + last.raw, g1->point_bytes)) {
        return fail(context, SUMAC_BAD_FILE,
                    "%s: CommitmentPok, at byte %zu, is not infinity, and there are no commitments", name,
                    last.offset);
    }
    memcpy(proof, raw, verifying_proof_bytes(verifying));
    return SUMAC_OK;
}

/* ---- Public inputs ---- */

static sumac_status encode_publics(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                   const uint8_t *publics, void **bytes, size_t *count)
{
    return gnark_encode_publics(context, verifying->groups.g1, verifying->publics, publics, bytes, count);
}

static sumac_status decode_publics(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                   const uint8_t *bytes, size_t count, const char *name, uint8_t *publics)
{
    return gnark_decode_publics(context, verifying->groups.g1, verifying->publics, bytes, count, name,
                                publics);
}

const proof_format gnark_proof_format = {
    .name = "gnark", .proof = {encode_compressed, decode_proof}, .publics = {encode_publics, decode_publics}};
const proof_format gnark_raw_proof_format = {
    .name = "gnark-raw", .proof = {encode_raw, decode_proof}, .publics = {encode_publics, decode_publics}};
