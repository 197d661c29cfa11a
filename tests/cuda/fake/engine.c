/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file replaces src/api/loader.c, because the engine is a part of this program. */
#include "api/loader.h"

const backend *sumac_cuda_backend(uint32_t interface_version);

const backend *load_cuda(sumac_message *why)
{
    (void)why;
    return sumac_cuda_backend(SUMAC_ENGINE_INTERFACE);
}
