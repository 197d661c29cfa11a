/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file makes the proving key of a circuit, as snarkjs does, by these steps. n is the domain, the least power of two, 8 at
 * least, with a row for each gate.
 *
 *   1  gates, additions                from the constraints: gates.c
 *   2  tau^i, i < n + 6; tau in the second group    from the powers of tau; their points are checked
 *   3  sections 3 to 6                 the additions, and the wires of each gate
 *   4  sections 7 to 11                each selector's n coefficients and 4n values; its commitment
 *   5  section 12                      the permutation: the position of the gate that had the same wire before, or of the last one that
 *                                      has it, where gate i's a, b and c have the positions w^i, k1 w^i and k2 w^i; its commitments
 *   6  section 13                      the Lagrange polynomials of the public inputs
 *   7  sections 14, 1, 2               the powers of tau; the header, with the commitments
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "base/integers.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "codec/ptau.h"
#include "codec/zkey_plonk.h"
#include "io/binfile_input.h"
#include "io/file_points.h"
#include "io/memory.h"
#include "io/output.h"
#include "plonk/gates.h"
#include "sumac/plonk.h"
#include "vector/calls.h"
#include "vector/host_scalars.h"

enum { LEAST_LOG2 = 3, MOST_LOG2 = 30, EXTENSION = 4, LOG2_EXTENSION = 2, K1 = 2, K2 = 3 };

static const sumac_element_layout montgomery = {.size = sizeof montgomery, .form = SUMAC_FORM_MONTGOMERY};

typedef struct setup {
    sumac_context *context;
    executor *self;
    gate_list gates;
    const char *ptau_path;
    output_file file;
    uint32_t log2;
    size_t n;
    uint8_t *powers; /* n + ZKEY_PLONK_MORE_POWERS points of the file */
    sumac_bases *bases;
    uint8_t tau2[MOST_POINT_BYTES];
    uint8_t root[MOST_SCALAR_BYTES], extended_root[MOST_SCALAR_BYTES]; /* raw, of order n and 4n */
    uint8_t commitments[KEY_POINTS * MOST_POINT_BYTES];                /* in the file's form */
    uint8_t *scalars;                                                  /* a slice of a vector */
} setup;

static void free_setup(setup *s)
{
    gates_free(&s->gates);
    output_discard(&s->file);
    free(s->powers);
    sumac_bases_destroy(s->bases);
    free(s->scalars);
}

/* ---- 2 ---- */

static sumac_status find_domain(setup *s)
{
    const groups *of = &s->gates.groups;
    uint8_t raw[MOST_SCALAR_BYTES] = {0};
    s->log2 = LEAST_LOG2;
    while (s->log2 < MOST_LOG2 && (UINT64_C(1) << s->log2) < s->gates.count) {
        s->log2++;
    }
    s->n = (size_t)1 << s->log2;
    /* A proof needs roots of order 8n. */
    if (sumac_root_of_unity(of->g1, s->log2 + 3, raw, sizeof raw) != SUMAC_OK) {
        return fail(s->context, SUMAC_NOT_SUPPORTED,
                    "%s: %" PRIu32 " gates, for which the field of %s has no roots of unity", s->gates.path,
                    s->gates.count, of->g1->curve);
    }
    const host_scalar extended =
        host_power(of->g1, host_square(of->g1, host_from_raw(of->g1, raw), 1), of->root_exponent);
    host_to_raw(of->g1, extended, s->extended_root);
    host_to_raw(of->g1, host_square(of->g1, extended, LOG2_EXTENSION), s->root);
    return SUMAC_OK;
}

/* Find the sections of points, which must have as many points as the power says. */
static sumac_status find_points(setup *s, binfile_input *input, const binfile_section **first,
                                const binfile_section **second)
{
    const groups *of = &s->gates.groups;
    const byte_source source = input_source(input->file);
    uint32_t power;
    TRY(input_refuse(input->file,
                     ptau_read_header(&power, &input->sections, &source, of->g1, &input->file->why)));
    TRY(binfile_input_expect(input, PTAU_TAU_G1, "tauG1", ((UINT64_C(2) << power) - 1) * of->g1->point_bytes,
                             first));
    TRY(binfile_input_expect(input, PTAU_TAU_G2, "tauG2", (UINT64_C(1) << power) * of->g2->point_bytes,
                             second));
    return power >= s->log2 ? SUMAC_OK
                            : fail(s->context, SUMAC_BAD_LENGTH,
                                   "%s: powers of tau for 2^%" PRIu32 " gates, and the circuit has %" PRIu32,
                                   s->ptau_path, power, s->gates.count);
}

