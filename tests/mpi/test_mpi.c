/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program tests libsumac_mpi on the ranks of an MPI job. The oracle is the same MSM in one process.
 *
 *   mpirun -n R test_mpi FOLDER     runs the tests; all ranks can write to the folder
 *   mpirun -n R test_mpi --die      ends the last rank in the middle of a call, which never returns
 *
 * If a check fails, the job ends, because the other ranks may be waiting.
 */
#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sumac/mpi.h"
#include "support/cleanup.h"
#include "support/exact.h"
#include "support/failing.h"
#include "support/known.h"
#include "support/tuning.h"

TEST_DESTROYS(destroy_mpi_bases, sumac_mpi_bases, sumac_mpi_bases_destroy)
TEST_DESTROYS(destroy_ranks, sumac_mpi_ranks, sumac_mpi_destroy)

enum { SEED = 5, MOST_POINT_BYTES = 400 };

static int rank, rank_count;
static const char *folder;
static sumac_message message;

static void check_that(int holds, const char *what, int line, const sumac_mpi_ranks *ranks)
{
    if (!holds) {
        fprintf(stderr, "rank %d of %d, line %d: not %s; %s\n", rank, rank_count, line, what,
                ranks != NULL ? sumac_mpi_message(ranks) : message.text);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}
#define CHECK(holds) check_that((holds) != 0, #holds, __LINE__, NULL)
#define CHECK_RANKS(ranks, holds) check_that((holds) != 0, #holds, __LINE__, ranks)

/* Call sumac_mpi_msm() with memory of exactly as many bytes as the call needs on this rank. */
static sumac_status exact_mpi_msm(sumac_mpi_ranks *ranks, const sumac_mpi_bases *bases, const void *scalars,
                                  size_t n, const sumac_msm_config *config, void *results)
{
    const sumac_bases *shard = sumac_mpi_bases_shard(bases);
    size_t first, part = n;
    (void)!sumac_mpi_bases_part(bases, config == NULL ? 0 : config->first, n, &first, &part);
    return sumac_mpi_msm(ranks, bases, scalars, exact_scalars(shard, part, config), n, config, results,
                         exact_results(shard, config));
}

/* Imitate a rank whose libsumac has another version. */
static int other_version_on = -1;
const char *__real_sumac_version(void);
const char *__wrap_sumac_version(void);
const char *__wrap_sumac_version(void)
{
    return rank == other_version_on ? "9.9.9" : __real_sumac_version();
}

/* This is an event at the next read of a file by this rank: the file ends, or it changes. */
typedef struct surprise {
    int ends;
    const char *touched;
} surprise;
static surprise next_read;

ssize_t __real_pread(int descriptor, void *bytes, size_t count, off_t offset);
ssize_t __wrap_pread(int descriptor, void *bytes, size_t count, off_t offset);
ssize_t __wrap_pread(int descriptor, void *bytes, size_t count, off_t offset)
{
    static time_t then = 1; /* a new time for each change, because clocks of file systems tick slowly */
    const surprise now = next_read;
    next_read = (surprise){.ends = 0};
    if (now.ends) {
        return 0;
    }
    if (now.touched != NULL) {
        const struct timespec times[2] = {{.tv_sec = then}, {.tv_sec = then}};
        CHECK(utimensat(AT_FDCWD, now.touched, times, 0) == 0);
        then++;
    }
    return __real_pread(descriptor, bytes, count, offset);
}

static int last_rank(void)
{
    return rank_count - 1;
}

/* Return one argument on the last rank, and another one on the others. */
#define LAST(last, others) (rank == last_rank() ? (last) : (others))

static void wait_for_all(void)
{
    CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
}

/* Return a path in the folder, which is the same on all ranks. The path is valid until three more calls of this
 * function. */
static const char *in_folder(const char *name)
{
    static char names[4][1024];
    static int next;
    next = (next + 1) % 4;
    snprintf(names[next], sizeof names[next], "%s/%s", folder, name);
    return names[next];
}

static void write_file(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
}

/* Check that the message names this rank, and contains this text. */
static void expect_sentence(const char *sentence, int failed_rank, const char *part)
{
    char prefix[32];
    snprintf(prefix, sizeof prefix, "rank %d: ", failed_rank);
    if (strncmp(sentence, prefix, strlen(prefix)) != 0 || strstr(sentence, part) == NULL) {
        fprintf(stderr, "rank %d of %d: the sentence \"%s\" is not \"%s... %s\"\n", rank, rank_count,
                sentence, prefix, part);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Check that all ranks have this status and message. */
static void expect_failure(const sumac_mpi_ranks *ranks, sumac_status status, sumac_status expected,
                           int failed_rank, const char *part)
{
    CHECK_RANKS(ranks, status == expected);
    expect_sentence(sumac_mpi_message(ranks), failed_rank, part);
}

static sumac_context *make_context(void (*trace)(void *, const sumac_trace_event *))
{
    sumac_context *context;
    sumac_context_config config = {.size = sizeof config};
    config.backend = "cpu";
    config.threads = 1;
    config.trace = trace;
    CHECK(sumac_context_create(&config, &context, NULL) == SUMAC_OK);
    return context;
}

static sumac_mpi_ranks *make_ranks(sumac_context *context)
{
    sumac_mpi_ranks *ranks;
    CHECK(sumac_mpi_create(MPI_COMM_WORLD, context, &ranks, &message) == SUMAC_OK);
    return ranks;
}

/* This is an MSM that every rank knows. It has points, scalars and results, and files of them. */
typedef struct world {
    sumac_context *context;
    sumac_mpi_ranks *ranks;
    const sumac_group *group;
    const sumac_group *info;
    size_t n;
    uint32_t batch;
    uint8_t *points, *scalars, *expected;
    char bases_path[1024], scalars_path[1024];
} world;

static void expect_of_one_process(world *w, size_t first, size_t n, const uint8_t *scalars, uint8_t *results)
{
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    sumac_msm_config config = {.size = sizeof config};
    config.first = first;
    config.batch = w->batch;
    CHECK(exact_create(w->context, w->group, w->points, w->n, NULL, &bases) == SUMAC_OK);
    CHECK(exact_msm(w->context, bases, scalars, n, &config, results) == SUMAC_OK);
}

static world make_world(const sumac_group *group, size_t n, uint32_t batch)
{
    world w = {.group = group, .info = group, .n = n, .batch = batch};
    sumac_bases *bases;
    w.context = make_context(NULL);
    w.ranks = make_ranks(w.context);
    w.points = malloc((n + 1) * w.info->point_bytes);
    w.scalars = malloc((n * batch + 1) * w.info->scalar_bytes);
    w.expected = malloc((size_t)batch * w.info->point_bytes);
    CHECK(w.points != NULL && w.scalars != NULL && w.expected != NULL);
    CHECK(sumac_known_bases_create(w.context, group, n, SEED, NULL, &bases) == SUMAC_OK);
    CHECK(exact_get(w.context, bases, 0, n, w.points) == SUMAC_OK);
    sumac_bases_destroy(bases);
    CHECK(test_known_logarithms(w.context, group, n * batch, SEED + 1, w.scalars) == SUMAC_OK);
    expect_of_one_process(&w, 0, n, w.scalars, w.expected);
    snprintf(w.bases_path, sizeof w.bases_path, "%s", in_folder("bases"));
    snprintf(w.scalars_path, sizeof w.scalars_path, "%s", in_folder("scalars"));
    wait_for_all(); /* other ranks may still read the files of the last world */
    if (rank == 0) {
        write_file(w.bases_path, w.points, n * w.info->point_bytes);
        write_file(w.scalars_path, w.scalars, n * batch * w.info->scalar_bytes);
    }
    wait_for_all();
    return w;
}

static void end_world(world *w)
{
    sumac_mpi_destroy(w->ranks);
    sumac_context_destroy(w->context);
    free(w->points);
    free(w->scalars);
    free(w->expected);
}

static sumac_mpi_bases *read_bases_as(world *w, const char *format)
{
    sumac_mpi_bases *bases;
    sumac_bases_config config = {.size = sizeof config};
    config.check = SUMAC_CHECK_CURVE;
    CHECK_RANKS(w->ranks,
                sumac_mpi_bases_open(w->ranks, w->group, w->bases_path, format, &config, &bases) == SUMAC_OK);
    CHECK(sumac_mpi_bases_count(bases) == w->n);
    return bases;
}

static void refuse_bases(sumac_mpi_ranks *ranks, const sumac_group *group, const char *path,
                         const char *format, sumac_status status, int failed_rank, const char *part)
{
    sumac_mpi_bases *bases = NULL;
    expect_failure(ranks, sumac_mpi_bases_open(ranks, group, path, format, NULL, &bases), status, failed_rank,
                   part);
    CHECK(bases == NULL);
}

static void refuse_scalars(sumac_mpi_ranks *ranks, const sumac_mpi_bases *bases, const char *path,
                           size_t first, uint32_t batch, sumac_status status, int failed_rank,
                           const char *part)
{
    size_t n = 99;
    void *scalars = NULL;
    expect_failure(ranks,
                   sumac_mpi_scalars_read(ranks, bases, path, first, batch, &scalars, &(size_t){0}, &n),
                   status, failed_rank, part);
    CHECK(scalars == NULL && n == 99);
}

static sumac_mpi_bases *read_bases(world *w)
{
    return read_bases_as(w, "raw");
}

/* Check on every rank that the MSM of the scalars' file over these bases gives the expected result, and free the
 * bases. */
static void expect_sum_over(world *w, sumac_mpi_bases *bases)
{
    void *scalars;
    size_t n = 99;
    AUTO_FREE uint8_t *results = malloc((size_t)w->batch * w->info->point_bytes);
    CHECK_RANKS(w->ranks, sumac_mpi_scalars_read(w->ranks, bases, w->scalars_path, 0, w->batch, &scalars,
                                                 &(size_t){0}, &n) == SUMAC_OK);
    CHECK(results != NULL && n == w->n);
    sumac_msm_config config = {.size = sizeof config};
    config.batch = w->batch;
    CHECK_RANKS(w->ranks, exact_mpi_msm(w->ranks, bases, scalars, n, &config, results) == SUMAC_OK);
    CHECK(sumac_mpi_message(w->ranks)[0] == '\0');
    CHECK(memcmp(results, w->expected, (size_t)w->batch * w->info->point_bytes) == 0);
    sumac_free(scalars);
    sumac_mpi_bases_destroy(bases);
}

static void expect_sum_of_files(world *w)
{
    expect_sum_over(w, read_bases(w));
}

/* ---- Sums ---- */

/* Try sizes that the number of ranks does not divide, fewer bases than ranks, and no bases. The weights are equal,
 * unequal or zero. */
static void test_files(const sumac_group *group)
{
    static const size_t sizes[] = {0, 1, 3, 257};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CLEANUP(end_world) world w = make_world(group, sizes[i], i % 2 == 0 ? 3 : 1);
        expect_sum_of_files(&w);
        CHECK(sumac_mpi_set_weight(w.ranks, rank + 0.3) == SUMAC_OK);
        expect_sum_of_files(&w);
        CHECK(sumac_mpi_set_weight(w.ranks, rank == rank_count / 2 ? 1e-300 : 0) == SUMAC_OK);
        expect_sum_of_files(&w);
    }
}

/* If the file is a table of multiples or a window table, each rank reads only what belongs to its bases. */
static void test_table(const sumac_group *group)
{
    CLEANUP(end_world) world w = make_world(group, 50, 3);
    for (int digits = 0; digits < 2; digits++) {
        sumac_bases_config config = {.size = sizeof config};
        config.tuning = test_tuning("c=%u", digits ? 3 : 5);
        config.precompute_factor = digits ? 1 : 3;
        config.tables = digits ? SUMAC_TABLES_WINDOWS : SUMAC_TABLES_MULTIPLES;
        config.table_bytes = (uint64_t)1 << 30;
        wait_for_all();
        if (rank == 0) {
            CLEANUP(destroy_bases) sumac_bases *bases = NULL;
            CHECK(exact_create(w.context, group, w.points, w.n, &config, &bases) == SUMAC_OK);
            CHECK(sumac_bases_save(w.context, bases, in_folder("table"), NULL) == SUMAC_OK);
        }
        wait_for_all();
        snprintf(w.bases_path, sizeof w.bases_path, "%s", in_folder("table"));
        for (int shares = 0; shares < 2; shares++) {
            CHECK(sumac_mpi_set_weight(w.ranks, shares ? rank + (rank_count == 1) : 1) == SUMAC_OK);
            sumac_mpi_bases *bases = read_bases_as(&w, shares ? "table" : NULL);
            CHECK(info_of(sumac_mpi_bases_shard(bases)).tables == config.tables);
            expect_sum_over(&w, bases);
        }
    }
}

/* Shards are as large as the weights say. */
static void test_shares(const sumac_group *group)
{
    CLEANUP(end_world) world w = make_world(group, 100, 1);
    size_t before = 0, first = 99, n = 99;
    const int total = rank_count * (rank_count + 1) / 2;
    CHECK(sumac_mpi_weight(w.ranks) == 1);
    CHECK(sumac_mpi_set_weight(w.ranks, 7 * (rank + 1)) == SUMAC_OK);
    sumac_mpi_bases *bases = read_bases(&w);
    before = 100 * (size_t)(rank * (rank + 1) / 2) / (size_t)total;
    const size_t end = 100 * (size_t)((rank + 1) * (rank + 2) / 2) / (size_t)total;
    CHECK(sumac_mpi_bases_part(bases, 0, 100, &first, &n) == SUMAC_OK);
    CHECK(first + 1 >= before && first <= before + 1 && first + n + 1 >= end && first + n <= end + 1);
    CHECK(sumac_bases_count(sumac_mpi_bases_shard(bases)) == n);
    CHECK(sumac_mpi_bases_part(bases, 50, 51, &first, &n) == SUMAC_BAD_LENGTH);
    CHECK(sumac_mpi_bases_part(bases, SIZE_MAX, 2, &first, &n) == SUMAC_BAD_LENGTH);
    sumac_mpi_bases_destroy(bases);
    CHECK(sumac_mpi_set_weight(w.ranks, -1) == SUMAC_BAD_ARGUMENT);
    CHECK(sumac_mpi_set_weight(w.ranks, NAN) == SUMAC_BAD_ARGUMENT);
    CHECK(sumac_mpi_set_weight(w.ranks, INFINITY) == SUMAC_BAD_ARGUMENT);
    CHECK_RANKS(w.ranks, sumac_mpi_measure_weight(w.ranks, group, 64) == SUMAC_OK);
    CHECK(sumac_mpi_weight(w.ranks) > 0 && sumac_mpi_weight(w.ranks) != 1);
    expect_sum_of_files(&w);
    CHECK(sumac_mpi_set_weight(w.ranks, 0) == SUMAC_OK);
    refuse_bases(w.ranks, group, w.bases_path, NULL, SUMAC_BAD_ARGUMENT, 0, "weights");
    expect_failure(w.ranks, sumac_mpi_measure_weight(w.ranks, group, LAST(0, 64)), SUMAC_BAD_ARGUMENT,
                   last_rank(), "n is 0");
}

/* Rank r passes 10*r bases from memory. MSMs use all bases or a part of them, with multiples, and as a batch. */
static void test_memory(const sumac_group *group)
{
    enum { BATCH = 2 };
    const size_t all = 10 * (size_t)(rank_count * last_rank() / 2);
    CLEANUP(end_world) world w = make_world(group, all, BATCH);
    const size_t before = 10 * (size_t)(rank * (rank - 1) / 2), bytes = w.info->scalar_bytes;
    CLEANUP(destroy_mpi_bases) sumac_mpi_bases *bases = NULL;
    sumac_bases_config config = {.size = sizeof config};
    config.precompute_factor = 3;
    CHECK_RANKS(w.ranks, sumac_mpi_bases_create(w.ranks, group, w.points + before * w.info->point_bytes,
                                                (10 * (size_t)rank) * group->point_bytes, 10 * (size_t)rank,
                                                &config, &bases) == SUMAC_OK);
    CHECK(sumac_mpi_bases_count(bases) == all);
    uint8_t results[BATCH * MOST_POINT_BYTES], expected[BATCH * MOST_POINT_BYTES];
    for (size_t first = 0; first < all; first += 13) {
        for (size_t n = 4; n <= all - first; n += 17) {
            size_t part_first, part_n;
            sumac_msm_config call = {.size = sizeof call};
            call.first = first;
            call.batch = BATCH;
            CHECK(sumac_mpi_bases_part(bases, first, n, &part_first, &part_n) == SUMAC_OK);
            AUTO_FREE uint8_t *part = part_n == 0 ? NULL : malloc(BATCH * part_n * bytes);
            for (size_t j = 0; part != NULL && j < BATCH; j++) {
                memcpy(part + j * part_n * bytes, w.scalars + (j * n + part_first) * bytes, part_n * bytes);
            }
            expect_of_one_process(&w, first, n, w.scalars, expected);
            CHECK_RANKS(w.ranks, exact_mpi_msm(w.ranks, bases, part, n, &call, results) == SUMAC_OK);
            CHECK(memcmp(results, expected, BATCH * w.info->point_bytes) == 0);
        }
    }
}

/* ---- Distributing single items ---- */

/* Check that the ranks' parts follow each other without a gap. Return where this rank's part begins. */
static size_t expect_parts(sumac_mpi_ranks *ranks, size_t n, size_t *count)
{
    uint64_t part[2], all[2 * 64], next = 0;
    size_t first = 99;
    *count = 99;
    CHECK(rank_count <= 64);
    CHECK_RANKS(ranks, sumac_mpi_part(ranks, n, &first, count) == SUMAC_OK);
    part[0] = first;
    part[1] = *count;
    CHECK(MPI_Allgather(part, 2, MPI_UINT64_T, all, 2, MPI_UINT64_T, MPI_COMM_WORLD) == MPI_SUCCESS);
    for (int r = 0; r < rank_count; r++) {
        CHECK(all[2 * r] == next);
        next += all[2 * r + 1];
    }
    CHECK(next == n);
    return first;
}

/* Try numbers that the ranks divide and numbers that they do not, numbers below that of the ranks, and 0. Try a rank
 * with weight 0, and weights 1, 2, 3, ... */
static void test_part(void)
{
    static const size_t numbers[] = {0, 1, 3, 60, 257};
    CLEANUP(destroy_context) sumac_context *context = make_context(NULL);
    CLEANUP(destroy_ranks) sumac_mpi_ranks *ranks = make_ranks(context);
    const size_t all = (size_t)(rank_count * (rank_count + 1) / 2);
    size_t first = 99, count = 99;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const size_t n = numbers[i];
        CHECK(sumac_mpi_set_weight(ranks, 1) == SUMAC_OK);
        (void)expect_parts(ranks, n, &count);
        CHECK(count <= n / (size_t)rank_count + 1 && count + 1 >= n / (size_t)rank_count);
        const size_t alike = count;
        CHECK(sumac_mpi_set_weight(ranks, 1e308) == SUMAC_OK); /* the sum of these weights is infinite */
        (void)expect_parts(ranks, n, &count);
        CHECK(count == alike);
        CHECK(sumac_mpi_set_weight(ranks, rank + 1) == SUMAC_OK);
        const size_t begin = n * (size_t)(rank * (rank + 1) / 2) / all;
        first = expect_parts(ranks, n, &count);
        CHECK(first + 1 >= begin && first <= begin + 1);
        CHECK(sumac_mpi_set_weight(ranks, rank == last_rank() && rank > 0 ? 0 : 7) == SUMAC_OK);
        (void)expect_parts(ranks, n, &count);
        CHECK(count == 0 || rank == 0 || rank != last_rank());
    }
    if (rank_count > 1) {
        first = 99;
        expect_failure(ranks, sumac_mpi_part(ranks, LAST(5, 6), &first, &count), SUMAC_MISMATCH, last_rank(),
                       "another number than rank 0's: 5, not 6");
    }
    expect_failure(ranks, sumac_mpi_part(ranks, 6, LAST(NULL, &first), &count), SUMAC_BAD_ARGUMENT,
                   last_rank(), "null");
    CHECK(sumac_mpi_set_weight(ranks, 0) == SUMAC_OK);
    expect_failure(ranks, sumac_mpi_part(ranks, 6, &first, &count), SUMAC_BAD_ARGUMENT, 0, "weights");
    CHECK(first == 99 || rank_count == 1);
    CHECK(sumac_mpi_part(NULL, 6, &first, &count) == SUMAC_BAD_ARGUMENT);
}

static void test_agreements(void)
{
    enum { LONG = 300 };
    char text[LONG + 1];
    CLEANUP(destroy_context) sumac_context *context = make_context(NULL);
    CLEANUP(destroy_ranks) sumac_mpi_ranks *ranks = make_ranks(context);
    const char *one = in_folder("one"), *other = in_folder("other");
    memset(text, 'x', LONG);
    text[LONG] = '\0';
    CHECK_RANKS(ranks, sumac_mpi_agree_on_text(ranks, "word", text) == SUMAC_OK);
    expect_failure(ranks, sumac_mpi_agree_on_text(ranks, "word", LAST(NULL, "a")), SUMAC_BAD_ARGUMENT,
                   last_rank(), "null");
    CHECK(sumac_mpi_agree_on_text(NULL, "word", "a") == SUMAC_BAD_ARGUMENT);
    CHECK(sumac_mpi_agree_on_file(NULL, "list", one) == SUMAC_BAD_ARGUMENT);
    wait_for_all();
    if (rank == 0) {
        write_file(one, text, LONG);
        write_file(other, text, LONG - 1);
    }
    wait_for_all();
    CHECK_RANKS(ranks, sumac_mpi_agree_on_file(ranks, "list", one) == SUMAC_OK);
    expect_failure(ranks, sumac_mpi_agree_on_file(ranks, "list", LAST(in_folder("none"), one)),
                   SUMAC_CANNOT_OPEN, last_rank(), "none: cannot open");
    expect_failure(ranks, sumac_mpi_agree_on_file(ranks, LAST(NULL, "list"), one), SUMAC_BAD_ARGUMENT,
                   last_rank(), "null");
    if (rank_count > 1) {
        expect_failure(ranks, sumac_mpi_agree_on_text(ranks, "word", LAST("a", "b")), SUMAC_MISMATCH,
                       last_rank(), "another word than rank 0's: a, not b");
        text[LONG - 1] = LAST('y', 'x');
        expect_failure(ranks, sumac_mpi_agree_on_text(ranks, "word", text), SUMAC_MISMATCH, last_rank(),
                       "another word than rank 0's: xxx");
        expect_failure(ranks, sumac_mpi_agree_on_file(ranks, "list", LAST(other, one)), SUMAC_MISMATCH,
                       last_rank(), "another list than rank 0's: 299 bytes");
    }
}

static uint8_t byte_at(size_t i)
{
    return (uint8_t)(i * 167 + i / 256);
}

static void write_bytes(const char *path, size_t count)
{
    AUTO_FREE uint8_t *bytes = malloc(count + 1);
    CHECK(bytes != NULL);
    for (size_t i = 0; i < count; i++) {
        bytes[i] = byte_at(i);
    }
    write_file(path, bytes, count);
}

static void expect_records(sumac_mpi_ranks *ranks, const char *path, size_t n, size_t record_bytes)
{
    size_t count, got_n, got_first, got;
    void *records;
    const size_t first = expect_parts(ranks, n, &count);
    CHECK_RANKS(ranks, sumac_mpi_records_read(ranks, path, record_bytes, &records, &got, &got_first,
                                              &got_n) == SUMAC_OK);
    CHECK(got_n == n && got_first == first && got == count);
    for (size_t i = 0; i < count * record_bytes; i++) {
        CHECK(((uint8_t *)records)[i] == byte_at(first * record_bytes + i));
    }
    sumac_free(records);
    CHECK_RANKS(ranks,
                sumac_mpi_records_read(ranks, path, record_bytes, &records, &got, NULL, NULL) == SUMAC_OK);
    CHECK(got == count);
    sumac_free(records);
}

static void test_records(void)
{
    static const size_t numbers[] = {0, 1, 3, 257};
    CLEANUP(destroy_context) sumac_context *context = make_context(NULL);
    CLEANUP(destroy_ranks) sumac_mpi_ranks *ranks = make_ranks(context);
    const char *path = in_folder("records"), *other = in_folder("other");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const size_t record_bytes = i % 2 == 0 ? 7 : 2000;
        wait_for_all();
        if (rank == 0) {
            write_bytes(path, numbers[i] * record_bytes);
        }
        wait_for_all();
        expect_records(ranks, path, numbers[i], record_bytes);
        CHECK(sumac_mpi_set_weight(ranks, rank == rank_count / 2 ? 0.3 : 0) == SUMAC_OK);
        expect_records(ranks, path, numbers[i], record_bytes);
        CHECK(sumac_mpi_set_weight(ranks, 1) == SUMAC_OK);
    }
    size_t n = 99, first = 99, count = 99;
    void *records = &count;
    wait_for_all();
    if (rank == last_rank()) {
        write_bytes(other, 256 * 2000);
    }
    expect_failure(ranks, sumac_mpi_records_read(ranks, path, 1999, &records, &count, &first, &n),
                   SUMAC_BAD_LENGTH, 0, "514000 bytes are not a whole number of records of 1999");
/* Only the last rank has these arguments. */
#define REFUSE_READ(its_path, its_bytes, its_records, status, part)                                          \
    expect_failure(ranks,                                                                                    \
                   sumac_mpi_records_read(ranks, LAST(its_path, path), LAST(its_bytes, 2000),                \
                                          LAST(its_records, &records), &count, &first, &n),                  \
                   status, last_rank(), part)
    REFUSE_READ(path, 0, &records, SUMAC_BAD_ARGUMENT, "bytes");
    REFUSE_READ(path, 2000, NULL, SUMAC_BAD_ARGUMENT, "null");
    REFUSE_READ(NULL, 2000, &records, SUMAC_BAD_ARGUMENT, "null");
    REFUSE_READ("/dev/null", 2000, &records, SUMAC_NOT_SUPPORTED, "regular file");
    if (rank_count > 1) {
        REFUSE_READ(path, 1000, &records, SUMAC_MISMATCH,
                    "another size of a record than rank 0's: 1000 bytes");
        REFUSE_READ(other, 2000, &records, SUMAC_MISMATCH,
                    "another file of records than rank 0's: 512000 bytes");
    }
    CHECK(n == 99 && first == 99 && count == 99 && records == &count);
    CHECK(sumac_mpi_records_read(NULL, path, 2000, &records, &count, &first, &n) == SUMAC_BAD_ARGUMENT);
}

