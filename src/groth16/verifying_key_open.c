/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file opens verifying keys. A verifying key is part of a .zkey or of a prepared key, or is a file of its format:
 * verification_key.json of snarkjs, or gnark's. */
#include <string.h>

#include "api/call.h"
#include "base/try.h"
#include "groth16/key_format.h"
#include "groth16/proof_formats.h"
#include "io/memory.h"
#include "sumac/experimental.h"

/* Read a key of any format. The first bytes of the file show its format. gnark's verifying keys have no such bytes;
 * they are recognized by their points. Commitments have this hash (null: the default), unless the file names it. */
static sumac_status read_any(input_file *file, const commitment_hash *hash,
                             sumac_groth16_verifying_key **verifying)
{
    uint8_t begins[KEY_BEGINS_BYTES] = {0};
    size_t got = 0;
    int is_gnark = 0;
    TRY(input_measure(file, INPUT_OF_ANY_SIZE));
    TRY(input_read(file, begins, sizeof begins, &got));
    if (zkey_key_format.fits(begins, got)) {
        return zkey_read_verifying_key(file, verifying);
    }
    if (prepared_key_format.fits(begins, got)) {
        return prepared_read_verifying(file, verifying);
    }
    TRY(gnark_read_verifying_key(file, hash, &is_gnark, verifying));
    if (is_gnark) {
        return SUMAC_OK;
    }
    if (begins[0] == '[') {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: a JSON array, as public inputs are, and no verifying key", file->path);
    }
    if (got > 0 && memchr("{ \t\r\n", begins[0], 5) == NULL) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: it is no JSON and no .zkey, and no verifying key of gnark: its third point, "
                    "G2.Beta, is of no curve that this build knows",
                    file->path);
    }
    TAKE_MEMORY(char, text, file->context, file->path, file->size);
    TRY(input_seek(file, 0));
    TRY(input_read_exactly(file, text, (size_t)file->size));
    return json_read_verifying(file->context, text, (size_t)file->size, file->path, verifying);
}

/* Read a key from a file or, if path is null, from `data`. A null name of a hash is the default's. */
static sumac_status open_key(sumac_context *context, const char *path, const void *data, size_t data_bytes,
                             const char *hash_name, sumac_groth16_verifying_key **verifying)
{
    const commitment_hash *hash = NULL;
    BEGIN_MAKING(context, verifying);
    TRY(require(context, path != NULL || data != NULL, "what is read"));
    TRY(commitment_hash_find(context, hash_name, &hash));
    CLEANUP(input_close) input_file file = INPUT_CLOSED;
    TRY(input_open_either(&file, context, path, data, data_bytes, "the verifying key"));
    return read_any(&file, hash, verifying);
}

sumac_status sumac_groth16_verifying_key_open(sumac_context *context, const char *path,
                                              sumac_groth16_verifying_key **verifying)
{
    return open_key(context, path, NULL, 0, NULL, verifying);
}

sumac_status sumac_groth16_verifying_key_create(sumac_context *context, const void *data, size_t data_bytes,
                                                sumac_groth16_verifying_key **verifying)
{
    return open_key(context, NULL, data, data_bytes, NULL, verifying);
}

sumac_status sumac_groth16_verifying_key_create_hashing(sumac_context *context, const void *data,
                                                        size_t data_bytes, const char *hash,
                                                        sumac_groth16_verifying_key **verifying)
{
    return open_key(context, NULL, data, data_bytes, hash, verifying);
}
