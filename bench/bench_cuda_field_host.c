/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The host's side of bench_cuda_field.cu makes the operands and computes the expected results portably. */
#include <string.h>

#include "math/curve.h"

void host_field_operands(uint64_t *operands, size_t n);
void host_field_results(uint64_t *results, const uint64_t *operands, size_t n);

static uint64_t random_word(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Make an element below p: random, with limbs of all zeros or ones, near 0, near p, or a single bit. */
static void make_element(fp *a, size_t kind, uint64_t *state)
{
    fp small;
    do {
        for (int i = 0; i < FP_LIMBS; i++) {
            const uint64_t word = random_word(state);
            a->l[i] = kind % 4 != 1 ? word : (word & 1) != 0 ? UINT64_MAX : (word & 2) != 0 ? 0 : word;
            if (kind % 4 == 1 && (word & 12) == 12) {
                a->l[i] ^= UINT64_C(0xffffffff) << (word >> 59);
            }
        }
        if (FP_SPARE_BITS > 0) {
            a->l[FP_LIMBS - 1] &= UINT64_MAX >> (FP_SPARE_BITS % 64);
        }
    } while (!fp_is_canonical(a->l));
    if (kind % 4 >= 2) {
        fp_set_zero(&small);
        small.l[kind / 4 % FP_LIMBS] = kind % 16 < 8 ? kind % 5 : (uint64_t)1 << (random_word(state) % 32);
        if (!fp_is_canonical(small.l)) {
            fp_set_zero(&small);
        }
        *a = small;
        if (kind % 4 == 3) {
            fp_neg(a, &small);
        }
    }
}

void host_field_operands(uint64_t *operands, size_t n)
{
    uint64_t state = 1;
    for (size_t i = 0; i < n; i++) {
        fp pair[2];
        make_element(&pair[0], i, &state);
        make_element(&pair[1], i / 4, &state);
        memcpy(operands + i * 2 * FP_LIMBS, pair, sizeof pair);
    }
}

void host_field_results(uint64_t *results, const uint64_t *operands, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fp pair[2], out[5];
        memcpy(pair, operands + i * 2 * FP_LIMBS, sizeof pair);
        fp_mul(&out[0], &pair[0], &pair[1]);
        fp_sqr(&out[1], &pair[0]);
        fp_add(&out[2], &pair[0], &pair[1]);
        fp_sub(&out[3], &pair[0], &pair[1]);
        fp_inv(&out[4], &pair[0]);
        memcpy(results + i * 5 * FP_LIMBS, out, sizeof out);
    }
}
