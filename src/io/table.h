/* Table files: bases with their precomputed multiples. docs/formats.md has the bytes. */
#ifndef SUMAC_IO_TABLE_H
#define SUMAC_IO_TABLE_H

#include "api/internal.h"

/* 1 if a regular file begins as a table does. */
int path_is_table(const char *path);

#endif
