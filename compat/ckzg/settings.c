/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Settings: loading and freeing them, and the contexts of their calls. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "setup_text.h"

_Static_assert(sizeof(KZGSettings) == 80, "the size of c-kzg-4844's settings");
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "lengths are passed on as they are");

/* As many contexts are kept between calls; more threads at once make theirs and free them again. */
enum { IDLE_CONTEXTS = 16 };

/* What the settings' first pointer points to. The setup does not change. A context is in one of the places or
 * with one call: it is taken and put back by single exchanges, so that no thread waits for another, and a
 * process that is forked off meanwhile finds nothing locked. */
struct sumac_ckzg_handle {
    sumac_kzg_setup *setup;
    _Atomic(sumac_context *) idle[IDLE_CONTEXTS];
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

sumac_status sumac_ckzg_context(sumac_context **context)
{
    sumac_context_config config = sumac_context_config_default();
    config.backend = "cpu";
    config.threads = 1;
    return sumac_context_create(&config, context);
}

sumac_ckzg_call sumac_ckzg_begin(const KZGSettings *settings)
{
    sumac_ckzg_call call = {.status = SUMAC_BAD_ARGUMENT};
    if (settings == NULL || settings->handle == NULL) {
        return call;
    }
    call.handle = settings->handle;
    call.setup = call.handle->setup;
    for (size_t i = 0; i < IDLE_CONTEXTS && call.context == NULL; i++) {
        call.context = atomic_exchange(&call.handle->idle[i], NULL);
    }
    call.status = call.context == NULL ? sumac_ckzg_context(&call.context) : SUMAC_OK;
    return call;
}

static void put_back(sumac_ckzg_handle *handle, sumac_context *context)
{
    for (size_t i = 0; i < IDLE_CONTEXTS; i++) {
        sumac_context *none = NULL;
        if (atomic_compare_exchange_strong(&handle->idle[i], &none, context)) {
            return;
        }
    }
    sumac_context_destroy(context);
}

C_KZG_RET sumac_ckzg_end(sumac_ckzg_call *call, sumac_status status)
{
    if (call->context == NULL) {
        return sumac_ckzg_result(call->status);
    }
    put_back(call->handle, call->context);
    return sumac_ckzg_result(status);
}

static void destroy(sumac_ckzg_handle *handle)
{
    for (size_t i = 0; i < IDLE_CONTEXTS; i++) {
        sumac_context_destroy(atomic_load(&handle->idle[i]));
    }
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

static sumac_status load(sumac_ckzg_handle *handle, sumac_context *context, const setup_bytes *bytes,
                         uint64_t precompute)
{
    const sumac_status status = sumac_kzg_setup_create(
        context, bytes->g1_monomial, bytes->g1_monomial_count, bytes->g1_lagrange, bytes->g1_lagrange_count,
        bytes->g2_monomial, bytes->g2_monomial_count, SUMAC_CHECK_SUBGROUP, &handle->setup);
    return status == SUMAC_OK ? sumac_kzg_setup_make_tables(context, handle->setup, table_bytes(precompute))
                              : status;
}

static C_KZG_RET load_bytes(KZGSettings *out, const setup_bytes *bytes, uint64_t precompute)
{
    sumac_context *context;
    sumac_ckzg_handle *handle = calloc(1, sizeof *handle);
    if (handle == NULL) {
        return C_KZG_MALLOC;
    }
    for (size_t i = 0; i < IDLE_CONTEXTS; i++) {
        atomic_init(&handle->idle[i], NULL);
    }
    sumac_status status = sumac_ckzg_context(&context);
    if (status == SUMAC_OK) {
        status = load(handle, context, bytes, precompute);
        put_back(handle, context);
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
