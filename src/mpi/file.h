/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Regular files that every rank opens separately and reads in part. */
#ifndef SUMAC_MPI_FILE_H
#define SUMAC_MPI_FILE_H

#include "mpi/ranks.h"

typedef struct mpi_file {
    sumac_mpi_ranks *ranks;
    const char *path;
    int descriptor;
    uint64_t size;
    uint64_t identity; /* equal on all ranks and machines that opened one file, while it is unchanged */
} mpi_file;

/* Open a file. The caller closes it, also after a failure. */
sumac_status mpi_file_open(mpi_file *file, sumac_mpi_ranks *ranks, const char *path);
void mpi_file_close(mpi_file *file);

sumac_status mpi_file_read(const mpi_file *file, uint64_t offset, void *bytes, size_t count);

/* Check, on this rank only and after the last read, that the path still names the opened file, unchanged. */
sumac_status mpi_file_unchanged(const mpi_file *file);

void mpi_facts_add_length(mpi_facts *facts, const char *name, const mpi_file *file);

/* Collective, after an agreement on the file's length: fail unless all ranks' files have equal bytes. If all ranks have
 * opened one file, nothing is read; otherwise the ranks that share a copy divide its pieces among them. */
sumac_status mpi_file_agree(const mpi_file *file, const char *name);

#endif
