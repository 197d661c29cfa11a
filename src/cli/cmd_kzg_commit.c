/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

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

static int commit(const session *opened, const options *given, unsigned char *blobs,
                  unsigned char *commitments)
{
    sumac_kzg_setup *setup;
    size_t count = (size_t)given->operand_count;
    int read = read_kzg_setup(opened, given, 0, &setup);
    if (read != STATUS_DONE) {
        return read;
    }
    progress_begin("committing");
    sumac_status status = sumac_kzg_commit(opened->context, setup, blobs, count, commitments);
    progress_end();
    sumac_kzg_setup_destroy(setup);
    return status == SUMAC_OK ? STATUS_DONE : session_failure(opened, status);
}

static int read_and_commit(const session *opened, const options *given, unsigned char *blobs,
                           unsigned char *commitments)
{
    unsigned char expected[SUMAC_KZG_COMMITMENT_BYTES];
    int status = decode_hex_option("--expect", given->expect, expected, sizeof expected);
    for (int i = 0; i < given->operand_count && status == STATUS_DONE; i++) {
        status = read_blob(given->operands[i], blobs + (size_t)i * SUMAC_KZG_BLOB_BYTES);
    }
    if (status == STATUS_DONE) {
        status = commit(opened, given, blobs, commitments);
    }
    if (status == STATUS_DONE) {
        status = print_commitments(given, commitments, (size_t)given->operand_count);
    }
    if (status == STATUS_DONE) {
        status = compare(given, expected, commitments);
    }
    return status;
}

static int run_kzg_commit(const options *given)
{
    if (given->expect != NULL && given->operand_count != 1) {
        return bad_input("--expect takes one commitment and goes with one blob, not %d",
                         given->operand_count);
    }
    session opened;
    int status = session_open(&opened, given);
    if (status == STATUS_DONE) {
        size_t count = (size_t)given->operand_count;
        unsigned char *blobs = allocate((uint64_t)count * SUMAC_KZG_BLOB_BYTES, "blobs");
        unsigned char *commitments =
            blobs != NULL ? allocate((uint64_t)count * SUMAC_KZG_COMMITMENT_BYTES, "commitments") : NULL;
        status = blobs != NULL && commitments != NULL ? read_and_commit(&opened, given, blobs, commitments)
                                                      : STATUS_MACHINE_FAULT;
        free(blobs);
        free(commitments);
    }
    return session_close(&opened, status);
}

static const option_id takes[] = {OPTION_SETUP,        OPTION_CHECK,  OPTION_EXPECT,  OPTION_BACKEND,
                                  OPTION_VARIANT,      OPTION_DEVICE, OPTION_DEVICES, OPTION_THREADS,
                                  OPTION_MEMORY_LIMIT, OPTION_JSON,   OPTION_TRACE,   OPTION_END};
static const option_id needs[] = {OPTION_SETUP, OPTION_END};

const command command_kzg_commit = {
    .name = "kzg commit",
    .summary = "Commit to Ethereum blobs (EIP-4844)",
    .takes = takes,
    .needs = needs,
    .operands = "BLOB-FILE...",
    .operands_minimum = 1,
    .operands_maximum = 1 << 16,
    .operands_read = 1 << 16,
    .notes = "A blob's file holds 131072 bytes, or as many in hexadecimal with or without 0x.\n"
             "One commitment a line, 48 bytes in hexadecimal.\n",
    .run = run_kzg_commit,
};
