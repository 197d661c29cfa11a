/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file makes the proving key of a circuit, as snarkjs does, by these steps. n is the domain, the least power of two, 8 at
 * least, with a row for each gate. FFLONK has two further rows, whose wires are random, so that each is permuted to itself. Sections
 * have the numbers of the flavour's layout.
 *
 *   1  gates, additions                from the constraints: gates.c
 *   2  tau^i; tau in the second group  from the powers of tau; their points are checked
 *   3  additions, maps                 the additions, and the wires of each gate
 *   4  selectors                       each selector's n coefficients and 4n values; PLONK: its commitment
 *   5  sigma                           the permutation: the position of the gate that had the same wire before, or of the last one that
 *                                      has it, where gate i's a, b and c have the positions w^i, k1 w^i and k2 w^i; PLONK: its commitments
 *   6  Lagrange                        the Lagrange polynomials of the public inputs
 *   7  powers, C0, header              the powers of tau; FFLONK: the combination of all polynomials, and its commitment; the header, with
 *                                      the commitments
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/bases_read.h"
#include "api/call.h"
#include "base/integers.h"
#include "base/sizes.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "codec/ptau.h"
#include "codec/zkey_plonk.h"
#include "io/binfile_input.h"
#include "io/file_points.h"
#include "io/memory.h"
#include "io/output.h"
#include "plonk/fflonk.h"
#include "plonk/gates.h"
#include "sumac/plonk.h"
#include "vector/calls.h"
#include "vector/host_scalars.h"

enum { LEAST_LOG2 = 3, MOST_LOG2 = 30, EXTENSION = 4, LOG2_EXTENSION = 2, K1 = 2, K2 = 3 };

static const sumac_element_layout montgomery = {.size = sizeof montgomery, .form = SUMAC_FORM_MONTGOMERY};

typedef struct setup {
    sumac_context *context;
    executor *self;
    const plonk_flavour *flavour;
    gate_list gates;
    const char *ptau_path;
    output_file file;
    uint32_t log2;
    size_t n;
    uint8_t *powers; /* the file's points */
    size_t powers_count;
    sumac_bases *bases;
    uint8_t tau2[MOST_POINT_BYTES];
    uint8_t root[MOST_SCALAR_BYTES], extended_root[MOST_SCALAR_BYTES]; /* raw, of order n and 4n */
    uint8_t commitments[MOST_KEY_POINTS * MOST_POINT_BYTES];           /* in the file's form */
    sumac_vector *polynomials; /* KEY_POLYNOMIALS rows of n coefficients */
    uint8_t *scalars;          /* a slice of a vector */
} setup;

static void free_setup(setup *s)
{
    gates_free(&s->gates);
    output_discard(&s->file);
    free(s->powers);
    sumac_bases_destroy(s->bases);
    vector_destroy(s->polynomials);
    free(s->scalars);
}

/* ---- 2 ---- */

static sumac_status find_domain(setup *s)
{
    const groups *of = &s->gates.groups;
    const uint64_t rows = s->gates.count + (uint64_t)s->flavour->layout->blind_rows;
    uint8_t raw[MOST_SCALAR_BYTES] = {0};
    s->log2 = LEAST_LOG2;
    while (s->log2 < MOST_LOG2 && (UINT64_C(1) << s->log2) < rows) {
        s->log2++;
    }
    s->n = (size_t)1 << s->log2;
    s->powers_count = zkey_plonk_powers(s->flavour->layout, (uint32_t)s->n);
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
    return (UINT64_C(2) << power) - 1 >= s->powers_count
               ? SUMAC_OK
               : fail(s->context, SUMAC_BAD_LENGTH,
                      "%s: powers of tau for 2^%" PRIu32 " gates, and the circuit has %" PRIu32
                      ", for which there must be %zu",
                      s->ptau_path, power, s->gates.count, s->powers_count);
}

