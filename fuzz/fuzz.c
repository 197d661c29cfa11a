/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "api/registry.h"
#include "curves/group_code.h"
#include "support/abort.h"

uint8_t fuzz_byte(fuzz_input *input)
{
    if (input->size == 0) {
        return 0;
    }
    input->size--;
    return *input->data++;
}

void fuzz_bytes(fuzz_input *input, void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ((uint8_t *)bytes)[i] = fuzz_byte(input);
    }
}

void fuzz_require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "fuzz: not true: %s\n", what);
        abort();
    }
}

static world the_world;

void test_abort(const char *format, ...)
{
    va_list arguments;
    (void)failing_end(); /* the code below is not tested */
    va_start(arguments, format);
    fprintf(stderr, "fuzz: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n%s", the_world.description);
    va_end(arguments);
    abort();
}

static void clear_world(void)
{
    world_clear(&the_world);
}

world *fuzz_world(int failures)
{
    if (the_world.context_count == 0) {
        const world_options options = {.backend = "cpu", .failures = failures, .most_bases = 24, .small = 1};
        fuzz_require(world_init(&the_world, &options), "there is a world");
        atexit(clear_world);
    }
    return &the_world;
}

sumac_context *fuzz_context(void)
{
    static sumac_context *context;
    if (context == NULL) {
        sumac_context_config config = {.size = sizeof config};
        config.threads = 1;
        config.memory_limit = (uint64_t)64 << 20;
        fuzz_require(sumac_context_create(&config, &context, NULL) == SUMAC_OK, "there is a context");
    }
    return context;
}

const sumac_group *fuzz_group(fuzz_input *input)
{
    return &sumac_registry[fuzz_byte(input) % sumac_registry_count]->group;
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static int descriptor = -1;
    static char path[64];
    if (descriptor < 0) {
        descriptor = memfd_create("fuzz", 0);
        fuzz_require(descriptor >= 0, "there is a file in memory");
        snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    fuzz_require(ftruncate(descriptor, 0) == 0, "the file is emptied");
    fuzz_require(pwrite(descriptor, data, size, 0) == (ssize_t)size, "the file is written");
    return path;
}

void fuzz_check_sentence(sumac_status status)
{
    const char *message = sumac_context_message(fuzz_context());
    fuzz_require((status == SUMAC_OK) == (message[0] == '\0'), "a failure, and only that, has a sentence");
    fuzz_require(strchr(message, '\n') == NULL, "a sentence is one line");
    fuzz_require(status != SUMAC_INTERNAL, "no invariant is broken");
}
