/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file is linked into programs that are compiled for one variant of the CPU's code, which may use the variant's
 * instructions anywhere. This file is compiled without these instructions. If the machine lacks them, it ends the
 * program before main().
 */
#include <stdio.h>
#include <unistd.h>

#include "sumac/sumac.h"

__attribute__((constructor)) static void require_variant(void)
{
    sumac_context *context = NULL;
    sumac_context_config config = {.size = sizeof config};
    config.tuning = "variant=" REQUIRED_VARIANT;
    const sumac_status status = sumac_context_create(&config, &context, NULL);
    sumac_context_destroy(context);
    if (status == SUMAC_BACKEND_UNAVAILABLE) {
        fprintf(stderr, "this machine does not run %s\n", REQUIRED_VARIANT);
        _exit(SKIPPED);
    }
}
