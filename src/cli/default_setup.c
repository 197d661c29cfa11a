/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "default_setup.h"

#include <string.h>
#include <unistd.h>

#include "base/privileges.h"
#include "commands.h"

#define SETUP_NAME "trusted_setup.txt"

static bool takes_setup(const command *used)
{
    const option_id *id = used->takes;
    while (*id != OPTION_SETUP && *id != OPTION_END) {
        id++;
    }
    return *id == OPTION_SETUP;
}

/* The folder of the program's file, by its real name. A program with more rights than its caller has none:
 * the caller may have given it a second name in a folder of his own. */
static bool own_folder(char folder[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX);
    if (length <= 0 || length >= PATH_MAX || has_raised_privileges()) {
        return false;
    }
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash == NULL) {
        return false;
    }
    *slash = '\0';
    return true;
}

static bool is_there(const char *folder, const char *inner, char path[PATH_MAX])
{
    const int length = snprintf(path, PATH_MAX, "%s/%s" SETUP_NAME, folder, inner);
    return length > 0 && length < PATH_MAX && access(path, F_OK) == 0;
}

int choose_setup(const command *used, options *given, char path[PATH_MAX])
{
    char folder[PATH_MAX];
    if (!takes_setup(used) || given->given[OPTION_SETUP]) {
        return STATUS_DONE;
    }
    if (own_folder(folder)) {
        const char *last = strrchr(folder, '/');
        const bool installed = last != NULL && strcmp(last + 1, SUMAC_PROGRAM_FOLDER) == 0;
        if (is_there(folder, "", path) ||
            (installed && is_there(folder, SUMAC_FROM_PROGRAM_TO_DATA "/", path))) {
            given->setup = path;
            return STATUS_DONE;
        }
    }
    return bad_input("'%s %s' needs --setup FILE: there is no " SETUP_NAME " beside the program",
                     program_name, used->name);
}
