#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests the files that the program reads and writes: pipes, standard streams, files that are replaced, and files that
are named twice."""
import json
import os
import resource
import stat
import struct
import subprocess
import sys
import threading
import time
import unittest

sys.dont_write_bytecode = True
import cli_support  # noqa: E402
from cli_support import CommandTest, correct_header, is_sanitized, program_for_another_user, run, run_as_another_user  # noqa: E402

FORMATS = ["raw", "table", "zcash-compressed", "zcash-uncompressed", "eip2537"]


def feed(path, content):
    """Write to a named pipe, which waits for its reader."""
    def work():
        with open(path, "wb") as f:
            f.write(content)
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def drain(path, into):
    def work():
        with open(path, "rb") as f:
            into.append(f.read())
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def wait_for_output(process, directory):
    """Wait until the program holds a file of the directory open."""
    folder, directory = "/proc/%d/fd" % process.pid, os.path.realpath(directory) + "/"
    while process.poll() is None:
        for name in os.listdir(folder):
            try:
                if os.readlink(os.path.join(folder, name)).startswith(directory):
                    return
            except OSError:
                pass  # the process closed the file meanwhile
        time.sleep(0.001)


class StandardOutput(CommandTest):
    def test_data_sends_words_to_standard_error(self):
        self.generate()
        plain = self.ok("convert", "--curve", "bn254", "bases", "copy")
        self.assertIn(b"20 bases", plain)
        for name in ("/dev/stdout", "-", "/dev/fd/1", "/proc/self/fd/1"):
            done = run("convert", "--curve", "bn254", "bases", name)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, self.read("bases"), name)
            self.assertIn(b"20 bases", done.stderr)

    def test_every_output_can_be_standard_output(self):
        self.generate()
        common = ("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars")
        for option, wanted in (("--out-bases", "bases"), ("--out-scalars", "scalars"), ("--expected", "expected")):
            done = run("generate", "--curve", "bn254", "-n", "20", option, "-")
            self.assertEqual((done.returncode, done.stdout), (0, self.read(wanted)), (option, done.stderr))
        self.ok(*common, "--partial", "partial")
        done = run(*common, "--json", "--partial", "-")
        self.assertEqual((done.returncode, done.stdout), (0, self.read("partial")))
        self.assertEqual(json.loads(done.stderr)["n"], 20)
        self.assertIn("traceEvents", json.loads(run(*common, "--trace", "-").stdout))
        self.ok("convert", "--curve", "bn254", "bases", "--precompute", "2", "--tune", "c=4", "--to", "table", "table")
        done = run("convert", "--curve", "bn254", "bases", "--precompute", "2", "--tune", "c=4", "--to", "table", "-")
        self.assertEqual(done.stdout, self.read("table"))
        done = run("bench", "--curve", "bn254", "-n", "10", "--runs", "1", "--json", "-")
        self.assertTrue(json.loads(done.stdout)["rows"][0]["verified"])
        self.assertIn(b"verified", done.stderr)

    def test_appending_loses_nothing(self):
        self.generate()
        self.write("log", b"precious")
        for name in ("/dev/stdout", "-"):
            with open("log", "ab") as log:
                self.assertEqual(run("convert", "--curve", "bn254", "bases", name, stdout=log).returncode, 0)
        self.assertEqual(self.read("log"), b"precious" + 2 * self.read("bases"))

    def test_reading_goes_on_where_the_descriptor_stands(self):
        self.generate()
        self.write("some", b"head" + self.read("bases"))
        with open("some", "rb", buffering=0) as some:
            some.read(4)
            self.assertEqual(run("convert", "--curve", "bn254", "-", "-", stdin=some).stdout, self.read("bases"))


class Pipes(CommandTest):
    def test_every_format_through_a_pipe(self):
        """convert A - | msm --bases - works; a table in a pipe is recognised without --format, as in a file."""
        answer = self.generate("bls12-381", 50)
        for name in FORMATS:
            convert = subprocess.Popen([cli_support.PROGRAM, "convert", "--curve", "bls12-381", "bases", "--to", name, "-"],
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            named = () if name in ("raw", "table") else ("--format", name)
            out = self.ok("msm", "--curve", "bls12-381", "--bases", "-", *named, "--scalars", "scalars", "--json",
                          stdin=convert.stdout)
            convert.stdout.close()
            self.assertEqual(convert.wait(), 0)
            self.assertEqual(json.loads(out)["result"], answer, name)

    def test_scalars_and_partial_results(self):
        answer = self.generate()
        common = ("msm", "--curve", "bn254", "--bases", "bases", "--scalars")
        out = self.ok(*common, "-", "--json", input=self.read("scalars"), stdin=None)
        self.assertEqual(json.loads(out)["result"], answer)
        self.ok(*common, "scalars", "--partial", "partial")
        out = self.ok("combine", "--curve", "bn254", "--json", "-", input=self.read("partial"), stdin=None)
        self.assertEqual(json.loads(out)["result"], answer)

    def test_blobs_and_the_setup(self):
        """The setup's two sections are read from a pipe that can be opened once."""
        kzg = os.path.join(cli_support.DATA, "kzg")
        setup, blob = self.read(os.path.join(kzg, "trusted_setup.txt")), self.read(os.path.join(kzg, "blob.bin"))
        commitment = self.read(os.path.join(kzg, "commitment.txt")).strip()
        self.write("setup", setup)
        self.write("blob", blob)
        self.assertEqual(self.ok("kzg", "commit", "--setup", "-", "blob", input=setup, stdin=None).strip(), commitment)
        self.assertEqual(self.ok("kzg", "commit", "--setup", "setup", "-", input=blob, stdin=None).strip(), commitment)
        os.mkfifo("pipe")
        feed("pipe", setup)
        self.assertEqual(self.ok("kzg", "commit", "--setup", "pipe", "blob").strip(), commitment)
        with open("setup", "rb") as f:
            self.assertEqual(self.ok("kzg", "commit", "--setup", "-", "blob", stdin=f).strip(), commitment)

    def test_damage_in_a_pipe(self):
        self.generate()
        raw = self.read("bases")
        self.refused(2, "/dev/stdin", "msm", "--curve", "bn254", "--bases", "-", "--scalars", "scalars", input=raw[:-1], stdin=None)
        self.refused(2, "/dev/stdin", "msm", "--curve", "bn254", "--bases", "-", "--format", "table", "--scalars", "scalars", input=raw,
                     stdin=None)

    def test_named_pipes(self):
        """Two pipes are opened one after the other, each when it is written, in the order in which the program reads them."""
        answer = self.generate()
        os.mkfifo("one")
        os.mkfifo("two")
        make = subprocess.Popen([cli_support.PROGRAM, "generate", "--curve", "bn254", "-n", "20", "--out-bases", "one",
                                 "--out-scalars", "two"], stdout=subprocess.DEVNULL)
        self.addCleanup(make.kill)
        out = self.ok("msm", "--curve", "bn254", "--bases", "one", "--scalars", "two", "--json")
        self.assertEqual(make.wait(60), 0)
        self.assertEqual(json.loads(out)["result"], answer)
        self.assertTrue(stat.S_ISFIFO(os.stat("one").st_mode))
        got = []
        thread = drain("one", got)
        self.ok("convert", "--curve", "bn254", "bases", "one")
        thread.join(60)
        self.assertEqual(got, [self.read("bases")])


