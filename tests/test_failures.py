#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The program while memory or threads run out: every allocation of a run fails in turn, and every thread.

  test_failures.py PROGRAM FAIL-MALLOC-LIBRARY DATA-DIRECTORY [unittest options]

Whatever fails, a run either does what it does undisturbed, to the byte (times and memory aside), or ends with status 3 and
one sentence, no answer and no part of a file. It never crashes, hangs, or blames its input. Long runs fail at some of their
allocations only, the same ones each time.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = LIBRARY = DATA = ""
MOST_RUNS = 80  # of one command


class Run:
    def __init__(self, directory, arguments, failing):
        report = os.path.join(directory, "report")
        environment = dict(os.environ, LD_PRELOAD=LIBRARY, FAIL_REPORT=report, **failing)
        self.arguments = arguments
        self.failing = failing
        done = subprocess.run([PROGRAM, *arguments], cwd=directory, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        self.status = done.returncode
        self.stdout = done.stdout.decode()
        self.stderr = done.stderr.decode()
        self.allocations = self.threads = -1
        if os.path.exists(report):
            with open(report) as f:
                self.allocations, self.threads = map(int, f.read().split())
            os.remove(report)

    def __str__(self):
        return "sumac %s with %s: status %d, allocations %d, threads %d\n%s%s" % (
            " ".join(self.arguments), self.failing, self.status, self.allocations, self.threads, self.stdout, self.stderr)


def without_measurements(text):
    """What a run prints, but for times and what the machine has left."""
    return re.sub(r"[0-9.]+ (us|ms|s)\b", "TIME", text)


def some(count):
    """All of 0 .. count - 1, or the first ones and MOST_RUNS spread over the others."""
    if count <= MOST_RUNS:
        return list(range(count))
    first = MOST_RUNS // 3
    return sorted(set(range(first)) | {first + (count - first) * i // (MOST_RUNS - first) for i in range(MOST_RUNS - first)})


class Failures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="sumac-failures-")
        cls.directory = cls.folder.name
        for arguments in (["generate", "--curve", "bn254", "-n", "300", "--out-bases", "bases", "--out-scalars", "scalars"],
                          ["convert", "--curve", "bn254", "--from", "raw", "--precompute", "3", "--table", "table", "bases"],
                          ["msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars", "--partial", "part"]):
            subprocess.run([PROGRAM, *arguments], cwd=cls.directory, check=True, stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def files(self):
        contents = {}
        for name in sorted(os.listdir(self.directory)):
            with open(os.path.join(self.directory, name), "rb") as f:
                contents[name] = f.read()
        return contents

    def restore(self, before):
        for name in set(os.listdir(self.directory)) - set(before):
            os.remove(os.path.join(self.directory, name))

    def check(self, run, undisturbed, before, after):
        if run.status == 0:
            self.assertEqual(without_measurements(run.stdout), without_measurements(undisturbed.stdout), run)
            self.assertEqual(self.files(), after, run)
        else:
            self.assertEqual(run.status, 3, run)
            self.assertRegex(run.stderr, r"\Asumac: [^\n]+\n\Z", run)
            self.assertEqual(run.stdout, "", run)
            # Of several outputs some may be there, and those whole.
            self.assertLessEqual(self.files().items(), after.items(), run)

    def exhaust(self, *arguments):
        before = self.files()
        undisturbed = Run(self.directory, arguments, {})
        after = self.files()
        self.assertEqual(undisturbed.status, 0, undisturbed)
        self.assertGreater(undisturbed.allocations, 0)
        self.restore(before)
        for more in {}, {"FAIL_FROM_THEN_ON": "1"}:
            for name, count in ("FAIL_ALLOCATION", undisturbed.allocations), ("FAIL_THREAD", undisturbed.threads):
                for number in some(count):
                    run = Run(self.directory, arguments, {name: str(number), **more})
                    with self.subTest(name=name, number=number, **more):
                        self.check(run, undisturbed, before, after)
                    self.restore(before)

    def test_info(self):
        self.exhaust("info")

    def test_plan(self):
        self.exhaust("plan", "--curve", "bn254", "-n", "1000")

    def test_generate(self):
        self.exhaust("generate", "--curve", "bn254", "-n", "3000", "--threads", "3", "--out-bases", "more", "--out-scalars",
                     "others")

    def test_msm(self):
        self.exhaust("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars", "--threads", "3")

    def test_msm_table(self):
        self.exhaust("msm", "--curve", "bn254", "--bases", "table", "--scalars", "scalars", "--threads", "1")

    def test_msm_partial(self):
        self.exhaust("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars", "--partial", "again")

    def test_combine(self):
        self.exhaust("combine", "--curve", "bn254", "part", "part")

    def test_convert(self):
        self.exhaust("convert", "--curve", "bn254", "--from", "raw", "--precompute", "4", "--table", "made", "bases")

    def test_kzg(self):
        blob = os.path.join(self.directory, "blob")
        with open(blob, "wb") as f:
            f.write(bytes(range(31)).rjust(32, b"\0") * 4096)
        self.addCleanup(os.remove, blob)
        self.exhaust("kzg", "commit", "--setup", os.path.join(DATA, "kzg", "trusted_setup.txt"), "blob")


if __name__ == "__main__":
    PROGRAM, LIBRARY, DATA = map(os.path.abspath, sys.argv[1:4])
    del sys.argv[1:4]
    unittest.main()
