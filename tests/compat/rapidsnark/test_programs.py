#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests that the programs `prover` and `verifier` have rapidsnark's operands, messages, files and exit statuses.

  test_programs.py FOLDER DATA-DIRECTORY [unittest options]
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER, DATA = (os.path.abspath(path) for path in sys.argv[1:3])


def path(circuit, name):
    return os.path.join(DATA, "groth16", circuit, name)


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.proof, self.public = (os.path.join(folder.name, name) for name in ("proof.json", "public.json"))

    def run_program(self, status, words, *arguments):
        """Require this exit status, an empty stdout, and these words at the start of stderr."""
        done = subprocess.run((os.path.join(FOLDER, arguments[0]),) + arguments[1:], capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (status, b""), done.stderr)
        self.assertTrue(done.stderr.startswith(words.encode()), done.stderr)
        self.assertEqual(done.stderr == b"", words == "")

    def prove(self, status, words, key, witness):
        self.run_program(status, words, "prover", key, witness, self.proof, self.public)

    def test_proof(self):
        for circuit in "tiny-bn254", "poseidon-bn254":
            key = path(circuit, "verification_key.json")
            self.prove(0, "", path(circuit, "key.zkey"), path(circuit, "witness.wtns"))
            proof, public = json.loads(read(self.proof)), json.loads(read(path(circuit, "public.json")))
            self.assertEqual(list(proof), ["pi_a", "pi_b", "pi_c", "protocol"])
            self.assertEqual(read(self.proof), json.dumps(proof, separators=(",", ":")))
            self.assertEqual(read(self.public), json.dumps(public, separators=(",", ":")))
            self.run_program(0, "Result: Valid proof\n", "verifier", key, self.public, self.proof)
            self.run_program(0, "Result: Valid proof\n", "verifier", key, path(circuit, "public.json"), path(circuit, "proof.json"))
            public[0] = str(int(public[0]) - 1)
            with open(self.public, "w", encoding="utf-8") as file:
                json.dump(public, file)
            self.run_program(1, "Result: Invalid proof\n", "verifier", key, self.public, self.proof)

    def test_refused(self):
        key, witness = path("tiny-bn254", "key.zkey"), path("tiny-bn254", "witness.wtns")
        self.run_program(1, "Invalid number of parameters\nUsage: prover <circuit.zkey> <witness.wtns> ", "prover", key, witness)
        self.run_program(1, "Invalid number of parameters:\nUsage: verifier <verification_key.json> ", "verifier")
        self.prove(1, "Error: /nowhere: ", "/nowhere", witness)
        self.prove(1, "Error: /nowhere: ", key, "/nowhere")
        self.prove(1, "Error: the witness in memory: ", key, path("poseidon-bn254", "witness.wtns"))
        self.prove(1, "Error: the witness in memory: ", key, os.devnull)
        self.prove(1, "Error: ", witness, witness)
        self.assertFalse(os.path.exists(self.proof) or os.path.exists(self.public))
        copy = shutil.copy(key, os.path.dirname(self.proof))
        self.run_program(1, f"Error: {copy}: it is the same file as {copy}", "prover", copy, witness, copy, self.proof)
        self.run_program(1, f"Error: {copy}: it is the same file as {copy}", "prover", copy, witness, self.proof, copy)
        self.assertFalse(os.path.exists(self.proof))
        self.assertEqual(os.path.getsize(copy), os.path.getsize(key))
        # If both outputs are the same file, the second output must not replace the first.
        os.symlink(self.proof, self.public)
        for proof, public in (self.proof, self.proof), (self.proof, self.public), (self.public, self.proof):
            for _ in range(2):
                self.run_program(1, f"Error: {public}: it is the same file as {proof}", "prover", key, witness, proof, public)
            self.assertIn("pi_a", read(self.proof))
            os.remove(self.proof)
        os.remove(self.public)
        self.run_program(0, "", "prover", key, witness, os.devnull, os.devnull)
        self.run_program(1, "Error: /nowhere/proof: ", "prover", key, witness, "/nowhere/proof", self.public)
        self.run_program(1, "Error: the proof: ", "verifier", path("tiny-bn254", "verification_key.json"),
                         path("tiny-bn254", "public.json"), os.devnull)
        self.run_program(1, "Error: /nowhere: ", "verifier", "/nowhere", path("tiny-bn254", "public.json"), os.devnull)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
