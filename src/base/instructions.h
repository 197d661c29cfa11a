/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which instructions this processor runs, and the operating system lets it run: each function returns 1 or 0. */
#ifndef SUMAC_BASE_INSTRUCTIONS_H
#define SUMAC_BASE_INSTRUCTIONS_H

/* All that the adx variant uses: mulx, adcx, adox, and blsi of BMI1. A build may also have compiled it for Broadwell as a whole,
 * where its tools take no option for ADX: lzcnt and movbe are asked for, too, which no processor with ADX lacks. */
int cpu_has_adx(void);

/* All that the avx2 variant uses: that of adx, AVX2 and FMA, in units that do not make two halves of a register of 256 bits. */
int cpu_has_avx2(void);

/* All that the avx512 variant uses: that of adx, and AVX-512 with IFMA and VBMI2. */
int cpu_has_avx512(void);

/* mulx, rorx and shifts that leave the flags. */
int cpu_has_bmi2(void);

/* Instructions for SHA-256, of x86-64 (with SSE4.1 and SSSE3) or of ARMv8. */
int cpu_has_sha256(void);

#endif
