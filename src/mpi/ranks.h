/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A collective call consists of local work and agreements by turns. If one rank fails, mpi_fail() only stores its
 * message; mpi_agree() and mpi_agree_on() then make the failure known to all ranks. Therefore a call uses TRY() only
 * for an agreement, or for a result of one, and passes the status of local work on to the next agreement. So all ranks
 * take part in the same agreements in the same order, and no rank waits for another one that has returned.
 */
#ifndef SUMAC_MPI_RANKS_H
#define SUMAC_MPI_RANKS_H

#include "sumac/mpi.h"

/* A rank sends these facts about itself to all others. */
typedef struct mpi_rank_facts {
    double weight;
    /* These are the identity of the file that is being compared (file.h), and the sum of the checksums of the pieces
     * that the rank read. */
    uint64_t file, pieces_sum;
} mpi_rank_facts;

struct sumac_mpi_ranks {
    MPI_Comm communicator;
    sumac_context *context;
    int rank, count;
    uint64_t bases_created;            /* the number of the bases that were created last; equal on all
                                          ranks */
    char message[SUMAC_MESSAGE_BYTES]; /* this rank's message, until an agreement sets a common one */
    mpi_rank_facts facts;              /* the facts of this rank */
    mpi_rank_facts all[];              /* the facts of all ranks, after mpi_exchange_facts() */
};

struct sumac_mpi_bases {
    const sumac_group *group;
    sumac_bases *shard;
    uint64_t number;
    size_t first, total; /* index of the shard's first base, and the number of all bases */
    int rank, ranks;     /* the rank that has this shard, and the number of ranks */
};

/* At most FACTS_MOST texts, of FACT_BYTES each, must be equal on all ranks. */
enum { FACT_BYTES = 128, FACTS_MOST = 4 };

typedef struct mpi_facts {
    size_t count;
    const char *names[FACTS_MOST];
    /* The array is sent as a whole. Its size and the meaning of the first two values must not change, so that ranks of
     * different versions, or in different calls, understand each other. */
    char values[FACTS_MOST][FACT_BYTES];
} mpi_facts;

/* Begin the facts of a call. The first fact is the name of the call. */
mpi_facts mpi_facts_of(const char *call);

/* Add a fact. If it differs between ranks, the message says "another <name> than rank 0's". */
void mpi_facts_add(mpi_facts *facts, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void mpi_facts_add_group(mpi_facts *facts, const sumac_group *group);

/* Store this rank's message and return the status. */
sumac_status mpi_fail(sumac_mpi_ranks *ranks, sumac_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Convert the status of a call with the rank's context, and take over its message. */
sumac_status mpi_from_context(sumac_mpi_ranks *ranks, sumac_status status);

/* Convert the status of an MPI call. An MPI call returns a failure only if the communicator's error handler returns;
 * otherwise the program ends. */
sumac_status mpi_from_mpi(sumac_mpi_ranks *ranks, int code);

/* This call is collective. If a rank fails, all ranks return the failure of the lowest rank that fails, and store its
 * message in ranks->message. */
sumac_status mpi_agree(sumac_mpi_ranks *ranks, sumac_status status);

/* This collective call works like mpi_agree(), but a rank also fails if its facts differ from rank 0's. */
sumac_status mpi_agree_on(sumac_mpi_ranks *ranks, sumac_status status, const mpi_facts *facts);

/* Send each rank's ranks->facts to all ranks. All ranks call this between two agreements. It allocates nothing. */
sumac_status mpi_exchange_facts(sumac_mpi_ranks *ranks);

/* Find this rank's part of n items, which are divided in proportion to the ranks' weights. All ranks call this between
 * two agreements. */
sumac_status mpi_cut(sumac_mpi_ranks *ranks, size_t n, size_t *first, size_t *count);

#endif
