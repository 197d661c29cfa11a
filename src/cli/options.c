/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "commands.h"
#include "commit.h"
#include "words.h"

/* Long options come back from getopt as this plus their index in the command's list. */
enum { LONG_BASE = 256, HELP_VALUE = LONG_BASE + OPTION_COUNT };

static bool is_short(const option_spec *spec)
{
    return spec->name[1] == '\0';
}

const char *option_dashes(const option_spec *spec)
{
    return is_short(spec) ? "-" : "--";
}

/* ---- Sentences ---- */

/* "a, b or c" into text, which holds any of the program's lists. */
typedef struct sentence {
    char text[1024];
    size_t length;
} sentence;

static void add(sentence *built, const char *prefix, const char *word)
{
    int written =
        snprintf(built->text + built->length, sizeof built->text - built->length, "%s%s", prefix, word);
    if (written > 0) {
        built->length += (size_t)written;
    }
    if (built->length >= sizeof built->text) {
        built->length = sizeof built->text - 1;
    }
}

static void add_choices(sentence *built, const char *const *choices)
{
    for (size_t i = 0; choices[i] != NULL; i++) {
        add(built, i == 0 ? "" : choices[i + 1] == NULL ? " or " : ", ", choices[i]);
    }
}

/* What `name`, as it was written with dashes, and perhaps a value, may have been meant to be. */
static sentence likely_option(const command *used, const char *name)
{
    const char *start = name + strspn(name, "-");
    likely_word meant = likely_begin(start, strcspn(start, "="));
    sentence built = {.length = 0};
    likely_consider(&meant, "help");
    for (const option_id *id = used->takes; *id != OPTION_END; id++) {
        likely_consider(&meant, option_table[*id].name);
    }
    if (meant.nearest != NULL) {
        add(&built, " (did you mean ", meant.nearest[1] == '\0' ? "-" : "--");
        add(&built, meant.nearest, "?)");
    }
    return built;
}

static int unknown_option(const command *used, const char *name)
{
    sentence known = {.length = 0};
    for (const option_id *id = used->takes; *id != OPTION_END; id++) {
        add(&known, id == used->takes ? "" : ", ", option_dashes(&option_table[*id]));
        add(&known, "", option_table[*id].name);
    }
    return bad_input("'%s' is no option of '%s %s'%s; its options are %s%s--help", name, program_name,
                     used->name, likely_option(used, name).text, known.text, known.length > 0 ? ", " : "");
}

static int bad_value(const option_spec *spec, const char *value)
{
    sentence legal = {.length = 0};
    const char *beyond = "";
    char likely[LIKELY_BYTES];
    likely_word meant = likely_begin(value, strlen(value));
    for (size_t i = 0; spec->choices != NULL && spec->choices[i] != NULL; i++) {
        likely_consider(&meant, spec->choices[i]);
    }
    switch (spec->type) {
    case TYPE_CHOICE:
        add_choices(&legal, spec->choices);
        break;
    case TYPE_CHOICES:
        add(&legal, "", "all, or a list of ");
        add_choices(&legal, spec->choices);
        break;
    case TYPE_TEXT:
    case TYPE_INPUT:
    case TYPE_OUTPUT:
        add(&legal, "", spec->value_name);
        break;
    case TYPE_DEVICES:
        add(&legal, "", "all, or numbers from 0 to 1023, as 0,1, at most 16 of them");
        break;
    case TYPE_BYTES:
        add(&legal, "", "a number of bytes, as 1000000, 2^20 or 200M");
        break;
    default: {
        char range[128];
        bool list = spec->type == TYPE_NUMBERS || spec->type == TYPE_COUNTED;
        snprintf(range, sizeof range, "%s from %llu to %llu", list ? "numbers" : "a number",
                 (unsigned long long)spec->minimum, (unsigned long long)spec->maximum);
        add(&legal, "", range);
        beyond = !list                        ? ""
                 : spec->type == TYPE_COUNTED ? ", as 1,1,4 or 1..4, at most 64 of them"
                                              : ", as 2^10,5000 or 2^10..2^16, at most 64 of them";
    }
    }
    return bad_input("%s%s takes %s%s, not '%s'%s", option_dashes(spec), spec->name, legal.text, beyond,
                     value, likely_text(&meant, likely));
}

