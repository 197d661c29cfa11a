/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Commitments, openings and cells are computed, and cells are recovered from some of them, with a setup whose secret
 * s is known. A blob has the values of a polynomial p of a few terms, which GMP evaluates. Thus a commitment is
 * p(s)*G, and a proof at z is (p(s) - p(z))/(s - z)*G. On a cell, X^64 = a, and its proof is (p(s) - (p mod X^64 -
 * a)(s))/(s^64 - a)*G. After a change of bytes a call must refuse the input exactly if an element is not less than r
 * or an index is invalid. If exactly half of the cells are given, recovery must not change them.
 */
#include <stdlib.h>
#include <string.h>

#include "known_setup.h"
#include "base/try.h"
#include "support/numbers.h"
#include "sumac/experimental.h"

enum {
    LOG2 = 13,
    EXTENDED = 1 << LOG2,
    ELEMENTS = SUMAC_KZG_FIELD_ELEMENTS,
    CELLS = SUMAC_KZG_CELLS,
    LOG2_CELLS = 7,
    CELL = SUMAC_KZG_CELL_ELEMENTS,
    CELL_BYTES = SUMAC_KZG_CELL_BYTES,
    BLOB_BYTES = SUMAC_KZG_BLOB_BYTES,
    TERMS = 4,
    BLOBS = 2,
    UNTOUCHED = 0xa5
};

/* These are the powers of a root of unity of order 8192. */
static mpz_t powers[EXTENDED];

static void free_powers(void)
{
    for (size_t i = 0; i < EXTENDED; i++) {
        mpz_clear(powers[i]);
    }
}

static void make_powers(const known_setup *known)
{
    mpz_t root;
    mpz_init(root);
    root_of_order(known, LOG2, root);
    mpz_init_set_ui(powers[0], 1);
    for (size_t i = 1; i < EXTENDED; i++) {
        mpz_init(powers[i]);
        mpz_mul(powers[i], powers[i - 1], root);
        mpz_mod(powers[i], powers[i], known->r);
    }
    mpz_clear(root);
    (void)atexit(free_powers);
}

static size_t reversed(size_t index, int bits)
{
    size_t result = 0;
    for (int i = 0; i < bits; i++) {
        result |= (index >> i & 1) << (bits - 1 - i);
    }
    return result;
}

/* ---- The polynomial ---- */

/* The polynomial of all blobs of a call, and the setup. */
typedef struct polynomial {
    const known_setup *known;
    size_t terms;
    size_t exponents[TERMS];
    mpz_t coefficients[TERMS];
} polynomial;

static void draw_polynomial(fuzz_input *input, polynomial *p)
{
    p->known = get_known_setup();
    p->terms = fuzz_byte(input) % (TERMS + 1);
    for (size_t i = 0; i < TERMS; i++) {
        mpz_init(p->coefficients[i]);
    }
    for (size_t i = 0; i < p->terms; i++) {
        const size_t high = fuzz_byte(input);
        p->exponents[i] = (high << 8 | fuzz_byte(input)) % ELEMENTS;
        draw_scalar(p->known, input, p->coefficients[i]);
    }
}

static void clear_polynomial(polynomial *p)
{
    for (size_t i = 0; i < TERMS; i++) {
        mpz_clear(p->coefficients[i]);
    }
}

static void evaluate(const polynomial *p, const mpz_t x, mpz_t value)
{
    TEST_NUMBERS(power);
    mpz_set_ui(value, 0);
    for (size_t i = 0; i < p->terms; i++) {
        mpz_powm_ui(power, x, p->exponents[i], p->known->r);
        mpz_addmul(value, power, p->coefficients[i]);
    }
    mpz_mod(value, value, p->known->r);
}

/* Evaluate the polynomial at all points, of which those of a blob come first. */
static void evaluate_everywhere(const polynomial *p, uint8_t elements[EXTENDED * ELEMENT])
{
    TEST_NUMBERS(value);
    for (size_t i = 0; i < EXTENDED; i++) {
        const size_t place = reversed(i, LOG2);
        mpz_set_ui(value, 0);
        for (size_t j = 0; j < p->terms; j++) {
            mpz_addmul(value, powers[place * p->exponents[j] % EXTENDED], p->coefficients[j]);
        }
        mpz_mod(value, value, p->known->r);
        scalar_to_element(elements + i * ELEMENT, value);
    }
}

