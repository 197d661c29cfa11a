/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program compares random calls of the library with answers by GMP, on every curve, variant, number of threads and
 * device.
 *
 *   random_calls [--seed S] [--seconds T] [--cases N] [--first I] [--only calls|table|partials|plans]
 *                [--backend cpu|cuda] [--curve NAME[/GROUP]] [--threads N] [--most-bases N]
 *                [--quick] [--failures] [--verbose]
 *
 * Case I of seed S is the same in every run. With --failures, allocations and threads fail at random, and if CUDA's
 * runtime is a fake (cuda/fake), also its calls. --quick keeps windows and tables small, and gives cases at most 24
 * bases. A finding is printed with the options that repeat it. The last line counts cases, calls, statuses and results.
 * The exit status is 1 if something was found, 77 if the backend is not available, and 2 for wrong options.
 */
#include <errno.h>
#include <getopt.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "random/cases.h"
#include "random/device.h"
#include "support/abort.h"

enum { FOUND = 1, USAGE = 2, SKIPPED = 77, MOST_FINDINGS = 20 };

/* A case takes milliseconds. With the thread sanitizer on a busy machine, it may take a second or two. */
enum { CASE_SECONDS = 60 };

typedef struct run_options {
    world_options world;
    uint64_t seed, first, cases;
    double seconds;
    const char *only;
    int verbose;
} run_options;

static run_options options = {.world = {.backend = "cpu", .most_bases = 200}, .seed = 1, .cases = UINT64_MAX};

/* This is the running case. It is global for functions that end the case or the program. */
static world the_world;
static uint64_t the_case;
static jmp_buf end_of_case;
static int findings, finished;

static void print_repetition(FILE *stream)
{
    fprintf(stream, "repeat it: random_calls --backend %s --seed %llu --first %llu --cases 1",
            options.world.backend, (unsigned long long)options.seed, (unsigned long long)the_case);
    if (options.only != NULL) {
        fprintf(stream, " --only %s", options.only);
    }
    if (options.world.curve != NULL) {
        fprintf(stream, " --curve %s", options.world.curve);
    }
    if (options.world.threads != 0) {
        fprintf(stream, " --threads %u", options.world.threads);
    }
    fprintf(stream, "%s --most-bases %zu%s\n", options.world.small ? " --quick" : "",
            options.world.most_bases, options.world.failures ? " --failures" : "");
    fflush(stream);
}

/* Report a finding and end its case. The case's memory is not freed. */
void test_abort(const char *format, ...)
{
    va_list arguments;
    (void)failing_end();
    printf("FOUND: ");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n%s", the_world.description);
    print_repetition(stdout);
    findings++;
    longjmp(end_of_case, 1);
}

/* Print the case, as far as a signal handler can, because the process ends. */
static void on_signal(int number)
{
    printf("FOUND: signal %d (%s)%s\n%s", number, strsignal(number),
           number == SIGALRM ? ", a case takes too long" : "", the_world.description);
    print_repetition(stdout);
    fflush(stdout);
    signal(number, SIG_DFL);
    raise(number);
}

static void on_exit_inside(void)
{
    if (!finished) {
        printf("FOUND: the library ends the process\n%s", the_world.description);
        print_repetition(stdout);
        _exit(FOUND);
    }
}

static double now(void)
{
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    return (double)moment.tv_sec + 1e-9 * (double)moment.tv_nsec;
}

static void usage(const char *program)
{
    fprintf(
        stderr,
        "usage: %s [--seed S] [--seconds T] [--cases N] [--first I] [--only calls|table|partials|plans] "
        "[--backend cpu|cuda] [--curve NAME[/GROUP]] [--threads N] [--most-bases N] [--quick] [--failures] "
        "[--verbose]\n",
        program);
    exit(USAGE);
}

static uint64_t number_of(const char *text, const char *program)
{
    char *end;
    errno = 0;
    const uint64_t number = strtoull(text, &end, 0);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0) {
        usage(program);
    }
    return number;
}

