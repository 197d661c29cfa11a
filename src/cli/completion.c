/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * One script a shell. Of an option's value a script knows the words that it may be, if there are few; that it
 * is a file; or nothing. Texts go into single quotes, in which only the quote itself has to be escaped, in
 * each shell in its way.
 */
#include "completion.h"

#include <string.h>

#include "command_words.h"

/* ---- The values of options ---- */

enum { MOST_WORDS = 64 };

typedef struct word_list {
    const char *words[MOST_WORDS];
    size_t count;
} word_list;

static void add_word(word_list *list, const char *word)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->words[i], word) == 0) {
            return;
        }
    }
    if (list->count < MOST_WORDS) {
        list->words[list->count++] = word;
    }
}

static void add_formats(word_list *list, bool to_write)
{
    for (size_t i = 0; i < sumac_format_count(); i++) {
        const sumac_format_info *format = sumac_format_at(i);
        if (to_write ? format->can_write : format->can_read) {
            add_word(list, format->name);
        }
    }
}

/* The words that an option's value may be; none where any may. */
static word_list words_of(option_id id)
{
    word_list list = {.count = 0};
    const option_spec *spec = &option_table[id];
    for (size_t i = 0; spec->choices != NULL && spec->choices[i] != NULL; i++) {
        add_word(&list, spec->choices[i]);
    }
    switch (id) {
    case OPTION_CURVE:
    case OPTION_CURVES:
        for (size_t i = 0; i < sumac_curve_count(); i++) {
            add_word(&list, sumac_curve_describe(sumac_curve_at(i))->name);
        }
        break;
    case OPTION_GROUP:
        add_word(&list, "g1");
        add_word(&list, "g2");
        break;
    case OPTION_FORMAT:
    case OPTION_FROM:
        add_formats(&list, false);
        break;
    case OPTION_OUT_FORMAT:
    case OPTION_TO:
        add_formats(&list, true);
        break;
    case OPTION_BACKEND:
        add_word(&list, "auto");
        add_word(&list, "cpu");
        add_word(&list, "cuda");
        break;
    default:
        break;
    }
    if (spec->type == TYPE_CHOICES || spec->type == TYPE_DEVICES || id == OPTION_CURVES) {
        add_word(&list, "all");
    }
    return list;
}

static void print_words(const word_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        print("%s%s", i > 0 ? " " : "", list->words[i]);
    }
}

static bool takes_file(const option_spec *spec)
{
    return spec->type == TYPE_INPUT || spec->type == TYPE_OUTPUT;
}

/* ---- Texts ---- */

/* Within single quotes; `quote` is what a quote becomes there, and a backslash goes before each of `escaped`.
 */
static void print_quoted(const char *text, const char *quote, const char *escaped)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            print("%s", quote);
        } else {
            print("%s%c", strchr(escaped, *text) != NULL ? "\\" : "", *text);
        }
    }
}

/* A function's name: `_sumac_mpi`. */
static void print_function(void)
{
    print("_");
    for (const char *letter = program_name; *letter != '\0'; letter++) {
        print("%c", *letter == '-' ? '_' : *letter);
    }
}

/* What follows the first word of a command's name; empty where there is one word. */
static const char *second_word(const command *of)
{
    const char *space = strchr(of->name, ' ');
    return space == NULL ? "" : space + 1;
}

static void print_first_words(void)
{
    for (int i = 0; program_commands[i] != NULL; i++) {
        char word[COMMAND_WORD_BYTES];
        if (command_first_word(i, word)) {
            print("%s ", word);
        }
    }
    print("help");
}

/* "commit prove ..." for "kzg"; nothing for a command of one word. */
static void print_second_words(const char *first)
{
    const char *before = "";
    for (int i = 0; program_commands[i] != NULL; i++) {
        if (command_begins_with(program_commands[i], first) && second_word(program_commands[i])[0] != '\0') {
            print("%s%s", before, second_word(program_commands[i]));
            before = " ";
        }
    }
}

/* ---- bash ---- */

static void print_bash_command(const command *shown)
{
    print("    '%s')\n        options='", shown->name);
    for (const option_id *id = shown->takes; *id != OPTION_END; id++) {
        print("%s%s ", option_dashes(&option_table[*id]), option_table[*id].name);
    }
    print("--help'\n        operands=%s\n        case $previous in\n",
          shown->operands != NULL ? "files" : "none");
    for (const option_id *id = shown->takes; *id != OPTION_END; id++) {
        const option_spec *spec = &option_table[*id];
        const word_list list = words_of(*id);
        if (spec->value_name != NULL) {
            print("        %s%s) value=", option_dashes(spec), spec->name);
            print("%s", list.count > 0 ? "words words='" : takes_file(spec) ? "files" : "any");
            print_words(&list);
            print("%s ;;\n", list.count > 0 ? "'" : "");
        }
    }
    print("        esac\n        ;;\n");
}

