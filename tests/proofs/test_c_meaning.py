# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests that c_source.py gives C the meaning that a compiler gives it, on random operands, and that it refuses what
it must refuse."""
import random
import subprocess

import pytest

import toolchain
from algebra import Reject
from c_source import Program, Run, declarations

TEXT = """
enum { FIRST = 3, SECOND, THIRD = 1 << SECOND };
typedef struct { int32_t x; struct { uint8_t y[3]; } part; } thing;
static const uint32_t table[] = {[2] = 7, 9};
static uint64_t wide(uint64_t a, uint64_t b) { return (a * b ^ a >> (b & 63)) - (uint64_t)(int32_t)b + (a < b) - ~a; }
static int64_t mixed(int64_t a, uint64_t b)
{
    const int32_t s = (int32_t)a;
    const uint32_t u = (uint32_t)b;
    const int8_t c = (int8_t)a;
    return (s < u) + (c < (uint8_t)b) * 2 + ((int64_t)s < (int64_t)u) * 4 + (c >> 1) + (int64_t)(u % 7 - 8) + s / 3 + s % 5;
}
static uint64_t big(uint64_t a, uint64_t b)
{
    const sumac_u128 p = (sumac_u128)a * b + a;
    return (uint64_t)(p >> 64) ^ (uint64_t)p;
}
static uint64_t flow(uint64_t a, uint64_t b)
{
    uint64_t sum = 0;
    for (int i = 0; i < 20; i++) {
        uint64_t sum_of_row = a >> i & 3;
        if (sum_of_row == 1) {
            continue;
        }
        switch (sum_of_row) {
        case 0:
            sum += FIRST;
            break;
        case 2:
            sum += THIRD;
        default:
            sum ^= b;
            break;
        case 3:
            sum += 7;
        }
        if (sum % 11 == 5) {
            break;
        }
    }
    do {
        uint64_t sum = b--;
        a += sum | 1;
    } while (b & 3);
    return sum + a * (a != 0 && b || !a) + (a > b ? SECOND : -1);
}
static void change(thing *t, thing by_value, uint64_t *place)
{
    by_value.x += 1;
    t->part.y[1] = (uint8_t)(by_value.x + t->x++);
    *place++ += t->part.y[1];
    place[-1] <<= 3;
    place[0] = --place[-1];
}
static uint64_t objects(uint64_t a, uint64_t b)
{
    thing t = {.part = {{1, 2}}, .x = (int32_t)(a & 0xffff)}, other = t, *p = &other;
    uint64_t cells[3] = {a, b};
    change(p, t, cells + (b & 1));
    other.part = t.part.y[0] ? p->part : t.part;
    return cells[0] + cells[1] * 3 + cells[2] + (uint64_t)other.x + other.part.y[1] + table[2 + (a & 1)] + table[0] +
           ((thing){5, {{6}}}).part.y[0] + (uint64_t)(p == &other);
}
"""
NAMES = ("wide", "mixed", "big", "flow", "objects")
MAIN = """
int main(void)
{
    unsigned long long a, b;
    while (scanf("%llu %llu", &a, &b) == 2) printf("%llu %llu %llu %llu %llu\\n", CALLS);
    return 0;
}
"""
REFUSED = {
    "a signed overflow": "int32_t f(int32_t a) { return a + 1; }", "a shift by its bits": "uint32_t f(uint32_t a) { return 1u << (a & 32); }",
    "a read of nothing": "uint32_t f(uint32_t a) { uint32_t x[2]; return x[a & 1]; }",
    "a read outside": "uint32_t f(uint32_t a) { uint32_t x[2] = {a}; return x[2]; }", "a division by 0": "uint32_t f(uint32_t a) { return a / 0; }",
    "no end": "uint32_t f(uint32_t a) { while (a) { } return 0; }", "an unknown function": "uint32_t f(uint32_t a) { return g(a); }",
}


def test_functions_compute_what_the_compiler_makes(tmp_path):
    source, rng = tmp_path / "meaning.c", random.Random(1)
    calls = ", ".join("(unsigned long long)%s(a, b)" % name for name in NAMES)
    head = "#include <stdint.h>\n#include <stdio.h>\ntypedef unsigned __int128 sumac_u128;\n"
    source.write_text(head + TEXT + MAIN.replace("CALLS", calls))
    toolchain.call(toolchain.tool("x86_64", "gcc"), "-O1", "-fwrapv", "-o", tmp_path / "meaning", source)
    number = lambda: rng.choice([0, 1, 255, 1 << 31, (1 << 64) - 1, rng.getrandbits(64), rng.getrandbits(33)])
    pairs = [(number(), number()) for _ in range(300)]
    out = subprocess.run([*toolchain.runner("x86_64"), tmp_path / "meaning"], input="".join("%d %d\n" % p for p in pairs), capture_output=True,
                         text=True, check=True).stdout
    program = Program(declarations(TEXT))
    for (a, b), line in zip(pairs, out.splitlines(), strict=True):
        found = [Run(program).call(name, a, b) % (1 << 64) for name in NAMES]
        assert found == [int(x) for x in line.split()], (a, b)


@pytest.mark.parametrize("what", REFUSED)
def test_what_c_does_not_define_is_refused(what):
    with pytest.raises(Reject):
        Run(Program(declarations(REFUSED[what]))).call("f", (1 << 31) - 1)
