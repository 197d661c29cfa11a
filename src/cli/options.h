/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The options of all commands: one table and one parser. A command lists the options that it takes. A name has the same
 * meaning in all commands, except --json, which takes a file in `bench` and `compare`, and --kind, which means
 * witnesses in `groth16 generate`.
 */
#ifndef SUMAC_CLI_OPTIONS_H
#define SUMAC_CLI_OPTIONS_H

#include "base/devices.h"
#include "report.h"

/* ---- Numbers on the command line; all characters must fit ---- */

/* The most numbers of a list. */
enum { NUMBER_LIST_CAPACITY = 128 };

typedef struct number_list {
    uint64_t values[NUMBER_LIST_CAPACITY];
    size_t count;
} number_list;

/* Parse "1000" or "2^10". Return false if text is anything else or the number does not fit. */
bool parse_number(const char *text, uint64_t *number);

/* Parse a number like parse_number(), or "64K", "200M", "3G": multiples of 1024, 1024^2, 1024^3. */
bool parse_bytes(const char *text, uint64_t *bytes);

/* The relation of a range's successive numbers. */
typedef enum number_step { STEP_DOUBLES, STEP_COUNTS } number_step;

/* Parse "2^10,5000" and ranges "2^10..2^16", which include both ends. Return false for anything else and for more than
 * NUMBER_LIST_CAPACITY numbers. */
bool parse_number_list(const char *text, number_step step, number_list *list);

/* ---- Messages about an unknown word, which list the known words and suggest the nearest one ---- */

enum { WORD_BYTES = 64 /* no suggestion is made for longer words */ };

typedef struct word_list {
    const char *written; /* neither this nor `nearest` is copied */
    size_t length;
    const char *nearest; /* null if no word is near enough */
    size_t distance;
    char known[4096]; /* "a, b, c" */
    size_t end;
    char likely[WORD_BYTES + 32];
} word_list;

/* Begin a list with the unknown word, which has `length` bytes. */
word_list words_begin(const char *written, size_t length);

/* Add a known word. It is near enough if leaving out, adding, changing or exchanging a letter or two makes the unknown
 * word of it, ignoring case. The first of several nearest words is suggested. */
void words_add(word_list *list, const char *word);

/* Return " (did you mean 'word'?)" for the middle of a message, or "" if no word is near enough. */
const char *words_likely(word_list *list);

/* ---- The table ---- */

typedef enum option_id {
    OPTION_END, /* ends lists of options */
#define ROW(id, ...) id,
#include "option_rows.h"
#undef ROW
    OPTION_COUNT
} option_id;

/* Options of commands that create a context. */
#define OPTIONS_OF_MACHINE OPTION_BACKEND, OPTION_DEVICES, OPTION_THREADS, OPTION_MEMORY_LIMIT, TUNE_VARIANT

/* Options that only one of `sumac` and `sumac-mpi` has, for commands of both. */
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
    int32_t values[MOST_DEVICES];
    uint64_t count; /* without values for SUMAC_ALL_DEVICES, DEVICES_LOCAL and 0, no list */
} device_list;

#define DEVICES_LOCAL (UINT64_MAX - 1) /* each rank on a machine takes the next GPU */

/* The parsed command line. An option that is not given has the preset of the command or the table. */
typedef struct options {
    const char *curve, *bases, *g2_bases, *format, *scalars, *backend, *variant, *plan, *partial, *trace;
    const char *out_bases, *out_scalars, *expected, *to, *setup, *commit, *json_file;
    const char *checkpoint, *out, *circuit, *verifying_key, *weights;
    const char *commitment, *proof, *z, *y, *cells;
    uint64_t first, first_base, c, chunks, copy_slices, large_buckets, scalar_bits, scalar_bytes,
        typical_batch, typical_n, memory_limit, table_bytes, seed, runs;
    /* The first number of a list, and the list. Only commands with `lists` accept more than one number. */
    uint64_t n, threads, precompute, batch, kind, group_index, memory_kind;
    number_list sizes, threads_list, precompute_list, batch_list, kinds, groups, memory;
    /* Indices into choices, of the types sumac_check, sumac_reduction, sumac_tables, proof_format, scalar_order. */
    uint64_t check, reduction, tables, proof_format, scalar_order;
    device_list devices;
    bool separate_bases, truncate, scalar_signed, outside_subgroup, json, stream, no_verify, groth16;
    bool given[OPTION_COUNT];
    const char *group; /* the word of group_index */
    char **operands;
    int operand_count;
    const char *command_line; /* the whole command line, for result files */
} options;

