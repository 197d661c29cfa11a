/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program measures an MSM over the ranks of an MPI job. Each rank has one thread. Rank 0 prints a row of JSON:
 *
 *   mpirun -n RANKS bench_mpi_ranks CURVE LOG2 RUNS [processor]
 *
 * `min_ms` and `median_ms` are the wall time of sumac_mpi_msm(). It begins when all ranks have begun, and ends when
 * the last rank has the result. `empty_ms` is the time of a call without scalars: agreements, gathering and
 * additions. With the word `processor` these three are left out, because they mean little if there are fewer cores
 * than ranks.
 *
 * `work_ms` has, for each rank, the processor time of the MSM of its shard, which is the least of the runs. One rank
 * works at a time while the others sleep, so that it has a whole core. `combine_ms` is the processor time of adding
 * COMBINED partial results.
 *
 * `verified` is true if the result equals the one that follows from the bases' known logarithms.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sumac/experimental.h"
#include "sumac/mpi.h"
#include "sumac/sumac.h"

enum {
    COMBINED = 512,
    LOG2_MOST = 26,
    RUNS_MOST = 1000,
    SEED = 1,
    POINT_BYTES_MOST = 1024,
    SCALAR_WORDS_MOST = 16
};

typedef struct bench {
    const sumac_group *group;
    const sumac_group *info;
    size_t n, first, shard_n; /* the number of bases of all ranks, and this rank's shard */
    int runs, by_clock;
    int rank, count;
    sumac_context *context;
    sumac_mpi_ranks *ranks;
    sumac_mpi_bases *bases;
    unsigned char *scalars; /* for all ranks; the shard's begin at `first` */
    double *times;          /* one for each run */
    double *works;          /* one for each rank; only on rank 0 */
    double clock_min, clock_median, empty, combine;
    int verified;
} bench;

