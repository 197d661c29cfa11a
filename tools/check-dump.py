#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Name the first stage of an MSM whose output does not follow from its input.

  check-dump.py DIRECTORY

DIRECTORY is the dump of one call, which a build with -DSUMAC_DUMP has written (docs/internals/debugging.md). Each stage is
computed again from the previous stage's output, with the arithmetic of tests/reference/ref.py. That code shares nothing with
the library, so a wrong stage is found even if all variants, engines and plans have the same bug. 1000 bases take some seconds.

If all stages are right, the exit status is 0. If a stage is wrong, its first wrong lines are printed, and the status is 1. The
status is 2 if the dump cannot be checked, because the MSM has several chunks or copy slices, has Montgomery or signed scalars,
or is in G2.
"""
import collections
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "reference"))
import ref  # noqa: E402


def rows(folder, name):
    """Yield (numbers, values) for each line `words numbers: values` of a file."""
    with open(os.path.join(folder, name + ".txt"), encoding="ascii") as f:
        for line in f:
            key, _, values = line.partition(":")
            if not line.startswith("pass"):
                yield tuple(map(int, re.findall(r"\d+", key))), values.split()


def points(folder, name):
    read = {key: tuple(int(v, 16) for v in values) for key, values in rows(folder, name)}
    return {key: point for key, point in read.items() if point != (0, 0)}


def text(value):
    """Convert numbers and points to hexadecimal digits, as the dump does. Entries are already strings."""
    if value is None:
        return "nothing"
    return hex(value) if isinstance(value, int) else " ".join(hex(v) if isinstance(v, int) else v for v in value)


def compare(stage, expected, found, names):
    """Print the first five differences and exit. If there are none, return. A missing value means 0, or infinity."""
    wrong = [key for key in sorted(set(expected) | set(found)) if expected.get(key) != found.get(key)]
    print("%-10s %s" % (stage, "%d of %d wrong" % (len(wrong), len(set(expected) | set(found))) if wrong else "right"))
    for key in wrong[:5]:
        print("  %s\n    expected %s\n    dumped   %s" % (" ".join("%s %d" % pair for pair in zip(names, key)), text(expected.get(key)),
                                                          text(found.get(key))))
    if wrong:
        sys.exit(1)


def eigenvalue(curve, group):
    """Return lambda, by which the endomorphism multiplies points, from the group's file of constants."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src", "curves")
    with open(os.path.join(folder, "%s_%s.json" % (curve.replace("-", "_"), group)), encoding="utf-8") as f:
        return int(json.load(f)["lambda"], 16)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    with open(os.path.join(folder, "plan.txt"), encoding="ascii") as f:
        words = [line.split() for line in f]
    plan = {w[0]: int(w[1]) for w in words if len(w) == 2 and w[1].isdigit()}
    curve, group = words[0][1:3]
    if group != "g1" or plan["chunks"] > 1 or plan["copy-slices"] > 1:
        print("only an MSM in G1 of one chunk and one copy slice can be checked")
        sys.exit(2)
    g = ref.Group(curve, group)
    c, modules, tables = plan["c"], plan["modules"], plan["digits"] > 1
    scalars = {key: int(values[0], 16) for key, values in rows(folder, "scalars")}
    bases = {key[0]: point for key, point in points(folder, "bases").items()}
    digits = {key: int(values[0]) for key, values in rows(folder, "1-digits")}
    lists = {key: sorted(values) for key, values in rows(folder, "2-lists")}
    buckets, parts, results = (points(folder, name) for name in ("3-buckets", "4-parts", "5-results"))

    # recode: the digits of a scalar add up to it, modulo r. Multiple t of module j is window t*modules + j, or with the
    # endomorphism window j of a term that is multiplied by lambda^t.
    if scalars:
        sums, factor = collections.Counter(), eigenvalue(curve, group) if plan["glv"] > 1 else 1 << c * modules
        for (module, multiple, base), digit in digits.items():
            sums[module // modules, base] += (digit << c * (module % modules)) * factor**multiple
        compare("recode", {k: v % g.r for k, v in scalars.items() if v % g.r}, {k: v % g.r for k, v in sums.items() if v % g.r},
                ("msm", "base"))

    # sort: each digit has an entry in the list of its bucket. The table has multiple 0 of all bases, then multiple 1, and so on.
    if not tables:
        expected = collections.defaultdict(list)
        count = len(list(rows(folder, "bases"))) // (max(plan["multiples"], 1) * plan["glv"])
        for (module, multiple, base), digit in digits.items():
            index = multiple * count + plan["first-base"] + module // modules % plan["base-sets"] * plan["n"] + base
            expected[module, abs(digit)].append("%s%d" % ("-" if digit < 0 else "+", index))
        compare("sort", {k: sorted(v) for k, v in expected.items()}, lists, ("module", "bucket"))

    # accumulate: a bucket is the sum of its entries' points.
    if plan["sums-are-buckets"]:
        expected = {}
        for key, entries in lists.items():
            total = None
            for entry in entries:
                point = bases.get(int(entry[1:]))
                total = g.add(total, g.neg(point) if entry[0] == "-" else point)
            if total is not None:
                expected[key] = total
        compare("accumulate", expected, buckets, ("module", "bucket"))

    # reduce: the sum of 2^l times part l of a module equals the sum of b times its bucket b.
    expected, found = {}, {}
    for (module, b), point in buckets.items():
        expected[module] = g.add(expected.get(module), g.mul(b if plan["sums-are-buckets"] else 1, point))
    for (module, part), point in parts.items():
        found[module] = g.add(found.get(module), g.mul(1 << part, point))
    compare("reduce", {(k,): v for k, v in expected.items() if v}, {(k,): v for k, v in found.items() if v}, ("module",))

    # combine: an MSM's result is the sum of 2^(c*j) times module j.
    expected = {}
    for module, point in found.items():
        msm = (module // modules,)
        expected[msm] = g.add(expected.get(msm), g.mul(1 << c * (module % modules), point))
    compare("combine", {k: v for k, v in expected.items() if v}, results, ("msm",))


if __name__ == "__main__":
    main()
