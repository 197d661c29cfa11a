/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "io/file_points.h"

#include "api/bases_read.h"
#include "api/call.h"
#include "base/try.h"
#include "io/importer.h"

sumac_status file_bases_create(sumac_context *context, const sumac_group *group, const void *points, size_t n,
                               const sumac_bases_config *config, const char *what, sumac_bases **bases)
{
    const sumac_status status =
        sumac_bases_create(context, group, points, n * group->point_bytes, n, config, bases);
    return point_is_refused(status) ? refuse_in(&context_executor(context)->message, status, "%s", what)
                                    : status;
}

sumac_status file_points_take(sumac_context *context, const sumac_group *group, const uint8_t *points,
                              size_t n, const sumac_bases_config *config, const char *what, uint8_t *raw)
{
    CLEANUP(close_bases) sumac_bases *bases = NULL;
    TRY(file_bases_create(context, group, points, n, config, what, &bases));
    return sumac_bases_get(context, bases, 0, n, raw, n * group->point_bytes);
}
