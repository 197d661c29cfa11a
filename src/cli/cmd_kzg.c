/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file has the commands `kzg ...`. `commit`, `prove`, `cells` and `recover` read files of blobs, one sub-batch at
 * a time. They share one loop. Each command has a blobs_job, which says what is computed for each blob. */
#include "cli.h"

#include "kzg_input.h"
#include "sumac/experimental.h"

/* An output has `items` items of `item_bytes` bytes for each blob. */
typedef struct output {
    const char *what;
    size_t items, item_bytes;
    bool is_wanted, is_listed;
    result_file file;     /* the output file; closed if no operand names one */
    json_t *list;         /* hexadecimal items, if they are printed; null if memory is short */
    unsigned char *bytes; /* the output of a sub-batch */
} output;

#define OUTPUT(name, count, bytes)                                                                           \
    {                                                                                                        \
        .what = (name), .items = (count), .item_bytes = (bytes)                                              \
    }
enum { MOST_OUTPUTS = 4 };

typedef struct blobs_run blobs_run;

typedef struct blobs_job {
    const char *doing;
    output outputs[MOST_OUTPUTS];
    bool writes_files; /* the operands are one file of blobs, then a file for each output */
    int (*compute)(blobs_run *run, const void *records, size_t count);
} blobs_job;

struct blobs_run {
    const session *opened;
    const options *given;
    const blobs_job *job;
    const cell_list *known; /* null if the files have blobs */
    const unsigned char *z; /* null if the blob determines z */
    bool measures;          /* the speed is being measured, with arbitrary records */
    blob_file blobs;
    size_t capacity; /* the number of blobs for which the outputs have memory */
    size_t done;     /* the number of blobs that all ranks have completed */
    bool has_begun;  /* the output files are open for writing */
    sumac_kzg_setup *setup;
    output outputs[MOST_OUTPUTS];
};

/* ---- Computing ---- */

enum { COMMITMENTS, ZS, YS, OPENINGS };

static int compute_commitments(blobs_run *run, const void *records, size_t count)
{
    return session_check(run->opened, sumac_kzg_commit(run->opened->context, run->setup, records, count,
                                                       (sumac_bytes48 *)run->outputs[COMMITMENTS].bytes));
}

/* Open the blobs at z or, if z is null, each blob at the point that it and its commitment determine. */
static int compute_openings(blobs_run *run, const void *records, size_t count)
{
    sumac_context *context = run->opened->context;
    const sumac_blob *blobs = records;
    const sumac_bytes48 *commitments = (const sumac_bytes48 *)run->outputs[COMMITMENTS].bytes;
    sumac_bytes32 *zs = (sumac_bytes32 *)run->outputs[ZS].bytes;
    MUST(compute_commitments(run, records, count));
    for (size_t i = 0; i < count; i++) {
        if (run->z != NULL) {
            memcpy(&zs[i], run->z, sizeof zs[i]);
        } else {
            CALL(run->opened, sumac_kzg_blob_challenge(context, &blobs[i], &commitments[i], &zs[i]));
        }
    }
    return session_check(run->opened, sumac_kzg_compute_proof(context, run->setup, blobs, zs, count,
                                                              (sumac_bytes48 *)run->outputs[OPENINGS].bytes,
                                                              (sumac_bytes32 *)run->outputs[YS].bytes));
}

enum { CELLS, PROOFS };

/* Compute the cells and proofs of blobs, or recover them from known cells. Known cells that contradict each other are
 * refused. */
static int compute_cells(blobs_run *run, const void *records, size_t count)
{
    sumac_context *context = run->opened->context;
    const cell_list *known = run->known;
    sumac_cell *cells = (sumac_cell *)run->outputs[CELLS].bytes;
    sumac_bytes48 *proofs = (sumac_bytes48 *)run->outputs[PROOFS].bytes;
    sumac_kzg_wrong wrong;
    if (known == NULL) {
        return session_check(run->opened,
                             sumac_kzg_cells(context, run->setup, records, count, cells, proofs));
    }
    const sumac_status status = sumac_kzg_recover(context, run->setup, known->indices, known->count, records,
                                                  count, cells, proofs, run->measures ? NULL : &wrong);
    if (status != SUMAC_MISMATCH) {
        return session_check(run->opened, status);
    }
    const size_t blob = run->blobs.first + wrong.blob;
    return wrong.cell < SUMAC_KZG_CELLS
               ? bad_input("%s: blob %zu: cell %u does not fit the others", run->blobs.path, blob,
                           (unsigned)wrong.cell)
               : bad_input("%s: blob %zu: its %zu cells do not fit each other, and it is not known which of "
                           "them are wrong",
                           run->blobs.path, blob, known->count);
}

