/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * One table and one parser define the options of all commands. A command lists the options that it accepts. A name has
 * the same meaning in all commands, with two exceptions: --json has a file as its value in `bench` and `compare`, and
 * --kind is a kind of witnesses in `groth16 generate`.
 */
#ifndef SUMAC_CLI_OPTIONS_H
#define SUMAC_CLI_OPTIONS_H

#include "base/devices.h"
#include "report.h"

/* ---- Numbers on the command line; all characters must fit ---- */

/* A list has at most this many numbers. */
enum { NUMBER_LIST_CAPACITY = 128 };

typedef struct number_list {
    uint64_t values[NUMBER_LIST_CAPACITY];
    size_t count;
} number_list;

/* Parse "1000" or "2^10". Return false if the text is anything else, or the number does not fit. */
bool parse_number(const char *text, uint64_t *number);

/* Parse a number as parse_number() does, or a text like "64K", "200M" or "3G", which is a multiple of 1024, 1024^2 or
 * 1024^3. */
bool parse_bytes(const char *text, uint64_t *bytes);

/* Successive numbers of a range have one of these relations. */
typedef enum number_step { STEP_DOUBLES, STEP_COUNTS } number_step;

/* Parse "2^10,5000" and ranges "2^10..2^16", which include both ends. Return false if the text is anything else, or has
 * more than NUMBER_LIST_CAPACITY numbers. */
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

/* Add a known word. It is near enough if the unknown word results from it by leaving out, adding, changing or
 * exchanging one or two letters. Case is ignored. If several words are equally near, the first one is suggested. */
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

/* These are the options of commands that create a context. */
#define OPTIONS_OF_MACHINE OPTION_BACKEND, OPTION_DEVICES, OPTION_THREADS, OPTION_MEMORY_LIMIT, TUNE_VARIANT

/* Some commands belong to both programs. These are the options that they have only in `sumac`, or only in
 * `sumac-mpi`. */
#ifdef SUMAC_OVER_RANKS
#define OPTIONS_OF_PROCESS OPTION_WEIGHTS
#else
#define OPTIONS_OF_PROCESS OPTION_TRACE
#endif

/* These are the options of commands that plan an MSM. */
#define OPTIONS_OF_PLAN                                                                                      \
    OPTION_PRECOMPUTE, OPTION_TABLES, OPTION_TABLE_LIMIT, OPTION_PLAN, TUNE_C, TUNE_REDUCTION, TUNE_CHUNKS,  \
        TUNE_COPY_SLICES, TUNE_LARGE_BUCKETS

/* These are the options of commands that compute an MSM of files. */
#define OPTIONS_OF_MSM                                                                                       \
    OPTION_CURVE, OPTION_GROUP, OPTION_BASES, OPTION_FORMAT, OPTION_SCALARS, OPTION_BATCH,                   \
        OPTION_SCALAR_BITS, OPTION_TRUNCATE, OPTION_VALIDATE, OPTION_OUTSIDE_SUBGROUP, OPTIONS_OF_MACHINE,   \
        OPTIONS_OF_PLAN, OPTION_JSON

/* This is the value of --devices. */
typedef struct device_list {
    int32_t values[MOST_DEVICES];
    uint64_t count; /* if there is no list: SUMAC_ALL_DEVICES, DEVICES_LOCAL or 0 */
} device_list;

#define DEVICES_LOCAL (UINT64_MAX - 1) /* each rank on a machine takes the next GPU */

