#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests that a program that is interrupted while it writes leaves no file behind, and ends by the signal that it
got."""
import os
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import cli_support  # noqa: E402
from cli_support import CommandTest, preloaded  # noqa: E402

SECONDS = 60


def writes_into(process, directory):
    """Return true if the process holds a file open that lies in this directory."""
    folder = "/proc/%d/fd" % process.pid
    try:
        links = [os.readlink(os.path.join(folder, name)) for name in os.listdir(folder)]
    except OSError:
        return False
    return any(link.startswith(directory + "/") for link in links)


class Signals(CommandTest):
    COMMANDS = (("generate", "--curve", "bn254", "-n", "2^20", "--out-bases", "out/bases", "--out-scalars", "out/scalars"),
                ("convert", "--curve", "bn254", "bases", "--precompute", "2", "--tune", "c=14", "--to", "table", "out/table"))

    def setUp(self):
        super().setUp()
        os.mkdir("out")
        self.ok("generate", "--curve", "bn254", "-n", "2^18", "--out-bases", "bases")

    def interrupt(self, arguments, number, environment=None):
        """Start the program, wait for its file and send the signal. Return the files' names before the signal and after the end."""
        directory = os.path.realpath("out")
        for _ in range(10):
            process = subprocess.Popen([cli_support.PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       env=environment)
            self.addCleanup(process.kill)
            while process.poll() is None and not writes_into(process, directory):
                time.sleep(0.001)
            during = os.listdir("out")
            process.send_signal(number)
            if process.wait(SECONDS) != 0:
                break
            for name in os.listdir("out"):  # on a busy machine the program may end before the signal comes; then try again
                os.remove(os.path.join("out", name))
        self.assertEqual(process.returncode, -number)
        return during, os.listdir("out")

    def test_interrupted_programs_leave_nothing(self):
        for arguments in self.COMMANDS:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                during, after = self.interrupt(arguments, number)
                self.assertTrue(during and all(name.startswith(".sumac-") for name in during), during)
                self.assertEqual(after, [], (arguments[0], number))

    def test_a_killed_program_leaves_its_temporary_files(self):
        """If a program is killed, its temporary files stay, but no file has the final name."""
        for arguments in self.COMMANDS:
            during, after = self.interrupt(arguments, signal.SIGKILL)
            self.assertTrue(during and all(name.startswith(".sumac-") for name in after), after)
            for name in after:
                os.remove(os.path.join("out", name))

    def is_cancelled(self, arguments, pause):
        """Interrupt a command `pause` seconds after it has created its output. Return true if the signal cancelled a call. Then
        the program has raised the signal twice, once for the signal that its handler noted, and once more to end by it."""
        raised, directory = os.path.abspath("raised"), os.path.realpath("out")
        open(raised, "w").close()
        process = subprocess.Popen([cli_support.PROGRAM, *arguments], stdout=subprocess.DEVNULL,
                                   env=preloaded("raise", SUMAC_TEST_RAISED=raised))
        self.addCleanup(process.kill)
        while process.poll() is None and not writes_into(process, directory):
            time.sleep(0.001)
        time.sleep(pause)
        process.send_signal(signal.SIGINT)
        if process.wait(SECONDS) == 0:  # the program ended before the signal came
            return False
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertEqual(os.listdir("out"), [])
        return os.path.getsize(raised) == 2

    def test_calls_are_cancelled(self):
        """Ctrl-C cancels the call that these commands are in, so that no work goes on on a device."""
        self.write("blobs", bytes(131072 * 256))
        setup = os.path.join(cli_support.DATA, "kzg", "trusted_setup.txt")
        long_run = ("--curve", "bn254", "-n", "2^15", "--runs", "100000")
        for arguments in (("bench", *long_run, "--json", "out/rows"),
                          ("compare", *long_run, "--plan", "auto", "--json", "out/rows"),
                          ("kzg", "cells", "--setup", setup, "blobs", "out/cells", "out/proofs")):
            self.assertTrue(any(self.is_cancelled(arguments, pause) for pause in (0.2, 0.4, 0.8, 1.6, 3.2)), arguments)

    def test_a_signal_that_is_ignored_stays_so(self):
        done = subprocess.Popen([cli_support.PROGRAM, *self.COMMANDS[0][:4], "2^17", *self.COMMANDS[0][5:]], stdout=subprocess.DEVNULL,
                                preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        while done.poll() is None and not writes_into(done, os.path.realpath("out")):
            time.sleep(0.001)
        done.send_signal(signal.SIGHUP)
        self.assertEqual(done.wait(SECONDS), 0)
        self.assertEqual(sorted(os.listdir("out")), ["bases", "scalars"])


if __name__ == "__main__":
    cli_support.main()