/* Compute the outputs for `count` records. The memory for the outputs grows as needed. */
static int compute(blobs_run *run, const void *records, size_t count)
{
    for (output *out = run->outputs; out < run->outputs + MOST_OUTPUTS && run->capacity < count; out++) {
        free(out->bytes);
        out->bytes = NULL;
        if (out->is_wanted) {
            ALLOCATE(out->bytes, (uint64_t)count * out->items * out->item_bytes, out->what);
        }
    }
    run->capacity = (size_t)larger(run->capacity, count);
    return count > 0 ? run->job->compute(run, records, count) : STATUS_DONE;
}

/* Compute with arbitrary records, for ranks_measure(). All their elements are less than r, because r begins with the
 * byte 0x73. */
static int compute_sample(void *user)
{
    blobs_run *run = user;
    const size_t bytes = run->blobs.count * run->blobs.record_bytes;
    AUTO_FREE unsigned char *records = NULL;
    ALLOCATE(records, bytes, "blobs to measure with");
    for (size_t i = 0; i < bytes; i++) {
        records[i] = (unsigned char)(i % SUMAC_KZG_ELEMENT_BYTES == 0 ? i >> 8 & 0x3f : i * 181 + (i >> 8));
    }
    return compute(run, records, run->blobs.count);
}

/* ---- Outputs ---- */

static int open_outputs(blobs_run *run)
{
    const options *given = run->given;
    const bool writes_files = run->job->writes_files;
    const int files = writes_files ? given->operand_count - 1 : 0;
    if (writes_files && files == 0 && !given->json) {
        return bad_input("name a file for the cells after %s, or give --json", given->operands[0]);
    }
    for (int i = 0; i < MOST_OUTPUTS && run->job->outputs[i].what != NULL; i++) {
        output *out = &run->outputs[i];
        *out = run->job->outputs[i];
        out->is_wanted = !writes_files || given->json || i == CELLS || i < files;
        out->is_listed = !writes_files || given->json;
        out->list = out->is_listed ? json_array() : NULL;
        if (i < files && ranks_is_first()) {
            MUST(result_file_open(&out->file, given->operands[i + 1]));
        }
    }
    return STATUS_DONE;
}

static sumac_status write_piece(void *user, const void *bytes, size_t count)
{
    output *out = user;
    const unsigned char *item = bytes;
    if (out->file.path != NULL) {
        result_file_write(&out->file, bytes, count); /* if this fails, result_file_finish() reports it */
    }
    for (size_t i = 0; out->list != NULL && i < count / out->item_bytes; i++) {
        json_append(&out->list, bytes_to_json(item + i * out->item_bytes, out->item_bytes));
    }
    return SUMAC_OK;
}

static int write_sub_batch(blobs_run *run)
{
    for (output *out = run->outputs; out < run->outputs + MOST_OUTPUTS; out++) {
        if (out->is_wanted) {
            const bool begins = !run->has_begun && out->file.path != NULL;
            MUST(ranks_agree(begins ? result_file_begin(&out->file) : STATUS_DONE));
            MUST(ranks_gather(out->bytes, run->blobs.count * out->items * out->item_bytes, write_piece, out));
        }
    }
    run->has_begun = true;
    return STATUS_DONE;
}

/* ---- The loop over blobs ---- */

/* Read the setup, and the first sub-batch of blobs. The setup is prepared for the number of blobs. With several ranks,
 * the speeds of the ranks are measured after the setup was read and before each rank reads its share of the blobs. */
