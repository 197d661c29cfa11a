/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mpi/ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This rank on the caller's communicator, without a context. */
static sumac_status begin(MPI_Comm communicator, sumac_mpi_ranks *begun)
{
    int initialised = 0, ended = 0, between = 0;
    *begun = (sumac_mpi_ranks){.communicator = communicator, .own = {.weight = 1}};
    (void)MPI_Initialized(&initialised);
    (void)MPI_Finalized(&ended);
    if (!initialised || ended) {
        return mpi_fail(begun, SUMAC_BAD_ARGUMENT, "MPI %s",
                        ended ? "has ended: MPI_Finalize() was called"
                              : "is not initialised: MPI_Init() comes first");
    }
    if (communicator == MPI_COMM_NULL) {
        return mpi_fail(begun, SUMAC_BAD_ARGUMENT, "the communicator is MPI_COMM_NULL");
    }
    int code = MPI_Comm_test_inter(communicator, &between);
    if (code == MPI_SUCCESS && between) {
        return mpi_fail(begun, SUMAC_BAD_ARGUMENT, "the communicator is an inter-communicator");
    }
    code = code == MPI_SUCCESS ? MPI_Comm_rank(communicator, &begun->rank) : code;
    return mpi_from_mpi(begun, code == MPI_SUCCESS ? MPI_Comm_size(communicator, &begun->count) : code);
}

/* The sentence for the caller, where one is wanted. */
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

sumac_status sumac_mpi_create(MPI_Comm communicator, sumac_context *context, sumac_mpi_ranks **ranks,
                              sumac_message *message)
{
    sumac_mpi_ranks self;
    if (ranks != NULL) {
        *ranks = NULL;
    }
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    sumac_mpi_ranks *made = NULL;
    sumac_status status = begin(communicator, &self);
    if (status == SUMAC_OK) {
        mpi_facts facts = mpi_facts_of(__func__);
        mpi_facts_add(&facts, "version", "%s, over libsumac %s", SUMAC_VERSION_STRING, sumac_version());
        const size_t bytes = sizeof *made + (size_t)self.count * sizeof *made->all;
        made = malloc(bytes);
        if (context == NULL) {
            status = mpi_fail(&self, SUMAC_BAD_ARGUMENT, "the context is null");
        } else if (made == NULL) {
            status =
                mpi_fail(&self, SUMAC_OUT_OF_MEMORY, "there is no memory of %zu bytes for a rank", bytes);
        }
        self.context = context;
        status = mpi_agree_on(&self, status, &facts);
    }
    if (status == SUMAC_OK) {
        status = mpi_from_mpi(&self, MPI_Comm_dup(communicator, &self.communicator));
    }
    give_message(&self, message);
    if (status != SUMAC_OK || made == NULL) {
        free(made);
        return status;
    }
    *made = self;
    *ranks = made;
    return SUMAC_OK;
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
    ranks->own.weight = weight;
    ranks->message[0] = '\0';
    return SUMAC_OK;
}

double sumac_mpi_weight(const sumac_mpi_ranks *ranks)
{
    return ranks == NULL ? 0 : ranks->own.weight;
}

/* An MSM to measure with. */
typedef struct sample {
    sumac_bases *bases;
    void *scalars;
    void *result;
} sample;

static sumac_status sample_make(sumac_mpi_ranks *ranks, const sumac_curve *curve, size_t n, sample *made)
{
    size_t bytes;
    if (curve == NULL || n == 0) {
        return mpi_fail(ranks, SUMAC_BAD_ARGUMENT, "%s", curve == NULL ? "the curve is null" : "n is 0");
    }
    const sumac_curve_info *info = sumac_curve_describe(curve);
    sumac_status status =
        mpi_from_context(ranks, sumac_known_bases_create(ranks->context, curve, n, 1, NULL, &made->bases));
    if (status != SUMAC_OK) {
        return status;
    }
    made->scalars = __builtin_mul_overflow(n, (size_t)info->scalar_bytes, &bytes) ? NULL : malloc(bytes);
    made->result = malloc(info->point_bytes);
    if (made->scalars == NULL || made->result == NULL) {
        return mpi_fail(ranks, SUMAC_OUT_OF_MEMORY, "there is no memory for %zu scalars to measure with", n);
    }
    return mpi_from_context(ranks, sumac_known_logarithms(ranks->context, curve, n, 2, made->scalars));
}

sumac_status sumac_mpi_measure_weight(sumac_mpi_ranks *ranks, const sumac_curve *curve, size_t n)
{
    enum { RUNS = 3 };
    sample made = {NULL, NULL, NULL};
    double least = INFINITY;
    if (ranks == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    mpi_facts facts = mpi_facts_of(__func__);
    mpi_facts_add(&facts, "size", "%zu", n);
    sumac_status status = sample_make(ranks, curve, n, &made);
    if (status == SUMAC_OK) {
        mpi_facts_add_curve(&facts, curve);
    }
    status = mpi_agree_on(ranks, status, &facts);
    if (status == SUMAC_OK) {
        for (int run = 0; run < RUNS && status == SUMAC_OK; run++) {
            const double start = MPI_Wtime();
            status = mpi_from_context(
                ranks, sumac_msm(ranks->context, made.bases, made.scalars, n, NULL, made.result));
            least = fmin(least, MPI_Wtime() - start);
        }
        status = mpi_agree(ranks, status);
    }
    if (status == SUMAC_OK) {
        ranks->own.weight = 1 / fmax(least, 1e-9); /* a clock that did not move */
    }
    sumac_bases_destroy(made.bases);
    free(made.scalars);
    free(made.result);
    return status;
}
