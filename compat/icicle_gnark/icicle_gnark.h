/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/** @file icicle_gnark.h
 *  @brief The C functions of icicle-gnark 3.2.2 (MIT) over sumac, which gnark calls when it is built with the tag `icicle`.
 *
 *  There are two device types, "CUDA" and "CPU". A CUDA device computes on that GPU. If libsumac has no GPU, "CUDA" has one
 *  device, 0, which computes on the CPU, and its memory is the host's.
 *
 *  **Rules for all calls.** A call is done when it returns, also if it asks to be asynchronous: a stream orders nothing, because
 *  there is nothing to wait for. Any number of threads may call at the same time. The active device belongs to the thread, and
 *  is at first "CPU" 0. Memory that a call is said to find on the device must lie in one allocation of icicle_malloc() on the
 *  active device; this is checked, and the call fails otherwise.
 *
 *  **Layout.** Scalars and coordinates are little-endian, in words of 32 bits. They are the integers themselves, unless a
 *  configuration or function says Montgomery form, where R is 2^(64*ceil(bits/64)). They are less than r or p. An affine point is
 *  x, y, and infinity has zeros. A projective point is X, Y, Z and means (X/Z, Y/Z), and infinity is 0, 1, 0. Coordinates of G2
 *  have two elements, c0 first, except for bw6_761.
 *
 *  **Statuses.** Functions that return int return one of the numbers of ::sumac_icicle_status. A call that fails writes no
 *  result. Functions without a status are undefined for null pointers, as the originals are.
 */
#ifndef SUMAC_ICICLE_GNARK_H
#define SUMAC_ICICLE_GNARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SUMAC_ICICLE_API
#if defined(__GNUC__)
#define SUMAC_ICICLE_API __attribute__((visibility("default")))
#else
#define SUMAC_ICICLE_API
#endif
#endif

/** The numbers of icicle-gnark's eIcicleError that are used here. */
typedef enum sumac_icicle_status {
    SUMAC_ICICLE_SUCCESS = 0,
    SUMAC_ICICLE_INVALID_DEVICE = 1, /**< there is no such device */
    SUMAC_ICICLE_OUT_OF_MEMORY = 2,
    SUMAC_ICICLE_INVALID_POINTER = 3, /**< a null pointer, or memory that is not where the call was told */
    SUMAC_ICICLE_ALLOCATION_FAILED = 4,
    SUMAC_ICICLE_COPY_FAILED = 6,
    SUMAC_ICICLE_NOT_IMPLEMENTED = 10,  /**< libsumac was built without the curve */
    SUMAC_ICICLE_INVALID_ARGUMENT = 11, /**< a size, flag, scalar or point that is not allowed */
    SUMAC_ICICLE_UNKNOWN_ERROR = 14     /**< the device or the machine failed */
} sumac_icicle_status;

/** A device. The type ends with a zero. */
typedef struct Device {
    char type[64];
    int id;
} Device;

/** Properties of the active device. */
typedef struct DeviceProperties {
    bool using_host_memory; /**< the memory of the device is the host's */
    int num_memory_regions; /**< 0 with the host's memory, else 1 */
    bool supports_pinned_memory;
} DeviceProperties;

/** How an MSM is computed. The stream, c, is_async and ext have no effect. */
typedef struct MSMConfig {
    void *stream;
    int precompute_factor; /**< the factor with which the points were precomputed, at least 1 */
    int c;
    int bitsize;    /**< only the lowest bits of each scalar are used; 0: all */
    int batch_size; /**< the number of MSMs, at least 1 */
    bool are_points_shared_in_batch;
    bool are_scalars_on_device, are_scalars_montgomery_form;
    bool are_points_on_device, are_points_montgomery_form;
    bool are_results_on_device;
    bool is_async;
    void *ext;
} MSMConfig;

/** Where the operands of an operation on vectors lie. The stream, is_async and ext have no effect, nor has columns_batch,
 *  because all operations work element by element. */
typedef struct VecOpsConfig {
    void *stream;
    bool is_a_on_device, is_b_on_device, is_result_on_device;
    bool is_async;
    int batch_size; /**< each vector has n*batch_size elements; at least 1 */
    bool columns_batch;
    void *ext;
} VecOpsConfig;

/** How a domain is initialized; nothing in it has an effect. */
typedef struct NTTInitDomainConfig {
    void *stream;
    bool is_async;
    void *ext;
} NTTInitDomainConfig;

/** How a transform is computed. The struct begins with a pointer to a stream and the coset's generator, a scalar of the curve;
 *  after them are these fields. The stream, is_async and ext have no effect. */