/* Encode the point (p(s) - value)/divisor*G. If the divisor is 0, return 0. */
static int encode_quotient(const polynomial *p, const mpz_t value, const mpz_t divisor, uint8_t *record)
{
    uint8_t raw[ELEMENT];
    TEST_NUMBERS(quotient, inverse);
    const int is_one = mpz_invert(inverse, divisor, p->known->r) != 0;
    if (is_one) {
        evaluate(p, p->known->secret, quotient);
        mpz_sub(quotient, quotient, value);
        mpz_mul(quotient, quotient, inverse);
        mpz_mod(quotient, quotient, p->known->r);
        scalar_to_raw(raw, quotient);
        encode_multiples(p->known->g1, raw, 1, record);
    }
    return is_one;
}

static void encode_commitment(const polynomial *p, uint8_t *record)
{
    mpz_t zero, one;
    mpz_init(zero);
    mpz_init_set_ui(one, 1);
    fuzz_require(encode_quotient(p, zero, one, record), "there is a commitment");
    mpz_clears(zero, one, NULL);
}

/* Encode y = p(z) and the proof at the element z. */
static int encode_opening(const polynomial *p, const uint8_t z[ELEMENT], uint8_t *y, uint8_t *record)
{
    TEST_NUMBERS(place, value);
    mpz_import(place, ELEMENT, 1, 1, 1, 0, z);
    evaluate(p, place, value);
    scalar_to_element(y, value);
    mpz_sub(place, p->known->secret, place);
    const int is_one = encode_quotient(p, value, place, record);
    return is_one;
}

/* Encode the proofs of all cells. */
static void encode_cell_proofs(const polynomial *p, uint8_t records[CELLS * G1_RECORD])
{
    static uint8_t raw[CELLS * ELEMENT];
    const known_setup *known = p->known;
    TEST_NUMBERS(term, quotient, divisor);
    for (size_t c = 0; c < CELLS; c++) {
        const size_t a = CELL * reversed(c, LOG2_CELLS); /* index of the power that X^64 equals on the cell */
        evaluate(p, known->secret, quotient);
        for (size_t i = 0; i < p->terms; i++) {
            mpz_powm_ui(term, known->secret, p->exponents[i] % CELL, known->r);
            mpz_mul(term, term, powers[a * (p->exponents[i] / CELL) % EXTENDED]);
            mpz_submul(quotient, term, p->coefficients[i]);
        }
        mpz_powm_ui(divisor, known->secret, CELL, known->r);
        mpz_sub(divisor, divisor, powers[a]);
        fuzz_require(mpz_invert(divisor, divisor, known->r) != 0, "the secret is in no coset");
        mpz_mul(quotient, quotient, divisor);
        mpz_mod(quotient, quotient, known->r);
        scalar_to_raw(raw + c * ELEMENT, quotient);
    }
    encode_multiples(known->g1, raw, CELLS, records);
}

/* ---- Inputs ---- */

static int is_element(const known_setup *known, const uint8_t element[ELEMENT])
{
    TEST_NUMBERS(value);
    mpz_import(value, ELEMENT, 1, 1, 1, 0, element);
    const int result = mpz_cmp(value, known->r) < 0;
    return result;
}

static int are_elements(const known_setup *known, const uint8_t *elements, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        /* The first byte of r is 0x73. */
        if (elements[i * ELEMENT] >= 0x73 && !is_element(known, elements + i * ELEMENT)) {
            return 0;
        }
    }
    return 1;
}

/* Change some bytes. Sometimes set an element to r, or to slightly more or less. */
static int change_elements(const known_setup *known, fuzz_input *input, uint8_t *elements, size_t count)
{
    const uint8_t how = fuzz_byte(input);
    int changed = 0;
    if (how % 4 == 1) {
        const size_t high = fuzz_byte(input), place = (high << 8 | fuzz_byte(input)) % count;
        mpz_t value;
        mpz_init_set(value, known->r);
        mpz_add_ui(value, value, how >> 4);
        mpz_sub_ui(value, value, 8);
        scalar_to_element(elements + place * ELEMENT, value);
        mpz_clear(value);
        changed = 1;
    } else if (how % 4 == 2) {
        for (int i = how >> 6; i >= 0; i--) {
            changed |= change_byte(input, elements, count * ELEMENT);
        }
    }
    return changed;
}

