/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Functions that return 1 if the processor has certain instructions, and the operating system allows them. */
#ifndef SUMAC_BASE_INSTRUCTIONS_H
#define SUMAC_BASE_INSTRUCTIONS_H

/* The instructions of the adx variant: mulx, adcx, adox, and blsi of BMI1. If a compiler has no option for ADX, the build
 * compiles the variant for Broadwell instead; therefore lzcnt and movbe are required, too, which every processor with ADX has.
 * */
int cpu_has_adx(void);

/* The instructions of the avx2 variant: those of adx, AVX2 and FMA, and units that do not split a register of 256 bits. */
int cpu_has_avx2(void);

/* All that the avx512 variant uses: that of adx, and AVX-512 with IFMA and VBMI2. */
int cpu_has_avx512(void);

/* mulx, rorx and shifts that leave the flags. */
int cpu_has_bmi2(void);

/* Instructions for SHA-256, of x86-64 (with SSE4.1 and SSSE3) or of ARMv8. */
int cpu_has_sha256(void);

#endif
