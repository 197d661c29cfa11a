/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file reads witnesses from files or memory: those of circom (.wtns) or, for gnark's keys, gnark's R1CSSolution. A
 * solution has the vector W of the wires, and the products A, B and C of the matrices with W. Each vector has a count
 * of 4 bytes, and then canonical elements; all numbers are big-endian.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "groth16/key.h"
#include "io/memory.h"
#include "io/wtns_input.h"

/* ---- Witnesses of gnark ---- */

/* Read a vector's count, which must be from `least` to `most`. */
static sumac_status read_count(input_file *file, const char *name, uint32_t least, uint32_t most,
                               uint32_t *count)
{
    uint8_t bytes[4];
    const uint64_t at = file->offset;
    TRY(input_read_exactly(file, bytes, sizeof bytes));
    *count = (uint32_t)load_be(bytes, sizeof bytes);
    return *count >= least && *count <= most
               ? SUMAC_OK
               : fail(file->context, SUMAC_BAD_LENGTH,
                      "%s: %s, at byte %" PRIu64 ", has %" PRIu32 " elements, and by the key %s%" PRIu32,
                      file->path, name, at, *count, least == most ? "" : "at most ", most);
}

/* Read a vector, which must have `least` to `most` elements, and convert it to raw elements. */
static sumac_status read_vector(input_file *file, const char *name, const sumac_group *info, uint32_t least,
                                uint32_t most, uint8_t *elements, uint32_t *count)
{
    const size_t bytes = info->scalar_bytes;
    TRY(read_count(file, name, least, most, count));
    const uint64_t at = file->offset;
    TRY(input_read_exactly(file, elements, *count * bytes));
    for (uint32_t i = 0; i < *count; i++) {
        uint8_t element[MOST_SCALAR_BYTES];
        reverse_bytes(element, elements + i * bytes, bytes);
        memcpy(elements + i * bytes, element, bytes);
        if (!integer_is_less(element, (const uint8_t *)info->order, bytes)) {
            return fail(file->context, SUMAC_BAD_ENCODING,
                        "%s: %s, at byte %" PRIu64 ": element %" PRIu32 " is not less than r", file->path,
                        name, at + i * bytes, i);
        }
    }
    return SUMAC_OK;
}

/* Read W, A and B. A and B must be as long as the domain. C = A o B is not needed, and not read. */
static sumac_status read_solution(input_file *file, const sumac_groth16_key *key, uint8_t **witness)
{
    const sumac_group *g1 = key->verifying->groups.g1;
    const size_t bytes = g1->scalar_bytes;
    uint32_t count, rows;
    uint64_t got;
    *witness = memory_zeros(file->context, file->path, key_witness_bytes(key));
    TRY(memory_got(*witness));
    uint8_t *a = *witness + key->wires * bytes, *b = a + key->domain * bytes;
    TRY(read_vector(file, "W", g1, key->wires, key->wires, *witness, &count));
    TRY(read_vector(file, "A", g1, 0, key->domain, a, &rows));
    TRY(read_vector(file, "B", g1, rows, rows, b, &count));
    TRY(read_count(file, "C", rows, rows, &count));
    TRY(input_skip(file, (uint64_t)rows * bytes, &got));
    return got == (uint64_t)rows * bytes
               ? input_expect_end(file)
               : fail(file->context, SUMAC_BAD_FILE, "%s: truncated: it ends within C, at byte %" PRIu64,
                      file->path, file->offset);
}

/* ---- Public functions ---- */

/* Read a witness from a file or, if path is null, from `data`. */
static sumac_status open_witness(sumac_context *context, const sumac_groth16_key *key, const char *path,
                                 const void *data, size_t data_bytes, void **witness, size_t *witness_bytes)
{
    BEGIN_MAKING(context, witness);
    TRY(require(context, key != NULL && (path != NULL || data != NULL) && witness_bytes != NULL,
                "key, what is read and witness_bytes"));
    AUTO_FREE uint8_t *values = NULL;
    CLEANUP(input_close) input_file file = INPUT_CLOSED;
    TRY(input_open_either(&file, context, path, data, data_bytes, "the witness in memory"));
    TRY(key->takes_products ? read_solution(&file, key, &values)
                            : wtns_input_read(&file, key->verifying->groups.g1, key->wires, &values));
    *witness = values;
    *witness_bytes = key_witness_bytes(key);
    values = NULL;
    return SUMAC_OK;
}

sumac_status sumac_groth16_witness_open(sumac_context *context, const sumac_groth16_key *key,
                                        const char *path, void **witness, size_t *witness_bytes)
{
    return open_witness(context, key, path, NULL, 0, witness, witness_bytes);
}

sumac_status sumac_groth16_witness_create(sumac_context *context, const sumac_groth16_key *key,
                                          const void *data, size_t data_bytes, void **witness,
                                          size_t *witness_bytes)
{
    return open_witness(context, key, NULL, data, data_bytes, witness, witness_bytes);
}

sumac_status sumac_groth16_witness_publics(sumac_context *context, const sumac_groth16_key *key,
                                           const void *witness, size_t witness_bytes, void *publics,
                                           size_t publics_bytes)
{
    BEGIN_CALL(context);
    TRY(require(context, key != NULL && witness != NULL && publics_are_set(key->verifying, publics),
                "key, witness and publics"));
    TRY(bytes_require(context, "witness", witness_bytes, 1, key_witness_bytes(key)));
    TRY(bytes_require(context, "publics", publics_bytes, 1, verifying_publics_bytes(key->verifying)));
    if (key->publics > 0) { /* the public inputs follow wire 0 */
        memcpy(publics, (const uint8_t *)witness + key->verifying->groups.g1->scalar_bytes,
               verifying_publics_bytes(key->verifying));
    }
    return SUMAC_OK;
}