static int read_setup_and_blobs(blobs_run *run)
{
    enum { MOST_SAMPLES = 64 };
    blob_file *blobs = &run->blobs;
    const bool makes_cell_proofs = run->job->writes_files && run->outputs[PROOFS].is_wanted;
    const size_t share = ranks_share(blobs->size / blobs->record_bytes);
    if (!ranks_are_many()) {
        MUST(blob_file_next(blobs));
        return run->setup != NULL ? STATUS_DONE
                                  : read_kzg_setup(run->opened, run->given,
                                                   makes_cell_proofs ? blobs->count : 0, &run->setup);
    }
    MUST(read_kzg_setup(run->opened, run->given, makes_cell_proofs ? share : 0, &run->setup));
    blobs->count = (size_t)smaller(share, MOST_SAMPLES);
    run->measures = true;
    const int measured = ranks_measure(blobs->count, compute_sample, run);
    run->measures = false;
    blobs->count = 0;
    MUST(measured);
    return blob_file_next(blobs);
}

static int go_through_file(blobs_run *run, const char *path)
{
    blob_file *blobs = &run->blobs;
    MUST(ranks_agree(blob_file_open(blobs, path, run->known != NULL ? run->known->count : 0)));
    MUST(read_setup_and_blobs(run));
    progress_begin("%s", run->job->doing);
    for (bool is_first = true; is_first || blobs->count > 0; is_first = false) {
        MUST(ranks_agree(compute(run, blobs->records, blobs->count)));
        MUST(write_sub_batch(run));
        if (blobs->size > 0) {
            progress_update((double)(blobs->first + blobs->count) * (double)blobs->record_bytes /
                            (double)blobs->size);
        }
        if (ranks_are_many()) {
            break; /* over ranks, each rank reads its whole part at once */
        }
        MUST(blob_file_next(blobs));
    }
    session_span(run->opened, run->job->doing, progress_start());
    progress_end();
    run->done += blobs->all;
    blob_file_close(blobs);
    return STATUS_DONE;
}

static void free_run(blobs_run *run)
{
    blob_file_close(&run->blobs);
    for (output *out = run->outputs; out < run->outputs + MOST_OUTPUTS; out++) {
        result_file_discard(&out->file);
        json_decref(out->list);
        free(out->bytes);
    }
    sumac_kzg_destroy(run->setup);
}

static int go_through_files(blobs_run *run)
{
    const int files = run->job->writes_files ? 1 : run->given->operand_count;
    MUST(ranks_agree(!ranks_are_many() || files == 1
                         ? open_outputs(run)
                         : bad_input("with several ranks only one file of blobs can be given")));
    for (int i = 0; i < files; i++) {
        MUST(go_through_file(run, run->given->operands[i]));
    }
    for (output *out = run->outputs; out < run->outputs + MOST_OUTPUTS; out++) {
        MUST(ranks_agree(out->is_listed && out->list == NULL
                             ? machine_fault("out of memory: cannot list the %s", out->what)
                             : result_file_finish(&out->file)));
    }
    return session_write_trace(run->opened);
}

static const char *item_at(const output *out, size_t i)
{
    return json_string_value(json_array_get(out->list, i));
}

/* ---- kzg commit ---- */

static int run_kzg_commit(const session *opened, const options *given)
{
    static const blobs_job job = {.doing = "committing",
                                  .outputs = {OUTPUT("commitments", 1, SUMAC_KZG_COMMITMENT_BYTES)},
                                  .compute = compute_commitments};
    CLEANUP(free_run)
    blobs_run run = {.opened = opened, .given = given, .job = &job, .blobs = BLOB_FILE_CLOSED};
    const output *commitments = &run.outputs[COMMITMENTS];
    unsigned char expected[SUMAC_KZG_COMMITMENT_BYTES];
    char text[HEX_SIZE(sizeof expected)] = "";
    MUST(ranks_agree(decode_hex_option("--commitment", given->commitment, expected, sizeof expected)));
    MUST(go_through_files(&run));
    if (given->commitment != NULL && run.done != 1) {
        return bad_input("--commitment goes with one blob, not %zu", run.done);
    }
    if (given->json && ranks_is_first()) {
        MUST(print_json(json_pack("{s:O}", "commitments", commitments->list)));
    }
    for (size_t i = 0; i < run.done && !given->json && ranks_is_first(); i++) {
        print("%s\n", item_at(commitments, i));
    }
    if (given->commitment != NULL) {
        bytes_to_hex(text, expected, sizeof expected);
    }
    return given->commitment == NULL || strcmp(text, item_at(commitments, 0)) == 0
               ? STATUS_DONE
               : found_different("the commitment to '%s' is not the one that --commitment gives",
                                 given->operands[0]);
}

