#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests the program's texts, which are help and messages. Bytes from files and arguments must be escaped before they
reach a terminal."""
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
from cli_support import CommandTest, correct_header, run, xxh64  # noqa: E402

# These are control characters, line breaks, C1 control characters as one byte and in UTF-8, right-to-left text, and invalid
# UTF-8.
EVIL = "evil\x1b[31m\n\r\t\x07\x7f".encode() + b"\x9b" + "\u009b\u202e\u2028".encode() + b"\xff\xc3"
SEEN = rb"evil\x1b[31m\n\r\t\x07\x7f\x9b\xc2\x9b\xe2\x80\xae\xe2\x80\xa8\xff\xc3"


class Escaping(CommandTest):
    def pseudo_terminal(self):
        """Return the terminal's end and the program's end, or skip the test."""
        try:
            return pty.openpty()
        except OSError as error:
            self.skipTest("no pseudo-terminal can be had here: %s" % error)

    def test_arguments(self):
        """Wherever a message repeats an argument, such bytes are escaped. The argument is a path, a curve, a value, an option
        or a command."""
        self.generate()
        common = ("msm", "--curve", "bn254", "--scalars", "scalars", "--bases")
        for arguments in ((*common, EVIL), (*common, "bases", "--backend", EVIL), (*common, "bases", "--tune", b"variant=" + EVIL), (*common, "bases", "--tune", EVIL),
                          (*common, "bases", "--plan", EVIL), (*common, "bases", "--format", EVIL),
                          (*common, "bases", "--validate", EVIL), (*common, "bases", "--tune", b"c=" + EVIL), (*common, "bases", b"--" + EVIL),
                          (*common, "bases", EVIL), (EVIL,), ("help", EVIL), ("kzg", EVIL),
                          ("plan", "--curve", EVIL, "-n", "1"), ("plan", "--curve", "bn254", "--group", EVIL, "-n", "1"),
                          ("combine", "--curve", "bn254", EVIL), ("kzg", "commit", "--setup", EVIL, EVIL),
                          ("bench", "--curve", EVIL), ("convert", "--curve", "bn254", "bases", EVIL + b"/x")):
            self.refused(2, SEEN, *arguments)
        self.write(EVIL, b"\xff" * 64)
        self.refused(2, SEEN, *common, EVIL)
        for out in (self.ok("convert", "--curve", "bn254", "bases", EVIL), self.ok(*common, "bases", "--partial", EVIL),
                    self.ok("generate", "--curve", "bn254", "-n", "1", "--out-bases", EVIL, "--out-scalars", EVIL + b"2",
                            "--expected", EVIL + b"3")):
            self.assertNotRegex(out, rb"[\x00-\x09\x0b-\x1f\x7f-\xff]")
            self.assertIn(SEEN, out)

    def test_characters_that_show_nothing(self):
        """Invisible characters of Unicode are escaped, too: soft hyphen, Mongolian, Hangul, annotation, musical, tag, zero width."""
        for point in (0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200f, 0x202a, 0x202e, 0x2060, 0x2069, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xfffb,
                      0x1bca0, 0x1d173, 0xe0001, 0xe007f):
            text = "x" + chr(point) + "y"
            self.refused(2, b"'x" + b"".join(b"\\x%02x" % byte for byte in chr(point).encode()) + b"y'", text)
        self.refused(2, "\u05d0\u0627\u200a\u3042".encode(), "\u05d0\u0627\u200a\u3042")

    def test_text_that_is_plain_stays(self):
        self.generate()
        name = "bl\u00f6b \u2603 \U0001f600 'q'.bin"
        self.assertIn(name.encode(), self.ok("convert", "--curve", "bn254", "bases", name))
        self.assertIn(rb"back\slash", self.ok("convert", "--curve", "bn254", "bases", rb"back\slash"))

    def test_curve_names_in_tables(self):
        """A crafted table with a right checksum names a curve that would colour the terminal."""
        self.generate()
        self.ok("convert", "--curve", "bn254", "bases", "--to", "table", "table")
        table = bytearray(self.read("table"))
        self.assertEqual(struct.unpack_from("<Q", table, 56)[0], xxh64(bytes(table[:56] + table[64:128])))
        table[16:48] = EVIL.ljust(32, b"\0")[:32]
        correct_header(table)
        self.write("crafted", table)
        for more in ((), ("--format", "table")):
            self.refused(2, rb"evil\x1b[31m\x0a\x0d\x09", "msm", "--curve", "bn254", "--bases", "crafted", *more, "--scalars", "scalars")

    def read_terminal(self, terminal, process, until=None):
        """Return what the program has drawn when it has drawn `until` or has ended."""
        drawn = b""
        try:
            while until is None or until not in drawn:
                drawn += os.read(terminal, 4096)
        except OSError:
            pass  # the program has ended
        return drawn

    def test_progress_on_a_terminal(self):
        """After a second a line says what is being computed. Bytes of paths are escaped in it, and the line is erased at the end."""
        terminal, stderr = self.pseudo_terminal()
        self.ok("generate", "--curve", "bls12-381", "-n", "2^14", "--out-bases", EVIL)
        process = subprocess.Popen([cli_support.PROGRAM, "convert", "--curve", "bls12-381", EVIL, "--precompute", "64", "--tune", "c=13",
                                    "--threads", "1", "--to", "table", "/dev/null"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr)
        os.close(stderr)
        drawn = self.read_terminal(terminal, process)
        self.assertEqual(process.wait(60), 0)
        os.close(terminal)
        self.assertIn(b"computing the tables of " + SEEN[:30], drawn)
        self.assertIn(b" s", drawn)
        self.assertNotIn(b"\x1b[31m", drawn)
        self.assertNotIn(b"100 %", drawn)  # after the last point is read, computing the tables still takes time
        self.assertTrue(drawn.endswith(b"\r\x1b[K"), drawn[-50:])

    def test_long_arguments(self):
        """A message that does not fit in its buffer is cut, and nothing beyond the buffer is written."""
        self.check_refusal(run("x" * 100000), 2, "xxx")
        self.check_refusal(run("msm", "--curve", "y" * 100000, "--bases", "b", "--scalars", "s"), 2, "yyy")
        self.check_refusal(run("convert", "--curve", "bn254", "z" * 5000, "new"), 2, "zzz")
        self.check_refusal(run("convert", "--curve", "bn254", "/dev/null", "z" * 5000), 2, "zzz")
        self.check_refusal(run("convert", "--curve", "bn254", "/dev/null", "z" * 255 + "/z"), 2, "zzz")


class Json(CommandTest):
    def test_arguments_that_are_not_utf8(self):
        """Invalid UTF-8 in a path does not make the JSON invalid: its bytes are escaped in a valid string."""
        answer = self.generate()
        common = ("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars", "--json")
        self.assertEqual(json.loads(self.ok(*common, "--partial", b"p\xff\n"))["partial"], "p\\xff\n")
        self.assertEqual(json.loads(self.ok("combine", "--curve", "bn254", "--json", b"p\xff\n"))["result"], answer)
        self.ok("bench", "--curve", "bn254", "-n", "10", "--runs", "1", "--commit", b"c\xe9", "--json", b"j\xc0\x80\xed\xa0\x80")
        with open(b"j\xc0\x80\xed\xa0\x80", encoding="utf-8") as f:
            result = json.load(f)
        self.assertEqual(result["commit"], "c\\xe9")
        self.assertTrue(result["command"].endswith("--json j\\xc0\\x80\\xed\\xa0\\x80"), result["command"])

    def test_what_a_terminal_obeys(self):
        """JSON is ASCII: right-to-left marks and invisible characters are escaped."""
        self.generate()
        name = "p\u202e\u009b\u00ad\u00f6"
        out = self.ok("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars", "--json", "--partial", name)
        self.assertRegex(out, rb"\A[\x20-\x7e]+\n\Z")
        self.assertEqual(json.loads(out)["partial"], name)

    def test_what_was_checked(self):
        """Unless --validate says otherwise, points are checked against the curve. Both reports give the time that it took."""
        self.generate()
        common = ("msm", "--curve", "bn254", "--scalars", "scalars", "--bases")
        for more, word in (((), "curve"), (("--validate", "none"), "none"), (("--validate", "subgroup"), "subgroup")):
            answer = json.loads(self.ok(*common, "bases", "--json", *more))
            self.assertEqual(answer["check"], word)
            self.assertGreater(answer["read_ms"], 0)
        self.assertRegex(self.ok(*common, "bases"), rb"\nbases      read in \d+\.\d{3} ms, each checked to be on the curve\n")
        self.assertRegex(self.ok(*common, "bases", "--validate", "none"), rb"\nbases      read in \d+\.\d{3} ms, not checked\n")
        off = bytearray(self.read("bases"))
        off[7 * 64] ^= 1
        self.write("off", off)
        self.refused(2, "byte 448 is not on the curve", *common, "off")
        self.ok(*common, "off", "--validate", "none")
        p = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab
        y = pow(4**3 + 4, (p + 1) // 4, p)  # x = 4 is on BLS12-381, and outside the subgroup
        self.write("outside", (4).to_bytes(48, "little") + y.to_bytes(48, "little"))
        self.write("one", (1).to_bytes(32, "little"))
        if b"bls12-381" in self.ok("info"):
            common = ("msm", "--curve", "bls12-381", "--scalars", "one", "--bases", "outside", "--validate")
            self.ok(*common, "curve")
            self.refused(2, "is not in the subgroup", *common, "subgroup")
        for command, preset in (("msm", "curve"), ("kzg setup", "subgroup"), ("kzg commit", "none")):
            self.assertRegex(self.ok(*command.split(), "--help").decode(), r"\n  --validate LEVEL .*: none, curve, subgroup or default \(%s\)\n" % preset)


class Help(CommandTest):
    def test_all_ways_to_ask(self):
        usage = self.ok("--help")
        for words in (("-h",), ("help",)):
            self.assertEqual(self.ok(*words), usage)
        commands = re.findall(rb"^  (\w+(?: \w+)?) ", usage, re.M)
        self.assertEqual(len(commands), 29)
        for command in commands:
            words = command.split()
            text = self.ok(*words, "--help")
            self.assertTrue(text.startswith(b"Usage: sumac " + command + b" "), text)
            self.assertEqual(self.ok("help", *words), text)
        words = [c.split() for c in commands if c.startswith(b"kzg ")]
        text = b"\n".join(self.ok(*w, "--help") for w in words)
        self.assertEqual([self.ok("kzg", "--help"), self.ok("kzg", "-h"), self.ok("help", "kzg")], [text] * 3)

    def test_a_reader_that_leaves(self):
        """If a reader such as head closes the pipe early, this is an error for a result, but not for help."""
        for words in (("help", "--man"), ("--help",), ("help", "--completion", "bash"), ("msm", "--help"), ("plan", "--curve", "bn254", "-n", "1")):
            left, side = os.pipe()
            os.close(left)
            done = run(*words, stdout=side)
            os.close(side)
            self.assertEqual((done.returncode, bool(done.stderr)), (3, True) if words[0] == "plan" else (0, False), words)

    def test_unknown_commands(self):
        self.refused(2, "frobnicate", "help", "frobnicate")
        self.refused(2, "msm", "help", "ms")
        self.refused(2, "usage: sumac kzg {commit,", "kzg")
        self.refused(2, "kzg frobnicate", "kzg", "frobnicate")
        self.refused(2, "frobnicate", "frobnicate", "--help")
        self.refused(2, "''", "")


class Names(CommandTest):
    """Names may be written in several ways, and the message on an unknown name suggests the nearest one."""

    def test_curves_and_groups(self):
        answer = self.generate("bls12-381", 20)
        for name in ("BLS12-381", "bls12_381", "bls12381", "BLS12381", "Bls_12-381"):
            for group in ("g1", "G1"):
                out = json.loads(self.ok("msm", "--curve", name, "--group", group, "--bases", "bases", "--scalars", "scalars", "--json"))
                self.assertEqual((out["curve"], out["group"], out["result"]), ("bls12-381", "g1", answer))
        for name in ("bn128", "BN128", "alt_bn128", "altbn128", "BN254", "bn_254"):
            self.assertIn(b"bn254 g1", self.ok("plan", "--curve", name, "-n", "1"))
        self.assertIn(b"bls12-381 g2", self.ok("plan", "--curve", "bls12-381", "--group", "G2", "-n", "1"))
        self.assertIn(b"bls12-381  g2 ", self.ok("bench", "--curve", "BLS12_381", "--group", "G2", "-n", "1", "--runs", "1"))
        for name in ("bn12", "bn2540", "bls12-3810", "-", "_", "128"):
            self.refused(2, "'%s'" % name, "plan", "--curve", name, "-n", "1")

    def test_tables_hold_the_one_name(self):
        """In a table, the only name that is accepted for a curve is the one that this library writes."""
        self.generate("bn254", 3)
        self.ok("convert", "--curve", "bn254", "bases", "--to", "table", "table")
        table = bytearray(self.read("table"))
        table[16:21] = b"BN254"
        correct_header(table)
        self.write("table", table)
        self.refused(2, "BN254", "convert", "--curve", "bn254", "table", "out")

    def test_nearest_names(self):
        plan = ("plan", "--curve", "bn254", "-n", "9")
        for meant, arguments in (("'bls12-381'", ("plan", "--curve", "BLS12-318", "-n", "1")), ("'msm'", ("mms",)),
                                 ("'kzg commit'", ("kzg", "comit")), ("--bases", ("msm", "--bses", "b")), ("--bases", ("msm", "--bses=b")),
                                 ("'subgroup'", ("convert", "--validate", "subgoup", "a", "b")),
                                 ("'uniform'", ("bench", "--kind", "unifrom")), ("'cuda'", (*plan, "--backend", "cdua")),
                                 ("'portable'", (*plan, "--tune", "variant=protable")), ("'auto'", (*plan, "--plan", "autoo")),
                                 ("'auto'", ("compare", "--plan", "auto,autoo")),
                                 ("'zcash-compressed'", ("convert", "--curve", "bn254", "--to", "zcash_compressed", "a", "b"))):
            self.refused(2, "(did you mean %s?)" % meant, *arguments)
        for arguments in (("frobnicate",), ("plan", "--curve", "frobnicate", "-n", "1"), ("kzg", "frobnicate"), ("msm", "--frobnicate"), (*plan, "--plan", "x" * 500)):
            done = run(*arguments)
            self.check_refusal(done, 2)
            self.assertNotIn(b"did you mean", done.stderr)

    def test_one_word_of_two(self):
        """`sumac kzg` lists the words that may follow, and `sumac` alone prints the help."""
        self.refused(2, "usage: sumac kzg {commit,prove,verify,cells,recover,setup}\n", "kzg")
        self.assertEqual(self.ok(), self.ok("help"))
        self.assertEqual(self.ok("version"), self.ok("--version"))

    def test_where_to_look(self):
        """The message on an unknown word names the help that lists the known words."""
        self.refused(2, "see 'sumac --help'\n", "frobnicate")
        self.refused(2, "see 'sumac msm --help'\n", "msm", "--frobnicate")
        self.refused(2, "see 'sumac kzg commit --help'\n", "kzg", "commit", "-q")

    def test_tuning(self):
        """A command accepts only its own keys of --tune, and each of them once."""
        plan = ("plan", "--curve", "bn254", "-n", "2^10")
        self.assertRegex(self.ok(*plan, "--tune", "c=7,variant=portable").decode(), r"backend +cpu \(portable\).*\n(.*\n)+windows +\d+ of c = 7 bits")
        for sentence, value in (("variant, c, reduction", "frobnicate=1"), ("not 'c'", "c"), ("not 'c'", "c,chunks=2"), ("c is given twice", "c=3,c=4"),
                                ("(did you mean 'chunks'?)", "chunk=3"), ("chunks takes a number from 1 to", "chunks=0"), ("typical-n", "typical-n=3"),
                                ("not ''", ""), ("not ''", "c=3,")):
            self.refused(2, sentence, *plan, "--tune", value)
        self.refused(2, "--tune is given twice", *plan, "--tune", "c=3", "--tune", "chunks=2")
        self.assertIn(b"typical-n=N", self.ok("convert", "--help"))
        self.assertNotIn(b"--tune", self.ok("combine", "--help"))

    def test_options_that_need_others(self):
        self.generate()
        msm = ("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars")
        self.refused(2, "--table-limit needs --tables", *msm, "--table-limit", "1M")
        self.refused(2, "--table-limit needs --tables", "bench", "--table-limit", "1M")
        self.refused(2, "--truncate needs --scalar-bits", *msm, "--truncate")

    def test_several_values(self):
        """Only commands that measure take a list of values."""
        self.refused(2, "-n takes a number from 0 to", "plan", "--curve", "bn254", "-n", "1,2")
        self.refused(2, "--group takes one of g1, g2, not 'g1,g2'", "plan", "--curve", "bn254", "-n", "1", "--group", "g1,g2")
        self.refused(2, "--threads takes a number from 1 to 4096", "compare", "-n", "1", "--threads", "1,2")
        self.refused(2, "--devices takes one number here", "convert", "--curve", "bn254", "--devices", "0,1", "a", "b")

    def test_repeated_options(self):
        for option, arguments in (("-n", ("plan", "--curve", "bn254", "-n", "1", "-n", "1")), ("--json", ("info", "--json", "--json")),
                                  ("--curve", ("plan", "--curve", "bn254", "-n", "1", "--curv", "bn254")),
                                  ("--kind", ("bench", "--kind", "ones", "--kind=zeros"))):
            self.refused(2, "%s is given twice" % option, *arguments)

    def test_devices(self):
        """A GPU that is named but does not exist is refused. The CPU does not replace it."""
        plan = ("plan", "--curve", "bn254", "-n", "9")
        self.refused(3, "no GPU 777", *plan, "--devices", "777")
        self.refused(3, "no GPU 777", *plan, "--devices", "777", "--backend", "cuda")
        self.refused(3, "no GPU 777", "convert", "--curve", "bn254", "--devices", "777", "a", "b")
        self.refused(3, "cuda", *plan, "--devices", "776,777")
        if run(*plan, "--backend", "cuda").returncode != 0:
            self.refused(3, "no GPU 0: ", *plan, "--devices", "0")
            self.assertIn(b"cpu", self.ok(*plan, "--devices", "all"))


class Results(CommandTest):
    """--out writes the result as the bytes of a point. The expected answer follows from discrete logarithms."""

    def point(self, answer):
        return [bytes.fromhex(answer[c][2:].rjust(96, "0")) for c in "xy"]

    def test_formats(self):
        x, y = self.point(self.generate("bls12-381", 20))
        order = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
        flags = 0x80 | (0x20 if int.from_bytes(y, "big") > (order - 1) // 2 else 0)
        expected = {"raw": x[::-1] + y[::-1], "zcash-compressed": bytes([x[0] | flags]) + x[1:], "zcash-uncompressed": x + y,
                    "eip2537": bytes(16) + x + bytes(16) + y}
        msm = ("msm", "--curve", "bls12-381", "--bases", "bases", "--scalars", "scalars")
        for name, content in expected.items():
            for more in ((), ("--stream",)):
                self.assertIn(b"\nwritten    out, " + name.encode(), self.ok(*msm, *more, "--out", "out", "--to", name))
                self.assertEqual(self.read("out"), content)
                out = json.loads(self.ok(*msm, *more, "--out", "out2", "--to", name, "--json"))
                self.assertEqual((out["out"], out["format"], self.read("out2")), ("out2", name, content))
        self.ok(*msm, "--out", "out")
        self.assertEqual(self.read("out"), expected["raw"])
        done = run(*msm, "--out", "-", "--to", "zcash-compressed")
        self.assertEqual((done.returncode, done.stdout), (0, expected["zcash-compressed"]))
        self.ok(*msm, "--partial", "partial")
        self.ok("combine", "--curve", "bls12-381", "--out", "out", "--to", "eip2537", "partial")
        self.assertEqual(self.read("out"), expected["eip2537"])
        self.write("twice", 2 * self.read("scalars"))
        self.ok(*msm[:-1], "twice", "--batch", "2", "--out", "out")
        self.assertEqual(self.read("out"), 2 * expected["raw"])
        self.ok(*msm, "-n", "0", "--out", "out", "--to", "zcash-compressed")
        self.assertEqual(self.read("out"), b"\xc0" + bytes(47))

    def test_refusals(self):
        """Bad arguments of --out are refused before the work, and an old file stays."""
        self.generate("bn254", 20)
        self.write("old", b"old")
        msm = ("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars")
        for named, more in (("does not hold points of bn254 g1", ("--out", "old", "--to", "zcash-compressed")), ("--out", ("--to", "raw")),
                            ("did you mean 'raw'", ("--out", "old", "--to", "rwa")), ("table", ("--out", "old", "--to", "table")),
                            ("--partial", ("--out", "old", "--partial", "p")), ("same file", ("--out", "bases")), ("none", ("--out", "none/x"))):
            for stream in ((), ("--stream",)):
                self.refused(2, named, *msm, *more, *stream)
        self.assertEqual(self.read("old"), b"old")


class Files(CommandTest):
    """These tests are about `sumac info FILE`, and the message on a length that does not fit the format."""

    def kinds_of(self, path):
        facts = json.loads(self.ok("info", "--json", path))
        self.assertEqual((facts["file"], facts["bytes"]), (path, os.path.getsize(path)))
        words = self.ok("info", path).decode()
        for kind in facts["kinds"]:
            for key in ("kind", "curve", "group", "more", "checked", "advice"):
                self.assertIn(kind.get(key, ""), words)
            self.assertEqual("advice" in kind, not kind["can_read"])
        return facts["kinds"]

    def one(self, path):
        kind, = self.kinds_of(path)
        return kind

    def curve(self, kind):
        return kind["curve"], kind.get("group")

    def test_formats_of_points(self):
        for group in ("g1", "g2"):
            self.generate("bls12-381", 20, "--group", group)
            for name in ("raw", "zcash-compressed", "zcash-uncompressed", "eip2537"):
                self.ok("convert", "--curve", "bls12-381", "--group", group, "bases", "--to", name, "points")
                kind = self.one("points")
                self.assertEqual((kind["kind"], self.curve(kind), kind["points"]), (name, ("bls12-381", group), 20))
        self.generate("bn254", 20)
        self.assertEqual(self.curve(self.one("bases")), ("bn254", "g1"))
        self.assertIn(("bn254", "g1", 20), [(*self.curve(k), k["scalars"]) for k in self.kinds_of("scalars")])
        self.write("infinity", bytes(192))
        self.assertGreater(len(self.kinds_of("infinity")), 1)
        self.write("empty", b"")
        self.assertEqual(self.one("empty")["kind"], "raw")
        self.write("noise", b"\xfe" * 999)
        self.refused(2, "noise: 999 bytes of no kind of file", "info", "noise")
        self.refused(2, "nowhere", "info", "nowhere")
        self.refused(2, "not a regular file", "info", "/dev/null")

    def test_files_of_ours(self):
        self.generate("bn254", 20)
        common = ("--curve", "bn254", "--bases", "bases", "--scalars", "scalars")
        self.ok("convert", "--curve", "bn254", "bases", "--precompute", "3", "--to", "table", "table")
        kind = self.one("table")
        self.assertEqual((kind["kind"], self.curve(kind), kind["bases"], kind["more"]), ("a table", ("bn254", "g1"), 20, "3 points kept of each"))
        self.ok("msm", *common, "--partial", "partial")
        kind = self.one("partial")
        self.assertEqual((kind["kind"], self.curve(kind), kind["results"]), ("a partial result", ("bn254", "g1"), 1))
        for name, end in (("table", 900), ("table", 100), ("partial", 100), ("partial", 127), ("partial", 200)):
            self.write("cut", self.read(name)[:end])
            self.refused(2, "cut: ", "info", "cut")
        damaged = bytearray(self.read("partial"))
        damaged[60] ^= 1
        self.write("damaged", damaged)
        self.refused(2, "checksum", "info", "damaged")
        kzg = os.path.join(cli_support.DATA, "kzg")
        text = os.path.join(kzg, "trusted_setup.txt")
        self.assertEqual(self.one(text)["kind"], "a trusted setup, as text")
        self.ok("kzg", "setup", "--setup", text, "setup")
        kind = self.one("setup")
        self.assertEqual((kind["kind"], kind["checked"], kind["more"]), ("a saved setup", "all of its checksums", "prepared for proofs of cells"))
        for old in b"\x89SUMAC\r\n\1", b"\x89SUKZG\r\n\2", b"sumacPR1":
            self.write("old", old + bytes(200))
            self.assertEqual(self.one("old")["kind"], "a file of another version of sumac")
        kind = self.one(os.path.join(kzg, "blob.bin"))
        self.assertEqual((kind["kind"], kind["blobs"]), ("Ethereum blobs", 1))
        setup = self.read("setup")
        ends = 64 * (1 + struct.unpack_from("<I", setup, 48)[0])
        entries = {setup[at]: setup[at:at + 64] for at in range(64, ends, 64)}  # docs/formats.md; sections 8 and 9 are FK20 tables
        self.write("fk20", setup[:12] + struct.pack("<I", 5) + setup[16:48] + struct.pack("<IIQ", 2, 0, 0) + entries[8] + entries[9] + bytes(99))
        kind = self.one("fk20")
        self.assertEqual((kind["kind"], self.curve(kind), kind["coefficients"]), ("saved FK20 tables", ("bls12-381", "g1"), 4096))
        section = lambda *values: struct.pack("<II8sQQQ4IQ", *values)
        self.write("checkpoint", struct.pack("<8sII32sIIQ", b"\x89SUMAC\r\n", 2, 3, b"bn254", 2, 0, 0)
                   + section(2, 0, b"g1", 192, 80, 37, 1, 254, 0, 0, 0) + section(3, 0, b"g1", 320, 64, 1, 0, 0, 0, 0, 0)
                   + struct.pack("<32s6Q", b"raw", 0, 0, 5, 100, 0, 0) + bytes(176))
        kind = self.one("checkpoint")
        self.assertEqual((self.curve(kind), kind["bases"]), (("bn254", "g1"), 37))
        self.assertIn("of 100, from 5 on", kind["more"])

    def test_files_of_others(self):
        binfile = lambda magic: magic + struct.pack("<II", 1, 0) + bytes(33)
        key = struct.pack(">Q", 1 << 10) + b"\x05" * 96 + (5).to_bytes(32, "big") + b"\x07" * 99
        aztec = (1).to_bytes(32, "big") + (2).to_bytes(32, "big") + bytes(range(64))
        halo2 = struct.pack("<I", 5) + b"\x09" * (2 * 64 * 32 + 2 * 128)
        dump = struct.pack("<QQ", 0xdeadbeef, 1) + bytes(63)
        for content, name in ((binfile(b"zkey"), ".zkey"), (binfile(b"wtns"), ".wtns"), (binfile(b"ptau"), ".ptau"), (binfile(b"r1cs"), ".r1cs"),
                              (key, "proving key of gnark"), (aztec, "bn254_g1.dat"), (halo2, "ParamsKZG"), (dump, "dump of gnark-crypto")):
            self.write("theirs", content)
            kind = self.one("theirs")
            self.assertIn(name, kind["kind"])
            self.assertIn("sumac", kind["advice"])
            self.assertFalse(kind["can_read"])
            if len(content) % 32 != 0:
                for what in ("bases", "scalars"):
                    given = {"bases": "/dev/null", "scalars": "/dev/null", what: "theirs"}
                    self.refused(2, name, "msm", "--curve", "bn254", "--bases", given["bases"], "--scalars", given["scalars"])

    def test_files_of_gnark(self):
        names = {"pk.compressed": "a proving key of gnark", "pk.raw": "a proving key of gnark", "pk.dump": "a dump of a proving key of gnark",
                 "vk.compressed": "a verifying key of gnark", "vk.raw": "a verifying key of gnark", "proof.compressed": "a proof of gnark",
                 "proof.raw": "a proof of gnark", "solution": "a solved witness of gnark (R1CSSolution)", "public": "a witness of gnark"}
        for circuit in "bn254", "bls12-381", "bls12-377", "bw6-761", "committing-bls12-381", "several-bn254":
            for name, kind in names.items():
                found = self.one(os.path.join(cli_support.DATA, "gnark", circuit, name))
                self.assertEqual(found["kind"], kind, (circuit, name))
                self.assertIn("`sumac groth16", found["advice"])

    def test_json_of_snarkjs(self):
        """Keys, proofs and public inputs are recognized by their members. Other JSON is of no known kind."""
        folder = os.path.join(cli_support.DATA, "groth16", "tiny-bn254")
        for name, kind, count in (("verification_key.json", "a verifying key of snarkjs (verification_key.json)", 2),
                                  ("proof.json", "a proof of snarkjs (proof.json)", None), ("public.json", "public inputs of snarkjs (public.json)", 2)):
            with open(os.path.join(folder, name), "rb") as f:
                self.write(name, b"\n" + f.read())
            found = self.one(name)
            self.assertEqual((found["kind"], found.get("public inputs"), found["can_read"]), (kind, count, False))
            self.assertIn("`sumac groth16 verify`", found["advice"])
        for other in (b"{}", b"[1]", b'["x"]', b'{"pi_a": []}', b"{", b"[[[["):
            self.write("other.json", other)
            self.assertNotIn(b"snarkjs", run("info", "other.json").stdout)

    def test_points_of_others(self):
        """`info` recognizes files that other libraries wrote, and `convert` reads them in the format that it names."""
        formats = os.path.join(cli_support.DATA, "formats")
        built = [(curve["name"], curve["group"]) for curve in json.loads(self.ok("info", "--json"))["curves"]]
        for name, curve, group, found in (
                ("arkworks-compressed.pallas_g1", "pallas", "g1", ("arkworks-compressed",)),
                ("arkworks-uncompressed.bn254_g2", "bn254", "g2", ("arkworks-uncompressed",)),
                ("gnark-compressed.bls12_377_g1", "bls12-377", "g1", ("gnark-compressed",)),
                ("gnark-raw.bn254_g1", "bn254", "g1", ("gnark-raw",)),
                ("gnark-dump.bls12_381_g2", "bls12-381", "g2", ("gnark-dump",)),
                ("halo2-setup-raw.bn254", "bn254", "g1", ("halo2-monomial", "halo2-lagrange")),
                ("halo2-setup-processed.bn254", "bn254", "g2", ("halo2-monomial",)),
                ("ptau.bn254", "bn254", "g2", ("ptau-tau", "ptau-beta", "ptau-tau-lagrange")),
                ("ptau.bls12_381", "bls12-381", "g1",
                 ("ptau-tau", "ptau-alpha-tau", "ptau-beta-tau", "ptau-tau-lagrange", "ptau-alpha-tau-lagrange", "ptau-beta-tau-lagrange"))):
            if (curve, group) not in built:
                continue
            path = os.path.join(formats, name)
            of_group = [kind for kind in self.kinds_of(path) if self.curve(kind) == (curve, group)]
            self.assertEqual(tuple(kind["kind"] for kind in of_group), found, name)
            for kind in of_group:
                self.assertTrue(kind["can_read"])
                words = self.ok("convert", "--curve", curve, "--group", group, path, "--format", kind["kind"], "raw").decode()
                self.assertIn("%d bases of %s %s" % (kind["points"], curve, group), words)
        self.generate("bn254", 3)
        self.ok("convert", "--curve", "bn254", "bases", "--to", "aztec", "g1.dat")
        self.assertEqual(self.one("g1.dat")["kind"], "aztec")

    def test_counts_in_front(self):
        """gnark-crypto's files begin with a count of 4 bytes, and those of arkworks with one of 8. The count must fit the
        file's size."""
        self.generate("bls12-381", 21)
        self.ok("convert", "--curve", "bls12-381", "bases", "--to", "zcash-compressed", "points")
        for count, name, found in ((struct.pack(">I", 21), "gnark-crypto", "gnark-compressed"),
                                   (struct.pack("<Q", 21), "arkworks", "arkworks-compressed")):
            self.write("counted", count + self.read("points"))
            kind = self.one("counted")
            self.assertIn(name, kind["more"])
            self.assertEqual((kind["kind"], kind["points"], self.curve(kind)), (found, 21, ("bls12-381", "g1")))
            common = ("msm", "--curve", "bls12-381", "--bases", "counted", "--scalars", "scalars")
            for form in ("raw", "zcash-compressed", "zcash-uncompressed", "eip2537"):
                self.refused(2, found, *common, "--format", form)
            self.ok(*common, "--format", found)
            self.write("scalars2", count + self.read("scalars"))
            self.assertEqual(self.one("scalars2")["records"], 21)
            self.refused(2, name, "msm", "--curve", "bls12-381", "--bases", "bases", "--scalars", "scalars2")
            self.write("counted", count + self.read("points")[:-1])
            done = run(*common)
            self.check_refusal(done, 2, "is cut off\n")
            done = run("convert", "--curve", "bls12-381", "-", "out", stdin=None, input=count + self.read("points"))
            self.check_refusal(done, 2, name)


class Sizes(CommandTest):
    def test_generate_scalar_bits(self):
        self.refused(2, "4096", "generate", "--curve", "bn254", "-n", "3", "--scalar-bits", "4096", "--out-scalars", "s")
        self.refused(2, "257", "generate", "--curve", "bn254", "-n", "3", "--scalar-bits", "257", "--out-scalars", "s")
        self.ok("generate", "--curve", "bn254", "-n", "3", "--scalar-bits", "256", "--out-scalars", "s")

    def test_combine_takes_memory_as_its_files_do(self):
        """A batch of ten million is refused because of the file's size, and this takes less memory than the batch would."""
        self.generate()
        self.ok("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars", "--partial", "partial")
        self.assertEqual(os.path.getsize("partial"), 256)
        limit = None if cli_support.is_sanitized() else lambda: resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
        for name in ("partial", "/dev/null"):
            self.refused(2, "truncated", "combine", "--curve", "bn254", "--batch", "10000000", name, preexec_fn=limit)
        self.refused(2, "too long", "combine", "--curve", "bn254", "/dev/zero", preexec_fn=limit)
        self.refused(2, "batch of 2", "combine", "--curve", "bn254", "--batch", "2", "partial")


if __name__ == "__main__":
    cli_support.main()
