/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "sppark.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sumac/pool.h"
#include "sumac/sumac.h"
#include "sumac/vector.h"

/* What differs between the curves. Let root and own be the roots of unity of the largest order 2^s that sppark and the
 * library use. Then root = own^exponent, and exponent*inverse = 1 mod 2^s. */
static const struct {
    const char *curve;
    uint8_t generator; /* the multiplicative generator of the scalars, which shifts cosets */
    uint64_t exponent, inverse;
} constants =
#if defined(FEATURE_BLS12_381)
    {"bls12-381", 7, 1, 1};
#elif defined(FEATURE_BLS12_377)
    /* The library's root is a power of 11, and sppark's the same power of 22. */
    {"bls12-377", 22, 0x55fc2b9908e9, 0x71eca62c4f59};
#elif defined(FEATURE_BN254)
    {"bn254", 5, 1, 1};
#elif defined(FEATURE_PALLAS)
    {"pallas", 5, 1, 1};
#elif defined(FEATURE_VESTA)
    {"vesta", 5, 1, 1};
#else
#error "no FEATURE_ macro chooses a curve that sumac has"
#endif

enum {
    DEVICES = 16,
    /* The calls of one device that compute at the same time. Two suffice, because while one waits for its last steps, the
     * other works. */
    CONTEXTS = 2,
    MOST_WORDS = 12 /* of an element of Fp */
};

static sumac_sppark_error failure(sumac_status status, const char *message)
{
    sumac_sppark_error error = {(int)status, NULL};
    if (status != SUMAC_OK) {
        error.message = strdup(message != NULL && *message != 0 ? message : sumac_status_text(status));
    }
    return error;
}