class Replacing(CommandTest):
    def convert(self, to):
        self.ok("convert", "--curve", "bn254", "bases", to)
        self.assertEqual(self.read(to), self.read("bases"))

    def test_dangling_links(self):
        self.generate()
        os.mkdir("there")
        os.symlink("there/new", "dangling")
        os.symlink("dangling", "chain")
        self.convert("chain")
        self.assertTrue(os.path.islink("chain") and os.path.islink("dangling"))
        self.assertEqual(self.read("there/new"), self.read("bases"))
        os.symlink("loop", "loop")
        self.refused(2, "loop", "convert", "--curve", "bn254", "bases", "loop")
        os.symlink("nowhere/new", "astray")
        self.refused(2, "astray", "convert", "--curve", "bn254", "bases", "astray")

    def test_modes(self):
        self.generate()
        for mask in (0o022, 0o077, 0o007):
            before = os.umask(mask)
            try:
                for kind, arguments in (("library", ("convert", "--curve", "bn254", "bases", "new")),
                                        ("program", ("generate", "--curve", "bn254", "-n", "2", "--out-scalars", "new"))):
                    self.ok(*arguments)
                    self.assertEqual(stat.S_IMODE(os.stat("new").st_mode), 0o666 & ~mask, kind)
                    os.chmod("new", 0o604)
                    self.ok(*arguments)
                    self.assertEqual(stat.S_IMODE(os.stat("new").st_mode), 0o604, kind)
                    os.remove("new")
            finally:
                os.umask(before)

    @unittest.skipUnless(os.geteuid() == 0, "only root has files of others to write to")
    def test_another_owner_keeps_the_file(self):
        self.generate()
        self.write("old", b"x")
        os.chown("old", 12345, 54321)
        os.chmod("old", 0o640)
        self.convert("old")
        facts = os.stat("old")
        self.assertEqual((facts.st_uid, facts.st_gid, stat.S_IMODE(facts.st_mode)), (12345, 54321, 0o640))

    @unittest.skipUnless(os.geteuid() == 0, "needs another user")
    def test_another_owner_whom_it_cannot_be_given_to(self):
        """If an output can't be replaced, it is written in place, as by cp, whether it becomes shorter or longer."""
        self.generate()
        program = program_for_another_user()
        for before in (b"x", b"x" * 100000):
            self.write("old", before)
            os.chown("old", 12345, 54321)
            os.chmod("old", 0o666)
            inode = os.stat("old").st_ino
            done = run_as_another_user(program, "convert", "--curve", "bn254", "bases", "old")
            self.assertEqual(done.returncode, 0, done.stderr)
            facts = os.stat("old")
            self.assertEqual((facts.st_uid, facts.st_gid, stat.S_IMODE(facts.st_mode), facts.st_ino), (12345, 54321, 0o666, inode))
            self.assertEqual(self.read("old"), self.read("bases"))

    @unittest.skipUnless(os.geteuid() == 0, "needs another user")
    def test_a_directory_that_may_not_be_written(self):
        self.generate()
        program = program_for_another_user()
        os.mkdir("closed", 0o755)
        self.write("closed/old", b"x" * 100000)
        os.chmod("closed/old", 0o666)
        os.chmod(".", 0o755)
        done = run_as_another_user(program, "convert", "--curve", "bn254", "bases", "closed/old")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.read("closed/old"), self.read("bases"))
        self.check_refusal(run_as_another_user(program, "convert", "--curve", "bn254", "bases", "closed/new"), 2, "closed/new")

    def test_what_comes_in_its_place_meanwhile(self):
        """If another file has the name of an output when the output is complete, the other file stays."""
        self.generate()
        content = self.read("bases")
        os.mkdir("aim")
        for before in (None, b"old"):
            for kind, make in (("pipe", os.mkfifo), ("link", lambda name: os.symlink("aim", name)), ("folder", os.mkdir)):
                os.mkdir("out")
                if before is not None:
                    self.write("out/new", before)
                process = subprocess.Popen([cli_support.PROGRAM, "convert", "--curve", "bn254", "-", "out/new"], stdin=subprocess.PIPE,
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.addCleanup(process.kill)
                wait_for_output(process, "out")
                if before is not None:
                    os.remove("out/new")
                make("out/new")
                facts = os.lstat("out/new")
                out, err = process.communicate(content, timeout=60)
                self.assertEqual((process.returncode, out), (3, b""), (kind, before, err))
                self.assertRegex(err.decode(), r"\Asumac: out/new: [^\n]+\n\Z")
                self.assertEqual(os.lstat("out/new").st_ino, facts.st_ino, (kind, before))
                self.assertEqual(os.listdir("out"), ["new"])
                os.rmdir("out/new") if kind == "folder" else os.remove("out/new")
                os.rmdir("out")

    def test_a_device_that_takes_nothing(self):
        """If an output can't be written, the program refuses it before the work, and before any output."""
        self.generate()
        common = ("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars")
        self.refused(3, "/dev/full", *common, "--trace", "/dev/full")
        self.refused(3, "/dev/full", *common, "--partial", "/dev/full")
        self.refused(3, "/dev/full", "bench", "--curve", "bn254", "-n", "10", "--runs", "1", "--json", "/dev/full")
        self.refused(3, "/dev/full", "compare", "--curve", "bn254", "-n", "10", "--runs", "1", "--plan", "auto", "--json",
                     "/dev/full")

    def test_the_trace_comes_before_the_result(self):
        """If the trace can't be written because it exceeds a limit on files, the program prints no result."""
        answer = self.generate()
        kzg = os.path.join(cli_support.DATA, "kzg")
        setup, blob = ("--setup", os.path.join(kzg, "trusted_setup.txt")), os.path.join(kzg, "blob.bin")
        common = ("--curve", "bn254", "--bases", "bases", "--scalars", "scalars")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))  # bytes of a file
        for arguments in (("msm", *common), ("msm", *common, "--json"), ("msm", *common, "--stream"),
                          ("kzg", "commit", *setup, blob), ("kzg", "prove", *setup, blob), ("kzg", "cells", *setup, "--json", blob)):
            self.refused(3, "trace: cannot write", *arguments, "--trace", "trace", preexec_fn=limit)
        self.assertIn(answer["x"].encode(), self.ok("msm", *common, "--trace", "trace"))
        self.assertIn(b"traceEvents", self.read("trace"))

    def test_all_or_nothing(self):
        """If one of two outputs fails, neither of them is left."""
        self.generate()
        self.refused(3, "/dev/full", "generate", "--curve", "bn254", "-n", "20", "--out-bases", "new", "--out-scalars", "/dev/full")


