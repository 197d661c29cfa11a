/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The format `raw`: points as include/sumac/sumac.h lays them out, and nothing else. */
#include "codec/format.h"
#include "io/importer.h"

static sumac_status raw_read(input_file *file, const sumac_curve *curve, const sumac_bases_config *config,
                             sumac_bases **bases)
{
    return records_read(file, curve, NULL, config, bases);
}

static sumac_status raw_write(sumac_context *context, const sumac_bases *bases, const char *path)
{
    return records_write(context, bases, path, NULL);
}

const file_format raw_format = {
    .info = {.size = sizeof(sumac_format_info),
             .name = "raw",
             .description = "x then y, little-endian, canonical; infinity is all zero bytes",
             .can_read = 1,
             .can_write = 1},
    .holds = holds_every_curve,
    .read = raw_read,
    .write = raw_write,
    .is_records = 1,
};
