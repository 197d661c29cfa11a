#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Compare calls on several GPUs with calls on one, by `sumac bench`. The calls are MSMs with all multiples resident and scalars
# in page-locked memory, and Groth16 proofs. This script made bench/results/h200_devices.json and h100_devices.json. Every
# result is verified.
#
#   devices.sh [SUMAC [FILE]]      SUMAC: the program (build/sumac); FILE: the result (h200_devices.json)
#
# DEVICES: the lists to compare; the first list has one device ("0 0,1"). CURVES, SIZES ("2^22 2^24 2^26"), RUNS.
# BATCH: a size and a number of MSMs ("2^10 1000"); if it is empty, no batch is measured.
# BACKEND: cuda. To try the script on the CPU, use `DEVICES="0 0,0" BACKEND=cpu`.
# SETUP: Ethereum's trusted_setup.txt. If it is set, BENCH_KZG (build/bench/bench_kzg) measures cells and proofs of 512 blobs
# with tables of 18 GiB.
# GROTH16: domains of proofs over BN254 ("2^20 2^22 2^24"); if it is empty, no proofs are measured. GROTH16_BATCH: a domain and
# a number of proofs.
set -uo pipefail
sumac=${1:-build/sumac}
file=${2:-h200_devices.json}
lists=${DEVICES:-0 0,1}
curves=${CURVES:-bls12-381 bn254}
sizes=${SIZES:-2^22 2^24 2^26}
runs=${RUNS:-5}
batch=${BATCH-2^10 1000}
backend=${BACKEND:-cuda}
setup=${SETUP:-}
bench_kzg=${BENCH_KZG:-build/bench/bench_kzg}
groth16=${GROTH16-2^20 2^22 2^24}
groth16_batch=${GROTH16_BATCH-2^18 16}
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
failed=0
count=0

bench() { # list of devices, options of sumac bench
    local list=$1
    shift
    count=$((count + 1))
    [ "$backend" = cuda ] && sleep 2 # while the driver clears freed memory, small copies take a millisecond (docs/internals/log.md)
    "$sumac" bench --backend "$backend" --devices "$list" --memory pinned "$@" \
        --json "$directory/$(printf %03d $count).$list.json" | sed "$([ $count -gt 1 ] && echo 1d)" || failed=$((failed + 1))
}

for curve in $curves; do
    for size in $sizes; do
        for list in $lists; do bench "$list" --precompute 256 --curve "$curve" -n "$size" --runs "$runs"; done
    done
    if [ -n "$batch" ]; then
        for list in $lists; do bench "$list" --precompute 256 --curve "$curve" -n "${batch% *}" --batch "${batch#* }" --runs 9; done
    fi
done
if [ -n "$setup" ]; then
    for list in $lists; do
        line=$("$bench_kzg" "$setup" "cuda:$list" 18432 512 cells_and | grep '^compute_cells_and_proofs') || failed=$((failed + 1))
        echo "$list $line" | tee -a "$directory/kzg"
    done
fi

for size in $groth16; do
    for list in $lists; do bench "$list" --groth16 --curve bn254 -n "$size" --runs "$runs"; done
done
if [ -n "$groth16_batch" ]; then
    for list in $lists; do
        bench "$list" --groth16 --curve bn254 -n "${groth16_batch% *}" --batch "${groth16_batch#* }" --runs "$runs"
    done
fi

python3 - "$file" "$directory" "$lists" <<'END' || exit 1
import glob, json, os, sys
name, directory, lists = sys.argv[1], sys.argv[2], sys.argv[3].split()
words = {1: "one", 2: "two", 4: "four", 8: "eight"}
label = {each: words.get(len(each.split(",")), each) for each in lists}
rows, head = {}, {}
for path in sorted(glob.glob(os.path.join(directory, "*.json"))):
    used = os.path.basename(path).split(".", 1)[1][:-len(".json")]
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    head = {"commit": result["commit"], "machine": result["machine"], "date": result["date"]}
    for row in result["rows"]:
        what = {"n": row["n"], "batch": row["batch"]} if "n" in row else {"domain": row["domain"], "proofs": row["proofs"]}
        merged = rows.setdefault((row["curve"], *what.items()), {"curve": row["curve"], **what, "verified": True})
        merged[label[used] + "_min_ms"] = round(row["min_ms"], 3)
        merged[label[used] + "_median_ms"] = round(row["median_ms"], 3)
        if "plan" in row:
            merged[label[used] + "_plan"] = {key: row["plan"]["numbers"].get(key) for key in (
                "n", "c", "windows", "precompute_factor", "copy_slices", "chunks")}
            merged[label[used] + "_plan"]["milliseconds"] = row["plan"]["milliseconds"]
        merged["verified"] = merged["verified"] and row["verified"]
for row in rows.values():
    for each in lists[1:]:
        if label[each] + "_min_ms" in row and label[lists[0]] + "_min_ms" in row:
            row["speedup" if len(lists) == 2 else "speedup_" + label[each]] = round(
                row[label[lists[0]] + "_min_ms"] / row[label[each] + "_min_ms"], 2)
result = {"comment": "one call by several GPUs against one of them, bases and all multiples resident, scalars in "
                     "page-locked memory", **head, "command": "bench/devices.sh", "devices": lists, "rows": list(rows.values())}
if os.path.exists(os.path.join(directory, "kzg")):
    with open(os.path.join(directory, "kzg"), encoding="utf-8") as file:  # each line has devices, function, median ms, CPU ms
        lines = [line.split() for line in file if len(line.split()) >= 4]
    result["kzg"] = {"function": "compute_cells_and_proofs", "blobs": 512, "table_mib": 18432,
                     **{label[line[0]] + "_median_ms": float(line[2]) for line in lines}}
with open(name, "w", encoding="utf-8") as file:
    json.dump(result, file, indent=1)
    file.write("\n")
END
[ $failed -eq 0 ] || { echo "$failed parts failed or were wrong: see above" >&2; exit 1; }