/* These are the pieces that rank 0 has received so far, which must follow each other. */
typedef struct taken {
    size_t count, pieces, pieces_allowed;
    int in_order;
} taken;

static sumac_status take_bytes(void *user, const void *bytes, size_t count)
{
    taken *all = user;
    if (all->pieces++ == all->pieces_allowed) {
        return SUMAC_WRITE_FAILED;
    }
    for (size_t i = 0; i < count; i++) {
        all->in_order &= ((const uint8_t *)bytes)[i] == byte_at(all->count + i);
    }
    all->count += count;
    return SUMAC_OK;
}

/* Rank r sends r times nearly 5 MB, so that rank 0 sends nothing, and the others need several messages. */
static void test_gather(void)
{
    enum { EACH = 4999999 };
    CLEANUP(destroy_context) sumac_context *context = make_context(NULL);
    CLEANUP(destroy_ranks) sumac_mpi_ranks *ranks = make_ranks(context);
    const size_t bytes = (size_t)rank * EACH, before = (size_t)(rank * (rank - 1) / 2) * EACH;
    const size_t all = (size_t)(rank_count * last_rank() / 2) * EACH;
    AUTO_FREE uint8_t *part = malloc(bytes + 1);
    CHECK(part != NULL);
    for (size_t i = 0; i < bytes; i++) {
        part[i] = byte_at(before + i);
    }
    taken got = {.pieces_allowed = 1000, .in_order = 1};
    CHECK_RANKS(ranks, sumac_mpi_gather(ranks, bytes > 0 ? part : NULL, bytes, rank == 0 ? take_bytes : NULL,
                                        &got) == SUMAC_OK);
    CHECK(got.count == (rank == 0 ? all : 0) && got.in_order);
    expect_failure(ranks, sumac_mpi_gather(ranks, LAST(NULL, part), 5, take_bytes, &got), SUMAC_BAD_ARGUMENT,
                   last_rank(), "null");
    expect_failure(ranks, sumac_mpi_gather(ranks, part, 1, NULL, &got), SUMAC_BAD_ARGUMENT, 0, "null");
    CHECK(sumac_mpi_gather(NULL, part, 0, take_bytes, &got) == SUMAC_BAD_ARGUMENT);
    /* Rank 0 refuses more after the second piece, or after the only one. */
    got = (taken){.pieces_allowed = rank_count > 1 ? 1 : 0, .in_order = 1};
    expect_failure(ranks, sumac_mpi_gather(ranks, part, bytes + (rank_count == 1), take_bytes, &got),
                   SUMAC_WRITE_FAILED, 0, sumac_status_text(SUMAC_WRITE_FAILED));
    CHECK(rank != 0 || got.pieces == got.pieces_allowed + 1);
    got = (taken){.pieces_allowed = 1000, .in_order = 1};
    CHECK_RANKS(ranks, sumac_mpi_gather(ranks, part, bytes, take_bytes, &got) == SUMAC_OK);
    CHECK(got.count == (rank == 0 ? all : 0) && got.in_order);
}

