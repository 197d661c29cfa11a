#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Run the steps of a Dockerfile in minimal Debian systems (packages/bare.sh), on machines without docker. The context is the
commit that is checked out.

  dockerfile.py FILE [ARGUMENT=VALUE...]     the arguments replace those of ARG
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def stages(text, given, work):
    """Return the shell script of each stage. Files that a later stage copies are left in work/NAME."""
    scripts, names = [], []
    lines = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ").splitlines()
    for word, rest in (line.split(None, 1) for line in lines if line):
        copied = re.fullmatch(r"--from=(\w+) (\S+) (\S+)", rest)
        if word == "FROM":
            base, name = re.fullmatch(r"(\S+)(?: AS (\w+))?", rest).groups()
            assert base == "debian:12", base
            scripts.append("set -ex\n")
            names.append(name)
        elif word == "RUN":
            scripts[-1] += "(%s)\n" % rest
        elif word == "WORKDIR":
            scripts[-1] += "mkdir -p %s\ncd %s\n" % (rest, rest)
        elif word in ("ARG", "ENV"):
            for setting in shlex.split(rest):
                key, _, value = setting.partition("=")
                scripts[-1] += "export %s=%s\n" % (key, shlex.quote(given.pop(key, value) if word == "ARG" else value))
        elif word == "COPY" and copied:
            left = "%s/%s%s" % (work, copied[1], copied[2])
            scripts[names.index(copied[1])] += "mkdir -p %s\ncp -a %s/. %s\n" % (left, copied[2], left)
            scripts[-1] += "cp -a %s/. %s\n" % (left, copied[3])
        elif word == "COPY":
            scripts[-1] += "mkdir -p %s\ncp -a %s/context/. %s\n" % (rest.split()[1], work, rest.split()[1])
        elif word == "ENTRYPOINT":
            scripts[-1] += shlex.join(json.loads(rest)) + ' "$@"\n'
        elif word == "CMD":
            scripts[-1] = scripts[-1].replace('"$@"', shlex.join(json.loads(rest)))
        else:
            assert word in ("LABEL", "USER"), word
    assert not given, given
    return scripts


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as work:
        (pathlib.Path(work) / "context").mkdir()
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
        subprocess.run(["tar", "-x", "-C", work + "/context"], input=archive, check=True)
        for script in stages((ROOT / arguments[0]).read_text(), dict(one.split("=", 1) for one in arguments[1:]), work):
            subprocess.run([ROOT / "packages/bare.sh", "--bind", work, "--", "sh", "-c", script], cwd="/", check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
