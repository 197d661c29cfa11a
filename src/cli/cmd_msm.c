/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * `msm` reads files into memory or, with --stream and --checkpoint, in chunks. If files are read into memory with -n,
 * --first or --first-base, only those bases and scalars of a regular file are read that are used, and a pipe is read
 * only up to the last one that is used. Without these options everything is read, and the number of bases must be equal
 * to the number of scalars.
 */
#include "cli.h"

#include <sys/stat.h>

#include "codec/file_kinds.h"
#include "io/path.h"

#define UNKNOWN UINT64_MAX /* the number of bases or scalars in a pipe */

/* This is the state of a run. */
typedef struct msm_run {
    const session *opened;
    const options *given;
    bool is_streamed;
    sumac_files_report report; /* the report of a streamed MSM */
    /* These fields are the lengths, if the files are read into memory. */
    bool takes_part;     /* -n, --first or --first-base is given */
    uint64_t first_base; /* the number of the first base of the file that is used */
    uint64_t base_count, scalar_count;
    size_t scalar_bytes;
    int descriptor; /* the descriptor of a regular file of scalars; -1 for a pipe */
    /* These fields are the used parts of the files. */
    sumac_bases *bases;
    size_t first;           /* the first element of `bases` that is used */
    unsigned char *scalars; /* n little-endian scalars for each MSM of the batch, one MSM after another */
    json_t *plan;
    /* These fields are the results. */
    uint64_t n;             /* the length of each MSM */
    unsigned char *results; /* raw points */
    unsigned char *partial; /* the contents of the file of --partial */
    double milliseconds, read_milliseconds;
    result_file partial_file, out;
} msm_run;

static void free_run(msm_run *run)
{
    result_file_discard(&run->partial_file);
    result_file_discard(&run->out);
    sumac_bases_destroy(run->bases);
    json_decref(run->plan);
    free(run->scalars);
    free(run->results);
    free(run->partial);
    if (run->descriptor >= 0) {
        close(run->descriptor);
    }
}

/* ---- Lengths ---- */

/* Return true if a path names a regular file whose length is known. The file is not opened, because opening a pipe
 * would wait for its writer. */
static bool is_sized(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0;
}

static int check_part(const char *option, uint64_t first, uint64_t n, uint64_t count, const char *what,
                      const char *path)
{
    return first <= count && n <= count - first
               ? STATUS_DONE
               : bad_input("%s %llu and -n %llu go beyond the %llu %s in '%s'", option,
                           (unsigned long long)first, (unsigned long long)n, (unsigned long long)count, what,
                           path);
}

/* Find n. The lengths must fit exactly, so that a truncated file is never mistaken for a short one. Only with -n,
 * --first or --first-base may a part of the files be used. */
static int check_lengths(msm_run *run)
{
    const options *given = run->given;
    const bool knows_scalars = run->scalar_count != UNKNOWN;
    const uint64_t entries = knows_scalars ? run->scalar_count / given->batch : UNKNOWN;
    if (knows_scalars && run->scalar_count % given->batch != 0) {
        return bad_input("'%s' has %llu scalars, which is no multiple of the batch of %llu", given->scalars,
                         (unsigned long long)run->scalar_count, (unsigned long long)given->batch);
    }
    if (run->takes_part) {
        const uint64_t scalars = entries - smaller(entries, given->first);
        const uint64_t bases = run->base_count - smaller(run->base_count, run->first_base);
        run->n = given->given[OPTION_N] ? given->n : smaller(scalars, bases);
        MUST(check_part("--first", given->first, run->n, entries,
                        given->batch > 1 ? "scalars of each MSM" : "scalars", given->scalars));
        return check_part(given->given[OPTION_FIRST_BASE] ? "--first-base" : "--first", run->first_base,
                          run->n, run->base_count, "bases", given->bases);
    }
    const uint64_t needed = given->separate_bases ? run->scalar_count : entries;
    run->n = entries;
    return run->base_count == needed
               ? STATUS_DONE
               : bad_input("'%s' has %llu scalars%s, but '%s' has %llu bases; -n takes a part of both",
                           given->scalars, (unsigned long long)needed,
                           given->batch > 1 && !given->separate_bases ? " for each MSM" : "", given->bases,
                           (unsigned long long)run->base_count);
}

