#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests that `sumac msm --stream` and `--checkpoint` give the same point within a memory limit, even if the program
was killed meanwhile."""
import json
import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import cli_support  # noqa: E402
from cli_support import CommandTest, is_sanitized, run  # noqa: E402

CURVE = ("--curve", "bn254")
FILES = (*CURVE, "--bases", "bases", "--scalars", "scalars")


class Stream(CommandTest):
    def msm(self, *arguments):
        return self.json("msm", *FILES, *arguments)

    def test_the_same_point(self):
        expected = self.generate("bn254", 3000)
        for more in ([], ["--memory-limit", "12M"], ["--threads", "1"], ["--validate", "none"], ["--format", "raw"], ["--tune", "c=7"]):
            printed = self.msm("--stream", *more)
            self.assertEqual((printed["result"], printed["n"], printed["stream"]), (expected, 3000, True), more)
        self.ok("convert", *CURVE, "bases", "--to", "table", "table")
        os.rename("table", "bases")
        self.assertEqual(self.msm("--stream", "--format", "table")["result"], expected)
        text = self.ok("msm", *FILES, "--stream").decode()
        self.assertIn("each checked to be on the curve", text)
        self.assertIn("x = " + expected["x"], text)
        self.assertEqual(self.files(), [b"bases", b"expected", b"scalars"])

    def test_parts(self):
        expected = self.generate("bn254", 100)
        self.ok("msm", *FILES, "--stream", "-n", "40", "--partial", "a")
        self.ok("msm", *FILES, "--first", "40", "--stream", "--partial", "b", "--json")
        self.assertEqual(self.json("combine", *CURVE, "a", "b")["result"], expected)

    def test_refused(self):
        self.generate()
        self.refused(2, "--batch", "msm", *FILES, "--stream", "--batch", "2")
        self.refused(2, "--precompute", "msm", *FILES, "--stream", "--precompute", "2")
        self.refused(2, "--tables", "msm", *FILES, "--checkpoint", "r", "--tables", "windows")
        self.refused(2, "too small", "msm", *FILES, "--stream", "--memory-limit", "1M")
        self.refused(2, "regular", "msm", *CURVE, "--bases", "-", "--scalars", "scalars", "--stream")
        self.refused(2, "not a checkpoint", "msm", *FILES, "--checkpoint", "expected")
        self.refused(2, "same file", "msm", *FILES, "--checkpoint", "bases")
        self.refused(2, "none", "msm", *FILES, "--checkpoint", "none/at-all")
        self.refused(2, "fewer than", "msm", *FILES, "--stream", "-n", "21")
        os.mkfifo("pipe")
        self.refused(2, "regular", "msm", *CURVE, "--bases", "pipe", "--scalars", "scalars", "--stream")
        self.refused(2, "regular", "msm", *FILES, "--checkpoint", "pipe")
        self.write("nothing", b"")
        empty = ("msm", *CURVE, "--bases", "nothing", "--scalars", "nothing", "--stream")
        self.assertIn(b"infinity", self.ok(*empty))
        self.refused(2, "plan", *empty, "--plan", "none")
        self.write("scalars", self.read("scalars")[:-1])
        self.refused(2, "cut off", "msm", *FILES, "--checkpoint", "r")

    def test_a_checkpoint_is_a_file_of_its_own(self):
        """A descriptor, even one of a checkpoint, is refused before the work, and the file of its name stays."""
        self.generate()
        with open("/dev/full", "wb") as full:
            self.assertEqual(run("msm", *FILES, "--checkpoint", "checkpoint", stdout=full).returncode, 3)
        os.mkdir("folder")
        with open("checkpoint", "r+b") as f:
            number = f.fileno()
            os.symlink("/proc/self/fd/%d" % number, "link")
            for name in ("/dev/fd/%d" % number, "/proc/self/fd/%d" % number, "/proc/%d/fd/%d" % (os.getpid(), number), "link"):
                self.refused(2, "regular", "msm", *FILES, "--checkpoint", name, pass_fds=(number,))
                self.assertTrue(os.path.lexists(name), name)
        self.refused(2, "folder", "msm", *FILES, "--checkpoint", "folder")
        for name in ("/dev/null", "/dev/full", "-"):
            self.refused(2, "regular", "msm", *FILES, "--checkpoint", name)
        self.assertEqual(self.msm("--checkpoint", "checkpoint")["resumed"], 20)

    def test_a_refused_call_leaves_no_checkpoint(self):
        """A refused call removes the checkpoint that it created, unless it has already saved work there. Another MSM's
        checkpoint stays."""
        self.generate()
        resume = ("--checkpoint", "checkpoint")
        self.refused(2, "too small", "msm", *FILES, *resume, "--memory-limit", "1M")
        self.refused(2, "plan", "msm", *FILES, *resume, "--plan", "none")
        bases = self.read("bases")
        self.write("bases", bases[:-1] + bytes([bases[-1] ^ 1]))
        self.refused(2, "point at byte 1216", "msm", *FILES, *resume)
        os.symlink("checkpoint", "dangling")
        self.refused(2, "point at byte 1216", "msm", *FILES, "--checkpoint", "dangling")
        self.write("bases", bases)
        with open("/dev/full", "wb") as full:
            self.assertEqual(run("msm", *FILES, *resume, stdout=full).returncode, 3)
        before = self.read("checkpoint")
        self.refused(2, "another MSM", "msm", *FILES, *resume, "-n", "3")
        self.assertEqual(self.read("checkpoint"), before)

    def test_memory(self):
        """The process takes at most --memory-limit more memory than with one base."""
        if is_sanitized():
            self.skipTest("a sanitizer takes memory of its own")
        self.generate("bn254", "2^18")
        arguments = ("msm", *FILES, "--stream", "--threads", "2")

        def peak(*more):
            process = subprocess.Popen([cli_support.PROGRAM, *arguments, *more], stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            self.assertEqual(status, 0)
            return usage.ru_maxrss / 1024

        baseline = peak("-n", "1") - 1  # at most a mebibyte of it is buffers
        for limit in (16, 20, 30):
            self.assertLess(peak("--memory-limit", "%dM" % limit), baseline + limit + 2)
        for limit in (20, 30):  # the bound allows for the threads of a second device
            self.assertLess(peak("--memory-limit", "%dM" % limit, "--backend", "cpu", "--devices", "0,0"), baseline + limit + 5)

    def start(self, *arguments):
        process = subprocess.Popen([cli_support.PROGRAM, "msm", *FILES, *arguments], stdout=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        return process

    def test_interrupted(self):
        """Ctrl-C ends the program by the signal. It leaves no temporary file, and the next call continues from the checkpoint.
        A second Ctrl-C ends it at once."""
        expected = self.generate("bn254", "2^16")
        resume = ("--checkpoint", "checkpoint", "--memory-limit", "12M")
        ended = 0
        for pause in (0.05, 0.1, 0.2):
            for signals in (1, 2):
                process = self.start(*resume)
                while process.poll() is None and not os.path.exists("checkpoint"):
                    time.sleep(0.001)
                time.sleep(pause)
                for _ in range(signals):
                    process.send_signal(signal.SIGINT)
                    time.sleep(0.01)
                self.assertIn(process.wait(60), (0, -signal.SIGINT))
                if process.returncode != 0:
                    self.assertEqual([name for name in self.files() if name.startswith(b".")], [])
                    ended += 1
                    self.assertEqual(self.msm(*resume)["result"], expected)
        self.assertGreater(ended, 0)

    def test_killed(self):
        """Calls are killed as soon as there is a checkpoint. The last call runs to the end and removes the checkpoint."""
        expected = self.generate("bn254", "2^16")
        resume = ("--checkpoint", "checkpoint", "--memory-limit", "12M")
        killed = 0
        for pause in (0, 0.01, 0.05, 0.1):
            process = self.start(*resume)
            while process.poll() is None and not os.path.exists("checkpoint"):
                time.sleep(0.001)
            time.sleep(pause)
            process.kill()
            killed += process.wait() != 0
        self.assertGreater(killed, 0)
        if os.path.exists("checkpoint"):
            self.refused(2, "another MSM", "msm", *FILES, *resume, "-n", "5")
            self.refused(2, "another MSM", "msm", *FILES, *resume, "--validate", "none")
        self.assertEqual(self.msm(*resume)["result"], expected)
        self.assertEqual(self.files(), [b"bases", b"expected", b"scalars"])

    def test_kept_without_a_result(self):
        """If the result can't be written, the checkpoint keeps the work."""
        expected = self.generate()
        with open("/dev/full", "wb") as full:
            done = run("msm", *FILES, "--checkpoint", "checkpoint", stdout=full)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertTrue(os.path.exists("checkpoint"))
        os.symlink("checkpoint", "link")
        if cli_support.is_sanitized():
            return  # stdbuf preloads a module
        with open("/dev/full", "wb") as full:  # without a buffer, each line fails by itself
            done = subprocess.run(["stdbuf", "-o0", cli_support.PROGRAM, "msm", *FILES, "--checkpoint", "link"], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 3, done.stderr)
        printed = self.msm("--checkpoint", "link")
        self.assertEqual((printed["result"], printed["resumed"]), (expected, 20))
        self.assertEqual((os.path.lexists("link"), os.path.exists("checkpoint")), (True, False))


if __name__ == "__main__":
    cli_support.main()
