/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file reads keys of snarkjs (.zkey): a whole proving key, or only its verifying key. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/integers.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "codec/zkey.h"
#include "groth16/key_format.h"
#include "io/binfile_input.h"
#include "io/coefficients.h"
#include "io/file_points.h"
#include "io/importer.h"
#include "io/memory.h"

typedef struct zkey_file {
    binfile_input input;
    sumac_context *context;
    const char *path;
    uint8_t header_bytes[ZKEY_MOST_HEADER_BYTES];
    zkey_header header;
    groups groups;
    uint64_t coefficient_count;
    const binfile_section *ic, *coefficients, *a, *b1, *b2, *c, *h;
} zkey_file;

/* ---- Sections ---- */

static sumac_status check_protocol(zkey_file *zkey)
{
    uint8_t bytes[4];
    const binfile_section *section;
    TRY(binfile_input_expect(&zkey->input, ZKEY_PROTOCOL, "protocol", 4, &section));
    TRY(binfile_input_read(&zkey->input, section, 0, bytes, sizeof bytes));
    const uint32_t protocol = load_le32(bytes);
    return protocol == ZKEY_GROTH16
               ? SUMAC_OK
               : fail(zkey->context, SUMAC_BAD_FILE,
                      "%s: section 1 (protocol), at byte %" PRIu64 ": a key of %s, and not of Groth16",
                      zkey->path, section->offset,
                      protocol == 2    ? "PLONK"
                      : protocol == 10 ? "FFLONK"
                                       : "an unknown proof system");
}

/* Read section 2 and find its curve. */
static sumac_status read_section_2(zkey_file *zkey)
{
    const binfile_section *section;
    TRY(binfile_input_header(&zkey->input, ZKEY_HEADER, zkey->header_bytes, sizeof zkey->header_bytes,
                             &section));
    zkey_header *header = &zkey->header;
    TRY(input_refuse(zkey->input.file,
                     zkey_decode_header(zkey->header_bytes, section->size, header, &zkey->input.file->why)));
    return groups_find(zkey->context, zkey->path, header->primes.order, header->primes.scalar_bytes,
                       header->primes.modulus, header->primes.field_bytes, &zkey->groups);
}

/* Find section 4, and check that its first number is the number of coefficients that its size allows. */
static sumac_status find_terms(zkey_file *zkey)
{
    uint8_t bytes[4];
    TRY(binfile_input_find(&zkey->input, ZKEY_COEFFICIENTS, "coefficients", &zkey->coefficients));
    TRY(input_refuse(zkey->input.file, zkey_count_terms(zkey->coefficients, zkey->header.primes.scalar_bytes,
                                                        &zkey->coefficient_count, &zkey->input.file->why)));
    TRY(binfile_input_read(&zkey->input, zkey->coefficients, 0, bytes, sizeof bytes));
    return load_le32(bytes) == zkey->coefficient_count
               ? SUMAC_OK
               : fail(zkey->context, SUMAC_BAD_FILE,
                      "%s: section 4 (coefficients), at byte %" PRIu64 ": by its first number it has %" PRIu32
                      " coefficients, and by its size %" PRIu64,
                      zkey->path, zkey->coefficients->offset, load_le32(bytes), zkey->coefficient_count);
}

/* Find the sections of an open file, and read the header. The caller closes the file. If `whole` is 0, only the
 * sections of the verifying key must exist. */
static sumac_status open_zkey(zkey_file *zkey, input_file *file, int whole)
{
    *zkey = (zkey_file){.context = file->context, .path = file->path};
    TRY(binfile_input_begin(&zkey->input, file, ZKEY_MAGIC, ZKEY_KIND, ZKEY_VERSION));
    TRY(check_protocol(zkey));
    TRY(read_section_2(zkey));
    const zkey_header *header = &zkey->header;
    const uint64_t g1 = zkey->groups.g1->point_bytes, g2 = zkey->groups.g2->point_bytes;
    const uint64_t publics = header->publics, wires = header->wires;
    const struct {
        uint32_t type;
        const char *name;
        uint64_t size;
        const binfile_section **section;
    } points[] = {{ZKEY_IC, "IC", (publics + 1) * g1, &zkey->ic},
                  {ZKEY_A, "A", wires * g1, &zkey->a},
                  {ZKEY_B1, "B1", wires * g1, &zkey->b1},
                  {ZKEY_B2, "B2", wires * g2, &zkey->b2},
                  {ZKEY_C, "C", (wires - publics - 1) * g1, &zkey->c},
                  {ZKEY_H, "H", header->domain * g1, &zkey->h}};
    for (size_t i = 0; i < (whole ? sizeof points / sizeof *points : 1); i++) {
        TRY(binfile_input_expect(&zkey->input, points[i].type, points[i].name, points[i].size,
                                 points[i].section));
    }
    return whole ? find_terms(zkey) : SUMAC_OK;
}

