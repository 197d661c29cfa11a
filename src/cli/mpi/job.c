/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "job.h"

#include <string.h>

#include "cli/report.h"

static bool has_begun;
static int place; /* among the ranks of this machine */

bool job_find_place(void)
{
    MPI_Comm machine;
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine) !=
        MPI_SUCCESS) {
        return false;
    }
    const bool found = MPI_Comm_rank(machine, &place) == MPI_SUCCESS;
    return MPI_Comm_free(&machine) == MPI_SUCCESS && found;
}

bool job_has_begun(void)
{
    return has_begun;
}

static int failure(const char *sentence, sumac_status status)
{
    if (sentence[0] == '\0') {
        sentence = sumac_status_text(status);
    }
    return sumac_status_is_machine_fault(status) ? machine_fault("%s", sentence) : bad_input("%s", sentence);
}

bool job_all_begin(bool begins)
{
    int own = begins, all = 0;
    return MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD) == MPI_SUCCESS && all != 0;
}

int job_agree(int status)
{
    sumac_message message;
    /* All that travels of a status is whom it blames. */
    const sumac_status blamed = status == STATUS_DONE            ? SUMAC_OK
                                : status == STATUS_MACHINE_FAULT ? SUMAC_INTERNAL
                                                                 : SUMAC_BAD_ARGUMENT;
    has_begun = true;
    const sumac_status agreed = sumac_mpi_agree(MPI_COMM_WORLD, blamed, report_kept_sentence(), &message);
    return agreed == SUMAC_OK ? STATUS_DONE : failure(message.text, agreed);
}

int job_status(const rank_job *of, sumac_status status)
{
    return status == SUMAC_OK ? STATUS_DONE : failure(sumac_mpi_message(of->ranks), status);
}

int job_refuse_standard_input(const char *path)
{
    return strcmp(path, "/dev/stdin") != 0
               ? STATUS_DONE
               : bad_input(
                     "standard input cannot be read over ranks: each of them opens a file and reads its "
                     "part");
}

/* ---- Devices ---- */

static bool is_there(int32_t device)
{
    return sumac_backend_check("cuda", device, NULL) == SUMAC_OK;
}

/* The GPU of this rank's place on its machine, round and round. False where there is none: creating the
 * context says what is missing, or takes the CPU. */
static bool local_device(const char *backend, uint64_t *device)
{
    int32_t count = 0;
    if (backend != NULL && strcmp(backend, "cpu") == 0) {
        return false;
    }
    *device = (uint64_t)place;
    if (is_there(place)) {
        return true;
    }
    while (count < place && is_there(count)) {
        count++;
    }
    *device = count > 0 ? (uint64_t)(place % count) : 0;
    return count > 0;
}

/* What --device says for this rank. */
static int choose_device(options *given)
{
    const char *device = given->rank_device;
    if (device == NULL) {
        return STATUS_DONE;
    }
    if (given->devices.count > 0) {
        return bad_input("--device does not go with --devices");
    }
    if (strcmp(device, "local") == 0) {
        given->given[OPTION_DEVICE] = local_device(given->backend, &given->device);
        return STATUS_DONE;
    }
    given->given[OPTION_DEVICE] = true;
    const uint64_t most = option_table[OPTION_DEVICE].maximum;
    return parse_number(device, &given->device) && given->device <= most
               ? STATUS_DONE
               : bad_input("--device takes a number from 0 to %llu, or local, not '%s'",
                           (unsigned long long)most, device);
}

/* ---- A command ---- */

static int check_weights(const rank_job *of)
{
    const number_list *weights = &of->given.weights;
    if (!of->given.given[OPTION_WEIGHTS]) {
        return STATUS_DONE;
    }
    if (of->given.measure_weights) {
        return bad_input("--weights does not go with --measure-weights");
    }
    return weights->count == (size_t)of->count
               ? STATUS_DONE
               : bad_input("--weights has %zu numbers, and there are %d ranks", weights->count, of->count);
}

int job_begin(rank_job *started, const options *given, int status)
{
    sumac_message message;
    memset(started, 0, sizeof *started);
    started->given = *given;
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &started->rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &started->count);
    if (!job_all_begin(true)) {
        status = bad_input("some ranks are asked for help or the version, and others for work");
    }
    if (status == STATUS_DONE) {
        status = check_weights(started);
    }
    if (status == STATUS_DONE) {
        status = choose_device(&started->given);
    }
    if (status == STATUS_DONE) {
        status = session_open(&started->opened, &started->given);
    }
    status = job_agree(status);
    if (status != STATUS_DONE) {
        return status;
    }
    const sumac_status created =
        sumac_mpi_create(MPI_COMM_WORLD, started->opened.context, &started->ranks, &message);
    if (created != SUMAC_OK) {
        return failure(message.text, created);
    }
    /* What decides about collective calls. */
    const sumac_status agreed = sumac_mpi_agree_on_text(
        started->ranks, "command", given->measure_weights ? "one with --measure-weights" : "one without");
    if (agreed != SUMAC_OK || !given->given[OPTION_WEIGHTS]) {
        return job_status(started, agreed);
    }
    /* Numbers of the command line, which are no less than 0. */
    return job_status(started,
                      sumac_mpi_set_weight(started->ranks, (double)given->weights.values[started->rank]));
}

int job_end(rank_job *ended, int status)
{
    sumac_mpi_destroy(ended->ranks);
    return session_close(&ended->opened, status);
}
