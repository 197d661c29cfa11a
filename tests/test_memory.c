/*
 * Memory runs out at every place where it can: each call is repeated with its first, second, third ..
 * allocation failing, until it succeeds. Every failure has its status and its sentence, which says how many
 * bytes it was about, leaks nothing (AddressSanitizer and valgrind look), changes no result, and the same
 * context then does the call right.
 *
 * The linker sends the library's allocations here (-Wl,--wrap).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/harness.h"
#include "sumac/kzg.h"

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);

static long allocations_left = -1; /* before one fails; negative: none fails */

static int this_one_fails(void)
{
    return allocations_left >= 0 && allocations_left-- == 0;
}

void *__wrap_malloc(size_t bytes)
{
    return this_one_fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return this_one_fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    return this_one_fails() ? NULL : __real_realloc(memory, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return this_one_fails() ? NULL : __real_aligned_alloc(alignment, bytes);
}

enum { COUNT = 20 };

typedef struct scene {
    const test_curve *t;
    sumac_context *context;
    sumac_bases *bases;
    sumac_kzg_setup *setup;
    uint8_t *points, *scalars, *expected, *result, *partial, *blob;
    char path[64];
    char reason[SUMAC_MESSAGE_BYTES]; /* of a context */
} scene;

/* One call of the API; what it made is freed here. */
typedef sumac_status (*call)(scene *s);

static sumac_status call_context(scene *s)
{
    sumac_context *context = s->context;
    sumac_context_config config = sumac_context_config_default();
    config.backend = options.backend;
    config.reason = s->reason;
    config.reason_bytes = sizeof s->reason;
    const sumac_status status = sumac_context_create(&config, &context);
    assert_true((status == SUMAC_OK) == (context != NULL));
    sumac_context_destroy(context);
    return status;
}

static sumac_status finish_bases(sumac_status status, sumac_bases *bases)
{
    assert_true((status == SUMAC_OK) == (bases != NULL));
    sumac_bases_destroy(bases);
    return status;
}

static sumac_status call_bases(scene *s)
{
    sumac_bases *bases = s->bases;
    sumac_bases_config config = sumac_bases_config_default();
    config.precompute_factor = 2;
    config.check = SUMAC_CHECK_CURVE;
    const sumac_status status =
        sumac_bases_create(s->context, s->t->curve, s->points, COUNT, &config, &bases);
    return finish_bases(status, bases);
}

static sumac_status call_known_bases(scene *s)
{
    sumac_bases *bases = s->bases;
    const sumac_status status = sumac_known_bases(s->context, s->t->curve, COUNT, 1, NULL, &bases);
    return finish_bases(status, bases);
}

static sumac_status call_msm(scene *s)
{
    sumac_msm_config config = sumac_msm_config_default();
    static uint32_t c = 0;
    config.c = 3 + c++ % 5; /* other workspaces than the one that is there */
    return sumac_msm(s->context, s->bases, s->scalars, COUNT, &config, s->result);
}

static sumac_status call_partial(scene *s)
{
    return sumac_msm_partial(s->context, s->bases, s->scalars, COUNT, NULL, s->partial);
}

static sumac_status call_combine(scene *s)
{
    const void *const parts[] = {s->partial};
    return sumac_partial_combine(s->context, s->t->curve, 1, parts, 1, s->result);
}

static sumac_status call_answer(scene *s)
{
    uint8_t *answer = s->partial; /* large enough, and written again before it is used */
    return sumac_known_answer(s->context, s->t->curve, s->scalars, s->scalars, COUNT, answer);
}

static sumac_status call_save(scene *s)
{
    return sumac_bases_save(s->context, s->bases, s->path);
}

static sumac_status call_load(scene *s)
{
    sumac_bases *bases = s->bases;
    const sumac_status status = sumac_bases_load(s->context, s->t->curve, s->path, &bases);
    return finish_bases(status, bases);
}

static sumac_status call_write(scene *s)
{
    return sumac_bases_write(s->context, s->bases, s->path, "raw");
}

static sumac_status call_read(scene *s)
{
    sumac_bases *bases = s->bases;
    const sumac_status status = sumac_bases_read(s->context, s->t->curve, s->path, "raw", NULL, &bases);
    return finish_bases(status, bases);
}

static sumac_status call_setup(scene *s)
{
    sumac_kzg_setup *setup = s->setup;
    const sumac_status status =
        sumac_kzg_setup_read(s->context, SUMAC_TEST_DATA "/kzg/trusted_setup.txt", SUMAC_CHECK_NONE, &setup);
    assert_true((status == SUMAC_OK) == (setup != NULL));
    sumac_kzg_setup_destroy(setup);
    return status;
}

static sumac_status call_commit(scene *s)
{
    uint8_t commitment[SUMAC_KZG_COMMITMENT_BYTES];
    return sumac_kzg_commit(s->context, s->setup, s->blob, 1, commitment);
}

/* A positive number before the word "bytes". */
static int names_bytes(const char *message)
{
    const char *bytes = strstr(message, " bytes");
    if (bytes == NULL || bytes == message || !isdigit((unsigned char)bytes[-1])) {
        return 0;
    }
    while (bytes > message && isdigit((unsigned char)bytes[-1])) {
        bytes--;
    }
    return strtoull(bytes, NULL, 10) > 0;
}

static void exhaust(scene *s, call run, const char *label)
{
    for (long successes = 0;; successes++) {
        if (successes > 1000) {
            test_abort("%s: it takes more than 1000 allocations", label);
        }
        allocations_left = successes;
        const sumac_status status = run(s);
        const int failed = allocations_left < 0; /* the one that fails was reached */
        allocations_left = -1;
        if (!failed) {
            if (status != SUMAC_OK) {
                test_abort("%s: status %d although no allocation failed", label, (int)status);
            }
            return;
        }
        /* A call may go on without memory that it can do without. */
        if (status != SUMAC_OK && status != SUMAC_OUT_OF_MEMORY) {
            test_abort("%s: status %d after allocation %ld failed", label, (int)status, successes);
        }
        const char *message = run == call_context ? s->reason : sumac_context_message(s->context);
        if (status == SUMAC_OUT_OF_MEMORY && !names_bytes(message)) {
            test_abort("%s: allocation %ld failed, and no bytes are named by \"%s\"", label, successes,
                       message);
        }
        test_msm(s->context, s->bases, s->scalars, COUNT, NULL, s->expected, "after an allocation failed");
    }
}

static void test_every_allocation(void **state)
{
    test_curve *t = *state;
    const size_t point = t->info->point_bytes;
    scene s = {.t = t};
    s.points = test_alloc(COUNT * point);
    s.scalars = test_alloc(COUNT * t->info->scalar_bytes);
    s.expected = test_alloc(point);
    s.result = test_alloc(point);
    s.partial = test_alloc(sumac_partial_bytes(t->curve, 1));
    test_random_points(t, s.points, NULL, COUNT);
    test_random_scalars(t, s.scalars, COUNT);
    oracle_msm(&t->oracle, s.expected, s.points, s.scalars, COUNT);
    snprintf(s.path, sizeof s.path, "/tmp/sumac-test-XXXXXX");
    const int descriptor = mkstemp(s.path);
    assert_true(descriptor >= 0);
    close(descriptor);
    s.context = test_context(1, 0);
    s.bases = test_bases(s.context, t, s.points, COUNT, NULL);
    exhaust(&s, call_context, "sumac_context_create");
    exhaust(&s, call_bases, "sumac_bases_create");
    exhaust(&s, call_known_bases, "sumac_known_bases");
    exhaust(&s, call_answer, "sumac_known_answer");
    for (int turn = 0; turn < 5; turn++) {
        exhaust(&s, call_msm, "sumac_msm");
        assert_memory_equal(s.result, s.expected, point);
    }
    exhaust(&s, call_partial, "sumac_msm_partial");
    exhaust(&s, call_combine, "sumac_partial_combine");
    exhaust(&s, call_save, "sumac_bases_save");
    exhaust(&s, call_load, "sumac_bases_load");
    exhaust(&s, call_write, "sumac_bases_write");
    exhaust(&s, call_read, "sumac_bases_read");
    const sumac_curve *g2; /* a setup has points of both */
    if (strcmp(t->info->name, "bls12-381") == 0 && strcmp(t->info->group, "g1") == 0 &&
        sumac_curve_find("bls12-381", "g2", &g2) == SUMAC_OK) {
        exhaust(&s, call_setup, "sumac_kzg_setup_read");
        test_status(s.context,
                    sumac_kzg_setup_read(s.context, SUMAC_TEST_DATA "/kzg/trusted_setup.txt",
                                         SUMAC_CHECK_NONE, &s.setup),
                    SUMAC_OK, "setup");
        s.blob = test_alloc(SUMAC_KZG_BLOB_BYTES);
        memset(s.blob, 0, SUMAC_KZG_BLOB_BYTES);
        exhaust(&s, call_commit, "sumac_kzg_commit");
        free(s.blob);
        sumac_kzg_setup_destroy(s.setup);
    }
    sumac_bases_destroy(s.bases);
    sumac_context_destroy(s.context);
    (void)unlink(s.path);
    free(s.points);
    free(s.scalars);
    free(s.expected);
    free(s.result);
    free(s.partial);
}

int main(int argc, char **argv)
{
    static const test_entry entries[] = {{"every allocation", test_every_allocation, TEST_EVERY_CURVE}};
    return test_main("memory", entries, sizeof entries / sizeof *entries, argc, argv);
}
