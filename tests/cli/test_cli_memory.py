#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file runs every command while its first, second, third, ... allocation fails. The command must either print its whole
output and return 0, or print one sentence and return 3. If one thread, or all from some number on, can't be created, the output
must be the same, except for times."""
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import cli_support  # noqa: E402
from cli_support import CommandTest, is_sanitized, preloaded, run  # noqa: E402

# If a command makes more allocations than this, only about so many of them are made to fail, spread evenly.
MOST_TRIED = 60


def without_times(text):
    text = re.sub(rb'"(ms|read_ms)": [0-9.e+-]+', rb'"\1": T', text)
    return re.sub(rb"[0-9.]+ (us|ms|s)\b", b"TIME", text)


class Failing(CommandTest):
    def outputs(self, names):
        return {name: without_times(self.read(name)) for name in names if os.path.exists(name)}


class FailingAllocations(Failing):
    def iterate(self, *arguments, writes=(), most=MOST_TRIED):
        one = preloaded("malloc", COUNT_ALLOCATIONS="count")
        whole = run(*arguments, env=one)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        expected, files, total = without_times(whole.stdout), self.outputs(writes), int(self.read("count"))
        os.remove("count")
        self.assertEqual(sorted(files), sorted(writes))
        failures = 0
        alone = [(k, {}) for k in range(1, total + 1, max(1, total // most))]
        for k, more in alone + [(k, {"FAIL_ALL_AFTER": 1}) for k, _ in alone[::5]]:
            for name in writes:
                os.remove(name) if os.path.exists(name) else None
            before = self.files()
            done = run(*arguments, env=preloaded("malloc", FAIL_ALLOCATION=k, **more))
            case = (arguments, k, more, done.returncode, done.stdout[:200], done.stderr[:500])
            if done.returncode == 0:
                self.assertEqual(without_times(done.stdout), expected, case)
                self.assertEqual(self.outputs(writes), files, case)
                continue
            failures += 1
            if b"error while loading" in done.stderr or b"\nlibgomp: " in done.stderr:
                continue  # the failure came before main(), in the loader or in OpenMP's library
            self.assertEqual((done.returncode, done.stdout), (3, b""), case)
            self.assertRegex(done.stderr, rb"\Asumac: [^\n]+\n\Z", case)
            self.assertEqual(self.files(), before, case)
        self.assertGreater(failures, 0)

    def test_info(self):
        self.iterate("info")
        self.iterate("info", "--json")

    def test_plan(self):
        self.iterate("plan", "--curve", "bn254", "-n", "100", "--threads", "1")
        self.iterate("plan", "--curve", "bn254", "-n", "100", "--threads", "1", "--json")

    def test_generate(self):
        self.iterate("generate", "--curve", "bn254", "-n", "20", "--threads", "1", "--out-bases", "b", "--out-scalars", "s",
                     "--expected", "e", writes=("b", "s", "e"))

    def test_convert(self):
        self.generate()
        self.iterate("convert", "--curve", "bn254", "bases", "out", "--threads", "1", writes=("out",))
        self.iterate("convert", "--curve", "bn254", "bases", "--threads", "1", "--to", "table", "t", "--precompute", "2", writes=("t",))

    def test_srs(self):
        self.generate()
        common = ("--curve", "bn254", "--bases", "bases", "--threads", "1")
        self.iterate("srs", "commit", *common, "scalars")
        self.iterate("srs", "open", *common, "--json", "-z", "0x%064x" % 7, "scalars")

    def test_msm_and_combine(self):
        self.generate()
        common = ("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars", "--threads", "1")
        self.iterate(*common)
        self.iterate(*common, "--json", "-n", "10")
        self.iterate(*common, "--partial", "p", writes=("p",))
        self.iterate(*common, "--stream", "--json")
        self.iterate(*common, "--stream", "--partial", "p", writes=("p",))
        self.ok(*common, "--partial", "partial")
        self.iterate("combine", "--curve", "bn254", "partial", "partial")
        self.iterate("combine", "--curve", "bn254", "--json", "partial", "partial")

    def test_kzg(self):
        kzg = os.path.join(cli_support.DATA, "kzg")
        common = ("kzg", "commit", "--setup", os.path.join(kzg, "trusted_setup.txt"), os.path.join(kzg, "blob.bin"))
        self.iterate(*common, "--threads", "1", most=20)
        self.iterate(*common, "--threads", "1", "--json", most=10)

    def test_kzg_cells(self):
        kzg = os.path.join(cli_support.DATA, "kzg")
        blob = self.read(os.path.join(kzg, "blob.bin"))
        self.write("blobs", blob * 3)
        self.ok("kzg", "setup", "--setup", os.path.join(kzg, "trusted_setup.txt"), "setup")
        common = ("kzg", "cells", "--setup", "setup", "--threads", "1", "blobs")
        self.iterate(*common, "cells", "proofs", "--json", writes=("cells", "proofs"), most=20)  # each run takes a second


class FailingThreads(Failing):
    def exhaust(self, *arguments, writes=()):
        expected = None
        for more, number in [({}, -1)] + [(more, number) for more in ({}, {"FAIL_FROM_THEN_ON": 1}) for number in range(4)]:
            done = run(*arguments, "--threads", 4, env=preloaded("threads", COUNT_THREADS="count", FAIL_THREAD=number, **more))
            found = (done.returncode, done.stderr, without_times(done.stdout), self.outputs(writes))
            expected = expected or found
            self.assertEqual(found, expected, (number, more))
            self.assertEqual(found[:2], (0, b""))
            self.assertIn(int(self.read("count")), range(1, 5))

    def test_points(self):
        self.generate("bn254", 5000)  # enough for several threads
        curve = ("--curve", "bn254")
        self.exhaust("generate", *curve, "-n", 5000, "--out-bases", "b", "--out-scalars", "s", writes=("b", "s"))
        self.exhaust("msm", *curve, "--bases", "bases", "--scalars", "scalars")
        self.exhaust("convert", *curve, "--precompute", 4, "bases", "--to", "table", "t", writes=("t",))

    def test_kzg(self):
        kzg = os.path.join(cli_support.DATA, "kzg")
        self.exhaust("kzg", "commit", "--setup", os.path.join(kzg, "trusted_setup.txt"), os.path.join(kzg, "blob.bin"))


class ControlGroup(CommandTest):
    """These tests run the program in a control group with a memory limit, if the system lets the test make one."""

    def make_group(self, limit):
        groups = {}
        with open("/proc/self/cgroup") as f:
            for line in f:
                _, controllers, path = line.rstrip("\n").split(":", 2)
                groups.update({name: path for name in controllers.split(",")})
        with open("/proc/self/mountinfo") as f:
            mounts = [line.split() for line in f]
        for fields in mounts:
            kind, options = fields[fields.index("-") + 1], fields[-1].split(",")
            name = "" if kind == "cgroup2" else "memory" if kind == "cgroup" and "memory" in options else None
            if name not in groups or fields[3] != "/":
                continue
            group = "%s%s/sumac-test-%d" % (fields[4], groups[name].rstrip("/"), os.getpid())
            limits = os.path.join(group, "memory.max" if kind == "cgroup2" else "memory.limit_in_bytes")
            try:
                os.mkdir(group)
            except OSError:
                continue
            self.addCleanup(os.rmdir, group)
            if os.path.exists(limits):
                with open(limits, "w") as f:
                    f.write(str(limit))
                return os.path.join(group, "cgroup.procs")
        self.skipTest("no control group with a memory limit can be made here")

    def test_workspace_fits_in_group(self):
        if is_sanitized():
            self.skipTest("a sanitizer takes memory of its own")
        expected = self.generate("bn254", 1 << 18)
        procs = self.make_group(42 << 20)

        def enter():
            with open(procs, "w") as f:
                f.write("0")

        command = ("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars", "--threads", "1", "--json")
        # Outside the group the program takes more memory than the group's limit. Inside it takes less, and the sum is the same.
        alone, within = json.loads(self.ok(*command)), json.loads(self.ok(*command, preexec_fn=enter))
        self.assertEqual((alone["result"], within["result"]), (expected, expected))
        # If the multiples do not fit in the group's limit, they are not kept, and the sum is still right.
        fewer = json.loads(self.ok(*command, "--precompute", "2", preexec_fn=enter))
        self.assertEqual(fewer["result"], expected)
        # If the bases alone do not fit, the program refuses before it allocates them.
        self.check_refusal(run("generate", "--curve", "bn254", "-n", "2^20", "--out-bases", "more", "--threads", "1",
                               preexec_fn=enter), 3, "memory")


if __name__ == "__main__":
    cli_support.main()
