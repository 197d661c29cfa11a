#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`sumac report`: the page is read with Python's parser of HTML, and what it draws is compared with the JSON: each value as text,
and each point, bar and span by where it lies."""
import json
import math
import os
import re
import sys
import unittest
from html.parser import HTMLParser

sys.dont_write_bytecode = True
import cli_support  # noqa: E402
from cli_support import CommandTest, run  # noqa: E402

RESULTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench", "results")
TAGS = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "b", "br", "code", "span", "div", "figure",
        "figcaption", "svg", "line", "text", "polyline", "circle", "rect", "table", "tr", "th", "td", "ul", "li"}
EVIL = "<script>alert(1)</script>\" onload='x' & </svg>\u202e\u2028\x1b[31m\x07\u200b\u00e9"
SEEN = "<script>alert(1)</script>\" onload='x' & </svg>???[31m??\u00e9"


class Page(HTMLParser):
    """`drawings` of the chapters: (heading, caption or label, [(tag, attributes, title)], [(attributes, text)], height)."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.stack, self.text, self.drawings, self.cells = set(), [], [], [], []
        self.heading = self.caption = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.add(tag)
        assert not any(name.startswith("on") or name in ("src", "href") for name in attributes), attributes
        if tag == "svg":
            self.drawings.append((self.heading, self.caption, [], [], float(attributes["viewbox"].split()[3])))
        elif tag in ("circle", "rect", "line"):
            self.drawings[-1][2].append([tag, attributes, ""])
        elif tag == "text":
            self.drawings[-1][3].append([attributes, ""])
        elif tag in ("td", "th"):
            self.cells.append([self.heading, tag, ""])
        elif tag == "h2":
            self.heading = ""
        elif tag in ("figcaption", "div"):
            self.caption = ""
        self.stack.append(tag)

    def handle_endtag(self, tag):
        while self.stack.pop() != tag:
            pass

    def handle_data(self, data):
        inside = self.stack[-1] if self.stack else ""
        if inside != "style":
            self.text.append(data)
        if inside == "h2":
            self.heading += data
        elif inside in ("figcaption", "div"):
            self.caption += data
        elif inside == "title" and "svg" in self.stack:
            self.drawings[-1][2][-1][2] += data
        elif inside == "text":
            self.drawings[-1][3][-1][1] += data
        elif "table" in self.stack and inside in ("td", "th", "b"):
            self.cells[-1][2] += data

    def points(self, caption):
        """{(heading, series, size): [values]} of the charts of this caption; each lies where the axes' labels say."""
        found = {}
        for heading, of, marks, texts, _ in self.drawings:
            if of != caption:
                continue
            heights = {float(attributes["y"]) - 4: float(text) for attributes, text in texts if attributes.get("x") == "50"}
            lines = sorted(float(attributes["y1"]) for tag, attributes, _ in marks if tag == "line")
            assert [round(y, 1) for y in sorted(heights)] == lines and len(lines) > 1, (heights, lines)
            top, bottom = min(heights), max(heights)
            sizes = []
            for tag, attributes, title in marks:
                if tag != "circle":
                    continue
                name, size, value = re.fullmatch(r"(.*), ([0-9^]+): ([0-9.]+) \w+", title).groups()
                sizes.append((float(attributes["cx"]), count(size)))
                share = (bottom - float(attributes["cy"])) / (bottom - top)
                shown = heights[bottom] * (heights[top] / heights[bottom]) ** share
                assert abs(shown / float(value) - 1) < 0.02 or float(value) < 0.1, (title, shown)
                found.setdefault((heading, name, count(size)), []).append(float(value))
            assert all((x < other) == (n < size) for x, n in sizes for other, size in sizes), sizes
        return found


def count(text):
    base, _, exponent = text.partition("^")
    return int(base) ** int(exponent or 1)


def row(**more):
    return dict({"curve": "bn254", "n": 1024, "min_ms": 1.5}, **more)


