/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "random/scalars.h"

#include <stdlib.h>
#include <string.h>

/* These kinds of scalars are hard for recoding, because digits carry, halves meet or buckets grow. */
enum {
    RANDOM,
    SMALL,
    MINUS_ONE,
    MINUS_SMALL,
    SHORT,
    ONE_BIT,
    ALL_ONES,
    NEAR_HALF,
    ALTERNATING,
    HALF_DIGITS,
    LARGEST,
    KINDS,
    MIXED = KINDS, /* each scalar has its own kind */
    SAME,          /* all scalars are equal */
    MOSTLY_ONES,   /* most scalars are 0 .. 3 */
    CHOICES
};

static void draw_integer(draws *d, mpz_t k, mp_bitcnt_t bits)
{
    uint64_t words[16];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        words[i] = 64 * i < bits ? draw_below(d, UINT64_MAX) : 0;
    }
    mpz_import(k, sizeof words / sizeof *words, -1, 8, 0, 0, words);
    mpz_fdiv_r_2exp(k, k, bits);
}

static void draw_half_digits(draws *d, mpz_t k, mp_bitcnt_t bits)
{
    const mp_bitcnt_t c = 1 + draw_below(d, 16);
    for (mp_bitcnt_t bit = c - 1; bit < bits; bit += c) {
        mpz_setbit(k, bit);
    }
}

static void draw_kind(draws *d, const known_group *known, mpz_t k, unsigned kind)
{
    const mp_bitcnt_t bits = known->oracle.info->scalar_bits;
    mpz_set_ui(k, 0);
    switch (kind) {
    case SMALL:
        mpz_set_ui(k, draw_below(d, 4));
        return;
    case MINUS_ONE:
        mpz_sub_ui(k, known->oracle.r, 1);
        return;
    case MINUS_SMALL:
        mpz_sub_ui(k, known->oracle.r, draw_below(d, 1 << 20));
        return;
    case SHORT:
        draw_integer(d, k, 16);
        return;
    case ONE_BIT:
        mpz_setbit(k, draw_below(d, bits));
        return;
    case ALL_ONES:
        mpz_setbit(k, draw_below(d, bits + 1));
        mpz_sub_ui(k, k, 1);
        return;
    case NEAR_HALF:
        mpz_fdiv_q_2exp(k, known->oracle.r, 1);
        mpz_add_ui(k, k, draw_below(d, 3));
        mpz_sub_ui(k, k, draw_below(d, 3));
        return;
    case ALTERNATING:
        for (mp_bitcnt_t bit = 0; bit < bits; bit += 2) {
            mpz_setbit(k, bit);
        }
        return;
    case HALF_DIGITS:
        draw_half_digits(d, k, bits);
        return;
    case LARGEST:
        mpz_setbit(k, 8 * (mp_bitcnt_t)known->oracle.info->scalar_bytes);
        mpz_sub_ui(k, k, 1);
        return;
    default:
        draw_integer(d, k, 8 * (mp_bitcnt_t)known->oracle.info->scalar_bytes);
    }
}

/* Draw a residue modulo r of at most `bits` bits. */
static void draw_residue(draws *d, const known_group *known, mpz_t k, unsigned choice, uint32_t bits)
{
    unsigned kind = choice;
    if (choice == MIXED) {
        kind = (unsigned)draw_below(d, KINDS);
    } else if (choice == MOSTLY_ONES) {
        kind = draw_chance(d, 1) ? RANDOM : SMALL;
    }
    draw_kind(d, known, k, kind);
    if (bits != 0) {
        mpz_fdiv_r_2exp(k, k, bits);
    }
    mpz_mod(k, k, known->oracle.r);
    if (bits != 0 && mpz_sgn(k) != 0 && mpz_sizeinbase(k, 2) > bits) {
        mpz_set_ui(k, 0);
    }
}

/* Write a scalar with a multiple of r added as far as it fits, because any value is legal and means its residue. */
static void write_scalar(draws *d, const known_group *known, mpz_t k, sumac_form form, uint8_t *written)
{
    const mp_bitcnt_t room = 8 * (mp_bitcnt_t)known->oracle.info->scalar_bytes;
    mpz_t larger;
    if (form == SUMAC_FORM_MONTGOMERY) {
        known_scalar_to_montgomery(known, k);
    }
    mpz_init_set(larger, k);
    for (uint64_t turn = draw_chance(d, 60) ? 0 : draw_below(d, 4); turn > 0; turn--) {
        mpz_add(larger, larger, known->oracle.r);
        if (mpz_sizeinbase(larger, 2) <= room) {
            mpz_set(k, larger);
        }
    }
    oracle_scalar_to_raw(&known->oracle, written, k);
    mpz_clear(larger);
}

case_scalars case_scalars_make(draws *d, const known_group *known, size_t count, uint32_t bits,
                               sumac_form form)
{
    const size_t bytes = known->oracle.info->scalar_bytes;
    const unsigned choice = (unsigned)draw_below(d, CHOICES);
    const int break_promise = bits != 0 && draw_chance(d, 10);
    case_scalars scalars = {known, count, world_alloc(count * bytes), world_take(d, count * bytes), count};
    mpz_t k, same;
    mpz_init(k);
    mpz_init(same);
    draw_residue(d, known, same, RANDOM, bits);
    for (size_t i = 0; i < count; i++) {
        if (choice == SAME) {
            mpz_set(k, same);
        } else {
            draw_residue(d, known, k, choice, break_promise && draw_chance(d, 3) ? 0 : bits);
        }
        if (bits != 0 && mpz_sgn(k) != 0 && mpz_sizeinbase(k, 2) > bits && scalars.too_large == count) {
            scalars.too_large = i;
        }
        oracle_scalar_to_raw(&known->oracle, scalars.residues + i * bytes, k);
        write_scalar(d, known, k, form, scalars.written.bytes + i * bytes);
    }
    mpz_clear(k);
    mpz_clear(same);
    return scalars;
}

void case_scalars_cut(const case_scalars *scalars, uint32_t bits, sumac_form form)
{
    const oracle *o = &scalars->known->oracle;
    const size_t bytes = o->info->scalar_bytes;
    TEST_NUMBERS(k);
    for (size_t i = 0; i < scalars->count; i++) {
        const uint8_t *integers = form == SUMAC_FORM_MONTGOMERY ? scalars->residues : scalars->written.bytes;
        oracle_scalar_from_raw(o, k, integers + i * bytes);
        mpz_fdiv_r_2exp(k, k, bits);
        mpz_mod(k, k, o->r);
        oracle_scalar_to_raw(o, scalars->residues + i * bytes, k);
    }
}

void case_scalars_free(case_scalars *scalars)
{
    free(scalars->residues);
    free(scalars->written.memory);
}
