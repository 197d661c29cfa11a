/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli/cli.h"

#include "job.h"

/* A process has only this job. */
static struct {
    bool has_begun;
    int local_rank; /* this rank's index among the ranks of this machine */
    int rank, count;
    bool measures; /* set for --weights measure */
    sumac_mpi_ranks *ranks;
} job;

bool job_find_local_rank(void)
{
    MPI_Comm machine;
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine) !=
        MPI_SUCCESS) {
        return false;
    }
    const bool found = MPI_Comm_rank(machine, &job.local_rank) == MPI_SUCCESS &&
                       MPI_Comm_rank(MPI_COMM_WORLD, &job.rank) == MPI_SUCCESS &&
                       MPI_Comm_size(MPI_COMM_WORLD, &job.count) == MPI_SUCCESS;
    return MPI_Comm_free(&machine) == MPI_SUCCESS && found;
}

sumac_mpi_ranks *job_ranks(void)
{
    return job.ranks;
}

int job_rank_count(void)
{
    return job.count;
}

static int failure(const char *sentence, sumac_status status)
{
    return report_failure(exit_status_of(status), "%s",
                          sentence[0] != '\0' ? sentence : sumac_status_text(status));
}

/* Return true if every rank begins work or has failed. If this is false, some rank only prints, and no other rank may
 * wait for it. */
static bool all_begin(bool begins)
{
    int mine = begins, all = 0;
    return MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD) == MPI_SUCCESS && all != 0;
}

int job_end(int status)
{
    if (job.has_begun) {
        return status;
    }
    (void)all_begin(status != STATUS_DONE);
    return ranks_agree(status);
}

int job_status(sumac_status status)
{
    return status == SUMAC_OK ? STATUS_DONE : failure(sumac_mpi_message(job.ranks), status);
}

/* ---- ranks.h ---- */

bool ranks_is_first(void)
{
    return job.rank == 0;
}

int ranks_agree(int status)
{
    sumac_message message;
    /* An exit status is sent as a library status of the same meaning. */
    const sumac_status blamed = status == STATUS_DONE            ? SUMAC_OK
                                : status == STATUS_MACHINE_FAULT ? SUMAC_INTERNAL
                                                                 : SUMAC_BAD_ARGUMENT;
    job.has_begun = true;
    const sumac_status agreed = sumac_mpi_agree(MPI_COMM_WORLD, blamed, report_kept_sentence(), &message);
    return agreed == SUMAC_OK ? STATUS_DONE : failure(message.text, agreed);
}

int ranks_agree_on_text(const char *what, const char *text)
{
    return job_status(sumac_mpi_agree_on_text(job.ranks, what, text));
}

int ranks_agree_on_file(const char *what, const char *path)
{
    return job_status(sumac_mpi_agree_on_file(job.ranks, what, path));
}

int ranks_measure(size_t count, int (*compute)(void *user), void *user)
{
    enum { RUNS = 2 }; /* all ranks compute at the same time; the faster one of two runs counts */
    double least = 0;
    for (int run = 0; run < RUNS && job.measures; run++) {
        const double start = clock_seconds();
        const int computed = compute(user);
        const double seconds = clock_seconds() - start;
        least = run == 0 || seconds < least ? seconds : least;
        MUST(ranks_agree(computed));
    }
    least = least > 1e-9 ? least : 1e-9; /* the lower bound avoids a division by 0 if the clock did not
                                            advance */
    return job.measures ? job_status(sumac_mpi_set_weight(job.ranks, (double)count / least)) : STATUS_DONE;
}

size_t ranks_share(size_t n)
{
    const size_t share = n / (size_t)job.count;
    return share > 0 ? share : 1;
}

int ranks_read_records(const char *path, size_t record_bytes, void **records, size_t *count, size_t *first,
                       size_t *all)
{
    return job_status(sumac_mpi_records_read(job.ranks, path, record_bytes, records, count, first, all));
}

int ranks_gather(const void *part, size_t bytes, rank_receiver receive, void *user)
{
    return job_status(sumac_mpi_gather(job.ranks, part, bytes, receive, user));
}

