#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests dumps of stages (src/pipeline/dump.h), and tools/check-dump.py.

  test_dump.py DUMP-MSM CHECK-DUMP VARIANT...

check-dump.py must accept all stages of right calls, and all variants must dump the same text. If a line in a stage's dump is
wrong, check-dump.py must name that stage.
"""
import os
import subprocess
import sys
import tempfile

CALLS = [("4", "1", "1"), ("8", "3", "1"), ("6", "2", "4")]  # window, batch, multiples
STAGES = ["recode", "sort", "accumulate", "reduce", "combine"]
FILES = ["1-digits.txt", "2-lists.txt", "3-buckets.txt", "4-parts.txt", "5-results.txt"]


def read(folder, name):
    with open(os.path.join("dump", folder, name), encoding="ascii") as f:
        return f.read()


def check(tool, folder):
    done = subprocess.run([sys.executable, "-B", tool, os.path.join("dump", folder)], stdout=subprocess.PIPE, text=True)
    return done.returncode, done.stdout


def damage(folder, name):
    """Replace the value of the last line by that of another line, and return the old text."""
    text = read(folder, name)
    lines = text.splitlines()
    others = [line.split(":", 1)[1] for line in lines if not line.startswith("pass")] + [" 0x01 0x02"]
    key, value = lines[-1].split(":", 1)
    lines[-1] = key + ":" + next(other for other in others if other != value)
    with open(os.path.join("dump", folder, name), "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")
    return text


def main():
    program, tool, variants = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
    number = 0
    with tempfile.TemporaryDirectory(prefix="sumac-dump-") as folder:
        os.chdir(folder)
        for call in CALLS:
            first = None
            for variant in variants:
                status = subprocess.run([program, variant, *call]).returncode
                if status == 77:
                    continue  # the machine does not have this variant
                assert status == 0, (variant, call)
                number += 1
                dumped = [read(str(number), name) for name in FILES]
                first = first or dumped
                assert dumped == first, "%s and %s dump other text for %s" % (variants[0], variant, call)
            assert first is not None
            status, text = check(tool, str(number))
            assert (status, text.count("right")) == (0, len(STAGES)), (call, text)
            for stage, name in zip(STAGES, FILES):
                whole = damage(str(number), name)
                status, text = check(tool, str(number))
                assert status == 1 and [line.split()[0] for line in text.splitlines() if " wrong" in line] == [stage], (stage, text)
                with open(os.path.join("dump", str(number), name), "w", encoding="ascii") as f:
                    f.write(whole)
    print("%d dumps" % number)


if __name__ == "__main__":
    main()
