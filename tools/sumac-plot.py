#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Draw pictures of measurements.

A FILE is JSON that `sumac bench`, `sumac compare` or `sumac report` wrote, or JSON with the figures of another engine:
{"engine": "mcl", "rows": [{"curve": "bn254", "group": "g1", "n": 65536, "min_ms": 311}]}. There are up to three pictures
for each curve and group. The first shows time against n. The second shows measurements that were made side by side: plans,
engines and settings. The third shows the stages of the fastest run. Each picture is drawn 400 and 1400 pixels wide, light
and dark. index.html shows all pictures, and has a table of the figures. It is one file, needs no network and runs no script.

If a FILE has "tasks" instead of "rows", one picture of bars is drawn, 400 and 830 pixels wide. It shows, for each task, the
times of sumac and other engines in multiples of sumac's time.
"""
import argparse
import base64
import functools
import html
import importlib.util
import io
import json
import logging
import math
import os
import re
import sys

WIDTHS = (400, 1400)
PEERS_WIDTHS = (400, 830)  # the second is the width at which a README is shown
DOTS = 100  # dots for each inch
FORMATS = ("svg", "png", "html")
MOST_BYTES = 64 << 20
MOST_BARS = 12

# People with any kind of colour vision can distinguish these colours. Each has a contrast of at least 3 to its background.
THEMES = {
    "light": {"page": "#ffffff", "text": "#1f2328", "grid": "#d7dbdf", "rest": "#b9bfc5",
              "hues": ("#0063a8", "#c44500", "#00795a", "#a8438a", "#8a6400", "#5b45b5", "#4d5358", "#d0223a")},
    "dark": {"page": "#16191c", "text": "#e6e8ea", "grid": "#3a4046", "rest": "#5d646b",
             "hues": ("#5aaef5", "#ff8c4f", "#2fc79b", "#ec8fce", "#e2b93b", "#ab9bf5", "#b5bcc3", "#ff7583")},
}
MARKERS = "osD^vPX*"
STAGES = ("plan", "recode", "sort", "accumulate", "reduce", "combine")


class Refused(Exception):
    """An error in the input. Its text is one sentence that says what is wrong."""


# ---- Reading ----

def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 1 << 53


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1e18


def is_text(value):
    return isinstance(value, str)


def is_times(value):
    return isinstance(value, dict) and all(is_number(ms) for ms in value.values())


def is_plan(value):
    return is_text(value) or isinstance(value, dict) and is_text(value.get("name"))


def is_peers(value):
    return isinstance(value, list) and all(
        isinstance(peer, dict) and is_text(peer.get("name")) and is_number(peer.get("min_ms")) and peer["min_ms"] > 0
        for peer in value)


WORDS = {is_count: "a whole number from 0 to 2^53", is_number: "a number from 0 to 10^18", is_text: "a text",
         is_times: "an object of numbers", is_plan: "a text or an object with a name",
         is_peers: 'a list of objects with "name" and "min_ms"'}
FIELDS = {"curve": is_text, "group": is_text, "n": is_count, "domain": is_count, "proofs": is_count, "min_ms": is_number,
          "median_ms": is_number, "engine": is_text, "kind": is_text, "memory": is_text, "backend": is_text,
          "variant": is_text, "plan": is_plan, "batch": is_count, "threads": is_count, "precompute": is_count,
          "stages_ms": is_times, "stages_of_ms": is_number, "peak_rss_bytes": is_count, "peers": is_peers, "proof": is_text}


def visible(text):
    """Replace characters that can't be printed by question marks, because names come from files."""
    return "".join(c if c.isprintable() else "?" for c in text)


def refuse_constant(name):
    raise ValueError(name + " is no number of JSON")


