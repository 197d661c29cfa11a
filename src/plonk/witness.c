/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file reads witnesses of circom (.wtns), and solutions of gnark, from files or memory. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "io/memory.h"
#include "io/wtns_input.h"
#include "plonk/key.h"

/* Read a vector of gnark: its length (4 bytes) and scalars, all big-endian. */
static sumac_status read_vector(input_file *file, const sumac_group *g1, const char *name, uint64_t count,
                                uint8_t *raw)
{
    const size_t each = g1->scalar_bytes;
    uint8_t length[4], big[MOST_SCALAR_BYTES];
    const uint64_t at = file->offset;
    TRY(input_read_exactly(file, length, sizeof length));
    if (load_be(length, sizeof length) != count) {
        return fail(file->context, SUMAC_BAD_LENGTH,
                    "%s: %s, at byte %" PRIu64 ", has %" PRIu64 " values, where the key needs %" PRIu64,
                    file->path, name, at, load_be(length, sizeof length), count);
    }
    for (uint64_t i = 0; i < count; i++, raw += each) {
        TRY(input_read_exactly(file, big, each));
        reverse_bytes(raw, big, each);
        if (scalars_first_too_large(g1, raw, 1) == 0) {
            return fail(file->context, SUMAC_BAD_ENCODING,
                        "%s: %s, at byte %" PRIu64 ", is not less than r: value %" PRIu64, file->path, name,
                        at + 4 + i * each, i);
        }
    }
    return SUMAC_OK;
}

/* Read what SparseR1CSSolution.WriteTo() writes, and then a vector of the random numbers of the circuit's commitments, if it has
 * any. */
static sumac_status read_solution(input_file *file, const sumac_plonk_key *key, uint8_t **values)
{
    static const char *const names[] = {"L", "R", "O"};
    const sumac_group *g1 = key->verifying->groups.g1;
    const uint64_t commitments = key->verifying->commitments;
    TRY(input_measure(file, INPUT_OF_ANY_SIZE));
    *values = memory_allocate(file->context, file->path, key_witness_bytes(key));
    TRY(memory_got(*values));
    for (size_t k = 0; k < GATE_WIRES; k++) {
        TRY(read_vector(file, g1, names[k], key->domain, *values + k * key->domain * g1->scalar_bytes));
    }
    if (commitments > 0) {
        TRY(read_vector(file, g1, "the random numbers", 2 * commitments,
                        *values + GATE_WIRES * (size_t)key->domain * g1->scalar_bytes));
    }
    return input_expect_end(file);
}

/* Read a witness from a file or, if path is null, from `data`. */
static sumac_status open_witness(sumac_context *context, const sumac_plonk_key *key, const char *path,
                                 const void *data, size_t data_bytes, void **witness, size_t *witness_bytes)
{
    BEGIN_MAKING(context, witness);
    TRY(require(context, key != NULL && (path != NULL || data != NULL) && witness_bytes != NULL,
                "key, what is read and witness_bytes"));
    AUTO_FREE uint8_t *values = NULL;
    CLEANUP(input_close) input_file file = INPUT_CLOSED;
    TRY(input_open_either(&file, context, path, data, data_bytes, "the witness in memory"));
    TRY(key->maps == NULL ? read_solution(&file, key, &values)
                          : wtns_input_read(&file, key->verifying->groups.g1, key->wires, &values));
    *witness = values;
    *witness_bytes = key_witness_bytes(key);
    values = NULL;
    return SUMAC_OK;
}

sumac_status sumac_plonk_witness_open(sumac_context *context, const sumac_plonk_key *key, const char *path,
                                      void **witness, size_t *witness_bytes)
{
    return open_witness(context, key, path, NULL, 0, witness, witness_bytes);
}

sumac_status sumac_plonk_witness_create(sumac_context *context, const sumac_plonk_key *key, const void *data,
                                        size_t data_bytes, void **witness, size_t *witness_bytes)
{
    return open_witness(context, key, NULL, data, data_bytes, witness, witness_bytes);
}

sumac_status sumac_plonk_witness_publics(sumac_context *context, const sumac_plonk_key *key,
                                         const void *witness, size_t witness_bytes, void *publics,
                                         size_t publics_bytes)
{
    BEGIN_CALL(context);
    TRY(require(context, key != NULL && witness != NULL && plonk_publics_are_set(key->verifying, publics),
                "key, witness and publics"));
    const size_t bytes = plonk_publics_bytes(key->verifying);
    TRY(bytes_require(context, "witness", witness_bytes, 1, key_witness_bytes(key)));
    TRY(bytes_require(context, "publics", publics_bytes, 1, bytes));
    if (bytes > 0) {
        memcpy(publics, key_publics(key, witness), bytes);
    }
    return SUMAC_OK;
}
