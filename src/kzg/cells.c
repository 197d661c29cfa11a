/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kzg/cells.h"

#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "kzg/elements.h"
#include "kzg/fk20.h"
#include "kzg/points.h"
#include "kzg/setup.h"

enum {
    N = SUMAC_KZG_FIELD_ELEMENTS,
    CELLS = SUMAC_KZG_CELLS,
    BLOB_BYTES = SUMAC_KZG_BLOB_BYTES,
    CELLS_BYTES = 2 * SUMAC_KZG_BLOB_BYTES /* bytes of one blob's 128 cells */
};

/* Results are kept here until every range has finished, so that a failure leaves the caller's memory unchanged. */
struct cells_memory {
    /* values[k] has the values of the extended blobs of executor k: either all of them, or only those of the second
     * half of each extended blob. The second half belongs to the odd powers of w, which are a coset of the blob's
     * roots. */
    sumac_vector *values[MOST_DEVICES];
    uint8_t *proofs;
};

static void close_memory(cells_memory *memory)
{
    for (size_t k = 0; k < MOST_DEVICES; k++) {
        vector_destroy(memory->values[k]);
    }
    free(memory->proofs);
}

/* Return 1 if only the second half of each extended blob is computed. The first half is the given blob itself. A GPU
 * computes both halves, because it copies all values in less time than halves of them. */
static int computes_halves(const cells_call *call, const work_range *range)
{
    return call->blobs != NULL && range->self->engine == NULL;
}

/* Evaluate polynomials on the whole domain, check their values, and keep these. */
static sumac_status evaluate(const cells_call *call, const work_range *range, size_t first, size_t n,
                             const sumac_vector *coefficients)
{
    executor *self = range->self;
    const vector_slice rows = {0, n, N, EXTENDED_ELEMENTS}, packed = {0, n, N, N};
    sumac_vector *values = call->memory->values[range->index];
    sumac_transform_config config = {.size = sizeof config};
    config.length = EXTENDED_ELEMENTS;
    config.coefficients = N;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    LOCAL_SCALARS(extended, self, call->setup->g1, n * EXTENDED_ELEMENTS);
    TRY(vector_copy(self, extended, &rows, coefficients, &packed));
    TRY(vector_ntt(self, extended, &config));
    if (call->check != NULL) {
        TRY(call->check(call, range, range->first + first, n, extended));
    }
    if (values == NULL) {
        return SUMAC_OK;
    }
    return vector_copy_range(self, values, first * EXTENDED_ELEMENTS, extended, 0, n * EXTENDED_ELEMENTS);
}

/* Compute blobs [first, first + n) of the range. */
static sumac_status compute_sub_batch(const cells_call *call, const work_range *range, size_t first, size_t n,
                                      sumac_vector *proofs)
{
    executor *self = range->self;
    const int halves = computes_halves(call, range);
    LOCAL_SCALARS(coefficients, self, call->setup->g1, n * N);
    TRY(call->interpolate(call, range, range->first + first, n, coefficients));
    if (call->check != NULL || (call->cells != NULL && !halves)) {
        TRY(evaluate(call, range, first, n, coefficients));
    }
    if (proofs != NULL) {
        TRY(fk20_prove_within(range, call->setup->fk20, coefficients, n, EXTENDED_ELEMENTS / N,
                              SUMAC_ORDER_BIT_REVERSED, proofs, first * CELLS));
    }
    if (call->cells != NULL && halves) {
        sumac_transform_config config = {.size = sizeof config};
        config.length = N;
        config.value_order = SUMAC_ORDER_BIT_REVERSED;
        config.shift = call->setup->domains[range->index].extended_root;
        TRY(vector_ntt(self, coefficients, &config));
        TRY(vector_copy_range(self, call->memory->values[range->index], first * N, coefficients, 0, n * N));
    }
    return SUMAC_OK;
}

/* Compute the cells and proofs of a range. The proofs are encoded here, because encoding allocates memory, and
 * deliver_range() must not do that. */
