/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program measures a prover's loop on a GPU, for three polynomials on three streams. The loop has a copy, an
 * inverse NTT, an NTT on a coset, a product, an inverse NTT and a commitment. The program prints milliseconds in
 * JSON: those of the loop, of each step on one stream alone, of queueing (queue_ms), and of a commitment without a
 * stream (waiting_msm_ms). It verifies the commitments on the CPU.
 *
 *     bench_prover_loop [CURVE [LOG2]]      bn254, 20
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cuda_runtime_api.h>

#include "sumac/experimental.h"
#include "sumac/vector.h"

enum { POLYNOMIALS = 3, STEPS = 6, RUNS = 9, MOST_BYTES = 128 };

static const char *const step_names[STEPS] = {"copy",    "intt",       "coset_ntt",
                                              "product", "coset_intt", "commitment"};
static const unsigned char shift[MOST_BYTES] = {7};

/* A context with the objects that it uses. On the CPU it has no stream. */
typedef struct prover {
    sumac_context *context;
    cudaStream_t stream;
    sumac_vector *values, *factor, *work, *commitment;
} prover;

static size_t n;
static const sumac_group *group;
static sumac_bases *bases; /* null on the CPU, where known logarithms give the commitment */

static void check(const sumac_context *context, sumac_status status)
{
    if (status != SUMAC_OK) {
        fprintf(stderr, "%s: %s\n", sumac_status_text(status),
                context == NULL ? "" : sumac_context_message(context));
        exit(1);
    }
}

static void check_cuda(cudaError_t error)
{
    check(NULL, error == cudaSuccess ? SUMAC_OK : SUMAC_DEVICE_FAILED);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Block a stream until the calls behind this one are queued, so that the device never waits for the host between
 * them. */
static void wait_for_host(void *unused)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    (void)unused;
    nanosleep(&pause, NULL);
}

/* Make a prover. The values of polynomial i are powers of 3 + i, and those of its factor are powers of 5 + i. */
static prover make_prover(const char *backend, unsigned i)
{
    prover p = {0};
    const sumac_context_config config = {.size = sizeof config, .backend = backend};
    check(NULL, sumac_context_create(&config, &p.context, NULL));
    sumac_vector **const vectors[] = {&p.values, &p.factor, &p.work};
    for (unsigned v = 0; v < 3; v++) {
        const unsigned char ratio[MOST_BYTES] = {(unsigned char)(3 + 2 * v + i)};
        check(p.context, sumac_vector_create(p.context, group, SUMAC_VECTOR_SCALARS, n, vectors[v]));
        check(p.context, sumac_vector_fill(p.context, *vectors[v], ratio, sizeof ratio));
        check(p.context, sumac_vector_scale_powers(p.context, *vectors[v], NULL, 0, ratio, sizeof ratio, n));
    }
    check(p.context, sumac_vector_create(p.context, group, SUMAC_VECTOR_POINTS, 1, &p.commitment));
    return p;
}

static void end_prover(prover *p)
{
    sumac_vector *const vectors[] = {p->values, p->factor, p->work, p->commitment};
    sumac_context_destroy(p->context);
    for (int v = 0; v < 4; v++) {
        sumac_vector_destroy(vectors[v]);
    }
}

static void do_step(const prover *p, int step)
{
    const sumac_slice all = sumac_slice_of(0, n);
    sumac_transform_config config = {.size = sizeof config};
    config.inverse = step != 2;
    config.shift = step == 1 ? NULL : shift;
    config.shift_bytes = sizeof shift;
    check(p->context, step == 0   ? sumac_vector_copy(p->context, p->values, &all, p->work, &all)
                      : step == 3 ? sumac_vector_multiply(p->context, p->work, p->factor, 1, p->work)
                      : step == 5
                          ? sumac_msm_vectors(p->context, bases, p->work, 0, n, NULL, p->commitment, 0)
                          : sumac_vector_ntt(p->context, p->work, &config));
}

/* Measure each step on the stream of one prover, while the others are idle. The result is the least of all runs. */
static void time_steps(const prover *p, double *milliseconds)
{
    cudaEvent_t events[STEPS + 1];
    for (int e = 0; e <= STEPS; e++) {
        check_cuda(cudaEventCreate(&events[e]));
        milliseconds[e % STEPS] = INFINITY;
    }
    for (int run = -1; run < RUNS; run++) { /* the first run allocates, and does not count */
        check_cuda(cudaLaunchHostFunc(p->stream, wait_for_host, NULL));
        check_cuda(cudaEventRecord(events[0], p->stream));
        for (int step = 0; step < STEPS; step++) {
            do_step(p, step);
            check_cuda(cudaEventRecord(events[step + 1], p->stream));
        }
        check(p->context, sumac_context_wait(p->context));
        for (int step = 0; run >= 0 && step < STEPS; step++) {
            float took = 0;
            check_cuda(cudaEventElapsedTime(&took, events[step], events[step + 1]));
            milliseconds[step] = fmin(took, milliseconds[step]);
        }
    }
}

