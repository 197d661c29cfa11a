/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "codec/checksum.h"

#include <string.h>

#include "codec/bytes.h"

#define PRIME_1 UINT64_C(0x9E3779B185EBCA87)
#define PRIME_2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define PRIME_3 UINT64_C(0x165667B19E3779F9)
#define PRIME_4 UINT64_C(0x85EBCA77C2B2AE63)
#define PRIME_5 UINT64_C(0x27D4EB2F165667C5)

static uint64_t rotate_left(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

static uint64_t round_of_lane(uint64_t lane, uint64_t input)
{
    return rotate_left(lane + input * PRIME_2, 31) * PRIME_1;
}

/* Add whole stripes, and return their end. The lanes stay in registers, because the speed of this function limits that
 * of reading files. */
static const uint8_t *add_stripes(uint64_t lanes[4], const uint8_t *bytes, size_t count)
{
    uint64_t a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];
    for (; count > 0; count--, bytes += 32) {
        a = round_of_lane(a, load_le64(bytes));
        b = round_of_lane(b, load_le64(bytes + 8));
        c = round_of_lane(c, load_le64(bytes + 16));
        d = round_of_lane(d, load_le64(bytes + 24));
    }
    lanes[0] = a;
    lanes[1] = b;
    lanes[2] = c;
    lanes[3] = d;
    return bytes;
}

void checksum_begin(checksum *state)
{
    *state = (checksum){.lanes = {PRIME_1 + PRIME_2, PRIME_2, 0, 0 - PRIME_1}};
}

void checksum_add(checksum *state, const void *bytes, size_t count)
{
    const uint8_t *next = bytes;
    if (count == 0) {
        return;
    }
    state->total += count;
    if (state->pending_count > 0) {
        const size_t missing = sizeof state->pending - state->pending_count;
        const size_t copied = count < missing ? count : missing;
        memcpy(state->pending + state->pending_count, next, copied);
        state->pending_count += copied;
        next += copied;
        count -= copied;
        if (state->pending_count < sizeof state->pending) {
            return;
        }
        add_stripes(state->lanes, state->pending, 1);
    }
    next = add_stripes(state->lanes, next, count / sizeof state->pending);
    count %= sizeof state->pending;
    memcpy(state->pending, next, count);
    state->pending_count = count;
}

static uint64_t merge_lanes(const uint64_t lanes[4])
{
    uint64_t hash = rotate_left(lanes[0], 1) + rotate_left(lanes[1], 7) + rotate_left(lanes[2], 12) +
                    rotate_left(lanes[3], 18);
    for (int i = 0; i < 4; i++) {
        hash = (hash ^ round_of_lane(0, lanes[i])) * PRIME_1 + PRIME_4;
    }
    return hash;
}

static uint64_t mix_rest(uint64_t hash, const uint8_t *rest, size_t count)
{
    for (; count >= 8; count -= 8, rest += 8) {
        hash = rotate_left(hash ^ round_of_lane(0, load_le64(rest)), 27) * PRIME_1 + PRIME_4;
    }
    if (count >= 4) {
        hash = rotate_left(hash ^ load_le32(rest) * PRIME_1, 23) * PRIME_2 + PRIME_3;
        count -= 4;
        rest += 4;
    }
    for (; count > 0; count--, rest++) {
        hash = rotate_left(hash ^ *rest * PRIME_5, 11) * PRIME_1;
    }
    return hash;
}

uint64_t checksum_result(const checksum *state)
{
    uint64_t hash = state->total >= sizeof state->pending ? merge_lanes(state->lanes) : PRIME_5;
    hash = mix_rest(hash + state->total, state->pending, state->pending_count);
    hash = (hash ^ hash >> 33) * PRIME_2;
    hash = (hash ^ hash >> 29) * PRIME_3;
    return hash ^ hash >> 32;
}

uint64_t checksum_of(const void *bytes, size_t count)
{
    checksum state;
    checksum_begin(&state);
    checksum_add(&state, bytes, count);
    return checksum_result(&state);
}