/* Write the beginning of a message to `text`, for example "<path>: section 5 (A), at byte 1234". */
static void describe_section(const zkey_file *zkey, const binfile_section *section, const char *name,
                             sumac_message *text)
{
    (void)refuse(text, SUMAC_OK, "%s: section %" PRIu32 " (%s), at byte %" PRIu64, zkey->path, section->type,
                 name, section->offset);
}

/* ---- The verifying key ---- */

static sumac_status read_verifying(zkey_file *zkey, sumac_check check,
                                   sumac_groth16_verifying_key **verifying)
{
    sumac_message header_what, ic_what;
    const zkey_header *header = &zkey->header;
    AUTO_FREE uint8_t *ic = NULL;
    (void)refuse(&header_what, SUMAC_OK, "%s: section 2 (header)", zkey->path);
    describe_section(zkey, zkey->ic, "IC", &ic_what);
    TRY(binfile_input_take(&zkey->input, zkey->ic, &ic));
    const verifying_points points = {.alpha1 = header->alpha1,
                                     .beta2 = header->beta2,
                                     .gamma2 = header->gamma2,
                                     .delta2 = header->delta2,
                                     .ic = ic,
                                     .publics = header->publics,
                                     .form = SUMAC_FORM_MONTGOMERY,
                                     .what = header_what.text,
                                     .ic_what = ic_what.text};
    return verifying_create(zkey->context, &zkey->groups, &points, check, verifying);
}

sumac_status zkey_read_verifying_key(input_file *file, sumac_groth16_verifying_key **verifying)
{
    zkey_file zkey;
    TRY(open_zkey(&zkey, file, 0));
    return read_verifying(&zkey, SUMAC_CHECK_SUBGROUP, verifying);
}

/* ---- Bases ---- */

typedef struct h_reading {
    const zkey_file *zkey;
    uint8_t *points;
    _Atomic int is_unread; /* set if part of the section was not read */
} h_reading;

/* A task reads H_TASK points to its thread's stack. After every H_STEP tasks of a thread, progress is reported. */
enum { H_TASK = 64, H_STEP = 1024 };

/* Read the points of section H that belong to a task, and copy each one to its row. Point i belongs to an odd power of
 * snarkjs' root of unity; groups_odd_row() finds which odd power of our root that is. */
static void read_h_task(void *arguments, size_t index, uint32_t thread)
{
    h_reading *reading = arguments;
    const zkey_file *zkey = reading->zkey;
    const groups *of = &zkey->groups;
    const uint32_t domain = zkey->header.domain;
    const size_t bytes = of->g1->point_bytes;
    const uint64_t first = index * H_TASK, n = smaller(H_TASK, domain - first);
    uint8_t slice[H_TASK * MOST_POINT_BYTES];
    int error;
    (void)thread;
    if (input_read_at(zkey->input.file, zkey->h->offset + first * bytes, slice, (size_t)n * bytes, &error) >
        0) {
        atomic_store_explicit(&reading->is_unread, 1, memory_order_relaxed);
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t row = key_row(groups_odd_row(of, first + i, domain), domain);
        memcpy(reading->points + row * bytes, slice + i * bytes, bytes);
    }
}

static sumac_status read_h(zkey_file *zkey, uint8_t *points)
{
    executor *self = context_executor(zkey->context);
    h_reading reading = {.zkey = zkey, .points = points};
    TRY(executor_for(self, "read", ceil_divide(zkey->header.domain, H_TASK), H_STEP, read_h_task, &reading));
    if (!reading.is_unread) {
        return SUMAC_OK;
    }
    /* The tasks store no message, so read the section again to get one. */
    TRY(binfile_input_read(&zkey->input, zkey->h, 0, points, (size_t)zkey->h->size));
    return fail(zkey->context, SUMAC_BAD_FILE, "%s: it changed while it was read", zkey->path);
}

