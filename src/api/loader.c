/*
 * The CUDA engine is a shared object of its own, so that this library runs on machines without a GPU. It is
 * looked for beside the file that this code is part of, the library or the program, and then where the system
 * looks.
 */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "api/internal.h"

/* The path of the engine's library beside this code; 0 when it can't be told. */
static int neighbour(char *path, size_t bytes)
{
    Dl_info self;
    if (dladdr((const void *)&sumac_context_config_default, &self) == 0 || self.dli_fname == NULL) {
        return 0;
    }
    const char *slash = strrchr(self.dli_fname, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - self.dli_fname + 1);
    const int length =
        snprintf(path, bytes, "%.*s%s", folder, folder == 0 ? "" : self.dli_fname, SUMAC_CUDA_LIBRARY);
    return slash != NULL && length > 0 && (size_t)length < bytes;
}

const backend *load_cuda(char *message, size_t bytes)
{
    char path[4096];
    void *library = NULL;
    if (neighbour(path, sizeof path)) {
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    if (library == NULL) {
        library = dlopen(SUMAC_CUDA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    }
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
