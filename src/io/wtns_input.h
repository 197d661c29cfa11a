/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file reads witnesses of circom (.wtns). */
#ifndef SUMAC_IO_WTNS_INPUT_H
#define SUMAC_IO_WTNS_INPUT_H

#include "io/input.h"

/* Read the witness of a key with this many wires, whose values are scalars of the group. The caller frees *witness, also after
 * a failure. */
sumac_status wtns_input_read(input_file *file, const sumac_group *group, uint32_t wires, uint8_t **witness);

#endif
