/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file reads the scalars that belong to a rank's bases, and computes sums over all ranks. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/sizes.h"
#include "base/try.h"
#include "mpi/file.h"

static void add_bases_fact(mpi_facts *facts, const sumac_mpi_bases *bases)
{
    mpi_facts_add(facts, "handle of bases", "number %llu", (unsigned long long)bases->number);
}

/* A call uses n bases from `first` on. Find which of them belong to this rank. If the calling ranks are not those that
 * created the bases, their parts do not cover all n bases. */
static sumac_status find_part(sumac_mpi_ranks *ranks, const sumac_mpi_bases *bases, size_t first, size_t n,
                              size_t *part_first, size_t *part_n)
{
    if (bases->rank != ranks->rank || bases->ranks != ranks->count) {
        return mpi_fail(
            ranks, SUMAC_BAD_ARGUMENT,
            "the bases were created on %d ranks, where this was rank %d, but this call has %d ranks, "
            "where this is rank %d",
            bases->ranks, bases->rank, ranks->count, ranks->rank);
    }
    const sumac_status status = sumac_mpi_bases_part(bases, first, n, part_first, part_n);
    return status == SUMAC_OK
               ? status
               : mpi_fail(ranks, status, "there are %zu bases, fewer than %zu + %zu", bases->total, first, n);
}

/* ---- Scalars ---- */

typedef struct scalar_part {
    size_t bytes;              /* bytes of a scalar */
    size_t n;                  /* scalars of each MSM in the file */
    size_t part_first, part_n; /* this rank's part of these scalars */
    uint8_t *scalars;
} scalar_part;

static void drop_part(scalar_part *part)
{
    free(part->scalars);
}

/* Open the file, derive the number of scalars from its length, and allocate memory for this rank's scalars. This is
 * called before the first agreement. */
static sumac_status measure_part(sumac_mpi_ranks *ranks, const sumac_mpi_bases *bases, const char *path,
                                 size_t first, uint32_t batch, mpi_facts *facts, mpi_file *file,
                                 scalar_part *part)
{
    add_bases_fact(facts, bases);
    mpi_facts_add(facts, "call's sizes", "first %zu, batch %u", first, (unsigned)batch);
    TRY(mpi_file_open(file, ranks, path));
    mpi_facts_add_length(facts, "file of scalars", file);
    part->bytes = bases->group->scalar_bytes;
    const uint64_t count = file->size / part->bytes;
    if (file->size % part->bytes != 0 || count % batch != 0) {
        return mpi_fail(ranks, SUMAC_BAD_LENGTH,
                        "%s: %llu bytes are not a whole number of %zu-byte scalars for each of %u MSMs", path,
                        (unsigned long long)file->size, part->bytes, (unsigned)batch);
    }
    part->n = (size_t)(count / batch);
    TRY(find_part(ranks, bases, first, part->n, &part->part_first, &part->part_n));
    const size_t bytes = part->part_n * part->bytes * batch; /* at most the file's length */
    part->scalars = malloc(bytes > 0 ? bytes : 1);
    return part->scalars != NULL
               ? SUMAC_OK
               : mpi_fail(ranks, SUMAC_OUT_OF_MEMORY, "%s: there is no memory of %zu bytes for its scalars",
                          path, bytes);
}

static sumac_status read_part(const mpi_file *file, uint32_t batch, const scalar_part *part)
{
    const size_t bytes = part->part_n * part->bytes;
    for (uint32_t msm = 0; msm < batch && bytes > 0; msm++) {
        const uint64_t offset = ((uint64_t)msm * part->n + part->part_first) * part->bytes;
        TRY(mpi_file_read(file, offset, part->scalars + msm * bytes, bytes));
    }
    return mpi_file_unchanged(file);
}

sumac_status sumac_mpi_scalars_read(sumac_mpi_ranks *ranks, const sumac_mpi_bases *bases, const char *path,
                                    size_t first, uint32_t batch, void **scalars, size_t *scalars_bytes,
                                    size_t *n)
{
    if (scalars != NULL) {
        *scalars = NULL;
    }
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    CLEANUP(mpi_file_close) mpi_file file = {.descriptor = -1};
    CLEANUP(drop_part) scalar_part part = {.scalars = NULL};
    mpi_facts facts = mpi_facts_of(__func__);
    sumac_status status;
    if (batch == 0) {
        status = mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "batch is 0, and must be at least 1");
    } else if (bases == NULL || path == NULL || n == NULL || scalars == NULL || scalars_bytes == NULL) {
        status = mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "bases, path and outputs must not be null");
    } else {
        status = measure_part(ranks, bases, path, first, batch, &facts, &file, &part);
    }
    TRY(mpi_agree_on(ranks, status, &facts));
    TRY(mpi_file_agree(&file, "file of scalars"));
    TRY(mpi_agree(ranks, read_part(&file, batch, &part)));
    *n = part.n;
    *scalars_bytes = part.part_n * part.bytes * batch;
    *scalars = part.scalars;
    part.scalars = NULL;
    return SUMAC_OK;
}

/* ---- Sums ---- */

/* This is the state of a call on one rank. */
typedef struct mpi_msm {
    const sumac_group *group;
    sumac_msm_config config; /* for the MSM over this rank's shard */
    size_t part_n;
    uint32_t batch;
    size_t partial_bytes, results_bytes;
    uint8_t *partials; /* one partial result of each rank */
    const void **pointers;
    uint8_t *sums;
} mpi_msm;

