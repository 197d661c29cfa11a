#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests `sumac groth16` with keys of snarkjs, of gnark and of this library.

  test_cli_groth16.py PROGRAM DATA-DIRECTORY [PRELOAD-DIRECTORY] [unittest options]
"""
import json
import os
import resource
import signal
import struct
import subprocess
import time

import cli_support
from cli_support import CommandTest, run


def path(circuit, name):
    return os.path.join(cli_support.DATA, "groth16", circuit, name)


class Groth16(CommandTest):
    def prove(self, circuit, *arguments):
        return run("groth16", "prove", path(circuit, "key.zkey"), path(circuit, "witness.wtns"), "proof", "public", *arguments)

    def test_snarkjs(self):
        """Our proof and that of snarkjs hold with the key of snarkjs, and both programs write the same public.json."""
        for circuit in "poseidon-bn254", "sums-bls12-381":
            key = path(circuit, "verification_key.json")
            done = self.prove(circuit, "--circuit", path(circuit, "circuit.r1cs"))
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertRegex(done.stdout, rb"\Aproof: a proof, verified\npublic: its public inputs, \d+\n\Z")
            self.assertEqual(self.read("public"), self.read(path(circuit, "public.json")))
            self.assertEqual(list(json.loads(self.read("proof"))), ["pi_a", "pi_b", "pi_c", "protocol", "curve"])
            for proof in "proof", path(circuit, "proof.json"):
                self.assertEqual(self.ok("groth16", "verify", key, "public", proof), b"OK: the proof holds\n")
            self.assertEqual(json.loads(self.ok("groth16", "verify", key, "public", "proof", "--json")), {"holds": True})

    def test_another_input(self):
        public = path("tiny-bn254", "public.json")
        key, proof = path("tiny-bn254", "key.zkey"), path("tiny-bn254", "proof.json")
        self.assertEqual(self.ok("groth16", "verify", key, public, proof), b"OK: the proof holds\n")
        self.write("other", self.read(public).replace(b"186", b"187"))
        self.refused(1, "proof invalid", "groth16", "verify", key, "other", proof)
        done = run("groth16", "verify", key, "other", proof, "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)), (1, {"holds": False}))
        self.write("short", b'["1"]')
        self.refused(2, "short: 1 public inputs, where the key has 2", "groth16", "verify", key, "short", proof)
        self.refused(2, "sums-bls12-381/proof.json: curve", "groth16", "verify", key, public,
                     path("sums-bls12-381", "proof.json"))

    def test_swapped(self):
        """If files are given in the wrong order, the message says what each of them is."""
        key, public, proof, zkey, witness = (path("tiny-bn254", name) for name in (
            "verification_key.json", "public.json", "proof.json", "key.zkey", "witness.wtns"))
        for words, files in (("proof.json: the text is not an array of numbers", (key, proof, public)),
                             ("public.json: it has no pi_a", (key, public, public)),
                             ("proof.json: it has no vk_alpha_1", (proof, public, key)),
                             ("public.json: a JSON array, as public inputs are, and no verifying key", (public, proof, key)),
                             ("key.zkey: a proving key of snarkjs (.zkey), and not public inputs", (zkey, zkey, proof)),
                             ("key.zkey: a proving key of snarkjs (.zkey), and not a proof", (zkey, public, zkey)),
                             ("witness.wtns: a witness of snarkjs (.wtns), and not public inputs", (key, witness, proof))):
            self.refused(2, words, "groth16", "verify", *files)

    def test_unsatisfied(self):
        circuit = "tiny-bn254"
        witness = bytearray(self.read(path(circuit, "witness.wtns")))
        witness[-32] ^= 1
        self.write("witness", witness)
        arguments = "groth16", "prove", path(circuit, "key.zkey"), "witness", "proof", "public"
        self.refused(2, "does not satisfy the constraints", *arguments)
        self.refused(2, "circuit.r1cs: the witness does not satisfy constraint ", *arguments, "--circuit",
                     path(circuit, "circuit.r1cs"))
        self.write("witness", witness[:-1])
        self.refused(2, "witness: truncated", *arguments)
        self.refused(2, "it does not begin as a .zkey file", "groth16", "prove", "witness", "witness", "proof", "public")

    def test_insecure_setup(self):
        """Proofs hold with a generated circuit and key, and the same seed gives the same key."""
        self.ok("groth16", "generate", "--curve", "bn254", "-n", "50", "circuit", "witness")
        for name in "one", "two":
            printed = self.ok("groth16", "setup", "circuit", name, "--seed", "7")
            self.assertIn(b"INSECURE", printed)
        self.assertEqual(self.read("one"), self.read("two"))
        self.ok("groth16", "setup", "circuit", "three")
        self.assertNotEqual(self.read("one"), self.read("three"))
        self.ok("groth16", "prove", "one", "witness", "proof", "public", "--trace", "trace")
        self.assertEqual(self.ok("groth16", "verify", "one", "public", "proof"), b"OK: the proof holds\n")
        self.refused(1, "proof invalid", "groth16", "verify", "three", "public", "proof")
        facts = json.loads(self.ok("groth16", "info", "one", "--json"))
        self.assertEqual((facts["curve"], facts["wires"], facts["domain"], facts["public_inputs"]), ("bn254", 101, 64, 1))
        report = json.loads(self.ok("groth16", "prove", "one", "witness", "proof", "public", "--json", "--precompute", "2"))
        self.assertEqual(report["wires"], 101)
        self.assertGreater(report["prove_ms"], 0)

    def peak(self, *arguments):
        """Return a command's peak memory in MiB, on one thread. glibc would keep freed blocks of up to 32 MiB. The variable
        makes it return them to the system, which it always does with the larger blocks of larger circuits."""
        environment = dict(os.environ, MALLOC_MMAP_THRESHOLD_=str(1 << 20))
        process = subprocess.Popen([cli_support.PROGRAM, "groth16", *arguments, "--backend", "cpu", "--threads", "1"],
                                   stdout=subprocess.DEVNULL, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        self.assertEqual(status, 0)
        return usage.ru_maxrss / 1024

    def test_memory(self):
        """To open a key takes little memory besides the key. A large proof takes its witness, and at most three vectors and the
        roots of a transform. While it adds up h, it takes one vector, the roots and 24 MiB of workspace."""
        if cli_support.is_sanitized():
            self.skipTest("a sanitizer takes memory of its own")
        mib, domain = 1 << 20, 1 << 18
        self.ok("groth16", "generate", "--curve", "bn254", "-n", "2^17", "circuit", "witness")
        self.ok("groth16", "setup", "circuit", "key", "--seed", "7")
        baseline = self.peak("info", path("tiny-bn254", "key.zkey"))
        opened = self.peak("prepare", "key", "prepared", "--validate", "none")
        with open("prepared", "rb") as file:
            header = file.read(64 * 17)
        entries = {header[at]: header[at:at + 64] for at in range(64, 64 * (1 + header[48]), 64)}  # docs/formats.md
        wires, _, found = struct.unpack_from("<3I", entries[10], 40)
        terms = sum(struct.unpack_from("<Q", entries[matrix], 32)[0] for matrix in (14, 15))
        self.assertEqual(found, domain)
        points = 64 * (wires + wires + 2 * wires + wires + domain)  # A, B1, B2, C, H; a point of G2 counts twice
        key = baseline + (points + 8 * (terms + 2 * domain)) / mib
        scalars, values = 32 * wires / mib, 32 * domain / mib
        self.assertLess(opened, key + 16)
        proving = self.peak("prove", "prepared", "witness", "proof", "public", "--validate", "none")
        roots, workspace = values / 2, 24
        self.assertLess(proving, key + scalars + max(3 * values + roots, values + roots + workspace) + 3)
        self.assertEqual(self.ok("groth16", "verify", "prepared", "public", "proof"), b"OK: the proof holds\n")

    def test_prepare(self):
        """Proofs of a prepared key hold. A damaged key is refused, and the file that it would have replaced stays."""
        key, witness = path("tiny-bn254", "key.zkey"), path("tiny-bn254", "witness.wtns")
        for options in (), ("--precompute", "2"), ("--precompute", "0", "--validate", "none"):
            printed = self.ok("groth16", "prepare", key, "prepared", *options)
            self.assertEqual(printed, b"prepared: a prepared key; --validate none opens it fastest\n")
            self.ok("groth16", "prove", "prepared", witness, "proof", "public", "--validate", "none")
            for verifying in path("tiny-bn254", "verification_key.json"), "prepared":
                self.ok("groth16", "verify", verifying, "public", "proof")
        facts = [json.loads(self.ok("groth16", "info", name, "--json")) for name in (key, "prepared")]
        self.assertEqual(facts[0], facts[1])
        self.assertIn(b"a prepared proving key", self.ok("info", "prepared"))
        kept = self.read("prepared")
        self.write("damaged", kept[:-9] + bytes([kept[-9] ^ 1]) + kept[-8:])
        self.refused(2, "damaged: the points, bytes ", "groth16", "prove", "damaged", witness, "proof", "public")
        self.refused(2, "damaged: the points, bytes ", "groth16", "prepare", "damaged", "prepared")
        self.assertEqual(self.read("prepared"), kept)
        self.refused(2, "where 3 is asked for", "groth16", "prove", "prepared", witness, "proof", "public", "--precompute", "3")

    def test_prepare_gnark(self):
        gnark = lambda name: os.path.join(cli_support.DATA, "gnark", "bn254", name)
        self.ok("groth16", "prepare", gnark("pk.dump"), "prepared", "--verifying-key", gnark("vk.raw"))
        self.ok("groth16", "prove", "prepared", gnark("solution"), "proof", "public")
        self.ok("groth16", "verify", "prepared", "public", "proof")
        self.ok("groth16", "prepare", gnark("pk.dump"), "prepared")
        self.refused(2, "prepared without its verifying key", "groth16", "verify", "prepared", "public", "proof")
        self.refused(2, "prepared: a key of gnark, which comes without its verifying key",
                     "groth16", "prove", "prepared", gnark("solution"), "proof", "public")
        self.ok("groth16", "prove", "prepared", gnark("solution"), "proof", "public", "--verifying-key", gnark("vk.raw"))

    def test_gnark_commitments(self):
        """The program proves a circuit with commitments, of which it gets the wires, and verifies the proof of gnark."""
        gnark = lambda name: os.path.join(cli_support.DATA, "gnark", "several-bn254", name)
        keys = gnark("pk.dump"), "--verifying-key", gnark("vk.raw")
        self.refused(2, "a key with 3 commitments to 7 wires needs commitment_wires of 40 bytes",
                     "groth16", "prove", *keys[:1], gnark("solution"), "proof", "public", *keys[1:])
        wires = "--commitment-wires", gnark("commitment_wires")
        self.ok("groth16", "prove", *keys[:1], gnark("solution"), "proof", "public", *keys[1:], *wires)
        self.ok("groth16", "prepare", *keys[:1], "prepared", *keys[1:], *wires)
        self.ok("groth16", "prove", "prepared", gnark("solution"), "other", "public")
        for proof in "proof", "other", gnark("proof.raw"), gnark("proof.compressed"):
            self.assertEqual(self.ok("groth16", "verify", gnark("vk.raw"), "public", proof), b"OK: the proof holds\n")
        self.write("damaged", self.read("proof")[:-1] + bytes([self.read("proof")[-1] ^ 1]))
        self.assertIn(run("groth16", "verify", gnark("vk.raw"), "public", "damaged").returncode, (1, 2))
        self.assertEqual(json.loads(self.ok("groth16", "info", gnark("pk.raw"), *wires, "--json"))["wires"], 20)

    def test_gnark(self):
        """The program reads and writes files of gnark: our proof and that of gnark hold with the key of gnark."""
        gnark = lambda name: os.path.join(cli_support.DATA, "gnark", "bn254", name)
        arguments = "groth16", "prove", gnark("pk.dump"), gnark("solution"), "proof", "public"
        with_key = arguments + ("--verifying-key", gnark("vk.compressed"))
        self.refused(2, "pk.dump: a key of gnark, which comes without its verifying key", *arguments)
        self.assertEqual(self.ok(*arguments, "--no-verify"), b"proof: a proof, not verified\npublic: its public inputs, 2\n")
        self.assertFalse(json.loads(self.ok(*arguments, "--no-verify", "--json"))["verified"])
        self.assertTrue(json.loads(self.ok(*with_key, "--json"))["verified"])
        for options, size in ((), 164), (("--proof-format", "gnark"), 164), (("--proof-format", "gnark-raw"), 324):
            self.assertEqual(self.ok(*with_key, *options), b"proof: a proof, verified\npublic: its public inputs, 2\n")
            self.assertEqual(self.read("public"), self.read(gnark("public")))
            self.assertEqual(len(self.read("proof")), size)
            for proof in "proof", gnark("proof.compressed"), gnark("proof.raw"):
                self.assertEqual(self.ok("groth16", "verify", gnark("vk.raw"), "public", proof), b"OK: the proof holds\n")
        self.ok(*with_key, "--proof-format", "json")
        self.assertEqual(json.loads(self.read("public")), ["113", "2184"])
        self.ok("groth16", "verify", gnark("vk.raw"), "public", "proof")
        self.write("other", self.read(gnark("public"))[:-1] + b"\7")
        self.refused(1, "proof invalid", "groth16", "verify", gnark("vk.raw"), "other", gnark("proof.raw"))
        self.refused(2, "it is no JSON and no .zkey, and no verifying key of gnark", "groth16", "verify", gnark("public"), "public", "proof")
        facts = json.loads(self.ok("groth16", "info", gnark("pk.raw"), "--json"))
        self.assertEqual((facts["curve"], facts["wires"], facts["domain"], facts["public_inputs"]), ("bn254", 11, 32, 2))
        # With a key of snarkjs the proof can be in the format of gnark, too.
        self.prove("tiny-bn254", "--proof-format", "gnark-raw")
        self.ok("groth16", "verify", path("tiny-bn254", "verification_key.json"), "public", "proof")

    def test_pipes(self):
        """The key is read from standard input, and the proof written to standard output."""
        circuit = "tiny-bn254"
        with subprocess.Popen(["cat", path(circuit, "key.zkey")], stdout=subprocess.PIPE) as cat:
            done = run("groth16", "prove", "-", path(circuit, "witness.wtns"), "-", "public", stdin=cat.stdout)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.write("proof", done.stdout)
        self.ok("groth16", "verify", path(circuit, "verification_key.json"), "public", "proof")

    def test_sparse_witness(self):
        """--kind sparse makes 90% of the witness zeros and ones, and uniform none."""
        for kind, least, most in (("uniform", 0, 0), ("sparse", 178, 180)):
            self.ok("groth16", "generate", "--curve", "bn254", "-n", "100", "--kind", kind, "circuit", "witness")
            values = self.read("witness")[-201 * 32:]
            bits = sum(int.from_bytes(values[i:i + 32], "little") < 2 for i in range(32, len(values), 32))
            self.assertTrue(least <= bits <= most, (kind, bits))
        self.refused(2, "--kind takes one of uniform, sparse", "groth16", "generate", "--curve", "bn254", "-n", "9", "--kind", "ones", "a", "b")


class Bench(CommandTest):
    COMMAND = ("bench", "--groth16", "-n", "2^6", "--threads", "1")

    def setUp(self):
        super().setUp()
        os.mkdir("scratch")
        self.environment = dict(os.environ, TMPDIR=os.path.realpath("scratch"))

    def tearDown(self):
        self.assertEqual(os.listdir("scratch"), [])

    def test_rows(self):
        printed = self.ok(*self.COMMAND, "--kind", "uniform,sparse", "--batch", "1,2", "--memory", "all", "--runs", "2", "--seed", "3",
                          "--commit", "abc", "--json", "rows", env=self.environment)
        lines = [line.split() for line in printed.decode().splitlines()]
        self.assertEqual(lines[0][:6], ["curve", "domain", "wires", "batch", "kind", "memory"])
        result = json.loads(self.read("rows"))
        rows = result.pop("rows")
        self.assertEqual(set(result), {"sumac", "commit", "machine", "date", "command", "seed", "runs"})
        self.assertEqual((result["commit"], result["seed"], result["runs"]), ("abc", 3, 2))
        expected = [(kind, batch, memory) for kind in ("uniform", "sparse") for batch in (1, 2) for memory in ("pageable", "pinned")]
        self.assertEqual([(row["kind"], row["proofs"], row["memory"]) for row in rows], expected)
        self.assertEqual(len(lines), 1 + len(rows))
        for row, line in zip(rows, lines[1:]):
            self.assertEqual((row["curve"], row["domain"], row["wires"], row["threads"], row["precompute"]), ("bn254", 64, 125, 1, 1))
            self.assertTrue(row["verified"] and 0 < row["min_ms"] <= row["median_ms"] and row["open_ms"] > 0 and row["key_bytes"] > 0)
            self.assertGreater(row["stages_ms"]["accumulate"], 0)
            self.assertEqual(line[:6], ["bn254", "64", "125", str(row["proofs"]), row["kind"], row["memory"]])
            self.assertEqual(line[-1], "yes")
            # The table shows the time of one proof, not of the batch.
            self.assertAlmostEqual(float(line[-4]), row["median_ms"] / row["proofs"], delta=0.001)

    def test_keys(self):
        """Each curve, size and number of multiples has a row. -n is rounded up to the domain's size."""
        printed = self.ok("bench", "--groth16", "--curve", "all", "-n", "3,65", "--precompute", "1,2", "--runs", "1", "--validate", "none",
                          env=self.environment)
        rows = [line.split() for line in printed.decode().splitlines()[1:]]
        self.assertEqual([(row[0], row[1], row[7]) for row in rows],
                         [(curve, domain, f) for curve in ("bn254", "bls12-381") for domain in ("4", "128") for f in "12"])
        self.assertEqual([row[-1] for row in rows], 8 * ["yes"])

    def test_refused(self):
        for named, more in (("c is for MSMs", ("--tune", "c=8")), ("--plan is for MSMs", ("--plan", "auto")), ("--group is for MSMs", ("--group", "g2")),
                            ("not 'top'", ("--kind", "uniform,top")), ("grumpkin", ("--curve", "grumpkin"))):
            self.refused(2, named, *self.COMMAND, *more, env=self.environment)
        self.refused(2, "from 3 on, not 2", "bench", "--groth16", "-n", "2", env=self.environment)
        self.refused(2, "goes with --groth16 or --plonk only", "bench", "-n", "2", "--validate", "none", env=self.environment)
        done = run(*self.COMMAND, env=self.environment, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
        self.assertEqual((done.returncode, done.stderr),
                         (3, b"sumac: %s: cannot write: File too large\n" % os.fsencode(self.environment["TMPDIR"])))
        self.refused(2, "nowhere: cannot write", *self.COMMAND, env=dict(self.environment, TMPDIR="nowhere"))

    def test_interrupted(self):
        """No temporary files are left, even if a signal ends the program."""
        for signal_number in signal.SIGINT, signal.SIGKILL:
            process = subprocess.Popen([cli_support.PROGRAM, "bench", "--groth16", "-n", "2^12", "--runs", "100000"],
                                       stdout=subprocess.DEVNULL, env=self.environment)
            self.addCleanup(process.kill)
            time.sleep(2)
            self.assertIsNone(process.poll())
            process.send_signal(signal_number)
            self.assertEqual(process.wait(60), -signal_number)
            self.assertEqual(os.listdir("scratch"), [])


if __name__ == "__main__":
    cli_support.main()