#ifdef SUMAC_OVER_RANKS
#define OPTIONS_OF_COMMIT OPTION_SETUP, OPTION_VALIDATE
#define OPTIONS_OF_CELLS OPTION_SETUP, OPTION_VALIDATE, OPTIONS_OF_MACHINE, OPTIONS_OF_PROCESS
#else
#define OPTIONS_OF_COMMIT OPTION_SETUP, OPTION_VALIDATE, OPTION_COMMITMENT
#define OPTIONS_OF_CELLS OPTION_SETUP, OPTION_VALIDATE, OPTIONS_OF_MACHINE, OPTION_JSON, OPTIONS_OF_PROCESS
#endif

const command command_kzg_commit = {
    .name = "kzg commit",
    .summary = "Commit to Ethereum blobs (EIP-4844)",
    .takes = OPTIONS(OPTIONS_OF_COMMIT, OPTIONS_OF_MACHINE, OPTION_JSON, OPTIONS_OF_PROCESS),
    .takes_devices = true,
    .operands = {"BLOBS-FILE...", 1, MANY_OPERANDS, MANY_OPERANDS},
    .example = "kzg commit blob.bin",
    .notes =
        "A file holds blobs of 131072 bytes one after another, or one blob in hexadecimal, with or without "
        "0x. Each line of the output is one commitment, 48 bytes in hexadecimal. With --commitment the "
        "exit status is 1 if the blob has another commitment.",
    .run_in = run_kzg_commit,
};

/* ---- kzg prove ---- */

static int run_kzg_prove(const session *opened, const options *given)
{
    static const blobs_job job = {.doing = "proving",
                                  .outputs = {OUTPUT("commitments", 1, SUMAC_KZG_COMMITMENT_BYTES),
                                              OUTPUT("evaluation points", 1, SUMAC_KZG_ELEMENT_BYTES),
                                              OUTPUT("values", 1, SUMAC_KZG_ELEMENT_BYTES),
                                              OUTPUT("proofs", 1, SUMAC_KZG_PROOF_BYTES)},
                                  .compute = compute_openings};
    CLEANUP(free_run)
    blobs_run run = {.opened = opened, .given = given, .job = &job, .blobs = BLOB_FILE_CLOSED};
    const output *outputs = run.outputs;
    unsigned char z[SUMAC_KZG_ELEMENT_BYTES];
    MUST(decode_hex_option("-z", given->z, z, sizeof z));
    run.z = given->z != NULL ? z : NULL;
    MUST(go_through_files(&run));
    json_t *list = given->json ? json_array() : NULL;
    for (size_t i = 0; i < run.done; i++) {
        const char *proof = item_at(&outputs[OPENINGS], i), *y = item_at(&outputs[YS], i);
        if (given->json) {
            json_append(&list,
                        json_pack("{s:s, s:s, s:s, s:s}", "commitment", item_at(&outputs[COMMITMENTS], i),
                                  "z", item_at(&outputs[ZS], i), "y", y, "proof", proof));
        } else {
            print(given->z != NULL ? "%s %s\n" : "%s\n", proof, y);
        }
    }
    return given->json ? print_json(json_pack("{s:o}", "proofs", list)) : STATUS_DONE;
}

const command command_kzg_prove = {
    .name = "kzg prove",
    .summary = "Open Ethereum blobs at a point (EIP-4844)",
    .takes = OPTIONS(OPTION_SETUP, OPTION_VALIDATE, OPTION_Z, OPTIONS_OF_MACHINE, OPTION_JSON, OPTION_TRACE),
    .takes_devices = true,
    .operands = {"BLOBS-FILE...", 1, MANY_OPERANDS, MANY_OPERANDS},
    .example = "kzg prove blob.bin",
    .notes =
        "Each line of the output is one proof. Without -z the evaluation point is the one that the blob and "
        "its commitment determine; with -z the value follows the proof.",
    .run_in = run_kzg_prove,
};

/* ---- kzg cells, kzg recover ---- */

