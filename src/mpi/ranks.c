/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/try.h"
#include "mpi/ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sumac/experimental.h"

/* Initialize this rank's description on the caller's communicator, without a context. */
static sumac_status begin(MPI_Comm communicator, sumac_mpi_ranks *self)
{
    int initialised = 0, ended = 0, between = 0;
    *self = (sumac_mpi_ranks){.communicator = communicator, .facts = {.weight = 1}};
    (void)MPI_Initialized(&initialised);
    (void)MPI_Finalized(&ended);
    if (!initialised || ended) {
        return mpi_fail(self, SUMAC_BAD_ARGUMENT, "MPI %s",
                        ended ? "has ended: MPI_Finalize() was called"
                              : "is not initialised: MPI_Init() comes first");
    }
    if (communicator == MPI_COMM_NULL) {
        return mpi_fail(self, SUMAC_BAD_ARGUMENT, "the communicator is MPI_COMM_NULL");
    }
    TRY(mpi_from_mpi(self, MPI_Comm_test_inter(communicator, &between)));
    if (between) {
        return mpi_fail(self, SUMAC_BAD_ARGUMENT, "the communicator is an inter-communicator");
    }
    TRY(mpi_from_mpi(self, MPI_Comm_rank(communicator, &self->rank)));
    return mpi_from_mpi(self, MPI_Comm_size(communicator, &self->count));
}

/* Copy the message to the caller's struct, unless that is null. */
static void give_message(const sumac_mpi_ranks *self, sumac_message *message)
{
    if (message != NULL) {
        memcpy(message->text, self->message, sizeof message->text);
    }
}

sumac_status sumac_mpi_agree(MPI_Comm communicator, sumac_status status, const char *sentence,
                             sumac_message *message)
{
    sumac_mpi_ranks self;
    sumac_status agreed = begin(communicator, &self);
    if (agreed == SUMAC_OK) {
        (void)mpi_fail(&self, status, "%s", sentence == NULL ? "" : sentence);
        agreed = mpi_agree(&self, status);
    }
    give_message(&self, message);
    return agreed;
}

static sumac_status create(MPI_Comm communicator, sumac_context *context, sumac_mpi_ranks *self,
                           sumac_mpi_ranks **ranks)
{
    TRY(begin(communicator, self));
    const size_t bytes = sizeof **ranks + (size_t)self->count * sizeof *(*ranks)->all;
    AUTO_FREE sumac_mpi_ranks *created = malloc(bytes);
    mpi_facts facts = mpi_facts_of("sumac_mpi_create");
    mpi_facts_add(&facts, "version", "%s, over libsumac %s", SUMAC_VERSION_STRING, sumac_version());
    sumac_status status = SUMAC_OK;
    if (context == NULL) {
        status = mpi_fail(self, SUMAC_BAD_ARGUMENT, "the context is null");
    } else if (created == NULL) {
        status = mpi_fail(self, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a rank", bytes);
    }
    TRY(mpi_agree_on(self, status, &facts));
    TRY(mpi_from_mpi(self, MPI_Comm_dup(communicator, &self->communicator)));
    self->context = context;
    *created = *self;
    *ranks = created;
    created = NULL;
    return SUMAC_OK;
}

sumac_status sumac_mpi_create(MPI_Comm communicator, sumac_context *context, sumac_mpi_ranks **ranks,
                              sumac_message *message)
{
    sumac_mpi_ranks self;
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    *ranks = NULL;
    const sumac_status status = create(communicator, context, &self, ranks);
    give_message(&self, message);
    return status;
}

void sumac_mpi_destroy(sumac_mpi_ranks *ranks)
{
    int ended = 0;
    if (ranks == NULL) {
        return;
    }
    (void)MPI_Finalized(&ended);
    if (!ended) {
        (void)MPI_Comm_free(&ranks->communicator);
    }
    free(ranks);
}

const char *sumac_mpi_message(const sumac_mpi_ranks *ranks)
{
    return ranks == NULL ? "" : ranks->message;
}

sumac_status sumac_mpi_set_weight(sumac_mpi_ranks *ranks, double weight)
{
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (!(weight >= 0) || isinf(weight)) {
        return mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "%g is no weight", weight);
    }
    ranks->facts.weight = weight;
    ranks->message[0] = '\0';
    return SUMAC_OK;
}

double sumac_mpi_weight(const sumac_mpi_ranks *ranks)
{
    return ranks == NULL ? 0 : ranks->facts.weight;
}

/* This is the MSM by which the speed of a rank is measured. */
typedef struct weight_sample {
    sumac_bases *bases;
    void *scalars;
    void *result;
} weight_sample;

static void sample_end(weight_sample *sample)
{
    sumac_bases_destroy(sample->bases);
    free(sample->scalars);
    free(sample->result);
}

static sumac_status sample_make(sumac_mpi_ranks *ranks, const sumac_group *group, size_t n,
                                weight_sample *sample)
{
    size_t bytes;
    if (group == NULL || n == 0) {
        return mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "%s", group == NULL ? "the curve is null" : "n is 0");
    }
    TRY(mpi_from_context(ranks, sumac_known_bases_create(ranks->context, group, n, 1, NULL, &sample->bases)));
    sample->scalars = __builtin_mul_overflow(n, (size_t)group->scalar_bytes, &bytes) ? NULL : malloc(bytes);
    sample->result = malloc(group->point_bytes);
    if (sample->scalars == NULL || sample->result == NULL) {
        return mpi_fail(ranks, SUMAC_OUT_OF_MEMORY, "there is no memory for %zu scalars to measure with", n);
    }
    return mpi_from_context(ranks,
                            sumac_known_logarithms(ranks->context, group, n, 2, sample->scalars, bytes));
}

/* Run the MSM three times, and measure the least time in seconds. */
static sumac_status sample_time(sumac_mpi_ranks *ranks, const sumac_group *group, size_t n,
                                const weight_sample *sample, double *least)
{
    enum { RUNS = 3 };
    *least = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        const double start = MPI_Wtime();
        TRY(mpi_from_context(ranks, sumac_msm(ranks->context, sample->bases, sample->scalars,
                                              n * group->scalar_bytes, n, NULL, sample->result,
                                              group->point_bytes)));
        *least = fmin(*least, MPI_Wtime() - start);
    }
    return SUMAC_OK;
}

sumac_status sumac_mpi_measure_weight(sumac_mpi_ranks *ranks, const sumac_group *group, size_t n)
{
    CLEANUP(sample_end) weight_sample sample = {NULL, NULL, NULL};
    double least;
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    mpi_facts facts = mpi_facts_of(__func__);
    mpi_facts_add(&facts, "size", "%zu", n);
    const sumac_status status = sample_make(ranks, group, n, &sample);
    if (status == SUMAC_OK) {
        mpi_facts_add_group(&facts, group);
    }
    TRY(mpi_agree_on(ranks, status, &facts));
    TRY(mpi_agree(ranks, sample_time(ranks, group, n, &sample, &least)));
    ranks->facts.weight = 1 / fmax(least, 1e-9); /* the lower bound avoids a division by 0 if the clock did
                                                    not advance */
    return SUMAC_OK;
}
