/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "groth16/zkey_file.h"

#include <inttypes.h>
#include <stdlib.h>

#include "api/call.h"
#include "base/refusal.h"
#include "codec/bytes.h"

sumac_status zkey_begin(zkey_file *zkey, const input_file *file)
{
    zkey->header_bytes = NULL;
    zkey->input.file = *file;
    return binfile_input_begin(&zkey->input, ZKEY_MAGIC, ZKEY_KIND, ZKEY_VERSION);
}

void zkey_close(zkey_file *zkey)
{
    free(zkey->header_bytes);
    zkey->header_bytes = NULL;
}

/* Section 1. */
static sumac_status check_protocol(zkey_file *zkey)
{
    uint8_t bytes[4];
    sumac_message why;
    const binfile_section *section;
    sumac_status status = input_refuse(
        &zkey->input.file,
        binfile_expect(&zkey->input.sections, ZKEY_PROTOCOL, "protocol", 4, &section, &why), &why);
    if (status == SUMAC_OK) {
        status = binfile_input_read(&zkey->input, section, 0, bytes, sizeof bytes);
    }
    const uint32_t protocol = status == SUMAC_OK ? load_le32(bytes) : ZKEY_GROTH16;
    return protocol == ZKEY_GROTH16
               ? status
               : fail(zkey->input.file.context, SUMAC_BAD_FILE,
                      "%s: section 1 (protocol), at byte %" PRIu64 ": a key of %s, where Groth16's are read",
                      zkey->input.file.path, section->offset,
                      protocol == 2    ? "PLONK"
                      : protocol == 10 ? "FFLONK"
                                       : "an unknown proof system");
}

/* Section 2, and the curve that it is of. */
static sumac_status read_section_2(zkey_file *zkey)
{
    const input_file *file = &zkey->input.file;
    const binfile_section *section;
    sumac_message why;
    sumac_status status = input_refuse(
        &zkey->input.file, binfile_find(&zkey->input.sections, ZKEY_HEADER, "header", &section, &why), &why);
    if (status == SUMAC_OK && section->size > ZKEY_MOST_HEADER_BYTES) {
        return fail(file->context, SUMAC_BAD_FILE,
                    "%s: section 2 (header), at byte %" PRIu64 ", has %" PRIu64
                    " bytes, more than any header",
                    file->path, section->offset, section->size);
    }
    if (status == SUMAC_OK) {
        status = binfile_input_take(&zkey->input, section, &zkey->header_bytes);
    }
    if (status == SUMAC_OK) {
        status =
            input_refuse(&zkey->input.file,
                         zkey_decode_header(zkey->header_bytes, section->size, &zkey->header, &why), &why);
    }
    const zkey_header *header = &zkey->header;
    return status == SUMAC_OK ? groups_find(file->context, file->path, header->order, header->scalar_bytes,
                                            header->modulus, header->field_bytes, &zkey->groups)
                              : status;
}

/* Section 4: its size and its first number must say the same. */
static sumac_status find_terms(zkey_file *zkey)
{
    uint8_t bytes[4];
    sumac_message why;
    sumac_status status =
        binfile_find(&zkey->input.sections, ZKEY_COEFFICIENTS, "coefficients", &zkey->coefficients, &why);
    if (status == SUMAC_OK) {
        status =
            zkey_count_terms(zkey->coefficients, zkey->header.scalar_bytes, &zkey->coefficient_count, &why);
    }
    status = input_refuse(&zkey->input.file, status, &why);
    if (status == SUMAC_OK) {
        status = binfile_input_read(&zkey->input, zkey->coefficients, 0, bytes, sizeof bytes);
    }
    return status != SUMAC_OK || load_le32(bytes) == zkey->coefficient_count
               ? status
               : fail(zkey->input.file.context, SUMAC_BAD_FILE,
                      "%s: section 4 (coefficients), at byte %" PRIu64 ": by its first number it has %" PRIu32
                      " coefficients, and by its size %" PRIu64,
                      zkey->input.file.path, zkey->coefficients->offset, load_le32(bytes),
                      zkey->coefficient_count);
}

sumac_status zkey_read_header(zkey_file *zkey, int whole)
{
    sumac_status status = check_protocol(zkey);
    if (status == SUMAC_OK) {
        status = read_section_2(zkey);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    const binfile *file = &zkey->input.sections;
    const zkey_header *header = &zkey->header;
    const uint64_t g1 = zkey->groups.info1->point_bytes, g2 = zkey->groups.info2->point_bytes;
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
    sumac_message why;
    for (size_t i = 0; i < (whole ? sizeof points / sizeof *points : 1) && status == SUMAC_OK; i++) {
        status =
            binfile_expect(file, points[i].type, points[i].name, points[i].size, points[i].section, &why);
    }
    status = input_refuse(&zkey->input.file, status, &why);
    return status == SUMAC_OK && whole ? find_terms(zkey) : status;
}

void zkey_describe_section(const zkey_file *zkey, const binfile_section *section, const char *name,
                           sumac_message *text)
{
    (void)refuse(text, SUMAC_OK, "%s: section %" PRIu32 " (%s), at byte %" PRIu64, zkey->input.file.path,
                 section->type, name, section->offset);
}

sumac_status zkey_read_verifying(zkey_file *zkey, sumac_check check, sumac_groth16_verifying_key **verifying)
{
    sumac_message header_what, ic_what;
    const zkey_header *header = &zkey->header;
    uint8_t *ic;
    (void)refuse(&header_what, SUMAC_OK, "%s: section 2 (header)", zkey->input.file.path);
    zkey_describe_section(zkey, zkey->ic, "IC", &ic_what);
    sumac_status status = binfile_input_take(&zkey->input, zkey->ic, &ic);
    if (status != SUMAC_OK) {
        return status;
    }
    const verifying_points points = {.alpha1 = header->alpha1,
                                     .beta2 = header->beta2,
                                     .gamma2 = header->gamma2,
                                     .delta2 = header->delta2,
                                     .ic = ic,
                                     .publics = header->publics,
                                     .form = SUMAC_FORM_MONTGOMERY,
                                     .what = header_what.text,
                                     .ic_what = ic_what.text};
    status = verifying_create(zkey->input.file.context, &zkey->groups, &points, check, verifying);
    free(ic);
    return status;
}
