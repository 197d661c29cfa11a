# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file has helpers of the program's tests: they make a temporary folder, run the program, and check the form of its
failures.

  test_cli_....py PROGRAM DATA-DIRECTORY [PRELOAD-DIRECTORY] [unittest options]

DATA-DIRECTORY has kzg/, as the build unpacks it. PRELOAD-DIRECTORY has the modules of tests/support/preload_*.c, without which
the tests that need them are skipped. The tests need only Python 3.8.
"""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = DATA = PRELOAD = ""


def run(*arguments, **options):
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("stdout", subprocess.PIPE)
    arguments = [str(argument) if isinstance(argument, int) else argument for argument in arguments]
    return subprocess.run([PROGRAM, *arguments], stderr=subprocess.PIPE, timeout=300, **options)


def another_user():
    """Give up root's rights; a child process calls this before it runs the program."""
    os.setgroups([])
    os.setgid(7)
    os.setuid(7)


def run_copy(program, *arguments, **options):
    return subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=300, env=dict(os.environ, LD_LIBRARY_PATH=os.path.dirname(program)), **options)


def run_as_another_user(program, *arguments):
    return run_copy(program, *arguments, preexec_fn=another_user)


def copy_program(folder):
    """Copy the program and the build's libraries to a new folder."""
    os.mkdir(folder)
    libraries = subprocess.run(["ldd", PROGRAM], stdout=subprocess.PIPE, check=True).stdout
    for path in re.findall(rb"\tlibsumac\S* => (/.*) \(0x", libraries):
        shutil.copy(path, os.fsencode(folder))
    return shutil.copy(PROGRAM, folder)


def program_for_another_user():
    """Copy the program to a folder where another user may run it, because the build's folder may be closed to him. Skip the
    test if there is no other user, or no such folder."""
    copy = copy_program(os.path.abspath("for-another-user"))
    for path, mode in ((copy, 0o755), (os.path.dirname(copy), 0o755), (".", 0o777)):
        os.chmod(path, mode)
    try:
        version = run_as_another_user(copy, "--version")
    except (PermissionError, subprocess.SubprocessError) as error:
        raise unittest.SkipTest("no other user can run %s: %s" % (copy, error))
    if version.returncode != 0:
        raise AssertionError(version.stderr)
    return copy


def preloaded(name, **variables):
    """Return an environment that preloads a module of tests/support, or skip the test."""
    path = os.path.join(PRELOAD, "libpreload_%s.so" % name)
    if not PRELOAD or not os.path.exists(path):
        raise unittest.SkipTest("no modules to preload in this build")
    return dict(os.environ, LD_PRELOAD=path, **{k: str(v) for k, v in variables.items()})


def is_sanitized():
    """Return true for a build with a sanitizer, whose runtime allows neither preloaded modules nor a limit on addresses."""
    return not PRELOAD or not os.listdir(PRELOAD)


def xxh64(data):
    """Compute the checksum of tables, by its specification."""
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


def correct_header(file):
    """Correct the checksum of the header of one of sumac's files (docs/formats.md)."""
    end = 64 * (1 + struct.unpack_from("<I", file, 48)[0])
    struct.pack_into("<Q", file, 56, xxh64(bytes(file[:56]) + bytes(file[64:end])))


class CommandTest(unittest.TestCase):
    """Each test runs in a temporary folder, so that file names are short and output is the same everywhere."""

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="sumac-cli-")
        self.addCleanup(self.directory.cleanup)
        before = os.getcwd()
        os.chdir(self.directory.name)
        self.addCleanup(os.chdir, before)

    def write(self, name, content):
        with open(name, "wb") as f:
            f.write(content)
        return name

    def read(self, name):
        with open(name, "rb") as f:
            return f.read()

    def files(self):
        return sorted(os.listdir(b"."))

    def ok(self, *arguments, **options):
        done = run(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, b""), arguments)
        return done.stdout

    def json(self, command, *arguments, **options):
        return json.loads(self.ok(command, "--json", *arguments, **options))

    def check_refusal(self, done, status, *named):
        """Require one sentence of visible characters, and nothing on standard output."""
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertRegex(done.stderr.decode("utf-8"), r"\Asumac: [^\x00-\x1f\x7f-\x9f]+\n\Z")
        for name in named:
            self.assertIn(name.encode() if isinstance(name, str) else name, done.stderr)
        self.assertFalse(done.stdout)

    def refused(self, status, named, *arguments, **options):
        before = self.files()
        self.check_refusal(run(*arguments, **options), status, named)
        self.assertEqual(self.files(), before)

    def generate(self, curve="bn254", n=20, *more):
        """Generate files of bases and scalars, and return the sum's coordinates."""
        self.ok("generate", "--curve", curve, "-n", str(n), "--out-bases", "bases", "--out-scalars", "scalars", "--expected",
                "expected", *more)
        return json.loads(self.read("expected"))["result"]


def main():
    global PROGRAM, DATA, PRELOAD
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    PROGRAM, DATA = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    rest = sys.argv[3:]
    if rest and os.path.isdir(rest[0]):
        PRELOAD = os.path.abspath(rest.pop(0))
    unittest.main(module="__main__", argv=[sys.argv[0]] + rest)
