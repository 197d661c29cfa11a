/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_ckzg.c. It runs the consensus specification's vectors through c-kzg-4844's functions, also
 * those that only bindings call. GMP checks the words that the latter functions return. */
#include "sumac/formats.h"
#include "support/numbers.h"
#include "test_ckzg.h"

static KZGSettings settings;

static int has_result(C_KZG_RET result)
{
    assert_in_range(result, C_KZG_OK, C_KZG_BADARGS);
    return result == C_KZG_OK;
}

/* Return 1 if the call succeeded. A refused call must set *ok to false. */
static int has_answer(C_KZG_RET result, const bool *ok, spec_values *v)
{
    assert_true(has_result(result) || !*ok);
    v->ok = has_result(result) ? *ok : -1;
    return has_result(result);
}

static int commit(spec_values *v)
{
    return has_result(blob_to_kzg_commitment(v->out[0], v->in[0], &settings));
}

static int compute_proof(spec_values *v)
{
    return has_result(compute_kzg_proof(v->out[0], v->out[1], v->in[0], v->in[1], &settings));
}

static int compute_blob_proof(spec_values *v)
{
    return has_result(compute_blob_kzg_proof(v->out[0], v->in[0], v->in[1], &settings));
}

static int verify(spec_values *v)
{
    bool ok = true;
    return has_answer(verify_kzg_proof(&ok, v->in[0], v->in[1], v->in[2], v->in[3], &settings), &ok, v);
}

static int verify_blob(spec_values *v)
{
    bool ok = true;
    return has_answer(verify_blob_kzg_proof(&ok, v->in[0], v->in[1], v->in[2], &settings), &ok, v);
}

static int verify_blob_batch(spec_values *v)
{
    bool ok = true;
    return has_answer(verify_blob_kzg_proof_batch(&ok, v->in[0], v->in[1], v->in[2], v->counts[0], &settings),
                      &ok, v);
}

static int compute_cells_and_proofs(spec_values *v)
{
    return has_result(compute_cells_and_kzg_proofs(v->out[0], v->out[1], v->in[0], &settings));
}

static int recover(spec_values *v)
{
    return has_result(
        recover_cells_and_kzg_proofs(v->out[0], v->out[1], v->in[0], v->in[1], v->counts[0], &settings));
}

static int verify_cells(spec_values *v)
{
    bool ok = true;
    return has_answer(
        verify_cell_kzg_proof_batch(&ok, v->in[0], v->in[1], v->in[2], v->in[3], v->counts[0], &settings),
        &ok, v);
}

void test_vectors(void)
{
    static const spec_call calls[] = {{"blob_to_kzg_commitment", commit},
                                      {"compute_kzg_proof", compute_proof},
                                      {"compute_blob_kzg_proof", compute_blob_proof},
                                      {"verify_kzg_proof", verify},
                                      {"verify_blob_kzg_proof", verify_blob},
                                      {"verify_blob_kzg_proof_batch", verify_blob_batch},
                                      {"compute_cells_and_kzg_proofs", compute_cells_and_proofs},
                                      {"recover_cells_and_kzg_proofs", recover},
                                      {"verify_cell_kzg_proof_batch", verify_cells}};
    settings = load_settings();
    run_spec_calls(calls, sizeof calls / sizeof *calls);
    free_trusted_setup(&settings);
}

/* ---- Challenges ---- */

/* Store number*2^(64*count) modulo a prime as words. */
static void make_words(uint64_t *words, size_t count, const mpz_t number, const uint64_t *modulus)
{
    TEST_NUMBERS(value, prime);
    mpz_import(prime, count, -1, 8, 0, 0, modulus);
    mpz_mul_2exp(value, number, 64 * count);
    mpz_mod(value, value, prime);
    memset(words, 0, 8 * count);
    mpz_export(words, NULL, -1, 8, 0, 0, value);
}

/* Convert an element's words to its bytes. */
static void store_element(const fr_t *found, Bytes32 *bytes)
{
    fr_t expected;
    TEST_NUMBERS(value);
    bytes_from_bls_field(bytes, found);
    mpz_import(value, ELEMENT, 1, 1, 0, 0, bytes);
    make_words(expected.words, 4, value, test_find_group("bls12-381", "g1")->order);
    assert_memory_equal(found, &expected, sizeof expected);
}

/* Make the Jacobian coordinates of a commitment with this z. Those of infinity are zeros. */
static void make_jacobian(g1_t *point, const void *commitment, const char *z)
{
    static const uint8_t infinity[96];
    const uint64_t *modulus = test_find_group("bls12-381", "g1")->modulus;
    const kzg_fixture f = fixture_open(1);
    uint8_t raw[96];
    TEST_NUMBERS(factor, square, value);
    TEST_OK(f.context, test_points_decode(f.context, test_find_group("bls12-381", "g1"), commitment, 1,
                                          "zcash-compressed", SUMAC_CHECK_CURVE, raw));
    mpz_set_str(factor, memcmp(raw, infinity, sizeof raw) == 0 ? "0" : z, 10);
    make_words(point->z, 6, factor, modulus);
    mpz_mul(square, factor, factor);
    mpz_import(value, 48, -1, 1, 0, 0, raw);
    mpz_mul(value, value, square);
    make_words(point->x, 6, value, modulus);
    mpz_import(value, 48, -1, 1, 0, 0, raw + 48);
    mpz_mul(value, value, square);
    mpz_mul(value, value, factor);
    make_words(point->y, 6, value, modulus);
}

/* The challenge is the same whatever the commitment's z is. */
static int challenge(spec_values *v)
{
    g1_t point, expected;
    fr_t found, again;
    if (!has_result(bytes_to_kzg_commitment(&point, v->in[1]))) {
        return 0;
    }
    make_jacobian(&expected, v->in[1], "1");
    assert_memory_equal(&point, &expected, sizeof point);
    compute_challenge(&found, v->in[0], &point);
    make_jacobian(&point, v->in[1], "16180339887498948482045868343656381177203091798057628621");
    compute_challenge(&again, v->in[0], &point);
    assert_memory_equal(&again, &found, sizeof found);
    store_element(&found, v->out[0]);
    return 1;
}

static int cells_challenge(spec_values *v)
{
    fr_t found;
    if (!has_result(compute_verify_cell_kzg_proof_batch_challenge(
            &found, v->in[0], v->counts[0], v->in[1], v->in[2], v->in[3], v->in[4], v->counts[4]))) {
        return 0;
    }
    store_element(&found, v->out[0]);
    return 1;
}

void test_challenges(void)
{
    static const spec_call calls[] = {{"compute_challenge", challenge},
                                      {"compute_verify_cell_kzg_proof_batch_challenge", cells_challenge}};
    run_spec_calls(calls, sizeof calls / sizeof *calls);
}
