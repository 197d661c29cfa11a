/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "known_setup.h"

#include <stdlib.h>
#include <string.h>

#include "sumac/vector.h"
#include "support/cleanup.h"
#include "support/exact.h"

enum { COUNT = SUMAC_KZG_FIELD_ELEMENTS, G2_COUNT = SUMAC_KZG_G2_POINTS, SECRET = 987654321 };

static known_setup the_setup;

static void end_setup(void)
{
    sumac_kzg_destroy(the_setup.setup);
    mpz_clears(the_setup.r, the_setup.secret, NULL);
}

void scalar_to_raw(uint8_t raw[ELEMENT], const mpz_t k)
{
    memset(raw, 0, ELEMENT);
    mpz_export(raw, NULL, -1, 1, 0, 0, k);
}

void scalar_to_element(uint8_t element[ELEMENT], const mpz_t k)
{
    uint8_t raw[ELEMENT];
    scalar_to_raw(raw, k);
    for (int i = 0; i < ELEMENT; i++) {
        element[i] = raw[ELEMENT - 1 - i];
    }
}

void encode_multiples(const sumac_group *group, const uint8_t *raw_scalars, size_t n, uint8_t *records)
{
    const size_t bytes = group->point_bytes;
    sumac_msm_config config = {.size = sizeof config};
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    uint8_t generator[2 * G2_RECORD];
    AUTO_FREE uint8_t *points = malloc(n * bytes);
    fuzz_require(points != NULL, "there is memory");
    config.batch = (uint32_t)n;
    fuzz_require(sumac_group_generator(group, generator, group->point_bytes) == SUMAC_OK, "a generator");
    fuzz_require(exact_create(fuzz_context(), group, generator, 1, NULL, &bases) == SUMAC_OK &&
                     exact_msm(fuzz_context(), bases, raw_scalars, 1, &config, points) == SUMAC_OK &&
                     sumac_points_encode(fuzz_context(), group, points, n * bytes, n, "zcash-compressed",
                                         records, n * bytes / 2) == SUMAC_OK,
                 "there are multiples of the generator");
}

/* Replace scalars by the values of the Lagrange polynomials at the secret. Each polynomial is 1 at one root of
   unity. */
static void to_lagrange(const sumac_group *group, uint8_t *scalars)
{
    sumac_transform_config config = {.size = sizeof config};
    CLEANUP(destroy_vector) sumac_vector *vector = NULL;
    config.inverse = 1;
    fuzz_require(
        sumac_vector_create(fuzz_context(), group, SUMAC_VECTOR_SCALARS, COUNT, &vector) == SUMAC_OK &&
            sumac_vector_set(fuzz_context(), vector, scalars, COUNT * ELEMENT, 0, COUNT, NULL) == SUMAC_OK &&
            sumac_vector_ntt(fuzz_context(), vector, &config) == SUMAC_OK &&
            sumac_vector_get(fuzz_context(), vector, 0, COUNT, NULL, scalars, COUNT * ELEMENT) == SUMAC_OK,
        "there is an inverse transform");
}

static void make_setup(known_setup *known)
{
    static uint8_t scalars[COUNT * ELEMENT], monomial[COUNT * G1_RECORD], lagrange[COUNT * G1_RECORD],
        g2_monomial[G2_COUNT * G2_RECORD];
    mpz_t power;
    mpz_init_set_ui(power, 1);
    for (size_t i = 0; i < COUNT; i++) {
        scalar_to_raw(scalars + i * ELEMENT, power);
        mpz_mul(power, power, known->secret);
        mpz_mod(power, power, known->r);
    }
    mpz_clear(power);
    encode_multiples(known->g1, scalars, COUNT, monomial);
    encode_multiples(known->g2, scalars, G2_COUNT, g2_monomial);
    to_lagrange(known->g1, scalars);
    encode_multiples(known->g1, scalars, COUNT, lagrange);
    /* The tables have no multiples, because computing them would take long. */
    const sumac_kzg_config config = {
        .size = sizeof config, .check = SUMAC_CHECK_CURVE, .cells = 1, .table_bytes = 1};
    fuzz_require(sumac_kzg_create(fuzz_context(), (const sumac_bytes48 *)monomial, COUNT,
                                  (const sumac_bytes48 *)lagrange, COUNT, (const sumac_bytes96 *)g2_monomial,
                                  G2_COUNT, &config, &known->setup) == SUMAC_OK,
                 "the setup is one");
}

const known_setup *get_known_setup(void)
{
    known_setup *known = &the_setup;
    if (known->setup == NULL) {
        fuzz_require(sumac_group_find("bls12-381", "g1", &known->g1) == SUMAC_OK &&
                         sumac_group_find("bls12-381", "g2", &known->g2) == SUMAC_OK,
                     "there is BLS12-381");
        mpz_inits(known->r, known->secret, NULL);
        mpz_import(known->r, ELEMENT / 8, -1, 8, 0, 0, known->g1->order);
        mpz_set_ui(known->secret, SECRET);
        make_setup(known);
        atexit(end_setup);
    }
    return known;
}

void root_of_order(const known_setup *known, uint32_t log2, mpz_t root)
{
    uint8_t raw[ELEMENT];
    fuzz_require(sumac_root_of_unity(known->g1, log2, raw, sizeof raw) == SUMAC_OK,
                 "there is a root of unity");
    mpz_import(root, ELEMENT, -1, 1, 0, 0, raw);
}

void draw_scalar(const known_setup *known, fuzz_input *input, mpz_t k)
{
    uint8_t bytes[ELEMENT] = {0};
    const int is_small = fuzz_byte(input) % 2;
    fuzz_bytes(input, bytes, is_small ? 1 : sizeof bytes);
    mpz_import(k, sizeof bytes, -1, 1, 0, 0, bytes);
    mpz_mod(k, k, known->r);
}

int change_byte(fuzz_input *input, void *bytes, size_t count)
{
    size_t place = 0;
    for (size_t most = count - 1; most > 0; most >>= 8) {
        place = place << 8 | fuzz_byte(input);
    }
    const uint8_t change = fuzz_byte(input);
    ((uint8_t *)bytes)[place % count] ^= change;
    return change != 0;
}
