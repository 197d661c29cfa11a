#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests the program as its users see it: results, benchmarks, plans, traces, and refusals. Answers come from
tests/reference/ref.py, which shares nothing with the library."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))
sys.dont_write_bytecode = True
import cli_support  # noqa: E402
import ref  # noqa: E402
from cli_support import CommandTest, run  # noqa: E402

CURVES = [("bls12-381", "g1"), ("bls12-381", "g2"), ("secp256k1", "g1"), ("bw6-761", "g1")]
BLS = ("--curve", "bls12-381")
FILES = ("--bases", "bases", "--scalars", "scalars")
MSM = ("msm", *BLS, *FILES)


class ProgramTest(CommandTest):
    def generate(self, n):
        return super().generate("bls12-381", n)

    def msm(self, *more, bases="bases", scalars="scalars"):
        return self.json("msm", *BLS, "--bases", bases, "--scalars", scalars, *more)["result"]


class Answers(ProgramTest):
    def test_generated_inputs(self):
        """Results for the program's generated inputs are compared with big integers, without --expected."""
        for curve, group in CURVES:
            g = ref.Group(curve, group)
            expected = CommandTest.generate(self, curve, 5, "--group", group, "--kind", "mixed")
            raw, raw_scalars, size = self.read("bases"), self.read("scalars"), g.fbytes
            points, numbers, step = [], [], len(raw) // 5
            for i in range(5):
                c = [int.from_bytes(raw[j:j + size], "little") for j in range(i * step, (i + 1) * step, size)]
                points.append(((c[0], c[1]), (c[2], c[3])) if g.ext else (c[0], c[1]))
                numbers.append(int.from_bytes(raw_scalars[i * g.sbytes:(i + 1) * g.sbytes], "little"))
            self.assertTrue(all(map(g.on_curve, points)))
            self.assertEqual(expected, g.phex(ref.msm(g, points, numbers)))
            answer = self.json("msm", "--curve", curve, "--group", group, *FILES, "--validate", "subgroup")
            self.assertEqual(list(answer), ["curve", "group", "n", "backend", "plan", "ms", "check", "read_ms", "result"])
            self.assertEqual((answer["curve"], answer["group"], answer["n"], answer["result"]), (curve, group, 5, expected))

    def test_options_do_not_change_the_result(self):
        expected = self.generate(200)
        for more in (["--threads", 1], ["--tune", "variant=portable"], ["--tune", "c=5"], ["--tune", "reduction=running-sum"], ["--tune", "chunks=3"],
                     ["--precompute", 3], ["--memory-limit", "1M"], ["--outside-subgroup"], ["--plan", "auto"],
                     ["--backend", "cpu"], ["--validate", "subgroup"], ["--scalar-bits", 255]):
            self.assertEqual(self.msm(*more), expected, more)

    def test_no_bases(self):
        self.write("empty", b"")
        empty = ("msm", "--curve", "bn254", "--bases", "empty", "--scalars", "empty")
        self.assertIsNone(self.json(*empty)["result"])
        self.assertIn(b"infinity", self.ok(*empty))

    def test_partial_results(self):
        expected = self.generate(100)
        self.ok(*MSM, "-n", 30, "--partial", "a")
        self.ok(*MSM, "--first", 30, "--partial", "b")
        self.assertEqual(self.json("combine", *BLS, "a", "b")["result"], expected)
        self.refused(2, "a", "combine", "--curve", "bn254", "a", "b")

    def test_bench_verifies(self):
        out = self.ok("bench", "--curve", "bn254,pallas", "-n", "100,2^8", "--kind", "uniform,mixed", "--runs", 1, "--json", "bench.json")
        self.assertEqual(out.count(b" yes\n"), 8)
        result = json.loads(self.read("bench.json"))
        self.assertRegex(result["commit"], r"\A([0-9a-f]{7,40}(-dirty)?|unknown)\Z")
        self.assertEqual(result["machine"]["gpu"], "" if result["rows"][0]["backend"] == "cpu" else result["machine"]["gpu"])
        for row in result["rows"]:
            self.assertTrue(row["verified"] and row["min_ms"] <= row["median_ms"] and row["bases_ms"] > 0)
        pinned = self.ok("bench", "--curve", "bn254", "-n", "100", "--memory", "all", "--kind", "bits", "--runs", 1)
        self.assertRegex(pinned, rb"(?s)bits +pageable .* yes\n.*bits +pinned .* yes\n")

    def test_bench_refuses_windows_of_empty_buckets(self):
        arguments = ("bench", "--curve", "bn254", "--runs", 1, "--threads", 1)
        self.check_refusal(run(*arguments, "-n", "2^11,16", "--tune", "c=24"), 2, "8388608 buckets for 16 bases")
        self.assertIn(b" yes\n", self.ok(*arguments, "-n", 16, "--tune", "c=12"))


