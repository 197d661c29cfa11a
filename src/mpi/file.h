/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Regular files that every rank opens by itself and reads parts of. */
#ifndef SUMAC_MPI_FILE_H
#define SUMAC_MPI_FILE_H

#include "mpi/ranks.h"

typedef struct mpi_file {
    sumac_mpi_ranks *ranks;
    const char *path;
    int descriptor;
    uint64_t size;
    uint64_t identity; /* equal for all that opened one file, on whatever machine, while nobody changes it */
} mpi_file;

/* The file is to be closed, also after a failure. */
sumac_status mpi_file_open(mpi_file *file, sumac_mpi_ranks *ranks, const char *path);
void mpi_file_close(mpi_file *file);

sumac_status mpi_file_read(const mpi_file *file, uint64_t offset, void *bytes, size_t count);

/* Check, for this rank alone and after the last read, that the path still names the file that was opened, unchanged. */
sumac_status mpi_file_unchanged(const mpi_file *file);

void mpi_facts_add_length(mpi_facts *facts, const char *name, const mpi_file *file);

/* Collective, after an agreement with the file's length: fail unless all ranks' files have the same bytes. Where all ranks
 * have opened one file nothing is read; else the ranks that have one copy read it together, each some pieces. */
sumac_status mpi_file_agree(const mpi_file *file, const char *name);

#endif