typedef enum scalar_order { ORDER_LITTLE, ORDER_BIG } scalar_order; /* the choices of --scalar-order */

typedef enum option_type {
    TYPE_FLAG,    /* bool */
    TYPE_TEXT,    /* const char * */
    TYPE_INPUT,   /* a path that is read; "-" is standard input */
    TYPE_OUTPUT,  /* a path that is written; "-" is standard output */
    TYPE_NUMBER,  /* uint64_t within minimum..maximum, also as "2^K" */
    TYPE_BYTES,   /* uint64_t, also with K, M or G */
    TYPE_CHOICE,  /* uint64_t: index of the word among choices */
    TYPE_NUMBERS, /* uint64_t and number_list, within minimum..maximum; a range's numbers double */
    TYPE_CHOICES, /* uint64_t and number_list of indices; "all" means every one */
    TYPE_DEVICES  /* device_list: numbers, "all", or over ranks "local" */
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
    const char *name;       /* without dashes; one letter for an option such as -n */
    const char *value_name; /* null for a flag */
    option_section section;
    option_type type;
    const char *preset; /* value if the option is not given, as it would be written; or null */
    const char *help;
    size_t offset;      /* offset of the field in struct options */
    size_t list_offset; /* offset of a list's number_list */
    uint64_t minimum, maximum;
    const char *const *choices; /* ends with null */
} option_spec;

/* The table, indexed by option_id. */
extern const option_spec option_table[OPTION_COUNT];

/* Return the address of an option's field. */
void *option_field(option_id id, options *parsed);

/* Return a word of an option that is a choice, for output. */
const char *option_choice(option_id id, uint64_t index);

/* Return the prefix of an option's name: "-", "--", or "" for a key of --tune. */
const char *option_dashes(const option_spec *spec);

/* ---- Commands ---- */

/* The value of an option in a command if the command line does not give it. */
typedef struct option_preset {
    option_id id; /* OPTION_END ends a list */
    const char *text;
} option_preset;

/* The files that follow a command's options. The first `read` of them are read; the others are written. */
typedef struct operand_spec {
    const char *text; /* "FILE..." for help; null if there are none */
    int minimum, maximum, read;
} operand_spec;
enum { MANY_OPERANDS = 1 << 20 };

struct session;

/* A command of the program. Its file defines it as command_NAME. */
typedef struct command {
    const char *name; /* one word, or two such as "kzg commit" */
    const char *summary;
    const option_id *takes, *needs;
    const option_preset *presets; /* those that differ from the table's; may be null */
    operand_spec operands;
    const option_id *lists; /* options that accept several numbers or words; may be null */
    bool takes_devices;     /* several GPUs may share a call */
    const char *example;    /* a command line without the program's name */
    const char *notes;      /* sentences for help; may be null */
    /* A command has one of these two functions. The second one receives an open session. */
    int (*run)(const options *given);
    int (*run_in)(const struct session *opened, const options *given);
} command;

/* Write a command's lists as `.takes = OPTIONS(OPTION_CURVE, OPTION_N)`, `.presets = PRESETS({OPTION_N, "2^10"})`. */
#define OPTIONS(...) ((const option_id[]){__VA_ARGS__, OPTION_END})
#define PRESETS(...) ((const option_preset[]){__VA_ARGS__, {OPTION_END, NULL}})

/* Parse the arguments after the command's name; arguments[0] is skipped. `help` is set if --help was found. Report the
 * first error and return an exit status. */
int options_parse(const command *used, int count, char **arguments, options *parsed, bool *help);

/* Return the preset of an option in a command, or null. */
const char *option_preset_of(const command *used, option_id id);

/* Return true if a command takes an option, several values of it, or --tune, which is in no list of options. */
bool command_takes(const command *used, option_id id);
bool command_takes_list(const command *used, option_id id);
bool command_takes_tune(const command *used);

#endif
