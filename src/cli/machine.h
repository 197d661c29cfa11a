/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions get facts about this machine and process from Linux. On other systems they are "unknown" and 0. */
#ifndef SUMAC_CLI_MACHINE_H
#define SUMAC_CLI_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Get the processor's name. */
void machine_cpu_model(char *text, size_t size);

/* Return true if /proc/cpuinfo lists a feature, such as "adx". */
bool machine_has_feature(const char *feature);

/* Return the number of processors that are online. */
long machine_cores(void);

/* Return how many bytes of memory the machine has. */
uint64_t machine_memory(void);

/* Return how many seconds of user time all threads of this process have used. */
double machine_user_seconds(void);

/* The first function resets the peak of resident memory, and the second one returns the peak in bytes. If the system
 * can't reset it, it is the peak of the whole life of the process. */
void machine_reset_peak_memory(void);
uint64_t machine_peak_memory(void);

#endif
