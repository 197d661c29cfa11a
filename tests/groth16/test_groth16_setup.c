/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file is part of test_groth16.c: it tests keys of the insecure setup, whose secrets are known. GMP computes the
 * logarithms of a proof's points from the circuit's polynomials, as Groth's paper does. It computes h as (A(tau)
 * B(tau) - C(tau))/(tau^n - 1), without any transform.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "circuits.h"
#include "parts.h"
#include "support/cleanup.h"

enum { TAU, ALPHA, BETA, GAMMA, DELTA, SECRETS, SEED = 5 };

static void load_mpz(mpz_t number, const uint8_t *bytes, size_t count)
{
    mpz_import(number, count, -1, 1, 0, 0, bytes);
}

/* These are a key's secrets, and sums at tau over all wires of the circuit and over the hidden ones. */
typedef struct known_key {
    mpz_t r, secrets[SECRETS], z; /* z = tau^n - 1 */
    mpz_t sums[3], hidden[3];
    const uint8_t *witness;
    size_t scalar;
    uint32_t publics;
} known_key;

static void init_known(known_key *k)
{
    mpz_inits(k->r, k->z, NULL);
    for (int i = 0; i < SECRETS; i++) {
        mpz_init(k->secrets[i]);
    }
    for (int i = 0; i < 3; i++) {
        mpz_inits(k->sums[i], k->hidden[i], NULL);
    }
}

static void clear_known(known_key *k)
{
    mpz_clears(k->r, k->z, NULL);
    for (int i = 0; i < SECRETS; i++) {
        mpz_clear(k->secrets[i]);
    }
    for (int i = 0; i < 3; i++) {
        mpz_clears(k->sums[i], k->hidden[i], NULL);
    }
}

/* Find snarkjs' root of unity of order n, which is a power of the least number that is not a square. */
static void find_root(mpz_t root, const mpz_t r, uint64_t n)
{
    TEST_NUMBERS(exponent);
    unsigned long q = 2;
    for (mpz_set_ui(root, q); mpz_jacobi(root, r) != -1; mpz_set_ui(root, ++q)) {
    }
    mpz_sub_ui(exponent, r, 1);
    mpz_divexact_ui(exponent, exponent, n);
    mpz_powm(root, root, exponent, r);
}

/* Add w_wire * value * L_row(tau) to the sums, where L_row(tau) = z/n * root^row/(tau - root^row). */
static void add_term(known_key *k, int matrix, const mpz_t lagrange, uint32_t wire, const mpz_t value)
{
    TEST_NUMBERS(term);
    load_mpz(term, k->witness + wire * k->scalar, k->scalar);
    mpz_mul(term, term, value);
    mpz_mul(term, term, lagrange);
    mpz_add(k->sums[matrix], k->sums[matrix], term);
    if (wire > k->publics) {
        mpz_add(k->hidden[matrix], k->hidden[matrix], term);
    }
}

static void sum_rows(known_key *k, const uint8_t *r1cs, size_t size, uint64_t n)
{
    const uint8_t *numbers = r1cs + find_section(r1cs, size, 1) + SECTION_HEAD + 4 + k->scalar;
    const uint8_t *at = r1cs + find_section(r1cs, size, 2) + SECTION_HEAD;
    const uint32_t constraints = (uint32_t)file_load(numbers + 24, 4);
    TEST_NUMBERS(root, power, lagrange, value, scale);
    find_root(root, k->r, n);
    mpz_powm_ui(k->z, k->secrets[TAU], n, k->r);
    mpz_sub_ui(k->z, k->z, 1);
    mpz_set_ui(scale, n);
    mpz_invert(scale, scale, k->r);
    mpz_mul(scale, scale, k->z);
    mpz_set_ui(power, 1);
    for (uint32_t row = 0; row < constraints + k->publics + 1; row++) {
        mpz_sub(lagrange, k->secrets[TAU], power);
        mpz_invert(lagrange, lagrange, k->r);
        mpz_mul(lagrange, lagrange, power);
        mpz_mul(lagrange, lagrange, scale);
        mpz_mod(lagrange, lagrange, k->r);
        for (int matrix = 0; row < constraints && matrix < 3; matrix++) {
            const uint64_t terms = file_load(at, 4);
            at += 4;
            for (uint64_t i = 0; i < terms; i++, at += 4 + k->scalar) {
                load_mpz(value, at + 4, k->scalar);
                add_term(k, matrix, lagrange, (uint32_t)file_load(at, 4), value);
            }
        }
        if (row >= constraints) { /* such a row binds a public input */
            mpz_set_ui(value, 1);
            add_term(k, 0, lagrange, row - constraints, value);
        }
        mpz_mul(power, power, root);
        mpz_mod(power, power, k->r);
    }
}

