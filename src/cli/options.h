/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The options of all commands: one table, one parser. A command lists the options that it takes. The same name always
 * means the same thing, but for --json, which `bench` and `compare` take as a file, and --kind, which `groth16 generate`
 * takes for witnesses.
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
    OPTION_G2_BASES,
    OPTION_FORMAT,
    OPTION_SCALARS,
    OPTION_FIRST,
    OPTION_FIRST_BASE,
    OPTION_N,
    OPTION_SCALAR_BITS,
    OPTION_SCALAR_BYTES,
    OPTION_SCALAR_SIGNED,
    OPTION_SCALAR_ORDER,
    OPTION_TRUNCATE,
    OPTION_BATCH,
    OPTION_SEPARATE_BASES,
    OPTION_KIND,
    OPTION_WITNESS_KIND,
    OPTION_SEED,
    OPTION_VALIDATE,
    OPTION_OUTSIDE_SUBGROUP,
    OPTION_SETUP,
    OPTION_COMMITMENT,
    OPTION_PROOF,
    OPTION_Z,
    OPTION_Y,
    OPTION_CELLS,
    OPTION_CIRCUIT,
    OPTION_VERIFYING_KEY,
    OPTION_NO_VERIFY,
    OPTION_STREAM,
    OPTION_CHECKPOINT,
    OPTION_OUT_BASES,
    OPTION_OUT_SCALARS,
    OPTION_EXPECTED,
    OPTION_PARTIAL,
    OPTION_OUT,
    OPTION_TO,
    OPTION_PROOF_FORMAT,
    OPTION_JSON,
    OPTION_JSON_FILE,
    OPTION_TRACE,
    OPTION_BACKEND,
    OPTION_DEVICES,
    OPTION_THREADS,
    OPTION_MEMORY_LIMIT,
    OPTION_WEIGHTS,
    OPTION_PRECOMPUTE,
    OPTION_TABLES,
    OPTION_TABLE_LIMIT,
    OPTION_PLAN,
    OPTION_GROTH16,
    OPTION_MEMORY,
    OPTION_RUNS,
    OPTION_COMMIT,
    /* The keys of --tune, which every command takes that lists one of them. */
    TUNE_C,
    TUNE_VARIANT,
    TUNE_REDUCTION,
    TUNE_CHUNKS,
    TUNE_COPY_SLICES,
    TUNE_LARGE_BUCKETS,
    TUNE_TYPICAL_BATCH,
    TUNE_TYPICAL_N,
    OPTION_COUNT
} option_id;

/* Options of commands that make a context. */
#define OPTIONS_OF_MACHINE OPTION_BACKEND, OPTION_DEVICES, OPTION_THREADS, OPTION_MEMORY_LIMIT, TUNE_VARIANT

/* Options of commands of both programs that only `sumac`, or only `sumac-mpi`, has. */
#ifdef SUMAC_OVER_RANKS
#define OPTIONS_OF_PROCESS OPTION_WEIGHTS
#else
#define OPTIONS_OF_PROCESS OPTION_TRACE
#endif

/* Options of commands that plan an MSM. */
#define OPTIONS_OF_PLAN                                                                                      \
    OPTION_PRECOMPUTE, OPTION_TABLES, OPTION_TABLE_LIMIT, OPTION_PLAN, TUNE_C, TUNE_REDUCTION, TUNE_CHUNKS,  \
        TUNE_COPY_SLICES, TUNE_LARGE_BUCKETS

/* Options of commands that compute an MSM of files. */
#define OPTIONS_OF_MSM                                                                                       \
    OPTION_CURVE, OPTION_GROUP, OPTION_BASES, OPTION_FORMAT, OPTION_SCALARS, OPTION_BATCH,                   \
        OPTION_SCALAR_BITS, OPTION_TRUNCATE, OPTION_VALIDATE, OPTION_OUTSIDE_SUBGROUP, OPTIONS_OF_MACHINE,   \
        OPTIONS_OF_PLAN, OPTION_JSON

/* The value of --devices. */
typedef struct device_list {
    int32_t values[SUMAC_MAX_DEVICES];
    uint64_t count; /* SUMAC_ALL_DEVICES, DEVICES_LOCAL: no values; 0: no list */
} device_list;

#define DEVICES_LOCAL (UINT64_MAX - 1) /* each rank of a machine takes the next GPU */

