/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/keccak.h"

#include <string.h>

enum { LANES = 25, ROUNDS = 24 };

static uint64_t rotate_left(uint64_t lane, unsigned bits)
{
    return bits == 0 ? lane : lane << bits | lane >> (64 - bits);
}

/* Iota's constants: bit 2^j - 1 of round i's constant is rc(j + 7i), the lowest bit of a register whose feedback polynomial is
 * x^8 + x^6 + x^5 + x^4 + 1 (FIPS 202, section 3.2.5). */
static uint64_t round_constant(uint8_t *shift_register)
{
    uint64_t constant = 0;
    for (unsigned j = 0; j <= 6; j++) {
        constant |= (uint64_t)(*shift_register & 1) << ((1u << j) - 1);
        *shift_register = (uint8_t)(*shift_register << 1 ^ (*shift_register >> 7) * 0x71);
    }
    return constant;
}

/* Keccak-f[1600]: theta, rho with pi, chi, iota. */
static void permute(uint64_t a[LANES])
{
    uint8_t shift_register = 1;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t columns[5], b[LANES];
        for (unsigned x = 0; x < 5; x++) {
            columns[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
        }
        for (unsigned i = 0; i < LANES; i++) {
            a[i] ^= columns[(i + 4) % 5] ^ rotate_left(columns[(i + 1) % 5], 1);
        }
        b[0] = a[0];
        /* Pi takes lane (x, y) to (y, 2x + 3y). Along this path from (1, 0), rho's offsets are the triangular numbers. */
        for (unsigned t = 0, x = 1, y = 0; t < LANES - 1; t++) {
            const unsigned next = (2 * x + 3 * y) % 5;
            b[y + 5 * next] = rotate_left(a[x + 5 * y], (t + 1) * (t + 2) / 2 % 64);
            x = y;
            y = next;
        }
        for (unsigned i = 0; i < LANES; i++) {
            const unsigned row = i / 5 * 5;
            a[i] = b[i] ^ (~b[row + (i + 1) % 5] & b[row + (i + 2) % 5]);
        }
        a[0] ^= round_constant(&shift_register);
    }
}

void keccak_begin(keccak *hash)
{
    memset(hash, 0, sizeof *hash);
}

/* Byte i of a block belongs to lane i / 8, in little-endian order on any processor. */
static void add_byte(keccak *hash, size_t at, uint8_t byte)
{
    hash->lanes[at / 8] ^= (uint64_t)byte << (at % 8 * 8);
}

void keccak_add(keccak *hash, const void *bytes, size_t count)
{
    const uint8_t *from = bytes;
    for (size_t i = 0; i < count; i++) {
        add_byte(hash, hash->filled++, from[i]);
        if (hash->filled == KECCAK_BLOCK_BYTES) {
            permute(hash->lanes);
            hash->filled = 0;
        }
    }
}

void keccak_end(keccak *hash, keccak_padding padding, uint8_t digest[KECCAK_BYTES])
{
    add_byte(hash, hash->filled, (uint8_t)padding);
    add_byte(hash, KECCAK_BLOCK_BYTES - 1, 0x80);
    permute(hash->lanes);
    for (size_t i = 0; i < KECCAK_BYTES; i++) {
        digest[i] = (uint8_t)(hash->lanes[i / 8] >> (i % 8 * 8));
    }
}
