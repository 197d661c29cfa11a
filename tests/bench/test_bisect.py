#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This test runs bench/bisect.sh and a real `git bisect run` on a repository of commits whose speed is known. A fake cmake
builds a fake program, which reports the time in the commit's file `speed`.

    test_bisect.py BISECT
"""
import os
import subprocess
import sys
import tempfile

CMAKE = r"""#!/bin/sh
case "$*" in
*--build*)
    [ "$(cat speed)" != broken ] || exit 1
    printf '#!/bin/sh\nfor file; do :; done\nprintf '"'"'{"rows": [{"min_ms": %s, "verified": %s}]}'"'"' >"$file"\n' \
        "$(cat speed)" "$(cat verified)" >build-bisect/sumac
    chmod +x build-bisect/sumac ;;
*" -DSUMAC_CURVES=bn254-g1 -DSUMAC_CUDA=OFF "*) ;;
*) exit 1 ;;
esac
"""
# Each commit has a time, and whether its result is right. The fifth commit is the first slow one. Before it there are a broken
# one and a wrong one.
COMMITS = [("2.0", "true"), ("1.9", "true"), ("broken", "true"), ("9.0", "false"), ("2.6", "true"), ("broken", "true"),
           ("2.7", "true"), ("2.5", "true")]
SLOW = 4


def git(*arguments):
    return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True,
                          text=True).stdout


def main():
    bisect = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir("bin")
        with open("bin/cmake", "w", encoding="utf-8") as file:
            file.write(CMAKE)
        os.chmod("bin/cmake", 0o755)
        os.environ.update(PATH=os.path.abspath("bin") + ":" + os.environ["PATH"], HOME=folder, GIT_CONFIG_NOSYSTEM="1")
        git("init", "--quiet", "commits")
        os.chdir("commits")
        names = []
        for number, (speed, verified) in enumerate(COMMITS):
            for name, content in (("speed", speed), ("verified", verified), ("number", str(number))):
                with open(name, "w", encoding="utf-8") as file:
                    file.write(content)
            git("add", "speed", "verified", "number")
            git("commit", "--quiet", "-m", f"commit {number}")
            names.append(git("rev-parse", "HEAD").strip())

        def status(*arguments):
            return subprocess.run([bisect, *arguments], capture_output=True, check=False).returncode
        case = ("bn254", "g1", "2^10", "cpu")
        for number, (speed, verified) in enumerate(COMMITS):
            git("checkout", "--quiet", names[number])
            expected = 125 if speed == "broken" or verified == "false" else int(float(speed) > 2.2)
            if status("2.2", *case, "--threads", "1") != expected:
                sys.exit(f"commit {number}: the status is not {expected}")
        for wrong in ((), ("2.2", "bn254"), ("fast", *case)):
            if status(*wrong) != 128:
                sys.exit(f"{wrong} is not refused")

        git("bisect", "start", names[-1], names[0])
        done = subprocess.run(["git", "bisect", "run", bisect, "2.2", *case], capture_output=True, text=True, check=False)
        found = [line for line in done.stdout.splitlines() if line in names] or done.stdout.split("could be any of:")[-1].split()
        # git can't distinguish skipped commits from the slow one that follows them.
        suspects = [names.index(name) for name in found if name in names]
        if SLOW not in suspects or not set(suspects) <= {2, 3, SLOW}:
            sys.exit(f"found {suspects}:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