/* ---- Copies of a file ---- */

/* Write to a file of each rank, with the given content, and return its path. */
static const char *write_copy(const void *bytes, size_t count)
{
    char name[32];
    snprintf(name, sizeof name, "copy%d", rank);
    const char *path = in_folder(name);
    write_file(path, bytes, count);
    return path;
}

/* This is a byte of the file that differs on rank `odd`. If `odd` is negative, it differs on every second rank. */
typedef struct difference {
    int odd;
    size_t at;
} difference;

static int has_difference(difference of)
{
    return of.odd < 0 ? rank % 2 : rank == of.odd;
}

static void change(uint8_t *bytes, difference of)
{
    bytes[of.at] ^= (uint8_t)(has_difference(of) ? 1 : 0);
}

/* Return the lowest rank whose file differs from rank 0's. */
static int first_to_differ(difference of)
{
    return of.odd > 0 ? of.odd : 1;
}

/* Check that all reads of scalars fail in the same way if copies differ in this byte, and make the copies equal
 * again. */
static void expect_different_scalars(world *w, const sumac_mpi_bases *bases, difference of)
{
    const size_t bytes = w->n * w->info->scalar_bytes;
    size_t n = 99;
    void *scalars = NULL;
    change(w->scalars, of);
    const char *path = write_copy(w->scalars, bytes);
    change(w->scalars, of);
    expect_failure(w->ranks, sumac_mpi_scalars_read(w->ranks, bases, path, 0, 1, &scalars, &(size_t){0}, &n),
                   SUMAC_MISMATCH, first_to_differ(of), "another file of scalars than rank 0's: ");
    CHECK(strstr(sumac_mpi_message(w->ranks), "copy") != NULL && n == 99 && scalars == NULL);
    expect_failure(w->ranks, sumac_mpi_agree_on_file(w->ranks, "list", path), SUMAC_MISMATCH,
                   first_to_differ(of), "another list than rank 0's: ");
    size_t count = 99;
    expect_failure(w->ranks, sumac_mpi_records_read(w->ranks, path, 1, &scalars, &count, NULL, NULL),
                   SUMAC_MISMATCH, first_to_differ(of), "another file of records than rank 0's: ");
    CHECK(count == 99 && scalars == NULL);
}

