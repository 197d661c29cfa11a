/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include <getopt.h>
#include <strings.h>

#include "commit.h"

#define AT(field) .offset = offsetof(options, field)
#define LIST(field, list) .offset = offsetof(options, field), .list_offset = offsetof(options, list)
#define IN_RANGE(low, high) .minimum = (low), .maximum = (high)

static const char *const checks[] = {"default", "curve", "subgroup", "none", NULL}; /* in the order of
                                                                                       sumac_check */
static const char *const table_kinds[] = {"multiples", "windows", "auto", NULL};
static const char *const reductions[] = {"auto", "running-sum", "halving", NULL};
static const char *const kinds[] = {"uniform", "small", "equal", "zeros", "ones",
                                    "sparse",  "top",   "mixed", "bits",  NULL};
static const char *const witness_kinds[] = {"uniform", "sparse", NULL};
static const char *const memories[] = {"pageable", "pinned", NULL};
static const char *const groups[] = {"g1", "g2", NULL};
static const char *const proof_formats[] = {"json", "gnark", "gnark-raw", NULL};
static const char *const protocols[] = {"plonk", "fflonk", NULL};
static const char *const scalar_orders[] = {"little", "big", NULL};

#define LARGEST_N ((uint64_t)1 << 40)

const option_spec option_table[OPTION_COUNT] = {
#define ROW(id, ...) [id] = {__VA_ARGS__},
#include "option_rows.h"
#undef ROW
};

const char *const option_sections[SECTIONS] = {"Input", "Output", "Machine", "Plan", "Benchmark", "Tuning"};

const char *option_choice(option_id id, uint64_t index)
{
    return option_table[id].choices[index];
}

void *option_field(option_id id, options *parsed)
{
    return (char *)parsed + option_table[id].offset;
}

/* For a long option getopt_long() returns this number plus the option's id. */
enum { LONG_BASE = 256, HELP_VALUE = LONG_BASE + OPTION_COUNT, TUNE_VALUE };

static bool is_short(const option_spec *spec)
{
    return spec->name[1] == '\0';
}

const char *option_dashes(const option_spec *spec)
{
    return spec->section == SECTION_TUNING ? "" : is_short(spec) ? "-" : "--";
}

static bool is_in(option_id id, const option_id *list)
{
    while (list != NULL && *list != id && *list != OPTION_END) {
        list++;
    }
    return list != NULL && *list == id;
}

bool command_takes(const command *used, option_id id)
{
    return is_in(id, used->takes);
}

bool command_takes_list(const command *used, option_id id)
{
    return is_in(id, used->lists);
}

bool command_takes_tune(const command *used)
{
    for (const option_id *id = used->takes; *id != OPTION_END; id++) {
        if (option_table[*id].section == SECTION_TUNING) {
            return true;
        }
    }
    return false;
}

const char *option_preset_of(const command *used, option_id id)
{
    for (const option_preset *preset = used->presets; preset != NULL && preset->id != OPTION_END; preset++) {
        if (preset->id == id) {
            return preset->text;
        }
    }
    return option_table[id].preset;
}

static int unknown_option(const command *used, const char *name)
{
    const char *start = name + strspn(name, "-");
    word_list words = words_begin(start, strcspn(start, "="));
    words_add(&words, "help");
    for (const option_id *id = used->takes; *id != OPTION_END; id++) {
        words_add(&words, option_table[*id].section == SECTION_TUNING ? "tune" : option_table[*id].name);
    }
    char likely[WORD_BYTES + 32] = "";
    if (words.nearest != NULL) {
        snprintf(likely, sizeof likely, " (did you mean %s%s?)", words.nearest[1] == '\0' ? "-" : "--",
                 words.nearest);
    }
    return bad_input("'%s' is no option of '%s %s'%s; see '%s %s --help'", name, program_name, used->name,
                     likely, program_name, used->name);
}

/* ---- Values ---- */

