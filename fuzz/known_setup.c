/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "known_setup.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "sumac/vector.h"

enum { COUNT = SUMAC_KZG_FIELD_ELEMENTS, G2_COUNT = SUMAC_KZG_G2_POINTS, SCALAR = 32, G1 = 48, G2 = 96 };

void known_scalar_to_raw(uint8_t *raw, const mpz_t k)
{
    memset(raw, 0, SCALAR);
    mpz_export(raw, NULL, -1, 1, 0, 0, k);
}

void known_multiples(const sumac_curve *curve, const uint8_t *scalars, size_t n, uint8_t *records)
{
    const size_t bytes = sumac_curve_describe(curve)->point_bytes;
    sumac_msm_config config = sumac_msm_config_default();
    sumac_bases *bases = NULL;
    uint8_t generator[2 * G2];
    uint8_t *points = malloc(n * bytes);
    fuzz_require(points != NULL, "there is memory");
    config.batch = (uint32_t)n;
    sumac_curve_generator(curve, generator);
    fuzz_require(sumac_bases_create(fuzz_context(), curve, generator, 1, NULL, &bases) == SUMAC_OK &&
                     sumac_msm(fuzz_context(), bases, scalars, 1, &config, points) == SUMAC_OK &&
                     sumac_points_encode(fuzz_context(), curve, "zcash-compressed", points, n, records) ==
                         SUMAC_OK,
                 "there are multiples of the generator");
    sumac_bases_destroy(bases);
    free(points);
}

/* scalars become the values at the secret of the polynomials that are 1 at one root of unity. */
static void to_lagrange(const sumac_curve *curve, uint8_t *scalars)
{
    sumac_transform_config config = sumac_transform_config_default();
    sumac_vector *vector = NULL;
    config.inverse = 1;
    fuzz_require(sumac_vector_create(fuzz_context(), curve, SUMAC_ELEMENTS_SCALARS, COUNT, &vector) ==
                         SUMAC_OK &&
                     sumac_vector_write(fuzz_context(), vector, 0, COUNT, scalars, NULL) == SUMAC_OK &&
                     sumac_ntt(fuzz_context(), vector, &config) == SUMAC_OK &&
                     sumac_vector_read(fuzz_context(), vector, 0, COUNT, scalars, NULL) == SUMAC_OK,
                 "there is an inverse transform");
    sumac_vector_destroy(vector);
}

/* 1, secret, secret^2, ... modulo the order. */
static void make_powers(const sumac_curve *curve, const mpz_t secret, uint8_t *scalars)
{
    mpz_t power, r;
    mpz_init_set_ui(power, 1);
    mpz_init(r);
    mpz_import(r, SCALAR / 8, -1, 8, 0, 0, sumac_curve_describe(curve)->order);
    for (size_t i = 0; i < COUNT; i++) {
        known_scalar_to_raw(scalars + i * SCALAR, power);
        mpz_mul(power, power, secret);
        mpz_mod(power, power, r);
    }
    mpz_clears(power, r, NULL);
}

sumac_kzg_setup *known_setup(const mpz_t secret)
{
    static uint8_t scalars[COUNT * SCALAR], monomial[COUNT * G1], lagrange[COUNT * G1],
        g2_monomial[G2_COUNT * G2];
    const sumac_curve *g1, *g2;
    sumac_kzg_setup *setup = NULL;
    fuzz_require(sumac_curve_find("bls12-381", "g1", &g1) == SUMAC_OK &&
                     sumac_curve_find("bls12-381", "g2", &g2) == SUMAC_OK,
                 "there is BLS12-381");
    make_powers(g1, secret, scalars);
    known_multiples(g1, scalars, COUNT, monomial);
    known_multiples(g2, scalars, G2_COUNT, g2_monomial);
    to_lagrange(g1, scalars);
    known_multiples(g1, scalars, COUNT, lagrange);
    fuzz_require(sumac_kzg_setup_create(fuzz_context(), monomial, sizeof monomial, lagrange, sizeof lagrange,
                                        g2_monomial, sizeof g2_monomial, SUMAC_CHECK_CURVE,
                                        &setup) == SUMAC_OK,
                 "the setup is one");
    return setup;
}
