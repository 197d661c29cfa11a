/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef SUMAC_SUPRASEAL_PROVE_H
#define SUMAC_SUPRASEAL_PROVE_H

#include "call.h"
#include "parameters.h"
#include "supraseal.h"

/* Compute and verify proofs as generate_groth16_proofs_c() does.
 *  @param call its context belongs to the parameters' pool
 *  @param proofs are written only on success */
sumac_status sumac_supraseal_prove(supraseal_call *call, const supraseal_parameters *parameters,
                                   const supraseal_assignment *assignments, size_t count, const uint8_t *r,
                                   const uint8_t *s, uint8_t *proofs);

#endif
