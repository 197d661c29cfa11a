/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Part of test_ckzg.c: what bindings call besides the public functions, by the consensus specification's vectors and by
 * GMP. */
#include <gmp.h>

#include "sumac/formats.h"
#include "test_ckzg.h"

/* The element is the vector's output, and so are its words: times 2^256 modulo r, by GMP. */
static void expect_element(kzg_case *c, const fr_t *found)
{
    mpz_t expected, actual, order;
    Bytes32 bytes;
    const sumac_curve *curve;
    AUTO_FREE uint8_t *element = bytes_of(c, c->output, ELEMENT, NULL);
    assert_int_equal(sumac_curve_find("bls12-381", "g1", &curve), SUMAC_OK);
    mpz_inits(expected, actual, order, NULL);
    mpz_import(expected, ELEMENT, 1, 1, 0, 0, element);
    mpz_import(order, 4, -1, 8, 0, 0, sumac_curve_describe(curve)->order);
    mpz_import(actual, 4, -1, 8, 0, 0, found->words);
    mpz_mul_2exp(expected, expected, 256);
    mpz_mod(expected, expected, order);
    if (mpz_cmp(expected, actual) != 0) {
        test_abort("%s: the challenge is another", c->name);
    }
    mpz_clears(expected, actual, order, NULL);
    bytes_from_bls_field(&bytes, found);
    assert_memory_equal(bytes.bytes, element, ELEMENT);
}

/* factor*x*2^384 mod p as words, of x as a raw coordinate. */
static void make_words(uint64_t words[6], const uint8_t *x, const mpz_t factor)
{
    const sumac_curve *curve;
    TEST_NUMBERS(value, modulus);
    assert_int_equal(sumac_curve_find("bls12-381", "g1", &curve), SUMAC_OK);
    mpz_import(modulus, 6, -1, 8, 0, 0, sumac_curve_describe(curve)->modulus);
    mpz_import(value, 48, -1, 1, 0, 0, x);
    mpz_mul(value, value, factor);
    mpz_mul_2exp(value, value, 384);
    mpz_mod(value, value, modulus);
    memset(words, 0, 48);
    mpz_export(words, NULL, -1, 8, 0, 0, value);
}

/* The Jacobian coordinates of a commitment with some z, by GMP; all zeros for infinity. */
static void make_jacobian(const kzg_fixture *f, g1_t *point, const Bytes48 *commitment, const char *z)
{
    static const uint8_t infinity[96], one[48] = {1};
    const sumac_curve *curve;
    uint8_t raw[96];
    TEST_NUMBERS(factor, power);
    assert_int_equal(sumac_curve_find("bls12-381", "g1", &curve), SUMAC_OK);
    assert_int_equal(
        sumac_points_decode(f->context, curve, commitment, 1, "zcash-compressed", SUMAC_CHECK_CURVE, raw),
        SUMAC_OK);
    mpz_set_str(factor, memcmp(raw, infinity, sizeof raw) == 0 ? "0" : z, 10);
    make_words(point->z, one, factor);
    mpz_mul(power, factor, factor);
    make_words(point->x, raw, power);
    mpz_mul(power, power, factor);
    make_words(point->y, raw + 48, power);
}

static void run_blob_challenge(const kzg_fixture *f, kzg_case *c)
{
    g1_t point, expected;
    fr_t found;
    AUTO_FREE Blob *blob = argument(c, "blob", BLOB, NULL);
    AUTO_FREE Bytes48 *commitment = argument(c, "commitment", POINT, NULL);
    expect_result(c, bytes_to_kzg_commitment(&point, commitment));
    make_jacobian(f, &expected, commitment, "1");
    assert_memory_equal(&point, &expected, sizeof point);
    compute_challenge(&found, blob, &point);
    expect_element(c, &found);
    make_jacobian(f, &point, commitment, "16180339887498948482045868343656381177203091798057628621");
    memset(&found, 0xa5, sizeof found);
    compute_challenge(&found, blob, &point);
    expect_element(c, &found);
}

static void run_challenge(const kzg_fixture *f, kzg_case *c)
{
    fr_t found;
    size_t commitment_count, count;
    AUTO_FREE Bytes48 *commitments = argument(c, "commitments", POINT, &commitment_count);
    AUTO_FREE Bytes48 *proofs = argument(c, "proofs", POINT, NULL);
    AUTO_FREE uint64_t *commitment_indices = numbers_of(c, input_of(c, "commitment_indices"), &count);
    AUTO_FREE uint64_t *cell_indices = numbers_of(c, input_of(c, "cell_indices"), &count);
    AUTO_FREE Cell *cells = test_alloc(count * sizeof *cells);
    (void)f;
    for (size_t i = 0; i < count; i++) {
        AUTO_FREE uint8_t *cell = bytes_of(c, item_of(c, input_of(c, "cosets_evals"), i), ELEMENT, NULL);
        memcpy(cells + i, cell, CELL_BYTES);
    }
    expect_result(c, compute_verify_cell_kzg_proof_batch_challenge(&found, commitments, commitment_count,
                                                                   commitment_indices, cell_indices, cells,
                                                                   proofs, count));
    expect_element(c, &found);
}

void test_ckzg_challenges(void)
{
    const kzg_fixture fixture = fixture_open(1);
    run_cases("compute_challenge", &fixture, run_blob_challenge, 3, 0);
    run_cases("compute_verify_cell_kzg_proof_batch_challenge", NULL, run_challenge, 7, 0);
}
