/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* `sumac-mpi msm`: every function here is collective, and fails on all ranks alike. */
#include <stdlib.h>

#include "cli/clock.h"
#include "cli/commands.h"
#include "cli/results.h"
#include "cli/session.h"
#include "job.h"

/* What one rank holds. */
typedef struct msm_job {
    session opened;
    int rank, count;
    sumac_mpi_ranks *ranks;
    sumac_mpi_bases *bases;
    void *scalars; /* of the rank's own bases */
    unsigned char *results;
    size_t n;
    double milliseconds, read_milliseconds;
} msm_job;

static int job_failed(const msm_job *job, sumac_status status)
{
    return job_failure(sumac_mpi_message(job->ranks), status);
}

static int begin(msm_job *job, const options *given)
{
    char message[SUMAC_MESSAGE_BYTES];
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &job->rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &job->count);
    int status = session_open(&job->opened, given);
    if (status == STATUS_DONE) {
        status = check_format("format", given->format, false);
    }
    if (status == STATUS_DONE && given->given[OPTION_SHARES] && given->shares.count != (size_t)job->count) {
        status =
            bad_input("--shares has %zu numbers, and there are %d ranks", given->shares.count, job->count);
    }
    status = job_agree(status);
    if (status != STATUS_DONE) {
        return status;
    }
    const sumac_status created = sumac_mpi_create(MPI_COMM_WORLD, job->opened.context, message, &job->ranks);
    return created == SUMAC_OK ? STATUS_DONE : job_failure(message, created);
}

/* With as many bases as a rank will have, but no more than takes seconds. */
static int measure_shares(msm_job *job, const options *given)
{
    enum { MOST = 1 << 18 };
    size_t n = 0;
    const sumac_status counted =
        sumac_bases_file_count(job->opened.context, job->opened.curve, given->bases, given->format, &n);
    int status = job_agree(counted == SUMAC_OK ? STATUS_DONE : session_failure(&job->opened, counted));
    n /= (size_t)job->count;
    if (status != STATUS_DONE || n == 0) {
        return status;
    }
    const sumac_status measured = sumac_mpi_measure_share(job->ranks, job->opened.curve, n < MOST ? n : MOST);
    return measured == SUMAC_OK ? STATUS_DONE : job_failed(job, measured);
}

static int choose_shares(msm_job *job, const options *given)
{
    if (given->measure_shares) {
        return measure_shares(job, given);
    }
    if (!given->given[OPTION_SHARES]) {
        return STATUS_DONE;
    }
    const sumac_status set = sumac_mpi_set_share(job->ranks, (double)given->shares.values[job->rank]);
    return set == SUMAC_OK ? STATUS_DONE : job_failed(job, set);
}

static int read_inputs(msm_job *job, const options *given)
{
    const double start = seconds_now();
    const sumac_bases_config config = bases_config(given);
    sumac_status status = sumac_mpi_bases_read(job->ranks, job->opened.curve, given->bases, given->format,
                                               &config, &job->bases);
    if (status == SUMAC_OK) {
        status = sumac_mpi_scalars_read(job->ranks, job->bases, given->scalars, 0, (uint32_t)given->batch,
                                        &job->n, &job->scalars);
    }
    job->read_milliseconds = 1e3 * (seconds_now() - start);
    return status == SUMAC_OK ? STATUS_DONE : job_failed(job, status);
}

static int compute(msm_job *job, const options *given)
{
    /* Both numbers are all ranks'. */
    if (job->n != sumac_mpi_bases_count(job->bases)) {
        return bad_input("'%s' has %zu scalars for each MSM, but '%s' has %zu bases", given->scalars, job->n,
                         given->bases, sumac_mpi_bases_count(job->bases));
    }
    job->results = allocate(given->batch * job->opened.info->point_bytes, "results");
    int status = job_agree(job->results != NULL ? STATUS_DONE : STATUS_MACHINE_FAULT);
    if (status != STATUS_DONE) {
        return status;
    }
    const sumac_msm_config config = msm_config(given);
    const double start = seconds_now();
    const sumac_status computed =
        sumac_mpi_msm(job->ranks, job->bases, job->scalars, job->n, &config, job->results);
    job->milliseconds = 1e3 * (seconds_now() - start);
    return computed == SUMAC_OK ? STATUS_DONE : job_failed(job, computed);
}