static void print_bash(void)
{
    print("# bash completion for %s, as `%s help --completion bash` prints it.\n", program_name,
          program_name);
    print_function();
    print("()\n{\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local first=${COMP_WORDS[1]} second=${COMP_WORDS[2]} words= options= operands=none value=\n"
          "    # --option=value is three words here.\n"
          "    if [[ $current == = ]]; then\n        current=\n"
          "    elif [[ $previous == = ]]; then\n        previous=${COMP_WORDS[COMP_CWORD-2]}\n    fi\n"
          "    case \"$first\" in\n");
    for (int i = 0; program_commands[i] != NULL; i++) {
        char word[COMMAND_WORD_BYTES];
        if (command_first_word(i, word) && second_word(program_commands[i])[0] != '\0') {
            print("    %s)\n        words='", word);
            print_second_words(word);
            print("'\n        first+=\" $second\"\n        ;;\n");
        }
    }
    print("    help) words='");
    print_first_words();
    print("' ;;\n    esac\n"
          "    if [[ $COMP_CWORD -eq 1 ]]; then\n        value=words words='");
    print_first_words();
    print(" --help --version'\n"
          "    elif [[ $COMP_CWORD -eq 2 && $words ]]; then\n        value=words\n    fi\n"
          "    [[ $value ]] || case \"$first\" in\n");
    for (int i = 0; program_commands[i] != NULL; i++) {
        print_bash_command(program_commands[i]);
    }
    print("    esac\n"
          "    if [[ ! $value && $current == -* ]]; then\n        value=words words=$options\n    fi\n"
          "    local IFS=$' \\t\\n'\n"
          "    case ${value:-$operands} in\n"
          "    words) COMPREPLY=($(compgen -W \"$words\" -- \"$current\")) ;;\n"
          "    files)\n"
          "        IFS=$'\\n'\n"
          "        COMPREPLY=($(compgen -f -- \"$current\"))\n"
          "        compopt -o filenames 2>/dev/null\n"
          "        ;;\n"
          "    *) COMPREPLY=() ;;\n"
          "    esac\n}\ncomplete -F ");
    print_function();
    print(" %s\n", program_name);
}

/* ---- zsh ---- */

#define ZSH_QUOTE "'\\''"

/* An argument of _arguments: '--curve=[the curve]:NAME:(bn254 ...)'. */
static void print_zsh_option(option_id id)
{
    const option_spec *spec = &option_table[id];
    const word_list list = words_of(id);
    const bool letter = strlen(option_dashes(spec)) == 1;
    print(" \\\n            '%s%s", option_dashes(spec), spec->name);
    print("%s[", spec->value_name == NULL ? "" : letter ? "+" : "=");
    print_quoted(spec->help, ZSH_QUOTE, "[]:\\");
    print("]");
    if (spec->value_name != NULL) {
        print(":%s:%s", spec->value_name, list.count > 0 ? "(" : takes_file(spec) ? "_files" : " ");
        print_words(&list);
        print("%s", list.count > 0 ? ")" : "");
    }
    print("'");
}

static void print_zsh_command(const command *shown)
{
    print("    '%s')\n        _arguments", shown->name);
    for (const option_id *id = shown->takes; *id != OPTION_END; id++) {
        print_zsh_option(*id);
    }
    print(" \\\n            '--help[" HELP_OF_HELP "]'");
    if (shown->operands != NULL) {
        print(" \\\n            '*:");
        print_quoted(shown->operands, ZSH_QUOTE, ":\\");
        print(":_files'");
    }
    print("\n        ;;\n");
}

/* 'commit:Commit to blobs' for _describe: of all commands their first words, or those after `first`. */
static void print_zsh_words(const char *first)
{
    for (int i = 0; program_commands[i] != NULL; i++) {
        const command *shown = program_commands[i];
        char word[COMMAND_WORD_BYTES];
        const bool listed = first == NULL ? command_first_word(i, word) : command_begins_with(shown, first);
        if (listed) {
            const char *name = first == NULL ? word : second_word(shown);
            /* Of several commands that begin alike the names say more than one's summary. */
            const bool several = first == NULL && second_word(shown)[0] != '\0';
            print(" '%s:", name);
            if (several) {
                print_second_words(word);
            } else {
                print_quoted(shown->summary, ZSH_QUOTE, ":\\");
            }
            print("'");
        }
    }
}