static sumac_status read_run(void *reader, const base_plan *plan, size_t part, uint8_t *points)
{
    zkey_file *zkey = reader;
    const binfile_section *section = plan->parts[part].run;
    return section == zkey->h ? read_h(zkey, points)
                              : binfile_input_read(&zkey->input, section, 0, points, (size_t)section->size);
}

/* Creating the bases of a sum has found a bad point, whose status is `found`. Check each section of the sum again, to
 * report in which one the point lies. */
static sumac_status blame_section(zkey_file *zkey, const base_plan *plan, const sumac_bases_config *given,
                                  sumac_status found)
{
    sumac_bases_config config = *given;
    config.precompute_factor = 0;
    for (size_t i = 0; i < plan->part_count; i++) {
        const binfile_section *section = plan->parts[i].run;
        if (section != NULL) {
            const char *name = section == zkey->a    ? "A"
                               : section == zkey->b1 ? "B1"
                               : section == zkey->b2 ? "B2"
                               : section == zkey->c  ? "C"
                                                     : "H";
            AUTO_FREE uint8_t *points = NULL;
            sumac_message what;
            sumac_bases *bases = NULL;
            describe_section(zkey, section, name, &what);
            TRY(binfile_input_take(&zkey->input, section, &points));
            TRY(file_bases_create(zkey->context, plan->group, points, (size_t)plan->parts[i].count, &config,
                                  what.text, &bases));
            sumac_bases_destroy(bases);
        }
    }
    /* No section has a bad point, so the point is in the header. beta1 and delta1 are its only points that were not
     * checked with the verifying key. */
    return fail(zkey->context, found, "%s: section 2 (header): beta1 or delta1: %s", zkey->path,
                sumac_status_text(found));
}

/* Plan a sum over the wires. Its bases are three points, each of which is infinity if its pointer is null, and then the
 * points of the section, one for each wire. */
static base_plan plan_of_wires(zkey_file *zkey, const sumac_group *group, const uint8_t *first,
                               const uint8_t *second, const uint8_t *third, const binfile_section *section)
{
    return (base_plan){.group = group,
                       .parts = {{.point = first},
                                 {.point = second},
                                 {.point = third},
                                 {.run = section, .count = zkey->header.wires}},
                       .part_count = EXTRA_WIRES + 1,
                       .read = read_run,
                       .reader = zkey};
}

static sumac_status read_all_bases(zkey_file *zkey, const sumac_groth16_key_config *given,
                                   sumac_groth16_key *key)
{
    const zkey_header *header = &zkey->header;
    const groups *of = &zkey->groups;
    sumac_bases_config config = key_bases_config(zkey->input.file, of, key, given);
    config.form = SUMAC_FORM_MONTGOMERY;
    config.check = given->check;
    /* Reading a section takes its memory twice. Therefore the largest sum is read first, while little else is in
     * memory. */
    const struct {
        base_plan plan;
        sumac_bases **bases;
        uint64_t **rows;
    } sums[] = {
        {{.group = of->g1,
          .parts = {{.run = zkey->c, .count = (uint64_t)header->wires - header->publics - 1},
                    {.run = zkey->h, .count = header->domain}},
          .part_count = 2,
          .read = read_run,
          .reader = zkey},
         &key->c,
         NULL},
        {plan_of_wires(zkey, of->g2, header->beta2, NULL, header->delta2, zkey->b2), &key->b2.bases,
         &key->b2.rows},
        {plan_of_wires(zkey, of->g1, header->alpha1, header->delta1, NULL, zkey->a), &key->a.bases,
         &key->a.rows},
        {plan_of_wires(zkey, of->g1, header->beta1, NULL, NULL, zkey->b1), &key->b1.bases, &key->b1.rows},
    };
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        const sumac_status status =
            key_make_bases(zkey->input.file, &sums[i].plan, &config, sums[i].bases, sums[i].rows);
        if (point_is_refused(status)) {
            return blame_section(zkey, &sums[i].plan, &config, status);
        }
        TRY(status);
    }
    return SUMAC_OK;
}

/* ---- Coefficients ---- */