/* If the input is valid, require success. Otherwise require the status `otherwise` and a sentence. */
static void check_status(sumac_status status, int is_valid, sumac_status otherwise)
{
    fuzz_check_sentence(status);
    fuzz_require(status == (is_valid ? SUMAC_OK : otherwise), "refused for what is wrong, and only for that");
}

static void require_untouched(const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fuzz_require(bytes[i] == UNTOUCHED, "nothing is written by a call that fails");
    }
}

static uint8_t *allocate(size_t count)
{
    uint8_t *bytes = malloc(count);
    fuzz_require(bytes != NULL, "there is memory");
    memset(bytes, UNTOUCHED, count);
    return bytes;
}

/* Require that these are the proofs of all cells of `count` blobs. */
static void require_cell_proofs(const polynomial *p, const uint8_t *proofs, size_t count)
{
    static uint8_t expected[CELLS * G1_RECORD];
    encode_cell_proofs(p, expected);
    for (size_t i = 0; i < count; i++) {
        fuzz_require(memcmp(proofs + i * sizeof expected, expected, sizeof expected) == 0,
                     "proofs of cells are right");
    }
}

/* ---- Calls with blobs ---- */

/* Blobs that are equal except for changed bytes. */
typedef struct blobs {
    const polynomial *p;
    uint8_t *bytes;
    size_t count;
    int changed, valid;
} blobs;

static void try_commit(const blobs *b)
{
    uint8_t found[BLOBS * G1_RECORD], expected[G1_RECORD];
    memset(found, UNTOUCHED, sizeof found);
    const sumac_status status = sumac_kzg_commit(
        fuzz_context(), b->p->known->setup, (const sumac_blob *)b->bytes, b->count, (sumac_bytes48 *)found);
    check_status(status, b->valid, SUMAC_BAD_ENCODING);
    if (status != SUMAC_OK) {
        require_untouched(found, sizeof found);
    } else if (!b->changed) {
        encode_commitment(b->p, expected);
        for (size_t i = 0; i < b->count; i++) {
            fuzz_require(memcmp(found + i * G1_RECORD, expected, G1_RECORD) == 0, "a commitment is right");
        }
    }
}

static void require_openings(const blobs *b, const uint8_t *zs, const uint8_t *ys, const uint8_t *proofs)
{
    uint8_t y[ELEMENT], expected[G1_RECORD];
    for (size_t i = 0; i < b->count && !b->changed; i++) {
        const int is_one = encode_opening(b->p, zs + i * ELEMENT, y, expected);
        fuzz_require(ys == NULL || memcmp(ys + i * ELEMENT, y, ELEMENT) == 0, "a value is right");
        fuzz_require(!is_one || memcmp(proofs + i * G1_RECORD, expected, G1_RECORD) == 0, "a proof is right");
    }
}

static void try_proof(const blobs *b, fuzz_input *input)
{
    uint8_t zs[BLOBS * ELEMENT], ys[BLOBS * ELEMENT], proofs[BLOBS * G1_RECORD];
    const known_setup *known = b->p->known;
    mpz_t z;
    mpz_init(z);
    for (size_t i = 0; i < BLOBS; i++) {
        const uint8_t choice = fuzz_byte(input);
        draw_scalar(known, input, z);
        /* At a point of the domain, the quotient's value at that point is 0/0, and must be computed in another
         * way. */
        scalar_to_element(zs + i * ELEMENT, choice % 4 == 0 ? powers[choice * 32] : z);
    }
    mpz_clear(z);
    memset(ys, UNTOUCHED, sizeof ys);
    memset(proofs, UNTOUCHED, sizeof proofs);
    (void)change_elements(known, input, zs, b->count);
    const sumac_status status = sumac_kzg_compute_proof(
        fuzz_context(), known->setup, (const sumac_blob *)b->bytes, (const sumac_bytes32 *)zs, b->count,
        (sumac_bytes48 *)proofs, (sumac_bytes32 *)ys);
    check_status(status, b->valid && are_elements(known, zs, b->count), SUMAC_BAD_ENCODING);
    if (status == SUMAC_OK) {
        require_openings(b, zs, ys, proofs);
    } else {
        require_untouched(ys, sizeof ys);
        require_untouched(proofs, sizeof proofs);
    }
}

