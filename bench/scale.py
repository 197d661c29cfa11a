#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""How the time of one MSM grows with points, GPUs, ranks and machines: the model of docs/scale.md.

The costs of a GPU's stages are fitted to rows of one device alone, by least squares. What the model says of two devices
and of ranks is then compared with what was measured, and of machines that were not there it is printed.

    bench/scale.py                    the constants, measured against predicted, the predictions
    bench/scale.py --check            the comparison alone; ends with 1 where a row is off by more than 5%
    bench/scale.py --results FOLDER   other results than bench/results
    bench/scale.py --disk 14e9        bytes a second of a machine's disks, for files that are larger than its memory

Times are milliseconds, the least of several runs.
"""
import argparse
import json
import math
import os
import sys

TOLERANCE = 0.05
GIB = 2**30

# What the fit does not find: (value, where it is from).
CONSTANTS = {
    "least_n": (2**18, "bases of a GPU, below which rounds wait longer than the model says: at 2^16 calls take 1.3 times as "
                       "long"),
    "link": (55.3e6, "bytes a ms from page-locked memory to one H200; seen on the machine of two (docs/scale.md)"),
    "link_of_two": (54.05e6, "the same to each of two at once: 108.1 to both"),
    "device_memory": (139 * GIB, "bytes of an H200 that a program gets"),
    "table_share": (7 / 8, "of it that multiples may take, else half as many are kept (docs/cuda.md)"),
    "scalar_bytes": (32, "of BLS12-381, BLS12-377 and BN254"),
    "most_c": (24, "PLAN_MAX_C of src/pipeline/plan.h"),
    "most_points": (2**31, "of a table, multiples counted: an entry has 31 bits for its index"),
    "most_copy_slices": (4, "COPY_SLICES_MAX of src/pipeline/plan_sizes.h"),
    "copy_slice": (0.4, "ms that the planner counts for a copy_slice after the first where it chooses how many, of a field of 12 words "
                        "(src/cuda/msm/costs.cu)"),
    "work": (1.4, "power of a field's words that this grows with"),
    "large_pass": (8192 * 46421, "entries that are sorted at once, beyond which a bin of the sort is more than one slice: "
                                 "BINS_MAX bins whose mean and an eighth are CAPACITY_MAX (src/cuda/msm/sort_counting.cu)"),
    "full_round": (1e6, "pairs of a round of accumulate, from which on it takes its full time (src/cuda/msm/costs.cu)"),
    "tail_bits": (14, "logarithm of the buckets whose reduction is about one launch (TAIL_PAIRS of reduce_halving.cu)"),
    "header_bytes": (56, "of a partial result (docs/mpi.md)"),
    "collectives": (5, "of a call over ranks: a broadcast, three agreements, one gathering (src/mpi/msm.c)"),
    "message": (5e-3, "ms of a message between two machines: NOT measured, usual of InfiniBand"),
    "network": (12.5e6, "bytes a ms between machines: NOT measured, 100 Gbit/s"),
}


def constant(name):
    return CONSTANTS[name][0]


class Curve:
    """What of a curve counts here. Curves of one field size share their costs."""

    def __init__(self, name, scalar_bits, point_bytes, field):
        self.name, self.scalar_bits, self.point_bytes, self.field = name, scalar_bits, point_bytes, field

    def copy_slice(self):
        return constant("copy_slice") * (int(self.field.split()[0]) / 12) ** constant("work")


CURVES = {curve.name: curve for curve in (Curve("bls12-377", 253, 96, "12 words"), Curve("bls12-381", 255, 96, "12 words"),
                                          Curve("bn254", 254, 64, "8 words"))}


# ---- Least squares ----


def solve(matrix, values, weights):
    """The x with the least sum of squares of weights*(matrix*x - values), by the normal equations."""
    size = len(matrix[0])
    rows = []
    for i in range(size):
        row = [sum(w * w * line[i] * line[j] for w, line in zip(weights, matrix)) for j in range(size)]
        rows.append(row + [sum(w * w * line[i] * value for w, line, value in zip(weights, matrix, values))])
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(size):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    return [rows[i][size] / rows[i][i] for i in range(size)]


# ---- A plan on one GPU ----


class Plan:
    """The numbers of a plan that its time depends on. All buckets are of all modules and, where each chunk has its own, of all
    chunks together. Chunks that share buckets add to them one after another: only the first comes in slices, and there is one
    reduction."""

    def __init__(self, curve, n, c, factor, copy_slices=1, growth=1, chunks=1, per_pass=None, host_resident=False, shared=False):
        self.curve, self.n, self.c, self.factor = curve, n, c, factor
        self.windows = -(-curve.scalar_bits // c)
        self.modules = -(-self.windows // factor)
        self.copy_slices, self.growth, self.chunks = copy_slices, growth, chunks
        self.per_pass = per_pass or self.modules
        self.owners = 1 if shared else chunks  # sets of buckets
        self.passes = self.owners * -(-self.modules // self.per_pass)  # of reduce
        self.entries = n * self.windows
        self.buckets = self.owners * self.modules * 2**(c - 1)
        self.shared = shared
        self.host_resident = host_resident  # bases that lie on the host

    @staticmethod
    def of_row(row):
        plan = row["plan"]
        return Plan(CURVES[row["curve"]], row["n"], plan["c"], plan["precompute_factor"], plan["copy_slices"],
                    plan["copy_slice_growth"], plan["chunks"], plan["modules_per_pass"], plan["bytes"].get("host_resident", 0) > 0,
                    plan.get("keeps_buckets", 0) > 0)

    def bytes_of_base(self):
        """What comes over the link for a base: its scalar, and the base if it is host-resident."""
        return constant("scalar_bytes") + (self.curve.point_bytes if self.host_resident else 0)

    def first_part(self):
        """How much of a chunk its first copy slice is, whose copy the GPU waits for."""
        return 1 / sum(self.growth**i for i in range(self.copy_slices))

    def largest_pass(self):
        """Entries that are sorted at once: those of a chunk's last copy slice."""
        last = 1 if self.shared else self.growth**(self.copy_slices - 1) * self.first_part()
        return self.entries / self.chunks * self.per_pass / self.modules * last

    def rounds(self):
        """How many rounds accumulate takes, each of which halves what a bucket holds; one of few pairs counts in part."""
        load = self.entries / self.buckets / (self.chunks if self.shared else 1)
        whole = self.chunks - 1 if self.shared else 0  # later chunks, which are not cut
        return self.passes * (self.copy_slices * self.rounds_of(load / self.copy_slices) + whole * self.rounds_of(load))

    def rounds_of(self, load):
        buckets, count = self.buckets / self.passes, 0
        while load > 1:
            load /= 2
            count += min(1, load * buckets / constant("full_round"))
        return count

    def merges(self):
        """How often accumulate adds to what all buckets have."""
        return self.copy_slices - 1 + (self.chunks - 1 if self.shared else 0)

    def levels(self):
        """How often reduce halves what it has before the rest is one launch."""
        return self.passes * max(0, math.log2(self.buckets / self.passes) - constant("tail_bits"))


