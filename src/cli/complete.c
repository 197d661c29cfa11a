/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file completes words on the command line. The program finds the candidates for a word, and each shell runs a
 * script of ten lines that asks for them. */
#include "cli.h"

/* This is the word under the cursor. Candidates begin with `text`. In the output each one is preceded by `before`, for
 * example "--option=". */
typedef struct typed_word {
    const char *before;
    int before_length;
    const char *text;
} typed_word;

static void offer(const typed_word *typed, const char *word, const char *end, const char *about)
{
    if (strncmp(word, typed->text, strlen(typed->text)) == 0) {
        print("%.*s%s%s%s%s\n", typed->before_length, typed->before, word, end, about[0] != '\0' ? "\t" : "",
              about);
    }
}

static void offer_values(const typed_word *typed, const command *used, option_id id)
{
    static const char *const backends[] = {"auto", "cpu", "cuda", NULL};
    const option_spec *spec = &option_table[id];
    const char *const *words = id == OPTION_BACKEND ? backends : spec->choices;
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
        offer(typed, words[i], "", "");
    }
    for (size_t i = 0; id == OPTION_CURVE && i < sumac_group_count(); i++) {
        const sumac_group *info = sumac_group_at(i);
        if (strcmp(info->name, "g1") == 0) {
            offer(typed, info->curve, "", "");
        }
    }
    for (size_t i = 0; (id == OPTION_FORMAT || id == OPTION_TO) && i < sumac_format_count(); i++) {
        const sumac_format_info *format = sumac_format_at(i);
        if (id == OPTION_TO ? format->can_write : format->can_read) {
            offer(typed, format->name, "", format->description);
        }
    }
    if (spec->type == TYPE_DEVICES ||
        (command_takes_list(used, id) && (spec->choices != NULL || id == OPTION_CURVE))) {
        offer(typed, "all", "", "");
    }
    if (spec->type == TYPE_INPUT || spec->type == TYPE_OUTPUT) {
        print(":files\n");
    }
}

static void offer_keys(const typed_word *typed, const command *used)
{
    const char *comma = strrchr(typed->text, ',');
    const typed_word key = {typed->text, comma == NULL ? 0 : (int)(comma + 1 - typed->text),
                            comma == NULL ? typed->text : comma + 1};
    for (const option_id *id = used->takes; *id != OPTION_END; id++) {
        if (option_table[*id].section == SECTION_TUNING) {
            offer(&key, option_table[*id].name, "=", option_table[*id].help);
        }
    }
}

/* Offer the values of the option `name`, which has `length` bytes with its dashes. Return false if the option has no
 * list of values. */
static bool offer_values_of(const typed_word *typed, const command *used, const char *name, size_t length)
{
    if (length == 6 && strncmp(name, "--tune", length) == 0) {
        offer_keys(typed, used);
        return true;
    }
    for (const option_id *id = used->takes; *id != OPTION_END; id++) {
        const option_spec *spec = &option_table[*id];
        const size_t dashes = strlen(option_dashes(spec));
        if (spec->value_name != NULL && dashes > 0 && length == dashes + strlen(spec->name) &&
            strncmp(name, option_dashes(spec), dashes) == 0 &&
            strncmp(name + dashes, spec->name, length - dashes) == 0) {
            offer_values(typed, used, *id);
            return true;
        }
    }
    return false;
}

static void offer_options(const typed_word *typed, const command *used)
{
    for (const option_id *id = used->takes; *id != OPTION_END; id++) {
        const option_spec *spec = &option_table[*id];
        char name[64];
        snprintf(name, sizeof name, "%s%s", option_dashes(spec), spec->name);
        if (spec->section != SECTION_TUNING) {
            offer(typed, name, "", spec->help);
        }
    }
    if (command_takes_tune(used)) {
        offer(typed, "--tune", "", HELP_OF_TUNE);
    }
    offer(typed, "--help", "", HELP_OF_HELP);
}

static void offer_commands(const typed_word *typed, const char *first)
{
    for (int i = 0; program_commands[i] != NULL; i++) {
        const char *name = program_commands[i]->name;
        char word[COMMAND_WORD_BYTES];
        if (first == NULL && command_first_word(i, word)) {
            offer(typed, word, "", strcmp(word, name) == 0 ? program_commands[i]->summary : "");
        } else if (first != NULL && command_begins_with(program_commands[i], first) &&
                   name[strlen(first)] == ' ') {
            offer(typed, name + strlen(first) + 1, "", program_commands[i]->summary);
        }
    }
}

