/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Facts about this machine and process from Linux; on other systems they are "unknown" and 0. */
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

/* Return the bytes of the machine's memory. */
uint64_t machine_memory(void);

/* Return the seconds of user time of all threads of this process. */
double machine_user_seconds(void);

/* Reset the peak of resident memory; and return the peak in bytes. If the system cannot reset it, the peak covers the
 * whole life of the process. */
void machine_reset_peak_memory(void);
uint64_t machine_peak_memory(void);

#endif