static int print_as_json(const msm_job *job, const options *given)
{
    const sumac_curve_info *info = job->opened.info;
    json_t *object = json_pack("{s:s, s:s, s:I, s:i, s:f, s:f}", "curve", info->name, "group", info->group,
                               "n", (json_int_t)job->n, "ranks", job->count, "ms", job->milliseconds,
                               "read_ms", job->read_milliseconds);
    if (object != NULL && !set_results(object, info, job->results, (uint32_t)given->batch)) {
        json_decref(object);
        object = NULL;
    }
    return print_json(object);
}

static void print_as_text(const msm_job *job, const options *given)
{
    print("curve      %s %s\n", job->opened.info->name, job->opened.info->group);
    print("n          %zu\n", job->n);
    if (given->batch > 1) {
        print("batch      %llu\n", (unsigned long long)given->batch);
    }
    print("ranks      %d; rank 0: %s (%s), threads: %u, %zu bases\n", job->count,
          sumac_context_backend(job->opened.context), sumac_context_variant(job->opened.context),
          (unsigned)sumac_context_threads(job->opened.context),
          sumac_bases_count(sumac_mpi_bases_shard(job->bases)));
    print("input      read in %.3f ms\n", job->read_milliseconds);
    print("time       %.3f ms\n", job->milliseconds);
    print_points(job->opened.info, job->results, (uint32_t)given->batch);
}

static int execute(msm_job *job, const options *given)
{
    int status = begin(job, given);
    if (status == STATUS_DONE) {
        status = choose_shares(job, given);
    }
    if (status == STATUS_DONE) {
        status = read_inputs(job, given);
    }
    if (status == STATUS_DONE) {
        status = compute(job, given);
    }
    if (status != STATUS_DONE || job->rank != 0) {
        return status;
    }
    if (given->json) {
        return print_as_json(job, given);
    }
    print_as_text(job, given);
    return STATUS_DONE;
}

static int run_msm(const options *given)
{
    msm_job job = {.ranks = NULL};
    int status = execute(&job, given);
    sumac_mpi_bases_destroy(job.bases);
    sumac_free(job.scalars);
    free(job.results);
    sumac_mpi_destroy(job.ranks);
    return session_close(&job.opened, status);
}

static const option_id takes[] = {OPTION_CURVE,
                                  OPTION_GROUP,
                                  OPTION_BASES,
                                  OPTION_FORMAT,
                                  OPTION_SCALARS,
                                  OPTION_BATCH,
                                  OPTION_SCALAR_BITS,
                                  OPTION_CUT_SCALARS,
                                  OPTION_CHECK,
                                  OPTION_OUTSIDE_SUBGROUP,
                                  OPTION_BACKEND,
                                  OPTION_VARIANT,
                                  OPTION_DEVICE,
                                  OPTION_THREADS,
                                  OPTION_PLAN,
                                  OPTION_PRECOMPUTE,
                                  OPTION_TABLES,
                                  OPTION_TABLE_LIMIT,
                                  OPTION_C,
                                  OPTION_REDUCTION,
                                  OPTION_CHUNKS,
                                  OPTION_PORTIONS,
                                  OPTION_LARGE_BUCKET_FACTOR,
                                  OPTION_MEMORY_LIMIT,
                                  OPTION_SHARES,
                                  OPTION_MEASURE_SHARES,
                                  OPTION_JSON,
                                  OPTION_END};
static const option_id needs[] = {OPTION_CURVE, OPTION_BASES, OPTION_SCALARS, OPTION_END};

const command command_msm_over_ranks = {
    .name = "msm",
    .summary = "Compute k_0*P_0 + ... + k_(n-1)*P_(n-1), each rank its part of the bases",
    .takes = takes,
    .needs = needs,
    .check = SUMAC_CHECK_CURVE,
    .notes = "Every rank opens both files by itself. mpirun -n 4 sumac-mpi msm ... starts four ranks.\n",
    .run = run_msm,
};
