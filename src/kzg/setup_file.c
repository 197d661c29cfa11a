/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file writes and reads the file of a setup, which is a container of its points and of the tables that were
 * derived from them. */
#include "kzg/setup.h"

#include <inttypes.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "base/try.h"
#include "io/importer.h"
#include "io/memory.h"
#include "io/table.h"
#include "kzg/fk20.h"

enum {
    G1_BYTES = SUMAC_KZG_FIELD_ELEMENTS * G1_POINT_BYTES,
    G2_BYTES = SUMAC_KZG_G2_POINTS * G2_POINT_BYTES,
    POINTS = 3 /* the number of sections of raw points, which come first */
};

/* Add the sections of raw points. If `multiples` is 0, the setup has no multiples of the Lagrange points. If it is 1,
 * the setup has multiples, but a device makes them faster than they can be read, so they are not stored. If it is more,
 * it is the number of multiples, and another section stores them. */
static void add_points(container *layout, uint32_t multiples)
{
    container_section *lagrange = container_add(layout, SECTION_LAGRANGE, "g1", G1_BYTES);
    lagrange->count = SUMAC_KZG_FIELD_ELEMENTS;
    lagrange->numbers[0] = multiples;
    container_add(layout, SECTION_MONOMIAL, "g1", G1_BYTES)->count = SUMAC_KZG_FIELD_ELEMENTS;
    container_add(layout, SECTION_MONOMIAL_G2, "g2", G2_BYTES)->count = SUMAC_KZG_G2_POINTS;
}

/* ---- Writing ---- */

static sumac_status write_setup(output_file *file, const sumac_kzg_setup *setup)
{
    sumac_context *context = file->context;
    const sumac_group *info = setup->g1;
    const int is_prepared = setup->fk20 != NULL;
    uint32_t multiples = bases_factor(setup->lagrange);
    container layout = {.kind = CONTAINER_SETUP};
    TAKE_MEMORY(uint8_t, lagrange, context, file->path, G1_BYTES);
    multiples = multiples == 1 || !is_prepared                     ? 0
                : context_location(context) == SUMAC_LOCATION_HOST ? multiples
                                                                   : 1;
    memcpy(layout.curve, info->curve, strnlen(info->curve, CONTAINER_CURVE_BYTES));
    add_points(&layout, multiples);
    if (multiples > 1) {
        table_add(&layout, SECTION_LAGRANGE_TABLE, setup->lagrange);
    }
    if (is_prepared) {
        fk20_add(&layout, setup->fk20);
    }
    TRY(container_create(file, &layout));
    TRY(sumac_bases_get(context, setup->lagrange, 0, SUMAC_KZG_FIELD_ELEMENTS, lagrange, G1_BYTES));
    TRY(section_save(file, &layout.sections[0], lagrange));
    TRY(section_save(file, &layout.sections[1], setup->monomial));
    TRY(section_save(file, &layout.sections[2], setup->g2_monomial));
    if (multiples > 1) {
        TRY(table_write_section(file, &layout, SECTION_LAGRANGE_TABLE, setup->lagrange));
    }
    return is_prepared ? fk20_write(file, &layout, setup->fk20) : SUMAC_OK;
}

sumac_status sumac_kzg_save(sumac_context *context, const sumac_kzg_setup *setup, const char *path)
{
    HOLDS sumac_context *held = context_begin(context);
    TRY(call_require(context, setup != NULL && path != NULL, "setup and path"));
    CLEANUP(output_discard) output_file file = OUTPUT_CLOSED;
    TRY(output_open(&file, context, path));
    TRY(write_setup(&file, setup));
    return output_commit(&file);
}

/* ---- Reading ---- */

/* This is a setup that is being read, with its header and its raw points. */
typedef struct setup_reader {
    input_file *file;
    const sumac_kzg_config *config;
    sumac_check check;
    container layout;
    uint32_t multiples;
    int is_prepared;
    uint8_t *lagrange, *monomial, *g2_monomial;
} setup_reader;

