/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "paths.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/path.h"

static char standard_input[] = "/dev/stdin", standard_output[] = "/dev/stdout";

/* One path of the command line. */
typedef struct named_file {
    const char *path;
    const char *option; /* null for an operand */
    bool is_output;
} named_file;

static void *field_of(const option_spec *spec, options *parsed)
{
    return (char *)parsed + spec->offset;
}

/* The i-th file of the options, then of the operands; false after the last. */
static bool file_at(const command *used, options *parsed, int i, named_file *file)
{
    for (const option_id *id = used->takes; *id != OPTION_END; id++) {
        const option_spec *spec = &option_table[*id];
        bool is_file = spec->type == TYPE_INPUT || spec->type == TYPE_OUTPUT;
        if (is_file && parsed->given[*id] && i-- == 0) {
            *file =
                (named_file){*(const char **)field_of(spec, parsed), spec->name, spec->type == TYPE_OUTPUT};
            return true;
        }
    }
    if (i < parsed->operand_count) {
        *file = (named_file){parsed->operands[i], NULL, i >= used->operands_read};
        return true;
    }
    return false;
}

static void name_standard_streams(const command *used, options *parsed)
{
    for (const option_id *id = used->takes; *id != OPTION_END; id++) {
        const option_spec *spec = &option_table[*id];
        if ((spec->type == TYPE_INPUT || spec->type == TYPE_OUTPUT) && parsed->given[*id]) {
            const char **path = field_of(spec, parsed);
            if (strcmp(*path, "-") == 0) {
                *path = spec->type == TYPE_INPUT ? standard_input : standard_output;
            }
        }
    }
    for (int i = 0; i < parsed->operand_count; i++) {
        if (strcmp(parsed->operands[i], "-") == 0) {
            parsed->operands[i] = i < used->operands_read ? standard_input : standard_output;
        }
    }
}

/* Devices may be named as often as one likes: /dev/null is the same file everywhere. */
static bool collide(const path_identity *a, bool a_is_output, const path_identity *b, bool b_is_output)
{
    if (!path_identities_match(a, b)) {
        return false;
    }
    bool both_read = !a_is_output && !b_is_output, both_written = a_is_output && b_is_output;
    if (both_read && a->descriptor >= 0 && a->descriptor == b->descriptor) {
        return true; /* the second reader would find nothing left */
    }
    if (!a->exists || a->type == S_IFREG) {
        return !both_read;
    }
    return a->type == S_IFIFO || (a->type == S_IFSOCK && (both_read || both_written));
}

/* "--option", or what an operand is. */
static void call(const named_file *file, char name[64])
{
    if (file->option != NULL) {
        snprintf(name, 64, "--%s", file->option);
    } else {
        snprintf(name, 64, file->is_output ? "output" : "input");
    }
}

static int refuse(const named_file *a, const named_file *b, const path_identity *file)
{
    const char *what = file->exists && file->type == S_IFIFO ? "pipe" : "file";
    char a_name[64], b_name[64];
    call(a, a_name);
    call(b, b_name);
    if (b->path == NULL) {
        return bad_input("%s '%s' is the %s that standard output goes to", a_name, a->path, what);
    }
    return bad_input("%s '%s' and %s '%s' are the same %s", a_name, a->path, b_name, b->path, what);
}

enum { OUTPUT_OF_WORDS = INT_MAX };

/* The files that another one may collide with: those that are written, and those that can be read once. */
typedef struct special_file {
    int index; /* OUTPUT_OF_WORDS: standard output */
    named_file file;
    path_identity identity;
} special_file;

static bool is_special(const named_file *file, const path_identity *found)
{
    return file->is_output || found->descriptor >= 0 || (found->exists && found->type != S_IFREG);
}

static int compare_all(const command *used, options *parsed, const special_file *special, size_t count)
{
    named_file file;
    for (int i = 0; file_at(used, parsed, i, &file); i++) {
        path_identity found = path_identify(file.path);
        for (size_t j = 0; j < count; j++) {
            const special_file *other = &special[j];
            if (other->index != i &&
                collide(&found, file.is_output, &other->identity, other->file.is_output)) {
                return other->index > i ? refuse(&file, &other->file, &found)
                                        : refuse(&other->file, &file, &found);
            }
        }
    }
    return STATUS_DONE;
}

int check_paths(const command *used, options *parsed)
{
    named_file file;
    int files = 0;
    name_standard_streams(used, parsed);
    while (file_at(used, parsed, files, &file)) {
        files++;
    }
    special_file *special = allocate(((uint64_t)files + 1) * sizeof *special, "the names of files");
    if (special == NULL) {
        return STATUS_MACHINE_FAULT;
    }
    size_t count = 0;
    bool data_on_standard_output = false;
    for (int i = 0; i < files && file_at(used, parsed, i, &file); i++) {
        path_identity found = path_identify(file.path);
        data_on_standard_output |= file.is_output && found.descriptor == STDOUT_FILENO;
        if (is_special(&file, &found)) {
            special[count++] = (special_file){i, file, found};
        }
    }
    if (data_on_standard_output) {
        report_to_standard_error();
    } else {
        /* Words in a file that is replaced would be lost. */
        path_identity words = path_identify(standard_output);
        if (words.exists && words.type == S_IFREG) {
            special[count++] = (special_file){OUTPUT_OF_WORDS, {NULL, NULL, true}, words};
        }
    }
    int status = compare_all(used, parsed, special, count);
    free(special);
    return status;
}
