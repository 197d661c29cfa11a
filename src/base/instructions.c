/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The processor and the system are asked here, and not by the compiler's __builtin_cpu_supports(): its answers come from a
 * support library, which fills them in where it is linked and started, and zig's leaves them 0 for ever.
 */
#include "base/instructions.h"

#if defined(__x86_64__)
#include <cpuid.h>

typedef struct {
    unsigned eax, ebx, ecx, edx;
} cpuid_leaf;

/* Zero if the processor does not have the leaf. */
static cpuid_leaf ask(unsigned number)
{
    cpuid_leaf leaf = {0};
    (void)__get_cpuid_count(number, 0, &leaf.eax, &leaf.ebx, &leaf.ecx, &leaf.edx);
    return leaf;
}

/* The state that the system saves when it switches threads, as bits of XCR0. */
#define STATE_OF_AVX 0x6u     /* XMM, YMM */
#define STATE_OF_AVX512 0xe6u /* and the masks, the upper halves of ZMM, ZMM16 to ZMM31 */

static int system_saves(unsigned state)
{
    unsigned low, high;
    if ((ask(1).ecx & bit_OSXSAVE) == 0) {
        return 0;
    }
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return (low & state) == state;
}

static int has_all(unsigned features, unsigned wanted)
{
    return (features & wanted) == wanted;
}

/* AMD's first two generations of Zen. */
static int halves_vectors(void)
{
    const cpuid_leaf vendor = ask(0);
    const unsigned version = ask(1).eax;
    const unsigned family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
    const unsigned model = (version >> 4 & 0xf) | (version >> 12 & 0xf0);
    return vendor.ebx == signature_AMD_ebx && family == 0x17 && model < 0x30;
}

int cpu_has_adx(void)
{
    return has_all(ask(7).ebx, bit_ADX | bit_BMI | bit_BMI2) && has_all(ask(1).ecx, bit_MOVBE) &&
           has_all(ask(0x80000001).ecx, bit_LZCNT);
}

int cpu_has_avx2(void)
{
    return cpu_has_adx() && has_all(ask(7).ebx, bit_AVX2) && has_all(ask(1).ecx, bit_FMA) &&
           system_saves(STATE_OF_AVX) && !halves_vectors();
}

int cpu_has_avx512(void)
{
    const cpuid_leaf features = ask(7);
    return cpu_has_adx() &&
           has_all(features.ebx, bit_AVX512F | bit_AVX512DQ | bit_AVX512VL | bit_AVX512IFMA) &&
           has_all(features.ecx, bit_AVX512VBMI2) && system_saves(STATE_OF_AVX512);
}

int cpu_has_bmi2(void)
{
    return has_all(ask(7).ebx, bit_BMI2);
}

int cpu_has_sha256(void)
{
    return has_all(ask(7).ebx, bit_SHA) && has_all(ask(1).ecx, bit_SSE4_1 | bit_SSSE3);
}

#else

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>

#define HWCAP_BIT_SHA2 (1ul << 6) /* <asm/hwcap.h> has it, the kernel's header */

int cpu_has_sha256(void)
{
    return (getauxval(AT_HWCAP) & HWCAP_BIT_SHA2) != 0;
}
#else
int cpu_has_sha256(void)
{
#if defined(__aarch64__) && (defined(__APPLE__) || defined(__ARM_FEATURE_SHA2))
    return 1; /* every processor of Apple's, or all that the compiler was told to make code for */
#else
    return 0;
#endif
}
#endif

int cpu_has_adx(void)
{
    return 0;
}

int cpu_has_avx2(void)
{
    return 0;
}

int cpu_has_avx512(void)
{
    return 0;
}

int cpu_has_bmi2(void)
{
    return 0;
}
#endif
