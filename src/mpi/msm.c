/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Scalars of a rank's bases, and sums over all ranks. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/file.h"

static void add_bases_fact(mpi_facts *facts, const sumac_mpi_bases *bases)
{
    mpi_facts_add(facts, "handle of bases", "number %llu", (unsigned long long)bases->number);
}

/* This rank's of the bases. All ranks' parts are all n only where those ranks call that made the bases. */
static sumac_status find_part(sumac_mpi_ranks *ranks, const sumac_mpi_bases *bases, size_t first, size_t n,
                              size_t *part_first, size_t *part_n)
{
    if (bases->rank != ranks->rank || bases->ranks != ranks->count) {
        return mpi_fail(ranks, SUMAC_BAD_ARGUMENT,
                        "the bases lie on %d ranks, of which this was rank %d, and not on these %d",
                        bases->ranks, bases->rank, ranks->count);
    }
    const sumac_status status = sumac_mpi_bases_part(bases, first, n, part_first, part_n);
    return status == SUMAC_OK
               ? status
               : mpi_fail(ranks, status, "there are %zu bases, fewer than %zu + %zu", bases->total, first, n);
}

/* ---- Scalars ---- */

typedef struct scalar_part {
    size_t bytes;              /* of a scalar */
    size_t n;                  /* scalars of each MSM in the file */
    size_t part_first, part_n; /* this rank's of them */
    uint8_t *scalars;
} scalar_part;

/* Derive the number of scalars from the file's length, and allocate memory for this rank's. */
static sumac_status measure_part(const mpi_file *file, const sumac_mpi_bases *bases, size_t first,
                                 uint32_t batch, scalar_part *part)
{
    sumac_mpi_ranks *ranks = file->ranks;
    size_t bytes;
    part->bytes = sumac_curve_describe(sumac_bases_curve(bases->shard))->scalar_bytes;
    const uint64_t count = file->size / part->bytes;
    if (file->size % part->bytes != 0 || count % batch != 0) {
        return mpi_fail(ranks, SUMAC_BAD_LENGTH,
                        "%s: %llu bytes are not a whole number of %zu-byte scalars for each of %u MSMs",
                        file->path, (unsigned long long)file->size, part->bytes, (unsigned)batch);
    }
    part->n = (size_t)(count / batch);
    const sumac_status status = find_part(ranks, bases, first, part->n, &part->part_first, &part->part_n);
    if (status != SUMAC_OK) {
        return status;
    }
    bytes = part->part_n * part->bytes * batch; /* no more than the file has */
    part->scalars = malloc(bytes > 0 ? bytes : 1);
    return part->scalars != NULL
               ? SUMAC_OK
               : mpi_fail(ranks, SUMAC_OUT_OF_MEMORY, "%s: there is no memory of %zu bytes for its scalars",
                          file->path, bytes);
}

static sumac_status read_part(const mpi_file *file, uint32_t batch, const scalar_part *part)
{
    const size_t bytes = part->part_n * part->bytes;
    sumac_status status = SUMAC_OK;
    for (uint32_t msm = 0; msm < batch && bytes > 0 && status == SUMAC_OK; msm++) {
        const uint64_t offset = ((uint64_t)msm * part->n + part->part_first) * part->bytes;
        status = mpi_file_read(file, offset, part->scalars + msm * bytes, bytes);
    }
    return status == SUMAC_OK ? mpi_file_unchanged(file) : status;
}

sumac_status sumac_mpi_scalars_read(sumac_mpi_ranks *ranks, const sumac_mpi_bases *bases, const char *path,
                                    size_t first, uint32_t batch, void **scalars, size_t *n)
{
    if (scalars != NULL) {
        *scalars = NULL;
    }
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    mpi_file file = {.descriptor = -1};
    scalar_part part = {.scalars = NULL};
    mpi_facts facts = mpi_facts_of(__func__);
    sumac_status status = SUMAC_OK;
    if (bases == NULL || path == NULL || n == NULL || scalars == NULL || batch == 0) {
        status = mpi_fail(ranks, SUMAC_BAD_ARGUMENT,
                          batch == 0 ? "batch is 0, and must be at least 1"
                                     : "bases, path, n and scalars must not be null");
    } else {
        add_bases_fact(&facts, bases);
        mpi_facts_add(&facts, "call's sizes", "first %zu, batch %u", first, (unsigned)batch);
        status = mpi_file_open(&file, ranks, path);
    }
    if (status == SUMAC_OK) {
        mpi_facts_add_length(&facts, "file of scalars", &file);
        status = measure_part(&file, bases, first, batch, &part);
    }
    status = mpi_agree_on(ranks, status, &facts);
    if (status == SUMAC_OK) {
        status = mpi_file_agree(&file, "file of scalars");
    }
    if (status == SUMAC_OK) {
        status = mpi_agree(ranks, read_part(&file, batch, &part));
    }
    mpi_file_close(&file);
    if (status != SUMAC_OK) {
        free(part.scalars);
        return status;
    }
    *n = part.n;
    *scalars = part.scalars;
    return SUMAC_OK;
}

/* ---- Sums ---- */

/* A call on one rank. */
typedef struct mpi_msm {
    const sumac_curve *curve;
    sumac_msm_config config; /* of the rank's own bases */
    size_t part_n;
    uint32_t batch;
    size_t partial_bytes;
    uint8_t *partials; /* one of each rank */
    const void **pointers;
    uint8_t *sums;
} mpi_msm;