# What a stage's time is a sum of: its terms, each with how many of it a plan has.
def terms_of(plan):
    large = plan.entries if plan.largest_pass() > constant("large_pass") else 0
    return {
        "recode": {"scalar": plan.n},
        "sort": {"entry": plan.entries, "entry of a large pass": large},
        "accumulate": {"addition": plan.entries - plan.buckets, "bucket merged": plan.merges() * plan.buckets,
                       "round": plan.rounds()},
        "reduce": {"bucket": plan.buckets, "level": plan.levels()},
    }


SHARED = ("scalar", "entry", "entry of a large pass", "call")  # no field elements in these


def wait_for_first_copy_slice(plan, link):
    return plan.n / plan.chunks * plan.first_part() * plan.bytes_of_base() / link


def copies(plan, link):
    """All that comes over the link; while the GPU works, but for what it waits for at first."""
    return plan.n * plan.bytes_of_base() / link


def is_fitted(row):
    return (row["group"] == "g1" and row["batch"] == 1 and row["kind"] == "uniform" and row["memory"] == "pinned" and
            row["n"] >= constant("least_n"))


def of_least(row):
    """Stages' times are of the median call; what makes them those of the fastest one."""
    return row["min_ms"] / sum(row["stages_ms"].values())


class Costs:
    """Milliseconds of each term, of one field size or of all; bytes of the workspace."""

    def __init__(self, rows):
        rows = [row for row in rows if is_fitted(row)]
        self.rows, self.of_field, self.shared, self.workspaces = len(rows), {}, {}, {}
        for field in sorted({curve.field for curve in CURVES.values()}):
            own = [row for row in rows if CURVES[row["curve"]].field == field]
            self.of_field[field] = {**self.fit(own, "accumulate"), **self.fit(own, "reduce")}
            self.workspaces[field] = self.fit_workspace([row for row in own if row["n"] >= 2**20])
        for stage in ("recode", "sort"):
            self.shared.update(self.fit(rows, stage))
        rest = sorted(row["stages_ms"]["plan"] + row["stages_ms"]["combine"] for row in rows)
        self.shared["call"] = rest[len(rest) // 2]

    @staticmethod
    def fit(rows, stage):
        """Weighted by the whole call, so that large calls do not decide alone."""
        matrix, values = [], []
        for row in rows:
            plan = Plan.of_row(row)
            matrix.append(list(terms_of(plan)[stage].values()))
            waited = wait_for_first_copy_slice(plan, constant("link")) if stage == "recode" else 0
            values.append(row["stages_ms"][stage] * of_least(row) - waited)
        names = terms_of(Plan.of_row(rows[0]))[stage]
        return dict(zip(names, solve(matrix, values, [1 / row["min_ms"] for row in rows])))

    @staticmethod
    def workspace_of(plan):
        share = 1 if plan.shared else plan.per_pass / plan.modules
        return [plan.largest_pass(), plan.buckets / plan.owners * share, plan.n / plan.chunks]

    def fit_workspace(self, rows):
        """Bytes of an entry that is sorted at once, of a bucket, and of a scalar."""
        bytes_of = [row["plan"]["bytes"]["workspace"] for row in rows]
        return solve([self.workspace_of(Plan.of_row(row)) for row in rows], bytes_of, [1 / b for b in bytes_of])

    def workspace(self, plan):
        chunk = plan.n / plan.chunks
        turns = min(plan.chunks, 2)  # one chunk comes while the other one is worked on; the fit has one
        copied = turns * chunk * plan.bytes_of_base() - chunk * constant("scalar_bytes")
        return copied + sum(a * b for a, b in zip(self.workspaces[plan.curve.field], self.workspace_of(plan)))

    def cost(self, curve, term):
        return self.shared[term] if term in SHARED else self.of_field[curve.field][term]

    def time_of_terms(self, plan, link):
        """Each term's milliseconds; they add up to the call's."""
        times = {"call": self.shared["call"]}
        for counts in terms_of(plan).values():
            for term, count in counts.items():
                times[term] = count * self.cost(plan.curve, term)
        work = sum(times.values())
        times["wait for the link"] = max(wait_for_first_copy_slice(plan, link), copies(plan, link) - work)
        return times

    def time(self, plan, link):
        return sum(self.time_of_terms(plan, link).values())

    # ---- What the planner does ----

    def growth(self, plan):
        work = plan.windows * (self.cost(plan.curve, "addition") + self.cost(plan.curve, "entry"))
        return min(16, max(1, int(work * constant("link") / plan.bytes_of_base())))

    def in_copy_slices(self, whole):
        """As cuda_choose_copy_slices() of src/cuda/msm/costs.cu: the wait for the first one, and what the others cost."""
        growth = self.growth(whole)

        def cut(copy_slices):
            return Plan(whole.curve, whole.n, whole.c, whole.factor, copy_slices, growth, whole.chunks, whole.per_pass,
                        whole.host_resident, whole.shared)

        def cost(plan):
            later = plan.owners * plan.curve.copy_slice() + plan.buckets * self.cost(plan.curve, "bucket merged")
            return wait_for_first_copy_slice(plan, constant("link")) + (plan.copy_slices - 1) * later

        return min((cut(copy_slices) for copy_slices in range(1, constant("most_copy_slices") + 1)), key=cost)

    def fit_into_memory(self, curve, n, c, factor, room, host_resident, chunks=1, shared=False):
        """The plan with the fewest chunks, and then the most modules a pass, whose workspace fits; or None."""
        while chunks <= 2**12:
            per_pass = Plan(curve, n, c, factor).modules
            while per_pass >= 1:
                plan = self.in_copy_slices(Plan(curve, n, c, factor, chunks=chunks, per_pass=per_pass, host_resident=host_resident,
                                                shared=shared))
                if self.workspace(plan) <= room and plan.largest_pass() < 2**32:
                    return plan
                per_pass //= 2
            chunks *= 2
        return None

    def best(self, curve, n, link):
        """The plan that this model predicts to be the fastest on one GPU, over the windows, with as many multiples as the
        memory takes."""
        memory, best = constant("device_memory"), None
        most = constant("table_share") * memory
        host_resident = n * curve.point_bytes > most
        for c in range(8, constant("most_c") + 1):
            factor = -(-curve.scalar_bits // c)
            while factor > 1 and (factor * n * curve.point_bytes > most or factor * n > constant("most_points")):
                factor //= 2
            room = most if host_resident else memory - factor * n * curve.point_bytes
            plans = [self.fit_into_memory(curve, n, c, factor, room, host_resident)]
            if host_resident and plans[0]:
                plans.append(self.fit_into_memory(curve, n, c, factor, room, host_resident, 2 * plans[0].chunks))
                for chunks in (1, 2, 4):
                    plans.append(self.fit_into_memory(curve, n, c, factor, room, host_resident, chunks * plans[0].chunks,
                                                      shared=True))
            best = min((plan for plan in [best] + plans if plan), key=lambda plan: self.time(plan, link), default=None)
        return best


# ---- Ranks of one machine ----


class Ranks:
    """One rank alone, by the bases that it has. R ranks of n bases are predicted as what one rank with n/R takes; nothing
    is fitted. `series` is a file of bench/mpi_ranks.sh."""

    def __init__(self, series):
        self.rows = series["rows"]
        self.alone = {(row["curve"], row["n"]): row["work_ms"][0] for row in self.rows if row["ranks"] == 1}
        self.additions = {}  # ms of a partial result, by curve
        for row in self.rows:
            own = row["combine_ms"] / row["combined"]
            self.additions[row["curve"]] = min(own, self.additions.get(row["curve"], own))

    def work(self, curve, n):
        return self.alone.get((curve, n))


# ---- Measured against predicted ----


class Check:
    """One row: what was measured, and what is predicted."""

    def __init__(self, group, name, measured, predicted, enforced=True):
        self.group, self.name, self.measured, self.predicted = group, name, measured, predicted
        self.error = predicted / measured - 1
        self.fails = enforced and abs(self.error) > TOLERANCE


def log2_text(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else str(n)


def check_one_device(costs, rows):
    for row in rows:
        if is_fitted(row):
            plan = Plan.of_row(row)
            name = f"{row['curve']} {log2_text(row['n'])}, f = {plan.factor}, c = {plan.c}"
            yield Check("one GPU, fitted", name, row["min_ms"], costs.time(plan, constant("link")))


def check_host_resident(costs, rows):
    """Bases that lie on the host, within what another process leaves of the memory: as planned there, before chunks shared
    buckets. Told, not enforced: passes are smaller than any of the fit's."""
    for row in rows:
        if row["memory"] == "pinned":
            plan = Plan.of_row(row)
            name = f"{row['curve']} {log2_text(row['n'])}, {row['free_mib'] / 1024:.1f} GiB, {plan.chunks} chunks"
            yield Check("one GPU, bases on the host", name, row["min_ms"], costs.time(plan, constant("link")), enforced=False)


def check_devices(costs, rows, calls):
    """The same sizes on one GPU and on two, of another machine than the fit's rows. The plan is predicted, too. `calls`: ms
    of one MSM of 2^10 by curve."""
    for row in rows:
        curve, n, batch = CURVES[row["curve"]], row["n"], row["batch"]
        name = f"{row['curve']} {log2_text(n)}" + (f", {batch} MSMs" if batch > 1 else "")
        if batch > 1:  # whole MSMs of a batch: but for the call's own time all of it is divided
            shared = calls[curve.name] + (row["one_min_ms"] - calls[curve.name]) / 2
            yield Check("two GPUs", name, row["two_min_ms"], shared)
            continue
        one = costs.time(costs.best(curve, n, constant("link")), constant("link"))
        yield Check("one GPU, not fitted", name, row["one_min_ms"], one)
        two = costs.time(costs.best(curve, n // 2, constant("link_of_two")), constant("link_of_two"))
        yield Check("two GPUs", name, row["two_min_ms"], two)


def check_kzg(one, rows):
    """Cells and proofs of blobs: a call's own time and a blob's, from two rows of one GPU. Two GPUs: told, not enforced."""
    times = {row["blobs"]: row["median_ms"] for row in rows
             if row["function"] == one["function"] and row["table_mib"] == one["table_mib"]}
    few, many = sorted(times)[-2:]
    blob = (times[many] - times[few]) / (many - few)
    predicted = times[many] - blob * (many - one["blobs"] / 2)
    yield Check("two GPUs, blobs", f"{one['function']}, {one['blobs']} blobs", one["two_median_ms"], predicted, enforced=False)


def check_ranks(ranks):
    """Processor time of a rank: the mean over the ranks."""
    for row in ranks.rows:
        alone = ranks.work(row["curve"], row["n"] // row["ranks"])
        if row["ranks"] > 1 and alone is not None:
            name = f"{row['curve']} {log2_text(row['n'])}, {row['ranks']} ranks"
            yield Check("ranks, processor time", name, sum(row["work_ms"]) / row["ranks"], alone)


def check_ranks_by_clock(ranks, series):
    """Two ranks by the clock: what one rank took with half of the bases, in the same series or, for the smallest, as the
    processor time of one rank with half of them is to that of one with all."""
    alone = {row["n"]: row["min_ms"] for row in series["rows"] if row["ranks"] == 1}
    for row in series["rows"]:
        if row["ranks"] > 1:
            n, part, curve = row["n"], row["n"] // row["ranks"], row["curve"]
            predicted = alone.get(part) or alone[n] * ranks.work(curve, part) / ranks.work(curve, n)
            yield Check("ranks, by the clock", f"{curve} {log2_text(n)}, {row['ranks']} ranks", row["min_ms"], predicted)


def check_ranks_of_many_cores(ranks, threads):
    """Ranks by the clock on a machine with a core for each: one rank with n/R bases, times what R threads of such a machine
    take longer than one core's R-th. Told, not enforced: the second factor is the machine's, not the model's."""
    alone = {(row["curve"], row["n"]): row["min_ms"] for row in ranks["rows"] if row["ranks"] == 1}
    for row in ranks["rows"]:
        part = alone.get((row["curve"], row["n"] // row["ranks"]))
        if row["ranks"] > 1 and part:
            slower = threads[row["ranks"]] * row["ranks"] / threads[1]
            yield Check("ranks, a core each", f"{row['curve']} {log2_text(row['n'])}, {row['ranks']} ranks", row["min_ms"],
                        part * slower, enforced=False)


# ---- Predictions ----


class Machines:
    """Machines of so many GPUs each, a rank a GPU."""

    def __init__(self, costs, addition, gpus, machines=1):
        self.costs, self.addition, self.gpus, self.machines = costs, addition, gpus, machines
        self.link = constant("link" if gpus == 1 else "link_of_two")

    def gathering(self, curve, ranks):
        """Agreements, partial results to all ranks, and every rank's additions of them."""
        if self.machines == 1:
            return 0
        latency = constant("collectives") * math.ceil(math.log2(ranks)) * constant("message")
        travel = ranks * (constant("header_bytes") + curve.point_bytes) / constant("network")
        return latency + travel + ranks * self.addition

    def predict(self, curve, n):
        """The plan of a GPU, its calls one after another, and milliseconds by term."""
        own = -(-n // (self.gpus * self.machines))
        calls = -(-own // constant("most_points"))
        plan = self.costs.best(curve, -(-own // calls), self.link)
        times = {term: calls * time for term, time in self.costs.time_of_terms(plan, self.link).items()}
        times["gathering"] = self.gathering(curve, self.gpus * self.machines)
        return plan, times


# What can bend, and the terms that it shows in. Fewer bases share a bucket; or windows are smaller, and digits more.
BENDS = {"windows": ("addition", "entry", "entry of a large pass", "scalar", "bucket", "bucket merged", "level"),
         "rounds": ("round",), "call": ("call",), "link": ("wait for the link",), "gathering": ("gathering",)}


def bending_term(alone, times, count):
    """What grows most, all GPUs together, against one; with its part of their time."""
    excess = {name: sum(count * times.get(term, 0) - alone.get(term, 0) for term in terms)
              for name, terms in BENDS.items()}
    most = max(excess, key=excess.get)
    return f"{most} {100 * excess[most] / count / sum(times.values()):.0f}%"


def milliseconds(time):
    return f"{time:.2f}" if time < 10 else f"{time:.1f}" if time < 100 else f"{time:.0f}"


def table(head, lines):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for line in lines:
        print("| " + " | ".join(line) + " |")
    print()


SIZES = [2**26, 2**28, 2**30, 2**32, 2**34]


def print_gpus(costs, addition, curve):
    """Rows: machines; columns: sizes."""
    shapes = [(1, 1), (2, 1), (4, 1), (8, 1), (8, 2), (8, 4), (8, 8), (8, 16), (8, 32), (8, 64)]
    lines, bends = [], []
    alone = {}
    for gpus, machines in shapes:
        line, bend = [f"{machines} × {gpus}"], [f"{machines} × {gpus}"]
        for n in SIZES:
            plan, times = Machines(costs, addition, gpus, machines).predict(curve, n)
            total, count = sum(times.values()), gpus * machines
            alone.setdefault(n, times)
            share = sum(alone[n].values()) / count / total
            small = "*" if plan.n < constant("least_n") else ""
            line.append(f"{milliseconds(total)}{small}, {100 * share:.0f}%" + (", host" if plan.host_resident else ""))
            bend.append(bending_term(alone[n], times, count) if share < 0.98 else "")
        lines.append(line)
        bends.append(bend)
    head = ["machines × GPUs"] + [log2_text(n) for n in SIZES]
    print(f"### {curve.name}, H200s: ms, share of linear growth from one GPU; host: host-resident bases; *: below the model's range\n")
    table(head, lines)
    print(f"### {curve.name}, H200s: what bends most, and its part of the time; nothing where growth is linear within 2%\n")
    table(head, bends[1:])


def print_cpus(curve, rate, addition):
    """Machines of cores alone, a rank each; `rate`: ms of 2^20 bases on 16 cores."""
    lines = []
    for cores in (16, 64):
        for machines in (1, 4, 16, 64):
            shape = Machines(None, addition, 1, machines)
            line = [f"{machines} × {cores}"]
            for n in SIZES:
                time = n / 2**20 * rate * 16 / cores / machines + shape.gathering(curve, machines)
                line.append(f"{time / 1e3:.2f}" if time < 1e5 else f"{time / 1e3:.0f}")
            lines.append(line)
    print(f"### {curve.name}, processors alone: seconds\n")
    table(["machines × cores"] + [log2_text(n) for n in SIZES], lines)


def print_plans(costs, curve):
    """What one GPU does with more and more bases."""
    lines = []
    for log2 in range(18, 33):
        n = 2**log2
        plan = costs.best(curve, n, constant("link"))
        total = costs.time(plan, constant("link"))
        lines.append([log2_text(n), "host" if plan.host_resident else str(plan.factor), str(plan.c), str(plan.windows),
                      str(plan.copy_slices), str(plan.chunks), f"{plan.factor * n * curve.point_bytes / GIB:.0f}",
                      f"{costs.workspace(plan) / GIB:.1f}", milliseconds(total), f"{1e6 * total / n:.2f}"])
    print(f"### {curve.name}, one H200: the predicted plans\n")
    table(["n", "f", "c", "windows", "copy_slices", "chunks", "table GiB", "workspace GiB", "ms", "ns a base"], lines)


def print_memory(curve, disk):
    lines = []
    for n in SIZES:
        bytes_all = n * (curve.point_bytes + constant("scalar_bytes"))
        lines.append([log2_text(n), f"{n * curve.point_bytes / GIB:.0f}", f"{bytes_all / GIB:.0f}",
                      str(math.ceil(n * curve.point_bytes / (constant("table_share") * constant("device_memory")))),
                      f"{bytes_all / constant('link') / 1e3:.2f}", f"{bytes_all / disk:.0f}"])
    print(f"### {curve.name}: bytes\n")
    table(["n", "bases GiB", "with scalars GiB", "GPUs that hold them, f = 1", "s over one link",
           f"s from disks of {disk / 1e9:g} GB/s"], lines)


# ---- The program ----

FITTED = ("h200_kinds.json", "h200_sizes_small_batches.json")


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)


def host_threads(folder, curve):
    """Least ms of 2^20 bases by threads of the host of an H200."""
    best = {}
    for row in read(folder, f"h200_host_threads_{curve.replace('-', '_')}.json")["rows"]:
        best[row["threads"]] = min(best.get(row["threads"], math.inf), row["min_ms"])
    return best


def host_rate(folder, curve):
    """Least ms of 2^20 bases on the 16 processors of an H200's host, of several turns."""
    return min(row["min_ms"] for row in read(folder, "h200_host_threads_2p20.json")["rows"]
               if row["curve"] == curve and row["threads"] == 16)


def all_checks(folder, costs, ranks, rows):
    short = [row for row in rows
             if row["n"] == 1024 and row["batch"] == 1 and row["precompute"] > 1 and row["group"] == "g1"]
    calls = {row["curve"]: min(each["min_ms"] for each in short if each["curve"] == row["curve"]) for row in short}
    devices = read(folder, "h200_devices.json")
    checks = list(check_one_device(costs, rows))
    checks += check_host_resident(costs, read(folder, "h200_visiting.json")["rows"])
    checks += check_devices(costs, devices["rows"], calls)
    if "kzg" in devices:
        checks += check_kzg(devices["kzg"], read(folder, "h200_kzg.json")["rows"])
    checks += check_ranks(ranks)
    checks += check_ranks_by_clock(ranks, read(folder, "xeon_mpi_ranks_clock.json"))
    later = "h200_host_mpi_ranks.json"  # bench/mpi_ranks.sh on a machine of 16 cores
    if os.path.exists(os.path.join(folder, later)):
        checks += check_ranks_of_many_cores(read(folder, later), host_threads(folder, "bls12-381"))
    return checks


def print_checks(checks):
    for group in dict.fromkeys(check.group for check in checks):
        own = [check for check in checks if check.group == group]
        print(f"### {group}: at most {100 * max(abs(check.error) for check in own):.1f}% off\n")
        table(["row", "measured", "predicted", "error"],
              [[check.name, milliseconds(check.measured), milliseconds(check.predicted),
                f"{100 * check.error:+.1f}%" + (" FAILS" if check.fails else "")] for check in own])


def print_constants(costs, ranks):
    print(f"### Fitted to {costs.rows} rows of one GPU ({', '.join(FITTED)})\n")
    lines = []
    for field, terms in costs.of_field.items():
        lines += [[term, field, f"{1e6 * cost:.4f} ns" if cost < 1e-3 else f"{cost:.4f} ms"] for term, cost in terms.items()]
    lines += [[term, "all", f"{1e6 * cost:.4f} ns" if cost < 1e-3 else f"{cost:.4f} ms"]
              for term, cost in costs.shared.items()]
    table(["term", "field", "cost"], lines)
    print("### Bytes of a workspace: of an entry sorted at once, of a bucket, of a scalar\n")
    table(["field", "entry", "bucket", "scalar"],
          [[field] + [f"{b:.0f}" for b in bytes_of] for field, bytes_of in costs.workspaces.items()])
    print("### Given\n")
    table(["constant", "value", "from"], [[name, f"{value:g}", why] for name, (value, why) in CONSTANTS.items()])
    print("A partial result is added in " + ", ".join(f"{1e3 * ms:.2f} us ({curve})" for curve, ms in ranks.additions.items()),
          end=".\n\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--results", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "results"))
    parser.add_argument("--disk", type=float, default=7e9)
    given = parser.parse_args()
    if not 0 < given.disk < float("inf"):
        parser.error("argument --disk: bytes a second are more than 0")
    rows = [row for name in FITTED for row in read(given.results, name)["rows"]]
    costs = Costs(rows)
    ranks = Ranks(read(given.results, "xeon_mpi_ranks.json"))
    checks = all_checks(given.results, costs, ranks, rows)
    if not given.check:
        print_constants(costs, ranks)
    print_checks(checks)
    if not given.check:
        for name in ("bls12-381", "bn254"):
            curve = CURVES[name]
            print_plans(costs, curve)
            print_gpus(costs, ranks.additions[name], curve)
            print_cpus(curve, host_rate(given.results, name), ranks.additions[name])
            print_memory(curve, given.disk)
    failed = [check for check in checks if check.fails]
    if failed:
        print(f"{len(failed)} of {len(checks)} rows are off by more than {100 * TOLERANCE:g}%", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
