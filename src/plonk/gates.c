/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file turns constraints into gates. First there is a gate a = x for each public input x. Then each constraint A*B = C becomes
 * gates, where A, B and C are linear combinations of wires:
 *
 *   if A or B has no terms         C = 0
 *   if A or B is a constant k      k times the other one, minus C, = 0
 *   otherwise                      A*B = C, with each of them reduced to one wire times a factor, plus a constant
 *
 * A sum that is 0 is reduced to three wires. To reduce a combination, its first two terms are replaced by one new wire, an addition,
 * which is appended as the last term, until few enough terms are left. In snarkjs a term with the factor 0 counts as one for PLONK,
 * and not for FFLONK.
 */
#include "plonk/gates.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "base/integers.h"
#include "base/try.h"
#include "codec/bytes.h"
#include "codec/r1cs.h"
#include "io/binfile_input.h"
#include "io/memory.h"
#include "vector/host_scalars.h"

/* ---- Linear combinations ---- */

typedef struct term {
    uint32_t wire;
    uint32_t position; /* among the combination's terms as the file has them */
    host_scalar factor;
} term;

/* Terms are ordered by their wires, and there is at most one of each wire; wire 0 is the constant. */
typedef struct combination {
    term *terms;
    size_t count, capacity;
} combination;

static sumac_status add_term(const gate_list *gates, combination *all, uint32_t wire, host_scalar factor)
{
    if (all->count == all->capacity) {
        const size_t capacity = 2 * all->capacity + 16;
        term *terms = memory_grow(gates->context, gates->path, all->terms, capacity * sizeof *terms);
        TRY(memory_got(terms));
        all->terms = terms;
        all->capacity = capacity;
    }
    all->terms[all->count] = (term){wire, (uint32_t)all->count, factor};
    all->count++;
    return SUMAC_OK;
}

static int compare_terms(const void *a, const void *b)
{
    const term *first = a, *second = b;
    const int equal = first->wire == second->wire;
    return (equal ? first->position < second->position : first->wire < second->wire) ? -1 : 1;
}

static int is_ordered(const combination *all)
{
    size_t i = 1;
    while (i < all->count && all->terms[i - 1].wire < all->terms[i].wire) {
        i++;
    }
    return i >= all->count;
}

/* Order the terms of a combination. If a wire occurs twice, its last factor counts, as in snarkjs. */
static void order_terms(combination *all)
{
    size_t kept = 0;
    if (is_ordered(all)) {
        return;
    }
    qsort(all->terms, all->count, sizeof *all->terms, compare_terms);
    for (size_t i = 0; i < all->count; i++) {
        if (kept > 0 && all->terms[kept - 1].wire == all->terms[i].wire) {
            kept--;
        }
        all->terms[kept++] = all->terms[i];
    }
    all->count = kept;
}

/* Remove the terms with the factor 0 if the flavour does. */
static void drop_zeros(const gate_list *gates, combination *all)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (!gates->drops_zero_terms || !host_is_zero(gates->groups.g1, all->terms[i].factor)) {
            all->terms[kept++] = all->terms[i];
        }
    }
    all->count = kept;
}

static int has_constant(const combination *all)
{
    return all->count > 0 && all->terms[0].wire == 0;
}

static int is_constant(const combination *all)
{
    return all->count == 1 && has_constant(all);
}

/* ---- Gates ---- */

static sumac_status grow_gates(gate_list *gates)
{
    const size_t each = gates->groups.g1->scalar_bytes;
    const uint64_t capacity = 2 * (uint64_t)gates->capacity + 64;
    if (capacity > UINT32_MAX) {
        return fail(gates->context, SUMAC_NOT_SUPPORTED, "%s: more than 2^31 gates", gates->path);
    }
    for (int k = 0; k < GATE_WIRES; k++) {
        uint8_t *grown = memory_grow(gates->context, gates->path, gates->wires_of[k], capacity * 4);
        TRY(memory_got(grown));
        gates->wires_of[k] = grown;
    }
    for (int k = 0; k < SELECTORS; k++) {
        uint8_t *grown = memory_grow(gates->context, gates->path, gates->selectors[k], capacity * each);
        TRY(memory_got(grown));
        gates->selectors[k] = grown;
    }
    gates->capacity = (uint32_t)capacity;
    return SUMAC_OK;
}