/* ---- Bases ---- */

/* If it is known in advance which part is used, and the format can be read in parts, read only that part. Otherwise
 * read all bases. */
static int read_bases_first(msm_run *run)
{
    const session *opened = run->opened;
    const options *given = run->given;
    size_t count = 0;
    run->base_count = UNKNOWN;
    if (run->takes_part && is_sized(given->bases)) {
        const sumac_status counted = count_bases(opened, given->bases, given->format, &count);
        run->base_count = counted == SUMAC_OK ? count : UNKNOWN;
        MUST(counted == SUMAC_NOT_SUPPORTED ? STATUS_DONE : session_check(opened, counted));
    }
    if (run->takes_part &&
        (given->given[OPTION_N] || (run->scalar_count != UNKNOWN && run->base_count != UNKNOWN))) {
        MUST(check_lengths(run));
        const sumac_status status =
            read_bases_part(opened, given, given->bases, given->format, run->first_base, run->n, &run->bases);
        if (status != SUMAC_NOT_SUPPORTED) {
            return session_check(opened, status);
        }
    }
    MUST(read_bases(opened, given, given->bases, given->format, &run->bases));
    run->first = (size_t)run->first_base;
    run->base_count = sumac_bases_count(run->bases);
    return STATUS_DONE;
}

/* ---- Scalars ---- */

/* Refuse a file whose size is not a multiple of the size of a scalar. By its first bytes the message says what else the
 * file may be. */
static int check_whole_scalars(const msm_run *run, uint64_t size, const unsigned char *first, size_t count)
{
    const sumac_group *info = run->opened->info;
    const unsigned long long bytes = run->scalar_bytes;
    char likely[FILE_LIKELY_BYTES];
    const file_head head = {first, count, size};
    return size % bytes == 0
               ? STATUS_DONE
               : bad_input(
                     "%s: %llu bytes are not a whole number of %llu-byte scalars of %s %s: the last one, at "
                     "byte %llu, is cut off%s",
                     run->given->scalars, (unsigned long long)size, bytes, info->curve, info->name,
                     (unsigned long long)size / bytes * bytes, file_likely_text(&head, likely));
}

/* Open a regular file of scalars, and count the scalars. They are read later, when it is known that all lengths fit. */
static int open_scalars(msm_run *run)
{
    struct stat facts;
    unsigned char first[FILE_HEAD_BYTES];
    const options *given = run->given;
    const sumac_group *info = run->opened->info;
    run->scalar_bytes = given->scalar_bytes != 0 ? (size_t)given->scalar_bytes : info->scalar_bytes;
    run->scalar_count = UNKNOWN;
    if (run->scalar_bytes > info->scalar_bytes) {
        return bad_input("--scalar-bytes %zu is more than the %u of %s %s", run->scalar_bytes,
                         (unsigned)info->scalar_bytes, info->curve, info->name);
    }
    if (!is_sized(given->scalars)) {
        return STATUS_DONE;
    }
    MUST(open_input(given->scalars, &run->descriptor));
    const off_t start = lseek(run->descriptor, 0, SEEK_CUR);
    if (start < 0 || fstat(run->descriptor, &facts) != 0) {
        return system_failure("read", given->scalars, errno);
    }
    const uint64_t size = facts.st_size > start ? (uint64_t)(facts.st_size - start) : 0;
    run->scalar_count = size / run->scalar_bytes;
    const ssize_t count = pread(run->descriptor, first, sizeof first, start);
    return check_whole_scalars(run, size, first, count > 0 ? (size_t)count : 0);
}

