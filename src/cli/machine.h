/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Facts about this machine and process, from the operating system. Linux only: elsewhere "unknown" and 0. */
#ifndef SUMAC_CLI_MACHINE_H
#define SUMAC_CLI_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The processor's name. */
void machine_cpu_model(char *text, size_t size);

/* Tell whether /proc/cpuinfo lists a feature, as "adx". */
bool machine_has_feature(const char *feature);

/* Processors that are online. */
long machine_cores(void);

/* Bytes of the machine's memory. */
uint64_t machine_memory(void);

/* Seconds of user time of this process, all threads. */
double machine_user_seconds(void);

/* Let the peak of resident memory begin anew; then read it, in bytes. Where the system cannot begin anew, the
 * peak is that of the process's whole life. */
void machine_reset_peak_memory(void);
uint64_t machine_peak_memory(void);

#endif
