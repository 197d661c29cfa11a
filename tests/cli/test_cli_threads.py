#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The program while threads run out: each one that a run asks for fails in turn, alone or with all later ones, and the run
does what it does undisturbed, to the byte (times aside).

  test_cli_threads.py PROGRAM PRELOAD-LIBRARY DATA-DIRECTORY [unittest options]
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = LIBRARY = DATA = ""
N = 5000  # enough for several threads


def without_times(text):
    return re.sub(r"[0-9.]+ (us|ms|s)\b", "TIME", text)


class Threads(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sumac-threads-")
        self.addCleanup(folder.cleanup)
        self.directory = folder.name

    def path(self, name):
        return os.path.join(self.directory, name)

    def run_program(self, arguments, **failing):
        """Status, what is printed, and the number of threads that were asked for."""
        environment = dict(os.environ, LD_PRELOAD=LIBRARY, COUNT_THREADS=self.path("count"), **failing)
        done = subprocess.run([PROGRAM, *arguments], cwd=self.directory, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        with open(self.path("count")) as f:
            threads = int(f.read())
        os.remove(self.path("count"))
        return (done.returncode, without_times(done.stdout.decode()), done.stderr.decode()), threads

    def files(self, names):
        contents = {}
        for name in names:
            with open(self.path(name), "rb") as f:
                contents[name] = f.read()
            os.remove(self.path(name))
        return contents

    def exhaust(self, *arguments, outputs=()):
        expected, threads = self.run_program(arguments)
        self.assertEqual((expected[0], expected[2]), (0, ""))
        self.assertGreater(threads, 0)
        files = self.files(outputs)
        for more in {}, {"FAIL_FROM_THEN_ON": "1"}:
            for number in range(threads):
                with self.subTest(arguments=arguments, number=number, **more):
                    printed, _ = self.run_program(arguments, FAIL_THREAD=str(number), **more)
                    self.assertEqual(printed, expected)
                    self.assertEqual(self.files(outputs), files)

    def generate(self):
        subprocess.run([PROGRAM, "generate", "--curve", "bn254", "-n", str(N), "--out-bases", "bases", "--out-scalars",
                        "scalars"], cwd=self.directory, check=True, stdout=subprocess.DEVNULL)

    def test_generate(self):
        self.exhaust("generate", "--curve", "bn254", "-n", str(N), "--threads", "4", "--out-bases", "b", "--out-scalars", "s",
                     outputs=("b", "s"))

    def test_msm(self):
        self.generate()
        self.exhaust("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars", "--threads", "4")

    def test_convert(self):
        self.generate()
        self.exhaust("convert", "--curve", "bn254", "--precompute", "4", "--threads", "4", "bases", "--to", "table", "made",
                     outputs=("made",))

    def test_kzg(self):
        self.exhaust("kzg", "commit", "--setup", os.path.join(DATA, "kzg", "trusted_setup.txt"), "--threads", "4",
                     os.path.join(DATA, "kzg", "blob.bin"))


if __name__ == "__main__":
    PROGRAM, LIBRARY, DATA = map(os.path.abspath, sys.argv[1:4])
    del sys.argv[1:4]
    unittest.main()
