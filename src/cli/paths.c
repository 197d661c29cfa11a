/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cli.h"

#include "io/path.h"

static char standard_input[] = "/dev/stdin", standard_output[] = "/dev/stdout";

/* This is a file that the command line names, or the destination of standard output. */
typedef struct named_file {
    const char *path;          /* null if this is standard output, and words are written to it */
    const char *dashes, *name; /* the option's dashes and name; "input" or "output" for an operand */
    bool is_output;
    path_identity identity;
} named_file;

static char *resolve(char *path, bool is_output)
{
    return strcmp(path, "-") != 0 ? path : is_output ? standard_output : standard_input;
}

/* Return true if two files must not be used together. A device may be named several times, because for example
 * /dev/null is the same everywhere. */
static bool collide(const named_file *one, const named_file *other)
{
    const path_identity *a = &one->identity, *b = &other->identity;
    const bool both_read = !one->is_output && !other->is_output;
    const bool both_written = one->is_output && other->is_output;
    if (!path_identities_match(a, b)) {
        return false;
    }
    if (both_read && a->descriptor >= 0 && a->descriptor == b->descriptor) {
        return true; /* the second reader would find nothing */
    }
    if (!a->exists || a->type == S_IFREG) {
        return !both_read;
    }
    return a->type == S_IFIFO || (a->type == S_IFSOCK && (both_read || both_written));
}

/* Return true if another file may collide with this one. That is so if this one is written, or can be read only
 * once. */
static bool is_special(const named_file *file)
{
    const path_identity *found = &file->identity;
    return file->is_output || found->descriptor >= 0 || (found->exists && found->type != S_IFREG);
}

static int refuse_pair(const named_file *a, const named_file *b)
{
    const char *what = a->identity.exists && a->identity.type == S_IFIFO ? "pipe" : "file";
    if (b->path == NULL) {
        return bad_input("%s%s '%s' is the %s that standard output goes to", a->dashes, a->name, a->path,
                         what);
    }
    return bad_input("%s%s '%s' and %s%s '%s' are the same %s", a->dashes, a->name, a->path, b->dashes,
                     b->name, b->path, what);
}

int check_paths(const command *used, options *parsed)
{
    const uint64_t most = OPTION_COUNT + (uint64_t)parsed->operand_count + 1;
    AUTO_FREE named_file *files = NULL;
    size_t count = 0;
    bool data_on_standard_output = false;
    ALLOCATE(files, most * sizeof *files, "the names of files");
    for (const option_id *id = used->takes; *id != OPTION_END; id++) {
        const option_spec *spec = &option_table[*id];
        const bool is_output = spec->type == TYPE_OUTPUT;
        if ((is_output || spec->type == TYPE_INPUT) && parsed->given[*id]) {
            char **path = option_field(*id, parsed);
            *path = resolve(*path, is_output);
            files[count++] = (named_file){*path, "--", spec->name, is_output, path_identify(*path)};
        }
    }
    for (int i = 0; i < parsed->operand_count; i++) {
        const bool is_output = i >= used->operands.read;
        char *path = parsed->operands[i] = resolve(parsed->operands[i], is_output);
        files[count++] =
            (named_file){path, "", is_output ? "output" : "input", is_output, path_identify(path)};
    }
    for (size_t i = 0; i < count; i++) {
        data_on_standard_output |= files[i].is_output && files[i].identity.descriptor == STDOUT_FILENO;
    }
    const path_identity words = path_identify(standard_output);
    if (data_on_standard_output) {
        report_to_standard_error();
    } else if (words.exists && words.type == S_IFREG) { /* words in a file that is replaced would be lost */
        files[count++] = (named_file){NULL, "", "", true, words};
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count && is_special(&files[i]); j++) {
            if (i != j && collide(&files[i], &files[j])) {
                return refuse_pair(&files[smaller(i, j)], &files[larger(i, j)]);
            }
        }
    }
    return STATUS_DONE;
}
