#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks the Python package that is installed. python.sh --check runs this in bare systems.

  check_python.py README VARIANT   run the first example of README, and compare what it prints with what README says, and the variant
                                   in use with that one
  check_python.py --time SETUP     print a commitment, and the least processor time in microseconds that it took
"""
import contextlib
import io
import platform
import re
import sys
import time

import sumac_msm as sumac


def check(readme, expected_variant):
    with open(readme, encoding="utf-8") as file:
        example, expected = re.search(r"```python\n(.*?)```\n\nprints\n\n```\n(.*?)```", file.read(), re.DOTALL).groups()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(example, readme, "exec"), {})
    assert printed.getvalue() == expected, printed.getvalue()
    variant = sumac.Context(backend="cpu").variant
    assert variant == expected_variant, f"the variant is {variant}, and the processor runs {expected_variant}"
    print(f"sumac-msm {sumac.version}, {platform.machine()}, {variant}, {len(sumac.curves())} groups: OK")


def print_time(setup):
    context = sumac.Context(backend="cpu", threads=1)
    opened = sumac.KzgSetup.open(context, setup)
    blob = b"".join((i * 0x9e3779b97f4a7c15f39cc0605cedc835 % 2**254).to_bytes(32, "big") for i in range(4096))
    best = float("inf")
    for _ in range(25):
        start = time.process_time()
        commitment = opened.commit(blob)
        best = min(best, time.process_time() - start)
    print(bytes(commitment).hex(), round(1e6 * best))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if sys.argv[1] == "--time":
        print_time(sys.argv[2])
    else:
        check(*sys.argv[1:])
