/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* `kzg cells` and `kzg recover`: from the blobs of a file, or some cells of each, to all of their cells and proofs. */
#include "cli.h"

#include "kzg_blobs.h"
#include "kzg_input.h"

/* Cells, or proofs of cells. */
typedef struct output {
    const char *what;
    size_t record_bytes;
    bool is_wanted;
    result_file file;     /* closed if no operand names it */
    json_t *list;         /* null without --json */
    unsigned char *bytes; /* of a sub-batch */
} output;

enum { CELLS, PROOFS, OUTPUTS };

typedef struct cells_run {
    const session *opened;
    const options *given;
    const cell_list *known; /* null: the file holds blobs */
    blob_file blobs;
    size_t capacity; /* blobs that the outputs' bytes hold */
    sumac_kzg_setup *setup;
    output outputs[OUTPUTS];
} cells_run;

static int open_outputs(cells_run *run)
{
    const options *given = run->given;
    const int files = given->operand_count - 1;
    if (files == 0 && !given->json) {
        return bad_input("there is no file for the cells behind %s, and no --json", given->operands[0]);
    }
    for (int i = 0; i < OUTPUTS; i++) {
        output *out = &run->outputs[i];
        out->is_wanted = i == CELLS || given->json || i < files;
        out->list = given->json ? json_array() : NULL;
        if (i < files && ranks_is_first()) {
            MUST(result_file_open(&out->file, given->operands[i + 1]));
        }
    }
    return STATUS_DONE;
}

static int allocate_outputs(cells_run *run, size_t blobs)
{
    for (int i = 0; i < OUTPUTS && run->capacity < blobs; i++) {
        output *out = &run->outputs[i];
        free(out->bytes);
        out->bytes = NULL;
        if (out->is_wanted) {
            out->bytes = allocate((uint64_t)blobs * SUMAC_KZG_CELLS * out->record_bytes, out->what);
            if (out->bytes == NULL) {
                return STATUS_MACHINE_FAULT;
            }
        }
    }
    run->capacity = run->capacity < blobs ? blobs : run->capacity;
    return STATUS_DONE;
}

/* Compute a sub-batch. Known cells that do not fit each other are refused. */
static int compute(cells_run *run)
{
    const session *opened = run->opened;
    const blob_file *blobs = &run->blobs;
    size_t blob;
    uint64_t cell;
    if (blobs->count == 0) {
        return STATUS_DONE;
    }
    MUST(allocate_outputs(run, blobs->count));
    sumac_cell *cells = (sumac_cell *)run->outputs[CELLS].bytes;
    sumac_bytes48 *proofs = (sumac_bytes48 *)run->outputs[PROOFS].bytes;
    if (run->known == NULL) {
        return session_check(opened, sumac_kzg_compute_cells_and_proofs_batch(
                                         opened->context, run->setup, (const sumac_blob *)blobs->records,
                                         blobs->count, cells, proofs));
    }
    const sumac_status status = sumac_kzg_recover_cells_and_proofs_batch_checked(
        opened->context, run->setup, run->known->indices, run->known->count,
        (const sumac_cell *)blobs->records, blobs->count, cells, proofs, &blob, &cell);
    if (status != SUMAC_MISMATCH) {
        return session_check(opened, status);
    }
    return cell < SUMAC_KZG_CELLS
               ? bad_input("%s: blob %zu: cell %u does not fit the others", blobs->path, blobs->first + blob,
                           (unsigned)cell)
               : bad_input("%s: blob %zu: its %zu cells do not fit each other, and it is not known which of "
                           "them are wrong",
                           blobs->path, blobs->first + blob, run->known->count);
}

static sumac_status write_piece(void *user, const void *bytes, size_t count)
{
    output *out = user;
    const unsigned char *record = bytes;
    if (out->file.path != NULL) {
        result_file_write(&out->file, bytes, count); /* result_file_finish() reports a failure */
    }
    for (size_t i = 0; out->list != NULL && i < count / out->record_bytes; i++) {
        json_append(&out->list, bytes_to_json(record + i * out->record_bytes, out->record_bytes));
    }
    return SUMAC_OK;
}

