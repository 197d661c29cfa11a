/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions read and write integers as bytes. They do not depend on the machine's byte order. */
#ifndef SUMAC_CODEC_BYTES_H
#define SUMAC_CODEC_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t load_le32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline uint64_t load_le64(const uint8_t *bytes)
{
    return (uint64_t)load_le32(bytes) | (uint64_t)load_le32(bytes + 4) << 32;
}

static inline void store_le32(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

static inline void store_le64(uint8_t *bytes, uint64_t value)
{
    store_le32(bytes, (uint32_t)value);
    store_le32(bytes + 4, (uint32_t)(value >> 32));
}

/* Read and write integers of at most 8 bytes. */
static inline uint64_t load_le(const uint8_t *bytes, size_t count)
{
    uint64_t value = 0;
    while (count-- > 0) {
        value = value << 8 | bytes[count];
    }
    return value;
}

static inline uint64_t load_be(const uint8_t *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

/* Convert an integer between big-endian and little-endian bytes. The two buffers must not overlap. */
static inline void reverse_bytes(uint8_t *reversed, const uint8_t *bytes, size_t count)
{
    uint64_t word;
    for (; count >= sizeof word; count -= sizeof word, reversed += sizeof word) {
        memcpy(&word, bytes + count - sizeof word, sizeof word);
        word = __builtin_bswap64(word);
        memcpy(reversed, &word, sizeof word);
    }
    for (size_t i = 0; i < count; i++) {
        reversed[i] = bytes[count - 1 - i];
    }
}

static inline int all_zero(const uint8_t *bytes, size_t count)
{
    return count == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0);
}

/* Return 1 if the little-endian bytes and the limbs have equal lengths and are the same integer. */
static inline int is_integer(const uint64_t *limbs, size_t limbs_bytes, const uint8_t *bytes, size_t count)
{
    int same = limbs_bytes == count;
    for (size_t i = 0; same && i < count / 8; i++) {
        same = limbs[i] == load_le64(bytes + 8 * i);
    }
    return same;
}

#endif
