#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The program as its users meet it: exit statuses, one sentence an error, nothing half-written, JSON, traces.

  test_cli.py PROGRAM DATA-DIRECTORY [unittest options]

DATA-DIRECTORY holds vectors/, kzg/ and tests/ (consensus vectors), as the build unpacks them. Answers come from
tests/reference/ref.py, which shares nothing with the library. Needs Python 3.8 and nothing else.
"""
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))
sys.dont_write_bytecode = True
import ref  # noqa: E402

PROGRAM = DATA = ""
CURVES = [("bls12-381", "g1"), ("bls12-381", "g2"), ("secp256k1", "g1"), ("bw6-761", "g1")]


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=options.pop("stdout", subprocess.PIPE),
                          stderr=subprocess.PIPE, text=True, timeout=300, **options)


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="sumac-cli-")
        self.addCleanup(self.directory.cleanup)

    def path(self, name, content=None):
        path = os.path.join(self.directory.name, name)
        if content is not None:
            with open(path, "wb") as f:
                f.write(content)
        return path

    def files(self):
        return sorted(os.listdir(self.directory.name))

    def ok(self, *arguments, **options):
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def refused(self, status, named, *arguments, **options):
        """One sentence that names what is wrong, the status, and not a byte of output or of a new file."""
        before = self.files()
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, status, (arguments, done.stderr))
        self.assertRegex(done.stderr, r"\Asumac: [^\n]+\n\Z")
        self.assertIn(named, done.stderr)
        self.assertFalse(done.stdout)
        self.assertEqual(self.files(), before)

    def generate(self, curve="bls12-381", group="g1", n=20, **options):
        bases, scalars = self.path("bases.bin"), self.path("scalars.bin")
        extra = [a for k, v in options.items() for a in ("--" + k.replace("_", "-"), v)]
        self.ok("generate", "--curve", curve, "--group", group, "-n", n, "--out-bases", bases, "--out-scalars", scalars,
                "--expected", self.path("expected.json"), *extra)
        return bases, scalars

    def expected(self):
        with open(self.path("expected.json")) as f:
            return json.load(f)["result"]

    def msm_json(self, curve, group, bases, scalars, *more):
        return json.loads(self.ok("msm", "--curve", curve, "--group", group, "--bases", bases, "--scalars", scalars, "--json", *more))


class Answers(ProgramTest):
    def test_reference_vectors(self):
        for curve, group in CURVES:
            g = ref.Group(curve, group)
            with open(os.path.join(DATA, "vectors", "%s_%s.json" % (curve, group))) as f:
                cases = json.load(f)["cases"]
            parse = lambda e: tuple(int(c, 16) for c in e) if isinstance(e, list) else int(e, 16)
            for case in cases:
                points = [p and (parse(p["x"]), parse(p["y"])) for p in case["bases"]]
                bases = self.path("b", b"".join(map(g.praw, points)))
                scalars = self.path("s", b"".join(int(k, 16).to_bytes(g.sbytes, "little") for k in case["scalars"]))
                answer = self.msm_json(curve, group, bases, scalars, "--validate", "subgroup")
                self.assertEqual(list(answer), ["curve", "group", "n", "backend", "plan", "ms", "check", "read_ms", "result"])
                self.assertEqual((answer["curve"], answer["group"], answer["n"]), (curve, group, len(points)))
                self.assertEqual(answer["result"], case["result"], (curve, group, case["name"]))

    def test_generated_inputs(self):
        """The program's own inputs against big integers, without its --expected."""
        for curve, group in CURVES:
            g = ref.Group(curve, group)
            bases, scalars = self.generate(curve, group, 5, kind="mixed")
            points, numbers, size = [], [], g.fbytes
            with open(bases, "rb") as f:
                raw = f.read()
            with open(scalars, "rb") as f:
                raw_scalars = f.read()
            step = len(raw) // 5
            for i in range(5):
                c = [int.from_bytes(raw[j:j + size], "little") for j in range(i * step, (i + 1) * step, size)]
                points.append(((c[0], c[1]), (c[2], c[3])) if g.ext else (c[0], c[1]))
                numbers.append(int.from_bytes(raw_scalars[i * g.sbytes:(i + 1) * g.sbytes], "little"))
            self.assertTrue(all(map(g.on_curve, points)))
            wanted = g.phex(ref.msm(g, points, numbers))
            self.assertEqual(self.expected(), wanted)
            self.assertEqual(self.msm_json(curve, group, bases, scalars)["result"], wanted)

    def test_options_do_not_change_the_result(self):
        bases, scalars = self.generate(n=200)
        for more in (["--threads", 1], ["--tune", "variant=portable"], ["--tune", "c=5"], ["--tune", "reduction=running-sum"], ["--tune", "chunks=3"],
                     ["--precompute", 3], ["--memory-limit", "1M"], ["--outside-subgroup"], ["--plan", "auto"],
                     ["--backend", "cpu"], ["--validate", "subgroup"], ["--scalar-bits", 255]):
            self.assertEqual(self.msm_json("bls12-381", "g1", bases, scalars, *more)["result"], self.expected(), more)

    def test_no_bases(self):
        empty = self.path("empty", b"")
        self.assertIsNone(self.msm_json("bn254", "g1", empty, empty)["result"])
        self.assertIn("infinity", self.ok("msm", "--curve", "bn254", "--bases", empty, "--scalars", empty))

    def test_partial_results(self):
        bases, scalars = self.generate(n=100)
        common = ("msm", "--curve", "bls12-381", "--bases", bases, "--scalars", scalars)
        self.ok(*common, "-n", 30, "--partial", self.path("a"))
        self.ok(*common, "--first", 30, "--partial", self.path("b"))
        combined = json.loads(self.ok("combine", "--curve", "bls12-381", "--json", self.path("a"), self.path("b")))
        self.assertEqual(combined["result"], self.expected())
        self.refused(2, self.path("a"), "combine", "--curve", "bn254", self.path("a"), self.path("b"))

    def test_conversions(self):
        bases, scalars = self.generate(n=50)
        with open(bases, "rb") as f:
            raw = f.read()
        for name in ("zcash-compressed", "zcash-uncompressed", "eip2537"):
            self.ok("convert", "--curve", "bls12-381", "--to", name, bases, self.path(name))
            self.ok("convert", "--curve", "bls12-381", "--format", name, "--validate", "subgroup", self.path(name), self.path("back"))
            with open(self.path("back"), "rb") as f:
                self.assertEqual(f.read(), raw)
        self.ok("convert", "--curve", "bls12-381", "--precompute", 4, bases, "--to", "table", self.path("table"))
        self.assertEqual(self.msm_json("bls12-381", "g1", self.path("table"), scalars)["result"], self.expected())

    def test_blob_commitment(self):
        kzg = os.path.join(DATA, "kzg")
        with open(os.path.join(kzg, "commitment.txt")) as f:
            commitment = f.read().strip()
        command = ("kzg", "commit", "--setup", os.path.join(kzg, "trusted_setup.txt"), os.path.join(kzg, "blob.bin"))
        self.assertEqual(self.ok(*command).strip(), commitment)
        self.assertEqual(run(*command, "--commitment", commitment).returncode, 0)
        other = commitment[:-1] + ("0" if commitment[-1] != "0" else "1")
        self.assertEqual(run(*command, "--commitment", other).returncode, 1)

    def test_bench_verifies(self):
        out = self.ok("bench", "--curve", "bn254,pallas", "-n", "100,2^8", "--kind", "uniform,mixed", "--runs", 1,
                      "--json", self.path("bench.json"))
        self.assertEqual(out.count(" yes\n"), 8)
        with open(self.path("bench.json")) as f:
            result = json.load(f)
        self.assertRegex(result["commit"], r"\A([0-9a-f]{7,40}(-dirty)?|unknown)\Z")
        self.assertEqual(result["machine"]["gpu"], "" if result["rows"][0]["backend"] == "cpu" else result["machine"]["gpu"])
        for row in result["rows"]:
            self.assertTrue(row["verified"] and row["min_ms"] <= row["median_ms"] and row["bases_ms"] > 0)
            self.assertEqual(set(row["stages_ms"]), {"plan", "recode", "sort", "accumulate", "reduce", "combine"})
            self.assertGreater(row["stages_ms"]["accumulate"], 0)
        pinned = self.ok("bench", "--curve", "bn254", "-n", "100", "--memory", "all", "--kind", "bits", "--runs", 1)
        self.assertRegex(pinned, r"(?s)bits +pageable .* yes\n.*bits +pinned .* yes\n")

    def test_bench_refuses_windows_of_empty_buckets(self):
        arguments = ("bench", "--curve", "bn254", "--runs", 1, "--threads", 1)
        done = run(*arguments, "-n", "2^11,16", "--tune", "c=24")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("8388608 buckets for 16 bases", done.stderr)
        self.assertIn(" yes\n", self.ok(*arguments, "-n", 16, "--tune", "c=12"))