/* Write a sub-batch; of the first one the files are begun. */
static int write_sub_batch(cells_run *run, bool is_first)
{
    const size_t count = run->blobs.count * SUMAC_KZG_CELLS;
    for (int i = 0; i < OUTPUTS; i++) {
        output *out = &run->outputs[i];
        if (out->is_wanted) {
            const bool begins = is_first && out->file.path != NULL;
            MUST(ranks_agree(begins ? result_file_begin(&out->file) : STATUS_DONE));
            MUST(ranks_gather(out->bytes, count * out->record_bytes, write_piece, out));
        }
    }
    return STATUS_DONE;
}

/* For ranks_measure(): compute with arbitrary elements below r, which begins with the byte 0x73. */
static int compute_sample(void *user)
{
    cells_run *run = user;
    const size_t bytes = run->blobs.count * run->blobs.record_bytes;
    const session *opened = run->opened;
    AUTO_FREE unsigned char *records = allocate(bytes, "blobs to measure with");
    if (records == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    for (size_t i = 0; i < bytes; i++) {
        records[i] = (unsigned char)(i % SUMAC_KZG_ELEMENT_BYTES == 0 ? i >> 8 & 0x3f : i * 181 + (i >> 8));
    }
    MUST(allocate_outputs(run, run->blobs.count));
    sumac_cell *cells = (sumac_cell *)run->outputs[CELLS].bytes;
    sumac_bytes48 *proofs = (sumac_bytes48 *)run->outputs[PROOFS].bytes;
    return session_check(
        opened, run->known == NULL ? sumac_kzg_compute_cells_and_proofs_batch(opened->context, run->setup,
                                                                              (const sumac_blob *)records,
                                                                              run->blobs.count, cells, proofs)
                                   : sumac_kzg_recover_cells_and_proofs_batch(
                                         opened->context, run->setup, run->known->indices, run->known->count,
                                         (const sumac_cell *)records, run->blobs.count, cells, proofs));
}

/* Compute blobs sub-batch by sub-batch. The setup is prepared for as many as the first one has; ranks know how many
 * before they read them, and may measure their speeds first. */
static int compute_all(cells_run *run)
{
    enum { MOST_SAMPLES = 64 };
    blob_file *blobs = &run->blobs;
    const size_t share = ranks_share(blobs->size / blobs->record_bytes);
    if (!ranks_are_many()) {
        MUST(blob_file_next(blobs));
    }
    const size_t expected = ranks_are_many() ? share : blobs->count;
    MUST(read_kzg_setup(run->opened, run->given, run->outputs[PROOFS].is_wanted ? expected : 0, &run->setup));
    if (ranks_are_many()) {
        blobs->count = share < MOST_SAMPLES ? share : MOST_SAMPLES;
        const int measured = ranks_measure(blobs->count, compute_sample, run);
        blobs->count = 0;
        MUST(measured);
        MUST(blob_file_next(blobs));
    }
    progress_begin(run->known != NULL ? "recovering cells" : "computing cells");
    for (bool is_first = true; is_first || blobs->count > 0; is_first = false) {
        MUST(ranks_agree(compute(run)));
        MUST(write_sub_batch(run, is_first));
        if (blobs->size > 0) {
            progress_update((double)(blobs->first + blobs->count) * (double)blobs->record_bytes /
                            (double)blobs->size);
        }
        if (ranks_are_many()) {
            break; /* the part was read at once */
        }
        MUST(blob_file_next(blobs));
    }
    progress_end();
    return STATUS_DONE;
}

/* Complete the outputs. The files get their names last: until then a failure changes nothing. */
static int complete_outputs(cells_run *run)
{
    output *outputs = run->outputs;
    result_file *const files[OUTPUTS] = {&outputs[CELLS].file, &outputs[PROOFS].file};
    for (int i = 0; i < OUTPUTS; i++) {
        MUST(ranks_agree(result_file_finish(files[i])));
    }
    MUST(session_write_trace(run->opened));
    if (run->given->json) {
        json_t *object =
            json_pack("{s:O, s:O}", "cells", outputs[CELLS].list, "proofs", outputs[PROOFS].list);
        MUST(print_json(object));
    }
    MUST(ranks_agree(result_files_commit(files, OUTPUTS)));
    for (int i = 0; i + 1 < run->given->operand_count && !run->given->json; i++) {
        print_text(run->given->operands[i + 1]);
        print(": %zu %s\n", run->blobs.all * SUMAC_KZG_CELLS, outputs[i].what);
    }
    return STATUS_DONE;
}

static void free_run(cells_run *run)
{
    blob_file_close(&run->blobs);
    for (int i = 0; i < OUTPUTS; i++) {
        result_file_discard(&run->outputs[i].file);
        json_decref(run->outputs[i].list);
        free(run->outputs[i].bytes);
    }
    sumac_kzg_setup_destroy(run->setup);
}

static int run_cells_of_blobs(const session *opened, const options *given, const cell_list *known)
{
    CLEANUP(free_run)
    cells_run run = {.opened = opened,
                     .given = given,
                     .known = known,
                     .blobs = BLOB_FILE_CLOSED,
                     .outputs = {[CELLS] = {"cells", SUMAC_KZG_CELL_BYTES, .file = RESULT_FILE_CLOSED},
                                 [PROOFS] = {"proofs", SUMAC_KZG_PROOF_BYTES, .file = RESULT_FILE_CLOSED}}};
    MUST(ranks_agree(open_outputs(&run)));
    MUST(ranks_agree(blob_file_open(&run.blobs, given->operands[0], known != NULL ? known->count : 0)));
    MUST(compute_all(&run));
    return complete_outputs(&run);
}

static int run_kzg_cells(const session *opened, const options *given)
{
    return run_cells_of_blobs(opened, given, NULL);
}

static int run_kzg_recover(const session *opened, const options *given)
{
    cell_list known;
    MUST(ranks_agree_on_text("--cells", given->cells));
    MUST(ranks_agree(parse_cells(given->cells, SUMAC_KZG_CELLS / 2, &known)));
    return run_cells_of_blobs(opened, given, &known);
}

#ifdef SUMAC_OVER_RANKS
#define OPTIONS_OF_CELLS OPTION_SETUP, OPTION_VALIDATE, OPTIONS_OF_MACHINE, OPTIONS_OF_PROCESS
#else
#define OPTIONS_OF_CELLS OPTION_SETUP, OPTION_VALIDATE, OPTIONS_OF_MACHINE, OPTION_JSON, OPTIONS_OF_PROCESS
#endif

const command command_kzg_cells = {
    .name = "kzg cells",
    .summary = "Extend Ethereum blobs to cells, with proofs (EIP-7594)",
    .takes = OPTIONS(OPTIONS_OF_CELLS),
    .takes_devices = true,
    .operands = {"BLOBS-FILE [CELLS-FILE [PROOFS-FILE]]", 1, 3, 1},
    .example = "kzg cells blob.bin cells.bin proofs.bin",
    .notes = "BLOBS-FILE holds blobs of 131072 bytes, one behind the other, or one as hexadecimal text. Each "
             "has 128 cells of 2048 bytes, and as many proofs of 48. --json prints them in hexadecimal, and "
             "the files may be left out.",
    .run_in = run_kzg_cells,
};

const command command_kzg_recover = {
    .name = "kzg recover",
    .summary = "Recover all cells of Ethereum blobs from half of them or more (EIP-7594)",
    .takes = OPTIONS(OPTION_CELLS, OPTIONS_OF_CELLS),
    .needs = OPTIONS(OPTION_CELLS),
    .takes_devices = true,
    .operands = {"KNOWN-CELLS-FILE [CELLS-FILE [PROOFS-FILE]]", 1, 3, 1},
    .example = "kzg recover --cells 0..63 known.bin cells.bin",
    .notes = "KNOWN-CELLS-FILE holds the cells that --cells names, blob after blob; the other files are "
             "written as `sumac kzg cells` writes them. More than 64 cells are compared with what is "
             "recovered: wrong ones are refused, and named where that is possible.",
    .run_in = run_kzg_recover,
};
