/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file queries the processor and the system itself instead of using the compiler's __builtin_cpu_supports(), whose
 * answers are stored by a support library when it is linked and started. zig's support library never stores them, so
 * they are 0.
 */
#include "base/instructions.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdatomic.h>

enum { ASKED = 1, HAS_ADX = 2, HAS_AVX2 = 4, HAS_AVX512 = 8, HAS_BMI2 = 16, HAS_SHA256 = 32 };

typedef struct {
    unsigned eax, ebx, ecx, edx;
} cpuid_leaf;

static cpuid_leaf ask(unsigned number)
{
    cpuid_leaf leaf;
    __cpuid_count(number, 0, leaf.eax, leaf.ebx, leaf.ecx, leaf.edx);
    return leaf;
}

/* Return the leaf `number`, or zeros if the processor's leaves, which end at `last`, do not include it. */
static cpuid_leaf ask_up_to(unsigned last, unsigned number)
{
    return number <= last ? ask(number) : (cpuid_leaf){0};
}

static int has_all(unsigned features, unsigned wanted)
{
    return (features & wanted) == wanted;
}

/* Return 1 for AMD's first two generations of Zen, which split a register of 256 bits into two halves. */
static int halves_vectors(unsigned vendor, unsigned version)
{
    const unsigned family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
    const unsigned model = (version >> 4 & 0xf) | (version >> 12 & 0xf0);
    return vendor == signature_AMD_ebx && family == 0x17 && model < 0x30;
}

/* These bits of XCR0 say which registers the system saves when it switches threads. */
#define STATE_OF_AVX 0x6u     /* XMM, YMM */
#define STATE_OF_AVX512 0xe6u /* also the masks, the upper halves of ZMM, and ZMM16 to ZMM31 */

static unsigned saved_state(unsigned leaf_1_ecx)
{
    unsigned low = 0, high;
    if (has_all(leaf_1_ecx, bit_OSXSAVE)) {
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        (void)high;
    }
    return low;
}

static unsigned find_features(void)
{
    const cpuid_leaf first = ask(0);
    const cpuid_leaf basic = ask_up_to(first.eax, 1), more = ask_up_to(first.eax, 7);
    const cpuid_leaf extended = ask_up_to(ask(0x80000000).eax, 0x80000001);
    const unsigned saved = saved_state(basic.ecx);
    unsigned found = ASKED;
    if (has_all(more.ebx, bit_BMI2)) {
        found |= HAS_BMI2;
    }
    if (has_all(more.ebx, bit_SHA) && has_all(basic.ecx, bit_SSE4_1 | bit_SSSE3)) {
        found |= HAS_SHA256;
    }
    if (!has_all(more.ebx, bit_ADX | bit_BMI | bit_BMI2) || !has_all(basic.ecx, bit_MOVBE) ||
        !has_all(extended.ecx, bit_LZCNT)) {
        return found;
    }
    found |= HAS_ADX;
    if (has_all(more.ebx, bit_AVX2) && has_all(basic.ecx, bit_FMA) && has_all(saved, STATE_OF_AVX) &&
        !halves_vectors(first.ebx, basic.eax)) {
        found |= HAS_AVX2;
    }
    if (has_all(more.ebx, bit_AVX512F | bit_AVX512DQ | bit_AVX512VL | bit_AVX512IFMA) &&
        has_all(more.ecx, bit_AVX512VBMI2) && has_all(saved, STATE_OF_AVX512)) {
        found |= HAS_AVX512;
    }
    return found;
}

/* Query the processor only once, because under a hypervisor a CPUID may take as long as the hash of 10 KB. Threads that
 * query it at the same time get the same answer. */
static int has(unsigned feature)
{
    static atomic_uint features;
    unsigned found = atomic_load_explicit(&features, memory_order_relaxed);
    if (found == 0) {
        found = find_features();
        atomic_store_explicit(&features, found, memory_order_relaxed);
    }
    return (found & feature) != 0;
}

int cpu_has_adx(void)
{
    return has(HAS_ADX);
}

int cpu_has_avx2(void)
{
    return has(HAS_AVX2);
}

int cpu_has_avx512(void)
{
    return has(HAS_AVX512);
}

int cpu_has_bmi2(void)
{
    return has(HAS_BMI2);
}

int cpu_has_sha256(void)
{
    return has(HAS_SHA256);
}

#else

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>

#define HWCAP_BIT_SHA2 (1ul << 6) /* as in the kernel's header <asm/hwcap.h> */

int cpu_has_sha256(void)
{
    return (getauxval(AT_HWCAP) & HWCAP_BIT_SHA2) != 0;
}
#else
int cpu_has_sha256(void)
{
#if defined(__aarch64__) && (defined(__APPLE__) || defined(__ARM_FEATURE_SHA2))
    return 1; /* all processors of Apple have it; on others the compiler's target decides */
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
