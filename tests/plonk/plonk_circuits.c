/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "plonk/plonk_circuits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const plonk_row snarkjs_circuits[SNARKJS_CIRCUITS] = {
    {"plonk", "tiny-bn254", "bn254", "plonk", "tiny-bn254", "bn254", 9, 0},
    {"plonk", "forms-bn254", "bn254", "plonk", "forms-bn254", "bn254", 9, 0},
    {"plonk", "tiny-bls12-381", "bls12-381", "plonk", "tiny-bls12-381", "bls12-381", 9, 0},
    {"plonk", "sums-bls12-381", "bls12-381", "plonk", "sums-bls12-381", "bls12-381", 9, 0},
    {"plonk", "fflonk-tiny-bn254", "bn254", "fflonk", "tiny-bn254", "fflonk-bn254", 4, 0},
    {"plonk", "fflonk-forms-bn254", "bn254", "fflonk", "forms-bn254", "fflonk-bn254", 4, 0}};

const plonk_row gnark_circuits[GNARK_CIRCUITS] = {
    {"gnark-plonk", "bn254", "bn254", "plonk", NULL, NULL, 9, 0},
    {"gnark-plonk", "bls12-381", "bls12-381", "plonk", NULL, NULL, 9, 0},
    {"gnark-plonk", "bls12-377", "bls12-377", "plonk", NULL, NULL, 10, 1},
    {"gnark-plonk", "bw6-761", "bw6-761", "plonk", NULL, NULL, 10, 1},
    {"gnark-plonk", "several-bn254", "bn254", "plonk", NULL, NULL, 12, 3}};

int plonk_is_built(const plonk_row *row)
{
    const sumac_group *group;
    return sumac_group_find(row->curve, "g1", &group) == SUMAC_OK &&
           sumac_group_find(row->curve, "g2", &group) == SUMAC_OK;
}

/* ---- Files ---- */

static const char *write_path(const plonk_row *row, const char *name, const char *file, char *path)
{
    snprintf(path, PLONK_PATH_BYTES, "%s/%s/%s/%s", SUMAC_TEST_DATA, row->folder, name, file);
    return path;
}

const char *plonk_path(const plonk_row *row, const char *file, char path[PLONK_PATH_BYTES])
{
    return write_path(row, row->name, file, path);
}

const char *plonk_circuit_path(const plonk_row *row, const char *file, char path[PLONK_PATH_BYTES])
{
    return write_path(row, row->circuit, file, path);
}

const char *plonk_powers_path(const plonk_row *row, char path[PLONK_PATH_BYTES])
{
    snprintf(path, PLONK_PATH_BYTES, "%s/%s/%s.ptau", SUMAC_TEST_DATA, row->folder, row->powers);
    return path;
}

uint8_t *plonk_read(const plonk_row *row, const char *file, size_t *size)
{
    char path[PLONK_PATH_BYTES];
    return test_read_file(plonk_path(row, file, path), size);
}

sumac_status plonk_set_up(sumac_context *context, const plonk_row *row, const char *zkey)
{
    char r1cs[PLONK_PATH_BYTES], ptau[PLONK_PATH_BYTES];
    sumac_plonk_setup_config config = {.size = sizeof config};
    config.protocol = row->protocol;
    return sumac_plonk_setup(context, plonk_circuit_path(row, "circuit.r1cs", r1cs),
                             plonk_powers_path(row, ptau), &config, zkey);
}

/* ---- Circuits ---- */

/* The proofs of snarkjs were made with the random numbers b_i = 1000003^i + i. */
static uint8_t *snarkjs_blinding(void)
{
    uint8_t *blinding = test_alloc(PLONK_BLINDING * 32);
    mpz_t number;
    mpz_init(number);
    memset(blinding, 0, PLONK_BLINDING * 32);
    for (unsigned i = 1; i <= PLONK_BLINDING; i++) {
        mpz_ui_pow_ui(number, 1000003, i);
        mpz_add_ui(number, number, i);
        mpz_export(blinding + (i - 1) * 32, NULL, -1, 1, 0, 0, number);
    }
    mpz_clear(number);
    return blinding;
}

/* Read the key, or make it as snarkjs does, and the witness. */
static void read_files(plonk_circuit *c)
{
    char path[PLONK_PATH_BYTES];
    size_t blinding_size;
    if (c->row->circuit == NULL) {
        c->key_file = plonk_read(c->row, "key", &c->key_size);
        c->witness_file = plonk_read(c->row, "solution", &c->witness_size);
        c->blinding = plonk_read(c->row, "blinding", &blinding_size);
    } else {
        TEST_FILE(zkey);
        TEST_OK(c->context, plonk_set_up(c->context, c->row, zkey));
        c->key_file = test_read_file(zkey, &c->key_size);
        c->witness_file = test_read_file(plonk_circuit_path(c->row, "witness.wtns", path), &c->witness_size);
        c->blinding = snarkjs_blinding();
    }
}

void plonk_open_in(plonk_circuit *c, const plonk_row *row, sumac_context *context, uint32_t compact)
{
    void *witness;
    size_t bytes;
    sumac_plonk_key_config config = {.size = sizeof config};
    *c = (plonk_circuit){.row = row, .context = context, .info = {.size = sizeof c->info}};
    config.compact = compact;
    read_files(c);
    TEST_OK(context, sumac_plonk_key_create(context, c->key_file, c->key_size, &config, &c->key));
    c->verifying = sumac_plonk_key_verifying(c->key);
    assert_int_equal(sumac_plonk_key_describe(c->key, &c->info), SUMAC_OK);
    assert_string_equal(c->info.protocol, row->protocol);
    TEST_OK(context,
            sumac_plonk_witness_create(context, c->key, c->witness_file, c->witness_size, &witness, &bytes));
    assert_int_equal(bytes, c->info.witness_bytes);
    c->witness = witness;
    c->publics = test_alloc(c->info.publics_bytes);
    c->proof = test_alloc(c->info.proof_bytes);
    TEST_OK(context, sumac_plonk_witness_publics(context, c->key, c->witness, bytes, c->publics,
                                                 c->info.publics_bytes));
}

void plonk_open(plonk_circuit *c, const plonk_row *row, uint32_t threads, uint32_t compact)
{
    plonk_open_in(c, row, test_context(threads, 0), compact);
}

void plonk_close(plonk_circuit *c)
{
    sumac_free(c->witness);
    free(c->key_file);
    free(c->witness_file);
    free(c->publics);
    free(c->proof);
    free(c->blinding);
    sumac_plonk_key_destroy(c->key);
    sumac_context_destroy(c->context);
}

sumac_status plonk_prove(const plonk_circuit *c, const void *witness, uint8_t *proof)
{
    sumac_plonk_prove_config config = {.size = sizeof config};
    config.blinding = c->blinding;
    config.blinding_bytes = c->info.blinding_bytes;
    return sumac_plonk_prove(c->context, c->key, witness, c->info.witness_bytes, 1, &config, proof,
                             c->info.proof_bytes);
}

sumac_status plonk_verify(const plonk_circuit *c, const sumac_plonk_verifying_key *verifying,
                          const uint8_t *publics, const uint8_t *proof, int *ok)
{
    return sumac_plonk_verify(c->context, verifying, publics, c->info.publics_bytes, proof,
                              c->info.proof_bytes, 1, ok);
}
