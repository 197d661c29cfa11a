/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Every rank opens a regular file separately, and reads a part of it. */
#ifndef SUMAC_MPI_FILE_H
#define SUMAC_MPI_FILE_H

#include "mpi/ranks.h"

typedef struct mpi_file {
    sumac_mpi_ranks *ranks;
    const char *path;
    int descriptor;
    uint64_t size;
    uint64_t identity; /* equal on all ranks and machines that opened the same file, while it is unchanged */
} mpi_file;

/* Open a file. The caller must close it, also after a failure. */
sumac_status mpi_file_open(mpi_file *file, sumac_mpi_ranks *ranks, const char *path);
void mpi_file_close(mpi_file *file);

sumac_status mpi_file_read(const mpi_file *file, uint64_t offset, void *bytes, size_t count);

/* Check that the path still names the opened file, and that the file has not changed. Each rank calls this for itself,
 * after its last read. */
sumac_status mpi_file_unchanged(const mpi_file *file);

void mpi_facts_add_length(mpi_facts *facts, const char *name, const mpi_file *file);

/* This call is collective, and all ranks must have agreed on the file's length before. It fails unless the files of all
 * ranks have the same bytes. If all ranks have opened the same file, nothing is read; otherwise the ranks that share a
 * copy divide its pieces among themselves. */
sumac_status mpi_file_agree(const mpi_file *file, const char *name);

#endif