/* This is the parsed command line. If an option is not given, it has the preset of the command or of the table. */
typedef struct options {
    const char *curve, *bases, *g2_bases, *format, *scalars, *backend, *variant, *plan, *partial, *trace;
    const char *out_bases, *out_scalars, *expected, *to, *setup, *commit, *json_file;
    const char *checkpoint, *out, *circuit, *verifying_key, *commitment_wires, *weights;
    const char *commitment, *proof, *z, *y, *cells;
    uint64_t first, first_base, c, chunks, copy_slices, large_buckets, scalar_bits, scalar_bytes,
        typical_batch, typical_n, memory_limit, table_bytes, seed, runs;
    /* For each of these options there is the first number, and the list of all numbers. Only commands with `lists`
     * accept more than one number. */
    uint64_t n, threads, precompute, batch, kind, group_index, memory_kind;
    number_list sizes, threads_list, precompute_list, batch_list, kinds, groups, memory;
    /* These are indices into the choices. Their types are sumac_check, sumac_reduction, sumac_tables, proof_format and
     * scalar_order. */
    uint64_t check, reduction, tables, proof_format, scalar_order, protocol;
    device_list devices;
    bool separate_bases, truncate, scalar_signed, outside_subgroup, json, stream, no_verify, groth16, plonk;
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
    TYPE_INPUT,   /* a path that is read; "-" means standard input */
    TYPE_OUTPUT,  /* a path that is read; "-" means standard input */
    TYPE_NUMBER,  /* a path that is written; "-" means standard output */
    TYPE_BYTES,   /* uint64_t, also with K, M or G */
    TYPE_CHOICE,  /* uint64_t: index of the word among choices */
    TYPE_NUMBERS, /* uint64_t and number_list, within minimum..maximum; a range's numbers double */
    TYPE_CHOICES, /* uint64_t and number_list of indices; "all" means every one */
    TYPE_DEVICES  /* device_list: numbers, "all", or over ranks "local" */
} option_type;

/* --help shows options under these headings, in this order. */
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
    const char *preset; /* the value if the option is not given, in the way in which it would be written; or
                           null */
    const char *help;
    size_t offset;      /* the offset of the field in struct options */
    size_t list_offset; /* the offset of the number_list of a list */
    uint64_t minimum, maximum;
    const char *const *choices; /* ends with null */
} option_spec;

/* This is the table. Its indices are of type option_id. */
extern const option_spec option_table[OPTION_COUNT];

/* Return the address of an option's field. */
void *option_field(option_id id, options *parsed);

/* Return a word of an option that is a choice, for output. */
const char *option_choice(option_id id, uint64_t index);

/* Return the prefix of an option's name: "-", "--", or "" for a key of --tune. */
const char *option_dashes(const option_spec *spec);

/* ---- Commands ---- */

/* If the command line does not give an option, it has this value in a command. */
typedef struct option_preset {
    option_id id; /* OPTION_END ends a list */
    const char *text;
} option_preset;

/* Operands are the files that follow a command's options. The first `read` of them are read, and the others are
 * written. */
typedef struct operand_spec {
    const char *text; /* "FILE..." for help; null if there are none */
    int minimum, maximum, read;
} operand_spec;
enum { MANY_OPERANDS = 1 << 20 };

struct session;

/* This is a command of the program. Its file defines it as command_NAME. */
typedef struct command {
    const char *name; /* one word, or two such as "kzg commit" */
    const char *summary;
    const option_id *takes, *needs;
    const option_preset *presets; /* presets that differ from those of the table; may be null */
    operand_spec operands;
    const option_id *lists; /* options that accept several numbers or words; may be null */
    bool takes_devices;     /* several GPUs may share a call */
    const char *example;    /* a command line without the program's name */
    const char *notes;      /* sentences for help; may be null */
    /* A command has one of these two functions. The second one gets an open session. */
    int (*run)(const options *given);
    int (*run_in)(const struct session *opened, const options *given);
} command;

/* The lists of a command are written in this way: `.takes = OPTIONS(OPTION_CURVE, OPTION_N)`, `.presets =
 * PRESETS({OPTION_N, "2^10"})`. */
#define OPTIONS(...) ((const option_id[]){__VA_ARGS__, OPTION_END})
#define PRESETS(...) ((const option_preset[]){__VA_ARGS__, {OPTION_END, NULL}})

/* Parse the arguments after the command's name; arguments[0] is skipped. `help` is set if --help was found. Report the
 * first error and return an exit status. */
int options_parse(const command *used, int count, char **arguments, options *parsed, bool *help);

/* Return the preset of an option in a command, or null. */
const char *option_preset_of(const command *used, option_id id);

/* The first function returns true if a command accepts an option, the second one if it accepts several values of the
 * option, and the third one if it accepts --tune, which is in no list of options. */
bool command_takes(const command *used, option_id id);
bool command_takes_list(const command *used, option_id id);
bool command_takes_tune(const command *used);

#endif
