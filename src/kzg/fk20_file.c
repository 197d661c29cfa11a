/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The file of an fk20: a header, and its columns as a table of bases. docs/formats.md has the bytes. */
#include <inttypes.h>
#include <string.h>

#include "api/call.h"
#include "codec/bytes.h"
#include "codec/checksum.h"
#include "io/table.h"
#include "kzg/fk20.h"
#include "kzg/srs.h"

/* As a table's (src/codec/table.c), with another name. */
static const uint8_t fk20_magic[8] = {0x89, 'S', 'F', 'K', '2', '0', '\r', '\n'};

enum {
    FK20_VERSION = 1,
    /* Offsets in the header. */
    AT_VERSION = 8,
    AT_RESERVED = 12,
    AT_N = 16,
    AT_L = 24,
    AT_SRS_HASH = 32,
    AT_CHECKSUM = 64,
    HEADER_BYTES = 72
};

static void encode_header(uint8_t bytes[HEADER_BYTES], fk20_shape shape,
                          const uint8_t srs_hash[SRS_HASH_BYTES])
{
    memset(bytes, 0, HEADER_BYTES);
    memcpy(bytes, fk20_magic, sizeof fk20_magic);
    store_le32(bytes + AT_VERSION, FK20_VERSION);
    store_le64(bytes + AT_N, shape.n);
    store_le64(bytes + AT_L, shape.l);
    memcpy(bytes + AT_SRS_HASH, srs_hash, SRS_HASH_BYTES);
    store_le64(bytes + AT_CHECKSUM, checksum_of(bytes, AT_CHECKSUM));
}

sumac_status fk20_write(output_file *file, const sumac_fk20 *fk20)
{
    uint8_t header[HEADER_BYTES];
    encode_header(header, fk20->shape, fk20->srs_hash);
    const sumac_status status = output_write(file, header, sizeof header);
    return status == SUMAC_OK ? table_write_section(file, fk20->columns) : status;
}

sumac_status sumac_fk20_save(sumac_context *context, const sumac_fk20 *fk20, const char *path)
{
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = srs_begin(held, fk20 != NULL && path != NULL, "fk20 and path");
    if (status != SUMAC_OK) {
        return status;
    }
    output_file file;
    status = output_open(&file, context, path);
    if (status == SUMAC_OK) {
        status = fk20_write(&file, fk20);
    }
    return output_close(&file, status);
}

/* Whether a header is whole, and that of an fk20 of this shape and SRS. */
static sumac_status check_header(const input_file *file, const uint8_t bytes[HEADER_BYTES], fk20_shape shape,
                                 const uint8_t srs_hash[SRS_HASH_BYTES])
{
    uint8_t expected[HEADER_BYTES];
    const uint32_t version = load_le32(bytes + AT_VERSION);
    const uint64_t n = load_le64(bytes + AT_N), l = load_le64(bytes + AT_L);
    const uint64_t start = file->offset - HEADER_BYTES;
    if (memcmp(bytes, fk20_magic, sizeof fk20_magic) != 0) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: no tables for proofs of cells at byte %" PRIu64 ": they do not begin like them",
                    file->path, start);
    }
    if (version != FK20_VERSION) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: tables for proofs of cells of version %" PRIu32 " at byte %" PRIu64
                    "; this library reads version %d",
                    file->path, version, start + AT_VERSION, (int)FK20_VERSION);
    }
    if (load_le64(bytes + AT_CHECKSUM) != checksum_of(bytes, AT_CHECKSUM)) {
        return fail(file->context, SUMAC_BAD_CHECKSUM,
                    "%s: the header of the tables for proofs of cells, bytes %" PRIu64 " to %" PRIu64
                    ", is damaged: its checksum does not match",
                    file->path, start, start + HEADER_BYTES - 1);
    }
    if (n != shape.n || l != shape.l) {
        return fail(file->context, SUMAC_MISMATCH,
                    "%s: tables for n = %" PRIu64 " and l = %" PRIu64
                    ", where n = %zu and l = %zu are expected",
                    file->path, n, l, shape.n, shape.l);
    }
    if (memcmp(bytes + AT_SRS_HASH, srs_hash, SRS_HASH_BYTES) != 0) {
        return fail(file->context, SUMAC_MISMATCH,
                    "%s: the tables for proofs of cells were made from another setup than this one",
                    file->path);
    }
    encode_header(expected, shape, srs_hash);
    if (memcmp(bytes, expected, HEADER_BYTES) != 0) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: the header of the tables for proofs of cells uses bits that this version has no "
                    "meaning for",
                    file->path);
    }
    return SUMAC_OK;
}

static sumac_status read_columns(input_file *file, sumac_check check, sumac_fk20 *fk20)
{
    sumac_bases_config config = sumac_bases_config_default();
    config.check = check;
    config.replicated = 1;
    const sumac_status status = table_read_section(file, fk20->curve, &config, &fk20->columns);
    if (status == SUMAC_OK && sumac_bases_count(fk20->columns) != 2 * fk20->shape.n) {
        return fail(file->context, SUMAC_BAD_FILE, "%s: a table of %zu bases, where n = %zu makes %zu",
                    file->path, sumac_bases_count(fk20->columns), fk20->shape.n, 2 * fk20->shape.n);
    }
    return status;
}

sumac_status fk20_read(input_file *file, const sumac_bases *srs, fk20_shape shape, sumac_check check,
                       sumac_fk20 **fk20)
{
    uint8_t header[HEADER_BYTES];
    sumac_fk20 *created = fk20_allocate(file->context, sumac_bases_curve(srs), shape);
    if (created == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    sumac_status status = fk20_hash_srs(file->context, srs, shape.n, created->srs_hash);
    if (status == SUMAC_OK) {
        status = input_read_exactly(file, header, sizeof header);
    }
    if (status == SUMAC_OK) {
        status = check_header(file, header, shape, created->srs_hash);
    }
    if (status == SUMAC_OK) {
        status = read_columns(file, check, created);
    }
    if (status == SUMAC_OK) {
        *fk20 = created;
    } else {
        sumac_fk20_destroy(created);
    }
    return status;
}

sumac_status sumac_fk20_open(sumac_context *context, const sumac_bases *srs, size_t n, size_t l,
                             const char *path, sumac_fk20 **fk20)
{
    const fk20_shape shape = {n, l};
    if (fk20 != NULL) {
        *fk20 = NULL;
    }
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = srs_begin(held, srs != NULL && path != NULL && fk20 != NULL, "srs, path and fk20");
    if (status == SUMAC_OK) {
        status = fk20_check_shape(context, srs, shape);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    input_file file;
    status = input_open(&file, context, path);
    if (status == SUMAC_OK) {
        status = table_begin_input(&file);
    }
    if (status == SUMAC_OK) {
        status = fk20_read(&file, srs, shape, SUMAC_CHECK_NONE, fk20);
    }
    input_close(&file);
    return status;
}