int print_candidates(int count, char **words)
{
    /* bash splits "--option=value" into three words, so join them again. */
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], "=") != 0 || i == count - 1) {
            words[kept++] = strcmp(words[i], "=") == 0 ? words[i] + 1 : words[i];
        }
    }
    count = kept;
    typed_word typed = {"", 0, count > 0 ? words[count - 1] : ""};
    const bool helps = count > 1 && strcmp(words[0], "help") == 0;
    if (count <= 1 || (helps && count == 2)) {
        offer_commands(&typed, NULL);
        for (size_t i = 0; i < 4 && !helps; i++) {
            static const char *const others[] = {"help", "version", "--help", "--version"};
            offer(&typed, others[i], "", "");
        }
        return STATUS_DONE;
    }
    if ((helps && count == 3) || (!helps && count == 2)) {
        offer_commands(&typed, words[count - 2]);
    }
    for (int i = 0; program_commands[i] != NULL; i++) {
        const command *used = program_commands[i];
        const int named = command_words(used, count - 1, words);
        const char *sign = strchr(typed.text, '=');
        if (named == 0 || (count - 1 > named &&
                           offer_values_of(&typed, used, words[count - 2], strlen(words[count - 2])))) {
            continue;
        }
        if (typed.text[0] == '-' && sign != NULL) {
            const typed_word value = {typed.text, (int)(sign + 1 - typed.text), sign + 1};
            (void)offer_values_of(&value, used, typed.text, (size_t)(sign - typed.text));
        } else if (typed.text[0] == '-') {
            offer_options(&typed, used);
        } else if (used->operands.text != NULL) {
            print(":files\n");
        }
    }
    return STATUS_DONE;
}

/* ---- The scripts; ~ stands for the program's name, and % for that name with _ for - ---- */

static const char bash_script[] =
    "# bash completion for ~: asks `~ __complete`.\n"
    "_%()\n{\n"
    "    local line current=${COMP_WORDS[COMP_CWORD]}\n"
    "    COMPREPLY=()\n"
    "    while IFS=$'\\t' read -r line _; do\n"
    "        if [[ $line == :files ]]; then\n"
    "            mapfile -t COMPREPLY < <(compgen -f -- \"${current#=}\")\n"
    "            compopt -o filenames 2>/dev/null\n"
    "        else\n"
    "            COMPREPLY+=(\"$line\")\n"
    "        fi\n"
    "    done < <(\"${COMP_WORDS[0]}\" __complete \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
    "}\n"
    "complete -F _% ~\n";

static const char zsh_script[] =
    "#compdef ~\n"
    "# zsh completion: asks `~ __complete`.\n"
    "local line\n"
    "local -a candidates\n"
    "for line in \"${(@f)$($words[1] __complete \"${(@)words[2,CURRENT]}\" 2>/dev/null)}\"; do\n"
    "    if [[ $line == :files ]]; then\n"
    "        _files\n"
    "    elif [[ -n $line ]]; then\n"
    "        candidates+=(\"${${line//:/\\\\:}/$'\\t'/:}\")\n"
    "    fi\n"
    "done\n"
    "_describe ~ candidates\n";

static const char fish_script[] =
    "# fish completion for ~: asks `~ __complete`.\n"
    "function __%_complete\n"
    "    set -l words (commandline -opc)\n"
    "    for line in (command $words[1] __complete $words[2..-1] (commandline -ct) 2>/dev/null)\n"
    "        if test \"$line\" = :files\n"
    "            __fish_complete_path (commandline -ct)\n"
    "        else\n"
    "            echo $line\n"
    "        end\n"
    "    end\n"
    "end\n"
    "complete -c ~ -f -a '(__%_complete)'\n";

int print_completion(const char *shell)
{
    static const struct {
        const char *name, *script;
    } shells[] = {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shells[i].name, shell) != 0) {
            continue;
        }
        for (const char *next = shells[i].script; *next != '\0'; next++) {
            if (*next == '~') {
                print("%s", program_name);
            } else if (*next == '%') {
                for (const char *letter = program_name; *letter != '\0'; letter++) {
                    print("%c", *letter == '-' ? '_' : *letter);
                }
            } else {
                print("%c", *next);
            }
        }
        return STATUS_DONE;
    }
    return bad_input("there is no completion for '%s', only for bash, zsh and fish", shell);
}