static int bad_value(const command *used, option_id id, const char *value)
{
    const option_spec *spec = &option_table[id];
    const unsigned long long low = spec->minimum, high = spec->maximum;
    const char *dashes = option_dashes(spec), *name = spec->name;
    word_list words = words_begin(value, strlen(value));
    for (size_t i = 0; spec->choices != NULL && spec->choices[i] != NULL; i++) {
        words_add(&words, spec->choices[i]);
    }
    switch (spec->type) {
    case TYPE_CHOICE:
    case TYPE_CHOICES:
        return bad_input("%s%s takes one of %s%s, not '%s'%s", dashes, name, words.known,
                         command_takes_list(used, id) ? ", or a list of them, or all" : "", value,
                         words_likely(&words));
    case TYPE_DEVICES:
        return bad_input(
            "%s%s takes all, %sor numbers from %llu to %llu, as 0,1, at most 16 of them, not '%s'", dashes,
            name, ranks_are_many() ? "local, " : "", low, high, value);
    case TYPE_BYTES:
        return bad_input("%s%s takes a number of bytes, as 1000000, 2^20 or 200M, not '%s'", dashes, name,
                         value);
    case TYPE_NUMBERS:
        if (command_takes_list(used, id)) {
            return bad_input(
                "%s%s takes numbers from %llu to %llu, as 2^10,5000 or 2^10..2^16, at most %d of "
                "them, not '%s'",
                dashes, name, low, high, NUMBER_LIST_CAPACITY, value);
        } /* fall through */
    case TYPE_NUMBER:
        return bad_input("%s%s takes a number from %llu to %llu, not '%s'", dashes, name, low, high, value);
    default:
        return bad_input("%s%s takes %s, not '%s'", dashes, name, spec->value_name, value);
    }
}

/* Find a word. Case is ignored, so that "G2" is g2. */
static bool find_choice(const char *const *choices, const char *word, size_t length, uint64_t *index)
{
    for (*index = 0; choices[*index] != NULL; ++*index) {
        if (strlen(choices[*index]) == length && strncasecmp(choices[*index], word, length) == 0) {
            return true;
        }
    }
    return false;
}

static bool parse_choices(const option_spec *spec, const char *text, number_list *list)
{
    list->count = 0;
    if (strcmp(text, "all") == 0) {
        while (spec->choices[list->count] != NULL) {
            list->values[list->count] = list->count;
            list->count++;
        }
        return true;
    }
    for (;; text++) {
        const size_t length = strcspn(text, ",");
        if (list->count == NUMBER_LIST_CAPACITY ||
            !find_choice(spec->choices, text, length, &list->values[list->count])) {
            return false;
        }
        list->count++;
        text += length;
        if (*text == '\0') {
            return true;
        }
    }
}

static bool are_in_range(const option_spec *spec, const number_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->values[i] < spec->minimum || list->values[i] > spec->maximum) {
            return false;
        }
    }
    return true;
}

static bool parse_devices(const option_spec *spec, const char *text, device_list *devices)
{
    number_list numbers;
    if (strcmp(text, "all") == 0 || (ranks_are_many() && strcmp(text, "local") == 0)) {
        devices->count = text[0] == 'a' ? SUMAC_ALL_DEVICES : DEVICES_LOCAL;
        return true;
    }
    if (strstr(text, "..") != NULL || !parse_number_list(text, STEP_COUNTS, &numbers) ||
        numbers.count > MOST_DEVICES || !are_in_range(spec, &numbers)) {
        return false;
    }
    devices->count = numbers.count;
    for (size_t i = 0; i < numbers.count; i++) {
        devices->values[i] = (int32_t)numbers.values[i];
    }
    return true;
}

/* Parse a value into its field. Return false if the option does not accept the value. */
static bool store(const command *used, option_id id, const char *value, options *parsed)
{
    const option_spec *spec = &option_table[id];
    void *field = option_field(id, parsed);
    uint64_t *number = field;
    number_list *list = (number_list *)(void *)((char *)parsed + spec->list_offset);
    switch (spec->type) {
    case TYPE_FLAG:
        *(bool *)field = true;
        return true;
    case TYPE_TEXT:
    case TYPE_INPUT:
    case TYPE_OUTPUT:
        *(const char **)field = value;
        return value[0] != '\0';
    case TYPE_NUMBER:
    case TYPE_BYTES:
        return (spec->type == TYPE_BYTES ? parse_bytes : parse_number)(value, number) &&
               *number >= spec->minimum && *number <= spec->maximum;
    case TYPE_CHOICE:
        return find_choice(spec->choices, value, strlen(value), number);
    case TYPE_DEVICES:
        return parse_devices(spec, value, field);
    case TYPE_NUMBERS:
    case TYPE_CHOICES:
        if (!(spec->type == TYPE_CHOICES
                  ? parse_choices(spec, value, list)
                  : parse_number_list(value, STEP_DOUBLES, list) && are_in_range(spec, list)) ||
            (list->count != 1 && !command_takes_list(used, id))) {
            return false;
        }
        *number = list->values[0];
        return true;
    }
    return false;
}