/* Skip scalars. If the file is a pipe, read them and drop them. */
static int skip_scalars(const msm_run *run, int descriptor, uint64_t count)
{
    unsigned char unused[4096];
    uint64_t left = count * run->scalar_bytes;
    if (run->descriptor >= 0) {
        return lseek(descriptor, (off_t)left, SEEK_CUR) >= 0
                   ? STATUS_DONE
                   : system_failure("read", run->given->scalars, errno);
    }
    while (left > 0) {
        const size_t wanted = (size_t)smaller(left, sizeof unused);
        size_t size = 0;
        MUST(read_input(descriptor, run->given->scalars, unused, wanted, &size));
        if (size < wanted) {
            return bad_input("'%s' ends before its first %llu scalars, which --first leaves out",
                             run->given->scalars, (unsigned long long)count);
        }
        left -= size;
    }
    return STATUS_DONE;
}

/* Read n scalars for each MSM. A pipe must have one MSM; its scalars are read, and nothing after them. */
static int read_chosen_scalars(msm_run *run, int descriptor)
{
    const options *given = run->given;
    uint64_t all;
    MUST(check_lengths(run));
    if (__builtin_mul_overflow(run->n, run->scalar_bytes * given->batch, &all)) {
        all = UINT64_MAX;
    }
    MUST(require_memory(given->scalars, all));
    ALLOCATE(run->scalars, all, "scalars");
    const size_t bytes = (size_t)run->n * run->scalar_bytes;
    for (uint64_t msm = 0; msm < given->batch && run->n > 0; msm++) {
        size_t size = 0;
        MUST(skip_scalars(run, descriptor,
                          msm == 0 ? given->first : run->scalar_count / given->batch - run->n));
        MUST(read_input(descriptor, given->scalars, run->scalars + msm * bytes, bytes, &size));
        if (size < bytes) {
            return bad_input("'%s' ends before %llu scalars are read", given->scalars,
                             (unsigned long long)run->n);
        }
    }
    return STATUS_DONE;
}

/* Read a whole pipe, but stop if it has more scalars than there are bases, or more than fit in memory. On the CPU
 * --memory-limit is another bound. Then move the scalars that are used together. */
static int read_all_scalars(msm_run *run)
{
    const options *given = run->given;
    const size_t bytes = run->scalar_bytes;
    uint64_t fitting = UNKNOWN, most = UINT64_MAX;
    if (given->memory_limit != 0 && context_info(run->opened->context).device_names[0][0] == '\0') {
        most = given->memory_limit;
    }
    if (!run->takes_part &&
        !__builtin_mul_overflow(run->base_count, given->separate_bases ? 1 : given->batch, &fitting) &&
        fitting < UNKNOWN / bytes) {
        most = fitting * bytes;
    }
    most = smaller(most, SIZE_MAX - 1);
    size_t size = 0;
    MUST(read_beginning(given->scalars, (size_t)most, &run->scalars, &size));
    if (size > most && fitting != UNKNOWN) {
        return bad_input("'%s' has more scalars than the %llu that go with the %llu bases in '%s'; -n takes "
                         "a part of both",
                         given->scalars, (unsigned long long)fitting, (unsigned long long)run->base_count,
                         given->bases);
    }
    if (size > most) {
        return bad_input("%s: it does not say its length and goes on after %llu bytes, the memory limit",
                         given->scalars, (unsigned long long)most);
    }
    MUST(check_whole_scalars(run, size, run->scalars, (size_t)smaller(size, FILE_HEAD_BYTES)));
    run->scalar_count = size / bytes;
    MUST(check_lengths(run));
    const uint64_t entries = run->scalar_count / given->batch;
    const size_t part = (size_t)run->n * bytes;
    for (uint64_t msm = 0; msm < given->batch && part < entries * bytes; msm++) {
        memmove(run->scalars + msm * part, run->scalars + (msm * entries + given->first) * bytes, part);
    }
    return STATUS_DONE;
}