static const char *const point_names[POINTS] = {"Lagrange points", "monomial points", "points of G2"};

static sumac_status read_header(setup_reader *reader, const sumac_kzg_setup *setup)
{
    const sumac_group *group = setup->g1;
    const container *layout = &reader->layout;
    container expected = {.count = 0};
    TRY(container_open(reader->file, CONTAINER_SETUP, &reader->layout));
    TRY(container_find_group(reader->file, layout, &layout->sections[0], &group));
    reader->multiples = layout->sections[0].numbers[0];
    reader->is_prepared = container_find(layout, SECTION_SRS) != NULL;
    add_points(&expected, reader->is_prepared ? reader->multiples : 0);
    for (uint32_t i = 0; i < POINTS; i++) {
        const container_section *found;
        TRY(input_refuse(reader->file,
                         container_expect(layout, &expected.sections[i], &found, &reader->file->why)));
    }
    return container_expect_count(
        reader->file, layout, POINTS + (uint32_t)(reader->multiples > 1) + 2 * (uint32_t)reader->is_prepared);
}

static sumac_status read_points(const setup_reader *reader)
{
    uint8_t *const points[POINTS] = {reader->lagrange, reader->monomial, reader->g2_monomial};
    for (uint32_t i = 0; i < POINTS; i++) {
        TRY(section_load(reader->file, &reader->layout, &reader->layout.sections[i], point_names[i],
                         points[i]));
    }
    return SUMAC_OK;
}

/* Make bases of points, which checks the points. */
static sumac_status check_points(const setup_reader *reader, const sumac_group *group, const uint8_t *points,
                                 size_t n, const sumac_bases_config *config, const char *name,
                                 sumac_bases **bases)
{
    sumac_context *context = reader->file->context;
    const sumac_status status =
        sumac_bases_create(context, group, points, n * group->point_bytes, n, config, bases);
    return point_is_refused(status)
               ? refuse_in(context_message(context), status, "%s: %s", reader->file->path, name)
               : status;
}

/* Fill the setup from its raw points, and make `srs` bases of its monomial points of G1. If the file has no tables, and
 * the configuration asks for multiples of the Lagrange points, make them. If the file says that the setup had
 * multiples, a device makes them here, too. */
static sumac_status fill_setup(const setup_reader *reader, sumac_kzg_setup *setup, sumac_bases **srs)
{
    sumac_context *context = reader->file->context;
    CLEANUP(close_bases) sumac_bases *g2 = NULL;
    sumac_bases_config config = {.size = sizeof config};
    config.check = reader->check;
    config.replicated = 1;
    sumac_bases_config lagrange = config;
    if (!reader->is_prepared) {
        lagrange.precompute_factor = setup_multiples(context, reader->config);
    } else if (reader->multiples != 0 && context_location(context) == SUMAC_LOCATION_DEVICE) {
        lagrange.precompute_factor = setup_most_multiples(context);
    }
    TRY(check_points(reader, setup->g1, reader->lagrange, SUMAC_KZG_FIELD_ELEMENTS, &lagrange, point_names[0],
                     &setup->lagrange));
    TRY(check_points(reader, setup->g1, reader->monomial, SUMAC_KZG_FIELD_ELEMENTS, &config, point_names[1],
                     srs));
    TRY(check_points(reader, setup->g2, reader->g2_monomial, SUMAC_KZG_G2_POINTS, &config, point_names[2],
                     &g2));
    memcpy(setup->monomial, reader->monomial, G1_BYTES);
    memcpy(setup->g2_monomial, reader->g2_monomial, G2_BYTES);
    TRY(setup_derive(context, setup));
    return reader->check == SUMAC_CHECK_NONE ? SUMAC_OK : setup_check_fit(context, setup, *srs);
}