/* A changed bit of any byte is noticed, in the rank's part or in another one, with pieces of any size. */
static void test_copies_of_scalars(const sumac_group *group)
{
    CLEANUP(end_world) world w = make_world(group, 40000, 1);
    const size_t bytes = w.n * w.info->scalar_bytes;
    const size_t places[] = {0, 5000, (size_t)1 << 18, bytes / 2 + 3333, bytes - 6000, bytes - 1};
    sumac_mpi_bases *bases = read_bases(&w);
    for (size_t i = 0; i < sizeof places / sizeof *places && rank_count > 1; i++) {
        for (int odd = -1; odd < rank_count; odd++) {
            expect_different_scalars(&w, bases, (difference){odd, places[i]});
        }
    }
    snprintf(w.scalars_path, sizeof w.scalars_path, "%s", write_copy(w.scalars, bytes));
    expect_sum_over(&w, bases);
}

/* If a rank's file has another point of the curve, or the same bytes in another format, this is noticed. */
static void test_copies_of_bases(const sumac_group *group)
{
    CLEANUP(end_world) world w = make_world(group, 4200, 1);
    const size_t bytes = w.info->point_bytes, all = w.n * bytes;
    AUTO_FREE uint8_t *changed = malloc(all);
    CHECK(changed != NULL);
    memcpy(changed, w.points, all);
    memcpy(changed + 2000 * bytes, w.points, bytes);
    for (int odd = -1; odd < rank_count && rank_count > 1; odd++) {
        const difference of = {odd, 0};
        const char *path = write_copy(has_difference(of) ? changed : w.points, all);
        refuse_bases(w.ranks, group, path, "raw", SUMAC_MISMATCH, first_to_differ(of),
                     "another file of bases than rank 0's: ");
        refuse_bases(w.ranks, group, w.bases_path, has_difference(of) ? NULL : "raw", SUMAC_MISMATCH,
                     first_to_differ(of), "another format of bases than rank 0's: ");
    }
    snprintf(w.bases_path, sizeof w.bases_path, "%s", write_copy(w.points, all));
    expect_sum_of_files(&w);
}

