/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file encodes and decodes proofs as gnark 0.16 writes them (backend/plonk/CURVE/marshal.go): the points LRO, Z, H and
 * BatchedProof.H; a vector of the values of the linearisation, of L, R, O, S[0], S[1] and of Qcp; ZShiftedOpening's point and value;
 * a slice of the commitments to wires. Numbers are big-endian.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/points.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "io/gnark_files.h"
#include "io/memory.h"
#include "plonk/proof_formats.h"

enum { COUNT_BYTES = 4, MOST_FIELDS = 2 + MOST_PROOF_POINTS + MOST_ITEMS + MOST_COMMITMENTS };

/* A field is a point, a scalar, or a count. */
typedef struct field {
    plonk_item item; /* NO_ITEM if it is a count */
    uint32_t count;  /* the value of a count */
    size_t offset, bytes;
} field;

typedef struct proof_layout {
    const point_format *format;
    field fields[MOST_FIELDS];
    size_t count, bytes;
} proof_layout;

static void add_field(proof_layout *layout, const sumac_plonk_verifying_key *verifying, plonk_item item,
                      uint32_t count)
{
    const sumac_group *g1 = verifying->groups.g1;
    const size_t bytes = item == NO_ITEM  ? COUNT_BYTES
                         : item >= EVAL_A ? g1->scalar_bytes
                                          : format_record_bytes(layout->format, g1);
    layout->fields[layout->count++] = (field){item, count, layout->bytes, bytes};
    layout->bytes += bytes;
}

static void lay_out(proof_layout *layout, const sumac_plonk_verifying_key *verifying,
                    const point_format *encoding)
{
    static const plonk_item before[] = {PROOF_A,  PROOF_B,  PROOF_C,  PROOF_Z,
                                        PROOF_T1, PROOF_T2, PROOF_T3, PROOF_WXI};
    static const plonk_item values[] = {EVAL_LINEAR, EVAL_A, EVAL_B, EVAL_C, EVAL_S1, EVAL_S2};
    const uint32_t commitments = verifying->commitments;
    *layout = (proof_layout){.format = encoding->records(verifying->groups.g1)};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        add_field(layout, verifying, before[i], 0);
    }
    add_field(layout, verifying, NO_ITEM, gnark_plonk.openings_count + commitments);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        add_field(layout, verifying, values[i], 0);
    }
    for (uint32_t i = 0; i < commitments; i++) {
        add_field(layout, verifying, (plonk_item)(EVAL_QCP + i), 0);
    }
    add_field(layout, verifying, PROOF_WXIW, 0);
    add_field(layout, verifying, EVAL_ZW, 0);
    add_field(layout, verifying, NO_ITEM, commitments);
    for (uint32_t i = 0; i < commitments; i++) {
        add_field(layout, verifying, (plonk_item)(PROOF_COMMITMENT + i), 0);
    }
}

/* ---- Proofs ---- */

static sumac_status encode_proof(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                 const point_format *encoding, const uint8_t *proof, void **bytes,
                                 size_t *count)
{
    const sumac_group *g1 = verifying->groups.g1;
    proof_layout layout;
    lay_out(&layout, verifying, encoding);
    TAKE_ZEROS(uint8_t, encoded, context, "a proof", layout.bytes);
    for (size_t i = 0; i < layout.count; i++) {
        const field *f = &layout.fields[i];
        uint8_t *to = encoded + f->offset;
        if (f->item == NO_ITEM) {
            store_le32(to, __builtin_bswap32(f->count));
        } else if (f->item >= EVAL_A) {
            reverse_bytes(to, proof + plonk_item_at(verifying, f->item), f->bytes);
        } else {
            TRY(encoded_points_encode(context_executor(context), g1, layout.format,
                                      proof + plonk_item_at(verifying, f->item), 1, to));
        }
    }
    *bytes = encoded;
    encoded = NULL;
    *count = layout.bytes;
    return SUMAC_OK;
}

