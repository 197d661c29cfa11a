/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The test programs share their options, the loop over the groups of the registry, and helpers that say which call
 * with which options went wrong.
 *
 *   test_x [--backend NAME] [--variant NAME] [--curve CURVE] [--test PATTERN] [--quick | --brief]
 *          [--devices LIST [--shards]]
 *
 * CURVE is a name (bn254), a name and a group (bn254/g1) or the name of a data file (bn254_g1). If the machine does
 * not have the backend or variant, or no test is for the group, the program prints why and exits with status 77. If
 * an engine's library can't be loaded, the tests fail, because it should have been built.
 *
 * --devices 0,0 makes test_context() use several devices. With --shards bases are cut into shards for them.
 *
 * --quick runs the same tests over fewer sizes and options, for builds that are many times slower, such as those with
 * sanitizers. --brief means --quick unless the variant is the machine's fastest, because all variants have the same
 * source apart from the field.
 */
#ifndef SUMAC_TESTS_HARNESS_H
#define SUMAC_TESTS_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/devices.h"
#include "support/abort.h"
#include "support/api.h"
#include "support/cleanup.h"
#include "support/exact.h"
#include "support/known.h"
#include "support/oracle.h"
#include "support/plan.h"
#include "support/tuning.h"
#include "sumac/sumac.h"
#include "sumac/vector.h"

typedef struct test_options {
    const char *backend;
    const char *variant; /* null means the fastest */
    char tuning[64];     /* the text for contexts, which names the variant; "" for the fastest */
    const char *curve;   /* null means all */
    int quick;
    int32_t devices[MOST_DEVICES];
    uint32_t device_count; /* 0 if there is no list, and one device is used */
    int shards;            /* 1 if bases are never replicated */
} test_options;

extern test_options options;

typedef enum test_scope {
    TEST_WITHOUT_GROUP,
    TEST_EVERY_GROUP,    /* all groups that users see */
    TEST_EVERY_AND_TINY, /* these and those for tests */
    TEST_SOME_GROUPS,    /* for code that does not depend on the field: is_one_of_some() of harness.c */
    TEST_SOME_AND_TINY,
    TEST_TINY /* only those for tests */
} test_scope;

/* {"name", test, TEST_...} runs for each group of the scope, and {"name", TEST_ONCE(test)} runs once, without a
 * group. */
typedef struct test_entry {
    const char *name;
    void (*run)(void **state); /* *state is a test_group */
    test_scope scope;
} test_entry;
#define TEST_ONCE(test) (void (*)(void **))(test), TEST_WITHOUT_GROUP

/* This is a group under test. */
typedef struct test_group {
    const sumac_group *group;
    const sumac_group *info;
    oracle oracle;
    gmp_randstate_t random;
} test_group;

/* This is the main function of a test program. It runs every entry for every group of the entry's scope. */
int test_main(const char *program, const test_entry *entries, size_t count, int argc, char **argv);
#define TEST_MAIN(program, entries)                                                                          \
    int main(int argc, char **argv)                                                                          \
    {                                                                                                        \
        return test_main(program, entries, sizeof(entries) / sizeof *(entries), argc, argv);                 \
    }

/* Return whether this group runs case `number` of many. The groups of TEST_SOME_AND_TINY, and those that --curve
 * names, run all cases. Every other group runs a third of them, and the next group runs the next third. */
int test_has_case(const test_group *t, size_t number);

/* Return a group. If it is not in the build, the test fails. */
const sumac_group *test_find_group(const char *curve, const char *name);

/* Allocate memory, also if the size is 0. The test fails if there is no memory. */
void *test_alloc(size_t bytes);

/* Return a configuration with the options' backend, variant and devices. */
sumac_context_config test_context_config(uint32_t threads);

/* Create a context with this configuration. The test fails if it cannot be created. */
sumac_context *test_context(uint32_t threads, uint64_t memory_limit);

/* Create bases from raw canonical points. If the configuration is null, it is the default. */
sumac_bases *test_bases(sumac_context *context, const test_group *t, const void *points, size_t n,
                        const sumac_bases_config *config);

/* Run sumac_msm() and compare all results with the expected bytes. If they differ, the message has `label`. */
void test_msm(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
              const sumac_msm_config *config, const void *expected, const char *label);

/* Fail unless the status is the expected one, and print the context's message. If the status is a failure, the message must be
 * one line. */
void test_status(const sumac_context *context, sumac_status status, sumac_status expected, const char *label);

/* TEST_OK fails unless the call succeeds, and TEST_BAD unless it refuses its argument. The failure's text names the
 * call and its line. */
#define TEST_OK(context, call) test_status(context, call, SUMAC_OK, "line " TEST_TEXT(__LINE__) ": " #call)
#define TEST_BAD(context, call)                                                                              \
    test_status(context, call, SUMAC_BAD_ARGUMENT, "line " TEST_TEXT(__LINE__) ": " #call)
/* Fail unless the call refuses a buffer that is too short. */
#define TEST_SHORT(context, call) test_sentence(context, call, SUMAC_BAD_LENGTH, "fewer than")
#define TEST_TEXT(line) TEST_TEXT_OF(line)
#define TEST_TEXT_OF(line) #line

/* Do what test_status() does, and check that the message contains `part`. */
void test_sentence(const sumac_context *context, sumac_status status, sumac_status expected,
                   const char *part);

/* Create a vector of n elements, and fill it with one raw element or with an array. */
sumac_vector *test_vector(sumac_context *context, const test_group *t, sumac_vector_kind kind, size_t n);
sumac_vector *test_vector_of(sumac_context *context, const test_group *t, sumac_vector_kind kind, size_t n,
                             const void *raw);

/* Return the lowest `bits` bits of i in reverse order. */
size_t test_reversed(size_t i, uint32_t bits);

/* Draw random bytes and integers, which are the same in every run. */
void test_random_bytes(test_group *t, void *bytes, size_t n);
uint64_t test_random_below(test_group *t, uint64_t bound);

/* This is a sum of n random points with the result that the oracle computes, and the bases in a context of two
 * threads. */
typedef struct test_sum {
    size_t n;
    uint8_t *points;
    uint8_t *scalars;
    uint8_t *expected;
    sumac_context *context;
    sumac_bases *bases;
} test_sum;

test_sum test_sum_make(test_group *t, size_t n);
void test_sum_free(test_sum *sum);

/* Draw n raw scalars below r. */
void test_random_scalars(test_group *t, void *scalars, size_t n);

/* Draw n raw points of the subgroup, and their discrete logarithms as raw scalars. `logarithms` may be null. */
void test_random_points(test_group *t, void *points, void *logarithms, size_t n);

#endif
