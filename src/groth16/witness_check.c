/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file checks a witness against a circuit (.r1cs): it compares A w o B w with C w in every constraint. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/try.h"
#include "codec/r1cs.h"
#include "groth16/key.h"
#include "io/binfile_input.h"
#include "io/coefficients.h"
#include "io/memory.h"

/* ---- The circuit ---- */

typedef struct r1cs_file {
    input_file file;
    binfile_input input;
    sumac_context *context;
    const char *path;
    uint8_t header_bytes[R1CS_MOST_HEADER_BYTES];
    r1cs_header header;
    groups groups;
    coefficients coefficients; /* matrices A, B, C, with canonical values */
} r1cs_file;

static void close_r1cs(r1cs_file *r1cs)
{
    input_close(&r1cs->file);
    coefficients_free(&r1cs->coefficients);
}

static sumac_status open_r1cs(r1cs_file *r1cs, sumac_context *context, const char *path)
{
    const binfile_section *section;
    r1cs->context = context;
    r1cs->path = path;
    TRY(input_open(&r1cs->file, context, path));
    TRY(binfile_input_begin(&r1cs->input, &r1cs->file, R1CS_MAGIC, R1CS_KIND, R1CS_VERSION));
    TRY(binfile_input_header(&r1cs->input, R1CS_HEADER, r1cs->header_bytes, sizeof r1cs->header_bytes,
                             &section));
    r1cs_header *header = &r1cs->header;
    TRY(input_refuse(&r1cs->file,
                     r1cs_decode_header(r1cs->header_bytes, section->size, header, &r1cs->file.why)));
    /* Find this section first: its size bounds the number of wires by the file's length, before memory is allocated for
     * them. */
    TRY(binfile_input_expect(&r1cs->input, R1CS_WIRES, "wires", 8 * (uint64_t)header->wires, &section));
    return groups_find(context, path, header->order, header->scalar_bytes, NULL, 0, &r1cs->groups);
}

/* Read all constraints. */
static sumac_status read_constraints(r1cs_file *r1cs)
{
    enum { REPORT_TERMS = 1 << 12 /* terms between two progress reports */ };
    const binfile_section *section;
    AUTO_FREE uint8_t *bytes = NULL;
    r1cs_reader reader;
    r1cs_term term;
    int more = 1;
    TRY(binfile_input_find(&r1cs->input, R1CS_CONSTRAINTS, "constraints", &section));
    TRY(coefficients_begin(&r1cs->coefficients, r1cs->context, r1cs->path, r1cs->groups.g1, VALUE_CANONICAL));
    TRY(binfile_input_take(&r1cs->input, section, &bytes));
    TRY(input_refuse(&r1cs->file, r1cs_begin(&reader, bytes, section, &r1cs->header, &r1cs->file.why)));
    for (uint64_t terms = 1;; terms++) {
        TRY(input_refuse(&r1cs->file, r1cs_next(&reader, &term, &more, &r1cs->file.why)));
        if (!more) {
            return SUMAC_OK;
        }
        if (!integer_is_less(term.value, r1cs->header.order, r1cs->header.scalar_bytes)) {
            return fail(r1cs->context, SUMAC_BAD_ENCODING,
                        "%s: section 2 (constraints), at byte %" PRIu64
                        ": a coefficient of constraint %" PRIu32 " is not less than r",
                        r1cs->path, section->offset + (uint64_t)(term.value - bytes), term.constraint);
        }
        TRY(coefficients_add(&r1cs->coefficients, term.matrix, term.constraint, term.wire, term.value));
        if (terms % REPORT_TERMS == 0) {
            TRY(context_report(r1cs->context, (double)reader.at / (double)section->size));
        }
    }
}

/* ---- The check ---- */

static void close_matrix(sparse_matrix **matrix)
{
    sparse_destroy(*matrix);
}

