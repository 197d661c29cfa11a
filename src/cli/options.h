/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The options of all commands: one table, one parser. A command lists the options that it takes. The same name always
 * means the same thing, but for --json, which `bench` and `compare` take as a file, and --kind, which `groth16 generate`
 * takes for witnesses.
 */
#ifndef SUMAC_CLI_OPTIONS_H
#define SUMAC_CLI_OPTIONS_H

#include "report.h"

/* ---- Numbers as the command line writes them, checked to the last character ---- */

/* The most numbers of a list. */
enum { NUMBER_LIST_CAPACITY = 128 };

typedef struct number_list {
    uint64_t values[NUMBER_LIST_CAPACITY];
    size_t count;
} number_list;

/* "1000" or "2^10"; false if text is anything else or the number does not fit. */
bool parse_number(const char *text, uint64_t *number);

/* Parse a number as parse_number() does, or "64K", "200M", "3G": multiples of 1024, 1024^2, 1024^3. */
bool parse_bytes(const char *text, uint64_t *bytes);

/* How the numbers of a range follow each other. */
typedef enum number_step { STEP_DOUBLES, STEP_COUNTS } number_step;

/* "2^10,5000" and ranges "2^10..2^16" from the first number to the last. False for anything else and for more
 * than NUMBER_LIST_CAPACITY numbers. */
bool parse_number_list(const char *text, number_step step, number_list *list);

/* ---- A word that is not known, and the known ones: for sentences that list these and name the nearest ---- */

enum { WORD_BYTES = 64 /* longer words are like no other */ };

typedef struct word_list {
    const char *written; /* not copied, and neither is `nearest` */
    size_t length;
    const char *nearest; /* null: no word is near enough */
    size_t distance;
    char known[4096]; /* "a, b, c" */
    size_t end;
    char likely[WORD_BYTES + 32];
} word_list;

/* Begin with what was written, `length` bytes of it. */
word_list words_begin(const char *written, size_t length);

/* Add a known word. It is near enough if a letter or two make the written word of it: left out, added, changed, or
 * exchanged with the next one; case does not matter. Of several nearest words the first one stays. */
void words_add(word_list *list, const char *word);

/* " (did you mean 'word'?)", for the middle of a sentence; "" if no word is near enough. */
const char *words_likely(word_list *list);

/* ---- The table ---- */

typedef enum option_id {
    OPTION_END, /* closes lists of options */
#define ROW(id, ...) id,
#include "option_rows.h"
#undef ROW
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

/* The field of an option. */
void *option_field(option_id id, options *parsed);

/* The words of an option that is a choice: for output. */
const char *option_choice(option_id id, uint64_t index);

/* The prefix of an option's name: "-" or "--"; "" for a key of --tune. */
const char *option_dashes(const option_spec *spec);

/* ---- Commands ---- */

/* The value that an option has in a command if the command line does not give it. */
typedef struct option_preset {
    option_id id; /* OPTION_END closes a list */
    const char *text;
} option_preset;

/* The files that follow a command's options: the first `read` of them are read, and the others are written. */
typedef struct operand_spec {
    const char *text; /* "FILE..." for help; null: none */
    int minimum, maximum, read;
} operand_spec;
enum { MANY_OPERANDS = 1 << 20 };

struct session;

/* A command of the program; its file defines one as command_NAME. */
typedef struct command {
    const char *name; /* one word, or two as "kzg commit" */
    const char *summary;
    const option_id *takes, *needs;
    const option_preset *presets; /* that differ from the table's; may be null */
    operand_spec operands;
    const option_id *lists; /* options that may be given several numbers or words; may be null */
    bool takes_devices;     /* several GPUs may share a call */
    const char *example;    /* a command line without the program's name */
    const char *notes;      /* more help: sentences; may be null */
    /* A command has one of these two functions; the second gets an open session. */
    int (*run)(const options *given);
    int (*run_in)(const struct session *opened, const options *given);
} command;

/* The lists of a command: `.takes = OPTIONS(OPTION_CURVE, OPTION_N)`, `.presets = PRESETS({OPTION_N, "2^10"})`. */
#define OPTIONS(...) ((const option_id[]){__VA_ARGS__, OPTION_END})
#define PRESETS(...) ((const option_preset[]){__VA_ARGS__, {OPTION_END, NULL}})

/* Parse what follows the command's name; arguments[0] is skipped. `help` is set if --help was met.
 * Reports the first thing that is wrong and returns an exit status. */
int options_parse(const command *used, int count, char **arguments, options *parsed, bool *help);

/* The preset of an option in a command, or null. */
const char *option_preset_of(const command *used, option_id id);

/* Tell whether a command takes an option, several values of it, and --tune, which no list of options has. */
bool command_takes(const command *used, option_id id);
bool command_takes_list(const command *used, option_id id);
bool command_takes_tune(const command *used);

#endif