static int store_given(const command *used, option_id id, const char *value, options *parsed)
{
    const option_spec *spec = &option_table[id];
    if (parsed->given[id]) {
        return bad_input("%s%s is given twice", option_dashes(spec), spec->name);
    }
    parsed->given[id] = true;
    return store(used, id, value, parsed) ? STATUS_DONE : bad_value(used, id, value);
}

/* Parse a text like "c=12,chunks=3". Its keys are rows of the table. Each comma is overwritten by the end of the text
 * before it, because some values are kept as texts. */
static int parse_tune(const command *used, char *text, options *parsed)
{
    for (char *item = text; item != NULL;) {
        char *next = strchr(item, ','), *value = strchr(item, '=');
        if (next != NULL) {
            *next++ = '\0';
        }
        const size_t length = strcspn(item, "=");
        word_list words = words_begin(item, length);
        option_id found = OPTION_END;
        for (const option_id *id = used->takes; *id != OPTION_END; id++) {
            const option_spec *spec = &option_table[*id];
            if (spec->section == SECTION_TUNING) {
                words_add(&words, spec->name);
                found = strlen(spec->name) == length && memcmp(spec->name, item, length) == 0 ? *id : found;
            }
        }
        if (found == OPTION_END || value == NULL || item + length != value) {
            return bad_input("--tune takes KEY=VALUE,..., where a key is one of %s, not '%s'%s", words.known,
                             item, words_likely(&words));
        }
        MUST(store_given(used, found, value + 1, parsed));
        item = next;
    }
    return STATUS_DONE;
}

/* ---- The command line ---- */

static void set_presets(const command *used, options *parsed)
{
    const number_list unset = {{0}, 1};
    memset(parsed, 0, sizeof *parsed);
    parsed->commit = SUMAC_COMMIT;
    parsed->batch = parsed->precompute = 1;
    parsed->group = "g1";
    parsed->to = "raw";
    parsed->threads_list = unset;
    for (const option_id *id = used->takes; *id != OPTION_END; id++) {
        const char *preset = option_preset_of(used, *id);
        if (preset != NULL) {
            (void)store(used, *id, preset, parsed);
        }
    }
    if (!command_takes(used, OPTION_VALIDATE)) {
        parsed->check = SUMAC_CHECK_NONE;
    }
}

/* These are a command's options in the form that getopt_long() expects. */
typedef struct getopt_tables {
    struct option long_options[OPTION_COUNT + 3];
    char short_options[2 * OPTION_COUNT + 4];
} getopt_tables;

static void fill_getopt_tables(const command *used, getopt_tables *tables)
{
    char *letter = tables->short_options;
    struct option *next = tables->long_options;
    *letter++ = ':'; /* so that getopt distinguishes a missing value from an unknown option */
    *letter++ = 'h';
    *next++ = (struct option){"help", no_argument, NULL, HELP_VALUE};
    if (command_takes_tune(used)) {
        *next++ = (struct option){"tune", required_argument, NULL, TUNE_VALUE};
    }
    for (const option_id *id = used->takes; *id != OPTION_END; id++) {
        const option_spec *spec = &option_table[*id];
        if (spec->section == SECTION_TUNING) {
            continue;
        }
        if (is_short(spec)) {
            *letter++ = spec->name[0];
            *letter++ = ':';
        } else {
            *next++ = (struct option){spec->name, spec->value_name != NULL ? required_argument : no_argument,
                                      NULL, LONG_BASE + (int)*id};
        }
    }
    *letter = '\0';
    *next = (struct option){NULL, 0, NULL, 0};
}

