/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "circuits.h"
#include "base/try.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toy_groth16.h"

static const struct {
    const char *name, *curve;
} known[CIRCUITS] = {{"tiny-bn254", "bn254"},
                     {"poseidon-bn254", "bn254"},
                     {"tiny-bls12-381", "bls12-381"},
                     {"sums-bls12-381", "bls12-381"}};

const char *circuit_name(int i)
{
    return known[i].name;
}

int circuit_is_built(int i)
{
    const sumac_group *group;
    return sumac_group_find(known[i].curve, "g1", &group) == SUMAC_OK &&
           sumac_group_find(known[i].curve, "g2", &group) == SUMAC_OK;
}

void circuit_for_each(int step, void (*check)(int i))
{
    for (int i = 0; i < CIRCUITS; i += step) {
        if (circuit_is_built(i)) {
            check(i);
        }
    }
}

int circuit_first(void)
{
    const int i = circuit_is_built(0) ? 0 : 2;
    if (!circuit_is_built(i)) {
        skip();
    }
    return i;
}

const char *circuit_path(const char *name, const char *file, char path[CIRCUIT_PATH_BYTES])
{
    snprintf(path, CIRCUIT_PATH_BYTES, "%s/groth16/%s/%s", SUMAC_TEST_DATA, name, file);
    return path;
}

uint8_t *circuit_read(const char *name, const char *file, size_t *size)
{
    char path[CIRCUIT_PATH_BYTES];
    return test_read_file(circuit_path(name, file, path), size);
}

many_proofs many_make(const circuit *c, size_t count)
{
    const size_t pair = 2 * c->scalar, bytes = (size_t)c->info.witness_bytes;
    many_proofs many = {count, test_alloc(count * bytes), test_alloc(count * pair),
                        test_alloc(count * (size_t)c->info.proof_bytes),
                        (sumac_groth16_prove_config){.size = sizeof(sumac_groth16_prove_config)}};
    for (size_t i = 0; i < count; i++) {
        memcpy(many.witnesses + i * bytes, c->witness, bytes);
        memcpy(many.randomness + i * pair, c->randomness, pair);
        file_store(many.randomness + i * pair, file_load(c->randomness, 4) ^ i, 4);
        many.randomness[i * pair + c->scalar] ^= (uint8_t)(5 * i);
    }
    many.config.randomness = many.randomness;
    return many;
}

void many_free(many_proofs *many)
{
    free(many->witnesses);
    free(many->randomness);
    free(many->proofs);
}

size_t find_section(const uint8_t *bytes, size_t size, uint32_t type)
{
    for (size_t at = SECTION_HEAD; at < size; at += SECTION_HEAD + file_load(bytes + at + 4, 8)) {
        if (file_load(bytes + at, 4) == type) {
            return at;
        }
    }
    test_abort("there is no section %u", (unsigned)type);
}

void store_outside_point(const sumac_group *group, uint8_t *at)
{
    CLEANUP(oracle_clear) oracle o = {0};
    ORACLE_POINT(point);
    gmp_randstate_t random;
    gmp_randinit_default(random);
    oracle_init(&o, group);
    oracle_random_curve_point(&o, &point, random);
    oracle_point_to_affine(&o, at, &point);
    gmp_randclear(random);
}

sumac_vector *circuit_vector(sumac_context *context, const sumac_groth16_info *info, const uint8_t *scalars,
                             size_t count)
{
    sumac_vector *vector;
    TEST_OK(context, sumac_vector_create(context, info->g1, SUMAC_VECTOR_SCALARS, count, &vector));
    TEST_OK(context, test_vector_set(context, vector, scalars, 0, count, NULL));
    return vector;
}

static void set_number(uint8_t *scalar, const char *digits)
{
    mpz_t number;
    mpz_init_set_str(number, digits, 16);
    mpz_export(scalar, NULL, -1, 1, 0, 0, number);
    mpz_clear(number);
}

void circuit_open(circuit *c, int i, uint32_t threads)
{
    circuit_open_in(c, i, test_context(threads, 0));
}

void circuit_open_in(circuit *c, int i, sumac_context *context)
{
    char path[CIRCUIT_PATH_BYTES];
    void *witness;
    *c = (circuit){.name = known[i].name, .curve = known[i].curve, .context = context};
    TEST_OK(c->context,
            sumac_groth16_key_open(c->context, circuit_path(c->name, "key.zkey", path), NULL, &c->key));
    c->verifying = sumac_groth16_key_verifying(c->key);
    c->info = (sumac_groth16_info){.size = sizeof(sumac_groth16_info)};
    assert_int_equal(sumac_groth16_key_describe(c->key, &c->info), SUMAC_OK);
    TEST_OK(c->context,
            test_witness_open(c->context, c->key, circuit_path(c->name, "witness.wtns", path), &witness));
    c->scalar = (size_t)(c->info.witness_bytes / c->info.wires);
    c->witness = witness;
    c->publics = c->witness + c->scalar;
    set_number(c->randomness, REFERENCE_R);
    set_number(c->randomness + c->scalar, REFERENCE_S);
}

