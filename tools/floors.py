#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Check that files of include/, src/ and compat/ include headers only from the folders that LAYERS allows, and that includes
have no cycles. With --calls BUILD, also check that calls between modules, and between folders, of src/ have no cycles.

The output has `path:line: sentence` for each wrong include, and `module: sentence` for each cycle of calls. The exit status is
then 1.

  floors.py [--calls BUILD] [ROOT]
"""
import argparse
import os
import re
import subprocess
import sys

# The folders are listed from the lowest layer to the highest. For each there are the other folders whose headers it may
# include. Code that is compiled for each curve includes the curve's constants, src/curves/generated, by a macro.
LAYERS = {
    "include/sumac": "",
    "src/base": "include/sumac",
    "src/math": "",
    "src/curves": "include/sumac src/math",
    "src/codec": "include/sumac src/base src/math src/curves",
    "src/pipeline": "include/sumac src/base src/math src/curves src/codec",
    # This folder has devices' queues, threads, workspaces and bases. Its code knows no handle of a context. From src/vector it
    # uses only the table that engines fill in.
    "src/executor": "include/sumac src/base src/math src/curves src/codec src/pipeline src/vector/vector.h",
    # This folder has the table that engines fill in, and calls on vectors, which use the table through an executor.
    "src/vector": "include/sumac src/base src/math src/curves src/pipeline src/executor",
    # Engines do not include each other. Lanes are not an engine, because the CPU's stages use them.
    "src/lanes": "include/sumac src/math src/curves src/pipeline src/vector",
    "src/cpu": "include/sumac src/base src/math src/curves src/codec src/pipeline src/vector src/lanes",
    "src/cuda": "include/sumac src/base src/math src/curves src/codec src/pipeline src/vector",
    # No other folder includes plans. Engines find plans in tables that the build fills in.
    "src/plans": "include/sumac src/base src/math src/curves src/pipeline src/cpu src/cuda",
    "src/api": "include/sumac src/base src/math src/curves src/codec src/pipeline src/executor src/vector src/cpu",
    "src/io": "include/sumac src/base src/math src/curves src/codec src/pipeline src/executor src/vector src/cpu src/api",
    # Applications check their arguments with a few helpers of src/api, read files through src/io, and compute by calls on
    # vectors. They begin a call and set the context's message through api/call.h, because no public function does this. The
    # program is not part of the library. It has its own copies of these files, because the library hides them.
    "src/kzg": "include/sumac src/base src/codec src/executor src/vector src/io src/api/call.h src/api/bases.h "
                "src/api/bases_read.h src/api/pairing.h src/api/points.h src/api/vector_checks.h",
    "src/groth16": "include/sumac src/base src/codec src/executor src/vector src/io src/api/call.h src/api/msm.h "
                   "src/api/bases_read.h src/api/points.h",
    "src/plonk": "include/sumac src/base src/codec src/executor src/vector src/io src/api/call.h src/api/msm.h "
                 "src/api/bases_read.h src/api/points.h",
    # libsumac_mpi is a separate library. It has its own copies of the checksum and of the code that checks structs.
    "src/mpi": "include/sumac src/base/sizes.h src/base/try.h src/codec/checksum.h",
    "src/cli": "include/sumac src/base src/io/path.h src/io/whole_file.h src/codec/file_kinds.h",
    # The interfaces of other libraries use only the public headers.
    "compat/kzg": "include/sumac",
    "compat/ckzg": "include/sumac compat/kzg",
    "compat/eth_kzg": "include/sumac compat/kzg",
    "compat/rapidsnark": "include/sumac",
    "compat/supraseal": "include/sumac",
    "compat/icicle_gnark": "include/sumac",
    "compat/pil2": "include/sumac",
    "compat/sppark": "include/sumac",
}

INCLUDE = re.compile(r'\s*#\s*include\s+(["<])([^">]+)[">]')
HEADERS = (".h", ".cuh")
SOURCES = (".c", ".cu", ".c.in", ".cu.in")


def find_files(root):
    """Yield all headers and sources, as paths relative to the root."""
    for top in ("include", "src", "compat"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith(HEADERS + SOURCES):
                    yield os.path.relpath(os.path.join(folder, name), root)


def find_includes(root, files):
    """Yield (file, line, included file) for each include of a file of the project."""
    for path in sorted(files):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for line, text in enumerate(file, 1):
                match = INCLUDE.match(text)
                # The <mpi.h> that sumac/mpi.h includes is another file.
                beside = (os.path.dirname(path),) if match and match.group(1) == '"' else ()
                for folder in beside + ("src", "include") if match else ():
                    target = os.path.normpath(os.path.join(folder, match.group(2)))
                    if target in files:
                        yield path, line, target
                        break


def folder_of(path):
    return "/".join(path.split("/")[:2])


def module_of(path):
    """Return the module of a file. A source and the header of the same name form one module."""
    return os.path.join(os.path.dirname(path), os.path.basename(path).split(".")[0])


def check_floors(includes):
    for path, line, target in includes:
        here, included = folder_of(path), folder_of(target)
        allowed = LAYERS.get(here)
        if allowed is None:
            yield path, line, "%s is not in the table of tools/floors.py" % here
        elif here != included and included not in allowed.split() and target not in allowed.split():
            yield path, line, "%s may not include %s" % (here, target)


def check_circles(edges):
    """Yield each (path, line, from, to) that lies on a cycle."""
    graph = {}
    for _, _, start, end in edges:
        graph.setdefault(start, set()).add(end)
    reached = {}
    for start in graph:
        seen, rest = set(), [start]
        while rest:
            new = graph.get(rest.pop(), set()) - seen
            seen |= new
            rest.extend(new)
        reached[start] = seen
    for path, line, start, end in edges:
        if start == end or start in reached.get(end, ()):
            yield path, line, "a circle: %s leads back to %s" % (end, start)


OBJECT = re.compile(r"^(.*?)/?CMakeFiles/[^/]+\.dir/(.*)\.c\.o$")


def find_objects(root, build):
    """Yield (module, object file) for each existing source that is compiled only once."""
    for folder, _, names in os.walk(os.path.join(build, "src")):
        for name in names:
            match = OBJECT.match(os.path.relpath(os.path.join(folder, name), build))
            source = os.path.normpath(os.path.join(match.group(1), match.group(2).replace("__", ".."))) if match else ""
            if os.path.exists(os.path.join(root, source + ".c")):
                yield source, os.path.join(folder, name)


def find_calls(root, build):
    """Yield (module, called module, function). A table of functions is data, so reading one is not a call."""
    defined, called = {}, {}
    for module, path in find_objects(root, build):
        table = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
        for words in map(str.split, table.splitlines()):
            if words[-2] == "T":
                defined.setdefault(words[-1], set()).add(module)
            elif words[-2] == "U":
                called.setdefault(module, set()).add(words[-1])
    if not called:
        sys.exit("%s holds no objects of src/" % build)
    for module, functions in called.items():
        for function in functions:
            for target in defined.get(function, ()):
                if target != module:
                    yield module, target, function


def check_calls(calls):
    calls = list(calls)
    between = [(module, function, module, target) for module, target, function in calls]
    folders = [(module, function, folder_of(module), folder_of(target)) for module, target, function in calls]
    folders = [edge for edge in folders if edge[2] != edge[3]]
    for module, function, sentence in list(check_circles(between)) + list(check_circles(folders)):
        yield "%s: calls %s, %s" % (module, function, sentence)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", nargs="?", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    parser.add_argument("--calls", metavar="BUILD")
    given = parser.parse_args()
    root = given.root
    files = set(find_files(root))
    includes = list(find_includes(root, files))
    headers = [(path, line, path, target) for path, line, target in includes if path.endswith(HEADERS)]
    # A header without a source of the same name, such as a header of types, belongs to no module, because several modules
    # include it.
    modules = {module_of(path) for path in files if path.endswith(SOURCES)}
    between = [(path, line, module_of(path), module_of(target)) for path, line, target in includes]
    between = [edge for edge in between if edge[2] != edge[3] and modules.issuperset(edge[2:])]
    wrong = set(check_floors(includes)) | set(check_circles(headers)) | set(check_circles(between))
    wrong = ["%s:%d: %s" % place for place in sorted(wrong)]
    if given.calls:
        wrong += sorted(set(check_calls(find_calls(root, given.calls))))
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
