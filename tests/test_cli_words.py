#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the program says: help, and text from files and arguments, of which no byte may reach a terminal as it is."""
import json
import os
import pty
import re
import resource
import struct
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import cli_support  # noqa: E402
from cli_support import CommandTest, run  # noqa: E402

# Bytes a terminal obeys, a second line, C1 control characters in one byte and in UTF-8, text that runs backwards, and no UTF-8.
EVIL = "evil\x1b[31m\n\r\t\x07\x7f".encode() + b"\x9b" + "\u009b\u202e\u2028".encode() + b"\xff\xc3"
SEEN = rb"evil\x1b[31m\n\r\t\x07\x7f\x9b\xc2\x9b\xe2\x80\xae\xe2\x80\xa8\xff\xc3"


def xxh64(data):
    """The checksum of tables, from its specification."""
    mask = (1 << 64) - 1
    p1, p2, p3, p4, p5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
    rotate = lambda x, r: (x << r | x >> (64 - r)) & mask
    lane = lambda acc, x: rotate((acc + x * p2) & mask, 31) * p1 & mask
    at, n = 0, len(data)
    if n >= 32:
        lanes = [(p1 + p2) & mask, p2, 0, -p1 & mask]
        while at + 32 <= n:
            for i, x in enumerate(struct.unpack_from("<4Q", data, at)):
                lanes[i] = lane(lanes[i], x)
            at += 32
        acc = sum(rotate(v, r) for v, r in zip(lanes, (1, 7, 12, 18))) & mask
        for v in lanes:
            acc = ((acc ^ lane(0, v)) * p1 + p4) & mask
    else:
        acc = p5
    acc = (acc + n) & mask
    while at + 8 <= n:
        acc = (rotate(acc ^ lane(0, struct.unpack_from("<Q", data, at)[0]), 27) * p1 + p4) & mask
        at += 8
    if at + 4 <= n:
        acc = (rotate(acc ^ struct.unpack_from("<I", data, at)[0] * p1 & mask, 23) * p2 + p3) & mask
        at += 4
    for byte in data[at:]:
        acc = rotate(acc ^ byte * p5 & mask, 11) * p1 & mask
    for shift, prime in ((33, p2), (29, p3)):
        acc = (acc ^ acc >> shift) * prime & mask
    return acc ^ acc >> 32