static sumac_status read_powers(setup *s)
{
    const groups *of = &s->gates.groups;
    const size_t count = s->n + ZKEY_PLONK_MORE_POWERS, g1 = of->g1->point_bytes, g2 = of->g2->point_bytes;
    const binfile_section *first = NULL, *second = NULL;
    uint8_t raw[MOST_POINT_BYTES];
    binfile_input input;
    sumac_bases_config config = {.size = sizeof config};
    CLEANUP(input_close) input_file file = INPUT_CLOSED;
    config.form = SUMAC_FORM_MONTGOMERY;
    config.check = SUMAC_CHECK_SUBGROUP;
    TRY(input_open(&file, s->context, s->ptau_path));
    TRY(binfile_input_begin(&input, &file, PTAU_MAGIC, PTAU_KIND, PTAU_VERSION));
    TRY(find_points(s, &input, &first, &second));
    s->powers = memory_allocate(s->context, s->ptau_path, count * g1);
    TRY(memory_got(s->powers));
    TRY(binfile_input_read(&input, first, 0, s->powers, count * g1));
    TRY(binfile_input_read(&input, second, g2, s->tau2, g2));
    TRY(file_points_take(s->context, of->g2, s->tau2, 1, &config, s->ptau_path, raw));
    return file_bases_create(s->context, of->g1, s->powers, count, &config, s->ptau_path, &s->bases);
}

/* ---- Writing ---- */

static sumac_status begin_section(setup *s, uint32_t type, uint64_t bytes)
{
    uint8_t head[BINFILE_SECTION_HEAD_BYTES];
    store_le32(head, type);
    store_le64(head + 4, bytes);
    return output_write(&s->file, head, sizeof head);
}

static sumac_status write_number(setup *s, uint32_t number)
{
    uint8_t bytes[4];
    store_le32(bytes, number);
    return output_write(&s->file, bytes, sizeof bytes);
}

static sumac_status begin_file(setup *s, const char *path)
{
    TRY(output_open(&s->file, s->context, path));
    TRY(output_write(&s->file, ZKEY_MAGIC, 4));
    TRY(write_number(s, ZKEY_VERSION));
    return write_number(s, ZKEY_PLONK_SECTIONS);
}

/* Write scalars in Montgomery form, in slices. */
static sumac_status write_scalars(setup *s, const sumac_vector *scalars)
{
    const size_t step = smaller(scalars->count, s->n), each = s->gates.groups.g1->scalar_bytes;
    for (size_t first = 0; first < scalars->count; first += step) {
        TRY(vector_get(s->self, scalars, first, step, s->scalars, &montgomery));
        TRY(output_write(&s->file, s->scalars, step * each));
    }
    return SUMAC_OK;
}

/* ---- 3 ---- */

/* Return how many bytes a section of so many polynomials has. */
static uint64_t polynomials_bytes(const setup *s, uint64_t count)
{
    return count * zkey_plonk_polynomial_bytes((uint32_t)s->n, s->gates.groups.g1->scalar_bytes);
}

static sumac_status write_gates(setup *s)
{
    const gate_list *gates = &s->gates;
    const uint64_t additions = gates->additions * zkey_plonk_addition_bytes(gates->groups.g1->scalar_bytes);
    TRY(begin_section(s, ZKEY_PLONK_ADDITIONS, additions));
    TRY(output_write(&s->file, gates->addition_bytes, (size_t)additions));
    for (uint32_t k = 0; k < GATE_WIRES; k++) {
        TRY(begin_section(s, ZKEY_PLONK_MAPS + k, 4 * (uint64_t)gates->count));
        TRY(output_write(&s->file, gates->wires_of[k], 4 * (size_t)gates->count));
    }
    return SUMAC_OK;
}

/* ---- 4 ---- */

