/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How much memory is left. The library's readers and the program share this; it knows nothing of either. */
#ifndef SUMAC_IO_MEMORY_AVAILABLE_H
#define SUMAC_IO_MEMORY_AVAILABLE_H

#include <stdint.h>

/* An estimate of the bytes that this process can still use: of the machine, its swap and its control group.
 * UINT64_MAX where the system does not tell. */
uint64_t memory_available(void);

#endif
