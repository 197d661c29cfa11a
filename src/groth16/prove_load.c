/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Step 1 of prove_steps.c: the witnesses and the randomness to z. */
#include <string.h>

#include "base/try.h"
#include "groth16/prove_steps.h"

sumac_status proving_begin_load(proving *p)
{
    TRY(proving_scalars(p, p->count * p->row, &p->z));
    for (size_t proof = 0; proof < p->count; proof++) {
        uint8_t extra[EXTRA_WIRES * MOST_SCALAR_BYTES] = {1};
        if (memcmp(proving_witness(p, proof), extra, p->scalar_bytes) != 0) {
            return refuse(&p->self->message, SUMAC_BAD_ARGUMENT, "witness %zu: wire 0 is not 1",
                          p->batch->first + proof);
        }
        memcpy(extra + p->scalar_bytes, proving_randomness(p, proof, 0), 2 * p->scalar_bytes);
        const sumac_status status = vector_set(p->self, p->z, proof * p->row, EXTRA_WIRES, extra, NULL);
        if (status != SUMAC_OK) {
            return refuse_in(&p->self->message, status, "the randomness, behind 1");
        }
    }
    return SUMAC_OK;
}

sumac_status proving_load(proving *p)
{
    const size_t wires = p->key->wires;
    TRY(proving_begin_load(p));
    for (size_t proof = 0; proof < p->count; proof++) {
        const size_t at = proof * p->row + EXTRA_WIRES, number = p->batch->first + proof;
        const sumac_status status =
            p->batch->vector != NULL /* which lies with the context's first executor */
                ? vector_copy_across(p->self, p->z, at, p->batch->vector, number * wires, wires)
                : vector_set(p->self, p->z, at, wires, proving_witness(p, proof), NULL);
        if (status == SUMAC_BAD_ENCODING) {
            return refuse_in(&p->self->message, status, "witness %zu", number);
        }
        TRY(status);
    }
    return SUMAC_OK;
}
