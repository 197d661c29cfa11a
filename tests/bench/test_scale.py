#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""bench/scale.py --check: the model of docs/scale.md says what was measured, and the check can fail.

    test_scale.py SCALE RESULTS
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile


def check(script, results):
    done = subprocess.run([sys.executable, script, "--check", "--results", results], capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stdout + done.stderr


def with_change(script, results, name, change):
    """The status where a result is another one."""
    with tempfile.TemporaryDirectory() as folder:
        for each in os.listdir(results):
            if each.startswith(("h200_", "xeon_mpi_")):
                shutil.copy(os.path.join(results, each), folder)
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        change(result["rows"])
        with open(path, "w", encoding="utf-8") as file:
            json.dump(result, file)
        return check(script, folder)


def slower_on_two(rows):
    rows[1]["two_min_ms"] *= 1.15


def slower_on_one(rows):
    rows[1]["one_min_ms"] *= 1.15


def slower_accumulation(rows):
    """The fit moves, and with it what is said of two devices."""
    for row in rows:
        row["stages_ms"]["accumulate"] *= 1.3
        row["min_ms"] += row["stages_ms"]["accumulate"] * 0.3 / 1.3


def slower_ranks(rows):
    for row in rows:
        if row["ranks"] == 8:
            row["work_ms"] = [1.15 * time for time in row["work_ms"]]


def slower_by_the_clock(rows):
    rows[-1]["min_ms"] *= 1.08


def main():
    script, results = sys.argv[1:]
    status, text = check(script, results)
    if status != 0 or "two GPUs" not in text or "ranks, by the clock" not in text:
        sys.exit("the model does not say what was measured:\n" + text)
    for name, change in (("h200_devices.json", slower_on_two), ("h200_devices.json", slower_on_one),
                         ("h200_kinds.json", slower_accumulation), ("xeon_mpi_ranks.json", slower_ranks),
                         ("xeon_mpi_ranks_clock.json", slower_by_the_clock)):
        status, text = with_change(script, results, name, change)
        if status != 1 or "are off by more than 5%" not in text:
            sys.exit(f"{change.__name__} is not noticed:\n{text}")


if __name__ == "__main__":
    main()