static void print_zsh(void)
{
    print("#compdef %s\n# zsh completion, as `%s help --completion zsh` prints it.\n", program_name,
          program_name);
    print_function();
    print("()\n{\n    local -a commands\n    local name=$words[2]\n"
          "    if (( CURRENT == 2 )); then\n        commands=(");
    print_zsh_words(NULL);
    print(" 'help:print the commands, or a command" ZSH_QUOTE "s options')\n"
          "        _describe command commands\n        return\n    fi\n"
          "    case $name in\n");
    for (int i = 0; program_commands[i] != NULL; i++) {
        char word[COMMAND_WORD_BYTES];
        if (command_first_word(i, word) && second_word(program_commands[i])[0] != '\0') {
            print("    %s)\n        if (( CURRENT == 3 )); then\n            commands=(", word);
            print_zsh_words(word);
            print(")\n            _describe command commands\n            return\n        fi\n"
                  "        name+=\" $words[3]\"\n        shift words\n        (( CURRENT-- ))\n        ;;\n");
        }
    }
    print("    esac\n    shift words\n    (( CURRENT-- ))\n    case $name in\n");
    for (int i = 0; program_commands[i] != NULL; i++) {
        print_zsh_command(program_commands[i]);
    }
    print("    help)\n        _values command ");
    print_first_words();
    print("\n        ;;\n    esac\n}\n");
    print_function();
    print(" \"$@\"\n");
}

/* ---- fish ---- */

static void print_fish_text(const char *text)
{
    print(" -d '");
    print_quoted(text, "\\'", "\\");
    print("'");
}

static void print_fish_command(const command *shown)
{
    for (const option_id *id = shown->takes; *id != OPTION_END; id++) {
        const option_spec *spec = &option_table[*id];
        const word_list list = words_of(*id);
        print("complete -c %s -n '_", program_name);
        print_function();
        print("_is %s' -%c %s", shown->name, strlen(option_dashes(spec)) == 1 ? 's' : 'l', spec->name);
        print("%s", spec->value_name == NULL ? "" : takes_file(spec) ? " -r -F" : " -x");
        if (list.count > 0) {
            print(" -a '");
            print_words(&list);
            print("'");
        }
        print_fish_text(spec->help);
        print("\n");
    }
    print("complete -c %s -n '_", program_name);
    print_function();
    print("_is %s' -l help", shown->name);
    print_fish_text(HELP_OF_HELP);
    print("\n");
    if (shown->operands != NULL) {
        print("complete -c %s -n '_", program_name);
        print_function();
        print("_is %s' -F\n", shown->name);
    }
}

/* A word where `before` is all that stands before it. */
static void print_fish_word(const char *before, const char *word, const char *text)
{
    print("complete -c %s -n '_", program_name);
    print_function();
    print("_begins %s' -a %s", before, word);
    if (text != NULL) {
        print_fish_text(text);
    }
    print("\n");
}

static void print_fish(void)
{
    print("# fish completion for %s, as `%s help --completion fish` prints it.\n", program_name,
          program_name);
    print("# Whether the words before the cursor begin with these, or are these.\nfunction _");
    print_function();
    print("_is\n    set -l words (commandline -opc)\n    set -e words[1]\n"
          "    set -l count (count $argv)\n"
          "    test (count $words) -ge $count; and test \"$words[1..$count]\" = \"$argv\"\nend\nfunction _");
    print_function();
    print("_begins\n    set -l words (commandline -opc)\n    set -e words[1]\n"
          "    test \"$words\" = \"$argv\"\nend\ncomplete -c %s -f\n",
          program_name);
    for (int i = 0; program_commands[i] != NULL; i++) {
        const command *shown = program_commands[i];
        char word[COMMAND_WORD_BYTES];
        const bool several = second_word(shown)[0] != '\0';
        if (command_first_word(i, word)) {
            print_fish_word("", word, several ? NULL : shown->summary);
            print_fish_word("help", word, NULL);
        }
        if (several) {
            print_fish_word(word, second_word(shown), shown->summary);
        }
        print_fish_command(shown);
    }
    print_fish_word("", "help", "print the commands, or a command's options");
}

/* ---- The shells ---- */

int print_completion(const char *shell)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].print();
            return STATUS_DONE;
        }
    }
    return bad_input("there is no completion for '%s', only for bash, zsh and fish", shell);
}
