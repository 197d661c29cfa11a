/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Functions that the fuzz targets share. A target is a libFuzzer program: fuzz_x [CORPUS-DIRECTORY]..
 * [-max_total_time=60].
 */
#ifndef SUMAC_FUZZ_FUZZ_H
#define SUMAC_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "random/world.h"
#include "sumac/sumac.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The rest of the input, whose bytes are taken from its front. */
typedef struct fuzz_input {
    const uint8_t *data;
    size_t size;
} fuzz_input;

uint8_t fuzz_byte(fuzz_input *input); /* returns 0 after the last byte */
void fuzz_bytes(fuzz_input *input, void *bytes, size_t count);

/* One context for the whole run, with one thread and little memory. */
sumac_context *fuzz_context(void);

/* The shared state of the random cases of tests/random, small enough for a fuzzer. If `failures` is set in the
  * first call, allocations and threads fail from then on. */
world *fuzz_world(int failures);

/* Choose a group, possibly one for tests. */
const sumac_group *fuzz_group(fuzz_input *input);

/* Abort, which the fuzzer reports as a finding, unless the condition holds. */
void fuzz_require(int condition, const char *what);

/* Require that a failed call with fuzz_context() left a sentence, and a successful one did not. */
void fuzz_check_sentence(sumac_status status);

/* A path under which the bytes can be read as a file; valid until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

#endif