/* ---- Values ---- */

/* In any case: "G2" is g2. */
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
    for (;;) {
        size_t length = strcspn(text, ",");
        if (list->count == NUMBER_LIST_CAPACITY ||
            !find_choice(spec->choices, text, length, &list->values[list->count])) {
            return false;
        }
        list->count++;
        text += length;
        if (*text == '\0') {
            return true;
        }
        text++;
    }
}

static bool in_range(const option_spec *spec, uint64_t number)
{
    return number >= spec->minimum && number <= spec->maximum;
}

/* "0,1", or "all". */
static bool parse_devices(const option_spec *spec, const char *text, device_list *list)
{
    number_list numbers;
    if (strcmp(text, "all") == 0) {
        list->count = SUMAC_ALL_DEVICES;
        return true;
    }
    if (strstr(text, "..") != NULL || !parse_number_list(text, STEP_COUNTS, &numbers) ||
        numbers.count > SUMAC_MAX_DEVICES) {
        return false;
    }
    list->count = numbers.count;
    for (size_t i = 0; i < numbers.count; i++) {
        if (!in_range(spec, numbers.values[i])) {
            return false;
        }
        list->values[i] = (int32_t)numbers.values[i];
    }
    return true;
}

static bool store(const option_spec *spec, const char *value, options *parsed)
{
    void *field = (char *)parsed + spec->offset;
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
        return parse_number(value, field) && in_range(spec, *(uint64_t *)field);
    case TYPE_BYTES:
        return parse_bytes(value, field) && in_range(spec, *(uint64_t *)field);
    case TYPE_CHOICE:
        return find_choice(spec->choices, value, strlen(value), field);
    case TYPE_CHOICES:
        return parse_choices(spec, value, field);
    case TYPE_DEVICES:
        return parse_devices(spec, value, field);
    case TYPE_NUMBERS:
    case TYPE_COUNTED: {
        number_list *list = field;
        if (!parse_number_list(value, spec->type == TYPE_COUNTED ? STEP_COUNTS : STEP_DOUBLES, list)) {
            return false;
        }
        for (size_t i = 0; i < list->count; i++) {
            if (!in_range(spec, list->values[i])) {
                return false;
            }
        }
        return true;
    }
    }
    return false;
}

static options options_defaults(void)
{
    options defaults;
    memset(&defaults, 0, sizeof defaults);
    defaults.group = "g1";
    defaults.to = "raw";
    defaults.batch = 1;
    defaults.precompute = 1;
    defaults.seed = 1;
    defaults.runs = 7;
    defaults.commit = SUMAC_COMMIT;
    defaults.sizes = (number_list){{1 << 10, 1 << 13, 1 << 16}, 3};
    defaults.threads_list = (number_list){{0}, 1};
    defaults.precompute_list = defaults.batch_list = (number_list){{1}, 1};
    defaults.kinds = defaults.memory = defaults.groups = (number_list){{0}, 1}; /* the first choices */
    return defaults;
}

/* ---- The command line ---- */

/* What getopt_long wants to know of a command's options. */
typedef struct getopt_tables {
    struct option long_options[OPTION_COUNT + 2];
    char short_options[2 * OPTION_COUNT + 4];
} getopt_tables;

