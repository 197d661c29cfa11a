/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Loads the library by a name, changes to another directory and asks for the CUDA engine, and prints the library's
 * message.
 *
 *   load_host LIBRARY DIRECTORY
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sumac/sumac.h"

int main(int argc, char **argv)
{
    sumac_message reason = {""};
    sumac_status (*check)(const char *backend, int32_t device, sumac_message *reason);
    void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    void *symbol = library == NULL ? NULL : dlsym(library, "sumac_backend_check");
    if (symbol == NULL || chdir(argv[2]) != 0) {
        fprintf(stderr, "load_host: %s\n",
                argc == 3 ? "the library or the directory can't be used" : "usage");
        return 1;
    }
    memcpy(&check, &symbol, sizeof check); /* ISO C has no cast from an object to a function */
    const sumac_status status = check("cuda", -1, &reason);
    printf("%d %s\n", (int)status, reason.text);
    return 0;
}
