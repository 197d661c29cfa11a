/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A setup turns the constraints of a circuit (.r1cs) into gates, as snarkjs does. */
#ifndef SUMAC_PLONK_GATES_H
#define SUMAC_PLONK_GATES_H

#include "io/groups.h"
#include "plonk/flavour.h"

/* A gate's selectors are numbered as in flavour.h: qM, qL, qR, qO and qC. */
enum { SELECTORS = KEY_QC + 1 };

/* These are the gates of a circuit. Scalars are in Montgomery form. */
typedef struct gate_list {
    sumac_context *context;
    const char *path;
    groups groups;
    int drops_zero_terms; /* as the flavour says */
    uint32_t publics;
    uint32_t wires; /* those of a witness, and one for each addition */
    uint32_t count, capacity;
    uint8_t *wires_of[GATE_WIRES]; /* a, b and c of each gate: little-endian numbers of 4 bytes */
    uint8_t *selectors[SELECTORS];
    /* Each addition has two wires (4 bytes each) and two factors. Its sum is the value of the next wire. */
    uint32_t additions, additions_capacity;
    uint8_t *addition_bytes;
} gate_list;

/* Read a circuit for a flavour. The caller calls gates_free(), also after a failure. */
sumac_status gates_read(sumac_context *context, const char *path, const plonk_flavour *flavour,
                        gate_list *gates);
void gates_free(gate_list *gates);

#endif
