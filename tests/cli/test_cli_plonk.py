#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests `sumac plonk` with circuits, powers of tau, keys and proofs of snarkjs.

  test_cli_plonk.py PROGRAM DATA-DIRECTORY [PRELOAD-DIRECTORY] [unittest options]
"""
import hashlib
import json
import os
import resource
import struct

import cli_support
from cli_support import CommandTest, run

HOLDS = b"OK: the proof holds\n"


def path(circuit, name):
    return os.path.join(cli_support.DATA, "plonk", circuit, name)


def powers(circuit, prefix=""):
    return os.path.join(cli_support.DATA, "plonk", prefix + circuit.partition("-")[2] + ".ptau")


class Plonk(CommandTest):
    def test_snarkjs(self):
        """From a circuit to a verified proof: the key has snarkjs' bytes, and our proof and its own hold with its key."""
        for circuit, prefix, options in (("forms-bn254", "", ()), ("sums-bls12-381", "", ()),
                                         ("forms-bn254", "fflonk-", ("--protocol", "fflonk"))):
            constraints, witness = path(circuit, "circuit.r1cs"), path(circuit, "witness.wtns")
            printed = self.ok("plonk", "setup", constraints, powers(circuit, prefix), "key", *options)
            circuit = prefix + circuit
            self.assertEqual(printed, b"key: a proving key, with the same bytes as snarkjs makes\n")
            self.assertEqual(hashlib.sha256(self.read("key")).digest(), self.read(path(circuit, "key.sha256")))
            done = run("plonk", "prove", "key", witness, "proof", "public")
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertRegex(done.stdout, rb"\Aproof: a proof, verified\npublic: its public inputs, \d+\n\Z")
            self.assertEqual(self.read("public"), self.read(path(circuit, "public.json")))
            self.assertEqual(list(json.loads(self.read("proof"))), list(json.loads(self.read(path(circuit, "proof.json")))))
            for key in path(circuit, "verification_key.json"), "key":
                for proof in "proof", path(circuit, "proof.json"):
                    self.assertEqual(self.ok("plonk", "verify", key, "public", proof), HOLDS)

    def test_prepare(self):
        """A prepared key proves and verifies; it is refused where it is damaged, and where keys of Groth16 are wanted."""
        key = path("tiny-bn254", "key.zkey")
        self.assertEqual(self.ok("plonk", "prepare", key, "prepared", "--precompute", "2"),
                         b"prepared: a prepared key; --validate none opens it fastest\n")
        self.ok("plonk", "prove", "prepared", path("tiny-bn254", "witness.wtns"), "proof", "public", "--validate", "none")
        for verifying in path("tiny-bn254", "verification_key.json"), "prepared":
            self.assertEqual(self.ok("plonk", "verify", verifying, "public", "proof"), HOLDS)
        self.assertIn(b"a prepared PLONK proving key", self.ok("info", "prepared"))
        facts = [json.loads(self.ok("plonk", "info", name, "--json", "--precompute", "2")) for name in (key, "prepared")]
        self.assertEqual(facts[0], facts[1])
        self.refused(2, "a prepared PLONK key", "groth16", "info", "prepared")
        self.ok("groth16", "prepare", os.path.join(cli_support.DATA, "groth16", "tiny-bn254", "key.zkey"), "other")
        self.refused(2, "a prepared key", "plonk", "info", "other")
        damaged = bytearray(self.read("prepared"))
        damaged[700] ^= 1
        self.write("damaged", damaged)
        self.refused(2, "damaged", "plonk", "info", "damaged")

    def test_gnark(self):
        """gnark's key, with a trace, and its solution give a proof; this and gnark's own hold with the key."""
        folder = os.path.join(cli_support.DATA, "gnark-plonk", "several-bn254")
        key, solution, proof, public = (os.path.join(folder, name) for name in ("key", "solution", "proof", "public"))
        printed = self.ok("plonk", "prove", key, solution, "ours", "inputs")
        self.assertEqual(printed, b"ours: a proof, verified\ninputs: its public inputs, 2\n")
        self.assertEqual(self.read("inputs"), self.read(public))
        for one in "ours", proof, os.path.join(folder, "proof.raw"):
            self.assertEqual(self.ok("plonk", "verify", key, public, one), HOLDS)
        facts = json.loads(self.ok("plonk", "info", key, "--json"))
        self.assertEqual([facts[name] for name in ("format", "commitments", "public_inputs")], ["gnark", 3, 2])
        self.assertIn(b"a PLONK key of gnark", self.ok("info", key))
        self.ok("plonk", "prepare", key, "prepared")
        self.ok("plonk", "prove", "prepared", solution, "ours", "inputs", "--validate", "none")
        for one in "ours", proof:
            self.assertEqual(self.ok("plonk", "verify", "prepared", public, one), HOLDS)
        self.assertEqual(json.loads(self.ok("plonk", "info", "prepared", "--json")), facts)
        changed = bytearray(self.read(public))
        changed[-1] ^= 1
        self.write("other", changed)
        self.refused(1, "proof invalid", "plonk", "verify", key, "other", proof)
        contents = self.read(key)
        self.write("bare", contents[:contents.index(b"sumactrc")])
        self.refused(2, "the trace of the circuit, which follows, is missing", "plonk", "info", "bare")

    def test_info(self):
        facts = json.loads(self.ok("plonk", "info", path("tiny-bn254", "key.zkey"), "--json"))
        self.assertGreater(facts.pop("key_bytes"), 0)
        self.assertGreater(facts.pop("workspace_bytes"), 0)
        self.assertEqual(facts, {"protocol": "plonk", "curve": "bn254", "format": "snarkjs", "wires": 6, "public_inputs": 2, "gates": 5,
                                 "additions": 1, "domain": 8, "commitments": 0})
        self.assertIn(b"gates          5\n", self.ok("plonk", "info", path("tiny-bn254", "key.zkey")))
        for name, words in (("proof.json", b"a PLONK proof of snarkjs"), ("verification_key.json", b"a PLONK verifying key of snarkjs"),
                            ("key.zkey", b"`sumac plonk prove`")):
            self.assertIn(words, self.ok("info", path("tiny-bn254", name)))
        for name, words in ("proof.json", b"an FFLONK proof of snarkjs"), ("verification_key.json", b"an FFLONK verifying key of snarkjs"):
            self.assertIn(words, self.ok("info", path("fflonk-tiny-bn254", name)))

    def test_refused(self):
        """A witness that does not satisfy a gate, another public input, and files of another kind."""
        key, public, proof = (path("tiny-bn254", name) for name in ("key.zkey", "public.json", "proof.json"))
        witness = bytearray(self.read(path("tiny-bn254", "witness.wtns")))
        witness[-32] ^= 1
        self.write("witness", witness)
        self.refused(2, "witness 0: gate 2 does not hold", "plonk", "prove", key, "witness", "proof", "public")
        self.assertFalse(os.path.exists("proof"))
        self.write("other", self.read(public).replace(b"186", b"187"))
        self.refused(1, "proof invalid", "plonk", "verify", key, "other", proof)
        self.refused(2, "a key of Groth16, and not of PLONK", "plonk", "info",
                     os.path.join(cli_support.DATA, "groth16", "tiny-bn254", "key.zkey"))
        self.refused(2, "a key of PLONK", "groth16", "info", key)
        self.refused(2, "powers of tau for 2^5 gates", "plonk", "setup",
                     os.path.join(cli_support.DATA, "groth16", "poseidon-bn254", "circuit.r1cs"), powers("tiny-bn254"), "out")
        self.refused(2, "it does not begin as a .ptau file", "plonk", "setup", path("tiny-bn254", "circuit.r1cs"), key, "out")
        system = struct.pack("<12Q", 8 * 8, 0, 16, 2, 8, 8, 8, 0, 0, 0, 0, 0)  # the beginning of a constraint system of gnark 0.16.2
        self.write("system", system)
        self.refused(2, "system: it does not begin as a .r1cs file; it looks like a constraint system of gnark: its keys are made in Go, "
                     "by gnark's groth16.Setup(), or for PLONK by PlonkSetup() of the module bindings/go/gnark, which takes a .ptau",
                     "plonk", "setup", "system", powers("tiny-bn254"), "out")
        self.assertIn(b"a constraint system of gnark", self.ok("info", "system"))
        for at, value in (0, 65), (8, 1), (16, 9), (16, 2000), (24, 2000), (32, 60), (56, 2 ** 64 - 20):
            changed = bytearray(system)
            struct.pack_into("<Q", changed, at, value)
            self.write("system", changed)
            done = run("plonk", "setup", "system", powers("tiny-bn254"), "out")
            self.assertEqual((done.returncode, b"a constraint system" in done.stderr), (2, False))
        self.refused(2, "for which there must be 90", "plonk", "setup", path("tiny-bn254", "circuit.r1cs"), powers("tiny-bn254"), "out",
                     "--protocol", "fflonk")
        self.refused(2, "--protocol", "plonk", "setup", path("tiny-bn254", "circuit.r1cs"), powers("tiny-bn254"), "out",
                     "--protocol", "groth16")
        self.assertFalse(os.path.exists("out"))