static int read_scalars(msm_run *run)
{
    const options *given = run->given;
    progress_begin("reading %s", given->scalars);
    if (run->descriptor >= 0) {
        MUST(read_chosen_scalars(run, run->descriptor));
    } else if (given->given[OPTION_N] && given->batch == 1) {
        int descriptor;
        MUST(open_input(given->scalars, &descriptor));
        const int status = read_chosen_scalars(run, descriptor);
        close(descriptor);
        MUST(status);
    } else {
        MUST(read_all_scalars(run));
    }
    session_span(run->opened, "read scalars", progress_start());
    progress_end();
    const size_t bytes = run->scalar_bytes;
    for (uint64_t i = 0; i < run->n * given->batch && given->scalar_order == ORDER_BIG; i++) {
        for (size_t low = 0; low < bytes / 2; low++) {
            unsigned char *scalar = run->scalars + i * bytes, lowest = scalar[low];
            scalar[low] = scalar[bytes - 1 - low];
            scalar[bytes - 1 - low] = lowest;
        }
    }
    return STATUS_DONE;
}

/* ---- Computing ---- */

static int allocate_results(msm_run *run)
{
    const session *opened = run->opened;
    const uint32_t batch = (uint32_t)run->given->batch;
    ALLOCATE(run->results, (uint64_t)batch * opened->info->point_bytes, "results");
    if (run->given->partial != NULL) {
        ALLOCATE(run->partial, sumac_partial_bytes(opened->group, batch), "partial results");
    }
    return STATUS_DONE;
}

static int compute_in_memory(msm_run *run)
{
    const session *opened = run->opened;
    const options *given = run->given;
    const bool *is_given = given->given;
    run->takes_part = is_given[OPTION_N] || is_given[OPTION_FIRST] || is_given[OPTION_FIRST_BASE];
    run->first_base = is_given[OPTION_FIRST_BASE] ? given->first_base : given->first;
    if (run->takes_part && given->separate_bases) {
        return bad_input("--first, --first-base and -n do not go with --separate-bases");
    }
    MUST(open_scalars(run));
    double start = clock_seconds();
    MUST(read_bases_first(run));
    run->read_milliseconds = 1e3 * (clock_seconds() - start);
    MUST(read_scalars(run));
    const tuning_text tuning = tuning_of(given);
    sumac_msm_config config = msm_config(given, &tuning);
    config.first = run->first;
    const size_t scalars_bytes = (size_t)run->n * config.batch * run->scalar_bytes;
    char *plan = NULL;
    const sumac_status planned = sumac_msm_plan(opened->context, run->bases, (size_t)run->n, &config, &plan);
    MUST(take_json(opened->context, planned, plan, &run->plan));
    MUST(allocate_results(run));
    progress_begin("msm");
    start = clock_seconds();
    const sumac_status status =
        run->partial != NULL
            ? sumac_msm_partial(opened->context, run->bases, run->scalars, scalars_bytes, (size_t)run->n,
                                &config, run->partial, sumac_partial_bytes(opened->group, config.batch))
            : sumac_msm(opened->context, run->bases, run->scalars, scalars_bytes, (size_t)run->n, &config,
                        run->results, (size_t)config.batch * opened->info->point_bytes);
    run->milliseconds = 1e3 * (clock_seconds() - start);
    progress_end();
    return session_check(opened, status);
}

static int check_stream_options(const options *given)
{
    static const option_id refused[] = {OPTION_PRECOMPUTE, OPTION_TABLES, OPTION_FIRST_BASE,
                                        OPTION_SCALAR_ORDER};
    if (given->batch > 1) {
        return bad_input("--batch does not go with --stream: one MSM is streamed at a time");
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (given->given[refused[i]]) {
            return bad_input("--%s does not go with --stream", option_table[refused[i]].name);
        }
    }
    return STATUS_DONE;
}

