/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/scalars.h"

#include <inttypes.h>
#include <stdlib.h>

#include "api/call.h"
#include "io/memory.h"
#include "curves/curve_code.h"
#include "pipeline/engine.h"

sumac_status scalars_check_size(const input_file *file, const sumac_curve *curve)
{
    const uint64_t scalar_bytes = curve->info.scalar_bytes;
    if (file->size % scalar_bytes != 0) {
        char likely[FILE_LIKELY_BYTES];
        return fail(file->context, SUMAC_BAD_LENGTH,
                    "%s: %" PRIu64 " bytes are not a whole number of %" PRIu64
                    "-byte scalars of %s %s: the last one, "
                    "at byte %" PRIu64 ", is cut off%s",
                    file->path, file->size, scalar_bytes, curve->info.name, curve->info.group,
                    file->size / scalar_bytes * scalar_bytes, input_likely_text(file, likely));
    }
    return SUMAC_OK;
}

static sumac_status read_scalars(input_file *file, const sumac_curve *curve, void **scalars, size_t *n)
{
    sumac_status status = scalars_check_size(file, curve);
    if (status != SUMAC_OK) {
        return status;
    }
    if (file->memory != NULL) {
        *scalars = file->memory; /* of a pipe: the caller gets the buffer */
        file->memory = NULL;
    } else {
        *scalars = memory_allocate(file->context, file->path, file->size, &status);
        if (status != SUMAC_OK) {
            return status;
        }
        status = input_read_exactly(file, *scalars, (size_t)file->size);
        if (status == SUMAC_OK) {
            status = input_expect_end(file);
        }
    }
    *n = (size_t)(file->size / curve->info.scalar_bytes);
    return status;
}

sumac_status sumac_scalars_read(sumac_context *context, const sumac_curve *curve, const char *path,
                                void **scalars, size_t *n)
{
    HOLDS sumac_context *held = context_begin(context);
    if (held == NULL) {
        return SUMAC_BAD_ARGUMENT;
    }
    if (curve == NULL || path == NULL || scalars == NULL || n == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve, path, scalars and n must not be null");
    }
    *scalars = NULL;
    *n = 0;
    input_file file;
    sumac_status status = input_open(&file, context, path);
    if (status == SUMAC_OK) {
        status = input_measure(&file, INPUT_OF_ANY_SIZE);
    }
    if (status == SUMAC_OK) {
        status = read_scalars(&file, curve, scalars, n);
    }
    input_close(&file);
    if (status != SUMAC_OK) {
        free(*scalars);
        *scalars = NULL;
        *n = 0;
    }
    return status;
}