class Output(ProgramTest):
    def test_traces(self):
        self.generate(2000)
        self.msm("--threads", 2, "--trace", "trace.json")
        trace = json.loads(self.read("trace.json"))
        spans = [e for e in (trace["traceEvents"] if isinstance(trace, dict) else trace) if e["ph"] == "X"]
        self.assertLessEqual({"plan", "recode", "sort", "accumulate", "reduce", "combine"}, {e["name"] for e in spans})
        for event in spans:
            self.assertTrue(event["dur"] >= 0 and event["ts"] >= 0 and "tid" in event, event)

    def test_plans(self):
        text = json.dumps(self.json("plan", *BLS, "-n", "2^20"))
        for word in ("windows", "buckets", "additions", "bytes"):
            self.assertIn(word, text)
        self.assertIn(b"windows", self.ok("plan", *BLS, "-n", "2^20", "--memory-limit", "100M"))

    def need_named_plans(self):
        if run("plan", "--curve", "bn254", "-n", 9, "--plan", "nobody", "--backend", "cpu").stderr.endswith(b"there are auto\n"):
            self.skipTest("the build has no named plans (SUMAC_NAMED_PLANS=OFF)")

    def test_named_plans_are_explained(self):
        self.need_named_plans()
        command = ("plan", *BLS, "-n", "2^12", "--backend", "cpu")
        self.assertNotIn(b"128 bases", self.ok(*command))
        text = self.ok(*command, "--plan", "baseline")
        for word in (b"128 bases", b"recode: unsigned", b"accumulate: groups", b"255 of c = 1 bits", b"additions, "):
            self.assertIn(word, text)
        plan = self.json(*command, "--plan", "sixblock")
        self.assertIn("6block", plan["about"]["plans"]["sixblock"])
        self.assertEqual(list(plan["plan"]["kinds"]), ["recode", "sort", "accumulate", "reduce", "combine"])
        self.assertLessEqual({(stage, kind) for stage, kind in plan["plan"]["kinds"].items()},
                             {(stage, kind) for stage, kinds in plan["about"]["kinds"].items() for kind in kinds})
        self.assertNotIn("about", self.json(*command))

    def test_rows_are_kept(self):
        """If a row can't be measured, the run ends, and earlier rows are written. If there are no rows, the run fails."""
        for command in ("bench", "compare"):
            arguments = (command, "--curve", "bn254", "--runs", 1)
            done = run(*arguments, "-n", "2^40", "--batch", "2^19", "--json", "none")
            self.assertEqual(done.returncode, 3)
            self.assertIn(b"sumac: out of memory", done.stderr)
            done = run(*arguments, "-n", "16,2^40", "--batch", 1, "--json", "rows")
            self.assertEqual(done.returncode, 3, done.stderr)
            rows = json.loads(self.read("rows"))["rows"]
            self.assertTrue(rows[0]["verified"])
            self.assertEqual([row for row in rows if row["n"] != 16 and "refused" not in row], [])
        done = run("compare", "--curve", "bn254", "-n", 1024, "--plan", "auto", "--memory-limit", 1, "--backend", "cpu")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"sumac: no plan", done.stderr)
        self.refused(2, "--devices", "plan", "--curve", "bn254", "-n", 16, "--devices", "1..7")

    def test_compare(self):
        """Every plan of the CPU runs on the same inputs, and is in the table and the file of results."""
        self.need_named_plans()
        command = ("compare", "--curve", "bn254", "-n", "9,2^7", "--kind", "uniform,equal", "--runs", 1, "--backend", "cpu")
        out = self.ok(*command, "--json", "plans.json")
        rows = json.loads(self.read("plans.json"))["rows"]
        plans = {row["plan"]["name"] for row in rows}
        self.assertLessEqual({"auto", "baseline", "speakspeak", "sixblock", "mikevoronov", "matterlabs", "yrrid", "icicle"}, plans)
        self.assertEqual((len(rows), out.count(b" yes\n")), (4 * len(plans), 4 * len(plans)))
        self.assertTrue(all(row["verified"] and row["plan"]["numbers"]["c"] > 0 for row in rows))
        self.assertEqual(self.ok(*command, "--plan", "sixblock,auto", "--threads", 1).count(b" yes\n"), 8)
        limited = self.ok(*command, "--plan", "auto,sixblock", "--memory-limit", "40K", "--json", "limited.json")
        self.assertRegex(limited, rb"auto +- the memory limit")
        self.assertIn(b" yes\n", limited)
        rows = json.loads(self.read("limited.json"))["rows"]
        self.assertTrue(any("memory limit" in row.get("refused", "") for row in rows))
        self.assertTrue(all(row["verified"] for row in rows if "refused" not in row))
        for named, plans in (("nobody", "auto,nobody"), ("twice", "auto,auto"), ("''", "auto,")):
            self.refused(2, named, *command, "--plan", plans)
        self.refused(2, "-n", *command, "-n", "many")

    def test_info(self):
        """`info` lists every curve, and without a GPU the CPU as a device, with the machine's memory."""
        text = self.ok("info").decode()
        for curve in ref.CURVES:
            self.assertIn(curve, text)
        self.assertNotIn("tiny-11", text)
        listed = self.json("info")["devices"]
        self.assertEqual([device["number"] for device in listed], list(range(max(1, len(listed)))))
        for device in listed:
            self.assertRegex(device["description"], r".+, .*\d+ GiB")
            self.assertIn("%d: %s\n" % (device["number"], device["description"]), text)


