/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions load and free settings, and provide contexts for their calls. */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "setup_text.h"

_Static_assert(sizeof(KZGSettings) == 80, "the size of c-kzg-4844's settings");
/* The number of contexts that are kept between calls. */
enum { KEPT_CONTEXTS = 16 };

enum {
    MOST_PRECOMPUTE = 15,
    /* This is a limit of 96 MiB. From 6 to 12, the planner's table is the same, 24 MiB, and so is the time. At 15 it
     * has ten gibibytes, which take a minute to compute (proofs of a blob's cells, one thread, AVX-512 IFMA, Xeon of
     * 2023, November 2026). */
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

loaded_call sumac_ckzg_begin(const KZGSettings *settings)
{
    return sumac_loaded_begin(settings == NULL ? NULL : settings->handle);
}

C_KZG_RET sumac_ckzg_end(const loaded_call *call, sumac_status status)
{
    return sumac_ckzg_result(sumac_loaded_end(call, status));
}

/* Return the size of c-kzg-4844's tables with this window, which have 2^(precompute - 1) multiples of each point. For
 * 0 it has no tables. Then return less than the size of any table, because 0 would mean sumac's default. */
static uint64_t table_bytes(uint64_t precompute)
{
    const uint64_t window = precompute < LARGEST_WINDOW ? precompute : LARGEST_WINDOW;
    return window == 0 ? 1 : (uint64_t)COLUMNS_BYTES << (window - 1);
}

static C_KZG_RET load_bytes(KZGSettings *out, const setup_bytes *bytes, uint64_t precompute)
{
    loaded_setup *loaded;
    const sumac_status status =
        sumac_loaded_create(bytes, 1, KEPT_CONTEXTS, table_bytes(precompute), &loaded);
    out->handle = loaded;
    return sumac_ckzg_result(status);
}

/* Reset the settings. If the arguments do not allow loading, return C_KZG_BADARGS. */
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
        sumac_loaded_destroy(s->handle);
        memset(s, 0, sizeof *s);
    }
}