class Bench(CommandTest):
    def setUp(self):
        super().setUp()
        os.mkdir("scratch")
        self.environment = dict(os.environ, TMPDIR=os.path.realpath("scratch"))

    def tearDown(self):
        self.assertEqual(os.listdir("scratch"), [])

    def test_rows(self):
        """Each combination has a row in the table, and one in the result file of the form that proofs of Groth16 have."""
        printed = self.ok("bench", "--plonk", "--curve", "all", "-n", "13,2^6", "--precompute", "1,2", "--batch", "1,2", "--runs", "1",
                          "--threads", "1", "--json", "plonk", env=self.environment)
        rows = json.loads(self.read("plonk"))["rows"]
        expected = [(curve, domain, f, batch) for curve in ("bn254", "bls12-381") for domain in (16, 64) for f in (1, 2) for batch in (1, 2)]
        self.assertEqual([(row["curve"], row["domain"], row["precompute"], row["proofs"]) for row in rows], expected)
        self.assertTrue(all(row["verified"] and row["proof"] == "PLONK" and 0 < row["min_ms"] <= row["median_ms"] for row in rows))
        lines = [line.split() for line in printed.decode().splitlines()[1:]]
        self.assertEqual([(line[0], int(line[1]), int(line[7]), int(line[3]), line[-1]) for line in lines], [each + ("yes",) for each in expected])
        self.ok("bench", "--groth16", "-n", "9", "--runs", "1", "--threads", "1", "--json", "groth16", env=self.environment)
        other = json.loads(self.read("groth16"))["rows"][0]
        self.assertEqual((other["proof"], set(rows[0]) - set(other)), ("Groth16", {"workspace_bytes"}))

    def memory(self, size, *more):
        """Return how many bytes a key and a proof are stated to take, and the process's peak while it proves. glibc would keep freed
        blocks of up to 32 MiB, which the variable prevents."""
        self.ok("bench", "--plonk", "-n", size, "--runs", "1", "--threads", "1", "--backend", "cpu", "--json", "rows", *more,
                env=dict(self.environment, MALLOC_MMAP_THRESHOLD_=str(1 << 20)))
        row = json.loads(self.read("rows"))["rows"][0]
        return row["key_bytes"] + row["workspace_bytes"], row["peak_rss_bytes"]

    def test_memory(self):
        """What the library states before a proof is what the proof takes, within 15%: with values on cosets, and without."""
        if cli_support.is_sanitized():
            self.skipTest("a sanitizer takes memory of its own")
        for more in (), ("--memory-limit", "16M"):
            less, base = self.memory("2^12", *more)
            stated, peak = self.memory("2^15", *more)
            self.assertAlmostEqual((peak - base) / (stated - less), 1, delta=0.15)

    def test_refused(self):
        command = ("bench", "--plonk", "-n", "2^6", "--threads", "1")
        for named, more in (("--plan is for MSMs and can't be combined with --plonk", ("--plan", "auto")), ("not 'top'", ("--kind", "top")),
                            ("--groth16 and --plonk can't be combined", ("--groth16",))):
            self.refused(2, named, *command, *more, env=self.environment)
        self.refused(2, "from 13 on, not 12", "bench", "--plonk", "-n", "12", env=self.environment)
        for most in 4096, 16384:  # while the circuit is written, and while the key is
            done = run(*command, env=self.environment, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
            self.assertEqual((done.returncode, done.stderr),
                             (3, b"sumac: %s: cannot write: File too large\n" % os.fsencode(self.environment["TMPDIR"])))


if __name__ == "__main__":
    cli_support.main()
