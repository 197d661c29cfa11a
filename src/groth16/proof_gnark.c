/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file encodes and decodes proofs and public inputs as gnark 0.11 to 0.16 writes them. A proof has Ar, Bs, Krs, a
 * slice of commitments, and the proof of knowledge of these. Here the slice is always empty, and the proof of knowledge
 * is infinity. Public inputs are written as a witness: the number of public elements, the number of secret ones, and a
 * vector. Integers are big-endian.
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
#include "io/memory.h"

/* ---- Proofs ---- */

/* A proof has these points; POK is the proof of knowledge. */
enum { AR, BS, KRS, POK, PROOF_POINTS };

typedef struct proof_layout {
    struct {
        const char *name;
        const sumac_group *group;
        const point_format *format;
        size_t raw, offset; /* bytes before the point in a raw proof, and in gnark's */
    } points[PROOF_POINTS];
    size_t commitments; /* offset of the number of commitments */
    size_t bytes;
} proof_layout;

static proof_layout lay_out(const groups *of, const point_format *encoding)
{
    static const char *const names[PROOF_POINTS] = {"Ar", "Bs", "Krs", "CommitmentPok"};
    proof_layout layout = {.bytes = 0};
    size_t raw = 0;
    for (int i = 0; i < PROOF_POINTS; i++) {
        const sumac_group *group = i == BS ? of->g2 : of->g1;
        const sumac_group *info = group;
        if (i == POK) {
            layout.commitments = layout.bytes;
            layout.bytes += 4;
        }
        layout.points[i].name = names[i];
        layout.points[i].group = group;
        layout.points[i].format = encoding->records(info);
        layout.points[i].raw = raw;
        layout.points[i].offset = layout.bytes;
        raw += info->point_bytes;
        layout.bytes += format_record_bytes(layout.points[i].format, info);
    }
    return layout;
}