static void try_blob_proof(const blobs *b, fuzz_input *input)
{
    uint8_t commitments[BLOBS * G1_RECORD], proofs[BLOBS * G1_RECORD], zs[BLOBS * ELEMENT];
    sumac_context *context = fuzz_context();
    memset(proofs, UNTOUCHED, sizeof proofs);
    for (size_t i = 0; i < BLOBS; i++) {
        encode_commitment(b->p, commitments + i * G1_RECORD);
    }
    const int changed = fuzz_byte(input) % 4 == 0 && change_byte(input, commitments, b->count * G1_RECORD);
    const sumac_status status =
        sumac_kzg_compute_blob_proof(context, b->p->known->setup, (const sumac_blob *)b->bytes,
                                     (const sumac_bytes48 *)commitments, b->count, (sumac_bytes48 *)proofs);
    fuzz_check_sentence(status);
    fuzz_require(changed || (status == SUMAC_OK) == b->valid, "refused for what is wrong");
    if (status != SUMAC_OK) {
        require_untouched(proofs, sizeof proofs);
        return;
    }
    for (size_t i = 0; i < b->count; i++) {
        fuzz_require(sumac_kzg_blob_challenge(context, (const sumac_blob *)(b->bytes + i * BLOB_BYTES),
                                              (const sumac_bytes48 *)(commitments + i * G1_RECORD),
                                              (sumac_bytes32 *)(zs + i * ELEMENT)) == SUMAC_OK,
                     "there is a challenge");
    }
    require_openings(b, zs, NULL, proofs);
}

static void try_cells(const blobs *b, const uint8_t *elements, int with_proofs)
{
    const size_t bytes = b->count * CELLS * CELL_BYTES, proof_bytes = b->count * CELLS * G1_RECORD;
    AUTO_FREE uint8_t *found = allocate(bytes), *proofs = allocate(proof_bytes);
    const sumac_status status =
        with_proofs ? sumac_kzg_cells(fuzz_context(), b->p->known->setup, (const sumac_blob *)b->bytes,
                                      b->count, (sumac_cell *)found, (sumac_bytes48 *)proofs)
                    : sumac_kzg_cells(fuzz_context(), b->p->known->setup, (const sumac_blob *)b->bytes,
                                      b->count, (sumac_cell *)found, NULL);
    check_status(status, b->valid, SUMAC_BAD_ENCODING);
    for (size_t i = 0; i < b->count && status == SUMAC_OK; i++) {
        const uint8_t *cells = found + i * CELLS * CELL_BYTES;
        fuzz_require(memcmp(cells, b->bytes + i * BLOB_BYTES, BLOB_BYTES) == 0, "the blob's cells are first");
        fuzz_require(b->changed || memcmp(cells, elements, (size_t)CELLS * CELL_BYTES) == 0,
                     "cells are right");
    }
    if (status != SUMAC_OK) {
        require_untouched(found, bytes);
        require_untouched(proofs, proof_bytes);
    } else if (with_proofs && !b->changed) {
        require_cell_proofs(b->p, proofs, b->count);
    }
}

static void try_blobs(const polynomial *p, fuzz_input *input, const uint8_t *elements, size_t count,
                      int with_proofs)
{
    blobs b = {.p = p, .bytes = allocate(count * BLOB_BYTES), .count = count};
    for (size_t i = 0; i < count; i++) {
        memcpy(b.bytes + i * BLOB_BYTES, elements, BLOB_BYTES);
    }
    const uint8_t call = fuzz_byte(input) % 4;
    b.changed = change_elements(p->known, input, b.bytes, count * ELEMENTS);
    b.valid = are_elements(p->known, b.bytes, count * ELEMENTS);
    if (call == 3 || with_proofs) {
        try_cells(&b, elements, with_proofs);
    } else if (call == 2) {
        try_blob_proof(&b, input);
    } else if (call == 1) {
        try_proof(&b, input);
    } else {
        try_commit(&b);
    }
    free(b.bytes);
}

/* ---- Recovery ---- */

/* The cells of a call, which are `known_count` cells of each blob. */
typedef struct part {
    uint64_t indices[CELLS];
    size_t known_count;
    uint8_t *cells;
    size_t count;
    int changed; /* 1: an element was changed */
} part;

/* Draw any set of cells, and sometimes replace an index by another number. */
static void draw_indices(fuzz_input *input, part *k)
{
    const uint8_t how = fuzz_byte(input);
    uint8_t bits[CELLS / 8];
    fuzz_bytes(input, bits, sizeof bits);
    for (size_t i = 0; i < CELLS; i++) {
        /* Choose exactly half of the cells, one of each pair, or the cells of the set bits, or about three
         * quarters. */
        const int bit = bits[i / 8] >> i % 8 & 1, pair = bits[i / 16] >> i / 2 % 8 & 1;
        const int next = bits[(i + 37) % CELLS / 8] >> (i + 37) % 8 & 1;
        if (how % 4 == 0 ? bit : how % 4 == 1 ? (size_t)pair == i % 2 : bit | next) {
            k->indices[k->known_count++] = i;
        }
    }
}

