/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The program `sumac-mpi`: many processes that mpirun starts, for one result. */
#include <mpi.h>
#include <stdio.h>

#include "cli/program.h"
#include "job.h"

const char program_name[] = "sumac-mpi";
const char program_summary[] =
    "Multi-scalar multiplication, and commitments and cells of blobs, over the ranks of an MPI job";
const command *const program_commands[] = {&command_msm_over_ranks, &command_kzg_commit, &command_kzg_cells,
                                           &command_kzg_recover, NULL};

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
