/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cuda/transfer/transfer.h"

/* Copy a slice of points to the table. Copies have a stream of their own, so that a slice is copied while the device
 * computes multiples of the previous slice. */
static sumac_status copy_slice(cuda_engine *engine, const cuda_group *code, const table_slice *slice)
{
    char *to = static_cast<char *>(slice->table) + slice->first * code->affine_bytes;
    CUDA_TRY(engine, cudaMemcpyAsync(to, slice->points, slice->n * code->affine_bytes, cudaMemcpyHostToDevice,
                                     engine->copies));
    CUDA_TRY(engine, cudaEventRecord(engine->arrived[0], engine->copies));
    CUDA_TRY(engine, cudaStreamWaitEvent(engine->stream, engine->arrived[0], 0));
    return SUMAC_OK;
}

sumac_status cuda_first_bad(const cuda_engine *engine, uint64_t *bad)
{
    const unsigned long long first_bad = *engine->first_bad;
    if (first_bad == NONE_BAD) {
        return SUMAC_OK;
    }
    *bad = first_bad >> FIRST_BAD_STATUS_BITS;
    return static_cast<sumac_status>(first_bad & ((1u << FIRST_BAD_STATUS_BITS) - 1));
}

/* Wait for the import, so that no multiples of bad points are computed. */
sumac_status cuda_import_slice(cuda_engine *engine, const cuda_group *code, const table_slice *slice,
                               uint64_t *bad)
{
    *engine->first_bad = NONE_BAD;
    TRY(code->import_points(engine, slice, engine->first_bad));
    CUDA_TRY(engine, cudaStreamSynchronize(engine->stream));
    return cuda_first_bad(engine, bad);
}

sumac_status cuda_fill_table(void *handle, const sumac_group *group, const table_slice *slice, uint64_t *bad)
{
    cuda_engine *engine = static_cast<cuda_engine *>(handle);
    const cuda_group *code = cuda_group_of(group);
    *bad = slice->n;
    TRY(slice->layout == NULL ? copy_slice(engine, code, slice)
                              : cuda_import_slice(engine, code, slice, bad));
    if (slice->glv_terms > 1) {
        return code->endomorphism_images(engine, slice);
    }
    /* Wait for the previous slice's multiples, so that a call that is cancelled ends soon. */
    if (slice->factor > 1) {
        CUDA_TRY(engine, cudaStreamSynchronize(engine->stream));
    }
    TRY(code->multiples(engine, slice));
    return slice->digits > 1 ? code->window_tables(engine, slice) : SUMAC_OK;
}
