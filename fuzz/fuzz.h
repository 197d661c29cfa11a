/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What the fuzz targets share. A target is a libFuzzer program: fuzz_x [CORPUS-DIRECTORY]..
 * [-max_total_time=60].
 */
#ifndef SUMAC_FUZZ_FUZZ_H
#define SUMAC_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "random/world.h"
#include "sumac/sumac.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input, taken byte by byte from its front. */
typedef struct fuzz_input {
    const uint8_t *data;
    size_t size;
} fuzz_input;

uint8_t fuzz_byte(fuzz_input *input); /* 0 when there is none left */
void fuzz_bytes(fuzz_input *input, void *bytes, size_t count);

/* One context for the whole run, with one thread and little memory. */
sumac_context *fuzz_context(void);

/* What the random cases of tests/random share, small enough for a fuzzer; with failures from the first call
 * on. */
world *fuzz_world(int failures);

/* A curve, test curves included. */
const sumac_curve *fuzz_curve(fuzz_input *input);

/* Stop here as a finding unless the condition holds. */
void fuzz_require(int condition, const char *what);

/* A call with fuzz_context() kept the rules of errors. */
void fuzz_check_sentence(sumac_status status);

/* A path under which the bytes can be read as a file; valid until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

#endif
