/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg_output.h"

#include <stdlib.h>

#include "results.h"

enum {
    CELLS_BYTES = SUMAC_KZG_CELLS * SUMAC_KZG_CELL_BYTES,
    PROOFS_BYTES = SUMAC_KZG_CELLS * SUMAC_KZG_PROOF_BYTES
};

/* Check the operands and open the files; cell_outputs_close() is due in any case. */
static int cell_outputs_open(cell_outputs *outputs, const options *given)
{
    *outputs = (cell_outputs){.cells_file = RESULT_FILE_CLOSED, .proofs_file = RESULT_FILE_CLOSED};
    int files = given->operand_count - 1;
    if (files == 0 && !given->json) {
        return bad_input("there is no file for the cells behind %s, and no --json", given->operands[0]);
    }
    outputs->proofs_are_wanted = given->json || files == 2;
    outputs->cells = allocate(CELLS_BYTES, "cells");
    outputs->proofs = allocate(PROOFS_BYTES, "proofs");
    int status = outputs->cells != NULL && outputs->proofs != NULL ? STATUS_DONE : STATUS_MACHINE_FAULT;
    if (status == STATUS_DONE && files >= 1) {
        status = result_file_open(&outputs->cells_file, given->operands[1]);
    }
    if (status == STATUS_DONE && files == 2) {
        status = result_file_open(&outputs->proofs_file, given->operands[2]);
    }
    return status;
}

static void cell_outputs_close(cell_outputs *outputs)
{
    result_file_discard(&outputs->cells_file);
    result_file_discard(&outputs->proofs_file);
    free(outputs->cells);
    free(outputs->proofs);
}

static int write_file(result_file *file, const unsigned char *bytes, size_t count)
{
    int status = file->path == NULL ? STATUS_DONE : result_file_begin(file);
    if (status != STATUS_DONE || file->path == NULL) {
        return status;
    }
    result_file_write(file, bytes, count);
    return result_file_finish(file);
}

/* Records in hexadecimal; null if memory is short. */
static json_t *list_records(const unsigned char *bytes, size_t record_bytes)
{
    char *text = allocate(HEX_SIZE(record_bytes), "JSON");
    json_t *list = text == NULL ? NULL : json_array();
    for (size_t i = 0; i < SUMAC_KZG_CELLS && list != NULL; i++) {
        bytes_to_hex(text, bytes + i * record_bytes, record_bytes);
        if (json_array_append_new(list, json_string(text)) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    free(text);
    return list;
}

static int cell_outputs_write(cell_outputs *outputs, const options *given)
{
    int status = write_file(&outputs->cells_file, outputs->cells, CELLS_BYTES);
    if (status == STATUS_DONE) {
        status = write_file(&outputs->proofs_file, outputs->proofs, PROOFS_BYTES);
    }
    if (status == STATUS_DONE) {
        status = result_file_commit(&outputs->cells_file);
    }
    if (status == STATUS_DONE) {
        status = result_file_commit(&outputs->proofs_file);
    }
    if (status != STATUS_DONE) {
        return status;
    }
    if (given->json) {
        return print_json(json_pack("{s:o, s:o}", "cells", list_records(outputs->cells, SUMAC_KZG_CELL_BYTES),
                                    "proofs", list_records(outputs->proofs, SUMAC_KZG_PROOF_BYTES)));
    }
    print_text(given->operands[1]);
    print(": %d cells\n", SUMAC_KZG_CELLS);
    if (given->operand_count == 3) {
        print_text(given->operands[2]);
        print(": %d proofs\n", SUMAC_KZG_CELLS);
    }
    return STATUS_DONE;
}

int cell_outputs_run(const options *given, cell_outputs_filler fill)
{
    session opened;
    cell_outputs outputs;
    int status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        status = cell_outputs_open(&outputs, given);
        if (status == STATUS_DONE) {
            status = fill(&opened, given, &outputs);
        }
        if (status == STATUS_DONE) {
            status = cell_outputs_write(&outputs, given);
        }
        cell_outputs_close(&outputs);
    }
    return session_close(&opened, status);
}

int print_commitments(const options *given, const unsigned char *commitments, size_t count)
{
    json_t *list = given->json ? json_array() : NULL;
    for (size_t i = 0; i < count; i++) {
        char text[HEX_SIZE(SUMAC_KZG_COMMITMENT_BYTES)];
        bytes_to_hex(text, commitments + i * SUMAC_KZG_COMMITMENT_BYTES, SUMAC_KZG_COMMITMENT_BYTES);
        if (!given->json) {
            print("%s\n", text);
        } else if (json_array_append_new(list, json_string(text)) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return given->json ? print_json(json_pack("{s:o}", "commitments", list)) : STATUS_DONE;
}
