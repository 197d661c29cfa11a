/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Verifying keys from files or their bytes: of a .zkey the part that verifies, or verification_key.json. */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "groth16/json.h"
#include "groth16/zkey_file.h"
#include "io/memory.h"

static sumac_status begin(sumac_context *context, int input_is_there, sumac_groth16_verifying_key **verifying)
{
    if (verifying != NULL) {
        *verifying = NULL;
    }
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    return input_is_there && verifying != NULL
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_ARGUMENT, "what is read and verifying must not be null");
}

static sumac_status read_zkey(zkey_file *zkey, sumac_groth16_verifying_key **verifying)
{
    sumac_status status = binfile_input_begin(&zkey->input, ZKEY_MAGIC, ZKEY_KIND, ZKEY_VERSION);
    if (status == SUMAC_OK) {
        status = zkey_read_header(zkey, 0);
    }
    return status == SUMAC_OK ? zkey_read_verifying(zkey, SUMAC_CHECK_SUBGROUP, verifying) : status;
}

static sumac_status read_json(input_file *file, sumac_groth16_verifying_key **verifying)
{
    sumac_status status = memory_require(file->context, file->path, file->size);
    char *text = status == SUMAC_OK ? malloc((size_t)file->size + 1) : NULL;
    if (status == SUMAC_OK && text == NULL) {
        status = memory_failed(file->context, file->path, file->size);
    }
    if (status == SUMAC_OK) {
        status = input_seek(file, 0);
    }
    if (status == SUMAC_OK) {
        status = input_read_exactly(file, text, (size_t)file->size);
    }
    if (status == SUMAC_OK) {
        status = json_read_verifying(file->context, text, (size_t)file->size, file->path, verifying);
    }
    free(text);
    return status;
}

/* By its first bytes. */
static sumac_status read_either(zkey_file *zkey, sumac_groth16_verifying_key **verifying)
{
    uint8_t magic[4] = {0};
    size_t got;
    input_file *file = &zkey->input.file;
    sumac_status status = input_measure(file, INPUT_OF_ANY_SIZE);
    if (status == SUMAC_OK) {
        status = input_read(file, magic, sizeof magic, &got);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    return memcmp(magic, ZKEY_MAGIC, sizeof magic) == 0 ? read_zkey(zkey, verifying)
                                                        : read_json(file, verifying);
}

/* What was opened, and is closed in any case. */
static sumac_status read_key(zkey_file *zkey, sumac_status status, sumac_groth16_verifying_key **verifying)
{
    if (status == SUMAC_OK) {
        status = read_either(zkey, verifying);
    }
    zkey_close(zkey);
    return status;
}

sumac_status sumac_groth16_verifying_key_open(sumac_context *context, const char *path,
                                              sumac_groth16_verifying_key **verifying)
{
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = begin(held, path != NULL, verifying);
    if (status != SUMAC_OK) {
        return status;
    }
    zkey_file zkey = {.header_bytes = NULL};
    status = input_open(&zkey.input.file, context, path);
    return read_key(&zkey, status, verifying);
}

sumac_status sumac_groth16_verifying_key_create(sumac_context *context, const void *bytes, size_t count,
                                                sumac_groth16_verifying_key **verifying)
{
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = begin(held, bytes != NULL, verifying);
    if (status != SUMAC_OK) {
        return status;
    }
    zkey_file zkey = {.header_bytes = NULL};
    input_open_bytes(&zkey.input.file, context, bytes, count, "the verifying key");
    return read_key(&zkey, SUMAC_OK, verifying);
}
