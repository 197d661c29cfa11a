/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* This file compares the answers of CPUID and XGETBV, or of the kernel, with those of the compiler's support
 * library. */
#include "base/instructions.h"
#include "support/harness.h"

#if defined(__aarch64__) && defined(__linux__)
#include <stdio.h>
#include <string.h>
#endif

#if defined(__x86_64__)
static void test_compiler(void)
{
    __builtin_cpu_init();
    const int avx2 =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && !__builtin_cpu_is("znver1");
    const int avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512ifma") &&
                       __builtin_cpu_supports("avx512vbmi2");
    print_message("adx %d, avx2 %d, avx512 %d, bmi2 %d, sha256 %d\n", cpu_has_adx(), cpu_has_avx2(),
                  cpu_has_avx512(), cpu_has_bmi2(), cpu_has_sha256());
    assert_int_equal(cpu_has_bmi2(), __builtin_cpu_supports("bmi2") != 0);
    assert_int_equal(cpu_has_avx2(), cpu_has_adx() && avx2);
    assert_int_equal(cpu_has_avx512(), cpu_has_adx() && avx512);
    /* Today's compilers have no names for ADX and SHA. Processors that have these also have the older features
     * below. */
    assert_true(!cpu_has_adx() || cpu_has_bmi2());
    assert_true(!avx512 || cpu_has_adx());
    assert_true(!cpu_has_sha256() || __builtin_cpu_supports("sse4.1"));
}
#else
static void test_compiler(void)
{
    assert_false(cpu_has_adx() || cpu_has_avx2() || cpu_has_avx512() || cpu_has_bmi2());
#if defined(__aarch64__) && defined(__linux__)
    /* An emulator shows its host's file, which lists other features. */
    char line[4096];
    FILE *file = fopen("/proc/cpuinfo", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "Features", 8) == 0) {
            assert_int_equal(cpu_has_sha256(), strstr(line, " sha2") != NULL);
            break;
        }
    }
    fclose(file);
#endif
}
#endif

static const test_entry entries[] = {{"compiler", TEST_ONCE(test_compiler)}};
TEST_MAIN("instructions", entries)
