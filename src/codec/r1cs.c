/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/r1cs.h"

#include <inttypes.h>

#include "base/try.h"
#include "codec/bytes.h"
#include "codec/cursor.h"
#include "codec/file_kinds.h"

sumac_status r1cs_decode_header(const uint8_t *bytes, uint64_t size, r1cs_header *header, sumac_message *why)
{
    const byte_source source = memory_source(bytes, size);
    cursor c = {.source = &source, .at = 4, .why = why};
    TRY(binfile_prime_bytes(bytes, size, 32, &header->scalar_bytes, why));
    header->order = bytes + cursor_skip(&c, "r", header->scalar_bytes, 1);
    header->wires = cursor_le32(&c, "wires");
    header->outputs = cursor_le32(&c, "outputs");
    header->inputs = cursor_le32(&c, "inputs");
    header->private_inputs = cursor_le32(&c, "private inputs");
    header->labels = cursor_le64(&c, "labels");
    header->constraints = cursor_le32(&c, "constraints");
    cursor_require(&c, (uint64_t)header->outputs + header->inputs < header->wires, SUMAC_BAD_FILE,
                   "section 1 (header): %" PRIu32 " outputs and %" PRIu32 " inputs of %" PRIu32 " wires",
                   header->outputs, header->inputs, header->wires);
    return c.status;
}

static sumac_status truncated(const r1cs_reader *reader, sumac_message *why)
{
    return refuse(why, SUMAC_BAD_FILE,
                  "section 2 (constraints) ends at byte %" PRIu64 ", in constraint %" PRIu32 " of %" PRIu32,
                  reader->offset + reader->size, reader->constraint, reader->header->constraints);
}

/* Advance to the next linear combination that has terms, or past the last one. */
static sumac_status find_terms(r1cs_reader *reader, sumac_message *why)
{
    while (reader->left == 0 && reader->constraint < reader->header->constraints) {
        if (reader->size - reader->at < 4) {
            return truncated(reader, why);
        }
        reader->left = load_le32(reader->bytes + reader->at);
        reader->at += 4;
        if (reader->left == 0) {
            reader->constraint += reader->matrix == 2;
            reader->matrix = (reader->matrix + 1) % 3;
        }
    }
    return SUMAC_OK;
}

sumac_status r1cs_begin(r1cs_reader *reader, const uint8_t *bytes, const binfile_section *section,
                        const r1cs_header *header, sumac_message *why)
{
    *reader =
        (r1cs_reader){.bytes = bytes, .size = section->size, .offset = section->offset, .header = header};
    return find_terms(reader, why);
}

sumac_status r1cs_next(r1cs_reader *reader, r1cs_term *term, int *more, sumac_message *why)
{
    *more = reader->left > 0;
    if (!*more) {
        return reader->at == reader->size
                   ? SUMAC_OK
                   : refuse(why, SUMAC_BAD_FILE,
                            "section 2 (constraints) is too long: the last constraint ends at byte %" PRIu64,
                            reader->offset + reader->at);
    }
    if (reader->size - reader->at < 4 + (uint64_t)reader->header->scalar_bytes) {
        return truncated(reader, why);
    }
    *term = (r1cs_term){reader->constraint, reader->matrix, load_le32(reader->bytes + reader->at),
                        reader->bytes + reader->at + 4};
    if (term->wire >= reader->header->wires) {
        return refuse(why, SUMAC_BAD_FILE,
                      "section 2 (constraints), at byte %" PRIu64 ": wire %" PRIu32
                      ", where there are %" PRIu32,
                      reader->offset + reader->at, term->wire, reader->header->wires);
    }
    reader->at += 4 + (uint64_t)reader->header->scalar_bytes;
    if (--reader->left == 0) {
        reader->constraint += reader->matrix == 2;
        reader->matrix = (reader->matrix + 1) % 3;
        return find_terms(reader, why);
    }
    return SUMAC_OK;
}

const file_kind r1cs_kind = FILE_KIND(
    R1CS_MAGIC, "constraints of circom (.r1cs)", FILE_OTHER,
    "`sumac groth16 setup` and `sumac plonk setup` take it; it holds no points or scalars of an MSM");
