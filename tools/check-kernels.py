#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Check the report of ptxas on the CUDA kernels against src/cuda/budget.json.

    check-kernels.py BUILD-DIRECTORY          check; exit with 1 if a kernel is over its budget, spills or is missing
    check-kernels.py --table BUILD-DIRECTORY  print what every kernel uses
    check-kernels.py --names                  check that the budget's curves and scalar fields exist; needs no build
    check-kernels.py --record COMPILER ARGUMENT...
                                              run a compiler and save its report beside the object, as OBJECT.ptxas

A build with -DSUMAC_CUDA_REPORT=ON calls the compiler through --record, and makes ptxas write a report. The budget names
kernels as the source does, with their template arguments. It also names the curve for which they are compiled, or "" if they
are compiled only once. Unless --all is given, kernels of a curve that is not part of the build are skipped.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUFFIX = ".ptxas"
SCALAR_FIELD = re.compile(r"^#define FR_ID (\w+)$", re.MULTILINE)
ENTRY = re.compile(r"Compiling entry function '(\S+)' for '(\w+)'")
PROPERTIES = re.compile(r"Function properties for (\S+)")
FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
REGISTERS = re.compile(r"Used (\d+) registers")


def record(command):
    """Run the compiler. Its report goes to OBJECT.ptxas, and everything else goes to standard error as usual."""
    result = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    report, rest = [], []
    for line in result.stderr.splitlines():
        (report if "ptxas info" in line or FRAME.search(line) else rest).append(line)
    if rest:
        print("\n".join(rest), file=sys.stderr)
    if "-o" in command and "-c" in command:
        Path(command[command.index("-o") + 1] + SUFFIX).write_text("\n".join(report) + "\n", encoding="utf-8")
    return result.returncode


def demangle(names):
    output = subprocess.run(["c++filt"], input="\n".join(names), stdout=subprocess.PIPE, text=True, check=True).stdout
    short = []
    for name in output.splitlines():
        name = re.sub(r"\(.*", "", name)
        name = re.sub(r"^void ", "", name)
        short.append(name.split("::")[-1])
    return dict(zip(names, short))


def read_report(path):
    """Return the kernels of a report. Each has a mangled name, architecture, registers, stack and spilled bytes."""
    kernels, entry, about = [], None, None
    for line in path.read_text(encoding="utf-8").splitlines():
        if match := ENTRY.search(line):
            entry = {"mangled": match[1], "architecture": match[2], "spilled": 0, "stack": 0}
        elif match := PROPERTIES.search(line):
            about = match[1]
        elif (match := FRAME.search(line)) and entry is not None:
            if about == entry["mangled"]:
                entry["stack"] = int(match[1])
                entry["spilled"] = int(match[2]) + int(match[3])
        elif (match := REGISTERS.search(line)) and entry is not None:
            entry["registers"] = int(match[1])
            kernels.append(entry)
            entry = None
    return kernels


def curve_of(path):
    match = re.search(r"sumac_(\w+)_cuda\.dir", str(path))
    return match[1] if match else ""


def read_build(build):
    kernels = []
    for path in sorted(Path(build).rglob("*" + SUFFIX)):
        for kernel in read_report(path):
            kernels.append({**kernel, "curve": curve_of(path)})
    names = demangle(sorted({kernel["mangled"] for kernel in kernels})) if kernels else {}
    for kernel in kernels:
        kernel["kernel"] = names[kernel["mangled"]]
    return kernels


def complaints(kernels, budget, check_all):
    curves = {kernel["curve"] for kernel in kernels}
    for entry in budget:
        if entry["curve"] not in curves and not check_all:
            continue
        what = f'{entry["kernel"]} of {entry["curve"] or "all curves"}'
        found = [k for k in kernels if k["kernel"] == entry["kernel"] and k["curve"] == entry["curve"]]
        if not found:
            yield f"{what} is not in the build"
        for kernel in found:
            if kernel["registers"] > entry["registers"]:
                yield f'{what} uses {kernel["registers"]} registers, {entry["registers"]} are allowed'
            if kernel["spilled"] > entry.get("spilled", 0):
                yield f'{what} spills {kernel["spilled"]} bytes, {entry.get("spilled", 0)} are allowed'


def unknown_names(budget):
    """Return names in the budget that are neither a curve nor a curve's scalar field."""
    headers = sorted((ROOT / "src/curves/generated").glob("*.h"))
    fields = {match[1] for header in headers if (match := SCALAR_FIELD.search(header.read_text(encoding="utf-8")))}
    known = {""} | {header.stem for header in headers} | {field + "_scalars" for field in fields}
    return [f'{entry["kernel"]}: there is no {entry["curve"]}' for entry in budget if entry["curve"] not in known]


def main(arguments):
    if arguments[:1] == ["--record"]:
        return record(arguments[1:])
    budget = json.loads((ROOT / "src/cuda/budget.json").read_text(encoding="utf-8"))["kernels"]
    if arguments == ["--names"]:
        problems = unknown_names(budget)
        print("\n".join(problems), file=sys.stderr, end="\n" if problems else "")
        return 1 if problems else 0
    options = [a for a in arguments if a.startswith("--")]
    builds = [a for a in arguments if not a.startswith("--")]
    if len(builds) != 1 or set(options) - {"--table", "--all"}:
        print(__doc__, file=sys.stderr)
        return 2
    kernels = read_build(builds[0])
    if not kernels:
        print(f"{builds[0]} has no reports: it was not built with -DSUMAC_CUDA_REPORT=ON", file=sys.stderr)
        return 1
    if "--table" in options:
        for k in sorted(kernels, key=lambda k: (k["curve"], k["kernel"])):
            print(f'{k["curve"] or "-":14} {k["kernel"]:44.44} {k["architecture"]} {k["registers"]:4} registers '
                  f'{k["stack"]:5} stack {k["spilled"]:5} spilled')
        return 0
    problems = list(complaints(kernels, budget, "--all" in options))
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        curves = {kernel["curve"] for kernel in kernels}
        checked = sum(1 for entry in budget if entry["curve"] in curves)
        print(f"{checked} kernels are within their budget")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