static void change_indices(fuzz_input *input, part *k)
{
    const uint8_t how = fuzz_byte(input);
    if (k->known_count == 0 || how % 4 != 0) {
        return;
    }
    const size_t place = fuzz_byte(input) % k->known_count;
    if (how >> 2 == 0) {
        (void)change_byte(input, k->indices, k->known_count * sizeof *k->indices);
    } else if (how >> 2 < 32) {
        k->indices[place] = fuzz_byte(input);
    } else {
        k->indices[place] = k->indices[0];
    }
}

static int indices_are_valid(const part *k)
{
    int valid = k->known_count >= CELLS / 2;
    for (size_t i = 0; i < k->known_count; i++) {
        valid &= k->indices[i] < CELLS && (i == 0 || k->indices[i - 1] < k->indices[i]);
    }
    return valid;
}

static void require_recovered(const part *k, const uint8_t *elements, const uint8_t *recovered)
{
    for (size_t i = 0; i < k->count; i++) {
        const uint8_t *cells = recovered + i * CELLS * CELL_BYTES;
        fuzz_require(k->changed || memcmp(cells, elements, (size_t)CELLS * CELL_BYTES) == 0,
                     "recovered cells are right");
        for (size_t j = 0; j < k->known_count && k->known_count == CELLS / 2; j++) {
            fuzz_require(memcmp(cells + k->indices[j] * CELL_BYTES,
                                k->cells + (i * k->known_count + j) * CELL_BYTES, CELL_BYTES) == 0,
                         "half of the cells stay as they are");
        }
    }
}

static void try_recovery(const polynomial *p, fuzz_input *input, const uint8_t *elements, size_t count,
                         int with_proofs)
{
    part k = {.count = count};
    draw_indices(input, &k);
    const size_t known = count * k.known_count, bytes = count * CELLS * CELL_BYTES;
    k.cells = allocate(known * CELL_BYTES + 1);
    for (size_t i = 0; i < known; i++) {
        memcpy(k.cells + i * CELL_BYTES, elements + k.indices[i % k.known_count] * CELL_BYTES, CELL_BYTES);
    }
    change_indices(input, &k);
    if (known > 0) {
        k.changed = change_elements(p->known, input, k.cells, known * CELL);
    }
    const size_t proof_bytes = count * CELLS * G1_RECORD;
    AUTO_FREE uint8_t *recovered = allocate(bytes), *proofs = allocate(proof_bytes);
    const sumac_kzg_setup *setup = p->known->setup;
    const sumac_status status =
        sumac_kzg_recover(fuzz_context(), setup, k.indices, k.known_count, (const sumac_cell *)k.cells, count,
                          (sumac_cell *)recovered, (sumac_bytes48 *)(with_proofs ? proofs : NULL), NULL);
    if (!indices_are_valid(&k)) {
        check_status(status, 0, SUMAC_BAD_ARGUMENT);
    } else {
        check_status(status, are_elements(p->known, k.cells, known * CELL), SUMAC_BAD_ENCODING);
    }
    if (status != SUMAC_OK) {
        require_untouched(recovered, bytes);
        require_untouched(proofs, proof_bytes);
    } else {
        require_recovered(&k, elements, recovered);
        if (with_proofs && !k.changed) {
            require_cell_proofs(p, proofs, count);
        }
    }
    free(k.cells);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t elements[EXTENDED * ELEMENT];
    fuzz_input input = {data, size};
    CLEANUP(clear_polynomial) polynomial p = {0};
    const uint8_t choice = fuzz_byte(&input);
    const size_t count = 1 + (choice >> 4) % BLOBS;
    const int with_proofs = (choice >> 1) % 8 == 7; /* half a second for each blob */
    draw_polynomial(&input, &p);
    if (powers[0]->_mp_d == NULL) {
        make_powers(p.known);
    }
    evaluate_everywhere(&p, elements);
    if (choice % 2 == 0) {
        try_recovery(&p, &input, elements, count, with_proofs);
    } else {
        try_blobs(&p, &input, elements, count, with_proofs);
    }
    return 0;
}
