#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# Measure the CUDA engine's table of figures by `sumac bench`, in about 2 minutes: sizes, curves, MSMs without multiples, G2,
# batches, and skewed and pageable scalars. Every result is verified. The rows of the result file also have the time for making
# the bases.
#
#   h200.sh [SUMAC [FILE]]     SUMAC: the program (build/sumac); FILE: the result (h200.json)
#   PARTS="sizes largest" h200.sh ...     only these parts: sizes largest single g2 batches small skew pageable
set -uo pipefail
sumac=${1:-build/sumac}
file=${2:-h200.json}
parts=${PARTS:-sizes largest single g2 batches small skew pageable}
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
count=0
failed=0

bench() { # options of sumac bench
    count=$((count + 1))
    sleep 2 # while the driver clears freed memory, small copies take a millisecond (docs/internals/log.md)
    "$sumac" bench --backend cuda --json "$directory/$(printf %03d $count).json" "$@" | sed "$([ $count -gt 1 ] && echo 1d)" ||
        failed=$((failed + 1))
}

all=256 # no plan has so many windows, so the library keeps a multiple for each window
three=(bls12-377 bls12-381 bn254)
for part in $parts; do
    case $part in
    sizes) # each curve has its own run, so that one failure does not lose the others
        for curve in "${three[@]}"; do bench --curve "$curve" -n 2^10,2^12,2^14,2^16 --precompute $all --memory pinned --runs 25; done
        for curve in "${three[@]}"; do bench --curve "$curve" -n 2^18,2^20,2^22,2^24 --precompute $all --memory pinned --runs 9; done ;;
    largest) for curve in "${three[@]}"; do bench --curve "$curve" -n 2^26 --precompute $all --memory pinned; done ;;
    single) for curve in "${three[@]}"; do bench --curve "$curve" -n 2^24 --memory pinned; done ;;
    g2) bench --curve bls12-381,bn254 --group g2 -n 2^20 --precompute $all --memory pinned ;;
    batches)
        bench --curve bls12-381 -n 2^10 --batch 1000 --precompute $all --memory pinned
        bench --curve bls12-381 -n 2^15 --batch 100 --precompute $all --memory pinned ;;
    small) # short MSMs, one or a batch: Pedersen hashes, verifiers, Bulletproofs, short polynomials, FK20's 128 sums of 64
        for curve in bls12-381 bn254; do
            bench --curve "$curve" -n 2^8,2^10,2^12,2^14 --memory pinned --runs 25
            bench --curve "$curve" -n 64 --batch 128 --memory pinned --runs 9
            bench --curve "$curve" -n 128,1024 --batch 1024 --memory pinned --runs 9
            bench --curve "$curve" -n 128 --batch 16384 --memory pinned
            bench --curve "$curve" -n 1 --batch 65536 --memory pinned
        done ;;
    skew) bench --curve bls12-381 -n 2^22 --precompute $all --memory pinned --kind uniform,equal,bits,small,sparse ;;
    pageable) bench --curve bls12-381 -n 2^24 --precompute $all --memory pageable ;;
    *) echo "there is no part '$part'" >&2 && exit 2 ;;
    esac
done

python3 - "$file" "$directory"/*.json <<'END' || exit 1
import json, sys
merged = None
for name in sys.argv[2:]:
    with open(name) as f:
        result = json.load(f)
    merged = merged or dict(result, rows=[], command="bench/h200.sh")
    merged["rows"] += [dict(row, runs=result["runs"]) for row in result["rows"]]
with open(sys.argv[1], "w") as f:
    json.dump(merged, f, indent=1)
    f.write("\n")
END
[ $failed -eq 0 ] || { echo "$failed parts failed or were wrong: see above" >&2; exit 1; }
