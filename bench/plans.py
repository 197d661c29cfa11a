#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Check whether `auto` is the fastest of the named plans for all sizes and scalars.

For each curve and kind of scalars, `sumac compare` runs from small sizes to large ones, in separate processes. For each size
the output has the time of `auto`, the fastest other plan, and the ratio of their times. If a plan takes more than --patience
times as long as `auto`, and at least 20 ms, it is not run at larger sizes. The program verifies every result. If a result is
wrong, the run ends. The file is written after each size, so that a run that ends early keeps its rows.

    bench/plans.py build/sumac --backend cuda --json bench/results/h200_auto_vs_plans.json
    bench/plans.py build/sumac --curves bn254 --logs 8,10,12 --kinds uniform,mixed
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

PUBLIC = "auto,baseline,speakspeak,cuzk,sixblock,mikevoronov,matterlabs,yrrid,icicle,icicle-triangle"
NOT_ON_CPU = ("cuzk",)


def compared(given, curve, kind, logs, plans):
    """Run `sumac compare` once, and return its result file."""
    command = [given.program, "compare", "--backend", given.backend, "--curve", curve, "--kind", kind, "-n",
               ",".join(f"2^{log}" for log in logs), "--plan", ",".join(plans), "--runs", "9" if logs[-1] < 20 else "3"]
    command += ["--commit", given.commit] if given.commit else []
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        done = subprocess.run([*command, "--json", file.name], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              check=False)
        if done.returncode != 0:
            sys.exit(f"{curve} {kind} 2^{logs}: {done.stderr.strip()}")
        return json.load(open(file.name, encoding="utf-8"))


def compact(row, curve, kind):
    if "refused" in row:
        return {"curve": curve, "kind": kind, "n": row["n"], "plan": row["plan_name"], "refused": row["refused"]}
    return {"curve": curve, "kind": kind, "n": row["n"], "plan": row["plan"]["name"], "c": row["plan"]["numbers"]["c"],
            "min_ms": round(row["min_ms"], 4), "median_ms": round(row["median_ms"], 4),
            "additions": round(sum(row["plan"]["numbers"][stage + "_additions"] for stage in ("accumulate", "reduce", "combine"))),
            "mib": round(row["plan"]["bytes"]["total"] / 2**20, 1), "verified": row["verified"]}


def write(result, name):
    """Write a result file with one row in each line."""
    head = json.dumps({key: value for key, value in result.items() if key != "rows"}, indent=1)[:-2]
    rows = ",\n".join("  " + json.dumps(row) for row in result["rows"])
    with open(name + ".part", "w", encoding="utf-8") as file:
        file.write(f'{head},\n "rows": [\n{rows}\n ]\n}}\n')
    os.replace(name + ".part", name)


def report(rows):
    """Print a line for each size. Return whether `auto` is the fastest plan at all sizes. For the largest size, also return the
    ratio of each plan's time to the time of `auto`, and the time of `auto`."""
    fastest = True
    ratios = {}
    for n in sorted({row["n"] for row in rows}):
        times = {row["plan"]: row["min_ms"] for row in rows if row["n"] == n and "min_ms" in row}
        others = sorted((ms, plan) for plan, ms in times.items() if plan != "auto")
        nearest = f"{others[0][0] / times['auto']:6.2f} {others[0][1]}" if others else "     -"
        print(f"{rows[0]['curve']:10s} {rows[0]['kind']:8s} 2^{n.bit_length() - 1:<3d} {times['auto']:9.3f} ms {nearest}"
              f"   of {len(times)}", flush=True)
        ratios = {plan: (ms / times["auto"], ms) for plan, ms in times.items()}
        fastest = fastest and min(times.values()) == times["auto"]
    return fastest, ratios


def groups(logs):
    """Return groups of sizes that share a process. A group has up to three small sizes, or one large size."""
    small = [log for log in logs if log <= 16]
    few = [small[i:i + 3] for i in range(0, len(small), 3)]
    return few + [[log] for log in logs if log > 16]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--curves", default="bls12-377,bls12-381,bn254")
    parser.add_argument("--kinds", default="uniform,mixed,sparse")
    parser.add_argument("--logs", default="8,10,12,14,16,18,20,22,24,26", help="logarithms of the sizes, from small to large")
    parser.add_argument("--plans", default=PUBLIC)
    parser.add_argument("--patience", type=float, default=10)
    parser.add_argument("--json", default="plans.json")
    parser.add_argument("--commit", help="the version measured, where the program can't know it")
    given = parser.parse_args()
    wanted = [plan for plan in given.plans.split(",") if given.backend == "cuda" or plan not in NOT_ON_CPU]
    logs = [int(log) for log in given.logs.split(",")]
    result = None
    fastest = True
    for curve in given.curves.split(","):
        for kind in given.kinds.split(","):
            plans = list(wanted)
            for group in groups(logs):
                measured = compared(given, curve, kind, group, plans)
                rows = [compact(row, curve, kind) for row in measured["rows"]]
                result = result or {key: measured[key] for key in ("sumac", "commit", "machine", "date", "seed")} | {
                    "command": "bench/plans.py " + " ".join(sys.argv[1:]), "rows": []}
                result["rows"] += rows
                write(result, given.json)
                fastest_here, ratios = report(rows)
                fastest = fastest and fastest_here
                plans = [plan for plan in plans
                         if plan not in ratios or ratios[plan][0] <= given.patience or ratios[plan][1] < 20]
    print("auto is the fastest everywhere" if fastest else "auto is not the fastest everywhere")


if __name__ == "__main__":
    main()