class Report(CommandTest):
    TIME = "Milliseconds of a call, the least of the runs"

    def page(self, *files):
        said = self.ok("report", *files, "--html", "page.html")
        self.assertTrue(said.startswith(b"page.html: "))
        text = self.read("page.html").decode("utf-8")
        self.assertTrue(text.startswith("<!DOCTYPE html>") and text.endswith("</html>\n"))
        self.assertNotRegex(text, r"url\(|@import|[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028\u202e]")
        page = Page(text)
        self.assertLessEqual(page.tags, TAGS)
        return page

    def put(self, name, value):
        return self.write(name, json.dumps(value).encode())

    def check_times(self, page, rows, key="min_ms", caption=TIME, scale=1.0):
        """As many points as rows, and the same values for each chapter and size."""
        expected, shown = {}, {}
        for entry in rows:
            what = "MSMs, " if "n" in entry else "Groth16 proofs, "
            heading = what + " ".join(entry[k] for k in ("curve", "group") if k in entry)
            expected.setdefault((heading, entry.get("n", entry.get("domain"))), []).append(entry[key] / scale)
        for (heading, _, n), values in page.points(caption).items():
            shown.setdefault((heading, n), []).extend(values)
        self.assertEqual(shown.keys(), expected.keys())
        for at, values in expected.items():
            self.assertEqual(len(shown[at]), len(values), at)
            for value, other in zip(sorted(values), sorted(shown[at])):
                self.assertAlmostEqual(value, other, delta=0.00051)

    def test_a_run_of_bench(self):
        self.ok("bench", "--curve", "bn254,bls12-381", "-n", "9,2^7", "--threads", "1,2", "--runs", "1", "--json", "bench.json",
                "--commit", "abc123", "--backend", "cpu")
        result = json.loads(self.read("bench.json"))
        page = self.page("bench.json")
        self.check_times(page, result["rows"])
        self.check_times(page, result["rows"], "peak_rss_bytes", "MiB of resident memory at the peak", 1 << 20)
        self.check_times(page, [dict(r, total=r["plan"]["bytes"]["total"]) for r in result["rows"]], "total",
                         "MiB of memory, by the plan", 1 << 20)
        text = "".join(page.text)
        for part in ("abc123", result["date"], result["machine"]["cpu"], result["command"], "Plans in words"):
            self.assertIn(part, text)
        for entry in result["rows"]:
            self.assertIn("threads: %d" % entry["threads"], text)
            plan = entry["plan"]
            self.assertIn("cut into %d windows of c = %d bits" % (plan["windows"], plan["c"]), text)
            self.assertIn("accumulate by " + plan["kinds"]["accumulate"], text)
        self.assertNotIn("cpu,", text)  # all rows are of one backend
        self.assertEqual([cell for _, _, cell in page.cells].count("yes"), len(result["rows"]))
        bars = [(caption, marks, texts) for _, caption, marks, texts, _ in page.drawings if any(m[0] == "rect" for m in marks)]
        self.assertEqual(len(bars), 4)
        drawn = [title for _, marks, _ in bars for _, _, title in marks]
        self.assertEqual(sorted(drawn), sorted("%s: %.3f ms" % item for r in result["rows"] for item in r["stages_ms"].items()))
        for _, marks, texts in bars:
            for y in {attributes["y"] for _, attributes, _ in marks}:
                parts = [(float(a["width"]), float(title.split()[-2]), float(a["x"])) for _, a, title in marks if a["y"] == y]
                for i, (width, ms, x) in enumerate(parts):
                    self.assertAlmostEqual(width, 224 * ms / sum(p[1] for p in parts), delta=1.5)
                    self.assertAlmostEqual(x, 112 + sum(p[0] for p in parts[:i]), delta=0.1)

    def test_results_of_the_repository(self):
        for name in ("h200_msm.json", "xeon_avx512_plans.json", "h200_groth16.json", "xeon_avx512_vs_peers.json",
                     "xeon_avx512_skewed_2p18.json", "h200_auto_vs_plans.json"):
            with open(os.path.join(RESULTS, name), encoding="utf-8") as f:
                rows = json.load(f)["rows"]
            page = self.page(os.path.join(RESULTS, name))
            peers = [dict({k: r[k] for k in ("curve", "group", "n")}, min_ms=p["min_ms"]) for r in rows for p in r.get("peers", [])]
            self.check_times(page, rows + peers)
            if peers:
                self.assertEqual({series for _, series, _ in page.points(self.TIME)}, {"sumac", "constantine", "mcl"})

    def table(self, page, heading):
        """The rows of a chapter's figures."""
        names = [cell for of, tag, cell in page.cells if (of, tag) == (heading, "th")]
        cells = [cell for of, tag, cell in page.cells if (of, tag) == (heading, "td")]
        return [dict(zip(names, cells[i:i + len(names)])) for i in range(0, len(cells), len(names))]

    def test_figures_of_the_readme(self):
        """What README says of MSMs is what the page of the results says: of one core medians, of the GPU the least. Small ones
        were measured later, with the planner's choice beside other plans; a dash is not measured."""
        with open(os.path.join(RESULTS, "..", "..", "README.md"), encoding="utf-8") as f:
            said = {}
            for curve, line in re.findall(r"^\| (B[A-Z0-9-]+) \| (.*) \|$", f.read(), re.M):
                said.setdefault(curve.lower(), []).append(line.split(" | "))
        self.assertEqual(sorted(said), ["bls12-377", "bls12-381", "bn254"])
        core = [self.page(os.path.join(RESULTS, name)) for name in ("xeon_avx512_one_thread_216.json", "xeon_adx_2p16_vs_peers.json")]
        gpu = self.page(os.path.join(RESULTS, "h200_sizes_small_batches.json")).points(self.TIME)
        with open(os.path.join(RESULTS, "h200_small_plans.json"), encoding="utf-8") as f:
            later = {(r["curve"], r["n"]): r["min_ms"] for r in json.load(f)["rows"]
                     if r["chosen"] and r["batch"] == 1 and r["precompute"] > 8}
        for curve, (of_core, of_gpu) in said.items():
            rows = sum((self.table(page, "MSMs, %s g1" % curve) for page in core), [])
            self.assertEqual([r["n"] for r in rows], 3 * ["2^16"])
            self.assertEqual(of_core[:3], ["%.0f" % float(r["median ms"]) for r in rows])
            self.assertEqual(len(of_gpu), 5)
            for size, text in zip((10, 14, 18, 22, 24), of_gpu):
                least = min(v for (heading, series, n), values in gpu.items() for v in values
                            if heading == "MSMs, %s g1" % curve and n == 1 << size and "batch: 1000" not in series)
                if text == "–":
                    self.assertEqual((curve, size), ("bls12-377", 10))
                    continue
                least = later.get((curve, 1 << size), least)
                self.assertLessEqual(abs(float(text) - least), 0.5 * 10.0 ** -len(text.partition(".")[2]) + 0.0005, (curve, size))

    def test_peers(self):
        """Other engines' figures, in the smallest file that is taken; the engine is named, and of two files alike the file."""
        self.put("ours", {"rows": [row(group="g1", threads=4), row(n=2048, min_ms=2.5, group="g1", threads=4)]})
        self.put("theirs", {"engine": "mcl", "rows": [row(min_ms=7, group="g1")]})
        self.put("again", {"engine": "mcl", "machine": "a box", "rows": [row(min_ms=8, group="g1"), row(curve="vesta")]})
        page = self.page("ours", "theirs")
        self.assertEqual(page.points(self.TIME), {("MSMs, bn254 g1", "sumac", 1024): [1.5], ("MSMs, bn254 g1", "sumac", 2048): [2.5],
                                                  ("MSMs, bn254 g1", "mcl", 1024): [7]})
        page = self.page("ours", "theirs", "again")
        self.assertEqual({key[:2] for key in page.points(self.TIME)},
                         {("MSMs, bn254 g1", "sumac, ours"), ("MSMs, bn254 g1", "mcl, theirs"),
                          ("MSMs, bn254 g1", "mcl, again"), ("MSMs, vesta", "mcl")})
        self.assertIn("a box", "".join(page.text))
        self.put("equal", {"rows": [row(n=n, min_ms=3, batch=b) for n in (0, 5) for b in (1, 2)]})
        self.assertEqual(self.page("equal").points(self.TIME),
                         {("MSMs, bn254", "batch: %d" % b, n): [3] for n in (0, 5) for b in (1, 2)})

    def test_wrong_and_refused_rows(self):
        self.put("rows", {"rows": [row(verified=False), {"n": 16, "kind": "zeros", "plan_name": "icicle", "refused": "too small"}]})
        page = self.page("rows")
        self.assertIn("NO: WRONG RESULT", "".join(page.text))
        self.assertIn("Not measured: 2^4, icicle, zeros: too small", "".join(page.text))
        self.check_times(page, [row()])

    def test_many_series(self):
        """More than there are colours: from the second round on lines are dashed."""
        self.put("rows", {"rows": [row(n=n, min_ms=b, batch=b) for b in range(1, 31) for n in (16, 32)]})
        self.check_times(self.page("rows"), [row(n=n, min_ms=b) for b in range(1, 31) for n in (16, 32)])
        self.assertEqual(self.read("page.html").count(b'class="line dashed"'), 18)
        self.assertEqual(self.read("page.html").count(b'class="key dashed"'), 18)

    def test_a_trace(self):
        self.generate("bn254", 500)
        self.ok("msm", "--curve", "bn254", "--bases", "bases", "--scalars", "scalars", "--threads", "2", "--trace", "trace.json")
        events = json.loads(self.read("trace.json"))["traceEvents"]
        spans = [e for e in events if e["ph"] == "X"]
        page = self.page("trace.json")
        self.check_lanes(page, spans, {e["tid"]: "thread %d" % e["tid"] for e in spans})
        cells = [cell for heading, tag, cell in page.cells if heading == "Timeline: trace.json" and tag == "td"]
        for i in range(0, len(cells), 4):
            of = [e["dur"] / 1000 for e in spans if e["name"] == cells[i + 1]]
            self.assertEqual(int(cells[i]), len(of))
            self.assertAlmostEqual(float(cells[i + 2]), sum(of), delta=0.001)
            self.assertAlmostEqual(float(cells[i + 3]), max(of), delta=0.001)
        self.assertEqual({cells[i] for i in range(1, len(cells), 4)}, {e["name"] for e in spans})

    def check_lanes(self, page, spans, names):
        start, end = min(e["ts"] for e in spans), max(e["ts"] + e["dur"] for e in spans)
        lanes = {caption: marks for heading, caption, marks, _, height in page.drawings if heading.startswith("Timeline")}
        self.heights = {caption: height for _, caption, _, _, height in page.drawings}
        self.assertEqual(sorted(lanes), sorted(set(names.values())))
        for tid, name in names.items():
            of = [e for e in spans if e["tid"] == tid and 10000 * e["dur"] >= 2 * (end - start)]
            self.assertEqual(sorted(title for _, _, title in lanes[name]), sorted(
                "%s: %.3f ms, at %.3f ms" % (e["name"], e["dur"] / 1000, (e["ts"] - start) / 1000) for e in of))
            boxes = [[float(a[k]) for k in ("x", "y", "width")] for _, a, _ in lanes[name]]
            for (x, _, width), e in zip(sorted(boxes), sorted(of, key=lambda e: (e["ts"], e["dur"]))):
                self.assertAlmostEqual(x, 10000 * (e["ts"] - start) / (end - start), delta=0.1)
                self.assertAlmostEqual(width, 10000 * e["dur"] / (end - start), delta=0.1)
            for x, y, width in boxes:
                self.assertEqual([b for b in boxes if b[1] == y and b[0] < x + width - 0.2 and x < b[0] + b[2] - 0.2], [[x, y, width]])

    def test_spans_within_spans(self):
        spans = [{"ph": "X", "name": n, "ts": t, "dur": d, "pid": 1, "tid": i} for n, t, d, i in (
            ("all", 5, 1000, 7), ("inner", 10, 500, 7), ("core", 20, 100, 7), ("next", 600, 300, 7), ("tiny", 950, 0.1, 7),
            ("late", 1100, 50, 2), ("crossing", 900, 300, 7))]
        self.put("trace", {"traceEvents": [{"ph": "M", "name": "thread_name", "pid": 1, "tid": 7, "args": {"name": EVIL}}, *spans]})
        page = self.page("trace")
        self.check_lanes(page, spans, {7: SEEN, 2: "thread 2"})
        self.assertEqual(self.heights, {SEEN: 3 * 16, "thread 2": 16})
        self.assertIn("too short to be drawn: 1.", "".join(page.text))
        two = [dict(e, pid=e["tid"]) for e in spans] + [{"ph": "M", "name": "process_name", "pid": 2, "args": {"name": "device 1"}}]
        self.check_lanes(self.page(self.put("trace", {"traceEvents": two})), spans, {7: "process 7, thread 7", 2: "device 1, thread 2"})
        deep = [{"ph": "X", "name": "x", "ts": i, "dur": 100 - 2 * i} for i in range(40)]
        _, _, marks, _, height = self.page(self.put("trace", {"traceEvents": deep})).drawings[0]
        self.assertEqual((len(marks), height, max(float(attributes["y"]) for _, attributes, _ in marks)), (40, 8 * 16, 7 * 16))

    def test_a_comparison(self):
        if run("plan", "--curve", "bn254", "-n", "9", "--plan", "nobody", "--backend", "cpu").stderr.endswith(b"there are auto\n"):
            self.skipTest("the build has no named plans (SUMAC_NAMED_PLANS=OFF)")
        self.ok("compare", "--curve", "bn254", "-n", "9,2^7", "--plan", "auto,sixblock", "--runs", "1", "--json", "plans.json",
                "--memory-limit", "40K", "--backend", "cpu")
        rows = json.loads(self.read("plans.json"))["rows"]
        page = self.page("plans.json")
        self.check_times(page, [r for r in rows if "refused" not in r])
        self.assertEqual("".join(page.text).count("Not measured"), len([r for r in rows if "refused" in r]))
        self.assertGreater("".join(page.text).count("Not measured"), 0)

    def test_proofs(self):
        self.put("rows", {"rows": [dict(row(min_ms=ms, key_bytes=3 << 20), domain=4096, proofs=p) for ms, p in ((5, 1), (9, 4))]})
        rows = json.loads(self.read("rows"))["rows"]
        for entry in rows:
            del entry["n"]
        page = self.page(self.put("rows", {"rows": rows}))
        self.assertEqual(page.points(self.TIME), {("Groth16 proofs, bn254", "batch: 1", 4096): [5], ("Groth16 proofs, bn254", "batch: 4", 4096): [9]})
        self.assertEqual(set(sum(page.points("MiB of the key").values(), [])), {3.0})

    def test_texts_hold_anything(self):
        plan = {"name": EVIL, "c": 4, "windows": 9, "kinds": {EVIL: EVIL}, "bytes": {EVIL: 5}}
        evil = row(curve=EVIL, group=EVIL, kind=EVIL, memory=EVIL, backend=EVIL, variant=EVIL, plan=plan, stages_ms={EVIL: 1.0},
                   peers=[{"name": EVIL, "min_ms": 5}])
        self.put("evil", dict({key: EVIL for key in ("engine", "sumac", "commit", "date", "command", "comment", "note")},
                              machine={"cpu": EVIL, "gpu": EVIL},
                              rows=[evil, dict(evil, plan="other"), {"n": 1, "plan_name": EVIL, "refused": EVIL}]))
        self.put("trace", {"traceEvents": [{"ph": "X", "name": EVIL, "ts": 1, "dur": 2}]})
        text = "".join(self.page("evil", "trace").text)
        self.assertGreater(text.count(SEEN), 20)
        self.assertEqual(text.count("<script>"), text.count(SEEN))

    def test_bad_files(self):
        good = {"rows": [row(), row()]}
        span = {"ph": "X", "name": "sort", "ts": 1, "dur": 1}
        self.put("good", good)
        self.write("page.html", b"before")
        def second(**changes):
            return {"rows": [row(), {k: v for k, v in row(**changes).items() if v is not None}]}
        for content, named in (
                (b"", "not JSON: line 1"), (b"{", "not JSON"), (json.dumps(good).encode()[:-1], "not JSON"), (b"\xff\xfe", "not JSON"),
                (b'{"rows": [{"curve": "x", "n": 1, "min_ms": NaN}]}', "not JSON"), (b'{"rows": [], "rows": []}', "not JSON"),
                (b'{"rows": [{"curve": "x", "n": 1, "min_ms": 1e999}]}', "not JSON"), (b"[" * 5000, "not JSON"),
                (b'{"rows": [{"curve": "x", "n": 99999999999999999999, "min_ms": 1}]}', "not JSON"),
                (b'{"rows": [{"curve": "x\\u0000", "n": 1, "min_ms": 1}]}', "not JSON"),
                ([], "neither"), (5, "not JSON"), ({}, "neither"), ({"rows": 5}, '"rows" is not a list'), ({"rows": []}, '"rows" is empty'),
                ({"rows": [5]}, "rows[0] is not an object"), ({"rows": [row(), None]}, "rows[1] is not an object"),
                (second(n=None), 'rows[1] has no "n"'), (second(curve=None), 'rows[1] has no "curve"'),
                (second(min_ms=None), 'rows[1] has no "min_ms"'), (second(n="5"), 'rows[1]: "n" is not a whole number'),
                (second(n=-1), '"n" is not'), (second(n=1.5), '"n" is not'), (second(n=2**53 + 1), '"n" is not'),
                (second(min_ms="1"), '"min_ms" is not a number'), (second(min_ms=-1), '"min_ms" is not'), (second(min_ms=1e19), '"min_ms" is not'), (second(median_ms=[]), '"median_ms"'),
                (second(curve=5), '"curve" is not a text'), (second(group=1), '"group"'), (second(verified=1), '"verified" is not true or false'),
                (second(stages_ms=[]), '"stages_ms" is not an object'), (second(stages_ms={"sort": "x"}), '"sort" is not a number'),
                (second(plan=[]), '"plan"'), (second(plan={"name": "auto", "c": 4}), 'has no "windows"'),
                (second(plan={"name": "auto", "c": "4", "windows": 3}), '"c"'), (second(peers={}), '"peers" is not a list'),
                (second(plan={"name": "a", "c": 4, "windows": 3, "kinds": {"sort": 1}}), '"sort" is not a text'),
                (second(plan={"name": "a", "c": 4, "windows": 3, "bytes": {"total": -1}}), '"total" is not a whole'),
                (second(plan={"name": "a", "c": 4, "windows": 3, "additions": {"reduce": ""}}), '"reduce" is not a number'),
                (second(peers=[{"name": "mcl"}]), 'has no "min_ms"'), (second(peers=[7]), "is not an object"),
                (dict(good, engine=5), '"engine" is not a text'), (dict(good, commit={}), '"commit" is not a text'),
                ({"rows": [{"n": 1, "refused": 5, "plan_name": "x"}]}, '"refused" is not a text'),
                ({"rows": [row()] * 2001}, "is one row too many: a page shows at most 2000"),
                ({"traceEvents": []}, "without a span"), ({"traceEvents": {}}, "neither"), ({"traceEvents": [span, 5]}, "traceEvents[1] is not an object"),
                ({"traceEvents": [{}]}, 'traceEvents[0] has no "ph"'), ({"traceEvents": [dict(span, ts="1")]}, '"ts" is not a number'),
                ({"traceEvents": [span, {"ph": "X", "name": "x", "ts": 1}]}, 'traceEvents[1] has no "dur"'),
                ({"traceEvents": [dict(span, tid=i) for i in range(1025)]}, "more than 1024 threads")):
            self.write("bad", content if isinstance(content, bytes) else json.dumps(content).encode())
            for files in (("bad",), ("good", "bad")):
                self.refused(2, "bad: ", "report", *files, "--html", "page.html")
                self.refused(2, named, "report", *files, "--html", "page.html")
        self.assertEqual(self.read("page.html"), b"before")
        with open("huge", "wb") as f:
            f.truncate((64 << 20) + 1)
        self.refused(2, "huge: too long", "report", "huge", "--html", "page.html")
        self.refused(2, "nobody", "report", "nobody", "--html", "page.html")
        self.refused(2, "--html", "report", "good")
        self.refused(2, "FILE...", "report", "--html", "page.html")
        self.refused(2, "are the same file", "report", "good", "--html", "good")
        self.refused(3, "/dev/full", "report", "good", "--html", "/dev/full")

    def test_pipes(self):
        self.put("good", {"rows": [row()]})
        with open("good", "rb") as f:
            done = run("report", "-", "--html", "-", stdin=f)
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.endswith(b"</html>\n"))
        self.assertEqual(done.stderr, b"/dev/stdout: files: 1, rows: 1\n")


if __name__ == "__main__":
    cli_support.main()
