#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keep the version, description, licence, addresses and keywords in all manifests equal to those in packages/metadata.toml.

  metadata.py --check     name the places that differ; the exit status is then 1
  metadata.py --write     change them to the right values
  metadata.py --get KEY   print a value, such as version, url or interface (the part of the version that is in sonames)
"""

import json
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def load():
    values = tomllib.loads((ROOT / "packages/metadata.toml").read_text())
    values["major"], values["minor"], values["patch"] = values["version"].split(".")
    values["release"] = values["major"] + "." + values["minor"]
    # Before 1.0 each minor version has a different interface (CMakeLists.txt).
    values["interface"] = values["release"] if values["major"] == "0" else values["major"]
    values["licences"] = values["licence"].replace(" OR ", ", ")
    values["licence_list"] = json.dumps(values["licence"].split(" OR "))
    values["maintainer"] = "%s <%s>" % (values["authors"], values["contact"])
    values["git"] = values["url"] + ".git"
    values["keywords"] = json.dumps(values["keywords"])
    return values


# Each row has a file or a pattern of files, an expression whose group is the value, and the value's key. The expression must
# match at least once in each file, and every match must have the value.
VERSION, RELEASE, INTERFACE = "version", "release", "interface"
PC_FILE = r"Version: (\d+\.\d+\.\d+)"
DEBIAN_NAME = r"\blibsumac[a-z-]*?(\d+(?:\.\d+)?)\b"


def rows():
    for part in ("major", "minor", "patch"):
        yield "include/sumac/status.h", r"^#define SUMAC_VERSION_%s (\d+)$" % part.upper(), part
    yield "CMakeLists.txt", r'HOMEPAGE_URL "(.*?)"', "url"
    for file in ("docs/embedding.md", "tools/check-install.sh"):
        yield file, r"find_package\(sumac (\S+) REQUIRED\)", RELEASE
    yield "docs/interface.md", r"`libsumac\.so\.(.*?)`", INTERFACE
    yield "docs/interface.md", r"`SUMAC_(\d.*?)`", INTERFACE
    # These files contain the text of a pkg-config file, for a library that is not installed.
    for file in ("bindings/go/run-tests.sh", "tests/compat/gnark_module/run.sh", "tools/bench-bindings.py", "tools/fuzz-bindings.sh"):
        yield file, PC_FILE, VERSION

    for file in ("SECURITY.md", "MAINTAINERS.md", ".github/ISSUE_TEMPLATE/config.yml"):
        yield file, r"(https://[^/]+/[^/]+/[^/]+)/(?:security|issues)", "url"

    yield "pyproject.toml", r'^description = "(.*)"$', "description"
    yield "compat/ckzg/python/pyproject.toml", r'"sumac-msm==(.*?)"', VERSION
    for file in ("pyproject.toml", "compat/ckzg/python/pyproject.toml"):
        yield file, r'^version = "(.*)"$', VERSION
        yield file, r'^license = "(.*?)"', "licence"
        yield file, r"^keywords = (.*)$", "keywords"
        yield file, r'^(?:Homepage|Repository) = "(.*)"$', "url"
        yield file, r'^authors = \[\{ name = "(.*?)"', "authors"

    for file in ("bindings/rust/Cargo.toml", "bindings/rust/sumac-ark/Cargo.toml", "bindings/rust/sumac-halo2/Cargo.toml",
                 "bindings/rust/sumac-revm/Cargo.toml"):
        yield file, r'^version = "(.*)"$', VERSION
        yield file, r'^license = "(.*)"$', "licence"
        yield file, r'^(?:homepage|repository) = "(.*)"$', "url"
        yield file, r"^keywords = (.*)$", "keywords"
    for crate in ("sumac", "sumac-ark", "sumac-halo2", "sumac-revm"):
        yield "bindings/rust/%s/Cargo.toml" % crate, r'path = "\.\./sumac[a-z-]*", version = "(.*?)"', VERSION
    supraseal = "compat/supraseal/Cargo.toml" # its version is the original's
    yield supraseal, r'sumac-sys", version = "(.*?)"', VERSION
    yield supraseal, r'^license = "(.*)"$', "licence"
    yield supraseal, r'^(?:homepage|repository) = "(.*)"$', "url"
    for file in ("bindings/rust/Cargo.lock", "bindings/rust/sumac-ark/Cargo.lock", "bindings/rust/sumac-halo2/Cargo.lock"):
        yield file, r'^name = "sumac(?:-[a-z0-9]+)?"\nversion = "(.*)"$', VERSION
    yield "bindings/rust/sumac/Cargo.toml", r'^description = "(.*)"$', "description"

    for file in ("compat/ckzg/go/README.md", "docs/dropins.md"):
        yield file, r"compat/ckzg/go[@ ]v(\d\S*)", VERSION
    yield "compat/ckzg/go/bindings/go/ckzg4844.go", r"compat/ckzg/go v(\d\S*)$", VERSION

    node = "bindings/node/package.json"
    yield node, r'^  "version": "(.*)"', VERSION
    yield node, r'^  "description": "(.*)"', "description"
    yield node, r'^  "license": "(.*)"', "licence"
    yield node, r'^  "homepage": "(.*)"', "url"
    yield node, r'^  "repository": .*"git\+(.*?)"', "git"
    yield node, r'^  "keywords": (.*?),?$', "keywords"
    yield node, r'^  "author": "(.*)"', "authors"

    yield "debian/changelog", r"\Asumac \((.*)\) ", VERSION
    yield "debian/changelog", r"\A[^<]*^ -- (.*>)", "maintainer"
    yield "debian/control", r"^Maintainer: (.*)$", "maintainer"
    yield "debian/control", r"^Homepage: (.*)$", "url"
    yield "debian/copyright", r"^Source: (.*)$", "url"
    for file in ("debian/control", "debian/rules", "debian/*.symbols"):
        yield file, DEBIAN_NAME, INTERFACE
    yield "debian/*.symbols", r"^libsumac[a-z_]*\.so\.(\S+)", INTERFACE
    yield "debian/libsumac[0-9]*.symbols", r"\bSUMAC_([\d.]+)", INTERFACE

    for file in ("Dockerfile", "Dockerfile.cuda"):
        for label, key in (("description", "description"), ("version", VERSION), ("licenses", "licence"), ("source", "url")):
            yield file, r'image\.%s="(.*?)"' % label, key
    for label, key in (("description", "description"), ("version", VERSION), ("homepage", "url")):
        yield "flake.nix", r'^ *%s = "(.*)";$' % label, key
        yield "packages/vcpkg/vcpkg.json", r'^  "%s": "(.*)"' % label, key
    yield "packages/vcpkg/vcpkg.json", r'^  "license": "(.*)"', "licence"
    formula = "packages/homebrew/sumac.rb"
    yield formula, r'^  desc "(.*)"$', "description"
    yield formula, r'^  homepage "(.*)"$', "url"
    yield formula, r'^  url "(.*)/releases/', "url"
    yield formula, r"/download/v(.*)/", VERSION
    yield formula, r"/sumac-([^/]*)\.tar\.xz", VERSION
    yield formula, r"^  license any_of: (.*)$", "licence_list"

    yield "CITATION.cff", r'^version: (.*)$', VERSION
    yield "CITATION.cff", r'^abstract: (.*)$', "description"
    yield "CITATION.cff", r'^license: \[(.*)\]$', "licences"
    yield "CITATION.cff", r'^(?:url|repository-code): "(.*)"$', "url"
    yield "CITATION.cff", r"^keywords: (.*)$", "keywords"


def renamed(path, values):
    """Return the name that a file of debian/ must have. dpkg's tools find it by the name of the package, which has the soname's
    version."""
    return path.with_name(re.sub(r"^(libsumac[a-z-]*?)\d+(?:\.\d+)??(\.[a-z])", r"\g<1>%s\2" % values[INTERFACE], path.name))


def replace_group(text, pattern, value, report):
    """Replace the group of an expression by the value. `report` is called with the line of each place that differed."""
    parts, end = [], 0
    for match in re.finditer(pattern, text, re.MULTILINE):
        if match[1] != value:
            report(text.count("\n", 0, match.start(1)) + 1, match[1])
        parts += [text[end:match.start(1)], value]
        end = match.end(1)
    if not end:
        report(0, "nothing")
    return "".join(parts) + text[end:]


def main(arguments):
    values = load()
    if len(arguments) == 2 and arguments[0] == "--get" and arguments[1] in values:
        print(values[arguments[1]])
        return 0
    if arguments not in (["--check"], ["--write"]):
        sys.exit(__doc__)
    write = arguments == ["--write"]
    wrong = 0
    for path in sorted((ROOT / "debian").glob("libsumac*[0-9].*")):
        if renamed(path, values) != path:
            print("%s should be %s" % (path.relative_to(ROOT), renamed(path, values).name))
            wrong += 1
            if write:
                path.rename(renamed(path, values))
    for files, pattern, key in rows():
        paths = sorted(ROOT.glob(files))
        if not paths:
            sys.exit("there is no " + files)
        for path in paths:
            def report(line, found):
                nonlocal wrong
                wrong += 1
                print("%s:%d: the %s is %s, and should be %s" % (path.relative_to(ROOT), line, key, found, values[key]))
                if not line:
                    sys.exit("nothing matches " + pattern)
            text = replace_group(path.read_text(), pattern, values[key], report)
            if write:
                path.write_text(text)
    return int(wrong > 0 and not write)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
