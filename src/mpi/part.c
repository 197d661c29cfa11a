/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file divides independent items, such as blobs, among ranks, reads them, and gathers the results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/try.h"
#include "codec/checksum.h"
#include "mpi/file.h"

/* Ranks divide n items in proportion to their weights. `total` is the sum of the weights of all ranks, and `sum` that
 * of the first few ranks. Return the index at which the items of these first ranks end. All ranks compute the same
 * index, because all round in the same way. */
static size_t border(size_t n, double sum, double total)
{
    return (size_t)((double)n * (sum / total));
}

sumac_status mpi_cut(sumac_mpi_ranks *ranks, size_t n, size_t *first, size_t *count)
{
    double before = 0, total = 0, largest = 0;
    TRY(mpi_exchange_facts(ranks));
    for (int rank = 0; rank < ranks->count; rank++) {
        largest = fmax(largest, ranks->all[rank].weight);
    }
    if (!(largest > 0)) {
        return mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "the weights of all ranks are 0");
    }
    for (int rank = 0; rank < ranks->count; rank++) {
        before = rank == ranks->rank ? total : before;
        total += ranks->all[rank].weight / largest; /* divide, so that the sum stays finite */
    }
    *first = border(n, before, total);
    *count = border(n, before + ranks->facts.weight / largest, total) - *first;
    return SUMAC_OK;
}

sumac_status sumac_mpi_part(sumac_mpi_ranks *ranks, size_t count, size_t *part_first, size_t *part_count)
{
    size_t own_first = 0, own_count = 0;
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    mpi_facts facts = mpi_facts_of(__func__);
    mpi_facts_add(&facts, "number", "%zu", count);
    const sumac_status status =
        part_first == NULL || part_count == NULL
            ? mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "part_first and part_count must not be null")
            : SUMAC_OK;
    TRY(mpi_agree_on(ranks, status, &facts));
    TRY(mpi_agree(ranks, mpi_cut(ranks, count, &own_first, &own_count)));
    *part_first = own_first;
    *part_count = own_count;
    return SUMAC_OK;
}

/* ---- Texts and files that must be equal on all ranks ---- */

/* Add a text to the facts. If it is too long for a fact, its checksum is added instead. */
static void add_text_fact(mpi_facts *facts, const char *name, const char *text)
{
    enum { SHOWN = 80 };
    const size_t length = strlen(text);
    if (length < FACT_BYTES) {
        mpi_facts_add(facts, name, "%s", text);
    } else {
        mpi_facts_add(facts, name, "%.*s... (checksum %016llx)", (int)SHOWN, text,
                      (unsigned long long)checksum_of(text, length));
    }
}

sumac_status sumac_mpi_agree_on_text(sumac_mpi_ranks *ranks, const char *name, const char *text)
{
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    mpi_facts facts = mpi_facts_of(__func__);
    sumac_status status = SUMAC_OK;
    if (name == NULL || text == NULL) {
        status = mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "name and text must not be null");
    } else {
        add_text_fact(&facts, name, text);
    }
    return mpi_agree_on(ranks, status, &facts);
}

/* Open the file, and add its length to the facts. This is called before the first agreement. */
static sumac_status open_named(mpi_file *file, sumac_mpi_ranks *ranks, const char *name, const char *path,
                               mpi_facts *facts)
{
    if (name == NULL || path == NULL) {
        return mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "name and path must not be null");
    }
    TRY(mpi_file_open(file, ranks, path));
    mpi_facts_add_length(facts, name, file);
    return SUMAC_OK;
}

sumac_status sumac_mpi_agree_on_file(sumac_mpi_ranks *ranks, const char *name, const char *path)
{
    CLEANUP(mpi_file_close) mpi_file file = {.descriptor = -1};
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    mpi_facts facts = mpi_facts_of(__func__);
    TRY(mpi_agree_on(ranks, open_named(&file, ranks, name, path, &facts), &facts));
    return mpi_file_agree(&file, name);
}

/* ---- Records ---- */

/* These are the records of a file that this rank has read. */
typedef struct part_of_records {
    size_t n, first, count;
    void *records;
} part_of_records;

static void drop_records(part_of_records *part)
{
    free(part->records);
}

/* Open the file of records. This is called before the first agreement. */
static sumac_status open_records(mpi_file *file, sumac_mpi_ranks *ranks, const char *path,
                                 size_t record_bytes, mpi_facts *facts)
{
    TRY(open_named(file, ranks, "file of records", path, facts));
    if (file->size % record_bytes != 0) {
        return mpi_fail(ranks, SUMAC_BAD_LENGTH, "%s: %llu bytes are not a whole number of records of %zu",
                        path, (unsigned long long)file->size, record_bytes);
    }
    return SUMAC_OK;
}

/* Read this rank's records. This is called between two agreements. */
static sumac_status read_records(const mpi_file *file, size_t record_bytes, part_of_records *part)
{
    part->n = (size_t)(file->size / record_bytes);
    TRY(mpi_cut(file->ranks, part->n, &part->first, &part->count));
    const size_t bytes = part->count * record_bytes; /* at most the file's length */
    part->records = malloc(bytes > 0 ? bytes : 1);
    if (part->records == NULL) {
        return mpi_fail(file->ranks, SUMAC_OUT_OF_MEMORY,
                        "%s: there is no memory of %zu bytes for %zu records", file->path, bytes,
                        part->count);
    }
    TRY(mpi_file_read(file, (uint64_t)part->first * record_bytes, part->records, bytes));
    return mpi_file_unchanged(file);
}