typedef struct NTTConfigTail {
    int batch_size; /**< the number of transforms, at least 1 */
    bool
        columns_batch; /**< transforms are the columns of a matrix of size*batch_size elements, not its rows */
    /** The order of inputs and outputs: 0 NN, 1 NR, 2 RN, 3 RR, 4 NM, 5 MN. N is natural, and R and M are bit-reversed. */
    uint32_t ordering;
    bool are_inputs_on_device, are_outputs_on_device;
    bool is_async;
    void *ext;
} NTTConfigTail;

/* ---- Devices ---- */

/** Succeed, because there is nothing to load. */
SUMAC_ICICLE_API int icicle_load_backend(const char *path, bool is_recursive);
SUMAC_ICICLE_API int icicle_load_backend_from_env_or_default(void);

/** Set, or write, the active device of the calling thread. */
SUMAC_ICICLE_API int icicle_set_device(const Device *device);
SUMAC_ICICLE_API int icicle_get_active_device(Device *device);

/** Write the number of devices of the active device's type. */
SUMAC_ICICLE_API int icicle_get_device_count(int *device_count);

/** Succeed if there is a device of this type. */
SUMAC_ICICLE_API int icicle_is_device_available(const Device *device);

/** Write the types, "CUDA,CPU".
 *  @param output_size the size of `output`; it must hold the text and its zero */
SUMAC_ICICLE_API int icicle_get_registered_devices(char *output, size_t output_size);
SUMAC_ICICLE_API int icicle_get_device_properties(DeviceProperties *properties);

/** Write the bytes of the active device's memory, and how many of them are free. */
SUMAC_ICICLE_API int icicle_get_available_memory(size_t *total, size_t *free);

/* ---- Memory ---- */

/** Allocate memory on the active device, to be freed with icicle_free(). It is not initialized.
 *  @param size at least 1 */
SUMAC_ICICLE_API int icicle_malloc(void **ptr, size_t size);
SUMAC_ICICLE_API int icicle_malloc_async(void **ptr, size_t size, void *stream);

/** Free memory of any device. `ptr` must be what icicle_malloc() returned. */
SUMAC_ICICLE_API int icicle_free(void *ptr);
SUMAC_ICICLE_API int icicle_free_async(void *ptr, void *stream);

/** Succeed if an address lies in no allocation, or in one of the active device. */
SUMAC_ICICLE_API int icicle_is_host_memory(const void *ptr);
SUMAC_ICICLE_API int icicle_is_active_device_memory(const void *ptr);

/** Set bytes of the active device's memory. */
SUMAC_ICICLE_API int icicle_memset(void *ptr, int value, size_t size);
SUMAC_ICICLE_API int icicle_memset_async(void *ptr, int value, size_t size, void *stream);

/** Copy bytes between the host and the active device. */
SUMAC_ICICLE_API int icicle_copy_to_host(void *dst, const void *src, size_t size);
SUMAC_ICICLE_API int icicle_copy_to_host_async(void *dst, const void *src, size_t size, void *stream);
SUMAC_ICICLE_API int icicle_copy_to_device(void *dst, const void *src, size_t size);
SUMAC_ICICLE_API int icicle_copy_to_device_async(void *dst, const void *src, size_t size, void *stream);

/* ---- Streams, which order nothing ---- */

SUMAC_ICICLE_API int icicle_create_stream(void **stream);
SUMAC_ICICLE_API int icicle_destroy_stream(void *stream);
SUMAC_ICICLE_API int icicle_stream_synchronize(void *stream);
SUMAC_ICICLE_API int icicle_device_synchronize(void);

/* ---- Extensions of configurations, which have no effect: lists of named numbers ---- */

/** Return a new list, to be freed with destroy_config_extension(); null without memory. */
SUMAC_ICICLE_API void *create_config_extension(void);
SUMAC_ICICLE_API void destroy_config_extension(void *ext);

/** Set the number of a key. Without memory nothing changes. */
SUMAC_ICICLE_API void config_extension_set_int(void *ext, const char *key, int value);
SUMAC_ICICLE_API void config_extension_set_bool(void *ext, const char *key, bool value);

/** Return the number of a key; 0 if there is none. */
SUMAC_ICICLE_API int config_extension_get_int(const void *ext, const char *key);
SUMAC_ICICLE_API bool config_extension_get_bool(const void *ext, const char *key);
SUMAC_ICICLE_API void *clone_config_extension(const void *ext);