static double milliseconds_of(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int compare_times(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void summarize(bench *b, double *least, double *median)
{
    qsort(b->times, (size_t)b->runs, sizeof *b->times, compare_times);
    *least = b->times[0];
    *median = b->times[b->runs / 2];
}

static double most_of_ranks(double own)
{
    double most = own;
    (void)MPI_Allreduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

/* Wait for all ranks, as MPI_Barrier() does, but without keeping a core busy. */
static void sleep_until_all_are_here(void)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    MPI_Request request;
    int done = 0;
    (void)MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done) {
        (void)nanosleep(&pause, NULL);
    }
}

/* Return the next number of splitmix64. */
static uint64_t next_word(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* Draw a scalar uniformly from [0, r). If a number is not less than r, draw again. */
static void draw_scalar(const sumac_group *info, uint64_t *state, uint64_t *scalar)
{
    const uint32_t words = info->scalar_bytes / 8;
    const uint64_t top = UINT64_MAX >> (64 * words - info->scalar_bits);
    do {
        for (uint32_t i = 0; i < words; i++) {
            scalar[i] = next_word(state);
        }
        scalar[words - 1] &= top;
    } while (scalar[words - 1] >= info->order[words - 1]);
}

static sumac_status make_scalars(bench *b)
{
    const size_t bytes = b->info->scalar_bytes;
    uint64_t scalar[SCALAR_WORDS_MOST], state = SEED;
    b->scalars = malloc(b->n * bytes);
    if (b->scalars == NULL || bytes > sizeof scalar) {
        return SUMAC_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < b->n; i++) {
        draw_scalar(b->info, &state, scalar);
        memcpy(b->scalars + i * bytes, scalar, bytes);
    }
    return SUMAC_OK;
}

/* Make the bases of this rank's shard. Every rank makes all bases, and keeps those of its shard. */
static sumac_status make_bases(bench *b)
{
    sumac_bases *known = NULL;
    unsigned char *points = malloc((b->shard_n + 1) * b->info->point_bytes);
    sumac_status status = points == NULL
                              ? SUMAC_OUT_OF_MEMORY
                              : sumac_known_bases_create(b->context, b->group, b->n, SEED, NULL, &known);
    if (status == SUMAC_OK) {
        status = sumac_bases_get(b->context, known, b->first, b->shard_n, points,
                                 b->shard_n * b->info->point_bytes);
    }
    sumac_bases_destroy(known);
    sumac_message message;
    status = sumac_mpi_agree(MPI_COMM_WORLD, status, sumac_context_message(b->context), &message);
    if (status == SUMAC_OK) {
        status = sumac_mpi_bases_create(b->ranks, b->group, points, b->shard_n * b->info->point_bytes,
                                        b->shard_n, NULL, &b->bases);
    }
    free(points);
    return status;
}

static const unsigned char *shard_scalars(const bench *b)
{
    return b->scalars + b->first * b->info->scalar_bytes;
}

static size_t shard_bytes(const bench *b)
{
    return b->shard_n * b->info->scalar_bytes;
}

static sumac_status verify(bench *b, const unsigned char *result)
{
    unsigned char answer[POINT_BYTES_MOST];
    unsigned char *logarithms = malloc(b->n * b->info->scalar_bytes);
    sumac_status status =
        logarithms == NULL || b->info->point_bytes > sizeof answer ? SUMAC_OUT_OF_MEMORY : SUMAC_OK;
    if (status == SUMAC_OK) {
        status = sumac_known_logarithms(b->context, b->group, b->n, SEED, logarithms,
                                        b->n * b->info->scalar_bytes);
    }
    if (status == SUMAC_OK) {
        status = sumac_known_answer(b->context, b->group, b->scalars, b->n * b->info->scalar_bytes,
                                    logarithms, b->n * b->info->scalar_bytes, b->n, answer, sizeof answer);
    }
    free(logarithms);
    b->verified = status == SUMAC_OK && memcmp(answer, result, b->info->point_bytes) == 0;
    return status;
}

/* Time `runs` calls. A first call precedes them, and is not counted. */
static sumac_status time_ranks(bench *b, size_t n, double *least, double *median, unsigned char *result)
{
    sumac_status status = SUMAC_OK;
    for (int run = -1; run < b->runs && status == SUMAC_OK; run++) {
        (void)MPI_Barrier(MPI_COMM_WORLD);
        const double start = milliseconds_of(CLOCK_MONOTONIC);
        status = sumac_mpi_msm(b->ranks, b->bases, shard_scalars(b), shard_bytes(b), n, NULL, result,
                               POINT_BYTES_MOST);
        const double time = most_of_ranks(milliseconds_of(CLOCK_MONOTONIC) - start);
        b->times[run < 0 ? 0 : run] = time;
    }
    summarize(b, least, median);
    return status;
}

static sumac_status time_own_work(bench *b, double *least)
{
    unsigned char result[POINT_BYTES_MOST];
    double median;
    sumac_status status = SUMAC_OK;
    for (int run = -1; run < b->runs && status == SUMAC_OK; run++) {
        const double start = milliseconds_of(CLOCK_PROCESS_CPUTIME_ID);
        status = sumac_msm(b->context, sumac_mpi_bases_shard(b->bases), shard_scalars(b), shard_bytes(b),
                           b->shard_n, NULL, result, sizeof result);
        b->times[run < 0 ? 0 : run] = milliseconds_of(CLOCK_PROCESS_CPUTIME_ID) - start;
    }
    summarize(b, least, &median);
    return status;
}

static sumac_status time_work_in_turns(bench *b)
{
    sumac_status status = SUMAC_OK;
    double least = 0;
    for (int turn = 0; turn < b->count; turn++) {
        if (turn == b->rank) {
            status = time_own_work(b, &least);
        }
        sleep_until_all_are_here();
    }
    (void)MPI_Gather(&least, 1, MPI_DOUBLE, b->works, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return status;
}

static sumac_status time_combine(bench *b)
{
    const void *pointers[COMBINED];
    unsigned char result[POINT_BYTES_MOST];
    const size_t bytes = sumac_partial_bytes(b->group, 1);
    unsigned char *partial = malloc(bytes);
    sumac_status status =
        partial == NULL
            ? SUMAC_OUT_OF_MEMORY
            : sumac_msm_partial(b->context, sumac_mpi_bases_shard(b->bases), shard_scalars(b), shard_bytes(b),
                                b->shard_n < 8 ? b->shard_n : 8, NULL, partial, bytes);
    for (int i = 0; i < COMBINED; i++) {
        pointers[i] = partial;
    }
    for (int run = 0; run < b->runs && status == SUMAC_OK; run++) {
        const double start = milliseconds_of(CLOCK_PROCESS_CPUTIME_ID);
        status =
            sumac_partial_combine(b->context, b->group, pointers, bytes, COMBINED, 1, result, sizeof result);
        b->times[run] = milliseconds_of(CLOCK_PROCESS_CPUTIME_ID) - start;
    }
    double median;
    summarize(b, &b->combine, &median);
    free(partial);
    return status;
}

static sumac_status measure(bench *b)
{
    unsigned char result[POINT_BYTES_MOST];
    double median;
    sumac_status status = time_work_in_turns(b);
    if (status == SUMAC_OK) {
        status = time_combine(b);
    }
    sumac_message message;
    status = sumac_mpi_agree(MPI_COMM_WORLD, status, sumac_context_message(b->context), &message);
    if (status == SUMAC_OK) {
        status = b->by_clock ? time_ranks(b, b->n, &b->clock_min, &b->clock_median, result)
                             : sumac_mpi_msm(b->ranks, b->bases, shard_scalars(b), shard_bytes(b), b->n, NULL,
                                             result, sizeof result);
    }
    if (status == SUMAC_OK && b->by_clock) {
        unsigned char infinity[POINT_BYTES_MOST];
        status = time_ranks(b, 0, &b->empty, &median, infinity);
    }
    return status == SUMAC_OK && b->rank == 0 ? verify(b, result) : status;
}

static sumac_status print_row(const bench *b)
{
    char *plan;
    sumac_context_info info = {.size = sizeof info};
    sumac_status status = sumac_context_describe(b->context, &info);
    if (status == SUMAC_OK) {
        status = sumac_msm_plan(b->context, sumac_mpi_bases_shard(b->bases), b->shard_n, NULL, &plan);
    }
    if (status != SUMAC_OK) {
        return status;
    }
    printf("{\"curve\": \"%s\", \"group\": \"%s\", \"n\": %zu, \"ranks\": %d, \"threads\": 1, "
           "\"backend\": \"%s\", \"variant\": \"%s\", \"runs\": %d, "
           "\"plan\": %s, ",
           b->info->curve, b->info->name, b->n, b->count, info.backend, info.variant, b->runs, plan);
    sumac_free(plan);
    if (b->by_clock) {
        printf("\"min_ms\": %.3f, \"median_ms\": %.3f, \"empty_ms\": %.4f, ", b->clock_min, b->clock_median,
               b->empty);
    }
    printf("\"work_ms\": [");
    for (int rank = 0; rank < b->count; rank++) {
        printf("%s%.3f", rank > 0 ? ", " : "", b->works[rank]);
    }
    printf("], \"combined\": %d, \"combine_ms\": %.4f, \"verified\": %s}\n", COMBINED, b->combine,
           b->verified ? "true" : "false");
    return status;
}

static sumac_status prepare_and_measure(bench *b)
{
    sumac_message message;
    sumac_context_config config = {.size = sizeof config};
    config.backend = "cpu";
    config.threads = 1;
    sumac_status status = sumac_context_create(&config, &b->context, NULL);
    status = sumac_mpi_agree(MPI_COMM_WORLD, status, "no context", &message);
    if (status == SUMAC_OK) {
        status = sumac_mpi_create(MPI_COMM_WORLD, b->context, &b->ranks, &message);
    }
    if (status == SUMAC_OK) {
        status = sumac_mpi_agree(MPI_COMM_WORLD, make_scalars(b), "no memory", &message);
    }
    if (status == SUMAC_OK) {
        status = make_bases(b);
    }
    if (status == SUMAC_OK) {
        status = measure(b);
    }
    return status == SUMAC_OK && b->rank == 0 ? print_row(b) : status;
}

static int take_arguments(bench *b, int argc, char **argv)
{
    const unsigned long log2 = argc > 2 ? strtoul(argv[2], NULL, 10) : LOG2_MOST + 1;
    const long runs = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
    if (log2 > LOG2_MOST || runs < 1 || runs > RUNS_MOST ||
        sumac_group_find(argv[1], "g1", &b->group) != SUMAC_OK) {
        return 0;
    }
    b->info = b->group;
    b->n = (size_t)1 << log2;
    b->first = b->n * (size_t)b->rank / (size_t)b->count;
    b->shard_n = b->n * ((size_t)b->rank + 1) / (size_t)b->count - b->first;
    b->runs = (int)runs;
    b->by_clock = argc < 5 || strcmp(argv[4], "processor") != 0;
    b->times = calloc((size_t)runs, sizeof *b->times);
    b->works = calloc((size_t)b->count, sizeof *b->works);
    return b->times != NULL && b->works != NULL && b->info->point_bytes <= POINT_BYTES_MOST;
}

int main(int argc, char **argv)
{
    bench b = {.group = NULL};
    sumac_status status = SUMAC_BAD_ARGUMENT;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) {
        return 3;
    }
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &b.count);
    if (take_arguments(&b, argc, argv)) {
        status = prepare_and_measure(&b);
    }
    if (status != SUMAC_OK) {
        (void)fprintf(stderr, "rank %d: %s: %s\n", b.rank, sumac_status_text(status),
                      b.ranks != NULL ? sumac_mpi_message(b.ranks) : "");
    }
    sumac_mpi_bases_destroy(b.bases);
    sumac_mpi_destroy(b.ranks);
    sumac_context_destroy(b.context);
    free(b.scalars);
    free(b.times);
    free(b.works);
    (void)MPI_Finalize();
    return status != SUMAC_OK || (b.rank == 0 && !b.verified);
}
