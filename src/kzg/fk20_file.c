/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file writes and reads the file of an fk20, which has the hash of its SRS, and its columns as a table of
 * bases. */
#include <inttypes.h>
#include <string.h>

#include "api/call.h"
#include "base/try.h"
#include "io/table.h"
#include "kzg/fk20.h"
#include "kzg/srs.h"

void fk20_add(container *layout, const sumac_fk20 *fk20)
{
    container_section *srs = container_add(layout, SECTION_SRS, fk20->group->name, SRS_HASH_BYTES);
    srs->count = fk20->shape.n;
    srs->numbers[0] = (uint32_t)fk20->shape.l;
    table_add(layout, SECTION_FK20_TABLE, fk20->columns);
}

sumac_status fk20_write(output_file *file, const container *layout, const sumac_fk20 *fk20)
{
    TRY(section_save(file, container_find(layout, SECTION_SRS), fk20->srs_hash));
    return table_write_section(file, layout, SECTION_FK20_TABLE, fk20->columns);
}

static sumac_status write_file(output_file *file, const sumac_fk20 *fk20)
{
    const sumac_group *info = fk20->group;
    container layout = {.kind = CONTAINER_FK20};
    memcpy(layout.curve, info->curve, strnlen(info->curve, CONTAINER_CURVE_BYTES));
    fk20_add(&layout, fk20);
    TRY(container_create(file, &layout));
    return fk20_write(file, &layout, fk20);
}

sumac_status sumac_fk20_save(sumac_context *context, const sumac_fk20 *fk20, const char *path)
{
    HOLDS sumac_context *held = context_begin(context);
    TRY(call_require(context, fk20 != NULL && path != NULL, "fk20 and path"));
    CLEANUP(output_discard) output_file file = OUTPUT_CLOSED;
    TRY(output_open(&file, context, path));
    TRY(write_file(&file, fk20));
    return output_commit(&file);
}

/* Check that the tables have this shape, and that they were made from the SRS that has this hash. */
static sumac_status check_srs(input_file *file, const container *layout, const sumac_fk20 *fk20)
{
    uint8_t hash[SRS_HASH_BYTES];
    const fk20_shape shape = fk20->shape;
    container expected = {.count = 0};
    const container_section *srs = container_find(layout, SECTION_SRS);
    container_section *like = container_add(&expected, SECTION_SRS, fk20->group->name, sizeof hash);
    like->count = srs == NULL ? 0 : srs->count;
    like->numbers[0] = srs == NULL ? 0 : srs->numbers[0];
    TRY(input_refuse(file, container_expect(layout, like, &srs, &file->why)));
    if (srs->count != shape.n || srs->numbers[0] != shape.l) {
        return fail(file->context, SUMAC_MISMATCH,
                    "%s: tables for n = %" PRIu64 " and cell_elements = %" PRIu32
                    ", where n = %zu and cell_elements = %zu are expected",
                    file->path, srs->count, srs->numbers[0], shape.n, shape.l);
    }
    TRY(section_load(file, layout, srs, "the hash of the setup", hash));
    return memcmp(hash, fk20->srs_hash, sizeof hash) == 0
               ? SUMAC_OK
               : fail(file->context, SUMAC_MISMATCH,
                      "%s: the tables for proofs of cells were made from another setup than this one",
                      file->path);
}

sumac_status fk20_read(input_file *file, const container *layout, const sumac_bases *srs, fk20_shape shape,
                       sumac_check check, sumac_fk20 **fk20)
{
    sumac_bases_config config = {.size = sizeof config};
    config.check = check;
    config.replicated = 1;
    CLEANUP(close_fk20)
    sumac_fk20 *created = fk20_allocate(file->context, srs->group, shape);
    if (created == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    TRY(fk20_hash_srs(file->context, srs, shape.n, created->srs_hash));
    TRY(check_srs(file, layout, created));
    TRY(table_read_section(file, layout, SECTION_FK20_TABLE, created->group, &config, &created->columns));
    if (sumac_bases_count(created->columns) != 2 * shape.n) {
        return fail(file->context, SUMAC_BAD_FILE, "%s: a table of %zu bases, where n = %zu makes %zu",
                    file->path, sumac_bases_count(created->columns), shape.n, 2 * shape.n);
    }
    *fk20 = created;
    created = NULL;
    return SUMAC_OK;
}

sumac_status sumac_fk20_open(sumac_context *context, const sumac_bases *srs, size_t n, size_t cell_elements,
                             const char *path, sumac_fk20 **fk20)
{
    const fk20_shape shape = {n, cell_elements};
    container layout;
    BEGIN_MAKING(context, fk20);
    TRY(require(context, srs != NULL && path != NULL, "srs and path"));
    TRY(fk20_check_shape(context, srs, shape));
    CLEANUP(input_close) input_file file = INPUT_CLOSED;
    TRY(input_open(&file, context, path));
    TRY(container_open(&file, CONTAINER_FK20, &layout));
    TRY(container_expect_count(&file, &layout, 2));
    return fk20_read(&file, &layout, srs, shape, SUMAC_CHECK_NONE, fk20);
}
