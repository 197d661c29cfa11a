/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file is part of test_groth16.c: it tests keys and proofs of contexts that list one device several times. Proofs
 * must have the bytes that tests/reference/groth16.py and one device compute.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "circuits.h"
#include "parts.h"
#include "support/cleanup.h"

enum { MOST_QUEUES = 4, MOST_PROOFS = 2 * MOST_QUEUES + 1 };

static sumac_context *context_of(uint32_t devices, uint64_t replica_limit)
{
    static const int32_t same[MOST_QUEUES] = {0};
    sumac_context_config config = test_context_config(2);
    sumac_context *context;
    config.devices = same;
    config.device_count = devices;
    config.replica_limit = replica_limit;
    sumac_message reason;
    if (sumac_context_create(&config, &context, &reason) != SUMAC_OK) {
        test_abort("%u devices: %s", devices, reason.text);
    }
    return context;
}

static void prove(const circuit *c, sumac_context *context, const sumac_groth16_key *key,
                  const many_proofs *all, size_t count, int from_vector, uint8_t *proofs)
{
    memset(proofs, 0x55, count * (size_t)c->info.proof_bytes);
    if (!from_vector) {
        TEST_OK(context, test_prove(context, key, all->witnesses, count, &all->config, proofs));
        return;
    }
    CLEANUP(destroy_vector)
    sumac_vector *vector = circuit_vector(context, &c->info, all->witnesses, count * (size_t)c->info.wires);
    TEST_OK(context, test_prove_vector(context, key, vector, count, &all->config, proofs));
}

/* Witnesses are refused if a number in the last device's part is not less than r, or if wire 0 is not 1. */
static void check_refusals(const circuit *c, sumac_context *context, const sumac_groth16_key *key,
                           many_proofs *all)
{
    uint8_t *last = all->witnesses + (size_t)c->info.witness_bytes - c->scalar;
    char sentence[64];
    memset(last, 0xff, c->scalar);
    snprintf(sentence, sizeof sentence, "witness 0: scalar %llu is not less than r",
             (unsigned long long)c->info.wires - 1);
    memset(all->proofs, 0x55, (size_t)c->info.proof_bytes);
    test_sentence(context, test_prove(context, key, all->witnesses, 1, NULL, all->proofs), SUMAC_BAD_ENCODING,
                  sentence);
    memcpy(last, c->witness + (size_t)c->info.witness_bytes - c->scalar, c->scalar);
    uint8_t *wire_0 = all->witnesses + 3 * (size_t)c->info.witness_bytes;
    *wire_0 = 2;
    test_sentence(context, test_prove(context, key, all->witnesses, 4, NULL, all->proofs), SUMAC_BAD_ARGUMENT,
                  "witness 3: wire 0 is not 1");
    *wire_0 = 1;
    assert_int_equal(all->proofs[0], 0x55);
}

static void check_devices(const circuit *c, uint32_t devices, uint64_t replica_limit,
                          const many_proofs *expected)
{
    static const size_t counts[] = {1, 2, 3, MOST_PROOFS};
    char path[CIRCUIT_PATH_BYTES];
    CLEANUP(destroy_context) sumac_context *context = context_of(devices, replica_limit);
    CLEANUP(destroy_key) sumac_groth16_key *key = NULL;
    CLEANUP(many_free) many_proofs all = many_make(c, MOST_PROOFS);
    TEST_OK(context, sumac_groth16_key_open(context, circuit_path(c->name, "key.zkey", path), NULL, &key));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (int from_vector = 0; from_vector < 2; from_vector++) {
            prove(c, context, key, &all, counts[i], from_vector, all.proofs);
            assert_memory_equal(all.proofs, expected->proofs, counts[i] * (size_t)c->info.proof_bytes);
        }
    }
    check_refusals(c, context, key, &all);
}

static void check_several(int i)
{
    CLEANUP(circuit_close) circuit c = {0};
    size_t size;
    circuit_open(&c, i, 2);
    CLEANUP(many_free) many_proofs expected = many_make(&c, MOST_PROOFS);
    AUTO_FREE uint8_t *reference = circuit_read(c.name, "expected.bin", &size);
    prove(&c, c.context, c.key, &expected, MOST_PROOFS, 0, expected.proofs);
    assert_memory_equal(expected.proofs, reference, size);
    for (uint32_t devices = 2; devices <= MOST_QUEUES; devices++) {
        check_devices(&c, devices, 0, &expected);
        check_devices(&c, devices, 1, &expected); /* the key is cut into shards */
    }
}

void test_several_devices(void)
{
    circuit_for_each(1, check_several);
}