static int compute_stream(msm_run *run)
{
    const session *opened = run->opened;
    const options *given = run->given;
    sumac_files_config config = {.size = sizeof config};
    config.format = given->format;
    config.check = (sumac_check)given->check;
    config.outside_subgroup = given->outside_subgroup;
    config.first = given->first;
    config.memory_limit = given->memory_limit;
    config.checkpoint = given->checkpoint;
    config.n = given->given[OPTION_N] ? given->n : config.n;
    const tuning_text tuning = tuning_of(given);
    sumac_msm_config msm = msm_config(given, &tuning);
    msm.first = 0; /* the files' config.first skips the bases and scalars instead */
    run->report = (sumac_files_report){.size = sizeof(sumac_files_report)};
    MUST(allocate_results(run));
    progress_begin("msm");
    const double start = clock_seconds();
    const sumac_status status =
        sumac_msm_files(opened->context, opened->group, given->bases, given->scalars, &config, &msm,
                        run->results, opened->info->point_bytes, &run->report);
    run->milliseconds = 1e3 * (clock_seconds() - start);
    progress_end();
    run->n = run->report.n;
    run->read_milliseconds = 1e3 * run->report.load_seconds;
    CALL(opened, status);
    if (run->partial == NULL) {
        return STATUS_DONE;
    }
    /* The partial result of a point is 1 times the point. */
    const unsigned char one[64] = {1}; /* large enough for a scalar of any group */
    MUST(bases_of_results(opened, run->results, 1, &run->bases));
    return session_check(opened, sumac_msm_partial(opened->context, run->bases, one, sizeof one, 1, NULL,
                                                   run->partial, sumac_partial_bytes(opened->group, 1)));
}

/* ---- Results ---- */

static int print_as_json(const msm_run *run)
{
    const options *given = run->given;
    const session *opened = run->opened;
    const sumac_files_report *report = &run->report;
    json_t *object =
        json_pack("{s:s, s:s, s:I, s:s}", "curve", opened->info->curve, "group", opened->info->name, "n",
                  (json_int_t)run->n, "backend", context_info(opened->context).backend);
    if (run->is_streamed) {
        json_put(&object, "stream", json_true());
        json_put(&object, "chunk", json_integer((json_int_t)report->chunk));
        json_put(&object, "resumed", json_integer((json_int_t)report->resumed));
        json_put(&object, "memory", json_integer((json_int_t)report->memory_bytes));
    } else {
        json_put(&object, "plan", json_string(plan_name(run->plan)));
    }
    json_put(&object, "ms", json_real(run->milliseconds));
    json_put(&object, "check", json_string(option_choice(OPTION_VALIDATE, given->check)));
    json_put(&object, "read_ms", json_real(run->read_milliseconds));
    points_file_put(&object, given);
    if (given->partial != NULL) {
        json_put(&object, "partial", text_to_json(given->partial));
    } else {
        put_results(&object, opened->info, run->results, (uint32_t)given->batch);
    }
    return print_json(object);
}