/* Write a proof in one of gnark's encodings of points. */
static sumac_status encode_proof(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                 const point_format *encoding, const uint8_t *proof, void **bytes,
                                 size_t *count)
{
    uint8_t raw[5 * MOST_POINT_BYTES] = {0};
    const proof_layout layout = lay_out(&verifying->groups, encoding);
    memcpy(raw, proof, verifying->groups.proof_bytes);
    TAKE_ZEROS(uint8_t, encoded, context, "a proof", layout.bytes);
    for (int i = 0; i < PROOF_POINTS; i++) {
        TRY(encoded_points_encode(context_executor(context), layout.points[i].group, layout.points[i].format,
                                  raw + layout.points[i].raw, 1, encoded + layout.points[i].offset));
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

static sumac_status check_layout(sumac_context *context, const proof_layout *layout, const groups *of,
                                 const uint8_t *bytes, size_t count, const char *name)
{
    if (count >= layout->commitments + 4 && load_be(bytes + layout->commitments, 4) != 0) {
        return fail(context, SUMAC_NOT_SUPPORTED,
                    "%s: at byte %zu: a proof with commitments (gnark's Commit), which are not supported",
                    name, layout->commitments);
    }
    return count == layout->bytes
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_FILE,
                      "%s: %s: a proof of gnark over %s has %zu bytes here, and this has %zu", name,
                      count < layout->bytes ? "truncated" : "too long", of->info1->curve, layout->bytes,
                      count);
}

/* Read a proof in either encoding of points; the first byte shows which one it is. */
static sumac_status decode_proof(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                 const uint8_t *bytes, size_t count, const char *name, uint8_t *proof)
{
    uint8_t raw[5 * MOST_POINT_BYTES];
    const groups *of = &verifying->groups;
    const proof_layout layout = lay_out(of, gnark_encoding(of->info1, count > 0 ? bytes[0] : 0));
    TRY(check_layout(context, &layout, of, bytes, count, name));
    for (int i = 0; i < PROOF_POINTS; i++) {
        const sumac_status status = encoded_points_decode(
            context, layout.points[i].group, layout.points[i].format, "point", 0,
            bytes + layout.points[i].offset, 1, SUMAC_CHECK_SUBGROUP, raw + layout.points[i].raw);
        if (status != SUMAC_OK) {
            return refuse_in(&context_executor(context)->message, status, "%s: %s, at byte %zu", name,
                             layout.points[i].name, layout.points[i].offset);
        }
    }
    if (!all_zero(raw + layout.points[POK].raw, of->info1->point_bytes)) {
        return fail(context, SUMAC_BAD_FILE,
                    "%s: %s, at byte %zu, is not infinity, and there are no commitments", name,
                    layout.points[POK].name, layout.points[POK].offset);
    }
    memcpy(proof, raw, of->proof_bytes);
    return SUMAC_OK;
}

/* ---- Public inputs ---- */

enum { PUBLICS_HEAD = 12 };

static sumac_status encode_publics(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                   const uint8_t *publics, void **bytes, size_t *count)
{
    const size_t each = verifying->groups.info1->scalar_bytes;
    const size_t size = PUBLICS_HEAD + verifying_publics_bytes(verifying);
    uint8_t *encoded = memory_zeros(context, "public inputs", size);
    TRY(memory_got(encoded));
    store_le32(encoded, __builtin_bswap32((uint32_t)verifying->publics));
    store_le32(encoded + 8, __builtin_bswap32((uint32_t)verifying->publics));
    for (size_t i = 0; i < verifying->publics; i++) {
        reverse_bytes(encoded + PUBLICS_HEAD + i * each, publics + i * each, each);
    }
    *bytes = encoded;
    *count = size;
    return SUMAC_OK;
}

static sumac_status check_head(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                               const uint8_t *bytes, size_t count, const char *name)
{
    const size_t each = verifying->groups.info1->scalar_bytes;
    if (count < PUBLICS_HEAD || (count - PUBLICS_HEAD) / each != load_be(bytes + 8, 4) ||
        (count - PUBLICS_HEAD) % each != 0) {
        return fail(context, SUMAC_BAD_FILE,
                    "%s: %zu bytes, which are not 12 and %zu for each element of a witness of gnark over %s",
                    name, count, each, verifying->groups.info1->curve);
    }
    if (load_be(bytes + 4, 4) != 0) {
        return fail(context, SUMAC_BAD_FILE,
                    "%s: at byte 4: a witness with %u secret inputs, where only public ones are expected",
                    name, (unsigned)load_be(bytes + 4, 4));
    }
    return load_be(bytes, 4) == verifying->publics && load_be(bytes + 8, 4) == verifying->publics
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_LENGTH, "%s: %u public inputs, where the key has %llu", name,
                      (unsigned)load_be(bytes, 4), (unsigned long long)verifying->publics);
}

static sumac_status decode_publics(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                   const uint8_t *bytes, size_t count, const char *name, uint8_t *publics)
{
    TRY(check_head(context, verifying, bytes, count, name));
    const sumac_group *info = verifying->groups.info1;
    TAKE_MEMORY(uint8_t, scalars, context, name, count);
    for (size_t i = 0; i < verifying->publics; i++) {
        const size_t at = i * info->scalar_bytes;
        reverse_bytes(scalars + at, bytes + PUBLICS_HEAD + at, info->scalar_bytes);
        if (!integer_is_less(scalars + at, (const uint8_t *)info->order, info->scalar_bytes)) {
            return fail(context, SUMAC_BAD_ENCODING, "%s: public input %zu, at byte %zu, is not less than r",
                        name, i, PUBLICS_HEAD + at);
        }
    }
    if (verifying->publics > 0) {
        memcpy(publics, scalars, verifying_publics_bytes(verifying));
    }
    return SUMAC_OK;
}

const proof_format gnark_proof_format = {
    .name = "gnark", .proof = {encode_compressed, decode_proof}, .publics = {encode_publics, decode_publics}};
const proof_format gnark_raw_proof_format = {
    .name = "gnark-raw", .proof = {encode_raw, decode_proof}, .publics = {encode_publics, decode_publics}};
