/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Writing files whole, as whole_file.h says; every failure becomes one sentence that names the file. */
#ifndef SUMAC_IO_OUTPUT_H
#define SUMAC_IO_OUTPUT_H

#include "io/whole_file.h"
#include "sumac/sumac.h"

typedef struct output_file {
    sumac_context *context;
    const char *path; /* as the caller calls it */
    whole_file file;
    temporary_name name;
    uint64_t offset;
} output_file;

/* output_close() also after a failure. */
sumac_status output_open(output_file *file, sumac_context *context, const char *path);

sumac_status output_write(output_file *file, const void *bytes, size_t count);

/* Complete the file if `status`, what writing it came to, is SUMAC_OK; else remove what was written, and
 * leave a file that was there before as it was. Returns the first failure. */
sumac_status output_close(output_file *file, sumac_status status);

#endif