sumac_status sumac_mpi_records_read(sumac_mpi_ranks *ranks, const char *path, size_t record_bytes,
                                    void **records, size_t *count, size_t *first, size_t *n)
{
    CLEANUP(mpi_file_close) mpi_file file = {.descriptor = -1};
    CLEANUP(drop_records) part_of_records part = {.records = NULL};
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    mpi_facts facts = mpi_facts_of(__func__);
    mpi_facts_add(&facts, "size of a record", "%zu bytes", record_bytes);
    const sumac_status status = record_bytes == 0 || count == NULL || records == NULL
                                    ? mpi_fail(ranks, SUMAC_BAD_ARGUMENT,
                                               "count and records must not be null, and records have bytes")
                                    : open_records(&file, ranks, path, record_bytes, &facts);
    TRY(mpi_agree_on(ranks, status, &facts));
    TRY(mpi_file_agree(&file, "file of records"));
    TRY(mpi_agree(ranks, read_records(&file, record_bytes, &part)));
    if (n != NULL) {
        *n = part.n;
    }
    if (first != NULL) {
        *first = part.first;
    }
    *count = part.count;
    *records = part.records;
    part.records = NULL;
    return SUMAC_OK;
}

/* ---- Results ---- */

/* Results are sent in messages of at most this many bytes, so that the number of bytes fits in an int, and rank 0 needs
 * little memory. */
enum { PIECE_BYTES = 1 << 22 };

/* This is the state of rank 0 while it gathers results. If rank 0 fails, it still receives the remaining results and
 * drops them, so that no other rank waits for ever. */
typedef struct gatherer {
    sumac_mpi_ranks *ranks;
    sumac_mpi_receiver receive;
    void *user;
    sumac_status status;
} gatherer;

static void deliver(gatherer *state, const void *bytes, size_t count)
{
    if (state->status != SUMAC_OK || count == 0) {
        return;
    }
    state->status = state->receive(state->user, bytes, count);
    if (state->status != SUMAC_OK) {
        (void)mpi_fail(state->ranks, state->status, "the receiver did not take the results: %s",
                       sumac_status_text(state->status));
    }
}

static size_t piece_of(uint64_t bytes)
{
    return bytes < PIECE_BYTES ? (size_t)bytes : PIECE_BYTES;
}

static sumac_status receive_from(gatherer *state, int rank, uint8_t *piece)
{
    uint64_t left = 0;
    MPI_Comm communicator = state->ranks->communicator;
    int code = MPI_Recv(&left, 1, MPI_UINT64_T, rank, 0, communicator, MPI_STATUS_IGNORE);
    while (left > 0 && code == MPI_SUCCESS) {
        const size_t bytes = piece_of(left);
        code = MPI_Recv(piece, (int)bytes, MPI_BYTE, rank, 0, communicator, MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS) {
            deliver(state, piece, bytes);
        }
        left -= bytes;
    }
    return mpi_from_mpi(state->ranks, code);
}

static sumac_status send_part(sumac_mpi_ranks *ranks, const uint8_t *part, size_t part_bytes)
{
    uint64_t left = part_bytes;
    int code = MPI_Send(&left, 1, MPI_UINT64_T, 0, 0, ranks->communicator);
    while (left > 0 && code == MPI_SUCCESS) {
        const size_t bytes = piece_of(left);
        code = MPI_Send(part + (part_bytes - left), (int)bytes, MPI_BYTE, 0, 0, ranks->communicator);
        left -= bytes;
    }
    return mpi_from_mpi(ranks, code);
}

sumac_status sumac_mpi_gather(sumac_mpi_ranks *ranks, const void *part, size_t part_bytes,
                              sumac_mpi_receiver receive, void *user)
{
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    const int gathers = ranks->rank == 0;
    gatherer state = {.ranks = ranks, .receive = receive, .user = user};
    AUTO_FREE uint8_t *piece = gathers ? malloc(PIECE_BYTES) : NULL;
    mpi_facts facts = mpi_facts_of(__func__);
    sumac_status status = SUMAC_OK;
    if ((part == NULL && part_bytes > 0) || (gathers && receive == NULL)) {
        status = mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "part, and on rank 0 receive, must not be null");
    } else if (gathers && piece == NULL) {
        status = mpi_fail(ranks, SUMAC_OUT_OF_MEMORY, "there is no memory of %d bytes to receive with",
                          (int)PIECE_BYTES);
    }
    TRY(mpi_agree_on(ranks, status, &facts));
    if (!gathers) {
        return mpi_agree(ranks, send_part(ranks, part, part_bytes));
    }
    deliver(&state, part, part_bytes);
    for (int rank = 1; rank < ranks->count && status == SUMAC_OK; rank++) {
        status = receive_from(&state, rank, piece);
    }
    return mpi_agree(ranks, status == SUMAC_OK ? state.status : status);
}