class Checks(CommandTest):
    def test_convert_checks_that_points_are_on_the_curve(self):
        """If coordinates have the other order of bytes, `convert` refuses them like msm, unless an option asks for that
        order."""
        self.generate()
        little = self.read("bases")
        big = b"".join(little[i:i + 32][::-1] for i in range(0, len(little), 32))
        swapped = b"".join(little[i + 32:i + 64] + little[i:i + 32] for i in range(0, len(little), 64))
        self.write("swapped", swapped)  # y, x: canonical, but not on the curve
        self.write("big", big)
        common = ("convert", "--curve", "bn254")
        self.refused(2, "big: the point at byte 0 has a coordinate", *common, "big", "out")
        for more in (("out",), ("--to", "table", "out"), ("--validate", "subgroup", "out")):
            self.refused(2, "swapped: the point at byte 0 is not on the curve", *common, "swapped", *more)
        self.ok(*common, "--validate", "none", "swapped", "out")
        self.assertEqual(self.read("out"), swapped)


def little_memory():
    """Limit the memory of a process, so that if it grows, the test fails before the machine's memory is exhausted."""
    if not is_sanitized():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


class Parts(CommandTest):
    """msm with -n and --first gives the result of smaller files, and reads no more than they have."""
    CURVE = ("--curve", "bn254")
    POINT, SCALAR = 64, 32

    def sums(self, *arguments, **options):
        printed = self.json("msm", *self.CURVE, *arguments, **options)
        return printed.get("results", printed.get("result"))

    def test_the_same_as_smaller_files(self):
        self.generate()
        bases, scalars = self.read("bases"), self.read("scalars")
        self.ok("convert", *self.CURVE, "bases", "--to", "table", "table")
        self.ok("convert", *self.CURVE, "bases", "--to", "table", "multiples", "--precompute", "3", "--tune", "c=5")
        self.ok("convert", *self.CURVE, "bases", "--to", "table", "windows", "--tables", "windows", "--tune", "c=2")
        for batch in (1, 4):
            each = 20 // batch
            chosen = ("--batch", str(batch))
            for first, n in ((0, each), (0, 3), (each - 2, 2), (1, 3), (each, 0), (2, None), (0, 0)):
                part = (() if n is None else ("-n", str(n))) + (("--first", str(first)) if first else ())
                n = each - first if n is None else n
                self.write("few", bases[first * self.POINT:(first + n) * self.POINT])
                self.write("their", b"".join(scalars[(m * each + first) * self.SCALAR:(m * each + first + n) * self.SCALAR]
                                             for m in range(batch)))
                expected = self.sums("--bases", "few", "--scalars", "their", *chosen)
                for name in ("bases", "table", "multiples", "windows"):
                    case = (name, batch, part)
                    self.assertEqual(self.sums("--bases", name, "--scalars", "scalars", *chosen, *part), expected, case)
                    self.assertEqual(self.sums("--bases", "-", "--scalars", "scalars", *chosen, *part, input=self.read(name),
                                               stdin=None), expected, case)
                    self.assertEqual(self.sums("--bases", name, "--scalars", "-", *chosen, *part, input=scalars, stdin=None),
                                     expected, case)
                self.assertEqual(self.sums("--bases", "bases", "--scalars", "scalars", "--precompute", "2", *chosen, *part), expected)

    def test_too_few(self):
        self.generate()
        common = ("msm", *self.CURVE)
        bases, scalars = self.read("bases"), self.read("scalars")
        self.refused(2, "beyond the 20 scalars in 'scalars'", *common, "--bases", "bases", "--scalars", "scalars", "-n", "21")
        self.write("many", 2 * bases)
        self.write("more", 2 * scalars)
        self.refused(2, "beyond the 20 bases in 'bases'", *common, "--bases", "bases", "--scalars", "more", "-n", "21")
        self.refused(2, "--first 19 and -n 2", *common, "--bases", "bases", "--scalars", "-", "--first", "19", "-n", "2", input=scalars,
                     stdin=None)
        self.refused(2, "there are 20 points, fewer than 19 + 2", *common, "--bases", "-", "--scalars", "more", "--first", "19", "-n", "2",
                     input=bases, stdin=None)
        self.refused(2, "there are 20 points, fewer than 30 + 2", *common, "--bases", "-", "--scalars", "more", "--first", "30", "-n", "2",
                     input=bases, stdin=None)
        self.refused(2, "'/dev/stdin' ends before", *common, "--bases", "many", "--scalars", "-", "--first", "19", "-n", "2",
                     input=scalars, stdin=None)
        self.refused(2, "'/dev/stdin' ends before", *common, "--bases", "many", "--scalars", "-", "--first", "30", "-n", "2",
                     input=scalars, stdin=None)

    def test_one_of_very_many(self):
        """Parts of sparse files of 16 GiB are read in a fraction of a second and of the memory."""
        self.generate()
        bases, scalars, many = self.read("bases"), self.read("scalars"), 1 << 28
        self.ok("convert", *self.CURVE, "bases", "--to", "table", "table")
        expected = json.loads(self.ok("msm", *self.CURVE, "--bases", "bases", "--scalars", "scalars", "-n", "20", "--json"))["result"]
        table = self.read("table")
        points = table[128:128 + 20 * 64]
        header = bytearray(table[:128])
        struct.pack_into("<QQ", header, 88, many * 64, many)
        correct_header(header)
        first = many - 40
        for name, start, content, end in (("bases", 0, bases, 0), ("table", 128, points, 64), ("scalars", 0, scalars, 0)):
            each = len(content) // 20
            with open(name, "wb") as f:
                f.write(header[:start])
                f.seek(start + first * each)
                f.write(content)
                f.truncate(start + many * each + end)
        for name in ("bases", "table"):
            done = self.ok("msm", *self.CURVE, "--bases", name, "--scalars", "scalars", "--first", str(first), "-n", "20", "--json",
                           preexec_fn=little_memory)
            self.assertEqual(json.loads(done)["result"], expected, name)


