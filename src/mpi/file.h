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
} mpi_file;

/* mpi_file_close() also after a failure. */
sumac_status mpi_file_open(mpi_file *file, sumac_mpi_ranks *ranks, const char *path);
void mpi_file_close(mpi_file *file);

sumac_status mpi_file_read(const mpi_file *file, uint64_t offset, void *bytes, size_t count);

/* Add its length, and a checksum over pieces of it, to the facts. */
sumac_status mpi_facts_add_file(mpi_facts *facts, const char *name, const mpi_file *file);

#endif