static void fill_getopt_tables(const command *used, getopt_tables *tables)
{
    char *letter = tables->short_options;
    struct option *next = tables->long_options;
    *letter++ = ':'; /* tell a missing value from an unknown option */
    *letter++ = 'h';
    *next++ = (struct option){"help", no_argument, NULL, HELP_VALUE};
    for (const option_id *id = used->takes; *id != OPTION_END; id++) {
        const option_spec *spec = &option_table[*id];
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
    for (const option_id *id = used->takes; *id != OPTION_END; id++) {
        if (is_short(&option_table[*id]) && option_table[*id].name[0] == value) {
            return *id;
        }
    }
    return OPTION_END;
}

/* getopt's '?': unknown, ambiguous, or a flag that was given a value. */
static int refused_option(const command *used, const char *argument)
{
    if (optopt >= LONG_BASE) {
        const char *name = optopt == HELP_VALUE ? "help" : option_table[find_id(used, optopt)].name;
        return bad_input("--%s takes no value, but there is '%s'", name, argument);
    }
    if (optopt > 0) {
        char name[3] = {'-', (char)optopt, '\0'};
        return unknown_option(used, name);
    }
    return unknown_option(used, argument);
}

static int parse_arguments(const command *used, int count, char **arguments, options *parsed, bool *help)
{
    getopt_tables tables;
    fill_getopt_tables(used, &tables);
    opterr = 0;
    for (;;) {
        int value = getopt_long(count, arguments, tables.short_options, tables.long_options, NULL);
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
        option_id id = find_id(used, value == ':' ? optopt : value);
        const option_spec *spec = &option_table[id];
        if (value == ':') {
            return bad_input("%s%s needs a value: %s", option_dashes(spec), spec->name, spec->value_name);
        }
        if (parsed->given[id]) {
            return bad_input("%s%s is there twice; each option may be given once", option_dashes(spec),
                             spec->name);
        }
        if (!store(spec, optarg, parsed)) {
            return bad_value(spec, optarg);
        }
        parsed->given[id] = true;
    }
}

static int check_presence(const command *used, const options *parsed)
{
    for (const option_id *id = used->needs; id != NULL && *id != OPTION_END; id++) {
        const option_spec *spec = &option_table[*id];
        if (!parsed->given[*id]) {
            return bad_input("'%s %s' needs %s%s %s", program_name, used->name, option_dashes(spec),
                             spec->name, spec->value_name);
        }
    }
    if (parsed->operand_count < used->operands_minimum) {
        return bad_input("'%s %s' needs %s after its options", program_name, used->name, used->operands);
    }
    if (parsed->operand_count > used->operands_maximum) {
        return bad_input("'%s %s' takes %s, so '%s' is one too many", program_name, used->name,
                         used->operands != NULL ? used->operands : "options only",
                         parsed->operands[used->operands_maximum]);
    }
    return STATUS_DONE;
}

int options_parse(const command *used, int count, char **arguments, options *parsed, bool *help)
{
    *parsed = options_defaults();
    parsed->check = used->check;
    *help = false;
    int status = parse_arguments(used, count, arguments, parsed, help);
    if (status != STATUS_DONE || *help) {
        return status;
    }
    parsed->operands = arguments + optind;
    parsed->operand_count = count - optind;
    return check_presence(used, parsed);
}

void print_command_help(const command *shown)
{
    print("Usage: %s %s", program_name, shown->name);
    for (const option_id *id = shown->needs; id != NULL && *id != OPTION_END; id++) {
        print(" %s%s %s", option_dashes(&option_table[*id]), option_table[*id].name,
              option_table[*id].value_name);
    }
    print(" [OPTION]...%s%s\n%s.\n\n", shown->operands != NULL ? " " : "",
          shown->operands != NULL ? shown->operands : "", shown->summary);
    for (const option_id *id = shown->takes; *id != OPTION_END; id++) {
        const option_spec *spec = &option_table[*id];
        char left[64];
        snprintf(left, sizeof left, "%s%s %s", option_dashes(spec), spec->name,
                 spec->value_name != NULL ? spec->value_name : "");
        print("  %-22s %s\n", left, spec->help);
    }
    print("  %-22s %s\n", "--help", HELP_OF_HELP);
    if (shown->notes != NULL) {
        print("\n%s", shown->notes);
    }
}
