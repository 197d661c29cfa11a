/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* `sumac-mpi kzg commit`, `cells` and `recover`: each rank computes its part of the blobs. The functions here
 * are collective, and fail on all ranks alike, but for those that say otherwise. */
#define _XOPEN_SOURCE 700

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/clock.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/kzg_input.h"
#include "cli/kzg_output.h"
#include "job.h"

typedef enum operation { COMMIT, CELLS, RECOVER } operation;

static const char *const names[] = {"kzg commit", "kzg cells", "kzg recover"};

/* What is computed of each blob, of one kind: this rank's part, and on rank 0 the file for all. */
typedef struct output {
    const char *what;
    size_t each, each_bytes; /* of a blob, so many of so many bytes; 0 where it is not wanted */
    unsigned char *bytes;
    result_file file;
} output;

enum { FIRST, PROOFS, OUTPUTS }; /* commitments or cells; proofs of cells */

typedef struct kzg_job {
    rank_job base;
    operation does;
    cell_list known; /* of `kzg recover` */
    sumac_kzg_setup *setup;
    size_t record_bytes;    /* of what is there of a blob */
    size_t n, first, count; /* of the file's blobs; this rank's */
    void *records;
    output outputs[OUTPUTS];
} kzg_job;

static bool has_proofs(const kzg_job *job)
{
    return job->outputs[PROOFS].each > 0;
}

/* ---- Options ---- */

/* Of this rank alone: what is computed. */
static int choose_sizes(kzg_job *job, const options *given)
{
    int status = STATUS_DONE;
    job->record_bytes = SUMAC_KZG_BLOB_BYTES;
    if (job->does == RECOVER) {
        status = parse_known_cells(given->cells, &job->known);
        job->record_bytes = job->known.count * SUMAC_KZG_CELL_BYTES;
    }
    for (int i = 0; i < OUTPUTS; i++) {
        job->outputs[i] = (output){.file = RESULT_FILE_CLOSED};
    }
    output *first = &job->outputs[FIRST], *proofs = &job->outputs[PROOFS];
    first->what = job->does == COMMIT ? "commitments" : "cells";
    first->each = job->does == COMMIT ? 1 : SUMAC_KZG_CELLS;
    first->each_bytes = job->does == COMMIT ? SUMAC_KZG_COMMITMENT_BYTES : SUMAC_KZG_CELL_BYTES;
    proofs->what = "proofs";
    proofs->each = given->operand_count == 3 ? SUMAC_KZG_CELLS : 0;
    proofs->each_bytes = SUMAC_KZG_PROOF_BYTES;
    return status;
}

/* Of this rank alone. Rank 0 sees that it can write before anyone computes. */
static int check_options(kzg_job *job, const options *given)
{
    int rank = 0;
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int status = choose_sizes(job, given);
    if (status == STATUS_DONE) {
        status = job_refuse_standard_input(given->setup);
    }
    if (status == STATUS_DONE) {
        status = job_refuse_standard_input(given->operands[0]);
    }
    for (int i = 1; i < given->operand_count && rank == 0 && status == STATUS_DONE; i++) {
        status = result_file_open(&job->outputs[i - 1].file, given->operands[i]);
    }
    return status;
}

static int agree_on_options(const kzg_job *job)
{
    char text[128];
    const options *given = &job->base.given;
    (void)snprintf(text, sizeof text, "%s%s, check %s", names[job->does],
                   has_proofs(job) ? " with proofs" : "", option_choice(OPTION_CHECK, given->check));
    const int status = job_status(&job->base, sumac_mpi_agree_on_text(job->base.ranks, "command", text));
    return status == STATUS_DONE && job->does == RECOVER
               ? job_status(&job->base, sumac_mpi_agree_on_text(job->base.ranks, "--cells", given->cells))
               : status;
}

/* ---- The setup and the blobs ---- */

/* Of this rank alone: about how many blobs each rank will have. What is wrong with the file is said later. */
static size_t mean_part(const kzg_job *job)
{
    struct stat facts;
    if (stat(job->base.given.operands[0], &facts) != 0 || facts.st_size <= 0) {
        return 1;
    }
    const size_t count = (size_t)facts.st_size / job->record_bytes / (size_t)job->base.count;
    return count > 0 ? count : 1;
}

