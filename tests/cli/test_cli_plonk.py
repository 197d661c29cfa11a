#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests `sumac plonk` with circuits, powers of tau, keys and proofs of snarkjs.

  test_cli_plonk.py PROGRAM DATA-DIRECTORY [PRELOAD-DIRECTORY] [unittest options]
"""
import hashlib
import json
import os

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

    def test_info(self):
        facts = json.loads(self.ok("plonk", "info", path("tiny-bn254", "key.zkey"), "--json"))
        self.assertGreater(facts.pop("key_bytes"), 0)
        self.assertEqual(facts, {"protocol": "plonk", "curve": "bn254", "wires": 6, "public_inputs": 2, "gates": 5, "additions": 1, "domain": 8})
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
        self.refused(2, "a length is wrong", "plonk", "setup", path("tiny-bn254", "circuit.r1cs"), powers("tiny-bn254"), "out",
                     "--protocol", "fflonk")
        self.refused(2, "--protocol", "plonk", "setup", path("tiny-bn254", "circuit.r1cs"), powers("tiny-bn254"), "out",
                     "--protocol", "groth16")
        self.assertFalse(os.path.exists("out"))


if __name__ == "__main__":
    cli_support.main()