/* The copies are equal, but the file of the last rank ends too early, or changes while it is read. */
static void test_changes(const sumac_group *group)
{
    CLEANUP(end_world) world w = make_world(group, 300, 1);
    sumac_mpi_bases *bases = read_bases(&w), *created = NULL;
    size_t n = 99, count = 99;
    void *scalars = NULL;
    char path[1024];
    const int is_last = rank == last_rank();
    snprintf(path, sizeof path, "%s", write_copy(w.scalars, w.n * w.info->scalar_bytes));
    for (int ends = 0; ends < 2; ends++) {
        const char *part = ends ? "truncated: it ends at byte" : "it changed while it was read";
        next_read = is_last ? (surprise){.ends = ends, .touched = path} : (surprise){.ends = 0};
        refuse_scalars(w.ranks, bases, path, 0, 1, SUMAC_BAD_FILE, last_rank(), part);
        next_read = is_last ? (surprise){.ends = ends, .touched = path} : (surprise){.ends = 0};
        expect_failure(w.ranks, sumac_mpi_records_read(w.ranks, path, 1, &scalars, &count, NULL, NULL),
                       SUMAC_BAD_FILE, last_rank(), part);
    }
    CHECK(n == 99 && count == 99 && scalars == NULL);
    sumac_mpi_bases_destroy(bases);
    if (rank_count > 1) { /* a single rank compares nothing */
        snprintf(path, sizeof path, "%s", write_copy(w.points, w.n * w.info->point_bytes));
        next_read = (surprise){.touched = is_last ? path : NULL};
        expect_failure(w.ranks, sumac_mpi_bases_open(w.ranks, group, path, "raw", NULL, &created),
                       SUMAC_BAD_FILE, last_rank(), "it changed while it was read");
        CHECK(created == NULL);
    }
}

