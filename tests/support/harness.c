/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/loader.h"
#include "api/registry.h"
#include "curves/group_code.h"
#include "pipeline/engine.h"
#include "support/harness.h"

enum { SKIPPED = 77 }; /* SKIP_RETURN_CODE in tests/CMakeLists.txt */

test_options options = {.backend = "cpu"};

void test_abort(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_error("%s\n", text);
    fail();
    abort(); /* fail() does not return, but cmocka does not say so */
}

void *test_alloc(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        test_abort("out of memory");
    }
    return memory;
}

const sumac_group *test_find_group(const char *curve, const char *name)
{
    const sumac_group *group;
    assert_int_equal(sumac_group_find(curve, name, &group), SUMAC_OK);
    return group;
}

/* ---- running ---- */

static int is_named(const sumac_group *info)
{
    char full[64], file[64];
    snprintf(full, sizeof full, "%s/%s", info->curve, info->name);
    snprintf(file, sizeof file, "%s_%s", info->curve, info->name);
    for (char *dash = strchr(file, '-'); dash != NULL; dash = strchr(dash, '-')) {
        *dash = '_';
    }
    return options.curve == NULL || strcmp(options.curve, info->curve) == 0 ||
           strcmp(options.curve, full) == 0 || strcmp(options.curve, file) == 0;
}

static int scalars_fill_their_bytes(const sumac_group *info)
{
    return info->scalar_bits == 8 * info->scalar_bytes;
}

/* Return 1 if a test of one group makes a test of the other unnecessary. This is so if their coordinates have the same
 * degree, which does not matter for `quick` tests, and if the scalars fill their bytes for both groups or for
 * neither. */
static int are_alike(const sumac_group *a, const sumac_group *b)
{
    return (options.quick || a->degree == b->degree) &&
           scalars_fill_their_bytes(a) == scalars_fill_their_bytes(b);
}

/* Return 1 if this group has the smallest points of all similar groups. Unless tests are `quick`, also return 1 if
 * other groups have shorter scalars and none has longer ones. */
static int is_one_of_some(size_t index)
{
    const sumac_group *info = &sumac_registry[index]->group;
    int is_smallest = 1, is_longest = 1, others_are_shorter = 0;
    for (size_t i = 0; i < sumac_registry_count; i++) {
        const sumac_group *other = &sumac_registry[i]->group;
        if (i == index || sumac_registry[i]->for_tests) {
            continue;
        }
        if (are_alike(info, other)) {
            is_smallest &= info->point_bytes + (i < index) <= other->point_bytes;
        }
        is_longest &= info->scalar_bytes >= other->scalar_bytes + (i < index);
        others_are_shorter |= info->scalar_bytes > other->scalar_bytes;
    }
    return is_smallest || (is_longest && others_are_shorter && !options.quick);
}

int test_has_case(const test_group *t, size_t number)
{
    size_t index = 0;
    while (&sumac_registry[index]->group != t->group) {
        index++;
    }
    return options.curve != NULL || registered(t->group)->for_tests || is_one_of_some(index) ||
           number % 3 == index % 3;
}

static int is_selected(size_t index, test_scope scope)
{
    const sumac_group *group = &sumac_registry[index]->group;
    if (!is_named(group)) {
        return 0;
    }
    if (registered(group)->for_tests) {
        return scope == TEST_EVERY_AND_TINY || scope == TEST_SOME_AND_TINY || scope == TEST_TINY;
    }
    const int is_some = scope == TEST_SOME_GROUPS || scope == TEST_SOME_AND_TINY;
    return is_some ? options.curve != NULL || is_one_of_some(index) : scope != TEST_TINY;
}

/* Print why no test runs, and return the exit status. */
static int no_test(const char *program)
{
    for (size_t i = 0; i < sumac_registry_count; i++) {
        if (is_named(&sumac_registry[i]->group)) {
            fprintf(stderr, "%s: no test is for the curve %s\n", program,
                    options.curve != NULL ? options.curve : "of this build");
            return SKIPPED;
        }
    }
    fprintf(stderr, "%s: there is no curve %s\n", program, options.curve != NULL ? options.curve : "at all");
    return 1;
}

