#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This program compares the meanings of PTX's instructions in machines/ptx_numbers.py with a GPU, on random and extreme
operands.

  ptx_meanings.py [COUNT [SEED]]    COUNT operands of each instruction (100000); needs nvcc and a GPU
  ptx_meanings.py --source          print the CUDA program that it compiles

Exit status 1 means that instructions differ, whose names are printed, and 77 that nvcc or the GPU is missing. If an instruction
reads the carry flag, an instruction that sets it comes first, and if it sets the flag, one that reads it follows, in the same
asm statement."""
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from claims.ptx import nvcc
from machines.ptx_numbers import MEANINGS, READS_FLAG

EXTREMES = [0, 1, 2, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1, 2**32, 2**63, 2**64 - 2, 2**64 - 1]
OPERANDS = {"mad": 3, "madc": 3, "neg": 1, "not": 1, "cvt": 1, "shf": 3, "selp": 3}
SHIFTS = ("shl.b32", "shl.b64", "shr.u64")

HEAD = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned long long word;

#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { \\
    fprintf(stderr, "%s\\n", cudaGetErrorString(e)); exit(77); } } while (0)
"""

MAIN = """
/* Five words of operands for each thread and instruction, from standard input; two words of results to standard output. */
int main(void)
{
    word header[1];
    if (fread(header, 8, 1, stdin) != 1) return 1;
    const size_t count = header[0];
    word *in, *out, *device_in, *device_out;
    in = (word *)malloc(count * 40);
    out = (word *)malloc(count * 16);
    CHECK(cudaMalloc(&device_in, count * 40));
    CHECK(cudaMalloc(&device_out, count * 16));
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        if (fread(in, 40, count, stdin) != count) return 1;
        CHECK(cudaMemcpy(device_in, in, count * 40, cudaMemcpyHostToDevice));
        kernels[k]<<<(unsigned)((count + 127) / 128), 128>>>(device_in, device_out, count);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(out, device_out, count * 16, cudaMemcpyDeviceToHost));
        if (fwrite(out, 16, count, stdout) != count) return 1;
    }
    return 0;
}
"""


def operand_count(name):
    return OPERANDS.get(name.split(".")[0], 4 if name == "bfi.b64" else 2)


def widths(name):
    """Return the bits of the result and of each operand."""
    kind, count = name.split(".")[0], operand_count(name)
    wide = 64 if name.endswith("64") else 32
    if kind == "cvt":
        return (32, [64]) if name == "cvt.u32.u64" else (64, [32])
    if name == "mul.wide.s32":
        return 64, [32, 32]
    if name in SHIFTS:
        return wide, [wide, 32]
    if name == "bfi.b64":
        return 64, [64, 64, 32, 32]
    return wide, [wide] * count


def kernel(number, name):
    result, operands = widths(name)
    kind, letter = name.split(".")[0], {32: "r", 64: "l"}
    text = []
    if READS_FLAG.match(name):
        # The carry is the fifth word. If it is a borrow, it comes from 0 - carry.
        text.append("sub.cc.u32 t, 0, %%%d;" % (2 + len(operands)) if kind == "subc"
                    else "add.cc.u32 t, %%%d, 0xffffffff;" % (2 + len(operands)))
    arguments = ", ".join("%%%d" % (2 + i) for i in range(len(operands)))
    if kind == "setp":
        text.append("%s p, %s; selp.u32 %%0, 1, 0, p;" % (name, arguments))
    elif kind == "selp":
        text.append("setp.ne.u32 p, %4, 0; selp.b32 %0, %2, %3, p;")
    else:
        text.append("%s %%0, %s;" % (name, arguments))
    if ".cc" in name:
        text.append("subc.u32 t, 0, 0; and.b32 %1, t, 1;" if kind.startswith("sub") else "addc.u32 %1, 0, 0;")
    else:
        text.append("mov.u32 %1, 0;")
    c_types = {32: "uint32_t", 64: "word"}
    inputs = ", ".join('"%s"((%s)x[%d])' % (letter[bits], c_types[bits], i) for i, bits in enumerate(operands))
    return """
__global__ void kernel_%d(const word *in, word *out, size_t count) /* %s */
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count) return;
    const word *x = in + 5 * i;
    %s r;
    uint32_t flag;
    asm volatile("{ .reg .u32 t; .reg .pred p; %s }" : "=%s"(r), "=r"(flag) : %s, "r"((uint32_t)x[4]));
    out[2 * i] = r;
    out[2 * i + 1] = flag;
}
""" % (number, name, c_types[result], " ".join(text), letter[result], inputs)


def source():
    kernels = "".join(kernel(i, name) for i, name in enumerate(MEANINGS))
    table = "static void (*const kernels[])(const word *, word *, size_t) = {%s};\n" % ", ".join(
        "kernel_%d" % i for i in range(len(MEANINGS)))
    return HEAD + kernels + table + MAIN


def operands(name, rng):
    """Return operands, and a carry."""
    values = []
    for bits in widths(name)[1]:
        value = rng.choice(EXTREMES) if rng.random() < 0.4 else rng.getrandbits(64)
        values.append(value % 2**bits)
    if name in SHIFTS or name.startswith("shf"):
        values[-1] = rng.randrange(70)
    if name == "bfi.b64":
        values[2:] = [32, 32]  # This is the only bit field that the machine knows.
    if name == "selp.b32":
        values[2] = rng.randrange(2)
    return values, rng.randrange(2)


def main(count=100000, seed=1):
    if nvcc() is None:
        print("not compared: there is no nvcc")
        return 77
    rng = random.Random(seed)
    cases = {name: [operands(name, rng) for _ in range(count)] for name in MEANINGS}
    with tempfile.TemporaryDirectory() as folder:
        path, program = Path(folder) / "meanings.cu", Path(folder) / "meanings"
        path.write_text(source(), encoding="utf-8")
        subprocess.run([nvcc(), "-O3", "-arch=sm_90", "-o", str(program), str(path)], check=True)
        data = [count] + [word for name in MEANINGS for values, flag in cases[name]
                          for word in (values + [0] * (4 - len(values)) + [flag])]
        run = subprocess.run([str(program)], input=b"".join(w.to_bytes(8, "little") for w in data), stdout=subprocess.PIPE,
                             check=False)
    if run.returncode:
        return run.returncode
    results = [int.from_bytes(run.stdout[i:i + 8], "little") for i in range(0, len(run.stdout), 8)]
    failed = 0
    for number, name in enumerate(MEANINGS):
        differ = []
        for i, (values, flag) in enumerate(cases[name]):
            result, out = MEANINGS[name](*values, flag if READS_FLAG.match(name) else 0)
            at = 2 * (number * count + i)
            if results[at] != result or ".cc" in name and results[at + 1] != out:
                differ.append((values, flag, results[at:at + 2], (result, out)))
        print("%-16s %s" % (name, "differs, first for (operands, flag, GPU, here) %s" % (differ[0],) if differ else
                            "%d operands agree" % count))
        failed += bool(differ)
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--source"]:
        print(source())
    else:
        sys.exit(main(*map(int, sys.argv[1:])))