/* If fewer ranks make a call than made the bases, the call is refused, because some parts of the bases are missing. */
static void test_other_ranks(const sumac_group *group)
{
    CLEANUP(end_world) world w = make_world(group, 100, 1);
    MPI_Comm fewer;
    uint8_t results[MOST_POINT_BYTES];
    sumac_mpi_bases *bases = read_bases(&w);
    CHECK(MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &fewer) == MPI_SUCCESS);
    sumac_mpi_ranks *others;
    CHECK(sumac_mpi_create(fewer, w.context, &others, &message) == SUMAC_OK);
    if (rank_count > 1) {
        expect_failure(others, exact_mpi_msm(others, bases, w.scalars, 100, NULL, results),
                       SUMAC_BAD_ARGUMENT, 0, "the bases were created on ");
        refuse_scalars(others, bases, w.scalars_path, 0, 1, SUMAC_BAD_ARGUMENT, 0,
                       "the bases were created on ");
    }
    sumac_mpi_destroy(others);
    CHECK(MPI_Comm_free(&fewer) == MPI_SUCCESS);
    sumac_mpi_destroy(w.ranks);
    w.ranks = make_ranks(w.context); /* the same ranks again */
    expect_sum_over(&w, bases);
}

/* ---- Failures: all ranks return the same, and the next call succeeds ---- */

static void test_creation(void)
{
    CLEANUP(destroy_context) sumac_context *context = make_context(NULL);
    sumac_mpi_ranks *ranks;
    CHECK(sumac_mpi_create(MPI_COMM_WORLD, LAST(NULL, context), &ranks, &message) == SUMAC_BAD_ARGUMENT);
    CHECK(ranks == NULL);
    expect_sentence(message.text, last_rank(), "context");
    if (rank_count > 1) {
        other_version_on = 1;
        CHECK(sumac_mpi_create(MPI_COMM_WORLD, context, &ranks, &message) == SUMAC_MISMATCH);
        expect_sentence(message.text, 1,
                        "another version than rank 0's: " SUMAC_VERSION_STRING ", over libsumac 9.9.9");
        other_version_on = -1;
    }
    CHECK(sumac_mpi_create(MPI_COMM_NULL, context, &ranks, &message) == SUMAC_BAD_ARGUMENT);
    CHECK(sumac_mpi_create(MPI_COMM_WORLD, context, NULL, &message) == SUMAC_BAD_ARGUMENT);
    CHECK(sumac_mpi_agree(MPI_COMM_WORLD, SUMAC_OK, NULL, &message) == SUMAC_OK && message.text[0] == '\0');
    const sumac_status local = rank >= rank_count / 2 ? SUMAC_READ_FAILED : SUMAC_OK;
    CHECK(sumac_mpi_agree(MPI_COMM_WORLD, local, "the tape is torn", &message) == SUMAC_READ_FAILED);
    expect_sentence(message.text, rank_count / 2, "the tape is torn");
    CHECK(sumac_mpi_agree(MPI_COMM_WORLD, local, NULL, &message) == SUMAC_READ_FAILED);
    expect_sentence(message.text, rank_count / 2, sumac_status_text(SUMAC_READ_FAILED));
}

