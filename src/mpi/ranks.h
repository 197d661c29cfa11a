/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A collective call is local work between agreements. A failure of one rank is mpi_fail(), which only writes its sentence;
 * mpi_agree() and mpi_agree_on() then make it everyone's. So a call TRY()s only what is an agreement or has its result from
 * one, and hands the status of local work to the next agreement: all ranks meet the same agreements in the same order, and
 * no rank waits for one that has left.
 */
#ifndef SUMAC_MPI_RANKS_H
#define SUMAC_MPI_RANKS_H

#include "sumac/mpi.h"

/* Facts that a rank sends to all others. */
typedef struct mpi_rank_facts {
    double weight;
    /* The file that is compared (file.h), and the checksum over the pieces of it that the rank read. */
    uint64_t file, pieces_sum;
} mpi_rank_facts;

struct sumac_mpi_ranks {
    MPI_Comm communicator;
    sumac_context *context;
    int rank, count;
    uint64_t bases_created;            /* on all ranks alike: numbers the bases */
    char message[SUMAC_MESSAGE_BYTES]; /* this rank's sentence, until there is one for all */
    mpi_rank_facts facts;              /* of this rank */
    mpi_rank_facts all[];              /* of all ranks, after mpi_exchange_facts() */
};

struct sumac_mpi_bases {
    sumac_bases *shard;
    uint64_t number;
    size_t first, total; /* the shard's first base among all bases, and how many these are */
    int rank, ranks;     /* which one of how many has this shard */
};

/* Texts that must be the same on all ranks. */
enum { FACT_BYTES = 128, FACTS_MOST = 4 };

typedef struct mpi_facts {
    size_t count;
    const char *names[FACTS_MOST];
    /* These are sent as a whole. Their size and the meaning of the first two do not change, so that ranks of different
     * versions, or in different calls, understand each other. */
    char values[FACTS_MOST][FACT_BYTES];
} mpi_facts;

/* Begin the facts of a call: its name is the first one. */
mpi_facts mpi_facts_of(const char *call);

/* Add a fact. The name stands in the sentence "another <name> than rank 0's". */
void mpi_facts_add(mpi_facts *facts, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void mpi_facts_add_curve(mpi_facts *facts, const sumac_curve *curve);

/* Store this rank's sentence and return the status. */
sumac_status mpi_fail(sumac_mpi_ranks *ranks, sumac_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Take over the status of a call with the rank's context, with its sentence. */
sumac_status mpi_from_context(sumac_mpi_ranks *ranks, sumac_status status);

/* Take over the status of a call of MPI. It fails only where the communicator's error handler returns. */
sumac_status mpi_from_mpi(sumac_mpi_ranks *ranks, int code);

/* Collective: return the failure of the lowest rank that has one, with its sentence in ranks->message. */
sumac_status mpi_agree(sumac_mpi_ranks *ranks, sumac_status status);

/* Collective: mpi_agree(), where a rank also fails if its facts differ from rank 0's. */
sumac_status mpi_agree_on(sumac_mpi_ranks *ranks, sumac_status status, const mpi_facts *facts);

/* Between two agreements, on all ranks: send ranks->facts of each to all. This allocates nothing. */
sumac_status mpi_exchange_facts(sumac_mpi_ranks *ranks);

/* Between two agreements, on all ranks: find this rank's part of n things, by all ranks' weights. */
sumac_status mpi_cut(sumac_mpi_ranks *ranks, size_t n, size_t *first, size_t *count);

#endif
