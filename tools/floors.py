#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks what the files of include/, src/ and compat/ include: folders below them, and nothing in a circle.

Prints `path:line: sentence` for each include that is wrong, and exits with 1 if there is one.

  floors.py [ROOT]
"""
import os
import re
import sys

# For each folder, from the ground up, the others of which it may include headers.
# The constants of a curve, src/curves/generated, come to what is compiled per curve by the name of a macro.
FLOORS = {
    "include/sumac": "",
    "src/base": "",
    "src/math": "",
    "src/curves": "include/sumac src/math",
    "src/codec": "include/sumac src/base src/math src/curves",
    "src/pipeline": "include/sumac src/base src/math src/curves src/codec",
    "src/vector": "include/sumac src/math src/curves src/pipeline",
    # Engines stand beside each other. The lanes of AVX-512 are not one: the CPU's stages are made of them.
    "src/avx512": "include/sumac src/math src/curves src/pipeline src/vector",
    "src/cpu": "include/sumac src/base src/math src/curves src/codec src/pipeline src/vector src/avx512",
    "src/cuda": "include/sumac src/base src/math src/curves src/codec src/pipeline src/vector",
    # Nothing includes plans: the engines find what the build has put into the tables there.
    "src/plans": "include/sumac src/base src/math src/curves src/pipeline src/cpu src/cuda",
    "src/api": "include/sumac src/base src/math src/curves src/codec src/pipeline src/vector src/cpu",
    "src/io": "include/sumac src/base src/math src/curves src/codec src/pipeline src/vector src/cpu src/api",
    # Applications use what users see, and files. No public call sets a context's sentence: their calls begin and fail by
    # api/call.h. The program is no part of the library, which hides its copies of these files.
    "src/kzg": "include/sumac src/base src/codec src/io src/api/call.h",
    # A library of its own, which has its own copy of the checksum.
    "src/mpi": "include/sumac src/codec/checksum.h",
    "src/cli": "include/sumac src/base src/io/whole_file.h src/codec/file_kinds.h",
    # The interfaces of other libraries see what users see.
    "compat/ckzg": "include/sumac",
}

INCLUDE = re.compile(r'\s*#\s*include\s+(["<])([^">]+)[">]')
HEADERS = (".h", ".cuh")
SOURCES = (".c", ".cu", ".c.in", ".cu.in")


def find_files(root):
    """All headers and sources, as paths from the root."""
    for top in ("include", "src", "compat"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith(HEADERS + SOURCES):
                    yield os.path.relpath(os.path.join(folder, name), root)


def find_includes(root, files):
    """(file, line, included file) for all that is included from the project."""
    for path in sorted(files):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            for line, text in enumerate(file, 1):
                match = INCLUDE.match(text)
                # <mpi.h> in sumac/mpi.h is another file.
                own = (os.path.dirname(path),) if match and match.group(1) == '"' else ()
                for folder in own + ("src", "include") if match else ():
                    target = os.path.normpath(os.path.join(folder, match.group(2)))
                    if target in files:
                        yield path, line, target
                        break


def folder_of(path):
    return "/".join(path.split("/")[:2])


def module_of(path):
    """A source and the header of its name are one module."""
    return os.path.join(os.path.dirname(path), os.path.basename(path).split(".")[0])


def check_floors(includes):
    for path, line, target in includes:
        here, there = folder_of(path), folder_of(target)
        allowed = FLOORS.get(here)
        if allowed is None:
            yield path, line, "%s is not in the table of tools/floors.py" % here
        elif here != there and there not in allowed.split() and target not in allowed.split():
            yield path, line, "%s may not include %s" % (here, target)


def check_circles(edges):
    """Each of the (path, line, from, to) whose end leads back to its beginning."""
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


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    files = set(find_files(root))
    includes = list(find_includes(root, files))
    headers = [(path, line, path, target) for path, line, target in includes if path.endswith(HEADERS)]
    # A header without a source, as one of types, belongs to no module: several may stand on it.
    modules = {module_of(path) for path in files if path.endswith(SOURCES)}
    between = [(path, line, module_of(path), module_of(target)) for path, line, target in includes]
    between = [edge for edge in between if edge[2] != edge[3] and modules.issuperset(edge[2:])]
    wrong = set(check_floors(includes)) | set(check_circles(headers)) | set(check_circles(between))
    for path, line, sentence in sorted(wrong):
        print("%s:%d: %s" % (path, line, sentence))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
