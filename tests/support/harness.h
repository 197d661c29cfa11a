/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What the test programs share: their options, one run of each test for every curve of the registry, and
 * helpers that say which call with which options went wrong.
 *
 *   test_x [--backend NAME] [--variant NAME] [--curve CURVE] [--test PATTERN] [--quick | --brief]
 *          [--devices LIST [--shards]]
 *
 * CURVE is a name (bn254), a name and a group (bn254/g1) or the name of a data file (bn254_g1). The exit
 * status is 77, with a sentence, where the machine does not have the backend or variant, or where no test is
 * for the curve. An engine's library that can't be loaded is a failure: it should have been built.
 *
 * --devices 0,0 lets test_context() make contexts of several devices, which cut bases into shards with
 * --shards.
 *
 * --quick is for builds that are many times slower, as with sanitizers: the same tests over fewer sizes and
 * options. --brief is that where this machine has a faster variant, whose turn has all of them: above the
 * field all variants are the same source.
 */
#ifndef SUMAC_TESTS_HARNESS_H
#define SUMAC_TESTS_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/abort.h"
#include "support/cleanup.h"
#include "support/exact.h"
#include "support/oracle.h"
#include "support/plan.h"
#include "sumac/sumac.h"
#include "sumac/vector.h"

typedef struct test_options {
    const char *backend;
    const char *variant; /* null: the fastest */
    sumac_tuning tuning; /* of contexts: the variant */
    const char *curve;   /* null: all */
    int quick;
    int32_t devices[SUMAC_MAX_DEVICES];
    uint32_t device_count; /* 0: one device, without a list */
    int shards;            /* bases are never replicated */
} test_options;

extern test_options options;

typedef enum test_scope {
    TEST_WITHOUT_CURVE,
    TEST_EVERY_CURVE,    /* all that users see */
    TEST_EVERY_AND_TINY, /* the test curves too */
    TEST_SOME_CURVES, /* for code that does not depend on the field: the smallest and the largest curves, see harness.c */
    TEST_SOME_AND_TINY,
    TEST_TINY /* only the test curves */
} test_scope;

/* {"name", test, TEST_...} runs for each curve of the scope, {"name", TEST_ONCE(test)} without a curve. */
typedef struct test_entry {
    const char *name;
    void (*run)(void **state); /* *state is a test_curve */
    test_scope scope;
} test_entry;
#define TEST_ONCE(test) (void (*)(void **))(test), TEST_WITHOUT_CURVE

/* A curve under test. */
typedef struct test_curve {
    const sumac_group *curve;
    const sumac_group *info;
    oracle oracle;
    gmp_randstate_t random;
} test_curve;

/* The main function of a test program: runs every entry for every curve of its scope. */
int test_main(const char *program, const test_entry *entries, size_t count, int argc, char **argv);
#define TEST_MAIN(program, entries)                                                                          \
    int main(int argc, char **argv)                                                                          \
    {                                                                                                        \
        return test_main(program, entries, sizeof(entries) / sizeof *(entries), argc, argv);                 \
    }

/* Return whether this curve runs case `number` of many. The curves of TEST_SOME_AND_TINY, and a curve that --curve names,
 * run all cases; every other curve runs a third of them, and the next curve the next third. */
int test_has_case(const test_curve *t, size_t number);

/* Return the default configuration with this tuning, which is filled with the defaults. */
sumac_msm_config test_tuned(sumac_tuning *tuning);

/* Return a curve that must be in the build; otherwise the test fails. */
const sumac_group *test_find_curve(const char *name, const char *group);

/* malloc that fails the test; size 0 is allowed. */
void *test_alloc(size_t bytes);

/* The options' backend, variant and devices. */
sumac_context_config test_context_config(uint32_t threads);

/* A context with the options' backend and variant; fails the test if there is none. */
sumac_context *test_context(uint32_t threads, uint64_t memory_limit);

/* Bases from raw canonical points; a null configuration means the defaults. */
sumac_bases *test_bases(sumac_context *context, const test_curve *t, const void *points, size_t n,
                        const sumac_bases_config *config);

/* Run sumac_msm() and compare all results with the expected bytes; `label` is part of the message of a
 * failure. */
void test_msm(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
              const sumac_msm_config *config, const void *expected, const char *label);

/* Fail unless the status is the expected one, and print the context's message. If the status is a failure, the message must be
 * one line. */
void test_status(const sumac_context *context, sumac_status status, sumac_status expected, const char *label);

/* Fail unless the call succeeds, or unless its argument is refused; the message names its line and its text. */
#define TEST_OK(context, call) test_status(context, call, SUMAC_OK, "line " TEST_TEXT(__LINE__) ": " #call)
#define TEST_BAD(context, call)                                                                              \
    test_status(context, call, SUMAC_BAD_ARGUMENT, "line " TEST_TEXT(__LINE__) ": " #call)
#define TEST_TEXT(line) TEST_TEXT_OF(line)
#define TEST_TEXT_OF(line) #line

/* Do what test_status() does, and check that the message contains `part`. */
void test_sentence(const sumac_context *context, sumac_status status, sumac_status expected,
                   const char *part);

/* Create a vector of n elements, and fill it with one raw element or with an array. */
sumac_vector *test_vector(sumac_context *context, const test_curve *t, sumac_vector_kind kind, size_t n);
sumac_vector *test_vector_of(sumac_context *context, const test_curve *t, sumac_vector_kind kind, size_t n,
                             const void *raw);

/* The lowest `bits` bits of i in the opposite order. */
size_t test_reversed(size_t i, uint32_t bits);

/* Random bytes and integers, the same in every run. */
void test_random_bytes(test_curve *t, void *bytes, size_t n);
uint64_t test_random_below(test_curve *t, uint64_t bound);

/* A sum of n random points with the result that the oracle computes, and the bases in a context of two threads. */
typedef struct test_sum {
    size_t n;
    uint8_t *points;
    uint8_t *scalars;
    uint8_t *expected;
    sumac_context *context;
    sumac_bases *bases;
} test_sum;

test_sum test_sum_make(test_curve *t, size_t n);
void test_sum_free(test_sum *sum);

/* n raw scalars below r. */
void test_random_scalars(test_curve *t, void *scalars, size_t n);

/* n raw points of the subgroup with their discrete logarithms (raw scalars; null if they are not wanted). */
void test_random_points(test_curve *t, void *points, void *logarithms, size_t n);

#endif
