/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "circuits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    const sumac_curve *curve;
    return sumac_curve_find(known[i].curve, "g1", &curve) == SUMAC_OK &&
           sumac_curve_find(known[i].curve, "g2", &curve) == SUMAC_OK;
}

const char *circuit_path(const char *name, const char *file, char path[CIRCUIT_PATH_BYTES])
{
    snprintf(path, CIRCUIT_PATH_BYTES, "%s/groth16/%s/%s", SUMAC_TEST_DATA, name, file);
    return path;
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
    char path[CIRCUIT_PATH_BYTES];
    void *witness;
    *c = (circuit){.name = known[i].name, .curve = known[i].curve};
    c->context = test_context(threads, 0);
    test_status(c->context,
                sumac_groth16_key_open(c->context, circuit_path(c->name, "key.zkey", path), NULL, &c->key),
                SUMAC_OK, c->name);
    c->verifying = sumac_groth16_key_verifying(c->key);
    c->info = sumac_groth16_info_default();
    assert_int_equal(sumac_groth16_key_describe(c->key, &c->info), SUMAC_OK);
    test_status(
        c->context,
        sumac_groth16_witness_open(c->context, c->key, circuit_path(c->name, "witness.wtns", path), &witness),
        SUMAC_OK, c->name);
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

sumac_status circuit_prove(const circuit *c, const void *witness, uint8_t *proof)
{
    sumac_groth16_prove_config config = sumac_groth16_prove_config_default();
    config.randomness = c->randomness;
    return sumac_groth16_prove(c->context, c->key, witness, 1, &config, proof);
}
