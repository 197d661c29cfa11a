/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This is the main file of the program `sumac-mpi`, by which many processes, started by mpirun, compute one result. */
#include "cli/cli.h"

#include <mpi.h>

#include "job.h"

const char program_name[] = "sumac-mpi";
const char program_summary[] =
    "Multi-scalar multiplication, and commitments and cells of blobs, over the ranks of an MPI job";
#define COMMANDS(each) each(msm_over_ranks) each(kzg_commit) each(kzg_cells) each(kzg_recover)
COMMANDS(DECLARE_COMMAND)
const command *const program_commands[] = {COMMANDS(COMMAND_IN_LIST) NULL};

int main(int count, char **arguments)
{
    program_prepare();
    if (asks_for_documents(count, arguments)) {
        return finish_standard_output(program_run(count, arguments));
    }
    if (MPI_Init(&count, &arguments) != MPI_SUCCESS || !job_find_local_rank()) {
        return machine_fault("MPI does not begin");
    }
    report_keep_sentences(true);
    if (!ranks_is_first()) {
        report_silence();
    }
    int status = job_end(program_run(count, arguments));
    if (ranks_is_first()) {
        report_keep_sentences(false);
        if (status != STATUS_DONE) {
            (void)bad_input("%s", report_kept_sentence());
        }
        status = finish_standard_output(status);
    }
    (void)MPI_Finalize();
    return status;
}