static int set_up_group(void **state)
{
    const sumac_group *group = *state;
    test_group *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return -1;
    }
    t->group = group;
    t->info = group;
    oracle_init(&t->oracle, group);
    gmp_randinit_mt(t->random);
    gmp_randseed_ui(t->random, 20261120);
    *state = t;
    return 0;
}

static int tear_down_group(void **state)
{
    AUTO_FREE test_group *t = *state;
    oracle_clear(&t->oracle);
    gmp_randclear(t->random);
    return 0;
}

/* Parse a list such as "0,1". */
static void parse_devices(char *list)
{
    for (char *end = list; options.device_count < MOST_DEVICES; list = end + 1) {
        options.devices[options.device_count++] = (int32_t)strtol(list, &end, 10);
        if (*end != ',') {
            return;
        }
    }
}

/* Return 1 if this variant is the default of the CPU. */
static int variant_is_fastest(const char *variant)
{
    CLEANUP(destroy_context) sumac_context *context = NULL;
    sumac_context_config config = {.size = sizeof config};
    config.backend = "cpu";
    const int is_fastest = sumac_context_create(&config, &context, NULL) == SUMAC_OK &&
                           strcmp(test_describe(context).variant, variant) == 0;
    return is_fastest;
}

static void parse_options(int argc, char **argv)
{
    static const struct option long_options[] = {{"backend", required_argument, NULL, 'b'},
                                                 {"variant", required_argument, NULL, 'v'},
                                                 {"curve", required_argument, NULL, 'c'},
                                                 {"test", required_argument, NULL, 't'},
                                                 {"quick", no_argument, NULL, 'q'},
                                                 {"devices", required_argument, NULL, 'd'},
                                                 {"shards", no_argument, NULL, 's'},
                                                 {"brief", no_argument, NULL, 'f'},
                                                 {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        switch (option) {
        case 'b':
            options.backend = optarg;
            break;
        case 'v':
            options.variant = optarg;
            snprintf(options.tuning, sizeof options.tuning, "variant=%s", optarg);
            break;
        case 'c':
            options.curve = optarg;
            break;
        case 't':
            cmocka_set_test_filter(optarg);
            break;
        case 'q':
            options.quick = 1;
            break;
        case 'f':
            options.quick |= options.variant != NULL && !variant_is_fastest(options.variant);
            break;
        case 'd':
            parse_devices(optarg);
            break;
        case 's':
            options.shards = 1;
            break;
        default:
            fprintf(stderr,
                    "usage: %s [--backend NAME] [--variant NAME] [--curve CURVE] [--test PATTERN] "
                    "[--quick | --brief] [--devices LIST [--shards]]\n",
                    argv[0]);
            exit(2);
        }
    }
}

/* Return 1 if this machine runs the requested variant. If it does not, the message says why. Other failures are left to
 * the tests, which report them. */
static int variant_is_available(sumac_message *message)
{
    CLEANUP(destroy_context) sumac_context *context = NULL;
    sumac_context_config config = {.size = sizeof config};
    config.tuning = options.tuning;
    config.backend = options.backend;
    return sumac_context_create(&config, &context, message) != SUMAC_BACKEND_UNAVAILABLE;
}

static void run_once(void **state)
{
    const test_entry *entry = *state;
    ((void (*)(void))entry->run)();
}

int test_main(const char *program, const test_entry *entries, size_t count, int argc, char **argv)
{
    parse_options(argc, argv);
    sumac_message reason;
    if (strcmp(options.backend, "cuda") == 0 && load_cuda(&reason) == NULL) {
        fprintf(stderr, "%s: %s\n", program, reason.text);
        return 1;
    }
    if (!variant_is_available(&reason)) {
        fprintf(stderr, "%s: %s\n", program, reason.text);
        return SKIPPED;
    }
    const size_t most = count * (sumac_registry_count + 1);
    AUTO_FREE struct CMUnitTest *tests = calloc(most, sizeof *tests);
    char(*names)[96] = calloc(most, sizeof *names);
    size_t used = 0;
    if (tests == NULL || names == NULL) {
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        if (entries[i].scope == TEST_WITHOUT_GROUP) {
            tests[used++] = (struct CMUnitTest){.name = entries[i].name,
                                                .test_func = run_once,
                                                .initial_state = (void *)(uintptr_t)&entries[i]};
            continue;
        }
        for (size_t j = 0; j < sumac_registry_count; j++) {
            const sumac_group *group = &sumac_registry[j]->group;
            if (is_selected(j, entries[i].scope)) {
                snprintf(names[used], sizeof names[used], "%s %s/%s", entries[i].name, group->curve,
                         group->name);
                tests[used] = (struct CMUnitTest){.name = names[used],
                                                  .test_func = entries[i].run,
                                                  .setup_func = set_up_group,
                                                  .teardown_func = tear_down_group,
                                                  .initial_state = (void *)(uintptr_t)group};
                used++;
            }
        }
    }
    const int failures = used > 0 ? _cmocka_run_group_tests(program, tests, used, NULL, NULL) : 0;
    free(names);
    return used == 0 ? no_test(program) : failures != 0;
}

/* ---- calls ---- */

sumac_context_config test_context_config(uint32_t threads)
{
    sumac_context_config config = {.size = sizeof config};
    config.tuning = options.tuning;
    config.backend = options.backend;
    config.threads = threads;
    config.devices = options.device_count == 0 ? NULL : options.devices;
    config.device_count = options.device_count;
    config.replica_limit = options.shards ? 1 : 0;
    return config;
}

sumac_context *test_context(uint32_t threads, uint64_t memory_limit)
{
    sumac_context *context = NULL;
    sumac_context_config config = test_context_config(threads);
    config.memory_limit = memory_limit;
    sumac_message reason;
    sumac_status status = sumac_context_create(&config, &context, &reason);
    if (status != SUMAC_OK) {
        test_abort("no context for backend %s, variant %s: %s", options.backend,
                   options.variant != NULL ? options.variant : "fastest", reason.text);
    }
    return context;
}

void test_status(const sumac_context *context, sumac_status status, sumac_status expected, const char *label)
{
    const char *message = sumac_context_message(context);
    if (status != expected) {
        test_abort("%s: status %d (%s) instead of %d (%s); the message is \"%s\"", label, (int)status,
                   sumac_status_text(status), (int)expected, sumac_status_text(expected), message);
    }
    if (status == SUMAC_OK ? message[0] != '\0' : message[0] == '\0' || strchr(message, '\n') != NULL) {
        test_abort("%s: with status %d the message is \"%s\"", label, (int)status, message);
    }
}

void test_sentence(const sumac_context *context, sumac_status status, sumac_status expected, const char *part)
{
    test_status(context, status, expected, part);
    if (strstr(sumac_context_message(context), part) == NULL) {
        test_abort("the message \"%s\" does not say \"%s\"", sumac_context_message(context), part);
    }
}

sumac_vector *test_vector(sumac_context *context, const test_group *t, sumac_vector_kind kind, size_t n)
{
    sumac_vector *vector = NULL;
    test_status(context, sumac_vector_create(context, t->group, kind, n, &vector), SUMAC_OK,
                "sumac_vector_create");
    return vector;
}

sumac_vector *test_vector_of(sumac_context *context, const test_group *t, sumac_vector_kind kind, size_t n,
                             const void *raw)
{
    sumac_vector *vector = test_vector(context, t, kind, n);
    test_status(context, test_vector_set(context, vector, raw, 0, n, NULL), SUMAC_OK, "sumac_vector_set");
    return vector;
}

size_t test_reversed(size_t i, uint32_t bits)
{
    size_t r = 0;
    for (uint32_t b = 0; b < bits; b++) {
        r = r << 1 | (i >> b & 1);
    }
    return r;
}

sumac_bases *test_bases(sumac_context *context, const test_group *t, const void *points, size_t n,
                        const sumac_bases_config *config)
{
    sumac_bases *bases = NULL;
    test_status(context, exact_create(context, t->group, points, n, config, &bases), SUMAC_OK,
                "sumac_bases_create");
    return bases;
}

static void describe_config(char *text, size_t bytes, const sumac_msm_config *config,
                            const sumac_bases *bases, const sumac_context *context)
{
    const sumac_msm_config defaults = {.size = sizeof defaults};
    const sumac_msm_config *used = config != NULL ? config : &defaults;
    snprintf(text, bytes,
             "f %u, batch %u, sets %u, first %zu, tuning '%s', scalar bits %u, threads %u, variant %s",
             info_of(bases).precompute_factor, used->batch, used->base_sets, used->first,
             used->tuning == NULL ? "" : used->tuning, used->scalar_bits, test_describe(context).threads,
             test_describe(context).variant);
}

void test_msm(sumac_context *context, const sumac_bases *bases, const void *scalars, size_t n,
              const sumac_msm_config *config, const void *expected, const char *label)
{
    const sumac_group *info = info_of(bases).group;
    const size_t batch = exact_batch(config);
    AUTO_FREE uint8_t *results = test_alloc(batch * info->point_bytes);
    char text[512];
    describe_config(text, sizeof text, config, bases, context);
    memset(results, 0xa5, batch * info->point_bytes);
    sumac_status status = exact_msm(context, bases, scalars, n, config, results);
    if (status != SUMAC_OK) {
        test_abort("%s/%s %s, n %zu: %s (%s); %s", info->curve, info->name, label, n,
                   sumac_status_text(status), sumac_context_message(context), text);
    }
    for (size_t j = 0; j < batch; j++) {
        if (memcmp(results + j * info->point_bytes, (const uint8_t *)expected + j * info->point_bytes,
                   info->point_bytes) != 0) {
            test_abort("%s/%s %s, n %zu: result %zu is wrong; %s", info->curve, info->name, label, n, j,
                       text);
        }
    }
}

/* ---- random inputs ---- */

void test_random_bytes(test_group *t, void *bytes, size_t n)
{
    TEST_NUMBERS(value);
    mpz_urandomb(value, t->random, 8 * (mp_bitcnt_t)n);
    memset(bytes, 0, n);
    mpz_export(bytes, NULL, -1, 1, -1, 0, value);
}

uint64_t test_random_below(test_group *t, uint64_t bound)
{
    return gmp_urandomm_ui(t->random, bound);
}

void test_random_scalars(test_group *t, void *scalars, size_t n)
{
    TEST_NUMBERS(k);
    for (size_t i = 0; i < n; i++) {
        mpz_urandomm(k, t->random, t->oracle.r);
        oracle_scalar_to_raw(&t->oracle, (uint8_t *)scalars + i * t->info->scalar_bytes, k);
    }
}

void test_random_points(test_group *t, void *points, void *logarithms, size_t n)
{
    TEST_NUMBERS(k);
    ORACLE_POINT(point);
    for (size_t i = 0; i < n; i++) {
        mpz_urandomm(k, t->random, t->oracle.r);
        oracle_mul_generator(&t->oracle, &point, k);
        oracle_point_to_raw(&t->oracle, (uint8_t *)points + i * t->info->point_bytes, &point);
        if (logarithms != NULL) {
            oracle_scalar_to_raw(&t->oracle, (uint8_t *)logarithms + i * t->info->scalar_bytes, k);
        }
    }
}

test_sum test_sum_make(test_group *t, size_t n)
{
    test_sum sum = {.n = n};
    sum.points = test_alloc(n * t->info->point_bytes);
    sum.scalars = test_alloc(n * t->info->scalar_bytes);
    sum.expected = test_alloc(t->info->point_bytes);
    AUTO_FREE uint8_t *logarithms = test_alloc(n * t->info->scalar_bytes);
    test_random_points(t, sum.points, logarithms, n);
    test_random_scalars(t, sum.scalars, n);
    oracle_known_msm(&t->oracle, sum.expected, logarithms, sum.scalars, n);
    sum.context = test_context(2, 0);
    sum.bases = test_bases(sum.context, t, sum.points, n, NULL);
    return sum;
}

void test_sum_free(test_sum *sum)
{
    sumac_bases_destroy(sum->bases);
    sumac_context_destroy(sum->context);
    free(sum->points);
    free(sum->scalars);
    free(sum->expected);
}