static int read_setup(kzg_job *job)
{
    const options *given = &job->base.given;
    sumac_context *context = job->base.opened.context;
    int status = job_status(&job->base, sumac_mpi_agree_on_file(job->base.ranks, "setup", given->setup));
    if (status != STATUS_DONE) {
        return status;
    }
    sumac_status done = sumac_kzg_setup_open(context, given->setup, (sumac_check)given->check, &job->setup);
    if (done == SUMAC_OK && has_proofs(job) && !sumac_kzg_setup_has_tables(job->setup)) {
        done = sumac_kzg_setup_make_tables(context, job->setup, table_bytes_for_blobs(mean_part(job)));
    }
    return job_agree(done == SUMAC_OK ? STATUS_DONE : session_failure(&job->base.opened, done));
}

/* Of this rank alone, and the same on all of them: `sumac kzg` would read one blob's text here. */
static int refuse_text(const kzg_job *job, const char *path)
{
    enum { TEXT_BYTES = 2 * SUMAC_KZG_BLOB_BYTES };
    unsigned char *data = NULL;
    size_t size = 0;
    if (job->does == RECOVER || job->n * job->record_bytes != TEXT_BYTES) {
        return STATUS_DONE;
    }
    int status = read_small_file(path, TEXT_BYTES, &data, &size);
    if (status == STATUS_DONE && is_text_of_blob(data, size)) {
        status = bad_input("%s is hexadecimal text; over ranks blobs are read in binary", path);
    }
    free(data);
    return status;
}

/* Of this rank alone: every element is less than r; the sentence counts blobs as the file does. */
static int check_elements(const kzg_job *job)
{
    const char *path = job->base.given.operands[0];
    const int status = refuse_text(job, path);
    if (status != STATUS_DONE) {
        return status;
    }
    return check_elements_of_blobs(path, job->records, job->count, job->record_bytes, job->first);
}

static int read_blobs(kzg_job *job)
{
    const char *path = job->base.given.operands[0];
    const int status =
        job_status(&job->base, sumac_mpi_records_read(job->base.ranks, path, job->record_bytes, &job->records,
                                                      &job->count, &job->first, &job->n));
    if (status != STATUS_DONE) {
        return status;
    }
    if (job->n == 0) {
        return bad_input("%s: there is no blob in it", path); /* all ranks found the same file */
    }
    return job_agree(check_elements(job));
}

/* ---- Computing: of this rank alone ---- */

static int allocate_outputs(const kzg_job *job, size_t count, unsigned char *bytes[OUTPUTS])
{
    for (int i = 0; i < OUTPUTS; i++) {
        const output *made = &job->outputs[i];
        bytes[i] = NULL;
        if (made->each > 0) {
            bytes[i] = allocate((uint64_t)count * made->each * made->each_bytes, made->what);
            if (bytes[i] == NULL) {
                return STATUS_MACHINE_FAULT;
            }
        }
    }
    return STATUS_DONE;
}

/* This rank's blobs. Known cells have to fit each other, but for those that are made up to measure with. */
static int compute(const kzg_job *job, const void *records, size_t count, bool made_up,
                   unsigned char *bytes[OUTPUTS])
{
    sumac_context *context = job->base.opened.context;
    sumac_status status = SUMAC_OK;
    if (count == 0) {
        return STATUS_DONE;
    }
    switch (job->does) {
    case COMMIT:
        status = sumac_kzg_commit_batch(context, job->setup, (const sumac_blob *)records, count,
                                        (sumac_bytes48 *)bytes[FIRST]);
        break;
    case CELLS:
        status = sumac_kzg_compute_cells_and_proofs_batch(context, job->setup, (const sumac_blob *)records,
                                                          count, (sumac_cell *)bytes[FIRST],
                                                          (sumac_bytes48 *)bytes[PROOFS]);
        break;
    case RECOVER:
        if (!made_up) {
            return recover_cells_of_blobs(&job->base.opened, job->setup, job->base.given.operands[0],
                                          &job->known, records, count, job->first, bytes[FIRST],
                                          bytes[PROOFS]);
        }
        status = sumac_kzg_recover_cells_and_proofs_batch(
            context, job->setup, job->known.indices, job->known.count, (const sumac_cell *)records, count,
            (sumac_cell *)bytes[FIRST], (sumac_bytes48 *)bytes[PROOFS]);
        break;
    }
    return status == SUMAC_OK ? STATUS_DONE : session_failure(&job->base.opened, status);
}

/* ---- --measure-weights ---- */

/* What a rank computes to see how long it takes: any elements do. */
typedef struct sample {
    size_t count;
    unsigned char *records, *bytes[OUTPUTS];
} sample;

