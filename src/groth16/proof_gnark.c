/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Proofs and public inputs as gnark 0.11 to 0.16 writes them. A proof is Ar, Bs, Krs, a slice of commitments, which is
 * empty here, and their proof of knowledge, which is then infinity. Public inputs are a witness: the numbers of public
 * and secret elements, and a vector. Integers are big-endian.
 */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/points.h"
#include "base/try.h"
#include "base/refusal.h"
#include "codec/bytes.h"
#include "codec/gnark_key.h"
#include "groth16/verifying_key.h"
#include "io/memory.h"

/* ---- Functions for proofs and public inputs ---- */

static sumac_status begin_writing(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                  int input_is_set, void **bytes, size_t *count)
{
    if (bytes != NULL) {
        *bytes = NULL;
    }
    return call_require(context, verifying != NULL && input_is_set && bytes != NULL && count != NULL,
                        "verifying, what is written, bytes and count");
}

static sumac_status begin_reading(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                                  const void *bytes, const char *name, int output_is_set)
{
    return call_require(context, verifying != NULL && bytes != NULL && name != NULL && output_is_set,
                        "verifying, bytes, name and what is read");
}

/* ---- Proofs ---- */

/* The points of a proof; POK is the proof of knowledge. */
enum { AR, BS, KRS, POK, PROOF_POINTS };

typedef struct proof_layout {
    struct {
        const char *name;
        const sumac_group *curve;
        const point_format *format;
        size_t raw, offset; /* bytes before the point, raw and in gnark's proof */
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
        const sumac_group *curve = i == BS ? of->g2 : of->g1;
        const sumac_group *info = curve;
        if (i == POK) {
            layout.commitments = layout.bytes;
            layout.bytes += 4;
        }
        layout.points[i].name = names[i];
        layout.points[i].curve = curve;
        layout.points[i].format = encoding->records(info);
        layout.points[i].raw = raw;
        layout.points[i].offset = layout.bytes;
        raw += info->point_bytes;
        layout.bytes += format_record_bytes(layout.points[i].format, info);
    }
    return layout;
}

sumac_status sumac_groth16_proof_to_gnark(sumac_context *context,
                                          const sumac_groth16_verifying_key *verifying, const void *proof,
                                          sumac_groth16_gnark_encoding encoding, void **bytes, size_t *count)
{
    HOLDS sumac_context *held = context_begin(context);
    uint8_t raw[5 * MOST_POINT_BYTES] = {0};
    TRY(begin_writing(context, verifying, proof != NULL, bytes, count));
    if ((unsigned)encoding > SUMAC_GROTH16_GNARK_RAW) {
        return fail(context, SUMAC_BAD_ARGUMENT, "%d is no encoding of gnark", (int)encoding);
    }
    const proof_layout layout =
        lay_out(&verifying->groups,
                encoding == SUMAC_GROTH16_GNARK_RAW ? &gnark_raw_format : &gnark_compressed_format);
    memcpy(raw, proof, verifying->groups.proof_bytes);
    TAKE_ZEROS(uint8_t, encoded, context, "a proof", layout.bytes);
    for (int i = 0; i < PROOF_POINTS; i++) {
        TRY(encoded_points_encode(context_executor(context), layout.points[i].curve, layout.points[i].format,
                                  raw + layout.points[i].raw, 1, encoded + layout.points[i].offset));
    }
    *bytes = encoded;
    encoded = NULL;
    *count = layout.bytes;
    return SUMAC_OK;
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

sumac_status sumac_groth16_proof_from_gnark(sumac_context *context,
                                            const sumac_groth16_verifying_key *verifying, const void *bytes,
                                            size_t count, const char *name, void *proof)
{
    HOLDS sumac_context *held = context_begin(context);
    const uint8_t *file = bytes;
    uint8_t raw[5 * MOST_POINT_BYTES];
    TRY(begin_reading(context, verifying, bytes, name, proof != NULL));
    const groups *of = &verifying->groups;
    const proof_layout layout = lay_out(of, gnark_encoding(of->info1, count > 0 ? file[0] : 0));
    TRY(check_layout(context, &layout, of, file, count, name));
    for (int i = 0; i < PROOF_POINTS; i++) {
        const sumac_status status = encoded_points_decode(
            context, layout.points[i].curve, layout.points[i].format, "point", 0,
            file + layout.points[i].offset, 1, SUMAC_CHECK_SUBGROUP, raw + layout.points[i].raw);
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

sumac_status sumac_groth16_publics_to_gnark(sumac_context *context,
                                            const sumac_groth16_verifying_key *verifying, const void *publics,
                                            void **bytes, size_t *count)
{
    HOLDS sumac_context *held = context_begin(context);
    TRY(begin_writing(context, verifying, publics_are_set(verifying, publics), bytes, count));
    const size_t each = verifying->groups.info1->scalar_bytes;
    const size_t size = PUBLICS_HEAD + (size_t)verifying->publics * each;
    uint8_t *encoded = memory_zeros(context, "public inputs", size);
    TRY(memory_got(encoded));
    store_le32(encoded, __builtin_bswap32((uint32_t)verifying->publics));
    store_le32(encoded + 8, __builtin_bswap32((uint32_t)verifying->publics));
    for (size_t i = 0; i < verifying->publics; i++) {
        reverse_bytes(encoded + PUBLICS_HEAD + i * each, (const uint8_t *)publics + i * each, each);
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

sumac_status sumac_groth16_publics_from_gnark(sumac_context *context,
                                              const sumac_groth16_verifying_key *verifying, const void *bytes,
                                              size_t count, const char *name, void *publics)
{
    HOLDS sumac_context *held = context_begin(context);
    const uint8_t *file = bytes;
    TRY(begin_reading(context, verifying, bytes, name, publics_are_set(verifying, publics)));
    TRY(check_head(context, verifying, file, count, name));
    const sumac_group *info = verifying->groups.info1;
    TAKE_MEMORY(uint8_t, scalars, context, name, count);
    for (size_t i = 0; i < verifying->publics; i++) {
        const size_t at = i * info->scalar_bytes;
        reverse_bytes(scalars + at, file + PUBLICS_HEAD + at, info->scalar_bytes);
        if (!integer_is_less(scalars + at, (const uint8_t *)info->order, info->scalar_bytes)) {
            return fail(context, SUMAC_BAD_ENCODING, "%s: public input %zu, at byte %zu, is not less than r",
                        name, i, PUBLICS_HEAD + at);
        }
    }
    if (verifying->publics > 0) {
        memcpy(publics, scalars, (size_t)verifying->publics * info->scalar_bytes);
    }
    return SUMAC_OK;
}