static sumac_status add_gate(gate_list *gates, const uint32_t wires[GATE_WIRES],
                             const host_scalar selectors[SELECTORS])
{
    const sumac_group *g1 = gates->groups.g1;
    if (gates->count == gates->capacity) {
        TRY(grow_gates(gates));
    }
    for (int k = 0; k < GATE_WIRES; k++) {
        store_le32(gates->wires_of[k] + 4 * (size_t)gates->count, wires[k]);
    }
    for (int k = 0; k < SELECTORS; k++) {
        host_to_montgomery(g1, selectors[k], gates->selectors[k] + gates->count * (size_t)g1->scalar_bytes);
    }
    gates->count++;
    return SUMAC_OK;
}

static sumac_status add_addition(gate_list *gates, const term *first, const term *second)
{
    const sumac_group *g1 = gates->groups.g1;
    const size_t each = g1->scalar_bytes, bytes = 8 + 2 * each;
    if (gates->additions == gates->additions_capacity) {
        const uint64_t capacity = 2 * (uint64_t)gates->additions_capacity + 64;
        uint8_t *grown = memory_grow(gates->context, gates->path, gates->addition_bytes, capacity * bytes);
        TRY(memory_got(grown));
        gates->addition_bytes = grown;
        gates->additions_capacity = (uint32_t)capacity; /* there are fewer additions than gates */
    }
    uint8_t *at = gates->addition_bytes + gates->additions * bytes;
    store_le32(at, first->wire);
    store_le32(at + 4, second->wire);
    host_to_montgomery(g1, first->factor, at + 8);
    host_to_montgomery(g1, second->factor, at + 8 + each);
    gates->additions++;
    return SUMAC_OK;
}

/* Replace two terms by a new wire, whose gate is -f a - g b + c = 0. */
static sumac_status add_wire(gate_list *gates, const term *first, const term *second, uint32_t *wire)
{
    const sumac_group *g1 = gates->groups.g1;
    if (gates->wires == UINT32_MAX) {
        return fail(gates->context, SUMAC_NOT_SUPPORTED, "%s: more than 2^32 wires", gates->path);
    }
    *wire = gates->wires++;
    const uint32_t wires[GATE_WIRES] = {first->wire, second->wire, *wire};
    const host_scalar zero = host_integer(g1, 0);
    const host_scalar selectors[SELECTORS] = {[KEY_QM] = zero,
                                              [KEY_QL] = host_negate(g1, first->factor),
                                              [KEY_QR] = host_negate(g1, second->factor),
                                              [KEY_QO] = host_integer(g1, 1),
                                              [KEY_QC] = zero};
    TRY(add_gate(gates, wires, selectors));
    return add_addition(gates, first, second);
}

/* Reduce a combination to its constant and `most` terms. Those that it does not have become 0 times wire 0. */
static sumac_status reduce_terms(gate_list *gates, combination *all, size_t most, host_scalar *constant,
                                 term *terms)
{
    const sumac_group *g1 = gates->groups.g1;
    size_t first = (size_t)has_constant(all);
    *constant = first > 0 ? all->terms[0].factor : host_integer(g1, 0);
    for (; all->count - first > most; first += 2) {
        uint32_t wire = 0;
        TRY(add_wire(gates, &all->terms[first], &all->terms[first + 1], &wire));
        TRY(add_term(gates, all, wire, host_integer(g1, 1)));
    }
    for (size_t i = 0; i < most; i++) {
        terms[i] = first + i < all->count ? all->terms[first + i] : (term){.factor = host_integer(g1, 0)};
    }
    return SUMAC_OK;
}