/* Check that a table was made from the Lagrange points of the file. */
static sumac_status check_multiples(const setup_reader *reader, const sumac_bases *table)
{
    const input_file *file = reader->file;
    TAKE_MEMORY(uint8_t, points, file->context, file->path, G1_BYTES);
    if (sumac_bases_count(table) == SUMAC_KZG_FIELD_ELEMENTS && bases_factor(table) == reader->multiples) {
        TRY(sumac_bases_get(file->context, table, 0, SUMAC_KZG_FIELD_ELEMENTS, points, G1_BYTES));
        if (memcmp(points, reader->lagrange, G1_BYTES) == 0) {
            return SUMAC_OK;
        }
    }
    return fail(file->context, SUMAC_BAD_FILE,
                "%s: the table at byte %" PRIu64 " is not of the Lagrange points", file->path,
                container_find(&reader->layout, SECTION_LAGRANGE_TABLE)->offset);
}

/* Read the multiples of the Lagrange points, which CPU contexts use. If the file is not trusted, they are computed
 * again, like its other tables, because nothing else proves that they are right. */
static sumac_status read_multiples(const setup_reader *reader, sumac_kzg_setup *setup)
{
    sumac_context *context = reader->file->context;
    const int is_untrusted = reader->check == SUMAC_CHECK_SUBGROUP;
    CLEANUP(close_bases) sumac_bases *table = NULL;
    sumac_bases_config config = {.size = sizeof config};
    config.check = is_untrusted ? SUMAC_CHECK_NONE : reader->check;
    config.replicated = 1;
    TRY(table_read_section(reader->file, &reader->layout, SECTION_LAGRANGE_TABLE, setup->g1, &config,
                           &table));
    TRY(check_multiples(reader, table));
    if (is_untrusted) {
        sumac_bases_destroy(table);
        table = NULL;
        config.precompute_factor = reader->multiples;
        TRY(sumac_bases_create(context, setup->g1, reader->lagrange, G1_BYTES, SUMAC_KZG_FIELD_ELEMENTS,
                               &config, &table));
    }
    if (context_location(context) == SUMAC_LOCATION_HOST) {
        sumac_bases_destroy(setup->lagrange);
        setup->lagrange = table;
        table = NULL;
    }
    return SUMAC_OK;
}

static sumac_status read_fk20(const setup_reader *reader, const sumac_bases *srs, sumac_kzg_setup *setup)
{
    const fk20_shape shape = {SUMAC_KZG_FIELD_ELEMENTS, SUMAC_KZG_CELL_ELEMENTS};
    if (reader->check != SUMAC_CHECK_SUBGROUP) {
        return fk20_read(reader->file, &reader->layout, srs, shape, reader->check, &setup->fk20);
    }
    sumac_fk20 *untrusted = NULL;
    TRY(fk20_read(reader->file, &reader->layout, srs, shape, SUMAC_CHECK_NONE, &untrusted));
    const uint64_t table_bytes = fk20_table_bytes(untrusted);
    sumac_fk20_destroy(untrusted);
    return sumac_fk20_create(reader->file->context, srs, shape.n, shape.l, table_bytes, &setup->fk20);
}

sumac_status setup_file_read(input_file *file, const sumac_kzg_config *config, sumac_kzg_setup *setup)
{
    setup_reader reader = {.file = file, .config = config, .check = (sumac_check)config->check};
    CLEANUP(close_bases) sumac_bases *srs = NULL;
    TAKE_MEMORY(uint8_t, points, file->context, file->path, 2 * G1_BYTES + G2_BYTES);
    reader.lagrange = points;
    reader.monomial = points + G1_BYTES;
    reader.g2_monomial = points + 2 * (size_t)G1_BYTES;
    TRY(read_header(&reader, setup));
    TRY(read_points(&reader));
    TRY(fill_setup(&reader, setup, &srs));
    if (reader.multiples > 1) {
        TRY(read_multiples(&reader, setup));
    }
    return reader.is_prepared ? read_fk20(&reader, srs, setup)
                              : setup_make_fk20(file->context, config, srs, setup);
}
