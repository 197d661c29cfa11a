/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "files.h"
#include "progress.h"
#include "results.h"
#include "session.h"
#include "sumac/kzg.h"

/* A blob as hexadecimal text: "0x", two digits a byte, and white space at the end. */
enum { BLOB_TEXT_LIMIT = 2 + 2 * SUMAC_KZG_BLOB_BYTES + 16 };

static int hex_value(unsigned char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    if (digit >= 'a' && digit <= 'f') {
        return digit - 'a' + 10;
    }
    if (digit >= 'A' && digit <= 'F') {
        return digit - 'A' + 10;
    }
    return -1;
}

static bool is_space(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* Decode hexadecimal text to exactly `count` bytes; `name` is how messages call the text. */
static int decode_hex(const char *name, const unsigned char *text, size_t size, unsigned char *bytes,
                      size_t count)
{
    size_t begin = size >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 2 : 0;
    while (size > begin && is_space(text[size - 1])) {
        size--;
    }
    for (size_t i = begin; i < size; i++) {
        if (hex_value(text[i]) < 0) {
            return bad_input("%s has a byte that is no hexadecimal digit at offset %zu", name, i);
        }
    }
    if (size - begin != 2 * count) {
        return bad_input("%s has %zu hexadecimal digits, not %zu", name, size - begin, 2 * count);
    }
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (unsigned char)(16 * hex_value(text[begin + 2 * i]) + hex_value(text[begin + 2 * i + 1]));
    }
    return STATUS_DONE;
}

/* sumac_kzg_commit() checks this too, but knows no files. */
static int check_elements(const char *path, const unsigned char *blob)
{
    const sumac_curve *curve;
    int status = find_curve("bls12-381", "g1", &curve);
    if (status != STATUS_DONE) {
        return status;
    }
    const uint64_t *order = sumac_curve_describe(curve)->order;
    for (int element = 0; element < SUMAC_KZG_FIELD_ELEMENTS; element++) {
        const unsigned char *bytes = blob + 32 * element;
        int i = 0; /* the first byte, from the most significant, that differs from r's */
        while (i < 32 && bytes[i] == (unsigned char)(order[(31 - i) / 8] >> (8 * ((31 - i) % 8)))) {
            i++;
        }
        if (i == 32 || bytes[i] > (unsigned char)(order[(31 - i) / 8] >> (8 * ((31 - i) % 8)))) {
            return bad_input("%s: element %d, at byte %d of the blob, is not less than r", path, element,
                             32 * element);
        }
    }
    return STATUS_DONE;
}

static int read_blob(const char *path, unsigned char *blob)
{
    unsigned char *data;
    size_t size;
    int status = read_small_file(path, BLOB_TEXT_LIMIT, &data, &size);
    if (status != STATUS_DONE) {
        return status;
    }
    if (size == SUMAC_KZG_BLOB_BYTES) {
        memcpy(blob, data, size);
    } else if (size < SUMAC_KZG_BLOB_BYTES) {
        status =
            bad_input("%s: truncated: it ends at byte %zu; a blob has %d bytes, or %d hexadecimal digits",
                      path, size, SUMAC_KZG_BLOB_BYTES, 2 * SUMAC_KZG_BLOB_BYTES);
    } else {
        char name[512];
        snprintf(name, sizeof name, "%.400s: longer than a binary blob and so taken for text, it", path);
        status = decode_hex(name, data, size, blob, SUMAC_KZG_BLOB_BYTES);
    }
    free(data);
    return status == STATUS_DONE ? check_elements(path, blob) : status;
}

static int print_commitments(const options *given, const unsigned char *commitments)
{
    json_t *list = given->json ? json_array() : NULL;
    for (int i = 0; i < given->operand_count; i++) {
        char text[HEX_SIZE(SUMAC_KZG_COMMITMENT_BYTES)];
        bytes_to_hex(text, commitments + (size_t)i * SUMAC_KZG_COMMITMENT_BYTES, SUMAC_KZG_COMMITMENT_BYTES);
        if (given->json) {
            if (json_array_append_new(list, json_string(text)) != 0) {
                json_decref(list);
                list = NULL;
            }
        } else {
            print("%s\n", text);
        }
    }
    return given->json ? print_json(json_pack("{s:o}", "commitments", list)) : STATUS_DONE;
}

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
    progress_begin("reading %s", given->setup);
    double start = seconds_now();
    sumac_status status =
        sumac_kzg_setup_read(opened->context, given->setup, (sumac_check)given->check, &setup);
    progress_end();
    session_span(opened, "read setup", start);
    if (status != SUMAC_OK) {
        return session_failure(opened, status);
    }
    progress_begin("committing");
    status = sumac_kzg_commit(opened->context, setup, blobs, count, commitments);
    progress_end();
    sumac_kzg_setup_destroy(setup);
    return status == SUMAC_OK ? STATUS_DONE : session_failure(opened, status);
}

static int read_and_commit(const session *opened, const options *given, unsigned char *blobs,
                           unsigned char *commitments)
{
    unsigned char expected[SUMAC_KZG_COMMITMENT_BYTES];
    int status = STATUS_DONE;
    if (given->expect != NULL) {
        status = decode_hex("--expect", (const unsigned char *)given->expect, strlen(given->expect), expected,
                            sizeof expected);
    }
    for (int i = 0; i < given->operand_count && status == STATUS_DONE; i++) {
        status = read_blob(given->operands[i], blobs + (size_t)i * SUMAC_KZG_BLOB_BYTES);
    }
    if (status == STATUS_DONE) {
        status = commit(opened, given, blobs, commitments);
    }
    if (status == STATUS_DONE) {
        status = print_commitments(given, commitments);
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

static const option_id takes[] = {OPTION_SETUP,   OPTION_CHECK,  OPTION_EXPECT,  OPTION_BACKEND,
                                  OPTION_VARIANT, OPTION_DEVICE, OPTION_THREADS, OPTION_MEMORY_LIMIT,
                                  OPTION_JSON,    OPTION_TRACE,  OPTION_END};
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