static sumac_status add_sum(gate_list *gates, combination *all)
{
    term terms[GATE_WIRES];
    host_scalar constant;
    TRY(reduce_terms(gates, all, GATE_WIRES, &constant, terms));
    const uint32_t wires[GATE_WIRES] = {terms[0].wire, terms[1].wire, terms[2].wire};
    const host_scalar selectors[SELECTORS] = {[KEY_QM] = host_integer(gates->groups.g1, 0),
                                              [KEY_QL] = terms[0].factor,
                                              [KEY_QR] = terms[1].factor,
                                              [KEY_QO] = terms[2].factor,
                                              [KEY_QC] = constant};
    return add_gate(gates, wires, selectors);
}

static sumac_status add_product(gate_list *gates, combination lists[3])
{
    const sumac_group *g1 = gates->groups.g1;
    term terms[3];
    host_scalar k[3];
    for (int i = 0; i < 3; i++) {
        TRY(reduce_terms(gates, &lists[i], 1, &k[i], &terms[i]));
    }
    const host_scalar a = terms[0].factor, b = terms[1].factor;
    const uint32_t wires[GATE_WIRES] = {terms[0].wire, terms[1].wire, terms[2].wire};
    const host_scalar selectors[SELECTORS] = {[KEY_QM] = host_multiply(g1, a, b),
                                              [KEY_QL] = host_multiply(g1, a, k[1]),
                                              [KEY_QR] = host_multiply(g1, k[0], b),
                                              [KEY_QO] = host_negate(g1, terms[2].factor),
                                              [KEY_QC] =
                                                  host_subtract(g1, host_multiply(g1, k[0], k[1]), k[2])};
    return add_gate(gates, wires, selectors);
}

/* Compute k*a - b as a combination. */
static sumac_status join(gate_list *gates, host_scalar k, const combination *a, const combination *b,
                         combination *joined)
{
    const sumac_group *g1 = gates->groups.g1;
    size_t i = 0, j = 0;
    joined->count = 0;
    while (i < a->count || j < b->count) {
        const int takes_a = i < a->count && (j == b->count || a->terms[i].wire <= b->terms[j].wire);
        const int takes_b = j < b->count && (i == a->count || b->terms[j].wire <= a->terms[i].wire);
        const uint32_t wire = takes_a ? a->terms[i].wire : b->terms[j].wire;
        host_scalar factor = takes_a ? host_multiply(g1, k, a->terms[i++].factor) : host_integer(g1, 0);
        if (takes_b) {
            factor = host_subtract(g1, factor, b->terms[j++].factor);
        }
        TRY(add_term(gates, joined, wire, factor));
    }
    drop_zeros(gates, joined);
    return SUMAC_OK;
}

/* Add the gates of a constraint, whose combinations are A, B and C. `joined` is reused. */
static sumac_status add_constraint(gate_list *gates, combination lists[3], combination *joined)
{
    for (int i = 0; i < 3; i++) {
        order_terms(&lists[i]);
        drop_zeros(gates, &lists[i]);
    }
    if (lists[0].count == 0 || lists[1].count == 0) {
        return add_sum(gates, &lists[2]);
    }
    if (is_constant(&lists[0]) || is_constant(&lists[1])) {
        const int constant = is_constant(&lists[0]) ? 0 : 1;
        TRY(join(gates, lists[constant].terms[0].factor, &lists[1 - constant], &lists[2], joined));
        return add_sum(gates, joined);
    }
    return add_product(gates, lists);
}

/* ---- Circuits ---- */

typedef struct r1cs_file {
    input_file file;
    binfile_input input;
    uint8_t header_bytes[R1CS_MOST_HEADER_BYTES];
    r1cs_header header;
    combination lists[4]; /* A, B and C of the present constraint, and a joined one */
    uint8_t *bytes;       /* section 2 */
} r1cs_file;

static void close_r1cs(r1cs_file *r1cs)
{
    input_close(&r1cs->file);
    for (int i = 0; i < 4; i++) {
        free(r1cs->lists[i].terms);
    }
    free(r1cs->bytes);
}

