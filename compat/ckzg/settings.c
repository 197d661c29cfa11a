/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Settings: loading and freeing them, and the contexts of their calls. */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "setup_text.h"

_Static_assert(sizeof(KZGSettings) == 80, "the size of c-kzg-4844's settings");
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "lengths are passed on as they are");

/* As many contexts are kept between calls; more threads at once make theirs and free them again, so that no
 * thread waits for another. */
enum { KEPT_CONTEXTS = 16 };

/* What the settings' first pointer points to. The setup does not change. */
struct sumac_ckzg_handle {
    sumac_kzg_setup *setup;
    sumac_pool *pool;
};

enum {
    MOST_PRECOMPUTE = 15,
    /* A limit of 96 MiB. From 6 to 12 the planner's table is the same, of 24 MiB, and so is the time; at 15
     * it has ten gibibytes, which take a minute to make (proofs of a blob's cells, one thread, AVX-512 IFMA,
     * Xeon of 2023, November 2026). */
    LARGEST_WINDOW = 8,
    COLUMNS_BYTES = FIELD_ELEMENTS_PER_EXT_BLOB * 96 /* the points that proofs multiply, x and y */
};

C_KZG_RET sumac_ckzg_result(sumac_status status)
{
    switch (status) {
    case SUMAC_OK:
        return C_KZG_OK;
    case SUMAC_BAD_ARGUMENT:
    case SUMAC_BAD_LENGTH:
    case SUMAC_BAD_ENCODING:
    case SUMAC_NOT_ON_CURVE:
    case SUMAC_NOT_IN_SUBGROUP:
    case SUMAC_BAD_FILE:
        return C_KZG_BADARGS;
    case SUMAC_OUT_OF_MEMORY:
        return C_KZG_MALLOC;
    default:
        return C_KZG_ERROR;
    }
}

static sumac_context_config one_thread(void)
{
    sumac_context_config config = sumac_context_config_default();
    config.backend = "cpu";
    config.threads = 1;
    return config;
}

sumac_status sumac_ckzg_context(sumac_context **context)
{
    const sumac_context_config config = one_thread();
    return sumac_context_create(&config, context, NULL);
}

sumac_ckzg_call sumac_ckzg_begin(const KZGSettings *settings)
{
    sumac_ckzg_call call = {.status = SUMAC_BAD_ARGUMENT};
    if (settings == NULL || settings->handle == NULL) {
        return call;
    }
    const sumac_ckzg_handle *handle = settings->handle;
    call.setup = handle->setup;
    call.pool = handle->pool;
    call.status = sumac_pool_try(call.pool, &call.context, NULL);
    if (call.status == SUMAC_BUSY) {
        call.pool = NULL;
        call.status = sumac_ckzg_context(&call.context);
    }
    return call;
}

C_KZG_RET sumac_ckzg_end(sumac_ckzg_call *call, sumac_status status)
{
    if (call->context == NULL) {
        return sumac_ckzg_result(call->status);
    }
    if (call->pool != NULL) {
        sumac_pool_give(call->pool, call->context);
    } else {
        sumac_context_destroy(call->context);
    }
    return sumac_ckzg_result(status);
}

static void destroy(sumac_ckzg_handle *handle)
{
    sumac_pool_destroy(handle->pool);
    sumac_kzg_setup_destroy(handle->setup);
    free(handle);
}

/* The bytes that c-kzg-4844's tables have with this window, 2^(precompute - 1) multiples of each point; at 0
 * there are none. Zero would mean sumac's own choice, and less than any table is none. */
static uint64_t table_bytes(uint64_t precompute)
{
    const uint64_t window = precompute < LARGEST_WINDOW ? precompute : LARGEST_WINDOW;
    return window == 0 ? 1 : (uint64_t)COLUMNS_BYTES << (window - 1);
}

/* How many points so many bytes are; no setup has 0. */
static size_t points_of(size_t bytes, size_t point_bytes)
{
    return bytes % point_bytes == 0 ? bytes / point_bytes : 0;
}

static sumac_status load(sumac_ckzg_handle *handle, sumac_context *context, const setup_bytes *bytes,
                         uint64_t precompute)
{
    const sumac_status status = sumac_kzg_setup_create(
        context, (const sumac_bytes48 *)bytes->g1_monomial,
        points_of(bytes->g1_monomial_bytes, sizeof(sumac_bytes48)), (const sumac_bytes48 *)bytes->g1_lagrange,
        points_of(bytes->g1_lagrange_bytes, sizeof(sumac_bytes48)), (const sumac_bytes96 *)bytes->g2_monomial,
        points_of(bytes->g2_monomial_bytes, sizeof(sumac_bytes96)), SUMAC_CHECK_SUBGROUP, &handle->setup);
    return status == SUMAC_OK ? sumac_kzg_setup_make_tables(context, handle->setup, table_bytes(precompute))
                              : status;
}

static C_KZG_RET load_bytes(KZGSettings *out, const setup_bytes *bytes, uint64_t precompute)
{
    sumac_context *context = NULL;
    const sumac_context_config config = one_thread();
    sumac_ckzg_handle *handle = calloc(1, sizeof *handle);
    if (handle == NULL) {
        return C_KZG_MALLOC;
    }
    sumac_status status = sumac_pool_create(&config, KEPT_CONTEXTS, &handle->pool, NULL);
    if (status == SUMAC_OK) {
        status = sumac_pool_take(handle->pool, &context, NULL);
    }
    if (status == SUMAC_OK) {
        status = load(handle, context, bytes, precompute);
        sumac_pool_give(handle->pool, context);
    }
    if (status == SUMAC_OK) {
        out->handle = handle;
    } else {
        destroy(handle);
    }
    return sumac_ckzg_result(status);
}

/* Nothing is loaded until it is; C_KZG_BADARGS if nothing can be. */
static C_KZG_RET begin_load(KZGSettings *out, uint64_t precompute)
{
    if (out == NULL) {
        return C_KZG_BADARGS;
    }
    memset(out, 0, sizeof *out);
    return precompute > MOST_PRECOMPUTE ? C_KZG_BADARGS : C_KZG_OK;
}

C_KZG_RET load_trusted_setup(KZGSettings *out, const uint8_t *g1_monomial_bytes,
                             uint64_t num_g1_monomial_bytes, const uint8_t *g1_lagrange_bytes,
                             uint64_t num_g1_lagrange_bytes, const uint8_t *g2_monomial_bytes,
                             uint64_t num_g2_monomial_bytes, uint64_t precompute)
{
    const setup_bytes bytes = {g1_monomial_bytes,     g1_lagrange_bytes,     g2_monomial_bytes,
                               num_g1_monomial_bytes, num_g1_lagrange_bytes, num_g2_monomial_bytes};
    const C_KZG_RET result = begin_load(out, precompute);
    return result == C_KZG_OK ? load_bytes(out, &bytes, precompute) : result;
}

C_KZG_RET load_trusted_setup_file(KZGSettings *out, FILE *in, uint64_t precompute)
{
    uint8_t *points = NULL;
    setup_bytes bytes;
    C_KZG_RET result = begin_load(out, precompute);
    if (result == C_KZG_OK) {
        result = sumac_ckzg_read_setup(in, &points, &bytes);
    }
    if (result == C_KZG_OK) {
        result = load_bytes(out, &bytes, precompute);
    }
    free(points);
    return result;
}

void free_trusted_setup(KZGSettings *s)
{
    if (s != NULL && s->handle != NULL) {
        destroy(s->handle);
        memset(s, 0, sizeof *s);
    }
}
