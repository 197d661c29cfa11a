/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* These functions return 1 if the processor has certain instructions, and the operating system allows them. */
#ifndef SUMAC_BASE_INSTRUCTIONS_H
#define SUMAC_BASE_INSTRUCTIONS_H

/* Test for the instructions of the adx variant: mulx, adcx, adox, and blsi of BMI1. If a compiler has no option for
 * ADX, the build compiles the variant for Broadwell instead; so lzcnt and movbe are required, too, which every
 * processor with ADX has. */
int cpu_has_adx(void);

/* Test for the instructions of the avx2 variant: those of the adx variant, AVX2 and FMA. Also test that the processor
 * does not split a register of 256 bits. */
int cpu_has_avx2(void);

/* Test for the instructions of the avx512 variant: those of the adx variant, and AVX-512 with IFMA and VBMI2. */
int cpu_has_avx512(void);

/* Test for mulx, rorx and the shifts that leave the flags unchanged. */
int cpu_has_bmi2(void);

/* Test for the SHA-256 instructions of x86-64 (with SSE4.1 and SSSE3) or of ARMv8. */
int cpu_has_sha256(void);

#endif
