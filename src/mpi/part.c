/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Things that are computed one by one, blobs say: which are a rank's, reading them, and putting the results
 * together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codec/checksum.h"
#include "mpi/file.h"

/* Where the weights below `sum` of `total` end among n things. All ranks round alike. */
static size_t border(size_t n, double sum, double total)
{
    return (size_t)((double)n * (sum / total));
}

sumac_status mpi_cut(sumac_mpi_ranks *ranks, size_t n, size_t *first, size_t *count)
{
    double before = 0, total = 0, largest = 0;
    const sumac_status status = mpi_tell_all(ranks);
    if (status != SUMAC_OK) {
        return status;
    }
    for (int rank = 0; rank < ranks->count; rank++) {
        largest = fmax(largest, ranks->all[rank].weight);
    }
    if (!(largest > 0)) {
        return mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "the weights of all ranks are 0");
    }
    for (int rank = 0; rank < ranks->count; rank++) {
        before = rank == ranks->rank ? total : before;
        total += ranks->all[rank].weight / largest; /* so that no sum is too large */
    }
    *first = border(n, before, total);
    *count = border(n, before + ranks->own.weight / largest, total) - *first;
    return SUMAC_OK;
}

sumac_status sumac_mpi_part(sumac_mpi_ranks *ranks, size_t n, size_t *first, size_t *count)
{
    size_t part_first = 0, part_count = 0;
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    mpi_facts facts = mpi_facts_of(__func__);
    mpi_facts_add(&facts, "number", "%zu", n);
    sumac_status status = first == NULL || count == NULL
                              ? mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "first and count must not be null")
                              : SUMAC_OK;
    status = mpi_agree_on(ranks, status, &facts);
    if (status == SUMAC_OK) {
        status = mpi_agree(ranks, mpi_cut(ranks, n, &part_first, &part_count));
    }
    if (status == SUMAC_OK) {
        *first = part_first;
        *count = part_count;
    }
    return status;
}

/* ---- What has to be the same ---- */

/* A text that is longer than a fact is compared by its checksum. */
static void add_text_fact(mpi_facts *facts, const char *name, const char *text)
{
    enum { SHOWN = 80 };
    const size_t length = strlen(text);
    checksum sum;
    if (length < FACT_BYTES) {
        mpi_facts_add(facts, name, "%s", text);
        return;
    }
    checksum_begin(&sum);
    checksum_add(&sum, text, length);
    mpi_facts_add(facts, name, "%.*s... (checksum %016llx)", (int)SHOWN, text,
                  (unsigned long long)checksum_result(&sum));
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

/* Open it and add its length to the facts, where name and path are not null. */
static sumac_status look_at_file(mpi_file *file, sumac_mpi_ranks *ranks, const char *name, const char *path,
                                 mpi_facts *facts)
{
    *file = (mpi_file){.descriptor = -1};
    if (name == NULL || path == NULL) {
        return mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "name and path must not be null");
    }
    const sumac_status status = mpi_file_open(file, ranks, path);
    if (status == SUMAC_OK) {
        mpi_facts_add_length(facts, name, file);
    }
    return status;
}

sumac_status sumac_mpi_agree_on_file(sumac_mpi_ranks *ranks, const char *name, const char *path)
{
    mpi_file file;
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    mpi_facts facts = mpi_facts_of(__func__);
    sumac_status status = look_at_file(&file, ranks, name, path, &facts);
    status = mpi_agree_on(ranks, status, &facts);
    if (status == SUMAC_OK) {
        status = mpi_file_agree(&file, name);
    }
    mpi_file_close(&file);
    return status;
}

/* ---- Records ---- */

/* This rank's of a file that all agree on. */
typedef struct part_of_records {
    size_t n, first, count;
    void *records;
} part_of_records;

/* Between two agreements. */
static sumac_status read_records(const mpi_file *file, size_t record_bytes, part_of_records *part)
{
    part->n = (size_t)(file->size / record_bytes);
    const sumac_status status = mpi_cut(file->ranks, part->n, &part->first, &part->count);
    if (status != SUMAC_OK) {
        return status;
    }
    const size_t bytes = part->count * record_bytes; /* no more than the file has */
    part->records = malloc(bytes > 0 ? bytes : 1);
    if (part->records == NULL) {
        return mpi_fail(file->ranks, SUMAC_OUT_OF_MEMORY,
                        "%s: there is no memory of %zu bytes for %zu records", file->path, bytes,
                        part->count);
    }
    const sumac_status done = mpi_file_read(file, (uint64_t)part->first * record_bytes, part->records, bytes);
    return done == SUMAC_OK ? mpi_file_unchanged(file) : done;
}