/* Take a context of a device. Its pool is created by the first call, and lives as long as the process. */
static sumac_status take(size_t device, sumac_pool **pool, sumac_context **context, sumac_message *message)
{
    static _Atomic(sumac_pool *) pools[DEVICES];
    static const int32_t numbers[DEVICES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    if (device >= DEVICES) {
        return SUMAC_BAD_ARGUMENT;
    }
    *pool = atomic_load(&pools[device]);
    if (*pool == NULL) {
        const sumac_context_config config = {
            .size = sizeof config, .devices = &numbers[device], .device_count = 1};
        sumac_pool *created = NULL;
        const sumac_status status = sumac_pool_create(&config, CONTEXTS, &created, message);
        if (status != SUMAC_OK) {
            return status;
        }
        if (atomic_compare_exchange_strong(&pools[device], pool, created)) {
            *pool = created;
        } else {
            /* Another thread was faster, and *pool is its pool. */
            sumac_pool_destroy(created);
        }
    }
    return sumac_pool_take(*pool, context, message);
}

/* Write R mod p, which is 1 in Montgomery form: 1 is doubled 64 times for each word. */
static void put_one(const sumac_group *group, unsigned char *element)
{
    const size_t words = group->field_bytes / 8;
    uint64_t one[MOST_WORDS] = {1};
    for (size_t i = 0; i < 64 * words; i++) {
        uint64_t less[MOST_WORDS] = {0};
        uint64_t carry = 0;
        uint64_t borrow = 0;
        for (size_t j = 0; j < words; j++) {
            const uint64_t twice = one[j] << 1 | carry;
            carry = one[j] >> 63;
            one[j] = twice;
            less[j] = twice - group->modulus[j] - borrow;
            borrow = twice < group->modulus[j] || (twice == group->modulus[j] && borrow != 0);
        }
        if (carry != 0 || borrow == 0) {
            memcpy(one, less, sizeof one);
        }
    }
    memcpy(element, one, group->field_bytes);
}

static sumac_sppark_error sum(const char *name, unsigned char *out, const void *points, size_t npoints,
                              const void *scalars, size_t stride, int has_flags)
{
    const sumac_group *group = NULL;
    sumac_status status = sumac_group_find(constants.curve, name, &group);
    if (status != SUMAC_OK) {
        return failure(status, "this build of libsumac does not have the group");
    }
    if (has_flags && stride <= group->point_bytes) {
        return failure(SUMAC_BAD_ARGUMENT, "ffi_affine_sz leaves no byte for the flag of infinity");
    }
    if (out == NULL || group->field_bytes > 8 * MOST_WORDS || npoints > SIZE_MAX / 2 / group->point_bytes ||
        (stride != 0 && npoints > SIZE_MAX / 2 / stride)) {
        return failure(SUMAC_BAD_ARGUMENT, "a null pointer, or more points than memory can hold");
    }
    sumac_pool *pool = NULL;
    sumac_context *context = NULL;
    sumac_message message = {{0}};
    status = take(0, &pool, &context, &message);
    if (status != SUMAC_OK) {
        return failure(status, message.text);
    }
    const sumac_bases_config bases_config = {.size = sizeof bases_config,
                                             .form = SUMAC_FORM_MONTGOMERY,
                                             .infinity =
                                                 has_flags ? SUMAC_INFINITY_FLAG : SUMAC_INFINITY_ZERO,
                                             .outside_subgroup = 1,
                                             .stride = stride,
                                             .infinity_offset = has_flags ? group->point_bytes : 0};
    const sumac_msm_config config = {.size = sizeof config, .result_form = SUMAC_FORM_MONTGOMERY};
    const size_t bytes = npoints * (stride != 0 ? stride : group->point_bytes);
    unsigned char affine[2 * 2 * 8 * MOST_WORDS] = {0};
    sumac_bases *bases = NULL;
    status = sumac_bases_create(context, group, points, bytes, npoints, &bases_config, &bases);
    if (status == SUMAC_OK) {
        status = sumac_msm(context, bases, scalars, npoints * group->scalar_bytes, npoints, &config, affine,
                           group->point_bytes);
    }
    const sumac_sppark_error error = failure(status, sumac_context_message(context));
    if (status == SUMAC_OK) {
        static const unsigned char zeros[sizeof affine];
        const size_t element = group->point_bytes / 2;
        memcpy(out, affine, group->point_bytes);
        memset(out + group->point_bytes, 0, element);
        if (memcmp(affine, zeros, group->point_bytes) != 0) {
            put_one(group, out + group->point_bytes);
        }
    }
    sumac_bases_destroy(bases);
    sumac_pool_give(pool, context);
    return error;
}

sumac_sppark_error mult_pippenger(void *out, const void *points, size_t npoints, const void *scalars)
{
    return sum("g1", out, points, npoints, scalars, 0, 0);
}

sumac_sppark_error mult_pippenger_inf(void *out, const void *points, size_t npoints, const void *scalars,
                                      size_t ffi_affine_sz)
{
    return sum("g1", out, points, npoints, scalars, ffi_affine_sz, 1);
}

sumac_sppark_error mult_pippenger_fp2_inf(void *out, const void *points, size_t npoints, const void *scalars,
                                          size_t ffi_affine_sz)
{
    return sum("g2", out, points, npoints, scalars, ffi_affine_sz, 1);
}

static size_t reversed(size_t i, uint32_t bits)
{
    size_t result = 0;
    for (uint32_t bit = 0; bit < bits; bit++) {
        result = result << 1 | (i >> bit & 1);
    }
    return result;
}

/* Put values from the caller's order into the library's natural order, or back. Only if the roots differ. */
static sumac_status reorder(sumac_context *context, const sumac_vector *from, uint32_t bits, int is_reversed,
                            int inverse, sumac_vector *to)
{
    const size_t n = (size_t)1 << bits;
    uint64_t *rows = malloc(n * sizeof *rows);
    if (rows == NULL) {
        return SUMAC_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        if (inverse) {
            const size_t at = (size_t)(constants.inverse * i) & (n - 1);
            rows[i] = is_reversed ? reversed(at, bits) : at;
        } else {
            rows[i] = (constants.exponent * (is_reversed ? reversed(i, bits) : i)) & (n - 1);
        }
    }
    const sumac_status status = sumac_vector_gather(context, from, 1, rows, n, to);
    free(rows);
    return status;
}

/* Transform a vector in place. If the roots differ, `other` is as long, and receives the result. */
static sumac_status transform(sumac_context *context, sumac_vector *vector, sumac_vector *other,
                              uint32_t bits, uint32_t before, uint32_t after, int inverse, int on_coset)
{
    unsigned char shift[8 * MOST_WORDS] = {constants.generator};
    const sumac_transform_config config = {.size = sizeof config,
                                           .inverse = (uint32_t)inverse,
                                           .value_order = other != NULL ? SUMAC_ORDER_NATURAL
                                                          : inverse     ? before
                                                                        : after,
                                           .coefficient_order = inverse ? after : before,
                                           .shift = on_coset ? shift : NULL,
                                           .shift_bytes =
                                               on_coset ? sumac_vector_group(vector)->scalar_bytes : 0};
    if (other == NULL) {
        return sumac_vector_ntt(context, vector, &config);
    }
    if (inverse) {
        const sumac_status status = reorder(context, vector, bits, before != SUMAC_ORDER_NATURAL, 1, other);
        return status == SUMAC_OK ? sumac_vector_ntt(context, other, &config) : status;
    }
    const sumac_status status = sumac_vector_ntt(context, vector, &config);
    return status == SUMAC_OK ? reorder(context, vector, bits, after != SUMAC_ORDER_NATURAL, 0, other)
                              : status;
}

sumac_sppark_error compute_ntt(size_t device_id, void *inout, uint32_t lg_domain_size, int order,
                               int direction, int type)
{
    const sumac_group *group = NULL;
    sumac_status status = sumac_group_find(constants.curve, NULL, &group);
    if (status != SUMAC_OK) {
        return failure(status, "this build of libsumac does not have the curve");
    }
    if (lg_domain_size > 40 || order < SUMAC_SPPARK_NN || order > SUMAC_SPPARK_RR || (direction & ~1) != 0 ||
        (type & ~1) != 0) {
        return failure(SUMAC_BAD_ARGUMENT, "the size, order, direction or type of the transform is unknown");
    }
    sumac_pool *pool = NULL;
    sumac_context *context = NULL;
    sumac_message message = {{0}};
    status = take(device_id, &pool, &context, &message);
    if (status != SUMAC_OK) {
        return failure(status, message.text);
    }
    const size_t n = (size_t)1 << lg_domain_size;
    const size_t bytes = n * group->scalar_bytes;
    const sumac_element_layout layout = {.size = sizeof layout, .form = SUMAC_FORM_MONTGOMERY};
    sumac_vector *vector = NULL;
    sumac_vector *other = NULL;
    status = sumac_vector_create(context, group, SUMAC_VECTOR_SCALARS, n, &vector);
    if (status == SUMAC_OK && constants.exponent != 1) {
        status = sumac_vector_create(context, group, SUMAC_VECTOR_SCALARS, n, &other);
    }
    if (status == SUMAC_OK) {
        status = sumac_vector_set(context, vector, inout, bytes, 0, n, &layout);
    }
    if (status == SUMAC_OK) {
        status = transform(context, vector, other, lg_domain_size, (uint32_t)order >> 1, (uint32_t)order & 1,
                           direction, type);
    }
    if (status == SUMAC_OK) {
        status = sumac_vector_get(context, other != NULL ? other : vector, 0, n, &layout, inout, bytes);
    }
    const sumac_sppark_error error = failure(status, sumac_context_message(context));
    sumac_vector_destroy(other);
    sumac_vector_destroy(vector);
    sumac_pool_give(pool, context);
    return error;
}
