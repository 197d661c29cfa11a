/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program repeatedly loads the shared library, uses it with several threads, and unloads it. After its contexts
 * are destroyed none of its code may run, because unloading removes it. The program does not link sumac. Its argument
 * is the library's path.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sumac/experimental.h"
#include "sumac/sumac.h"

enum { TURNS = 10, BASES = 5000, THREADS = 4 };

/* Look up a function of the library by its name and type. POSIX allows the cast from a pointer to data. */
#define FIND(handle, name) __typeof__(&name) name##_ = (__typeof__(&name))dlsym(handle, #name)

static int use(void *library)
{
    FIND(library, sumac_context_create);
    FIND(library, sumac_context_destroy);
    FIND(library, sumac_group_at);
    FIND(library, sumac_known_bases_create);
    FIND(library, sumac_bases_destroy);
    FIND(library, sumac_msm);
    sumac_context_config config = {.size = sizeof config};
    sumac_context *contexts[2];
    sumac_bases *bases;
    uint8_t result[512], zero[sizeof result] = {0};
    uint8_t *scalars = calloc(BASES, 96);
    int failed = scalars == NULL;
    config.backend = "cpu";
    config.threads = THREADS;
    for (int i = 0; i < 2 && !failed; i++) {
        failed =
            sumac_context_create_(&config, &contexts[i], NULL) != SUMAC_OK ||
            sumac_known_bases_create_(contexts[i], sumac_group_at_(0), BASES, 1, NULL, &bases) != SUMAC_OK;
        memset(result, 0, sizeof result);
        failed = failed ||
                 sumac_msm_(contexts[i], bases, scalars, (size_t)BASES * 96, BASES, NULL, result,
                            sizeof result) != SUMAC_OK ||
                 memcmp(result, zero, sizeof result) != 0;
        sumac_bases_destroy_(bases);
    }
    for (int i = 0; i < 2 && !failed; i++) {
        sumac_context_destroy_(contexts[i]);
    }
    free(scalars);
    return failed;
}

int main(int argc, char **argv)
{
    for (int turn = 0; turn < TURNS; turn++) {
        void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
        if (library == NULL) {
            fprintf(stderr, "test_unload LIBRARY: %s\n", argc == 2 ? dlerror() : "no library is given");
            return 2;
        }
        if (use(library) != 0) {
            fprintf(stderr, "turn %d: a call failed\n", turn);
            return 1;
        }
        if (dlclose(library) != 0 || dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) != NULL) {
            fprintf(stderr, "turn %d: the library has not gone\n", turn);
            return 1;
        }
        (void)usleep(20000); /* gives a thread that still runs time to crash in unloaded code */
    }
    return 0;
}
