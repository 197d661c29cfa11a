/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file defines the formats `ptau-..`. snarkjs' powers of tau are a file in iden3's container (binfile.h), and each
 * of these formats is one of its sections of points. Section 1 is the header: the length of p, p, the power, and the
 * power of the ceremony. Each of these numbers, except p, has 4 bytes. Points are in Montgomery form. If a file is
 * prepared for phase 2, it also has Lagrange points for domains of 2^0, 2^1, .. points, one domain after another.
 */
#include <inttypes.h>
#include <string.h>

#include "base/try.h"
#include "codec/bytes.h"
#include "codec/cursor.h"
#include "codec/file_kinds.h"
#include "codec/format.h"
#include "codec/ptau.h"

enum { HEADER = 1, MOST_POWER = 40, ELEMENT_MOST = POINT_MOST_BYTES / 4 };

/* A section has 2^(power + shift) - less points. */
typedef struct ptau_section {
    const point_format *format;
    const char *name, *group;
    uint32_t type;
    uint32_t shift, less;
} ptau_section;

static const ptau_section sections[] = {
    {&ptau_tau_format, "tauG1", "g1", PTAU_TAU_G1, 1, 1},
    {&ptau_tau_format, "tauG2", "g2", PTAU_TAU_G2, 0, 0},
    {&ptau_alpha_tau_format, "alphaTauG1", "g1", 4, 0, 0},
    {&ptau_beta_tau_format, "betaTauG1", "g1", 5, 0, 0},
    {&ptau_beta_format, "betaG2", "g2", 6, 0, 0}, /* always one point */
    {&ptau_tau_lagrange_format, "lagrange tauG1", "g1", 12, 2, 1},
    {&ptau_tau_lagrange_format, "lagrange tauG2", "g2", 13, 1, 1},
    {&ptau_alpha_tau_lagrange_format, "lagrange alphaTauG1", "g1", 14, 1, 1},
    {&ptau_beta_tau_lagrange_format, "lagrange betaTauG1", "g1", 15, 1, 1},
};

enum { SECTIONS = sizeof sections / sizeof *sections };

static uint64_t points_of(const ptau_section *section, uint32_t power)
{
    return section->format == &ptau_beta_format ? 1
                                                : (UINT64_C(1) << (power + section->shift)) - section->less;
}

static int holds_snarkjs(const sumac_group *info)
{
    static const char *const names[] = {"bn254", "bls12-381", NULL};
    return is_one_of(info, names);
}

static int holds_snarkjs_g1(const sumac_group *info)
{
    return holds_snarkjs(info) && strcmp(info->name, "g1") == 0;
}

static int holds_snarkjs_g2(const sumac_group *info)
{
    return holds_snarkjs(info) && strcmp(info->name, "g2") == 0;
}

sumac_status ptau_read_header(uint32_t *power, const binfile *file, const byte_source *source,
                              const sumac_group *info, sumac_message *why)
{
    const binfile_section *header = NULL;
    uint8_t prime[ELEMENT_MOST];
    const uint32_t element = info->field_bytes;
    TRY(binfile_find(file, HEADER, "header", &header, why));
    cursor c = {.source = source, .at = header->offset, .why = why};
    cursor_require(&c, header->size >= 4 && cursor_le32(&c, "the header") == element, SUMAC_BAD_FILE,
                   "section 1 (header), at byte %" PRIu64 ", is not of elements of %" PRIu32
                   " bytes, as of %s",
                   header->offset, element, info->curve);
    TRY(c.status);
    TRY(binfile_expect(file, HEADER, "header", 4 + element + 8, &header, why));
    cursor_take(&c, "the prime", prime, element);
    *power = cursor_le32(&c, "the power");
    cursor_require(&c, is_integer(info->modulus, element, prime, element), SUMAC_BAD_FILE,
                   "the prime at byte %" PRIu64 " is not that of %s", header->offset + 4, info->curve);
    cursor_require(&c, *power <= MOST_POWER, SUMAC_BAD_FILE,
                   "byte %" PRIu64 " says that the power is %" PRIu32 ": no file has so many points",
                   header->offset + 4 + element, *power);
    return c.status;
}

/* Check the sizes of all sections of points that the file has, and find the section of the format. */
static sumac_status locate(record_run *run, const byte_source *source, const sumac_group *info,
                           sumac_message *why)
{
    binfile file;
    uint32_t power = 0;
    const binfile_section *found = NULL;
    TRY(binfile_read(&file, source, PTAU_MAGIC, PTAU_KIND, PTAU_VERSION, why));
    TRY(ptau_read_header(&power, &file, source, info, why));
    for (size_t i = 0; i < SECTIONS; i++) {
        const ptau_section *section = &sections[i];
        const int is_g2 = strcmp(section->group, "g2") == 0;
        const int is_wanted = section->format == run->format && strcmp(section->group, info->name) == 0;
        const uint64_t points = points_of(section, power);
        sumac_message missing;
        if (!is_wanted && binfile_find(&file, section->type, section->name, &found, &missing) != SUMAC_OK) {
            continue;
        }
        TRY(binfile_expect(&file, section->type, section->name,
                           points * (is_g2 ? 4 : 2) * (uint64_t)info->field_bytes, &found, why));
        if (is_wanted) {
            run->offset = found->offset;
            run->count = points;
        }
    }
    run->format = &montgomery_records;
    return SUMAC_OK;
}

#define PTAU_FORMAT(format_name, text, held)                                                                 \
    {                                                                                                        \
        .info = FORMAT_READ(format_name, text), .holds = (held), .layout = LAYOUT_FRAMED, .locate = locate   \
    }

const point_format ptau_tau_format =
    PTAU_FORMAT("ptau-tau", "snarkjs's powers of tau: tau^i of either group", holds_snarkjs);
const point_format ptau_alpha_tau_format =
    PTAU_FORMAT("ptau-alpha-tau", "the same file's alpha*tau^i", holds_snarkjs_g1);
const point_format ptau_beta_tau_format =
    PTAU_FORMAT("ptau-beta-tau", "the same file's beta*tau^i", holds_snarkjs_g1);
const point_format ptau_beta_format =
    PTAU_FORMAT("ptau-beta", "the same file's beta, a point of G2", holds_snarkjs_g2);
const point_format ptau_tau_lagrange_format = PTAU_FORMAT(
    "ptau-tau-lagrange", "prepared for phase 2: tau^i in Lagrange form, for domains of 2^0, 2^1, .. points",
    holds_snarkjs);
const point_format ptau_alpha_tau_lagrange_format =
    PTAU_FORMAT("ptau-alpha-tau-lagrange", "likewise alpha*tau^i", holds_snarkjs_g1);
const point_format ptau_beta_tau_lagrange_format =
    PTAU_FORMAT("ptau-beta-tau-lagrange", "likewise beta*tau^i", holds_snarkjs_g1);

const file_kind ptau_kind = FILE_KIND(
    PTAU_MAGIC, "powers of tau of snarkjs (.ptau)", FILE_POINTS,
    "sumac reads each of its sections: the formats ptau-tau, ptau-beta and others of that beginning");