void circuit_close(circuit *c)
{
    sumac_free(c->witness);
    sumac_groth16_key_destroy(c->key);
    sumac_context_destroy(c->context);
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (file == NULL) {
        test_abort("%s: it can't be opened", path);
    }
    return file;
}

void circuit_make(sumac_context *context, const sumac_group *group, uint64_t constraints,
                  uint32_t bits_percent, const char *r1cs_path, const char *wtns_path)
{
    FILE *r1cs = open_file(r1cs_path, "wb"), *wtns = open_file(wtns_path, "wb");
    sumac_message why = {""};
    if (toy_circuit(context, group, constraints, bits_percent, 3, r1cs, wtns, &why) != SUMAC_OK) {
        test_abort("a circuit of %llu constraints: %s", (unsigned long long)constraints, why.text);
    }
    fclose(r1cs);
    fclose(wtns);
}

void circuit_set_up(sumac_context *context, const char *r1cs_path, uint64_t seed, const char *zkey_path)
{
    FILE *r1cs = open_file(r1cs_path, "rb"), *zkey = open_file(zkey_path, "wb");
    sumac_message why = {""};
    if (toy_setup(context, r1cs, seed, zkey, &why) != SUMAC_OK) {
        test_abort("a key of %s: %s", r1cs_path, why.text);
    }
    fclose(r1cs);
    fclose(zkey);
}

/* ---- Calls with the lengths of the key ---- */

/* Return the lengths of the key, or if it is null, of the verifying key. If both are null, the lengths are 0. */
static sumac_groth16_info lengths_of(const sumac_groth16_key *key,
                                     const sumac_groth16_verifying_key *verifying)
{
    sumac_groth16_info info = {.size = sizeof info};
    if (key != NULL) {
        assert_int_equal(sumac_groth16_key_describe(key, &info), SUMAC_OK);
    } else if (verifying != NULL) {
        assert_int_equal(sumac_groth16_verifying_key_describe(verifying, &info), SUMAC_OK);
    }
    return info;
}

sumac_status test_witness_open(sumac_context *context, const sumac_groth16_key *key, const char *path,
                               void **witness)
{
    size_t bytes = 0;
    const sumac_status status = sumac_groth16_witness_open(context, key, path, witness, &bytes);
    assert_int_equal(bytes, status == SUMAC_OK ? lengths_of(key, NULL).witness_bytes : 0);
    return status;
}

sumac_status test_witness_check(sumac_context *context, const sumac_groth16_key *key, const void *witness,
                                const char *r1cs_path)
{
    return sumac_groth16_witness_check(context, key, witness, lengths_of(key, NULL).witness_bytes, r1cs_path);
}

/* Return a configuration whose randomness has the length of two scalars for each proof. */
static const sumac_groth16_prove_config *complete(const sumac_groth16_info *info, size_t count,
                                                  const sumac_groth16_prove_config *config,
                                                  sumac_groth16_prove_config *copy)
{
    if (config == NULL || config->randomness == NULL) {
        return config;
    }
    *copy = *config;
    copy->randomness_bytes = count * 2 * info->g1->scalar_bytes;
    return copy;
}

sumac_status test_prove(sumac_context *context, const sumac_groth16_key *key, const void *witnesses,
                        size_t count, const sumac_groth16_prove_config *config, void *proofs)
{
    const sumac_groth16_info info = lengths_of(key, NULL);
    sumac_groth16_prove_config copy;
    return sumac_groth16_prove(context, key, witnesses, count * info.witness_bytes, count,
                               complete(&info, count, config, &copy), proofs, count * info.proof_bytes);
}

sumac_status test_prove_vector(sumac_context *context, const sumac_groth16_key *key,
                               const sumac_vector *witnesses, size_t count,
                               const sumac_groth16_prove_config *config, void *proofs)
{
    const sumac_groth16_info info = lengths_of(key, NULL);
    sumac_groth16_prove_config copy;
    return sumac_groth16_prove_vector(context, key, witnesses, count, complete(&info, count, config, &copy),
                                      proofs, count * info.proof_bytes);
}

sumac_status test_verify(sumac_context *context, const sumac_groth16_verifying_key *verifying,
                         const void *publics, const void *proofs, size_t count, int *ok)
{
    const sumac_groth16_info info = lengths_of(NULL, verifying);
    return sumac_groth16_verify(context, verifying, publics, count * info.publics_bytes, proofs,
                                count * info.proof_bytes, count, ok);
}

sumac_status circuit_prove(const circuit *c, const void *witness, uint8_t *proof)
{
    sumac_groth16_prove_config config = {.size = sizeof config};
    config.randomness = c->randomness;
    return test_prove(c->context, c->key, witness, 1, &config, proof);
}