/* Compute the logarithms of A, B and C for the random numbers r and s. */
static void find_logarithms(const known_key *k, const mpz_t r, const mpz_t s, mpz_t a, mpz_t b, mpz_t c)
{
    TEST_NUMBERS(term);
    mpz_add(a, k->secrets[ALPHA], k->sums[0]);
    mpz_addmul(a, r, k->secrets[DELTA]);
    mpz_add(b, k->secrets[BETA], k->sums[1]);
    mpz_addmul(b, s, k->secrets[DELTA]);
    mpz_mul(c, k->secrets[BETA], k->hidden[0]);
    mpz_addmul(c, k->secrets[ALPHA], k->hidden[1]);
    mpz_add(c, c, k->hidden[2]);
    mpz_addmul(c, k->sums[0], k->sums[1]); /* adds h(tau)*(tau^n - 1) together with the next line */
    mpz_sub(c, c, k->sums[2]);
    mpz_invert(term, k->secrets[DELTA], k->r);
    mpz_mul(c, c, term);
    mpz_addmul(c, s, a);
    mpz_addmul(c, r, b);
    mpz_mul(term, r, s);
    mpz_submul(c, term, k->secrets[DELTA]);
    mpz_mod(a, a, k->r);
    mpz_mod(b, b, k->r);
    mpz_mod(c, c, k->r);
}

static void expect_multiple(const sumac_group *group, const mpz_t k, const uint8_t *point)
{
    CLEANUP(oracle_clear) oracle o = {0};
    ORACLE_POINT(multiple);
    uint8_t raw[512];
    oracle_init(&o, group);
    oracle_mul_generator(&o, &multiple, k);
    oracle_point_to_raw(&o, raw, &multiple);
    assert_memory_equal(point, raw, o.info->point_bytes);
}

typedef struct made_files {
    char r1cs[80], wtns[80], zkey[80];
} made_files;

static made_files name_files(void)
{
    made_files files;
    snprintf(files.r1cs, sizeof files.r1cs, "/tmp/sumac-groth16-%ld.r1cs", (long)getpid());
    snprintf(files.wtns, sizeof files.wtns, "/tmp/sumac-groth16-%ld.wtns", (long)getpid());
    snprintf(files.zkey, sizeof files.zkey, "/tmp/sumac-groth16-%ld.zkey", (long)getpid());
    return files;
}

/* A witness at an odd address and a witness in a vector have the same proof. */
static void check_other_places(sumac_context *context, const sumac_groth16_key *key, const uint8_t *witness,
                               const sumac_groth16_info *info, const sumac_groth16_prove_config *config,
                               const uint8_t *proof)
{
    AUTO_FREE uint8_t *other = test_alloc(info->proof_bytes), *odd = test_alloc(info->witness_bytes + 1);
    memcpy(odd + 1, witness, info->witness_bytes);
    TEST_OK(context, test_prove(context, key, odd + 1, 1, config, other));
    assert_memory_equal(other, proof, info->proof_bytes);
    CLEANUP(destroy_vector) sumac_vector *vector = circuit_vector(context, info, witness, info->wires);
    memset(other, 0, info->proof_bytes);
    TEST_OK(context, test_prove_vector(context, key, vector, 1, config, other));
    assert_memory_equal(other, proof, info->proof_bytes);
}

/* From this size of the domain, proofs take less memory, and no sums are computed side by side. */
enum { LARGE_DOMAIN = 1 << 18 };

