#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compare the planner's choices for batches of small MSMs with other plans, for many n, batches, c and memory limits.

For each shape `sumac bench` times the default plan, and then plans with neighbouring windows and with each memory limit. The
output has the default plan's time, the best time, their ratio, and the workspace in relation to its limit. On a CPU the time is
the user time of a call, the least of all turns, so that other users of the machine do not distort it. With --backend cuda it is
the least elapsed time of all calls. `sumac bench` verifies every result. If a result is wrong, the run ends.

    bench/batches.py build/sumac [--curves bn254] [--n 1,16,128] [--batch 1,128] [--limits 32M,128M] [--turns 2]
    bench/batches.py build/sumac --backend cuda --limits 128M,512M,4G [--precompute 256]
"""
import argparse
import json
import math
import subprocess
import sys
import tempfile


def rows(program, arguments):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        done = subprocess.run([program, "bench", *arguments, "--json", file.name], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            return None, done.stderr.strip()
        return json.load(open(file.name, encoding="utf-8"))["rows"], None


def measure_on_device(program, shape, options, turns):
    """Return the same as measure(), but with elapsed times."""
    best = None
    for _ in range(turns):
        found, sentence = rows(program, shape + options + ["--runs", "9"])
        if found is None:
            if "wrong" in sentence:
                sys.exit(sentence)
            return None, sentence
        time = found[0]["min_ms"] / 1000
        if best is None or time < best[0]:
            best = (time, found[0])
    return best


def measure(program, shape, options, turns):
    """Return the least seconds of one call, and its row. If the program refuses the call, return (None, message)."""
    if "cuda" in shape:
        return measure_on_device(program, shape, options, turns)
    best = None
    runs = 1  # this grows until the runs take a tenth of a second, because user time is counted in steps
    for _ in range(turns):
        found, sentence = rows(program, shape + options + ["--runs", str(runs)])
        if found is None:
            if "wrong" in sentence:
                sys.exit(sentence)
            return None, sentence
        row = found[0]
        wanted = math.ceil(100 / row["plan"]["milliseconds"])
        if wanted > runs:
            runs = wanted
            row = rows(program, shape + options + ["--runs", str(runs)])[0][0]
        if best is None or row["user_seconds"] < best[0]:
            best = (row["user_seconds"], row)
    return best


def bound(plan, backend):
    return max((512 if backend == "cuda" else 64) << 20, (plan["bytes"]["bases"] + plan["bytes"]["scalars"]) // 3)


def sweep(given, curve, n, batch):
    shape = ["--curve", curve, "-n", str(n), "--batch", str(batch), "--threads", str(given.threads),
             "--precompute", str(given.precompute), "--backend", given.backend]
    if given.backend == "cuda":
        shape += ["--memory", "pinned"]
    if given.separate_bases:
        shape.append("--separate-bases")
    default, row = measure(given.program, shape, [], given.turns)
    if default is None:
        print(f"{curve} n {n} batch {batch}: {row}", flush=True)
        return 0, 0
    plan = row["plan"]
    best = (default, "default")
    window = plan["numbers"]["c"]
    windows = range(max(1, window - given.around), window + given.around + 1)
    tries = [("--tune", f"c={c}") for c in windows if c != window] + [("--memory-limit", m) for m in given.limits]
    for options in tries:
        time, other = measure(given.program, shape, list(options), given.turns)
        if time is not None and time < best[0] and other["plan"] != plan:  # timing the same plan again would only add noise
            best = (time, " ".join(options))
    ratio = default / best[0]
    memory = plan["bytes"]["workspace"] / bound(plan, given.backend)
    print(f"{curve} n {n} batch {batch} c {window}: {1e6 * default / batch:.1f} us an MSM, predicted "
          f"{1e3 * plan['milliseconds'] / batch:.1f}, best {1e6 * best[0] / batch:.1f} ({best[1]}), ratio {ratio:.3f}, "
          f"workspace {plan['bytes']['workspace'] >> 10} KiB, {memory:.3f} of its bound", flush=True)
    return ratio, memory


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    numbers = lambda text: [int(item) for item in text.split(",")]
    parser.add_argument("program")
    parser.add_argument("--curves", default="bls12-381,bn254", type=lambda text: text.split(","))
    parser.add_argument("--backend", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--n", default="1,2,8,16,64,128,1024,4096", type=numbers)
    parser.add_argument("--batch", default="1,16,128,1024,4096", type=numbers)
    parser.add_argument("--limits", default="8M,16M,64M,256M", type=lambda text: text.split(","))
    parser.add_argument("--most", default=1 << 19, type=int, help="most scalars of a call; larger shapes are left out")
    parser.add_argument("--around", default=2, type=int, help="windows on each side of the default's")
    parser.add_argument("--threads", default=1, type=int)
    parser.add_argument("--precompute", default=1, type=int)
    parser.add_argument("--separate-bases", action="store_true")
    parser.add_argument("--turns", default=2, type=int)
    given = parser.parse_args()
    worst = [(0, ""), (0, "")]
    for curve in given.curves:
        for n in given.n:
            for batch in given.batch:
                if n * batch > given.most:
                    continue
                for i, value in enumerate(sweep(given, curve, n, batch)):
                    worst[i] = max(worst[i], (value, f"{curve} n {n} batch {batch}"))
    print(f"worst ratio {worst[0][0]:.3f} ({worst[0][1]}), most workspace {worst[1][0]:.3f} of its bound ({worst[1][1]})")


if __name__ == "__main__":
    main()