static void test_bad_files(const sumac_group *group)
{
    enum { N = 4200 }; /* more than 256 KiB, which is the size of the pieces that are compared */
    CLEANUP(end_world) world w = make_world(group, N, 1);
    const size_t bytes = w.info->point_bytes;
    const char *none = in_folder("none"), *other = in_folder("other");
    const int is_last = rank == last_rank();
    refuse_bases(w.ranks, group, LAST(none, w.bases_path), "raw", SUMAC_CANNOT_OPEN, last_rank(),
                 "none: cannot open");
    refuse_bases(w.ranks, group, folder, "raw", SUMAC_CANNOT_OPEN, 0, "regular file");
    refuse_bases(w.ranks, group, w.bases_path, "gif", SUMAC_UNKNOWN_FORMAT, 0, "gif");
    if (rank_count > 1) {
        AUTO_FREE uint8_t *changed = malloc(N * bytes);
        memcpy(changed, w.points, N * bytes);
        changed[N * bytes - 1] ^= 1;
        if (is_last) {
            write_file(other, changed, N * bytes);
        }
        refuse_bases(w.ranks, group, LAST(other, w.bases_path), "raw", SUMAC_MISMATCH, last_rank(),
                     "another file of bases than rank 0's");
        const sumac_group *second = sumac_group_at(group == sumac_group_at(0) ? 1 : 0);
        if (second != NULL && N * bytes % second->point_bytes == 0) {
            refuse_bases(w.ranks, LAST(second, group), w.bases_path, "raw", SUMAC_MISMATCH, last_rank(),
                         "another curve than rank 0's");
        }
    }
    /* Only the last rank has a bad point. The default check finds it. */
    wait_for_all();
    uint8_t *last_point = w.points + (N - 1) * bytes;
    memcpy(last_point + bytes / 2, last_point, bytes / 2);
    if (rank == 0) {
        write_file(other, w.points, N * bytes);
    }
    wait_for_all();
    refuse_bases(w.ranks, group, other, "raw", SUMAC_NOT_ON_CURVE, last_rank(), "other");
    expect_sum_of_files(&w);
}

static void test_bad_scalars(const sumac_group *group)
{
    CLEANUP(end_world) world w = make_world(group, 100, 1);
    const size_t bytes = w.info->scalar_bytes;
    CLEANUP(destroy_mpi_bases) sumac_mpi_bases *bases = read_bases(&w);
    const int is_last = rank == last_rank();
    refuse_scalars(w.ranks, bases, LAST(in_folder("none"), w.scalars_path), 0, 1, SUMAC_CANNOT_OPEN,
                   last_rank(), "none: cannot open");
    refuse_scalars(w.ranks, bases, w.scalars_path, 0, 3, SUMAC_BAD_LENGTH, 0, "scalars: 3");
    refuse_scalars(w.ranks, bases, w.scalars_path, 1, 1, SUMAC_BAD_LENGTH, 0,
                   "there are 100 bases, fewer than 1 + 100");
    if (rank_count > 1) {
        if (is_last) {
            write_file(in_folder("other"), w.scalars, 100 * bytes - bytes);
        }
        refuse_scalars(w.ranks, bases, LAST(in_folder("other"), w.scalars_path), 0, 1, SUMAC_MISMATCH,
                       last_rank(), "another file of scalars than rank 0's");
        refuse_scalars(w.ranks, bases, w.scalars_path, 0, LAST(2, 1), SUMAC_MISMATCH, last_rank(),
                       "another call's sizes than rank 0's");
    }
}

/* These are the arguments of exact_mpi_msm(). */
typedef struct msm_call {
    sumac_mpi_bases *bases;
    const uint8_t *scalars;
    size_t n;
    sumac_msm_config config;
    uint8_t *results;
} msm_call;

/* Only the last rank calls `change`. The call must fail with this message about that rank. */
#define REFUSE_MSM(change, status, part)                                                                     \
    do {                                                                                                     \
        msm_call c = good;                                                                                   \
        if (rank == last_rank()) {                                                                           \
            change;                                                                                          \
        }                                                                                                    \
        expect_failure(w.ranks, exact_mpi_msm(w.ranks, c.bases, c.scalars, c.n, &c.config, c.results),       \
                       status, last_rank(), part);                                                           \
    } while (0)

static void test_bad_calls(const sumac_group *group)
{
    CLEANUP(end_world) world w = make_world(group, 100, 1);
    const size_t point_bytes = w.info->point_bytes, bytes = w.info->scalar_bytes;
    CLEANUP(destroy_mpi_bases) sumac_mpi_bases *bases = read_bases(&w), *others = read_bases(&w);
    uint8_t results[MOST_POINT_BYTES], untouched[MOST_POINT_BYTES];
    memset(results, 0x5a, sizeof results);
    memset(untouched, 0x5a, sizeof untouched);
    size_t first, n;
    CHECK(sumac_mpi_bases_part(bases, 0, 100, &first, &n) == SUMAC_OK);
    AUTO_FREE uint8_t *small = calloc(n + 1, bytes);
    CHECK(small != NULL);
    msm_call good = {bases, w.scalars + first * bytes, 100,
                     (sumac_msm_config){.size = sizeof(sumac_msm_config)}, results};
    expect_failure(w.ranks, exact_mpi_msm(w.ranks, bases, good.scalars, 101, NULL, results), SUMAC_BAD_LENGTH,
                   0, "fewer than 0 + 101");
    REFUSE_MSM(c.scalars = NULL, SUMAC_BAD_ARGUMENT, "null");
    REFUSE_MSM(c.bases = NULL, SUMAC_BAD_ARGUMENT, "null");
    REFUSE_MSM(c.results = NULL, SUMAC_BAD_ARGUMENT, "null");
    CHECK(exact_mpi_msm(NULL, bases, good.scalars, 100, NULL, results) == SUMAC_BAD_ARGUMENT);
    REFUSE_MSM(c.config.base_sets = 1, SUMAC_NOT_SUPPORTED, "base_sets");
    REFUSE_MSM(c.config.result_form = SUMAC_FORM_MONTGOMERY, SUMAC_NOT_SUPPORTED, "Montgomery");
    REFUSE_MSM(c.config.tuning = "plan=none", SUMAC_UNKNOWN_PLAN, "none");
    REFUSE_MSM(c.config.size = sizeof c.config + 8, SUMAC_NOT_SUPPORTED, "does not know");
    void *read = results;
    expect_failure(w.ranks,
                   sumac_mpi_scalars_read(w.ranks, bases, w.bases_path, 0, 0, &read, &(size_t){0}, &n),
                   SUMAC_BAD_ARGUMENT, 0, "batch is 0");
    CHECK(read == NULL);
    /* Only one rank has a scalar of more than eight bits. */
    good.config.scalar_bits = 8;
    good.scalars = small;
    REFUSE_MSM(small[n * bytes - 1] = n > 0, SUMAC_SCALAR_TOO_LARGE, "scalar");
    good.config.scalar_bits = 0;
    good.scalars = w.scalars + first * bytes;
    if (rank_count > 1) {
        REFUSE_MSM(c.n = 99, SUMAC_MISMATCH, "another call's sizes than rank 0's: n 99");
        REFUSE_MSM(c.bases = others, SUMAC_MISMATCH, "another handle of bases than rank 0's: number 2");
        /* The ranks make two different calls. */
        sumac_mpi_bases *created = NULL;
        const sumac_status status =
            LAST(sumac_mpi_bases_create(w.ranks, group, NULL, 0 * group->point_bytes, 0, NULL, &created),
                 exact_mpi_msm(w.ranks, bases, good.scalars, 100, NULL, results));
        expect_failure(w.ranks, status, SUMAC_MISMATCH, last_rank(),
                       "another call than rank 0's: sumac_mpi_bases_create, not sumac_mpi_msm");
        CHECK(created == NULL);
    }
    CHECK(memcmp(results, untouched, sizeof results) == 0);
    CHECK_RANKS(w.ranks, exact_mpi_msm(w.ranks, bases, good.scalars, 100, NULL, results) == SUMAC_OK);
    CHECK(memcmp(results, w.expected, point_bytes) == 0);
    CHECK(memcmp(results + point_bytes, untouched, sizeof results - point_bytes) == 0);
}

