/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "plonk/transcript.h"

#include "base/keccak.h"
#include "codec/bytes.h"
#include "codec/reduce.h"

/* ---- Challenges ---- */

static void hash_reversed(keccak *hash, const uint8_t *integer, size_t bytes)
{
    uint8_t big[MOST_POINT_BYTES];
    reverse_bytes(big, integer, bytes);
    keccak_add(hash, big, bytes);
}

static void hash_point(keccak *hash, const sumac_group *group, const uint8_t *point)
{
    const size_t half = group->point_bytes / 2;
    hash_reversed(hash, point, half);
    hash_reversed(hash, point + half, half);
}

static void hash_item(keccak *hash, const transcript *t, plonk_item item)
{
    const sumac_group *g1 = t->key->groups.g1;
    uint8_t raw[MOST_SCALAR_BYTES];
    if (item < PROOF_A) {
        const size_t i = item_position(&t->key->flavour->key_points, item);
        hash_point(hash, g1, t->key->points + i * g1->point_bytes);
    } else if (item < EVAL_A) {
        hash_point(hash, g1, t->proof + plonk_item_at(t->key, item));
    } else if (item < BETA) {
        hash_reversed(hash, t->proof + plonk_item_at(t->key, item), g1->scalar_bytes);
    } else if (item < PUBLICS) {
        host_to_raw(g1, transcript_get(t, item), raw);
        hash_reversed(hash, raw, g1->scalar_bytes);
    } else {
        for (size_t i = 0; i < t->key->publics; i++) {
            hash_reversed(hash, t->publics + i * g1->scalar_bytes, g1->scalar_bytes);
        }
    }
}

void transcript_challenge(transcript *t, plonk_item challenge)
{
    const challenge_row *row = t->key->flavour->challenges;
    const sumac_group *g1 = t->key->groups.g1;
    uint8_t digest[KECCAK_BYTES], raw[MOST_SCALAR_BYTES];
    keccak hash;
    while (row->challenge != challenge) {
        row++;
    }
    keccak_begin(&hash);
    for (const plonk_item *item = row->hashed; *item != NO_ITEM; item++) {
        hash_item(&hash, t, *item);
    }
    keccak_end(&hash, KECCAK256_PADDING, digest);
    integer_reduce(g1, digest, sizeof digest, raw);
    t->challenges[challenge - BETA] = host_from_raw(g1, raw);
}

host_scalar transcript_value(const transcript *t, plonk_item value)
{
    return host_from_raw(t->key->groups.g1, t->proof + plonk_item_at(t->key, value));
}

/* ---- What follows from the challenges ---- */

host_scalar transcript_permute(const transcript *t, host_scalar wire, host_scalar position)
{
    const sumac_group *g = t->key->groups.g1;
    const host_scalar moved = host_multiply(g, transcript_get(t, BETA), position);
    return host_add(g, host_add(g, wire, moved), transcript_get(t, GAMMA));
}

domain_values transcript_domain(const transcript *t)
{
    const sumac_group *g = t->key->groups.g1;
    const host_scalar one = host_integer(g, 1), xi = transcript_get(t, XI);
    const host_scalar zh = host_subtract(g, host_square(g, xi, t->key->power), one);
    const host_scalar divisor =
        host_multiply(g, host_integer(g, UINT64_C(1) << t->key->power), host_subtract(g, xi, one));
    return (domain_values){zh, host_multiply(g, zh, host_invert(g, divisor))};
}

void linearize(const transcript *t, linearization *l)
{
    const sumac_group *g = t->key->groups.g1;
    const host_scalar one = host_integer(g, 1), xi = transcript_get(t, XI), alpha = transcript_get(t, ALPHA);
    const host_scalar a = transcript_value(t, EVAL_A), b = transcript_value(t, EVAL_B),
                      c = transcript_value(t, EVAL_C);
    host_scalar *factors = l->factors;
    l->at = transcript_domain(t);
    const host_scalar xin = host_add(g, l->at.zh, one);

    factors[KEY_QM] = host_multiply(g, a, b);
    factors[KEY_QL] = a;
    factors[KEY_QR] = b;
    factors[KEY_QO] = c;
    factors[KEY_QC] = one;
    factors[KEY_C0] = host_integer(g, 0);

    host_scalar kept = host_multiply(g, alpha, transcript_permute(t, a, xi));
    kept = host_multiply(g, kept, transcript_permute(t, b, host_multiply(g, t->key->k1, xi)));
    kept = host_multiply(g, kept, transcript_permute(t, c, host_multiply(g, t->key->k2, xi)));
    const host_scalar first = host_multiply(g, host_multiply(g, alpha, alpha), l->at.lagrange);
    factors[PROOF_Z] = host_add(g, kept, first);

    host_scalar permuted = host_multiply(g, alpha, transcript_permute(t, a, transcript_value(t, EVAL_S1)));
    permuted = host_multiply(g, permuted, transcript_permute(t, b, transcript_value(t, EVAL_S2)));
    l->permuted = host_multiply(g, permuted, transcript_value(t, EVAL_ZW));
    factors[KEY_S3] = host_negate(g, host_multiply(g, l->permuted, transcript_get(t, BETA)));

    factors[PROOF_T1] = host_negate(g, l->at.zh);
    factors[PROOF_T2] = host_multiply(g, factors[PROOF_T1], xin);
    factors[PROOF_T3] = host_multiply(g, factors[PROOF_T2], xin);

    /* The openings at xi are combined by the powers of v. */
    const host_scalar v = transcript_get(t, V);
    host_scalar power = v;
    for (uint32_t i = 0; i < t->key->flavour->openings_count; i++) {
        const opening_row *opening = &t->key->flavour->openings[i];
        if (!opening->is_shifted) {
            factors[opening->polynomial] = power;
            power = host_multiply(g, power, v);
        }
    }
}