/* Compute the commitment of polynomial i on the CPU, and compare. */
static int is_right(const prover *p, unsigned i)
{
    unsigned char got[256], wanted[256];
    void *coefficients = malloc(n * group->scalar_bytes), *logarithms = malloc(n * group->scalar_bytes);
    check(NULL, coefficients == NULL || logarithms == NULL ? SUMAC_OUT_OF_MEMORY : SUMAC_OK);
    prover host = make_prover("cpu", i);
    for (int step = 0; step < STEPS - 1; step++) {
        do_step(&host, step);
    }
    check(host.context, sumac_vector_get(host.context, host.work, 0, n, NULL, coefficients,
                                         n * sumac_vector_group(host.work)->scalar_bytes));
    check(host.context,
          sumac_known_logarithms(host.context, group, n, 1, logarithms, n * group->scalar_bytes));
    check(host.context,
          sumac_known_answer(host.context, group, coefficients, n * group->scalar_bytes, logarithms,
                             n * group->scalar_bytes, n, wanted, group->point_bytes));
    check(p->context, sumac_vector_get(p->context, p->commitment, 0, 1, NULL, got, sizeof got));
    end_prover(&host);
    free(coefficients);
    free(logarithms);
    return memcmp(got, wanted, group->point_bytes) == 0;
}

int main(int argc, char **argv)
{
    prover provers[POLYNOMIALS];
    double steps[STEPS], sum = 0, least_queued = INFINITY, loop = INFINITY, waiting = INFINITY;
    int right = 1;
    n = (size_t)1 << (argc > 2 ? atoi(argv[2]) : 20);
    check(NULL, sumac_group_find(argc > 1 ? argv[1] : "bn254", "g1", &group));
    for (unsigned i = 0; i < POLYNOMIALS; i++) {
        provers[i] = make_prover("cuda", i);
        check_cuda(cudaStreamCreateWithFlags(&provers[i].stream, cudaStreamNonBlocking));
        check(provers[i].context, sumac_context_set_stream(provers[i].context, provers[i].stream));
    }
    check(provers[0].context, sumac_known_bases_create(provers[0].context, group, n, 1, NULL, &bases));
    for (int run = -1; run < RUNS; run++) { /* the first run allocates, and does not count */
        const double start = now();
        for (int k = 0; k < STEPS * POLYNOMIALS; k++) {
            do_step(&provers[k % POLYNOMIALS], k / POLYNOMIALS);
        }
        const double queued = now() - start;
        for (int i = 0; i < POLYNOMIALS; i++) {
            check(provers[i].context, sumac_context_wait(provers[i].context));
        }
        loop = run < 0 ? loop : fmin(now() - start, loop);
        least_queued = run < 0 ? least_queued : fmin(queued, least_queued);
    }
    time_steps(&provers[0], steps);
    check(provers[0].context, sumac_context_set_stream(provers[0].context, NULL));
    for (int run = 0; run < RUNS; run++) {
        const double start = now();
        do_step(&provers[0], STEPS - 1);
        waiting = fmin(now() - start, waiting);
    }
    for (unsigned i = 0; i < POLYNOMIALS; i++) {
        right &= is_right(&provers[i], i);
    }
    sumac_context_info info = {.size = sizeof info};
    check(provers[0].context, sumac_context_describe(provers[0].context, &info));
    printf("{\"device\": \"%s\", \"curve\": \"%s\", \"n\": %zu, \"polynomials\": %d,", info.device_names[0],
           group->curve, n, POLYNOMIALS);
    for (int step = 0; step < STEPS; step++) {
        printf(" \"%s_ms\": %.4f,", step_names[step], steps[step]);
        sum += POLYNOMIALS * steps[step];
    }
    printf(" \"waiting_msm_ms\": %.4f, \"queue_ms\": %.4f,", waiting, least_queued);
    printf(" \"sum_ms\": %.4f, \"loop_ms\": %.4f, \"ratio\": %.4f, \"verified\": %s}\n", sum, loop,
           loop / sum, right ? "true" : "false");
    for (int i = 0; i < POLYNOMIALS; i++) {
        end_prover(&provers[i]);
        check_cuda(cudaStreamDestroy(provers[i].stream));
    }
    sumac_bases_destroy(bases);
    return !right;
}
