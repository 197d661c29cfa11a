/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "kzg_blobs.h"
#include "kzg_input.h"

/* Blobs, all of them or a rank's part, and their commitments. */
typedef struct commit_run {
    const session *opened;
    sumac_kzg_setup *setup;
    unsigned char *blobs;
    size_t count;
    unsigned char *commitments;
} commit_run;

static void free_run(commit_run *run)
{
    sumac_kzg_setup_destroy(run->setup);
    free(run->blobs);
    free(run->commitments);
}

static int commit(void *user)
{
    commit_run *run = user;
    free(run->commitments);
    run->commitments = allocate((uint64_t)run->count * SUMAC_KZG_COMMITMENT_BYTES, "commitments");
    if (run->commitments == NULL || run->count == 0) {
        return run->commitments == NULL ? STATUS_MACHINE_FAULT : STATUS_DONE;
    }
    progress_begin("committing");
    return session_step(run->opened, "commit",
                        sumac_kzg_commit_batch(run->opened->context, run->setup,
                                               (const sumac_blob *)run->blobs, run->count,
                                               (sumac_bytes48 *)run->commitments));
}

/* Read this rank's blobs of the one file. Speeds are measured with blobs of zeros before. */
static int read_part(commit_run *run, const options *given, size_t *all)
{
    enum { MOST_SAMPLES = 64 };
    CLEANUP(blob_file_close) blob_file file = BLOB_FILE_CLOSED;
    MUST(ranks_agree(given->operand_count == 1 ? blob_file_open(&file, given->operands[0], 0)
                                               : bad_input("over ranks one file of blobs is read")));
    const size_t share = ranks_share(file.size / file.record_bytes);
    run->count = share < MOST_SAMPLES ? share : MOST_SAMPLES;
    run->blobs = calloc(run->count, SUMAC_KZG_BLOB_BYTES);
    MUST(ranks_agree(run->blobs != NULL
                         ? STATUS_DONE
                         : cannot_allocate(run->count * SUMAC_KZG_BLOB_BYTES, "blobs to measure with")));
    MUST(ranks_measure(run->count, commit, run));
    MUST(blob_file_next(&file));
    free(run->blobs);
    run->count = file.count;
    *all = file.all;
    run->blobs = allocate((uint64_t)file.count * SUMAC_KZG_BLOB_BYTES, "blobs");
    MUST(ranks_agree(run->blobs != NULL ? STATUS_DONE : STATUS_MACHINE_FAULT));
    memcpy(run->blobs, file.records, file.count * SUMAC_KZG_BLOB_BYTES);
    return STATUS_DONE;
}

/* The commitments of all ranks, in order. */
typedef struct all_commitments {
    unsigned char *bytes;
    size_t size;
} all_commitments;

static sumac_status append(void *user, const void *bytes, size_t count)
{
    all_commitments *all = user;
    memcpy(all->bytes + all->size, bytes, count);
    all->size += count;
    return SUMAC_OK;
}

static int print_commitments(const options *given, const unsigned char *commitments, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        char text[HEX_SIZE(SUMAC_KZG_COMMITMENT_BYTES)];
        bytes_to_hex(text, commitments + i * SUMAC_KZG_COMMITMENT_BYTES, SUMAC_KZG_COMMITMENT_BYTES);
        if (given->json) {
            json_append(&list, json_string(text));
        } else {
            print("%s\n", text);
        }
    }
    if (given->json) {
        return print_json(json_pack("{s:o}", "commitments", list));
    }
    json_decref(list);
    return STATUS_DONE;
}

static int run_kzg_commit(const session *opened, const options *given)
{
    CLEANUP(free_run) commit_run run = {.opened = opened};
    unsigned char expected[SUMAC_KZG_COMMITMENT_BYTES];
    size_t all = 0;
    MUST(ranks_agree(decode_hex_option("--commitment", given->commitment, expected, sizeof expected)));
    if (ranks_are_many()) {
        MUST(read_kzg_setup(opened, given, 0, &run.setup));
        MUST(read_part(&run, given, &all));
    } else {
        MUST(read_all_blobs(given, &run.blobs, &run.count));
        MUST(read_kzg_setup(opened, given, 0, &run.setup));
        all = run.count;
    }
    if (given->commitment != NULL && all != 1) {
        return bad_input("--commitment goes with one blob, not %zu", all);
    }
    MUST(ranks_agree(commit(&run)));
    AUTO_FREE unsigned char *gathered = allocate((uint64_t)all * SUMAC_KZG_COMMITMENT_BYTES, "commitments");
    MUST(ranks_agree(gathered != NULL ? STATUS_DONE : STATUS_MACHINE_FAULT));
    all_commitments to = {.bytes = gathered};
    MUST(ranks_gather(run.commitments, run.count * SUMAC_KZG_COMMITMENT_BYTES, append, &to));
    MUST(session_write_trace(opened));
    if (ranks_is_first()) {
        MUST(print_commitments(given, gathered, all));
    }
    return given->commitment == NULL || memcmp(expected, gathered, sizeof expected) == 0
               ? STATUS_DONE
               : found_different("the commitment to '%s' is not the one that --commitment gives",
                                 given->operands[0]);
}

static const option_id takes[] = {OPTION_SETUP,       OPTION_VALIDATE,
#ifndef SUMAC_OVER_RANKS
                                  OPTION_COMMITMENT,
#endif
                                  OPTIONS_OF_MACHINE, OPTION_JSON,     OPTIONS_OF_PROCESS, OPTION_END};

const command command_kzg_commit = {
    .name = "kzg commit",
    .summary = "Commit to Ethereum blobs (EIP-4844)",
    .takes = takes,
    .takes_devices = true,
    .operands = {"BLOBS-FILE...", 1, MANY_OPERANDS, MANY_OPERANDS},
    .example = "kzg commit blob.bin",
    .notes = "A file holds blobs of 131072 bytes, one behind the other, or one in hexadecimal, with or "
             "without 0x. One commitment a line, 48 bytes in hexadecimal; with --commitment status 1 if the "
             "blob has another.",
    .run_in = run_kzg_commit,
};