class Output(ProgramTest):
    def test_traces(self):
        bases, scalars = self.generate(n=2000)
        self.msm_json("bls12-381", "g1", bases, scalars, "--threads", 2, "--trace", self.path("trace.json"))
        with open(self.path("trace.json")) as f:
            trace = json.load(f)
        events = trace["traceEvents"] if isinstance(trace, dict) else trace
        spans = [e for e in events if e["ph"] == "X"]
        self.assertLessEqual({"plan", "recode", "sort", "accumulate", "reduce", "combine"}, {e["name"] for e in spans})
        for event in spans:
            self.assertGreaterEqual(event["dur"], 0)
            self.assertGreaterEqual(event["ts"], 0)
            self.assertIn("tid", event)

    def test_plans(self):
        plan = json.loads(self.ok("plan", "--curve", "bls12-381", "-n", "2^20", "--json"))
        text = json.dumps(plan)
        for word in ("windows", "buckets", "additions", "bytes"):
            self.assertIn(word, text)
        self.assertIn("windows", self.ok("plan", "--curve", "bls12-381", "-n", "2^20", "--memory-limit", "100M"))

    def need_named_plans(self):
        if run("plan", "--curve", "bn254", "-n", 9, "--plan", "nobody", "--backend", "cpu").stderr.endswith("there are auto\n"):
            self.skipTest("the build has no named plans (SUMAC_NAMED_PLANS=OFF)")

    def test_named_plans_are_explained(self):
        self.need_named_plans()
        command = ("plan", "--curve", "bls12-381", "-n", "2^12", "--backend", "cpu")
        self.assertNotIn("128 bases", self.ok(*command))
        text = self.ok(*command, "--plan", "baseline")
        for word in ("128 bases", "recode: unsigned", "accumulate: groups", "255 of c = 1 bits", "additions, "):
            self.assertIn(word, text)
        told = json.loads(self.ok(*command, "--plan", "sixblock", "--json"))
        self.assertIn("6block", told["about"])
        self.assertEqual([stage["stage"] for stage in told["stages"]],
                         ["recode", "sort", "accumulate", "reduce", "combine"])
        self.assertEqual({stage["stage"]: stage["kind"] for stage in told["stages"]}, told["plan"]["kinds"])
        self.assertNotIn("about", json.loads(self.ok(*command, "--json")))

    def test_rows_are_kept(self):
        """A row that cannot be had ends the run, and what was measured before is written; nothing at all is no success."""
        for command in ("bench", "compare"):
            curves = "--curve" if command == "bench" else "--curve"
            arguments = (command, curves, "bn254", "--runs", 1)
            done = run(*arguments, "-n", "2^40", "--batch", "2^19", "--json", self.path("none"))
            self.assertEqual(done.returncode, 3)
            self.assertIn("sumac: out of memory", done.stderr)
            path = self.path("rows")
            done = run(*arguments, "-n", "16,2^40", "--batch", 1, "--json", path)
            self.assertEqual(done.returncode, 3, done.stderr)
            with open(path) as f:
                rows = json.load(f)["rows"]
            self.assertTrue(rows[0]["verified"])
            self.assertEqual([row for row in rows if row["n"] != 16 and "refused" not in row], [])
        done = run("compare", "--curve", "bn254", "-n", 1024, "--plan", "auto", "--memory-limit", 1, "--backend", "cpu")
        self.assertEqual(done.returncode, 2)
        self.assertIn("sumac: no plan", done.stderr)
        self.refused(2, "--devices", "plan", "--curve", "bn254", "-n", 16, "--devices", "1..7")

    def test_compare(self):
        """Every plan of the CPU, on the same inputs: a table and the file of results."""
        self.need_named_plans()
        command = ("compare", "--curve", "bn254", "-n", "9,2^7", "--kind", "uniform,equal", "--runs", 1,
                   "--backend", "cpu")
        out = self.ok(*command, "--json", self.path("plans.json"))
        with open(self.path("plans.json")) as f:
            rows = json.load(f)["rows"]
        plans = {row["plan"]["name"] for row in rows}
        self.assertLessEqual({"auto", "baseline", "speakspeak", "sixblock", "mikevoronov", "matterlabs",
                              "yrrid", "icicle"}, plans)
        self.assertEqual(len(rows), 4 * len(plans))
        self.assertEqual(out.count(" yes\n"), len(rows))
        self.assertTrue(all(row["verified"] and row["plan"]["c"] > 0 for row in rows))
        two = self.ok(*command, "--plan", "sixblock,auto", "--threads", 1)
        self.assertEqual(two.count(" yes\n"), 8)
        limited = self.ok(*command, "--plan", "auto,sixblock", "--memory-limit", "40K",
                          "--json", self.path("limited.json"))
        self.assertRegex(limited, r"auto +- the memory limit")
        self.assertIn(" yes\n", limited)
        with open(self.path("limited.json")) as f:
            rows = json.load(f)["rows"]
        self.assertTrue(any("memory limit" in row.get("refused", "") for row in rows))
        self.assertTrue(all(row["verified"] for row in rows if "refused" not in row))
        self.refused(2, "nobody", *command, "--plan", "auto,nobody")
        self.refused(2, "twice", *command, "--plan", "auto,auto")
        self.refused(2, "''", *command, "--plan", "auto,")
        self.refused(2, "-n", *command, "-n", "many")

    def test_help_and_version(self):
        self.assertRegex(self.ok("--version"), r"\Asumac \d+\.\d+\.\d+\n\Z")
        commands = ["msm", "combine", "generate", "convert", "plan", "bench", "compare", "report", "info", "kzg commit", "kzg prove",
                    "kzg verify", "kzg cells", "kzg recover", "kzg setup", "groth16 prove", "groth16 verify", "groth16 info", "groth16 setup",
                    "groth16 generate"]
        text = self.ok("--help")
        for command in commands:
            self.assertIn(command, text)
            self.assertIn("Usage: sumac " + command, self.ok(*command.split(), "--help"))

    def test_info_lists_every_curve(self):
        text = self.ok("info")
        for curve in ref.CURVES:
            self.assertIn(curve, text)
        self.assertNotIn("tiny-11", text)

    def test_info_lists_devices(self):
        """Without a GPU the one of the CPU, with the machine's memory."""
        listed = json.loads(self.ok("info", "--json"))["devices"]
        self.assertEqual([device["number"] for device in listed], list(range(len(listed))))
        self.assertGreater(len(listed), 0)
        for device in listed:
            self.assertRegex(device["description"], r".+, .*\d+ GiB")
            self.assertIn("%d: %s\n" % (device["number"], device["description"]), self.ok("info"))


