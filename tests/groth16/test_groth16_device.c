/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_groth16.c: each call of the GPU's runtime fails once, while a key is opened and while a
 * proof is made. */
#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "circuits.h"
#include "parts.h"
#include "base/try.h"
#include "pipeline/engine.h"

enum { MOST_CALLS = 20000, STEP = 3 };

/* Make call `number` from now on fail. If it is 0, no call fails. Return whether the call that was armed before has
 * failed. */
static int arm(const sumac_context *context, uint64_t number)
{
    const executor *first = context->executors.at;
    return first->backend->device->fail_call(first->engine, number) == 0;
}

static void expect_device_status(const circuit *c, sumac_status status, const char *what, uint64_t number)
{
    if (status != SUMAC_OK && status != SUMAC_DEVICE_FAILED && status != SUMAC_OUT_OF_MEMORY) {
        test_abort("%s, call %llu: status %d, \"%s\"", what, (unsigned long long)number, (int)status,
                   sumac_context_message(c->context));
    }
}

/* If any call of the runtime fails, proving returns a status or the same proof, and the next proof is right. */
static uint64_t fail_while_proving(const circuit *c, const uint8_t *expected)
{
    AUTO_FREE uint8_t *proof = test_alloc(c->info.proof_bytes);
    uint64_t number = 1;
    for (int failed = 1; failed; number += STEP) {
        assert_true(number < MOST_CALLS);
        memset(proof, 0x77, c->info.proof_bytes);
        (void)arm(c->context, number);
        const sumac_status status = circuit_prove(c, c->witness, proof);
        failed = arm(c->context, 0);
        expect_device_status(c, status, "prove", number);
        for (size_t i = 0; i < c->info.proof_bytes; i++) {
            assert_int_equal(proof[i], status == SUMAC_OK ? expected[i] : 0x77);
        }
        TEST_OK(c->context, circuit_prove(c, c->witness, proof));
        assert_memory_equal(proof, expected, c->info.proof_bytes);
    }
    return number;
}

/* If a key opens in spite of a failure, for example with bases that stay on the host, it can make proofs. */
static uint64_t fail_while_opening(circuit *c, const uint8_t *expected)
{
    char path[CIRCUIT_PATH_BYTES];
    AUTO_FREE uint8_t *proof = test_alloc(c->info.proof_bytes);
    sumac_groth16_key *const kept = c->key;
    uint64_t number = 1;
    (void)circuit_path(c->name, "key.zkey", path);
    for (int failed = 1; failed; number += STEP) {
        assert_true(number < MOST_CALLS);
        (void)arm(c->context, number);
        const sumac_status status = sumac_groth16_key_open(c->context, path, NULL, &c->key);
        failed = arm(c->context, 0);
        expect_device_status(c, status, "key_open", number);
        assert_int_equal(status == SUMAC_OK, c->key != NULL);
        if (c->key != NULL) {
            TEST_OK(c->context, circuit_prove(c, c->witness, proof));
            assert_memory_equal(proof, expected, c->info.proof_bytes);
        }
        sumac_groth16_key_destroy(c->key);
        c->key = kept;
    }
    return number;
}

void test_device_failures(void)
{
    CLEANUP(circuit_close) circuit c = {0};
    circuit_open(&c, circuit_first(), 1);
    if (c.context->executors.at->engine == NULL) {
        circuit_close(&c);
        skip();
    }
    AUTO_FREE uint8_t *expected = test_alloc(c.info.proof_bytes);
    TEST_OK(c.context, circuit_prove(&c, c.witness, expected));
    assert_true(fail_while_proving(&c, expected) > 100);
    assert_true(fail_while_opening(&c, expected) > 50);
}
