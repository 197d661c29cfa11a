/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program measures SHA-256 over a blob's 131,072 bytes, for developers, with each variant that this processor
 * can run and with libcrypto. Each round runs all of them. The program prints the least time of each, and gigabytes
 * per second. If the environment has OPENSSL_ia32cap=:~0x20000000, libcrypto runs without SHA-NI.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <time.h>

#include <openssl/evp.h>

#include "base/sha256.h"

enum { BYTES = 131072, ROUNDS = 2000, MOST_VARIANTS = 8 };

static double now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

int main(void)
{
    static uint8_t bytes[BYTES];
    uint8_t digest[SHA256_BYTES];
    double least[MOST_VARIANTS + 1] = {0};
    for (size_t i = 0; i < BYTES; i++) {
        bytes[i] = (uint8_t)(i * i >> 5);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t v = 0; v <= sha256_variant_count; v++) {
            if (v < sha256_variant_count && !sha256_variants[v].runs_here()) {
                continue;
            }
            const double start = now_us();
            if (v == sha256_variant_count) {
                unsigned length;
                EVP_Digest(bytes, BYTES, digest, &length, EVP_sha256(), NULL);
            } else {
                sha256 hash;
                sha256_begin(&hash);
                hash.variant = &sha256_variants[v];
                sha256_add(&hash, bytes, BYTES);
                sha256_end(&hash, digest);
            }
            const double us = now_us() - start;
            least[v] = least[v] == 0 || us < least[v] ? us : least[v];
        }
    }
    for (size_t v = 0; v <= sha256_variant_count; v++) {
        if (least[v] > 0) {
            printf("%-10s %7.1f us %6.3f GB/s\n",
                   v < sha256_variant_count ? sha256_variants[v].name : "libcrypto", least[v],
                   (double)BYTES / least[v] / 1e3);
        }
    }
    return 0;
}
