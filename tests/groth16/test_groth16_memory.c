/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file is part of test_groth16.c: if any allocation of a call fails, the call fails, and the next call
 * succeeds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "circuits.h"
#include "parts.h"
#include "support/cleanup.h"
#include "support/failing.h"

enum { MOST_ALLOCATIONS = 2000 };

typedef struct scene {
    circuit c;
    uint8_t *zkey, *proof;
    size_t zkey_size, json_size, count;
    char *json;
    char r1cs[CIRCUIT_PATH_BYTES], wtns[CIRCUIT_PATH_BYTES], verifying[CIRCUIT_PATH_BYTES];
} scene;

MAKES(create_key, scene, sumac_groth16_key, sumac_groth16_key_destroy,
      sumac_groth16_key_create(s->c.context, s->zkey, s->zkey_size, NULL, &created))
MAKES(open_verifying, scene, sumac_groth16_verifying_key, sumac_groth16_verifying_key_destroy,
      sumac_groth16_verifying_key_open(s->c.context, s->verifying, &created))
MAKES(open_witness, scene, void, sumac_free, test_witness_open(s->c.context, s->c.key, s->wtns, &created))
MAKES(write_json, scene, void, sumac_free,
      sumac_groth16_proof_encode(s->c.context, s->c.verifying, s->proof, s->c.info.proof_bytes, "snarkjs",
                                 &created, &s->count))

static sumac_status check_witness(void *argument)
{
    scene *s = argument;
    return test_witness_check(s->c.context, s->c.key, s->c.witness, s->r1cs);
}

static sumac_status prove(void *argument)
{
    scene *s = argument;
    return circuit_prove(&s->c, s->c.witness, s->proof);
}

static sumac_status verify(void *argument)
{
    scene *s = argument;
    int holds = 1;
    const sumac_status status = test_verify(s->c.context, s->c.verifying, s->c.publics, s->proof, 1, &holds);
    assert_int_equal(holds, 1);
    return status;
}

static sumac_status read_publics(void *argument)
{
    scene *s = argument;
    uint8_t publics[1024];
    return sumac_groth16_publics_decode(s->c.context, s->c.verifying, s->json, s->json_size, "snarkjs", "x",
                                        publics, s->c.info.publics_bytes);
}

static const memory_call calls[] = {{"key_create", create_key},
                                    {"verifying_key_open", open_verifying},
                                    {"witness_open", open_witness},
                                    {"witness_check", check_witness},
                                    {"prove", prove},
                                    {"verify", verify},
                                    {"proof_encode", write_json},
                                    {"publics_decode", read_publics}};

/* If the call makes fewer allocations than that number, return 0. */
static int fail_one(sumac_context *context, const memory_call *call, void *argument, long allocation)
{
    failing_begin((failing_plan){allocation, -1, 0});
    const sumac_status status = call->run(argument);
    const failing_report report = failing_end();
    const char *message = sumac_context_message(context);
    if (status != SUMAC_OK && (status != SUMAC_OUT_OF_MEMORY || strstr(message, " bytes") == NULL)) {
        test_abort("%s, allocation %ld: status %d, \"%s\"", call->name, allocation, (int)status, message);
    }
    return report.allocations_failed != 0;
}

void check_allocations(sumac_context *context, const memory_call *calls_of, size_t count, void *argument)
{
    for (const memory_call *call = calls_of; call < calls_of + count; call++) {
        long allocation = 0;
        while (fail_one(context, call, argument, allocation)) {
            assert_true(allocation++ < MOST_ALLOCATIONS);
        }
        TEST_OK(context, call->run(argument));
    }
}

void test_memory(void)
{
    scene s;
    const int which = circuit_first();
    if (strcmp(options.backend, "cpu") != 0) {
        skip();
    }
    circuit_open(&s.c, which, 1);
    s.zkey = circuit_read(s.c.name, "key.zkey", &s.zkey_size);
    s.json = (char *)circuit_read(s.c.name, "public.json", &s.json_size);
    s.proof = test_alloc(s.c.info.proof_bytes);
    (void)circuit_path(s.c.name, "circuit.r1cs", s.r1cs);
    (void)circuit_path(s.c.name, "witness.wtns", s.wtns);
    (void)circuit_path(s.c.name, "verification_key.json", s.verifying);
    TEST_OK(s.c.context, prove(&s));
    check_allocations(s.c.context, calls, sizeof calls / sizeof *calls, &s);
    free(s.zkey);
    free(s.json);
    free(s.proof);
    circuit_close(&s.c);
}
