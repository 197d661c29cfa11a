/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * `sumac bench --groth16`. A circuit and its insecure key are created once for each curve, size and kind of witness.
 * The key is opened once for each number of threads and each precompute factor. All other options vary from row to row.
 */
#include "cli.h"

#include "bench.h"
#include "groth16.h"

/* The domain of a circuit has a row for each constraint, and one each for the constant wire and the public output. */
enum { OTHER_ROWS = 2 };

/* A scratch file has no name, so it vanishes when the process ends, even if it crashes. */
typedef struct scratch_file {
    FILE *stream;
    char path[32]; /* the path by which the library reads from the descriptor's position on */
} scratch_file;

enum { R1CS, WTNS, ZKEY, SCRATCH_FILES };

/* All rows of one circuit and key share this state. */
typedef struct groth16_bench {
    options wanted; /* the options of the command line; an option with a list has the value of the current
                       row */
    const options *given;
    scratch_file files[SCRATCH_FILES];
    scalar_kind kind;
    proving_key key;
    unsigned char *witness;
    double open_ms;
    bool has_header; /* the header was printed before the first row */
    json_t *rows;
    size_t *wrong;
} groth16_bench;

/* This is a row, with the inputs and outputs of its calls. */
typedef struct proof_row {
    const groth16_bench *bench;
    uint32_t batch;
    scalar_memory memory;
    sumac_context *context;
    unsigned char *copies; /* copies of the circuit's witness; null if the calls use the witness itself */
    const unsigned char *witnesses;
    unsigned char *proofs;
    uint64_t witnesses_bytes; /* the size of all witnesses in memory */
    bench_times times;
    bool verified;
} proof_row;

/* ---- Files ---- */

static const char *scratch_directory(void)
{
    const char *directory = getenv("TMPDIR");
    return directory != NULL && directory[0] != '\0' ? directory : "/tmp";
}

