#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks the Python package that is installed. python.sh --check runs this in bare systems.

  check_python.py README                   run the first example of README, and compare what it prints with what README says; compare
                                           the variant in use with the processor's instructions
  check_python.py --time SETUP OURS GCC    compare the times of a commitment of the packages in two folders, one process each at a time
"""
import contextlib
import io
import os
import platform
import re
import subprocess
import sys

# Each variant with the instructions that it needs beyond those of the one before.
VARIANTS = [("portable", ()), ("adx", ("adx", "bmi2")), ("avx2", ("avx2", "fma")),
            ("avx512", ("avx512f", "avx512dq", "avx512vl", "avx512ifma", "avx512_vbmi2"))]
MOST_TIMES = 1.1
MOST_ROUNDS = 12

# The processor's time, so that other processes take no part in it.
COMMIT = """
import sys, time
import sumac_msm as sumac
context = sumac.Context(backend="cpu", threads=1)
setup = sumac.KzgSetup.open(context, sys.argv[1])
blob = b"".join((i * 0x9e3779b97f4a7c15f39cc0605cedc835 % 2**254).to_bytes(32, "big") for i in range(4096))
best = float("inf")
for _ in range(25):
    start = time.process_time()
    setup.commit(blob)
    best = min(best, time.process_time() - start)
print(best)
"""


def best_variant():
    if platform.machine() != "x86_64":
        return "portable"
    with open("/proc/cpuinfo", encoding="ascii") as file:
        flags = set(re.search(r"^flags\s*: (.*)$", file.read(), re.MULTILINE)[1].split())
    best = ""
    for name, needed in VARIANTS:
        if not flags.issuperset(needed):
            break
        best = name
    return best


def check(readme):
    import sumac_msm as sumac

    with open(readme, encoding="utf-8") as file:
        example, expected = re.search(r"```python\n(.*?)```\n\nprints\n\n```\n(.*?)```", file.read(), re.DOTALL).groups()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(example, readme, "exec"), {})
    assert printed.getvalue() == expected, printed.getvalue()
    variant = sumac.Context(backend="cpu").variant
    assert variant == best_variant(), f"the variant is {variant}, and the processor runs {best_variant()}"
    print(f"sumac-msm {sumac.version}, {platform.machine()}, {variant}, {len(sumac.curves())} groups: OK")


def compare_times(setup, *folders):
    best = dict.fromkeys(folders, float("inf"))
    for _ in range(MOST_ROUNDS):  # more make the fastest of each more certain
        for folder in folders:
            done = subprocess.run([sys.executable, "-B", "-c", COMMIT, setup], env={**os.environ, "PYTHONPATH": folder}, check=True,
                                  stdout=subprocess.PIPE, text=True)
            best[folder] = min(best[folder], float(done.stdout))
        ours, gcc = best.values()
        if ours <= MOST_TIMES * gcc:
            break
    print(f"a commitment: {1e3 * ours:.2f} ms, by gcc's library {1e3 * gcc:.2f} ms, {ours / gcc:.3f} times")
    assert ours <= MOST_TIMES * gcc


if __name__ == "__main__":
    if len(sys.argv) == 2:
        check(sys.argv[1])
    elif len(sys.argv) == 5 and sys.argv[1] == "--time":
        compare_times(*sys.argv[2:])
    else:
        sys.exit(__doc__)