class BadInput(ProgramTest):
    def test_options(self):
        self.generate(3)
        for named, arguments in (
                ("frobnicate", ("frobnicate",)), ("--frobnicate", ("msm", "--frobnicate")), ("--curve", ("msm", *FILES)),
                ("bls12-999", ("msm", "--curve", "bls12-999", *FILES)), ("g2", ("msm", "--curve", "pallas", "--group", "g2", *FILES)),
                ("c takes a number from 1 to 24", (*MSM, "--tune", "c=25")), ("--threads", (*MSM, "--threads", "many")),
                ("abacus", (*MSM, "--backend", "abacus")), ("clever", (*MSM, "--plan", "clever")),
                ("--memory-limit", (*MSM, "--memory-limit", "-1")), ("bytes", (*MSM, "--memory-limit", "1")),
                ("punched-cards", (*MSM, "--format", "punched-cards")), ("2^99", ("plan", *BLS, "-n", "2^99")),
                ("bits", (*MSM, "--scalar-bits", 64))):
            self.refused(2, named, *arguments)

    def test_missing_gpu_is_the_machines_fault(self):
        self.generate(3)
        self.assertIn(run(*MSM, "--backend", "cuda").returncode, (0, 3))

    def test_lengths(self):
        self.generate(10)
        raw = self.read("bases")
        self.write("short-scalars", self.read("scalars")[:-1])
        self.refused(2, "short-scalars", "msm", *BLS, "--bases", "bases", "--scalars", "short-scalars")
        for content in (raw[:-1], raw + b"\0", raw + raw[:96]):
            self.write("other", content)
            self.refused(2, "other", "msm", *BLS, "--bases", "other", "--scalars", "scalars")

    def test_points_outside_the_subgroup(self):
        self.write("outside", (0).to_bytes(48, "little") + (2).to_bytes(48, "little"))  # (0, 2) has order 3
        self.write("one", bytes(32))
        command = ("msm", *BLS, "--bases", "outside", "--scalars", "one")
        self.refused(2, "outside", *command, "--validate", "subgroup")
        self.ok(*command, "--validate", "curve", "--outside-subgroup")

    def test_scalars_that_are_cut_off(self):
        self.generate(10)
        raw = self.read("scalars")
        self.write("low", b"".join(raw[i:i + 8] + bytes(24) for i in range(0, len(raw), 32)))
        expected = self.msm("--scalar-bits", 64, scalars="low")
        self.assertEqual(self.msm("--scalar-bits", 64, "--truncate"), expected)
        self.assertEqual(self.msm("--scalar-bits", 64, "--tune", "large-buckets=10", scalars="low"), expected)

    def test_scalars_of_few_bytes(self):
        self.generate(10)
        order = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001
        values = [0, 1, -1, 127, -128, 5, -6, 100, -100, 64]
        command = ("msm", *BLS, "--bases", "bases", "--scalars")
        for signs in (True, False):
            meant = values if signs else [v % 256 for v in values]
            self.write("whole", b"".join((v % order).to_bytes(32, "little") for v in meant))
            expected = self.json(*command, "whole")["result"]
            for width in (1, 2, 7, 31):
                self.write("narrow", b"".join(v.to_bytes(width, "little", signed=signs) for v in meant))
                options = ("narrow", "--scalar-bytes", width, *(["--scalar-signed"] if signs else []))
                sizes = ("--first", 2, "-n", 5)
                self.assertEqual(self.json(*command, *options)["result"], expected)
                self.assertEqual(self.json(*command, *options, *sizes)["result"], self.json(*command, "whole", *sizes)["result"])
            self.refused(2, "7-byte scalars", *command, "whole", "--scalar-bytes", 7)
        self.refused(2, "--scalar-bytes 33", *command, "whole", "--scalar-bytes", 33)
        self.refused(2, "whole", *command, "whole", "--scalar-bytes", 8, "--stream")

    def test_paths(self):
        self.generate(3)
        os.mkdir("folder")
        for wrong in ("missing", "folder", ""):
            self.refused(2, wrong, "msm", *BLS, "--bases", wrong, "--scalars", "scalars")
            self.refused(2, wrong, "msm", *BLS, "--bases", "bases", "--scalars", wrong)
        for nowhere in ("folder", "missing/out"):
            self.refused(2, nowhere, "generate", "--curve", "bn254", "-n", 3, "--out-bases", nowhere)
        self.refused(2, "missing/out", *MSM, "--trace", "missing/out")

    def test_tables_for_named_calls(self):
        expected = self.generate(50)
        common = ("convert", *BLS, "bases")
        self.ok(*common, "--precompute", 255, "--tune", "typical-batch=100,typical-n=10", "--to", "table", "table")
        self.assertEqual(self.msm(bases="table"), expected)
        self.refused(2, "typical_n", *common, "--precompute", 3, "--tune", "typical-n=51", "--to", "table", "t")
        self.refused(2, "--precompute", *common, "--tune", "typical-batch=3", "--to", "table", "t")

    def test_window_tables(self):
        expected = self.generate(20)
        common = ("convert", *BLS, "bases")
        for kind in ("windows", "auto"):
            self.ok(*common, "--tables", kind, "--table-limit", "1M", "--to", "table", "table-" + kind)
            self.assertLess(os.path.getsize("table-" + kind), 1 << 20)
            self.assertEqual(self.msm(bases="table-" + kind), expected)
            self.assertIn(expected["x"].encode(), self.ok(*MSM, "--tables", kind))
        self.refused(2, "--to table", *common, "--tables", "auto", "out")
        self.refused(2, "tables", *common, "--tables", "all", "--to", "table", "t")


if __name__ == "__main__":
    cli_support.main()
