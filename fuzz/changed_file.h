/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions make files that are valid but for changes which a fuzzer's input determines. A source that includes this defines
 * _GNU_SOURCE. */
#ifndef SUMAC_FUZZ_CHANGED_FILE_H
#define SUMAC_FUZZ_CHANGED_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

enum { MORE = 64 /* the most bytes by which a file may grow */ };

typedef struct known_file {
    uint8_t *bytes;
    size_t size;
} known_file;

/* A file in memory, with its path. */
typedef struct memory_file {
    int descriptor;
    char path[32];
} memory_file;

static inline memory_file new_file(void)
{
    memory_file file = {.descriptor = memfd_create("known", 0)};
    fuzz_require(file.descriptor >= 0, "there is a file in memory");
    (void)snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.descriptor);
    return file;
}

static inline known_file take_file(memory_file *file)
{
    const off_t size = lseek(file->descriptor, 0, SEEK_END);
    known_file taken = {malloc((size_t)size + MORE), (size_t)size};
    fuzz_require(taken.bytes != NULL && pread(file->descriptor, taken.bytes, taken.size, 0) == size,
                 "it is read");
    close(file->descriptor);
    return taken;
}

static inline known_file take_bytes(const void *bytes, size_t size)
{
    known_file taken = {malloc(size + MORE), size};
    fuzz_require(taken.bytes != NULL, "there is memory");
    memcpy(taken.bytes, bytes, size);
    return taken;
}

static inline known_file take_text(const char *text)
{
    return take_bytes(text, strlen(text));
}

static inline size_t draw_place(fuzz_input *input, size_t count)
{
    size_t place = 0;
    for (int i = 0; i < 3; i++) {
        place = place << 8 | fuzz_byte(input);
    }
    return place % count;
}

static inline void change(fuzz_input *input, known_file *file)
{
    const uint8_t how = fuzz_byte(input) % 6;
    const size_t place = draw_place(input, file->size);
    if (how == 0) {
        file->size = place + 1; /* cut off */
    } else if (how == 1) {
        const size_t more = fuzz_byte(input) % MORE;
        memset(file->bytes + file->size, 1, more);
        file->size += more;
    } else if (how == 2 && file->size - place >= 4) {
        fuzz_bytes(input, file->bytes + place, 4);
    } else if (how == 3 && file->size - place >= 64) {
        memmove(file->bytes + place, file->bytes + draw_place(input, file->size - 63), 64);
    } else {
        file->bytes[place] ^= how == 4 ? (uint8_t)(1u << fuzz_byte(input) % 8) : fuzz_byte(input);
    }
}

/* Return a copy of a file with changes that the input determines. The caller frees its bytes. */
static inline known_file changed_file(fuzz_input *input, const known_file *original)
{
    const uint8_t choice = fuzz_byte(input);
    const int is_input = choice % 8 == 7;
    const size_t size = is_input ? input->size : original->size;
    known_file file = {malloc(size + 4 * MORE), size};
    fuzz_require(file.bytes != NULL, "there is memory");
    memcpy(file.bytes, is_input ? input->data : original->bytes, size);
    for (int i = 0; !is_input && i < choice % 4; i++) {
        change(input, &file);
    }
    return file;
}

#endif
