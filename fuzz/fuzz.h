/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The fuzz targets share these functions. A target is a libFuzzer program: fuzz_x [CORPUS-DIRECTORY]..
 * [-max_total_time=60].
 */
#ifndef SUMAC_FUZZ_FUZZ_H
#define SUMAC_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "random/world.h"
#include "sumac/sumac.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The rest of the input. Functions that need bytes remove them from its front. */
typedef struct fuzz_input {
    const uint8_t *data;
    size_t size;
} fuzz_input;

uint8_t fuzz_byte(fuzz_input *input); /* returns 0 after the last byte */
void fuzz_bytes(fuzz_input *input, void *bytes, size_t count);

/* Return the context of the whole run, which has one thread and little memory. */
sumac_context *fuzz_context(void);

/* Return the shared state of the random cases of tests/random, which is small enough for a fuzzer. If `failures` is set in
 * the first call, allocations and threads fail from then on. */
world *fuzz_world(int failures);

/* Choose a group, possibly one for tests. */
const sumac_group *fuzz_group(fuzz_input *input);

/* If the condition does not hold, abort, which the fuzzer reports as a finding. */
void fuzz_require(int condition, const char *what);

/* Require that a failed call with fuzz_context() left a sentence, and that a successful one left none. */
void fuzz_check_sentence(sumac_status status);

/* Return a path under which the bytes can be read as a file. It is valid until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

#endif
