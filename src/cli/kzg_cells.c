/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg_cells.h"

#include <stdlib.h>

#include "files.h"
#include "kzg_blobs.h"
#include "progress.h"
#include "results.h"

/* Cells, or proofs of cells. */
typedef struct output {
    const char *what;
    size_t record_bytes;
    bool is_wanted;
    result_file file;     /* closed where there is no operand for it */
    json_t *list;         /* null without --json */
    unsigned char *bytes; /* of a sub-batch */
} output;

enum { CELLS, PROOFS, OUTPUTS };

typedef struct cells_run {
    session opened;
    const options *given;
    const cell_list *known; /* null: the blobs themselves are there */
    blob_file blobs;
    size_t capacity; /* blobs that the outputs' bytes have room for */
    sumac_kzg_setup *setup;
    output outputs[OUTPUTS];
} cells_run;

static int open_outputs(cells_run *run)
{
    const options *given = run->given;
    const int files = given->operand_count - 1;
    int status = STATUS_DONE;
    if (files == 0 && !given->json) {
        return bad_input("there is no file for the cells behind %s, and no --json", given->operands[0]);
    }
    for (int i = 0; i < OUTPUTS && status == STATUS_DONE; i++) {
        output *made = &run->outputs[i];
        made->is_wanted = i == CELLS || given->json || i < files;
        if (given->json && (made->list = json_array()) == NULL) {
            status = machine_fault("out of memory for JSON");
        }
        if (status == STATUS_DONE && i < files) {
            status = result_file_open(&made->file, given->operands[i + 1]);
        }
    }
    return status;
}

/* Room for what the sub-batch gives. */
static int make_room(cells_run *run)
{
    for (int i = 0; i < OUTPUTS && run->capacity < run->blobs.count; i++) {
        output *made = &run->outputs[i];
        free(made->bytes);
        made->bytes = NULL;
        if (made->is_wanted) {
            made->bytes =
                allocate((uint64_t)run->blobs.count * SUMAC_KZG_CELLS * made->record_bytes, made->what);
            if (made->bytes == NULL) {
                return STATUS_MACHINE_FAULT;
            }
        }
    }
    run->capacity = run->capacity < run->blobs.count ? run->blobs.count : run->capacity;
    return STATUS_DONE;
}

static int compute(const cells_run *run)
{
    const blob_file *blobs = &run->blobs;
    unsigned char *cells = run->outputs[CELLS].bytes, *proofs = run->outputs[PROOFS].bytes;
    if (run->known != NULL) {
        return recover_cells_of_blobs(&run->opened, run->setup, blobs->path, run->known, blobs->records,
                                      blobs->count, blobs->first, cells, proofs);
    }
    const sumac_status status = sumac_kzg_compute_cells_and_proofs_batch(
        run->opened.context, run->setup, (const sumac_blob *)blobs->records, blobs->count,
        (sumac_cell *)cells, (sumac_bytes48 *)proofs);
    return status == SUMAC_OK ? STATUS_DONE : session_failure(&run->opened, status);
}

/* Records in hexadecimal, behind those of the list. */
static int append_records(json_t *list, const unsigned char *bytes, size_t record_bytes, size_t count)
{
    char *text = allocate(HEX_SIZE(record_bytes), "JSON");
    size_t i = 0;
    for (; i < count && text != NULL; i++) {
        bytes_to_hex(text, bytes + i * record_bytes, record_bytes);
        if (json_array_append_new(list, json_string(text)) != 0) {
            break;
        }
    }
    free(text);
    return text == NULL ? STATUS_MACHINE_FAULT
           : i < count  ? machine_fault("out of memory for JSON")
                        : STATUS_DONE;
}

/* Write a sub-batch, the first one when it is there. */
static int keep_sub_batch(cells_run *run)
{
    const size_t count = run->blobs.count * SUMAC_KZG_CELLS;
    int status = STATUS_DONE;
    for (int i = 0; i < OUTPUTS && status == STATUS_DONE; i++) {
        output *made = &run->outputs[i];
        if (made->file.path != NULL && run->blobs.first == 0) {
            status = result_file_begin(&made->file);
        }
        if (made->file.path != NULL && status == STATUS_DONE) {
            result_file_write(&made->file, made->bytes, count * made->record_bytes);
        }
        if (made->list != NULL && status == STATUS_DONE) {
            status = append_records(made->list, made->bytes, made->record_bytes, count);
        }
    }
    return status;
}