static sumac_status take_config(sumac_mpi_ranks *ranks, const sumac_msm_config *given, sumac_msm_config *own)
{
    *own = sumac_msm_config_default();
    if (given == NULL) {
        return SUMAC_OK;
    }
    if (given->size == 0 || given->size > sizeof *own) {
        return mpi_fail(ranks, given->size == 0 ? SUMAC_BAD_ARGUMENT : SUMAC_NOT_SUPPORTED,
                        "the configuration's size is %zu, and this version's %zu", given->size, sizeof *own);
    }
    memcpy(own, given, given->size); /* libsumac looks at the size that is left in it */
    if (own->batch == 0) {
        return mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "batch is 0, and must be at least 1");
    }
    if (own->separate_bases || own->result_form != SUMAC_FORM_CANONICAL || own->offsets != NULL) {
        return mpi_fail(ranks, SUMAC_NOT_SUPPORTED, "%s over ranks",
                        own->separate_bases    ? "there are no separate bases"
                        : own->offsets == NULL ? "results are not in Montgomery form"
                                               : "all MSMs have one length: there are no offsets");
    }
    return SUMAC_OK;
}

static sumac_status allocate_sums(sumac_mpi_ranks *ranks, mpi_msm *call)
{
    const size_t count = (size_t)ranks->count;
    size_t bytes;
    call->partial_bytes = sumac_partial_bytes(call->curve, call->batch);
    if (call->partial_bytes > INT_MAX || __builtin_mul_overflow(call->partial_bytes, count, &bytes)) {
        return mpi_fail(ranks, SUMAC_NOT_SUPPORTED, "the results of a batch of %u are more than MPI sends",
                        (unsigned)call->batch);
    }
    call->partials = malloc(bytes);
    call->pointers = calloc(count, sizeof *call->pointers);
    call->sums = malloc(call->partial_bytes);
    if (call->partials == NULL || call->pointers == NULL || call->sums == NULL) {
        return mpi_fail(ranks, SUMAC_OUT_OF_MEMORY,
                        "there is no memory of %zu bytes for the partial results of %zu ranks", bytes, count);
    }
    for (size_t i = 0; i < count; i++) {
        call->pointers[i] = call->partials + i * call->partial_bytes;
    }
    return SUMAC_OK;
}

/* Before the first agreement: this rank's part of the call, and all memory but the workspace. */
static sumac_status prepare(sumac_mpi_ranks *ranks, const sumac_mpi_bases *bases, size_t n,
                            const sumac_msm_config *config, mpi_facts *facts, mpi_msm *call)
{
    size_t part_first;
    sumac_status status = take_config(ranks, config, &call->config);
    const size_t first = call->config.first;
    if (status == SUMAC_OK) {
        status = find_part(ranks, bases, first, n, &part_first, &call->part_n);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    call->curve = sumac_bases_curve(bases->shard);
    call->batch = call->config.batch;
    call->config.first = call->part_n > 0 ? first + part_first - bases->first : 0;
    add_bases_fact(facts, bases);
    mpi_facts_add(facts, "call's sizes", "n %zu, first %zu, batch %u, scalar_bits %u, cut_scalars %d", n,
                  first, (unsigned)call->batch, (unsigned)call->config.scalar_bits,
                  call->config.cut_scalars != 0);
    return allocate_sums(ranks, call);
}

/* Every rank gets all partial results. One element is one of them: counts are ints. */
static sumac_status gather(sumac_mpi_ranks *ranks, const mpi_msm *call)
{
    MPI_Datatype partial;
    int code = MPI_Type_contiguous((int)call->partial_bytes, MPI_BYTE, &partial);
    if (code != MPI_SUCCESS) {
        return mpi_from_mpi(ranks, code);
    }
    code = MPI_Type_commit(&partial);
    if (code == MPI_SUCCESS) {
        code = MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, call->partials, 1, partial,
                             ranks->communicator);
    }
    (void)MPI_Type_free(&partial);
    return mpi_from_mpi(ranks, code);
}

/* After all ranks agreed on the call. */
static sumac_status compute(sumac_mpi_ranks *ranks, const sumac_mpi_bases *bases, const void *scalars,
                            const mpi_msm *call)
{
    uint8_t *own = call->partials + (size_t)ranks->rank * call->partial_bytes;
    sumac_status status = mpi_from_context(
        ranks, sumac_msm_partial(ranks->context, bases->shard, scalars, call->part_n, &call->config, own));
    status = mpi_agree(ranks, status);
    if (status == SUMAC_OK) {
        status = gather(ranks, call);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    status = mpi_from_context(ranks, sumac_partial_combine(ranks->context, call->curve, call->pointers,
                                                           (size_t)ranks->count, call->batch, call->sums));
    return mpi_agree(ranks, status);
}

sumac_status sumac_mpi_msm(sumac_mpi_ranks *ranks, const sumac_mpi_bases *bases, const void *scalars,
                           size_t n, const sumac_msm_config *config, void *results)
{
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    mpi_msm call = {.curve = NULL};
    mpi_facts facts = mpi_facts_of(__func__);
    sumac_status status = bases == NULL || results == NULL
                              ? mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "bases and results must not be null")
                              : prepare(ranks, bases, n, config, &facts, &call);
    status = mpi_agree_on(ranks, status, &facts);
    if (status == SUMAC_OK) {
        status = compute(ranks, bases, scalars, &call);
    }
    if (status == SUMAC_OK) {
        memcpy(results, call.sums, (size_t)call.batch * sumac_curve_describe(call.curve)->point_bytes);
    }
    free(call.partials);
    free(call.pointers);
    free(call.sums);
    return status;
}