/* ---- Opening ---- */

/* Choose a GPU: its number is this rank's index on its machine, modulo the number of GPUs. If there is no GPU, creating
 * the context reports that, or uses the CPU. */
static void choose_local_device(options *given)
{
    const bool may_be_gpu = given->backend == NULL || strcmp(given->backend, "cpu") != 0;
    sumac_context_config all = {.size = sizeof all};
    sumac_context *context = NULL;
    all.backend = "cuda";
    all.threads = 1;
    all.device_count = SUMAC_ALL_DEVICES;
    given->devices.count = 0;
    if (may_be_gpu && sumac_context_create(&all, &context, NULL) == SUMAC_OK) {
        given->devices.count = 1;
        given->devices.values[0] = job.local_rank % (int32_t)context_info(context).device_count;
        sumac_context_destroy(context);
    }
}

/* Find this rank's weight. Without --weights it is 1. */
static int find_weight(const options *given, double *weight)
{
    number_list weights;
    *weight = 1;
    job.measures = given->weights != NULL && strcmp(given->weights, "measure") == 0;
    if (given->weights == NULL || job.measures) {
        return STATUS_DONE;
    }
    bool is_good = parse_number_list(given->weights, STEP_COUNTS, &weights);
    for (size_t i = 0; i < weights.count && is_good; i++) {
        is_good = weights.values[i] <= UINT32_MAX;
    }
    if (!is_good) {
        return bad_input(
            "--weights takes numbers from 0 to 4294967295, as 1,1,4 or 1..4, or measure, not '%s'",
            given->weights);
    }
    if (weights.count != (size_t)job.count) {
        return bad_input("--weights has %zu numbers, and there are %d ranks", weights.count, job.count);
    }
    *weight = (double)weights.values[job.rank];
    return STATUS_DONE;
}

/* Refuse standard input, because a rank can't read only a part of it. */
static int refuse_standard_input(const options *given)
{
    const char *const inputs[] = {given->bases, given->scalars, given->setup,
                                  given->operand_count > 0 ? given->operands[0] : NULL};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        if (inputs[i] != NULL && strcmp(inputs[i], "/dev/stdin") == 0) {
            return bad_input(
                "standard input cannot be read over ranks: each of them opens a file and reads its "
                "part");
        }
    }
    return STATUS_DONE;
}

/* Open this rank's session, as far as that is possible without other ranks. */
static int open_alone(options *given, session *opened, double *weight)
{
    MUST(refuse_standard_input(given));
    MUST(find_weight(given, weight));
    if (given->devices.count == DEVICES_LOCAL) {
        choose_local_device(given);
    }
    return session_open(opened, given);
}

int ranks_open(const command *used, options *given, session *opened)
{
    sumac_message message;
    double weight = 1;
    char text[256];
    int status = open_alone(given, opened, &weight);
    if (!all_begin(true)) {
        status = bad_input("some ranks are asked for help or the version, and others for work");
    }
    MUST(ranks_agree(status));
    const sumac_status created = sumac_mpi_create(MPI_COMM_WORLD, opened->context, &job.ranks, &message);
    if (created != SUMAC_OK) {
        return failure(message.text, created);
    }
    /* All ranks must have the same options. Otherwise they would make different collective calls, or compute different
     * results. */
    MUST(ranks_agree_on_text("command", job.measures ? "one with --weights measure" : "one without"));
    (void)snprintf(text, sizeof text, "%s%s, check %s%s", used->name,
                   given->operand_count > 2 ? " with proofs" : "",
                   option_choice(OPTION_VALIDATE, given->check),
                   given->outside_subgroup ? ", outside the subgroup" : "");
    MUST(ranks_agree_on_text("command", text));
    return job.measures ? STATUS_DONE : job_status(sumac_mpi_set_weight(job.ranks, weight));
}

void ranks_close(void)
{
    sumac_mpi_destroy(job.ranks);
    job.ranks = NULL;
}
