#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""This file tests `sumac report`, the stages in result files, and tools/sumac-plot.py. Python's XML and HTML parsers read the
SVG files and the page. The positions of marks and bars are compared with the JSON. Without matplotlib, which
`tools/install-deps.sh test` installs, the tests fail."""
import base64
import importlib.util
import json
import math
import os
import re
import struct
import subprocess
import sys
import unittest
from html.parser import HTMLParser
from xml.etree import ElementTree

sys.dont_write_bytecode = True
import cli_support  # noqa: E402
from cli_support import CommandTest, run  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
RESULTS = os.path.join(ROOT, "bench", "results")
PLOT = os.path.join(ROOT, "tools", "sumac-plot.py")
EVIL = "<script>alert(1)</script>\" onload='x' $x^2$ & </svg>\u202e\u2028\x1b[31m\x07\u200b\u00e9"
SEEN = "<script>alert(1)</script>\" onload='x' $x^2$ & </svg>???[31m??\u00e9"
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def palette():
    spec = importlib.util.spec_from_file_location("sumac_plot", PLOT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.THEMES


def row(**more):
    return dict({"curve": "bn254", "group": "g1", "n": 1024, "min_ms": 1.5, "verified": True}, **more)


class Svg:
    """These are the contents of a picture. `texts` has (x, y, anchor, size, text) for each horizontal text, and `words` has all
    texts. `lines` and `boxes` have lists of corners, by colour."""

    def __init__(self, content):
        root = ElementTree.fromstring(content)
        self.width, self.height = [float(number) for number in root.get("viewBox").split()[2:]]
        self.texts, self.lines, self.boxes, self.words = [], {}, {}, []
        for element in root.iter():
            tag, style = element.tag.rpartition("}")[2], element.get("style", "")
            if tag == "text":
                self.words.append(element.text)
                size, anchor = re.search(r"(?:font: |700 )([\d.]+)px.*text-anchor: (\w+)", style).groups()
                if "rotate(-0" in element.get("transform"):
                    self.texts.append((float(element.get("x")), float(element.get("y")), anchor, float(size), element.text))
            elif tag == "path" and "clip-path" in element.attrib:
                corners = [[float(number) for number in pair.split()] for pair in re.findall(r"[ML] ([\d.e+-]+ [\d.e+-]+)", element.get("d"))]
                line, box = re.search(r"fill: none; .*stroke: (#\w+)", style), re.match(r"fill: (#\w+)", style)
                if line:
                    self.lines.setdefault(line[1], []).append(corners)
                elif box:
                    self.boxes.setdefault(box[1], []).append(corners)

    def widths(self, colour):
        return [corners[1][0] - corners[0][0] for corners in self.boxes.get(colour, [])]

    def overlaps(self):
        """Return texts that overlap or leave the picture. Widths are estimated from the mean width of a letter of DejaVu Sans."""
        boxes = []
        for x, y, anchor, size, text in self.texts:
            length = 0.52 * size * len(text)
            left = x - {"start": 0, "middle": length / 2, "end": length}[anchor]
            boxes.append((left, left + length, y - 0.7 * size, y, text))
        beyond = [b[4] for b in boxes if b[0] < 0 or b[1] > self.width or b[2] < 0 or b[3] > self.height]
        return beyond + [(a[4], b[4]) for i, a in enumerate(boxes) for b in boxes[:i]
                         if a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]]


class Page(HTMLParser):
    """These are the contents of a page: its tags, text, table cells, and (media, SVG) for each image."""

    def __init__(self, content):
        super().__init__()
        self.tags, self.text, self.cells, self.images, self.inside = set(), "", [], [], ""
        self.feed(content.decode("utf-8"))
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        assert not any(name.startswith("on") or name == "href" for name in attributes), attributes
        self.tags.add(tag)
        self.inside = tag
        data = attributes.get("srcset", attributes.get("src"))
        if data is not None:
            prefix, _, content = data.partition(",")
            assert prefix == "data:image/svg+xml;base64"
            self.images.append((attributes.get("media"), base64.b64decode(content)))
        if tag == "td":
            self.cells.append("")

    def handle_data(self, data):
        if self.inside == "td":
            self.cells[-1] += data
        if self.inside != "style":
            self.text += data


class Measurements(CommandTest):
    """These tests check the JSON that `report` and `bench` write."""

    def check_stages(self, entry):
        """Stages belong to the call whose time is reported, and take no longer than it."""
        self.assertEqual(entry["stages_of_ms"], entry["min_ms"])
        self.assertLessEqual(sum(entry["stages_ms"].values()), entry["min_ms"])
        self.assertGreater(entry["stages_ms"]["accumulate"], 0)

    def test_report(self):
        report = json.loads(self.ok("report", "--curve", "bn254", "-n", "2^9,2^10", "--runs", "3", "--backend", "cpu"))
        self.assertLessEqual({"sumac", "commit", "machine", "date", "command"}, set(report))
        self.assertTrue(report["machine"]["cpu"] and report["machine"]["cores"] > 0)
        self.assertEqual([(entry["curve"], entry["n"], entry["verified"]) for entry in report["rows"]],
                         [("bn254", 512, True), ("bn254", 1024, True)])
        for entry in report["rows"]:
            self.check_stages(entry)
        self.assertEqual(self.ok("report", "--curve", "bn254", "-n", "9", "--runs", "1", "--json", "report.json"), b"")
        self.assertEqual(len(json.loads(self.read("report.json"))["rows"]), 1)
        self.refused(3, "/dev/full", "report", "--curve", "bn254", "-n", "9", "--json", "/dev/full")
        self.refused(2, "nobody", "report", "--curve", "nobody")

    def test_stages(self):
        """Stages are right for one thread, and for threads that wait for each other."""
        self.ok("bench", "--curve", "bn254", "-n", "100,2^12", "--threads", "1,2,3", "--kind", "uniform,equal", "--runs", "3",
                "--backend", "cpu", "--json", "bench.json")
        for entry in json.loads(self.read("bench.json"))["rows"]:
            self.check_stages(entry)
            self.assertEqual(set(entry["stages_ms"]), {"plan", "recode", "sort", "accumulate", "reduce", "combine"})


class Pictures(CommandTest):
    PLANS = {"auto": (1.0, 3.0, 16.0), "sixblock": (2.0, 5.0, 40.0), "yrrid": (4.0, 7.5, 20.0)}
    SIZES = (1024, 4096, 65536)

    def plot(self, *files, formats="svg", folder="out"):
        done = subprocess.run([PLOT, *files, "--out", folder, "--formats", formats], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=300, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""), files)
        written = {name: self.read(os.path.join(folder, name)) for name in sorted(os.listdir(folder))}
        self.assertRegex(done.stdout.decode(), r"\A%s: rows: \d+, files: %d\n\Z" % (folder, len(written)))
        return written

    def put(self, name, value):
        return self.write(name, json.dumps(value).encode())

    def plans(self):
        stages = {"recode": 0.05, "sort": 0.1, "accumulate": 0.5, "reduce": 0.2, "combine": 0.05}
        return {"rows": [row(n=n, min_ms=ms, stages_of_ms=ms, stages_ms={name: part * ms for name, part in stages.items()},
                             plan={"name": name, "c": 8}) for name, times in self.PLANS.items() for n, ms in zip(self.SIZES, times)]}

    def test_all_files(self):
        files = self.plot(self.put("plans", self.plans()), formats="svg,png,html")
        pictures = ["msm-bn254-g1-%s-%d-%s" % (name, width, theme) for name in ("time", "side-by-side", "stages")
                    for width in (400, 1400) for theme in ("light", "dark")]
        self.assertEqual(set(files), {"index.html"} | {name + end for name in pictures for end in (".svg", ".png")})
        for name in pictures:
            width = int(name.split("-")[-2])
            self.assertEqual(struct.unpack(">II", files[name + ".png"][16:24])[0], width)
            svg = Svg(files[name + ".svg"])
            self.assertEqual((svg.width, svg.overlaps()), (0.72 * width, []))
        page = Page(files["index.html"])
        self.assertLessEqual(page.tags, {"html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "picture", "source", "img",
                                         "table", "tr", "th", "td"})
        self.assertEqual([image for _, image in page.images],
                         [files["msm-bn254-g1-%s-%s.svg" % (name, end)] for name in ("time", "side-by-side", "stages")
                          for end in ("400-dark", "400-light", "1400-dark", "1400-light")])
        for media, width, theme in zip([media or "" for media, _ in page.images[:4]], (True, True, False, False), (True, False) * 2):
            self.assertEqual(("max-width" in media, "prefers-color-scheme:dark" in media), (width, theme))
        self.assertEqual([page.cells[i:i + 5] for i in range(0, len(page.cells), 6)],
                         [[size, name, "%.3f" % ms, "", "8"] for name, times in self.PLANS.items()
                          for size, ms in zip(("2¹⁰", "2¹²", "2¹⁶"), times)])

    def test_positions_of_marks(self):
        files = self.plot(self.put("plans", self.plans()))
        for width in (400, 1400):
            for theme, look in palette().items():
                time, bars, stages = [Svg(files["msm-bn254-g1-%s-%d-%s.svg" % (name, width, theme)])
                                      for name in ("time", "side-by-side", "stages")]
                self.assertEqual(time.overlaps() + bars.overlaps() + stages.overlaps(), [])
                self.assertLessEqual({*self.PLANS, "2¹⁰", "2¹²", "2¹⁶", "bases of one MSM, n", "least time of a call (ms)"}, set(time.words))
                # Both axes are logarithmic, and their numbers are where the lines say.
                across = {int(t[4][1:].translate(SUPERSCRIPTS)): t[0] for t in time.texts if re.fullmatch("2[⁰¹²³⁴⁵⁶⁷⁸⁹]+", t[4])}
                up = {float(t[4]): t[1] for t in time.texts if re.fullmatch(r"[\d.]+", t[4])}
                self.assertEqual(set(across), {10, 12, 16})
                self.assertEqual(set(up), {1, 2, 5, 10, 20, 50})
                per_decade = up[1] - up[10]
                for colour, (name, times) in zip(look["hues"], self.PLANS.items()):
                    corners, = time.lines[colour]
                    for (x, y), log, ms in zip(corners, (10, 12, 16), times):
                        self.assertAlmostEqual(x, across[log], delta=0.01)
                        self.assertAlmostEqual(corners[0][1] - y, per_decade * math.log10(ms / times[0]), delta=0.1)
                    text_above_line = up[10] - (corners[0][1] - per_decade * math.log10(10 / times[0]))
                    self.assertTrue(0 < text_above_line < 0.6 * time.texts[0][3], text_above_line)
                    # A plan has the same colour in the bars, which are in the order of the sizes.
                    self.assertEqual(len(bars.widths(colour)), 3)
                    for i, length in enumerate(bars.widths(colour)):
                        slowest = max((each[i], plan) for plan, each in self.PLANS.items())[1]
                        longest = bars.widths(look["hues"][list(self.PLANS).index(slowest)])[i]
                        self.assertAlmostEqual(length / longest, times[i] / self.PLANS[slowest][i], delta=0.01)
                        self.assertIn("%s: %s ms" % (name, "%.3g" % times[i] if times[i] >= 10 else "%.2f" % times[i]),
                                      [text.replace("16.0", "16").replace("40.0", "40").replace("20.0", "20") for text in bars.words])
                # The test data leaves a tenth of the time to no stage.
                whole = stages.widths(look["hues"][2])[0] / 0.1
                for colour, part in ((look["hues"][1], 0.05), (look["hues"][3], 0.5), (look["hues"][4], 0.2), (look["rest"], 0.1)):
                    self.assertEqual(len(stages.widths(colour)), 3)
                    for length in stages.widths(colour):
                        self.assertAlmostEqual(length, part * whole, delta=0.01 * whole)
                self.assertLessEqual({"sort", "accumulate", "reduce", "between stages", "share of the call's time (%)",
                                      "n = 2¹⁰: 1.00 ms, auto"}, set(stages.words))
                self.assertNotIn("plan", stages.words)

    def test_stages_of_another_call(self):
        """The stages of older result files come from another call. The picture says so, and no bar is longer than the call."""
        files = self.plot(self.put("old", {"rows": [row(stages_ms={"sort": 1.0, "reduce": 2.0})]}))
        svg = Svg(files["msm-bn254-g1-stages-400-light.svg"])
        self.assertIn("n = 2¹⁰: 1.50 ms (stages of a call of 3.00 ms)", svg.words)
        self.assertNotIn("between stages", svg.words)

    def test_no_texts_overlap(self):
        """No texts overlap, even with many series and sizes, long names, large and small numbers."""
        long = "a name that is longer than a narrow picture, which nobody should give to a plan but somebody will"
        rows = [row(n=n, min_ms=n / 3 * (i + 1), plan=long if i == 3 else "plan%d" % i, batch=1, stages_ms={"s%d" % s: 1 for s in range(12)})
                for i in range(30) for n in (1, 2, 3, 5, 100, 1000, 1024, 1025, 2**20, 2**26)]
        rows += [row(curve="vesta", n=n, min_ms=1e-4 * (1 + n)) for n in (0, 15, 16, 17)]
        rows += [row(curve="pallas", n=n, min_ms=5e4 + n) for n in (3, 4)]
        files = self.plot(self.put("rows", {"rows": rows}))
        self.assertEqual(len(files), 4 * (3 + 1 + 1))
        for name, content in files.items():
            self.assertEqual(Svg(content).overlaps(), [], name)

    def test_colours(self):
        """Contrast, as WCAG 2 defines it, is at least 3 for graphics and 7 for text."""
        def light(colour):
            parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
            parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        for look in palette().values():
            contrast = {colour: sorted((light(colour) + 0.05, light(look["page"]) + 0.05)) for colour in (*look["hues"], look["text"])}
            self.assertEqual(len(set(look["hues"])), 8)
            for colour, (dark, bright) in contrast.items():
                self.assertGreaterEqual(bright / dark, 7 if colour == look["text"] else 3, colour)

    def test_what_sumac_writes(self):
        """sumac-plot draws the JSON of `bench` and `report`, and also JSON of proofs."""
        self.ok("bench", "--curve", "bls12-381", "-n", "9,2^7", "--threads", "1,2", "--runs", "1", "--json", "bench.json", "--backend",
                "cpu")
        files = self.plot("bench.json")
        self.assertEqual(len(files), 3 * 4)
        for name, content in files.items():
            self.assertEqual(Svg(content).overlaps(), [], name)
        self.assertLessEqual({"threads 1", "threads 2", "9", "2⁷"}, set(Svg(files["msm-bls12-381-g1-time-400-dark.svg"]).words))
        self.write("report.json", self.ok("report", "--curve", "bn254", "-n", "9", "--runs", "1", "--backend", "cpu"))
        self.assertEqual(len(self.plot("report.json", folder="other")), 4)
        proofs = [dict(row(min_ms=ms, stages_ms={"ntt": 1}), domain=domain, proofs=1) for domain, ms in ((4096, 5), (8192, 9))]
        for entry in proofs:
            del entry["n"]
        files = self.plot(self.put("rows", {"rows": proofs}), folder="proofs")
        self.assertIn("domain of the circuit, n", Svg(files["groth16-proof-bn254-g1-time-400-light.svg"]).words)
        path = self.put("rows", {"rows": proofs + [dict(entry, proof="PLONK") for entry in proofs]})
        self.assertEqual(["%s proof, bn254 g1" % name in Page(self.plot(path, formats="html", folder="both")["index.html"]).text
                          for name in ("Groth16", "PLONK", "FFLONK")], [True, True, False])

    def test_a_comparison(self):
        if run("plan", "--curve", "bn254", "-n", "9", "--plan", "nobody", "--backend", "cpu").stderr.endswith(b"there are auto\n"):
            self.skipTest("the build has no named plans (SUMAC_NAMED_PLANS=OFF)")
        self.ok("compare", "--curve", "bn254", "-n", "9,2^7", "--plan", "auto,sixblock", "--runs", "1",
                "--json", "plans.json", "--memory-limit", "40K", "--backend", "cpu")
        rows = json.loads(self.read("plans.json"))["rows"]
        refused = [entry for entry in rows if "refused" in entry]
        self.assertTrue(0 < len(refused) < len(rows))
        page = Page(self.plot("plans.json", formats="html")["index.html"])
        self.assertIn("Not measured", page.text)
        for entry in refused:
            self.assertIn("%s, n = %d: %s" % (entry["plan_name"], entry["n"], entry["refused"]), page.text)
        self.assertEqual(len(page.cells) // 6, len(rows) - len(refused))

    def test_results_of_the_repository(self):
        for name in ("xeon_avx512_plans.json", "h200_groth16.json"):
            path = os.path.join(RESULTS, name)
            with open(path, encoding="utf-8") as f:
                result = json.load(f)
            page = Page(self.plot(path, formats="html", folder=name)["index.html"])
            self.assertIn(result["commit"], page.text)
            for image in [image for _, image in page.images]:
                self.assertEqual(Svg(image).overlaps(), [], name)
            shown, least = set(page.cells[2::6]), {}
            for entry in result["rows"]:
                for each in [entry] + entry.get("peers", []):
                    key = entry["curve"], entry.get("group"), entry.get("n", entry.get("domain")), each.get("name")
                    least[key] = min(each["min_ms"], least.get(key, math.inf))
            self.assertLessEqual({"%.3f" % ms for ms in least.values()}, shown)

    def test_peers(self):
        """The page lists other engines' figures. If two files are of the same engine, it also names the file."""
        self.put("ours", {"rows": [row(threads=4, peers=[{"name": "blst", "min_ms": 5}]), row(n=2048, min_ms=2.5, threads=4)]})
        self.put("theirs", {"engine": "mcl", "rows": [{"curve": "bn254", "group": "g1", "n": 1024, "min_ms": 7}]})
        self.put("again", {"engine": "mcl", "machine": "a box", "rows": [{"curve": "bn254", "group": "g1", "n": 1024, "min_ms": 8}]})
        page = Page(self.plot("ours", "theirs", formats="html")["index.html"])
        self.assertEqual(page.cells[1::6], ["sumac", "sumac", "blst", "mcl"])
        page = Page(self.plot("ours", "theirs", "again", formats="html")["index.html"])
        self.assertEqual(page.cells[1::6], ["sumac", "sumac", "blst", "mcl, theirs", "mcl, again"])
        self.assertIn("again: a box", page.text)

    def test_tasks(self):
        """Bars of tasks have one scale, on which sumac is 1 in each task. The page lists all figures."""
        tasks = [{"title": EVIL, "machine": EVIL, "rows": [{"engine": "sumac", "ms": 2}, {"engine": EVIL, "ms": 7}, {"engine": "b", "ms": 30}]},
                 {"title": "two", "machine": "a box", "rows": [{"engine": "sumac", "times": 1}, {"engine": "c", "times": 4.25}]},
                 {"title": "three", "machine": "a box", "rows": [{"engine": "sumac", "ms": 0.5}, {"engine": "d", "ms": 5}]}]
        files = self.plot(self.put("tasks", {"comment": "why", "tasks": tasks}), formats="svg,html")
        page = Page(files.pop("index.html"))
        cells = [cell.strip() for cell in page.cells]
        self.assertEqual(cells[4:12], [SEEN, SEEN, "7.00 ms, 3.5×", SEEN, SEEN, "b", "30.0 ms, 15.0×", SEEN])
        self.assertEqual(cells[12:20], ["two", "sumac", "1", "a box", "two", "c", "4.2×", "a box"])
        self.assertEqual([len(cells), "why" in page.text, "script" in page.tags], [28, True, False])
        self.assertEqual(set(files), {"peers-%d-%s.svg" % (width, theme) for width in (400, 830) for theme in palette()})
        for width in (400, 830):
            for theme, look in palette().items():
                svg = Svg(files["peers-%d-%s.svg" % (width, theme)])
                self.assertEqual((svg.width, svg.overlaps()), (0.72 * width, []))
                ours, theirs = svg.widths(look["hues"][0]), svg.widths(look["rest"])
                self.assertEqual([len(ours), len(theirs)], [3, 4])
                for length, times in zip(ours + theirs, (1, 1, 1, 3.5, 15, 4.25, 10)):
                    self.assertAlmostEqual(length, theirs[1] * times / 15, delta=0.3)

    def test_the_picture_of_the_readme(self):
        """The committed picture is what sumac-plot draws. Other versions of matplotlib may place things a little differently."""
        files = self.plot(os.path.join(RESULTS, "peers.json"))
        self.assertEqual(len(files), 4)
        for name, content in files.items():
            with open(os.path.join(ROOT, "docs", "pictures", name), "rb") as f:
                committed = f.read()
            drawn, shown = Svg(content), Svg(committed)
            self.assertEqual((drawn.words, drawn.overlaps()), (shown.words, []), name)
            if re.search(rb"Matplotlib v[\d.]+", content)[0] in committed:
                self.assertTrue(content == committed, "docs/pictures/%s differs: docs/cli.md says how to draw it" % name)

    def test_texts_hold_anything(self):
        plan = {"name": EVIL, "c": 4, "windows": 9}
        evil = row(curve=EVIL, group=EVIL, kind=EVIL, memory=EVIL, backend=EVIL, variant=EVIL, plan=plan, stages_ms={EVIL: 1.0},
                   peers=[{"name": EVIL, "min_ms": 5}])
        self.put("evil", dict({key: EVIL for key in ("engine", "sumac", "commit", "date", "command", "comment", "note")},
                              machine={"cpu": EVIL, "gpu": EVIL},
                              rows=[evil, dict(evil, plan="other", n=9), {"n": 1, "plan_name": EVIL, "refused": EVIL}]))
        files = self.plot("evil", formats="svg,html")
        page = Page(files.pop("index.html"))
        self.assertNotIn("script", page.tags)
        self.assertGreater(page.text.count(SEEN), 7)
        words = [word for content in files.values() for word in Svg(content).words]
        self.assertTrue(any("<script>alert(1)</script>\" onload='x' $x^2$ & </svg>" in word for word in words))

    def refuse(self, named, *files, **options):
        done = subprocess.run([PLOT, *files, "--out", "out"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=60, check=False, **options)
        self.assertEqual((done.returncode, done.stdout), (1, b""), named)
        self.assertRegex(done.stderr.decode(), r"\Asumac-plot: [^\x00-\x1f\x7f-\x9f]+\n\Z")
        self.assertIn(named, done.stderr.decode())
        self.assertFalse(os.path.exists("out"))

    def test_refusals(self):
        good = {"rows": [row(), row()]}
        self.put("good", good)

        def second(**changes):
            return {"rows": [row(), {k: v for k, v in row(**changes).items() if v is not None}]}

        def task(rows):
            return {"tasks": [{"title": "x", "machine": "y", "rows": rows}]}
        for content, named in (
                (b"", "not JSON"), (json.dumps(good).encode()[:-1], "not JSON"), (b"\xff\xfe", "not JSON"), (b"[" * 100000, "not JSON"),
                (b'{"rows": [{"curve": "x", "n": 1, "min_ms": NaN}]}', "not JSON"),
                ([], "no result of sumac"), (5, "no result of sumac"), ({}, "no result of sumac"), ({"rows": []}, "no result of sumac"),
                ({"traceEvents": []}, "trace"), ({"rows": [5]}, "rows[0] is not an object"),
                (second(n=None), 'rows[1] has neither "n"'), (second(curve=None), 'rows[1] has no "curve"'),
                (second(min_ms=None), 'rows[1] has no "min_ms"'), (second(n="5"), 'rows[1]: "n" is not a whole number'),
                (second(n=2**53 + 1), '"n" is not'), (second(min_ms="1"), '"min_ms" is not a number'), (second(min_ms=-1), '"min_ms" is not'),
                (second(min_ms=0), '"min_ms" is 0'), (second(min_ms=True), '"min_ms" is not'), (second(curve=5), '"curve" is not a text'),
                (second(stages_ms={"sort": "x"}), '"stages_ms" is not an object of numbers'), (second(plan=[]), '"plan"'),
                (second(peers=[{"name": "mcl"}]), '"peers" is not a list'), (dict(good, engine=5), '"engine" is not a text'),
                (second(verified=False), "rows[1]: the result was not verified"), (second(verified=None), "rows[1]: the result was not verified"),
                ({"engine": "mcl", "rows": [row(verified=False)]}, "was not verified"),
                ({"tasks": []}, '"tasks" is not a list'), ({"tasks": [{"title": "x"}]}, "tasks[0] is not an object with"),
                (task([]), '"rows" is not a list of two or more'), (task([{"engine": "mcl", "ms": 1}] * 2), "the first engine is not sumac"),
                (task([{"engine": "sumac", "ms": 1}, {"engine": "mcl", "times": 4}]), '"ms" of an engine is not a number above 0'),
                (task([{"engine": "sumac", "times": 1}, {"engine": "mcl", "times": 0}]), '"times" of an engine is not a number above 0'),
                ({"rows": [{"n": 1, "refused": "too large", "plan_name": "x"}]}, "nothing in it was measured")):
            self.write("bad", content if isinstance(content, bytes) else json.dumps(content).encode())
            self.refuse("bad: " if named == "nothing in it was measured" else named, "bad")
        self.write("bad", b"{")
        self.refuse("bad: ", "good", "bad")
        self.refuse("nobody: No such file", "nobody")
        with open("huge", "wb") as f:
            f.truncate((64 << 20) + 1)
        self.refuse("huge: the file is longer than 64 MiB", "huge")
        for name in ("time", "index.html"):
            self.assertFalse(os.path.exists(name))
        # This is a Python without matplotlib. The variable keeps the script from looking for another Python.
        os.mkdir("modules")
        self.write("modules/matplotlib.py", b"raise ImportError")
        self.refuse("matplotlib is missing", "good", env=dict(os.environ, PYTHONPATH="modules", SUMAC_PLOT_PYTHON="this one"))

    def test_bad_output_folder_and_format(self):
        self.put("good", {"rows": [row()]})
        self.write("file", b"")
        done = subprocess.run([PLOT, "good", "--out", "file/below", "--formats", "html"], stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.decode(), r"\Asumac-plot: file[^\n]*: [^\n]+\n\Z")
        done = subprocess.run([PLOT, "good", "--formats", "gif"], stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"'gif' is not a list of svg, png, html", done.stderr)


def results(name):
    with open(os.path.join(RESULTS, name), encoding="utf-8") as f:
        return json.load(f)


def table_rows(document):
    """Return the rows of a document's tables, each as a list of cells."""
    with open(os.path.join(ROOT, document), encoding="utf-8") as f:
        return [[cell.strip() for cell in line[1:-1].split("|")] for line in f.read().splitlines() if line[:1] == line[-1:] == "|"]


class Figures(unittest.TestCase):
    def test_tasks(self):
        """The README's picture has figures that other result files have, too. They must be the same."""
        tasks = {task["title"]: {row["engine"]: row.get("ms") for row in task["rows"]} for task in results("peers.json")["tasks"]}
        cells = next(r for r in results("xeon_kzg_vs_ckzg.json")["rows"] if r["function"] == "compute_cells_and_kzg_proofs")
        self.assertEqual(tasks["All cells and proofs of a blob"],
                         {"sumac": cells["sumac_ms"], "constantine": cells["constantine_ms"], "c-kzg-4844": cells["c_kzg_4844_ms"]})
        msm = next(r for r in results("xeon_avx512_vs_peers.json")["rows"]
                   if (r["curve"], r["group"], r["n"]) == ("bls12-381", "g1", 1 << 20))
        times = dict({peer["name"]: peer["min_ms"] for peer in msm["peers"]}, sumac=msm["min_ms"])
        self.assertEqual(tasks["MSM, 2²⁰ points of BLS12-381, CPU"], {name: round(ms, 1) for name, ms in times.items()})
        more = results("peers.json")["more"]
        self.assertEqual(tasks["MSM, 2²⁰ points of BLS12-381, GPU"],
                         {name: more["gpu"]["bls12-381"][name]["20"] for name in ("sumac", "Yrrid", "ICICLE", "sppark")})
        proof = next(task for task in results("peers.json")["tasks"] if task["title"].startswith("Groth16"))
        self.assertEqual({row["engine"]: row["times"] for row in proof["rows"]},
                         dict({name: sizes["18"] for name, sizes in more["groth16"]["Xeon"].items()}, sumac=1))
        measured = {row[0]: row[1:4] for row in table_rows("docs/internals/plonk.md") if len(row) == 5}
        self.assertEqual(["1"] + [str(tasks["PLONK proof, domain 2¹⁶, BN254"][name]) for name in ("gnark", "sumac")],
                         measured["BN254, 65,438 constraints"])

    def test_the_tables_of_the_readme(self):
        """The README's tables compare sumac with other libraries. Their figures must be those of the result files."""
        stated = {row[0]: row[1:] for row in table_rows("README.md")}
        more = results("peers.json")["more"]
        kzg = {row["function"]: row for row in results("xeon_kzg_vs_ckzg.json")["rows"]}
        for text, function, task in (
                ("all cells and proofs of a blob", "compute_cells_and_kzg_proofs", "cells and proofs"),
                ("recovery, half of the cells missing", "recover_cells_and_kzg_proofs, half missing", "recovery"),
                ("commitment to a blob", "blob_to_kzg_commitment", "commitment"),
                ("verifying 64 blobs' proofs", "verify_blob_kzg_proof_batch, 64", "64 blobs"),
                ("verifying 128 cells", "verify_cell_kzg_proof_batch, 128 cells", "128 cells")):
            times = [kzg[function][name + "_ms"] for name in ("sumac", "constantine", "c_kzg_4844")]
            self.assertEqual(stated[text], ["%.*f" % (ms < 10, ms) for ms in times] + [str(more["zen4"]["kzg"][task])])
        for name in ("gnark", "rapidsnark"):
            for machine in ("Xeon", "Zen 4"):
                self.assertEqual(stated["%s, %s" % (name, machine)], [str(more["groth16"][machine][name][size]) for size in ("14", "16", "18")])
        gpu = more["gpu"]["bls12-381"]
        for text, name in (("one H200: sumac", "sumac"), ("Yrrid", "Yrrid"), ("ICICLE 2.8", "ICICLE"), ("sppark", "sppark")):
            self.assertEqual(stated[text], [str(gpu[name].get(size, "")) for size in ("16", "20", "22", "24")])
        core = {r["n"]: dict({peer["name"]: peer["min_ms"] for peer in r["peers"]}, sumac=r["min_ms"])
                for r in results("xeon_avx512_vs_peers.json")["rows"] if (r["curve"], r["group"]) == ("bls12-381", "g1")}
        for text, name in (("one core of a Xeon: sumac", "sumac"), ("mcl", "mcl"), ("constantine", "constantine")):
            self.assertEqual(stated[text], ["%.0f" % core[1 << 16][name], "%.0f" % core[1 << 20][name], "", ""])

    def test_msms(self):
        """docs/prover.md has figures for MSMs. They must be those of the result files, which are medians on one core, and
        minima on the GPU. Small MSMs on the GPU come from a later file, from rows in which the planner chose. A dash means that
        a figure was not measured."""
        stated = {}
        for curve, *figures in table_rows("docs/prover.md"):
            if re.fullmatch("B[A-Z0-9-]+", curve):
                stated.setdefault(curve.lower(), []).append(figures)
        self.assertEqual(sorted(stated), ["bls12-377", "bls12-381", "bn254"])
        core = results("xeon_avx512_one_thread_216.json")["rows"] + results("xeon_adx_2p16_vs_peers.json")["rows"]
        gpu = [r for r in results("h200_sizes_small_batches.json")["rows"] if r["group"] == "g1" and r.get("batch", 1) != 1000]
        later = {(r["curve"], r["n"]): r["min_ms"] for r in results("h200_small_plans.json")["rows"]
                 if r["chosen"] and r["batch"] == 1 and r["precompute"] > 8}
        for curve, (of_core, of_gpu) in stated.items():
            medians = []
            for r in core:
                if r["curve"] == curve and r.get("group", "g1") == "g1" and r["n"] == 1 << 16:
                    medians += [r["median_ms"]] + [peer["median_ms"] for peer in r.get("peers", [])]
            self.assertEqual(of_core[:3], ["%.0f" % ms for ms in medians[:3]], curve)
            self.assertEqual(len(of_gpu), 5)
            for size, text in zip((10, 14, 18, 22, 24), of_gpu):
                if text == "–":
                    self.assertEqual((curve, size), ("bls12-377", 10))
                    continue
                least = min(r["min_ms"] for r in gpu if r["curve"] == curve and r["n"] == 1 << size)
                least = later.get((curve, 1 << size), least)
                self.assertLessEqual(abs(float(text) - least), 0.5 * 10.0 ** -len(text.partition(".")[2]) + 0.0005, (curve, size))


if __name__ == "__main__":
    cli_support.main()