static void parse_options(int argc, char **argv)
{
    static uint64_t seconds, threads, most_bases;
    /* Each option sets a number, a text or a flag. */
    static const struct {
        const char *name;
        uint64_t *number;
        const char **text;
        int *flag;
    } rows[] = {
        {"seed", &options.seed, NULL, NULL},         {"seconds", &seconds, NULL, NULL},
        {"cases", &options.cases, NULL, NULL},       {"first", &options.first, NULL, NULL},
        {"threads", &threads, NULL, NULL},           {"most-bases", &most_bases, NULL, NULL},
        {"only", NULL, &options.only, NULL},         {"backend", NULL, &options.world.backend, NULL},
        {"curve", NULL, &options.world.curve, NULL}, {"failures", NULL, NULL, &options.world.failures},
        {"quick", NULL, NULL, &options.world.small}, {"verbose", NULL, NULL, &options.verbose},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    struct option long_options[ROWS + 1] = {{NULL, 0, NULL, 0}};
    int row;
    for (int i = 0; i < ROWS; i++) {
        long_options[i] = (struct option){rows[i].name, rows[i].flag == NULL, NULL, i};
    }
    while ((row = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (row >= ROWS) {
            usage(argv[0]);
        } else if (rows[row].number != NULL) {
            *rows[row].number = number_of(optarg, argv[0]);
        } else if (rows[row].text != NULL) {
            *rows[row].text = optarg;
        } else {
            *rows[row].flag = 1;
        }
    }
    options.seconds = (double)seconds;
    options.world.threads = (uint32_t)threads;
    if (options.world.small) {
        options.world.most_bases = 24;
    }
    if (most_bases != 0) {
        options.world.most_bases = most_bases;
    }
    if (optind != argc || (options.seconds == 0 && options.cases == UINT64_MAX)) {
        usage(argv[0]);
    }
}

typedef void (*case_function)(world *w, draws *d);

static case_function choose_case(const char *program)
{
    static const struct {
        const char *name;
        case_function run;
    } kinds[] = {
        {"calls", case_calls}, {"table", case_table}, {"partials", case_partials}, {"plans", case_plans}};
    if (options.only == NULL) {
        return case_any;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, options.only) == 0) {
            return kinds[i].run;
        }
    }
    usage(program);
    return NULL;
}

static void run_case(case_function run)
{
    draws d = draws_from_seed(options.seed, the_case);
    snprintf(the_world.description, sizeof the_world.description, "the case begins\n");
    world_end_shortage(&the_world); /* the last case may have left a shortage if it had a finding */
    (void)alarm(CASE_SECONDS);
    if (setjmp(end_of_case) == 0) {
        run(&the_world, &d);
    }
    (void)alarm(0);
    if (options.verbose) {
        printf("case %llu: %s", (unsigned long long)the_case, the_world.description);
        fflush(stdout);
    }
}

static void print_counts(uint64_t cases, double seconds)
{
    printf("random_calls: seed %llu, %s: %llu cases in %.0f s, %llu calls, %llu results right, %d findings",
           (unsigned long long)options.seed, options.world.backend, (unsigned long long)cases, seconds,
           (unsigned long long)the_world.calls, (unsigned long long)the_world.results, findings);
    if (options.world.failures) {
        printf(", %llu allocations, %llu threads and %llu calls of a device's runtime failed",
               (unsigned long long)the_world.allocations_failed, (unsigned long long)the_world.threads_failed,
               (unsigned long long)the_world.device_calls_failed);
    }
    printf("; statuses");
    for (int status = 0; status < WORLD_STATUSES; status++) {
        if (the_world.statuses[status] != 0) {
            printf(" %d:%llu", status, (unsigned long long)the_world.statuses[status]);
        }
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    /* SIGTERM is one of them, because it ends a test that takes too long. */
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGTERM};
    parse_options(argc, argv);
    const case_function run = choose_case(argv[0]);
    if (!world_init(&the_world, &options.world)) {
        fprintf(stderr, "random_calls: there is no context with the backend %s here, or no such curve\n",
                options.world.backend);
        return SKIPPED;
    }
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        signal(signals[i], on_signal);
    }
    atexit(on_exit_inside);
    const double start = now();
    uint64_t cases = 0;
    for (; cases < options.cases && findings < MOST_FINDINGS; cases++) {
        if (options.seconds > 0 && now() - start >= options.seconds) {
            break;
        }
        the_case = options.first + cases;
        run_case(run);
    }
    finished = 1;
    print_counts(cases, now() - start);
    world_clear(&the_world);
    if (findings == 0) { /* a case with a finding leaves its own */
        device_expect_nothing_left();
    }
    return findings == 0 ? 0 : FOUND;
}
