/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The options of all commands: one table, one parser. A command lists the options that it takes; the same
 * name always means the same thing, but for --json, --threads, --precompute and --batch, which `bench` takes
 * as a file and as lists, and --device, which `sumac-mpi` takes as a word, too.
 */
#ifndef SUMAC_CLI_OPTIONS_H
#define SUMAC_CLI_OPTIONS_H

#include <stdbool.h>

#include "numbers.h"
#include "report.h"

typedef enum option_id {
    OPTION_END, /* closes lists of options */
    OPTION_CURVE,
    OPTION_GROUP,
    OPTION_BASES,
    OPTION_FORMAT,
    OPTION_TABLE_INPUT,
    OPTION_SCALARS,
    OPTION_FIRST,
    OPTION_N,
    OPTION_BACKEND,
    OPTION_VARIANT,
    OPTION_DEVICE,
    OPTION_DEVICES,
    OPTION_THREADS,
    OPTION_PLAN,
    OPTION_PRECOMPUTE,
    OPTION_TABLES,
    OPTION_TABLE_LIMIT,
    OPTION_C,
    OPTION_REDUCTION,
    OPTION_CHUNKS,
    OPTION_COPY_SLICES,
    OPTION_LARGE_BUCKET_FACTOR,
    OPTION_SCALAR_BITS,
    OPTION_SCALAR_BYTES,
    OPTION_SCALAR_SIGNED,
    OPTION_CUT_SCALARS,
    OPTION_BATCH,
    OPTION_SEPARATE_BASES,
    OPTION_TYPICAL_BATCH,
    OPTION_TYPICAL_N,
    OPTION_MEMORY_LIMIT,
    OPTION_CHECK,
    OPTION_OUTSIDE_SUBGROUP,
    OPTION_PARTIAL,
    OPTION_OUT,
    OPTION_JSON,
    OPTION_TRACE,
    OPTION_SEED,
    OPTION_KIND,
    OPTION_OUT_BASES,
    OPTION_OUT_SCALARS,
    OPTION_OUT_FORMAT,
    OPTION_EXPECTED,
    OPTION_FROM,
    OPTION_TO,
    OPTION_TABLE_OUTPUT,
    OPTION_SETUP,
    OPTION_EXPECT,
    OPTION_COMMITMENT,
    OPTION_PROOF,
    OPTION_Z,
    OPTION_Y,
    OPTION_CELLS,
    OPTION_CURVES,
    OPTION_GROUPS,
    OPTION_SIZES,
    OPTION_KINDS,
    OPTION_MEMORY,
    OPTION_THREADS_LIST,
    OPTION_PRECOMPUTE_LIST,
    OPTION_BATCH_LIST,
    OPTION_RUNS,
    OPTION_COMMIT,
    OPTION_JSON_FILE,
    OPTION_WEIGHTS,
    OPTION_MEASURE_WEIGHTS,
    OPTION_RANK_DEVICE,
    OPTION_PLANS,
    OPTION_STREAM,
    OPTION_RESUME,
    OPTION_CIRCUIT,
    OPTION_WITNESS_KIND,
    OPTION_GROTH16,
    OPTION_VERIFYING_KEY,
    OPTION_UNVERIFIED,
    OPTION_PROOF_FORMAT,
    OPTION_COUNT
} option_id;

/* What a command takes that computes an MSM of files. */
#define OPTIONS_OF_MSM                                                                                       \
    OPTION_CURVE, OPTION_GROUP, OPTION_BASES, OPTION_FORMAT, OPTION_TABLE_INPUT, OPTION_SCALARS,             \
        OPTION_BATCH, OPTION_SCALAR_BITS, OPTION_CUT_SCALARS, OPTION_CHECK, OPTION_OUTSIDE_SUBGROUP,         \
        OPTION_BACKEND, OPTION_VARIANT, OPTION_DEVICES, OPTION_THREADS, OPTION_PLAN, OPTION_PRECOMPUTE,      \
        OPTION_TABLES, OPTION_TABLE_LIMIT, OPTION_C, OPTION_REDUCTION, OPTION_CHUNKS, OPTION_COPY_SLICES,    \
        OPTION_LARGE_BUCKET_FACTOR, OPTION_MEMORY_LIMIT, OPTION_JSON

