#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Check that every source file begins with the licence's line, or has it after a shebang.

  spdx.py [--check]   name the files that lack the line; the exit status is then 1
  spdx.py --fix       insert the line into them

Generated files must also have the line. Their generators write it.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINE = "SPDX-License-Identifier: Apache-2.0 OR MIT"
C_LIKE = (".c", ".h", ".cu", ".cuh", ".S", ".cc", ".cpp")
HASH = (".py", ".sh", ".cmake", ".pc")
HASH_NAMES = ("CMakeLists.txt", "Makefile")


def comment(name, text):
    """Return the licence's line as a comment of a file. If the file is not a source file, return None."""
    base = name.removesuffix(".in")
    if base.endswith(C_LIKE):
        return "/* " + LINE + " */\n"
    if base.endswith(HASH) or pathlib.PurePath(name).name in HASH_NAMES or text.startswith("#!"):
        return "# " + LINE + "\n"
    return None


def split_shebang(text):
    end = text.find("\n") + 1 if text.startswith("#!") else 0
    return text[:end], text[end:]


def lacking():
    """Yield (path, missing line) for every file that lacks the line and is in git, or could be."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            stdout=subprocess.PIPE, check=True).stdout.decode()
    for name in sorted(set(listed.split("\0")) - {""}):
        path = ROOT / name
        if not path.is_file():
            continue
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        line = comment(name, text)
        if line is not None and not split_shebang(text)[1].startswith(line):
            yield path, line


def main(arguments):
    if arguments not in ([], ["--check"], ["--fix"]):
        sys.exit(__doc__)
    status = 0
    for path, line in lacking():
        if arguments == ["--fix"]:
            shebang, rest = split_shebang(path.read_bytes().decode())
            path.write_bytes((shebang + line + rest).encode())
        else:
            print("%s: the licence's line is missing: %s" % (path.relative_to(ROOT), line.strip()))
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