static int run_cells(const session *opened, const options *given, const cell_list *known)
{
    const blobs_job job = {.doing = known != NULL ? "recovering cells" : "computing cells",
                           .outputs = {OUTPUT("cells", SUMAC_KZG_CELLS, SUMAC_KZG_CELL_BYTES),
                                       OUTPUT("proofs", SUMAC_KZG_CELLS, SUMAC_KZG_PROOF_BYTES)},
                           .writes_files = true,
                           .compute = compute_cells};
    CLEANUP(free_run)
    blobs_run run = {
        .opened = opened, .given = given, .job = &job, .known = known, .blobs = BLOB_FILE_CLOSED};
    output *outputs = run.outputs;
    MUST(go_through_files(&run));
    if (given->json) {
        MUST(print_json(
            json_pack("{s:O, s:O}", "cells", outputs[CELLS].list, "proofs", outputs[PROOFS].list)));
    }
    /* Rename the files last, so that an earlier failure changes nothing. */
    result_file *const files[] = {&outputs[CELLS].file, &outputs[PROOFS].file};
    MUST(ranks_agree(result_files_commit(files, 2)));
    for (int i = 0; i + 1 < given->operand_count && !given->json; i++) {
        print_text(given->operands[i + 1]);
        print(": %zu %s\n", run.done * SUMAC_KZG_CELLS, outputs[i].what);
    }
    return STATUS_DONE;
}

static int run_kzg_cells(const session *opened, const options *given)
{
    return run_cells(opened, given, NULL);
}

static int run_kzg_recover(const session *opened, const options *given)
{
    cell_list known;
    MUST(ranks_agree_on_text("--cells", given->cells));
    MUST(ranks_agree(parse_cells(given->cells, SUMAC_KZG_CELLS / 2, &known)));
    return run_cells(opened, given, &known);
}

