/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the commands for Groth16 read. */
#ifndef SUMAC_CLI_GROTH16_INPUT_H
#define SUMAC_CLI_GROTH16_INPUT_H

#include "session.h"
#include "sumac/groth16.h"

/* Open a proving key, as the options want it, and describe it. Reports and returns an exit status. */
int open_groth16_key(const session *opened, const options *given, const char *path, sumac_groth16_key **key,
                     sumac_groth16_info *info);

#endif
