/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bases over ranks: which part of them is a rank's. */
#include <stdlib.h>

#include "mpi/file.h"

/* A handle of the next number, without a shard; null if there is no memory. */
static sumac_status allocate_bases(sumac_mpi_ranks *ranks, sumac_mpi_bases **bases)
{
    *bases = calloc(1, sizeof **bases);
    if (*bases == NULL) {
        return mpi_fail(ranks, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for bases",
                        sizeof **bases);
    }
    (*bases)->rank = ranks->rank;
    (*bases)->ranks = ranks->count;
    return SUMAC_OK;
}

/* The last agreement: all shards are there, or none. */
static sumac_status finish_bases(sumac_mpi_ranks *ranks, sumac_status status, sumac_mpi_bases **bases)
{
    status = mpi_agree(ranks, status);
    if (status == SUMAC_OK) {
        (*bases)->number = ++ranks->bases_made;
    } else {
        sumac_mpi_bases_destroy(*bases);
        *bases = NULL;
    }
    return status;
}

/* Before the first agreement: what this rank finds at the path. */
static sumac_status look_at_file(sumac_mpi_ranks *ranks, const sumac_curve *curve, const char *path,
                                 const char *format, mpi_facts *facts, mpi_file *file, size_t *n)
{
    mpi_facts_add_curve(facts, curve);
    /* The same bytes may be points in two formats, so that ranks have to agree on one. */
    mpi_facts_add(facts, "format of bases", "%s", format == NULL ? "as the file begins" : format);
    sumac_status status = mpi_file_open(file, ranks, path);
    if (status == SUMAC_OK) {
        mpi_facts_add_length(facts, "file of bases", file);
        status = mpi_from_context(ranks, sumac_bases_file_count(ranks->context, curve, path, format, n));
    }
    return status;
}

/* After all ranks agreed on the file: this rank's shard of it. */
static sumac_status read_shard(const mpi_file *file, const sumac_curve *curve, const char *format,
                               const sumac_bases_config *config, sumac_mpi_bases *made)
{
    size_t count;
    sumac_mpi_ranks *ranks = file->ranks;
    sumac_status status = mpi_cut(ranks, made->total, &made->first, &count);
    if (status == SUMAC_OK) {
        status = mpi_from_context(ranks, sumac_bases_open_part(ranks->context, curve, file->path, made->first,
                                                               count, format, config, &made->shard));
    }
    return status == SUMAC_OK ? mpi_file_unchanged(file) : status;
}

sumac_status sumac_mpi_bases_open(sumac_mpi_ranks *ranks, const sumac_curve *curve, const char *path,
                                  const char *format, const sumac_bases_config *config,
                                  sumac_mpi_bases **bases)
{
    if (bases != NULL) {
        *bases = NULL;
    }
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    mpi_file file = {.descriptor = -1};
    sumac_mpi_bases *made = NULL;
    mpi_facts facts = mpi_facts_of(__func__);
    sumac_status status = SUMAC_OK;
    if (curve == NULL || path == NULL || bases == NULL) {
        status = mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "curve, path and bases must not be null");
    } else {
        status = allocate_bases(ranks, &made);
    }
    if (status == SUMAC_OK) {
        status = look_at_file(ranks, curve, path, format, &facts, &file, &made->total);
    }
    status = mpi_agree_on(ranks, status, &facts);
    if (status == SUMAC_OK) {
        status = mpi_file_agree(&file, "file of bases");
    }
    if (status == SUMAC_OK) {
        status = finish_bases(ranks, read_shard(&file, curve, format, config, made), &made);
    }
    mpi_file_close(&file);
    if (status == SUMAC_OK) {
        *bases = made;
    } else {
        sumac_mpi_bases_destroy(made);
    }
    return status;
}

/* Where this rank's n bases are among all. */
static sumac_status add_counts(sumac_mpi_ranks *ranks, size_t n, size_t *first, size_t *total)
{
    const uint64_t own = n;
    uint64_t before = 0, all = 0;
    /* The first rank's `before` stays 0. A sum beyond 64 bits is more than memory has. */
    int code = MPI_Exscan(&own, &before, 1, MPI_UINT64_T, MPI_SUM, ranks->communicator);
    if (code == MPI_SUCCESS) {
        code = MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, ranks->communicator);
    }
    *first = ranks->rank == 0 ? 0 : (size_t)before;
    *total = (size_t)all;
    return mpi_from_mpi(ranks, code);
}

sumac_status sumac_mpi_bases_create(sumac_mpi_ranks *ranks, const sumac_curve *curve, const void *points,
                                    size_t n, const sumac_bases_config *config, sumac_mpi_bases **bases)
{
    if (bases != NULL) {
        *bases = NULL;
    }
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    sumac_mpi_bases *made = NULL;
    mpi_facts facts = mpi_facts_of(__func__);
    sumac_status status = SUMAC_OK;
    if (curve == NULL || bases == NULL) {
        status = mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "curve and bases must not be null");
    } else {
        mpi_facts_add_curve(&facts, curve);
        status = allocate_bases(ranks, &made);
    }
    if (status == SUMAC_OK) {
        status = mpi_from_context(ranks,
                                  sumac_bases_create(ranks->context, curve, points, n, config, &made->shard));
    }
    status = mpi_agree_on(ranks, status, &facts);
    if (status == SUMAC_OK) {
        status = finish_bases(ranks, add_counts(ranks, n, &made->first, &made->total), &made);
    }
    if (status == SUMAC_OK) {
        *bases = made;
    } else {
        sumac_mpi_bases_destroy(made);
    }
    return status;
}

void sumac_mpi_bases_destroy(sumac_mpi_bases *bases)
{
    if (bases != NULL) {
        sumac_bases_destroy(bases->shard);
        free(bases);
    }
}

size_t sumac_mpi_bases_count(const sumac_mpi_bases *bases)
{
    return bases == NULL ? 0 : bases->total;
}

const sumac_bases *sumac_mpi_bases_shard(const sumac_mpi_bases *bases)
{
    return bases == NULL ? NULL : bases->shard;
}

sumac_status sumac_mpi_bases_part(const sumac_mpi_bases *bases, size_t first, size_t n, size_t *part_first,
                                  size_t *part_n)
{
    if (bases == NULL || part_first == NULL || part_n == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (first > bases->total || n > bases->total - first) {
        return SUMAC_BAD_LENGTH;
    }
    const size_t shard_end = bases->first + sumac_bases_count(bases->shard), end = first + n;
    const size_t from = first > bases->first ? first : bases->first;
    const size_t to = end < shard_end ? end : shard_end;
    *part_n = to > from ? to - from : 0;
    *part_first = *part_n > 0 ? from - first : 0;
    return SUMAC_OK;
}
