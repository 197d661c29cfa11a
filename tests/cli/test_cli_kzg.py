#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests `sumac kzg` on a real blob: proofs, cells, recovery and verification, with files, pipes and JSON.

  test_cli_kzg.py PROGRAM DATA-DIRECTORY [PRELOAD-DIRECTORY] [unittest options]
"""
import json
import os
import shutil
import tempfile

import cli_support
from cli_support import CommandTest, run

CELLS, CELL, PROOF = 128, 2048, 48
ORDER = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001


def hexadecimal(data):
    return "0x" + data.hex()


class Kzg(CommandTest):
    """Tests use a saved setup, which is read faster than the ceremony's text."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="sumac-setup-")
        cls.addClassCleanup(folder.cleanup)
        cls.text = os.path.join(cli_support.DATA, "kzg", "trusted_setup.txt")
        cls.setup = os.path.join(folder.name, "setup")
        done = run("kzg", "setup", "--setup", cls.text, cls.setup)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)

    def setUp(self):
        super().setUp()
        kzg = os.path.join(cli_support.DATA, "kzg")
        self.blob = self.read(os.path.join(kzg, "blob.bin"))
        self.commitment = self.read(os.path.join(kzg, "commitment.txt")).decode().strip()
        if not self.commitment.startswith("0x"):
            self.commitment = "0x" + self.commitment
        self.write("blob", self.blob)

    def kzg(self, command, *arguments, **options):
        return self.ok("kzg", command, "--setup", self.setup, *arguments, **options)

    def verify(self, *arguments, **options):
        return run("kzg", "verify", "--setup", self.setup, "--commitment", self.commitment, *arguments, **options)

    def make_cells(self):
        self.assertEqual(self.kzg("cells", "blob", "cells", "proofs"), b"cells: 128 cells\nproofs: 128 proofs\n")
        cells, proofs = self.read("cells"), self.read("proofs")
        self.assertEqual((len(cells), len(proofs)), (CELLS * CELL, CELLS * PROOF))
        self.assertEqual(cells[:len(self.blob)], self.blob)
        return cells, proofs

    def test_proofs(self):
        """A proof holds, and a proof of another point does not. At a root of unity the value is an element of the blob."""
        proof = self.kzg("prove", "blob").decode().strip()
        out = json.loads(self.kzg("prove", "blob", "blob", "--json"))["proofs"]
        self.assertEqual([p["proof"] for p in out], [proof] * 2)
        self.assertEqual(out[0]["commitment"], self.commitment)
        self.assertEqual(self.kzg("commit", "--commitment", self.commitment, "blob").decode().split()[0], self.commitment)
        self.assertEqual(run("kzg", "commit", "--setup", self.setup, "--commitment", proof, "blob").returncode, 1)
        self.assertEqual(self.verify("--proof", proof, "blob").stdout, b"OK: the proof holds\n")
        self.assertEqual(self.verify("--proof", proof, "-z", out[0]["z"], "-y", out[0]["y"]).returncode, 0)
        self.check_refusal(self.verify("--proof", self.commitment, "blob"), 1, "proof invalid")
        done = self.verify("--proof", self.commitment, "blob", "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)), (1, {"holds": False}))
        self.assertEqual(json.loads(self.verify("--proof", proof, "blob", "--json").stdout), {"holds": True})
        one = "%064x" % 1  # in bit-reversed order, the roots begin with 1 (element 0) and r - 1 (element 1)
        for z, element in ((one, 0), ("%064x" % (ORDER - 1), 1)):
            proof, y = self.kzg("prove", "-z", z, "-", input=self.blob, stdin=None).decode().split()
            self.assertEqual(y, hexadecimal(self.blob[32 * element:32 * element + 32]))
            self.assertEqual(self.verify("--proof", proof, "-z", z, "-y", y).returncode, 0)

    def test_cells(self):
        cells, proofs = self.make_cells()
        self.assertEqual(self.verify("cells", "proofs").stdout, b"OK: the proofs hold\n")
        out = json.loads(self.kzg("cells", "blob", "--json"))
        self.assertEqual(out["cells"], [hexadecimal(cells[i * CELL:i * CELL + CELL]) for i in range(CELLS)])
        self.assertEqual(out["proofs"], [hexadecimal(proofs[i * PROOF:i * PROOF + PROOF]) for i in range(CELLS)])
        done = run("kzg", "cells", "--setup", self.setup, "-", "-", input=self.blob, stdin=None)
        self.assertEqual((done.returncode, done.stdout), (0, cells))
        self.write("some", cells[3 * CELL:5 * CELL] + cells[-CELL:])
        self.write("theirs", proofs[3 * PROOF:5 * PROOF] + proofs[-PROOF:])
        self.assertEqual(self.verify("--cells", "3..4,127", "some", "theirs").returncode, 0)
        self.check_refusal(self.verify("--cells", "3..4,126", "some", "theirs"), 1, "proof invalid")

    def test_recovery(self):
        cells, proofs = self.make_cells()
        for known, listed in ((list(range(64)), "0..63"), (list(range(1, CELLS, 2)), ",".join(map(str, range(1, CELLS, 2)))),
                              (list(range(128)), "0..127"), (list(range(5, 100)) + [127], "5..99,127")):
            self.write("known", b"".join(cells[i * CELL:i * CELL + CELL] for i in known))
            self.kzg("recover", "--cells", listed, "known", "cells2", "proofs2")
            self.assertEqual((self.read("cells2"), self.read("proofs2")), (cells, proofs))
        out = json.loads(self.kzg("recover", "--cells", "5..99,127", "--json", "known"))
        self.assertEqual(len(out["cells"]), CELLS)

    def test_recovery_of_wrong_cells(self):
        """If one bit of a cell is wrong, and enough cells are given to find the wrong cell, the message names it. Old files
        stay."""
        blobs = self.make_blobs(3)
        self.kzg("cells", "blobs", "cells")
        cells = self.read("cells")
        self.write("old", b"old")
        for first, last, wrong in ((0, 127, 10), (0, 127, 127), (20, 85, 21)):
            known = bytearray(b"".join(cells[(i * CELLS + first) * CELL:(i * CELLS + last + 1) * CELL] for i in range(len(blobs))))
            known[(2 * (last + 1 - first) + wrong - first) * CELL + 1000] ^= 4
            self.write("known", known)
            for more in ((), ("--backend", "cpu", "--devices", "0,0")):
                self.refused(2, "known: blob 2: cell %d does not fit the others" % wrong, "kzg", "recover", "--setup", self.setup, *more,
                             "--cells", "%d..%d" % (first, last), "known", "old", "proofs")
            self.assertEqual(self.read("old"), b"old")
        self.write("known", cells[:64 * CELL] + b"\0" * CELL)
        self.refused(2, "65 cells do not fit each other", "kzg", "recover", "--setup", self.setup, "--cells", "0..64", "--json", "known")
        self.assertIn(b"wrong ones are refused", self.ok("kzg", "recover", "--help"))

    def make_blobs(self, count):
        """Return the blob, and rotations of it by more and more elements. Write all of them to one file."""
        blobs = [self.blob[224 * i:] + self.blob[:224 * i] for i in range(count)]
        self.write("blobs", b"".join(blobs))
        return blobs

    def one_by_one(self, blobs):
        cells, proofs = b"", b""
        for blob in blobs:
            self.write("one", blob)
            self.kzg("cells", "one", "cells1", "proofs1")
            cells += self.read("cells1")
            proofs += self.read("proofs1")
        return cells, proofs

    def test_many_blobs(self):
        """A file or pipe of several blobs gives the same cells as one call for each blob. The same holds for recovery."""
        blobs = self.make_blobs(3)
        cells, proofs = self.one_by_one(blobs)
        self.write("text", hexadecimal(blobs[1]).encode() + b"\n")
        self.assertEqual(self.kzg("cells", "blobs", "cells", "proofs"), b"cells: 384 cells\nproofs: 384 proofs\n")
        self.assertEqual((self.read("cells"), self.read("proofs")), (cells, proofs))
        done = run("kzg", "cells", "--setup", self.setup, "--backend", "cpu", "--devices", "0,0", "-", "-", input=b"".join(blobs), stdin=None)
        self.assertEqual((done.returncode, done.stdout), (0, cells))
        out = json.loads(self.kzg("cells", "blobs", "--json"))
        self.assertEqual(out["cells"], [hexadecimal(cells[i:i + CELL]) for i in range(0, len(cells), CELL)])
        self.assertEqual(out["proofs"], [hexadecimal(proofs[i:i + PROOF]) for i in range(0, len(proofs), PROOF)])
        for i in range(3):
            self.write("blob%d" % i, blobs[i])
        for command in (("commit",), ("commit", "--json"), ("prove",), ("prove", "-z", "%064x" % 5), ("prove", "--json")):
            self.assertEqual(self.kzg(*command, "blobs", "text", "blob0"), self.kzg(*command, "blob0", "blob1", "blob2", "blob1", "blob0"))
        self.refused(2, "one blob, not 3", "kzg", "commit", "--setup", self.setup, "--commitment", self.commitment, "blobs")
        half = CELLS // 2 * CELL
        self.write("known", b"".join(cells[i * CELLS * CELL + 7 * CELL:i * CELLS * CELL + 7 * CELL + half] for i in range(3)))
        self.kzg("recover", "--cells", "7..70", "known", "cells2", "proofs2")
        self.assertEqual((self.read("cells2"), self.read("proofs2")), (cells, proofs))
        self.kzg("cells", "text", "cells3", "proofs3")
        self.assertEqual(self.read("cells3"), cells[CELLS * CELL:2 * CELLS * CELL])

    def test_blobs_of_digits(self):
        """Blobs whose bytes are all digits are read as binary, unless there are as many digits as in one blob's text."""
        digits = b"1" * len(self.blob)
        self.write("windows", digits)
        self.write("both", self.blob + digits)
        self.write("three", 3 * digits)
        self.write("text", 2 * digits)
        self.write("decoded", b"\x11" * len(self.blob))
        one, = self.kzg("commit", "windows").split()
        first, = self.kzg("commit", "blob").split()
        self.assertEqual(self.kzg("commit", "both").split(), [first, one])
        self.assertEqual(self.kzg("commit", "three").split(), [one] * 3)
        self.assertEqual(self.kzg("commit", "text"), self.kzg("commit", "decoded"))
        self.kzg("cells", "three", "cells")
        self.assertEqual(self.read("cells")[CELLS * CELL:CELLS * CELL + len(digits)], digits)

    def test_sub_batches(self):
        """If there are more blobs than are read at a time, those next to the border have the right cells."""
        sub_batch = 256
        blobs = self.make_blobs(sub_batch + 2)
        self.assertEqual(self.kzg("cells", "blobs", "cells"), b"cells: %d cells\n" % ((sub_batch + 2) * CELLS))
        cells = self.read("cells")
        for i in (0, sub_batch - 1, sub_batch, sub_batch + 1):
            self.write("one", blobs[i])
            self.kzg("cells", "one", "cells1")
            self.assertEqual(cells[i * CELLS * CELL:(i + 1) * CELLS * CELL], self.read("cells1"), i)
        half = CELLS // 2 * CELL
        self.write("known", b"".join(cells[(2 * i + 1) * half:(2 * i + 2) * half] for i in range(sub_batch + 2)))
        self.kzg("recover", "--cells", "64..127", "known", "cells2")
        self.assertEqual(self.read("cells2"), cells)
        # If a blob of a later sub-batch is bad, the old files stay.
        self.write("bad", b"".join(blobs[:-1]) + b"\xff" + blobs[-1][1:])
        self.write("cells2", b"old")
        self.refused(2, "blob 257: element 0", "kzg", "cells", "--setup", self.setup, "bad", "cells2")
        self.write("short", b"".join(blobs)[:-1])
        self.refused(2, "within blob 257", "kzg", "cells", "--setup", self.setup, "short", "cells2")
        self.assertEqual(self.read("cells2"), b"old")

    def test_devices(self):
        """Two devices, which are the CPU twice here, print and write the same as one, and name the first bad blob."""
        several = ("--backend", "cpu", "--devices", "0,0")
        cells, proofs = self.make_cells()
        for command in (("commit", "blob", "blob", "blob"), ("prove", "blob", "blob", "--json")):
            self.assertEqual(self.kzg(*command, *several), self.kzg(*command))
        self.kzg("cells", *several, "blob", "cells2", "proofs2")
        self.assertEqual((self.read("cells2"), self.read("proofs2")), (cells, proofs))
        self.write("known", cells[:64 * CELL])
        self.kzg("recover", "--cells", "0..63", "--backend", "cpu", "--devices", "all", "known", "cells3", "proofs3")
        self.assertEqual((self.read("cells3"), self.read("proofs3")), (cells, proofs))
        self.refused(3, "device 7", "kzg", "commit", "--setup", self.setup, "--backend", "cpu", "--devices", "0,7", "blob")

    def test_a_saved_setup(self):
        """Saving a setup twice writes the same bytes, and the proofs are those that the ceremony's text gives."""
        self.assertEqual(self.ok("kzg", "setup", "--setup", self.text, "saved"),
                         b"saved: a setup, prepared for proofs of cells\n")
        saved = self.read("saved")
        self.assertEqual(saved, self.read(self.setup))
        cells, proofs = self.make_cells()
        self.ok("kzg", "cells", "--setup", self.text, "blob", "cells", "proofs")
        self.assertEqual((self.read("cells"), self.read("proofs")), (cells, proofs))
        self.assertEqual(self.ok("kzg", "commit", "--setup", "-", "blob", input=saved, stdin=None).decode().strip(), self.commitment)
        for position in (9, 50, 100, len(saved) - 1):
            self.write("damaged", saved[:position] + bytes([saved[position] ^ 1]) + saved[position + 1:])
            self.refused(2, "damaged", "kzg", "commit", "--setup", "damaged", "blob")

    def test_the_setup_beside_the_program(self):
        """Without --setup the program reads the file beside itself. If there is none, the message says what is missing."""
        program = cli_support.copy_program(os.path.abspath("alone"))
        alone = lambda *arguments: cli_support.run_copy(program, *arguments)
        self.check_refusal(alone("kzg", "commit", "blob"), 2, "--setup FILE is needed: there is no trusted_setup.txt beside the program")
        self.check_refusal(alone("kzg", "recover", "--cells", "0..63", "blob", "out"), 2, "--setup FILE is needed")
        shutil.copy(self.text, "alone/trusted_setup.txt")
        done = alone("kzg", "commit", "blob")
        self.assertEqual((done.returncode, done.stdout.decode().strip(), done.stderr), (0, self.commitment, b""))
        self.write("alone/trusted_setup.txt", b"4096\n")
        self.check_refusal(alone("kzg", "commit", "blob"), 2, os.path.abspath("alone/trusted_setup.txt"))
        self.assertEqual(alone("kzg", "commit", "--setup", self.text, "blob").stdout.decode().strip(), self.commitment)

    def test_tables(self):
        """A setup that is saved with tables gives the same proofs. Damaged tables are refused."""
        cells, proofs = self.make_cells()
        self.ok("kzg", "setup", "--setup", self.text, "--table-limit", "4M", "tables")
        tables = self.read("tables")
        self.assertLess(len(self.read(self.setup)) + (1 << 20), len(tables))
        self.assertLess(len(tables), 6 << 20)
        self.ok("kzg", "cells", "--setup", "tables", "blob", "cells", "proofs")
        self.assertEqual((self.read("cells"), self.read("proofs")), (cells, proofs))
        self.write("damaged", tables[:-9] + bytes([tables[-9] ^ 1]) + tables[-8:])
        self.refused(2, "damaged", "kzg", "cells", "--setup", "damaged", "blob", "cells")

    def test_refusals(self):
        cells, proofs = self.make_cells()
        common = ("--setup", self.setup)
        self.write("half", cells[:64 * CELL])
        self.write("short", cells[:64 * CELL - 1])
        self.write("bad", b"\xff" * 32 + cells[32:64 * CELL])
        recover, cells_of = ("kzg", "recover", *common), ("kzg", "cells", *common)
        for name, content in (("129", cells + cells[:CELL]), ("empty", b""), ("longer", self.blob + b"1"), ("few", cells[:63 * CELL]),
                              ("digits", b"0x" + b"1" * 262143)):
            self.write(name, content)
        self.refused(2, "--cells", *recover, "half", "out")
        for listed in ("63..0", "0,0", "128", "0..128", "", "1,", "..5", "99999999999999999999", "0..63x"):
            self.refused(2, "--cells", *recover, "--cells", listed, "half", "out")
        for sentence, listed, name in (
                ("short: truncated: it ends at byte 131071, within one of the 64 cells of blob 0; each has 2048 bytes", "0..63", "short"),
                ("--cells names 63 cells; a blob is recovered from 64 or more", "0..62", "half"),
                ("half: it has 64 cells, which is no multiple of the 65 that --cells names", "0..64", "half"),
                ("129: it has 129 cells, which is no multiple of the 64 that", "0..63", "129"), ("blob 0: element 0", "0..63", "bad"),
                ("no blob", "0..63", "empty"), ("63 cells", "0..62", "few")):
            self.refused(2, sentence, *recover, "--cells", listed, name, "out")
        for sentence, name in (("no blob", "empty"), ("byte 131073", "longer"), ("byte 262145", "digits")):
            self.refused(2, sentence, *cells_of, name, "out")
        self.refused(2, "--json", "kzg", "cells", *common, "blob")
        self.refused(2, "-z", "kzg", "prove", *common, "-z", "5", "blob")
        self.refused(2, "z 0", "kzg", "prove", *common, "-z", "%064x" % ORDER, "blob")
        verify = ("kzg", "verify", *common, "--commitment", self.commitment)
        proof = hexadecimal(proofs[:PROOF])
        self.write("four", cells[:4 * CELL])
        self.write("their", proofs[:4 * PROOF])
        for cut, sentence in ((4 * CELL + 1, "too long: it goes on after byte 8192"),
                              (4 * CELL - 1, "truncated: it ends at byte 8191; 4 cells of 2048 bytes are expected")):
            self.write("four", cells[:cut])
            self.refused(2, "four: " + sentence, *verify, "--cells", "0..3", "four", "their")
        self.refused(2, "--proof", *verify, "blob")
        self.refused(2, "-z", *verify, "--proof", proof)
        self.refused(2, "-z", *verify, "--proof", proof, "-z", "%064x" % 1, "-y", "%064x" % 1, "blob")
        self.refused(2, "--cells", *verify, "--proof", proof, "--cells", "0", "blob")
        self.refused(2, "--proof", *verify, "--proof", proof, "cells", "proofs")
        self.refused(2, "proof 0", *verify, "--proof", "0x" + "ff" * 48, "blob")
        self.refused(2, "--commitment", "kzg", "verify", *common, "--proof", proof, "blob")
        self.refused(2, "hexadecimal", "kzg", "verify", *common, "--commitment", "0x12", "--proof", proof, "blob")


if __name__ == "__main__":
    cli_support.main()
