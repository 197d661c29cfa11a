#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests that the examples in the documents equal the program's output.

  test_docs.py PROGRAM DATA-DIRECTORY [--update]

In README.md and docs/*.md a block that begins with ```console has commands, in lines that begin with "$ ", each followed by its
output. In docs/man/*.roff such a block lies between .EX and .EE. The commands of each document run in order in a temporary
folder that has the ceremony's trusted_setup.txt and a blob.bin, with the program on PATH. The comparison leaves out what
differs between machines: decimal fractions (times, mebibytes), the number of threads, the backend and its planner's choices
(MASKS below), and widths of columns. An ellipsis in the document replaces any text within the line. Every option of every
command must be in docs/cli.md. Targets of links, headings included, and named sources must exist. This is also checked for
docs/internals/.

If outputs in the documents differ, --update replaces them.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
PROMPT = "$ "
MASKS = [
    (r"\d+\.\d+(e[+-]\d+)?", "#.#"),
    (r"\bthreads: \d+", "threads: #"),
    (r"\b(cpu|cuda)( \(|/)\w+", r"backend\2variant"),
    (r'"backend": "\w+"', '"backend": "backend"'),
    (r"\bc = \d+, windows = \d+", "c = #, windows = #"),
    (r"(backend/variant) +\d+ +\d+ ", r"\1 # # "),  # columns c and win of bench
    (r" +", " "),
]


def mask(line):
    for pattern, instead in MASKS:
        line = re.sub(pattern, instead, line)
    return line.rstrip()


def matches(expected, printed):
    pattern = ".*".join(re.escape(mask(part) if part.strip() else part) for part in expected.split("…"))
    if "…" not in expected:
        return mask(expected) == mask(printed)
    return re.fullmatch(pattern.replace(r"\ ", " *"), mask(printed)) is not None


def split(lines):
    """Return the commands, each with the lines that follow it."""
    examples = []
    for line in lines:
        if line.startswith(PROMPT):
            examples.append((line[len(PROMPT):], []))
        elif not examples:
            raise SystemExit("a block does not begin with a command: %r" % line)
        else:
            examples[-1][1].append(line)
    return examples


def blocks(name, text):
    """Yield (first line, end) of each block, with functions that read and write a line of it."""
    lines, begin, man = text.split("\n"), None, name.endswith(".roff")
    opening, closing = (".EX", ".EE") if man else ("```console", "```")
    for i, line in enumerate(lines):
        if begin is None and line == opening:
            begin = i + 1
        elif begin is not None and line == closing:
            yield begin, i
            begin = None
        elif begin is None and re.match(r"\s*\$ ", line):
            raise SystemExit("%s:%d: a command outside a block that is run" % (name, i + 1))
    if begin is not None:
        raise SystemExit("%s:%d: the block has no end" % (name, begin))


def from_man(line):
    return line.replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\")


def to_man(line):
    return line.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")


def run(command, folder, environment):
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=600)
    return done.stdout.decode("utf-8").split("\n")[:-1] if done.stdout else []


def check_document(name, environment, data, update):
    path = os.path.join(ROOT, name)
    with open(path, encoding="utf-8") as f:
        text = f.read()
    lines, wrong, count = text.split("\n"), [], 0
    man = name.endswith(".roff")
    replaced = []
    with tempfile.TemporaryDirectory(prefix="sumac-docs-") as folder:
        for file in ("trusted_setup.txt", "blob.bin"):
            shutil.copy(os.path.join(data, "kzg", file), folder)
        shutil.copy(os.path.join(data, "plonk", "bn254.ptau"), os.path.join(folder, "powers.ptau"))
        for begin, end in blocks(name, text):
            new = []
            for command, expected in split([from_man(l) if man else l for l in lines[begin:end]]):
                printed = run(command, folder, environment)
                same = len(printed) == len(expected) and all(map(matches, expected, printed))
                new += [PROMPT + command] + (expected if same else printed)
                count += 1
                if not same:
                    wrong.append("%s:%d: $ %s\n  the document says\n    %s\n  but it prints\n    %s" % (
                        name, begin + 1, command, "\n    ".join(expected), "\n    ".join(printed)))
            replaced.append((begin, end, [to_man(l) if man else l for l in new]))
    if update and wrong:
        for begin, end, new in reversed(replaced):
            lines[begin:end] = new
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(lines))
    return count, wrong


def check_options(program):
    """Every option of every command is in docs/cli.md."""
    help_text = subprocess.run([program, "--help"], stdout=subprocess.PIPE, text=True).stdout
    with open(os.path.join(ROOT, "docs", "cli.md"), encoding="utf-8") as f:
        document = f.read()
    wrong = []
    for command in re.findall(r"^  (\w+(?: \w+)?) ", help_text, re.M):
        text = subprocess.run([program, *command.split(), "--help"], stdout=subprocess.PIPE, text=True).stdout
        options = re.findall(r"^  (--?[a-z][a-z0-9-]*)", text, re.M)
        assert options, command
        wrong += ["docs/cli.md lacks %s of 'sumac %s'" % (o, command) for o in options
                  if not re.search(r"`%s[ `]" % re.escape(o), document)]
    return wrong


def anchor_of(heading):
    """Return the name by which GitHub links to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().replace("`", "").lower()).replace(" ", "-")


def check_links(names):
    """The links of documents within the repository lead to files and headings that exist."""
    texts = {}
    for name in names:
        with open(os.path.join(ROOT, name), encoding="utf-8") as f:
            texts[name] = re.sub(r"^```.*?^```", "", f.read(), flags=re.S | re.M)
    wrong = []
    for name, text in texts.items():
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            path, _, anchor = target.partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            headings = map(anchor_of, re.findall(r"^#+ (.*)$", texts.get(path, ""), re.M))
            if not target.startswith("http") and (not os.path.exists(os.path.join(ROOT, path)) or
                                                  anchor and path in texts and anchor not in headings):
                wrong.append("%s: a link to %s, which is not there" % (name, target))
    return wrong


def check_paths(names):
    """Sources that documents name exist, and docs/ has at most 17 pages for users."""
    wrong = []
    for name in names:
        with open(os.path.join(ROOT, name), encoding="utf-8") as f:
            paths = re.findall(r"(?<![\w./-])((?:src|include|tools|bench)/[\w/.-]+\.(?:cuh?|[chS]|py|sh))\b", f.read())
        wrong += ["%s: names %s, which is not there" % (name, path) for path in sorted(set(paths))
                  if "NAME" not in path and not os.path.exists(os.path.join(ROOT, path))]
    pages = glob.glob(os.path.join(ROOT, "docs", "*.md"))
    return wrong + (["docs/ has %d pages, more than 17" % len(pages)] if len(pages) > 17 else [])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, data, update = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), "--update" in sys.argv[3:]
    environment = dict(os.environ, PATH=os.path.dirname(program) + ":" + os.environ["PATH"], LC_ALL="C.UTF-8")
    names = ["README.md"] + [os.path.relpath(p, ROOT) for pattern in (("*.md",), ("man", "*.roff"))
                             for p in sorted(glob.glob(os.path.join(ROOT, "docs", *pattern)))]
    internals = [os.path.relpath(p, ROOT) for p in sorted(glob.glob(os.path.join(ROOT, "docs", "internals", "*.md")))]
    markdown = [n for n in names if n.endswith(".md")] + internals + ["CHANGELOG.md", "CONTRIBUTING.md", "MAINTAINERS.md", "SECURITY.md",
                                                                      "tests/README.md"]
    total, wrong = 0, check_options(program) + check_links(markdown) + check_paths(
        [n for n in markdown if not n.endswith("log.md")])  # the log names things that were deleted
    for name in names:
        count, differences = check_document(name, environment, data, update)
        total += count
        wrong += differences
    print("\n".join(wrong + ["%d examples, %d differences" % (total, len(wrong))]))
    sys.exit(0 if update or (total > 0 and not wrong) else 1)


if __name__ == "__main__":
    main()
