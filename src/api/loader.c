/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The CUDA engine is a separate shared object, so that this library runs on machines without a GPU. As a loaded object has
 * all rights of the process, the engine is searched for in three places only:
 *
 *   1. in the directory of the file that contains this code, the library or the program;
 *   2. if that file lies in PREFIX/bin, where installation puts programs: in PREFIX/lib, where it puts libraries;
 *   3. where the system searches for libraries by name.
 *
 * Searches 1 and 2 need the file's real path. dladdr() does not give that, but the path by which the file was loaded:
 * for a program this is argv[0], which its caller chooses; for a library it can be relative to a directory that is no
 * longer the current one. The kernel lists the mappings of the process with their paths. Such a path is absolute and
 * has no links, for programs and for libraries, and it is valid at any time, so that nothing must be stored.
 *
 * dlopen() does the third search, in LD_LIBRARY_PATH, the cache and the system's directories. It searches in the
 * current directory only if LD_LIBRARY_PATH names that, which an empty entry does. Then every library of the process
 * can come from there.
 *
 * A program that runs with more rights than its caller has (setuid, setgid, capabilities) only does the third search,
 * because a caller could make a hard link to such a program in another directory and put an engine beside it. In the
 * third search the system recognises such a program, and ignores LD_LIBRARY_PATH.
 */
#define _GNU_SOURCE
#include "api/loader.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/privileges.h"
#include "base/refusal.h"

/* Return the path in a line of /proc/self/maps if the line is the mapping of this address, otherwise null. */
static char *mapped_path(char *line, uintptr_t address)
{
    unsigned long long begin, end;
    int path = 0;
    if (sscanf(line, "%llx-%llx %*s %*s %*s %*s %n", &begin, &end, &path) != 2 || address < begin ||
        address >= end || line[path] != '/') {
        return NULL;
    }
    char *newline = strchr(line, '\n');
    if (newline == NULL) {
        return NULL; /* the line is longer than one with a path can be */
    }
    *newline = '\0';
    return line + path;
}

/* Find the real path of the directory of the file that this code is part of, without a slash at its end; return 0 if it is
 * not known. */
static int find_directory(char *directory, size_t bytes)
{
    char line[PATH_MAX + 128];
    const char *path = NULL;
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL) {
        return 0;
    }
    while (path == NULL && fgets(line, sizeof line, maps) != NULL) {
        path = mapped_path(line, (uintptr_t)&load_cuda);
    }
    fclose(maps);
    if (path == NULL) {
        return 0;
    }
    const int length = snprintf(directory, bytes, "%.*s", (int)(strrchr(path, '/') - path), path);
    /* Refuse a path with "\012", because the kernel writes a line break in a name like that, but a name may also
     * contain these characters. Refuse one with a dollar sign, because dlopen() replaces words that begin with it. */
    return length > 0 && (size_t)length < bytes && strstr(directory, "\\012") == NULL &&
           strchr(directory, '$') == NULL;
}

/* Load the engine from directory/inner. *found becomes 1 if the file exists, even if it can't be loaded. */
static void *load_file(const char *directory, const char *inner, int *found)
{
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/%s%s", directory, inner, SUMAC_CUDA_LIBRARY);
    if (length < 0 || (size_t)length >= sizeof path || access(path, F_OK) != 0) {
        return NULL;
    }
    *found = 1;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* If an engine exists but can't be loaded, that is an error; no further place is searched. */
static void *load_engine(void)
{
    char directory[PATH_MAX];
    void *library = NULL;
    int found = 0;
    if (!has_raised_privileges() && find_directory(directory, sizeof directory)) {
        const char *name = strrchr(directory, '/');
        library = load_file(directory, "", &found);
        if (!found && name != NULL && strcmp(name + 1, SUMAC_PROGRAM_FOLDER) == 0) {
            library = load_file(directory, SUMAC_FROM_PROGRAM_TO_LIBRARY "/", &found);
        }
    }
    return found ? library : dlopen(SUMAC_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
}

const backend *load_cuda(sumac_message *why)
{
    void *library = load_engine();
    if (library == NULL) {
        const char *problem = dlerror();
        (void)refuse(why, SUMAC_BACKEND_UNAVAILABLE, "the CUDA engine can't be loaded: %s",
                     problem == NULL ? "unknown" : problem);
        return NULL;
    }
    engine_entry entry;
    void *symbol = dlsym(library, SUMAC_CUDA_ENTRY);
    memcpy(&entry, &symbol, sizeof entry); /* ISO C has no cast from an object to a function */
    const backend *engine = symbol == NULL ? NULL : entry(SUMAC_ENGINE_INTERFACE);
    if (engine == NULL) {
        (void)refuse(why, SUMAC_BACKEND_UNAVAILABLE, "%s is of another version of the library",
                     SUMAC_CUDA_LIBRARY);
        (void)dlclose(library);
    }
    return engine; /* the library stays loaded: bases may outlive every context */
}