class Escaping(CommandTest):
    def test_arguments(self):
        """As a path, a curve, a value, an option, a command; where they are refused, and where they are repeated."""
        self.generate()
        common = ("msm", "--curve", "bn254", "--scalars", "scalars", "--bases")
        for arguments in ((*common, EVIL), (*common, "bases", "--backend", EVIL), (*common, "bases", "--variant", EVIL),
                          (*common, "bases", "--plan", EVIL), (*common, "bases", "--format", EVIL),
                          (*common, "bases", "--check", EVIL), (*common, "bases", "-c", EVIL), (*common, "bases", b"--" + EVIL),
                          (*common, "bases", EVIL), (EVIL,), ("help", EVIL), ("kzg", EVIL),
                          ("plan", "--curve", EVIL, "-n", "1"), ("plan", "--curve", "bn254", "--group", EVIL, "-n", "1"),
                          ("combine", "--curve", "bn254", EVIL), ("kzg", "commit", "--setup", EVIL, EVIL),
                          ("bench", "--curves", EVIL), ("convert", "--curve", "bn254", "bases", EVIL + b"/x")):
            self.refused(2, SEEN, *arguments)
        self.write(EVIL, b"\xff" * 64)
        self.refused(2, SEEN, *common, EVIL)
        for out in (self.ok("convert", "--curve", "bn254", "bases", EVIL), self.ok(*common, "bases", "--partial", EVIL),
                    self.ok("generate", "--curve", "bn254", "-n", "1", "--out-bases", EVIL, "--out-scalars", EVIL + b"2",
                            "--expected", EVIL + b"3")):
            self.assertNotRegex(out, rb"[\x00-\x09\x0b-\x1f\x7f-\xff]")
            self.assertIn(SEEN, out)

    def test_text_that_is_plain_stays(self):
        self.generate()
        name = "bl\u00f6b \u2603 \U0001f600 'q'.bin"
        self.assertIn(name.encode(), self.ok("convert", "--curve", "bn254", "bases", name))
        self.assertIn(rb"back\slash", self.ok("convert", "--curve", "bn254", "bases", rb"back\slash"))

    def test_curve_names_in_tables(self):
        """A crafted table with a right checksum names a curve that would colour the terminal."""
        self.generate()
        self.ok("convert", "--curve", "bn254", "bases", "--table", "table")
        table = bytearray(self.read("table"))
        self.assertEqual(struct.unpack_from("<Q", table, 120)[0], xxh64(bytes(table[:120])))
        table[16:48] = EVIL.ljust(32, b"\0")[:32]
        struct.pack_into("<Q", table, 120, xxh64(bytes(table[:120])))
        self.write("crafted", table)
        for more in ((), ("--table",)):
            self.refused(2, rb"evil\x1b[31m\x0a\x0d\x09", "msm", "--curve", "bn254", "--bases", "crafted", *more, "--scalars", "scalars")

    def test_progress_on_a_terminal(self):
        """The line that is drawn after a second holds the path."""
        try:
            terminal, side = pty.openpty()
        except OSError as error:
            self.skipTest("no pseudo-terminal can be had here: %s" % error)
        os.mkfifo(EVIL)
        self.write("scalars", b"")
        process = subprocess.Popen([cli_support.PROGRAM, "msm", "--curve", "bn254", "--bases", EVIL, "--scalars", "scalars"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=side)
        os.close(side)
        drawn = b""
        while b" s" not in drawn:
            drawn += os.read(terminal, 4096)
        open(EVIL, "wb").close()
        self.assertEqual(process.wait(60), 0)
        os.close(terminal)
        self.assertIn(SEEN[:30], drawn)
        self.assertNotIn(b"\x1b[31m", drawn)

    def test_long_arguments(self):
        """The sentence is cut, not the memory behind it."""
        self.check_refusal(run("x" * 100000), 2, "xxx")
        self.check_refusal(run("msm", "--curve", "y" * 100000, "--bases", "b", "--scalars", "s"), 2, "yyy")
        self.check_refusal(run("convert", "--curve", "bn254", "z" * 5000, "new"), 2, "zzz")
        self.check_refusal(run("convert", "--curve", "bn254", "/dev/null", "z" * 5000), 2, "zzz")
        self.check_refusal(run("convert", "--curve", "bn254", "/dev/null", "z" * 255 + "/z"), 2, "zzz")


class Json(CommandTest):
    def test_arguments_that_are_not_utf8(self):
        """Finished work is not lost; the bytes are visible in a valid string."""
        answer = self.generate()
        common = ("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars", "--json")
        self.assertEqual(json.loads(self.ok(*common, "--partial", b"p\xff\n"))["partial"], "p\\xff\n")
        self.assertEqual(json.loads(self.ok("combine", "--curve", "bn254", "--json", b"p\xff\n"))["result"], answer)
        self.ok("bench", "--curves", "bn254", "--sizes", "10", "--runs", "1", "--commit", b"c\xe9", "--json", b"j\xc0\x80\xed\xa0\x80")
        with open(b"j\xc0\x80\xed\xa0\x80", encoding="utf-8") as f:
            result = json.load(f)
        self.assertEqual(result["commit"], "c\\xe9")
        self.assertTrue(result["command"].endswith("--json j\\xc0\\x80\\xed\\xa0\\x80"), result["command"])

    def test_what_was_checked(self):
        """Points are checked against the curve unless --check says other; the time is in both kinds of report."""
        self.generate()
        common = ("msm", "--curve", "bn254", "--scalars", "scalars", "--bases")
        for more, word in (((), "curve"), (("--check", "none"), "none"), (("--check", "subgroup"), "subgroup")):
            answer = json.loads(self.ok(*common, "bases", "--json", *more))
            self.assertEqual(answer["check"], word)
            self.assertGreater(answer["read_ms"], 0)
        self.assertRegex(self.ok(*common, "bases"), rb"\nbases      read in \d+\.\d{3} ms, each checked to be on the curve\n")
        self.assertRegex(self.ok(*common, "bases", "--check", "none"), rb"\nbases      read in \d+\.\d{3} ms, not checked\n")
        off = bytearray(self.read("bases"))
        off[7 * 64] ^= 1
        self.write("off", off)
        self.refused(2, "byte 448 is not on the curve", *common, "off")
        self.ok(*common, "off", "--check", "none")
        self.assertIn(b"(msm: curve; else none)", self.ok("msm", "--help"))


class Help(CommandTest):
    def test_all_ways_to_ask(self):
        usage = self.ok("--help")
        for words in (("-h",), ("help",)):
            self.assertEqual(self.ok(*words), usage)
        commands = re.findall(rb"^  (\w+(?: \w+)?) ", usage, re.M)
        self.assertEqual(len(commands), 14)
        for command in commands:
            words = command.split()
            text = self.ok(*words, "--help")
            self.assertTrue(text.startswith(b"Usage: sumac " + command + b" "), text)
            self.assertEqual(self.ok("help", *words), text)
        words = [c.split() for c in commands if c.startswith(b"kzg ")]
        text = b"\n".join(self.ok(*w, "--help") for w in words)
        self.assertEqual([self.ok("kzg", "--help"), self.ok("kzg", "-h"), self.ok("help", "kzg")], [text] * 3)

    def test_unknown_commands(self):
        self.refused(2, "frobnicate", "help", "frobnicate")
        self.refused(2, "msm", "help", "ms")
        self.refused(2, "'kzg'", "kzg")
        self.refused(2, "kzg frobnicate", "kzg", "frobnicate")
        self.refused(2, "frobnicate", "frobnicate", "--help")
        self.refused(2, "''", "")


class Sizes(CommandTest):
    def test_generate_scalar_bits(self):
        self.refused(2, "4096", "generate", "--curve", "bn254", "-n", "3", "--scalar-bits", "4096", "--out-scalars", "s")
        self.refused(2, "257", "generate", "--curve", "bn254", "-n", "3", "--scalar-bits", "257", "--out-scalars", "s")
        self.ok("generate", "--curve", "bn254", "-n", "3", "--scalar-bits", "256", "--out-scalars", "s")

    def test_combine_takes_memory_as_its_files_do(self):
        """A batch of ten million is refused because of the file's size, with less memory than it would take."""
        self.generate()
        self.ok("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars", "--partial", "partial")
        self.assertEqual(os.path.getsize("partial"), 120)
        limit = None if cli_support.is_sanitized() else lambda: resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
        for name in ("partial", "/dev/null"):
            self.refused(2, "truncated", "combine", "--curve", "bn254", "--batch", "10000000", name, preexec_fn=limit)
        self.refused(2, "too long", "combine", "--curve", "bn254", "/dev/zero", preexec_fn=limit)
        self.refused(2, "batch of 2", "combine", "--curve", "bn254", "--batch", "2", "partial")


if __name__ == "__main__":
    cli_support.main()