/* ---- Each curve: SUMAC_ICICLE_CURVE(CURVE) declares its functions ----
 *
 * Scalars. NAME_generate_scalars() writes random ones, and NAME_add(), _sub(), _mul(), _inv() compute with one; the inverse of 0
 * is 0. NAME_scalar_convert_montgomery() converts n*batch_size scalars into or from Montgomery form.
 *
 * Vectors. NAME_vector_add(), _sub(), _mul() compute n*batch_size elements of `result`, which may be `a` or `b`.
 *
 * Transforms. NAME_ntt_init_domain() sets the root of unity of the active device. Its order is a power of two, at least the size
 * of all transforms. While a domain is set, only a root of larger order replaces it. NAME_ntt() transforms forward (direction
 * 0) or back, and divides by the size if back; `output` may be `input`. NAME_get_root_of_unity() writes the root of the least power
 * of two that is not less than max_size, which need not be the domain's.
 *
 * Points of G1, and of G2 with the names NAME_g2_. NAME_msm() computes config.batch_size sums of `count` scalars and points, as
 * projective points. The points must lie on the curve, not necessarily in the subgroup. NAME_msm_precompute_bases() writes
 * precompute_factor times as many points, which only NAME_msm() with that factor reads. NAME_ecadd(), _ecsub(), _eq(),
 * _to_affine() and _from_affine() compute with one point or two, and NAME_generate_affine_points() writes random points of the
 * subgroup, or infinity if the library fails.
 */
#define SUMAC_ICICLE_GROUP(NAME)                                                                             \
    SUMAC_ICICLE_API int NAME##_msm(const void *scalars, const void *points, int count,                      \
                                    const MSMConfig *config, void *out);                                     \
    SUMAC_ICICLE_API int NAME##_msm_precompute_bases(const void *input_bases, int bases_size,                \
                                                     const MSMConfig *config, void *output_bases);           \
    SUMAC_ICICLE_API bool NAME##_eq(const void *a, const void *b);                                           \
    SUMAC_ICICLE_API void NAME##_ecadd(const void *a, const void *b, void *result);                          \
    SUMAC_ICICLE_API void NAME##_ecsub(const void *a, const void *b, void *result);                          \
    SUMAC_ICICLE_API void NAME##_to_affine(const void *projective, void *affine);                            \
    SUMAC_ICICLE_API void NAME##_from_affine(const void *affine, void *projective);                          \
    SUMAC_ICICLE_API void NAME##_generate_projective_points(void *points, int size);                         \
    SUMAC_ICICLE_API void NAME##_generate_affine_points(void *points, int size);                             \
    SUMAC_ICICLE_API int NAME##_affine_convert_montgomery(const void *in, size_t n, bool is_into,            \
                                                          const VecOpsConfig *config, void *out);            \
    SUMAC_ICICLE_API int NAME##_projective_convert_montgomery(const void *in, size_t n, bool is_into,        \
                                                              const VecOpsConfig *config, void *out);

#define SUMAC_ICICLE_CURVE(NAME)                                                                             \
    SUMAC_ICICLE_API void NAME##_generate_scalars(void *scalars, int size);                                  \
    SUMAC_ICICLE_API void NAME##_add(const void *a, const void *b, void *result);                            \
    SUMAC_ICICLE_API void NAME##_sub(const void *a, const void *b, void *result);                            \
    SUMAC_ICICLE_API void NAME##_mul(const void *a, const void *b, void *result);                            \
    SUMAC_ICICLE_API void NAME##_inv(const void *a, void *result);                                           \
    SUMAC_ICICLE_API int NAME##_scalar_convert_montgomery(const void *in, size_t n, bool is_into,            \
                                                          const VecOpsConfig *config, void *out);            \
    SUMAC_ICICLE_API int NAME##_vector_add(const void *a, const void *b, int n, const VecOpsConfig *config,  \
                                           void *result);                                                    \
    SUMAC_ICICLE_API int NAME##_vector_sub(const void *a, const void *b, int n, const VecOpsConfig *config,  \
                                           void *result);                                                    \
    SUMAC_ICICLE_API int NAME##_vector_mul(const void *a, const void *b, int n, const VecOpsConfig *config,  \
                                           void *result);                                                    \
    SUMAC_ICICLE_API int NAME##_ntt(const void *input, int size, int direction, const void *config,          \
                                    void *output);                                                           \
    SUMAC_ICICLE_API int NAME##_ntt_init_domain(const void *primitive_root,                                  \
                                                const NTTInitDomainConfig *config);                          \
    SUMAC_ICICLE_API int NAME##_ntt_release_domain(void);                                                    \
    SUMAC_ICICLE_API int NAME##_get_root_of_unity(uint64_t max_size, void *root);                            \
    SUMAC_ICICLE_GROUP(NAME)                                                                                 \
    SUMAC_ICICLE_GROUP(NAME##_g2)

SUMAC_ICICLE_CURVE(bn254)
SUMAC_ICICLE_CURVE(bls12_381)
SUMAC_ICICLE_CURVE(bls12_377)
SUMAC_ICICLE_CURVE(bw6_761)

#ifdef __cplusplus
}
#endif

#endif
