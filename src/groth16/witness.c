/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Witnesses from files, and from their bytes. */
#include <inttypes.h>
#include <stdlib.h>

#include "api/call.h"
#include "codec/bytes.h"
#include "codec/wtns.h"
#include "groth16/gnark_solution.h"
#include "io/binfile_input.h"

/* Section 1: of the key's field, and as many wires. */
static sumac_status read_header(binfile_input *input, const sumac_groth16_key *key)
{
    uint8_t bytes[WTNS_MOST_HEADER_BYTES];
    const sumac_curve_info *info = key->verifying->groups.info1;
    const binfile_section *section;
    wtns_header header;
    sumac_message why;
    sumac_status status = binfile_input_header(input, WTNS_HEADER, bytes, sizeof bytes, &section);
    if (status == SUMAC_OK) {
        status = input_refuse(&input->file, wtns_decode_header(bytes, section->size, &header, &why), &why);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    if (!is_integer(info->order, info->scalar_bytes, header.order, header.scalar_bytes)) {
        return fail(input->file.context, SUMAC_MISMATCH,
                    "%s: section 1 (header), at byte %" PRIu64
                    ": a witness modulo another prime than the order of the "
                    "key's curve, %s",
                    input->file.path, section->offset, info->name);
    }
    return header.wires == key->wires ? SUMAC_OK
                                      : fail(input->file.context, SUMAC_BAD_LENGTH,
                                             "%s: section 1 (header), at byte %" PRIu64
                                             ": a witness of %" PRIu32 " wires, and the key has %" PRIu32,
                                             input->file.path, section->offset, header.wires, key->wires);
}

static sumac_status read_values(binfile_input *input, const sumac_groth16_key *key, uint8_t **witness)
{
    const sumac_curve_info *info = key->verifying->groups.info1;
    const binfile_section *section;
    sumac_message why;
    sumac_status status =
        input_refuse(&input->file,
                     binfile_expect(&input->sections, WTNS_VALUES, "values",
                                    (uint64_t)key->wires * info->scalar_bytes, &section, &why),
                     &why);
    if (status == SUMAC_OK) {
        status = binfile_input_take(input, section, witness);
    }
    for (uint32_t i = 0; i < key->wires && status == SUMAC_OK; i++) {
        const size_t at = (size_t)i * info->scalar_bytes;
        if (!integer_is_less(*witness + at, (const uint8_t *)info->order, info->scalar_bytes)) {
            status = fail(input->file.context, SUMAC_BAD_ENCODING,
                          "%s: section 2 (values), at byte %" PRIu64 ": wire %" PRIu32 " is not less than r",
                          input->file.path, section->offset + at, i);
        }
    }
    return status;
}

static sumac_status read_wtns(input_file *file, const sumac_groth16_key *key, uint8_t **values)
{
    binfile_input input = {.file = *file};
    sumac_status status = binfile_input_begin(&input, WTNS_MAGIC, WTNS_KIND, WTNS_VERSION);
    if (status == SUMAC_OK) {
        status = read_header(&input, key);
    }
    if (status == SUMAC_OK) {
        status = read_values(&input, key, values);
    }
    *file = input.file;
    return status;
}

static sumac_status begin(sumac_context *context, int inputs_are_there, void **witness)
{
    if (witness != NULL) {
        *witness = NULL;
    }
    if (context == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    return inputs_are_there && witness != NULL
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_ARGUMENT, "key, what is read and witness must not be null");
}

/* Of a file that was opened, if `status` says so, and is closed in any case. */
static sumac_status read_witness(input_file *file, sumac_status status, const sumac_groth16_key *key,
                                 void **witness)
{
    uint8_t *values = NULL;
    if (status == SUMAC_OK) {
        status =
            key->takes_products ? gnark_solution_read(file, key, &values) : read_wtns(file, key, &values);
    }
    input_close(file);
    if (status != SUMAC_OK) {
        free(values);
        return status;
    }
    *witness = values;
    return SUMAC_OK;
}

sumac_status sumac_groth16_witness_open(sumac_context *context, const sumac_groth16_key *key,
                                        const char *path, void **witness)
{
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = begin(held, key != NULL && path != NULL, witness);
    if (status != SUMAC_OK) {
        return status;
    }
    input_file file;
    return read_witness(&file, input_open(&file, context, path), key, witness);
}

sumac_status sumac_groth16_witness_create(sumac_context *context, const sumac_groth16_key *key,
                                          const void *bytes, size_t count, void **witness)
{
    HOLDS sumac_context *held = context_begin(context);
    const sumac_status status = begin(held, key != NULL && bytes != NULL, witness);
    if (status != SUMAC_OK) {
        return status;
    }
    input_file file;
    input_open_bytes(&file, context, bytes, count, "the witness in memory");
    return read_witness(&file, SUMAC_OK, key, witness);
}