/* With many threads sums are computed side by side. One proof, and two proofs together, must have the same bytes. */
static void check_teams(const sumac_groth16_key *key, const uint8_t *witness, const sumac_groth16_info *info,
                        const sumac_groth16_prove_config *given, const uint8_t *proof)
{
    enum { THREADS = 13 };
    const size_t pair = 2 * (size_t)info->g1->scalar_bytes;
    CLEANUP(destroy_context) sumac_context *context = test_context(THREADS, 0);
    sumac_groth16_prove_config config = *given;
    AUTO_FREE uint8_t *two = test_alloc(2 * info->proof_bytes),
                      *witnesses = test_alloc(2 * info->witness_bytes);
    AUTO_FREE uint8_t *randomness = test_alloc(2 * pair);
    for (size_t i = 0; i < 2; i++) {
        memcpy(witnesses + i * info->witness_bytes, witness, info->witness_bytes);
        memcpy(randomness + i * pair, given->randomness, pair);
    }
    config.randomness = randomness;
    for (size_t count = 1; count <= 2; count++) {
        memset(two, 0, 2 * info->proof_bytes);
        TEST_OK(context, test_prove(context, key, witnesses, count, &config, two));
        for (size_t i = 0; i < count; i++) {
            assert_memory_equal(two + i * info->proof_bytes, proof, info->proof_bytes);
        }
    }
}

static void check_logarithms(sumac_context *context, const sumac_groth16_key *key, const uint8_t *witness,
                             const char *r1cs_path)
{
    CLEANUP(clear_known) known_key k = {0};
    size_t size;
    uint8_t secrets[SECRETS * 32], randomness[2 * 32] = {0x12, 0x34}, *proof;
    TEST_NUMBERS(r, s, a, b, c);
    sumac_groth16_info info = {.size = sizeof info};
    sumac_groth16_prove_config config = {.size = sizeof config};
    assert_int_equal(sumac_groth16_key_describe(key, &info), SUMAC_OK);
    const sumac_group *g1 = info.g1;
    const size_t g2_bytes = info.g2->point_bytes;
    AUTO_FREE uint8_t *r1cs = test_read_file(r1cs_path, &size);
    init_known(&k);
    k.witness = witness;
    k.scalar = g1->scalar_bytes;
    k.publics = (uint32_t)info.publics;
    load_mpz(k.r, (const uint8_t *)g1->order, k.scalar);
    TEST_OK(context, test_known_logarithms(context, info.g1, SECRETS, SEED, secrets));
    for (int i = 0; i < SECRETS; i++) {
        load_mpz(k.secrets[i], secrets + (size_t)i * k.scalar, k.scalar);
    }
    sum_rows(&k, r1cs, size, info.domain);
    randomness[k.scalar + 5] = 0x99;
    load_mpz(r, randomness, k.scalar);
    load_mpz(s, randomness + k.scalar, k.scalar);
    find_logarithms(&k, r, s, a, b, c);
    proof = test_alloc(info.proof_bytes);
    config.randomness = randomness;
    TEST_OK(context, test_prove(context, key, witness, 1, &config, proof));
    expect_multiple(info.g1, a, proof);
    expect_multiple(info.g2, b, proof + g1->point_bytes);
    expect_multiple(info.g1, c, proof + g1->point_bytes + g2_bytes);
    check_other_places(context, key, witness, &info, &config, proof);
    if (info.domain < LARGE_DOMAIN) {
        check_teams(key, witness, &info, &config, proof);
    }
    free(proof);
}

/* For a circuit of snarkjs, proofs with a key from a seed hold. A key from the system's random numbers differs. */
static void check_setup(int i)
{
    CLEANUP(circuit_close) circuit c = {0};
    char path[CIRCUIT_PATH_BYTES];
    size_t size, again_size;
    sumac_groth16_key *key;
    const made_files files = name_files();
    circuit_open(&c, i, 2);
    const char *r1cs = circuit_path(c.name, "circuit.r1cs", path);
    circuit_set_up(c.context, r1cs, SEED, files.zkey);
    TEST_OK(c.context, sumac_groth16_key_open(c.context, files.zkey, NULL, &key));
    check_logarithms(c.context, key, c.witness, r1cs);
    sumac_groth16_key_destroy(key);
    AUTO_FREE uint8_t *bytes = test_read_file(files.zkey, &size);
    circuit_set_up(c.context, r1cs, 0, files.zkey);
    AUTO_FREE uint8_t *again = test_read_file(files.zkey, &again_size);
    assert_int_equal(size, again_size);
    assert_memory_not_equal(bytes, again, size);
    unlink(files.zkey);
}

