/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "pil2.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sumac/pool.h"
#include "sumac/vector.h"

enum {
    POINT_BYTES = 64,
    RESULT_BYTES = 96,
    SCALAR_BYTES = 32,
    COORDINATE_BYTES = 32,
    CALLS = 16,
    MOST_LOG2 = 28
};

/* 1 in Montgomery form, 2^256 mod p, which is the Z of results. */
static const uint64_t one[COORDINATE_BYTES / 8] = {UINT64_C(0xd35d438dc58f0d9d), UINT64_C(0x0a78eb28f5c70b3d),
                                                   UINT64_C(0x666ea36f7879462c),
                                                   UINT64_C(0x0e0a77c19a07df2f)};

/* The interface has no handle, so that the process has one pool of contexts, which its first call creates. */
static struct {
    pthread_once_t once;
    atomic_int is_begun;
    int32_t device;
    sumac_pool *pool;
    const sumac_group *group;
    sumac_status status; /* why there is no pool */
    sumac_message message;
} process = {.once = PTHREAD_ONCE_INIT};

static _Thread_local sumac_message last;

static void begin(void)
{
    sumac_context_config config = {.size = sizeof config, .devices = &process.device, .device_count = 1};
    process.status = sumac_group_find("bn254", "g1", &process.group);
    if (process.status != SUMAC_OK) {
        (void)snprintf(process.message.text, sizeof process.message.text, "%s",
                       sumac_status_text(process.status));
        return;
    }
    process.status = sumac_pool_create(&config, CALLS, &process.pool, &process.message);
}

/* Take a context for a call. On failure return the status, and set the thread's message. */
static sumac_status take(sumac_context **context)
{
    last.text[0] = '\0';
    *context = NULL;
    atomic_store(&process.is_begun, 1);
    if (pthread_once(&process.once, begin) != 0) {
        return SUMAC_OUT_OF_MEMORY;
    }
    if (process.status != SUMAC_OK) {
        last = process.message;
        return process.status;
    }
    return sumac_pool_take(process.pool, context, &last);
}

static sumac_status refuse(sumac_status status, const char *sentence)
{
    (void)snprintf(last.text, sizeof last.text, "%s", sentence);
    return status;
}

/* Keep the context's message, and give the context back, unless its device has failed. */
static sumac_status give(sumac_context *context, sumac_status status)
{
    if (status != SUMAC_OK && last.text[0] == '\0') {
        (void)snprintf(last.text, sizeof last.text, "%s", sumac_context_message(context));
    }
    if (status != SUMAC_OK && context != NULL && sumac_context_check(context) != SUMAC_OK) {
        sumac_pool_discard(process.pool, context);
    } else {
        sumac_pool_give(process.pool, context);
    }
    return status;
}

/* Check that pointers of this location can be used. */
static sumac_status check_location(const sumac_context *context, sumac_location location)
{
    sumac_context_info info = {.size = sizeof info};
    const sumac_status status = sumac_context_describe(context, &info);
    if (status == SUMAC_OK && location == SUMAC_LOCATION_DEVICE && info.location != SUMAC_LOCATION_DEVICE) {
        return refuse(SUMAC_NOT_SUPPORTED, "the data lie on a GPU, and sumac computes on the CPU here");
    }
    return status;
}

static sumac_status sum(sumac_context *context, unsigned char *point, const void *points, const void *scalars,
                        size_t n, bool mont, sumac_location location)
{
    sumac_bases *bases = NULL;
    sumac_bases_config config = {.size = sizeof config, .form = SUMAC_FORM_MONTGOMERY, .location = location};
    sumac_msm_config how = {.size = sizeof how,
                            .scalar_form = mont ? SUMAC_FORM_MONTGOMERY : SUMAC_FORM_CANONICAL,
                            .result_form = SUMAC_FORM_MONTGOMERY,
                            .scalars_location = location};
    sumac_status status = check_location(context, location);
    if (status == SUMAC_OK && n > SIZE_MAX / POINT_BYTES) {
        status = refuse(SUMAC_BAD_ARGUMENT, "these are more points than any memory holds");
    }
    if (status == SUMAC_OK) {
        status = sumac_bases_create(context, process.group, points, n * POINT_BYTES, n, &config, &bases);
    }
    if (status == SUMAC_OK) {
        status = sumac_msm(context, bases, scalars, n * SCALAR_BYTES, n, &how, point, POINT_BYTES);
    }
    if (status != SUMAC_OK && last.text[0] == '\0') {
        (void)snprintf(last.text, sizeof last.text, "%s", sumac_context_message(context));
    }
    sumac_bases_destroy(bases);
    return status;
}

