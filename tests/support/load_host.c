/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program loads the library by a name, changes to another directory and asks for the CUDA engine. It prints the
 * library's message.
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
    sumac_message message = {""};
    sumac_context *context = NULL;
    sumac_context_config config = {.size = sizeof config};
    sumac_status (*create)(const sumac_context_config *config, sumac_context **context,
                           sumac_message *message);
    void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    void *symbol = library == NULL ? NULL : dlsym(library, "sumac_context_create");
    if (symbol == NULL || chdir(argv[2]) != 0) {
        fprintf(stderr, "load_host: %s\n",
                argc == 3 ? "the library or the directory can't be used" : "usage");
        return 1;
    }
    memcpy(&create, &symbol, sizeof create); /* ISO C has no cast from an object to a function */
    config.backend = "cuda";
    const sumac_status status = create(&config, &context, &message);
    printf("%d %s\n", (int)status, message.text);
    return 0;
}