void test_setup(void)
{
    circuit_for_each(1, check_setup);
}

/* Require the percentage of wires that are 0 or 1, within one percent, and about as many zeros as ones. */
static void check_bits(const uint8_t *witness, const sumac_groth16_info *info, uint32_t percent)
{
    const size_t scalar = info->witness_bytes / info->wires;
    const int64_t wires = (int64_t)info->wires - 1;
    const uint8_t zeros[64] = {0};
    int64_t bits = 0, ones = 0;
    for (const uint8_t *value = witness + scalar; value < witness + info->witness_bytes; value += scalar) {
        const int is_bit = value[0] <= 1 && memcmp(value + 1, zeros, scalar - 1) == 0;
        bits += is_bit;
        ones += is_bit && value[0] == 1;
    }
    assert_true(llabs(100 * bits - percent * wires) <= wires);
    assert_true(bits < 50 || (3 * ones > bits && 3 * ones < 2 * bits));
}

typedef struct cut_file {
    const char *path;
    off_t size;
} cut_file;

static int cut(void *user, double done)
{
    const cut_file *file = user;
    (void)done;
    return truncate(file->path, file->size) != 0;
}

/* The file is cut within H while it is read, after the sections were found and the verifying key was read. */
static void refuse_cut(const char *zkey)
{
    enum { BEHIND = 200 /* bytes of the contributions and of some points of H */ };
    size_t size;
    CLEANUP(destroy_context) sumac_context *context = NULL;
    sumac_groth16_key *key;
    sumac_context_config config = test_context_config(2);
    free(test_read_file(zkey, &size));
    cut_file file = {zkey, (off_t)(size - BEHIND)};
    config.progress = cut;
    config.user = &file;
    assert_int_equal(sumac_context_create(&config, &context, NULL), SUMAC_OK);
    test_sentence(context, sumac_groth16_key_open(context, zkey, NULL, &key), SUMAC_BAD_FILE,
                  "truncated: it ends at byte");
    assert_null(key);
}

static void check_generated(const sumac_group *group, uint64_t constraints, uint32_t bits_percent)
{
    void *witness;
    sumac_groth16_key *key;
    const made_files files = name_files();
    sumac_context *context = test_context(2, 0);
    sumac_groth16_info info = {.size = sizeof info};
    circuit_make(context, group, constraints, bits_percent, files.r1cs, files.wtns);
    circuit_set_up(context, files.r1cs, SEED, files.zkey);
    TEST_OK(context, sumac_groth16_key_open(context, files.zkey, NULL, &key));
    assert_int_equal(sumac_groth16_key_describe(key, &info), SUMAC_OK);
    assert_int_equal(info.publics, 1);
    assert_true(info.domain >= constraints + 2 && info.domain < 2 * (constraints + 2));
    TEST_OK(context, test_witness_open(context, key, files.wtns, &witness));
    TEST_OK(context, test_witness_check(context, key, witness, files.r1cs));
    if (constraints > 2) { /* with fewer columns all products are 0 */
        check_bits(witness, &info, bits_percent);
    }
    check_logarithms(context, key, witness, files.r1cs);
    sumac_free(witness);
    sumac_groth16_key_destroy(key);
    sumac_context_destroy(context);
    if (info.domain < LARGE_DOMAIN) {
        refuse_cut(files.zkey);
    }
    unlink(files.r1cs);
    unlink(files.wtns);
    unlink(files.zkey);
}

/* The circuits have one constraint, one layer, and several layers. */
void test_generated(void)
{
    static const char *const curves[] = {"bn254", "bls12-381"};
    const sumac_group *group;
    for (int i = 0; i < 2; i++) {
        if (circuit_is_built(2 * i)) {
            assert_int_equal(sumac_group_find(curves[i], "g1", &group), SUMAC_OK);
            check_generated(group, 1, 0);
            check_generated(group, 1, 100);
            check_generated(group, 77, 0);
            check_generated(group, 77, 90);
            check_generated(group, 1022, 50);
            if (i == 0 && !options.quick) {
                check_generated(group, 4100, 0);
                check_generated(group, 8192, 90);
                check_generated(group, LARGE_DOMAIN / 2, 0);
            }
        }
    }
}