static void drop_msm(mpi_msm *call)
{
    free(call->partials);
    free(call->pointers);
    free(call->sums);
}

static sumac_status take_config(sumac_mpi_ranks *ranks, const sumac_msm_config *given,
                                sumac_msm_config *config)
{
    sumac_message message;
    const sumac_status status = public_take(&public_msm_config, given, config, &message);
    if (status != SUMAC_OK) {
        return mpi_fail(ranks, status, "%s", message.text);
    }
    config->batch = config->batch == 0 ? 1 : config->batch;
    if (config->base_sets != 0 || config->result_form != SUMAC_FORM_CANONICAL || config->offsets != NULL) {
        return mpi_fail(ranks, SUMAC_NOT_SUPPORTED, "%s not supported over ranks",
                        config->base_sets != 0    ? "base_sets is"
                        : config->offsets == NULL ? "results in Montgomery form are"
                                                  : "offsets are");
    }
    return SUMAC_OK;
}

/* Find this rank's part of the call, and allocate all memory except the workspace. This is called before the first
 * agreement. */
static sumac_status prepare(sumac_mpi_ranks *ranks, const sumac_mpi_bases *bases, size_t n,
                            const sumac_msm_config *config, size_t results_bytes, mpi_facts *facts,
                            mpi_msm *call)
{
    const size_t count = (size_t)ranks->count;
    size_t part_first, bytes;
    TRY(take_config(ranks, config, &call->config));
    const size_t first = call->config.first;
    TRY(find_part(ranks, bases, first, n, &part_first, &call->part_n));
    call->group = bases->group;
    call->batch = call->config.batch;
    call->config.first = call->part_n > 0 ? first + part_first - bases->first : 0;
    add_bases_fact(facts, bases);
    mpi_facts_add(facts, "call's sizes", "n %zu, first %zu, batch %u, scalar_bits %u, cut_scalars %d", n,
                  first, (unsigned)call->batch, (unsigned)call->config.scalar_bits,
                  call->config.cut_scalars != 0);
    call->results_bytes = (size_t)call->batch * call->group->point_bytes;
    if (results_bytes < call->results_bytes) {
        return mpi_fail(ranks, SUMAC_BAD_LENGTH, "results: there are %zu bytes, fewer than %zu",
                        results_bytes, call->results_bytes);
    }
    call->partial_bytes = sumac_partial_bytes(call->group, call->batch);
    if (call->partial_bytes > INT_MAX || __builtin_mul_overflow(call->partial_bytes, count, &bytes)) {
        return mpi_fail(ranks, SUMAC_NOT_SUPPORTED, "the results of a batch of %u are more than MPI sends",
                        (unsigned)call->batch);
    }
    call->partials = malloc(bytes);
    call->pointers = calloc(count, sizeof *call->pointers);
    call->sums = malloc(call->results_bytes);
    if (call->partials == NULL || call->pointers == NULL || call->sums == NULL) {
        return mpi_fail(ranks, SUMAC_OUT_OF_MEMORY,
                        "there is no memory of %zu bytes for the partial results of %zu ranks", bytes, count);
    }
    for (size_t i = 0; i < count; i++) {
        call->pointers[i] = call->partials + i * call->partial_bytes;
    }
    return SUMAC_OK;
}

/* Give all partial results to every rank. MPI counts elements by an int; therefore an element is a whole partial
 * result, not a byte. */
static sumac_status gather(sumac_mpi_ranks *ranks, const mpi_msm *call)
{
    MPI_Datatype partial;
    TRY(mpi_from_mpi(ranks, MPI_Type_contiguous((int)call->partial_bytes, MPI_BYTE, &partial)));
    int code = MPI_Type_commit(&partial);
    if (code == MPI_SUCCESS) {
        code = MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, call->partials, 1, partial,
                             ranks->communicator);
    }
    (void)MPI_Type_free(&partial);
    return mpi_from_mpi(ranks, code);
}

sumac_status sumac_mpi_msm(sumac_mpi_ranks *ranks, const sumac_mpi_bases *bases, const void *scalars,
                           size_t scalars_bytes, size_t n, const sumac_msm_config *config, void *results,
                           size_t results_bytes)
{
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    CLEANUP(drop_msm) mpi_msm call = {.group = NULL};
    mpi_facts facts = mpi_facts_of(__func__);
    sumac_status status = bases == NULL || results == NULL
                              ? mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "bases and results must not be null")
                              : prepare(ranks, bases, n, config, results_bytes, &facts, &call);
    TRY(mpi_agree_on(ranks, status, &facts));
    status =
        sumac_msm_partial(ranks->context, bases->shard, scalars, scalars_bytes, call.part_n, &call.config,
                          call.partials + (size_t)ranks->rank * call.partial_bytes, call.partial_bytes);
    TRY(mpi_agree(ranks, mpi_from_context(ranks, status)));
    TRY(gather(ranks, &call));
    status = sumac_partial_combine(ranks->context, call.group, call.pointers, call.partial_bytes,
                                   (size_t)ranks->count, call.batch, call.sums, call.results_bytes);
    TRY(mpi_agree(ranks, mpi_from_context(ranks, status)));
    memcpy(results, call.sums, call.results_bytes);
    return SUMAC_OK;
}
