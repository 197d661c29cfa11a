/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak with a capacity of 512 bits and digests of 32 bytes (FIPS 202). It is SHA3-256 or, with the padding that came before
 * the standard, Ethereum's Keccak-256. Nothing allocates or can fail:
 *
 *     keccak hash;
 *     keccak_begin(&hash);
 *     keccak_add(&hash, bytes, count); // any number of times
 *     keccak_end(&hash, KECCAK256_PADDING, digest);
 */
#ifndef SUMAC_BASE_KECCAK_H
#define SUMAC_BASE_KECCAK_H

#include <stddef.h>
#include <stdint.h>

enum { KECCAK_BYTES = 32, KECCAK_BLOCK_BYTES = 136 };

/* The first byte after the message. */
typedef enum { KECCAK256_PADDING = 0x01, SHA3_256_PADDING = 0x06 } keccak_padding;

typedef struct {
    uint64_t lanes[25]; /* lane (x, y) is lanes[x + 5*y] */
    size_t filled;      /* bytes of the incomplete block that are in the lanes */
} keccak;

void keccak_begin(keccak *hash);

/* If count is 0, bytes may be null. */
void keccak_add(keccak *hash, const void *bytes, size_t count);

void keccak_end(keccak *hash, keccak_padding padding, uint8_t digest[KECCAK_BYTES]);

#endif