class Endless(CommandTest):
    """If an input never ends, it is read as far as the command can use it, and then refused with a message."""
    MIB = 1 << 20

    def feed_endlessly(self, most, content, *arguments, then=bytes(1 << 16)):
        """Feed standard input with `content` and then with up to `most` bytes. Return the result, and the number of bytes that
        were read."""
        process = subprocess.Popen([cli_support.PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, preexec_fn=little_memory)
        self.addCleanup(process.kill)
        taken = 0
        try:
            while taken < most:
                taken += os.write(process.stdin.fileno(), content or then)
                content = b""
        except BrokenPipeError:
            pass
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass
        process.stdin = None
        out, err = process.communicate(timeout=60)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err), taken

    def refuse(self, named, limit, content, *arguments, **more):
        done, taken = self.feed_endlessly(4 * limit, content, *arguments, **more)
        self.check_refusal(done, 2, named)
        self.assertLess(taken, limit, arguments)

    def test_bases_and_scalars(self):
        self.generate()
        common = ("msm", "--curve", "bn254")
        files = ("--bases", "bases", "--scalars", "scalars")
        self.refuse("more scalars than the 20", self.MIB, b"", *common, *files[:2], "--scalars", "-")
        self.refuse("the memory limit", 4 * self.MIB, b"", *common, "--bases", "-", *files[2:], "--memory-limit", "2M")
        self.refuse("the memory limit", 4 * self.MIB, b"", *common, *files[:2], "--scalars", "-", "--first", "1", "--memory-limit", "2M")
        for one in (("--bases", "-", *files[2:]), (*files[:2], "--scalars", "-")):
            done, taken = self.feed_endlessly(64 * self.MIB, b"", *common, *one, "--first", "5", "-n", "3", "--json")
            self.assertEqual((done.returncode, json.loads(done.stdout)["result"]), (0, None), done.stderr)
            self.assertLess(taken, 4 * self.MIB)

    def test_setups(self):
        kzg = os.path.join(cli_support.DATA, "kzg")
        blob, text = os.path.join(kzg, "blob.bin"), self.read(os.path.join(kzg, "trusted_setup.txt"))
        common = ("kzg", "commit", "--setup", "-", blob)
        self.refuse("too long", 4 * self.MIB, b"", *common)
        self.refuse("too long", 4 * self.MIB, text, *common, then=b"\n" * 65536)
        self.ok("kzg", "setup", "--setup", os.path.join(kzg, "trusted_setup.txt"), "saved")
        self.refuse("too long", 8 * self.MIB, self.read("saved"), *common)
        for name in ("lagrange", "monomial"):
            self.refuse("too long", 4 * self.MIB, text, "convert", "--curve", "bls12-381", "--format", "trusted-setup-" + name, "-", "out",
                        then=b"\n" * 65536)

    def test_blobs(self):
        common = ("--setup", os.path.join(cli_support.DATA, "kzg", "trusted_setup.txt"))
        # Memory does not grow with the blobs, of which there may be 2^16.
        done, taken = self.feed_endlessly(320 * self.MIB, b"", "kzg", "commit", *common, "--memory-limit", "40M", "-")
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, taken >> 17), done.stderr)
        with open("blobs", "wb") as f:
            f.truncate((1 << 33) + 131072)  # a hole
        for command, *more in (("commit",), ("prove",), ("cells", "out")):
            self.refused(2, "more than 65536 blobs", "kzg", command, *common, "blobs", *more, preexec_fn=little_memory)


