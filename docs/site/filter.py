#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Doxygen's input filter: prints a header or a document of the repository as the site needs it.

A header becomes a group, named like the header. In a document headings get labels, and links lead to pages of the site, if they
have the file, or to the repository. No line is added, so that doxygen's warnings name the right line.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The documents on the site: their folders, and names of single ones.
FOLDERS = ("docs", "docs/internals")
SINGLE = re.compile(r"(README|SECURITY|CHANGELOG|CONTRIBUTING|tests/README|(?:bindings|compat)/[\w/-]+/README)\.md")


def repository():
    with open(os.path.join(ROOT, "packages", "metadata.toml"), encoding="utf-8") as f:
        return re.search(r'^url = "(.*)"', f.read(), re.M)[1]


def on_site(path):
    return path.endswith(".md") and (os.path.dirname(path) in FOLDERS or SINGLE.fullmatch(path) is not None)


def label(path, heading=""):
    """Return doxygen's label of a document, or of a heading in it, which is given as GitHub's name of it."""
    return re.sub(r"\W", "_", path[:-len(".md")] + ("__" + heading if heading else ""))


def anchor_of(heading):
    """Return the name by which GitHub links to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().replace("`", "").lower()).replace(" ", "-")


def header(text):
    name = re.search(r"@file (\w+)\.h", text)[1]
    text = re.sub(r"/\*\* @file (\w+\.h)", r"/** @file */ /** @defgroup header_%s \1" % name, text, count=1)
    return re.sub(r"\n \*/", "\n * @{ */", text, count=1) + "/** @} */\n"


def link(match, path):
    """Return a link of the document `path` with the site's target."""
    target, _, heading = match[1].partition("#")
    if re.match(r"\w+:", target):
        return match[0]
    target = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
    public = re.fullmatch(r"(?:include/sumac|compat/\w+)/(\w+)\.h", target)
    if on_site(target):
        return "](@ref %s)" % label(target, heading)
    if public:
        return "](@ref header_%s)" % public[1]
    kind = "tree" if os.path.isdir(os.path.join(ROOT, target)) else "blob"
    return "](%s/%s/main/%s)" % (repository(), kind, target if target != "." else "")


def document(text, path):
    # Doxygen wants a link's text in one line.
    text = re.sub(r"\[([^]\n]*)\n([^]\n]*\]\([^)\s]+\)\S*) ?", r"[\1 \2\n", text)
    lines, fenced = text.split("\n"), False
    for i, line in enumerate(lines):
        if line.startswith("```"):
            # Doxygen reads only C, and would look for its commands in what other languages have.
            if not fenced:
                close, lines[i] = (line, line) if line == "```c" else ("@endverbatim", "@verbatim")
            elif close == "@endverbatim":
                lines[i] = close
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            line = re.sub(r"\]\(([^)\s]+)\)", lambda match: link(match, path), line)
            heading = re.match(r"(#+) (.*)", line)
            if heading:
                line = line.replace("`", "") + " {#%s}" % label(path, "" if heading[1] == "#" else anchor_of(heading[2]))
            line = line.replace("[@", "[\\@")  # the name of an npm package, and no command
            # Doxygen takes a quote for the end of a code span, unless the span has two backticks.
            line = re.sub(r"(`+)(.+?)\1", lambda span: "``%s``" % span[2] if "'" in span[2] else span[0], line)
            # Pictures lie beside the pages, and Doxygen does not know their element.
            line = re.sub(r'((?:srcset|src)=")[\w./-]*/([\w-]+\.svg")', r"\1\2", line)
            lines[i] = line.replace("<picture>", "@htmlonly <picture>").replace("</picture>", "</picture> @endhtmlonly")
    return "\n".join(lines)


def main():
    path = os.path.relpath(os.path.abspath(sys.argv[1]), ROOT)
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        text = f.read()
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(header(text) if path.endswith(".h") else document(text, path))


if __name__ == "__main__":
    main()