def parse(path):
    try:
        with open(sys.stdin.fileno() if path == "-" else path, "rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from error
    if len(content) > MOST_BYTES:
        raise Refused(f"{path}: the file is longer than {MOST_BYTES >> 20} MiB")
    try:
        root = json.loads(content, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Refused(f"{path}: the file is not JSON: {error}") from error
    if isinstance(root, dict) and "traceEvents" in root:
        raise Refused(f"{path}: this is a trace, not measurements: https://ui.perfetto.dev opens it")
    if isinstance(root, dict) and "tasks" in root:
        return root
    rows = root.get("rows") if isinstance(root, dict) else None
    if not isinstance(rows, list) or not rows:
        raise Refused(f'{path}: this is no result of sumac bench, compare or report: it has no list "rows" with something in it')
    if not is_text(root.get("engine", "")):
        raise Refused(f'{path}: "engine" is not a text')
    return root


def check_row(row, where, engine):
    if not isinstance(row, dict):
        raise Refused(f"{where} is not an object")
    for key, accepts in FIELDS.items():
        if key in row and not accepts(row[key]):
            raise Refused(f'{where}: "{key}" is not {WORDS[accepts]}')
    for key in ("curve", "min_ms"):
        if key not in row:
            raise Refused(f'{where} has no "{key}"')
    if "n" not in row and "domain" not in row:
        raise Refused(f'{where} has neither "n" nor, for proofs, "domain"')
    if row["min_ms"] == 0:
        raise Refused(f'{where}: "min_ms" is 0')
    # Figures of other engines need not be verified.
    if row.get("verified", engine != "sumac") is not True:
        raise Refused(f"{where}: the result was not verified, so the time means nothing")


def check_tasks(tasks, path):
    if not isinstance(tasks, list) or not tasks:
        raise Refused(f'{path}: "tasks" is not a list with something in it')
    for i, task in enumerate(tasks):
        where = f"{path}: tasks[{i}]"
        if not isinstance(task, dict) or not is_text(task.get("title")) or not is_text(task.get("machine")):
            raise Refused(f'{where} is not an object with "title" and "machine"')
        rows = task.get("rows")
        if not isinstance(rows, list) or len(rows) < 2 or not all(isinstance(row, dict) and is_text(row.get("engine")) for row in rows):
            raise Refused(f'{where}: "rows" is not a list of two or more objects with "engine"')
        if rows[0]["engine"] != "sumac":
            raise Refused(f'{where}: the first engine is not sumac')
        unit = next((unit for unit in ("ms", "times") if unit in rows[0]), "ms")
        if not all(is_number(row.get(unit)) and row[unit] > 0 for row in rows):
            raise Refused(f'{where}: "{unit}" of an engine is not a number above 0')


def normalised(row, path, engine):
    """Return a row with the keys that the pictures need. A missing value is None."""
    proofs = "n" not in row
    plan = row.get("plan")
    entry = {key: visible(row[key]) if is_text(row.get(key)) else row.get(key)
             for key in ("curve", "group", "kind", "memory", "backend", "variant", "threads", "precompute", "median_ms",
                         "stages_of_ms", "peak_rss_bytes")}
    entry.update(what=visible(row.get("proof", "Groth16")) + " proof" if proofs else "MSM", file=visible(path),
                 engine=visible(row.get("engine", engine)), n=row["domain"] if proofs else row["n"], batch=row.get("proofs" if proofs else "batch"), ms=row["min_ms"],
                 plan=visible(plan["name"] if isinstance(plan, dict) else plan) if plan else None,
                 window=plan.get("c") if isinstance(plan, dict) and is_count(plan.get("c")) else None,
                 stages={visible(name): ms for name, ms in row.get("stages_ms", {}).items()})
    return entry


def read(paths):
    """Return the rows and the tasks of all files, each file's description of itself, and the rows that could not be
    measured."""
    rows, tasks, sources, missing = [], [], [], []
    for path in paths:
        root = parse(path)
        if "tasks" in root:
            check_tasks(root["tasks"], path)
            tasks += root["tasks"]
            sources.append((visible(path), visible(str(root.get("comment", "")))))
            continue
        engine = root.get("engine", "sumac")
        for i, row in enumerate(root["rows"]):
            where = f"{path}: rows[{i}]"
            if isinstance(row, dict) and is_text(row.get("refused")):
                missing.append(visible(f"{row.get('plan_name', '')}, n = {row.get('n', '')}: {row['refused']}"))
                continue
            check_row(row, where, row.get("engine", engine) if isinstance(row, dict) else engine)
            rows.append(normalised(row, path, engine))
            for peer in row.get("peers", []):
                measured = {key: row[key] for key in ("proof", "curve", "group", "n", "domain", "kind", "batch") if key in row}
                rows.append(normalised(dict(measured, min_ms=peer["min_ms"]), path, peer["name"]))
        machine = root.get("machine")
        facts = [fact for fact in machine.values() if is_text(fact)] if isinstance(machine, dict) else [machine]
        facts += [root.get(key) for key in ("commit", "date", "command", "comment", "note")]
        sources.append((visible(path), ", ".join(visible(str(fact)) for fact in facts if fact)))
    if not rows and not tasks:
        raise Refused(f"{paths[0]}: nothing in it was measured")
    return rows, tasks, sources, missing


# ---- Chapters and series ----

TELLS_APART = ("plan", "kind", "memory", "backend", "variant", "batch", "threads", "precompute")


def values(rows, key):
    return {row[key] for row in rows if row[key] is not None}


def name_series(rows):
    """Give each row of a chapter the name of its series, which consists of the values that differ between rows. It contains the
    file's name only if two files measured the same."""
    parts = [key for key in ("engine", *TELLS_APART) if len(values(rows, key)) > 1]
    measured = {}
    for row in rows:
        shown = [row[key] if key in ("engine", "plan", "kind", "memory", "backend", "variant") else f"{key} {row[key]}"
                 for key in parts if row[key] is not None]
        row["series"] = ", ".join(shown) or row["engine"]
        measured.setdefault((row["series"], row["n"]), set()).add(row["file"])
    repeated = {series for (series, _), files in measured.items() if len(files) > 1}
    for row in rows:
        if row["series"] in repeated:
            row["series"] += ", " + row["file"]


class Chapter:
    """The measurements of one curve and group. If plans are compared, they are also only of one kind of scalars."""

    widths = WIDTHS
    note = "; the table below has the figures"

    def __init__(self, title, rows):
        self.title, self.rows = title, rows
        self.slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
        name_series(rows)
        self.least = {}  # {series: {n: the fastest row}}
        for row in rows:
            sizes = self.least.setdefault(row["series"], {})
            if row["n"] not in sizes or row["ms"] < sizes[row["n"]]["ms"]:
                sizes[row["n"]] = row

    def drawn(self):
        """Return the series without n = 0, which a logarithmic axis can't show."""
        kept = {series: {n: row for n, row in sizes.items() if n > 0} for series, sizes in self.least.items()}
        return {series: sizes for series, sizes in kept.items() if sizes}

    def sizes(self):
        return sorted({n for sizes in self.drawn().values() for n in sizes})

    def pictures(self):
        """Yield (slug, title, function that draws the picture, whether its colours are those of stages) for each picture."""
        drawn = self.drawn()
        if len(self.sizes()) > 1:
            yield f"{self.slug}-time", f"Time: {self.title}", draw_times, False
        if any(sum(n in by_size for by_size in drawn.values()) > 1 for n in self.sizes()):
            yield f"{self.slug}-side-by-side", f"Side by side: {self.title}", draw_side_by_side, False
        if fastest_with_stages(self):
            yield f"{self.slug}-stages", f"Stages of the fastest run: {self.title}", draw_stages, True

    def table(self):
        """Return the head and the lines of the page's table."""
        return ("n", "series", "least ms", "median ms", "window c", "peak MiB"), [
            (size_text(n), name, f"{row['ms']:.3f}", "" if row["median_ms"] is None else f"{row['median_ms']:.3f}",
             row["window"] or "", f"{row['peak_rss_bytes'] / 2**20:.1f}" if row["peak_rss_bytes"] else "")
            for name, by_size in self.least.items() for n, row in sorted(by_size.items())]


class Peers:
    """Tasks that sumac and other engines have solved. `bars` are (engine, multiple of sumac's time, text) for each task."""

    title, slug, least, widths = "Time in multiples of sumac's: shorter is faster", "peers", {}, PEERS_WIDTHS

    def __init__(self, tasks):
        self.tasks = []
        for task in tasks:
            unit = "ms" if "ms" in task["rows"][0] else "times"
            bars = []
            for row in task["rows"]:
                times = row[unit] / task["rows"][0][unit]
                parts = [ms_text(row["ms"])] if unit == "ms" else []
                parts += [f"{times:.1f}×"] if bars else [] if parts else ["1"]
                bars.append((visible(row["engine"]), times, ", ".join(parts)))
            self.tasks.append((visible(task["title"]), visible(task["machine"]), bars))
        self.note = ". " + ". ".join(f"{title}, {machine}: " + "; ".join(f"{name} {text}" for name, _, text in bars)
                                     for title, machine, bars in self.tasks)

    def pictures(self):
        yield self.slug, self.title, draw_peers, False

    def table(self):
        return ("task", "engine", "time", "machine"), [
            (title, name, text, machine) for title, machine, bars in self.tasks for name, _, text in bars]


def chapters(rows):
    groups = {}
    for row in rows:
        groups.setdefault((row["what"], row["curve"], row["group"]), []).append(row)
    found = []
    for (what, curve, group), of_group in groups.items():
        title = f"{what}, {curve}" + (f" {group}" if group else "")
        kinds = sorted(values(of_group, "kind")) if len(values(of_group, "plan")) > 1 else []
        if len(kinds) < 2:
            found.append(Chapter(title, of_group))
        else:
            found += [Chapter(f"{title}, {kind} scalars", [row for row in of_group if row["kind"] in (kind, None)])
                     for kind in kinds]
    return found


class Styles:
    """The looks of names. A name looks the same in all pictures. It has a hue and, from the ninth name, another line or
    hatching."""

    def __init__(self, names):
        self.index = {name: i for i, name in enumerate(dict.fromkeys(names))}

    def hue(self, name, theme):
        return THEMES[theme]["hues"][self.index[name] % 8]

    def marker(self, name):
        return MARKERS[(self.index[name] + self.index[name] // 8) % 8]  # if a hue is used again, the marker differs

    def line(self, name):
        return ("-", "--", ":", "-.")[self.index[name] // 8 % 4]

    def hatch(self, name):
        return ("", "////", "....", "xxxx")[self.index[name] // 8 % 4]


# ---- Pictures ----

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def size_text(n):
    """Write powers of two as 2¹⁶, and other numbers as 1000."""
    return "2" + str(n.bit_length() - 1).translate(SUPERSCRIPTS) if n >= 16 and n & (n - 1) == 0 else str(n)


def ms_text(ms):
    """Write a time with at least three digits and without an exponent."""
    return f"{ms:.0f} ms" if ms >= 100 else f"{ms:.{max(0, 2 - math.floor(math.log10(ms)))}f} ms"


@functools.lru_cache(maxsize=None)
def text_width(text, weight):
    """Return the width of a text in ems."""
    from matplotlib.font_manager import FontProperties, findfont, get_font
    font = get_font(findfont(FontProperties(family="DejaVu Sans", weight=weight)))
    font.set_size(100, 72)  # this is set every time, because other code changes the same object
    font.set_text(text)
    return font.get_width_height()[0] / 6400  # a pixel has 64 units, and an em has 100 pixels


class Sheet:
    """A figure that grows downwards. Lengths are in inches. matplotlib makes no layout itself, so that nothing overlaps at any
    width."""

    MARGIN = 0.15

    def __init__(self, width, theme, title):
        self.width, self.theme, self.wide = width / DOTS, theme, width >= 800
        self.size = 10 if self.wide else 8
        self.line = self.size / 72 * 1.5
        self.parts, self.height = [], self.MARGIN
        self.text(title, bold=True)

    def measure(self, text, weight="normal"):
        return text_width(text, weight) * self.size / 72

    def fit(self, text, width, weight="normal"):
        """Return the text, cut off so that it fits the width."""
        shown = text
        while self.measure(shown, weight) > width and len(shown) > 1:
            shown = shown[:-2] + "…"
        return shown

    def text(self, text, bold=False):
        top = self.height
        shown = self.fit(text, self.width - 2 * self.MARGIN, "bold" if bold else "normal")
        self.parts.append(lambda figure: figure.text(self.MARGIN / self.width, 1 - top / self.height, shown, va="top",
                                                     weight="bold" if bold else "normal"))
        self.height += 1.4 * self.line

    def axes(self, height, draw, left=0.75, across=(0, 1), below=3.4):
        """Call draw(axes) later. `across` is (column, columns). After the last column the next axes begin `below` lines
        lower."""
        column, columns = across
        span = (self.width - self.MARGIN) / columns
        top = self.height

        def place(figure):
            draw(figure.add_axes([(column * span + left) / self.width, 1 - (top + height) / self.height,
                                  (span - left - self.MARGIN) / self.width, height / self.height]))
        self.parts.append(place)
        if column == columns - 1:
            self.height += height + below * self.line

    def legend(self, handles):
        """Draw a legend of (handle, name) in as many columns as fit."""
        column = 0.6 + max(self.measure(name) for _, name in handles)
        count = max(1, min(len(handles), int((self.width - 2 * self.MARGIN) / column)))
        fitted = [self.fit(name, self.width - 2 * self.MARGIN - 0.6) for _, name in handles]
        top = self.height
        self.parts.append(lambda figure: figure.legend(
            [handle for handle, _ in handles], fitted, loc="upper left", ncol=count, frameon=False, borderaxespad=0, borderpad=0,
            bbox_to_anchor=(self.MARGIN / self.width, 1 - top / self.height), columnspacing=1.2, handlelength=2.2))
        self.height += math.ceil(len(handles) / count) * 1.15 * self.line + self.MARGIN

    def save(self, kind):
        import matplotlib
        from matplotlib.figure import Figure
        look = THEMES[self.theme]
        with matplotlib.rc_context({
                "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": self.size,
                "axes.labelsize": self.size, "xtick.labelsize": self.size, "ytick.labelsize": self.size,
                "legend.fontsize": self.size, "svg.fonttype": "none", "svg.hashsalt": "sumac", "text.parse_math": False,
                "axes.edgecolor": look["grid"], "text.color": look["text"], "axes.labelcolor": look["text"],
                "xtick.color": look["text"], "ytick.color": look["text"], "grid.color": look["grid"],
                "axes.facecolor": look["page"], "figure.facecolor": look["page"], "hatch.linewidth": 0.8,
                "hatch.color": look["page"]}):
            figure = Figure(figsize=(self.width, self.height), dpi=DOTS)
            for part in self.parts:
                part(figure)
            content = io.BytesIO()
            figure.savefig(content, format=kind, metadata={"Date": None} if kind == "svg" else {"Software": None})
        return content.getvalue()


def value_ticks(low, high):
    """Return ticks at 1, 2, 5, 10, ..., or only at powers of ten. A short range gets equal steps."""
    for steps in ((1, 2, 5), (1,)):
        ticks = [step * 10.0 ** power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
                 for step in steps if low <= step * 10.0 ** power <= high]
        if len(ticks) <= 8:
            break
    if len(ticks) >= 2:
        return ticks
    step = 10.0 ** math.floor(math.log10((high - low) / 2))
    step *= next(factor for factor in (5, 2, 1) if factor * step <= (high - low) / 2)
    return [step * i for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def finish_axes(axes):
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_axisbelow(True)
    axes.tick_params(length=3)
    axes.minorticks_off()


def draw_times(sheet, chapter, styles):
    from matplotlib.lines import Line2D
    series, sizes = chapter.drawn(), chapter.sizes()
    times = [row["ms"] for by_size in series.values() for row in by_size.values()]
    low, high = min(times) / 1.3, max(times) * 1.3

    def look(name):
        return dict(color=styles.hue(name, sheet.theme), marker=styles.marker(name), linestyle=styles.line(name),
                    linewidth=2 if sheet.wide else 1.5, markersize=6 if sheet.wide else 4.5)

    def draw(axes):
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xlim(sizes[0] / 1.3, sizes[-1] * 1.3)
        axes.set_ylim(low, high)
        for name, by_size in series.items():
            points = sorted((n, row["ms"]) for n, row in by_size.items())
            axes.plot(*zip(*points), **look(name))
        inches = axes.get_position().width * sheet.width / math.log(1.69 * sizes[-1] / sizes[0])
        labels, free = [], -1.0
        for n in sizes:
            half = sheet.measure(size_text(n)) / 2
            at = math.log(n / sizes[0]) * inches
            labels.append(size_text(n) if at - half >= free else "")
            free = at + half + sheet.size / 72 if labels[-1] else free
        axes.set_xticks(sizes, labels)
        ticks = value_ticks(low, high)
        axes.set_yticks(ticks, [f"{tick:.10g}" if tick >= 1e-4 else f"{tick:.0e}" for tick in ticks])
        axes.grid(True)
        axes.set_xlabel("bases of one MSM, n" if chapter.rows[0]["what"] == "MSM" else "domain of the circuit, n")
        axes.set_ylabel("least time of a call (ms)")
        finish_axes(axes)

    sheet.axes(4.6 if sheet.wide else 2.6, draw, left=0.9 if sheet.wide else 0.75)
    sheet.legend([(Line2D([], [], **look(name)), name) for name in series])


def draw_bars(sheet, axes, bars, most, unit):
    """Draw bars from the top down. Each bar consists of parts (length, colour, hatch), below a line of text."""
    inches = axes.get_position().width * sheet.width
    axes.set_xlim(0, most)
    axes.set_ylim(len(bars), 0)
    for i, (text, parts) in enumerate(bars):
        left = 0
        axes.text(0, i + 0.42, sheet.fit(text, inches), va="bottom")
        for length, colour, hatch in parts:
            axes.barh(i + 0.68, length, 0.44, left=left, color=colour, hatch=hatch, edgecolor=THEMES[sheet.theme]["page"],
                      linewidth=0.5)
            left += length
    axes.set_yticks([])
    axes.set_xlabel(unit)
    axes.locator_params(axis="x", nbins=8 if inches > 4 else 4)
    finish_axes(axes)
    axes.spines["left"].set_visible(False)


def draw_side_by_side(sheet, chapter, styles):
    """Draw the sizes that have the most measurements. At most three of them are drawn: the smallest, a middle one and the
    largest."""
    series = chapter.drawn()
    count = {n: sum(n in by_size for by_size in series.values()) for n in chapter.sizes()}
    full = [n for n in count if count[n] == max(count.values())]
    shown = sorted({full[0], full[len(full) // 2], full[-1]})
    columns = len(shown) if sheet.wide else 1
    bars = {n: sorted((by_size[n]["ms"], name) for name, by_size in series.items() if n in by_size) for n in shown}
    cut = max(len(of_size) for of_size in bars.values()) > 2 * MOST_BARS
    height = 2.4 * sheet.line * min(2 * MOST_BARS, max(len(of_size) for of_size in bars.values()))

    def draw(axes, n):
        fastest = bars[n][:2 * MOST_BARS]
        axes.set_title("n = " + size_text(n) + (", the fastest" if cut else ""), loc="left", fontsize=sheet.size)
        draw_bars(sheet, axes, [(f"{name}: {ms_text(ms)}", [(ms, styles.hue(name, sheet.theme), styles.hatch(name))])
                                for ms, name in fastest], 1.02 * fastest[-1][0], "least time of a call (ms)")

    for i, n in enumerate(shown):
        if i % columns == 0:
            sheet.height += 1.2 * sheet.line  # space for the titles
        sheet.axes(height, lambda axes, n=n: draw(axes, n), left=0.2, across=(i % columns, columns))


def fastest_with_stages(chapter):
    """Return the fastest row of each size that has stages."""
    fastest = [min((by_size[n] for by_size in chapter.drawn().values() if n in by_size), key=lambda row: row["ms"])
               for n in chapter.sizes()]
    return [row for row in fastest if sum(row["stages"].values()) > 0][-MOST_BARS:]


def draw_stages(sheet, chapter, styles):
    from matplotlib.patches import Patch
    rows = fastest_with_stages(chapter)
    bars, names = [], []
    for row in rows:
        total = max(row["stages_of_ms"] or row["ms"], sum(row["stages"].values()))
        text = f"n = {size_text(row['n'])}: {ms_text(row['ms'])}"
        if total > 1.001 * row["ms"]:
            text += f" (stages of a call of {ms_text(total)})"
        if len(chapter.least) > 1:
            text += f", {row['series']}"
        parts = [(100 * ms / total, styles.hue(name, sheet.theme), styles.hatch(name)) for name, ms in row["stages"].items()]
        parts.append((100 - sum(part[0] for part in parts), THEMES[sheet.theme]["rest"], ""))
        names += [name for name, ms in row["stages"].items() if ms > 0.001 * total]
        bars.append((text, parts))
    sheet.axes(2.4 * sheet.line * len(bars), lambda axes: draw_bars(sheet, axes, bars, 100, "share of the call's time (%)"),
               left=0.2)
    keys = [(Patch(facecolor=styles.hue(name, sheet.theme), hatch=styles.hatch(name)), name)
            for name in styles.index if name in names]
    rest = [(Patch(facecolor=THEMES[sheet.theme]["rest"]), "between stages")]
    sheet.legend(keys + (rest if any(parts[-1][0] > 0.1 for _, parts in bars) else []))


def draw_peers(sheet, peers, styles):
    """Draw the tasks in two columns or, on a narrow sheet, in one. All bars have the same scale."""
    look = THEMES[sheet.theme]
    columns = 2 if sheet.wide else 1
    most = max(times for _, _, bars in peers.tasks for _, times, _ in bars)
    longest = max(sheet.measure(name, "bold") for _, _, bars in peers.tasks for name, _, _ in bars)
    name_width = min(longest, 0.4 * sheet.width / columns)
    left = name_width + sheet.MARGIN + 0.1
    right = max(sheet.measure(text, "bold") for _, _, bars in peers.tasks for _, _, text in bars) + 0.1

    def draw(axes, height, title, machine, bars):
        inches = axes.get_position().width * sheet.width
        axes.set_xlim(0, most * inches / (inches - right))
        axes.set_ylim(height / (1.5 * sheet.line), 0)
        axes.set_axis_off()
        for shown, weight, lines in ((title, "bold", 1.35), (machine, "normal", 0.25)):
            shown = sheet.fit(shown, inches + left - sheet.MARGIN, weight)
            axes.text((sheet.MARGIN - left) / inches, 1 + lines * sheet.line / height, shown, weight=weight, va="bottom",
                      transform=axes.transAxes)
        for i, (name, times, text) in enumerate(bars):
            weight = "normal" if i else "bold"
            axes.barh(i + 0.5, times, 0.7, color=look["rest"] if i else look["hues"][0])
            axes.annotate(sheet.fit(name, name_width, weight), (0, i + 0.5), (-6, 0), textcoords="offset points", ha="right", va="center", weight=weight)
            axes.annotate(text, (times, i + 0.5), (5, 0), textcoords="offset points", va="center", weight=weight)

    for first in range(0, len(peers.tasks), columns):
        beside = peers.tasks[first:first + columns]
        height = 1.5 * sheet.line * max(len(bars) for _, _, bars in beside)
        sheet.height += 2.6 * sheet.line  # space for title and machine
        for i, task in enumerate(beside):
            sheet.axes(height, lambda axes, task=task, height=height: draw(axes, height, *task), left=left,
                       across=(i, columns), below=0.6)
        if len(beside) < columns:  # the last task has no task beside it
            sheet.height += height + 0.6 * sheet.line


# ---- The page ----

STYLE = """:root{color-scheme:light dark;--page:%(light)s;--text:%(light_text)s;--line:%(light_grid)s}
@media screen and (prefers-color-scheme:dark){:root{--page:%(dark)s;--text:%(dark_text)s;--line:%(dark_grid)s}}
body{font:16px/1.45 'DejaVu Sans',system-ui,sans-serif;max-width:1400px;margin:0 auto;padding:0 8px;color:var(--text);
background:var(--page);overflow-wrap:anywhere}
h1{font-size:1.5em}h2{font-size:1.25em;border-top:1px solid var(--line);padding-top:.6em}
img{display:block;width:100%%;height:auto;margin:1em 0;break-inside:avoid}
table{border-collapse:collapse;font-size:14px;display:block;overflow-x:auto}
td,th{padding:3px 8px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
td:nth-child(2),th:nth-child(2){text-align:left}"""


def picture_element(images, alt):
    """Return the element for SVG images, which are given by (width, theme). The light theme is printed on paper."""
    data = {key: "data:image/svg+xml;base64," + base64.b64encode(content).decode() for key, content in images.items()}
    narrow, wide = sorted({width for width, _ in images})
    return ("<picture>"
            f'<source media="screen and (max-width:800px) and (prefers-color-scheme:dark)" srcset="{data[narrow, "dark"]}">'
            f'<source media="(max-width:800px)" srcset="{data[narrow, "light"]}">'
            f'<source media="screen and (prefers-color-scheme:dark)" srcset="{data[wide, "dark"]}">'
            f'<img src="{data[wide, "light"]}" alt="{html.escape(alt)}"></picture>\n')


def table_element(chapter):
    head, lines = chapter.table()
    text = "<table><tr>" + "".join(f"<th>{name}</th>" for name in head) + "</tr>\n"
    for line in lines:
        text += "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in line) + "</tr>\n"
    return text + "</table>\n"


def page(parts, sources, missing):
    """Return the page. `parts` are (chapter, [(alternative text, images)])."""
    looks = {name + suffix: look[key] for name, look in THEMES.items()
             for suffix, key in (("", "page"), ("_text", "text"), ("_grid", "grid"))}
    text = ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width,initial-scale=1"><title>Measurements by sumac</title>\n'
            f"<style>{STYLE % looks}</style></head><body>\n<h1>Measurements by sumac</h1>\n")
    for path, facts in sources:
        text += f"<p>{html.escape(path)}: {html.escape(facts)}</p>\n"
    for chapter, shown in parts:
        text += f"<h2>{html.escape(chapter.title)}</h2>\n"
        text += "".join(picture_element(images, alt) for alt, images in shown) + table_element(chapter)
    if missing:
        text += "<h2>Not measured</h2>\n<ul>" + "".join(f"<li>{html.escape(line)}</li>\n" for line in missing) + "</ul>\n"
    return (text + "</body></html>\n").encode("utf-8", "replace")


# ---- The program ----

def draw(rows, tasks, sources, missing, formats):
    """Return {file name: content}."""
    listed = chapters(rows) + ([Peers(tasks)] if tasks else [])
    series = Styles(name for chapter in listed for name in chapter.least)
    stages = Styles([*STAGES, *(name for row in rows for name in row["stages"])])
    files, parts = {}, []
    for number, chapter in enumerate(listed):
        if chapter.slug in [other.slug for other in listed[:number]]:
            chapter.slug += f"-{number}"
        shown = []
        for slug, title, function, of_stages in chapter.pictures():
            images = {}
            for width in chapter.widths:
                for theme in THEMES:
                    sheet = Sheet(width, theme, title)
                    function(sheet, chapter, stages if of_stages else series)
                    for kind in ("svg", "png"):
                        if kind in formats or kind == "svg" and "html" in formats:
                            content = sheet.save(kind)
                            if kind in formats:
                                files[f"{slug}-{width}-{theme}.{kind}"] = content
                            if kind == "svg":
                                images[width, theme] = content
            shown.append((title + chapter.note, images))
        parts.append((chapter, shown))
    if "html" in formats:
        files["index.html"] = page(parts, sources, missing)
    return files


def write(folder, files):
    try:
        os.makedirs(folder, exist_ok=True)
        for name, content in files.items():
            path = os.path.join(folder, name)
            with open(path + ".part", "wb") as file:
                file.write(content)
            os.replace(path + ".part", path)
    except OSError as error:
        raise Refused(f"{error.filename or folder}: {error.strerror}") from error


def choose_python():
    """If this Python lacks matplotlib, restart with /usr/bin/python3, for which Debian's python3-matplotlib is installed."""
    debian = "/usr/bin/python3"
    if importlib.util.find_spec("matplotlib") is None and os.path.exists(debian) and "SUMAC_PLOT_PYTHON" not in os.environ:
        os.execve(debian, [debian, *sys.argv], dict(os.environ, SUMAC_PLOT_PYTHON=debian))


def need_matplotlib():
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    try:
        import matplotlib
        matplotlib.use("agg")
    except ImportError as error:
        raise Refused("matplotlib is missing: apt-get install python3-matplotlib, or pip install matplotlib") from error


def formats_of(text):
    chosen = text.split(",")
    if not set(chosen) <= set(FORMATS):
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of {', '.join(FORMATS)}")
    return chosen


def main():
    parser = argparse.ArgumentParser(prog="sumac-plot", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", metavar="FILE", nargs="+", help="a result file; - is standard input")
    parser.add_argument("--out", metavar="FOLDER", default=".", help="where the pictures and the page go (.)")
    parser.add_argument("--formats", metavar="LIST", type=formats_of, default=list(FORMATS), help="svg, png, html (all)")
    given = parser.parse_args()
    choose_python()
    try:
        rows, tasks, sources, missing = read(given.files)
        need_matplotlib()
        files = draw(rows, tasks, sources, missing, given.formats)
        write(given.out, files)
    except Refused as error:
        sys.exit("sumac-plot: " + visible(str(error)))
    print(f"{visible(given.out)}: rows: {len(rows) + len(tasks)}, files: {len(files)}")


if __name__ == "__main__":
    main()