/* For sumac_context_config. */
typedef struct device_list {
    int32_t values[SUMAC_MAX_DEVICES];
    uint64_t count; /* SUMAC_ALL_DEVICES: no values; 0: no list */
} device_list;

/* What the command line said; options_defaults() says what holds where it said nothing. */
typedef struct options {
    const char *curve, *group, *bases, *format, *scalars, *backend, *variant, *plan, *partial, *trace;
    const char *out_bases, *out_scalars, *expected, *from, *to, *table, *setup, *expect, *commit, *json_file;
    const char *plans, *resume, *out, *circuit, *verifying_key;
    const char *commitment, *proof, *z, *y, *cells;
    const char *rank_device;
    uint64_t first, n, threads, precompute, c, chunks, copy_slices, large_bucket_factor, scalar_bits,
        scalar_bytes, batch, typical_batch, typical_n, memory_limit, table_limit, seed, runs, device;
    /* indices into the table's choices: sumac_check, sumac_reduction, scalar_kind or witness_kind, sumac_tables,
     * proof_format */
    uint64_t check, reduction, kind, tables, proof_format;
    number_list sizes, threads_list, precompute_list, batch_list, kinds, memory, groups, weights;
    device_list devices;
    bool table_input, separate_bases, cut_scalars, scalar_signed, outside_subgroup, json, measure_weights,
        stream, unverified, groth16;
    bool given[OPTION_COUNT];
    char **operands;
    int operand_count;
    const char *command_line; /* all of it, for result files */
} options;

typedef enum option_type {
    TYPE_FLAG,    /* bool */
    TYPE_TEXT,    /* const char * */
    TYPE_INPUT,   /* a path that is read; "-" is standard input */
    TYPE_OUTPUT,  /* a path that is written; "-" is standard output */
    TYPE_NUMBER,  /* uint64_t within minimum..maximum, "2^K" too */
    TYPE_BYTES,   /* uint64_t, with K, M, G too */
    TYPE_CHOICE,  /* uint64_t: index of the word among choices */
    TYPE_NUMBERS, /* number_list, each within minimum..maximum */
    TYPE_COUNTED, /* the same, but numbers of a range count up where those of TYPE_NUMBERS double */
    TYPE_DEVICES, /* device_list, or "all" */
    TYPE_CHOICES  /* number_list of indices; "all" means every one */
} option_type;

typedef struct option_spec {
    const char *name;       /* without the dashes; one letter: -n */
    const char *value_name; /* null for a flag */
    const char *help;
    option_type type;
    size_t offset; /* of the field in struct options */
    uint64_t minimum, maximum;
    const char *const *choices; /* ends with null */
} option_spec;

/* The table, indexed by option_id. */
extern const option_spec option_table[OPTION_COUNT];

/* The words of an option that is a choice: for output. */
const char *option_choice(option_id id, uint64_t index);

/* A command of the program; its file defines one as command_NAME. */
typedef struct command {
    const char *name; /* one word, or two as "kzg commit" */
    const char *summary;
    const option_id *takes;
    const option_id *needs;
    const char *operands; /* "FILE..." for help; null: none */
    int operands_minimum, operands_maximum;
    int operands_read; /* the first so many are files that are read, the others are written */
    sumac_check check; /* of points, without --check */
    const char *notes; /* more help, lines; may be null */
    int (*run)(const options *given);
} command;

/* Parse what follows the command's name; arguments[0] is skipped. `help` is set if --help was met.
 * Reports the first thing that is wrong and returns an exit status. */
int options_parse(const command *used, int count, char **arguments, options *parsed, bool *help);

/* What stands before an option's name: "-" or "--". */
const char *option_dashes(const option_spec *spec);

/* What --help, which every command takes, says of itself. */
#define HELP_OF_HELP "print this"

/* Print what `sumac <command> --help` says. */
void print_command_help(const command *shown);

#endif