static sumac_status compute_range(void *argument, const work_range *range)
{
    const cells_call *call = argument;
    const sumac_group *group = call->setup->g1;
    const size_t elements = computes_halves(call, range) ? N : EXTENDED_ELEMENTS;
    CLEANUP(close_vector) sumac_vector *proofs = NULL;
    if (call->cells != NULL) {
        TRY(vector_create(range->self, group, SUMAC_VECTOR_SCALARS, range->count * elements,
                          &call->memory->values[range->index]));
    }
    if (call->proofs != NULL) {
        TRY(vector_create(range->self, group, SUMAC_VECTOR_POINTS, range->count * CELLS, &proofs));
    }
    for (size_t first = 0, n; (n = range_next(range, first, EXTENDED_ELEMENTS)) > 0; first += n) {
        TRY(compute_sub_batch(call, range, first, n, proofs));
    }
    if (proofs == NULL || range_is_over(range)) {
        return SUMAC_OK;
    }
    return points_encode(range->self, proofs, range->count * CELLS,
                         call->memory->proofs + range->first * CELLS * SUMAC_KZG_PROOF_BYTES);
}

/* Write the cells to the caller's memory. This memory may overlap the input cells of a recovery, which have all been
 * read by now. */
static sumac_status deliver_range(void *argument, const work_range *range)
{
    const cells_call *call = argument;
    const sumac_vector *values = call->memory->values[range->index];
    const size_t count = range->count;
    uint8_t *cells = call->cells + range->first * CELLS_BYTES;
    if (!computes_halves(call, range)) {
        return elements_read(range->self, values, count * EXTENDED_ELEMENTS, cells);
    }
    /* Read all second halves to the end of the memory, which has 2*count parts. Then move each to its place: half i
     * moves from part count + i to part 2i + 1. That part is not behind part count + i, and it has no half that must
     * still be moved. */
    TRY(elements_read(range->self, values, count * N, cells + count * BLOB_BYTES));
    for (size_t i = 0; i < count; i++) {
        uint8_t *extended = cells + i * CELLS_BYTES;
        memmove(extended + BLOB_BYTES, cells + (count + i) * BLOB_BYTES, BLOB_BYTES);
        memcpy(extended, call->blobs + (range->first + i) * BLOB_BYTES, BLOB_BYTES);
    }
    return SUMAC_OK;
}

sumac_status cells_compute(sumac_context *context, cells_call *call)
{
    CLEANUP(close_memory) cells_memory memory = {0};
    call->memory = &memory; /* cppcheck-suppress autoVariables ; nothing uses the call afterwards */
    if (call->proofs != NULL) {
        memory.proofs = host_memory(context_executor(context), call->count * CELLS, SUMAC_KZG_PROOF_BYTES);
        if (memory.proofs == NULL) {
            return SUMAC_OUT_OF_MEMORY;
        }
    }
    TRY(ranges_run(context, call->setup->devices, call->count, compute_range, call));
    if (call->cells != NULL) {
        TRY(ranges_run(context, call->setup->devices, call->count, deliver_range, call));
    }
    if (call->proofs != NULL) {
        memcpy(call->proofs, memory.proofs, call->count * CELLS * SUMAC_KZG_PROOF_BYTES);
    }
    return SUMAC_OK;
}

sumac_status cells_can_prove(sumac_context *context, const sumac_kzg_setup *setup, int proofs_are_wanted)
{
    if (!proofs_are_wanted || setup->fk20 != NULL) {
        return SUMAC_OK;
    }
    return fail(context, SUMAC_BAD_ARGUMENT,
                "the setup has no tables for proofs of cells; open it with sumac_kzg_config.cells");
}

/* ---- Cells of blobs ---- */

static sumac_status interpolate_blobs(const cells_call *call, const work_range *range, size_t first, size_t n,
                                      sumac_vector *coefficients)
{
    sumac_transform_config config = {.size = sizeof config};
    config.length = N;
    config.inverse = 1;
    config.value_order = SUMAC_ORDER_BIT_REVERSED;
    TRY(elements_write(range->self, coefficients, "blob", first, call->blobs + first * BLOB_BYTES, n, N));
    return vector_ntt(range->self, coefficients, &config);
}

sumac_status sumac_kzg_cells(sumac_context *context, const sumac_kzg_setup *setup, const sumac_blob *blobs,
                             size_t count, sumac_cell *cells, sumac_bytes48 *proofs)
{
    const int complete = count == 0 || (blobs != NULL && (cells != NULL || proofs != NULL));
    cells_call call = {.setup = setup,
                       .count = count,
                       .cells = (uint8_t *)cells,
                       .proofs = (uint8_t *)proofs,
                       .blobs = (const uint8_t *)blobs,
                       .interpolate = interpolate_blobs};
    HOLDS sumac_context *held = context_begin(context);
    TRY(setup_begin_call(context, setup, complete, "blobs, and cells and proofs both,", count, CELLS_BYTES));
    TRY(cells_can_prove(context, setup, proofs != NULL));
    return count == 0 ? SUMAC_OK : cells_compute(context, &call);
}
