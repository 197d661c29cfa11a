#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests that the program and the library load the CUDA engine only from the folder of their real file or from the
system's folders. They must load nothing from the current directory, whatever the name by which they are started.

  test_loading.py --fake FAKE-ENGINE --host HOST [--library LIBSUMAC.SO] [--program SUMAC --layout BIN LIB [--soname NAME]]
                  [unittest options]

The fake engine writes the name by which it is loaded to a file. It also replaces libjansson. BIN is the folder of an installed
program, and LIB is the libraries' folder relative to it. NAME is the library's name in the program. Without NAME the program
contains the library.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ENGINE, JANSSON = "libsumac_cuda.so", "libjansson.so.4"
given = None


class LoadingTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="sumac-loading-")
        self.addCleanup(directory.cleanup)
        self.root = os.path.realpath(directory.name)
        self.marker = os.path.join(self.root, "loaded")
        # An attacker may write to this folder.
        self.bad = self.folder("bad")
        for name in (ENGINE, JANSSON):
            shutil.copy(given.fake, os.path.join(self.bad, name))

    def folder(self, *names):
        path = os.path.join(self.root, *names)
        os.makedirs(path, exist_ok=True)
        return path

    def copy(self, source, *names):
        path = os.path.join(self.folder(*names[:-1]), names[-1])
        shutil.copy(source, path)
        return path

    def run_in(self, cwd, argv, executable=None, environment=()):
        """Run a program, and return the name of the loaded engine and the output."""
        if os.path.exists(self.marker):
            os.remove(self.marker)
        kept = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
        done = subprocess.run(argv, executable=executable, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120,
                              env={**kept, "SUMAC_TEST_MARKER": self.marker, **dict(environment)})
        if not os.path.exists(self.marker):
            return [], done.stdout
        with open(self.marker) as file:
            return list(dict.fromkeys(file.read().split("\n")[:-1])), done.stdout


class ProgramTest(LoadingTest):
    ARGUMENTS = ["msm", "--backend", "cuda", "--curve", "bn254", "--bases", "/dev/null/none", "--scalars", "/dev/null/none"]

    def setUp(self):
        super().setUp()
        if given.program is None:
            self.skipTest("there is no program")

    def place_program(self, folder, libraries="."):
        """Copy the program to a folder, and the library to its folder relative to that."""
        program = self.copy(given.program, *folder, "sumac")
        if given.soname:
            self.copy(given.library, *folder, libraries, given.soname)
        return program

    def run_program(self, cwd, name, executable=None, environment=()):
        loaded, output = self.run_in(cwd, [name, *self.ARGUMENTS], executable, environment)
        self.assertIn("sumac", output)  # the program has run
        return loaded

    def test_current_directory(self):
        self.assertEqual(self.run_program(self.bad, given.program), [])

    def test_forged_name(self):
        for name in ("sumac", "./sumac", os.path.join(self.bad, "sumac"), "/sumac", ""):
            with self.subTest(name=name):
                self.assertEqual(self.run_program(self.bad, name, given.program), [])

    def test_links(self):
        os.symlink(given.program, os.path.join(self.bad, "sumac"))
        self.assertEqual(self.run_program(self.bad, "./sumac"), [])
        self.assertEqual(self.run_program("/", os.path.join(self.bad, "sumac")), [])

    def test_beside_the_program(self):
        program = self.place_program(["here"])
        engine = self.copy(given.fake, "here", ENGINE)
        self.assertEqual(self.run_program(self.bad, "../here/sumac"), [engine])
        self.assertEqual(self.run_program(self.bad, "./sumac", program), [engine])
        os.symlink(program, os.path.join(self.bad, "sumac"))
        self.assertEqual(self.run_program(self.bad, "./sumac"), [engine])

    def test_installed(self):
        folder, libraries = given.layout
        program = self.place_program(["prefix", folder], libraries)
        engine = self.copy(given.fake, "prefix", folder, libraries, ENGINE)
        self.assertEqual(list(map(os.path.realpath, self.run_program(self.bad, program))), [os.path.realpath(engine)])
        # A library beside another folder is not loaded.
        program = self.place_program(["prefix", "elsewhere"])
        self.assertEqual(self.run_program(self.bad, program), [])

    def test_odd_folders(self):
        for name in ("a b", "new\nline", "back\\012slash", "do$LIBllar", "caf\u00e9"):
            program = self.place_program([name])
            engine = self.copy(given.fake, name, ENGINE)
            loaded = self.run_program(self.bad, program)
            self.assertIn(loaded, ([engine], []), name)
            if name in ("a b", "caf\u00e9"):
                self.assertEqual(loaded, [engine])

    def test_system_search(self):
        """LD_LIBRARY_PATH names folders of the system. The current directory is one of them only if LD_LIBRARY_PATH names
        it."""
        named = self.folder("named")
        engine = self.copy(given.fake, "named", ENGINE)
        self.assertEqual(self.run_program(self.bad, given.program, environment={"LD_LIBRARY_PATH": named}), [engine])


class LibraryTest(LoadingTest):
    def setUp(self):
        super().setUp()
        if given.library is None:
            self.skipTest("there is no shared library")
        self.library = self.copy(given.library, "lib", "libsumac.so")

    def run_host(self, cwd, library, then, name=None):
        loaded, output = self.run_in(cwd, [name or given.host, library, then], given.host)
        self.assertRegex(output, "engine|version")  # the library has looked for the engine
        return loaded

    def test_current_directory(self):
        self.assertEqual(self.run_host(self.bad, self.library, "."), [])
        self.assertEqual(self.run_host(self.root, "lib/libsumac.so", self.bad), [])
        self.assertEqual(self.run_host(self.bad, "../lib/libsumac.so", "."), [])

    def test_relative_then_elsewhere(self):
        """After a change of the directory, a relative name of the library means another file."""
        self.folder("there", "lib")
        shutil.copy(given.fake, os.path.join(self.root, "there", "lib", ENGINE))
        self.assertEqual(self.run_host(self.root, "lib/libsumac.so", os.path.join(self.root, "there")), [])
        engine = self.copy(given.fake, "lib", ENGINE)
        self.assertEqual(self.run_host(self.root, "lib/libsumac.so", os.path.join(self.root, "there")), [engine])
        self.assertEqual(self.run_host(self.root, "./lib/libsumac.so", self.bad), [engine])

    def test_links(self):
        os.symlink(self.library, os.path.join(self.bad, "libsumac.so"))
        self.assertEqual(self.run_host(self.bad, "./libsumac.so", "."), [])
        self.assertEqual(self.run_host("/", os.path.join(self.bad, "libsumac.so"), "/"), [])
        engine = self.copy(given.fake, "lib", ENGINE)
        self.assertEqual(self.run_host(self.bad, "./libsumac.so", "."), [engine])

    def test_forged_name(self):
        self.assertEqual(self.run_host(self.bad, self.library, ".", os.path.join(self.bad, "host")), [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--fake", required=True)
    parser.add_argument("--host", required=True)
    parser.add_argument("--library")
    parser.add_argument("--program")
    parser.add_argument("--layout", nargs=2)
    parser.add_argument("--soname")
    given, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
