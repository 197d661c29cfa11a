/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "plonk/transcript.h"

#include <string.h>

#include "codec/bytes.h"
#include "io/commitment_hash.h"
#include "codec/gnark_key.h"
#include "codec/reduce.h"

/* ---- Hashes ---- */

static void keccak_finish(hash_state *state, uint8_t *digest)
{
    keccak_end(&state->keccak, KECCAK256_PADDING, digest);
}

static void keccak_start(hash_state *state)
{
    keccak_begin(&state->keccak);
}

static void keccak_take(hash_state *state, const void *bytes, size_t count)
{
    keccak_add(&state->keccak, bytes, count);
}

static void sha256_finish(hash_state *state, uint8_t *digest)
{
    sha256_end(&state->sha256, digest);
}

static void sha256_start(hash_state *state)
{
    sha256_begin(&state->sha256);
}

static void sha256_take(hash_state *state, const void *bytes, size_t count)
{
    sha256_add(&state->sha256, bytes, count);
}

static const struct hash_row {
    void (*begin)(hash_state *state);
    void (*add)(hash_state *state, const void *bytes, size_t count);
    void (*end)(hash_state *state, uint8_t *digest);
} hashes[] = {[HASH_KECCAK256] = {keccak_start, keccak_take, keccak_finish},
              [HASH_SHA256] = {sha256_start, sha256_take, sha256_finish}};

/* ---- Challenges ---- */

typedef struct hashing {
    const transcript *t;
    const struct hash_row *hash;
    hash_state state;
} hashing;

static void hash_reversed(hashing *h, const uint8_t *integer, size_t bytes)
{
    uint8_t big[MOST_POINT_BYTES];
    reverse_bytes(big, integer, bytes);
    h->hash->add(&h->state, big, bytes);
}

static void hash_point(hashing *h, const uint8_t *point)
{
    const sumac_group *g1 = h->t->key->groups.g1;
    const size_t half = g1->point_bytes / 2;
    uint8_t big[MOST_POINT_BYTES];
    if (h->t->key->flavour->marks_infinity) {
        gnark_encode_raw(g1, point, big);
        h->hash->add(&h->state, big, g1->point_bytes);
    } else {
        hash_reversed(h, point, half);
        hash_reversed(h, point + half, half);
    }
}

static void hash_items(hashing *h, plonk_item item);

/* Hash each commitment's item, from `first` on. */
static void hash_all(hashing *h, plonk_item first)
{
    for (uint32_t i = 0; i < h->t->key->commitments; i++) {
        hash_items(h, (plonk_item)(first + i));
    }
}

/* Hash an item, which may stand for several. */
static void hash_items(hashing *h, plonk_item item)
{
    const transcript *t = h->t;
    const sumac_group *g1 = t->key->groups.g1;
    uint8_t raw[MOST_SCALAR_BYTES];
    if (item < PROOF_A) {
        hash_point(h, t->key->points + plonk_key_position(t->key, item) * g1->point_bytes);
    } else if (item < EVAL_A) {
        hash_point(h, t->proof + plonk_item_at(t->key, item));
    } else if (item < BETA) {
        hash_reversed(h, t->proof + plonk_item_at(t->key, item), g1->scalar_bytes);
    } else if (item < PUBLICS) {
        host_to_raw(g1, transcript_get(t, item), raw);
        hash_reversed(h, raw, g1->scalar_bytes);
    } else if (item == PUBLICS) {
        for (size_t i = 0; i < t->key->publics; i++) {
            hash_reversed(h, t->publics + i * g1->scalar_bytes, g1->scalar_bytes);
        }
    } else if (item == LINEAR_POINT) {
        hash_point(h, t->linear_point);
    } else {
        hash_all(h, item == ALL_QCP ? KEY_QCP : item == ALL_COMMITMENTS ? PROOF_COMMITMENT : EVAL_QCP);
    }
}

