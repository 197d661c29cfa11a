#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Time an MSM over the ranks of an MPI job on one machine, where each rank has one thread. The script builds bench_mpi_ranks,
# runs it for each number of ranks in turn, and writes one result file. Every result is verified.
#
#   mpi_ranks.sh [BUILD [FILE]]     BUILD: a folder made by CMake with MPI (build); FILE: the result (mpi_ranks.json)
#
# On a machine with a core for each rank, this command measures elapsed time (a minute or two):
#   bench/mpi_ranks.sh build bench/results/h200_host_mpi_ranks.json
# On a machine with fewer cores than ranks, this command measures the processor time of each rank's work:
#   MODE=processor RANKS="1 2 4 8" SIZES="16 17 18" TURNS=3 RUNS=9 bench/mpi_ranks.sh build FILE
#
# Variables: RANKS, SIZES (logarithms), CURVES, RUNS (calls of a job, after one that is not counted), TURNS (jobs of each kind;
# the fastest counts), MODE (clock or processor), MPIEXEC
set -euo pipefail
build=${1:-build}
file=${2:-mpi_ranks.json}
ranks=${RANKS:-1 2 4 8 16}
sizes=${SIZES:-20}
curves=${CURVES:-bls12-381}
runs=${RUNS:-3}
turns=${TURNS:-1}
mode=${MODE:-clock}
mpiexec=${MPIEXEC:-mpirun}
cmake --build "$build" --target bench_mpi_ranks >/dev/null
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

# Let Open MPI run as root, and avoid a system call that containers forbid.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none

measure() { # curve, size, ranks
    local binding=core oversubscribe=0 # each rank has a core
    if [ "$3" -gt "$(nproc)" ]; then
        binding=none oversubscribe=1 # waiting ranks yield their core
    fi
    OMPI_MCA_hwloc_base_binding_policy=$binding OMPI_MCA_rmaps_base_oversubscribe=$oversubscribe \
        OMPI_MCA_mpi_yield_when_idle=$oversubscribe \
        "$mpiexec" -n "$3" "$build/bench/bench_mpi_ranks" "$1" "$2" "$runs" "$mode" </dev/null | tee -a "$directory/rows"
}

for ((turn = 0; turn < turns; turn++)); do
    for curve in $curves; do
        for size in $sizes; do
            for count in $ranks; do measure "$curve" "$size" "$count"; done
        done
    done
done

commit=$(git -C "$(dirname "$0")" rev-parse --short HEAD 2>/dev/null || echo unknown)
python3 - "$directory/rows" "$file" "$commit" "$mode" "$turns" <<'END'
import datetime, json, os, sys
rows_file, name, commit, mode, turns = sys.argv[1:]
best = {}
for line in open(rows_file, encoding="utf-8"):
    row = json.loads(line)
    key = row["curve"], row["n"], row["ranks"]
    kept = best.setdefault(key, row)
    # Each figure is the least of all turns, and different figures may come from different turns.
    for figure in ("min_ms", "median_ms", "empty_ms", "combine_ms"):
        if figure in row:
            kept[figure] = min(kept[figure], row[figure])
    kept["work_ms"] = [min(pair) for pair in zip(kept["work_ms"], row["work_ms"])]
    kept["verified"] = kept["verified"] and row["verified"]
cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
            if line.startswith("model name")), "unknown")
result = {
    "comment": "one MSM over the ranks of an MPI job of one machine, a thread a rank. work: processor time of the MSM of "
               "each rank's own shard, the ranks in turns, the least of all runs"
               + ("; elapsed times are left out, as there are fewer cores than ranks" if mode == "processor" else ""),
    "commit": commit,
    "machine": {"cpu": cpu, "cores": os.cpu_count()},
    "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
    "command": "bench/mpi_ranks.sh, mode " + mode + ", turns " + turns,
    "rows": list(best.values()),
}
with open(name, "w", encoding="utf-8") as f:
    json.dump(result, f, indent=1)
    f.write("\n")
sys.exit(0 if all(row["verified"] for row in result["rows"]) else 1)
END