static option_id find_id(const command *used, int value)
{
    if (value >= LONG_BASE) {
        return (option_id)(value - LONG_BASE);
    }
    const option_id *id = used->takes;
    while (*id != OPTION_END && (option_table[*id].section == SECTION_TUNING ||
                                 !is_short(&option_table[*id]) || option_table[*id].name[0] != value)) {
        id++;
    }
    return *id;
}

/* getopt returned '?'. Report an unknown or ambiguous option, or a flag that was given a value. */
static int refused_option(const command *used, const char *argument)
{
    if (optopt >= LONG_BASE) {
        const char *name = optopt == HELP_VALUE ? "help" : option_table[find_id(used, optopt)].name;
        return bad_input("--%s takes no value, but there is '%s'", name, argument);
    }
    const char name[3] = {'-', (char)optopt, '\0'};
    return unknown_option(used, optopt > 0 ? name : argument);
}

static int parse_arguments(const command *used, int count, char **arguments, options *parsed, bool *help)
{
    bool tuned = false;
    getopt_tables tables;
    fill_getopt_tables(used, &tables);
    opterr = 0;
    for (;;) {
        const int value = getopt_long(count, arguments, tables.short_options, tables.long_options, NULL);
        if (value == -1) {
            return STATUS_DONE;
        }
        if (value == 'h' || value == HELP_VALUE) {
            *help = true;
            return STATUS_DONE;
        }
        if (value == '?') {
            return refused_option(used, arguments[optind - 1]);
        }
        if (value == TUNE_VALUE || (value == ':' && optopt == TUNE_VALUE)) {
            if (tuned || value == ':') {
                return bad_input(tuned ? "--tune is given twice" : "--tune needs a value: KEY=VALUE,...");
            }
            tuned = true;
            MUST(parse_tune(used, optarg, parsed));
            continue;
        }
        const option_id id = find_id(used, value == ':' ? optopt : value);
        const option_spec *spec = &option_table[id];
        if (value == ':') {
            return bad_input("%s%s needs a value: %s", option_dashes(spec), spec->name, spec->value_name);
        }
        MUST(store_given(used, id, optarg, parsed));
    }
}

/* Refuse an option that needs another one if that is missing. Refuse a number of operands or of devices that the
 * command does not accept. */
static int check_combinations(const command *used, const options *parsed)
{
    static const struct {
        option_id given, needed;
    } pairs[] = {{OPTION_TABLE_LIMIT, OPTION_TABLES}, {OPTION_TRUNCATE, OPTION_SCALAR_BITS}};
    for (const option_id *id = used->needs; id != NULL && *id != OPTION_END; id++) {
        const option_spec *spec = &option_table[*id];
        if (!parsed->given[*id]) {
            return bad_input("'%s %s' needs %s%s %s", program_name, used->name, option_dashes(spec),
                             spec->name, spec->value_name);
        }
    }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (parsed->given[pairs[i].given] && !parsed->given[pairs[i].needed] &&
            command_takes(used, pairs[i].needed)) {
            return bad_input("--%s needs --%s", option_table[pairs[i].given].name,
                             option_table[pairs[i].needed].name);
        }
    }
    if (parsed->devices.count > 1 && !used->takes_devices && parsed->devices.count != DEVICES_LOCAL) {
        return bad_input("--devices takes one number here: '%s %s' uses one GPU", program_name, used->name);
    }
    if (parsed->operand_count < used->operands.minimum) {
        return bad_input("'%s %s' needs %s after its options", program_name, used->name, used->operands.text);
    }
    if (parsed->operand_count > used->operands.maximum) {
        return bad_input("'%s %s' takes %s, so '%s' is one too many", program_name, used->name,
                         used->operands.text != NULL ? used->operands.text : "options only",
                         parsed->operands[used->operands.maximum]);
    }
    return STATUS_DONE;
}

int options_parse(const command *used, int count, char **arguments, options *parsed, bool *help)
{
    set_presets(used, parsed);
    *help = false;
    MUST(parse_arguments(used, count, arguments, parsed, help));
    if (*help) {
        return STATUS_DONE;
    }
    parsed->group = option_choice(OPTION_GROUP, parsed->group_index);
    parsed->operands = arguments + optind;
    parsed->operand_count = count - optind;
    return check_combinations(used, parsed);
}