sumac_status sumac_mpi_records_read(sumac_mpi_ranks *ranks, const char *path, size_t record_bytes,
                                    void **records, size_t *count, size_t *first, size_t *n)
{
    mpi_file file = {.descriptor = -1};
    part_of_records part = {.records = NULL};
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    mpi_facts facts = mpi_facts_of(__func__);
    mpi_facts_add(&facts, "size of a record", "%zu bytes", record_bytes);
    sumac_status status = record_bytes == 0 || count == NULL || records == NULL
                              ? mpi_fail(ranks, SUMAC_BAD_ARGUMENT,
                                         "count and records must not be null, and records have bytes")
                              : look_at_file(&file, ranks, "file of records", path, &facts);
    if (status == SUMAC_OK && file.size % record_bytes != 0) {
        status = mpi_fail(ranks, SUMAC_BAD_LENGTH, "%s: %llu bytes are not a whole number of records of %zu",
                          path, (unsigned long long)file.size, record_bytes);
    }
    status = mpi_agree_on(ranks, status, &facts);
    if (status == SUMAC_OK) {
        status = mpi_file_agree(&file, "file of records");
    }
    if (status == SUMAC_OK) {
        status = mpi_agree(ranks, read_records(&file, record_bytes, &part));
    }
    mpi_file_close(&file);
    if (status != SUMAC_OK) {
        free(part.records);
        return status;
    }
    if (n != NULL) {
        *n = part.n;
    }
    if (first != NULL) {
        *first = part.first;
    }
    *count = part.count;
    *records = part.records;
    return SUMAC_OK;
}

/* ---- Results ---- */

/* The most bytes of one message: they fit an int, and rank 0 has memory for them. */
enum { PIECE_BYTES = 1 << 22 };

/* Rank 0's end. After a failure what comes is received, and dropped, so that no rank waits. */
typedef struct gatherer {
    sumac_mpi_ranks *ranks;
    sumac_mpi_receiver receive;
    void *user;
    sumac_status status;
} gatherer;

static void take(gatherer *taker, const void *bytes, size_t count)
{
    if (taker->status != SUMAC_OK || count == 0) {
        return;
    }
    taker->status = taker->receive(taker->user, bytes, count);
    if (taker->status != SUMAC_OK) {
        (void)mpi_fail(taker->ranks, taker->status, "what is gathered was not taken: %s",
                       sumac_status_text(taker->status));
    }
}

static size_t piece_of(uint64_t bytes)
{
    return bytes < PIECE_BYTES ? (size_t)bytes : PIECE_BYTES;
}

static sumac_status receive_from(gatherer *taker, int rank, uint8_t *piece)
{
    uint64_t left = 0;
    MPI_Comm communicator = taker->ranks->communicator;
    int code = MPI_Recv(&left, 1, MPI_UINT64_T, rank, 0, communicator, MPI_STATUS_IGNORE);
    while (left > 0 && code == MPI_SUCCESS) {
        const size_t bytes = piece_of(left);
        code = MPI_Recv(piece, (int)bytes, MPI_BYTE, rank, 0, communicator, MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS) {
            take(taker, piece, bytes);
        }
        left -= bytes;
    }
    return mpi_from_mpi(taker->ranks, code);
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

sumac_status sumac_mpi_gather(sumac_mpi_ranks *ranks, const void *part, size_t bytes,
                              sumac_mpi_receiver receive, void *user)
{
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    const int gathers = ranks->rank == 0;
    gatherer taker = {.ranks = ranks, .receive = receive, .user = user};
    uint8_t *piece = gathers ? malloc(PIECE_BYTES) : NULL;
    mpi_facts facts = mpi_facts_of(__func__);
    sumac_status status = SUMAC_OK;
    if ((part == NULL && bytes > 0) || (gathers && receive == NULL)) {
        status = mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "part, and on rank 0 receive, must not be null");
    } else if (gathers && piece == NULL) {
        status = mpi_fail(ranks, SUMAC_OUT_OF_MEMORY, "there is no memory of %d bytes to receive with",
                          (int)PIECE_BYTES);
    }
    status = mpi_agree_on(ranks, status, &facts);
    if (status == SUMAC_OK && gathers) {
        take(&taker, part, bytes);
        for (int rank = 1; rank < ranks->count && status == SUMAC_OK; rank++) {
            status = receive_from(&taker, rank, piece);
        }
        status = mpi_agree(ranks, status == SUMAC_OK ? taker.status : status);
    } else if (status == SUMAC_OK) {
        status = mpi_agree(ranks, send_part(ranks, part, bytes));
    }
    free(piece);
    return status;
}
