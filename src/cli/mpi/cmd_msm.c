/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* `sumac-mpi msm`: every function here is collective, and fails on all ranks alike. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/clock.h"
#include "cli/commands.h"
#include "cli/results.h"
#include "cli/session.h"
#include "job.h"

/* What one rank holds. */
typedef struct msm_job {
    rank_job base;
    sumac_mpi_bases *bases;
    void *scalars; /* of the rank's own bases */
    unsigned char *results;
    size_t n;
    double milliseconds, read_milliseconds;
} msm_job;

/* What this rank can see of its options alone. */
static int check_options(const options *given)
{
    const char *format;
    int status = choose_input_format(given, &format);
    if (status == STATUS_DONE) {
        status = job_refuse_standard_input(given->bases);
    }
    return status == STATUS_DONE ? job_refuse_standard_input(given->scalars) : status;
}

/* What the calls below do not compare: what else each rank takes the bases for. */
static int agree_on_options(const rank_job *base)
{
    char text[128];
    const options *given = &base->given;
    (void)snprintf(text, sizeof text, "msm, check %s%s", option_choice(OPTION_CHECK, given->check),
                   given->outside_subgroup ? ", outside the subgroup" : "");
    return job_status(base, sumac_mpi_agree_on_text(base->ranks, "command", text));
}

/* With as many bases as a rank will have, but no more than takes seconds. */
static int measure_weights(const rank_job *base)
{
    enum { MOST = 1 << 18 };
    size_t n = 0;
    const options *given = &base->given;
    const session *opened = &base->opened;
    if (!given->measure_weights) {
        return STATUS_DONE;
    }
    const sumac_status counted =
        sumac_bases_file_count(opened->context, opened->curve, given->bases, given->format, &n);
    int status = job_agree(counted == SUMAC_OK ? STATUS_DONE : session_failure(opened, counted));
    n /= (size_t)base->count;
    if (status != STATUS_DONE || n == 0) {
        return status;
    }
    return job_status(base, sumac_mpi_measure_weight(base->ranks, opened->curve, n < MOST ? n : MOST));
}

static int read_inputs(msm_job *job)
{
    const double start = seconds_now();
    const options *given = &job->base.given;
    const sumac_bases_config config = bases_config(given);
    sumac_status status = sumac_mpi_bases_open(job->base.ranks, job->base.opened.curve, given->bases,
                                               given->format, &config, &job->bases);
    if (status == SUMAC_OK) {
        status = sumac_mpi_scalars_read(job->base.ranks, job->bases, given->scalars, 0,
                                        (uint32_t)given->batch, &job->scalars, &job->n);
    }
    job->read_milliseconds = 1e3 * (seconds_now() - start);
    return job_status(&job->base, status);
}

static int compute(msm_job *job)
{
    const options *given = &job->base.given;
    /* Both numbers are all ranks'. */
    if (job->n != sumac_mpi_bases_count(job->bases)) {
        return bad_input("'%s' has %zu scalars for each MSM, but '%s' has %zu bases", given->scalars, job->n,
                         given->bases, sumac_mpi_bases_count(job->bases));
    }
    job->results = allocate(given->batch * job->base.opened.info->point_bytes, "results");
    int status = job_agree(job->results != NULL ? STATUS_DONE : STATUS_MACHINE_FAULT);
    if (status != STATUS_DONE) {
        return status;
    }
    sumac_tuning tuning;
    const sumac_msm_config config = msm_config(given, &tuning);
    const double start = seconds_now();
    const sumac_status computed =
        sumac_mpi_msm(job->base.ranks, job->bases, job->scalars, job->n, &config, job->results);
    job->milliseconds = 1e3 * (seconds_now() - start);
    return job_status(&job->base, computed);
}

static int print_as_json(const msm_job *job)
{
    const options *given = &job->base.given;
    const sumac_curve_info *info = job->base.opened.info;
    json_t *object = json_pack("{s:s, s:s, s:I, s:i, s:f, s:f}", "curve", info->name, "group", info->group,
                               "n", (json_int_t)job->n, "ranks", job->base.count, "ms", job->milliseconds,
                               "read_ms", job->read_milliseconds);
    if (object != NULL && !set_results(object, info, job->results, (uint32_t)given->batch)) {
        json_decref(object);
        object = NULL;
    }
    return print_json(object);
}

static void print_as_text(const msm_job *job)
{
    const options *given = &job->base.given;
    const session *opened = &job->base.opened;
    print("curve      %s %s\n", opened->info->name, opened->info->group);
    print("n          %zu\n", job->n);
    if (given->batch > 1) {
        print("batch      %llu\n", (unsigned long long)given->batch);
    }
    print("ranks      %d; rank 0: %s (%s), threads: %u, %zu bases\n", job->base.count,
          sumac_context_backend(opened->context), sumac_context_variant(opened->context),
          (unsigned)sumac_context_threads(opened->context),
          sumac_bases_count(sumac_mpi_bases_shard(job->bases)));
    print("input      read in %.3f ms\n", job->read_milliseconds);
    print("time       %.3f ms\n", job->milliseconds);
    print_points(opened->info, job->results, (uint32_t)given->batch);
}

static int execute(msm_job *job)
{
    int status = agree_on_options(&job->base);
    if (status == STATUS_DONE) {
        status = measure_weights(&job->base);
    }
    if (status == STATUS_DONE) {
        status = read_inputs(job);
    }
    if (status == STATUS_DONE) {
        status = compute(job);
    }
    if (status != STATUS_DONE || job->base.rank != 0) {
        return status;
    }
    if (job->base.given.json) {
        return print_as_json(job);
    }
    print_as_text(job);
    return STATUS_DONE;
}

static int run_msm(const options *given)
{
    msm_job job = {.bases = NULL};
    int status = job_begin(&job.base, given, check_options(given));
    if (status == STATUS_DONE) {
        (void)choose_input_format(given, &job.base.given.format); /* checked before */
        status = execute(&job);
    }
    sumac_mpi_bases_destroy(job.bases);
    sumac_free(job.scalars);
    free(job.results);
    return job_end(&job.base, status);
}

static const option_id takes[] = {OPTIONS_OF_MSM, OPTION_RANK_DEVICE, OPTION_WEIGHTS, OPTION_MEASURE_WEIGHTS,
                                  OPTION_END};
static const option_id needs[] = {OPTION_CURVE, OPTION_BASES, OPTION_SCALARS, OPTION_END};

const command command_msm_over_ranks = {
    .name = "msm",
    .summary = "Compute k_0*P_0 + ... + k_(n-1)*P_(n-1), each rank its shard of the bases",
    .takes = takes,
    .needs = needs,
    .check = SUMAC_CHECK_CURVE,
    .notes = "Every rank opens both files by itself. mpirun -n 4 sumac-mpi msm ... starts four ranks.\n",
    .run = run_msm,
};