static int print_as_text(const msm_run *run)
{
    /* These texts are in the order of sumac_check. */
    static const char *const checks[] = {"each checked to be on the curve", "each checked to be on the curve",
                                         "each checked to be in the subgroup", "not checked"};
    const options *given = run->given;
    const session *opened = run->opened;
    print("curve      %s %s\n", opened->info->curve, opened->info->name);
    print("n          %llu\n", (unsigned long long)run->n);
    if (given->batch > 1) {
        print("batch      %llu\n", (unsigned long long)given->batch);
    }
    print("backend    %s (%s)", context_info(opened->context).backend, context_info(opened->context).variant);
    if (run->is_streamed) {
        print("\nstream     chunks of %llu bases, %.1f MiB\n", (unsigned long long)run->report.chunk,
              (double)run->report.memory_bytes / 1048576);
        if (run->report.resumed > 0) {
            print("resumed    %llu bases were done\n", (unsigned long long)run->report.resumed);
        }
    } else {
        sumac_bases_info kept = {.size = sizeof kept};
        CALL(opened, sumac_bases_describe(run->bases, &kept));
        print(", threads: %u\n", (unsigned)plan_integer(run->plan, "threads"));
        print("plan       %s, precompute = %u, c = %u, windows = %u%s\n", plan_name(run->plan),
              (unsigned)plan_integer(run->plan, "precompute_factor"), (unsigned)plan_integer(run->plan, "c"),
              (unsigned)plan_integer(run->plan, "windows"),
              kept.tables == SUMAC_TABLES_WINDOWS ? ", window tables" : "");
    }
    print("bases      read in %.3f ms, %s\n", run->read_milliseconds, checks[given->check]);
    print("time       %.3f ms\n", run->milliseconds);
    if (given->partial != NULL) {
        print("partial    ");
        print_text(given->partial);
        print("\n");
    } else {
        print_points(opened->info, run->results, (uint32_t)given->batch);
        points_file_print(given);
    }
    return STATUS_DONE;
}

/* Remove the checkpoint after the result has been delivered. */
static int remove_checkpoint(const options *given)
{
    if (given->checkpoint == NULL || fflush(report_stream()) != 0 || ferror(report_stream())) {
        return STATUS_DONE; /* if a write failed, that is reported when the stream is closed */
    }
    const int error_number = path_remove(given->checkpoint);
    return error_number == 0 ? STATUS_DONE : system_failure("remove", given->checkpoint, error_number);
}

static int run_msm(const session *opened, const options *given)
{
    CLEANUP(free_run)
    msm_run run = {.opened = opened,
                   .given = given,
                   .is_streamed = given->stream || given->checkpoint != NULL,
                   .descriptor = -1,
                   .partial_file = RESULT_FILE_CLOSED,
                   .out = RESULT_FILE_CLOSED};
    result_file *const files[] = {&run.partial_file};
    MUST(run.is_streamed ? check_stream_options(given) : STATUS_DONE);
    MUST(check_format("format", given->format, false));
    if (given->partial != NULL) {
        MUST(result_file_open(&run.partial_file, given->partial));
    }
    MUST(points_file_open(&run.out, opened, given));
    MUST(run.is_streamed ? compute_stream(&run) : compute_in_memory(&run));
    if (given->partial != NULL) {
        MUST(result_file_put(&run.partial_file, run.partial,
                             sumac_partial_bytes(opened->group, (uint32_t)given->batch)));
    }
    MUST(session_commit(opened, files, 1));
    MUST(points_file_write(&run.out, opened, given, run.results, (size_t)given->batch));
    MUST(given->json ? print_as_json(&run) : print_as_text(&run));
    return remove_checkpoint(given);
}

const command command_msm = {
    .name = "msm",
    .summary = "Compute k_0*P_0 + ... + k_(n-1)*P_(n-1)",
    .takes = OPTIONS(OPTIONS_OF_MSM, OPTION_FIRST, OPTION_FIRST_BASE, OPTION_N, OPTION_SEPARATE_BASES,
                     OPTION_SCALAR_BYTES, OPTION_SCALAR_SIGNED, OPTION_SCALAR_ORDER, OPTION_STREAM,
                     OPTION_CHECKPOINT, OPTION_PARTIAL, OPTION_OUT, OPTION_TO, OPTION_TRACE),
    .needs = OPTIONS(OPTION_CURVE, OPTION_BASES, OPTION_SCALARS),
    .presets = PRESETS({OPTION_VALIDATE, "curve"}),
    .takes_devices = true,
    .example = "msm --curve bn254 --bases bases.bin --scalars scalars.bin",
    .run_in = run_msm,
};
