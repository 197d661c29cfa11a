/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This is the command `sumac-mpi msm`. All functions here are collective, and if one fails, it fails on all ranks. */
#include "cli/cli.h"

#include "job.h"

/* This is the state of one rank. */
typedef struct msm_run {
    sumac_mpi_bases *bases;
    void *scalars; /* the scalars of this rank's bases */
    size_t scalars_bytes;
    unsigned char *results;
    size_t n;
    double milliseconds, read_milliseconds;
} msm_run;

static void free_run(msm_run *run)
{
    sumac_mpi_bases_destroy(run->bases);
    sumac_free(run->scalars);
    free(run->results);
}

/* If --weights measure is given, measure the speeds of the ranks. The measurement uses as many bases as a rank will
 * have, up to a limit. */
static int measure_weights(const session *opened, const options *given)
{
    enum { MOST = 1 << 18 };
    size_t n = 0;
    if (given->weights == NULL || strcmp(given->weights, "measure") != 0) {
        return STATUS_DONE;
    }
    MUST(ranks_agree(session_check(
        opened, sumac_bases_file_count(opened->context, opened->group, given->bases, given->format, &n))));
    n /= (size_t)job_rank_count();
    return n == 0 ? STATUS_DONE
                  : job_status(sumac_mpi_measure_weight(job_ranks(), opened->group, n < MOST ? n : MOST));
}

static int compute(msm_run *run, const session *opened, const options *given)
{
    double start = clock_seconds();
    const tuning_text tuning = tuning_of(given);
    const sumac_bases_config bases = bases_config(given, &tuning);
    MUST(job_status(
        sumac_mpi_bases_open(job_ranks(), opened->group, given->bases, given->format, &bases, &run->bases)));
    MUST(job_status(sumac_mpi_scalars_read(job_ranks(), run->bases, given->scalars, 0, (uint32_t)given->batch,
                                           &run->scalars, &run->scalars_bytes, &run->n)));
    run->read_milliseconds = 1e3 * (clock_seconds() - start);
    /* Both numbers are the same on all ranks, so all ranks fail or none does. */
    if (run->n != sumac_mpi_bases_count(run->bases)) {
        return bad_input("'%s' has %zu scalars for each MSM, but '%s' has %zu bases", given->scalars, run->n,
                         given->bases, sumac_mpi_bases_count(run->bases));
    }
    run->results = allocate(given->batch * opened->info->point_bytes, "results");
    MUST(ranks_agree(run->results != NULL ? STATUS_DONE : STATUS_MACHINE_FAULT));
    const sumac_msm_config config = msm_config(given, &tuning);
    start = clock_seconds();
    const sumac_status status =
        sumac_mpi_msm(job_ranks(), run->bases, run->scalars, run->scalars_bytes, run->n, &config,
                      run->results, (size_t)given->batch * opened->info->point_bytes);
    run->milliseconds = 1e3 * (clock_seconds() - start);
    return job_status(status);
}

static int run_msm(const session *opened, const options *given)
{
    CLEANUP(free_run) msm_run run = {.bases = NULL};
    const sumac_group *info = opened->info;
    const uint32_t batch = (uint32_t)given->batch;
    MUST(ranks_agree(check_format("format", given->format, false)));
    MUST(measure_weights(opened, given));
    MUST(compute(&run, opened, given));
    if (given->json) {
        json_t *object = json_pack("{s:s, s:s, s:I, s:i, s:f, s:f}", "curve", info->curve, "group",
                                   info->name, "n", (json_int_t)run.n, "ranks", job_rank_count(), "ms",
                                   run.milliseconds, "read_ms", run.read_milliseconds);
        put_results(&object, info, run.results, batch);
        return print_json(object);
    }
    print("curve      %s %s\nn          %zu\n", info->curve, info->name, run.n);
    if (batch > 1) {
        print("batch      %u\n", (unsigned)batch);
    }
    print("ranks      %d; rank 0: %s (%s), threads: %u, %zu bases\n", job_rank_count(),
          context_info(opened->context).backend, context_info(opened->context).variant,
          (unsigned)context_info(opened->context).threads,
          sumac_bases_count(sumac_mpi_bases_shard(run.bases)));
    print("input      read in %.3f ms\ntime       %.3f ms\n", run.read_milliseconds, run.milliseconds);
    print_points(info, run.results, batch);
    return STATUS_DONE;
}

const command command_msm_over_ranks = {
    .name = "msm",
    .summary = "Compute k_0*P_0 + ... + k_(n-1)*P_(n-1), each rank its shard of the bases",
    .takes = OPTIONS(OPTIONS_OF_MSM, OPTION_WEIGHTS),
    .needs = OPTIONS(OPTION_CURVE, OPTION_BASES, OPTION_SCALARS),
    .presets = PRESETS({OPTION_VALIDATE, "curve"}),
    .takes_devices = true,
    .example = "msm --curve bn254 --bases bases.bin --scalars scalars.bin --devices local",
    .notes = "Every rank opens both files by itself. mpirun -n 4 sumac-mpi msm ... starts four ranks.",
    .run_in = run_msm,
};