static sumac_status open_r1cs(r1cs_file *r1cs, gate_list *gates)
{
    const binfile_section *section;
    r1cs_header *header = &r1cs->header;
    TRY(input_open(&r1cs->file, gates->context, gates->path));
    TRY(binfile_input_begin(&r1cs->input, &r1cs->file, R1CS_MAGIC, R1CS_KIND, R1CS_VERSION));
    TRY(binfile_input_header(&r1cs->input, R1CS_HEADER, r1cs->header_bytes, sizeof r1cs->header_bytes,
                             &section));
    TRY(input_refuse(&r1cs->file,
                     r1cs_decode_header(r1cs->header_bytes, section->size, header, &r1cs->file.why)));
    /* This section's size bounds the number of wires by the file's length. */
    TRY(binfile_input_expect(&r1cs->input, R1CS_WIRES, "wires", 8 * (uint64_t)header->wires, &section));
    TRY(groups_find(gates->context, gates->path, header->order, header->scalar_bytes, NULL, 0,
                    &gates->groups));
    gates->wires = header->wires;
    gates->publics = header->outputs + header->inputs; /* fewer than wires */
    return SUMAC_OK;
}

static sumac_status add_publics(gate_list *gates)
{
    const sumac_group *g1 = gates->groups.g1;
    const host_scalar zero = host_integer(g1, 0),
                      selectors[SELECTORS] = {zero, host_integer(g1, 1), zero, zero, zero};
    for (uint32_t i = 1; i <= gates->publics; i++) {
        const uint32_t wires[GATE_WIRES] = {i, 0, 0};
        TRY(add_gate(gates, wires, selectors));
    }
    return SUMAC_OK;
}

/* Add the gates of constraint `next`, and of those without terms up to constraint `end`, which is not included. */
static sumac_status finish_constraints(r1cs_file *r1cs, gate_list *gates, uint32_t *next, uint32_t end)
{
    for (; *next < end; ++*next) {
        TRY(add_constraint(gates, r1cs->lists, &r1cs->lists[3]));
        for (int i = 0; i < 3; i++) {
            r1cs->lists[i].count = 0;
        }
        TRY(context_report(gates->context, (double)*next / r1cs->header.constraints));
    }
    return SUMAC_OK;
}

static sumac_status read_constraints(r1cs_file *r1cs, gate_list *gates)
{
    const binfile_section *section;
    const sumac_group *g1 = gates->groups.g1;
    r1cs_reader reader;
    uint32_t next = 0;
    TRY(binfile_input_find(&r1cs->input, R1CS_CONSTRAINTS, "constraints", &section));
    TRY(binfile_input_take(&r1cs->input, section, &r1cs->bytes));
    TRY(input_refuse(&r1cs->file, r1cs_begin(&reader, r1cs->bytes, section, &r1cs->header, &r1cs->file.why)));
    for (;;) {
        r1cs_term read;
        int more;
        TRY(input_refuse(&r1cs->file, r1cs_next(&reader, &read, &more, &r1cs->file.why)));
        TRY(finish_constraints(r1cs, gates, &next, more ? read.constraint : r1cs->header.constraints));
        if (!more) {
            return SUMAC_OK;
        }
        if (scalars_first_too_large(g1, read.value, 1) == 0) {
            return fail(gates->context, SUMAC_BAD_ENCODING,
                        "%s: section 2 (constraints), at byte %" PRIu64
                        ": a coefficient of constraint %" PRIu32 " is not less than r",
                        gates->path, section->offset + (uint64_t)(read.value - r1cs->bytes), read.constraint);
        }
        TRY(add_term(gates, &r1cs->lists[read.matrix], read.wire, host_from_raw(g1, read.value)));
    }
}

sumac_status gates_read(sumac_context *context, const char *path, const plonk_flavour *flavour,
                        gate_list *gates)
{
    CLEANUP(close_r1cs) r1cs_file r1cs = {.file = INPUT_CLOSED};
    *gates = (gate_list){.context = context, .path = path, .drops_zero_terms = flavour->drops_zero_terms};
    TRY(open_r1cs(&r1cs, gates));
    TRY(add_publics(gates));
    return read_constraints(&r1cs, gates);
}

void gates_free(gate_list *gates)
{
    for (int k = 0; k < GATE_WIRES; k++) {
        free(gates->wires_of[k]);
    }
    for (int k = 0; k < SELECTORS; k++) {
        free(gates->selectors[k]);
    }
    free(gates->addition_bytes);
}
