/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The CUDA engine is a shared object of its own, so that this library runs on machines without a GPU. What is
 * loaded runs with all rights of the process, so the engine is looked for in three places and nowhere else:
 *
 *   1. beside the file that this code is part of, the library or the program;
 *   2. if that lies where installation puts programs, PREFIX/bin, where it puts libraries: PREFIX/lib;
 *   3. where the system looks for libraries by name.
 *
 * The first two need the file's real name. dladdr() has the one that the file was loaded by: for a program
 * that is argv[0], which its caller chooses; for a library it can be relative, to a directory that is no
 * longer the current one. The kernel's name of the mapping is neither: absolute, without links, the same for
 * programs and libraries, right at whatever time it is asked for, so that nothing is kept.
 *
 * The third is dlopen()'s: LD_LIBRARY_PATH, the cache, the system's directories. It knows the current
 * directory only where LD_LIBRARY_PATH names it, which an empty entry does, too; every library of the process
 * comes from there then.
 *
 * A program that runs with more rights than its caller has (setuid, setgid, capabilities) takes the third
 * place only: a caller may give such a file a second name in a directory of his own by a hard link. The
 * system's search knows these programs, and leaves LD_LIBRARY_PATH out.
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

/* The path in a line of /proc/self/maps, if that is the mapping of this address; else null. */
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
        return NULL; /* longer than a path can be */
    }
    *newline = '\0';
    return line + path;
}

/* The real name of the folder of the file that this code is part of, without a slash at its end; 0 where it
 * can't be told. */
static int own_folder(char *folder, size_t bytes)
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
    const int length = snprintf(folder, bytes, "%.*s", (int)(strrchr(path, '/') - path), path);
    /* The kernel writes the end of a line in a name as \012, as a name may be written; dlopen() replaces
     * words that begin with a dollar sign. */
    return length > 0 && (size_t)length < bytes && strstr(folder, "\\012") == NULL &&
           strchr(folder, '$') == NULL;
}

/* Load a file of this name if there is one. *found is set where there is, whether or not it can be loaded. */
static void *load_file(const char *folder, const char *inner, int *found)
{
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/%s%s", folder, inner, SUMAC_CUDA_LIBRARY);
    if (length < 0 || (size_t)length >= sizeof path || access(path, F_OK) != 0) {
        return NULL;
    }
    *found = 1;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* 1 if a folder's own name, the last part of its path, is this one. */
static int is_named(const char *folder, const char *name)
{
    const char *last = strrchr(folder, '/');
    return last != NULL && strcmp(last + 1, name) == 0;
}

/* An engine that is there but can't be loaded is the reason to give: no other one takes its place. */
static void *load_engine(void)
{
    char folder[PATH_MAX];
    void *library = NULL;
    int found = 0;
    if (!has_raised_privileges() && own_folder(folder, sizeof folder)) {
        library = load_file(folder, "", &found);
        if (!found && is_named(folder, SUMAC_PROGRAM_FOLDER)) {
            library = load_file(folder, SUMAC_FROM_PROGRAM_TO_LIBRARY "/", &found);
        }
    }
    return found ? library : dlopen(SUMAC_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
}

const backend *load_cuda(char *message, size_t bytes)
{
    void *library = load_engine();
    if (library == NULL) {
        const char *problem = dlerror();
        (void)snprintf(message, bytes, "the CUDA engine can't be loaded: %s",
                       problem == NULL ? "unknown" : problem);
        return NULL;
    }
    engine_entry entry;
    void *symbol = dlsym(library, SUMAC_CUDA_ENTRY);
    memcpy(&entry, &symbol, sizeof entry); /* ISO C has no cast from an object to a function */
    const backend *engine = symbol == NULL ? NULL : entry(SUMAC_ENGINE_INTERFACE);
    if (engine == NULL) {
        (void)snprintf(message, bytes, "%s is of another version of the library", SUMAC_CUDA_LIBRARY);
        (void)dlclose(library);
    }
    return engine; /* the library stays: bases may outlive every context */
}