class NamedTwice(CommandTest):
    def same(self, *arguments, **options):
        self.refused(2, "same", *arguments, **options)

    def test_two_outputs(self):
        common = ("generate", "--curve", "bn254", "-n", "2", "--out-bases")
        os.mkdir("sub")
        self.write("old", b"old")
        os.symlink("old", "link")
        os.symlink("new", "dangling")
        os.link("old", "hard")
        for one, two in (("new", "new"), ("new", "./new"), ("new", "sub/../new"), ("new", "dangling"), ("old", "link"),
                         ("old", "hard"), ("new", os.path.abspath("new"))):
            self.same(*common, one, "--out-scalars", two)
            self.same(*common, one, "--expected", two)
        self.assertEqual(self.read("old"), b"old")
        self.same(*common, "-", "--out-scalars", "/dev/stdout")
        self.ok(*common, "/dev/null", "--out-scalars", "/dev/null")

    def test_input_and_output(self):
        self.generate()
        os.symlink("bases", "link")
        os.symlink("scalars", "scalars-link")
        self.same("convert", "--curve", "bn254", "bases", "bases")
        self.same("convert", "--curve", "bn254", "bases", "link")
        self.same("convert", "--curve", "bn254", "bases", "--to", "table", "link")
        self.same("generate", "--curve", "bn254", "-n", "9", "--out-bases", "new", "--out-scalars", "new")
        common = ("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars")
        self.same(*common, "--partial", "scalars-link")
        self.same(*common, "--trace", "bases")
        with open("bases", "rb") as f:
            self.same("convert", "--curve", "bn254", "-", "bases", stdin=f)

    def test_before_anything_is_read(self):
        os.mkfifo("pipe")  # whoever opens this pipe waits for ever
        self.same("convert", "--curve", "bn254", "pipe", "pipe")
        self.same("msm", "--curve", "bn254", "--bases", "pipe", "--scalars", "pipe")
        self.same("msm", "--curve", "bn254", "--bases", "-", "--scalars", "/dev/stdin")

    def test_standard_output_in_a_file_that_is_replaced(self):
        self.generate()
        with open("words", "wb") as words:
            done = run("convert", "--curve", "bn254", "bases", "words", stdout=words)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"standard output", done.stderr)

    def test_the_same_input_twice_is_fine(self):
        self.generate()
        self.ok("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars", "--partial", "partial")
        self.ok("combine", "--curve", "bn254", "partial", "partial")


if __name__ == "__main__":
    cli_support.main()
