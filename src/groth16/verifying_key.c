/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Verifying keys from files: of a .zkey or a prepared key the part that verifies, verification_key.json, or gnark's. */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "groth16/gnark_verifying.h"
#include "groth16/proof_json.h"
#include "groth16/key_format.h"
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

static sumac_status read_zkey(const input_file *file, sumac_groth16_verifying_key **verifying)
{
    zkey_file zkey;
    sumac_status status = zkey_begin(&zkey, file);
    if (status == SUMAC_OK) {
        status = zkey_read_header(&zkey, 0);
    }
    if (status == SUMAC_OK) {
        status = zkey_read_verifying(&zkey, SUMAC_CHECK_SUBGROUP, verifying);
    }
    zkey_close(&zkey);
    return status;
}

static sumac_status read_json(input_file *file, sumac_groth16_verifying_key **verifying)
{
    sumac_status status;
    char *text = memory_allocate(file->context, file->path, file->size, &status);
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

/* By its first bytes, or by the curve of its points. */
static sumac_status read_any(input_file *file, sumac_groth16_verifying_key **verifying)
{
    uint8_t begins[KEY_BEGINS_BYTES] = {0};
    size_t got = 0;
    groups of;
    const point_format *encoding;
    sumac_status status = input_measure(file, INPUT_OF_ANY_SIZE);
    if (status == SUMAC_OK) {
        status = input_read(file, begins, sizeof begins, &got);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    if (zkey_key_format.fits(begins, got)) {
        return read_zkey(file, verifying);
    }
    if (prepared_key_format.fits(begins, got)) {
        return prepared_read_verifying(file, verifying);
    }
    status = gnark_verifying_find(file, &of, &encoding);
    if (status != SUMAC_OK || encoding != NULL) {
        return status == SUMAC_OK ? gnark_verifying_read(file, &of, encoding, verifying) : status;
    }
    status = gnark_verifying_refuse(file);
    if (status != SUMAC_OK) {
        return status;
    }
    return got == 0 || memchr("{ \t\r\n", begins[0], 5) != NULL
               ? read_json(file, verifying)
               : fail(file->context, SUMAC_BAD_FILE,
                      "%s: it is no JSON and no .zkey, and no verifying key of gnark: its third point, "
                      "G2.Beta, is of no curve that this build knows",
                      file->path);
}

sumac_status sumac_groth16_verifying_key_open(sumac_context *context, const char *path,
                                              sumac_groth16_verifying_key **verifying)
{
    HOLDS sumac_context *held = context_begin(context);
    sumac_status status = begin(held, path != NULL, verifying);
    if (status != SUMAC_OK) {
        return status;
    }
    input_file file;
    status = input_open(&file, context, path);
    if (status == SUMAC_OK) {
        status = read_any(&file, verifying);
    }
    input_close(&file);
    return status;
}

sumac_status sumac_groth16_verifying_key_create(sumac_context *context, const void *bytes, size_t count,
                                                sumac_groth16_verifying_key **verifying)
{
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = begin(held, bytes != NULL, verifying);
    input_file file;
    if (status != SUMAC_OK) {
        return status;
    }
    input_open_bytes(&file, context, bytes, count, "the verifying key");
    return read_any(&file, verifying);
}