static int make_sample(const kzg_job *job, sample *made)
{
    enum { MOST = 64 };
    const size_t mean = mean_part(job);
    made->count = mean < MOST ? mean : MOST;
    const size_t bytes = made->count * job->record_bytes;
    made->records = allocate(bytes, "blobs to measure with");
    if (made->records == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    for (size_t i = 0; i < bytes; i++) {
        /* r begins with the byte 0x73, so that all elements are less. */
        made->records[i] =
            (unsigned char)(i % SUMAC_KZG_ELEMENT_BYTES == 0 ? i >> 8 & 0x3f : i * 181 + (i >> 8));
    }
    return allocate_outputs(job, made->count, made->bytes);
}

/* All ranks compute at the same time, as they will; the faster of two runs counts. */
static int time_sample(const kzg_job *job, sample *made)
{
    enum { RUNS = 2 };
    double least = 0;
    int status = job_agree(make_sample(job, made));
    for (int run = 0; run < RUNS && status == STATUS_DONE; run++) {
        const double start = seconds_now();
        const int computed = compute(job, made->records, made->count, true, made->bytes);
        const double seconds = seconds_now() - start;
        least = run == 0 || seconds < least ? seconds : least;
        status = job_agree(computed);
    }
    if (status != STATUS_DONE) {
        return status;
    }
    least = least > 1e-9 ? least : 1e-9; /* a clock that did not move */
    return job_status(&job->base, sumac_mpi_set_weight(job->base.ranks, (double)made->count / least));
}

static int measure_weights(const kzg_job *job)
{
    sample made = {.count = 0};
    if (!job->base.given.measure_weights) {
        return STATUS_DONE;
    }
    const int status = time_sample(job, &made);
    free(made.records);
    free(made.bytes[FIRST]);
    free(made.bytes[PROOFS]);
    return status;
}

/* ---- Results ---- */

static size_t part_bytes(const kzg_job *job, const output *made)
{
    return job->count * made->each * made->each_bytes;
}

static sumac_status write_piece(void *file, const void *bytes, size_t count)
{
    result_file_write(file, bytes, count); /* its failure is result_file_finish()'s to say */
    return SUMAC_OK;
}

static int write_file(kzg_job *job, output *made)
{
    const bool writes = job->base.rank == 0;
    int status = job_agree(writes ? result_file_begin(&made->file) : STATUS_DONE);
    if (status == STATUS_DONE) {
        status = job_status(&job->base, sumac_mpi_gather(job->base.ranks, made->bytes, part_bytes(job, made),
                                                         write_piece, &made->file));
    }
    return status == STATUS_DONE ? job_agree(writes ? result_file_finish(&made->file) : STATUS_DONE) : status;
}

/* Of rank 0 alone; those that are not asked for are closed. */
static int commit_files(kzg_job *job)
{
    result_file *const both[OUTPUTS] = {&job->outputs[FIRST].file, &job->outputs[PROOFS].file};
    return result_files_commit(both, OUTPUTS);
}

static int write_files(kzg_job *job)
{
    const options *given = &job->base.given;
    int status = STATUS_DONE;
    for (int i = 0; i < OUTPUTS && status == STATUS_DONE; i++) {
        status = job->outputs[i].each > 0 ? write_file(job, &job->outputs[i]) : STATUS_DONE;
    }
    if (status == STATUS_DONE) {
        status = job_agree(job->base.rank == 0 ? commit_files(job) : STATUS_DONE);
    }
    for (int i = 0; i + 1 < given->operand_count && status == STATUS_DONE; i++) {
        print_text(given->operands[i + 1]);
        print(": %zu %s\n", job->n * job->outputs[i].each, job->outputs[i].what);
    }
    return status;
}

/* Where the next of the gathered bytes go. */
static sumac_status append(void *user, const void *bytes, size_t count)
{
    unsigned char **end = user;
    memcpy(*end, bytes, count);
    *end += count;
    return SUMAC_OK;
}

static int print_all(kzg_job *job)
{
    const output *made = &job->outputs[FIRST];
    const bool prints = job->base.rank == 0;
    unsigned char *all = prints ? allocate((uint64_t)job->n * SUMAC_KZG_COMMITMENT_BYTES, made->what) : NULL;
    unsigned char *end = all;
    int status = job_agree(prints && all == NULL ? STATUS_MACHINE_FAULT : STATUS_DONE);
    if (status == STATUS_DONE) {
        status = job_status(
            &job->base, sumac_mpi_gather(job->base.ranks, made->bytes, part_bytes(job, made), append, &end));
    }
    if (status == STATUS_DONE && prints) {
        status = print_commitments(&job->base.given, all, job->n);
    }
    free(all);
    return status;
}

/* ---- A command ---- */

static int execute(kzg_job *job)
{
    unsigned char *bytes[OUTPUTS] = {NULL, NULL};
    int status = agree_on_options(job);
    if (status == STATUS_DONE) {
        status = read_setup(job);
    }
    if (status == STATUS_DONE) {
        status = measure_weights(job);
    }
    if (status == STATUS_DONE) {
        status = read_blobs(job);
    }
    if (status != STATUS_DONE) {
        return status;
    }
    status = allocate_outputs(job, job->count, bytes);
    job->outputs[FIRST].bytes = bytes[FIRST];
    job->outputs[PROOFS].bytes = bytes[PROOFS];
    if (status == STATUS_DONE) {
        status = compute(job, job->records, job->count, false, bytes);
    }
    status = job_agree(status);
    if (status != STATUS_DONE) {
        return status;
    }
    return job->does == COMMIT ? print_all(job) : write_files(job);
}

static int run_operation(operation does, const options *given)
{
    kzg_job job = {.does = does};
    int status = job_begin(&job.base, given, check_options(&job, given));
    if (status == STATUS_DONE) {
        status = execute(&job);
    }
    for (int i = 0; i < OUTPUTS; i++) {
        result_file_discard(&job.outputs[i].file);
        free(job.outputs[i].bytes);
    }
    sumac_free(job.records);
    sumac_kzg_setup_destroy(job.setup);
    return job_end(&job.base, status);
}

static int run_commit(const options *given)
{
    return run_operation(COMMIT, given);
}

static int run_cells(const options *given)
{
    return run_operation(CELLS, given);
}

static int run_recover(const options *given)
{
    return run_operation(RECOVER, given);
}

#define OPTIONS_OF_BLOBS                                                                                     \
    OPTION_SETUP, OPTION_CHECK, OPTION_BACKEND, OPTION_VARIANT, OPTION_RANK_DEVICE, OPTION_DEVICES,          \
        OPTION_THREADS, OPTION_MEMORY_LIMIT, OPTION_WEIGHTS, OPTION_MEASURE_WEIGHTS

static const option_id commit_takes[] = {OPTIONS_OF_BLOBS, OPTION_JSON, OPTION_END};
static const option_id cells_takes[] = {OPTIONS_OF_BLOBS, OPTION_END};
static const option_id recover_takes[] = {OPTIONS_OF_BLOBS, OPTION_CELLS, OPTION_END};
static const option_id recover_needs[] = {OPTION_CELLS, OPTION_END};

const command command_kzg_commit_over_ranks = {
    .name = "kzg commit",
    .summary = "Commit to Ethereum blobs (EIP-4844), each rank to its part of them",
    .takes = commit_takes,
    .operands = "BLOBS-FILE",
    .operands_minimum = 1,
    .operands_maximum = 1,
    .operands_read = 1,
    .check = SUMAC_CHECK_NONE, /* a text's points are decoded, and a saved setup's checksums are trusted */
    .notes = "The file holds blobs of 131072 bytes, one behind the other, and no hexadecimal text.\n",
    .run = run_commit,
};

const command command_kzg_cells_over_ranks = {
    .name = "kzg cells",
    .summary = "Extend Ethereum blobs to cells, with proofs (EIP-7594), each rank its part of them",
    .takes = cells_takes,
    .operands = "BLOBS-FILE CELLS-FILE [PROOFS-FILE]",
    .operands_minimum = 2,
    .operands_maximum = 3,
    .operands_read = 1,
    .check = SUMAC_CHECK_NONE, /* a text's points are decoded, and a saved setup's checksums are trusted */
    .notes =
        "The first file holds blobs of 131072 bytes, one behind the other, and no hexadecimal text. The\n"
        "others get what `sumac kzg cells` writes for each of them; rank 0 writes them.\n",
    .run = run_cells,
};

const command command_kzg_recover_over_ranks = {
    .name = "kzg recover",
    .summary = "Recover all cells of Ethereum blobs from half of them or more (EIP-7594), each rank its part",
    .takes = recover_takes,
    .needs = recover_needs,
    .operands = "KNOWN-CELLS-FILE CELLS-FILE [PROOFS-FILE]",
    .operands_minimum = 2,
    .operands_maximum = 3,
    .operands_read = 1,
    .check = SUMAC_CHECK_NONE, /* a text's points are decoded, and a saved setup's checksums are trusted */
    .notes =
        "The first file holds of each blob the cells that --cells names, blob behind blob; the others get\n"
        "what `sumac kzg recover` writes for each of them; rank 0 writes them. Cells that do not fit\n"
        "each other are refused, and the wrong one is named.\n",
    .run = run_recover,
};
