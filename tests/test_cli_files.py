#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The files that the program reads and writes: pipes, standard streams, files that are replaced, files named twice."""
import json
import os
import stat
import subprocess
import sys
import threading
import unittest

sys.dont_write_bytecode = True
import cli_support  # noqa: E402
from cli_support import CommandTest, program_for_another_user, run, run_as_another_user  # noqa: E402

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
        self.ok("convert", "--curve", "bn254", "bases", "--precompute", "2", "-c", "4", "--table", "table")
        done = run("convert", "--curve", "bn254", "bases", "--precompute", "2", "-c", "4", "--table", "-")
        self.assertEqual(done.stdout, self.read("table"))
        done = run("bench", "--curves", "bn254", "--sizes", "10", "--runs", "1", "--json", "-")
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
        """convert A - | msm --bases -; a table is known without being named, as in a file."""
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
        self.refused(2, "/dev/stdin", "msm", "--curve", "bn254", "--bases", "-", "--table", "--scalars", "scalars", input=raw,
                     stdin=None)

    def test_named_pipes(self):
        """Opened one after the other, each when it is written: the reader takes them in its own order."""
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
        """As cp would: written in place, shorter and longer than before."""
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

    def test_all_or_nothing(self):
        """Of two outputs, one of which fails, neither is there."""
        self.generate()
        self.refused(3, "/dev/full", "generate", "--curve", "bn254", "-n", "20", "--out-bases", "new", "--out-scalars", "/dev/full")
        self.refused(3, "/dev/full", "convert", "--curve", "bn254", "bases", "new", "--table", "/dev/full")


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
        self.same("convert", "--curve", "bn254", "bases", "--table", "link")
        self.same("convert", "--curve", "bn254", "bases", "new", "--table", "new")
        common = ("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars")
        self.same(*common, "--partial", "scalars-link")
        self.same(*common, "--trace", "bases")
        with open("bases", "rb") as f:
            self.same("convert", "--curve", "bn254", "-", "bases", stdin=f)

    def test_before_anything_is_read(self):
        os.mkfifo("pipe")  # whoever opens it waits for ever
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
