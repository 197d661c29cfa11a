/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "groth16/r1cs_file.h"

#include <inttypes.h>
#include <stdlib.h>

#include "api/call.h"

static sumac_status read_header(r1cs_file *r1cs)
{
    const binfile_section *section;
    sumac_message why;
    sumac_status status = binfile_input_header(&r1cs->input, R1CS_HEADER, r1cs->header_bytes,
                                               sizeof r1cs->header_bytes, &section);
    if (status == SUMAC_OK) {
        status =
            input_refuse(&r1cs->input.file,
                         r1cs_decode_header(r1cs->header_bytes, section->size, &r1cs->header, &why), &why);
    }
    if (status == SUMAC_OK) { /* so that memory follows the file's size */
        status = input_refuse(&r1cs->input.file,
                              binfile_expect(&r1cs->input.sections, R1CS_WIRES, "wires",
                                             8 * (uint64_t)r1cs->header.wires, &section, &why),
                              &why);
    }
    return status == SUMAC_OK
               ? groups_find(r1cs->input.file.context, r1cs->input.file.path, r1cs->header.order,
                             r1cs->header.scalar_bytes, NULL, 0, &r1cs->groups)
               : status;
}

sumac_status r1cs_open(r1cs_file *r1cs, sumac_context *context, const char *path)
{
    r1cs->coefficients = (coefficients){.context = context};
    const sumac_status status =
        binfile_input_open(&r1cs->input, context, path, R1CS_MAGIC, R1CS_KIND, R1CS_VERSION);
    return status == SUMAC_OK ? read_header(r1cs) : status;
}

void r1cs_close(r1cs_file *r1cs)
{
    binfile_input_close(&r1cs->input);
    coefficients_free(&r1cs->coefficients);
}

/* From one report to the next. */
enum { REPORT_TERMS = 1 << 12 };

/* From the section's bytes. */
static sumac_status take_terms(r1cs_file *r1cs, const binfile_section *section, const uint8_t *bytes)
{
    r1cs_reader reader;
    r1cs_term term;
    sumac_message why;
    int more = 1;
    uint64_t terms = 0;
    sumac_status status =
        input_refuse(&r1cs->input.file, r1cs_begin(&reader, bytes, section, &r1cs->header, &why), &why);
    while (status == SUMAC_OK && more) {
        status = input_refuse(&r1cs->input.file, r1cs_next(&reader, &term, &more, &why), &why);
        if (status != SUMAC_OK || !more) {
            break;
        }
        if (!integer_is_less(term.value, r1cs->header.order, r1cs->header.scalar_bytes)) {
            return fail(r1cs->input.file.context, SUMAC_BAD_ENCODING,
                        "%s: section 2 (constraints), at byte %" PRIu64
                        ": a coefficient of constraint %" PRIu32 " is not less than r",
                        r1cs->input.file.path, section->offset + (uint64_t)(term.value - bytes),
                        term.constraint);
        }
        status = coefficients_add(&r1cs->coefficients, term.matrix, term.constraint, term.wire, term.value);
        if (status == SUMAC_OK && ++terms % REPORT_TERMS == 0) {
            status = context_report(r1cs->input.file.context, (double)reader.at / (double)section->size);
        }
    }
    return status;
}

sumac_status r1cs_read(r1cs_file *r1cs)
{
    const binfile_section *section;
    uint8_t *bytes;
    sumac_message why;
    sumac_status status = input_refuse(
        &r1cs->input.file,
        binfile_find(&r1cs->input.sections, R1CS_CONSTRAINTS, "constraints", &section, &why), &why);
    if (status == SUMAC_OK) {
        status = coefficients_begin(&r1cs->coefficients, r1cs->input.file.context, r1cs->input.file.path,
                                    r1cs->groups.g1, VALUE_CANONICAL);
    }
    if (status == SUMAC_OK) {
        status = binfile_input_take(&r1cs->input, section, &bytes);
    }
    if (status == SUMAC_OK) {
        status = take_terms(r1cs, section, bytes);
        free(bytes);
    }
    return status;
}
