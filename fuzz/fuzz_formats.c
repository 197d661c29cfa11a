/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This target reads files of points in every format. They are the input's bytes, or a file of multiples of the
 * generator with some bytes changed. If a file is refused, there must be a sentence. If points are accepted with a
 * check, they must lie on the curve. If the library can write the format, it must save them as the same bytes.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "support/cleanup.h"
#include "support/exact.h"

enum { MOST_POINTS = 6, MOST_CHANGES = 6, FILE_MOST = 1 << 14 };

typedef struct bytes {
    uint8_t at[FILE_MOST];
    size_t size;
} bytes;

/* Save the bases as a file of the format. If this is impossible, return 0. */
static int write_file(const sumac_bases *bases, const char *format, bytes *file)
{
    char path[64];
    const int descriptor = memfd_create("written", 0);
    fuzz_require(descriptor >= 0, "there is a file in memory");
    snprintf(path, sizeof path, "/dev/fd/%d", descriptor);
    const sumac_status status = sumac_bases_save(fuzz_context(), bases, path, format);
    const ssize_t got = status == SUMAC_OK ? pread(descriptor, file->at, sizeof file->at, 0) : -1;
    close(descriptor);
    file->size = got < 0 ? 0 : (size_t)got;
    return got >= 0;
}

static void change_bytes(bytes *file, fuzz_input *input)
{
    for (size_t changes = fuzz_byte(input) % MOST_CHANGES; changes > 0 && file->size > 0; changes--) {
        const size_t high = fuzz_byte(input), low = fuzz_byte(input);
        file->at[(high << 8 | low) % file->size] ^= fuzz_byte(input);
    }
    file->size -= file->size > 0 && fuzz_byte(input) % 16 == 1;
}

/* Save multiples of the generator as a file, and change its bytes. */
static int make_file(const sumac_group *group, const char *format, fuzz_input *input, bytes *file)
{
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    const size_t n = fuzz_byte(input) % (MOST_POINTS + 1), begin = fuzz_byte(input);
    if (sumac_known_bases_create(fuzz_context(), group, n, begin, NULL, &bases) != SUMAC_OK) {
        return 0;
    }
    const int made = write_file(bases, format, file);
    if (made) {
        change_bytes(file, input);
    }
    return made;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bytes file, again;
    fuzz_input input = {data, size};
    const sumac_group *group = fuzz_group(&input);
    const sumac_format_info *format = sumac_format_at(fuzz_byte(&input) % sumac_format_count());
    sumac_bases_config config = {.size = sizeof config};
    const uint8_t ways = fuzz_byte(&input);
    config.check = (sumac_check)(ways % 3);
    if (ways / 3 % 2 == 0 || !format->can_write || !make_file(group, format->name, &input, &file)) {
        file.size = input.size < sizeof file.at ? input.size : sizeof file.at;
        memcpy(file.at, input.data, file.size);
    }
    CLEANUP(destroy_bases) sumac_bases *bases = NULL;
    const sumac_status status = sumac_bases_open(fuzz_context(), group, fuzz_file(file.at, file.size),
                                                 format->name, 0, SUMAC_ALL, &config, &bases);
    fuzz_check_sentence(status);
    fuzz_require((status == SUMAC_OK) == (bases != NULL), "success, and only that, gives bases");
    if (bases != NULL && format->can_write && strcmp(format->name, "table") != 0) {
        fuzz_require(write_file(bases, format->name, &again), "what was read is written");
        fuzz_require(again.size == file.size && memcmp(again.at, file.at, file.size) == 0,
                     "a file of points has one encoding");
    }
    return 0;
}
