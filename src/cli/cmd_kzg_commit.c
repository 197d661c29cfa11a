/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "kzg_blobs.h"
#include "kzg_input.h"
#include "kzg_output.h"
#include "progress.h"

static int compare(const options *given, const unsigned char *expected, const unsigned char *commitment)
{
    if (given->expect == NULL || memcmp(expected, commitment, SUMAC_KZG_COMMITMENT_BYTES) == 0) {
        return STATUS_DONE;
    }
    return found_different("the commitment to '%s' is not the one that --expect gives", given->operands[0]);
}

static int commit(const session *opened, const options *given, const unsigned char *blobs, size_t count,
                  unsigned char *commitments)
{
    sumac_kzg_setup *setup;
    int read = read_kzg_setup(opened, given, 0, &setup);
    if (read != STATUS_DONE) {
        return read;
    }
    progress_begin("committing");
    sumac_status status = sumac_kzg_commit_batch(opened->context, setup, (const sumac_blob *)blobs, count,
                                                 (sumac_bytes48 *)commitments);
    progress_end();
    sumac_kzg_setup_destroy(setup);
    return status == SUMAC_OK ? STATUS_DONE : session_failure(opened, status);
}

static int commit_to(const session *opened, const options *given, const unsigned char *blobs, size_t count)
{
    unsigned char expected[SUMAC_KZG_COMMITMENT_BYTES];
    int status = decode_hex_option("--expect", given->expect, expected, sizeof expected);
    if (status == STATUS_DONE && given->expect != NULL && count != 1) {
        status = bad_input("--expect takes one commitment and goes with one blob, not %zu", count);
    }
    unsigned char *commitments =
        status == STATUS_DONE ? allocate((uint64_t)count * SUMAC_KZG_COMMITMENT_BYTES, "commitments") : NULL;
    if (commitments == NULL) {
        return status == STATUS_DONE ? STATUS_MACHINE_FAULT : status;
    }
    status = commit(opened, given, blobs, count, commitments);
    if (status == STATUS_DONE) {
        status = session_write_trace(opened);
    }
    if (status == STATUS_DONE) {
        status = print_commitments(given, commitments, count);
    }
    if (status == STATUS_DONE) {
        status = compare(given, expected, commitments);
    }
    free(commitments);
    return status;
}

static int run_kzg_commit(const options *given)
{
    session opened;
    unsigned char *blobs = NULL;
    size_t count;
    int status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        status = read_all_blobs(given, &blobs, &count);
    }
    if (status == STATUS_DONE) {
        status = commit_to(&opened, given, blobs, count);
    }
    free(blobs);
    return session_close(&opened, status);
}

static const option_id takes[] = {OPTION_SETUP,        OPTION_CHECK,  OPTION_EXPECT,  OPTION_BACKEND,
                                  OPTION_VARIANT,      OPTION_DEVICE, OPTION_DEVICES, OPTION_THREADS,
                                  OPTION_MEMORY_LIMIT, OPTION_JSON,   OPTION_TRACE,   OPTION_END};

const command command_kzg_commit = {
    .name = "kzg commit",
    .summary = "Commit to Ethereum blobs (EIP-4844)",
    .takes = takes,
    .operands = "BLOBS-FILE...",
    .operands_minimum = 1,
    .operands_maximum = 1 << 16,
    .operands_read = 1 << 16,
    .check = SUMAC_CHECK_NONE, /* a text's points are decoded, and a saved setup's checksums are trusted */
    .notes = "A file holds blobs of 131072 bytes, one behind the other, or one in hexadecimal, with or "
             "without 0x.\n"
             "One commitment a line, 48 bytes in hexadecimal.\n",
    .run = run_kzg_commit,
};