const command command_kzg_cells = {
    .name = "kzg cells",
    .summary = "Extend Ethereum blobs to cells, with proofs (EIP-7594)",
    .takes = OPTIONS(OPTIONS_OF_CELLS),
    .takes_devices = true,
    .operands = {"BLOBS-FILE [CELLS-FILE [PROOFS-FILE]]", 1, 3, 1},
    .example = "kzg cells blob.bin cells.bin proofs.bin",
    .notes =
        "BLOBS-FILE holds blobs of 131072 bytes one after another, or one blob as hexadecimal text. Each "
        "blob has 128 cells of 2048 bytes, and 128 proofs of 48 bytes. With --json they are printed in "
        "hexadecimal, and the files may be left out.",
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

/* ---- kzg verify ---- */

static int check_combinations(const options *given)
{
    bool value = given->z != NULL || given->y != NULL;
    if (given->operand_count == 2) {
        return given->proof == NULL && !value
                   ? STATUS_DONE
                   : bad_input("--proof, -z and -y do not go with a file of cells and one of proofs");
    }
    if (given->cells != NULL) {
        return bad_input("--cells goes with a file of cells and one of proofs");
    }
    if (given->proof == NULL) {
        return bad_input("'sumac kzg verify' needs --proof HEX, or a file of cells and one of proofs");
    }
    if (given->operand_count == 1 && value) {
        return bad_input("-z and -y do not go with a blob, which determines them");
    }
    if (given->operand_count == 0 && (given->z == NULL || given->y == NULL)) {
        return bad_input("'sumac kzg verify' needs a blob's file, or -z HEX and -y HEX");
    }
    return STATUS_DONE;
}

/* Verify a proof of a blob, of cells or of a value. The number of files decides which of these it is. */
static int run_kzg_verify(const session *opened, const options *given)
{
    sumac_context *context = opened->context;
    CLEANUP(close_kzg_setup) sumac_kzg_setup *setup = NULL;
    CLEANUP(blob_file_close) blob_file file = BLOB_FILE_CLOSED;
    AUTO_FREE unsigned char *cells = NULL, *proofs = NULL;
    AUTO_FREE sumac_bytes48 *commitments = NULL;
    sumac_bytes48 commitment, proof;
    sumac_bytes32 z, y;
    cell_list list;
    sumac_status status;
    int ok = 0;
    MUST(check_combinations(given));
    MUST(decode_hex_option("--commitment", given->commitment, commitment.bytes, sizeof commitment));
    MUST(decode_hex_option("--proof", given->proof, proof.bytes, sizeof proof));
    MUST(decode_hex_option("-z", given->z, z.bytes, sizeof z));
    MUST(decode_hex_option("-y", given->y, y.bytes, sizeof y));
    if (given->operand_count == 1) {
        MUST(blob_file_open(&file, given->operands[0], 0));
        MUST(blob_file_next(&file));
    } else if (given->operand_count == 2) {
        MUST(parse_cells(given->cells, 0, &list));
        MUST(read_records(given->operands[0], "cells", list.count, SUMAC_KZG_CELL_BYTES, &cells));
        MUST(read_records(given->operands[1], "proofs", list.count, SUMAC_KZG_PROOF_BYTES, &proofs));
        ALLOCATE(commitments, list.count * sizeof *commitments, "commitments");
        for (size_t i = 0; i < list.count; i++) {
            commitments[i] = commitment;
        }
    }
    if (file.count > 1) {
        return bad_input("%s: it has %zu blobs, and one is verified at a time", file.path,
                         (size_t)larger(file.count, file.size / file.record_bytes));
    }
    MUST(read_kzg_setup(opened, given, 0, &setup));
    progress_begin("verifying");
    if (given->operand_count == 0) {
        status = sumac_kzg_verify_proof(context, setup, &commitment, &z, &y, &proof, 1, &ok);
    } else if (given->operand_count == 1) {
        status = sumac_kzg_verify_blob_proof(context, setup, (const sumac_blob *)file.records, &commitment,
                                             &proof, 1, &ok);
    } else {
        status = sumac_kzg_verify_cells(context, setup, commitments, list.indices, (const sumac_cell *)cells,
                                        (const sumac_bytes48 *)proofs, list.count, &ok);
    }
    MUST(session_step(opened, "verify", status));
    MUST(session_write_trace(opened));
    return print_verdict(given, ok, cells != NULL ? "the proofs hold" : "the proof holds",
                         cells != NULL ? "proof invalid, or cell mismatch" : "proof invalid");
}

const command command_kzg_verify = {
    .name = "kzg verify",
    .summary = "Verify a proof of an Ethereum blob, of its value, or of its cells (EIP-4844, EIP-7594)",
    .takes = OPTIONS(OPTION_SETUP, OPTION_VALIDATE, OPTION_COMMITMENT, OPTION_PROOF, OPTION_Z, OPTION_Y,
                     OPTION_CELLS, OPTION_BACKEND, OPTION_DEVICES, OPTION_THREADS, OPTION_MEMORY_LIMIT,
                     TUNE_VARIANT, OPTION_JSON, OPTION_TRACE),
    .needs = OPTIONS(OPTION_COMMITMENT),
    .operands = {"[BLOB-FILE | CELLS-FILE PROOFS-FILE]", 0, 2, 2},
    .example = "kzg verify --commitment 0xa572.. --proof 0x8a99.. blob.bin",
    .notes = "With a file of one blob and --proof it verifies that the blob belongs to the commitment; with "
             "--proof, -z and -y that the value at z is y; with a file of cells and one of proofs that the "
             "cells belong to the commitment. The exit status is 1 if that is not so.",
    .run_in = run_kzg_verify,
};

/* ---- kzg setup ---- */

static int run_kzg_setup(const session *opened, const options *given)
{
    CLEANUP(close_kzg_setup) sumac_kzg_setup *setup = NULL;
    CLEANUP(result_file_discard) result_file file = RESULT_FILE_CLOSED;
    result_file *const files[] = {&file};
    MUST(result_file_open(&file, given->operands[0]));
    MUST(read_kzg_setup(opened, given, 1, &setup));
    MUST(result_file_begin(&file));
    progress_begin("writing %s", file.path);
    MUST(session_save(opened, "write", &file, sumac_kzg_save(opened->context, setup, file.library_path)));
    MUST(session_commit(opened, files, 1));
    print_text(given->operands[0]);
    print(": a setup, prepared for proofs of cells\n");
    return STATUS_DONE;
}

const command command_kzg_setup = {
    .name = "kzg setup",
    .summary = "Check a trusted setup and save it prepared, so that it is read faster",
    .takes = OPTIONS(OPTION_SETUP, OPTION_VALIDATE, OPTION_TABLE_LIMIT, OPTION_BACKEND, OPTION_DEVICES,
                     OPTION_THREADS, TUNE_VARIANT, OPTION_TRACE),
    .presets = PRESETS({OPTION_VALIDATE, "subgroup"}),
    .operands = {"OUT", 1, 1, 0},
    .example = "kzg setup --setup trusted_setup.txt setup.bin",
    .notes =
        "With --table-limit it also holds tables of at most so many bytes, for faster proofs of cells. The "
        "tables of a setup that was saved prepared are kept as they are.",
    .run_in = run_kzg_setup,
};