static void compute_challenge(transcript *t, const challenge_row *row)
{
    const plonk_flavour *flavour = t->key->flavour;
    const sumac_group *g1 = t->key->groups.g1;
    uint8_t raw[MOST_SCALAR_BYTES], *digest = t->digests[row->challenge - BETA];
    hashing h = {.t = t, .hash = &hashes[flavour->hash]};
    h.hash->begin(&h.state);
    if (row->name != NULL) {
        h.hash->add(&h.state, row->name, strlen(row->name));
    }
    if (row->following != 0) {
        h.hash->add(&h.state, t->digests[row->following - BETA], DIGEST_BYTES);
    }
    for (const plonk_item *item = row->hashed; *item != NO_ITEM; item++) {
        hash_items(&h, *item);
    }
    h.hash->end(&h.state, digest);
    integer_reduce(g1, digest, DIGEST_BYTES, raw);
    const host_scalar value = host_from_raw(g1, raw);
    t->challenges[row->challenge - BETA] =
        row->challenge == ALPHA && flavour->negates_alpha ? host_negate(g1, value) : value;
}

void transcript_challenge(transcript *t, plonk_item challenge)
{
    const challenge_row *rows = t->key->flavour->challenges;
    uint32_t wanted = 0;
    while (rows[wanted].challenge != challenge) {
        wanted++;
    }
    for (; t->computed <= wanted; t->computed++) {
        compute_challenge(t, &rows[t->computed]);
    }
}

host_scalar plonk_committed_value(const sumac_group *g1, const uint8_t *point)
{
    static const char domain[] = "BSB22-Plonk";
    const commitment_hash *hash = commitment_hash_at(0);
    uint8_t raw[MOST_SCALAR_BYTES], big[MOST_POINT_BYTES];
    hash_state state;
    gnark_encode_raw(g1, point, big);
    hash->begin(&state);
    hash->add(&state, big, g1->point_bytes);
    hash->end(&state, domain, g1, raw);
    return host_from_raw(g1, raw);
}

host_scalar transcript_committed(const transcript *t, uint32_t commitment)
{
    return plonk_committed_value(
        t->key->groups.g1, t->proof + plonk_item_at(t->key, (plonk_item)(PROOF_COMMITMENT + commitment)));
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
    memset(l, 0, sizeof *l);
    l->at = transcript_domain(t);
    const host_scalar xin = host_add(g, l->at.zh, one);

    factors[KEY_QM] = host_multiply(g, a, b);
    factors[KEY_QL] = a;
    factors[KEY_QR] = b;
    factors[KEY_QO] = c;
    factors[KEY_QC] = one;

    host_scalar kept = host_multiply(g, alpha, transcript_permute(t, a, xi));
    kept = host_multiply(g, kept, transcript_permute(t, b, host_multiply(g, t->key->k1, xi)));
    kept = host_multiply(g, kept, transcript_permute(t, c, host_multiply(g, t->key->k2, xi)));
    const host_scalar first = host_multiply(g, host_multiply(g, alpha, alpha), l->at.lagrange);
    factors[PROOF_Z] = host_add(g, kept, first);

    host_scalar permuted = host_multiply(g, alpha, transcript_permute(t, a, transcript_value(t, EVAL_S1)));
    permuted = host_multiply(g, permuted, transcript_permute(t, b, transcript_value(t, EVAL_S2)));
    l->permuted = host_multiply(g, permuted, transcript_value(t, EVAL_ZW));
    factors[KEY_S3] = host_negate(g, host_multiply(g, l->permuted, transcript_get(t, BETA)));

    const host_scalar step = host_multiply(g, xin, host_power(g, xi, t->key->flavour->part_more));
    factors[PROOF_T1] = host_negate(g, l->at.zh);
    factors[PROOF_T2] = host_multiply(g, factors[PROOF_T1], step);
    factors[PROOF_T3] = host_multiply(g, factors[PROOF_T2], step);
    for (uint32_t i = 0; i < t->key->commitments; i++) {
        factors[PROOF_COMMITMENT + i] = transcript_value(t, (plonk_item)(EVAL_QCP + i));
    }
}

/* The openings at xi are combined by the powers of v. */
void linearize_openings(const transcript *t, linearization *l)
{
    const sumac_group *g = t->key->groups.g1;
    const host_scalar v = transcript_get(t, V);
    host_scalar power = v;
    for (uint32_t i = 0; i < t->key->flavour->openings_count; i++) {
        const opening_row *opening = &t->key->flavour->openings[i];
        if (!opening->is_shifted) {
            l->factors[opening->polynomial] = power;
            power = host_multiply(g, power, v);
        }
    }
    for (uint32_t i = 0; i < t->key->commitments; i++) {
        l->factors[KEY_QCP + i] = power;
        power = host_multiply(g, power, v);
    }
}