static int open_scratch(scratch_file *file)
{
    char path[PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s/sumac-bench-XXXXXX", scratch_directory());
    errno = ENAMETOOLONG;
    const int descriptor = (size_t)length < sizeof path ? mkstemp(path) : -1;
    if (descriptor < 0 || unlink(path) != 0 || (file->stream = fdopen(descriptor, "w+b")) == NULL) {
        const int status = system_failure("write", scratch_directory(), errno);
        if (descriptor >= 0) {
            close(descriptor);
        }
        return status;
    }
    snprintf(file->path, sizeof file->path, "/dev/fd/%d", descriptor);
    return STATUS_DONE;
}

static void close_scratch(scratch_file *file)
{
    if (file->stream != NULL) {
        fclose(file->stream);
    }
    file->stream = NULL;
}

/* Seek to the beginning of a file, and return its path. */
static const char *rewound(const scratch_file *file)
{
    (void)lseek(fileno(file->stream), 0, SEEK_SET);
    return file->path;
}

static int make_files(groth16_bench *bench, const sumac_group *group, uint64_t size)
{
    CLEANUP(close_context) sumac_context *context = NULL;
    const uint64_t seed = bench->given->seed;
    const witness_kind kind = bench->kind == KIND_SPARSE ? WITNESS_SPARSE : WITNESS_UNIFORM;
    scratch_file *files = bench->files;
    sumac_message why;
    MUST(create_context(&bench->wanted, NULL, false, &context));
    for (int i = 0; i < SCRATCH_FILES; i++) {
        MUST(open_scratch(&files[i]));
    }
    progress_begin("making a circuit and its key");
    sumac_status status = toy_circuit(context, group, size - OTHER_ROWS, bits_percent_of(kind), seed,
                                      files[R1CS].stream, files[WTNS].stream, &why);
    if (status == SUMAC_OK) { /* a seed of 0 would mean the system's randomness */
        status = toy_setup(context, files[R1CS].stream, seed == 0 ? 1 : seed, files[ZKEY].stream, &why);
    }
    const int error = errno;
    progress_end();
    close_scratch(&files[R1CS]);
    return status == SUMAC_WRITE_FAILED ? system_failure("write", scratch_directory(), error)
                                        : toy_check("", status, &why);
}

/* ---- A row ---- */

/* Copy the witness for each proof of the batch. The proofs differ only by their randomness. */
static int allocate_row(proof_row *row)
{
    const sumac_groth16_info *info = &row->bench->key.info;
    uint64_t bytes, proofs;
    if (__builtin_mul_overflow(row->batch, info->witness_bytes, &bytes) ||
        __builtin_mul_overflow(row->batch, info->proof_bytes, &proofs) || bytes > SIZE_MAX / 2) {
        return machine_fault("out of memory: %u witnesses of %llu bytes are more than can be addressed",
                             (unsigned)row->batch, (unsigned long long)info->witness_bytes);
    }
    ALLOCATE(row->proofs, proofs, "proofs");
    row->witnesses = row->bench->witness;
    row->witnesses_bytes = info->witness_bytes;
    if (row->batch == 1 && row->memory == MEMORY_PAGEABLE) {
        return STATUS_DONE;
    }
    row->witnesses = row->copies = bench_allocate(row->context, row->memory, bytes, "witnesses");
    for (uint32_t i = 0; i < row->batch && row->copies != NULL; i++) {
        memcpy(row->copies + i * info->witness_bytes, row->bench->witness, (size_t)info->witness_bytes);
    }
    row->witnesses_bytes += bytes;
    return row->copies != NULL ? STATUS_DONE : STATUS_MACHINE_FAULT;
}

static sumac_status call_prove(void *user)
{
    const proof_row *row = user;
    return sumac_groth16_prove(row->context, row->bench->key.key, row->witnesses,
                               row->batch * (size_t)row->bench->key.info.witness_bytes, row->batch, NULL,
                               row->proofs, row->batch * (size_t)row->bench->key.info.proof_bytes);
}

static int verify(proof_row *row)
{
    const sumac_groth16_info *info = &row->bench->key.info;
    const sumac_groth16_key *key = row->bench->key.key;
    AUTO_FREE unsigned char *publics = NULL;
    ALLOCATE(publics, info->publics_bytes, "public inputs");
    MUST(library_check(row->context, sumac_groth16_witness_publics(row->context, key, row->bench->witness,
                                                                   (size_t)info->witness_bytes, publics,
                                                                   (size_t)info->publics_bytes)));
    row->verified = true;
    for (uint32_t i = 0; i < row->batch; i++) {
        int ok = 0;
        MUST(library_check(row->context, sumac_groth16_verify(row->context, sumac_groth16_key_verifying(key),
                                                              publics, (size_t)info->publics_bytes,
                                                              row->proofs + i * info->proof_bytes,
                                                              (size_t)info->proof_bytes, 1, &ok)));
        row->verified &= ok == 1;
    }
    return STATUS_DONE;
}

static void print_row(const proof_row *row)
{
    const groth16_bench *bench = row->bench;
    const uint64_t peak = row->times.peak_bytes; /* the peak includes the witnesses, which are subtracted
                                                    below */
    char backend[40];
    snprintf(backend, sizeof backend, "%s/%s", context_info(row->context).backend,
             context_info(row->context).variant);
    print("%-10s %9llu %9llu %5u %-8s %-8s %3u %3u %-13s %9.1f %9.1f %11.3f %11.3f %9.4f %9.1f  %s\n",
          bench->key.info.g1->curve, (unsigned long long)bench->key.info.domain,
          (unsigned long long)bench->key.info.wires, (unsigned)row->batch,
          option_choice(OPTION_KIND, bench->kind), option_choice(OPTION_MEMORY, row->memory),
          (unsigned)context_info(row->context).threads, (unsigned)bench->wanted.precompute, backend,
          (double)bench->key.info.key_bytes / 1048576, bench->open_ms, row->times.minimum_ms / row->batch,
          row->times.median_ms / row->batch, row->times.user_seconds / row->batch,
          (double)(peak - smaller(peak, row->witnesses_bytes)) / 1048576,
          row->verified ? "yes" : "NO: A WRONG PROOF");
    fflush(report_stream()); /* rows take long, so a reader of a pipe must get each one as soon as it is
                             measured */
}

/* Convert a row to JSON. Unlike the printed row, it has the peak memory of the whole process. */
static json_t *row_to_json(const proof_row *row)
{
    const groth16_bench *bench = row->bench;
    return json_pack(
        "{s:s, s:I, s:I, s:I, s:s, s:s, s:I, s:I, s:s, s:s, s:I, s:f, s:f, s:f, s:o, s:f, s:f, s:I, s:b}",
        "curve", bench->key.info.g1->curve, "domain", (json_int_t)bench->key.info.domain, "wires",
        (json_int_t)bench->key.info.wires, "proofs", (json_int_t)row->batch, "kind",
        option_choice(OPTION_KIND, bench->kind), "memory", option_choice(OPTION_MEMORY, row->memory),
        "threads", (json_int_t)context_info(row->context).threads, "precompute",
        (json_int_t)bench->wanted.precompute, "backend", context_info(row->context).backend, "variant",
        context_info(row->context).variant, "key_bytes", (json_int_t)bench->key.info.key_bytes, "open_ms",
        bench->open_ms, "min_ms", row->times.minimum_ms, "median_ms", row->times.median_ms, "stages_ms",
        json_incref(row->times.stages), "stages_of_ms", row->times.stages_of_ms, "user_seconds",
        row->times.user_seconds, "peak_rss_bytes", (json_int_t)row->times.peak_bytes, "verified",
        (int)row->verified);
}

static void free_row(proof_row *row)
{
    bench_times_free(&row->times);
    bench_free(row->memory, row->copies);
    free(row->proofs);
    sumac_context_destroy(row->context);
}

static int measure_row(groth16_bench *bench, uint32_t batch, scalar_memory memory)
{
    CLEANUP(free_row) proof_row row = {.bench = bench, .batch = batch, .memory = memory};
    progress_begin("%s, domain %llu", bench->key.info.g1->curve, (unsigned long long)bench->key.info.domain);
    MUST(create_context(&bench->wanted, NULL, false, &row.context));
    MUST(allocate_row(&row));
    MUST(bench_time_calls(&row.context, &bench->wanted, call_prove, &row, bench->given->runs, &row.times));
    MUST(verify(&row));
    progress_end();
    if (!bench->has_header) {
        print("%-10s %9s %9s %5s %-8s %-8s %3s %3s %-13s %9s %9s %11s %11s %9s %9s  %s\n", "curve", "domain",
              "wires", "batch", "kind", "memory", "thr", "f", "backend", "key MiB", "open ms", "min ms",
              "median ms", "user s", "peak MiB", "verified");
    }
    bench->has_header = true;
    print_row(&row);
    *bench->wrong += row.verified ? 0 : 1;
    return bench_add_row(bench->rows, row_to_json(&row));
}

/* ---- Rows ---- */

/* Open the key in a separate context. This context is destroyed before proofs are timed, so that its workspace is
 * freed. */
static int open_key(groth16_bench *bench)
{
    CLEANUP(close_context) sumac_context *context = NULL;
    MUST(create_context(&bench->wanted, NULL, false, &context));
    const session opened = {.context = context};
    const double start = clock_seconds();
    void *witness = NULL;
    size_t witness_bytes;
    MUST(open_proving_key(&opened, &bench->wanted, rewound(&bench->files[ZKEY]), &bench->key));
    bench->open_ms = 1e3 * (clock_seconds() - start);
    const sumac_status status = sumac_groth16_witness_open(
        context, bench->key.key, rewound(&bench->files[WTNS]), &witness, &witness_bytes);
    bench->witness = witness;
    return library_check(context, status);
}

static void close_key(groth16_bench **bench)
{
    close_proving_key(&(*bench)->key);
    sumac_free((*bench)->witness);
    (*bench)->witness = NULL;
}

static int measure_key(groth16_bench *bench)
{
    const options *given = bench->given;
    CLEANUP(close_key) groth16_bench *with_key = bench;
    MUST(open_key(with_key));
    for (size_t i = 0; i < given->batch_list.count * given->memory.count; i++) {
        MUST(measure_row(bench, (uint32_t)given->batch_list.values[i / given->memory.count],
                         (scalar_memory)given->memory.values[i % given->memory.count]));
    }
    return STATUS_DONE;
}

static void close_files(groth16_bench **bench)
{
    for (int i = 0; i < SCRATCH_FILES; i++) {
        close_scratch(&(*bench)->files[i]);
    }
}

static int measure_circuit(groth16_bench *bench, const sumac_group *group, uint64_t size)
{
    const options *given = bench->given;
    const size_t factors = given->precompute_list.count;
    CLEANUP(close_files) groth16_bench *with_files = bench;
    bench->wanted.threads = 0;
    MUST(make_files(with_files, group, size));
    for (size_t i = 0; i < given->threads_list.count * factors; i++) {
        bench->wanted.threads = given->threads_list.values[i / factors];
        bench->wanted.precompute = given->precompute_list.values[i % factors];
        MUST(measure_key(bench));
    }
    return STATUS_DONE;
}

int bench_groth16(const options *given, const group_list *groups, json_t *rows, size_t *wrong)
{
    groth16_bench bench = {.wanted = *given, .given = given, .rows = rows, .wrong = wrong};
    const size_t sizes = given->sizes.count, kinds = given->kinds.count;
    bench.wanted.curve = NULL;
    if (!given->given[OPTION_VALIDATE]) {
        bench.wanted.check = SUMAC_CHECK_SUBGROUP;
    }
    for (size_t i = 0; i < groups->count * sizes * kinds; i++) {
        bench.kind = (scalar_kind)given->kinds.values[i % kinds];
        MUST(measure_circuit(&bench, groups->groups[i / kinds / sizes],
                             given->sizes.values[i / kinds % sizes]));
    }
    return STATUS_DONE;
}

/* ---- Options ---- */

const char *bench_groth16_curves(const options *given)
{
    if (!given->given[OPTION_CURVE]) {
        return "bn254";
    }
    return strcmp(given->curve, "all") == 0 ? "bn254,bls12-381" : given->curve;
}

int bench_groth16_check(const options *given)
{
    static const option_id msm_options[] = {
        OPTION_GROUP,       OPTION_TABLES,         OPTION_TABLE_LIMIT,  TUNE_C,
        TUNE_REDUCTION,     OPTION_SEPARATE_BASES, TUNE_CHUNKS,         TUNE_COPY_SLICES,
        TUNE_LARGE_BUCKETS, OPTION_SCALAR_BITS,    OPTION_SCALAR_BYTES, OPTION_SCALAR_SIGNED,
        OPTION_PLAN};
    for (size_t i = 0; i < sizeof msm_options / sizeof *msm_options; i++) {
        if (given->given[msm_options[i]]) {
            const option_spec *spec = &option_table[msm_options[i]];
            return bad_input("%s%s is for MSMs and can't be combined with --groth16", option_dashes(spec),
                             spec->name);
        }
    }
    for (size_t i = 0; i < given->kinds.count; i++) {
        if (given->kinds.values[i] != KIND_UNIFORM && given->kinds.values[i] != KIND_SPARSE) {
            return bad_input("--kind with --groth16 takes uniform and sparse, not '%s'",
                             option_choice(OPTION_KIND, given->kinds.values[i]));
        }
    }
    for (size_t i = 0; i < given->sizes.count; i++) {
        if (given->sizes.values[i] <= OTHER_ROWS) {
            return bad_input("-n with --groth16 takes numbers from %d on, not %llu", OTHER_ROWS + 1,
                             (unsigned long long)given->sizes.values[i]);
        }
    }
    return STATUS_DONE;
}