/* The command line, parsed. An option that it does not have is preset, by the table or by the command. */
typedef struct options {
    const char *curve, *bases, *g2_bases, *format, *scalars, *backend, *variant, *plan, *partial, *trace;
    const char *out_bases, *out_scalars, *expected, *to, *setup, *commit, *json_file;
    const char *checkpoint, *out, *circuit, *verifying_key, *weights;
    const char *commitment, *proof, *z, *y, *cells;
    uint64_t first, first_base, c, chunks, copy_slices, large_buckets, scalar_bits, scalar_bytes,
        typical_batch, typical_n, memory_limit, table_limit, seed, runs;
    /* The first number of a list, and the list, which only commands that say so may be given. */
    uint64_t n, threads, precompute, batch, kind, group_index, memory_kind;
    number_list sizes, threads_list, precompute_list, batch_list, kinds, groups, memory;
    /* Indices into the table's choices: sumac_check, sumac_reduction, sumac_tables, proof_format, scalar_order */
    uint64_t check, reduction, tables, proof_format, scalar_order;
    device_list devices;
    bool separate_bases, truncate, scalar_signed, outside_subgroup, json, stream, no_verify, groth16;
    bool given[OPTION_COUNT];
    const char *group; /* the word of group_index */
    char **operands;
    int operand_count;
    const char *command_line; /* all of it, for result files */
} options;

typedef enum scalar_order { ORDER_LITTLE, ORDER_BIG } scalar_order; /* the choices of --scalar-order */

typedef enum option_type {
    TYPE_FLAG,    /* bool */
    TYPE_TEXT,    /* const char * */
    TYPE_INPUT,   /* a path that is read; "-" is standard input */
    TYPE_OUTPUT,  /* a path that is written; "-" is standard output */
    TYPE_NUMBER,  /* uint64_t within minimum..maximum, "2^K" too */
    TYPE_BYTES,   /* uint64_t, with K, M, G too */
    TYPE_CHOICE,  /* uint64_t: index of the word among choices */
    TYPE_NUMBERS, /* uint64_t and number_list, each within minimum..maximum; those of a range double */
    TYPE_CHOICES, /* uint64_t and number_list of indices; "all" means every one */
    TYPE_DEVICES  /* device_list, "all", or over ranks "local" */
} option_type;

/* The headings under which --help shows options, in this order. */
typedef enum option_section {
    SECTION_INPUT,
    SECTION_OUTPUT,
    SECTION_MACHINE,
    SECTION_PLAN,
    SECTION_BENCH,
    SECTION_TUNING, /* keys of --tune */
    SECTIONS
} option_section;
extern const char *const option_sections[SECTIONS];

typedef struct option_spec {
    const char *name;       /* without the dashes; one letter: -n */
    const char *value_name; /* null for a flag */
    option_section section;
    option_type type;
    const char *preset; /* what holds if nothing is given, as it would be written; null: nothing */
    const char *help;
    size_t offset;      /* of the field in struct options */
    size_t list_offset; /* of a list's number_list */
    uint64_t minimum, maximum;
    const char *const *choices; /* ends with null */
} option_spec;

/* The table, indexed by option_id. */
extern const option_spec option_table[OPTION_COUNT];

/* The words of an option that is a choice: for output. */
const char *option_choice(option_id id, uint64_t index);

/* The value that an option has in a command if the command line does not give it. */
typedef struct option_preset {
    option_id id; /* OPTION_END closes a list */
    const char *text;
} option_preset;

struct session;

/* A command of the program; its file defines one as command_NAME. */
typedef struct command {
    const char *name; /* one word, or two as "kzg commit" */
    const char *summary;
    const option_id *takes;
    const option_id *needs;
    const option_preset *presets; /* that differ from the table's; may be null */
    const char *operands;         /* "FILE..." for help; null: none */
    int operands_minimum, operands_maximum;
    int operands_read;      /* the first so many are files that are read, the others are written */
    const option_id *lists; /* options that may be given several numbers or words; may be null */
    bool takes_devices;     /* several GPUs may share a call */
    const char *example;    /* a command line without the program's name */
    const char *notes;      /* more help, lines; may be null */
    /* One of the two: the second gets an open session. */
    int (*run)(const options *given);
    int (*run_in)(const struct session *opened, const options *given);
} command;

/* Parse what follows the command's name; arguments[0] is skipped. `help` is set if --help was met.
 * Reports the first thing that is wrong and returns an exit status. */
int options_parse(const command *used, int count, char **arguments, options *parsed, bool *help);

/* The prefix of an option's name: "-" or "--"; "" for a key of --tune. */
const char *option_dashes(const option_spec *spec);

/* The preset of an option in a command, or null. */
const char *option_preset_of(const command *used, option_id id);

/* Tell whether a command takes an option, several values of it, and --tune, which no list of options has. */
bool command_takes(const command *used, option_id id);
bool command_takes_list(const command *used, option_id id);
bool command_takes_tune(const command *used);

/* The help texts of --help and --tune. */
#define HELP_OF_HELP "print this"
#define HELP_OF_TUNE "override choices of the planner and of the engine; keys are"

/* Print what `sumac <command> --help` says. */
void print_command_help(const command *shown);

#endif
