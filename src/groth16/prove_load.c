/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Step 1 of prove.c: the witnesses and the randomness to z. */
#include <stdio.h>
#include <string.h>

#include "groth16/prove_steps.h"

/* From the vector that has it, which lies with the context's first executor. */
static sumac_status copy_witness(const proving *p, size_t proof)
{
    const size_t wires = p->key->wires;
    return vector_copy_across(p->own, p->z, proof * p->row + EXTRA_WIRES, p->batch->vector,
                              (p->batch->first + proof) * wires, wires);
}

/* Of each witness what is before its wires: 1, r, s. */
static sumac_status load_beginning(const proving *p, size_t proof)
{
    uint8_t extra[EXTRA_WIRES * MOST_SCALAR_BYTES] = {1};
    const sumac_element_layout raw = sumac_element_layout_default();
    if (memcmp(proving_witness(p, proof), extra, p->scalar_bytes) != 0) {
        return refuse(&p->own->message, SUMAC_BAD_ARGUMENT, "witness %zu: wire 0 is not 1",
                      p->batch->first + proof);
    }
    memcpy(extra + p->scalar_bytes, proving_randomness(p, proof, 0), 2 * p->scalar_bytes);
    const sumac_status status = vector_set(p->own, p->z, proof * p->row, EXTRA_WIRES, extra, &raw);
    return status == SUMAC_OK ? status : refuse_in(&p->own->message, status, "the randomness, behind 1");
}

static sumac_status load_wires(const proving *p, size_t proof)
{
    const sumac_element_layout raw = sumac_element_layout_default();
    const sumac_status status = p->batch->vector != NULL
                                    ? copy_witness(p, proof)
                                    : vector_set(p->own, p->z, proof * p->row + EXTRA_WIRES, p->key->wires,
                                                 proving_witness(p, proof), &raw);
    return status == SUMAC_BAD_ENCODING
               ? refuse_in(&p->own->message, status, "witness %zu", p->batch->first + proof)
               : status;
}

sumac_status proving_begin_load(proving *p)
{
    sumac_status status = proving_scalars(p, p->count * p->row, &p->z);
    for (size_t proof = 0; proof < p->count && status == SUMAC_OK; proof++) {
        status = load_beginning(p, proof);
    }
    return status;
}

sumac_status proving_load(proving *p)
{
    sumac_status status = proving_begin_load(p);
    for (size_t proof = 0; proof < p->count && status == SUMAC_OK; proof++) {
        status = load_wires(p, proof);
    }
    return status;
}
