/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file creates or opens bases over ranks: each rank gets its shard of them. */
#include <stdlib.h>

#include "base/try.h"
#include "mpi/file.h"

static void drop_bases(sumac_mpi_bases **bases)
{
    sumac_mpi_bases_destroy(*bases);
}

/* Make a handle that has no shard yet. */
static sumac_status allocate_bases(sumac_mpi_ranks *ranks, const sumac_group *group, sumac_mpi_bases **bases)
{
    *bases = calloc(1, sizeof **bases);
    if (*bases == NULL) {
        return mpi_fail(ranks, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for bases",
                        sizeof **bases);
    }
    (*bases)->group = group;
    (*bases)->rank = ranks->rank;
    (*bases)->ranks = ranks->count;
    return SUMAC_OK;
}

/* Call this when all ranks have their shards. It gives the bases a number, and hands them to the caller. */
static void hand_over(sumac_mpi_ranks *ranks, sumac_mpi_bases **created, sumac_mpi_bases **bases)
{
    (*created)->number = ++ranks->bases_created;
    *bases = *created;
    *created = NULL;
}

/* Open this rank's file. This is called before the first agreement. */
static sumac_status open_bases_file(sumac_mpi_ranks *ranks, const sumac_group *group, const char *path,
                                    const char *format, mpi_facts *facts, mpi_file *file,
                                    sumac_mpi_bases **bases)
{
    TRY(allocate_bases(ranks, group, bases));
    mpi_facts_add_group(facts, group);
    /* The same bytes may be points in two formats, so ranks must agree on the format. */
    mpi_facts_add(facts, "format of bases", "%s", format == NULL ? "as the file begins" : format);
    TRY(mpi_file_open(file, ranks, path));
    mpi_facts_add_length(facts, "file of bases", file);
    return mpi_from_context(ranks,
                            sumac_bases_file_count(ranks->context, group, path, format, &(*bases)->total));
}

/* Read this rank's shard of the file. All ranks must have agreed on the file before. */
static sumac_status read_shard(const mpi_file *file, const sumac_group *group, const char *format,
                               const sumac_bases_config *config, sumac_mpi_bases *bases)
{
    size_t count;
    sumac_mpi_ranks *ranks = file->ranks;
    TRY(mpi_cut(ranks, bases->total, &bases->first, &count));
    TRY(mpi_from_context(ranks, sumac_bases_open(ranks->context, group, file->path, format, bases->first,
                                                 count, config, &bases->shard)));
    return mpi_file_unchanged(file);
}

sumac_status sumac_mpi_bases_open(sumac_mpi_ranks *ranks, const sumac_group *group, const char *path,
                                  const char *format, const sumac_bases_config *config,
                                  sumac_mpi_bases **bases)
{
    if (bases != NULL) {
        *bases = NULL;
    }
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    CLEANUP(mpi_file_close) mpi_file file = {.descriptor = -1};
    CLEANUP(drop_bases) sumac_mpi_bases *opened = NULL;
    mpi_facts facts = mpi_facts_of(__func__);
    const sumac_status status =
        group == NULL || path == NULL || bases == NULL
            ? mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "curve, path and bases must not be null")
            : open_bases_file(ranks, group, path, format, &facts, &file, &opened);
    TRY(mpi_agree_on(ranks, status, &facts));
    TRY(mpi_file_agree(&file, "file of bases"));
    TRY(mpi_agree(ranks, read_shard(&file, group, format, config, opened)));
    hand_over(ranks, &opened, bases);
    return SUMAC_OK;
}

/* Import this rank's points. This is called before the first agreement. */
static sumac_status import_shard(sumac_mpi_ranks *ranks, const sumac_group *group, const void *points,
                                 size_t points_bytes, size_t n, const sumac_bases_config *config,
                                 mpi_facts *facts, sumac_mpi_bases **bases)
{
    mpi_facts_add_group(facts, group);
    TRY(allocate_bases(ranks, group, bases));
    return mpi_from_context(
        ranks, sumac_bases_create(ranks->context, group, points, points_bytes, n, config, &(*bases)->shard));
}

/* This rank has n bases. Find their position among the bases of all ranks, and the number of all bases. */
static sumac_status add_counts(sumac_mpi_ranks *ranks, size_t n, sumac_mpi_bases *bases)
{
    const uint64_t count = n;
    uint64_t before = 0, all = 0;
    TRY(mpi_from_mpi(ranks, MPI_Exscan(&count, &before, 1, MPI_UINT64_T, MPI_SUM, ranks->communicator)));
    /* The sum can't overflow 64 bits, because all these bases are in memory. */
    TRY(mpi_from_mpi(ranks, MPI_Allreduce(&count, &all, 1, MPI_UINT64_T, MPI_SUM, ranks->communicator)));
    bases->first = ranks->rank == 0 ? 0 : (size_t)before; /* MPI leaves `before` undefined on rank 0 */
    bases->total = (size_t)all;
    return SUMAC_OK;
}

sumac_status sumac_mpi_bases_create(sumac_mpi_ranks *ranks, const sumac_group *group, const void *points,
                                    size_t points_bytes, size_t count, const sumac_bases_config *config,
                                    sumac_mpi_bases **bases)
{
    if (bases != NULL) {
        *bases = NULL;
    }
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    CLEANUP(drop_bases) sumac_mpi_bases *created = NULL;
    mpi_facts facts = mpi_facts_of(__func__);
    const sumac_status status =
        group == NULL || bases == NULL
            ? mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "curve and bases must not be null")
            : import_shard(ranks, group, points, points_bytes, count, config, &facts, &created);
    TRY(mpi_agree_on(ranks, status, &facts));
    TRY(mpi_agree(ranks, add_counts(ranks, count, created)));
    hand_over(ranks, &created, bases);
    return SUMAC_OK;
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
