/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This program measures the rate of the device's field arithmetic. It compares the results with the host's on random
 * and adversarial elements. It prints one JSON object. It is built once per curve with -DSUMAC_CURVE_HEADER, and
 * docs/internals/cuda.md has the command.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime.h>

#include "math/curve.h"

extern "C" void host_field_results(uint64_t *results, const uint64_t *operands, size_t n);
extern "C" void host_field_operands(uint64_t *operands, size_t n);

enum { BLOCK = 128, ROUNDS = 256, RESULTS = 5, SAMPLES = 7 };

static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
        exit(3);
    }
}

__device__ static void start_values(fp *x, fp *y, uint32_t seed)
{
    for (int i = 0; i < FP_LIMBS; i++) {
        x->l[i] = (uint64_t)(seed + i) * 0x9e3779b97f4a7c15u * (threadIdx.x + 1);
        y->l[i] = (uint64_t)(seed + 3 * i) * 0xbf58476d1ce4e5b9u * (blockIdx.x + 1);
    }
    x->l[FP_LIMBS - 1] = threadIdx.x;
    y->l[FP_LIMBS - 1] = blockIdx.x & 255;
}

__device__ static void finish(uint64_t *out, const fp *x, const fp *y)
{
    uint64_t any = 0;
    for (int i = 0; i < FP_LIMBS; i++) {
        any ^= x->l[i] + 3 * y->l[i];
    }
    out[blockIdx.x * (size_t)blockDim.x + threadIdx.x] = any;
}

/* Set r to another lane's a. The benchmark calls fp_inv() for quads, whose four lanes have the same operand. */
__device__ static void from_lane(fp *r, const fp *a, int lane)
{
    for (int i = 0; i < FP_LIMBS; i++) {
        r->l[i] = __shfl_sync(0xffffffff, (unsigned long long)a->l[i], lane, 4);
    }
}

/* Each thread has two dependent chains, which alone would measure latency. Other warps fill the pipeline. */
enum { OP_MUL, OP_SQR, OP_ADD, OP_SUB, OP_INV };

template <int operation>
__global__ void __launch_bounds__(BLOCK) rate_kernel(uint64_t *out, uint32_t seed, int rounds)
{
    fp x, y;
    start_values(&x, &y, seed);
    if (operation == OP_INV) {
        from_lane(&x, &x, 0);
        from_lane(&y, &y, 0);
    }
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        if (operation == OP_MUL) {
            fp_mul(&x, &x, &y);
            fp_mul(&y, &y, &x);
        } else if (operation == OP_SQR) {
            fp_sqr(&x, &x);
            fp_sqr(&y, &y);
        } else if (operation == OP_ADD) {
            fp_add(&x, &x, &y);
            fp_add(&y, &y, &x);
        } else if (operation == OP_SUB) {
            fp_sub(&x, &x, &y);
            fp_sub(&y, &y, &x);
        } else {
            fp_inv(&x, &x);
            fp_inv(&y, &y);
        }
    }
    finish(out, &x, &y);
}

__global__ void results_kernel(fp *results, const fp *operands, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const fp a = operands[2 * i], b = operands[2 * i + 1];
    fp_mul(&results[RESULTS * i], &a, &b);
    fp_sqr(&results[RESULTS * i + 1], &a);
    fp_add(&results[RESULTS * i + 2], &a, &b);
    fp_sub(&results[RESULTS * i + 3], &a, &b);
    for (int lane = 0; lane < 4; lane++) {
        fp operand, inverse;
        from_lane(&operand, &a, lane);
        fp_inv(&inverse, &operand);
        if ((int)(threadIdx.x % 4) == lane) {
            results[RESULTS * i + 4] = inverse;
        }
    }
}

static int compare(double *rate, void (*kernel)(uint64_t *, uint32_t, int), int rounds, uint64_t *out,
                   int blocks)
{
    float times[SAMPLES];
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "event");
    check(cudaEventCreate(&end), "event");
    kernel<<<blocks, BLOCK>>>(out, 1, rounds);
    for (int i = 0; i < SAMPLES; i++) {
        check(cudaEventRecord(begin), "event");
        kernel<<<blocks, BLOCK>>>(out, i + 2, rounds);
        check(cudaEventRecord(end), "event");
        check(cudaEventSynchronize(end), "kernel");
        check(cudaEventElapsedTime(&times[i], begin, end), "event");
    }
    for (int i = 1; i < SAMPLES; i++) {
        for (int j = i; j > 0 && times[j] < times[j - 1]; j--) {
            const float t = times[j];
            times[j] = times[j - 1];
            times[j - 1] = t;
        }
    }
    *rate = 2.0 * rounds * blocks * (int)BLOCK / times[SAMPLES / 2] / 1e6;
    return 0;
}

int main(void)
{
    const size_t n = 1 << 16;
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0), "device");
    uint64_t *operands = (uint64_t *)malloc(2 * n * sizeof(fp));
    uint64_t *expected = (uint64_t *)malloc(RESULTS * n * sizeof(fp));
    uint64_t *results = (uint64_t *)malloc(RESULTS * n * sizeof(fp));
    host_field_operands(operands, n);
    host_field_results(expected, operands, n);
    fp *device_operands, *device_results;
    check(cudaMalloc(&device_operands, 2 * n * sizeof(fp)), "memory");
    check(cudaMalloc(&device_results, RESULTS * n * sizeof(fp)), "memory");
    check(cudaMemcpy(device_operands, operands, 2 * n * sizeof(fp), cudaMemcpyHostToDevice), "copy");
    results_kernel<<<(unsigned)(n / 256), 256>>>(device_results, device_operands, n);
    check(cudaMemcpy(results, device_results, RESULTS * n * sizeof(fp), cudaMemcpyDeviceToHost), "results");
    size_t wrong[RESULTS] = {0}, all = 0;
    for (size_t i = 0; i < RESULTS * n; i++) {
        if (memcmp(results + i * FP_LIMBS, expected + i * FP_LIMBS, sizeof(fp)) != 0) {
            wrong[i % RESULTS]++;
            all++;
        }
    }
    const int blocks = device.multiProcessorCount * 64;
    uint64_t *out;
    check(cudaMalloc(&out, (size_t)blocks * BLOCK * sizeof *out), "memory");
    double mul, sqr, add, sub, inv;
    compare(&mul, rate_kernel<OP_MUL>, ROUNDS, out, blocks);
    compare(&sqr, rate_kernel<OP_SQR>, ROUNDS, out, blocks);
    compare(&add, rate_kernel<OP_ADD>, ROUNDS, out, blocks);
    compare(&sub, rate_kernel<OP_SUB>, ROUNDS, out, blocks);
    compare(&inv, rate_kernel<OP_INV>, 4, out, blocks);
    inv /= 4; /* an inversion needs four lanes */
    double inversion_us;
    compare(&inversion_us, rate_kernel<OP_INV>, 4, out, 1);
    inversion_us = (int)BLOCK / inversion_us * 1e-3; /* one warp on each quarter of an SM shows the latency */
    printf(
        "{\"curve\": \"%s/%s\", \"device\": \"%s\", \"checked\": %zu, \"wrong\": [%zu, %zu, %zu, %zu, %zu], "
        "\"mul\": %.2f, \"sqr\": %.2f, \"add\": %.1f, \"sub\": %.1f, \"inv\": %.3f, \"inversion_us\": "
        "%.1f}\n",
        CURVE_NAME, CURVE_GROUP, device.name, n, wrong[0], wrong[1], wrong[2], wrong[3], wrong[4], mul, sqr,
        add, sub, inv, inversion_us);
    return all != 0;
}
