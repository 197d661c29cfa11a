/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/try.h"
#include "mpi/ranks.h"

mpi_facts mpi_facts_of(const char *call)
{
    mpi_facts facts;
    memset(&facts, 0, sizeof facts);
    mpi_facts_add(&facts, "call", "%s", call);
    return facts;
}

void mpi_facts_add(mpi_facts *facts, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facts->names[facts->count] = name;
    (void)vsnprintf(facts->values[facts->count], FACT_BYTES, format, arguments);
    facts->count++;
    va_end(arguments);
}

void mpi_facts_add_group(mpi_facts *facts, const sumac_group *group)
{
    mpi_facts_add(facts, "curve", "%s %s", group->curve, group->name);
}

sumac_status mpi_fail(sumac_mpi_ranks *ranks, sumac_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(ranks->message, sizeof ranks->message, format, arguments);
    va_end(arguments);
    return status;
}

sumac_status mpi_from_context(sumac_mpi_ranks *ranks, sumac_status status)
{
    return status == SUMAC_OK ? status : mpi_fail(ranks, status, "%s", sumac_context_message(ranks->context));
}

sumac_status mpi_from_mpi(sumac_mpi_ranks *ranks, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS) {
        return SUMAC_OK;
    }
    (void)MPI_Error_string(code, text, &length);
    return mpi_fail(ranks, SUMAC_DEVICE_FAILED, "MPI: %.400s", text);
}

/* Send the status and the message of the failed rank to all ranks. The status is sent as one byte, because all machines
 * represent a byte alike. */
static sumac_status share_failure(sumac_mpi_ranks *ranks, sumac_status status, int failed)
{
    char failure[1 + SUMAC_MESSAGE_BYTES] = "";
    if (failed == ranks->rank) {
        const char *sentence = ranks->message[0] == '\0' ? sumac_status_text(status) : ranks->message;
        failure[0] = (char)status;
        (void)snprintf(failure + 1, SUMAC_MESSAGE_BYTES, "rank %d: %.480s", failed, sentence);
    }
    TRY(mpi_from_mpi(ranks, MPI_Bcast(failure, sizeof failure, MPI_BYTE, failed, ranks->communicator)));
    return mpi_fail(ranks, (sumac_status)failure[0], "%s", failure + 1);
}

sumac_status mpi_agree(sumac_mpi_ranks *ranks, sumac_status status)
{
    /* If several ranks have the same vote, MPI_MAXLOC finds the lowest of them. */
    const int vote[2] = {status != SUMAC_OK, ranks->rank};
    int worst[2] = {0, 0};
    TRY(mpi_from_mpi(ranks, MPI_Allreduce(vote, worst, 1, MPI_2INT, MPI_MAXLOC, ranks->communicator)));
    if (worst[0] != 0) {
        return share_failure(ranks, status, worst[1]);
    }
    ranks->message[0] = '\0';
    return SUMAC_OK;
}

sumac_status mpi_exchange_facts(sumac_mpi_ranks *ranks)
{
    const int bytes = (int)sizeof ranks->facts;
    return mpi_from_mpi(ranks, MPI_Allgather(&ranks->facts, bytes, MPI_BYTE, ranks->all, bytes, MPI_BYTE,
                                             ranks->communicator));
}

sumac_status mpi_agree_on(sumac_mpi_ranks *ranks, sumac_status status, const mpi_facts *facts)
{
    mpi_facts first = *facts;
    TRY(mpi_from_mpi(ranks, MPI_Bcast(first.values, sizeof first.values, MPI_BYTE, 0, ranks->communicator)));
    for (size_t i = 0; i < facts->count && status == SUMAC_OK; i++) {
        first.values[i][FACT_BYTES - 1] = '\0';
        if (strcmp(first.values[i], facts->values[i]) != 0) {
            status = mpi_fail(ranks, SUMAC_MISMATCH, "another %s than rank 0's: %s, not %s", facts->names[i],
                              facts->values[i], first.values[i]);
        }
    }
    return mpi_agree(ranks, status);
}