static int msm(void *out, const void *points, const void *scalars, size_t n, bool mont,
               sumac_location location)
{
    static const unsigned char infinity[POINT_BYTES];
    unsigned char result[RESULT_BYTES] = {0};
    sumac_context *context;
    sumac_status status = take(&context);
    if (status == SUMAC_OK && out == NULL) {
        status = refuse(SUMAC_BAD_ARGUMENT, "out is null");
    }
    if (status == SUMAC_OK) {
        status = sum(context, result, points, scalars, n, mont, location);
    }
    if (status == SUMAC_OK && memcmp(result, infinity, POINT_BYTES) != 0) {
        memcpy(result + POINT_BYTES, one, sizeof one);
    }
    if (status != SUMAC_OK) {
        memset(result, 0xff, sizeof result);
    }
    if (out != NULL) {
        memcpy(out, result, sizeof result);
    }
    return (int)give(context, status);
}

int msm_bn128_gpu(void *out, const void *points, const void *scalars, size_t npoints, bool mont)
{
    return msm(out, points, scalars, npoints, mont, SUMAC_LOCATION_HOST);
}

int msm_bn128_gpu_dev_ptr(void *out, const void *d_points, const void *d_scalars, size_t npoints, bool mont)
{
    return msm(out, d_points, d_scalars, npoints, mont, SUMAC_LOCATION_DEVICE);
}

/* Transform elements that lie where the context computes, or that are copied there and back. */
static sumac_status transform(sumac_context *context, void *data, uint32_t lg_n, int inverse,
                              sumac_location location)
{
    const size_t n = (size_t)1 << lg_n, bytes = n * SCALAR_BYTES;
    const sumac_element_layout layout = {.size = sizeof layout, .form = SUMAC_FORM_MONTGOMERY};
    const sumac_transform_config config = {.size = sizeof config, .inverse = inverse != 0};
    sumac_vector *vector = NULL;
    void *copy = NULL;
    sumac_status status = check_location(context, location);
    if (status == SUMAC_OK && location == SUMAC_LOCATION_DEVICE) {
        status = sumac_vector_wrap(context, process.group, data, n, &vector);
    } else if (status == SUMAC_OK) {
        copy = malloc(bytes);
        status = copy == NULL ? refuse(SUMAC_OUT_OF_MEMORY, "there is no memory for the results")
                              : sumac_vector_create(context, process.group, SUMAC_VECTOR_SCALARS, n, &vector);
        if (status == SUMAC_OK) {
            status = sumac_vector_set(context, vector, data, bytes, 0, n, &layout);
        }
    }
    if (status == SUMAC_OK) {
        status = sumac_vector_ntt(context, vector, &config);
    }
    if (status == SUMAC_OK && copy != NULL) {
        /* The data stay as they are if the results can't be copied. */
        status = sumac_vector_get(context, vector, 0, n, &layout, copy, bytes);
        if (status == SUMAC_OK) {
            memcpy(data, copy, bytes);
        }
    }
    if (status != SUMAC_OK && last.text[0] == '\0') {
        (void)snprintf(last.text, sizeof last.text, "%s", sumac_context_message(context));
    }
    sumac_vector_destroy(vector);
    free(copy);
    return status;
}

static int ntt(void *data, uint32_t lg_n, int inverse, sumac_location location)
{
    sumac_context *context;
    sumac_status status = take(&context);
    if (status == SUMAC_OK && data == NULL) {
        status = refuse(SUMAC_BAD_ARGUMENT, "the data are null");
    }
    if (status == SUMAC_OK && lg_n > MOST_LOG2) {
        status = refuse(SUMAC_NOT_SUPPORTED, "the field has no root of unity of an order above 2^28");
    }
    if (status == SUMAC_OK) {
        status = transform(context, data, lg_n, inverse, location);
    }
    return (int)give(context, status);
}

int ntt_bn128_gpu(void *data, uint32_t lg_n)
{
    return ntt(data, lg_n, 0, SUMAC_LOCATION_HOST);
}

int intt_bn128_gpu(void *data, uint32_t lg_n)
{
    return ntt(data, lg_n, 1, SUMAC_LOCATION_HOST);
}

int ntt_bn128_gpu_dev_ptr(void *d_data, uint32_t lg_n)
{
    return ntt(d_data, lg_n, 0, SUMAC_LOCATION_DEVICE);
}

int intt_bn128_gpu_dev_ptr(void *d_data, uint32_t lg_n)
{
    return ntt(d_data, lg_n, 1, SUMAC_LOCATION_DEVICE);
}

int sumac_pil2_set_device(int32_t device)
{
    last.text[0] = '\0';
    if (atomic_load(&process.is_begun)) {
        return (int)refuse(SUMAC_BUSY, "the GPU can't be chosen after other calls");
    }
    process.device = device;
    return 0;
}

const char *sumac_pil2_message(void)
{
    return last.text;
}
