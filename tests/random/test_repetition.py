# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This test checks that random_calls, if a signal ends it, prints the case in which it was, and the options that repeat this
case.

    test_repetition.py PROGRAM
"""
import re
import signal
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)
OPTIONS = ["--seed", "7", "--quick", "--threads", "1", "--only", "calls", "--failures"]


class Ended(unittest.TestCase):
    def ended_by(self, number: signal.Signals) -> str:
        """Return the output of a run that is ended within some case."""
        with subprocess.Popen([PROGRAM, *OPTIONS, "--cases", "1000000000", "--verbose"], stdout=subprocess.PIPE,
                              text=True) as run:
            self.assertRegex(run.stdout.readline(), "^case 0: ")
            run.send_signal(number)
            printed = run.stdout.read()
        self.assertEqual(run.returncode, -number)
        return printed

    def expect_repetition(self, printed: str) -> None:
        line = re.search(r"^repeat it: random_calls (.*)$", printed, re.MULTILINE)
        self.assertIsNotNone(line, printed[-2000:])
        arguments = line[1].split()
        for option in OPTIONS:
            self.assertIn(option, arguments)
        again = subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual(again.returncode, 0, again.stdout)
        self.assertIn(" 1 cases ", again.stdout)

    def test_terminated(self) -> None:
        printed = self.ended_by(signal.SIGTERM)
        self.assertIn("FOUND: signal 15", printed)
        self.expect_repetition(printed)

    def test_too_long(self) -> None:
        printed = self.ended_by(signal.SIGALRM)
        self.assertIn("a case takes too long", printed)
        self.expect_repetition(printed)


if __name__ == "__main__":
    unittest.main()
