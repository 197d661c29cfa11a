/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This library replaces a library that sumac loads. When it is loaded, it writes its path to the file that
 * SUMAC_TEST_MARKER names. As an engine it refuses every version.
 */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((visibility("default"))) const void *sumac_cuda_backend(uint32_t interface_version);

__attribute__((constructor)) static void write_marker(void)
{
    const char *path = getenv("SUMAC_TEST_MARKER");
    FILE *file = path == NULL ? NULL : fopen(path, "a");
    Dl_info self;
    if (file != NULL) {
        fprintf(file, "%s\n",
                dladdr((const void *)(uintptr_t)&write_marker, &self) != 0 ? self.dli_fname : "?");
        fclose(file);
    }
}

const void *sumac_cuda_backend(uint32_t interface_version)
{
    (void)interface_version;
    return NULL;
}