static sumac_status read_powers(setup *s)
{
    const groups *of = &s->gates.groups;
    const size_t count = s->powers_count, g1 = of->g1->point_bytes, g2 = of->g2->point_bytes;
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

static sumac_status write_protocol(setup *s)
{
    TRY(begin_section(s, ZKEY_PROTOCOL, 4));
    return write_number(s, s->flavour->layout->protocol);
}

static sumac_status begin_file(setup *s, const char *path)
{
    TRY(output_open(&s->file, s->context, path));
    TRY(output_write(&s->file, ZKEY_MAGIC, 4));
    TRY(write_number(s, ZKEY_VERSION));
    TRY(write_number(s, s->flavour->layout->sections));
    return s->flavour->layout->protocol_is_first ? write_protocol(s) : SUMAC_OK;
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

/* Commit to a polynomial of the key or to a combination, if the key has this commitment. */
static sumac_status commit(setup *s, const sumac_vector *polynomial, plonk_item which)
{
    const sumac_group *g1 = s->gates.groups.g1;
    const item_list *points = &s->flavour->key_points;
    const uint32_t i = item_position(points, which);
    sumac_msm_config config = {.size = sizeof config};
    if (i == points->count) {
        return SUMAC_OK;
    }
    config.batch = 1;
    LOCAL_POINTS(result, s->self, g1, 1);
    TRY(vector_msm(s->self, context_executors(s->context), s->bases, 0, polynomial, 0, polynomial->count,
                   &config, result, 0));
    return vector_get(s->self, result, 0, 1, s->commitments + i * (size_t)g1->point_bytes, &montgomery);
}

/* Return the row of a polynomial of the key. */
static sumac_vector row_of(const setup *s, plonk_item which)
{
    return vector_part(s->polynomials, (uint64_t)which * s->n, s->n);
}

/* Write the selectors in the order of their sections. */
static sumac_status write_selectors(setup *s)
{
    const gate_list *gates = &s->gates;
    const uint32_t *types = s->flavour->layout->selectors;
    const uint32_t first = s->flavour->layout->sigma[0] - ZKEY_PLONK_SELECTOR_COUNT;
    for (uint32_t type = first; type < s->flavour->layout->sigma[0]; type++) {
        plonk_item which = KEY_QM;
        while (types[which] != type) {
            which++;
        }
        sumac_vector polynomial = row_of(s, which);
        TRY(begin_section(s, type, polynomials_bytes(s, 1)));
        TRY(vector_fill_integer(s->self, &polynomial, 0));
        if (gates->count > 0) {
            TRY(vector_set(s->self, &polynomial, 0, gates->count, gates->selectors[which], &montgomery));
        }
        TRY(write_polynomial(s, &polynomial));
        TRY(commit(s, &polynomial, which));
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
            if (i >= s->n - s->flavour->layout->blind_rows) {
                links[position] = position;
                continue;
            }
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
    const uint32_t *types = s->flavour->layout->sigma;
    TAKE_MEMORY(uint64_t, links, s->context, s->gates.path, GATE_WIRES * s->n * sizeof *links);
    TRY(link_positions(s, links));
    TRY(fill_positions(s, positions));
    for (size_t k = 0; k < GATE_WIRES; k++) {
        sumac_vector polynomial = row_of(s, (plonk_item)(KEY_S1 + k));
        if (k == 0 || types[k] != types[k - 1]) {
            TRY(begin_section(s, types[k], polynomials_bytes(s, types[0] == types[1] ? GATE_WIRES : 1)));
        }
        TRY(vector_gather(s->self, &polynomial, positions, 1, links + k * s->n, s->n));
        TRY(write_polynomial(s, &polynomial));
        TRY(commit(s, &polynomial, (plonk_item)(KEY_S1 + k)));
    }
    return SUMAC_OK;
}

/* ---- 6 and 7 ---- */

static sumac_status write_lagrange(setup *s)
{
    const size_t count = (size_t)larger(s->gates.publics, 1);
    LOCAL_SCALARS(polynomial, s->self, s->gates.groups.g1, s->n);
    TRY(begin_section(s, s->flavour->layout->lagrange, polynomials_bytes(s, count)));
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

static sumac_status write_tau(setup *s)
{
    return output_write(&s->file, s->tau2, s->gates.groups.g2->point_bytes);
}

/* Write k1, k2 and the flavour's roots of unity. */
static sumac_status write_numbers(setup *s)
{
    const sumac_group *g1 = s->gates.groups.g1;
    const uint32_t count = 2 + s->flavour->roots_count;
    host_scalar numbers[2 + MOST_ROOTS] = {host_integer(g1, K1), host_integer(g1, K2)};
    uint8_t bytes[MOST_SCALAR_BYTES];
    if (s->flavour->roots_count > 0) {
        s->flavour->find_roots(g1, host_from_raw(g1, s->root), s->log2, numbers + 2);
    }
    for (uint32_t i = 0; i < count; i++) {
        host_to_montgomery(g1, numbers[i], bytes);
        TRY(output_write(&s->file, bytes, g1->scalar_bytes));
    }
    return SUMAC_OK;
}

static sumac_status write_header(setup *s)
{
    const gate_list *gates = &s->gates;
    const sumac_group *g1 = gates->groups.g1;
    const zkey_plonk_layout *layout = s->flavour->layout;
    const uint32_t p = g1->field_bytes, r = g1->scalar_bytes;
    const uint32_t counts[] = {gates->wires, gates->publics, (uint32_t)s->n, gates->additions, gates->count};
    TRY(begin_section(s, ZKEY_PLONK_HEADER, layout->header_bytes(p, r)));
    TRY(write_prime(s, g1->modulus, p));
    TRY(write_prime(s, g1->order, r));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        TRY(write_number(s, counts[i]));
    }
    TRY(write_numbers(s));
    if (layout->tau_is_first) {
        TRY(write_tau(s));
    }
    TRY(output_write(&s->file, s->commitments, layout->points * (size_t)g1->point_bytes));
    return layout->tau_is_first ? SUMAC_OK : write_tau(s);
}

/* Write the combination of all polynomials, and commit to it. */
static sumac_status write_combination(setup *s)
{
    const combination *row = &fflonk_combinations[0];
    const sumac_group *g1 = s->gates.groups.g1;
    LOCAL_SCALARS(combined, s->self, g1, row->count * s->n);
    for (uint32_t k = 0; k < row->count; k++) {
        const sumac_vector polynomial = row_of(s, row->terms[k].polynomial);
        TRY(fflonk_interleave(s->self, combined, row->count, k, &polynomial));
    }
    TRY(begin_section(s, s->flavour->layout->combined, combined->count * g1->scalar_bytes));
    TRY(write_scalars(s, combined));
    return commit(s, combined, KEY_C0);
}

static sumac_status write_rest(setup *s)
{
    const size_t bytes = s->powers_count * s->gates.groups.g1->point_bytes;
    TRY(begin_section(s, s->flavour->layout->powers, bytes));
    TRY(output_write(&s->file, s->powers, bytes));
    if (s->flavour->layout->combined != 0) {
        TRY(write_combination(s));
    }
    if (!s->flavour->layout->protocol_is_first) {
        TRY(write_protocol(s));
    }
    TRY(write_header(s));
    return output_commit(&s->file);
}

/* ---- The public function ---- */

static sumac_status find_flavour(sumac_context *context, const sumac_plonk_setup_config *config,
                                 const plonk_flavour **flavour)
{
    *flavour = config->protocol == NULL ? &snarkjs_plonk : plonk_flavour_named(config->protocol);
    return *flavour != NULL
               ? SUMAC_OK
               : fail(context, SUMAC_BAD_ARGUMENT,
                      "%.32s is no protocol of a key, which are plonk and fflonk", config->protocol);
}

sumac_status sumac_plonk_setup(sumac_context *context, const char *r1cs_path, const char *ptau_path,
                               const sumac_plonk_setup_config *config, const char *zkey_path)
{
    sumac_plonk_setup_config full;
    BEGIN_CALL(context);
    TRY(require(context, r1cs_path != NULL && ptau_path != NULL && zkey_path != NULL,
                "r1cs_path, ptau_path and zkey_path"));
    TRY(public_take(&public_plonk_setup_config, config, &full, context_message(context)));
    CLEANUP(free_setup)
    setup s = {
        .context = context, .self = context_executor(context), .ptau_path = ptau_path, .file = OUTPUT_CLOSED};
    TRY(find_flavour(context, &full, &s.flavour));
    TRY(gates_read(context, r1cs_path, s.flavour, &s.gates));
    TRY(plonk_check_curve(context, r1cs_path, s.flavour, &s.gates.groups));
    TRY(find_domain(&s));
    TRY(read_powers(&s));
    s.scalars = memory_allocate(context, zkey_path, s.n * s.gates.groups.g1->scalar_bytes);
    TRY(memory_got(s.scalars));
    TRY(vector_create(s.self, s.gates.groups.g1, SUMAC_VECTOR_SCALARS, KEY_POLYNOMIALS * s.n,
                      &s.polynomials));
    TRY(begin_file(&s, zkey_path));
    TRY(write_gates(&s));
    TRY(write_selectors(&s));
    TRY(write_permutation(&s));
    TRY(write_lagrange(&s));
    return write_rest(&s);
}