/* Each allocation of the last rank fails once. Then either all ranks return the failure, or none needed the memory. */
static void test_short_memory(const sumac_group *group)
{
    CLEANUP(end_world) world w = make_world(group, 100, 2);
    int complete = 0;
    snprintf(w.scalars_path, sizeof w.scalars_path, "%s", write_copy(w.scalars, 200 * w.info->scalar_bytes));
    for (long allocation = 0; !complete; allocation++) {
        const failing_plan plan = {rank == last_rank() ? allocation : -1, -1, 0};
        CLEANUP(destroy_mpi_bases) sumac_mpi_bases *bases = NULL;
        void *scalars = NULL;
        size_t n = 0;
        uint8_t results[2 * MOST_POINT_BYTES] = {0};
        sumac_msm_config config = {.size = sizeof config};
        config.batch = 2;
        failing_begin(plan);
        sumac_status status = sumac_mpi_bases_open(w.ranks, group, w.bases_path, NULL, NULL, &bases);
        size_t count = 0;
        void *records = NULL;
        taken got = {.pieces_allowed = 1000, .in_order = 1};
        for (int step = 0; step < 4 && status == SUMAC_OK; step++) {
            status = step == 0   ? sumac_mpi_scalars_read(w.ranks, bases, w.scalars_path, 0, 2, &scalars,
                                                          &(size_t){0}, &n)
                     : step == 1 ? exact_mpi_msm(w.ranks, bases, scalars, n, &config, results)
                     : step == 2 ? sumac_mpi_records_read(w.ranks, w.scalars_path, w.info->scalar_bytes,
                                                          &records, &count, NULL, NULL)
                                 : sumac_mpi_gather(w.ranks, records, count, take_bytes, &got);
        }
        int failed = failing_end().allocations_failed > 0, any = 0;
        CHECK(MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD) == MPI_SUCCESS);
        if (status == SUMAC_OK) {
            CHECK(memcmp(results, w.expected, 2 * w.info->point_bytes) == 0);
        } else {
            CHECK(any);
            expect_failure(w.ranks, status, SUMAC_OUT_OF_MEMORY, last_rank(), "memory");
        }
        complete = !any;
        CHECK(allocation < 10000);
        sumac_free(scalars);
        sumac_free(records);
    }
}

/* ---- The end of a rank ---- */

static void die_in_accumulate(void *user, const sumac_trace_event *event)
{
    (void)user;
    if (strcmp(event->name, "accumulate") == 0) {
        (void)raise(SIGKILL);
    }
}

static void die(const sumac_group *group)
{
    sumac_mpi_bases *bases;
    uint8_t result[MOST_POINT_BYTES], point[MOST_POINT_BYTES], scalar[128] = {77, 1};
    sumac_mpi_ranks *ranks = make_ranks(make_context(LAST(die_in_accumulate, NULL)));
    CHECK_RANKS(ranks, sumac_group_generator(group, point, sizeof point) == SUMAC_OK);
    CHECK_RANKS(ranks, sumac_mpi_bases_create(ranks, group, point, 1 * group->point_bytes, 1, NULL, &bases) ==
                           SUMAC_OK);
    CHECK_RANKS(ranks, exact_mpi_msm(ranks, bases, scalar, (size_t)rank_count, NULL, result) == SUMAC_OK);
    fprintf(stderr, "rank %d has a result\n", rank);
}

static void test_all(void)
{
    for (size_t i = 0; i < sumac_group_count(); i++) {
        test_files(sumac_group_at(i));
    }
    const sumac_group *group = sumac_group_at(0);
    test_part();
    test_agreements();
    test_records();
    test_gather();
    test_memory(group);
    test_table(group);
    test_shares(group);
    test_copies_of_scalars(group);
    test_copies_of_bases(group);
    test_changes(group);
    test_other_ranks(group);
    test_creation();
    test_bad_files(group);
    test_bad_scalars(group);
    test_bad_calls(group);
    test_short_memory(group);
}

int main(int count, char **arguments)
{
    sumac_mpi_ranks *ranks;
    if (sumac_mpi_create(MPI_COMM_WORLD, NULL, &ranks, &message) != SUMAC_BAD_ARGUMENT ||
        strstr(message.text, "MPI_Init") == NULL) {
        return 1;
    }
    if (count != 2 || MPI_Init(NULL, NULL) != MPI_SUCCESS) {
        return 1;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
    folder = arguments[1];
    if (strcmp(folder, "--die") == 0) {
        die(sumac_group_at(0));
    } else {
        test_all();
    }
    MPI_Finalize();
    if (rank == 0) {
        puts("all well");
    }
    return sumac_mpi_create(MPI_COMM_WORLD, NULL, &ranks, &message) != SUMAC_BAD_ARGUMENT ||
           strstr(message.text, "MPI_Finalize") == NULL;
}
