/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "support/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/abort.h"

void test_write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        test_abort("cannot write %s", path);
    }
}

uint8_t *test_read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        test_abort("cannot read %s", path);
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size + 1);
    if (bytes == NULL || fread(bytes, 1, *size, file) != *size) {
        test_abort("cannot read the bytes of %s", path);
    }
    fclose(file);
    bytes[*size] = 0;
    return bytes;
}

void test_make_file(char *path)
{
    const int file = mkstemp(path);
    if (file < 0) {
        test_abort("cannot make a file %s", path);
    }
    (void)close(file);
}

void test_remove_file(void *path)
{
    (void)unlink(path);
}
