/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file pil2.h
 *  @brief The functions by which pil2-proofman, ZisK's prover, computes on a GPU for BN254, over sumac. They are those of
 *  pil2-stark's msm_bn128.cu and ntt_bn128.cu (0xPolygonHermez/pil2-proofman, read on 2026-11-29; Apache-2.0 or MIT).
 *  docs/dropins.md describes how to use them. New programs should use sumac/msm.h and sumac/vector.h.
 *
 *  **Layout.** A coordinate has 32 bytes, little-endian, in Montgomery form with R = 2^256. A point of 64 bytes is x and y;
 *  infinity is zeros. A result of 96 bytes is X, Y and Z with x = X/Z^2 and y = Y/Z^3. It has Z = 1, or zeros for infinity. A
 *  scalar has 32 bytes.
 *
 *  **Devices.** Where a GPU and sumac's engine for it are found, all functions compute there; otherwise on the CPU. Pointers
 *  called d_... are to memory of that GPU, which is device 0 unless sumac_pil2_set_device() has chosen another one, aligned to 16
 *  bytes. On the CPU these functions return SUMAC_NOT_SUPPORTED. They follow the work on the device's default stream, and return
 *  when their own work is done.
 *
 *  **Errors.** The originals return nothing. A caller that was compiled for them ignores what these functions return: 0, or a
 *  status of sumac/status.h, which sumac_pil2_message() explains. After a failure, data to be transformed are unchanged unless
 *  the GPU failed, and a result is filled with bytes 255, which are no point, so that a proof that is made of it is not valid.
 *  The originals write infinity instead.
 *
 *  **Threads.** Any number of threads may call all functions at once. At most 16 calls compute at the same time, and others wait.
 */
#ifndef SUMAC_PIL2_H
#define SUMAC_PIL2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SUMAC_PIL2_API __attribute__((visibility("default")))
#else
#define SUMAC_PIL2_API
#endif

/** Compute an MSM of npoints points and scalars, which lie on the host.
 *  @param out receives 96 bytes on the host
 *  @param points npoints points of 64 bytes, which are checked to lie on the curve
 *  @param scalars npoints scalars of 32 bytes
 *  @param mont whether the scalars are in Montgomery form; otherwise they may be any integers
 *  @return 0, SUMAC_NOT_ON_CURVE, SUMAC_BAD_ENCODING, SUMAC_BAD_ARGUMENT (a null pointer, or too many points), or a failure of
 *  the machine */
SUMAC_PIL2_API int msm_bn128_gpu(void *out, const void *points, const void *scalars, size_t npoints,
                                 bool mont);

/** Do as msm_bn128_gpu() with points and scalars that lie on the GPU. Without a GPU it returns SUMAC_NOT_SUPPORTED. */
SUMAC_PIL2_API int msm_bn128_gpu_dev_ptr(void *out, const void *d_points, const void *d_scalars,
                                         size_t npoints, bool mont);

/** Transform 2^lg_n coefficients on the host to values in place, in natural order and by the roots 5^((r - 1)/2^lg_n).
 *  @param data 2^lg_n scalars in Montgomery form, each less than r
 *  @param lg_n at most 28
 *  @return 0, SUMAC_BAD_ENCODING, SUMAC_BAD_ARGUMENT, or a failure of the machine */
SUMAC_PIL2_API int ntt_bn128_gpu(void *data, uint32_t lg_n);

/** Transform values back to coefficients; otherwise this is ntt_bn128_gpu(). */
SUMAC_PIL2_API int intt_bn128_gpu(void *data, uint32_t lg_n);

/** Do as ntt_bn128_gpu() with scalars that lie on the GPU, which are not checked. Without a GPU it returns
 *  SUMAC_NOT_SUPPORTED. */
SUMAC_PIL2_API int ntt_bn128_gpu_dev_ptr(void *d_data, uint32_t lg_n);

/** Do as intt_bn128_gpu() with scalars that lie on the GPU, which are not checked. Without a GPU it returns
 *  SUMAC_NOT_SUPPORTED. */
SUMAC_PIL2_API int intt_bn128_gpu_dev_ptr(void *d_data, uint32_t lg_n);

/** Choose the GPU. This must precede all other calls of the process.
 *  @return 0, or SUMAC_BUSY if there was a call before */
SUMAC_PIL2_API int sumac_pil2_set_device(int32_t device);

/** Return the sentence of the calling thread's last call, "" if it succeeded. It is valid until the thread's next call. */
SUMAC_PIL2_API const char *sumac_pil2_message(void);

#ifdef __cplusplus
}
#endif
#endif
