/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * `sumac bench --groth16` and `--plonk`. A circuit and its insecure key are created once for each curve, size and kind of
 * witness. The key is opened once for each number of threads and each precompute factor. All other options vary from row to
 * row.
 */
#include "bench_proofs.h"

#include "groth16.h"

/* All rows of one circuit and key share this state. */
typedef struct proof_bench {
    const proof_system *system;
    options wanted; /* the options of the command line; an option with a list has the value of the current
                       row */
    const options *given;
    scratch_file files[SCRATCH_FILES];
    scalar_kind kind;
    void *key;
    proof_facts facts;
    void *witness;
    double open_ms;
    bool has_header; /* the header was printed before the first row */
    json_t *rows;
    size_t *wrong;
} proof_bench;

/* This is a row, with the inputs and outputs of its calls. */
typedef struct proof_row {
    const proof_bench *bench;
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

static int make_files(proof_bench *bench, const sumac_group *group, uint64_t size)
{
    CLEANUP(close_context) sumac_context *context = NULL;
    const uint64_t seed = bench->given->seed;
    const witness_kind kind = bench->kind == KIND_SPARSE ? WITNESS_SPARSE : WITNESS_UNIFORM;
    scratch_file *files = bench->files;
    sumac_message why;
    MUST(create_context(&bench->wanted, NULL, false, &context));
    for (int i = 0; i < SCRATCH_FILES; i++) {
        MUST(scratch_open(&files[i]));
    }
    progress_begin("making a circuit and its key");
    sumac_status status = toy_circuit(context, group, bench->system->constraints(size), bits_percent_of(kind),
                                      seed, files[SCRATCH_R1CS].stream, files[SCRATCH_WTNS].stream, &why);
    if (status == SUMAC_OK) {
        status = bench->system->setup(context, group, size, seed, files, &why);
    }
    const int error = errno;
    progress_end();
    scratch_close(&files[SCRATCH_R1CS]);
    scratch_close(&files[SCRATCH_PTAU]);
    return status == SUMAC_WRITE_FAILED ? system_failure("write", scratch_directory(), error)
                                        : toy_check("", status, &why);
}

/* ---- A row ---- */

/* Copy the witness for each proof of the batch. The proofs differ only by their randomness. */
static int allocate_row(proof_row *row)
{
    const proof_facts *facts = &row->bench->facts;
    uint64_t bytes, proofs;
    if (__builtin_mul_overflow(row->batch, facts->witness_bytes, &bytes) ||
        __builtin_mul_overflow(row->batch, facts->proof_bytes, &proofs) || bytes > SIZE_MAX / 2) {
        return machine_fault("out of memory: %u witnesses of %llu bytes are more than can be addressed",
                             (unsigned)row->batch, (unsigned long long)facts->witness_bytes);
    }
    ALLOCATE(row->proofs, proofs, "proofs");
    row->witnesses = row->bench->witness;
    row->witnesses_bytes = facts->witness_bytes;
    if (row->batch == 1 && row->memory == MEMORY_PAGEABLE) {
        return STATUS_DONE;
    }
    row->witnesses = row->copies = bench_allocate(row->context, row->memory, bytes, "witnesses");
    for (uint32_t i = 0; i < row->batch && row->copies != NULL; i++) {
        memcpy(row->copies + i * facts->witness_bytes, row->bench->witness, (size_t)facts->witness_bytes);
    }
    row->witnesses_bytes += bytes;
    return row->copies != NULL ? STATUS_DONE : STATUS_MACHINE_FAULT;
}

static sumac_status call_prove(void *user)
{
    const proof_row *row = user;
    const proof_facts *facts = &row->bench->facts;
    return row->bench->system->prove(row->context, row->bench->key, facts, row->witnesses, row->batch,
                                     row->proofs);
}

static int verify(proof_row *row)
{
    const proof_bench *bench = row->bench;
    AUTO_FREE unsigned char *publics = NULL;
    ALLOCATE(publics, bench->facts.publics_bytes, "public inputs");
    row->verified = true;
    for (uint32_t i = 0; i < row->batch; i++) {
        int ok = 0;
        MUST(library_check(row->context,
                           bench->system->verify(row->context, bench->key, &bench->facts, bench->witness,
                                                 publics, row->proofs + i * bench->facts.proof_bytes, &ok)));
        row->verified &= ok == 1;
    }
    return STATUS_DONE;
}

static void print_row(const proof_row *row)
{
    const proof_bench *bench = row->bench;
    const uint64_t peak = row->times.peak_bytes; /* the peak includes the witnesses, which are subtracted
                                                    below */
    char backend[40], stated[24] = "-";
    snprintf(backend, sizeof backend, "%s/%s", context_info(row->context).backend,
             context_info(row->context).variant);
    if (bench->facts.workspace_bytes > 0) {
        snprintf(stated, sizeof stated, "%.1f", (double)bench->facts.workspace_bytes / 1048576);
    }
    print("%-10s %9llu %9llu %5u %-8s %-8s %3u %3u %-13s %9.1f %9s %9.1f %11.3f %11.3f %9.4f %9.1f  %s\n",
          bench->facts.curve, (unsigned long long)bench->facts.domain, (unsigned long long)bench->facts.wires,
          (unsigned)row->batch, option_choice(OPTION_KIND, bench->kind),
          option_choice(OPTION_MEMORY, row->memory), (unsigned)context_info(row->context).threads,
          (unsigned)bench->wanted.precompute, backend, (double)bench->facts.key_bytes / 1048576, stated,
          bench->open_ms, row->times.minimum_ms / row->batch, row->times.median_ms / row->batch,
          row->times.user_seconds / row->batch,
          (double)(peak - smaller(peak, row->witnesses_bytes)) / 1048576,
          row->verified ? "yes" : "NO: A WRONG PROOF");
    fflush(report_stream()); /* rows take long, so a reader of a pipe must get each one as soon as it is
                             measured */
}

/* Convert a row to JSON. Unlike the printed row, it has the peak memory of the whole process. */
static json_t *row_to_json(const proof_row *row)
{
    const proof_bench *bench = row->bench;
    const uint64_t stated = bench->facts.workspace_bytes;
    return json_pack(
        "{s:s, s:s, s:I, s:I, s:I, s:s, s:s, s:I, s:I, s:s, s:s, s:I, s:o*, s:f, s:f, s:f, s:o, s:f, s:f, "
        "s:I, s:b}",
        "proof", bench->system->name, "curve", bench->facts.curve, "domain", (json_int_t)bench->facts.domain,
        "wires", (json_int_t)bench->facts.wires, "proofs", (json_int_t)row->batch, "kind",
        option_choice(OPTION_KIND, bench->kind), "memory", option_choice(OPTION_MEMORY, row->memory),
        "threads", (json_int_t)context_info(row->context).threads, "precompute",
        (json_int_t)bench->wanted.precompute, "backend", context_info(row->context).backend, "variant",
        context_info(row->context).variant, "key_bytes", (json_int_t)bench->facts.key_bytes,
        "workspace_bytes", stated > 0 ? json_integer((json_int_t)stated) : NULL, "open_ms", bench->open_ms,
        "min_ms", row->times.minimum_ms, "median_ms", row->times.median_ms, "stages_ms",
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

static int measure_row(proof_bench *bench, uint32_t batch, scalar_memory memory)
{
    CLEANUP(free_row) proof_row row = {.bench = bench, .batch = batch, .memory = memory};
    progress_begin("%s, domain %llu", bench->facts.curve, (unsigned long long)bench->facts.domain);
    MUST(create_context(&bench->wanted, NULL, false, &row.context));
    MUST(allocate_row(&row));
    MUST(bench_time_calls(&row.context, &bench->wanted, call_prove, &row, bench->given->runs, &row.times));
    MUST(verify(&row));
    progress_end();
    if (!bench->has_header) {
        print("%-10s %9s %9s %5s %-8s %-8s %3s %3s %-13s %9s %9s %9s %11s %11s %9s %9s  %s\n", "curve",
              "domain", "wires", "batch", "kind", "memory", "thr", "f", "backend", "key MiB", "work MiB",
              "open ms", "min ms", "median ms", "user s", "peak MiB", "verified");
    }
    bench->has_header = true;
    print_row(&row);
    *bench->wrong += row.verified ? 0 : 1;
    return bench_add_row(bench->rows, row_to_json(&row));
}

/* ---- Rows ---- */

/* Open the key in a separate context. This context is destroyed before proofs are timed, so that its workspace is
 * freed. */
static int open_key(proof_bench *bench)
{
    CLEANUP(close_context) sumac_context *context = NULL;
    MUST(create_context(&bench->wanted, NULL, false, &context));
    const double start = clock_seconds();
    progress_begin("opening the key");
    MUST(library_check(context, bench->system->open(context, &bench->wanted,
                                                    scratch_rewound(&bench->files[SCRATCH_ZKEY]), &bench->key,
                                                    &bench->facts)));
    bench->open_ms = 1e3 * (clock_seconds() - start);
    progress_end();
    return library_check(context, bench->system->witness(context, bench->key,
                                                         scratch_rewound(&bench->files[SCRATCH_WTNS]),
                                                         &bench->witness));
}

static void close_key(proof_bench **bench)
{
    (*bench)->system->close((*bench)->key);
    sumac_free((*bench)->witness);
    (*bench)->key = (*bench)->witness = NULL;
}

static int measure_key(proof_bench *bench)
{
    const options *given = bench->given;
    CLEANUP(close_key) proof_bench *with_key = bench;
    MUST(open_key(with_key));
    for (size_t i = 0; i < given->batch_list.count * given->memory.count; i++) {
        MUST(measure_row(bench, (uint32_t)given->batch_list.values[i / given->memory.count],
                         (scalar_memory)given->memory.values[i % given->memory.count]));
    }
    return STATUS_DONE;
}

static void close_files(proof_bench **bench)
{
    for (int i = 0; i < SCRATCH_FILES; i++) {
        scratch_close(&(*bench)->files[i]);
    }
}

static int measure_circuit(proof_bench *bench, const sumac_group *group, uint64_t size)
{
    const options *given = bench->given;
    const size_t factors = given->precompute_list.count;
    CLEANUP(close_files) proof_bench *with_files = bench;
    bench->wanted.threads = 0;
    MUST(make_files(with_files, group, size));
    for (size_t i = 0; i < given->threads_list.count * factors; i++) {
        bench->wanted.threads = given->threads_list.values[i / factors];
        bench->wanted.precompute = given->precompute_list.values[i % factors];
        MUST(measure_key(bench));
    }
    return STATUS_DONE;
}

int bench_proofs(const options *given, const group_list *groups, json_t *rows, size_t *wrong)
{
    proof_bench bench = {
        .system = bench_proof_system(given), .wanted = *given, .given = given, .rows = rows, .wrong = wrong};
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

const char *bench_proofs_curves(const options *given)
{
    if (!given->given[OPTION_CURVE]) {
        return "bn254";
    }
    return strcmp(given->curve, "all") == 0 ? "bn254,bls12-381" : given->curve;
}

int bench_proofs_check(const options *given)
{
    static const option_id msm_options[] = {
        OPTION_GROUP,       OPTION_TABLES,         OPTION_TABLE_LIMIT,  TUNE_C,
        TUNE_REDUCTION,     OPTION_SEPARATE_BASES, TUNE_CHUNKS,         TUNE_COPY_SLICES,
        TUNE_LARGE_BUCKETS, OPTION_SCALAR_BITS,    OPTION_SCALAR_BYTES, OPTION_SCALAR_SIGNED,
        OPTION_PLAN};
    const proof_system *system = bench_proof_system(given);
    if (given->groth16 && given->plonk) {
        return bad_input("--groth16 and --plonk can't be combined");
    }
    if (given->groth16 && given->given[OPTION_PROTOCOL]) {
        return bad_input("--protocol goes with --plonk only");
    }
    for (size_t i = 0; i < sizeof msm_options / sizeof *msm_options; i++) {
        if (given->given[msm_options[i]]) {
            const option_spec *spec = &option_table[msm_options[i]];
            return bad_input("%s%s is for MSMs and can't be combined with --%s", option_dashes(spec),
                             spec->name, system->option);
        }
    }
    for (size_t i = 0; i < given->kinds.count; i++) {
        if (given->kinds.values[i] != KIND_UNIFORM && given->kinds.values[i] != KIND_SPARSE) {
            return bad_input("--kind with --%s takes uniform and sparse, not '%s'", system->option,
                             option_choice(OPTION_KIND, given->kinds.values[i]));
        }
    }
    for (size_t i = 0; i < given->sizes.count; i++) {
        if (given->sizes.values[i] < system->least) {
            return bad_input("-n with --%s takes numbers from %llu on, not %llu", system->option,
                             (unsigned long long)system->least, (unsigned long long)given->sizes.values[i]);
        }
    }
    return STATUS_DONE;
}
