/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "paths.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/whole_file.h"

static char standard_input[] = "/dev/stdin", standard_output[] = "/dev/stdout";

/* One path of the command line. */
typedef struct named_file {
    const char *path;
    const char *option; /* null for an operand */
    bool is_output;
} named_file;

/* What lies there; of a file that is not there yet, where it will lie. */
typedef struct identity {
    bool known;
    bool exists;
    int descriptor; /* -1 unless the path is a name of one */
    mode_t type;
    dev_t device;
    ino_t inode;
    char name[256]; /* in the directory that device and inode mean; empty if it exists */
} identity;

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

static bool look_at(identity *found, int looked, const struct stat *facts)
{
    found->known = looked == 0;
    found->type = facts->st_mode & S_IFMT;
    found->device = facts->st_dev;
    found->inode = facts->st_ino;
    return found->known;
}

/* Where something does not exist, its directory and its name there. */
static void identify_new(identity *found, char *target)
{
    struct stat facts;
    char *slash = strrchr(target, '/');
    const char *name = slash == NULL ? target : slash + 1;
    if (strlen(name) >= sizeof found->name) {
        return; /* no file can have such a name */
    }
    memcpy(found->name, name, strlen(name) + 1);
    if (slash != NULL) {
        slash[slash == target] = '\0';
    }
    look_at(found, stat(slash == NULL ? "." : target, &facts), &facts);
}

/* What cannot be found out is not known here, and reported when it is opened. */
static identity identify(const char *path)
{
    identity found = {.descriptor = -1};
    struct stat facts = {0};
    char target[WHOLE_FILE_PATH_BYTES];
    if (path_follow(path, target, &found.descriptor) != 0) {
        return found;
    }
    int looked = found.descriptor >= 0 ? fstat(found.descriptor, &facts) : stat(target, &facts);
    found.exists = look_at(&found, looked, &facts);
    if (!found.exists && found.descriptor < 0) {
        identify_new(&found, target);
    }
    return found;
}

/* Devices may be named as often as one likes: /dev/null is the same file everywhere. */
static bool collide(const identity *a, bool a_is_output, const identity *b, bool b_is_output)
{
    if (!a->known || !b->known || a->exists != b->exists || a->device != b->device || a->inode != b->inode ||
        strcmp(a->name, b->name) != 0) {
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

static int refuse(const named_file *a, const named_file *b, const identity *file)
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
    identity identity;
} special_file;

static bool is_special(const named_file *file, const identity *found)
{
    return file->is_output || found->descriptor >= 0 || (found->exists && found->type != S_IFREG);
}

static int compare_all(const command *used, options *parsed, const special_file *special, size_t count)
{
    named_file file;
    for (int i = 0; file_at(used, parsed, i, &file); i++) {
        identity found = identify(file.path);
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
        identity found = identify(file.path);
        data_on_standard_output |= file.is_output && found.descriptor == STDOUT_FILENO;
        if (is_special(&file, &found)) {
            special[count++] = (special_file){i, file, found};
        }
    }
    if (data_on_standard_output) {
        report_to_standard_error();
    } else {
        /* Words in a file that is replaced would be lost. */
        identity words = identify(standard_output);
        if (words.exists && words.type == S_IFREG) {
            special[count++] = (special_file){OUTPUT_OF_WORDS, {NULL, NULL, true}, words};
        }
    }
    int status = compare_all(used, parsed, special, count);
    free(special);
    return status;
}
