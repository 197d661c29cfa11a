/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/scalars.h"

#include <inttypes.h>
#include <stdlib.h>

#include "api/call.h"
#include "base/try.h"
#include "curves/curve_code.h"
#include "io/memory.h"
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

sumac_status sumac_scalars_read(sumac_context *context, const sumac_curve *curve, const char *path,
                                void **scalars, size_t *n)
{
    BEGIN_CALL(context);
    if (curve == NULL || path == NULL || scalars == NULL || n == NULL) {
        return fail(context, SUMAC_BAD_ARGUMENT, "curve, path, scalars and n must not be null");
    }
    *scalars = NULL;
    *n = 0;
    CLEANUP(input_close) input_file file = INPUT_CLOSED;
    TRY(input_open(&file, context, path));
    TRY(input_measure(&file, INPUT_OF_ANY_SIZE));
    TRY(scalars_check_size(&file, curve));
    if (file.memory == NULL) { /* a pipe's bytes are in memory already */
        TAKE_MEMORY(uint8_t, bytes, context, path, file.size);
        TRY(input_read_exactly(&file, bytes, (size_t)file.size));
        TRY(input_expect_end(&file));
        file.memory = bytes;
        bytes = NULL;
    }
    *scalars = file.memory;
    file.memory = NULL;
    *n = (size_t)(file.size / curve->info.scalar_bytes);
    return SUMAC_OK;
}