static sumac_status bad_term(const zkey_file *zkey, sumac_status status, uint64_t i, const char *what,
                             uint32_t value)
{
    const uint64_t each = ZKEY_TERM_BYTES + (uint64_t)zkey->header.primes.scalar_bytes;
    return fail(zkey->context, status,
                "%s: section 4 (coefficients), at byte %" PRIu64 ": coefficient %" PRIu64 " has %s %" PRIu32,
                zkey->path, zkey->coefficients->offset + 4 + i * each, i, what, value);
}

static sumac_status take_term(const zkey_file *zkey, uint64_t i, const uint8_t *bytes, coefficients *all)
{
    const zkey_header *header = &zkey->header;
    const zkey_term term = zkey_decode_term(bytes);
    const uint8_t *value = bytes + ZKEY_TERM_BYTES;
    if (term.matrix >= KEY_MATRICES) {
        return bad_term(zkey, SUMAC_BAD_FILE, i, "no matrix 0 or 1, but", term.matrix);
    }
    if (term.row >= header->domain) {
        return bad_term(zkey, SUMAC_BAD_FILE, i, "a row outside the domain:", term.row);
    }
    if (term.wire >= header->wires) {
        return bad_term(zkey, SUMAC_BAD_FILE, i, "a wire that does not exist:", term.wire);
    }
    if (!integer_is_less(value, header->primes.order, header->primes.scalar_bytes)) {
        return bad_term(zkey, SUMAC_BAD_ENCODING, i, "a value that is not less than r, of wire", term.wire);
    }
    const uint64_t row = key_row(groups_row(&zkey->groups, term.row, header->domain), header->domain);
    return coefficients_add(all, term.matrix, (uint32_t)row, term.wire, value);
}

/* Read section 4 in slices, so that it need not fit in memory. */
static sumac_status take_terms(zkey_file *zkey, coefficients *all)
{
    enum { SLICE = 4096 };
    const size_t each = ZKEY_TERM_BYTES + (size_t)zkey->header.primes.scalar_bytes;
    const uint64_t count = zkey->coefficient_count;
    TAKE_MEMORY(uint8_t, bytes, zkey->context, zkey->path, SLICE * each);
    for (uint64_t first = 0; first < count; first += SLICE) {
        const size_t n = smaller(SLICE, count - first);
        TRY(binfile_input_read(&zkey->input, zkey->coefficients, 4 + first * each, bytes, n * each));
        for (size_t i = 0; i < n; i++) {
            TRY(take_term(zkey, first + i, bytes + i * each, all));
        }
        TRY(context_report(zkey->context, (double)(first + n) / (double)count));
    }
    return SUMAC_OK;
}

static sumac_status read_matrices(zkey_file *zkey, sumac_groth16_key *key)
{
    CLEANUP(coefficients_free) coefficients all = {.values = NULL};
    CLEANUP(close_vector) sumac_vector *values = NULL;
    TRY(coefficients_begin(&all, zkey->context, zkey->path, zkey->groups.g1, VALUE_ZKEY));
    TRY(take_terms(zkey, &all));
    TRY(coefficients_vector(&all, VALUE_ZKEY, &values));
    for (uint32_t m = MATRIX_A; m < KEY_MATRICES; m++) {
        TRY(coefficients_matrix(&all, m, key->domain, values, &key->matrices[m][0]));
    }
    return SUMAC_OK;
}

/* ---- The key ---- */

static sumac_status read_key(input_file *file, const sumac_groth16_key_config *config, sumac_groth16_key *key)
{
    zkey_file zkey;
    TRY(open_zkey(&zkey, file, 1));
    key->wires = zkey.header.wires;
    key->publics = zkey.header.publics;
    key->domain = zkey.header.domain;
    key->coefficients = zkey.coefficient_count;
    TRY(key_find_shift(file, &zkey.groups, key->domain, key->shift));
    TRY(read_verifying(&zkey, config->check, &key->own_verifying));
    key->verifying = key->own_verifying;
    TRY(read_all_bases(&zkey, config, key));
    return read_matrices(&zkey, key);
}

static int fits(const uint8_t *begins, size_t count)
{
    return count >= 4 && memcmp(begins, ZKEY_MAGIC, 4) == 0;
}

const key_format zkey_key_format = {fits, read_key};