class BadInput(ProgramTest):
    def test_options(self):
        bases, scalars = self.generate(n=3)
        files = ("--bases", bases, "--scalars", scalars)
        self.refused(2, "frobnicate", "frobnicate")
        self.refused(2, "--frobnicate", "msm", "--frobnicate")
        self.refused(2, "--curve", "msm", *files)
        self.refused(2, "bls12-999", "msm", "--curve", "bls12-999", *files)
        self.refused(2, "g2", "msm", "--curve", "pallas", "--group", "g2", *files)
        self.refused(2, "c takes a number from 1 to 24", "msm", "--curve", "bls12-381", *files, "--tune", "c=25")
        self.refused(2, "--threads", "msm", "--curve", "bls12-381", *files, "--threads", "many")
        self.refused(2, "abacus", "msm", "--curve", "bls12-381", *files, "--backend", "abacus")
        self.refused(2, "clever", "msm", "--curve", "bls12-381", *files, "--plan", "clever")
        self.refused(2, "--memory-limit", "msm", "--curve", "bls12-381", *files, "--memory-limit", "-1")
        self.refused(2, "punched-cards", "msm", "--curve", "bls12-381", *files, "--format", "punched-cards")
        self.refused(2, "2^99", "plan", "--curve", "bls12-381", "-n", "2^99")

    def test_missing_gpu_is_the_machines_fault(self):
        bases, scalars = self.generate(n=3)
        done = run("msm", "--curve", "bls12-381", "--bases", bases, "--scalars", scalars, "--backend", "cuda")
        self.assertIn(done.returncode, (0, 3))

    def test_memory_limit(self):
        bases, scalars = self.generate(n=1000)
        self.refused(2, "bytes", "msm", "--curve", "bls12-381", "--bases", bases, "--scalars", scalars, "--memory-limit", "1K")

    def test_lengths(self):
        bases, scalars = self.generate(n=10)
        with open(bases, "rb") as f:
            raw = f.read()
        with open(scalars, "rb") as f:
            raw_scalars = f.read()
        command = ("msm", "--curve", "bls12-381")
        for cut in (1, 95, len(raw) - 1):
            short = self.path("short", raw[:cut])
            self.refused(2, short, *command, "--bases", short, "--scalars", scalars)
        short = self.path("short-scalars", raw_scalars[:-1])
        self.refused(2, short, *command, "--bases", bases, "--scalars", short)
        more = self.path("more", raw + raw[:96])
        self.refused(2, more, *command, "--bases", more, "--scalars", scalars)
        long = self.path("long", raw + b"\0")
        self.refused(2, long, *command, "--bases", long, "--scalars", scalars)

    def test_points(self):
        bases, scalars = self.generate(n=10)
        with open(bases, "rb") as f:
            raw = bytearray(f.read())
        command = ("msm", "--curve", "bls12-381", "--scalars", scalars, "--bases")
        raw[96 * 7:96 * 7 + 48] = ref.Group("bls12-381", "g1").p.to_bytes(48, "little")
        bad = self.path("bad", raw)
        self.refused(2, str(96 * 7), *command, bad)
        raw[96 * 7:96 * 7 + 48] = (5).to_bytes(48, "little")
        bad = self.path("bad", raw)
        self.refused(2, str(96 * 7), *command, bad)
        self.ok(*command, bad, "--validate", "none")
        outside = self.path("outside", (0).to_bytes(48, "little") + (2).to_bytes(48, "little"))  # (0, 2): order 3
        one = self.path("one", bytes(32))
        self.refused(2, outside, "msm", "--curve", "bls12-381", "--bases", outside, "--scalars", one, "--validate", "subgroup")
        self.ok("msm", "--curve", "bls12-381", "--bases", outside, "--scalars", one, "--validate", "curve", "--outside-subgroup")

    def test_scalars_of_too_many_bits(self):
        bases, scalars = self.generate(n=10)
        self.refused(2, "bits", "msm", "--curve", "bls12-381", "--bases", bases, "--scalars", scalars, "--scalar-bits", 64)

    def test_scalars_that_are_cut_off(self):
        bases, scalars = self.generate(n=10)
        with open(scalars, "rb") as f:
            raw = f.read()
        low = self.path("low", b"".join(raw[i:i + 8] + bytes(24) for i in range(0, len(raw), 32)))
        command = ("msm", "--curve", "bls12-381", "--bases", bases, "--json", "--scalar-bits", 64)
        expected = json.loads(self.ok(*command, "--scalars", low))["result"]
        actual = json.loads(self.ok(*command, "--scalars", scalars, "--truncate"))["result"]
        self.assertEqual(actual, expected)
        actual = json.loads(self.ok(*command, "--scalars", low, "--tune", "large-buckets=10"))["result"]
        self.assertEqual(actual, expected)

    def test_scalars_of_few_bytes(self):
        bases, _ = self.generate(n=10)
        order = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001
        values = [0, 1, -1, 127, -128, 5, -6, 100, -100, 64]
        command = ("msm", "--curve", "bls12-381", "--bases", bases, "--json")
        for signs in (True, False):
            meant = values if signs else [v % 256 for v in values]
            whole = self.path("whole", b"".join((v % order).to_bytes(32, "little") for v in meant))
            expected = json.loads(self.ok(*command, "--scalars", whole))["result"]
            for width in (1, 2, 7, 31):
                narrow = self.path("narrow", b"".join(v.to_bytes(width, "little", signed=signs) for v in meant))
                options = ("--scalars", narrow, "--scalar-bytes", width, *(["--scalar-signed"] if signs else []))
                self.assertEqual(json.loads(self.ok(*command, *options))["result"], expected)
                part = json.loads(self.ok(*command, *options, "--first", 2, "-n", 5))["result"]
                sizes = ("--first", 2, "-n", 5)
                self.assertEqual(part, json.loads(self.ok(*command, "--scalars", whole, *sizes))["result"])
            self.refused(2, "7-byte scalars", *command, "--scalars", whole, "--scalar-bytes", 7)
        self.refused(2, "--scalar-bytes 33", *command, "--scalars", whole, "--scalar-bytes", 33)
        self.refused(2, "whole", *command, "--scalars", whole, "--scalar-bytes", 8, "--stream")

    def test_paths(self):
        bases, scalars = self.generate(n=3)
        missing, directory = self.path("missing"), self.directory.name
        for wrong in (missing, directory, ""):
            self.refused(2, wrong, "msm", "--curve", "bls12-381", "--bases", wrong, "--scalars", scalars)
            self.refused(2, wrong, "msm", "--curve", "bls12-381", "--bases", bases, "--scalars", wrong)
        self.refused(2, directory, "generate", "--curve", "bn254", "-n", 3, "--out-bases", directory)
        nowhere = os.path.join(missing, "out")
        self.refused(2, nowhere, "generate", "--curve", "bn254", "-n", 3, "--out-bases", nowhere)
        self.refused(2, nowhere, "msm", "--curve", "bls12-381", "--bases", bases, "--scalars", scalars, "--trace", nowhere)

    @unittest.skipIf(os.geteuid() == 0, "root may read and write everything")
    def test_permissions(self):
        bases, scalars = self.generate(n=3)
        os.chmod(bases, 0)
        self.refused(2, bases, "msm", "--curve", "bls12-381", "--bases", bases, "--scalars", scalars)
        os.chmod(bases, stat.S_IRUSR)
        self.refused(2, bases, "generate", "--curve", "bn254", "-n", 3, "--out-bases", bases)
        os.chmod(self.directory.name, stat.S_IRUSR | stat.S_IXUSR)
        self.refused(2, "new", "generate", "--curve", "bn254", "-n", 3, "--out-bases", self.path("new"))
        os.chmod(self.directory.name, stat.S_IRWXU)

    def test_full_disk(self):
        self.refused(3, "/dev/full", "generate", "--curve", "bn254", "-n", 100, "--out-bases", "/dev/full")
        bases, scalars = self.generate(n=100)
        self.refused(3, "/dev/full", "convert", "--curve", "bls12-381", bases, "--to", "table", "/dev/full")
        with open("/dev/full", "w") as full:
            done = run("msm", "--curve", "bls12-381", "--bases", bases, "--scalars", scalars, stdout=full)
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"\Asumac: [^\n]+\n\Z")

    def test_older_files_survive_a_failure(self):
        bases, scalars = self.generate(n=3)
        kept = self.path("kept", b"precious")
        bad = self.path("bad", b"\xff" * 96)
        self.refused(2, bad, "convert", "--curve", "bls12-381", "--to", "zcash-compressed", bad, kept)
        with open(kept, "rb") as f:
            self.assertEqual(f.read(), b"precious")

    def test_tables_for_named_calls(self):
        bases, scalars = self.generate(n=50)
        table = self.path("table")
        common = ("convert", "--curve", "bls12-381", bases)
        self.ok(*common, "--precompute", 255, "--tune", "typical-batch=100,typical-n=10", "--to", "table", table)
        self.assertEqual(self.msm_json("bls12-381", "g1", table, scalars)["result"], self.expected())
        self.refused(2, "typical_n", *common, "--precompute", 3, "--tune", "typical-n=51", "--to", "table", self.path("t"))
        self.refused(2, "--precompute", *common, "--tune", "typical-batch=3", "--to", "table", self.path("t"))

    def test_tables_of_digits(self):
        bases, scalars = self.generate(n=20)
        for kind in ("windows", "auto"):
            table = self.path("table-" + kind)
            self.ok("convert", "--curve", "bls12-381", bases, "--tables", kind, "--table-limit", "1M", "--to", "table", table)
            self.assertLess(os.path.getsize(table), 1 << 20)
            self.assertEqual(self.msm_json("bls12-381", "g1", table, scalars)["result"], self.expected())
            plain = self.ok("msm", "--curve", "bls12-381", "--bases", bases, "--scalars", scalars, "--tables", kind)
            self.assertIn(self.expected()["x"], plain)
        self.refused(2, "--to table", "convert", "--curve", "bls12-381", bases, "--tables", "auto", self.path("out"))
        self.refused(2, "tables", "convert", "--curve", "bls12-381", bases, "--tables", "all", "--to", "table", self.path("t"))

    def test_damaged_tables(self):
        bases, scalars = self.generate(n=5)
        table = self.path("table")
        self.ok("convert", "--curve", "bls12-381", "--precompute", 2, bases, "--to", "table", table)
        with open(table, "rb") as f:
            raw = f.read()
        for position in (0, 9, 20, 60, 130, len(raw) // 2, len(raw) - 1):
            damaged = self.path("damaged", raw[:position] + bytes([raw[position] ^ 4]) + raw[position + 1:])
            self.refused(2, damaged, "msm", "--curve", "bls12-381", "--bases", damaged, "--format", "table", "--scalars", scalars)
        self.refused(2, table, "msm", "--curve", "bn254", "--bases", table, "--scalars", scalars)

    def test_blobs(self):
        kzg = os.path.join(DATA, "kzg")
        setup = os.path.join(kzg, "trusted_setup.txt")
        with open(os.path.join(kzg, "blob.bin"), "rb") as f:
            blob = f.read()
        for content in (b"", blob[:-1], blob + b"\0", blob[:32] + b"\xff" * 32 + blob[64:]):
            bad = self.path("bad", content)
            self.refused(2, bad, "kzg", "commit", "--setup", setup, bad)
        with open(setup, "rb") as f:
            text = f.read()
        good = self.path("good", blob)
        for content in (b"", text[:1000], b"4095" + text[4:], text.replace(b"a", b"x", 1), text[:20000] + b"0" + text[20000:]):
            bad = self.path("bad-setup", content)
            self.refused(2, bad, "kzg", "commit", "--setup", bad, good)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    PROGRAM, DATA = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