/* Turn n values into coefficients, and write these and 4n values. */
static sumac_status write_polynomial(setup *s, sumac_vector *polynomial)
{
    sumac_transform_config config = {.size = sizeof config};
    config.inverse = 1;
    config.root = s->root;
    TRY(vector_ntt(s->self, polynomial, &config));
    TRY(write_scalars(s, polynomial));
    LOCAL_SCALARS(extended, s->self, s->gates.groups.g1, EXTENSION * s->n);
    config.inverse = 0;
    config.root = s->extended_root;
    config.coefficients = s->n;
    TRY(vector_copy_range(s->self, extended, 0, polynomial, 0, s->n));
    TRY(vector_ntt(s->self, extended, &config));
    return write_scalars(s, extended);
}

static sumac_status commit(setup *s, const sumac_vector *polynomial, plonk_item which)
{
    const sumac_group *g1 = s->gates.groups.g1;
    sumac_msm_config config = {.size = sizeof config};
    config.batch = 1;
    LOCAL_POINTS(result, s->self, g1, 1);
    TRY(vector_msm(s->self, context_executors(s->context), s->bases, 0, polynomial, 0, s->n, &config, result,
                   0));
    return vector_get(s->self, result, 0, 1, s->commitments + (size_t)which * g1->point_bytes, &montgomery);
}

static sumac_status write_selectors(setup *s)
{
    const gate_list *gates = &s->gates;
    LOCAL_SCALARS(polynomial, s->self, gates->groups.g1, s->n);
    for (plonk_item which = KEY_QM; which <= KEY_QC; which++) {
        TRY(begin_section(s, ZKEY_PLONK_SELECTORS + which, polynomials_bytes(s, 1)));
        TRY(vector_fill_integer(s->self, polynomial, 0));
        if (gates->count > 0) {
            TRY(vector_set(s->self, polynomial, 0, gates->count, gates->selectors[which], &montgomery));
        }
        TRY(write_polynomial(s, polynomial));
        TRY(commit(s, polynomial, which));
    }
    return SUMAC_OK;
}

/* ---- 5 ---- */

/* For each position, find the position before it that has the same wire; for a wire's first position, find its last one. */
static sumac_status link_positions(setup *s, uint64_t *links)
{
    const gate_list *gates = &s->gates;
    const uint64_t none = UINT64_MAX;
    TAKE_MEMORY(uint64_t, first, s->context, gates->path, gates->wires * sizeof *first);
    TAKE_MEMORY(uint64_t, last, s->context, gates->path, gates->wires * sizeof *last);
    memset(first, 0xff, gates->wires * sizeof *first);
    for (uint64_t i = 0; i < s->n; i++) {
        for (uint64_t k = 0; k < GATE_WIRES; k++) {
            const uint64_t position = k * s->n + i;
            const uint32_t wire = i < gates->count ? load_le32(gates->wires_of[k] + 4 * i) : 0;
            if (first[wire] == none) {
                first[wire] = position;
            } else {
                links[position] = last[wire];
            }
            last[wire] = position;
        }
    }
    for (uint64_t wire = 0; wire < gates->wires; wire++) {
        if (first[wire] != none) {
            links[first[wire]] = last[wire];
        }
    }
    return SUMAC_OK;
}

/* Set the positions of all gates' wires: w^i, k1 w^i and k2 w^i. Neither k1 nor k2 nor k2/k1 is a root of unity of order n, because
 * 2, 3 and 3/2 have no power 2^k that is 1 modulo r of these curves. */
static sumac_status fill_positions(setup *s, sumac_vector *positions)
{
    static const uint64_t factors[GATE_WIRES] = {1, K1, K2};
    for (size_t k = 0; k < GATE_WIRES; k++) {
        uint8_t factor[MOST_SCALAR_BYTES];
        sumac_vector some = vector_part(positions, k * s->n, s->n);
        host_to_raw(s->gates.groups.g1, host_integer(s->gates.groups.g1, factors[k]), factor);
        TRY(vector_fill_integer(s->self, &some, 1));
        TRY(vector_scale_powers(s->self, &some, s->n, factor, s->root));
    }
    return SUMAC_OK;
}

static sumac_status write_permutation(setup *s)
{
    const sumac_group *g1 = s->gates.groups.g1;
    LOCAL_SCALARS(positions, s->self, g1, GATE_WIRES * s->n);
    LOCAL_SCALARS(polynomial, s->self, g1, s->n);
    TAKE_MEMORY(uint64_t, links, s->context, s->gates.path, GATE_WIRES * s->n * sizeof *links);
    TRY(link_positions(s, links));
    TRY(fill_positions(s, positions));
    TRY(begin_section(s, ZKEY_PLONK_SIGMA, polynomials_bytes(s, GATE_WIRES)));
    for (size_t k = 0; k < GATE_WIRES; k++) {
        TRY(vector_gather(s->self, polynomial, positions, 1, links + k * s->n, s->n));
        TRY(write_polynomial(s, polynomial));
        TRY(commit(s, polynomial, (plonk_item)(KEY_S1 + k)));
    }
    return SUMAC_OK;
}

