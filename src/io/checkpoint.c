/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700

#include "io/checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "api/call.h"
#include "api/handles.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "io/container.h"
#include "io/path.h"

enum {
    FLAG_OUTSIDE_SUBGROUP = 1,
    FLAG_CUT_SCALARS = 2,
    FLAG_MONTGOMERY = 4,
    /* The section's numbers have these indices; its `count` is the number of bases done. */
    NUMBER_CHECK = 0,
    NUMBER_SCALAR_BITS = 1,
    /* The fields of the section begin at these offsets. */
    AT_FORMAT = 0,
    AT_BASES_BYTES = 32,
    AT_SCALARS_BYTES = 40,
    AT_FIRST = 48,
    AT_N = 56,
    AT_BASES_SUM = 64,
    AT_SCALARS_SUM = 72,
    PROGRESS_BYTES = 80
};

/* Describe the file, and encode the part of its first section that does not depend on the progress of the MSM. */
static container describe(const checkpoint *expected, uint8_t bytes[PROGRESS_BYTES])
{
    const sumac_group *group = expected->group;
    container file = {.kind = CONTAINER_CHECKPOINT};
    memcpy(file.curve, group->curve, strlen(group->curve));
    container_section *progress = container_add(&file, SECTION_PROGRESS, group->name, PROGRESS_BYTES);
    progress->flags = (expected->outside_subgroup ? FLAG_OUTSIDE_SUBGROUP : 0) |
                      (expected->msm->cut_scalars ? FLAG_CUT_SCALARS : 0) |
                      (expected->msm->scalar_form == SUMAC_FORM_MONTGOMERY ? FLAG_MONTGOMERY : 0);
    progress->numbers[NUMBER_CHECK] = (uint32_t)expected->check;
    progress->numbers[NUMBER_SCALAR_BITS] = expected->msm->scalar_bits;
    container_add(&file, SECTION_RESULTS, group->name, group->point_bytes)->count = 1;
    memset(bytes, 0, PROGRESS_BYTES);
    (void)snprintf((char *)bytes + AT_FORMAT, AT_BASES_BYTES - AT_FORMAT, "%s", expected->format);
    store_le64(bytes + AT_BASES_BYTES, expected->bases_bytes);
    store_le64(bytes + AT_SCALARS_BYTES, expected->scalars_bytes);
    store_le64(bytes + AT_FIRST, expected->first);
    store_le64(bytes + AT_N, expected->n);
    return file;
}

/* Refuse a checkpoint of another MSM, and report what differs. */
static sumac_status check_subject(const input_file *file, const container_section *progress,
                                  const uint8_t *bytes, const container_section *expected,
                                  const uint8_t *expected_bytes)
{
    static const struct {
        const char *name;
        size_t at, bytes;
    } fields[] = {
        {"format of the bases", AT_FORMAT, AT_BASES_BYTES - AT_FORMAT},
        {"file of bases, by its length,", AT_BASES_BYTES, 8},
        {"file of scalars, by its length,", AT_SCALARS_BYTES, 8},
        {"first base", AT_FIRST, 8},
        {"number of bases", AT_N, 8},
    };
    const char *other =
        progress->flags != expected->flags
            ? "declaration of bases outside the subgroup or of the scalars' form"
        : progress->numbers[NUMBER_SCALAR_BITS] != expected->numbers[NUMBER_SCALAR_BITS] ? "scalar_bits"
        : progress->numbers[NUMBER_CHECK] != expected->numbers[NUMBER_CHECK] ? "check of the bases"
                                                                             : NULL;
    for (size_t i = sizeof fields / sizeof *fields; i-- > 0;) {
        if (memcmp(bytes + fields[i].at, expected_bytes + fields[i].at, fields[i].bytes) != 0) {
            other = fields[i].name;
        }
    }
    return other == NULL ? SUMAC_OK
                         : fail(file->context, SUMAC_MISMATCH,
                                "%s: a checkpoint of another MSM: the %s is another one", file->path, other);
}

/* The file at this path will be replaced. Refuse everything that is not a regular file. If there is no file yet,
 * *exists becomes 0. */
static sumac_status check_path(sumac_context *context, const char *path, int *exists)
{
    char target[PATH_BYTES], text[SYSTEM_ERROR_BYTES];
    const int error = path_regular(path, target, exists);
    return error == 0        ? SUMAC_OK
           : error == EINVAL ? fail(context, SUMAC_NOT_SUPPORTED,
                                    "%s: a checkpoint is a regular file with a name of its own: no "
                                    "descriptor, device or pipe",
                                    path)
                             : fail(context, SUMAC_CANNOT_OPEN, "%s: cannot open: %s", path,
                                    system_error_text(error, text));
}

sumac_status checkpoint_read(sumac_context *context, const char *path, checkpoint *expected, uint8_t *point,
                             int *found)
{
    uint8_t bytes[PROGRESS_BYTES], expected_bytes[PROGRESS_BYTES];
    const container like = describe(expected, expected_bytes);
    const sumac_group *group = expected->group;
    const container_section *progress, *results;
    container layout;
    TRY(check_path(context, path, found));
    if (!*found) {
        return SUMAC_OK;
    }
    CLEANUP(input_close) input_file file = INPUT_CLOSED;
    TRY(input_open(&file, context, path));
    TRY(container_open(&file, CONTAINER_CHECKPOINT, &layout));
    TRY(container_expect_count(&file, &layout, like.count));
    TRY(container_find_group(&file, &layout, &layout.sections[0], &group));
    TRY(input_refuse(&file, container_expect(&layout, &like.sections[1], &results, &file.why)));
    progress = container_find(&layout, SECTION_PROGRESS);
    if (progress == NULL || progress->size != PROGRESS_BYTES) {
        return input_refuse(&file, container_refuse_sizes(&file.why));
    }
    TRY(section_load(&file, &layout, progress, "the progress", bytes));
    TRY(check_subject(&file, progress, bytes, &like.sections[0], expected_bytes));
    if (progress->count > expected->n) {
        return input_refuse(&file, container_refuse_sizes(&file.why));
    }
    expected->done = progress->count;
    expected->bases_sum = load_le64(bytes + AT_BASES_SUM);
    expected->scalars_sum = load_le64(bytes + AT_SCALARS_SUM);
    return section_load(&file, &layout, results, "the sum", point);
}

sumac_status checkpoint_write(sumac_context *context, const char *path, const checkpoint *written,
                              const uint8_t *point)
{
    uint8_t bytes[PROGRESS_BYTES];
    container layout = describe(written, bytes);
    layout.sections[0].count = written->done;
    store_le64(bytes + AT_BASES_SUM, written->bases_sum);
    store_le64(bytes + AT_SCALARS_SUM, written->scalars_sum);
    CLEANUP(output_discard) output_file file = OUTPUT_CLOSED;
    TRY(output_open(&file, context, path));
    TRY(container_create(&file, &layout));
    TRY(section_save(&file, &layout.sections[0], bytes));
    TRY(section_save(&file, &layout.sections[1], point));
    return output_commit(&file);
}
