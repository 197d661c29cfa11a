/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "job.h"

#include "cli/report.h"

static bool begun;

bool job_has_begun(void)
{
    return begun;
}

int job_failure(const char *sentence, sumac_status status)
{
    if (sentence[0] == '\0') {
        sentence = sumac_status_text(status);
    }
    return sumac_status_is_machine_fault(status) ? machine_fault("%s", sentence) : bad_input("%s", sentence);
}

int job_agree(int status)
{
    char message[SUMAC_MESSAGE_BYTES];
    /* All that travels of a status is whom it blames. */
    const sumac_status blamed = status == STATUS_DONE            ? SUMAC_OK
                                : status == STATUS_MACHINE_FAULT ? SUMAC_INTERNAL
                                                                 : SUMAC_BAD_ARGUMENT;
    begun = true;
    const sumac_status agreed = sumac_mpi_agree(MPI_COMM_WORLD, blamed, report_kept_sentence(), message);
    return agreed == SUMAC_OK ? STATUS_DONE : job_failure(message, agreed);
}
