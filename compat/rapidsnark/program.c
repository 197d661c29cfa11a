/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say_failed(const char *path)
{
    fprintf(stderr, "Error: %s: %s\n", path, strerror(errno));
}

/* Read a stream to its end, and append a zero byte that *size does not count. Return null on failure. */
static char *read_all(FILE *file, size_t *size)
{
    size_t capacity = 1 << 16, count = 0;
    char *bytes = malloc(capacity);
    while (bytes != NULL) {
        count += fread(bytes + count, 1, capacity - 1 - count, file);
        if (count < capacity - 1) {
            break;
        }
        char *larger = realloc(bytes, capacity *= 2);
        if (larger == NULL) {
            free(bytes);
        }
        bytes = larger;
    }
    if (bytes != NULL && ferror(file)) {
        free(bytes);
        return NULL;
    }
    if (bytes != NULL) {
        bytes[count] = 0;
        *size = count;
    }
    return bytes;
}

char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = file == NULL ? NULL : read_all(file, size);
    if (bytes == NULL) {
        say_failed(path);
    }
    if (file != NULL) {
        fclose(file);
    }
    return bytes;
}

int write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    int is_written = file != NULL && fputs(text, file) >= 0;
    if (file != NULL && fclose(file) != 0) {
        is_written = 0;
    }
    if (!is_written) {
        say_failed(path);
    }
    return is_written;
}