static void report_progress(const blob_file *blobs)
{
    const size_t done = (blobs->first + blobs->count) * blobs->record_bytes;
    if (blobs->size > 0) {
        progress_update((double)done / (double)blobs->size);
    }
}

/* Blobs sub-batch by sub-batch. The setup is read behind the first one, and fits its size. */
static int compute_all(cells_run *run)
{
    int status = blob_file_next(&run->blobs);
    if (status == STATUS_DONE) {
        status = read_kzg_setup(&run->opened, run->given,
                                run->outputs[PROOFS].is_wanted ? run->blobs.count : 0, &run->setup);
    }
    if (status == STATUS_DONE) {
        progress_begin(run->known != NULL ? "recovering cells" : "computing cells");
    }
    while (status == STATUS_DONE && run->blobs.count > 0) {
        status = make_room(run);
        if (status == STATUS_DONE) {
            status = compute(run);
        }
        if (status == STATUS_DONE) {
            status = keep_sub_batch(run);
        }
        if (status == STATUS_DONE) {
            report_progress(&run->blobs);
            status = blob_file_next(&run->blobs);
        }
    }
    progress_end();
    return status;
}

static void print_files(const cells_run *run)
{
    for (int i = 0; i + 1 < run->given->operand_count; i++) {
        print_text(run->given->operands[i + 1]);
        print(": %zu %s\n", run->blobs.first * SUMAC_KZG_CELLS, run->outputs[i].what);
    }
}

static int print_lists(cells_run *run)
{
    output *cells = &run->outputs[CELLS], *proofs = &run->outputs[PROOFS];
    json_t *object = json_pack("{s:o, s:o}", "cells", cells->list, "proofs", proofs->list);
    cells->list = NULL;
    proofs->list = NULL;
    return print_json(object);
}

/* The files get their names last: until then a failure changes nothing. */
static int give_results(cells_run *run)
{
    int status = STATUS_DONE;
    for (int i = 0; i < OUTPUTS && status == STATUS_DONE; i++) {
        status = result_file_finish(&run->outputs[i].file);
    }
    if (status == STATUS_DONE) {
        status = session_write_trace(&run->opened);
    }
    if (status == STATUS_DONE && run->given->json) {
        status = print_lists(run);
    }
    result_file *const both[OUTPUTS] = {&run->outputs[CELLS].file, &run->outputs[PROOFS].file};
    if (status == STATUS_DONE) {
        status = result_files_commit(both, OUTPUTS);
    }
    if (status == STATUS_DONE && !run->given->json) {
        print_files(run);
    }
    return status;
}

static int execute(cells_run *run)
{
    int status = session_open(&run->opened, run->given);
    if (status == STATUS_DONE) {
        status = open_outputs(run);
    }
    if (status == STATUS_DONE) {
        status =
            blob_file_open(&run->blobs, run->given->operands[0], run->known != NULL ? run->known->count : 0);
    }
    if (status == STATUS_DONE) {
        status = compute_all(run);
    }
    return status == STATUS_DONE ? give_results(run) : status;
}

int run_cells_of_blobs(const options *given, const cell_list *known)
{
    cells_run run = {.given = given,
                     .known = known,
                     .blobs = BLOB_FILE_CLOSED,
                     .outputs = {[CELLS] = {"cells", SUMAC_KZG_CELL_BYTES, .file = RESULT_FILE_CLOSED},
                                 [PROOFS] = {"proofs", SUMAC_KZG_PROOF_BYTES, .file = RESULT_FILE_CLOSED}}};
    const int status = execute(&run);
    blob_file_close(&run.blobs);
    for (int i = 0; i < OUTPUTS; i++) {
        result_file_discard(&run.outputs[i].file);
        json_decref(run.outputs[i].list);
        free(run.outputs[i].bytes);
    }
    sumac_kzg_setup_destroy(run.setup);
    return session_close(&run.opened, status);
}