/* ---- 6 and 7 ---- */

static sumac_status write_lagrange(setup *s)
{
    const size_t count = (size_t)larger(s->gates.publics, 1);
    LOCAL_SCALARS(polynomial, s->self, s->gates.groups.g1, s->n);
    TRY(begin_section(s, ZKEY_PLONK_LAGRANGE, polynomials_bytes(s, count)));
    for (size_t i = 0; i < count; i++) {
        sumac_vector value = vector_part(polynomial, i, 1);
        TRY(vector_fill_integer(s->self, polynomial, 0));
        TRY(vector_fill_integer(s->self, &value, 1));
        TRY(write_polynomial(s, polynomial));
    }
    return SUMAC_OK;
}

/* Write the length of a prime, and the prime. */
static sumac_status write_prime(setup *s, const uint64_t *limbs, uint32_t bytes)
{
    uint8_t prime[ZKEY_MOST_FIELD_BYTES];
    for (uint32_t i = 0; i < bytes / 8; i++) {
        store_le64(prime + 8 * i, limbs[i]);
    }
    TRY(write_number(s, bytes));
    return output_write(&s->file, prime, bytes);
}

static sumac_status write_header(setup *s)
{
    const gate_list *gates = &s->gates;
    const sumac_group *g1 = gates->groups.g1;
    const uint32_t p = g1->field_bytes, r = g1->scalar_bytes;
    const uint32_t counts[] = {gates->wires, gates->publics, (uint32_t)s->n, gates->additions, gates->count};
    uint8_t k[2 * MOST_SCALAR_BYTES];
    host_to_montgomery(g1, host_integer(g1, K1), k);
    host_to_montgomery(g1, host_integer(g1, K2), k + r);
    TRY(begin_section(s, ZKEY_PROTOCOL, 4));
    TRY(write_number(s, ZKEY_PLONK));
    TRY(begin_section(s, ZKEY_PLONK_HEADER, zkey_plonk_header_bytes(p, r)));
    TRY(write_prime(s, g1->modulus, p));
    TRY(write_prime(s, g1->order, r));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        TRY(write_number(s, counts[i]));
    }
    TRY(output_write(&s->file, k, 2 * (size_t)r));
    TRY(output_write(&s->file, s->commitments, KEY_POINTS * (size_t)g1->point_bytes));
    return output_write(&s->file, s->tau2, gates->groups.g2->point_bytes);
}

static sumac_status write_rest(setup *s)
{
    const size_t bytes = (s->n + ZKEY_PLONK_MORE_POWERS) * s->gates.groups.g1->point_bytes;
    TRY(begin_section(s, ZKEY_PLONK_POWERS, bytes));
    TRY(output_write(&s->file, s->powers, bytes));
    TRY(write_header(s));
    return output_commit(&s->file);
}

/* ---- The public function ---- */

sumac_status sumac_plonk_setup(sumac_context *context, const char *r1cs_path, const char *ptau_path,
                               const char *zkey_path)
{
    BEGIN_CALL(context);
    TRY(require(context, r1cs_path != NULL && ptau_path != NULL && zkey_path != NULL,
                "r1cs_path, ptau_path and zkey_path"));
    CLEANUP(free_setup)
    setup s = {
        .context = context, .self = context_executor(context), .ptau_path = ptau_path, .file = OUTPUT_CLOSED};
    TRY(gates_read(context, r1cs_path, &s.gates));
    TRY(find_domain(&s));
    TRY(read_powers(&s));
    s.scalars = memory_allocate(context, zkey_path, s.n * s.gates.groups.g1->scalar_bytes);
    TRY(memory_got(s.scalars));
    TRY(begin_file(&s, zkey_path));
    TRY(write_gates(&s));
    TRY(write_selectors(&s));
    TRY(write_permutation(&s));
    TRY(write_lagrange(&s));
    return write_rest(&s);
}