static sumac_status encode_compressed(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                      const uint8_t *proof, void **bytes, size_t *count)
{
    return encode_proof(context, verifying, &gnark_compressed_format, proof, bytes, count);
}

static sumac_status encode_raw(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                               const uint8_t *proof, void **bytes, size_t *count)
{
    return encode_proof(context, verifying, &gnark_raw_format, proof, bytes, count);
}

static sumac_status decode_field(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                 const point_format *format, const field *f, const uint8_t *from,
                                 uint8_t *proof)
{
    const sumac_group *g1 = verifying->groups.g1;
    if (f->item == NO_ITEM) {
        return load_be(from, COUNT_BYTES) == f->count
                   ? SUMAC_OK
                   : fail(context, SUMAC_MISMATCH, "a count of %" PRIu64 ", where the key needs %" PRIu32,
                          load_be(from, COUNT_BYTES), f->count);
    }
    uint8_t *to = proof + plonk_item_at(verifying, f->item);
    if (f->item < EVAL_A) {
        return encoded_points_decode(context, g1, format, "point", 0, from, 1, SUMAC_CHECK_SUBGROUP, to);
    }
    reverse_bytes(to, from, f->bytes);
    return scalars_first_too_large(g1, to, 1) == 1
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_ENCODING, "a scalar that is not less than r");
}

static const char *name_of(plonk_item item)
{
    return item == NO_ITEM            ? "a count"
           : item >= EVAL_QCP         ? gnark_plonk.names[EVAL_QCP]
           : item >= EVAL_A           ? gnark_plonk.names[item]
           : item >= PROOF_COMMITMENT ? gnark_plonk.names[PROOF_COMMITMENT]
                                      : gnark_plonk.names[item];
}

/* Read a proof in either encoding of points; the first byte shows which one it is. */
static sumac_status decode_proof(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                 const void *encoded, size_t count, const char *name, uint8_t *proof)
{
    const uint8_t *bytes = encoded;
    const sumac_group *g1 = verifying->groups.g1;
    uint8_t raw[MOST_PROOF_POINTS * MOST_POINT_BYTES + (MOST_ITEMS + MOST_COMMITMENTS) * MOST_SCALAR_BYTES];
    proof_layout layout;
    lay_out(&layout, verifying, gnark_encoding(g1, count > 0 ? bytes[0] : 0));
    for (size_t i = 0; i < layout.count; i++) {
        const field *f = &layout.fields[i];
        if (f->offset + f->bytes > count) {
            return fail(context, SUMAC_BAD_FILE, "%s: truncated: it ends at byte %zu, within %s, at byte %zu",
                        name, count, name_of(f->item), f->offset);
        }
        const sumac_status status =
            decode_field(context, verifying, layout.format, f, bytes + f->offset, raw);
        if (status != SUMAC_OK) {
            return refuse_in(&context_executor(context)->message, status, "%s: %s, at byte %zu", name,
                             name_of(f->item), f->offset);
        }
    }
    if (count > layout.bytes) {
        return fail(context, SUMAC_BAD_FILE, "%s: too long: it should end at byte %zu", name, layout.bytes);
    }
    memcpy(proof, raw, plonk_proof_bytes(verifying));
    return SUMAC_OK;
}

/* ---- Public inputs ---- */

static sumac_status encode_publics(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                   const uint8_t *publics, void **bytes, size_t *count)
{
    return gnark_encode_publics(context, verifying->groups.g1, verifying->publics, publics, bytes, count);
}

static sumac_status decode_publics(sumac_context *context, const sumac_plonk_verifying_key *verifying,
                                   const void *bytes, size_t count, const char *name, uint8_t *publics)
{
    return gnark_decode_publics(context, verifying->groups.g1, verifying->publics, bytes, count, name,
                                publics);
}

const plonk_format gnark_plonk_format = {
    "gnark", &gnark_plonk, {encode_compressed, decode_proof}, {encode_publics, decode_publics}};
const plonk_format gnark_raw_plonk_format = {
    "gnark-raw", &gnark_plonk, {encode_raw, decode_proof}, {encode_publics, decode_publics}};