/* Multiply a matrix by the wires, and store the product, which has one raw scalar for each row. */
static sumac_status multiply(r1cs_file *r1cs, uint32_t m, const sumac_vector *values,
                             const sumac_vector *wires, sumac_vector *product)
{
    CLEANUP(close_matrix) sparse_matrix *matrix = NULL;
    TRY(coefficients_matrix(&r1cs->coefficients, m, r1cs->header.constraints, values, &matrix));
    return vector_multiply_sparse(context_executor(r1cs->context), product, 0, &matrix->rows, wires, 0);
}

static sumac_status check_shape(const r1cs_file *r1cs, const sumac_groth16_key *key)
{
    const r1cs_header *header = &r1cs->header;
    if (r1cs->groups.g1 != key->verifying->groups.g1) {
        return fail(r1cs->context, SUMAC_MISMATCH, "%s: constraints over %s, and the key is of %s",
                    r1cs->path, r1cs->groups.g1->curve, key->verifying->groups.g1->curve);
    }
    return header->wires == key->wires && header->outputs + header->inputs == key->publics
               ? SUMAC_OK
               : fail(r1cs->context, SUMAC_MISMATCH,
                      "%s: a circuit of %" PRIu32 " wires, %" PRIu32
                      " of them public, and the key has %" PRIu32 " and %" PRIu32,
                      r1cs->path, header->wires, header->outputs + header->inputs, key->wires, key->publics);
}

static sumac_status check(r1cs_file *r1cs, const sumac_groth16_key *key, const void *witness)
{
    executor *self = context_executor(r1cs->context);
    const sumac_group *group = r1cs->groups.g1;
    const size_t bytes = r1cs->groups.g1->scalar_bytes, rows = r1cs->header.constraints;
    const uint8_t one[MOST_SCALAR_BYTES] = {1};
    if (memcmp(witness, one, bytes) != 0) { /* an all-zero witness would satisfy every constraint */
        return fail(r1cs->context, SUMAC_BAD_ARGUMENT, "wire 0 of the witness is not 1");
    }
    LOCAL_SCALARS(wires, self, group, key->wires);
    TRY(vector_set(self, wires, 0, key->wires, witness, NULL));
    TRY(read_constraints(r1cs));
    if (rows == 0) {
        return SUMAC_OK;
    }
    CLEANUP(close_vector) sumac_vector *values = NULL;
    TRY(coefficients_vector(&r1cs->coefficients, VALUE_CANONICAL, &values));
    LOCAL_SCALARS(a, self, group, rows);
    LOCAL_SCALARS(b, self, group, rows);
    LOCAL_SCALARS(c, self, group, rows);
    TRY(multiply(r1cs, 0, values, wires, a));
    TRY(multiply(r1cs, 1, values, wires, b));
    TRY(multiply(r1cs, 2, values, wires, c));
    TRY(vector_multiply(self, a, a, b, 1));
    TAKE_MEMORY(uint8_t, sides, r1cs->context, r1cs->path, 2 * rows * bytes);
    TRY(vector_get(self, a, 0, rows, sides, NULL));
    TRY(vector_get(self, c, 0, rows, sides + rows * bytes, NULL));
    for (size_t i = 0; i < rows; i++) {
        if (memcmp(sides + i * bytes, sides + (rows + i) * bytes, bytes) != 0) {
            return fail(r1cs->context, SUMAC_NOT_SATISFIED,
                        "%s: the witness does not satisfy constraint %zu of %zu", r1cs->path, i, rows);
        }
    }
    return SUMAC_OK;
}

sumac_status sumac_groth16_witness_check(sumac_context *context, const sumac_groth16_key *key,
                                         const void *witness, size_t witness_bytes, const char *r1cs_path)
{
    BEGIN_CALL(context);
    TRY(require(context, key != NULL && witness != NULL && r1cs_path != NULL, "key, witness and r1cs_path"));
    TRY(bytes_require(context, "witness", witness_bytes, 1, key_witness_bytes(key)));
    CLEANUP(close_r1cs) r1cs_file r1cs = {.file = INPUT_CLOSED};
    TRY(open_r1cs(&r1cs, context, r1cs_path));
    TRY(check_shape(&r1cs, key));
    return check(&r1cs, key, witness);
}
