/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file opens verifying keys: the header of a .zkey, a verification_key.json, a key of gnark, or a prepared key. */
#include "api/call.h"
#include "base/try.h"
#include "codec/container.h"
#include "io/memory.h"
#include "plonk/key_format.h"

/* Read a key of any format, which the first bytes of the file show. */
static sumac_status read_any(input_file *file, sumac_plonk_verifying_key **verifying)
{
    uint8_t begins[GNARK_BEGINS_BYTES] = {0};
    size_t got = 0;
    TRY(input_measure(file, INPUT_OF_ANY_SIZE));
    TRY(input_read(file, begins, sizeof begins, &got));
    if (plonk_zkey_fits(begins, got)) {
        return plonk_zkey_read_verifying(file, verifying);
    }
    if (plonk_gnark_fits(begins, got)) {
        return plonk_gnark_read_verifying(file, verifying);
    }
    if (container_begins(begins, got)) {
        TRY(input_seek(file, 0));
        return plonk_prepared_read_verifying(file, verifying);
    }
    if (begins[0] == '[') {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: a JSON array, as public inputs are, and no verifying key", file->path);
    }
    TAKE_MEMORY(char, text, file->context, file->path, file->size);
    TRY(input_seek(file, 0));
    TRY(input_read_exactly(file, text, (size_t)file->size));
    return plonk_json_verifying(file->context, text, (size_t)file->size, file->path, verifying);
}

/* Read a key from a file or, if path is null, from `data`. */
static sumac_status open_key(sumac_context *context, const char *path, const void *data, size_t data_bytes,
                             sumac_plonk_verifying_key **verifying)
{
    BEGIN_MAKING(context, verifying);
    TRY(require(context, path != NULL || data != NULL, "what is read"));
    CLEANUP(input_close) input_file file = INPUT_CLOSED;
    TRY(input_open_either(&file, context, path, data, data_bytes, "the verifying key"));
    return read_any(&file, verifying);
}

sumac_status sumac_plonk_verifying_key_open(sumac_context *context, const char *path,
                                            sumac_plonk_verifying_key **verifying)
{
    return open_key(context, path, NULL, 0, verifying);
}

sumac_status sumac_plonk_verifying_key_create(sumac_context *context, const void *data, size_t data_bytes,
                                              sumac_plonk_verifying_key **verifying)
{
    return open_key(context, NULL, data, data_bytes, verifying);
}
