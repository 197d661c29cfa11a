/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * SHA-256 (FIPS 180-4) uses the processor's instructions for it if there are any. Nothing allocates or can fail:
 *
 *     sha256 hash;
 *     sha256_begin(&hash);
 *     sha256_add(&hash, bytes, count); // any number of times
 *     sha256_end(&hash, digest);
 */
#ifndef SUMAC_BASE_SHA256_H
#define SUMAC_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_BLOCK_BYTES = 64 };

/* A variant adds whole blocks to the state. The list goes from the fastest to the portable one, which all processors
 * run. */
typedef struct {
    const char *name;
    int (*runs_here)(void);
    void (*compress)(uint32_t state[8], const uint8_t *blocks, size_t count);
} sha256_variant;

extern const sha256_variant sha256_variants[];
extern const size_t sha256_variant_count;

typedef struct {
    const sha256_variant *variant; /* a test may choose another one that runs here after sha256_begin() */
    uint32_t state[8];
    uint64_t total;                      /* bytes added */
    uint8_t pending[SHA256_BLOCK_BYTES]; /* the last total % 64 bytes, an incomplete block */
} sha256;

void sha256_begin(sha256 *hash);

/* If count is 0, bytes may be null. */
void sha256_add(sha256 *hash, const void *bytes, size_t count);

void sha256_end(sha256 *hash, uint8_t digest[SHA256_BYTES]);

#endif
